"""A run beside the truth: how well it labels rows whose classes somebody knows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound import metrics
from newfound.describe.account import Account
from newfound.errors import InputError, LabelError
from newfound.features.tables import Table, as_table, ids, labels
from newfound.runs.run import Run

Array = NDArray[Any]


@dataclass(frozen=True)
class Match:
    """A found class, the true class that it stands for ("" where none is left for it), and how much they have in common."""

    id: str
    name: str
    truth: str
    size: int
    right: int


@dataclass(frozen=True)
class Scores:
    """Accuracies have found and true classes matched one to one at best; None where there is nothing to count.

    ``f1`` is the paper's: majority mapping, seeded classes. ``count_error`` is relative: negative are too few classes.
    ``answered`` leaves out the rows whose status is abstain. ``left_out`` counts rows that were not scored: those without
    a true label, and, where ids say which rows are meant, seeds and rows that the run does not have.
    """

    rows: int
    accuracy: float
    accuracy_seeded: float | None
    accuracy_new: float | None
    accuracy_answered: float | None
    abstained: float
    f1: float | None
    nmi: float
    ari: float
    purity: float
    classes: int
    true_classes: int
    count_error: float
    calibration_error: float
    matches: tuple[Match, ...]
    left_out: int = 0


@dataclass(frozen=True)
class _Said:
    """What a run says of some rows: classes by number, how probable they are, and who abstains."""

    label: Array
    probability: Array
    abstains: Array


def evaluate(run: Run, gold: Any, label: str, by: str | None = None, source: str | None = None) -> Scores:
    """Score a run on a table with true labels: all its rows, as new ones; or, ``by`` a column of ids, the rows of the run.

    Of these, seeds are left out, and so are rows without a true label.
    """
    gold = as_table(gold)
    truth = np.array([given or "" for given in labels(gold, label)])
    if not truth.astype(bool).any():
        raise LabelError(f"no row of {gold.name} has a label in column {label!r} to compare with")
    said, known = _predicted(run, gold, source) if by is None else _looked_up(run, ids(gold, by))
    known &= truth != ""
    if not known.any():
        raise LabelError(f"all rows of {gold.name} that have a label are seeds of the run; compare others")
    scores = _scores(run.account, truth[known], _Said(said.label[known], said.probability[known], said.abstains[known]))
    return replace(scores, left_out=len(truth) - int(known.sum()))


def _predicted(run: Run, gold: Table, source: str | None) -> tuple[_Said, Array]:
    answers = run.answer(gold, source)
    return _Said(answers.label, answers.probability, answers.status == "abstain"), np.ones(len(gold), bool)


def _looked_up(run: Run, wanted: Sequence[str]) -> tuple[_Said, Array]:
    """What the run says of the rows with these ids, and which of them are there and no seeds."""
    table = run.labels
    place = {name: row for row, name in enumerate(table["id"].to_pylist())}
    at = np.array([place.get(name, -1) for name in wanted])
    if (at < 0).all():
        raise InputError("none of these ids is one of the run's; without --id the rows are labelled as new ones")
    number = {one.id: j for j, one in enumerate(run.account.classes)}
    label = np.array([number[name] for name in table["label"].to_pylist()])
    said = _Said(label[at], table["probability"].to_numpy()[at], np.array(table["status"].to_pylist())[at] == "abstain")
    return said, (at >= 0) & ~table["seed"].is_valid().to_numpy(zero_copy_only=False)[at]


def _scores(told: Account, truth: Array, said: _Said) -> Scores:
    seeded = [one.id for one in told.classes if not one.new]
    names, codes, table = metrics.confusion(truth, said.label)
    match = metrics.matching(table)
    stands = dict(zip(codes.tolist(), [str(names[c]) if c >= 0 else "" for c in match], strict=True))
    right = np.array([stands[j] for j in said.label.tolist()]) == truth
    found = metrics.scores(truth, said.label, seeded)
    return Scores(
        rows=len(truth),
        accuracy=found["accuracy"],
        accuracy_seeded=_or_none(found["accuracy_seeded"]),
        accuracy_new=_or_none(found["accuracy_new"]),
        accuracy_answered=_or_none(float(right[~said.abstains].mean()) if not said.abstains.all() else float("nan")),
        abstained=float(said.abstains.mean()),
        f1=_or_none(found["f1"]),
        nmi=found["nmi"],
        ari=found["ari"],
        purity=found["purity"],
        classes=int(found["classes"]),
        true_classes=len(names),
        count_error=found["count_error"],
        calibration_error=metrics.calibration_error(right, said.probability),
        matches=tuple(_matches(told, stands, said.label, right)),
    )


def _matches(told: Account, stands: dict[int, str], label: Array, right: Array) -> list[Match]:
    sizes, hits = np.bincount(label), np.bincount(label, right)
    found = [Match(told.classes[j].id, told.classes[j].name, truth, int(sizes[j]), int(hits[j])) for j, truth in stands.items()]
    return sorted(found, key=lambda one: (-one.size, one.id))


def _or_none(score: float) -> float | None:
    return None if np.isnan(score) else score
