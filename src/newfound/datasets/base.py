"""What a data set is: rows as counts, vectors or texts, and the true class of each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[Any]


@dataclass(frozen=True)
class DataSet:
    """Rows and their true classes; what a set does not have is None."""

    name: str
    title: str
    labels: Array
    X: Any = None
    texts: list[str] | None = None
    words: Array | None = None
    split: Array | None = None
    ids: Array | None = None
    stand_in: bool = False

    def __len__(self) -> int:
        return len(self.labels)

    def only(self, keep: Array) -> "DataSet":
        """The rows of a mask."""
        rows = np.flatnonzero(keep)
        return DataSet(
            self.name, self.title, self.labels[rows],
            None if self.X is None else self.X[rows],
            None if self.texts is None else [self.texts[i] for i in rows],
            self.words,
            None if self.split is None else self.split[rows],
            None if self.ids is None else self.ids[rows],
            self.stand_in,
        )  # fmt: skip


def tf_idf(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Counts times ln(rows / rows that hold the word), in float32; a word of every row weighs nothing.

    >>> tf_idf(sparse.csr_matrix([[1, 2], [0, 3]])).toarray().round(2).tolist()
    [[0.69, 0.0], [0.0, 0.0]]
    """
    X = counts.tocsr().astype(np.float32)
    frequency = np.maximum(np.bincount(X.indices, minlength=X.shape[1]), 1)
    X.data *= np.log(X.shape[0] / frequency).astype(np.float32)[X.indices]
    return X
