"""How many classes are there? Two readings of the fine levels of the path, by way of the seeds.

*Pairs*: with p the chance that two rows share a class, there are (1 + CV^2) / p classes, CV the spread of their sizes. How
often any two rows share a cluster, two seeds of one class, and two of different classes, gives p.
*Mates*: with f the share of a seeded class's rows that carry a seed, a class holds (seeds per class) / f rows. How many of a
seed's cluster mates carry a seed of its class gives f.

Both take the seeded classes for a fair sample of all. How the reading from half of these classes, or half of the
seeds, scatters says how sure it is; what is unsure is drawn to what was known before, anything between the seeded classes
and the finest level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

Array = NDArray[Any]

DRAWS = 50
"""Halves of the seeded classes, and of the seeds, behind an interval."""

COVER = 1.64
"""Standard deviations to either side: nine times in ten."""

SUREST = 0.05
"""No reading is surer than this, relatively, however little its halves differ."""

ALONE = 0.5
"""The standard deviation, in logs, when one seeded class is all there is to go by; its error on text was 0.3 to 0.8."""

CLOSE = 0.2
"""A reading whose standard deviation, in logs, is no more than this may say that the seeded classes are all there are."""

LIKE = 0.05
"""Without seeds, numbers whose agreement comes so near to the best are all possible."""


class Number(NamedTuple):
    """The number of classes chosen, an interval, how it was read, and the share of a seeded class's rows that are seeds."""

    chosen: int
    low: int
    high: int
    how: str
    density: float


@dataclass(frozen=True)
class Level:
    """One labeling seen through the seeds: how the seeds of each class fall into its clusters."""

    table: Array
    sizes: Array

    @classmethod
    def of(cls, label: Array, weights: Array, seeds: Array, n_seeded: int) -> "Level":
        """Count the seeds of each class in each cluster; ``seeds`` is a class, or -1, per row.

        ``weights`` say how many rows of the whole each stands for: 0 for seeds that joined a sample only to be seen.
        """
        sizes = np.bincount(label, weights)
        return cls(np.zeros((n_seeded, len(sizes))), sizes).through(label, seeds)

    def through(self, label: Array, seeds: Array) -> "Level":
        """The same clusters, seen through these seeds."""
        table, rows = np.zeros_like(self.table), np.flatnonzero(seeds >= 0)
        np.add.at(table, (seeds[rows], label[rows]), 1.0)
        return Level(table, self.sizes)

    def only(self, classes: Array) -> "Level":
        """The same clusters, seen through the seeds of some classes."""
        return Level(self.table[classes], self.sizes)

    def reading(self) -> float:
        """The log of the number of classes: the mean of both readings."""
        counts, n = self.table.sum(axis=1), self.sizes.sum()
        seen = counts[counts > 0]
        pairs = (seen**2).mean() / seen.mean() ** 2 / max(self.shared(), 1e-9)
        mates = n * self.density() / seen.mean()
        return float(np.log(np.clip([pairs, mates], 1, max(n, 1))).mean())

    def shared(self) -> float:
        """p: the chance that two rows share a class, from P(same cluster) = p hit + (1 - p) false."""
        counts, n = self.table.sum(axis=1), self.sizes.sum()
        same = (self.sizes * (self.sizes - 1)).sum() / max(n * (n - 1), 1)
        hit = ((self.table**2).sum() - counts.sum()) / max((counts * (counts - 1)).sum(), 1)
        share = self.table / np.maximum(counts, 1)[:, None]
        k = np.count_nonzero(counts)
        between = ((share.sum(axis=0) ** 2).sum() - (share**2).sum()) / max(k * (k - 1), 1)
        # with few seeded classes chance pairs are badly known: they never explain more than half of what is shared
        false = min(between, same / 2)
        return float((same - false) / max(hit - false, 1e-3))

    def density(self) -> float:
        """f: the share of a seeded class's rows that carry a seed, from the cluster mates of its seeds."""
        counts, n, total = self.table.sum(axis=1), self.sizes.sum(), self.table.sum()
        seeds = self.table.sum(axis=0)
        mates, own = (seeds * (self.sizes - 1)).sum(), (self.table**2).sum() - total
        between = ((seeds**2).sum() - (self.table**2).sum()) / max(total**2 - (counts**2).sum(), 1)
        false = min(between, mates / max(2 * n * total, 1))
        # seeds of a class share a cluster by chance too; and of s seeds in n rows, each has s - 1 among n - 1 others
        pairs = (counts * (counts - 1)).sum()
        hits = max(own - false * pairs, own / 2) * (counts**2).sum() / max(pairs, 1)
        return float(np.clip(hits / max(mates - n * total * false, 1e-9), 1e-4, 1.0))


def read(levels: Sequence[Array], weights: Array, seeds: Array, n_seeded: int) -> Number:
    """Read the number of classes off the levels of all paths: at least the seeded ones and 2, at most those of the finest."""
    low, high = np.log(max(n_seeded, 2)), np.log(max(n_seeded, 2, *(label.max() + 1 for label in levels)))
    fine = _fine(levels, weights, seeds, n_seeded)
    seen = [Level.of(label, weights, seeds, n_seeded) for label in fine]
    reading, (by_class, by_seed) = _median(seen), _spreads(fine, seen, seeds, n_seeded)
    spread = np.hypot(by_class, by_seed)
    before = (high - low) ** 2 / 12  # the variance of what is known without a reading: anything between low and high
    trust = before / (before + spread**2) if before > 0 else 1.0
    best = float(np.clip(trust * reading + (1 - trust) * (low + high) / 2, low, high))
    if spread <= CLOSE and reading - spread <= np.log(max(n_seeded, 1)):
        best = low  # the seeded classes may well be all there are
    # of the classes that are there, those with seeds were drawn: only the others add to what the draw leaves open
    rest = max(1 - n_seeded / np.exp(best), 0)
    width = COVER * np.sqrt(trust * (rest * by_class**2 + by_seed**2) + SUREST**2)
    bounds = np.exp(np.clip([best - width, best + width], low, high))
    return Number(round(np.exp(best)), int(bounds[0]), int(np.ceil(bounds[1])), "seeds", _density(seen))


def _fine(levels: Sequence[Array], weights: Array, seeds: Array, n_seeded: int) -> list[Array]:
    """The levels finer than the classes, as coarser ones mix what the seeds would have to tell apart.

    A guess from the finest says which; but a few levels alone are noisy, so those down to a quarter of the finest always count.
    """
    sizes = np.array([label.max() + 1 for label in levels])
    finest = [Level.of(label, weights, seeds, n_seeded) for label, m in zip(levels, sizes, strict=True) if 2 * m > sizes.max()]
    bar = min(max(2 * n_seeded, min(np.exp(_median(finest)), sizes.max() / 8)), sizes.max() - 1)
    return [label for label, m in zip(levels, sizes, strict=True) if m > bar]


def _median(seen: Sequence[Level]) -> float:
    return float(np.median([level.reading() for level in seen]))


def _density(seen: Sequence[Level]) -> float:
    return float(np.median([level.density() for level in seen]))


def _spreads(fine: Sequence[Array], seen: Sequence[Level], seeds: Array, n_seeded: int) -> tuple[float, float]:
    """The standard deviations of the reading, in logs: by which classes are seeded, and by which of their rows.

    What half a sample scatters around the whole of it, the whole scatters around the truth.
    """
    rng = np.random.default_rng(0)
    visible = np.flatnonzero(seen[0].table.any(axis=1))
    by_class = [_median([level.only(half) for level in seen]) for half in _halves(visible, rng)]
    by_seed = [
        _median([level.through(label, some) for level, label in zip(seen, fine, strict=True)])
        for some in _fewer(seeds, n_seeded, rng)
    ]
    return _deviation(by_class) if len(visible) > 1 else ALONE, _deviation(by_seed)


def _halves(classes: Array, rng: np.random.Generator) -> list[Array]:
    return [classes[rng.permutation(len(classes))[: max(len(classes) // 2, 1)]] for _ in range(DRAWS)]


def _fewer(seeds: Array, n_seeded: int, rng: np.random.Generator) -> list[Array]:
    """Half of the seeds of each class, at least one, again and again."""
    rows = np.flatnonzero(seeds >= 0)
    counts = np.bincount(seeds[rows], minlength=n_seeded)
    drawn = []
    for _ in range(DRAWS):
        mixed = rng.permutation(rows)
        mixed = mixed[np.argsort(seeds[mixed], kind="stable")]
        place = np.arange(len(mixed)) - np.repeat(np.cumsum(counts) - counts, counts)
        some = np.full_like(seeds, -1)
        kept = mixed[place < (counts[seeds[mixed]] + 1) // 2]
        some[kept] = seeds[kept]
        drawn.append(some)
    return drawn


def _deviation(values: Sequence[float]) -> float:
    """Half the distance between the quantiles that lie one standard deviation to either side."""
    below, above = np.quantile(values, [0.16, 0.84])
    return float(above - below) / 2


def by_stability(one: Sequence[Array], other: Sequence[Array], n_seeded: int) -> Number:
    """Without seeds nobody says how coarse a class is: take the number on which two paths agree best."""
    sizes = np.array([label.max() + 1 for label in other])
    agreement = []
    for label in one:
        n = int(label.max()) + 1
        twin = other[int(np.argmin(np.abs(sizes - n)))]
        agreement.append((float(adjusted_rand_score(label, twin)), n))
    best = max(agreement)
    near = [n for score, n in agreement if score >= best[0] - LIKE]
    chosen, low, high = (max(n, n_seeded) for n in (best[1], min(near), max(near)))
    return Number(chosen, low, high, "stability", 1.0)
