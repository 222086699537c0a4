"""Values as cells of text, and as arrow columns.

Rows of a file need not agree on a type: a JSON key may hold 7 here and "n/a" there. A column keeps its type where all its
values share one that every file format can hold (text, numbers, truth, dates, lists of these), and is text otherwise.
"""

import json
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from newfound.errors import need


def cell(value: Any) -> str | None:
    """A value as the text of a cell; None where there is none.

    >>> [cell(value) for value in ("007", 7, 0.5, True, float("nan"), [1, 2])]
    ['007', '7', '0.5', 'true', None, '[1, 2]']
    """
    if isinstance(value, str):
        return value
    if is_missing(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        return str(value).lower()
    return to_json(value) if is_nested(value) else value.decode() if isinstance(value, bytes) else str(value)


def is_missing(value: Any) -> bool:
    """Whether this stands for no value: None, NaN, and what pandas has besides."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating, Decimal)) and bool(value != value)


def is_nested(value: Any) -> bool:
    """Whether this holds values of its own."""
    return isinstance(value, (list, tuple, dict, np.ndarray))


def to_json(value: Any) -> str:
    """A value as JSON, which has no NaN and no infinity: they become null.

    >>> to_json({"name": "é", "sizes": [1.5, float("nan")]})
    '{"name": "é", "sizes": [1.5, null]}'
    """
    try:
        return _JSON.encode(value)
    except ValueError:
        return _JSON.encode(_finite(value))


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else cell(value)


_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(held) for key, held in value.items()}
    if is_nested(value):
        return [_finite(held) for held in value]
    return None if isinstance(value, (float, np.floating)) and not math.isfinite(value) else value


def array(values: Sequence[Any]) -> Any:
    """An arrow array of the type that the values share, or of text.

    >>> array([1, None, 2]).to_pylist(), array([1, None, "x"]).to_pylist()
    ([1, None, 2], ['1', None, 'x'])
    """
    pa = need("pyarrow", "app")
    try:
        found = pa.array(values)
    except (pa.ArrowException, OverflowError):
        return texts(values)
    return found if _is_plain(found.type) else texts(values)


def _is_plain(kind: Any) -> bool:
    """Whether every file format can hold this type."""
    types = need("pyarrow", "app").types
    inner = kind.value_type if is_list(kind) else kind
    return not types.is_nested(inner)


def is_list(kind: Any) -> bool:
    """Whether an arrow type holds a list in each cell."""
    types = need("pyarrow", "app").types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def texts(values: Sequence[Any]) -> Any:
    """An arrow array of cells; large, as a cell may hold a megabyte and a column more than two gigabytes."""
    pa = need("pyarrow", "app")
    return pa.array([cell(value) for value in values], pa.large_string())


def join(chunks: Sequence[Any]) -> Any:
    """The parts of a column under one another, in the type that holds them all.

    >>> join([array([1]), array([0.5])]).to_pylist(), join([array([1]), array(["x"])]).to_pylist()
    ([1.0, 0.5], ['1', 'x'])
    """
    pa = need("pyarrow", "app")
    try:
        whole = pa.concat_tables([pa.table({"": chunk}) for chunk in chunks], promote_options="permissive")[""]
    except pa.ArrowException:
        return pa.chunked_array([texts(chunk.to_pylist()) for chunk in chunks])
    return whole.cast(pa.large_string()) if pa.types.is_null(whole.type) or pa.types.is_string(whole.type) else whole


def column(series: Any) -> Any:
    """A column of any frame as an arrow array or chunked array."""
    pa = need("pyarrow", "app")
    native = series.to_native()
    if isinstance(native, (pa.ChunkedArray, pa.Array)):
        return native
    try:
        return series.to_arrow()
    except (pa.ArrowException, OverflowError):
        return array(series.to_list())
