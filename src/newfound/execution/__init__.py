"""Where parts run. Another engine is one file beside ``local.py`` and a row in ``ENGINES``."""

from typing import Any

from newfound.errors import SettingError
from newfound.execution.base import Engine
from newfound.execution.conformity import fits
from newfound.execution.local import Local, table_dtype
from newfound.execution.scan import Scan
from newfound.execution.tables import Needs, Opened, Table
from newfound.execution.threads import Pool, threads

ENGINES: dict[str, type[Engine]] = {"local": Local}

__all__ = ["ENGINES", "Engine", "Local", "Needs", "Opened", "Pool", "Scan", "Table", "engine", "fits", "table_dtype", "threads"]


def engine(name: Any) -> Any:
    """The engine of this name, or the engine class itself.

    >>> engine("local").__name__
    'Local'
    """
    if isinstance(name, str):
        if name not in ENGINES:
            raise SettingError(f"no engine {name!r}; choose from {', '.join(sorted(ENGINES))}")
        return ENGINES[name]
    return name
