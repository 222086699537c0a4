"""The public estimators, in scikit-learn's sense."""

from newfound.estimators.condensed import Newfound
from newfound.estimators.em import ExploreEM
from newfound.estimators.gibbs import ExploreGibbs

__all__ = ["ExploreEM", "ExploreGibbs", "Newfound"]
