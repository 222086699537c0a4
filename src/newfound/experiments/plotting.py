"""How the figures look: one font size, one palette that colour-blind readers can tell apart, no more ink than needed."""

from pathlib import Path
from string import ascii_lowercase
from typing import Any

from newfound.errors import need
from newfound.experiments.files import writable

WIDTH = 7.0
"""Inches: a page of a journal."""

PALETTE = {"blue": "#0072B2", "orange": "#D55E00", "green": "#009E73", "grey": "#666666"}
"""Okabe and Ito's colours. In grey they are much alike, so lines also differ in their markers and dashes."""

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "svg.hashsalt": "newfound",
}


def canvas(n_rows: int, n_columns: int, height: float, **options: Any) -> tuple[Any, Any]:
    """A figure and its axes, as an array of rows."""
    matplotlib = need("matplotlib", "paper")
    matplotlib.use("Agg")
    matplotlib.rcParams.update(STYLE)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots(n_rows, n_columns, squeeze=False, **options)


def letter(axes: Any) -> None:
    """A letter above each panel, row by row."""
    for name, axis in zip(ascii_lowercase, axes.flat, strict=False):
        axis.set_title(name, loc="left", fontweight="bold")


def save(figure: Any, path: Path) -> None:
    """Write the figure as SVG, without the date, so that the same figure is the same file."""
    figure.savefig(writable(path), format="svg", metadata={"Date": None})
