"""The von Mises-Fisher distribution: directions around a mean, as sharp as the concentration says."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gammaln, ive

from newfound.components.base import Array, Component, Parameters, Summary, recipe
from newfound.errors import SettingError

SHARPEST = 1e8
"""Concentrations are capped here; rows that are all alike would ask for infinity."""

DEBYE_ORDER = 40.0
"""From this order on the Debye expansion of the Bessel function is exact to 1e-13 and never overflows."""


@dataclass(frozen=True)
class VonMisesFisher(Component):
    """Rows of length 1; log score = kappa_j mu_j . x + log C_d(kappa_j) + log prior_j.

    mu_j is the direction of the sums, kappa the estimate of Banerjee et al. (2005), ``shared`` by all classes
    or one ``per-class`` (where a class of one row takes the shared one). Rows that fill few of their dimensions, as
    embeddings do, are less concentrated than all of them would say: ``dimension`` is how many count (None: all).

    >>> VonMisesFisher(concentration="per-class").get_params()
    {'concentration': 'per-class', 'prior': 'empirical', 'dimension': None}
    """

    score: ClassVar[str] = "log"
    norm: ClassVar[str | None] = "l2"
    negative: ClassVar[bool] = True
    min_features: ClassVar[int] = 2

    concentration: str = "shared"
    prior: str = "empirical"
    dimension: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.concentration not in ("shared", "per-class"):
            raise SettingError(f"concentration must be 'shared' or 'per-class', not {self.concentration!r}")
        if self.dimension is not None and not 2 <= self.dimension <= 1e6:
            raise SettingError(f"dimension must lie between 2 and 1e6, or be None for all, not {self.dimension!r}")

    def _dimension(self, summary: Summary) -> float:
        return summary.n_features if self.dimension is None else self.dimension

    def share(self, summary: Summary) -> float:
        weight = summary.rows.sum()
        length = summary.norm.sum() / weight if weight > 0 else 0.0
        return float(_concentration(np.array([length]), self._dimension(summary))[0])

    def weigh(self, summary: Summary, prior: Array, shared: float) -> Parameters:
        norm = summary.norm
        kappa = np.where(norm > 0, shared, 0.0)
        if self.concentration == "per-class":
            own = _concentration(norm / np.maximum(summary.rows, 1), self._dimension(summary))
            kappa = np.where(summary.rows > 1, own, kappa)
        slope = kappa / np.where(norm > 0, norm, 1)
        with np.errstate(divide="ignore"):  # a prior of 0 is legal: such a class is never drawn
            offset = log_normaliser(self._dimension(summary), kappa) + np.log(prior)
        return recipe(slope, 0 * slope, offset, prior, kappa, shared)

    def n_parameters(self, n_classes: int, n_features: int) -> int:
        return super().n_parameters(n_classes, n_features) + (1 if self.concentration == "shared" else n_classes)


def _concentration(length: Array, n_features: float) -> Array:
    """Kappa from the mean resultant length: (r d - r^3) / (1 - r^2), capped."""
    r = np.minimum(length, 1.0)
    gap = (1 - r) * (1 + r)
    with np.errstate(divide="ignore"):
        kappa = np.where(gap > 0, (r * n_features - r**3) / np.where(gap > 0, gap, 1), SHARPEST)
    return np.minimum(kappa, SHARPEST)


def log_normaliser(n_features: float, kappa: Array) -> Array:
    """Log C_d(kappa), the normaliser of the density on the unit sphere in d dimensions.

    >>> log_normaliser(3, np.array([0.0, 1.0]))
    array([-2.53102425, -2.69246361])
    """
    order = n_features / 2 - 1
    safe = np.maximum(kappa, 1e-300)
    # I_v(k) = (k/2)^v / Gamma(v+1) * f(k), so log C = log Gamma(d/2) - log(2 pi^(d/2)) - log f(k), and f(0) = 1
    sphere = np.log(2) + n_features / 2 * np.log(np.pi) - gammaln(n_features / 2)
    log_f = log_bessel(order, safe) - order * np.log(safe / 2) + gammaln(order + 1)
    return np.asarray(np.where(kappa > 0, -sphere - log_f, -sphere))


def log_bessel(order: float, x: Array) -> Array:
    """Log I_v(x) of the modified Bessel function, for any order v >= 0 and x > 0."""
    if order >= DEBYE_ORDER:
        return _debye(order, x)
    small = x < 1e-2 * np.sqrt(order + 1)
    series = order * np.log(x / 2) - gammaln(order + 1) + np.log1p(x * x / (4 * (order + 1)) * (1 + x * x / (8 * (order + 2))))
    large = x > 1e4
    inside = np.where(small | large, 1.0, x)
    scaled = np.log(ive(order, inside)) + inside
    mu, z = 4 * order**2, 8 * np.maximum(x, 1e4)
    hankel = 1 - (mu - 1) / z * (1 - (mu - 9) / (2 * z) * (1 - (mu - 25) / (3 * z) * (1 - (mu - 49) / (4 * z))))
    far = x - np.log(2 * np.pi * np.maximum(x, 1e4)) / 2 + np.log(np.maximum(hankel, 1e-300))
    return np.asarray(np.where(small, series, np.where(large, far, scaled)))


def _debye(order: float, x: Array) -> Array:
    """The uniform asymptotic expansion (DLMF 10.41.3), with the polynomials u_1 to u_4."""
    root = np.hypot(order, x)
    p = order / root
    q = p * p
    u = [
        p * (3 - 5 * q) / 24,
        q * (81 - 462 * q + 385 * q**2) / 1152,
        p * q * (30375 - 369603 * q + 765765 * q**2 - 425425 * q**3) / 414720,
        q**2 * (4465125 - 94121676 * q + 349922430 * q**2 - 446185740 * q**3 + 185910725 * q**4) / 39813120,
    ]
    tail = sum(term / order ** (i + 1) for i, term in enumerate(u))
    return np.asarray(root - order * np.arcsinh(order / x) - 0.5 * np.log(2 * np.pi * root) + np.log1p(tail))
