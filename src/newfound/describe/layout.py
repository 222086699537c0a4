"""A map of the rows: every class a disc of its size, beside the classes that it is like.

Within a disc nothing is left to chance either: the surest rows lie in the middle, the least sure ones at the rim, on the side
of the class that comes next for them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.manifold import TSNE

Array = NDArray[Any]

ASPECT = 1.14
"""Width over height."""

GAP = 0.35
"""Between two discs, as a share of the mean radius: names need room."""

ROUNDS = 400
"""Of pushing discs apart."""

MANY = 8
"""Classes from which on neighbours matter more than all distances."""


def layout(directions: Array, label: Array, other: Array, probability: Array) -> Array:
    """Where each row lies: x and y from 0 to 1, but for the shorter side of the map.

    ``directions`` are unit vectors of the classes; ``label`` and ``other`` number the first and second class of each row (-1:
    there is none).

    >>> at = layout(np.eye(3), np.array([0, 0, 1, 2]), np.array([1, 1, 0, 1]), np.array([0.9, 0.6, 1, 1]))
    >>> bool(np.linalg.norm(at[0] - at[1]) < np.linalg.norm(at[0] - at[2])), bool(0 <= at.min() and at.max() <= 1)
    (True, True)
    """
    sizes = np.bincount(label, minlength=len(directions))
    centres = _apart(_beside(directions), np.array([_radius(n) for n in sizes.tolist()]))
    at = np.empty((len(label), 2))
    for j in range(len(directions)):
        rows = np.flatnonzero(label == j)
        away = centres[other[rows]] - centres[j]
        at[rows] = centres[j] + _disc(np.arctan2(away[:, 1], away[:, 0]), probability[rows])
    low, high = at.min(axis=0), at.max(axis=0)
    return np.asarray((at - low) / max(float((high - low).max()), 1e-9))


def _beside(directions: Array) -> Array:
    """Two dimensions in which like classes are neighbours."""
    k = len(directions)
    gaps = np.maximum(1 - directions.astype(float) @ directions.T.astype(float), 0)
    np.fill_diagonal(gaps, 0)
    middle = np.eye(k) - 1 / k
    values, vectors = np.linalg.eigh(-middle @ gaps @ middle / 2)
    flat = np.zeros((k, 2))
    flat[:, : min(k, 2)] = (vectors[:, ::-1] * np.sqrt(np.maximum(values[::-1], 0)))[:, :2]
    flat *= np.where(flat[np.abs(flat).argmax(axis=0), [0, 1]] < 0, -1, 1)  # an axis may come out either way round
    if k < MANY:
        return flat
    start = 1e-4 * flat / max(float(flat.std()), 1e-9)
    near = TSNE(perplexity=min(12.0, (k - 1) / 3), metric="precomputed", init=start, method="exact", max_iter=500)
    return np.asarray(near.fit_transform(gaps))


def _apart(centres: Array, radii: Array) -> Array:
    """The same arrangement, drawn so close that the discs just do not overlap."""
    spread = np.ptp(centres, axis=0)
    room = np.sqrt(4 * (radii**2).sum()) * np.array([ASPECT, 1])
    at = (centres - centres.mean(axis=0)) / np.maximum(spread, 1e-9) * room
    need = radii[:, None] + radii + 1 + GAP * radii.mean()
    np.fill_diagonal(need, 0)
    for _ in range(ROUNDS):
        at *= 0.995  # towards the middle, against the push
        away = at[:, None] - at
        gap = np.sqrt((away**2).sum(axis=2))
        away[gap < 1e-9] = [1e-3, 1e-3]
        push = np.maximum(need - gap, 0) / np.maximum(gap, 1e-3) / 2
        at = at + (push[:, :, None] * away).sum(axis=1) * 0.7
    return np.asarray(at)


def _radius(n: int) -> float:
    """Of a disc of n rows a distance of 1 apart."""
    return float(np.sqrt(max(n - 1, 0) / 3)) + 0.5


def _disc(angle: Array, probability: Array) -> Array:
    """Places on rings 1 apart, the surest rows first; on its ring a row goes where its angle asks, if there is room."""
    order, at = np.argsort(-probability, kind="stable"), np.zeros((len(angle), 2))
    first, ring = 1, 1
    while first < len(order):
        rows = order[first : first + 6 * ring]
        slots = 2 * np.pi * np.arange(len(rows)) / len(rows)
        rows = rows[np.argsort(angle[rows] % (2 * np.pi), kind="stable")]
        turn = np.angle(np.exp(1j * (angle[rows] - slots)).sum())
        at[rows] = ring * np.column_stack([np.cos(slots + turn), np.sin(slots + turn)])
        first, ring = first + len(rows), ring + 1
    return at
