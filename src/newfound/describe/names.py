"""A name for each class: the user's own label, or for a new class what its terms say, as a person would write it on a folder.

>>> evidence = Evidence("new-1", (Term("charged a fee", 0.6, 0.0), Term("cash withdrawal", 0.4, 0.1)))
>>> given([evidence], labels=["refund"])
['charged a fee, cash withdrawal']

Someone else may name the new classes, a language model say, or a person: any function from ``Evidence`` to text.

>>> given([evidence], ["refund"], namer=lambda evidence: "Withdrawal fees")
['Withdrawal fees']
"""

import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from newfound.describe.account import Term
from newfound.describe.choice import share_a_word
from newfound.describe.words import ARTICLES
from newfound.errors import NamingWarning

WORDS = 5
"""Words of a name of two terms, articles not counted."""

BESIDE = 0.15
"""The share of a class that the second term of its name holds, as part of that of the first: below, the first says it all."""

LEAST = 0.1
"""The share of a class that the second term of its name holds at least: a word of few rows does not name them all."""

LENGTH = 60
"""Characters of a name that someone else gives."""


class Evidence(NamedTuple):
    """What there is to name a new class by: its terms, texts in its middle and at its border, and the class nearest to it.

    ``here`` are terms that stand in this class and rarely in the nearest one, ``there`` the reverse. ``taken`` are the names
    that others have.
    """

    id: str
    terms: tuple[Term, ...] = ()
    typical: tuple[str, ...] = ()
    borderline: tuple[str, ...] = ()
    nearest: str | None = None
    here: tuple[Term, ...] = ()
    there: tuple[Term, ...] = ()
    taken: tuple[str, ...] = ()


Namer = Callable[[Evidence], str]


def given(classes: Iterable[Evidence], labels: Iterable[str] = (), namer: Namer | None = None) -> list[str]:
    """The names of new classes, in order: each its own, and none of them one of the user's ``labels``.

    The nearest class is given by its id, and is shown to the ``namer`` by its name where it has one by then.
    """
    classes, taken = list(classes), list(labels)
    ours: dict[str, str] = {}
    for one in classes:
        ours[one.id] = name(one, [*taken, *ours.values()])
    if namer is None:
        return list(ours.values())
    for one in classes:
        others = (*taken, *(text for other, text in ours.items() if other != one.id))
        asked = one._replace(taken=others, nearest=ours.get(one.nearest or "", one.nearest))
        reserved = [other.id for other in classes if other is not one]  # an id means one class for ever
        ours[one.id] = _asked(namer, asked, ours[one.id], reserved)
    return list(ours.values())


def name(one: Evidence, taken: Iterable[str] = ()) -> str:
    """A name by the terms alone: the first, with one that adds to it; the class's id if there are none.

    >>> name(Evidence("new-3"))
    'new-3'
    >>> name(Evidence("new-3", (Term("refund", 0.9, 0.0), Term("refund my order", 0.4, 0.0))), taken=["refunds"])
    'refund my order'
    """
    used = {_key(text) for text in taken}
    return next(text for text in _proposals(one) if _key(text) not in used)


def _proposals(one: Evidence) -> Iterator[str]:
    """Names that come into question, the best first, without an end."""
    texts = [term.text for term in one.terms]
    yield from (", ".join(pair) for pair in _pairs(one.terms))
    yield from texts
    yield from (f"{first}, {second}" for first in texts for second in texts if first != second)
    stem = f"{texts[0]} ({one.id})" if texts else one.id
    yield stem
    yield from (f"{stem} {number}" for number in count(2))


def _pairs(terms: Sequence[Term]) -> Iterator[tuple[str, ...]]:
    """The first term with each that adds to it; alone if none does."""
    if not terms:
        return
    first, *more = terms
    second = [
        term.text
        for term in more
        if term.here >= max(BESIDE * first.here, LEAST)
        and len([word for word in f"{first.text} {term.text}".split() if word not in ARTICLES]) <= WORDS
        and not share_a_word(tuple(first.text.split()), tuple(term.text.split()))
    ]
    yield from ((first.text, text) for text in second)
    yield (first.text,)


def _asked(namer: Namer, one: Evidence, ours: str, reserved: Iterable[str]) -> str:
    """What the namer says, made fit to be a name; our own name if it says nothing."""
    try:
        text = clean(namer(one))
        fault = "said nothing"
    except Exception as error:  # whatever a stranger's function does must not cost a fit
        text, fault = "", f"failed with {type(error).__name__}: {error}"
    if not text:
        warnings.warn(
            f"the namer {clean(fault, 200)} for class {one.id}; it is named {ours!r} by its terms", NamingWarning, stacklevel=4
        )
        return ours
    used = {_key(name) for name in (*one.taken, *reserved)}
    if _key(text) not in used:
        return text
    return next(
        more
        for more in (f"{text} ({one.id})", *(f"{text} ({one.id}) {n}" for n in range(2, len(used) + 3)))
        if _key(more) not in used
    )


def clean(text: str, length: int = LENGTH) -> str:
    r"""One line of bounded length, without control characters and the quotes that models like to put around an answer.

    >>> clean(' "Lost\ncard\x1b[31m" ')
    'Lost card[31m'
    """
    if not isinstance(text, str):
        raise TypeError(f"a name is text, not {type(text).__name__}")
    line = re.sub(r"\s+", " ", text[: 50 * length])
    line = "".join(c for c in line if unicodedata.category(c)[0] != "C").strip(" \"'`*#")
    if len(line) > length:
        line = line[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"
    return line


def _key(text: str) -> tuple[str, ...]:
    """What two names that read the same have in common: their words in any order, plurals and punctuation aside.

    >>> _key("Lost-Cards") == _key("card, lost")
    True
    """
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())
    return tuple(sorted(word.removesuffix("s") for word in words)) or (text,)
