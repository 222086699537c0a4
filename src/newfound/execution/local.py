"""The engine for one machine: parts in memory, kernels on threads."""

import hashlib
import math
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.components import Component, Parameters, Statistics
from newfound.components.base import exponent_for
from newfound.criteria import uniforms
from newfound.data import UNLABELLED
from newfound.errors import DataError
from newfound.execution.conformity import fits_left_out
from newfound.execution.opening import draw, extend, resolve
from newfound.execution.scan import Scan
from newfound.execution.tables import Needs, Opened, Table
from newfound.execution.threads import Pool
from newfound.kernels.collect import class_sizes
from newfound.parts import Part, Rows

Array = NDArray[Any]

FINE = 20
"""A row of the smallest weight must count this many bits in the unit of the sums."""


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
        self.largest = max(s.largest for s in self.scans)
        reach = float(weight) * max(1.0, float(self.largest))
        if past is None:
            self.total_weight = weight
            stats = Statistics.empty(n_classes, self.n_features, exponent_for(reach))
        else:
            self.total_weight = weight + past.weight()
            exponent = exponent_for(reach + max(past.weight(), past.largest()))
            stats = past.rescaled(exponent).copy()
        self._check_fine_enough(stats.exponent)
        for scan in self.scans:
            seeded = np.flatnonzero(scan.assigned >= 0)
            stats.add(scan.rows, seeded, scan.assigned[seeded].astype(np.int64), scan.weights[seeded])
        return stats

    def _check_fine_enough(self, exponent: int) -> None:
        """Refuse weights so far apart that the smallest drown in the unit of the sums; whole numbers cannot."""
        smallest = min(float(s.weights[s.weights > 0].min(initial=np.inf)) for s in self.scans)
        if np.ldexp(smallest, exponent) < 2**FINE and not all(s.whole() for s in self.scans):
            raise DataError(
                f"the smallest weight is {smallest:g}, too far below the total of {self.total_weight:g} "
                "to be summed exactly; leave such rows out or bring the weights closer together"
            )

    def maximise(self) -> Parameters:
        """Parameters from the statistics as they are."""
        n = len(self.stats.rows)
        mass, squares = np.empty(n), np.empty(n)
        self.pool.ranges(lambda a, b: class_sizes(self.stats.sums, a, b, mass, squares), n)
        return self.component.maximise(self.stats.summarise(mass, squares))

    def table(self, parameters: Parameters, needs: Needs = "likelihood") -> Table:
        """Parameters made ready for scanning. Labels are right in any case; what else ``needs`` to be right costs float64."""
        dtype = table_dtype(self.component, parameters, needs, self.scans[0].rows)
        table = Table(self.component, self.stats, parameters, dtype, self.pool, self._buffer)
        self._buffer = table.weights
        return table

    def score(self, table: Table, criterion: Any) -> float:
        """Label every row by these classes and see who fires. Returns the log-likelihood."""
        return _total([scan.score(table, criterion, self.pool) for scan in self.scans])

    def resolve(self, table: Table, criterion: Any, room: float) -> tuple[Opened, int]:
        """The classes that rows open, in order, and the number of rows tested."""
        opened, tests = Opened(table, self.largest), 0
        for scan in self.scans:
            tests += resolve(scan, table, opened, criterion, room, self.pool)
        return opened, tests

    def extend(self, table: Table, opened: Opened) -> float:
        """Let rows join the opened classes. Returns the log-likelihood under all classes."""
        return _total([extend(scan, table, opened, self.pool) for scan in self.scans])

    def retract(self) -> None:
        """Undo ``extend``: every row keeps its label among the classes there were."""
        for scan in self.scans:
            scan.retract()

    def draw(self, table: Table, pick: Any, max_classes: float, stream: tuple[int, int]) -> tuple[Opened, float]:
        """Draw a class for every unlabelled row. Returns the opened classes and the evidence of the rows as drawn."""
        opened = Opened(table, self.largest)
        terms = [draw(scan, table, opened, pick, max_classes - len(table), stream) for scan in self.scans]
        return opened, _total(terms)

    def start_at(self, places: Array, needs: Needs = "likelihood") -> tuple[Table, Opened]:
        """Begin with a class more for each of these rows, as if the row had opened it."""
        seeded = self.table(self.maximise(), "posteriors")
        opened = Opened(seeded, self.largest)
        for place in places.tolist():
            scan = next(s for s in reversed(self.scans) if s.start <= place)
            row = np.array([place - scan.start])
            opened.open(scan.rows, int(row[0]), int(scan.ids[row[0]]), place, scan.posteriors(row, seeded)[0])
        n_seeded, whole = len(seeded), self.stats.grow(len(opened))
        self.stats = self.stats.grow(len(opened))
        whole.sums[n_seeded:] = opened.stats.sums[: len(opened)]
        # sums of single rows have a unit of their own, which goes into the slope
        slope = np.ldexp(opened.parameters.slope, whole.exponent - opened.stats.exponent)
        started = seeded.parameters.extended(replace(opened.parameters, slope=slope))
        parameters = self.component.normalised(started)
        dtype = table_dtype(self.component, parameters, needs, self.scans[0].rows)
        return Table(self.component, whole, parameters, dtype, self.pool), opened

    def place(self, labels: Array, n_classes: int) -> None:
        """Begin anew from these labels of all rows, in their order."""
        self.stats = Statistics.empty(n_classes, self.n_features, self.stats.exponent)
        for scan in self.scans:
            scan.assigned[:] = UNLABELLED
            scan.label[:] = labels[scan.start : scan.start + len(scan)]
        self.collect(0)

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


def table_dtype(component: Component, parameters: Parameters, needs: Needs, rows: Rows) -> Any:
    """float32 decides labels but for a few rows, and linear scores add up to a likelihood; sums of logs and posteriors do not.

    Rows that come as float64 stay so: to cut them would take as long as it saves. Neither does float32 hold very small weights.
    """
    linear = component.score == "linear" and parameters.intercept.min(initial=1.0) > 1e-30 and needs != "posteriors"
    rough = component.score == "log" and rows.indices is None and rows.data.dtype == np.float32 and needs == "labels"
    return np.float32 if linear or rough else np.float64


def _total(terms: list[Array]) -> float:
    """The sum, correctly rounded, so that it does not depend on the parts."""
    return math.fsum(chain.from_iterable(part.tolist() for part in terms))
