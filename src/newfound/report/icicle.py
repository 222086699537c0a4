"""From the first clusters to the classes: each class a column, cut at every level into the parts that were not yet merged."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from newfound.describe.account import Account
from newfound.report.charts import reached

Array = NDArray[Any]

LEFT, RIGHT = 50, 1160
"""The columns stand between these; what the lines are is written to their left."""

LINE, THICK = 20, 17
"""A line's height with and without the gap to the next."""

LEVELS = 12
"""No more lines than this: the finest, the last, and some between."""

COLUMNS = 150
"""No more columns than this: beyond it they would be too narrow to see."""

SMALLEST = 1.5
"""Parts narrower than this are drawn together."""

NAMED = 13.5
"""Names need so much room between them."""

LONGEST, SLANT = 24, 3.8
"""Letters of a name, and how far each reaches to the left: names stand at a slant."""


class Column(NamedTuple):
    """A class: its number, its parts as the path of an SVG, where its name goes, and how many letters have room there."""

    which: int
    path: str
    middle: float
    letters: int


class Icicle(NamedTuple):
    """All columns, the numbers of clusters of the lines, and how many classes are left out."""

    columns: list[Column]
    lines: list[tuple[int, int]]
    bottom: int
    left_out: int


def icicle(account: Account, order: Sequence[int]) -> Icicle | None:
    """The columns in an order of likeness. None where there is no history, or nothing was merged."""
    history, n_classes = account.history, len(account.classes)
    if history is None or n_classes < 2 or not history.levels or reached(history, n_classes) < 2:
        return None
    levels = _levels(reached(history, n_classes))
    sizes = np.array([c.size for c in account.classes])
    shown = set(np.argsort(-sizes, kind="stable")[:COLUMNS].tolist())
    kept = [j for j in order if j in shown and sizes[j]]
    lefts, widths = _side_by_side(sizes[kept])
    letters = _letters(lefts + widths / 2, widths)
    columns = [
        Column(j, _path([history.parts[j][at] for at in levels], left, width), round(left + width / 2, 1), n)
        for j, left, width, n in zip(kept, lefts.tolist(), widths.tolist(), letters, strict=True)
    ]
    lines = [(LINE * i, history.levels[at]) for i, at in enumerate(levels)]
    return Icicle(columns, lines, LINE * len(levels), n_classes - len(kept))


def _side_by_side(sizes: Array) -> tuple[Array, Array]:
    """Where each column begins and how wide it is, with small gaps between."""
    gap = min(2.0, 0.3 * (RIGHT - LEFT) / len(sizes))
    widths = (RIGHT - LEFT - gap * (len(sizes) - 1)) * sizes / sizes.sum()
    return LEFT + np.cumsum(widths + gap) - widths - gap, widths


def _levels(reached: int) -> list[int]:
    """Which of the levels are drawn: evenly spread, the first and the last among them."""
    return [int(at) for at in np.unique(np.linspace(0, reached - 1, LEVELS).round())]


def _path(levels: Sequence[Sequence[int]], left: float, width: float) -> str:
    """The parts of a column at each of its levels, and under them the class as it is in the end."""
    return "".join(_line(parts or [1], left, width, LINE * i) for i, parts in enumerate([*levels, [1]]))


def _line(parts: Sequence[int], left: float, width: float, top: int) -> str:
    """Parts side by side, each less a gap, filling the width; those too narrow to see are drawn as one."""
    drawn, x = [], left
    wide = [width * n / sum(parts) for n in parts]
    while wide:
        run = [wide.pop(0)]
        while wide and sum(run) < SMALLEST:
            run.append(wide.pop(0))
        gap = min(1.1, 0.35 * sum(run)) if wide else 0
        drawn.append(f"M{x:.1f} {top}h{sum(run) - gap:.1f}v{THICK}H{x:.1f}z")
        x += sum(run)
    return "".join(drawn)


def _letters(middles: Array, widths: Array) -> list[int]:
    """How many letters of each name have room: none beside a larger class, few at the left edge, to which names lean."""
    taken: list[float] = []
    letters = np.zeros(len(middles), dtype=int)
    for i in np.argsort(-widths, kind="stable"):
        if all(abs(middles[i] - other) >= NAMED for other in taken):
            letters[i] = min(LONGEST, middles[i] // SLANT)
            taken.append(float(middles[i]))
    return [int(n) for n in letters]
