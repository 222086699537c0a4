"""`newfound data`: a named data set as tables, to try things on."""

import csv
from pathlib import Path

import click
import numpy as np

from newfound import datasets
from newfound.cli import options
from newfound.datasets import DataSet
from newfound.errors import InputError
from newfound.runs.folder import whole


@click.command()
@click.argument("name")
@click.option("-o", "--out", type=click.Path(path_type=Path), default=None, show_default="NAME", help="Folder.")
@click.option(
    "--known", type=options.Share(0, 1), default=0.25, show_default=True, help="The share of the classes that have labels."
)
@click.option(
    "--share",
    type=options.Share(0, 1, min_open=True),
    default=0.1,
    show_default=True,
    help="The share of their rows that carry one.",
)
@options.seed
@options.download
def data(name: str, out: Path | None, known: float, share: float, seed: int, download: bool) -> None:
    """Write data set NAME as tables: train.csv with few labels, test.csv with all of them.

    Both have the columns id, text and label; truth.csv has the labels of the training rows. Sets are looked for where
    NEWFOUND_DATA says.

    Example: newfound data banking77 -o banking/
    """
    found = datasets.load(name, download)
    if found.texts is None:
        raise InputError(f"{found.title} has no texts; choose from {', '.join(_with_texts())}")
    with whole(out or Path(name)) as folder:
        train = _part(found, "train")
        seeds = datasets.partition(train.labels, known if known < 1 else len(np.unique(train.labels)), share, seed=seed).y
        _write(folder / "train.csv", train, seeds)
        _write(folder / "truth.csv", train, train.labels)
        if found.split is not None:
            test = _part(found, "test")
            _write(folder / "test.csv", test, test.labels)
    click.echo(out or name)


def _part(found: DataSet, split: str) -> DataSet:
    return found if found.split is None else found.only(found.split == split)


def _with_texts() -> list[str]:
    return [name for name in datasets.names() if datasets.here(name) and datasets.load(name).texts is not None]


def _write(path: Path, found: DataSet, labels: np.ndarray) -> None:
    texts, ids = found.texts or [], range(len(found)) if found.ids is None else found.ids
    with path.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow(["id", "text", "label"])
        rows.writerows(zip(ids, texts, labels, strict=True))
