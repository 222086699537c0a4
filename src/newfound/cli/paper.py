"""`newfound paper`: the paper's tables and figures, made from records and kept beside them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from newfound.cli.progress import bar
from newfound.experiments.figures import FIGURES
from newfound.experiments.paper import Paper


@click.group()
def paper() -> None:
    """Run the paper's experiments again, and write its tables and figures.

    Each fit becomes a line under OUT/records as soon as it is done, and is never made twice: a command that was stopped
    goes on where it was.

    Example: newfound paper table1 --out paper/
    """


def _options(command: Callable[..., None]) -> Callable[..., None]:
    """What every part of the paper asks."""
    for option in (
        click.option("--jobs", default=-1, show_default="all cores", help="Fits made side by side."),
        click.option(
            "--partitions", type=click.IntRange(2), default=10, show_default=True, help="Random partitions of each data set."
        ),
        click.option(
            "-o", "--out", type=click.Path(file_okay=False, path_type=Path), default="paper", show_default=True, help="Folder."
        ),
    ):
        command = option(command)
    return command


_download = click.option("--download", is_flag=True, help="Fetch data sets that are not on this machine.")


@paper.command()
@click.option("--data", multiple=True, metavar="NAME", help="Only this data set (may be given again).")
@_download
@_options
def table1(out: Path, partitions: int, jobs: int, download: bool, data: tuple[str, ...]) -> None:
    """Table 1: three models, with and without exploration, beside the printed numbers.

    Example: newfound paper table1 --data reuters-21578 --partitions 10
    """
    _make("table 1", lambda tick: Paper(out, partitions, jobs).table1(tick, data, download))


@paper.command()
@click.argument("number", type=click.IntRange(min(FIGURES), max(FIGURES)))
@_options
def figure(number: int, out: Path, partitions: int, jobs: int) -> None:
    """Figure NUMBER (1 to 6), as SVG.

    Example: newfound paper figure 3 --out paper/
    """
    _make(f"figure {number}", lambda tick: Paper(out, partitions, jobs).figure(number, tick))


@paper.command()
@_options
def details(out: Path, partitions: int, jobs: int) -> None:
    """The sweeps that settle what the paper leaves open: smoothing, prior, selection, logarithm, order.

    Example: newfound paper details --partitions 5
    """
    _make("details", lambda tick: Paper(out, partitions, jobs).details(tick))


@paper.command("all")
@_download
@_options
def everything(out: Path, partitions: int, jobs: int, download: bool) -> None:
    """All of it, and a page that says which of the paper's claims reproduce.

    Example: newfound paper all --out docs/paper
    """
    _make("the paper", lambda tick: Paper(out, partitions, jobs).all(tick, download))


def _make(title: str, work: Callable[[Any], list[Path]]) -> None:
    with bar(title) as tick:
        made = work(tick)
    for path in made:
        click.echo(path)
