"""The recommended learner, step by step: map, overshoot, condense, choose, claim, settle, refine.

The costly part, ``Explored``, knows nothing of what the seeds are called: a later fit with other seeds starts from it.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.components import Component, Parameters, Statistics, VonMisesFisher
from newfound.condense import metric, number, path, settling
from newfound.condense.calibrate import HeldOut, folds
from newfound.condense.leftout import left_out
from newfound.condense.mixture import Mixture, Work, effective_dimension
from newfound.condense.number import Number
from newfound.condense.rowmap import RowMap, matrices, take, unit
from newfound.data import UNLABELLED
from newfound.errors import DataError

Array = NDArray[Any]

SAMPLE = 25_000
"""Rows on which the path is made; more rows only settle."""

FINEST = 3.0
"""The finest level has so many times the root of the number of rows, or so many times the seeded classes."""

AT_LEAST = 256
"""But no less than this, or a fifth of the rows: small classes among few rows would have no level of their own."""


NOTHING: Array = np.empty(0)


@dataclass(frozen=True)
class View:
    """Rows in one space, and the path made there."""

    row_map: RowMap
    rows: Array
    dimension: float
    path: list[Array]

    def with_rows(self, more: Array) -> "View":
        """The same with more rows, each in the nearest class of each level."""
        whole, missing = np.vstack([self.rows, more]), np.full(len(more), UNLABELLED)
        path = [_nearest(whole, np.append(label, missing), int(label.max()) + 1) for label in self.path]
        return replace(self, rows=whole, path=path)


@dataclass(frozen=True)
class Explored:
    """A sample of the rows, seen plainly and as the seeds ask for.

    ``sample`` are the numbers of the sample's rows, ``weights`` how many rows of the whole each stands for. How many classes
    there are is read off the ``plain`` view: in the other one seeds of a class are nearer to each other than its other rows.
    """

    sample: Array
    weights: Array
    plain: View
    guided: View


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
    left_out: Array
    held_out: HeldOut
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


def explore(work: Work, X: Any, seeds: Array, n_seeded: int, told: int | None, seed: int) -> Explored:
    """Fit the map and make the paths. ``told`` is the number of classes, if somebody knows it."""
    n = matrices(X)[0].shape[0]
    drawn = np.sort(np.random.default_rng(seed).choice(n, min(n, SAMPLE), replace=False))
    sample = np.union1d(drawn, np.flatnonzero(seeds >= 0))
    weights = np.where(np.isin(sample, drawn), n / len(drawn), 0.0)
    row_map = RowMap.fit(take(X, drawn), work.pool, seed)
    rows = row_map(take(X, sample), work.pool)
    filled = rows.any(axis=1)
    if not filled.any():
        raise DataError("every row is all-zero: there is nothing to learn from")
    sample, weights, rows = sample[filled], weights[filled], rows[filled]
    wanted = max(FINEST * np.sqrt(len(rows)), FINEST * n_seeded, min(AT_LEAST, len(rows) / 5))
    finest = min(max(int(np.clip(wanted, 1, max(len(rows) // 3, 1))), told or 0), len(rows))
    plain = look(work, row_map, rows, finest, np.random.default_rng([seed, 0]))
    return Explored(sample, weights, plain, guide(work, plain, seeds[sample], np.random.default_rng([seed, 1])))


def look(work: Work, row_map: RowMap, rows: Array, finest: int, rng: np.random.Generator) -> View:
    """Make the path of these rows, which ``row_map`` gave."""
    dimension = effective_dimension(rows)
    mixture = Mixture(work, rows, VonMisesFisher(prior="uniform", dimension=dimension))
    return View(row_map, rows, dimension, path.condense(rows, finest, rng, mixture))


def guide(work: Work, plain: View, seeds: Array, rng: np.random.Generator) -> View:
    """The same rows once more, in the metric that the seeds ask for."""
    row_map, rows = bent(plain, seeds)
    return look(work, row_map, rows, int(plain.path[0].max()) + 1, rng)


def bent(plain: View, seeds: Array) -> tuple[RowMap, Array]:
    """Map and rows in the metric that the seeds ask for."""
    axes = metric.of_seeds(plain.rows, seeds)
    return (plain.row_map, plain.rows) if axes is None else (plain.row_map.refined(axes), unit(plain.rows @ axes))


def unseen(work: Work, found: Explored, seeds: Array) -> Explored:
    """The same, as if these had been the only seeds."""
    return replace(found, guided=guide(work, found.plain, seeds[found.sample], np.random.default_rng(0)))


def choose(found: Explored, seeds: Array, n_seeded: int) -> Number:
    """The number of classes that the seeds of the sample ask for; without two of a class, the most stable one."""
    known = seeds[found.sample]
    if not (np.bincount(known[known >= 0]) > 1).any():
        return number.by_stability(found.guided.path, found.plain.path, n_seeded)
    return number.read(found.plain.path, found.weights, known, n_seeded)


def settle(work: Work, found: Explored, seeds: Array, n_seeded: int, chosen: Number) -> Settled:
    """Reveal the seeds on the finest level, claim, and merge down to the chosen number."""
    known, view = seeds[found.sample], found.guided
    component = VonMisesFisher(prior="empirical", dimension=view.dimension)
    mixture = Mixture(work, view.rows, component, known, n_seeded)
    label, n = settling.claim(view.path[0], found.weights, known, n_seeded, chosen.density)
    counts = np.bincount(seeds[seeds >= 0], minlength=n_seeded)
    room = settling.CAP * counts / max(chosen.density, 1e-9) * len(found.sample) / found.weights.sum()
    return Settled(*settling.settle(mixture, label, n, chosen.chosen, room))


def learn(
    work: Work, X: Any, found: Explored, seeds: Array, n_seeded: int, n_kept: int, told: int | None
) -> tuple[Model, Number, list[Array]]:
    """From what is explored to the end. Of the ``n_kept`` classes with seeds, the first ``n_seeded`` say how many there are.

    ``told`` is the number of classes, if somebody knows it.
    """
    chosen = choose(found, np.where(seeds < n_seeded, seeds, UNLABELLED), n_seeded)
    if told is not None:
        chosen = Number(max(told, n_kept), told, told, "told", chosen.density)
    settled = settle(work, found, seeds, n_kept, chosen)
    held_out = hold_out(work, found, seeds, n_kept, chosen)
    model = finish(work, X, found, settled, seeds, n_kept, held_out)
    few, fits = found.sample, np.full(len(seeds), np.nan)
    fits[few] = left_out(work, take(X, few), seeds[few], model.label[few], model.parameters)
    return replace(model, left_out=fits), chosen, settled.steps


def hold_out(work: Work, found: Explored, seeds: Array, n_kept: int, chosen: Number) -> HeldOut:
    """How sure posteriors may be, from fits of the sample that do not see some of the seeds.

    Seeds hold their classes in place: while they do, they look surer than rows that nobody labelled. The finest clusters and
    the number of classes stay those of the whole fit, so what comes out is a little too kind.
    """
    known = seeds[found.sample]

    def asked(work: Work, hidden: Array) -> tuple[Array, Array]:
        fewer, all_fewer = known.copy(), seeds.copy()
        fewer[hidden] = all_fewer[found.sample[hidden]] = UNLABELLED
        share = np.count_nonzero(fewer >= 0) / np.count_nonzero(known >= 0)
        blind = replace(found, guided=replace(found.guided, rows=bent(found.plain, fewer)[1]))
        settled = settle(work, blind, all_fewer, n_kept, chosen._replace(density=share * chosen.density))
        rows = unit(blind.guided.rows @ metric.of_classes(blind.guided.rows, settled.label))
        component = VonMisesFisher(prior="empirical", dimension=effective_dimension(rows))
        mixture = Mixture(work, rows, component, fewer, n_kept)
        mixture.rest(settled.label, settled.n_classes)
        return mixture.logs(hidden), known[hidden]

    return HeldOut.of(work.side_by_side(asked, folds(known)), n_kept)


def finish(work: Work, X: Any, found: Explored, settled: Settled, seeds: Array, n_seeded: int, held_out: HeldOut) -> Model:
    """Refine the map by the spread within the classes, and settle all rows there."""
    axes = metric.of_classes(found.guided.rows, settled.label)
    row_map = found.guided.row_map.refined(axes)
    # where the sample is everything, its rows are at hand
    rows = (
        unit(found.guided.rows @ axes)[np.argsort(found.sample)] if len(found.sample) == len(seeds) else row_map(X, work.pool)
    )
    start = np.full(len(seeds), UNLABELLED)
    start[found.sample] = settled.label
    return rest(work, row_map, rows, start, settled.n_classes, seeds, n_seeded, held_out)


def rest(
    work: Work,
    row_map: RowMap,
    rows: Array,
    label: Array,
    n_classes: int,
    seeds: Array,
    n_kept: int,
    held_out: HeldOut,
    left_out: Array = NOTHING,
) -> Model:
    """Settle all rows for good from these labels; a row without one begins with the class that it is nearest to."""
    dimension = effective_dimension(rows[:: -(-len(rows) // SAMPLE)])
    mixture = Mixture(work, rows, VonMisesFisher(prior="empirical", dimension=dimension), seeds, n_kept)
    label, left = mixture.rest(_nearest(rows, label, n_classes), n_classes)
    return Model(
        row_map, mixture.component, mixture.engine.stats, mixture.parameters, left_out, held_out, label, left
    )  # fmt: skip


def with_rows(work: Work, found: Explored, more: Array, X: Any) -> Explored:
    """The same with more rows in the sample, that stand for none but themselves: each joins the nearest class of each level."""
    rows = found.plain.row_map(take(X, more), work.pool)
    more, rows = more[rows.any(axis=1)], rows[rows.any(axis=1)]
    return replace(
        found,
        sample=np.append(found.sample, more),
        weights=np.append(found.weights, 0.0 * more),
        plain=found.plain.with_rows(rows),
        guided=found.guided.with_rows(found.guided.row_map(take(X, more), work.pool)),
    )


def _nearest(rows: Array, label: Array, n_classes: int) -> Array:
    """Labels for the rows without one, from the mean directions of those with one."""
    rest = np.flatnonzero(label < 0)
    if not len(rest):
        return label
    label, known = label.copy(), label >= 0
    means = unit(metric.sums(rows[known], label[known], n_classes))
    for some in np.array_split(rest, -(-len(rest) // 4096)):
        label[some] = (rows[some] @ means.T).argmax(axis=1)
    return label
