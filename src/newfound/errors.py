"""Every error and warning that newfound raises on purpose.

    NewfoundError
    ├── DataError        rows or weights that no model can take
    ├── LabelError       labels that do not match the rows, or each other
    ├── SettingError     a setting outside its range, or a name nobody knows
    ├── ConstraintError  decisions that contradict each other
    ├── InputError       a file or frame that cannot be read as rows
    ├── OutputError      a file that cannot be written
    ├── MissingData      a data set that is not on this machine, or is not what it should be
    └── MissingExtra     a package that an optional part needs

    NewfoundWarning
    ├── ClassExplosionWarning     a criterion that opens far too many classes
    ├── ConflictingSeedsWarning   one row seeded with two labels
    ├── GapWarning                a label that may stand for none, carried by most labelled rows
    ├── TwinWarning               two labels that differ only in case
    └── NamingWarning             a namer that did not name a class

The first five are also ``ValueError``, as scikit-learn's own checks are.
"""

import importlib
from typing import Any


class NewfoundError(Exception):
    """Anything that newfound refuses, in one sentence that says what to do."""


class DataError(NewfoundError, ValueError):
    """Rows or weights that no model can take."""


class LabelError(NewfoundError, ValueError):
    """Labels that do not match the rows, or each other."""


class SettingError(NewfoundError, ValueError):
    """A setting outside its range, or a name nobody knows."""


class ConstraintError(NewfoundError, ValueError):
    """Decisions about rows and classes that contradict each other."""


class InputError(NewfoundError, ValueError):
    """A file or frame that cannot be read as rows."""


class OutputError(NewfoundError, OSError):
    """A file that cannot be written."""


class MissingData(NewfoundError, FileNotFoundError):
    """A data set that is not on this machine, or is not what it should be."""


class MissingExtra(NewfoundError, ImportError):
    """A package that an optional part needs."""


def need(module: str, extra: str) -> Any:
    """Import a package of an extra, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise MissingExtra(f"this needs {missing.name}: pip install 'newfound[{extra}]'") from missing


class NewfoundWarning(UserWarning):
    """Something legal that is probably not what the user wants."""


class ClassExplosionWarning(NewfoundWarning):
    """A criterion that opens far too many classes."""


class ConflictingSeedsWarning(NewfoundWarning):
    """One row seeded with two labels."""


class TwinWarning(NewfoundWarning):
    """Two labels that differ only in case."""


class GapWarning(NewfoundWarning):
    """A label that may stand for none, carried by most labelled rows."""


class NamingWarning(NewfoundWarning):
    """A namer that did not name a class."""
