"""The part of a scan that opens classes, one row at a time in meaning: who opens, who joins, who draws.

If a criterion is monotone (more classes only make a row fire less) the rows that fire against the classes of the
iteration are the only ones that can open; otherwise all rows after the first of them are walked. The walk
decides blocks of rows ahead and goes back to the row after each one that opens; blocks start small and
double, so that at most as many rows are scored in vain as are kept.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.criteria import uniforms
from newfound.data import UNLABELLED
from newfound.errors import ClassExplosionWarning
from newfound.execution.scan import Scan
from newfound.execution.tables import ADVICE, Opened, Table, aligned
from newfound.execution.threads import Pool
from newfound.kernels.scan import join, log_evidence

Array = NDArray[Any]

MANY = 300
"""Opening this many classes in one pass is worth a warning, if the user set no limit."""

FIRST_BLOCK = 32
"""Rows decided ahead after a class was opened."""

SHARED_BLOCK = 256
"""Rows that are worth a thread of their own."""


def resolve(scan: Scan, table: Table, opened: Opened, criterion: Any, room: float, pool: Pool) -> int:
    """Open classes at the rows that fire, in order, while there is room. Returns the number of tests."""
    rows = np.flatnonzero(scan.fires if criterion.monotone else scan.eligible)
    if not criterion.monotone and not opened:  # up to the first row that fires nothing has changed
        firing = np.flatnonzero(scan.fires)
        rows = rows[rows >= (firing[0] if len(firing) else len(scan))]

    def decide(which: Array, scratch: Array) -> Array:
        fires = np.zeros(len(which), bool)
        if len(table) + len(opened) == 0:
            fires[0] = True
        else:
            pool.ranges(
                lambda a, b: scan.judged(which[a:b], table, opened, criterion, fires[a:b], scratch[a:b]),
                len(which),
                SHARED_BLOCK,
            )
        return fires

    untested = int(len(table) + len(opened) == 0 and len(rows) > 0)
    last = walk(scan, rows, table, opened, room, decide)
    return int(scan.eligible[:last].sum()) - untested


def walk(
    scan: Scan,
    rows: Array,
    table: Table,
    opened: Opened,
    room: float,
    decide: Callable[[Array, Array], Array],
    to_the_end: bool = False,
) -> int:
    """Go through the listed rows in order, opening a class wherever ``decide`` says so.

    ``decide`` is asked for a block of rows at a time and must hold up to the first that opens. Returns
    the row after the one that took the last room, unless it is asked ``to_the_end``, or the number of rows.
    """
    at, size = 0, FIRST_BLOCK
    if len(opened) >= room and not to_the_end:
        return 0
    while at < len(rows):
        which = rows[at : at + size]
        scratch = aligned((len(which), table.weights.shape[1] + opened.weights.shape[1] + 16), table.weights.dtype)
        fires = np.flatnonzero(decide(which, scratch))
        if len(fires) == 0:
            at, size = at + len(which), min(2 * size, scan.block)
            continue
        row = int(which[fires[0]])
        posterior = scan.posteriors(np.array([row]), table, opened)[0]
        opened.open(scan.rows, row, int(scan.ids[row]), scan.start + row, posterior)
        if len(opened) == MANY and room == np.inf:
            warnings.warn(f"{MANY} classes opened in one pass; {ADVICE}", ClassExplosionWarning, stacklevel=2)
        if len(opened) >= room and not to_the_end:
            return row + 1
        at, size = at + int(fires[0]) + 1, FIRST_BLOCK
    return len(scan)


def draw(scan: Scan, table: Table, opened: Opened, pick: Any, room: float, stream: tuple[int, int]) -> Array:
    """Draw a class for every unlabelled row, in order, opening classes on the way. Returns the evidence as drawn."""
    drawn, evidence = np.flatnonzero(scan.seeds == UNLABELLED), np.zeros(len(scan))
    scan.label[scan.seeds >= 0] = scan.seeds[scan.seeds >= 0]

    def decide(which: Array, scratch: Array) -> Array:
        n = len(table) + len(opened)
        may_open = scan.eligible[which] & (len(opened) < room)
        if n == 0:
            fires, labels, terms = may_open, np.full(len(which), UNLABELLED), np.zeros(len(which))
        else:
            block = scan.scored(which, table, opened, scratch)
            coins = uniforms(*stream, block.ids)
            fires, labels, terms = pick.draw(block, scan.mass[which], table.stats.sums.shape[1], coins, may_open)
        until = int(np.argmax(fires)) + 1 if fires.any() else len(which)
        scan.label[which[:until]] = np.where(fires[:until], n, labels[:until])
        evidence[which[:until]] = terms[:until]
        return np.asarray(fires)

    walk(scan, drawn, table, opened, room, decide, to_the_end=True)
    return scan.weighted(evidence)


def extend(scan: Scan, table: Table, opened: Opened, pool: Pool) -> Array:
    """Let rows join the classes opened before them. Returns the evidence under all classes."""
    evidence = np.empty(len(scan))
    scan.baseline = scan.label.copy()
    total = table.parameters.prior.sum() + opened.parameters.prior.sum()

    def chunk(first: int, last: int) -> None:
        scratch = aligned((min(scan.block, last - first), opened.weights.shape[1]), opened.weights.dtype)
        for which in scan.spans(first, last):
            evidence[which] = _joined(scan, which, table, opened, scratch) - np.log(total)

    pool.ranges(chunk, len(scan), scan.block)
    scan.label[scan.seeds >= 0] = scan.seeds[scan.seeds >= 0]
    return scan.weighted(evidence)


def _joined(scan: Scan, which: Array, table: Table, opened: Opened, scratch: Array) -> Array:
    scores, offset = scratch[: len(which)], opened.parameters.offset
    opened.scores(scan.rows, which, scores)
    label, top, doubt = scan.label[which], scan.top[which], np.zeros(len(which), bool)
    error = scan.error(which, table, opened, scores.dtype)
    places = scan.start + which
    join(
        scores,
        len(opened),
        offset,
        error,
        scan.relative,
        scan.tie(table, opened),
        opened.born,
        places,
        len(table),
        label,
        top,
        doubt,
    )
    zero = np.flatnonzero(scan.zero[which])
    seen = (opened.born[0] <= places[zero]) & (len(table) == 0)  # elsewhere no opened class has more than the best prior
    label[zero], doubt[zero] = np.where(seen, 0, scan.label[which[zero]]), False
    unsure = np.flatnonzero(doubt)
    if len(unsure):
        exact = scan.exact(which[unsure], table, opened)
        unseen = opened.born[None, :] > places[unsure, None]
        exact.scores[:, len(table) :][unseen] = 0.0 if scan.relative else -np.inf
        label[unsure] = np.where(unseen.all(axis=1) & (len(table) == 0), UNLABELLED, exact.best[0])
    opener = np.isin(places, opened.born)
    label[opener] = len(table) + np.searchsorted(opened.born, places[opener])
    scan.label[which] = label
    if scan.relative:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(table.mixed(scan.rows, which, table.mixture + opened.mixture)))
    most = (scores[:, : len(opened)] + offset).max(axis=1)
    new = np.empty(len(which))
    log_evidence(scores, len(opened), offset, most, new)
    return np.asarray(np.logaddexp(scan.evidence[which], new))
