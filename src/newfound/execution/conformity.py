"""How well rows fit their class: what a row that fits none is told from.

A class is estimated from its own rows, so each of them looks at home in it. Statistics can be taken away
again, exactly; so every row of the fit is compared with its class *without* it, as a new row would be.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.components import Summary
from newfound.execution.scan import Scan
from newfound.execution.tables import Table
from newfound.kernels.collect import left_out_scores, overlaps

Array = NDArray[Any]


def fits(scan: Scan, table: Table) -> Array:
    """How well each row fits the class that it is labelled with; an all-zero row fits none."""
    out = np.empty(len(scan))
    for which, block in scan.blocks(table):
        label = scan.label[which]
        score = block.scores[np.arange(len(which)), label] + block.offset[label]
        out[which] = scan.component.fits(score, table.parameters.prior[label], scan.mass[which])
    out[scan.zero] = -np.inf
    return out


def fits_left_out(scan: Scan, table: Table, which: Array) -> Array:
    """How well each of these rows fits its class when the class is estimated without it."""
    stats, label, weight = table.stats, scan.assigned[which].astype(np.int64), scan.weights[which]
    factor, mass = np.ldexp(weight, stats.exponent), scan.mass[which]
    whole, prior = stats.summary(), table.parameters.prior[label]
    overlap, squares = np.empty(len(which)), np.empty(len(which))
    overlaps(*scan.rows.arrays, which, label, factor, stats.sums, overlap, squares)
    norm2 = whole.norm[label] ** 2 + np.ldexp(squares - 2 * overlap, -2 * stats.exponent)
    stays = whole.rows[label] > weight  # else the class is gone with the row
    without = Summary(
        np.where(stays, whole.rows[label] - weight, 0.0),
        np.where(stays, whole.mass[label] - weight * mass, 0.0),
        np.where(stays, np.sqrt(np.maximum(norm2, 0.0)), 0.0),
        whole.n_features,
    )
    recipe = scan.component.weigh(without, prior, table.parameters.shared)
    slope, scores = np.ldexp(recipe.slope, -stats.exponent), np.empty(len(which))
    left_out_scores(
        *scan.rows.arrays, which, label, factor, stats.sums, slope, recipe.intercept, scan.component.log_link, scores
    )
    return scan.component.fits(scores + recipe.offset, prior, mass)
