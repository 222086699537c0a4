"""All commands under one name, and what happens when one fails: 2 is the user's, 1 is ours."""

import difflib
import importlib
import sys
from typing import Any

import click

from newfound import __version__
from newfound.cli import STOPPED
from newfound.cli.streams import leave, machine, notes, say, steady
from newfound.errors import NewfoundError

COMMANDS = {
    "fit": "fit:fit",
    "classes": "classes:classes",
    "report": "report:report",
    "predict": "predict:predict",
    "eval": "evaluate:score",
    "demo": "demo:demo",
    "data": "data:data",
    "completions": "completions:completions",
    "paper": "paper:paper",
    "bench": "bench:bench",
}
"""Each command and where it is: only the one that is asked for is loaded."""


class Commands(click.Group):
    """Loads commands late, and answers what is refused, by newfound or by click, in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        found: click.Command = getattr(importlib.import_module(f"newfound.cli.{module}"), name)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS)
            ctx.fail(f"no command is called {args[0]!r}" + (f"; did you mean {' or '.join(near)}?" if near else ""))
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **settings: Any) -> Any:
        steady()
        code = 0
        try:
            with notes():
                code = super().main(*args, **{"prog_name": "newfound"} | settings | {"standalone_mode": False})
                if not code:  # what is left unsaid by then is refused as well
                    sys.stdout.flush()
        except click.ClickException as refusal:
            code = _refuse(refusal)
        except click.Abort:
            code = _stopped()
        except OSError as failure:
            if (told := machine(failure)) is None:
                raise
            say(told)
            code = 2
        leave(code or 0)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except NewfoundError as refusal:
            say(str(refusal))
            return 2
        except KeyboardInterrupt as stop:
            return _stopped(*map(str, stop.args))
        except BrokenPipeError:  # whoever read our output has read enough
            leave(0)


def _stopped(*more: str) -> int:
    say("; ".join(["stopped", *more]))
    return STOPPED


def _refuse(refusal: click.ClickException) -> int:
    """Say what click could not make sense of, and where help is; a group without a command prints its own."""
    if isinstance(refusal, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # click 8.1 has none
        refusal.show()
        return 2
    told = refusal.format_message().rstrip(".")
    asked = refusal.ctx.command_path if isinstance(refusal, click.UsageError) and refusal.ctx else "newfound"
    say(told[:1].lower() + told[1:] + ("" if "?" in told else f"; {asked} --help says more"))
    return 2


@click.group("newfound", cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="newfound")
def app() -> None:
    """Label every row from a few seeds, and discover the classes that nobody seeded.

    Example: newfound fit tickets.csv --text body --label topic -o run/
    """
