"""Where seeds went while their labels were hidden: class by class, or the pairs most confused where there are many classes."""

from typing import NamedTuple

from newfound.describe.account import Confusion

ONE_BY_ONE = 25
"""Up to so many seeded classes each has a line of its own."""

PAIRS = 15
"""So many of the most confused pairs are shown."""


class Destination(NamedTuple):
    """So many seeds that went to a class; no class stands for all new ones."""

    n: int
    id: str | None


class Line(NamedTuple):
    """A seeded class: how many of its seeds came back to it, of how many, and where the others went, most first."""

    id: str
    back: int
    of: int
    strays: list[Destination]


class Pair(NamedTuple):
    """Two classes: how many hidden seeds of the first went to the second, of how many, and the other way round."""

    one: str
    other: str
    there: int
    of_one: int
    here: int
    of_other: int


class Strays(NamedTuple):
    """All of it: how many seeds came back of how many, how many went to new classes, and lines or pairs."""

    back: int
    of: int
    new: int
    lines: list[Line]
    pairs: list[Pair]


def strays(confusion: Confusion | None) -> Strays | None:
    """What is to be shown of a confusion; None if there is none, or nothing was hidden.

    >>> told = strays(Confusion(("a", "b"), ((7, 2, 1), (0, 5, 0))))
    >>> told.back, told.of, told.new
    (12, 15, 1)
    >>> told.lines[0]
    Line(id='a', back=7, of=10, strays=[Destination(n=2, id='b'), Destination(n=1, id=None)])
    """
    if confusion is None or not sum(map(sum, confusion.counts)):
        return None
    counts = confusion.counts
    many = len(counts) > ONE_BY_ONE
    return Strays(
        sum(row[i] for i, row in enumerate(counts)),
        sum(map(sum, counts)),
        sum(row[-1] for row in counts),
        [] if many else _lines(confusion),
        _pairs(confusion) if many else [],
    )


def _lines(confusion: Confusion) -> list[Line]:
    """The classes whose seeds were hidden, those first that lost the largest share."""
    names = [*confusion.classes, None]
    lines = []
    for i, row in enumerate(confusion.counts):
        away = [Destination(n, names[j]) for j, n in enumerate(row) if n and j != i]
        lines.append(Line(confusion.classes[i], row[i], sum(row), sorted(away, key=lambda stray: -stray.n)))
    return sorted((line for line in lines if line.of), key=lambda line: line.back / line.of)


def _pairs(confusion: Confusion) -> list[Pair]:
    """The pairs between which most seeds went astray, in both directions together."""
    names, counts = confusion.classes, confusion.counts
    of = [sum(row) for row in counts]
    pairs = [
        Pair(names[i], names[j], counts[i][j], of[i], counts[j][i], of[j])
        for i in range(len(names))
        for j in range(i)
        if counts[i][j] + counts[j][i]
    ]
    turned = [pair if pair.there >= pair.here else Pair(pair.other, pair.one, *pair[4:], *pair[2:4]) for pair in pairs]
    return sorted(turned, key=lambda pair: -(pair.there + pair.here))[:PAIRS]
