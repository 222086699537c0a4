"""Linear maps in which classes are rounder: read off the seeds before anything is found, and off the classes found.

Directions in which the rows of one class differ say nothing about classes, so they count for less.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.covariance import ledoit_wolf_shrinkage

Array = NDArray[Any]

ROUND = 3
"""What the seeded classes say is held against so many round ones, as the classes to be found may have another shape."""

SHRINK = 0.1
"""How far the covariance within the classes found is drawn to a round one."""


def of_seeds(rows: Array, seeds: Array) -> Array | None:
    """The map that the seeds ask for; None if no class has two. ``seeds`` is a class, or -1, per row.

    It makes the rows of seeded classes rounder, but no direction is lost: the square of each axis is a mean of what
    the seeds say and of 1, with the number of seeded classes and ``ROUND`` as weights.
    """
    known = np.flatnonzero(seeds >= 0)
    rest, classes = _within(rows[known], seeds[known])
    if not rest.any():
        return None
    values, axes = np.linalg.eigh(_shrunk(rest.T @ rest / len(rest), ledoit_wolf_shrinkage(rest, assume_centered=True)))
    trust = classes / (classes + ROUND)
    squares = trust * values.mean() / np.maximum(values, 1e-12) + 1 - trust
    return np.asarray(axes * np.sqrt(squares), dtype=np.float32)


def of_classes(rows: Array, label: Array) -> Array:
    """The map that makes the covariance within these classes round."""
    rest, _ = _within(rows, label)
    values, axes = np.linalg.eigh(_shrunk((rest.T @ rest).astype(float) / max(len(rest), 1), SHRINK))
    return np.asarray(axes / np.sqrt(np.maximum(values, 1e-12)), dtype=np.float32)


def _within(rows: Array, label: Array) -> tuple[Array, int]:
    """What is left of rows without the mean of their class, as long as if that were known, and how many classes have two."""
    counts = np.bincount(label)
    means = sums(rows, label, len(counts)) / np.maximum(counts, 1)[:, None]
    several = counts[label] > 1
    label, counts = label[several], np.maximum(counts, 1)
    rest = rows[several] - means[label]
    return rest * np.sqrt(counts / np.maximum(counts - 1, 1))[label, None], len(np.unique(label))


def sums(rows: Array, label: Array, n_classes: int) -> Array:
    """The sum of the rows of each class, in float64.

    >>> sums(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([1, 0, 1]), 2).tolist()
    [[3.0, 4.0], [6.0, 8.0]]
    """
    members = sparse.csr_matrix((np.ones(len(label)), (label, np.arange(len(label)))), shape=(n_classes, len(label)))
    return np.asarray(members @ rows)


def _shrunk(covariance: Array, share: float) -> Array:
    level = np.trace(covariance) / len(covariance)
    return np.asarray((1 - share) * covariance + share * level * np.eye(len(covariance)))
