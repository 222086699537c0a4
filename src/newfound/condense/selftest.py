"""Hide some of the user's own classes and see whether they are found again: how well discovery works on *these* data."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

Settle = Callable[[list[tuple[Array, int]]], list[tuple[Array, int]]]

FOLDS = 3
"""The seeded classes are hidden by thirds."""

FEWEST = 2
"""Seeded classes and seeds of a class below which nothing can be hidden."""


class Hidden(NamedTuple):
    """A seeded class that was hidden: the new class that holds most of its seeds is the one that found it.

    ``found`` is the share of its seeds that this class holds, ``purity`` its share among the seeds there.
    """

    name: Any
    seeds: int
    found: float
    purity: float


class SelfTest(NamedTuple):
    """What came of hiding each seeded class once: over all of them, and class by class.

    ``n_classes`` are the numbers of classes found while some were hidden, ``count_error`` their mean distance, as a share,
    from what the whole fit found.
    """

    found: float
    purity: float
    count_error: float
    n_classes: tuple[int, ...]
    classes: tuple[Hidden, ...]


def self_test(seeds: Array, names: Array, n_classes: int, settle: Settle) -> SelfTest | None:
    """Hide the seeded classes by thirds. ``settle`` labels the rows anew for each third, from the seeds and the number of the
    other classes, and says how many classes it found.

    None where there are not two seeded classes with two seeds each.
    """
    counts = np.bincount(seeds[seeds >= 0], minlength=len(names))
    usable = np.flatnonzero(counts >= FEWEST)
    if len(usable) < FEWEST:
        return None
    mixed = np.random.default_rng(0).permutation(usable)
    parts = np.array_split(mixed, min(FOLDS, len(mixed)))
    fewer = [_without(seeds, part, len(names)) for part in parts]
    found = settle(fewer)
    hidden = [
        _seen(seeds, label, int(c), names[c], n_kept)
        for part, (_, n_kept), (label, _) in zip(parts, fewer, found, strict=True)
        for c in part
    ]
    numbers = [number for _, number in found]
    hidden.sort(key=lambda one: str(one.name))
    return SelfTest(
        float(np.mean([one.found for one in hidden])),
        float(np.mean([one.purity for one in hidden])),
        float(np.mean([abs(number - n_classes) / n_classes for number in numbers])),
        tuple(numbers),
        tuple(hidden),
    )


def _without(seeds: Array, hidden: Array, n_classes: int) -> tuple[Array, int]:
    """The seeds of the other classes, numbered anew, and how many these are."""
    kept = np.setdiff1d(np.arange(n_classes), hidden)
    number = np.full(n_classes + 1, -1)
    number[kept] = np.arange(len(kept))
    return number[seeds], len(kept)


def _seen(seeds: Array, label: Array, c: int, name: Any, n_kept: int) -> Hidden:
    """How the seeds of a hidden class were labelled; what stayed in a seeded class was not found."""
    mine = label[seeds == c]
    new = mine[mine >= n_kept]
    if not len(new):
        return Hidden(name, len(mine), 0.0, 0.0)
    best = int(np.bincount(new).argmax())
    held = int((mine == best).sum())
    return Hidden(name, len(mine), held / len(mine), held / int(((label == best) & (seeds >= 0)).sum()))
