"""Rows on entry: what a model can take, and how long it wants its rows."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from newfound.errors import DataError
from newfound.kernels.rows import survey
from newfound.parts import Rows

Array = NDArray[Any]


class Entered(NamedTuple):
    """Rows as a model takes them: normalised, with the sum of sizes of each and the largest size of a value."""

    rows: Rows
    mass: Array
    largest: float


def enter(rows: Rows, norm: str | None, negative: bool, model: str) -> Entered:
    """The same rows, each scaled to length 1 in ``norm`` ("l1", "l2", None); all-zero rows stay zero.

    >>> rows, mass, largest = enter(Rows.of(np.array([[1.0, 3.0], [0.0, 0.0]])), "l1", False, "KMeans")
    >>> rows.dense(0, 2).tolist(), mass.tolist(), largest
    ([[0.25, 0.75], [0.0, 0.0]], [1.0, 0.0], 0.75)
    """
    largest, l1, l2 = (np.empty(len(rows)) for _ in range(3))
    odd, below = survey(rows.indptr, rows.data, largest, l1, l2)
    if odd >= 0:
        raise DataError(
            f"rows must hold finite numbers, but {rows.place(odd)} is {_spell(rows.data[odd])}; drop such rows or fill the gaps"
        )
    if below >= 0 and not negative:
        raise DataError(
            f"Negative values in data passed to {model}, which takes counts or weights of 0 and more: "
            f"{rows.place(below)} is {rows.data[below]:g}; for embeddings use component='vmf'"
        )
    size = {"l1": l1, "l2": l2, None: np.ones(len(rows))}[norm]
    with np.errstate(divide="ignore", over="ignore"):
        scale = np.where(largest > 0, 1 / size, 0.0)
    wild = np.flatnonzero((largest > 0) & ~(np.isfinite(scale) & (scale > 0) & np.isfinite(l1)))
    if len(wild):
        raise DataError(f"row {wild[0]} has values of size {largest[wild[0]]:g}, too far from 1 to be scaled; rescale the rows")
    scaled = Rows(rows.indptr, rows.indices, rows.data, scale, rows.n_features)
    return Entered(scaled, l1 * scale, float((largest * scale).max(initial=0.0)))


def _spell(value: Any) -> str:
    return "NaN" if np.isnan(value) else "inf" if value > 0 else "-inf"
