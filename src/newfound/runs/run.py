"""A run: one fit of a table, and all that came of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from newfound.describe.account import Account
from newfound.errors import InputError, SettingError
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
class Settings:
    """How a run is made, but for the columns."""

    features: str = "auto"
    n_classes: int | None = None
    alpha: float = 0.05
    seed: int = 0
    jobs: int | None = None
    self_test: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.alpha < 1:
            raise SettingError(f"alpha, the share of rows that may abstain, must be at least 0 and below 1, not {self.alpha!r}")
        if not 0 <= self.seed < 2**32:
            raise SettingError(f"seed must be a whole number from 0 to {2**32 - 1}, not {self.seed!r}")
        if self.jobs == 0:
            raise SettingError("jobs must be a number of threads, or None for one, not 0")


@dataclass(frozen=True)
class About:
    """Where a run comes from: its input, the settings, and who made it when."""

    made: str
    input: str
    sha256: str | None
    columns: Columns
    settings: Settings
    features: str
    why: str
    seconds: dict[str, float]
    versions: dict[str, str]


NAMED = "dictionary<values=string, indices=int32, ordered=0>"
"""The type of a column of few different names."""

LABELS = {
    **{"row": "int64", "id": "string", "text": "string", "seed": NAMED, "label": NAMED, "name": NAMED, "probability": "float"},
    **{"second": NAMED, "second_probability": "float", "status": "string", "fit": "float", "x": "float", "y": "float"},
}
"""The columns of a table of labels, and their types."""


@dataclass(frozen=True)
class Run:
    """A fit: its model, what its texts become (None: the rows came as vectors), its labels, and what there is to say of it.

    ``labels`` is a table of pyarrow, a row for each row of the input, with the beginning of its text; ``seed`` is null where
    the user gave no label, ``x`` and ``y`` where the row is not on the map.
    """

    model: Newfound
    features: Features | None
    account: Account
    labels: "pa.Table"
    about: About

    def __repr__(self) -> str:
        new = sum(one.new for one in self.account.classes)
        return (
            f"<Run of {self.about.input}: {self.account.rows} rows, {len(self.account.classes) - new} given classes, {new} new>"
        )

    def rows(self, table: Table, source: str | None = None) -> Any:
        """The rows of a new table, as the model takes them; ``source`` says where its vectors are, if not in that column."""
        given = self.about.columns.vectors
        if self.features is not None and source is not None:
            raise InputError("this run was made of text, so it takes no vectors; leave them out")
        if self.features is None and source is None and (given is None or given not in table.frame.columns):
            raise InputError(
                "this run was made of vectors; say with --vectors which column or file holds those of the new rows"
            )
        X = rows(table, replace(self.about.columns, vectors=source or given), self.features)
        if self.features is None and X.shape[1] != self.model.n_features_in_:
            raise InputError(f"vectors must be {self.model.n_features_in_} numbers long, as in the fit, but are {X.shape[1]}")
        return X

    def predict(self, table: Any, source: str | None = None, alpha: float | None = None) -> Any:
        """The table with three more columns: newfound_label (a class's name), newfound_prob and newfound_status.

        A frame of pandas, polars or pyarrow comes back as one. ``alpha`` is that of the fit if it is not given. The rows are
        new ones to the model: what the user said of rows of the fit stands in ``labelled``.
        """
        rows = as_table(table)
        return _like(table, with_columns(rows, self.told(self.answer(rows, source, alpha))))

    def labelled(self, table: Any) -> Any:
        """The table of the fit with the same columns, as the fit has labelled it; seeds are certain."""
        rows, labels = as_table(table), self.labels
        if len(rows) != labels.num_rows:
            raise InputError(
                f"{rows.name} has {len(rows)} rows, but the run was made of {labels.num_rows}; predict labels others"
            )
        said = {"newfound_label": "name", "newfound_prob": "probability", "newfound_status": "status"}
        columns = {name: labels[column].to_pylist() for name, column in said.items()}
        columns["newfound_prob"] = [round(share, 4) for share in columns["newfound_prob"]]
        return _like(table, with_columns(rows, columns))

    def answer(self, table: Table, source: str | None = None, alpha: float | None = None) -> Answers:
        """What the model says of new rows."""
        return self.model.answer(self.rows(table, source), self.about.settings.alpha if alpha is None else alpha)

    def told(self, answers: Answers) -> dict[str, Sequence[Any]]:
        """Answers as columns of text and numbers."""
        names = np.array([one.name for one in self.account.classes], dtype=object)
        return {
            "newfound_label": names[answers.label].tolist(),
            "newfound_prob": answers.probability.round(4).tolist(),
            "newfound_status": answers.status.tolist(),
        }


def rows(table: Table, columns: Columns, features: Features | None, fetch: bool = False) -> Any:
    """What the model takes of a table; only with ``fetch`` may a sentence-transformers model come from the network."""
    if features is not None:
        return features.rows(texts(table, columns.text), fetch)
    return vectors(columns.vectors or "", table)


def _like(given: Any, more: Table) -> Any:
    """The table as it was given: a frame for a frame."""
    return more if isinstance(given, Table) else more.frame.to_native()
