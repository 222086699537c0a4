"""`newfound classes`: what a run found."""

import difflib
from pathlib import Path

import click

from newfound.cli import options
from newfound.cli.summary import card, dump, screen, table
from newfound.describe.account import Account, ClassAccount
from newfound.errors import InputError
from newfound.features.tables import short
from newfound.runs import storing


@click.command()
@options.run
@click.argument("name", required=False)
@options.as_json
def classes(run: Path, name: str | None, as_json: bool) -> None:
    """Print the classes of RUN, new ones first, large ones before small; or all there is to say of one.

    NAME is its name or its id.

    Example: newfound classes run/ new-3
    """
    told = storing.account(run)
    if name is not None:
        one = _called(told, name)
        dump(one) if as_json else card(told, one)
    elif as_json:
        dump(told)
    else:
        screen().print(table(sorted(told.classes, key=lambda one: (not one.new, -one.size))))


def _called(told: Account, name: str) -> ClassAccount:
    """The class with this id, or else the first of this name."""
    called = [one for one in told.classes if one.id == name] or [one for one in told.classes if one.name == name]
    if called:
        return called[0]
    known = dict.fromkeys(text for one in told.classes for text in (one.id, one.name))
    near = difflib.get_close_matches(name, known, cutoff=0.4)
    hint = f"did you mean {' or '.join(map(short, near))}?" if near else "newfound classes RUN lists them"
    raise InputError(f"no class is called {short(name)}; {hint}")
