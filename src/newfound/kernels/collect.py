"""The M-step: sums of rows by class in fixed point, and the scan tables made from them."""

from typing import Any

import numpy as np

from newfound.kernels.jit import column, columns, kernel


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


@kernel
def class_sizes(sums: Any, first: int, last: int, mass: Any, squares: Any) -> None:
    """mass[j] and squares[j]: the sum and the sum of squares of class j's sums, in float64."""
    for j in range(first, last):
        total, square = 0.0, 0.0
        for f in range(sums.shape[1]):
            value = np.float64(sums[j, f])
            total += value
            square += value * value
        mass[j], squares[j] = total, square


@kernel
def tabulate(sums: Any, slope: Any, intercept: Any, log_link: Any, first: int, last: int, table: Any, mixture: Any) -> None:
    """Weights of all classes, feature-major, for the features ``first`` to ``last``; and their sum over classes.

    table[f, j] = link(slope[j] * sums[j, f] + intercept[j]); mixture[f] = sum_j table[f, j] in float64
    """
    n_classes = sums.shape[0]
    for block in range(first, last, 64):  # a block of the table stays in cache while classes pass over it
        stop = min(block + 64, last)
        mixture[block:stop] = 0.0
        for j in range(n_classes):
            empty = np.log(intercept[j]) if log_link else intercept[j]
            for f in range(block, stop):
                weight = slope[j] * sums[j, f] + intercept[j]
                if log_link:
                    weight = np.log(weight) if sums[j, f] != 0 else empty
                table[f, j] = weight
                mixture[f] += weight
        table[block:stop, n_classes:] = 0


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
