"""Figures and sentences as people read them, and texts of strangers made fit for a page."""

import re

from newfound.describe.account import Account

LONGEST = 300
"""Characters of a text that are shown."""

NAME = 80
"""Characters of the name of a class that are shown."""

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What HTML or UTF-8 cannot hold: control characters, halves of surrogate pairs, and what is no character."""


def printable(text: str) -> str:
    r"""The same without characters that no page can hold.

    >>> printable("a\x00b\ud800")
    'a\ufffdb\ufffd'
    """
    return UNPRINTABLE.sub("\ufffd", text)


def cut(text: str, longest: int = LONGEST) -> str:
    r"""The beginning of a text, on one line; only as much of it is looked at as could be shown.

    >>> cut("  one\n two  "), cut("x" * 1_000_000, 4)
    ('one two', 'xxx…')
    """
    line = " ".join(text[: 8 * longest].split())
    whole = len(line) <= longest and len(text) <= 8 * longest
    return printable(line if whole else line[: longest - 1].rstrip() + "…")


def number(n: float) -> str:
    """A count, with its thousands apart.

    >>> number(13083)
    '13,083'
    """
    return f"{round(n):,}"


def percent(share: float, small: float = 0.00995) -> str:
    """A share: whole percents, finer where it is ``small`` or close to all.

    >>> [percent(share).replace("\u00a0", " ") for share in (0.513, 0.0046, 0.00001, 0.9987, 0.99999, 1)]
    ['51 %', '0.5 %', '0 %', '99.9 %', '99.9 %', '100 %']
    """
    fine = 0.0005 <= share < small or 0.995 <= share < 1
    return f"{min(100 * share, 99.9 if share < 1 else 100):.{int(fine)}f}\u00a0%"


def point(share: float) -> str:
    """A probability in two digits; 1 only if it is.

    >>> [point(share) for share in (0.456, 0.999, 1, -0.001, -0.2)]
    ['.46', '.99', '1', '.00', '-.20']
    """
    return "1" if share >= 1 else f"{min(share, 0.99):z.2f}".replace("0.", ".", 1)


def singular(noun: str) -> str:
    """One of what a noun in the plural names.

    >>> [singular(noun) for noun in ("rows", "messages", "queries", "boxes", "news", "sheep")]
    ['row', 'message', 'query', 'box', 'news', 'sheep']
    """
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    if noun.endswith(("ches", "shes", "xes", "sses")):
        return noun[:-2]
    return noun if noun.endswith(("ss", "news")) else noun.removesuffix("s")


def count(n: int, noun: str) -> str:
    r"""So many of what a noun in the plural names; the two stay on one line.

    >>> count(1, "classes"), count(1200, "messages")
    ('1\xa0class', '1,200\xa0messages')
    """
    return f"{number(n)}\u00a0{singular(noun) if n == 1 else noun}"


def headline(account: Account, noun: str) -> str:
    r"""What happened, in a sentence or two.

    >>> from newfound.describe.account import Account, Count
    >>> headline(Account(1, 0, 0, 0, Count(0, 0, 0, "told"), (), (), None, None, None), "messages")
    '1\xa0message. No class was found.'
    """
    new = sum(c.new for c in account.classes)
    given, rows = len(account.classes) - new, count(account.rows, noun)
    were = "was" if new == 1 else "were"
    if not given:
        return f"{rows}. {count(new, 'classes') if new else 'No class'} {were if new else 'was'} found."
    more = f"{number(new)} more {were} found" if new else "no other was found"
    return f"{rows}. You named {count(given, 'classes')}; {more}."
