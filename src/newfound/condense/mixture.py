"""Hard EM of von Mises-Fisher classes from any labels, by the one loop, on the one engine."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.components import VonMisesFisher
from newfound.condense.rowmap import unit
from newfound.data import UNLABELLED
from newfound.execution import Pool
from newfound.learner import Rules, explore
from newfound.parts import Part, Rows
from newfound.records import Opening, Step
from newfound.selection import selection

Array = NDArray[Any]

LAST_ROUNDS = 30
"""EM rounds at the end, unless it settles sooner."""

TOL = 1e-5
"""A change of the likelihood by less than this share settles nothing more."""


@dataclass(frozen=True)
class Work:
    """Where and how the work is done: the engine that holds rows, the threads, and who hears of every EM round."""

    engine: Any
    pool: Pool
    on_iteration: Callable[[Step], Any] | None = None

    def side_by_side(self, task: Callable[..., Any], arguments: Iterable[Any]) -> list[Any]:
        """Whole pieces of work, each on one thread: ``task`` of the work it may do there and of an argument."""
        alone = Work(self.engine, Pool(1))
        return self.pool.each(task, [(alone, argument) for argument in arguments])


class Mixture:
    """Rows, and the classes that they are in just now. Seeds, if given, keep their class; the first ``n_kept`` stay.

    All-zero rows are labelled but count for nothing: they would make classes of nobody large, and loose.
    """

    def __init__(self, work: Work, rows: Array, component: VonMisesFisher, seeds: Array | None = None, n_kept: int = 0) -> None:
        self.rows, self.component, self.n_kept, self.on_iteration = rows, component, n_kept, work.on_iteration
        seeds = np.full(len(rows), UNLABELLED, np.int32) if seeds is None else seeds.astype(np.int32)
        part = Part(np.arange(len(rows)), Rows.of(rows), seeds, rows.any(axis=1).astype(float))
        self.engine = work.engine(part, component, n_kept, work.pool)

    def settle(self, label: Array, n_classes: int, rounds: int) -> tuple[Array, Array]:
        """EM from these labels for so many rounds at most. Returns the labels, and what number each class left had before."""
        left = self._em(label, n_classes, rounds)
        self.engine.collect(0)
        left = left[self.engine.drop_empty(self.n_kept)]
        return self.engine.labels(), left

    def rest(self, label: Array, n_classes: int) -> tuple[Array, Array]:
        """EM until it settles for good, so that the parameters give the labels. A class whose last row leaves is given up.

        Returns as ``settle`` does.
        """
        left = np.arange(n_classes)
        while True:
            left = left[self._em(label, len(left), LAST_ROUNDS)]
            label = self.engine.labels()
            held = np.union1d(np.arange(self.n_kept), label)
            if len(held) == len(left):
                return label, left
            label, left = np.searchsorted(held, label), left[held]

    def _em(self, label: Array, n_classes: int, rounds: int) -> Array:
        self.engine.place(label, n_classes)
        # no row opened these classes: the record of each only carries its number through the loop
        trail = [Opening(0, j, np.empty(0), np.nan, np.nan) for j in range(self.n_kept, n_classes)]
        rules = Rules(None, selection(None), max_iter=rounds, tol=TOL, labels_only=True)
        fit = explore(self.engine, self.n_kept, rules, trail=trail, on_iteration=self.on_iteration)
        self.parameters = fit.parameters
        return np.array([*range(self.n_kept), *(opening.row for opening in fit.trail)], dtype=int)

    def sizes(self) -> tuple[Array, Array]:
        """Rows and sums of the classes, as the statistics hold them."""
        stats = self.engine.stats
        return np.ldexp(stats.rows.astype(float), -stats.exponent), np.ldexp(stats.sums.astype(float), -stats.exponent)

    def logs(self, which: Array) -> Array:
        """Log posteriors of these rows, but for a constant of each row."""
        means = unit(self.sizes()[1])
        with np.errstate(divide="ignore"):
            prior = np.log(self.parameters.prior)
        return np.asarray(self.parameters.shared * (self.rows[which] @ means.T).astype(float) + prior)


def effective_dimension(rows: Array) -> float:
    """The dimension of a round cloud with the spread of these rows: (trace S)^2 / trace S^2 of their covariance."""
    if len(rows) < 2:
        return 2.0
    covariance = np.atleast_2d(np.cov(rows.T))
    square = float((covariance**2).sum())
    return max(float(np.trace(covariance)) ** 2 / square, 2.0) if square > 0 else 2.0
