"""What a label and an unlabelled mark are: the checks at the border.

``Labels.of(y)`` turns the user's labels into class numbers and knows how to turn them back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d

from newfound.errors import DataError, LabelError

Array = NDArray[Any]

UNLABELLED = -1
"""The class number of a row without a seed."""


@dataclass(frozen=True)
class Labels:
    """Seed labels as numbers: ``codes[i]`` is a position in ``classes``, or -1.

    >>> labels = Labels.of(["spam", None, "ham", None])
    >>> labels.classes.tolist(), labels.codes.tolist()
    (['ham', 'spam'], [1, -1, 0, -1])
    """

    classes: Array
    codes: Array

    @classmethod
    def of(cls, y: Any) -> "Labels":
        """Encode ``y``: -1, None, NaN and "" mean unlabelled."""
        values, marked = _clean(y)
        classes = np.unique(values[~marked]) if (~marked).any() else values[:0]
        codes = np.full(len(values), UNLABELLED, dtype=np.int32)
        if (~marked).any():
            codes[~marked] = np.searchsorted(classes, values[~marked].astype(classes.dtype))
        return cls(classes, codes)

    def only(self, keep: Array) -> "Labels":
        """Forget the classes whose number is not in ``keep``: their rows become unlabelled."""
        number = np.full(len(self.classes) + 1, UNLABELLED, dtype=np.int32)
        number[keep] = np.arange(len(keep))
        return Labels(self.classes[keep], number[self.codes])


def new_names(classes: Array, taken: Array, count: int) -> Array:
    """Names for ``count`` new classes in the user's label type, none of them in ``taken``.

    >>> new_names(np.array([0, 4]), np.array([0, 4]), 2).tolist()
    [5, 6]
    >>> new_names(np.array(["a", "new-1"]), np.array(["a", "new-1"]), 2).tolist()
    ['new-2', 'new-3']
    """
    if count == 0:
        return classes[:0]
    if classes.dtype.kind in "iuf":
        return _next_numbers(classes.dtype, taken, count)
    if classes.dtype.kind == "b":
        raise LabelError("a new class cannot be named True or False; use text or whole numbers as labels")
    names: list[str] = []
    used, number = set(taken.tolist()), 0
    while len(names) < count:
        number += 1
        if f"new-{number}" not in used:
            names.append(f"new-{number}")
    return np.array(names, dtype=classes.dtype if classes.dtype.kind == "O" else None)


def _next_numbers(dtype: Any, taken: Array, count: int) -> Array:
    """The next whole numbers, in a wider type where this one has no room."""
    first = max(int(taken.max()) + 1, 0) if len(taken) else 0
    last = first + count - 1
    for wider in (dtype, np.dtype(np.int64 if dtype.kind in "iu" else np.float64)):
        limit = np.iinfo(wider).max if wider.kind in "iu" else 2 ** np.finfo(wider).nmant
        if last <= limit:
            return np.array([first + i for i in range(count)], dtype=wider)
    raise LabelError(f"the label {taken.max()} leaves no number for new classes above it; use smaller numbers, or text")


def check_weights(sample_weight: Any, n_rows: int) -> Array:
    """Weights as float64, one per row; 1 each when none are given."""
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise DataError(f"sample_weight must hold one weight for each of the {n_rows} rows, but has shape {weights.shape}")
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(bad):
        raise DataError(
            f"weights must be finite and 0 or more, but row {bad[0]} has {weights[bad[0]]:g}; use 0 to leave a row out"
        )
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not np.isfinite(total):
        raise DataError(f"the weights add up to more than float64 holds (the largest is {weights.max():g}); scale them down")
    return weights


def _clean(y: Any) -> tuple[Array, Array]:
    """The values as a one-dimensional array of one type, and where they mean unlabelled."""
    y = np.asarray(y, dtype=object if isinstance(y, (list, tuple)) else None)
    if y.ndim != 1 and not (y.ndim == 2 and y.shape[1] == 1):
        raise LabelError(f"y must be one label per row, but has shape {y.shape}; pass a one-dimensional array")
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "O":
        y, marked = _from_objects(y)
    elif y.dtype.kind == "f":
        marked = np.isnan(y) | (y == UNLABELLED)
    elif y.dtype.kind in "iu":
        marked = y == UNLABELLED
    elif y.dtype.kind == "U":
        y, marked = _from_objects(y.astype(object))
        y = y.astype(str)
    elif y.dtype.kind == "b":
        marked = np.zeros(len(y), dtype=bool)
    else:
        raise LabelError(f"labels must be whole numbers or text, but y has dtype {y.dtype}")
    if y.dtype.kind == "f":
        if np.isinf(y).any():
            raise LabelError("Input y contains infinity; labels must be whole numbers or text, and NaN means unlabelled")
        uneven = y[~marked & (y != np.rint(y))]
        if len(uneven):
            raise LabelError(f"Unknown label type: continuous. Labels must be whole numbers or text, but y holds {uneven[0]:g}")
    return y, marked


def _from_objects(y: Array) -> tuple[Array, Array]:
    marked = np.array([_is_missing(v) for v in y], dtype=bool)
    named: Sequence[Any] = y[~marked]
    if len(named) == len(y) and all(isinstance(v, (bool, np.bool_)) for v in named) and len(y):
        return y.astype(bool), marked
    if any(isinstance(v, str) and v == "-1" for v in named):
        raise LabelError('the text "-1" is not a label; mark unlabelled rows with None (or with the number -1)')
    kinds = {_kind(v) for v in named}
    if len(kinds) > 1 or not kinds <= {str, float}:
        seen = ", ".join(sorted({type(v).__name__ for v in named}))
        raise LabelError(f"labels must be all text or all whole numbers, but y mixes or holds {seen}")
    if kinds == {float}:
        filled = np.array([UNLABELLED if gap else v for v, gap in zip(y, marked, strict=True)])
        return filled, marked
    filled = y.copy()
    filled[marked] = ""
    return filled, marked


def _kind(value: Any) -> type:
    if isinstance(value, (bool, np.bool_)):
        return bool
    return str if isinstance(value, str) else float if isinstance(value, (int, float, np.number)) else type(value)


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, str):
        return value == ""
    return bool(value != value) or (not isinstance(value, bool) and value == UNLABELLED)


def union(known: Array, more: Array) -> Array:
    """All of these labels, sorted; both must be text or both numbers."""
    check_alike(known, more)
    filled = [labels for labels in (known, more) if len(labels)]
    return np.unique(np.concatenate(filled)) if filled else known


def check_alike(known: Array, more: Array) -> None:
    """Refuse labels of another type than those known."""
    if len(known) and len(more) and (known.dtype.kind in "OUS") != (more.dtype.kind in "OUS"):
        earlier, later = known[:1].tolist()[0], more[:1].tolist()[0]
        raise LabelError(
            f"earlier classes are named like {earlier!r}, these labels are like {later!r}; keep to one type of label"
        )
