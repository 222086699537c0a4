"""Progress on stderr, only where somebody is looking."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that hears how many of how many are done; silent when stderr is not a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr), disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, of: progress.update(task, completed=done, total=of)
