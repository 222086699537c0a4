"""Options that several commands share."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., None]


class Share(click.FloatRange):
    """A number within a range; NaN is in none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is no number", param, ctx)
        return found


def sweep(folder: str) -> Callable[[Command], Command]:
    """What every sweep asks: where to, how many partitions, on how many cores."""
    where = click.Path(file_okay=False, path_type=Path)

    def options(command: Command) -> Command:
        command = click.option("--jobs", default=-1, show_default="all cores", help="Fits made side by side.")(command)
        command = click.option(
            "--partitions", type=click.IntRange(2), default=10, show_default=True, help="Random partitions of each data set."
        )(command)
        return click.option("-o", "--out", type=where, default=folder, show_default=True, help="Folder.")(command)

    return options


seed = click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Of all that is drawn at random."
)
download = click.option("--download", is_flag=True, help="Fetch data sets that are not on this machine.")
run = click.argument("run", type=click.Path(path_type=Path))
encoding = click.option("--encoding", default="utf-8", show_default=True, help="How the text of TABLE is encoded.")
vectors = click.option(
    "--vectors",
    metavar="COLUMN|FILE",
    help="Rows are vectors of your own: a column of lists, a .npy of embeddings, or a .npz of counts (scipy).",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of words; docs/schemas describe it.")
force = click.option("--force", is_flag=True, help="Replace what is there.")
jobs = click.option(
    "--jobs", type=click.IntRange(1), default=None, show_default="all cores", help="Threads; the result is the same."
)
alpha = click.option(
    "--alpha",
    type=Share(0, 1, max_open=True),
    default=0.05,
    show_default=True,
    help="The share of ordinary rows that may be answered with abstain.",
)
