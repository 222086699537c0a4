"""Why a class is there, in one or two sentences."""

from newfound.describe.account import Origin

LOOSE = 0.4
"""An overlap with a second exploration below which it is doubtful whether a class is one."""


def of_seeded(seeds: int, size: int, back: tuple[int, int] | None) -> str:
    """Of a class that the user gave; ``back`` says how many labels came back of how many that were hidden.

    >>> of_seeded(18, 415, (15, 18))
    'You labelled 18 rows; 397 more joined them. With a third of the labels hidden at a time, 15 of 18 were found here again.'
    """
    joined = "no other row joined" if size == seeds else f"{size - seeds:,} more joined"
    told = f"You labelled {seeds:,} {_rows(seeds)}; {joined} {'it' if seeds == 1 else 'them'}."
    if back is None or not back[1]:
        return told
    return f"{told} With a third of the labels hidden at a time, {back[0]} of {back[1]} were found here again."


def of_new(origin: Origin) -> str:
    """Of a class that nobody seeded.

    >>> of_new(Origin(90, 8, "new-2", 0.9))
    'Gathered from 8 small clusters, whole since 90 were left. Without labels it is found again with an overlap of 90 %.'
    """
    parts = "A cluster from the first" if origin.parts == 1 else f"Gathered from {origin.parts} small clusters"
    since = "" if origin.parts == 1 else f", whole since {origin.level} were left"
    overlap = f"an overlap of {'only ' * (origin.stability < LOOSE)}{100 * origin.stability:.0f} %"
    doubt = ": read its rows before you rely on it" if origin.stability < LOOSE else ""
    return f"{parts}{since}. Without labels it is found again with {overlap}{doubt}."


def _rows(n: int) -> str:
    return "row" if n == 1 else "rows"
