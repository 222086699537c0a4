"""Parameters made ready for scanning: a feature-major table of weights, beside the statistics it stands for."""

import os
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from newfound.components import Component, Parameters, Statistics
from newfound.components.base import exponent_for
from newfound.errors import DataError
from newfound.execution.threads import Pool
from newfound.kernels.collect import tabulate
from newfound.kernels.scan import exact_scores, products, scale_rows, sparse_scores
from newfound.kernels.vector import CACHE_LINE, LANES
from newfound.parts import Rows

Array = NDArray[Any]
Needs = Literal["labels", "likelihood", "posteriors"]

MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2 if hasattr(os, "sysconf") else 2**33
"""What classes opened in one pass may take: half of what the machine has."""

ADVICE = "set max_classes, or a stricter criterion"


class Table:
    """The weights of all classes, for one pass.

    ``weights`` is features x classes, padded to whole vectors: float32 where scores are linear, since a sum without
    cancellation decides nearly every row that way, and float64 where they are logs. ``mixture`` is the
    sum of the weights over classes, whose product with a row is the evidence of a linear model.
    """

    def __init__(
        self,
        component: Component,
        stats: Statistics,
        parameters: Parameters,
        dtype: Any,
        pool: Pool,
        buffer: Array | None = None,
    ) -> None:
        self.component, self.stats, self.parameters = component, stats, parameters
        n_features = stats.sums.shape[1]
        shape = n_features, _padded(len(parameters))
        fits = buffer is not None and buffer.shape == shape and buffer.dtype == dtype
        self.weights = buffer if buffer is not None and fits else aligned(shape, dtype)
        self.mixture = np.zeros(n_features)
        self.fill(pool)

    def __len__(self) -> int:
        return len(self.parameters)

    @property
    def recipe(self) -> tuple[Array, Array, Array, bool]:
        """The statistics and what turns them into weights, for the kernels."""
        slope = np.ldexp(self.parameters.slope, -self.stats.exponent)
        return self.stats.sums, slope, self.parameters.intercept, self.component.log_link

    def fill(self, pool: Pool) -> None:
        """Work the weights out anew."""
        recipe, n_features = self.recipe, len(self.mixture)
        pool.ranges(lambda a, b: tabulate(*recipe, a, b, self.weights, self.mixture), n_features, 256)

    def scores(self, rows: Rows, which: Array, out: Array, first: int = 0) -> None:
        """Write the scores of the listed rows into ``out[:, first:]``; padding may follow the last class."""
        if rows.indices is not None:
            sparse_scores(*rows.arrays, which, self.weights, first, out)
            return
        dense = rows.data.reshape(-1, rows.n_features)[self._dense_index(rows, which)]
        part = out[: len(which), first : first + len(self)]
        scale = rows.scale[which]
        if tame := bool(((scale == 0) | ((scale > 1e-20) & (scale < 1e20))).all()):
            dense = dense.astype(self.weights.dtype, copy=False)
        else:  # float32 could not hold the values before they are scaled
            dense = (dense * scale[:, None]).astype(self.weights.dtype)
        np.matmul(dense, self.weights[:, : len(self)], out=part)
        if tame:
            scale_rows(part, scale)

    def exact(self, rows: Rows, which: Array, asked: Array, out: Array) -> None:
        """Write the scores of the listed rows as they are defined into ``out``, for the classes asked of each."""
        exact_scores(*rows.arrays, which, *self.recipe, asked, out)

    def mixed(self, rows: Rows, which: Array, mixture: Array) -> Array:
        """The product of the listed rows with a mixture of weights."""
        out = np.empty(len(which))
        products(*rows.arrays, which, mixture, out)
        return out

    @staticmethod
    def _dense_index(rows: Rows, which: Array) -> Any:
        start = int(rows.indptr[0]) // max(rows.n_features, 1)
        if len(which) and which[-1] - which[0] == len(which) - 1:
            return slice(start + int(which[0]), start + int(which[-1]) + 1)
        return start + which


class Opened(Table):
    """The classes opened during a pass, each known by one row."""

    def __init__(self, base: Table, largest: float) -> None:
        self.base = base
        empty = Statistics.empty(0, base.stats.sums.shape[1], exponent_for(max(1.0, largest)))
        super().__init__(base.component, empty, base.parameters.take(np.zeros(0, int)), base.weights.dtype, Pool(1))
        self._column, self._mixture = np.empty((len(self.mixture), LANES)), np.empty(len(self.mixture))
        self.born = np.zeros(0, np.int64)
        self.rows: list[int] = []
        self.posteriors: list[Array] = []

    def open(self, rows: Rows, which: int, row: int, position: int, posterior: Array) -> None:
        """Open a class at a row: its number, its place in the order, and its posterior until now."""
        alone = Statistics.of(rows.slice(which, which + 1), np.zeros(1, int), 1, self.stats.exponent)
        new = self.component.open(alone.summary(), self.base.parameters)
        self.parameters = self.parameters.extended(new)
        self.born = np.append(self.born, position)
        self.rows.append(row)
        self.posteriors.append(posterior)
        self._append(alone)

    def _append(self, alone: Statistics) -> None:
        j, room = len(self) - 1, len(self.stats.rows)
        if j == room:
            self._check_room(room + max(LANES, room))
            self.stats = self.stats.grow(max(LANES, room))
            wider = aligned((len(self.mixture), len(self.stats.rows)), self.weights.dtype)
            wider[:, :j], wider[:, j:] = self.weights[:, :j], 0
            self.weights = wider
        self.stats.rows[j], self.stats.sums[j] = alone.rows[0], alone.sums[0]
        sums, slope, intercept, log_link = self.recipe
        tabulate(sums[j : j + 1], slope[j:], intercept[j:], log_link, 0, len(self.mixture), self._column, self._mixture)
        self.weights[:, j] = self._column[:, 0]
        self.mixture += self._mixture

    def _check_room(self, n_classes: int) -> None:
        need = n_classes * len(self.mixture) * (8 + self.weights.itemsize)
        if need > MEMORY:
            raise DataError(f"{len(self)} classes opened in one pass and the next fill the memory of this machine; {ADVICE}")

    @property
    def recipe(self) -> tuple[Array, Array, Array, bool]:
        sums, slope, intercept, log_link = super().recipe
        return sums[: len(self)], slope, intercept, log_link


def aligned(shape: tuple[int, int], dtype: Any) -> Array:
    """An empty array that begins on a cache line: vectors that straddle two lines cost two fetches."""
    size = shape[0] * shape[1] * np.dtype(dtype).itemsize
    buffer = np.empty(size + CACHE_LINE, np.uint8)
    start = -buffer.ctypes.data % CACHE_LINE
    return np.asarray(buffer[start : start + size].view(dtype).reshape(shape))


def _padded(n_classes: int) -> int:
    return -(-n_classes // LANES) * LANES
