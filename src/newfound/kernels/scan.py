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

from newfound.kernels.jit import column, columns, kernel, reduction
from newfound.kernels.vector import accumulate_1, accumulate_2, accumulate_4, accumulate_8

TIE = 1e-9
"""Scores this close are tied: relative for linear scores, absolute in logs. The lowest class wins."""

BLUR = 16 * float(np.finfo(float).eps)
"""Logs that are sums of terms of size s can come out this much times s apart though they are equal: tied as well."""

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
    sums: Any, slope: Any, intercept: Any, log_link: Any, asked: Any, scores: Any,
) -> None:  # fmt: skip
    """The definition of a score, in float64, straight from the statistics: columns in order, no table.

    weight[j, f] = link(slope[j] * sums[j, f] + intercept[j]); scores[i, j] = sum_f x[i, f] weight[j, f], where asked.
    """
    for j in range(sums.shape[0]):
        empty = np.log(intercept[j]) if log_link else intercept[j]
        for i in range(rows.shape[0]):
            if not asked[i, j]:
                continue
            start, stop, size, total = indptr[rows[i]], indptr[rows[i] + 1], scale[rows[i]], 0.0
            values, where = data[start:stop], columns(indices, start, stop)
            for t in range(len(values)):
                here = sums[j, column(where, t)]
                weight = empty
                if here != 0:
                    weight = slope[j] * here + intercept[j]
                    if log_link:
                        weight = np.log(weight)
                total += (values[t] * size) * weight
            scores[i, j] = total


@reduction
def products(indptr: Any, indices: Any, data: Any, scale: Any, rows: Any, vector: Any, out: Any) -> None:
    """out[i] = row i . vector, in float64."""
    for i in range(rows.shape[0]):
        start, stop, total = indptr[rows[i]], indptr[rows[i] + 1], 0.0
        values, where = data[start:stop], columns(indices, start, stop)
        for t in range(len(values)):
            total += values[t] * vector[column(where, t)]
        out[i] = total * scale[rows[i]]


@kernel
def scale_rows(scores: Any, scale: Any) -> None:
    """Multiply each row of scores by the scale of its row."""
    for i in range(scores.shape[0]):
        size = scores.dtype.type(scale[i])
        for j in range(scores.shape[1]):
            scores[i, j] *= size


@kernel
def extremes(scores: Any, offset: Any, n_classes: int) -> Any:
    """Largest and smallest score of one row; four at a time, since each comparison waits for the one before."""
    h0 = h1 = h2 = h3 = l0 = l1 = l2 = l3 = scores[0] + offset[0]
    whole = n_classes // 4 * 4
    for j in range(0, whole, 4):
        a, b = scores[j] + offset[j], scores[j + 1] + offset[j + 1]
        c, d = scores[j + 2] + offset[j + 2], scores[j + 3] + offset[j + 3]
        h0, h1, h2, h3 = a if a > h0 else h0, b if b > h1 else h1, c if c > h2 else h2, d if d > h3 else h3
        l0, l1, l2, l3 = a if a < l0 else l0, b if b < l1 else l1, c if c < l2 else l2, d if d < l3 else l3
    for j in range(whole, n_classes):
        a = scores[j] + offset[j]
        h0, l0 = a if a > h0 else h0, a if a < l0 else l0
    return max(max(h0, h1), max(h2, h3)), min(min(l0, l1), min(l2, l3))


@kernel
def best(
    scores: Any, n_classes: int, offset: Any, error: Any, relative: Any, tie: float, label: Any, top: Any, low: Any, doubt: Any
) -> None:
    """Best class, best and worst score of each row (OUT: the last four arrays).

    The label is the lowest class tied with the best. A row is in doubt if a second class comes
    close enough to the best that the error could change that.
    """
    for i in range(label.shape[0]):
        top[i], low[i] = extremes(scores[i], offset, n_classes)
        margin = tie * top[i] if relative else tie
        slack = 2 * error[i] * top[i] if relative else 2 * error[i]
        bar, near = scores.dtype.type(top[i] - margin - slack), 0
        for j in range(n_classes):
            near += scores[i, j] + offset[j] >= bar
        winner = 0
        while winner < n_classes - 1 and scores[i, winner] + offset[winner] < top[i] - margin:
            winner += 1
        label[i], doubt[i] = winner, near > 1 and error[i] > 0


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
def phi(r: float) -> float:
    """What a class of posterior r / k adds to k times the divergence from uniform."""
    if r <= 1e-300:
        return FLAT
    return (r * math.log(2 * r / (1 + r)) + math.log(2 / (1 + r))) / 2


@reduction
def flat(
    scores: Any, n_classes: int, offset: Any, error: Any, relative: Any, limit: float, top: Any, fires: Any, doubt: Any
) -> None:
    """fires[i]: k times the Jensen-Shannon divergence of row i from uniform is below ``limit``.

    k JS(u, p) = sum_j phi(r_j), r_j = k p_j. Each term lies between 1/4 and ln(2)/2 of (r - 1)^2 / (r + 1), which costs no
    logarithm and settles most rows. An error e in the log of each score moves the sum by at most k e
    (r |ln(2r / (1 + r))| < r ln 2 + 1/4, half of it counts, and the error enters twice); we allow 2 k e.
    """
    ratios = np.empty(n_classes)
    for i in range(fires.shape[0]):
        total, spread, sum_phi, ruled_out = 0.0, 0.0, 0.0, 0
        bar, slack = limit * (1 - TIE), 2 * n_classes * error[i] + TIE * TIE
        for j in range(n_classes):
            s = np.float64(scores[i, j]) + offset[j]
            if relative:
                ratios[j] = s
            elif s - top[i] > -NEGLIGIBLE:
                ratios[j] = math.exp(s - top[i])
            else:
                ratios[j] = 0.0
                ruled_out += 1
                if FLAT * ruled_out > bar + slack:
                    break
            total += ratios[j]
        doubt[i] |= error[i] > 0.1
        if FLAT * ruled_out > bar + slack:
            fires[i] = False
            continue
        for j in range(n_classes):
            ratios[j] *= n_classes / total
            spread += (ratios[j] - 1) * (ratios[j] - 1) / (ratios[j] + 1)
        if FLAT * spread < bar - slack:
            fires[i] = True
        elif spread / 4 > (bar + slack) * (1 + TIE):
            fires[i] = False
        else:
            for j in range(n_classes):
                sum_phi += phi(ratios[j])
            fires[i] = sum_phi < bar
            doubt[i] |= error[i] > 0 and abs(sum_phi - bar) < slack


@kernel
def divergence(posteriors: Any, out: Any) -> None:
    """out[i] = JS(u, posteriors[i]), in nats."""
    for i in range(out.shape[0]):
        k, total = posteriors.shape[1], 0.0
        for j in range(k):
            total += phi(k * posteriors[i, j])
        out[i] = total / k


@kernel
def join(
    scores: Any, n_classes: int, offset: Any, error: Any, relative: Any, tie: float, born: Any, rows: Any,
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
        margin = tie * high if relative else tie
        slack = 2 * error[i] * high if relative else 2 * error[i]
        near, winner = int(top[i] >= high - margin - slack), label[i]
        for j in range(n_classes - 1, -1, -1):
            if born[j] <= rows[i]:
                s = np.float64(scores[i, j]) + offset[j]
                near += s >= high - margin - slack
                winner = first + j if s >= high - margin and top[i] < high - margin else winner
        label[i], top[i], doubt[i] = winner, high, near > 1
