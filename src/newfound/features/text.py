"""Texts -> rows: counts of words, embeddings, or both side by side; settled at the fit, kept for new texts.

Embeddings know that "refund" and "money back" are alike, which short texts need; counts know the words that an embedding
never saw, and long texts have enough of them. ``docs/features.md`` has what was measured.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from newfound.errors import DataError, SettingError
from newfound.features.embed import sentences, static
from newfound.features.tables import short

KINDS = ("tfidf", "embed", "both")
"""What texts become, but for the name of a sentence-transformers model."""

LONG = 80
"""Words of a text, on the median, from which on counts help."""

LOOKED_AT = 10_000
"""Texts that say how long texts are."""

_UNSPACED = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
ALONE = re.compile(f"[{_UNSPACED}]")
"""Characters of scripts that put no blanks between words: Thai, Lao, Tibetan, Burmese, Khmer, Chinese and Japanese."""

WORD = re.compile(rf"[^\W_{_UNSPACED}]+(?:(?:[^\w\s]|_)[^\W_{_UNSPACED}]+)*")
"""Letters and digits, with single signs between them; no run of signs is a word."""

WORDS = 200_000
"""Words counted at most, the most frequent ones."""

CHARACTERS = 20_000
"""What is read of a text: more does not tell more of what it is about, and one text must not hold up all others."""


@dataclass(frozen=True)
class Features:
    """What texts become: ``kind`` is "tfidf", "embed", "both" or a model's name; ``words`` are those that are counted.

    >>> texts = ["a red car", "my red car", "a blue bike", "his bike is blue"]
    >>> features = Features.fit(texts, "tfidf")
    >>> features.words, features.rows(["a very red red bike"]).toarray().tolist()
    (('bike', 'blue', 'car', 'red'), [[1, 0, 0, 2]])
    >>> Features.fit(texts, "auto").why
    'texts are short (3 words on the median): embeddings'
    """

    kind: str
    why: str
    words: tuple[str, ...] = ()

    @classmethod
    def fit(cls, texts: Sequence[str], kind: str = "auto") -> "Features":
        """Settle what texts like these become."""
        _check(kind)
        kind, why = _choice(texts) if kind == "auto" else (kind, "as asked for")
        words = _words(texts) if kind in ("tfidf", "both") else ()
        if kind == "tfidf" and not words:
            raise DataError("tfidf needs texts that share words, but no word stands in two of them; take embed")
        return cls(kind, why, words)

    def rows(self, texts: Sequence[str], fetch: bool = False) -> Any:
        """Counts (CSR), embeddings (dense), or a tuple of both; only with ``fetch`` may a model come from the network."""
        texts = [text[:CHARACTERS] for text in texts]
        if self.kind not in KINDS:
            return sentences(texts, self.kind, fetch)
        counts = (self._counts(texts),) if self.words else ()
        embedded = (static(texts),) if self.kind != "tfidf" else ()
        both = (*counts, *embedded)
        return both if len(both) > 1 else both[0]

    def _counts(self, texts: Sequence[str]) -> Any:
        counts = CountVectorizer(vocabulary={word: j for j, word in enumerate(self.words)}).transform(texts)
        return sparse.csr_matrix(counts)


def _check(kind: str) -> None:
    """Refuse what looks like a kind written wrong; what does not is a model's name."""
    kinds = ("auto", *KINDS)
    near = difflib.get_close_matches(kind.strip().lower(), kinds)
    if kind not in kinds and (not kind.strip() or (near and not Path(kind).is_dir())):
        raise SettingError(
            f"no features {short(kind)}; choose from {', '.join(kinds)}, or the name of a sentence-transformers model"
        )


def _choice(texts: Sequence[str]) -> tuple[str, str]:
    some = texts[:: -(-len(texts) // LOOKED_AT)]
    words = int(np.median([length(text[:CHARACTERS]) for text in some if text.strip()] or [0]))
    if words < LONG:
        return "embed", f"texts are short ({words} words on the median): embeddings"
    return "both", f"texts are long ({words} words on the median): embeddings and counts of words side by side"


def length(text: str) -> float:
    """How many words a text has; without blanks a character counts as half a word.

    >>> length("Where's my 1st card?"), length("\u6211\u7684\u5361 lost")
    (4.0, 2.5)
    """
    return len(WORD.findall(text)) + len(ALONE.findall(text)) / 2


def _words(texts: Sequence[str]) -> tuple[str, ...]:
    """The words that stand in two texts at least."""
    counter = CountVectorizer(min_df=2, max_features=WORDS)
    try:
        counter.fit(text[:CHARACTERS] for text in texts)
    except ValueError:  # there are none
        return ()
    return tuple(counter.get_feature_names_out().tolist())
