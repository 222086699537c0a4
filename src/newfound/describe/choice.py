"""Which of the good terms of a class are shown: none twice in other words, and phrases rather than their parts.

>>> twins("transfer", "transfers"), twins("currency", "currencies"), twins("card", "cash")
(True, True, False)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from newfound.describe.account import Term
from newfound.describe.words import FUNCTION

Array = NDArray[Any]

WHOLE = 0.5
"""A phrase stands for a part of it if it is in so many of the rows that hold the part."""

OVERLAP = 0.5
"""Two terms with a word in common say the same if so many of the rows that hold the rarer hold both."""


@dataclass(frozen=True)
class Candidate:
    """A term, its words, and which of the class's rows hold it."""

    term: Term
    words: tuple[str, ...]
    rows: Array


def chosen(pool: Sequence[Candidate], k: int) -> list[Candidate]:
    """Up to k of the candidates, which come best first."""
    picked: list[Candidate] = []
    for one in pool:
        if len(picked) == k:
            break
        one = _whole(one, pool)
        if not any(repeats(one, other) for other in picked):
            picked.append(one)
    return picked


def _whole(part: Candidate, pool: Sequence[Candidate]) -> Candidate:
    """The phrase that a candidate is mostly found in, or itself: "top up" rather than "top"."""
    for _ in range(len(part.words), 4):
        needed = WHOLE * part.rows.sum()
        wholes = [one for one in pool if one.rows.sum() >= needed and _holds(one.words, part.words)]
        if not wholes:
            break
        part = max(wholes, key=lambda one: one.rows.sum())
    return part


def _holds(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    n = len(shorter)
    return len(longer) > n and any(longer[i : i + n] == shorter for i in range(len(longer) - n + 1))


def repeats(one: Candidate, other: Candidate) -> bool:
    """Whether a term says what another says: it is part of it, its twin, or a variant that mostly stands in the same rows."""
    if _within(one.words, other.words) or _within(other.words, one.words):
        return True
    both, fewer = (one.rows & other.rows).sum(), min(one.rows.sum(), other.rows.sum())
    return bool(both >= OVERLAP * fewer) and share_a_word(one.words, other.words)


def _within(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether a run of words stands in another, twins taken for the same."""
    starts = range(len(long) - len(short) + 1)
    return any(all(twins(a, b) for a, b in zip(short, long[i:], strict=False)) for i in starts)


def share_a_word(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two phrases have a word in common, function words aside.

    >>> share_a_word(("lost", "card"), ("cards",)), share_a_word(("top", "up"), ("set", "up"))
    (True, False)
    """
    return any(twins(a, b) for a in _content(one) for b in _content(other))


def _content(words: tuple[str, ...]) -> Iterator[str]:
    return (word for word in words if word not in FUNCTION)


def twins(one: str, other: str) -> bool:
    """Whether two words are inflections of one, as far as their letters tell: a long beginning in common, and little else."""
    short, long = sorted((one, other), key=len)
    if long in (short, short + "s", short + "es"):
        return True
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return same >= max(4, len(long) / 2) and len(short) - same <= same // 3 and len(long) - same <= 5
