"""When is a posterior nearly uniform?

A criterion of your own is any object with two attributes:

>>> class Unsure:
...     monotone = False          # True if more classes can only make a row fire less
...
...     def fires(self, posteriors):
...         return posteriors.max(axis=1) < 0.5
>>> criterion(Unsure()).fires(np.array([[0.4, 0.3, 0.3], [0.9, 0.1, 0.0]])).tolist()
[True, False]

The three here also have ``judge``, which reads scores without making posteriors of them first.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from newfound.errors import SettingError
from newfound.kernels.scan import TIE, best, divergence, flat
from newfound.settings import Settings

Array = NDArray[Any]


@dataclass(frozen=True)
class Block:
    """Scores of some rows against all classes, and how far they can be off.

    ``scores`` leave the ``offset`` of each class out. ``relative``: scores are linear and the error is relative;
    otherwise they are logs and the error is absolute. Error 0 marks exact scores,
    and scores within ``tie`` of each other count as equal. Rows marked ``zero`` hold nothing:
    their posterior is the ``prior``.
    """

    ids: Array
    scores: Array
    n_classes: int
    offset: Array
    error: Array
    relative: bool
    tie: float
    prior: Array
    zero: Array

    @cached_property
    def best(self) -> tuple[Array, Array, Array, Array]:
        """Label, best score, worst score and doubt of each row."""
        n = len(self.ids)
        out = np.empty(n, np.int32), np.empty(n), np.empty(n), np.empty(n, bool)
        offset = self.offset.astype(self.scores.dtype, copy=False)
        best(self.scores, self.n_classes, offset, self.error, self.relative, self.tie, *out)
        if self.zero.any():
            label, _, _, doubt = out
            label[self.zero], doubt[self.zero] = np.argmax(self.prior >= self.prior.max() * (1 - TIE)), False
        return out

    def near(self, rows: Array) -> Array:
        """For the rows at these places, which classes come into question as the best."""
        top, slack = self.best[1][rows], self.tie + 2 * self.error[rows]
        bar = top * (1 - slack) if self.relative else top - slack
        return np.asarray(self.scores[rows, : self.n_classes] + self.offset >= bar[:, None])

    @cached_property
    def joint(self) -> Array:
        """Scores with everything in, in float64: prior times likelihood, or its log."""
        joint = np.asarray(self.scores[:, : self.n_classes] + self.offset)
        with np.errstate(divide="ignore"):
            joint[self.zero] = self.prior if self.relative else np.log(self.prior)
        return joint

    @cached_property
    def posteriors(self) -> Array:
        """One row of class probabilities per row, in float64."""
        joint = self.joint
        if not self.relative:
            joint = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(joint / joint.sum(axis=1, keepdims=True))


@runtime_checkable
class Criterion(Protocol):
    """What ExploreEM asks of a criterion."""

    monotone: bool

    def fires(self, posteriors: Array) -> Array:
        """For each row of class probabilities: is it nearly uniform?"""
        ...


@dataclass(frozen=True)
class MinMax(Settings):
    """Nearly uniform: the most probable class is less than ``ratio`` times as probable as the least.

    >>> MinMax().fires(np.array([[0.5, 0.3, 0.2], [0.4, 0.3, 0.3]])).tolist()
    [False, True]
    """

    ratio: float = 2.0
    monotone = True

    def __post_init__(self) -> None:
        if not self.ratio > 1:
            raise SettingError(f"ratio must be above 1, not {self.ratio!r}: no posterior is more even than 1 to 1")

    def fires(self, posteriors: Array) -> Array:
        return np.asarray(posteriors.max(axis=1) < self.ratio * (1 - TIE) * posteriors.min(axis=1))

    def judge(self, block: Block) -> tuple[Array, Array]:
        """Which rows fire, and which are in doubt."""
        _, top, low, _ = block.best
        if block.relative:
            bar = self.ratio * (1 - TIE) * low
            return top < bar, np.abs(top - bar) < block.error * (top + bar) * 2
        gap = top - low - (np.log(self.ratio) - block.tie)
        return gap < 0, np.abs(gap) < 2 * block.error


@dataclass(frozen=True)
class JensenShannon(Settings):
    """Nearly uniform: the Jensen-Shannon divergence from uniform, in nats, is below 1/k (or ``threshold``).

    With k <= 3 classes no posterior reaches 1/k, so every row fires.

    >>> JensenShannon().fires(np.array([[0.7, 0.1, 0.1, 0.1], [1.0, 0.0, 0.0, 0.0]])).tolist()
    [True, False]
    """

    threshold: float | None = None
    monotone = False

    def __post_init__(self) -> None:
        if self.threshold is not None and not self.threshold > 0:
            raise SettingError(f"threshold must be above 0, or None for 1/k, not {self.threshold!r}")

    def fires(self, posteriors: Array) -> Array:
        out = np.empty(len(posteriors))
        divergence(np.asarray(posteriors, dtype=float), out)
        return np.asarray(out * posteriors.shape[1] < self._limit(posteriors.shape[1]) * (1 - TIE))

    def judge(self, block: Block) -> tuple[Array, Array]:
        """Which rows fire, and which are in doubt."""
        fires, doubt = np.empty(len(block.ids), bool), np.zeros(len(block.ids), bool)
        limit = self._limit(block.n_classes)
        flat(block.scores, block.n_classes, block.offset, block.error, block.relative, limit, block.best[1], fires, doubt)
        return fires, doubt

    def _limit(self, n_classes: int) -> float:
        return 1.0 if self.threshold is None else n_classes * self.threshold


@dataclass(frozen=True)
class Random(Settings):
    """Opens classes by chance, as a control: each test fires with probability ``rate``.

    Without a rate it is measured: the share of tests that fire in a fit with the criterion ``like``
    ("minmax" or "js") on the same data.
    """

    rate: float | None = None
    like: str = "minmax"
    monotone = True

    def __post_init__(self) -> None:
        if self.rate is not None and not 0 <= self.rate <= 1:
            raise SettingError(f"rate must lie between 0 and 1, not {self.rate!r}")
        if self.like not in ("minmax", "js"):
            raise SettingError(f"like must be 'minmax' or 'js', not {self.like!r}")

    def at(self, seed: int, iteration: int) -> "Coins":
        """The coins of one iteration: one for each row, whenever it is asked."""
        assert self.rate is not None, "the rate is measured before the fit"
        return Coins(self.rate, seed, iteration)


@dataclass(frozen=True)
class Coins:
    """The tosses of ``Random`` in one iteration."""

    rate: float
    seed: int
    iteration: int
    monotone = True

    def judge(self, block: Block) -> tuple[Array, Array]:
        """Which rows fire; never in doubt."""
        return uniforms(self.seed, self.iteration, block.ids) < self.rate, np.zeros(len(block.ids), bool)


CRITERIA: dict[str, Any] = {"minmax": MinMax, "js": JensenShannon, "random": Random}


def criterion(name: Any) -> Any:
    """The criterion of this name, the object itself, or None.

    >>> criterion("minmax")
    MinMax(ratio=2.0)
    """
    if isinstance(name, str) and name in CRITERIA:
        return CRITERIA[name]()
    if name is None or (isinstance(name, (Criterion, Random)) and not isinstance(name, type)):
        return name
    raise SettingError(
        f"no criterion {name!r}; choose from {', '.join(sorted(CRITERIA))}, None, "
        "or an object with 'monotone' and 'fires(posteriors)'"
    )


def judge(rule: Any, block: Block) -> tuple[Array, Array]:
    """Which rows fire and which are in doubt, for any criterion."""
    if hasattr(rule, "judge"):
        fires, doubt = rule.judge(block)
        return fires, doubt
    fires = np.asarray(rule.fires(block.posteriors), dtype=bool)
    if fires.shape != block.ids.shape:
        raise SettingError(f"fires must answer True or False for each of {len(block.ids)} rows, but gave shape {fires.shape}")
    return fires, np.zeros(len(block.ids), bool)


def uniforms(seed: int, stream: int, ids: Array) -> Array:
    """One number in [0, 1) for each (seed, stream, id), in any order and on any machine (SplitMix64).

    >>> bool((uniforms(1, 2, np.arange(5))[3:] == uniforms(1, 2, np.arange(3, 5))).all())
    True
    """
    start = _mix(_mix(np.array([seed], np.uint64)) + np.uint64(stream))
    mixed = _mix(start + (np.asarray(ids).astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))
    return np.asarray((mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53)


def _mix(z: Array) -> Array:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))
