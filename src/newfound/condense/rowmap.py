"""Rows -> unit vectors in a space where classes are round: fitted once, kept for new rows.

Counts: tf-idf with 1 + log tf, the first singular directions, centred, half-whitened. Embeddings: centred. Both
side by side: each by its own map, joined. Then every row moves half-way to the mean of its nearest rows, so that what
is peculiar to one wording fades.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.extmath import randomized_svd

from newfound.errors import DataError
from newfound.execution import Pool
from newfound.kernels.nearest import largest

Array = NDArray[Any]

DIMENSIONS = 100
"""Singular directions kept of counts; 200 were no better."""

WHITEN = 0.5
"""The power of its spread by which a direction is divided: 1 blows up noise, 0 lets two topics rule."""

NEAREST = 11
"""Rows that a row is averaged with, itself included where it is one of them; twice as many blur large, loose classes."""

FEW = 20
"""But no more than a row in so many, where rows are few."""

BLOCK = 512
"""Rows compared at a time."""

EMPTY = 1e-12
"""A row shorter than this holds nothing."""


class Block(Protocol):
    """The map of one kind of rows."""

    def __call__(self, X: Any) -> Array:
        """Unit rows; a row of nothing stays zero."""
        ...


@dataclass(frozen=True)
class Counts:
    """The map of a sparse matrix of counts."""

    idf: Array
    axes: Array
    mean: Array
    scale: Array

    @classmethod
    def fit(cls, X: Any, seed: int) -> "Counts":
        """Read the words' frequencies and the main directions off these rows."""
        frequency = np.bincount(X.indices, minlength=X.shape[1])
        idf = np.log((X.shape[0] + 1) / np.maximum(frequency, 1)).astype(np.float32)
        weighed = _tf_idf(X, idf)
        axes = randomized_svd(weighed, min(DIMENSIONS, *X.shape), n_iter=4, random_state=seed)[2].astype(np.float32)
        projected = _filled(unit(weighed @ axes.T))
        spread = projected.std(axis=0) ** WHITEN
        return cls(idf, axes, _centre(projected), np.where(spread > 0, spread, 1).astype(np.float32))

    def __call__(self, X: Any) -> Array:
        projected = unit(_tf_idf(X, self.idf) @ self.axes.T)
        return unit((projected - self.mean) / self.scale) * projected.any(axis=1, keepdims=True)


@dataclass(frozen=True)
class Vectors:
    """The map of dense embeddings."""

    mean: Array

    @classmethod
    def fit(cls, X: Any) -> "Vectors":
        """The mean direction of these rows."""
        return cls(_centre(_filled(unit(X))))

    def __call__(self, X: Any) -> Array:
        rows = unit(X)
        return unit(rows - self.mean) * rows.any(axis=1, keepdims=True)


@dataclass(frozen=True)
class RowMap:
    """The map of one matrix, or of several side by side.

    ``reference`` are the rows among which neighbours are looked for, ``axes`` is what metric.py adds.

    >>> X = np.array([[2.0, 1.0], [2.0, 0.9], [-1.0, 3.0]])
    >>> RowMap.fit(X, Pool(1))(X, Pool(1)).astype(float).round(1).tolist()
    [[0.9, -0.4], [0.9, -0.4], [-0.9, 0.4]]
    """

    blocks: tuple[Block, ...]
    reference: Array
    axes: Array | None = None

    @classmethod
    def fit(cls, X: Any, pool: Pool, seed: int = 0) -> "RowMap":
        """Fit each matrix's own map: sparse ones as counts, dense ones as embeddings."""
        blocks = tuple(Counts.fit(x, seed) if sparse.issparse(x) else Vectors.fit(x) for x in matrices(X))
        return cls(blocks, _filled(_joined(blocks, X)))

    def __call__(self, X: Any, pool: Pool) -> Array:
        rows = smoothed(_joined(self.blocks, X), self.reference, pool)
        return rows if self.axes is None else unit(rows @ self.axes)

    def refined(self, axes: Array) -> "RowMap":
        """The same map followed by a linear one."""
        return replace(self, axes=axes if self.axes is None else self.axes @ axes)


def smoothed(rows: Array, reference: Array, pool: Pool) -> Array:
    """Every row half-way to the mean of the rows of ``reference`` that are nearest to it.

    >>> rows = unit(np.repeat(np.eye(3), 100, axis=0) + 0.3 * np.random.default_rng(0).normal(size=(300, 3)))
    >>> bool(smoothed(rows, rows, Pool(1))[:100].std(axis=0).sum() < rows[:100].std(axis=0).sum())
    True
    """
    width = min(NEAREST, len(reference) // FEW)
    if width < 2:
        return rows
    out = np.empty_like(rows)

    def some(first: int, last: int) -> None:
        for start in range(first, last, BLOCK):
            block = rows[start : min(start + BLOCK, last)]
            where = np.empty((len(block), width), np.int64)
            largest(block @ reference.T, where)
            out[start : start + len(block)] = unit(block + reference[where].mean(axis=1)) * block.any(axis=1, keepdims=True)

    pool.ranges(some, len(rows), BLOCK)
    return out


def take(X: Any, rows: Array) -> Any:
    """Some rows of one matrix, or of each side by side."""
    return tuple(x[rows] for x in X) if isinstance(X, tuple) else X[rows]


def matrices(X: Any) -> Sequence[Any]:
    """The matrices side by side: those of a tuple, or the one."""
    return X if isinstance(X, tuple) else (X,)


def unit(X: Any) -> Array:
    """Rows of length 1 in float32; rows of nothing stay zero.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]])).round(2).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    rows = np.asarray(X)
    size = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))[:, None]
    return np.asarray(np.divide(rows, size, out=np.zeros(rows.shape, np.float32), where=size > EMPTY, casting="same_kind"))


def _joined(blocks: Sequence[Block], X: Any) -> Array:
    rows = [block(x) for block, x in zip(blocks, matrices(X), strict=True)]
    return rows[0] if len(rows) == 1 else unit(np.hstack(rows))


def _filled(rows: Array) -> Array:
    """The rows that hold anything; all of them if none does."""
    kept = rows.any(axis=1)
    return rows[kept] if kept.any() else rows


def _centre(rows: Array) -> Array:
    """The mean; none where all rows are the same, which would leave nothing of them."""
    mean = rows.mean(axis=0)
    return np.asarray(mean if np.ptp(rows, axis=0).max(initial=0.0) > 1e-6 else np.zeros_like(mean))


def _tf_idf(X: Any, idf: Array) -> Any:
    """Unit rows of damped counts times idf; values below 1 (weights, not counts) are not damped."""
    if X.nnz and X.data.min() < 0:
        raise DataError(f"a sparse matrix must hold counts of 0 and more, but holds {X.data.min():g}; pass such rows dense")
    X = sparse.csr_matrix(X, dtype=np.float32, copy=True)
    X.data = np.where(X.data > 1, 1 + np.log(np.maximum(X.data, 1)), X.data) * idf[X.indices]
    size = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    X.data /= np.repeat(np.where(size > 0, size, 1), np.diff(X.indptr)).astype(np.float32)
    return X
