"""Where the classes lie on the map, in which order they are alike, and which hue each new one takes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from newfound.describe.account import ClassAccount
from newfound.report.given import Points

Array = NDArray[Any]

HUES = 6
"""The style sheet has so many, equal in lightness; names tell classes apart, hues only neighbours."""

BESIDE = 30
"""Rows that lie beside a row: so many nearest ones."""

ENOUGH = 20_000
"""So many rows say which classes touch."""

ROUNDS = 5
"""Every class chooses its hue so many times."""

BEST = 300
"""Up to so many classes the best order of a tree is sought, which takes time in their cube."""


def centres(points: Points, n_classes: int) -> Array:
    """The row of each class that lies in its middle; NaN where a class has none on the map.

    >>> points = Points([0, 1, 9, 5], [0, 1, 9, 5], which=[0, 0, 0, 2], probability=[1] * 4, status=[0] * 4)
    >>> centres(points, 3)
    array([[ 1.,  1.],
           [nan, nan],
           [ 5.,  5.]])
    """
    places = np.column_stack([points.x, points.y])
    middles = np.full((n_classes, 2), np.nan)
    order = np.argsort(points.which, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(points.which[order])) + 1):
        if len(own):
            middle = np.median(places[own], axis=0)
            middles[points.which[own[0]]] = places[own[np.argmin(((places[own] - middle) ** 2).sum(1))]]
    return middles


def likeness(middles: Array) -> Array:
    """The classes in an order that keeps those together which lie together; those without a place come last.

    >>> likeness(np.array([[0, 0], [9, 9], [np.nan, np.nan], [0, 1], [8, 9]])).tolist()
    [0, 3, 4, 1, 2]
    """
    placed = np.flatnonzero(np.isfinite(middles[:, 0]))
    absent = np.setdiff1d(np.arange(len(middles)), placed)
    if len(placed) < 3:
        return np.concatenate([placed, absent])
    tree = linkage(middles[placed], "average", optimal_ordering=len(placed) <= BEST)
    return np.concatenate([placed[leaves_list(tree)], absent])


def touching(points: Points, middles: Array) -> Array:
    """How much each two classes touch: the share of the smaller one's neighbours that are the other's rows.

    Where they do not touch at all, a little for being near.
    """
    places = (
        np.nan_to_num(middles) / max(float(np.ptp(points.x)), float(np.ptp(points.y)), 1e-12) if len(points) else middles * 0
    )
    near = 1e-3 / (cdist(places, places) ** 2 + 1e-3)
    some = np.arange(0, len(points), max(len(points) // ENOUGH, 1))
    which = points.which[some]
    sizes = np.maximum(np.bincount(which, minlength=len(middles)), 1)
    beside = _beside(np.column_stack([points.x, points.y])[some], which, len(middles))
    share = (beside + beside.T) / (BESIDE * np.minimum(sizes[:, None], sizes))
    touch: Array = np.sqrt(share) + near  # the root: to lie beside a quarter is half as bad as beside all
    return touch


def _beside(places: Array, which: Array, n_classes: int) -> Array:
    """How often a row of each class has a row of each class among its nearest."""
    counts = np.zeros((n_classes, n_classes))
    if len(places) > BESIDE:
        near = cKDTree(places).query(places, BESIDE + 1)[1][:, 1:]
        np.add.at(counts, (np.repeat(which, BESIDE), which[near].ravel()), 1.0)
    return counts


def hues(touch: Array, classes: Sequence[ClassAccount]) -> Array:
    """A hue for each new class, -1 for the others: the largest chooses first, each the hue that it touches least.

    >>> a, b, c = (ClassAccount(id, id, id != "b", 9, 0, 0, "", (), (), (), None, None) for id in "abc")
    >>> hues(np.array([[0, 2, 1], [2, 0, 0], [1, 0, 0]]), [a, b, c]).tolist()
    [0, -1, 1]

    Then all may choose again, now that they see the others.
    """
    chosen = np.full(len(touch), -1)
    others = touch * (1 - np.eye(len(touch)))
    largest = sorted((j for j, c in enumerate(classes) if c.new), key=lambda j: -classes[j].size)
    for j in largest * ROUNDS:
        crowd = [others[j, chosen == hue].sum() for hue in range(HUES)]
        if chosen[j] < 0 or min(crowd) < crowd[chosen[j]]:
            chosen[j] = int(np.argmin(crowd))
    return chosen
