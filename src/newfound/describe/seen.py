"""The rows of a fit as they are told of: what was said of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]

SHOWN = 400
"""Characters of a text that are kept to be shown."""


@dataclass(frozen=True)
class Seen:
    """Every row: its id, its text ("" where there is none), the class that the user gave (-1: none), and what was answered.

    Classes are numbers; the first ``n_seeded`` are the user's. ``other`` is the class that comes next (-1: there is none).
    """

    ids: Sequence[str]
    texts: Sequence[str]
    seeds: Array
    label: Array
    probability: Array
    other: Array
    other_probability: Array
    status: Array
    fit: Array
    n_classes: int
    n_seeded: int

    def __len__(self) -> int:
        return len(self.label)

    def shown(self, row: int) -> str:
        """The beginning of a row's text, on one line."""
        text = " ".join(self.texts[row][: 4 * SHOWN].split())
        return text if len(text) <= SHOWN else text[: SHOWN - 1].rstrip() + "…"
