"""The partition maker: which classes are seeded and which of their rows, the same for every algorithm.

>>> truth = np.repeat(["a", "b", "c"], 10)
>>> part = partition(truth, seeded=2, per_class=3, seed=1)
>>> part.seeded.tolist(), int((~part.unlabelled).sum())
(['a', 'b'], 6)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.errors import SettingError

Array = NDArray[Any]


@dataclass(frozen=True)
class Partition:
    """The seeds of one experiment: ``y`` holds the labels of seeds and the unlabelled mark elsewhere."""

    y: Array
    seeded: Array
    seed: int

    @property
    def unlabelled(self) -> Array:
        """Which rows carry no seed."""
        return np.asarray(self.y == ("" if self.y.dtype.kind in "OUS" else -1))


def partition(
    truth: Any, seeded: int | float, share: float | None = None, per_class: int | None = None, seed: int = 0
) -> Partition:
    """Draw ``seeded`` classes (a count, or a share below 1) and seeds for them: a share of their rows, or so many rows each.

    At least one row of each is a seed. Classes and rows are the first of one shuffled order, so a partition with
    more seeded classes, or more seeds per class, holds the one with fewer and the same ``seed``.
    """
    truth = np.asarray(truth)
    classes, codes = np.unique(truth, return_inverse=True)
    count = _how_many(seeded, len(classes))
    if (share is None) == (per_class is None):
        raise SettingError("give either share, a part of each class's rows, or per_class, a number of rows")
    if not (0 < share <= 1 if share is not None else per_class >= 1):  # type: ignore[operator]
        raise SettingError(f"share must lie above 0 and up to 1, per_class be 1 or more; not {share if share else per_class!r}")
    picked = np.sort(np.random.default_rng(seed).permutation(len(classes))[:count])
    y = np.full(len(truth), "" if truth.dtype.kind in "OUS" else -1, dtype=truth.dtype)
    for c in picked:
        rows = np.random.default_rng([seed, int(c)]).permutation(np.flatnonzero(codes == c))
        n_seeds = per_class if per_class is not None else max(1, round(share * len(rows)))  # type: ignore[operator]
        y[rows[:n_seeds]] = classes[c]
    return Partition(y, classes[picked], seed)


def _how_many(seeded: int | float, n_classes: int) -> int:
    count = round(seeded * n_classes) if isinstance(seeded, float) and 0 < seeded < 1 else int(seeded)
    if not 0 <= count <= n_classes:
        raise SettingError(f"seeded must be at most the number of classes, {n_classes}, or a share of them; not {seeded!r}")
    return count
