"""Blocks of rows with their global row numbers.

``Rows`` shows a CSR or dense matrix to the kernels without copying it; a ``Part`` is a run of them with
the seed and the weight of each row.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Array = NDArray[Any]


@dataclass(frozen=True)
class Rows:
    """Rows as the kernels read them: values ``data[indptr[i]:indptr[i + 1]] * scale[i]``.

    >>> rows = Rows.of(np.array([[1.0, 3.0], [0.0, 2.0]]))
    >>> len(rows), rows.n_features, rows.slice(1, 2).dense(0, 1).tolist()
    (2, 2, [[0.0, 2.0]])
    """

    indptr: Array
    indices: Array | None
    data: Array
    scale: Array
    n_features: int

    @classmethod
    def of(cls, X: Any) -> "Rows":
        """Wrap a checked matrix. Small whole numbers are held as float32, which keeps them exact."""
        if sparse.issparse(X):
            X = _canonical(X)
            indptr, indices, data = X.indptr.astype(np.int64), X.indices, _floating(X.data)
        else:
            X = np.ascontiguousarray(X)
            indptr, indices = np.arange(len(X) + 1, dtype=np.int64) * X.shape[1], None
            data = _floating(X).ravel()
        return cls(indptr, indices, data, np.ones(X.shape[0]), X.shape[1])

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def arrays(self) -> tuple[Array, Array | None, Array, Array]:
        """What every kernel takes first."""
        return self.indptr, self.indices, self.data, self.scale

    def lengths(self, rows: Array) -> Array:
        """How many values each of these rows holds."""
        return np.asarray(self.indptr[rows + 1] - self.indptr[rows])

    def filled(self) -> Array:
        """Which rows hold anything but zeros."""
        if self.data.all():
            return np.asarray(self.indptr[1:] > self.indptr[:-1])
        sizes = np.zeros(len(self.data) + 1, np.int64)
        np.cumsum(self.data != 0, out=sizes[1:])
        return np.asarray(sizes[self.indptr[1:]] > sizes[self.indptr[:-1]])

    def slice(self, first: int, last: int) -> "Rows":
        """Rows ``first`` to ``last``, sharing memory."""
        return Rows(self.indptr[first : last + 1], self.indices, self.data, self.scale[first:last], self.n_features)

    def dense(self, first: int, last: int) -> Array:
        """Rows of a dense matrix as they count, scaled."""
        return np.asarray(self.raw(first, last) * self.scale[first:last, None])

    def raw(self, first: int, last: int) -> Array:
        """Rows of a dense matrix as they were given, sharing memory."""
        return np.asarray(self.data[self.indptr[first] : self.indptr[last]].reshape(-1, self.n_features))

    def shuffled(self, order: Array) -> "Rows":
        """A copy in another order."""
        if self.indices is None:
            data = self.raw(0, len(self))[order].ravel()
            return Rows(self.indptr - self.indptr[0], None, data, self.scale[order], self.n_features)
        whole = sparse.csr_matrix((self.data, self.indices, self.indptr), shape=(len(self), self.n_features))[order]
        return Rows(whole.indptr.astype(np.int64), whole.indices, whole.data, self.scale[order], self.n_features)

    def place(self, position: int) -> str:
        """The row and column of a value, in words."""
        row = int(np.searchsorted(self.indptr, position, side="right")) - 1
        column = position - self.indptr[row] if self.indices is None else self.indices[position]
        return f"row {row}, column {column}"


@dataclass(frozen=True)
class Part:
    """A run of rows: their global numbers, seeds (a class, or -1) and weights."""

    ids: Array
    rows: Rows
    seeds: Array
    weights: Array

    def __len__(self) -> int:
        return len(self.ids)

    def shuffled(self, order: Array) -> "Part":
        """A copy in another order."""
        return Part(self.ids[order], self.rows.shuffled(order), self.seeds[order], self.weights[order])

    def cut(self, size: int | None) -> list["Part"]:
        """The same rows in parts of at most ``size``, sharing memory."""
        step = size or max(len(self), 1)
        return [
            Part(
                self.ids[i : i + step],
                self.rows.slice(i, min(i + step, len(self))),
                self.seeds[i : i + step],
                self.weights[i : i + step],
            )
            for i in range(0, len(self), step)
        ]


def _canonical(X: Any) -> Any:
    X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.indices.dtype != np.int32:
        X = sparse.csr_matrix((X.data, X.indices.astype(np.int32), X.indptr), shape=X.shape)
    return X


def _floating(values: Array) -> Array:
    """float32 and float64 as they are; whole numbers as float32 where that is exact."""
    if values.dtype.kind == "f":
        return values.astype(np.float32 if values.dtype.itemsize == 4 else np.float64, copy=False)
    small = values.size == 0 or max(abs(int(values.min())), abs(int(values.max()))) <= 2**24
    return values.astype(np.float32 if values.dtype == bool or small else np.float64)
