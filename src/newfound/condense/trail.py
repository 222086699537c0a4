"""Why a condensed class exists: when it became itself, of what, and how sure that is."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from newfound.condense.fitting import Explored, Result
from newfound.condense.path import Merging

Array = NDArray[Any]


class Condensed(NamedTuple):
    """A new class: it became itself when ``level`` classes were left, of ``parts`` of the finest classes.

    To merge it with ``nearest``, the class that costs the least, would cost ``cost`` (the likelihood of a round class, in
    units of its rows). ``stability`` is its overlap (Jaccard) with the class most like it on the path that saw no seeds.
    """

    level: int
    parts: int
    nearest: Any
    cost: float
    stability: float


def trail(result: Result, found: Explored, before: dict[Any, Condensed]) -> list[Condensed]:
    """The records of the new classes. Without steps of their own they keep how they came to be from ``before``."""
    model, names = result.model, result.classes.tolist()
    stats, label = model.statistics, model.label[found.sample]
    costs = Merging(
        np.ldexp(stats.rows.astype(float), -stats.exponent), np.ldexp(stats.sums.astype(float), -stats.exponent)
    ).costs
    other = _about(found.plain.path, len(names))
    told = []
    for j in range(result.n_seeded, len(names)):
        near = int(np.argmin(costs[j]))
        cost = float(costs[j, near])
        origin = _origin(result.steps, int(model.left[j])) if result.steps else before.get(names[j], (len(names), 1))[:2]
        told.append(Condensed(*origin, names[near] if np.isfinite(cost) else None, cost, _stability(label == j, other)))
    return told


def _about(path: Sequence[Array], n_classes: int) -> Array:
    """The level of a path with about so many classes."""
    return min(path, key=lambda label: abs(int(label.max()) + 1 - n_classes))


def _origin(steps: Sequence[Array], j: int) -> tuple[int, int]:
    """After which merge class j was what it is, and how many of the finest classes went into it."""
    level, members = None, np.array([j])
    for became in reversed(steps):
        before = np.flatnonzero(np.isin(became, members))
        if level is None and len(before) > len(members):
            level = int(became.max()) + 1
        members = before
    finest = len(steps[0]) if steps else 0
    return (finest if level is None else level), len(members)


def _stability(rows: Array, other: Array) -> float:
    """The overlap with the best class of another labeling."""
    sizes, inside = np.bincount(other), np.bincount(other[rows], minlength=other.max() + 1)
    return float((inside / np.maximum(sizes + rows.sum() - inside, 1)).max())
