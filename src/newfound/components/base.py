"""What a model of one class is: statistics of rows in, weights and an offset out.

A component says how its rows are normalised, and turns the statistics of each class into a *recipe* for
its weights: ``weight[j, f] = link(slope[j] * sums[j, f] + intercept[j])``. A row then scores
``x . weight[j] + offset[j]``. To add a model, write ``weigh`` in a file of its own and name it in
``newfound.components.COMPONENTS``.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from newfound.errors import DataError, SettingError
from newfound.kernels.collect import class_sizes, collect
from newfound.parts import Rows
from newfound.settings import Settings

Array = NDArray[Any]

BITS = 62
"""Fixed-point sums stay below 2**BITS, one bit short of int64."""


class Summary(NamedTuple):
    """All that a component reads of the statistics: per class its rows, the sum and the length of its sums."""

    rows: Array
    mass: Array
    norm: Array
    n_features: int


@dataclass
class Statistics:
    """Rows and sums of each class, as whole numbers of ``2**-exponent``.

    Whole numbers add up to the same total in any order, so the statistics of parts, threads and workers
    are those of the whole, bit for bit, and ``remove`` undoes ``merge``.

    >>> rows = Rows.of(np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 4.0]]))
    >>> whole = Statistics.of(rows, np.array([0, 0, 1]), n_classes=2, exponent=10)
    >>> whole.summary().mass.tolist()
    [4.0, 4.0]
    >>> first = Statistics.of(rows.slice(0, 1), np.array([0]), n_classes=2, exponent=10)
    >>> whole.remove(first).summary().rows.tolist()
    [1.0, 1.0]
    """

    rows: Array
    sums: Array
    exponent: int

    @classmethod
    def empty(cls, n_classes: int, n_features: int, exponent: int) -> Self:
        """Classes without rows."""
        return cls(np.zeros(n_classes, np.int64), np.zeros((n_classes, n_features), np.int64), exponent)

    @classmethod
    def of(cls, rows: Rows, labels: Array, n_classes: int, exponent: int, weights: Array | None = None) -> Self:
        """Collect rows by label; rows labelled -1 are left out."""
        stats = cls.empty(n_classes, rows.n_features, exponent)
        kept = np.flatnonzero(labels >= 0)
        stats.add(rows, kept, labels[kept], np.ones(len(kept)) if weights is None else weights[kept])
        return stats

    def add(self, rows: Rows, which: Array, classes: Array, weights: Array) -> None:
        """Add the listed rows to their classes, in place; a negative weight takes a row away."""
        collect(*rows.arrays, which, classes, np.ldexp(weights, self.exponent), self.rows, self.sums)

    def merge(self, other: "Statistics") -> "Statistics":
        """The statistics of both together."""
        return Statistics(self.rows + other.rows, self.sums + other.sums, self._same_exponent(other))

    def remove(self, other: "Statistics") -> "Statistics":
        """What is left without the other."""
        return Statistics(self.rows - other.rows, self.sums - other.sums, self._same_exponent(other))

    def take(self, classes: Array) -> "Statistics":
        """These classes, in this order."""
        return Statistics(self.rows[classes], self.sums[classes], self.exponent)

    def grow(self, count: int) -> "Statistics":
        """The same with ``count`` empty classes at the end."""
        grown = Statistics.empty(len(self.rows) + count, self.sums.shape[1], self.exponent)
        grown.rows[: len(self.rows)], grown.sums[: len(self.rows)] = self.rows, self.sums
        return grown

    def weight(self) -> float:
        """The total weight of all rows."""
        return float(np.ldexp(self.rows.sum(dtype=float), -self.exponent))

    def largest(self) -> float:
        """The size of the largest sum."""
        size = max(int(self.sums.max(initial=0)), -int(self.sums.min(initial=0)))
        return float(np.ldexp(float(size), -self.exponent))

    def copy(self) -> "Statistics":
        """A copy that can be added to."""
        return Statistics(self.rows.copy(), self.sums.copy(), self.exponent)

    def rescaled(self, exponent: int) -> "Statistics":
        """The same in coarser units, rounded."""
        if exponent >= self.exponent:
            return self
        shift = exponent - self.exponent
        rows, sums = (np.rint(np.ldexp(v.astype(float), shift)).astype(np.int64) for v in (self.rows, self.sums))
        return Statistics(rows, sums, exponent)

    def summary(self) -> Summary:
        """The sizes of all classes as float64."""
        mass, squares = np.empty(len(self.rows)), np.empty(len(self.rows))
        class_sizes(self.sums, 0, len(self.rows), mass, squares)
        return self.summarise(mass, squares)

    def summarise(self, mass: Array, squares: Array) -> Summary:
        """A summary from the sizes that ``class_sizes`` gives."""
        unit = -self.exponent
        rows = np.ldexp(self.rows.astype(float), unit)
        return Summary(rows, np.ldexp(mass, unit), np.ldexp(np.sqrt(squares), unit), self.sums.shape[1])

    def _same_exponent(self, other: "Statistics") -> int:
        if self.exponent != other.exponent or self.sums.shape[1] != other.sums.shape[1]:
            raise DataError("statistics of different fits do not add up; collect both with one exponent and the same features")
        return self.exponent


def exponent_for(reach: float) -> int:
    """The finest unit ``2**-exponent`` in which no sum overflows, if none exceeds ``reach``.

    >>> exponent_for(reach=1000.0)
    52
    """
    exponent = BITS - int(np.frexp(reach)[1])
    if not np.isfinite(reach) or exponent < 0:
        raise DataError(
            f"total weight times largest value is {reach:g} and must stay below 2**{BITS} to be summed exactly; "
            "scale the rows or the weights down"
        )
    return exponent


@dataclass(frozen=True)
class Parameters:
    """The recipe for the weights of each class, and what has been added to its score.

    ``prior`` is what a class counts before any evidence. ``bound`` is the most that a row of size 1 can score, the sizes of
    all terms added up. ``fresh`` and ``shared`` are for classes opened next: the prior that they take, and the
    concentration (vMF, else 0).
    """

    slope: Array
    intercept: Array
    offset: Array
    prior: Array
    bound: float
    shared: float
    fresh: float

    def __len__(self) -> int:
        return len(self.slope)

    def take(self, classes: Array) -> "Parameters":
        """These classes, in this order."""
        slope, intercept, offset, prior = (part[classes] for part in self._columns)
        return Parameters(slope, intercept, offset, prior, self.bound, self.shared, self.fresh)

    def extended(self, more: "Parameters") -> "Parameters":
        """These classes and then those of ``more``."""
        columns = zip(self._columns, more._columns, strict=True)
        slope, intercept, offset, prior = (np.append(a, b) for a, b in columns)
        return Parameters(slope, intercept, offset, prior, max(self.bound, more.bound), self.shared, self.fresh)

    @property
    def _columns(self) -> tuple[Array, Array, Array, Array]:
        return self.slope, self.intercept, self.offset, self.prior


def recipe(slope: Array, intercept: Array, offset: Array, prior: Array, bound: Array, shared: float) -> Parameters:
    """Parameters in which a class opened next takes the mean prior (1 if it is the first)."""
    fresh = float(prior.mean()) if len(prior) else 1.0
    return Parameters(slope, intercept, offset, prior, float(bound.max(initial=0.0)), shared, fresh)


class Component(Settings, ABC):
    """Base of all models, which are frozen dataclasses of settings, a ``prior`` among them, and pure functions.

    They set ``score`` ("linear": posterior = score, normalised; "log": posterior = exp(score),
    normalised), ``log_link`` and ``norm``, and write ``weigh``.
    """

    score: ClassVar[str]
    log_link: ClassVar[bool] = False
    norm: ClassVar[str | None] = None
    negative: ClassVar[bool] = False
    min_features: ClassVar[int] = 1

    prior: str

    def __post_init__(self) -> None:
        if self.prior not in ("uniform", "empirical"):
            raise SettingError(f"prior must be 'uniform' or 'empirical', not {self.prior!r}")

    @abstractmethod
    def weigh(self, summary: Summary, prior: Array, shared: float) -> Parameters:
        """Statistics -> the recipe of each class, for these priors."""

    def share(self, summary: Summary) -> float:
        """What all classes hold in common, read from all of them."""
        return 0.0

    def n_parameters(self, n_classes: int, n_features: int) -> int:
        """Free parameters: a distribution over features per class, and the class shares."""
        return n_classes * (n_features - 1) + (n_classes - 1)

    def maximise(self, summary: Summary) -> Parameters:
        """Statistics -> parameters: the M-step."""
        return self.weigh(summary, self._priors(summary.rows), self.share(summary))

    def open(self, row: Summary, since: Parameters) -> Parameters:
        """A class whose only row is this one, beside the classes ``since`` the pass began."""
        prior = np.full(len(row.rows), since.fresh)
        return self.weigh(row, prior, since.shared if len(since) else self.share(row))

    def background(self, mass: Array, n_features: int, prior: float) -> Array:
        """The score of rows of this sum in a class of which nothing is known."""
        nothing = Summary(np.zeros(1), np.zeros(1), np.zeros(1), n_features)
        empty = self.weigh(nothing, np.array([prior]), 0.0)
        weight = np.log(empty.intercept) if self.log_link else empty.intercept
        return np.asarray(mass * weight + empty.offset)

    def normalised(self, parameters: Parameters) -> Parameters:
        """The same classes with priors that add up to 1."""
        total = parameters.prior.sum()
        prior = parameters.prior / total
        if self.score == "linear":
            scaled = replace(parameters, slope=parameters.slope / total, intercept=parameters.intercept / total)
        else:
            scaled = replace(parameters, offset=parameters.offset - np.log(total))
        return replace(scaled, prior=prior, fresh=float(prior.mean()))

    def fits(self, scores: Array, prior: Array, mass: Array) -> Array:
        """How well rows of this sum fit a class, free of its prior: comparable between rows."""
        with np.errstate(divide="ignore"):
            return np.asarray((np.log(scores) if self.score == "linear" else scores) - np.log(prior))

    def _priors(self, rows: Array) -> Array:
        if self.prior == "uniform":
            return np.full(len(rows), 1 / max(len(rows), 1))
        return np.asarray((rows + 1) / (rows.sum() + len(rows)))
