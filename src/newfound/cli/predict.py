"""`newfound predict`: new rows, labelled by the model of a run."""

from pathlib import Path

import click

from newfound.cli import options
from newfound.features.reading import read
from newfound.features.writing import check_free, write
from newfound.runs import storing


@click.command()
@options.run
@click.argument("table")
@click.option("-o", "--out", default="-", show_default="csv to the standard output", help="File: csv, tsv, jsonl or parquet.")
@options.force
@options.vectors
@click.option(
    "--alpha",
    type=options.Share(0, 1, max_open=True),
    default=None,
    show_default="as in the fit",
    help="The share of ordinary rows that may be answered with abstain.",
)
@options.encoding
def predict(run: Path, table: str, out: str, force: bool, vectors: str | None, alpha: float | None, encoding: str) -> None:
    """Label the rows of TABLE by the model of RUN.

    The table comes out with newfound_label (the name of a class), newfound_prob (how probable it is) and newfound_status: known
    (a class that you gave), new (one that was found) or abstain (the row fits none). For the table of the fit itself, with your
    labels in it, see fit --labelled.

    Example: newfound predict run/ new.csv -o labelled.csv
    """
    if out != "-":
        check_free(out, force)
    made = storing.load(run)
    write(made.predict(read(table, encoding), vectors, alpha), out, force)
