"""`newfound report`: the page of a run, made anew."""

import os
from pathlib import Path

import click

from newfound import report as pages
from newfound.cli import options
from newfound.errors import OutputError
from newfound.features.writing import check_place, replace
from newfound.runs import storing


@click.command()
@options.run
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), default=None, show_default="RUN/report.html", help="File."
)
@options.force
def report(run: Path, out: Path | None, force: bool) -> None:
    """Write the report of RUN again: one HTML page that needs no network. Prints where it is.

    Example: newfound report run/ -o tickets.html
    """
    place, made = out or run / "report.html", storing.load(run)
    _check(Path(os.path.realpath(place)), Path(os.path.realpath(run), "report.html"), force)
    page = pages.of(made, run.resolve().name)
    replace(place, lambda stream: stream.writelines([page.encode()]))
    click.echo(place)


def _check(place: Path, own: Path, force: bool) -> None:
    """Refuse to replace what is not the run's own page, and whatever else a run consists of."""
    if any((folder / "run.json").exists() and place != folder / "report.html" for folder in place.parents):
        raise OutputError(f"{place} is within a run, which is left as it was written; name a file elsewhere")
    check_place(place, force or place == own)
