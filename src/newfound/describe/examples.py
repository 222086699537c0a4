"""Rows that show what a class is, where it ends, and which rows a person should look at."""

from collections.abc import Iterable, Iterator

import numpy as np

from newfound.describe.account import Example, Uncertain
from newfound.describe.seen import Array, Seen

EACH = 3
"""Typical and borderline rows of a class."""

UNSURE, UNFIT = 14, 6
"""Rows to look at: those between two classes, and those that fit none."""

SETTLED = 0.8
"""A row with a more probable class than this is not borderline."""

LOOKED_AT = 300
"""Rows of a class that are looked through for distinct ones."""


def typical(seen: Seen, rows: Array, classes: list[str]) -> tuple[Example, ...]:
    """Of these rows of a class, those that fit it best; rows of the same words once."""
    return tuple(
        _example(seen, row, classes) for row in _distinct(seen, rows[np.argsort(-seen.fit[rows], kind="stable")], EACH)
    )


def borderline(seen: Seen, rows: Array, classes: list[str]) -> tuple[Example, ...]:
    """Of these rows of a class, those that were nearly another one's; seeds and rows that fit nothing tell nothing of that."""
    free = (seen.seeds[rows] < 0) & (seen.status[rows] != "abstain") & (seen.other[rows] >= 0)
    rows = rows[free & (seen.probability[rows] < SETTLED)]
    return tuple(
        _example(seen, row, classes) for row in _distinct(seen, rows[np.argsort(_margin(seen)[rows], kind="stable")], EACH)
    )


def uncertain(seen: Seen, classes: list[str]) -> tuple[Uncertain, ...]:
    """Rows that would teach the most: first those between two classes, each pair of classes once, then those that fit none."""
    if seen.n_classes < 2:
        return ()
    free = np.flatnonzero((seen.seeds < 0) & (seen.status != "abstain"))
    free = free[np.argsort(_margin(seen)[free], kind="stable")]
    pairs = np.sort(np.column_stack([seen.label[free], seen.other[free]]), axis=1)
    _, first = np.unique(pairs, axis=0, return_index=True)
    between = list(_distinct(seen, free[np.sort(first)], UNSURE))
    unfit = np.flatnonzero((seen.status == "abstain") & (seen.seeds < 0) & np.isfinite(seen.fit))
    return tuple(
        _uncertain(seen, row, classes)
        for row in between + list(_distinct(seen, unfit[np.argsort(seen.fit[unfit], kind="stable")], UNFIT))
    )


def _margin(seen: Seen) -> Array:
    return np.asarray(seen.probability - seen.other_probability)


def _distinct(seen: Seen, rows: Iterable[int], most: int) -> Iterator[int]:
    """The first rows that are not all the same words; rows without text count as different."""
    known: set[str] = set()
    for row, _ in zip(map(int, rows), range(LOOKED_AT), strict=False):
        words = " ".join(seen.shown(row).lower().split())
        if words in known:
            continue
        if words:
            known.add(words)
        yield row
        most -= 1
        if not most:
            return


def _example(seen: Seen, row: int, classes: list[str]) -> Example:
    other = int(seen.other[row])
    return Example(
        row, seen.ids[row], seen.shown(row), _rounded(seen.probability[row]),
        classes[other] if other >= 0 else None, _rounded(seen.other_probability[row]),
    )  # fmt: skip


def _uncertain(seen: Seen, row: int, classes: list[str]) -> Uncertain:
    return Uncertain(
        row, seen.ids[row], seen.shown(row), classes[seen.label[row]], _rounded(seen.probability[row]),
        classes[seen.other[row]], _rounded(seen.other_probability[row]), str(seen.status[row]),
    )  # fmt: skip


def _rounded(share: float) -> float:
    return round(float(share), 4)
