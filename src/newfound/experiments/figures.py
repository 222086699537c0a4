"""The six figures of the paper by number: which runs they need, and how they are drawn."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from newfound.errors import SettingError
from newfound.experiments import confusions, curves, text
from newfound.experiments.records import Records
from newfound.experiments.runs import Run


class Figure(NamedTuple):
    """A figure: the fits that it needs and what draws it."""

    runs: Callable[[int], list[Run]]
    draw: Callable[[Records, Path, int], None]


def _matrices(panels: dict[str, list[confusions.Panel]], height: float) -> Figure:
    return Figure(
        lambda partitions: [panel.run for line in panels.values() for panel in line],
        lambda records, path, partitions: confusions.draw(panels, records, path, height),
    )


def _charts(charts: list[curves.Chart]) -> Figure:
    return Figure(
        lambda partitions: [run for chart in charts for run in chart.needs(partitions)],
        partial(curves.draw, charts),
    )


FIGURES = {
    1: _matrices(confusions.FIGURE_1, 3.6),
    2: _matrices(confusions.FIGURE_2, 4.2),
    3: _charts(curves.FIGURE_3),
    4: _charts(curves.FIGURE_4),
    5: _charts(curves.FIGURE_5),
    6: _charts(curves.FIGURE_6),
}
"""``pages/figures.md`` has their captions."""


def figure(number: int) -> Figure:
    """The figure of this number."""
    if number not in FIGURES:
        raise SettingError(f"the paper has figures {min(FIGURES)} to {max(FIGURES)}, and no figure {number}")
    return FIGURES[number]


def page(partitions: int) -> str:
    """All figures in Markdown."""
    return text.page("figures", partitions=partitions)


def name(number: int) -> str:
    """The file of a figure."""
    return f"figure-{number}.svg"
