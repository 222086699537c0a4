"""Delicious_Sports: a reader for the WebSets form, and a generated stand-in of the same shape.

The data set itself can no longer be found. In its published form, entities that were found in tables on the web are
described by the table columns that they occur in, as triples.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from newfound.datasets.base import DataSet
from newfound.errors import MissingData

Array = NDArray[Any]


def read_triples(path: Path) -> DataSet:
    """Read ``triples.tsv`` (entity, table column, count) and, beside it, ``labels.tsv`` (entity, class).

    Fields are separated by tabs; a count left out is 1. Entities without a class are left out.
    """
    path = Path(path)
    entity_class = dict(_fields(path.with_name("labels.tsv"), 2, 2))
    triples = [t for t in _fields(path, 2, 3) if t[0] in entity_class]
    if not triples:
        raise MissingData(f"{path} has no triple of an entity that labels.tsv gives a class")
    entities, rows = np.unique([t[0] for t in triples], return_inverse=True)
    columns, cols = np.unique([t[1] for t in triples], return_inverse=True)
    values = [_count(t, path) for t in triples]
    X = sparse.csr_matrix((values, (rows, cols)), shape=(len(entities), len(columns)))
    labels = np.array([entity_class[entity] for entity in entities.tolist()])
    return DataSet("", "", labels, X, None, columns, None, entities)


def stand_in(seed: int = 0) -> DataSet:
    """282 entities of 26 classes by 721 table columns, generated: each class has columns of its own, in which its
    entities occur now and then, and shares broader ones with its kind. A stand-in, not the data of the paper.
    """
    rng = np.random.default_rng(seed)
    n_rows, n_columns, n_classes, n_kinds = 282, 721, 26, 6
    sizes = _split(n_rows, rng.dirichlet(np.full(n_classes, 2.0)), 3)
    widths = _split(n_columns - 121, rng.dirichlet(np.full(n_classes, 2.0)), 8)
    kind = np.arange(n_classes) % n_kinds
    owner = np.concatenate([np.repeat(np.arange(n_classes), widths), n_classes + np.arange(121) % n_kinds])
    y = np.repeat(np.arange(n_classes), sizes)
    own, shared = owner == y[:, None], owner == n_classes + kind[y][:, None]
    chance = np.where(own, 0.25, np.where(shared, 0.12, 0.004))
    X = rng.poisson(chance)
    empty = np.flatnonzero(X.sum(axis=1) == 0)
    X[empty, [np.flatnonzero(own[i])[0] for i in empty]] = 1
    bare = np.flatnonzero(X.sum(axis=0) == 0)
    X[[np.flatnonzero((own | shared)[:, j])[0] for j in bare], bare] = 1
    order = rng.permutation(n_rows)
    labels = np.array([f"stand-in-{c + 1:02d}" for c in y[order]])
    return DataSet("", "", labels, sparse.csr_matrix(X[order]), None, None, None, None, stand_in=True)


def _split(total: int, shares: Array, least: int) -> Array:
    """Whole numbers of at least ``least`` that add up to ``total``, in these shares."""
    parts = least + np.floor(shares * (total - least * len(shares))).astype(int)
    parts[: total - parts.sum()] += 1
    return np.asarray(parts)


def _fields(path: Path, least: int, most: int) -> list[list[str]]:
    if not path.exists():
        raise MissingData(f"{path} is not there; the WebSets form needs triples.tsv and labels.tsv side by side")
    try:
        lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except UnicodeDecodeError as fault:
        raise MissingData(f"{path} is not text in UTF-8 ({fault})") from fault
    for number, fields in enumerate(lines, 1):
        if not least <= len(fields) <= most:
            raise MissingData(f"line {number} of {path} has {len(fields)} fields, not {least} to {most} separated by tabs")
    return lines


def _count(triple: list[str], path: Path) -> float:
    try:
        return float(triple[2]) if len(triple) == 3 else 1.0
    except ValueError:
        raise MissingData(f"{path} has the count {triple[2]!r}, which is not a number") from None
