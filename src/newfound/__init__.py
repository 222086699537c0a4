"""Exploratory learning: label every row from a few seeds, and discover the classes that nobody seeded."""

import logging

from newfound.components import KMeans, NaiveBayes, VonMisesFisher
from newfound.criteria import JensenShannon, MinMax, Random
from newfound.errors import NewfoundError
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

logging.getLogger("newfound").addHandler(logging.NullHandler())
