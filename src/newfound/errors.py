"""Every error and warning that newfound raises on purpose.

    NewfoundError
    ├── DataError        rows or weights that no model can take
    ├── LabelError       labels that do not match the rows, or each other
    └── SettingError     a setting outside its range, or a name nobody knows

    NewfoundWarning
    ├── ClassExplosionWarning     a criterion that opens far too many classes
    └── ConflictingSeedsWarning   one row seeded with two labels

The errors are also ``ValueError``, as scikit-learn's own checks are.
"""


class NewfoundError(Exception):
    """Anything that newfound refuses, in one sentence that says what to do."""


class DataError(NewfoundError, ValueError):
    """Rows or weights that no model can take."""


class LabelError(NewfoundError, ValueError):
    """Labels that do not match the rows, or each other."""


class SettingError(NewfoundError, ValueError):
    """A setting outside its range, or a name nobody knows."""


class NewfoundWarning(UserWarning):
    """Something legal that is probably not what the user wants."""


class ClassExplosionWarning(NewfoundWarning):
    """A criterion that opens far too many classes."""


class ConflictingSeedsWarning(NewfoundWarning):
    """One row seeded with two labels."""
