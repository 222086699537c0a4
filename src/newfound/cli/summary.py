"""What commands print: a summary that a person can act on, or JSON."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from newfound.cli.streams import plain
from newfound.describe.account import Account, ClassAccount, SelfTest
from newfound.runs.run import Run

SHOWN = 15
"""New classes in the summary of a fit."""

NAME, EXAMPLE, LEAST = 40, 60, 20
"""Characters of a name (or id) and of an example in a table, and how many there must be room for."""

WIDE = 140
"""Characters of a line that goes to a file or another program."""


class FoundClass(msgspec.Struct):
    """A class in the summary of a fit."""

    id: str
    name: str
    new: bool
    size: int


class Summary(msgspec.Struct):
    """What ``newfound fit --json`` prints."""

    run: str
    rows: int
    seeds: int
    abstained: int
    classes: list[FoundClass]
    likely: tuple[int, int]
    seconds: dict[str, float]


def summarise(run: Run, place: Path, as_json: bool) -> None:
    """Say what a fit found, and what to do next."""
    told, named = run.account, shlex.quote(str(place))
    if as_json:
        classes = [FoundClass(one.id, one.name, one.new, one.size) for one in told.classes]
        likely = (told.count.low, told.count.high)
        dump(Summary(str(place), told.rows, told.seeds, told.abstained, classes, likely, run.about.seconds))
        return
    out = screen()
    out.print(Text(_headline(told), style="bold"))
    for line in _facts(run):
        out.print(Text(line))
    new = sorted((one for one in told.classes if one.new), key=lambda one: -one.size)
    if new:
        out.print()
        out.print(table(new[:SHOWN]))
        if len(new) > SHOWN:
            out.print(Text(f"and {len(new) - SHOWN} more: newfound classes {named}"))
    out.print()
    out.print(Text(f"open   {place / 'report.html'}"))
    out.print(Text(f"next   newfound classes {named}        newfound predict {named} NEW.csv -o labelled.csv"))


def _headline(told: Account) -> str:
    new = sum(one.new for one in told.classes)
    were = "was" if new == 1 else "were"
    return f"{many(told.rows, 'row')}. You named {many(len(told.classes) - new, 'class')}; {new:,} more {were} found."


def _facts(run: Run) -> list[str]:
    told = run.account
    facts = [_number(told)]
    if run.features is not None:
        facts.append(f"Features: {run.about.features} ({run.about.why}).")
    if told.abstained:
        facts.append(f"{many(told.abstained, 'row')} fit no class well: status abstain.")
    if told.empty:
        facts.append(f"{many(told.empty, 'row')} hold nothing that could be read; without a label of yours they abstain.")
    if told.self_test is not None:
        facts.append(_tested(told.self_test))
    return facts


def _number(told: Account) -> str:
    """How many classes there are, and how sure that is."""
    count, left = told.count, len(told.classes)
    found = many(left, "class") if left == count.chosen else f"{many(left, 'class')} (of {count.chosen:,} chosen)"
    if count.how == "told":
        return (
            f"{many(left, 'class')}, as you said."
            if left == count.chosen
            else f"{left:,} of the {count.chosen:,} classes you asked for."
        )
    if count.how == "stability":
        wide = f"; {count.low:,} to {count.high:,} would do nearly as well" if count.low < count.high else ""
        return f"{found}, where two explorations agree best{wide}: no class has two labelled rows to read it from."
    return f"{found}{f', {count.low:,} to {count.high:,} likely' if count.low < count.high else ''} (read off your labels)."


def _tested(test: SelfTest) -> str:
    back = sum(one.back for one in test.classes)
    return (
        f"Self-test: {back} of {many(len(test.classes), 'class')} of yours came back as a class of their own "
        "while they were hidden, a third at a time."
    )


def screen() -> Console:
    """Where words go: lines of text are not broken, and tables get room where nobody looks."""
    out = Console(highlight=False, soft_wrap=True)
    return out if out.is_terminal else Console(highlight=False, soft_wrap=True, width=WIDE)


def table(classes: list[ClassAccount]) -> Table:
    """Classes, a line each; where there is little room the id is left, which other commands ask for."""
    cells = {
        "id": [plain(one.id) for one in classes],
        "status": ["new" if one.new else "given" for one in classes],
        "name": [plain(one.name) for one in classes],
        "rows": [f"{one.size:,}" for one in classes],
        "for example": [plain(one.typical[0].text) if one.typical else "" for one in classes],
    }
    widths = _widths({title: max(map(cell_len, [title, *column])) for title, column in cells.items()}, screen().width)
    out = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for title, width in widths.items():
        out.add_column(title, no_wrap=True, overflow="ellipsis", width=width, justify="right" if title == "rows" else "left")
    for row in zip(*(cells[title] for title in widths), strict=True):
        out.add_row(*map(Text, row))
    return out


def _widths(asked: dict[str, int], width: int) -> dict[str, int]:
    """The columns that there is room for, and how wide they are: the id in full, then the name, rows, status, an example.

    >>> asked = {"id": 5, "status": 6, "name": 30, "rows": 4, "for example": 90}
    >>> _widths(asked, 80)
    {'id': 5, 'status': 6, 'name': 30, 'rows': 4, 'for example': 27}
    >>> _widths(asked, 50), _widths(asked, 20)
    ({'id': 5, 'status': 6, 'name': 29, 'rows': 4}, {'id': 5, 'name': 13})
    """
    name = min(asked["name"], NAME)
    given = {"id": min(asked["id"], NAME, width)}
    room = width - given["id"]
    for title in ("rows", "status"):
        if room - asked[title] - 2 >= min(name, LEAST) + 2:
            given[title], room = asked[title], room - asked[title] - 2
    if room > 2:
        given["name"], room = min(name, room - 2), room - 2 - name
    if room >= LEAST + 2:
        given["for example"] = min(asked["for example"], EXAMPLE, room - 2)
    return {title: given[title] for title in asked if title in given}


def card(told: Account, one: ClassAccount) -> None:
    """One class, in full."""
    name = {other.id: other.name for other in told.classes}
    out = screen()
    out.print(Text(f"{plain(one.name)}  ({'new, ' + one.id if one.new else 'given'}, {many(one.size, 'row')})", style="bold"))
    out.print(Text(plain(one.why)))
    if one.terms:
        said = ", ".join(f"{plain(term.text)} {term.here:.0%} ({term.elsewhere:.0%} elsewhere)" for term in one.terms)
        out.print(Text(f"terms       {said}"))
    for title, rows in (("typical", one.typical), ("borderline", one.borderline)):
        for row in rows:
            other = f"   or {plain(name[row.other])}: {row.probability:.2f} to {row.other_probability:.2f}" if row.other else ""
            out.print(Text(f"{title:<11} {plain(row.text) or f'row {plain(row.id)}'}{other if title == 'borderline' else ''}"))
    if one.nearest is not None:
        out.print(Text(f"nearest     {plain(name[one.nearest.id])}, cosine {one.nearest.cosine:.2f}"))


def many(n: int, noun: str) -> str:
    """A number and its noun.

    >>> many(1, "class"), many(2000, "class")
    ('1 class', '2,000 classes')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}{'es' if noun.endswith('s') else 's'}"


def dump(record: Any) -> None:
    """Print a record as JSON, in ASCII where the stream has not all of its characters."""
    text = msgspec.json.format(msgspec.json.encode(record), indent=1).decode()
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(msgspec.to_builtins(record), indent=1)
    click.echo(text)
