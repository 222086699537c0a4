"""Small problems, drawn by hypothesis: every setting, and rows with the faults that rows have."""

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import newfound as nf
import twin

MODELS = {
    "kmeans": (lambda: nf.KMeans(), twin.KMeans),
    "kmeans-empirical": (lambda: nf.KMeans(smoothing=0.01, prior="empirical"), lambda: twin.KMeans(0.01, "empirical")),
    "naive-bayes": (lambda: nf.NaiveBayes(), twin.NaiveBayes),
    "naive-bayes-uniform": (lambda: nf.NaiveBayes(1.0, "uniform"), lambda: twin.NaiveBayes(1.0, "uniform")),
    "vmf": (lambda: nf.VonMisesFisher(), twin.VMF),
    "vmf-per-class": (lambda: nf.VonMisesFisher("per-class"), lambda: twin.VMF("per-class")),
}


@dataclass
class Problem:
    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None
    model: str
    max_classes: int | None

    @property
    def component(self):
        return MODELS[self.model][0]()

    @property
    def slow(self):
        return MODELS[self.model][1]()

    @property
    def limit(self):
        return math.inf if self.max_classes is None else self.max_classes

    @property
    def slow_weights(self):
        return None if self.weights is None else self.weights.tolist()


@st.composite
def problems(draw, models=tuple(MODELS), max_rows=14, weighted=True, seeds=None):
    """A matrix of small counts or of fractions, some rows twice, some all-zero, some seeded, some weighted."""
    n, d = draw(st.integers(1, max_rows)), draw(st.integers(2, 6))
    k = draw(st.integers(0, 4)) if seeds is None else seeds
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.integers(0, 4, (n, d)).astype(float)
    if draw(st.booleans()):
        X = rng.random((n, d)) * (rng.random((n, d)) < 0.7)
    if draw(st.booleans()):
        X = X[rng.integers(0, n, n)]
    X[rng.random(n) < draw(st.sampled_from([0.0, 0.2]))] = 0
    weights = rng.integers(0, 4, n) * draw(st.sampled_from([1.0, 0.3, 1e-3])) if weighted and draw(st.booleans()) else None
    counts = np.ones(n, bool) if weights is None else weights > 0
    y = np.where((rng.random(n) < 0.5) & counts & (k > 0), rng.integers(0, max(k, 1), n), -1)
    y = np.searchsorted(np.unique(y[y >= 0]), y) * (y >= 0) - (y < 0)  # seeded classes from 0, without gaps
    if not (X[counts].any() or (y >= 0).any()):
        X[:], weights = 1, None
    limit = draw(st.sampled_from([None, max(int(y.max()) + 2, 2)]))
    return Problem(X, y, weights, draw(st.sampled_from(models)), limit)
