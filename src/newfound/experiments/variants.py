"""Criteria and selections that only an experiment wants, made of the small protocols that any user's own object follows."""

from collections.abc import Callable
from typing import Any

import numpy as np

from newfound.criteria import JensenShannon
from newfound.selection import AICc


class JensenShannonBits:
    """The paper's criterion read with the logarithm to base 2: the divergence is larger, so fewer rows fire.

    >>> JensenShannonBits().fires(np.array([[0.7, 0.1, 0.1, 0.1], [0.85, 0.05, 0.05, 0.05]])).tolist()
    [True, False]
    >>> JensenShannon().fires(np.array([[0.85, 0.05, 0.05, 0.05]])).tolist()
    [True]
    """

    monotone = False

    def fires(self, posteriors: Any) -> Any:
        """Whether the divergence from uniform, in bits, is below 1/k."""
        return JensenShannon(threshold=np.log(2) / posteriors.shape[1]).fires(posteriors)


class UndilutedAICc(AICc):
    """AICc when the uniform prior is left out of the likelihood, so that a new class does not take a share of it.

    >>> UndilutedAICc(5).score(-100.0, 4, 50) == AICc().score(-100.0, 4, 50)       # one class: ln 1 = 0
    True
    """

    def __init__(self, n_features: int) -> None:
        self.n_features = n_features

    def score(self, log_likelihood: float, n_parameters: int, n_rows: float) -> float:
        """As AICc, with n ln k added to the likelihood of k classes."""
        n_classes = (n_parameters + 1) / self.n_features
        return super().score(log_likelihood + n_rows * float(np.log(max(n_classes, 1))), n_parameters, n_rows)


VARIANTS: dict[str, dict[Any, Callable[[int], Any]]] = {
    "criterion": {"js-bits": lambda n_features: JensenShannonBits()},
    "selection": {"aicc-undiluted": UndilutedAICc},
}
