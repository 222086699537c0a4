"""Records over partitions as one number: mean and spread, and whether one setting beats another."""

from collections.abc import Sequence
from statistics import mean, median, stdev
from typing import NamedTuple

from scipy.stats import ttest_rel

from newfound.experiments.runs import Record


class Cell(NamedTuple):
    """The same setting on several partitions."""

    records: Sequence[Record]

    def all(self, measure: str = "f1") -> list[float]:
        """The measure on each partition; shares in %."""
        return [r.scores[measure] * (1 if measure == "classes" else 100) for r in self.records]

    def mean(self, measure: str = "f1") -> float:
        """The mean over the partitions."""
        return mean(self.all(measure))

    def spread(self, measure: str = "f1") -> float:
        """The standard deviation over the partitions."""
        return stdev(self.all(measure)) if len(self.records) > 1 else 0.0

    def seconds(self) -> float:
        """The median time of a fit."""
        return median(r.seconds for r in self.records)

    def refused(self) -> int:
        """In how many fits selection refused the classes of a pass."""
        return sum(r.refused for r in self.records)

    def text(self, measure: str = "f1", sign: str = "") -> str:
        """Mean and spread, as in "52.0 ±10.3 ++"."""
        return f"{self.mean(measure):.1f} ±{self.spread(measure):.1f}{sign and ' ' + sign}"


def mark(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """The paper's marks from a paired t-test: ++ or -- at 0.05, + or - at 0.1, nothing otherwise.

    >>> mark([3.0, 4.1, 5.0], [1.0, 2.0, 3.1]), mark([1.0, 5.0], [2.0, 4.0]), mark([1.0, 2.0], [1.0, 2.0])
    ('++', '', '')
    """
    gaps = [a - b for a, b in zip(ours, theirs, strict=True)]
    if len(set(gaps)) < 2:  # no spread, so no test; the same gap everywhere is as sure as can be
        return "" if gaps[0] == 0 else ("++" if gaps[0] > 0 else "--")
    p = float(ttest_rel(ours, theirs).pvalue)
    sign = "+" if mean(gaps) > 0 else "-"
    return sign * 2 if p < 0.05 else sign if p < 0.1 else ""
