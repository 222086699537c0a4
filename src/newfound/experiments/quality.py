"""The modern protocol: discovery on today's features, by one setting for everything, beside methods that people use.

A ``Trial`` is one method on one partition of a case. What comes out is over the rows without a seed, clusters matched one to
one with classes, but for ``f1``, the paper's, which is over all rows.
"""

import json
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from newfound import metrics
from newfound.condense import fitting, metric, rowmap, settling
from newfound.condense.rowmap import Counts, unit
from newfound.data import Labels
from newfound.datasets import Partition
from newfound.errors import SettingError
from newfound.estimators import Newfound
from newfound.experiments.answers import ANSWERS
from newfound.experiments.cases import Case
from newfound.experiments.peers import PEERS, Problem
from newfound.experiments.sweep import Sweep

Array = NDArray[Any]


@dataclass(frozen=True)
class Trial:
    """A method on one partition of a case."""

    case: Case
    method: str
    partition: int

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """A trial as it was read from JSON."""
        return cls(**{**fields, "case": Case(**fields["case"])})


@dataclass(frozen=True)
class Outcome:
    """A trial and what came of it."""

    run: Trial
    scores: dict[str, float]
    seconds: float

    def line(self) -> str:
        """The outcome as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def of(cls, line: str) -> Self:
        """The outcome of a line."""
        fields = json.loads(line)
        return cls(**{**fields, "run": Trial.of(fields["run"])})


OURS = "newfound"

WITHOUT: dict[str, tuple[Any, str, Any]] = {
    "the metric of the seeds": (metric, "ROUND", np.inf),
    "neighbours": (rowmap, "NEAREST", 1),
    "half-whitening": (rowmap, "WHITEN", 0.0),
    "overshooting (half as fine)": (fitting, "FINEST", 1.5),
    "the cap on seeded classes": (settling, "CAP", np.inf),
    "claiming": (settling, "CLAIM", np.inf),
    "the refinement by found classes": (metric, "SHRINK", 1.0),
}
"""The ingredients of our learner: for each a constant of its module, and the value at which the ingredient does nothing."""


def perform(trial: Trial) -> Outcome:
    """Fit and score; everything but the seconds is the same each time."""
    X, truth = trial.case.rows()
    part = trial.case.partition(truth, trial.partition)
    _warm_up()
    if trial.method in PEERS:
        problem = _problem(trial, X, part)
        began = time.perf_counter()
        label = PEERS[trial.method](problem)
        return Outcome(trial, _scored(truth, label, part), round(time.perf_counter() - began, 3))
    if trial.method in ANSWERS:
        return Outcome(trial, ANSWERS[trial.method](trial.case, trial.partition), 0.0)
    with without(trial.method.partition(" without ")[2]):
        began = time.perf_counter()
        found = Newfound(n_jobs=1, random_state=trial.partition).fit(X, part.y)
        seconds = time.perf_counter() - began
    return Outcome(trial, {**_scored(truth, found.labels_, part), **_own(found, X, truth)}, round(seconds, 3))


def _scored(truth: Array, label: Array, part: Partition) -> dict[str, float]:
    free = part.unlabelled
    scores = metrics.scores(truth[free], label[free], part.seeded)
    scores["classes"] = len(np.unique(label))
    scores["count_error"] = metrics.count_error(truth, label)
    scores["f1"] = metrics.seeded_f1(truth, label, part.seeded)
    return {name: round(float(value), 4) for name, value in scores.items()}


def _own(found: Newfound, X: Any, truth: Array) -> dict[str, float]:
    """What only our learner says: an interval; and how long one k-means fit of the same rows takes."""
    low, high = found.n_classes_range_
    rows = X if sparse.issparse(X) else unit(X)
    with threadpool_limits(1):
        began = time.perf_counter()
        KMeans(len(found.classes_), n_init=1, random_state=0).fit(rows)
        kmeans = round(time.perf_counter() - began, 3)
    return {"low": low, "high": high, "held": float(low <= len(np.unique(truth)) <= high), "kmeans": kmeans}


class Outcomes(Sweep[Outcome]):
    """What came of trials."""

    @staticmethod
    def read(line: str) -> Outcome:
        """The outcome of a line."""
        return Outcome.of(line)

    @staticmethod
    def perform(run: Trial) -> Outcome:
        """Fit and score."""
        return perform(run)


@contextmanager
def without(ingredient: str) -> Iterator[None]:
    """Our learner with one ingredient switched off; with none of them if the name is empty.

    >>> with without("neighbours"):
    ...     rowmap.NEAREST
    1
    """
    if not ingredient:
        yield
        return
    if ingredient not in WITHOUT:
        raise SettingError(f"no ingredient {ingredient!r}; choose from {', '.join(WITHOUT)}")
    module, constant, value = WITHOUT[ingredient]
    usual = getattr(module, constant)
    setattr(module, constant, value)
    try:
        yield
    finally:
        setattr(module, constant, usual)


def _problem(trial: Trial, X: Any, part: Partition) -> Problem:
    """What a peer is given: unit rows (counts in our own map, but for neighbours), and seeds by number."""
    counts = X if sparse.issparse(X) else None
    rows = unit(X) if counts is None else _mapped(trial.case)
    seeds = Labels.of(part.y).codes.astype(int)
    return Problem(rows, seeds, len(np.unique(trial.case.rows()[1])), trial.case.texts(), counts, trial.partition)


@cache
def _mapped(case: Case) -> Array:
    X = case.rows()[0]
    return Counts.fit(X, 0)(X)


@cache
def _warm_up() -> None:
    """Fit a handful of rows first, so that compiling is not timed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Newfound(n_jobs=1).fit(np.random.default_rng(0).normal(size=(300, 8)), np.r_[0, 0, 1, 1, np.full(296, -1)])
