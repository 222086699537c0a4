"""Figures 1 and 2: confusion matrices, with the introduced classes aligned with the true ones at best."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from newfound import datasets, metrics
from newfound.experiments.plotting import PALETTE, canvas, letter, save
from newfound.experiments.records import Records
from newfound.experiments.runs import Record, Run
from newfound.experiments.table1 import NEWS, SHARE, STAND_IN

Array = NDArray[Any]


class Panel(NamedTuple):
    """One matrix: the fit that it shows, and what stands above it."""

    title: str
    run: Run


def _panel(title: str, dataset: str, seeded: int, **settings: Any) -> Panel:
    return Panel(title, Run(dataset, "em", "kmeans", Run.set(**settings), seeded, SHARE, confusion=True))


FIGURE_1 = {
    name: [
        _panel("stand-in, C5", STAND_IN, 5, criterion=criterion),
        _panel("stand-in, C15", STAND_IN, 15, criterion=criterion),
        _panel("20 News, t = 1", NEWS, 6, criterion=criterion, max_iter=1),
        _panel("20 News, t = 15", NEWS, 6, criterion=criterion, tol=0),
    ]
    for name, criterion in (("SemisupKM", None), ("ExploreKM", "minmax"))
}

FIGURE_2 = {
    name: [_panel(f"{name}-C{seeded}", NEWS, seeded, criterion=name.lower()) for seeded in (5, 10, 15)]
    for name in ("MinMax", "JS")
}


def aligned(table: Array, seeded: Array) -> tuple[Array, Array]:
    """Orders of true and found classes for a picture.

    Seeded classes come first, each beside its own; then the true classes that nobody seeded, beside the introduced
    classes that stand for them when the two are matched one to one at best; and last the introduced classes left over.

    >>> table = np.array([[0, 9, 1], [8, 1, 0]])            # true classes x found classes; class 1 is seeded, as found class 0
    >>> [order.tolist() for order in aligned(table, np.array([1]))]
    [[1, 0], [0, 1, 2]]
    """
    unseeded = np.setdiff1d(np.arange(len(table)), seeded)
    introduced = np.arange(len(seeded), table.shape[1])
    match = metrics.matching(table[np.ix_(unseeded, introduced)]) if len(introduced) and len(unseeded) else introduced * 0 - 1
    beside = {int(c): int(j) for c, j in zip(match, introduced, strict=True) if c >= 0}
    left = [int(j) for c, j in zip(match, introduced, strict=True) if c < 0]
    left.sort(key=lambda j: -int(table[:, j].sum()))
    columns = [*range(len(seeded)), *(beside[c] for c in sorted(beside)), *left]
    return np.r_[seeded, unseeded].astype(int), np.array(columns, dtype=int)


def draw(panels: dict[str, list[Panel]], records: Records, path: Path, height: float) -> None:
    """A picture of named rows of panels."""
    figure, axes = canvas(len(panels), len(next(iter(panels.values()))), height)
    for row, (name, line) in zip(axes, panels.items(), strict=True):
        for axis, panel in zip(row, line, strict=True):
            image = _matrix(axis, panel.title, records[panel.run])
        row[0].set_ylabel(f"{name}\n\ntrue classes")
    for axis in axes[-1]:
        axis.set_xlabel("found classes")
    letter(axes)
    bar = figure.colorbar(image, ax=axes, shrink=0.5, pad=0.02, aspect=30)
    bar.set_label("share of the true class's rows")
    bar.outline.set_visible(False)
    save(figure, path)


def _matrix(axis: Any, title: str, record: Record) -> Any:
    data = datasets.load(record.run.dataset)
    part = datasets.partition(data.labels, record.run.seeded, share=SHARE, seed=record.run.partition)
    names = np.unique(data.labels)
    table = np.array(record.table)
    rows, columns = aligned(table, np.searchsorted(names, part.seeded))
    shares = table[rows][:, columns] / table[rows].sum(axis=1, keepdims=True)
    image = axis.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    for n_classes, line in zip(shares.shape, (axis.axhline, axis.axvline), strict=True):
        if n_classes > len(part.seeded):  # nothing to part where all classes are seeded
            line(len(part.seeded) - 0.5, color=PALETTE["orange"], linewidth=1)
    axis.set_title(f"{title} ({table.shape[1]})")
    axis.set_xticks([])
    axis.set_yticks([])
    axis.spines[:].set(visible=True, color="#BBBBBB")
    return image
