"""`newfound paper`: the paper's tables and figures, made from records and kept beside them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from newfound.cli.options import download, sweep
from newfound.cli.progress import bar
from newfound.experiments.figures import FIGURES
from newfound.experiments.paper import Paper


@click.group()
def paper() -> None:
    """Run the paper's experiments again, and write its tables and figures.

    Each fit becomes a line under OUT/records and is never made twice: a command that was stopped goes on where it was.
    Lines are written in one order: stopping loses the fits under way, and those done that wait for one of them.

    Example: newfound paper table1 --out paper/
    """


@paper.command()
@click.option("--data", multiple=True, metavar="NAME", help="Only this data set (may be given again).")
@download
@sweep("paper")
def table1(data: tuple[str, ...], **where: Any) -> None:
    """Table 1: three models, with and without exploration, beside the printed numbers.

    Example: newfound paper table1 --data reuters-21578 --partitions 10
    """
    _make("table 1", where, lambda paper, tick: paper.table1(tick, data))


@paper.command()
@click.argument("number", type=click.IntRange(min(FIGURES), max(FIGURES)))
@download
@sweep("paper")
def figure(number: int, **where: Any) -> None:
    """Figure NUMBER (1 to 6), as SVG.

    Example: newfound paper figure 3 --out paper/
    """
    _make(f"figure {number}", where, lambda paper, tick: paper.figure(number, tick))


@paper.command()
@download
@sweep("paper")
def details(**where: Any) -> None:
    """What the paper leaves open: sweeps over smoothing, prior, selection and more.

    Example: newfound paper details --partitions 5
    """
    _make("details", where, lambda paper, tick: paper.details(tick))


@paper.command("all")
@download
@sweep("paper")
def everything(**where: Any) -> None:
    """All of it, and which of the paper's claims reproduce.

    Example: newfound paper all --out docs/paper
    """
    _make("the paper", where, lambda paper, tick: paper.all(tick))


def _make(title: str, where: dict[str, Any], work: Callable[[Paper, Any], list[Path]]) -> None:
    paper = Paper(where["out"], where["partitions"], where["jobs"], where["download"])
    with bar(title) as tick:
        made = work(paper, tick)
    for path in made:
        click.echo(path)
