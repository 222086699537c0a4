"""The condensing path: far too many classes, merged step by step, with the seeds' labels hidden.

Each level is a labeling of all rows; the finest has some ``3 sqrt(n)`` classes, the coarsest a handful.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.condense.mixture import Mixture

Array = NDArray[Any]

STEP = 0.8
"""Each level has this share of the classes of the one before."""

EACH = 10
"""From so many classes on, every number is a level."""

DRAWN_TOGETHER = 16
"""Rows that open classes at once: the rows are read once for all of them."""

FIRST_ROUNDS = 6
"""EM rounds at the finest level."""

ROUNDS = 1
"""EM rounds after the merges of each later level: two more change little, and cost twice the time."""

COARSEST = 2
"""Classes at the last level."""


def overshoot(rows: Array, m: int, rng: np.random.Generator) -> Array:
    """Open ``m`` classes at rows drawn in proportion to how badly they are explained (k-means++), and label all rows.

    >>> rows = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> overshoot(rows, 2, np.random.default_rng(0)).tolist()
    [0, 0, 1]
    """
    label, best = np.zeros(len(rows), np.int64), np.full(len(rows), -np.inf, np.float32)
    opened = 0
    while opened < m:
        gap = np.ones(len(rows)) if opened == 0 else np.clip(1 - best.astype(float), 1e-9, None)
        count = min(m - opened, DRAWN_TOGETHER if opened else 1)
        chosen = rng.choice(len(rows), count, replace=False, p=gap / gap.sum())
        scores = rows @ rows[chosen].T
        nearest = scores.argmax(axis=1)
        score = scores[np.arange(len(rows)), nearest]
        better = score > best
        label[better], best[better] = opened + nearest[better], score[better]
        opened += count
    return label


def merge(counts: Array, sums: Array, target: int, kept: int = 0, room: Array | None = None) -> Array:
    """Merge the pairs of classes whose union costs the least likelihood (Ward) until ``target`` are left.

    The first ``kept`` classes never merge with each other, nor grow beyond ``room`` rows by merging. Returns what each class
    became, numbered from 0 in the order of the classes.

    >>> merge(np.array([2.0, 1.0, 2.0]), np.array([[2.0, 0.0], [0.9, 0.1], [0.0, 2.0]]), target=2).tolist()
    [0, 0, 1]
    """
    return Merging(counts, sums, kept, room).down_to(target)


class Merging:
    """Classes that merge, cheapest pair first."""

    def __init__(self, counts: Array, sums: Array, kept: int = 0, room: Array | None = None) -> None:
        m = len(counts)
        self.counts, self.sums, self.kept = np.maximum(counts, 1.0), np.array(sums, dtype=float), kept
        self.alive, self.owner = (counts > 0) | (np.arange(m) < kept), np.arange(m)
        self.room = np.full(m, np.inf)
        if room is not None:
            self.room[:kept] = room
        self.means = self.sums / self.counts[:, None]
        self.squares = np.einsum("jf,jf->j", self.means, self.means)
        self.costs = self._cost(np.arange(m))

    def _cost(self, which: Array) -> Array:
        """What it costs to merge each of these classes with each other one; infinity where it may not."""
        gap = self.squares[which, None] + self.squares - 2 * self.means[which] @ self.means.T
        both = self.counts[which, None] + self.counts
        cost = np.maximum(gap, 0) * self.counts[which, None] * self.counts / both
        barred = ~(self.alive[which, None] & self.alive) | (both > np.minimum(self.room, self.room[which, None]))
        barred |= (which[:, None] == np.arange(len(self.alive))) | (
            (which[:, None] < self.kept) & (np.arange(len(self.alive)) < self.kept)
        )
        cost[barred] = np.inf
        return np.asarray(cost)

    def down_to(self, target: int) -> Array:
        """Merge until so many classes are left, or none may merge."""
        for _ in range(int(self.alive.sum()) - max(target, self.kept)):
            i, j = sorted(divmod(int(np.argmin(self.costs)), len(self.costs)))
            if not np.isfinite(self.costs[i, j]):
                break
            self._join(i, j)
        return np.asarray((np.cumsum(self.alive) - 1)[self.owner])

    def _join(self, i: int, j: int) -> None:
        self.sums[i] += self.sums[j]
        self.counts[i] += self.counts[j]
        self.alive[j] = False
        self.means[i] = self.sums[i] / self.counts[i]
        self.squares[i] = self.means[i] @ self.means[i]
        self.owner[self.owner == j] = i
        self.costs[j] = self.costs[:, j] = np.inf
        self.costs[i] = self.costs[:, i] = self._cost(np.array([i]))[0]


def condense(rows: Array, m: int, rng: np.random.Generator, mixture: Mixture) -> list[Array]:
    """The path from ``m`` classes down to two: one labeling of all rows per level."""
    label, left = mixture.settle(overshoot(rows, m, rng), m, FIRST_ROUNDS)
    levels = [label]
    while len(left) > COARSEST:
        fewer = len(left) - 1 if len(left) <= EACH else max(EACH, int(len(left) * STEP))
        became = merge(*mixture.sizes(), fewer)
        label, left = mixture.settle(became[label], int(became.max()) + 1, ROUNDS)
        levels.append(label)
    return levels
