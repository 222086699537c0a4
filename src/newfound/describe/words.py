r"""Texts -> words: what of a text is a word, what only parts words from each other, and what is neither.

>>> pieces(cleaned("Top-up failed! See https://bank.example/faq"))
['top', 'up', 'failed', '!', 'see', '\n']

Markup, addresses and encoded blocks are cut out. Scripts without blanks (Chinese, Japanese, Thai, ...) come character by
character; whoever counts phrases puts these together again.
"""

import html
import re
import sys
import unicodedata
from functools import cache

READ = 2000
"""Characters at the beginning of a text that are read."""

BREAK = "\n"
"""What stands where something was cut out, or a line ends: no phrase goes across it."""

_ARTICLES = "a an any her his its my our some that the their these this those your"
_PARTICLES = "away back down in off on out over through up"
_OTHERS = """
about above actually after again against all already also although always am among and another anyone anything are aren't
around as at be became because been before being below best better between both but by came can can't cannot come could
couldn't d did didn't do does doesn't doing don't done during each either else etc even ever every everything few for from
further get gets getting give go goes going got had hadn't has hasn't have haven't having he he'd he'll he's here hers him
himself how how's however i i'd i'll i'm i've if into is isn't it it'd it'll it's itself just kind know let let's like ll
look m many may maybe me might mine more most much must myself need needs neither never nor not nothing now of often once
one only onto or other others ought ours ourselves own per perhaps please possible put quite rather re really s said same
say says see seem seems shall she she'd she'll she's should shouldn't since so something sometimes soon still such sure t
take tell than that's them themselves then there there's they they'd they'll they're they've thing things think till to
today too try trying under until upon us use used using ve very via want wants was wasn't way we we'd we'll we're we've well
were weren't what what's whatever when when's where where's whether which while who who's whom whose why why's will with
within without won't would wouldn't yet you you'd you'll you're you've yours yourself
"""

ARTICLES = frozenset(_ARTICLES.split())
"""Words that a phrase may hold or not, and stay the same phrase."""

PARTICLES = frozenset(_PARTICLES.split())
"""Function words that a phrase may end with if they belong to the word before: "top up", "log in"."""

FUNCTION = ARTICLES | PARTICLES | frozenset(_OTHERS.split())
"""English words that no phrase begins with. In other languages the contrast between classes has to tell them."""

NAMELESS = re.compile(
    r"<(script|style)\b.*?(?:</\1\s*>|\Z)"  # code and its end, or the end of what is read
    r"|</?[a-z!][^<>]{0,500}>"  # markup, and addresses in angle brackets
    r"|\b(?:https?|ftp|file|mailto):\S+|\bwww\.\S+"
    r"|[^\s@<>()]{1,200}@[^\s@<>()]{1,200}"  # e-mail addresses, message numbers
    r"|\b[a-z0-9-]{1,60}(?:\.[a-z0-9-]{2,60}){2,}|\b[a-z0-9-]{1,60}\.(?:com|edu|gov|mil|net|org)\b"  # names of machines
    r"|[!-~]{40,}",  # encoded blocks, rules
    re.DOTALL,
)

UNSEEN = re.compile("[\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
"""Characters that are not to be seen, but turn, join or part what is."""

PLAIN = re.compile(r"[a-z]{1,3}[/&][a-z0-9]{1,3}\b|(?:\b[a-z]-)?[a-z0-9]+(?:'[a-z]+)?|-(?!\w)|(?<!\w)-|[^\w\s'-]|\n")

UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
)
"""Thai, Lao, Tibetan, Burmese, Khmer, Chinese and Japanese, as ranges of characters."""


def cleaned(text: str) -> str:
    r"""The beginning of a text in lower case, without markup and addresses.

    >>> cleaned("<p>Don't <b>panic</b>")
    "\ndon't \npanic\n"
    """
    text = text[:READ]
    if "&" in text:
        text = html.unescape(text)
    if not text.isascii():
        text = UNSEEN.sub("", unicodedata.normalize("NFKC", text)[: 2 * READ]).replace("\u2019", "'")
    return NAMELESS.sub(BREAK, text.lower())


def pieces(text: str) -> list[str]:
    """The words of a cleaned text, and between them what parts them.

    >>> pieces("top-up of £20 failed!")
    ['top', 'up', 'of', '£', '20', 'failed', '!']
    """
    return (PLAIN if text.isascii() else _any_script()).findall(text)


@cache
def _any_script() -> re.Pattern[str]:
    """Words of any script. The marks that stand on or beside letters (Devanagari, Arabic, ...) are part of the word."""
    letter, mark = rf"[^\W_{UNSPACED}]", f"[{_marks()}]"
    word = rf"{letter}+(?:{mark}+{letter}*)*"
    return re.compile(
        rf"[{UNSPACED}][{_marks()}]*|(?:\b[^\W\d_{UNSPACED}]-)?{word}(?:'{word})?|-(?!\w)|(?<!\w)-|[^\w\s'{_marks()}-]|\n"
    )


@cache
def _marks() -> str:
    """All characters that stand on others, as ranges."""
    marks = [c for c in range(0x300, 0x10000) if unicodedata.category(chr(c)).startswith("M")]
    firsts = [c for c, before in zip(marks, [-1, *marks], strict=False) if before != c - 1]
    lasts = [c for c, after in zip(marks, [*marks[1:], -1], strict=True) if after != c + 1]
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(firsts, lasts, strict=True))


def is_word(piece: str) -> bool:
    """Whether a piece is a word: it holds a letter, and is not longer than words are.

    >>> [is_word(piece) for piece in ("card", "mp3", "2024", "!", "x" * 50)]
    [True, True, False, False, False]
    """
    return len(piece) <= LONGEST and piece[0].isalnum() and any(c.isalpha() for c in piece)


LONGEST = 30
"""Letters of a word; what is longer is not one."""


def is_character(piece: str) -> bool:
    """Whether a piece is one character of a script without blanks.

    >>> is_character("転"), is_character("a")
    (True, False)
    """
    return bool(_unspaced().match(piece))


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{UNSPACED}]")


def bare(word: str) -> str:
    """A word without the ending of possession.

    >>> bare("bank's"), bare("don't")
    ('bank', "don't")
    """
    return sys.intern(word[:-2]) if word.endswith("'s") else word
