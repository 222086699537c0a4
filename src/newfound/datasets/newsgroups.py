"""20-Newsgroups as the counts that the paper used: 18,774 documents of 61,188 words, from the raw postings.

The rule is that of the program that made the published counts (McCallum's rainbow): leave out files that are not
text, drop the headers, take words of two letters and more that occur at least twice, and drop documents with fewer
than two different words left.
"""

import re
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[Any]

LOOKED_AT = 4096
"""Characters at the beginning of a file that decide whether it is text."""

WORD = re.compile(r"[a-z]{2,}")


def counts(texts: list[str]) -> tuple[sparse.csr_matrix, Array, Array]:
    r"""The counts, the words of their columns, and which texts are kept.

    >>> X, words, kept = counts(["From: a\n\nThe cat, the dog.", "From: b\n\na dog", "From: c\n\nA cat and a dog"])
    >>> words.tolist(), X.toarray().tolist(), kept.tolist()
    (['cat', 'dog', 'the'], [[1, 1, 2], [1, 1, 0]], [0, 2])
    """
    documents = [Counter(WORD.findall(_body(text).lower())) if is_text(text) else Counter[str]() for text in texts]
    total: Counter[str] = Counter()
    for document in documents:
        total.update(document)
    words = sorted(word for word, n in total.items() if n >= 2)
    column = {word: j for j, word in enumerate(words)}
    found = [[(column[w], n) for w, n in document.items() if w in column] for document in documents]
    kept = np.array([i for i, pairs in enumerate(found) if len(pairs) >= 2])
    pairs = np.array([pair for i in kept for pair in found[i]], dtype=np.int32)
    indptr = np.concatenate([[0], np.cumsum([len(found[i]) for i in kept])])
    X = sparse.csr_matrix((pairs[:, 1], pairs[:, 0], indptr), shape=(len(kept), len(column)))
    X.sort_indices()
    return X, np.array(words), kept


def is_text(text: str) -> bool:
    r"""Whether the beginning of a file is text, and not mainly lines of one length, as uuencoded blocks have.

    >>> is_text("some words\n" * 9), is_text(("M" + 60 * "X" + "\n") * 60)
    (True, False)
    """
    head = text[:LOOKED_AT]
    spaces = sum(c in " \t\n\r\f\v" for c in head)
    printable = spaces + sum("!" <= c <= "~" for c in head)
    if not head or 100 * printable // len(head) <= 95:
        return False
    lengths = Counter(len(line) for line in head.split("\n")[:-1])
    if not lengths:
        return True
    common, times = min(lengths.items(), key=lambda pair: (-pair[1], pair[0]))
    encoded = times > lengths.total() // 2 and spaces < len(head) // 10 and 50 <= common <= 80
    return not encoded


def _body(text: str) -> str:
    """What comes after the first empty line."""
    return text.partition("\n\n")[2]
