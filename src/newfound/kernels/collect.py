"""The M-step: sums of rows by class in fixed point, and the scan tables made from them."""

from typing import Any

import numpy as np

from newfound.kernels.jit import column, columns, kernel, reduction

TILE = 64, 16
"""Features and classes of a table that are worked out together."""


@kernel
def collect(
    indptr: Any, indices: Any, data: Any, scale: Any, rows: Any, classes: Any, factor: Any, counts: Any, sums: Any
) -> None:
    """Add ``factor * row`` to the sums of its class, rounded to whole numbers, for the listed rows.

    ``factor`` is the weight of the row in units of the fixed point, negative to take the row away.
    Whole numbers add up to the same total in any order.
    """
    for t in range(rows.shape[0]):
        i, j = rows[t], classes[t]
        start, stop, size, units = indptr[i], indptr[i + 1], scale[i], factor[t]
        values, where, total = data[start:stop], columns(indices, start, stop), sums[j]
        counts[j] += np.int64(np.rint(units))
        for v in range(len(values)):
            total[column(where, v)] += np.int64(np.rint((values[v] * size) * units))


@reduction
def class_sizes(sums: Any, first: int, last: int, mass: Any, squares: Any) -> None:
    """mass[j] and squares[j]: the sum and the sum of squares of class j's sums, in float64."""
    for j in range(first, last):
        row, total, square = sums[j], 0.0, 0.0
        for f in range(len(row)):
            value = np.float64(row[f])
            total += value
            square += value * value
        mass[j], squares[j] = total, square


@kernel
def tabulate(sums: Any, slope: Any, intercept: Any, log_link: Any, first: int, last: int, table: Any, mixture: Any) -> None:
    """Weights of all classes for the features ``first`` to ``last``, feature by feature.

    table[f, j] = link(slope[j] * sums[j, f] + intercept[j]); mixture[f] is the sum over classes before the link, in float64.
    The table is padded to whole tiles. A tile of features and classes is turned over at a time, in cache.
    """
    n_classes, tile = sums.shape[0], np.zeros(TILE, table.dtype)
    for start in range(first, last, TILE[0]):
        stop = min(start + TILE[0], last)
        mixed = mixture[start:stop]
        mixed[:] = 0
        for block in range(0, table.shape[1], TILE[1]):
            filled = min(TILE[1], n_classes - block)
            if filled < TILE[1]:
                tile[:] = 0
            for t in range(filled):
                row, a, b = sums[block + t, start:stop], slope[block + t], intercept[block + t]
                for f in range(len(row)):
                    weight = a * row[f] + b
                    tile[f, t] = weight
                    mixed[f] += weight
                if log_link:
                    empty = np.log(b)
                    for f in range(len(row)):  # most sums are 0, and share one logarithm
                        tile[f, t] = empty if row[f] == 0 else np.log(a * row[f] + b)
            for f in range(stop - start):
                for t in range(TILE[1]):
                    table[start + f, block + t] = tile[f, t]


@kernel
def overlaps(
    indptr: Any,
    indices: Any,
    data: Any,
    scale: Any,
    rows: Any,
    classes: Any,
    factor: Any,
    sums: Any,
    overlap: Any,
    squares: Any,
) -> None:
    """The product of each row with the sums of its class, and with itself, in squared units of the fixed point."""
    for t in range(rows.shape[0]):
        i, j = rows[t], classes[t]
        start, stop, both, own = indptr[i], indptr[i + 1], 0.0, 0.0
        values, where = data[start:stop], columns(indices, start, stop)
        for v in range(len(values)):
            value = np.rint((values[v] * scale[i]) * factor[t])
            both += value * sums[j, column(where, v)]
            own += value * value
        overlap[t], squares[t] = both, own


@kernel
def left_out_scores(
    indptr: Any, indices: Any, data: Any, scale: Any, rows: Any, classes: Any, factor: Any, sums: Any,
    slope: Any, intercept: Any, log_link: Any, out: Any,
) -> None:  # fmt: skip
    """The score of each row in its class, by a recipe of its own, once the row is taken out of the sums."""
    for t in range(rows.shape[0]):
        i, j = rows[t], classes[t]
        start, stop, total = indptr[i], indptr[i + 1], 0.0
        values, where = data[start:stop], columns(indices, start, stop)
        for v in range(len(values)):
            value = values[v] * scale[i]
            rest = sums[j, column(where, v)] - np.rint(value * factor[t])
            weight = slope[t] * rest + intercept[t]
            total += value * (np.log(weight) if log_link else weight)
        out[t] = total
