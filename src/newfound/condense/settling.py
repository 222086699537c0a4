"""Claim and settle: the seeds are revealed, and the finest classes are merged down to the number chosen."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.condense.mixture import Mixture
from newfound.condense.number import Level
from newfound.condense.path import ROUNDS, STEP, merge

Array = NDArray[Any]

CLAIM = 0.5
"""A cluster is a seeded class's if its seeds there are at least so many times as dense as in the class."""

CAP = 1.3
"""A seeded class may grow by merging to so many times the size that its seeds imply."""


def claim(label: Array, weights: Array, seeds: Array, n_seeded: int, density: float) -> tuple[Array, int]:
    """Give a cluster to a seeded class that has at least half of its seeds, if they are dense enough for its size.

    The rest are numbered from ``n_seeded`` on. Returns the labels and the number of classes.

    >>> claim(np.array([0, 0, 1, 1, 1]), np.ones(5), np.array([0, -1, -1, -1, -1]), 1, density=0.5)
    (array([0, 0, 1, 1, 1]), 2)
    """
    if n_seeded == 0:
        return label, int(label.max()) + 1
    seen = Level.of(label, weights, seeds, n_seeded)
    most, best = seen.table.max(axis=0), seen.table.argmax(axis=0)
    mine = (most > 0) & (most > CLAIM * density * seen.sizes) & (most >= 0.5 * seen.table.sum(axis=0))
    name = np.where(mine, best, -1)
    name[~mine] = n_seeded + np.arange((~mine).sum())
    claimed = name[label]
    claimed[seeds >= 0] = seeds[seeds >= 0]
    return claimed, n_seeded + int((~mine).sum())


def settle(mixture: Mixture, label: Array, n_classes: int, target: int, room: Array) -> tuple[Array, int, list[Array]]:
    """Merge down to ``target`` classes, with EM in between; seeded classes take part but never merge with each other.

    ``room`` is how many rows each seeded class may hold by merging; if nothing may merge any more it is given up. Returns
    the labels, the number of classes, and what each class became, step by step.
    """
    kept, steps = mixture.n_kept, []
    limit: Array | None = room
    label, left = mixture.settle(label, n_classes, ROUNDS)
    while len(left) > max(target, kept):
        n = len(left)
        became = merge(*mixture.sizes(), max(target, int(n * STEP)), kept, limit)
        merged = int(became.max()) + 1
        if merged == n:  # no pair has room
            limit = None
            continue
        label, left = mixture.settle(became[label], merged, ROUNDS)
        steps.append(np.minimum(np.searchsorted(left, became), len(left) - 1))  # a class that lost all rows: its neighbour's
    return label, len(left), steps
