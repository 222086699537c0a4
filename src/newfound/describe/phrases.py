"""Words -> phrases: which words and runs of words each text holds, as a sparse matrix, at the cost of a few sorts.

>>> found = count(["where is my lost card?", "a lost card", "i lost the card"])
>>> found.texts, found.holds.toarray().astype(int).tolist()
(['lost', 'card', 'lost card'], [[1, 1, 1], [1, 1, 1], [1, 1, 1]])
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from newfound.describe.words import ARTICLES, BREAK, FUNCTION, PARTICLES, bare, is_character, is_word, pieces

Array = NDArray[Any]

WORDS, CHARACTERS = 3, 4
"""How long a phrase may be: in words, articles not counted; in characters of scripts without blanks."""

TOGETHER = 0.3
"""The share of a word's occurrences that a particle follows from which on the two are one: "top up", but not "card in"."""

ARTICLE = ["", *sorted(ARTICLES)]


class Phrases(NamedTuple):
    """The phrases of some texts: how each is mostly written, its words, and which texts (rows) hold it (columns)."""

    texts: list[str]
    words: list[tuple[str, ...]]
    holds: sparse.csr_matrix


class Flow(NamedTuple):
    """All texts one behind the other: the word at each place (-1: a break), the article before it (0: none), and its text."""

    word: Array
    article: Array
    text: Array


class Grams(NamedTuple):
    """Runs of ``length`` words: the number of the one that begins at each place (-1: none); for each number the first
    place where it stands, how often it stands anywhere, and the texts that hold it, as pairs of text and number.
    """

    length: int
    at: Array
    first: Array
    times: Array
    pairs: tuple[Array, Array]


def count(texts: Sequence[str], rare: Array | None = None) -> Phrases:
    """The phrases that stand in two cleaned texts at least, or in one of those marked as ``rare``."""
    flow, names = _flow(texts)
    rare = np.zeros(len(texts), bool) if rare is None else rare
    singles = _kept(1, np.arange(len(flow.word)), flow.word, flow, rare)
    names = [names[flow.word[place]] for place in singles.first]
    flow = flow._replace(word=singles.at)
    levels = [singles]
    for _ in range(1, CHARACTERS):
        levels.append(_longer(levels[-1], flow, np.array([is_character(name) for name in names], bool), rare))
    return _written(levels, flow, names)


def _flow(texts: Sequence[str]) -> tuple[Flow, list[str]]:
    """The texts as numbers of words, articles taken out, and the words."""
    number: defaultdict[str, int] = defaultdict()
    number.default_factory = number.__len__
    # a break between any two texts
    read = [[number[piece] for piece in (*pieces(text), BREAK)] for text in texts]
    word = np.fromiter(chain.from_iterable(read), np.int64)
    text = np.repeat(np.arange(len(read)), [len(one) for one in read])
    names, article_of = list(number), {name: i for i, name in enumerate(ARTICLE)}
    articles = np.array([article_of.get(name, 0) for name in names], np.int64)[word]
    before = np.roll(articles, 1)  # a text ends with a break, so the last goes nowhere
    own: defaultdict[str, int] = defaultdict()
    own.default_factory = own.__len__
    meant = np.array([own[bare(name)] if is_word(name) else -1 for name in names], np.int64)[word]
    kept = articles == 0
    return Flow(meant[kept], before[kept], text[kept]), list(own)


def _longer(short: Grams, flow: Flow, character: Array, rare: Array) -> Grams:
    """Runs that are longer by a word: those whose beginning and end are kept runs themselves."""
    n = short.length
    start = np.flatnonzero((short.at[:-1] >= 0) & (short.at[1:] >= 0))
    first, last = flow.word[start], flow.word[start + n]
    # words and characters are never joined, and words only up to their own length
    fits = (character[first] == character[last]) & (character[first] | (n < WORDS))
    start, last = start[fits], last[fits]
    return _kept(n + 1, start, short.at[start] * len(character) + last, flow, rare)


def _kept(length: int, start: Array, key: Array, flow: Flow, rare: Array) -> Grams:
    """Number the runs that begin at ``start``, equal where their ``key`` is, and keep those that are frequent enough."""
    start, key = start[key >= 0], key[key >= 0]
    _, first, gram, times = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    text, held = np.divmod(np.unique(flow.text[start] * len(first) + gram), max(len(first), 1))
    frequent = np.bincount(held, 1 + rare[text], minlength=len(first)) >= 2
    number = np.where(frequent, np.cumsum(frequent) - 1, -1)
    at = np.full(len(flow.word), -1)
    at[start] = number[gram]
    of_kept = frequent[held]
    return Grams(length, at, start[first[frequent]], times[frequent], (text[of_kept], number[held[of_kept]]))


def _written(levels: list[Grams], flow: Flow, names: list[str]) -> Phrases:
    """The runs that may stand for themselves, as a person writes them."""
    n_texts = int(flow.text[-1]) + 1 if len(flow.text) else 0
    texts: list[str] = []
    words: list[tuple[str, ...]] = []
    columns = []
    for gram in levels:
        proper = np.flatnonzero(_proper(gram, levels, flow, names))
        usual = _usual_articles(gram, flow)[proper]
        runs = [tuple(names[flow.word[place + i]] for i in range(gram.length)) for place in gram.first[proper]]
        texts += [_spelled(run, articles) for run, articles in zip(runs, usual, strict=True)]
        words += runs
        text, number = gram.pairs
        holds = sparse.csc_matrix((np.ones(len(text), np.float32), (text, number)), shape=(n_texts, len(gram.first)))
        columns.append(holds[:, proper])
    return Phrases(texts, words, sparse.hstack(columns, format="csr"))


def _proper(gram: Grams, levels: list[Grams], flow: Flow, names: list[str]) -> Array:
    """Which runs neither begin nor end with a function word, and are more than letters."""
    opens = np.array([name not in FUNCTION for name in names], bool)
    character = np.array([is_character(name) for name in names], bool)
    letters = np.array([len(name) for name in names])
    first, last = flow.word[gram.first], flow.word[gram.first + gram.length - 1]
    if gram.length == 1:
        return np.asarray(opens[first] & (letters[first] > 1) & ~character[first])
    joined = _joined(levels, flow, names)
    unfinished = np.zeros(len(names), bool)
    unfinished[flow.word[levels[1].first[joined]]] = True  # no "app to top" without its "up"
    closes = np.where(opens[last], ~unfinished[last], joined[levels[1].at[gram.first + gram.length - 2]])
    return np.asarray(opens[first] & closes & (character[first] | (letters[first] + letters[last] > 3)))


def _joined(levels: list[Grams], flow: Flow, names: list[str]) -> Array:
    """Which pairs are a word and a particle that mostly follows it."""
    particle = np.array([name in PARTICLES for name in names], bool)
    pair = levels[1]
    before, last = flow.word[pair.first], flow.word[pair.first + 1]
    return np.asarray(particle[last] & (pair.times >= TOGETHER * levels[0].times[before]))


def _usual_articles(gram: Grams, flow: Flow) -> Array:
    """For each run the articles before its second and later words that it is written with most often."""
    start = np.flatnonzero(gram.at >= 0)
    usual = np.zeros((len(gram.first), gram.length - 1), int)
    for i in range(1, gram.length):
        pair, times = np.unique(gram.at[start] * len(ARTICLE) + flow.article[start + i], return_counts=True)
        order = np.lexsort((-pair, times))  # the most frequent is written last, and stays
        usual[pair[order] // len(ARTICLE), i - 1] = pair[order] % len(ARTICLE)
    return usual


def _spelled(run: tuple[str, ...], articles: Array) -> str:
    """A run as text.

    >>> _spelled(("open", "account"), np.array([ARTICLE.index("an")]))
    'open an account'
    """
    if is_character(run[0]):
        return "".join(run)
    return " ".join(chain([run[0]], *((ARTICLE[a], word) if a else (word,) for a, word in zip(articles, run[1:], strict=True))))
