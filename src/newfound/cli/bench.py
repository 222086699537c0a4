"""`newfound bench`: newfound beside other methods, on records kept beside the page."""

from pathlib import Path

import click

from newfound.cli.options import sweep
from newfound.cli.progress import bar
from newfound.experiments import naming
from newfound.experiments.quality_page import make


@click.group()
def bench() -> None:
    """Measure newfound beside other methods.

    Example: newfound bench quality --out bench/
    """


@bench.command()
@sweep("bench")
def quality(out: Path, partitions: int, jobs: int) -> None:
    """Accuracy, number of classes, calibration and cost, beside methods that people use, on partitions never looked at.

    Each trial becomes a line under OUT/quality/records and is never made twice; the page is OUT/quality.md. It needs the data
    sets under NEWFOUND_DATA, the extras text and peers, and an hour or two on two cores.

    Example: newfound bench quality --partitions 10 --out docs/
    """
    with bar("quality") as tick:
        click.echo(make(out, partitions, jobs, tick))


@bench.command()
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), default="bench", show_default=True, help="Folder."
)
def names(out: Path) -> None:
    """How well the names of found classes say what is in them.

    The record is OUT/quality/names.json, the page OUT/names.md. It needs the data sets under NEWFOUND_DATA and the extra text,
    and a minute.

    Example: newfound bench names --out docs/
    """
    with bar("names") as tick:
        click.echo(naming.make(out, tick))
