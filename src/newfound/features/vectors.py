"""Vectors that people made themselves -> a matrix: a column of lists, or a file of numpy or scipy.

Nothing is unpickled: a file from a stranger can be wrong, and says so.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from newfound.errors import InputError, need
from newfound.features import cells
from newfound.features.tables import Table, pick, short

Matrix: TypeAlias = "NDArray[np.float32] | sparse.csr_matrix"

FILES = (".npy", ".npz")


def vectors(source: str | Path, table: Table | None = None) -> Matrix:
    """One row of numbers for each row of the table: its column ``source``, or the .npy or .npz file of this path.

    Lists (in csv, cells like ``[0.1, 0.2]``) and .npy become a matrix of float32; .npz, as ``scipy.sparse.save_npz``
    writes it, stays sparse.

    >>> import pyarrow as pa
    >>> from newfound.features.tables import table
    >>> vectors("place", table(pa.table({"place": [[1, 2], [3, 4]]}))).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    path = Path(source)
    named = table is not None and str(source) in table.frame.columns
    if path.suffix.lower() in FILES and not named:
        return _file(path, table)
    if table is None:
        raise InputError(f"vectors without a table come from a .npy or .npz file, but {path.name} is neither")
    return _column(table, str(source))


def _column(table: Table, column: str) -> NDArray[np.float32]:
    pa, pc = need("pyarrow", "app"), need("pyarrow.compute", "app")
    found = cells.column(pick(table, column))
    if pa.types.is_string(found.type) or pa.types.is_large_string(found.type):
        found = pa.array([_numbers(text, table, column, row) for row, text in enumerate(found.to_pylist())])
    if not (cells.is_list(found.type) and _is_number(found.type.value_type)):
        raise InputError(
            f"column {short(column)} of {table.name} holds {found.type}, but vectors are lists of numbers; name another"
        )
    lengths = np.asarray(pc.fill_null(pc.list_value_length(found), 0))
    for row in np.flatnonzero((lengths != lengths[0]) | (lengths == 0))[:1]:
        like = f"but row 1 one of length {lengths[0]}" if row else "which holds nothing"
        raise InputError(f"{table.at(row)} has a vector of length {lengths[row]}, {like}; all must be of one length")
    flat = pc.fill_null(pc.list_flatten(found).cast(pa.float64(), safe=False), np.nan)
    return _single(np.asarray(flat).reshape(len(table), -1), table.at)


def _is_number(kind: Any) -> bool:
    types = need("pyarrow", "app").types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _numbers(text: str | None, table: Table, column: str, row: int) -> NDArray[np.float64]:
    """The numbers that a cell of text holds as JSON."""
    try:
        found = json.loads(text or "")
        if isinstance(found, list) and all(type(number) in (int, float) for number in found):
            return np.array(found, np.float64)
    except (ValueError, OverflowError, RecursionError):
        pass
    raise InputError(f"{table.at(row)} has {short(text)} in column {short(column)}, but a vector is written like [0.1, 0.2]")


def _single(values: NDArray[Any], at: Callable[[int], str]) -> NDArray[np.float32]:
    """The numbers in float32, all of them finite there."""
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    for row in np.flatnonzero(~np.isfinite(single).all(axis=1))[:1]:
        number = values[row][~np.isfinite(single[row])][0]
        raise InputError(f"{at(row)} has {number:g} in its vector; use finite numbers, of at most 3e38")
    return single


def _file(path: Path, table: Table | None) -> Matrix:
    """The matrix in a file, with one row for each row of the table."""
    dense = path.suffix.lower() == ".npy"
    try:
        with open(path, "rb") as stream:
            found = np.load(stream, allow_pickle=False) if dense else _checked(sparse.load_npz(stream))
    except FileNotFoundError:
        raise InputError(f"there is no file {path}; check its name and its folder") from None
    except Exception as failure:  # whatever a foreign or broken file makes numpy and scipy stumble over
        maker = "numpy.save(path, matrix)" if dense else "scipy.sparse.save_npz(path, counts)"
        raise InputError(f"{path.name} is not a matrix as {maker} writes it ({failure})") from failure
    if getattr(found, "ndim", 0) != 2 or found.dtype.kind not in "iuf" or 0 in found.shape:
        shape, kind = getattr(found, "shape", ""), getattr(found, "dtype", type(found).__name__)
        raise InputError(f"{path.name} holds {kind} of shape {shape}, but vectors are a matrix of numbers, a row to each row")
    if table is not None and found.shape[0] != len(table):
        raise InputError(f"{path.name} has {found.shape[0]} rows, but {table.name} has {len(table)}; give each row its vector")
    where = lambda row: f"row {row + 1} of {path.name}"  # noqa: E731
    return _single(found, where) if dense else _finite(found, where)


def _checked(found: Any) -> sparse.csr_matrix:
    """Counts whose every index lies within the matrix."""
    counts = sparse.csr_matrix(found)
    counts.check_format(full_check=True)
    counts.sum_duplicates()
    return counts


def _finite(counts: sparse.csr_matrix, at: Callable[[int], str]) -> sparse.csr_matrix:
    for place in np.flatnonzero(~np.isfinite(counts.data))[:1]:
        row = int(np.searchsorted(counts.indptr, place, side="right")) - 1
        raise InputError(f"{at(row)} has {counts.data[place]:g} in its vector; use finite numbers")
    return counts
