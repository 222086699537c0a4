"""Why a class is there, in one or two sentences."""

from newfound.describe.account import Origin

LOOSE = 0.4
"""An overlap with a second exploration below which it is doubtful whether a class is one."""


def of_seeded(seeds: int, size: int, back: tuple[int, int] | None) -> str:
    """Of a class that the user gave; ``back`` says how many labels came back of how many that were hidden.

    >>> of_seeded(18, 415, (15, 18))
    'You labelled 18 rows; 397 more joined them. With their labels hidden, 15 of 18 were found here again.'
    """
    joined = "no other row joined" if size == seeds else f"{size - seeds:,} more joined"
    told = f"You labelled {seeds:,} {_rows(seeds)}; {joined} {'it' if seeds == 1 else 'them'}."
    if back is None or not back[1]:
        return told
    return f"{told} With their labels hidden, {back[0]} of {back[1]} were found here again."


def of_new(origin: Origin, finest: int) -> str:
    """Of a class that nobody seeded; ``finest`` is how many clusters there were at first.

    >>> of_new(Origin(90, 8, "new-2", 0.9), 343)
    'Gathered from 8 of the first 343 clusters, whole since 90 were left. A second look, without labels, agrees on 90 % of it.'
    """
    parts = "It is one of" if origin.parts == 1 else f"Gathered from {origin.parts} of"
    since = "" if origin.parts == 1 else f", whole since {origin.level} were left"
    agrees = f"agrees on {'only ' * (origin.stability < LOOSE)}{100 * origin.stability:.0f} % of it"
    doubt = ": read its rows before you rely on it" if origin.stability < LOOSE else ""
    return f"{parts} the first {finest} clusters{since}. A second look, without labels, {agrees}{doubt}."


def _rows(n: int) -> str:
    return "row" if n == 1 else "rows"
