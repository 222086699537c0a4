"""Progress on stderr, only where somebody is looking."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from newfound.records import Step

STAGES = {
    "read": "reading",
    "features": "turning text into numbers",
    "classes": "finding classes",
    "self-test": "hiding your classes to see whether they are found again",
    "names": "naming the classes",
    "map": "drawing the map",
    "report": "writing the report",
}
"""What each stage of a fit is called."""


@contextmanager
def bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that hears how many of how many are done; silent when stderr is not a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with _progress(*columns) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, of: progress.update(task, completed=done, total=of)


@contextmanager
def stages() -> Iterator[Callable[[str, Step | None], None]]:
    """A line that hears which stage has begun, and every round of learning: round, classes, log-likelihood of a row's."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.fields[step]}"), TimeElapsedColumn())
    with _progress(*columns) as progress:
        task, rounds = progress.add_task(STAGES["read"], total=None, step=""), 0

        def hear(stage: str, step: Step | None) -> None:
            nonlocal rounds
            rounds = 0 if step is None else rounds + 1
            told = (
                "" if step is None else f"round {rounds}, {step.n_classes} classes, log-likelihood {step.log_likelihood:,.0f}"
            )
            progress.update(task, description=STAGES[stage], step=told)

        yield hear


def _progress(*columns: object) -> Progress:
    return Progress(*columns, console=Console(file=sys.stderr), disable=not sys.stderr.isatty(), transient=True)  # type: ignore[arg-type]
