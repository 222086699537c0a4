"""The terms that set a class apart: words and phrases that many of its texts hold and few others do.

>>> texts = ["My card is lost", "I lost the card", "A lost card", "When is the refund?", "No refund yet", "refund my order"]
>>> lexicon = Lexicon.read(texts, np.array([0, 0, 0, 1, 1, 1]), 2)
>>> lexicon.terms(0, k=1)
(Term(text='lost card', here=0.67, elsewhere=0.0),)

A term is worth what it would be worth as a filter that looks for the class: an F-measure of its precision and its share.
What is at home everywhere (headers, greetings, the function words of any language) is no better than chance at that, and never
comes up.

Shares are of texts that hold a term at least once: of those of the class that were read, and of those of all other classes,
each class counted by its size. A text is what ``lines.own`` leaves of its beginning.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from newfound.describe.account import Term
from newfound.describe.choice import Candidate, chosen
from newfound.describe.lines import own
from newfound.describe.phrases import Phrases, count
from newfound.describe.words import READ, cleaned

Array = NDArray[Any]

ROWS, FEWEST = 300, 20
"""Rows of a class that are read; and how many at least, where classes are so many, or texts so long, that they are fewer."""

BUDGET = 12_000_000
"""Characters that are read in all."""

SMALL = 3
"""Rows of a class below which a term may stand in a single one."""

BETA = 0.5
"""How much the share counts beside the precision: half, for a name may miss some rows sooner than speak of others."""

LEAST = 0.02
"""The share of a class that a term must stand in."""

LOOKED_AT = 200
"""The best terms of a class, among which some are chosen that say different things."""

COMMON, EVEN, MANY = 0.05, 0.5, 4
"""A word of so many texts is at home everywhere if its share varies by so little, for its mean, between so many classes."""


@dataclass(frozen=True)
class Lexicon:
    """What the texts of each class hold: ``share[j, t]`` of class j hold phrase t. Class j has ``size[j]`` rows, of which
    ``seen[j]`` were read; ``label`` is the class of each row read, as the rows of ``phrases.holds`` are.
    """

    phrases: Phrases
    label: Array
    size: Array
    seen: Array
    share: sparse.csr_matrix

    @classmethod
    def read(cls, texts: Sequence[str], label: Array, n_classes: int, rows: Array | None = None) -> Self:
        """Read some ``rows`` of each class, without a word from the caller such as lie at even distances.

        A row of no class has the label -1.
        """
        label = np.asarray(label)
        if rows is None:
            rows = evenly(label, n_classes, lambda row: len(texts[row]))
        rows = np.asarray(rows, dtype=int)
        rows = rows[label[rows] >= 0]
        of, size = label[rows], np.bincount(label[label >= 0], minlength=n_classes)
        seen = np.bincount(of, minlength=n_classes)
        phrases = count(own([cleaned(texts[row]) for row in rows], of), seen[of] < SMALL)
        part = sparse.csr_matrix((1 / seen[of], (of, np.arange(len(of)))), shape=(n_classes, len(of)))
        return cls(phrases, of, size, seen, sparse.csr_matrix(part @ phrases.holds))

    def terms(self, j: int, k: int = 6) -> tuple[Term, ...]:
        """Up to k terms that set class j apart from all others, the best first; none says what one before it says."""
        return tuple(one.term for one in self.candidates(j, k))

    def candidates(self, j: int, k: int) -> list[Candidate]:
        """Terms with what a name is chosen by: how good each is, and which of the rows read hold it."""
        others = self.size.astype(float)
        others[j] = 0
        elsewhere = (self.share.T @ others) / max(others.sum(), 1)
        weight = np.sqrt(self.size)  # a class of many rows speaks louder than one of few, but does not drown it
        rivals = self.share.T @ weight - weight[j] * self.share[[j]].toarray().ravel()
        return self._best(j, elsewhere, rivals / max(weight[j], 1e-9), weight[j] / max(weight.sum(), 1e-9), k)

    def contrast(self, a: int, b: int, k: int = 2) -> tuple[Term, ...]:
        """Up to k terms that stand in class a and rarely in b, with their shares in both."""
        there = self.share[[b]].toarray().ravel()
        return tuple(one.term for one in self._best(a, there, there, 0.5, k))

    def _best(self, j: int, elsewhere: Array, rivals: Array, chance: float, k: int) -> list[Candidate]:
        """The terms of class j that tell it best from ``rivals``, the sum of the shares that compete with its own."""
        row = self.share[[j]]
        t, here = row.indices, row.data
        times = here * self.seen[j]
        precision = here / (here + rivals[t]) * times / (times + 1)
        precision = (precision - chance) / (1 - chance) if chance < 1 else precision
        enough = (here >= LEAST) & (times > (0.5 if self.seen[j] < SMALL else 1.5))
        fair = np.flatnonzero((precision > 0) & enough & self._proper[t])
        score = (1 + BETA**2) * precision[fair] * here[fair] / (BETA**2 * precision[fair] + here[fair])
        best = fair[np.lexsort((self._spelling[t[fair]], -score.round(9)))][:LOOKED_AT]
        held = self.phrases.holds[self.label == j][:, t[best]].toarray().T > 0
        pool = [
            Candidate(Term(self.phrases.texts[t[i]], float(here[i]), float(elsewhere[t[i]])), self.phrases.words[t[i]], rows)
            for i, rows in zip(best, held, strict=True)
        ]
        return chosen(pool, k)

    @cached_property
    def _spelling(self) -> Array:
        """The place of each phrase in the alphabet: of two as good the first comes first, in whatever order rows are."""
        return np.argsort(np.argsort(np.array(self.phrases.texts, dtype=object), kind="stable"))

    @cached_property
    def _proper(self) -> Array:
        """Which phrases neither begin nor end with a word that is at home everywhere, which no list need know."""
        weight = self.size / max(self.size.sum(), 1)
        usual = self.share.T @ weight
        spread = np.sqrt(np.maximum(self.share.multiply(self.share).T @ weight - usual**2, 0))
        even = (usual >= COMMON) & (spread <= EVEN * usual) & (np.count_nonzero(self.size) >= MANY)
        words = self.phrases.words
        everywhere = {words[t][0] for t in np.flatnonzero(even) if len(words[t]) == 1}
        return np.array([run[0] not in everywhere and run[-1] not in everywhere for run in words], dtype=bool)


def evenly(label: Array, n_classes: int, length: Callable[[int], int]) -> Array:
    """Rows of each class at even distances, so many that reading them stays within the budget.

    >>> evenly(np.zeros(900, int), 1, lambda row: 10).tolist()[:4]
    [0, 3, 6, 9]
    """
    rows = _spaced(label, n_classes, ROWS)
    total = sum(min(length(row), READ) for row in rows)
    return rows if total <= BUDGET else _spaced(label, n_classes, max(FEWEST, int(ROWS * BUDGET / total)))


def _spaced(label: Array, n_classes: int, most: int) -> Array:
    """At most so many rows of each class."""
    order = np.argsort(label, kind="stable")
    edge = np.searchsorted(label[order], np.arange(n_classes + 1))
    size = np.diff(edge)
    taken = np.minimum(size, most)
    place = np.arange(taken.sum()) - np.repeat(np.cumsum(taken) - taken, taken)
    return np.sort(order[np.repeat(edge[:-1], taken) + place * np.repeat(size, taken) // np.repeat(taken, taken)])
