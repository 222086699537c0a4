"""The recommended learner, step by step: map, overshoot, condense, choose, claim, settle, refine.

The costly part, ``Explored``, knows nothing of what the seeds are called: a later fit with other seeds starts from it.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.components import Component, Parameters, Statistics, VonMisesFisher
from newfound.condense import number, path, settling
from newfound.condense.calibrate import held_out, temperature
from newfound.condense.mixture import Mixture, effective_dimension
from newfound.condense.number import Number
from newfound.condense.rowmap import RowMap, matrices, unit
from newfound.data import UNLABELLED
from newfound.errors import DataError
from newfound.execution import Pool

Array = NDArray[Any]

SAMPLE = 25_000
"""Rows on which the path is made; more rows only settle."""

FINEST = 3.0
"""The finest level has so many times the root of the number of rows, or so many times the seeded classes."""

RESTARTS = 2
"""Paths: the second says how stable the first is."""


@dataclass(frozen=True)
class Explored:
    """What is learnt with the seeds' labels hidden: the map, the sample's rows there, and the paths.

    ``sample`` are the numbers of the sample's rows, ``weights`` how many rows of the whole each stands for.
    """

    row_map: RowMap
    sample: Array
    weights: Array
    rows: Array
    paths: list[list[Array]]
    dimension: float


@dataclass(frozen=True)
class Settled:
    """The sample's labels under the seeds, and what each class of a step became in the next."""

    label: Array
    n_classes: int
    steps: list[Array]


@dataclass(frozen=True)
class Model:
    """What is left at the end, and the labels of all rows; ``left`` are the numbers that the classes had before."""

    row_map: RowMap
    component: Component
    statistics: Statistics
    parameters: Parameters
    calibration: Array
    temperature: float
    label: Array
    left: Array

    def ordered(self, order: Array) -> "Model":
        """The same with the classes in another order."""
        return replace(
            self,
            statistics=self.statistics.take(order),
            parameters=self.parameters.take(order),
            label=np.argsort(order)[self.label],
            left=self.left[order],
        )


@dataclass(frozen=True)
class Result:
    """A fit, with the names of its classes; the first ``n_seeded`` are the user's."""

    model: Model
    classes: Array
    n_seeded: int
    number: Number
    steps: list[Array]

    def like(self, last: "Result") -> "Result":
        """The same with the new classes in the order of the last fit, and those that it did not have at the end."""
        place = {name: j for j, name in enumerate(last.classes.tolist())}
        new = sorted(range(self.n_seeded, len(self.classes)), key=lambda j: place.get(self.classes[j], len(place)))
        order = np.array([*range(self.n_seeded), *new], dtype=int)
        return replace(self, model=self.model.ordered(order), classes=self.classes[order])


def explore(engine: Any, X: Any, seeds: Array, n_seeded: int, pool: Pool, seed: int) -> Explored:
    """Fit the map and make the paths. ``seeds`` only say which rows the sample must hold."""
    n = matrices(X)[0].shape[0]
    drawn = np.sort(np.random.default_rng(seed).choice(n, min(n, SAMPLE), replace=False))
    sample = np.union1d(drawn, np.flatnonzero(seeds >= 0))
    weights = np.where(np.isin(sample, drawn), n / len(drawn), 0.0)
    row_map = RowMap.fit(take(X, drawn), pool, seed)
    rows = row_map(take(X, sample), pool)
    filled = rows.any(axis=1)
    if not filled.any():
        raise DataError("every row is all-zero: there is nothing to learn from")
    sample, weights, rows = sample[filled], weights[filled], rows[filled]
    dimension = effective_dimension(rows)
    mixture = Mixture(engine, rows, VonMisesFisher(prior="uniform", dimension=dimension), pool)
    finest = int(np.clip(FINEST * max(np.sqrt(len(rows)), n_seeded), 1, max(len(rows) // 3, 1)))
    paths = [path.condense(rows, finest, np.random.default_rng([seed, r]), mixture) for r in range(RESTARTS)]
    return Explored(row_map, sample, weights, rows, paths, dimension)


def choose(found: Explored, seeds: Array, n_seeded: int) -> Number:
    """The number of classes that the seeds of the sample ask for; without two of a class, the most stable one."""
    known = seeds[found.sample]
    if not (np.bincount(known[known >= 0]) > 1).any():
        return number.by_stability(found.paths, n_seeded)
    levels = [label for one in found.paths for label in one]
    return number.read(levels, found.weights, known, n_seeded)


def settle(engine: Any, found: Explored, seeds: Array, n_seeded: int, chosen: Number, pool: Pool) -> Settled:
    """Reveal the seeds on the finest level, claim, and merge down to the chosen number."""
    known = seeds[found.sample]
    component = VonMisesFisher(prior="empirical", dimension=found.dimension)
    mixture = Mixture(engine, found.rows, component, pool, known, n_seeded)
    label, n = settling.claim(found.paths[0][0], found.weights, known, n_seeded, chosen.density)
    counts = np.bincount(seeds[seeds >= 0], minlength=n_seeded)
    room = settling.CAP * counts / max(chosen.density, 1e-9) * len(found.sample) / len(seeds)
    return Settled(*settling.settle(mixture, label, n, chosen.chosen, room))


def learn(
    engine: Any, X: Any, found: Explored, seeds: Array, n_seeded: int, n_kept: int, told: int | None, pool: Pool
) -> tuple[Model, Number, list[Array]]:
    """From what is explored to the end. Of the ``n_kept`` classes with seeds, the first ``n_seeded`` say how many there are.

    ``told`` is the number of classes, if somebody knows it.
    """
    chosen = choose(found, np.where(seeds < n_seeded, seeds, UNLABELLED), n_seeded)
    if told is not None:
        chosen = Number(max(told, n_kept), told, told, "told", chosen.density)
    settled = settle(engine, found, seeds, n_kept, chosen, pool)
    factor = how_sure(engine, found, seeds, n_kept, chosen, pool)
    return finish(engine, X, found, settled, seeds, n_kept, factor, pool), chosen, settled.steps


def how_sure(engine: Any, found: Explored, seeds: Array, n_kept: int, chosen: Number, pool: Pool) -> float:
    """The temperature of posteriors, from a fit of the sample that does not see a third of the seeds.

    Seeds hold their classes in place: while they do, they look surer than rows that nobody labelled.
    """
    known = seeds[found.sample]
    hidden = held_out(known)
    if not len(hidden):
        return 1.0
    fewer = known.copy()
    fewer[hidden] = UNLABELLED
    all_fewer = seeds.copy()
    all_fewer[found.sample[hidden]] = UNLABELLED
    share = np.count_nonzero(fewer >= 0) / np.count_nonzero(known >= 0)
    settled = settle(engine, found, all_fewer, n_kept, chosen._replace(density=share * chosen.density), pool)
    rows = unit(found.rows @ settling.within(found.rows, settled.label, settled.n_classes))
    component = VonMisesFisher(prior="empirical", dimension=effective_dimension(rows))
    mixture = Mixture(engine, rows, component, pool, fewer, n_kept)
    mixture.rest(settled.label, settled.n_classes)
    return temperature(mixture.logs(hidden), known[hidden])


def finish(
    engine: Any, X: Any, found: Explored, settled: Settled, seeds: Array, n_seeded: int, factor: float, pool: Pool
) -> Model:
    """Refine the map by the spread within the classes, and settle all rows there."""
    axes = settling.within(found.rows, settled.label, settled.n_classes)
    row_map = found.row_map.refined(axes)
    # where the sample is everything, its rows are at hand
    rows = unit(found.rows @ axes) if len(found.sample) == len(seeds) else row_map(X, pool)
    start = np.full(len(seeds), UNLABELLED)
    start[found.sample] = settled.label
    return rest(engine, row_map, rows, start, settled.n_classes, seeds, n_seeded, factor, pool)


def rest(
    engine: Any,
    row_map: RowMap,
    rows: Array,
    label: Array,
    n_classes: int,
    seeds: Array,
    n_kept: int,
    factor: float,
    pool: Pool,
) -> Model:
    """Settle all rows for good from these labels; a row without one begins with the class that it is nearest to."""
    dimension = effective_dimension(rows[:: -(-len(rows) // SAMPLE)])
    mixture = Mixture(engine, rows, VonMisesFisher(prior="empirical", dimension=dimension), pool, seeds, n_kept)
    label, left = mixture.rest(_nearest(rows, label, n_classes), n_classes)
    return Model(
        row_map, mixture.component, mixture.engine.stats, mixture.parameters, mixture.calibration(), factor, label, left
    )  # fmt: skip


def take(X: Any, rows: Array) -> Any:
    """Some rows of one matrix, or of each side by side."""
    return tuple(x[rows] for x in X) if isinstance(X, tuple) else X[rows]


def with_rows(found: Explored, more: Array, X: Any, pool: Pool) -> Explored:
    """The same with more rows in the sample, that stand for none but themselves: each joins the nearest class of each level."""
    rows = found.row_map(take(X, more), pool)
    more, rows = more[rows.any(axis=1)], rows[rows.any(axis=1)]
    whole, missing = np.vstack([found.rows, rows]), np.full(len(more), UNLABELLED)
    paths = [[_nearest(whole, np.append(label, missing), int(label.max()) + 1) for label in one] for one in found.paths]
    return replace(
        found, sample=np.append(found.sample, more), weights=np.append(found.weights, 0.0 * more), rows=whole, paths=paths
    )


def _nearest(rows: Array, label: Array, n_classes: int) -> Array:
    """Labels for the rows without one, from the mean directions of those with one."""
    rest = np.flatnonzero(label < 0)
    if not len(rest):
        return label
    label, known = label.copy(), label >= 0
    sums = np.zeros((n_classes, rows.shape[1]))
    np.add.at(sums, label[known], rows[known])
    means = unit(sums)
    for some in np.array_split(rest, -(-len(rest) // 4096)):
        label[some] = (rows[some] @ means.T).argmax(axis=1)
    return label
