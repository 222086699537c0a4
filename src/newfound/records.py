"""What a fit leaves behind: one record per iteration, one per class opened, and why it stopped."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from newfound.components import Parameters
from newfound.execution import Opened

Array = NDArray[Any]


class Step(NamedTuple):
    """What one iteration did. ``score`` is the penalised score after it; lower is better."""

    iteration: int
    n_classes: int
    opened: int
    refused: int
    dropped: int
    log_likelihood: float
    score: float
    seconds: float


class Stop(NamedTuple):
    """Why a fit ended: "converged", "max_iter" or "cycle"; and whether classes could still have been opened."""

    reason: str
    can_add: bool


class Opening(NamedTuple):
    """Why a class exists: the row that opened it, in which iteration, with what posterior over the classes
    there were; and the penalised score without and with the classes of that pass.
    """

    iteration: int
    row: int
    posterior: Array
    score_before: float
    score_after: float


@dataclass
class Fit:
    """Where the loop stands, and what is left at its end."""

    parameters: Parameters
    log_likelihood: float = -np.inf
    can_add: bool = True
    trail: list[Opening] = field(default_factory=list)
    history: list[Step] = field(default_factory=list)
    stop: Stop | None = None
    tests: int = 0
    fired: int = 0


def openings(classes: Opened, iteration: int, before: float = np.nan, after: float = np.nan) -> list[Opening]:
    """The records of the classes opened in one pass."""
    return [Opening(iteration, row, p, before, after) for row, p in zip(classes.rows, classes.posteriors, strict=True)]


def living(trail: Sequence[Opening], kept: Array, n_seeded: int) -> list[Opening]:
    """The trail of the classes that were kept; the first ``n_seeded`` classes have none."""
    return [trail[j - n_seeded] for j in kept if j >= n_seeded]
