"""What a page is given besides the account: the rows on its map, and what it is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.errors import DataError

Array = NDArray[Any]

PLAIN, SEED, ABSTAIN = 0, 1, 2
"""The status of a row on the map: neither of the others, labelled by the user, fits no class well."""


@dataclass(frozen=True)
class Points:
    """The rows on the map: where each lies, its class (a position in ``account.classes``), how probable that is, and its text.

    >>> Points([0.5, 1], [0, 2], which=[0, 0], probability=[0.9, 1], status=[PLAIN, SEED], text=["a", "b"]).x
    array([0.5, 1. ])

    Texts may be empty, where the user had only vectors; ``None`` stands for that too. ``reading`` says in a sentence or two
    what it means to lie somewhere, unless it is just that like rows lie together.
    """

    x: Array
    y: Array
    which: Array
    probability: Array
    status: Array
    text: Sequence[str] | None = None
    reading: str = ""

    def __post_init__(self) -> None:
        for name, kind in {"x": float, "y": float, "which": int, "probability": float, "status": int}.items():
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=kind))
        texts = [""] * len(self.x) if self.text is None else list(self.text)
        object.__setattr__(self, "text", texts)
        lengths = {len(self.x), len(self.y), len(self.which), len(self.probability), len(self.status), len(texts)}
        if len(lengths) > 1:
            raise DataError(f"every row on the map needs all of its parts; their lengths are {sorted(lengths)}")
        if not (np.isfinite(self.x).all() and np.isfinite(self.y).all() and np.isfinite(self.probability).all()):
            raise DataError("places on the map and probabilities must be finite; leave the other rows out")

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True)
class About:
    """What the page is called and of what run it is. ``noun`` is what a row is, in the plural.

    >>> About("tickets.csv", "18 November 2026", noun="messages").noun
    'messages'

    ``settings`` are shown in their order; ``digest`` says which input was read, ``labels`` where every row's label is kept,
    ``command`` what to run next. What is empty is left out.
    """

    title: str
    date: str = ""
    noun: str = "rows"
    settings: tuple[tuple[str, str], ...] = ()
    version: str = ""
    digest: str = ""
    labels: str = ""
    command: str = ""
