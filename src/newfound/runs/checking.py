"""Whether the parts of a run that was read agree with each other: files may come from strangers, and be changed by hand.

What is wrong raises ValueError; who reads the run says which folder it is about.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import numpy as np
from scipy import sparse

from newfound.describe.account import Account
from newfound.errors import need
from newfound.estimators import Newfound
from newfound.features.text import KINDS, Features
from newfound.runs.run import LABELS, About, Run

STATUSES = {"known", "new", "abstain"}


def check_account(told: Account) -> None:
    """Every class has an id of its own, all that is named is there, and numbers add up."""
    ids, known = [one.id for one in told.classes], {one.id for one in told.classes}
    _hold(len(known) == len(ids) > 0, "two of its classes have one id")
    _hold(set(_named(told)) <= known | {None}, "it speaks of a class that is not there")
    _hold(min([told.rows, told.seeds, told.empty, told.abstained, *_counts(told)]) >= 0, "it counts less than nothing")
    _hold(sum(one.size for one in told.classes) == told.rows, "its classes do not hold its rows")
    _hold(sum(one.seeds for one in told.classes) == told.seeds, "its classes do not hold its seeds")
    _hold(all(0 <= row < told.rows for row in _rows(told)), "it speaks of rows that are not there")
    if told.history is not None:
        n, levels = len(ids), len(told.history.levels)
        lines = (*told.history.likeness, *told.history.parts, told.history.agreement)
        _hold(len(told.history.likeness) == len(told.history.parts) == n, "its history is of other classes")
        _hold(all(len(line) == levels for line in lines), "its history has gaps")
    if told.confusion is not None:
        n = len(told.confusion.classes)
        _hold(
            len(told.confusion.counts) == n and all(len(line) == n + 1 for line in told.confusion.counts),
            "its confusion has gaps",
        )


def _named(told: Account) -> Iterator[str | None]:
    """All ids that are spoken of."""
    for one in told.classes:
        yield from (row.other for row in one.typical + one.borderline)
        yield one.origin.nearest if one.origin else None
        yield one.nearest.id if one.nearest else None
    for row in told.uncertain:
        yield from (row.label, row.other)
    yield from told.confusion.classes if told.confusion else ()
    yield from (one.id for one in told.self_test.classes) if told.self_test else ()


def _counts(told: Account) -> Iterator[int]:
    for one in told.classes:
        yield from (one.size, one.seeds, one.abstained)


def _rows(told: Account) -> Iterator[int]:
    for one in told.classes:
        yield from (row.row for row in one.typical + one.borderline)
    yield from (row.row for row in told.uncertain)


def check_run(run: Run) -> None:
    """The labels are those that the account speaks of, and the model can answer for the same classes."""
    _check_labels(run.labels, run.account)
    _check_about(run.about)
    _hold(isinstance(run.model, Newfound), "its model is none that a run has")
    _hold(
        [str(name) for name in run.model.classes_.tolist()] == [one.id for one in run.account.classes],
        "its model is of other classes",
    )
    _hold((~run.model.is_new_).tolist() == [not one.new for one in run.account.classes], "its model has other new classes")
    _try(run.model, run.features)


def _check_labels(labels: Any, told: Account) -> None:
    pa = need("pyarrow", "app")
    _hold(dict(zip(labels.column_names, map(str, labels.schema.types), strict=True)) == LABELS, "its labels have other columns")
    _hold(labels.num_rows == told.rows, "its labels are not as many as its rows")
    whole = [name for name in LABELS if name not in ("seed", "second", "x", "y")]
    _hold(not any(labels[name].null_count for name in whole), "some of its labels are missing")
    _hold(
        Counter(labels["label"].to_pylist()) == Counter({one.id: one.size for one in told.classes if one.size}),
        "its labels are of other classes",
    )
    _hold(set(labels["status"].to_pylist()) <= STATUSES, "some of its rows have no status")
    numbers = [labels[name].drop_null().to_numpy() for name in ("probability", "second_probability", "x", "y")]
    _hold(all(((column >= 0) & (column <= 1 + 1e-6)).all() for column in numbers), "some of its numbers are out of range")
    seeds = labels.filter(labels["seed"].is_valid())
    _hold(
        seeds.num_rows == told.seeds and seeds["seed"].cast(pa.string()) == seeds["label"].cast(pa.string()),
        "its seeds do not hold",
    )


def _check_about(about: About) -> None:
    datetime.fromisoformat(about.made)
    _hold("newfound" in about.versions, "nothing says which newfound wrote it")


def _try(model: Newfound, features: Features | None) -> None:
    """Answer for one row: whatever is wrong with the parts of a model shows there."""
    if features is None:
        rows: Any = np.ones((1, model.n_features_in_), np.float32)
        if model._kinds[0].startswith("sparse"):
            rows = sparse.csr_matrix(rows)
    elif features.kind in KINDS:
        rows = features.rows(["a trial"])
    else:
        return  # a model from elsewhere is read when it is needed
    answers = model.answer(rows)
    _hold(
        bool(0 <= answers.probability[0] <= 1 and np.isfinite(answers.other_probability[0])),
        "its model answers with no probability",
    )


def _hold(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)
