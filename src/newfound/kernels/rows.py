"""What each row weighs, and the first value that a model cannot take."""

from typing import Any

import numpy as np

from newfound.kernels.jit import kernel


@kernel
def survey(indptr: Any, data: Any, largest: Any, l1: Any, l2: Any) -> tuple[int, int]:
    """Fill the largest size, the sum of sizes and the length of each row (OUT: three arrays).

    Returns the positions in ``data`` of the first value that is not finite and of the first
    negative one, or -1. Squares are taken relative to the largest, so that none over- or underflows.
    """
    odd, negative = -1, -1
    for i in range(indptr.shape[0] - 1):
        top, total = 0.0, 0.0
        for p in range(indptr[i], indptr[i + 1]):
            value = np.float64(data[p])
            if not np.isfinite(value) and odd < 0:
                odd = p
            if value < 0 and negative < 0:
                negative = p
            total += abs(value)
            top = max(top, abs(value))
        squares = 0.0
        if top > 0 and np.isfinite(top):
            for p in range(indptr[i], indptr[i + 1]):
                part = np.float64(data[p]) / top
                squares += part * part
        largest[i], l1[i], l2[i] = top, total, top * np.sqrt(squares)
    return odd, negative
