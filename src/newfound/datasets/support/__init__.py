"""Messages to the support of a shop that does not exist, written for newfound: 12 topics, 4 of them seeded, and a few of none.

``messages.csv`` holds id, message, topic (the seeds) and truth ("none" for those that belong nowhere).

>>> len(read()), len(np.unique(read().labels))
(621, 13)
"""

import csv
import io
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from newfound.datasets.base import DataSet


def read() -> DataSet:
    """The messages and their true topics."""
    rows = _rows()
    truth, ids = (np.array([row[column] for row in rows]) for column in ("truth", "id"))
    return DataSet("", "", truth, texts=[row["message"] for row in rows], ids=ids)


def seeds() -> NDArray[np.str_]:
    """The topics that are known, "" elsewhere.

    >>> np.unique(seeds()).tolist()
    ['', 'app-crash', 'late-delivery', 'login', 'refund']
    """
    return np.array([row["topic"] for row in _rows()])


def _rows() -> list[dict[str, str]]:
    text = (files("newfound.datasets.support") / "messages.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text, newline="")))
