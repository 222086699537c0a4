"""The engine for one machine: parts in memory, kernels on threads."""

import hashlib
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.components import Component, Parameters, Statistics
from newfound.components.base import exponent_for
from newfound.criteria import uniforms
from newfound.data import UNLABELLED
from newfound.execution.conformity import fits_left_out
from newfound.execution.scan import Scan
from newfound.execution.tables import Opened, Table
from newfound.execution.threads import Pool
from newfound.kernels.collect import class_sizes
from newfound.parts import Part

Array = NDArray[Any]


class Local:
    """Runs the three moves on this machine, over one part or, in a subclass with ``rows_per_part``, several.

    ``past`` are statistics of earlier batches: they count in every M-step and never change.
    """

    rows_per_part: int | None = None

    def __init__(self, whole: Part, component: Component, n_classes: int, pool: Pool, past: Statistics | None = None) -> None:
        self.component, self.pool = component, pool
        self.scans, start = [], 0
        for part in whole.cut(self.rows_per_part):
            self.scans.append(Scan(part, component, start))
            start += len(part)
        self.n_features = whole.rows.n_features
        self._buffer: Array | None = None  # one table lives at a time, and its memory is used again
        self.n_rows = math.fsum(float(s.weights[s.counts].sum()) for s in self.scans)
        self.stats = self._first(n_classes, past)

    def _first(self, n_classes: int, past: Statistics | None) -> Statistics:
        """The statistics before the first pass: those of the past, and of the seeds."""
        weight = math.fsum(float(s.weights.sum()) for s in self.scans)
        self.total_weight = weight + (0.0 if past is None else past.weight())
        largest = max(s.largest for s in self.scans)
        if past is None:
            stats = Statistics.empty(n_classes, self.n_features, exponent_for(weight, largest))
        else:
            stats = past.rescaled(exponent_for(self.total_weight, largest)).copy()
        for scan in self.scans:
            seeded = np.flatnonzero(scan.assigned >= 0)
            stats.add(scan.rows, seeded, scan.assigned[seeded].astype(np.int64), scan.weights[seeded])
        return stats

    def maximise(self) -> Parameters:
        """Parameters from the statistics as they are."""
        n = len(self.stats.rows)
        mass, squares = np.empty(n), np.empty(n)
        self.pool.ranges(lambda a, b: class_sizes(self.stats.sums, a, b, mass, squares), n)
        return self.component.maximise(self.stats.summarise(mass, squares))

    def table(self, parameters: Parameters, exact: bool = False) -> Table:
        """Parameters made ready for scanning; ``exact`` asks for float64 whatever the score."""
        table = Table(self.component, self.stats, parameters, table_dtype(self.component, exact), self.pool, self._buffer)
        self._buffer = table.weights
        return table

    def score(self, table: Table, criterion: Any) -> float:
        """Label every row by these classes and see who fires. Returns the log-likelihood."""
        return _total([scan.score(table, criterion, self.pool) for scan in self.scans])

    def resolve(self, table: Table, criterion: Any, room: float) -> tuple[Opened, int]:
        """The classes that rows open, in order, and the number of rows tested."""
        opened, tests = Opened(table), 0
        for scan in self.scans:
            tests += scan.resolve(table, opened, criterion, room, self.pool)
        return opened, tests

    def extend(self, table: Table, opened: Opened) -> float:
        """Let rows join the opened classes. Returns the log-likelihood under all classes."""
        return _total([scan.extend(table, opened, self.pool) for scan in self.scans])

    def retract(self) -> None:
        """Undo ``extend``: every row keeps its label among the classes there were."""
        for scan in self.scans:
            scan.retract()

    def draw(self, table: Table, pick: Any, max_classes: float, stream: tuple[int, int]) -> tuple[Opened, float]:
        """Draw a class for every unlabelled row. Returns the opened classes and the evidence of the rows as drawn."""
        opened = Opened(table)
        terms = [scan.draw(table, opened, pick, lambda n: n >= max_classes, stream) for scan in self.scans]
        return opened, _total(terms)

    def start_at(self, places: Array) -> tuple[Table, Opened]:
        """Begin with a class more for each of these rows, as if the row had opened it."""
        seeded = self.table(self.maximise(), exact=True)
        opened = Opened(seeded)
        for place in places.tolist():
            scan = next(s for s in reversed(self.scans) if s.start <= place)
            row = np.array([place - scan.start])
            opened.open(scan.rows, int(row[0]), int(scan.ids[row[0]]), place, scan.posteriors(row, seeded)[0])
        n_seeded, whole = len(seeded), self.stats.grow(len(opened))
        self.stats = self.stats.grow(len(opened))
        whole.rows[n_seeded:], whole.sums[n_seeded:] = opened.stats.rows[: len(opened)], opened.stats.sums[: len(opened)]
        parameters = self.component.normalised(seeded.parameters.extended(opened.parameters))
        return Table(self.component, whole, parameters, table_dtype(self.component), self.pool), opened

    def assign(self, n_classes: int, seed: int) -> None:
        """Give every unlabelled row one of the classes at random."""
        for scan in self.scans:
            some = (uniforms(seed, 0, scan.ids) * n_classes).astype(np.int32)
            scan.label[:] = np.where(scan.seeds >= 0, scan.seeds, some)

    def calibration(self, table: Table, most: int) -> Array:
        """How well up to ``most`` rows fit their classes when left out of them, in increasing order."""
        step = max(1, -(-sum(map(len, self.scans)) // most))
        terms = []
        for scan in self.scans:
            which = np.flatnonzero(scan.counts & (scan.assigned >= 0) & ((scan.start + np.arange(len(scan))) % step == 0))
            terms.append(fits_left_out(scan, table, which))
        return np.sort(np.concatenate(terms))

    def collect(self, n_new: int) -> None:
        """Move rows between the statistics as their labels have moved, with ``n_new`` classes more."""
        if n_new:
            self.stats = self.stats.grow(n_new)
        for scan in self.scans:
            scan.move(self.stats, self.pool)

    def drop_empty(self, n_kept: int) -> Array:
        """Forget classes from ``n_kept`` on that hold no rows. Returns the numbers of those that live."""
        lives = (self.stats.rows > 0) | (np.arange(len(self.stats.rows)) < n_kept)
        kept = np.flatnonzero(lives)
        if len(kept) < len(lives):
            self.stats = self.stats.take(kept)
            number = np.append(np.where(lives, np.cumsum(lives) - 1, UNLABELLED), UNLABELLED).astype(np.int32)
            for scan in self.scans:
                scan.assigned, scan.label = number[scan.assigned], number[scan.label]
        return kept

    def signature(self) -> bytes:
        """A fingerprint of the labels that the statistics hold."""
        digest = hashlib.blake2b(digest_size=16)
        for scan in self.scans:
            digest.update(scan.assigned.tobytes())
        return digest.digest()

    def labels(self) -> Array:
        """The labels of the last pass, in the order of the rows."""
        return np.concatenate([scan.label for scan in self.scans])


def table_dtype(component: Component, exact: bool = False) -> Any:
    """float32 decides linear scores but for a few rows; logs need float64, and so does whoever reads posteriors."""
    return np.float32 if component.score == "linear" and not exact else np.float64


def _total(terms: list[Array]) -> float:
    """The sum, correctly rounded, so that it does not depend on the parts."""
    return math.fsum(term for part in terms for term in part.tolist())
