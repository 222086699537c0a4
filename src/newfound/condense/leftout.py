"""How badly a row must fit to be one that fits no class: read off rows that the map and the classes were made without.

Inside a fit every row looks at home: the map was drawn to its neighbours and made its class round, and with few rows in
many dimensions that is most of what one sees. So some rows are left out, the map and the classes made again from the others
under the labels that were found, and the rows seen as new ones.
"""

from typing import Any

import numpy as np

from newfound.components import Parameters
from newfound.condense import metric
from newfound.condense.mixture import Work
from newfound.condense.rowmap import Array, RowMap, take, unit

PARTS = 10
"""The rows are left out by tenths,"""

ENOUGH = 1_000
"""until so many were."""


def left_out(work: Work, X: Any, seeds: Array, label: Array, parameters: Parameters) -> Array:
    """How well rows that were left out fit the class that they are given; NaN for those that were not."""
    mixed = np.random.default_rng(0).permutation(len(label))
    parts = [part for part in np.array_split(mixed, PARTS) if len(part)]
    parts = parts[: -(-ENOUGH * len(parts) // len(mixed))]

    def one(work: Work, hidden: Array) -> Array:
        return _as_new(work, X, hidden, seeds, label, parameters)

    fits = np.full(len(label), np.nan)
    found = [one(work, parts[0])] if len(parts) == 1 else work.side_by_side(one, parts)
    for part, fit in zip(parts, found, strict=True):
        fits[part] = fit
    return fits


def _as_new(work: Work, X: Any, hidden: Array, seeds: Array, label: Array, parameters: Parameters) -> Array:
    """How well the hidden rows fit when all is made from the others."""
    kept = np.setdiff1d(np.arange(len(label)), hidden)
    if not len(kept):
        return np.full(len(hidden), np.nan)
    row_map = RowMap.fit(take(X, kept), work.pool)
    rows, known = row_map(take(X, kept), work.pool), label[kept]
    if (axes := metric.of_seeds(rows, seeds[kept])) is not None:
        row_map, rows = row_map.refined(axes), unit(rows @ axes)
    axes = metric.of_classes(rows, known)
    row_map, rows = row_map.refined(axes), unit(rows @ axes)
    means = unit(metric.sums(rows, known, len(parameters)))
    cosine = (row_map(take(X, hidden), work.pool) @ means.T).astype(float)
    with np.errstate(divide="ignore"):
        prior = np.log(parameters.prior)
    normaliser = np.max(parameters.offset[parameters.prior > 0] - prior[parameters.prior > 0])
    best = (parameters.shared * cosine + prior).argmax(axis=1)
    return np.asarray(parameters.shared * cosine[np.arange(len(hidden)), best] + normaliser)
