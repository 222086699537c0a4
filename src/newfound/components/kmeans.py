"""K-Means as the paper has it: the inner product with the centroid is the probability."""

from dataclasses import dataclass
from typing import ClassVar

from newfound.components.base import Array, Component, Parameters, Summary, recipe
from newfound.settings import positive


@dataclass(frozen=True)
class KMeans(Component):
    """Rows of sum 1 and centroids of sum 1; posterior proportional to prior times inner product.

    centroid_j = (sums_j + smoothing) / total. The smoothing keeps every posterior above 0, so that rows can
    be nearly uniform at all. A uniform prior is the default: an empirical one lets large classes swallow the rest.

    >>> KMeans(smoothing=1e-3).get_params()
    {'smoothing': 0.001, 'prior': 'uniform'}
    """

    score: ClassVar[str] = "linear"
    norm: ClassVar[str | None] = "l1"

    smoothing: float = 1e-4
    prior: str = "uniform"

    def __post_init__(self) -> None:
        super().__post_init__()
        positive("smoothing", self.smoothing)

    def weigh(self, summary: Summary, prior: Array, shared: float) -> Parameters:
        share = prior / (summary.mass + self.smoothing * summary.n_features)
        return recipe(share, share * self.smoothing, 0 * share, prior, prior, shared)
