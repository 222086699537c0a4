"""Settings of a model or a criterion: frozen dataclasses that scikit-learn can read, copy and search."""

from dataclasses import fields, replace
from typing import Any, Self

import numpy as np

from newfound.errors import SettingError


class Settings:
    """Base of a frozen dataclass of settings."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]

    def set_params(self, **settings: Any) -> Self:
        """Change settings in place, as scikit-learn's searches do with a copy of their own."""
        unknown = sorted(set(settings) - set(self.get_params()))
        if unknown:
            known = ", ".join(self.get_params()) or "none"
            raise SettingError(f"{type(self).__name__} has no setting {unknown[0]!r}; its settings: {known}")
        checked = replace(self, **settings)  # type: ignore[type-var]
        for name in settings:
            object.__setattr__(self, name, getattr(checked, name))
        return self

    def __post_init__(self) -> None:
        """Check the settings."""


def positive(name: str, value: Any) -> None:
    """Refuse a setting that is not a finite number above 0.

    >>> positive("alpha", 0)
    Traceback (most recent call last):
    newfound.errors.SettingError: alpha must be a number above 0, not 0
    """
    if not (isinstance(value, (int, float, np.number)) and np.isfinite(value) and value > 0):
        raise SettingError(f"{name} must be a number above 0, not {value!r}")
