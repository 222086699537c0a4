"""How the classes of a fit came to be, seen from what they are now."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from newfound.describe.account import History

Array = NDArray[Any]

CRUMB = 0.02
"""Parts of a class smaller than this share of it are not told of."""


def history(path: Sequence[Array], label: Array, n_classes: int, seeds: Array) -> History:
    """Look back from the labels at a path of ever fewer clusters, made without the seeds (-1: none).

    >>> told = history([np.array([0, 1, 2, 2]), np.array([0, 0, 1, 1])], np.array([0, 0, 1, 1]), 2, np.array([0, 0, 1, -1]))
    >>> told.levels, told.likeness, told.parts[0], told.agreement
    ((3, 2), ((0.5, 1.0), (1.0, 1.0)), ((1, 1), (2,)), (0.0, 1.0))
    """
    known = np.flatnonzero(seeds >= 0)
    tables = [_table(clusters, label, n_classes) for clusters in path]
    agreement = [float(adjusted_rand_score(seeds[known], clusters[known])) if len(known) else 0.0 for clusters in path]
    return History(
        tuple(int(clusters.max()) + 1 for clusters in path),
        tuple(tuple(float(likeness[j]) for likeness in map(_likeness, tables)) for j in range(n_classes)),
        tuple(tuple(_parts(table[j]) for table in tables) for j in range(n_classes)),
        tuple(round(score, 4) for score in agreement),
    )


def _table(clusters: Array, label: Array, n_classes: int) -> Array:
    """How many rows of each class lie in each cluster."""
    ones = np.ones(len(label), np.int64)
    return np.asarray(sparse.coo_matrix((ones, (label, clusters)), shape=(n_classes, clusters.max() + 1)).toarray())


def _likeness(table: Array) -> Array:
    """For each class its overlap with the cluster most like it."""
    union = table.sum(axis=1)[:, None] + table.sum(axis=0) - table
    return np.asarray((table / np.maximum(union, 1)).max(axis=1).round(4))


def _parts(counts: Array) -> tuple[int, ...]:
    kept = np.sort(counts[counts >= max(CRUMB * counts.sum(), 1)])[::-1]
    return tuple(kept.tolist())
