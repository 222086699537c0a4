"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path

import click

Command = Callable[..., None]


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


download = click.option("--download", is_flag=True, help="Fetch data sets that are not on this machine.")
