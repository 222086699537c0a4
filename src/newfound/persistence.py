"""Fitted models as files: JSON for what they are, safetensors for their arrays.

Nothing is ever unpickled: only records named here are made again, only from numbers, names and other such records. A file
from a stranger can do nothing but be wrong, and then it is refused.

>>> import tempfile, numpy as np
>>> from newfound import Newfound
>>> X, y = np.repeat(np.eye(3), 20, axis=0), [0, 0] + [-1] * 58
>>> folder = Path(tempfile.mkdtemp()) / "model"
>>> save(folder, Newfound().fit(X, y))
>>> sorted(path.name for path in folder.iterdir()), load(folder).predict(X[:2])
(['arrays.safetensors', 'model.json'], array([0, 0]))
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from newfound.components import KMeans, NaiveBayes, Parameters, Statistics, VonMisesFisher
from newfound.condense.number import Number
from newfound.condense.rowmap import Counts, RowMap, Vectors
from newfound.criteria import JensenShannon, MinMax, Random
from newfound.errors import InputError, OutputError, need
from newfound.estimators import ExploreEM, ExploreGibbs, Newfound
from newfound.features.text import Features
from newfound.selection import SELECTIONS

FORMAT = 1
"""What this version writes, and the latest that it reads."""

RECORDS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind
    for kind in (
        *(KMeans, NaiveBayes, VonMisesFisher, Parameters, Statistics, MinMax, JensenShannon, Random),
        *(RowMap, Counts, Vectors, Number, Features, *SELECTIONS.values()),
    )
}
ESTIMATORS = {kind.__name__: kind for kind in (Newfound, ExploreEM, ExploreGibbs)}

KEPT = (
    *("row_map_", "component_", "statistics_", "parameters_", "calibration_", "temperature_", "classes_", "is_new_"),
    *("number_", "n_classes_range_", "n_features_in_", "_kinds"),
)
"""What predicts, and what says how many classes there are. A refit needs the rows again, and what was explored of them."""

LOCAL = ("engine", "n_jobs", "on_iteration", "verbose")
PLAIN = (str, bool, int, float, np.generic, type(None))


@dataclass
class _Writer:
    """Values as plain JSON; arrays are put aside, each once."""

    arrays: dict[str, Any] = field(default_factory=dict)

    def plain(self, value: Any) -> Any:
        """What stands for this value in JSON."""
        match value:
            case None | bool() | int() | float() | str():
                return value
            case np.generic():
                return value.item()
            case np.ndarray():
                return self._array(value)
            case tuple() if not hasattr(value, "_fields"):
                return {"tuple": [self.plain(part) for part in value]}
            case list():
                return [self.plain(part) for part in value]
            case dict():
                return {"dict": {str(key): self.plain(part) for key, part in value.items()}}
        name = type(value).__name__
        if ESTIMATORS.get(name) is type(value):
            return {"estimator": name, "settings": self._settings(value), "state": self._state(value)}
        if RECORDS.get(name) is type(value):
            return {"record": name, "fields": {key: self.plain(getattr(value, key)) for key in _names(type(value))}}
        raise OutputError(
            f"a model is saved with newfound's own parts, but this one holds {value!r}; predict with it in memory"
        )

    def _array(self, value: Any) -> Any:
        if value.dtype.kind in "OU":
            return {"names": [self.plain(part) for part in value.tolist()], "text": value.dtype.kind == "U"}
        held = next((name for name, array in self.arrays.items() if array is value), f"a{len(self.arrays)}")
        self.arrays[held] = value
        return {"array": held}

    def _settings(self, model: Any) -> dict[str, Any]:
        """Where and how it ran is for the next machine to say. Objects of the user's own were for the fit alone."""
        settings = {key: value for key, value in model.get_params(deep=False).items() if key not in LOCAL}
        own = {key for key, value in settings.items() if not isinstance(value, PLAIN) and type(value).__name__ not in RECORDS}
        return {key: self.plain(value) for key, value in settings.items() if key not in own}

    def _state(self, model: Any) -> dict[str, Any]:
        return {key: self.plain(getattr(model, key)) for key in KEPT if hasattr(model, key)}


@dataclass(frozen=True)
class _Reader:
    """The same, back."""

    arrays: dict[str, Any]

    def value(self, plain: Any) -> Any:
        """What this JSON stands for."""
        if isinstance(plain, list):
            return [self.value(part) for part in plain]
        if not isinstance(plain, dict):
            return plain
        match plain:
            case {"array": str(name), **rest} if not rest:
                return self.arrays[name]
            case {"names": list(names), "text": bool(text), **rest} if not rest:
                return np.array(names, dtype="U" if text else object)
            case {"dict": dict(parts), **rest} if not rest:
                return {key: self.value(part) for key, part in parts.items()}
            case {"tuple": list(parts), **rest} if not rest:
                return tuple(self.value(part) for part in parts)
            case {"record": str(name), "fields": dict(parts), **rest} if not rest:
                return RECORDS[name](**{key: self.value(part) for key, part in parts.items()})
            case {"estimator": str(name), "settings": dict(settings), "state": dict(state), **rest} if not rest:
                return self._estimator(name, settings, state)
        raise ValueError(f"nothing is written as {str(plain)[:60]}")

    def _estimator(self, name: str, settings: dict[str, Any], state: dict[str, Any]) -> Any:
        model = ESTIMATORS[name](**{key: self.value(part) for key, part in settings.items()})
        for key, part in state.items():
            if key not in KEPT:
                raise ValueError(f"{key} is no part of a model")
            setattr(model, key, self.value(part))
        _check(model)
        return model


def _names(kind: Any) -> tuple[str, ...]:
    return tuple(part.name for part in fields(kind)) if is_dataclass(kind) else getattr(kind, "_fields", ())


def _check(model: Any) -> None:
    """Refuse a model whose parts do not fit together: kernels read arrays without looking at their bounds."""
    stats, parameters, k = model.statistics_, model.parameters_, len(model.classes_)
    columns = (parameters.slope, parameters.intercept, parameters.offset, parameters.prior, stats.rows, model.is_new_)
    if not (stats.sums.ndim == 2 and all(column.shape == (k,) for column in columns) and len(stats.sums) == k > 0):
        raise ValueError("its classes do not have as many parameters each")
    if not (stats.sums.dtype == stats.rows.dtype == np.int64 and model.calibration_.ndim == 1):
        raise ValueError("its sums are not whole numbers")
    width = _width(model.row_map_) if hasattr(model, "row_map_") else model.n_features_in_
    if stats.sums.shape[1] != width:
        raise ValueError(f"its classes are {stats.sums.shape[1]} wide, its rows {width}")


def _width(row_map: RowMap) -> int:
    """How wide rows are once they are mapped: each step takes what the one before leaves."""
    out = 0
    for block in row_map.blocks:
        if isinstance(block, Counts):
            count = block.axes.shape[0]
            if not (block.axes.shape == (count, len(block.idf)) and block.mean.shape == block.scale.shape == (count,)):
                raise ValueError("its map of counts does not fit together")
            out += count
        elif isinstance(block, Vectors):
            out += len(block.mean)
    if row_map.reference.ndim != 2 or row_map.reference.shape[1] != out:
        raise ValueError("its rows for comparison are not as wide as its map")
    if row_map.axes is None:
        return out
    if row_map.axes.ndim != 2 or len(row_map.axes) != out:
        raise ValueError("its axes are not as wide as its map")
    return int(row_map.axes.shape[1])


def save(folder: Path, model: Any) -> None:
    """Write a fitted estimator, a record, or a dict of such, to a folder that does not exist yet."""
    writer = _Writer()
    plain = writer.plain(model)
    arrays = need("safetensors.numpy", "app").save({name: np.ascontiguousarray(a) for name, a in writer.arrays.items()})
    text = {"newfound model": FORMAT, "arrays": hashlib.sha256(arrays).hexdigest(), "model": plain}
    folder.mkdir()
    (folder / "arrays.safetensors").write_bytes(arrays)
    (folder / "model.json").write_text(json.dumps(text, ensure_ascii=False, allow_nan=False, indent=1) + "\n", encoding="utf-8")


def load(folder: Path) -> Any:
    """Read what ``save`` wrote, here or elsewhere, by this version or an earlier one."""
    folder, safetensors = Path(folder), need("safetensors.numpy", "app")
    try:
        text, arrays = json.loads((folder / "model.json").read_bytes()), (folder / "arrays.safetensors").read_bytes()
    except OSError as missing:
        raise InputError(f"{folder} holds no whole model: {missing.strerror} ({missing.filename})") from None
    except ValueError as broken:
        raise InputError(f"{folder / 'model.json'} is no model that newfound wrote: {broken}") from None
    check_format(text, "newfound model", FORMAT, folder / "model.json")
    if hashlib.sha256(arrays).hexdigest() != text.get("arrays"):
        raise InputError(f"{folder / 'arrays.safetensors'} is not the file that newfound wrote: it was cut or changed")
    try:
        return _Reader(safetensors.load(arrays)).value(text["model"])
    except Exception as wrong:  # whatever is wrong with it, it is the file that is wrong
        raise InputError(f"{folder} holds no model that newfound could have written: {wrong!r}") from None


def check_format(text: Any, kind: str, latest: int, path: Path) -> None:
    """Refuse JSON that is not of this kind, or of a later version."""
    version = text.get(kind) if isinstance(text, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InputError(f"{path} is no {kind}: expected a file that newfound wrote")
    if version > latest:
        raise InputError(f"{path} was written by a later newfound (format {version}, this one reads {latest}); update newfound")
