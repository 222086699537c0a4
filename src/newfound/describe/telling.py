"""All there is to say of a fit, put together."""

from dataclasses import dataclass

import numpy as np

from newfound.describe import names, reasons
from newfound.describe.account import (
    Account,
    ClassAccount,
    Confusion,
    Count,
    Example,
    History,
    Neighbour,
    Origin,
    SelfTest,
    Term,
)
from newfound.describe.examples import borderline, typical, uncertain
from newfound.describe.names import Evidence, Namer
from newfound.describe.seen import Array, Seen
from newfound.describe.terms import Lexicon

TERMS, CONTRASTS = 6, 2
"""Terms told of a class; those that tell it from its nearest class, to either side."""


@dataclass(frozen=True)
class Found:
    """What a fit knows of its classes: their ids, their directions (unit rows), and how they came to be."""

    classes: list[str]
    directions: Array
    count: Count
    origins: dict[int, Origin]
    history: History | None
    confusion: Confusion | None
    self_test: SelfTest | None


@dataclass(frozen=True)
class Shown:
    """What shows a class: its terms, typical and borderline rows, and the class nearest to it."""

    terms: tuple[Term, ...]
    typical: tuple[Example, ...]
    borderline: tuple[Example, ...]
    nearest: Neighbour | None

    def evidence(self, name: str) -> Evidence:
        """The same, for who gives the class a name."""
        typical, borderline = (tuple(one.text for one in rows) for rows in (self.typical, self.borderline))
        if self.nearest is None:
            return Evidence(name, self.terms, typical, borderline)
        return Evidence(name, self.terms, typical, borderline, self.nearest.id, self.nearest.here, self.nearest.there)


def tell(seen: Seen, found: Found, namer: Namer | None = None) -> Account:
    """Name the classes and tell of each what it is, where it ends and why it is there."""
    lexicon = Lexicon.read(seen.texts, np.where(seen.status == "abstain", -1, seen.label), seen.n_classes)
    shown = [_shown(seen, found, lexicon, j) for j in range(seen.n_classes)]
    seeded, new = found.classes[: seen.n_seeded], found.classes[seen.n_seeded :]
    named = names.given([one.evidence(name) for one, name in zip(shown[seen.n_seeded :], new, strict=True)], seeded, namer)
    name = dict(zip(found.classes, [*seeded, *named], strict=True))
    return Account(
        rows=len(seen),
        seeds=int((seen.seeds >= 0).sum()),
        empty=int(np.isneginf(seen.fit).sum()),
        abstained=int((seen.status == "abstain").sum()),
        count=found.count,
        classes=tuple(_class(seen, found, one, name, j) for j, one in enumerate(shown)),
        uncertain=uncertain(seen, found.classes),
        history=found.history,
        confusion=found.confusion,
        self_test=found.self_test,
    )


def _shown(seen: Seen, found: Found, lexicon: Lexicon, j: int) -> Shown:
    rows = np.flatnonzero(seen.label == j)
    sound = rows[seen.status[rows] != "abstain"]
    return Shown(
        lexicon.terms(j, TERMS),
        typical(seen, sound if len(sound) else rows, found.classes),
        borderline(seen, rows, found.classes),
        _neighbour(found, lexicon, j),
    )


def _neighbour(found: Found, lexicon: Lexicon, j: int) -> Neighbour | None:
    cosines = found.directions @ found.directions[j]
    cosines[j] = -np.inf
    near = int(cosines.argmax())
    if near == j:
        return None
    here, there = lexicon.contrast(j, near, CONTRASTS), lexicon.contrast(near, j, CONTRASTS)
    return Neighbour(found.classes[near], round(float(cosines[near]), 4), here, there)


def _class(seen: Seen, found: Found, shown: Shown, name: dict[str, str], j: int) -> ClassAccount:
    own, rows, origin = found.classes[j], seen.label == j, found.origins.get(j)
    size, seeds = int(rows.sum()), int((seen.seeds == j).sum())
    why = reasons.of_new(origin) if origin else reasons.of_seeded(seeds, size, _back(found.confusion, j))
    return ClassAccount(
        own, name[own], origin is not None, size, seeds, int((rows & (seen.status == "abstain")).sum()), why,
        shown.terms, shown.typical, shown.borderline, shown.nearest, origin,
    )  # fmt: skip


def _back(confusion: Confusion | None, j: int) -> tuple[int, int] | None:
    """How many hidden labels of a class came back to it, and how many were hidden."""
    return None if confusion is None else (confusion.counts[j][j], sum(confusion.counts[j]))
