"""Multinomial naive Bayes over counts."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from newfound.components.base import Array, Component, Parameters, Summary, recipe
from newfound.settings import positive


@dataclass(frozen=True)
class NaiveBayes(Component):
    """Counts drawn from one distribution per class, smoothed by ``alpha`` per feature.

    theta_j = (sums_j + alpha) / total; log score = x . log theta_j + log prior_j, the multinomial coefficient
    left out. With tens of thousands of words alpha must be small: 1 would drown every class.

    >>> NaiveBayes().get_params()
    {'alpha': 0.01, 'prior': 'empirical'}
    """

    score: ClassVar[str] = "log"
    log_link: ClassVar[bool] = True

    alpha: float = 0.01
    prior: str = "empirical"

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("alpha", self.alpha)

    def weigh(self, summary: Summary, prior: Array, shared: float) -> Parameters:
        share = 1 / (summary.mass + self.alpha * summary.n_features)
        with np.errstate(divide="ignore"):  # a prior of 0 is legal: such a class is never drawn
            return recipe(share, share * self.alpha, np.log(prior), prior, -np.log(share * self.alpha), shared)

    def fits(self, scores: Array, prior: Array, mass: Array) -> Array:
        """Per word, so that long and short rows compare."""
        return super().fits(scores, prior, mass) / np.maximum(mass, 1e-300)
