"""One run of an experiment: what is asked, as a frozen record, and what came out of it, as one JSON line.

>>> run = Run("delicious-sports-stand-in", seeded=5, share=0.05, settings=Run.set(criterion=None))
>>> perform(run).scores["classes"]
5
"""

import json
import time
import warnings
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any, Self

import numpy as np

from newfound import datasets, metrics
from newfound.criteria import CRITERIA
from newfound.datasets import DataSet, Partition
from newfound.errors import ClassExplosionWarning
from newfound.estimators import ExploreEM, ExploreGibbs
from newfound.experiments.variants import VARIANTS

Settings = tuple[tuple[str, Any], ...]

LEARNERS: dict[str, type[ExploreEM] | type[ExploreGibbs]] = {"em": ExploreEM, "gibbs": ExploreGibbs}

COUNTS = {"naive-bayes"}
"""Components that take counts as they are; the others take tf-idf."""

DEFAULTS: dict[str, dict[str, Any]] = {
    "em": {"selection": None, "max_classes": 100, "max_iter": 15, "order": "random"},
    "gibbs": {"max_classes": 100, "n_epochs": 15},
}
"""The settings of the paper's experiments where a run does not say otherwise: one for all models and all data sets."""


@dataclass(frozen=True)
class Run:
    """A learner on one partition of a data set. ``settings`` are what differs from ``DEFAULTS``."""

    dataset: str
    learner: str = "em"
    component: str = "kmeans"
    settings: Settings = ()
    seeded: int = 0
    share: float | None = None
    per_class: int | None = None
    partition: int = 0
    confusion: bool = False

    @staticmethod
    def set(**settings: Any) -> Settings:
        """Settings in the one order that makes equal runs equal."""
        return tuple(sorted(settings.items()))

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """A run as it was read from JSON."""
        return cls(**{**fields, "settings": tuple((name, value) for name, value in fields["settings"])})


@dataclass(frozen=True)
class Record:
    """A run and what came of it. ``table`` is the confusion of true and found classes, if the run asks for it."""

    run: Run
    scores: dict[str, float]
    seconds: float
    iterations: int
    refused: bool
    table: list[list[int]] | None = field(default=None, compare=False)

    def line(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def of(cls, line: str) -> Self:
        """The record of a line."""
        fields = json.loads(line)
        return cls(**{**fields, "run": Run.of(fields["run"])})


def perform(run: Run) -> Record:
    """Fit and score; everything but the seconds is the same each time."""
    data = datasets.load(run.dataset)
    part = datasets.partition(data.labels, run.seeded, share=run.share, per_class=run.per_class, seed=run.partition)
    X = rows(run.dataset, run.component in COUNTS)
    estimator = learner(run, X.shape[1])
    _compile(run.component)
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClassExplosionWarning)  # JS is asked to explode, under its cap
        estimator.fit(X, part.y)
    seconds = time.perf_counter() - began
    return Record(
        run,
        scored(data, part, estimator.labels_),
        round(seconds, 4),
        estimator.n_iter_,
        any(step.refused for step in estimator.history_),
        metrics.counted(data.labels, estimator.labels_, estimator.classes_).tolist() if run.confusion else None,
    )


def learner(run: Run, n_features: int) -> ExploreEM | ExploreGibbs:
    """The estimator of a run, ready to fit on one thread."""
    settings = {**DEFAULTS[run.learner], **dict(run.settings)}
    for part, variants in VARIANTS.items():
        if settings.get(part) in variants:
            settings[part] = variants[settings[part]](n_features)
    chosen = {name: value for name, value in settings.items() if "__" not in name}
    made = LEARNERS[run.learner](component=run.component, n_jobs=1, random_state=run.partition, **chosen)
    return made.set_params(**{name: value for name, value in settings.items() if "__" in name})


def scored(data: DataSet, part: Partition, found: Any) -> dict[str, float]:
    """All measures over all rows, and the paper's F1 over the rows without a seed, to four digits."""
    free = part.unlabelled
    scores = metrics.scores(data.labels, found, part.seeded)
    scores["f1_unlabelled"] = metrics.seeded_f1(data.labels[free], found[free], part.seeded)
    return {name: round(float(value), 4) if name != "classes" else int(value) for name, value in scores.items()}


@cache
def rows(name: str, counts: bool) -> Any:
    """The rows of a data set, as counts or as tf-idf."""
    X = datasets.load(name).X
    return X.astype(np.float32) if counts else datasets.tf_idf(X)


@cache
def _compile(component: str) -> None:
    """Fit a handful of rows first, so that compiling is not timed."""
    X = datasets.load("delicious-sports-stand-in").X[:50].astype(np.float32)
    y = np.r_[0, 1, 2, 3, np.full(46, -1)]
    for criterion in CRITERIA:
        ExploreEM(component, criterion, max_classes=20, max_iter=2, random_state=0, n_jobs=1).fit(X, y)
    for pick in ("crp", "explore-crp"):
        ExploreGibbs(component, pick, n_epochs=2, random_state=0, n_jobs=1).fit(X, y)
