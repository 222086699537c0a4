"""What a fit leaves behind: one record per iteration, one per class opened, and why it stopped."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from newfound.components import Parameters

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
