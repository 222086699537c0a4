"""`newfound fit`: a table of items in, a run out."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from newfound import report
from newfound.cli import options
from newfound.cli.progress import stages
from newfound.cli.summary import summarise
from newfound.errors import SettingError
from newfound.features.reading import read
from newfound.features.tables import Table
from newfound.features.writing import check_free, write
from newfound.runs import storing
from newfound.runs.folder import whole
from newfound.runs.making import make
from newfound.runs.run import Columns, Settings

TEXT, LABEL = "text", "label"
"""Columns that are taken where none are named."""


@click.command()
@click.argument("table")
@click.option(
    "-t",
    "--text",
    multiple=True,
    metavar="COLUMN",
    show_default=f"{TEXT}, if there is one",
    help="Column of text (may be given again).",
)
@click.option(
    "-l",
    "--label",
    metavar="COLUMN",
    show_default=f"{LABEL}, if there is one",
    help="Column of labels with gaps: empty, NaN, None and -1 are unlabelled.",
)
@click.option("--id", "id_", metavar="COLUMN", show_default="row numbers", help="Column of ids, all different.")
@options.vectors
@click.option(
    "--features",
    default="auto",
    show_default=True,
    metavar="KIND",
    help="What text becomes: tfidf, embed (offline), both, or the name of a sentence-transformers model; auto looks at it.",
)
@click.option(
    "--classes",
    type=click.IntRange(1),
    default=None,
    show_default="found out",
    help="How many classes there are, if you know it.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path), default="run", show_default=True, help="Folder of the run.")
@click.option(
    "--labelled", metavar="FILE", help="Write TABLE once more, with the labels, to a csv, tsv, jsonl or parquet file."
)
@options.force
@options.alpha
@click.option(
    "--self-test/--no-self-test",
    default=True,
    show_default=True,
    help="Hide your classes in turn and see whether they are found again.",
)
@options.seed
@options.jobs
@options.encoding
@options.as_json
def fit(
    table: str,
    text: tuple[str, ...],
    label: str | None,
    id_: str | None,
    vectors: str | None,
    out: Path,
    labelled: str | None,
    force: bool,
    encoding: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Label every row of TABLE, discover the classes that nobody seeded, and write it all to a folder.

    TABLE is a csv, tsv, jsonl or parquet file, or - for the standard input.

    Example: newfound fit tickets.csv --text body --label topic -o run/
    """
    if labelled is not None:
        check_free(labelled, force)
    if vectors and settings["features"] != "auto":
        raise SettingError("--features says what text becomes, but --vectors that rows are vectors; leave one of them out")
    with stages() as hear, whole(out, force) as folder, _nothing_yet():
        rows = read(table, encoding)
        columns = Columns(_text(rows, text), label or _there(rows, LABEL), id_, vectors)
        made = make(rows, columns, _settings(**settings), hear, sha256=rows.sha256)
        hear("report", None)
        (folder / "report.html").write_text(report.of(made, out.name), encoding="utf-8")
        storing.fill(made, folder)
    if labelled is not None:
        write(made.labelled(rows), labelled, force)
    summarise(made, out, as_json)


@contextmanager
def _nothing_yet() -> Iterator[None]:
    """While a stop leaves nothing behind, let it say so."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt("nothing was written") from None


def _settings(features: str, classes: int | None, alpha: float, seed: int, jobs: int | None, self_test: bool) -> Settings:
    return Settings(features, classes, alpha, seed, jobs or os.cpu_count(), self_test)


def _text(rows: Table, named: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of text; without a word about them the one that is called so."""
    found = _there(rows, TEXT)
    if named or found is None:
        return named
    return (found,)


def _there(rows: Table, column: str) -> str | None:
    return column if column in rows.frame.columns else None
