"""How sure a posterior may be, and which classes are mixed up: read off seeds by shorter fits that did not see them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

Array = NDArray[Any]

FOLDS = 3
"""Every seed is held out once, a third of those of each class at a time."""

RANGE = np.log(100)
"""A temperature lies between 1/100 and 100."""


class HeldOut(NamedTuple):
    """What seeds say that a fit did not see: how sure it may be, and where they went.

    ``confusion[i, j]`` counts the seeds of class i that went to class j, the last column those that went to any new one.
    """

    temperature: float
    confusion: Array

    @classmethod
    def of(cls, asked: Sequence[tuple[Array, Array]], n_kept: int) -> "HeldOut":
        """Read both off the logs of hidden seeds and their classes, a pair for each fit."""
        confusion = np.zeros((n_kept, n_kept + 1), np.int64)
        for logs, classes in asked:
            np.add.at(confusion, (classes, np.minimum(logs.argmax(axis=1), n_kept)), 1)
        return cls(temperature(asked), confusion)


def folds(seeds: Array) -> list[Array]:
    """Rows of seeds to be hidden together: of every class a third each time, drawn at random; none of a class with one.

    >>> seeds = np.array([0, 0, 0, 0, 0, 0, 1, -1])
    >>> [np.bincount(seeds[fold]).tolist() for fold in folds(seeds)]
    [[2], [2], [2]]
    """
    known = np.random.default_rng(0).permutation(np.flatnonzero(seeds >= 0))
    known = known[np.argsort(seeds[known], kind="stable")]
    counts = np.bincount(seeds[known])
    place = np.arange(len(known)) - np.repeat(np.cumsum(counts) - counts, counts)
    several = counts[seeds[known]] > 1
    drawn = [np.sort(known[several & (place % FOLDS == fold)]) for fold in range(FOLDS)]
    return [fold for fold in drawn if len(fold)]


def temperature(asked: Sequence[tuple[Array, Array]]) -> float:
    """The factor on the logs that makes the classes as probable as they should be; 1 without rows.

    ``asked`` are logs, one row per seed, and the classes of these seeds; fits may differ in the number of classes.

    >>> logs = np.log([[0.99, 0.01], [0.99, 0.01], [0.99, 0.01]])
    >>> temperature([(logs, np.array([0, 0, 1]))]) < 0.5             # far too sure: a third is wrong
    True
    """
    if not any(len(logs) for logs, _ in asked):
        return 1.0

    def surprise(log_factor: float) -> float:
        total = 0.0
        for logs, classes in asked:
            scaled = np.exp(log_factor) * logs
            total += float((logsumexp(scaled, axis=1) - scaled[np.arange(len(logs)), classes]).sum())
        return total

    return float(np.exp(minimize_scalar(surprise, bounds=(-RANGE, RANGE), method="bounded").x))
