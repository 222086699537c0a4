"""`newfound report`: the page of a run, made anew."""

from pathlib import Path

import click

from newfound import report as pages
from newfound.cli import options
from newfound.features.writing import replace
from newfound.runs import storing


@click.command()
@options.run
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), default=None, show_default="RUN/report.html", help="File."
)
def report(run: Path, out: Path | None) -> None:
    """Write the report of RUN again: one HTML page that needs no network. Prints where it is.

    Example: newfound report run/ -o tickets.html
    """
    place = out or run / "report.html"
    page = pages.of(storing.load(run), run.resolve().name)
    replace(place, lambda stream: stream.writelines([page.encode()]))
    click.echo(place)
