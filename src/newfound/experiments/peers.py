"""The methods that ours is compared with, as users of them would run them: a problem goes in, a class number per row comes out.

>>> problem = Problem(np.float32([[1, 0], [1, 0], [0, 1], [0, 1]]), seeds=np.array([0, -1, -1, -1]), n_classes=2)
>>> PEERS["told-far"](problem).tolist()
[0, 0, 1, 1]

Numbers from 0 are the seeded classes wherever a method keeps them; the others follow. Only the peers called "told" look at the
true number of classes, which nobody knows in practice.
"""

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.cluster import HDBSCAN
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import pairwise_distances_argmin
from sklearn.mixture import BayesianGaussianMixture
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

from newfound.datasets import tf_idf
from newfound.errors import ClassExplosionWarning, MissingData, need
from newfound.experiments.runs import DEFAULTS, LEARNERS

Array = NDArray[Any]


@dataclass(frozen=True)
class Problem:
    """Rows of length 1, and for each seed the number of its class, from 0; -1 for the rows without one.

    ``texts`` and ``counts`` are what the rows were made from, where there is such a thing.
    """

    rows: Array
    seeds: Array
    n_classes: int
    texts: list[str] | None = None
    counts: sparse.csr_matrix | None = None
    seed: int = 0

    @property
    def n_seeded(self) -> int:
        """How many classes have seeds."""
        return int(self.seeds.max()) + 1

    @property
    def many(self) -> int:
        """More classes than there will be: the room given to methods that find their own number of them."""
        return round(3 * math.sqrt(len(self.rows)))


Peer = Callable[[Problem], Array]
Start = Callable[[Problem, Array, int, np.random.Generator], Array]
"""Rows for so many new classes to start at, given the means of the seeded ones."""


# ---- told the true number of classes


def told(problem: Problem, start: Start) -> Array:
    """Spherical k-means in which seeds keep their class, for 50 rounds or until no label changes."""
    seeded = problem.seeds >= 0
    means = _means(problem.rows[seeded], problem.seeds[seeded], np.zeros((problem.n_seeded, problem.rows.shape[1])))
    missing = problem.n_classes - problem.n_seeded
    chosen = start(problem, means, missing, np.random.default_rng(problem.seed))
    means, labels = np.vstack([means, problem.rows[chosen]]), problem.seeds
    for _ in range(50):
        before, labels = labels, np.where(seeded, problem.seeds, (problem.rows @ means.T).argmax(axis=1))
        if np.array_equal(before, labels):
            break
        means = _means(problem.rows, labels, means)
    return labels


def at_random(problem: Problem, means: Array, count: int, rng: np.random.Generator) -> Array:
    """Rows without a seed, each as likely as any other."""
    return rng.choice(np.flatnonzero(problem.seeds < 0), count, replace=False)


def far(problem: Problem, means: Array, count: int, rng: np.random.Generator) -> Array:
    """Rows without a seed, one after the other, the likelier the farther they are from every class so far."""
    free, chosen = np.flatnonzero(problem.seeds < 0), np.empty(0, int)
    nearest = (problem.rows[free] @ means.T).max(axis=1, initial=-1)
    for _ in range(count):
        away = np.maximum(1 - nearest.astype(float), 0)
        one = free[rng.choice(len(free), p=away / away.sum() if away.any() else None)]
        chosen = np.append(chosen, one)
        nearest = np.maximum(nearest, problem.rows[free] @ problem.rows[one])
    return chosen


def _means(rows: Array, labels: Array, last: Array) -> Array:
    """The mean direction of each class; an empty one keeps its last."""
    members = sparse.csr_matrix((np.ones(len(rows)), (labels, np.arange(len(rows)))), shape=(len(last), len(rows)))
    sums = members @ rows
    length = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(np.divide(sums, length, out=last.astype(float), where=length > 0))


# ---- the paper's learners


def explore(problem: Problem, learner: str, **chosen: Any) -> Array:
    """A learner of the paper at its usual settings: k-means classes on tf-idf, or von Mises-Fisher ones on dense rows."""
    component, X, settings = "vmf", problem.rows, {**DEFAULTS[learner], "max_classes": problem.many}
    if problem.counts is not None:
        component, X, settings = "kmeans", tf_idf(problem.counts), DEFAULTS[learner]
    estimator = LEARNERS[learner](component, n_jobs=1, random_state=problem.seed, **settings, **chosen)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClassExplosionWarning)  # JS is asked to explode, under its cap
        estimator.fit(X, problem.seeds)
    return np.asarray(estimator.labels_)


# ---- classifiers, which can never find a new class


def self_training(problem: Problem) -> Array:
    """Logistic regression that learns from its own sure answers; knows only the seeded classes.

    Sure is 0.75, as scikit-learn has it. With dozens of classes no answer may be that sure: what is left is the regression.
    """
    classifier = SelfTrainingClassifier(LogisticRegression()).fit(problem.rows, problem.seeds)
    return np.where(problem.seeds < 0, classifier.predict(problem.rows), problem.seeds)


def label_spreading(problem: Problem) -> Array:
    """Labels that spread along a graph of neighbours; knows only the seeded classes, and may overrule a seed."""
    return np.asarray(LabelSpreading(kernel="knn", n_neighbors=10).fit(problem.rows, problem.seeds).transduction_)


# ---- clusterings, which take no seeds and are named by them afterwards


def hdbscan(problem: Problem) -> Array:
    """Density clusters; what it calls noise joins the nearest of them, so that every row has a label."""
    points = _reduced(problem)
    found = HDBSCAN(copy=True).fit_predict(points)  # without copy, scikit-learn warns that its default will change
    return named(settled(points, found), problem.seeds)


def dp_mixture(problem: Problem) -> Array:
    """A Gaussian mixture with a Dirichlet-process prior, which may leave components empty."""
    mixture = BayesianGaussianMixture(
        n_components=min(problem.many, 300),
        weight_concentration_prior_type="dirichlet_process",
        covariance_type="diag",
        max_iter=100,
        random_state=problem.seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # 100 iterations are what it gets
        return named(mixture.fit_predict(_reduced(problem)), problem.seeds)


def bertopic(problem: Problem) -> Array:
    """Topics of texts, steered by the seeds as BERTopic's page on partial labels says; outliers join their nearest topic."""
    if problem.texts is None:
        raise MissingData("BERTopic makes topics of texts, and this data set has none")
    with warnings.catch_warnings():  # importing it would silence warnings for the whole process
        warnings.simplefilter("ignore", ImportWarning)  # UMAP's, that TensorFlow is not there
        model = need("bertopic", "peers").BERTopic()
    model.umap_model.set_params(random_state=problem.seed, n_jobs=1)  # else every run is another
    topics, _ = model.fit_transform(problem.texts, embeddings=problem.rows, y=problem.seeds)
    if {-1, 0} <= set(topics):
        topics = model.reduce_outliers(problem.texts, topics, strategy="embeddings", embeddings=problem.rows)
    return named(settled(problem.rows, np.array(topics)), problem.seeds)


def settled(points: Array, clusters: Array) -> Array:
    """Clusters with the rows of none (-1) in that of the nearest mean.

    >>> settled(np.array([[0.0], [1.0], [5.0], [4.0]]), np.array([0, 0, 1, -1])).tolist()
    [0, 0, 1, 1]
    """
    noise = clusters < 0
    if noise.all():
        return np.zeros_like(clusters)
    names = np.unique(clusters[~noise])
    means = np.stack([points[clusters == name].mean(axis=0) for name in names])
    return np.where(noise, names[pairwise_distances_argmin(points, means)], clusters)


def named(clusters: Array, seeds: Array) -> Array:
    """Clusters under the numbers of seeded classes where the seeds say so, and under new numbers elsewhere.

    A cluster may take a class that at least half of its seeds have; of several, the one with most seeds of that class does.

    >>> named(np.array([5, 5, 5, 7, 7, 9]), np.array([1, 1, 0, 1, -1, -1])).tolist()
    [1, 1, 1, 2, 2, 3]
    """
    _, clusters = np.unique(clusters, return_inverse=True)
    table = np.zeros((clusters.max() + 1, seeds.max() + 1), int)
    np.add.at(table, (clusters[seeds >= 0], seeds[seeds >= 0]), 1)
    names = np.full(len(table), -1)
    for c, votes in enumerate(table.T):
        may = (names < 0) & (votes > 0) & (2 * votes >= table.sum(axis=1))
        if may.any():
            names[np.argmax(votes * may)] = c
    names[names < 0] = table.shape[1] + np.arange((names < 0).sum())
    return names[clusters]


def _reduced(problem: Problem) -> Array:
    """The rows in at most 50 dimensions."""
    if problem.rows.shape[1] <= 50:
        return problem.rows
    return np.asarray(PCA(50, random_state=problem.seed).fit_transform(problem.rows))


PEERS: dict[str, Peer] = {
    "told-random": partial(told, start=at_random),
    "told-far": partial(told, start=far),
    "explore-em-minmax": partial(explore, learner="em", criterion="minmax"),
    "explore-em-js": partial(explore, learner="em", criterion="js"),
    "crp-gibbs": partial(explore, learner="gibbs", pick="crp"),
    "self-training": self_training,
    "label-spreading": label_spreading,
    "hdbscan": hdbscan,
    "dp-mixture": dp_mixture,
    "bertopic": bertopic,
}
