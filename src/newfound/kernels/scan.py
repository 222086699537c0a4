"""The E-step: score rows against classes, and read a block of scores.

The scores of a block are ``scores[i, j] = x_i . weight_j`` without the offset of class ``j``. They may be
float32, or come from BLAS in any order of sums; ``error[i]`` bounds how far row ``i`` can be off
(relative to the score if ``relative``, else absolute). A kernel that reads a block therefore gives
its answer and marks the rows where the error leaves it in *doubt*. Those are scored again by
``exact_scores``, the one routine that defines the answer, with error 0.
"""

import math
from typing import Any

import numpy as np

from newfound.kernels.jit import column, kernel, reduction
from newfound.kernels.vector import accumulate_1, accumulate_2, accumulate_4, accumulate_8

TIE = 1e-9
"""Scores this close are tied: relative for linear scores, absolute in logs. The lowest class wins."""

FLAT = math.log(2) / 2
"""What a class of posterior 0 adds to the divergence: ``phi(0)``."""

NEGLIGIBLE = 50.0
"""A log score this far below the best adds nothing to a float64 sum."""


@kernel
def sparse_scores(indptr: Any, indices: Any, data: Any, scale: Any, rows: Any, table: Any, first: Any, scores: Any) -> None:
    """scores[i, first:] = row i . table, for the listed rows (``table``: features x padded classes)."""
    width = table.shape[1]
    end = np.int64(indptr[-1])
    for i in range(rows.shape[0]):
        start, stop, size = np.int64(indptr[rows[i]]), np.int64(indptr[rows[i] + 1]), scale[rows[i]]
        out = scores[:, first:]
        j = np.int64(0)
        while j + 128 <= width:
            accumulate_8(indices, data, start, stop, size, table, j, out, i, end)
            j += 128
        if j + 64 <= width:
            accumulate_4(indices, data, start, stop, size, table, j, out, i, end)
            j += 64
        if j + 32 <= width:
            accumulate_2(indices, data, start, stop, size, table, j, out, i, end)
            j += 32
        if j + 16 <= width:
            accumulate_1(indices, data, start, stop, size, table, j, out, i, end)


@kernel
def exact_scores(
    indptr: Any, indices: Any, data: Any, scale: Any, rows: Any,
    sums: Any, slope: Any, intercept: Any, log_link: Any, scores: Any,
) -> None:  # fmt: skip
    """The definition of a score, in float64, straight from the statistics: columns in order, no table.

    weight[j, f] = link(slope[j] * sums[j, f] + intercept[j]); scores[i, j] = sum_f x[i, f] weight[j, f]
    """
    for j in range(sums.shape[0]):
        empty = np.log(intercept[j]) if log_link else intercept[j]
        for i in range(rows.shape[0]):
            start, size, total = indptr[rows[i]], scale[rows[i]], 0.0
            for p in range(start, indptr[rows[i] + 1]):
                here = sums[j, column(indices, p, start)]
                weight = empty
                if here != 0:
                    weight = slope[j] * here + intercept[j]
                    if log_link:
                        weight = np.log(weight)
                total += (data[p] * size) * weight
            scores[i, j] = total


@reduction
def products(indptr: Any, indices: Any, data: Any, scale: Any, rows: Any, vector: Any, out: Any) -> None:
    """out[i] = row i . vector, in float64."""
    for i in range(rows.shape[0]):
        start, total = indptr[rows[i]], 0.0
        for p in range(start, indptr[rows[i] + 1]):
            total += data[p] * vector[column(indices, p, start)]
        out[i] = total * scale[rows[i]]


@kernel
def scale_rows(scores: Any, scale: Any, rows: Any) -> None:
    """Multiply each row of scores by the scale of its row."""
    for i in range(rows.shape[0]):
        size = scores.dtype.type(scale[rows[i]])
        for j in range(scores.shape[1]):
            scores[i, j] *= size


@kernel
def best(
    scores: Any, n_classes: int, offset: Any, error: Any, relative: Any, label: Any, top: Any, low: Any, doubt: Any
) -> None:
    """Best class, best and worst score of each row (OUT: the last four arrays).

    The label is the lowest class tied with the best. A row is in doubt if a second class comes
    close enough to the best that the error could change that.
    """
    for i in range(label.shape[0]):
        high = np.float64(scores[i, 0]) + offset[0]
        least = high
        for j in range(1, n_classes):
            s = np.float64(scores[i, j]) + offset[j]
            high = s if s > high else high
            least = s if s < least else least
        tie = TIE * high if relative else TIE
        slack = 2 * error[i] * high if relative else 2 * error[i]
        near, winner = 0, n_classes
        for j in range(n_classes - 1, -1, -1):
            s = np.float64(scores[i, j]) + offset[j]
            near += s >= high - tie - slack
            winner = j if s >= high - tie else winner
        label[i], top[i], low[i] = winner, high, least
        doubt[i] = near > 1 and error[i] > 0


@kernel
def log_evidence(scores: Any, n_classes: int, offset: Any, top: Any, out: Any) -> None:
    """out[i] = log sum_j exp(score), given the best score of each row."""
    for i in range(out.shape[0]):
        total = 0.0
        for j in range(n_classes):
            gap = scores[i, j] + offset[j] - top[i]
            if gap > -NEGLIGIBLE:
                total += math.exp(gap)
        out[i] = top[i] + math.log(total)


@kernel
def flat(
    scores: Any, n_classes: int, offset: Any, error: Any, relative: Any, limit: float, top: Any, fires: Any, doubt: Any
) -> None:
    """fires[i]: the Jensen-Shannon divergence of row i from uniform, times k, is below ``limit``.

    k JS(u, p) = sum_j phi(k p_j) with phi(r) = (r ln(2r / (1 + r)) + ln(2 / (1 + r))) / 2 >= 0, so the sum may
    stop as soon as it is over the limit. An error e in the log of each score moves the sum by at
    most k e (sum_j r_j |ln(2 r_j / (1 + r_j))| <= k, half of it counts, and the error enters twice).
    """
    for i in range(fires.shape[0]):
        total = 0.0
        for j in range(n_classes):
            s = np.float64(scores[i, j]) + offset[j]
            if relative:
                total += s
            elif s - top[i] > -NEGLIGIBLE:
                total += math.exp(s - top[i])
        bar = limit * (1 - TIE)
        slack = n_classes * 2 * error[i]
        divergence = 0.0
        for j in range(n_classes):
            s = np.float64(scores[i, j]) + offset[j]
            r = n_classes * (s if relative else math.exp(max(s - top[i], -700.0))) / total
            divergence += FLAT if r <= 1e-300 else (r * math.log(2 * r / (1 + r)) + math.log(2 / (1 + r))) / 2
            if divergence >= bar + slack:
                break
        fires[i] = divergence < bar
        doubt[i] |= abs(divergence - bar) < slack or error[i] > 0.1


@kernel
def divergence(posteriors: Any, out: Any) -> None:
    """out[i] = JS(u, posteriors[i]), in nats."""
    for i in range(out.shape[0]):
        k, total = posteriors.shape[1], 0.0
        for j in range(k):
            r = k * posteriors[i, j]
            total += FLAT if r <= 1e-300 else (r * math.log(2 * r / (1 + r)) + math.log(2 / (1 + r))) / 2
        out[i] = total / k


@kernel
def join(
    scores: Any, n_classes: int, offset: Any, error: Any, relative: Any, born: Any, rows: Any,
    first: int, label: Any, top: Any, doubt: Any,
) -> None:  # fmt: skip
    """Give a row to a class opened before it, where that class scores best.

    Column ``j`` of ``scores`` is the class ``first + j``, opened by row ``born[j]``. IN and OUT: ``label`` and
    ``top``, the best among the older classes. ``doubt`` is set where the error could change the answer.
    """
    for i in range(label.shape[0]):
        if doubt[i]:
            continue
        high = top[i]
        for j in range(n_classes):
            if born[j] <= rows[i]:
                s = np.float64(scores[i, j]) + offset[j]
                high = s if s > high else high
        tie = TIE * high if relative else TIE
        slack = 2 * error[i] * high if relative else 2 * error[i]
        near, winner = int(top[i] >= high - tie - slack), label[i]
        for j in range(n_classes - 1, -1, -1):
            if born[j] <= rows[i]:
                s = np.float64(scores[i, j]) + offset[j]
                near += s >= high - tie - slack
                winner = first + j if s >= high - tie and top[i] < high - tie else winner
        label[i], top[i], doubt[i] = winner, high, near > 1
