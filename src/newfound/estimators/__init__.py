"""Thin scikit-learn classes over the learner and the samplers."""

from newfound.estimators.em import ExploreEM
from newfound.estimators.gibbs import ExploreGibbs

__all__ = ["ExploreEM", "ExploreGibbs"]
