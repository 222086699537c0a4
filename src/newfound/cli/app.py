"""All commands under one name, and what happens when one fails: 2 is the user's, 1 is ours."""

import importlib
import os
import sys
from typing import Any

import click

from newfound import NewfoundError, __version__

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

STOPPED = 130
"""What a shell expects of a program that was stopped by Ctrl-C."""


class Commands(click.Group):
    """Loads commands late, and answers what newfound refuses in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        found: click.Command = getattr(importlib.import_module(f"newfound.cli.{module}"), name)
        return found

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except NewfoundError as refusal:
            click.echo(f"newfound: {refusal}", err=True)
            sys.exit(2)
        except KeyboardInterrupt:
            click.echo("newfound: stopped; nothing was written", err=True)
            sys.exit(STOPPED)
        except BrokenPipeError:  # whoever read our output has read enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="newfound")
def app() -> None:
    """Label every row from a few seeds, and discover the classes that nobody seeded.

    Example: newfound fit tickets.csv --text body --label topic -o run/
    """
