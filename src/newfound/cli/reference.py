"""What the documents say of the command line, made of the commands themselves: docs/commands.md and docs/schemas.

python -m newfound.cli.reference docs/
"""

import json
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click
import msgspec

from newfound.cli.app import app
from newfound.cli.summary import Summary
from newfound.describe.account import Account, ClassAccount
from newfound.runs.evaluating import Scores

PRINTED = {"fit": Summary, "classes": Account, "class": ClassAccount, "eval": Scores}
"""What ``--json`` prints: of ``fit``, of ``classes`` with and without a class, of ``eval``."""

HEAD = """# Commands

Written from the commands themselves by `make docs`. What `--json` prints is described in [schemas/](schemas/).

A command ends with 0; with 2 if what it was given will not do, and one sentence says why; with 130 if it was stopped; with 1 if
the fault is ours.
"""


def schemas() -> dict[str, str]:
    """A JSON schema for each thing that ``--json`` prints."""
    return {name: json.dumps(_clean(msgspec.json.schema(kind)), indent=1) + "\n" for name, kind in PRINTED.items()}


def _clean(schema: Any) -> Any:
    """The same with docstrings as paragraphs, and nothing allowed that it does not name."""
    if not isinstance(schema, dict):
        return [_clean(part) for part in schema] if isinstance(schema, list) else schema
    closed = {"additionalProperties": False} if schema.get("properties") else {}
    told = {"description": cleandoc(schema["description"])} if isinstance(schema.get("description"), str) else {}
    return {key: _clean(part) for key, part in schema.items()} | told | closed


def commands() -> str:
    """All commands and options, as a page."""
    return "\n".join([HEAD, *(_section(command, name) for name, command in _commands(app, ""))])


def _commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    """The commands of a group by their whole names, with those of groups in it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, f"{path}{name} ")
        elif command is not None:
            yield f"{path}{name}", command


def _section(command: click.Command, name: str) -> str:
    parts = [part.replace("\n", " ") for part in cleandoc(command.help or "").split("\n\n")]
    example, told = ([part for part in parts if part.startswith("Example: ") == yes] for yes in (True, False))
    usage = " ".join(["newfound", name, *command.collect_usage_pieces(click.Context(command))])
    options = [_option(one) for one in command.params if isinstance(one, click.Option)]
    parts = [f"## {name}", f"`{usage}`", *told, *(f"```console\n$ {line.removeprefix('Example: ')}\n```" for line in example)]
    if options:
        parts.append("\n".join(["| option | |", "|---|---|", *options]))
    return "\n\n".join(parts) + "\n"


def _option(option: click.Option) -> str:
    names, told = option.get_help_record(click.Context(click.Command("newfound"))) or ("", "")
    text = (told.replace("|", "\\|") for told in (names, told))
    return "| `{}` | {} |".format(*text)


def write(docs: Path) -> None:
    """Write the page and the schemas."""
    (docs / "schemas").mkdir(exist_ok=True)
    (docs / "commands.md").write_text(commands(), encoding="utf-8")
    for name, text in schemas().items():
        (docs / "schemas" / f"{name}.json").write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Write them where the first argument says."""
    write(Path(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
