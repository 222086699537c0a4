"""A run: one fit of a table, and all that came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from newfound.describe.account import Account
from newfound.errors import InputError
from newfound.estimators import Newfound
from newfound.estimators.base import Answers
from newfound.features.tables import Table, as_table, texts, with_columns
from newfound.features.text import Features
from newfound.features.vectors import vectors

if TYPE_CHECKING:
    import pyarrow as pa

Array = NDArray[Any]


@dataclass(frozen=True)
class Columns:
    """What the rows are made of: columns of the table (of text one or several), or for vectors a file beside it."""

    text: str | tuple[str, ...] = ()
    label: str | None = None
    id: str | None = None
    vectors: str | None = None


@dataclass(frozen=True)
class About:
    """Where a run comes from: its input, the settings, and who made it when."""

    made: str
    input: str
    sha256: str | None
    columns: Columns
    settings: dict[str, str | int | float | bool | None]
    features: str
    why: str
    seconds: dict[str, float]
    versions: dict[str, str]


@dataclass(frozen=True)
class Run:
    """A fit: its model, what its texts become (None: the rows came as vectors), its labels, and what there is to say of it.

    ``labels`` is a table of pyarrow, a row for each row of the input: row, id, text (the beginning), seed, label, name,
    probability, second, second_probability, status, fit, and its place x, y on the map (null where it is not drawn).
    """

    model: Newfound
    features: Features | None
    account: Account
    labels: "pa.Table"
    about: About

    def rows(self, table: Table, source: str | None = None) -> Any:
        """The table's rows, as the model takes them; ``source`` says where its vectors are, if not where they were."""
        return rows(table, self.about.columns, self.features, source)

    def predict(self, table: Any, source: str | None = None, alpha: float = 0.05) -> Any:
        """The table with three more columns: newfound_label (a class's name), newfound_prob and newfound_status.

        A frame of pandas, polars or pyarrow comes back as one.
        """
        rows = as_table(table)
        more = with_columns(rows, self.told(self.model.answer(self.rows(rows, source), alpha)))
        return more if isinstance(table, Table) else more.frame.to_native()

    def told(self, answers: Answers) -> dict[str, Sequence[Any]]:
        """Answers as columns of text and numbers."""
        names = np.array([one.name for one in self.account.classes], dtype=object)
        return {
            "newfound_label": names[answers.label].tolist(),
            "newfound_prob": answers.probability.round(4).tolist(),
            "newfound_status": answers.status.tolist(),
        }


def rows(table: Table, columns: Columns, features: Features | None, source: str | None = None) -> Any:
    """What the model takes of a table."""
    if features is not None:
        return features.rows(texts(table, columns.text))
    where = source or columns.vectors
    if where is None:
        raise InputError("this run was made of vectors; say with --vectors which column or file holds those of the new rows")
    return vectors(where, table)
