"""Figures 3 to 6: F1, number of classes and run time, against the seeds and against the concentration."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from newfound import datasets
from newfound.experiments.plotting import PALETTE, canvas, letter, save
from newfound.experiments.records import Records
from newfound.experiments.runs import Run
from newfound.experiments.summary import Cell
from newfound.experiments.table1 import NEWS, SEEDED, SHARE, STAND_IN


class Curve(NamedTuple):
    """A line of a figure: the runs at each x, or the same runs at all of them (``level``)."""

    name: str
    color: str
    marker: str
    runs: Callable[[Any, int], Run]
    level: bool = False
    dashes: str = "-"


class Chart(NamedTuple):
    """Curves over one axis on one data set, and what each panel shows."""

    dataset: str
    xlabel: str
    xs: Sequence[Any]
    curves: Sequence[Curve]
    measures: Sequence[str]
    log: bool = False

    def needs(self, partitions: int) -> list[Run]:
        """Every fit that the chart needs."""
        return [
            curve.runs(x, seed)
            for curve in self.curves
            for x in (self.xs[:1] if curve.level else self.xs)
            for seed in range(partitions)
        ]


def _both(runs: Callable[..., Run], level: bool = False) -> list[Curve]:
    def km(criterion: str | None) -> Callable[[Any, int], Run]:
        return lambda x, seed: runs(x, seed, Run.set(criterion=criterion))

    return [
        Curve("ExploreKM (MinMax)", "blue", "o", km("minmax"), level),
        Curve("SemisupKM", "grey", "s", km(None), level, "--"),
    ]


def _by_classes(dataset: str, xs: Sequence[int]) -> Chart:
    def runs(x: int, seed: int, settings: Any) -> Run:
        return Run(dataset, settings=settings, seeded=x, per_class=5, partition=seed)

    return Chart(dataset, "seeded classes (5 seeds each)", xs, _both(runs), ("f1", "classes"))


def _by_seeds(dataset: str, seeded: int, xs: Sequence[int]) -> Chart:
    def runs(x: int, seed: int, settings: Any) -> Run:
        return Run(dataset, settings=settings, seeded=seeded, per_class=x, partition=seed)

    return Chart(dataset, f"seeds per class ({seeded} seeded classes)", xs, _both(runs), ("f1", "classes"))


def _by_concentration(dataset: str) -> Chart:
    def gibbs(pick: str) -> Callable[[float, int], Run]:
        def runs(x: float, seed: int) -> Run:
            settings = Run.set(pick=pick, concentration=x)
            return Run(dataset, "gibbs", settings=settings, seeded=SEEDED[dataset], share=SHARE, partition=seed)

        return runs

    def flat(x: float, seed: int, settings: Any) -> Run:
        return Run(dataset, settings=settings, seeded=SEEDED[dataset], share=SHARE, partition=seed)

    curves = [
        Curve("Explore-CRP-Gibbs", "orange", "^", gibbs("explore-crp")),
        Curve("CRP-Gibbs", "green", "D", gibbs("crp")),
        *_both(flat, level=True),
    ]
    return Chart(dataset, "concentration", [10.0**e for e in range(-8, -1)], curves, ("f1", "classes", "seconds"), log=True)


FIGURE_3 = [_by_classes(NEWS, (5, 7, 9, 11, 13, 15))]
FIGURE_4 = [_by_classes(STAND_IN, (5, 8, 11, 14, 17, 20)), _by_seeds(STAND_IN, 10, (1, 2, 3, 5, 7))]
FIGURE_5 = [_by_concentration(STAND_IN)]
FIGURE_6 = [_by_concentration(NEWS)]

LABELS = {"f1": "F1 on seeded classes (%)", "classes": "number of classes", "seconds": "run time (SemisupKM = 1)"}


def draw(charts: Sequence[Chart], records: Records, path: Path, partitions: int) -> None:
    """A picture of charts: one panel for each chart and measure, side by side; bands are one standard deviation."""
    panels = [(chart, measure) for chart in charts for measure in chart.measures]
    rows = len(charts)
    figure, axes = canvas(rows, len(panels) // rows, 2.5 * rows + 0.5)
    for axis, (chart, measure) in zip(axes.flat, panels, strict=True):
        for curve in chart.curves:
            _line(axis, chart, curve, measure, records, partitions)
        axis.set_xlabel(chart.xlabel)
        axis.set_ylabel(LABELS[measure])
        if chart.log:
            axis.set_xscale("log")
        else:
            axis.set_xticks(list(chart.xs))
        if measure == "seconds":
            axis.set_yscale("log", subs=[])
            axis.yaxis.get_major_locator().set_params(subs=(1, 2, 5))
            axis.yaxis.set_major_formatter("{x:g}")
        else:
            axis.set_ylim(bottom=0)
            axis.yaxis.get_major_locator().set_params(integer=True)
    letter(axes)
    names = axes.flat[0].get_legend_handles_labels()
    what = datasets.title(charts[0].dataset)
    figure.legend(*names, title=what, loc="outside upper center", ncols=len(charts[0].curves), handlelength=3)
    save(figure, path)


def cell(chart: Chart, curve: Curve, x: Any, records: Records, partitions: int) -> Cell:
    """A point of a curve."""
    return Cell([records[curve.runs(chart.xs[0] if curve.level else x, seed)] for seed in range(partitions)])


def _line(axis: Any, chart: Chart, curve: Curve, measure: str, records: Records, partitions: int) -> None:
    points = [cell(chart, curve, x, records, partitions) for x in chart.xs]
    middle, spread = np.array([_middle(point, measure) for point in points]).T
    if measure == "seconds":  # bare seconds mean little on a shared machine
        middle /= cell(chart, chart.curves[-1], chart.xs[0], records, partitions).seconds()
    color, marker = PALETTE[curve.color], "" if curve.level else curve.marker
    axis.plot(chart.xs, middle, curve.dashes, color=color, marker=marker, label=curve.name)
    if measure != "seconds":
        axis.fill_between(chart.xs, middle - spread, middle + spread, color=color, alpha=0.15, linewidth=0)


def _middle(point: Cell, measure: str) -> tuple[float, float]:
    return (point.seconds(), 0.0) if measure == "seconds" else (point.mean(measure), point.spread(measure))
