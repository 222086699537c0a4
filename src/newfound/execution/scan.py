"""The scan of one part: all rows against the classes of an iteration, in parallel.

Scores come from a table, with a bound on their rounding. Rows for which that bound leaves the label, or whether
they fire, in doubt are decided from exact scores. ``opening.py`` goes on from here, where rows open classes.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.components import Component, Statistics
from newfound.components.rows import enter
from newfound.criteria import Block, judge
from newfound.data import UNLABELLED
from newfound.execution.tables import Opened, Table, aligned
from newfound.execution.threads import SHARES, Pool
from newfound.kernels.scan import BLUR, TIE, log_evidence
from newfound.parts import Part

Array = NDArray[Any]

BLOCK = {"sparse": 2048, "dense": 4096}
"""Rows scored at a time: their scores stay in cache."""


class Scan:
    """One part under scan: its normalised rows, and what is known of each row."""

    def __init__(self, part: Part, component: Component, start: int = 0) -> None:
        self.component = component
        self.ids, self.seeds, self.weights = part.ids, part.seeds, part.weights
        self.rows, self.mass, self.largest = enter(part.rows, component.norm, component.negative, type(component).__name__)
        self.start = start  # place of the first row in the order of the fit
        n, every = len(part), np.arange(len(part))
        self.zero = self.rows.scale == 0
        self.relative = component.score == "linear"
        self.counts = ~self.zero & (self.weights > 0)
        self.eligible = self.counts & (self.seeds == UNLABELLED)
        with np.errstate(over="ignore"):  # rows too large to be summed are refused by the engine
            self.reach = (self.rows.lengths(every) + 8.0) * (1.0 if component.norm else self.mass)
        self.label, self.top = np.empty(n, np.int32), np.empty(n)
        self.evidence, self.fires = np.empty(n), np.zeros(n, bool)
        self.baseline = self.label
        self.assigned = np.where(self.weights > 0, self.seeds, UNLABELLED).astype(np.int32)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def block(self) -> int:
        """Rows scored at a time."""
        return BLOCK["dense" if self.rows.indices is None else "sparse"]

    def score(self, table: Table, criterion: Any, pool: Pool) -> Array:
        """Best label and log evidence of every row under these classes; and who fires. Returns the evidence."""
        self.fires[:] = False
        if len(table) == 0:
            self.label[:], self.top[:], self.evidence[:] = UNLABELLED, -np.inf, -np.inf
            self.fires = self.eligible & (criterion is not None)
        else:
            pool.ranges(lambda a, b: self._score(a, b, table, criterion), len(self), self.block)
            self.label[self.seeds >= 0] = self.seeds[self.seeds >= 0]
        return self.weighted(self.evidence)

    def _score(self, first: int, last: int, table: Table, criterion: Any) -> None:
        scratch = aligned((min(self.block, last - first), table.weights.shape[1]), table.weights.dtype)
        for which in self.spans(first, last):
            here = slice(which[0], which[-1] + 1)
            block = self.judged(which, table, None, criterion, self.fires[here], scratch)
            self.label[here], self.top[here] = block[0], block[1]
            self._evidence(which, table, block[2])

    def _evidence(self, which: Array, table: Table, block: Block) -> None:
        out = self.evidence[which[0] : which[-1] + 1]
        if self.relative:
            with np.errstate(divide="ignore"):
                out[:] = np.log(table.mixed(self.rows, which, table.mixture))
        else:
            log_evidence(block.scores, block.n_classes, block.offset, block.best[1], out)

    def judged(
        self, which: Array, table: Table, opened: Opened | None, criterion: Any, fires: Array, scratch: Array
    ) -> tuple[Array, Array, Block]:
        """Score the listed rows and decide: labels, best scores, the block; OUT: who fires.

        Rows that the rounding of the table leaves in doubt are decided from exact scores.
        """
        block = self.scored(which, table, opened, scratch)
        label, top, _, doubt = block.best
        unsure = np.zeros(len(which), bool)
        if criterion is not None:
            fires[:], unsure = judge(criterion, block)
        again = np.flatnonzero(doubt | unsure)
        if len(again):
            label = label.copy()
            asked = block.near(again) | unsure[again, None]
            exact = self.exact(which[again], table, opened, block.scores[again], asked)
            label[again] = exact.best[0]
            if criterion is not None:
                fires[again[unsure[again]]] = judge(criterion, exact)[0][unsure[again]]
        fires &= self.eligible[which]
        return label, top, block

    def scored(self, which: Array, table: Table, opened: Opened | None, scratch: Array) -> Block:
        """Scores against the classes of the iteration and the opened ones, from the tables."""
        scores = scratch[: len(which)]
        table.scores(self.rows, which, scores)
        if opened:
            opened.scores(self.rows, which, scores, len(table))
        return self._block(which, scores, table, opened, self.error(which, table, opened, scores.dtype))

    def exact(
        self,
        which: Array,
        table: Table,
        opened: Opened | None,
        known: Array | None = None,
        asked: Array | None = None,
    ) -> Block:
        """Scores of the listed rows as they are defined; ``known`` scores stand where a class is not ``asked`` of a row."""
        n, m = len(table), len(table) + len(opened or ())
        scores = np.empty((len(which), m)) if known is None else known[:, :m].astype(float)
        asked = np.ones((len(which), m), bool) if asked is None else asked
        table.exact(self.rows, which, asked[:, :n], scores[:, :n])
        if opened:
            opened.exact(self.rows, which, asked[:, n:], scores[:, n:])
        return self._block(which, scores, table, opened, np.zeros(len(which)))

    def spans(self, first: int, last: int) -> Iterator[Array]:
        """The rows from ``first`` to ``last``, as many at a time as are scored together."""
        for start in range(first, last, self.block):
            yield np.arange(start, min(start + self.block, last))

    def blocks(self, table: Table) -> Iterator[tuple[Array, Block]]:
        """All rows with their scores, block by block."""
        scratch = aligned((min(self.block, len(self)), table.weights.shape[1]), table.weights.dtype)
        for which in self.spans(0, len(self)):
            yield which, self.scored(which, table, None, scratch)

    def whole(self) -> bool:
        """Whether all values and weights are whole numbers, which sums hold exactly in any unit up to 1."""
        values = self.component.norm is None and bool((self.rows.data == np.rint(self.rows.data)).all())
        return values and bool((self.weights == np.rint(self.weights)).all())

    def retract(self) -> None:
        """Take the labels of the classes there were, as before ``extend``."""
        self.label[:] = self.baseline

    def posteriors(self, which: Array, table: Table, opened: Opened | None = None) -> Array:
        """Class probabilities of the listed rows, from exact scores."""
        if len(table) + len(opened or ()) == 0:
            return np.empty((len(which), 0))
        return self.exact(which, table, opened).posteriors

    def weighted(self, evidence: Array) -> Array:
        """What each row that counts adds to the log-likelihood."""
        return np.asarray(evidence[self.counts] * self.weights[self.counts])

    def move(self, stats: Statistics, pool: Pool) -> None:
        """Take on the labels of the pass: rows whose label has changed move between the statistics."""
        moved = np.flatnonzero((self.label != self.assigned) & (self.weights > 0))
        left, came = moved[self.assigned[moved] >= 0], moved[self.label[moved] >= 0]
        rows, classes = np.concatenate([left, came]), np.concatenate([self.assigned[left], self.label[came]]).astype(np.int64)
        weights = np.concatenate([-self.weights[left], self.weights[came]])
        self.assigned[moved] = self.label[moved]
        # in order of classes, and each class with one thread, so that no two threads write to the same sums
        order = np.argsort(classes, kind="stable")
        rows, classes, weights = rows[order], classes[order], weights[order]
        shares = np.arange(0, len(rows), max(1, -(-len(rows) // (SHARES * pool.n_jobs))))
        cuts = [*np.unique(np.searchsorted(classes, classes[shares])).tolist(), len(rows)]
        pool.each(lambda a, b: stats.add(self.rows, rows[a:b], classes[a:b], weights[a:b]), list(pairwise(cuts)))

    def _block(self, which: Array, scores: Array, table: Table, opened: Opened | None, error: Array) -> Block:
        parameters = [t.parameters for t in (table, opened) if t]
        prior, offset = np.concatenate([p.prior for p in parameters]), np.concatenate([p.offset for p in parameters])
        zero, tie = self.zero[which], self.tie(table, opened)
        scores[zero] = 1.0  # any legal score: the prior decides
        return Block(self.ids[which], scores, len(prior), offset, error, self.relative, tie, prior, zero)

    def error(self, which: Array, table: Table, opened: Opened | None, dtype: Any) -> Array:
        """A bound on the rounding of sums over each row, in any order (twice the textbook one).

        A product of row and weights is at most ``bound`` for a normalised row, else that times the sum of the row.
        """
        unit = float(np.finfo(dtype).eps)
        if self.relative:
            return np.asarray(self.reach[which] * unit)
        return np.asarray(self.reach[which] * _bound(table, opened) * unit + 4 * np.finfo(float).eps * _offset(table, opened))

    def tie(self, table: Table, opened: Opened | None) -> float:
        """How close scores are tied. Near the cap of a concentration float64 blurs a score by more than the usual margin."""
        return TIE if self.relative else max(TIE, BLUR * _offset(table, opened))


def _bound(table: Table, opened: Opened | None) -> float:
    return max(t.parameters.bound for t in (table, opened) if t)


def _offset(table: Table, opened: Opened | None) -> float:
    """The size of the largest offset of a class that can be chosen."""
    parameters = [t.parameters for t in (table, opened) if t]
    return max(float(np.abs(p.offset[p.prior > 0]).max(initial=0.0)) for p in parameters)
