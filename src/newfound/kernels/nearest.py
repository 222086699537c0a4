"""The nearest of many rows, from a block of similarities."""

from typing import Any

import numpy as np

from newfound.kernels.jit import kernel


@kernel
def largest(scores: Any, where: Any) -> None:
    """where[i]: the columns of the largest scores of row i, in decreasing order; of equal ones the first comes first."""
    n, width = where.shape
    best = np.empty(width, scores.dtype)
    for i in range(n):
        held = 0
        for j in range(scores.shape[1]):
            score = scores[i, j]
            if held == width and not score > best[width - 1]:
                continue
            t = held if held < width else width - 1
            while t > 0 and best[t - 1] < score:
                best[t], where[i, t] = best[t - 1], where[i, t - 1]
                t -= 1
            best[t], where[i, t] = score, j
            held = min(held + 1, width)
