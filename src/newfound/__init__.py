"""Exploratory learning: label every row from a few seeds, and discover the classes that nobody seeded."""

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

from newfound.errors import NewfoundError

if TYPE_CHECKING:
    from newfound.components import KMeans, NaiveBayes, VonMisesFisher
    from newfound.criteria import JensenShannon, MinMax, Random
    from newfound.estimators import ExploreEM, ExploreGibbs, Newfound

__all__ = [
    "ExploreEM",
    "ExploreGibbs",
    "JensenShannon",
    "KMeans",
    "MinMax",
    "NaiveBayes",
    "Newfound",
    "NewfoundError",
    "Random",
    "VonMisesFisher",
    "__version__",
]
__version__ = "0.1.0"

_HOMES = {
    "components": ("KMeans", "NaiveBayes", "VonMisesFisher"),
    "criteria": ("JensenShannon", "MinMax", "Random"),
    "estimators": ("ExploreEM", "ExploreGibbs", "Newfound"),
}

logging.getLogger("newfound").addHandler(logging.NullHandler())


def __getattr__(name: str) -> Any:
    """Load what is asked for, and its module with it: the command line answers before scikit-learn and numba are there."""
    for module, names in _HOMES.items():
        if name in (module, *names):
            home = import_module(f"newfound.{module}")
            return home if name == module else getattr(home, name)
    raise AttributeError(f"module 'newfound' has no attribute {name!r}")
