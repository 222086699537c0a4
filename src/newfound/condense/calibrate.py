"""How sure a posterior may be: one temperature, read off seeds that a second, shorter fit did not see."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

Array = NDArray[Any]

SHARE = 3
"""One seed in so many is held out, where a class has as many."""

RANGE = np.log(100)
"""A temperature lies between 1/100 and 100."""


def held_out(seeds: Array) -> Array:
    """Rows of seeds to be hidden: of every class one in three, drawn at random.

    >>> seeds = np.array([0, 0, 0, 0, 0, 0, 1, 1, -1])
    >>> np.bincount(seeds[held_out(seeds)]).tolist()
    [2]
    """
    known = np.random.default_rng(0).permutation(np.flatnonzero(seeds >= 0))
    known = known[np.argsort(seeds[known], kind="stable")]
    counts = np.bincount(seeds[known])
    place = np.arange(len(known)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.sort(known[place < counts[seeds[known]] // SHARE])


def temperature(logs: Array, classes: Array) -> float:
    """The factor on the logs that makes the classes as probable as they should be; 1 without rows.

    >>> logs = np.log([[0.99, 0.01], [0.99, 0.01], [0.99, 0.01]])
    >>> temperature(logs, np.array([0, 0, 1])) < 0.5                 # far too sure: a third is wrong
    True
    """
    if not len(logs):
        return 1.0
    own = np.arange(len(logs))

    def surprise(log_factor: float) -> float:
        scaled = np.exp(log_factor) * logs
        return float((logsumexp(scaled, axis=1) - scaled[own, classes]).mean())

    return float(np.exp(minimize_scalar(surprise, bounds=(-RANGE, RANGE), method="bounded").x))
