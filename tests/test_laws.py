"""What must hold of any fit, whatever the data."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import newfound as nf
import twin
from problems import problems

pytestmark = pytest.mark.filterwarnings("ignore::newfound.errors.NewfoundWarning")


def fit(problem, criterion="minmax", **settings):
    em = nf.ExploreEM(problem.component, criterion, max_classes=problem.max_classes, **settings)
    return em.fit(problem.X, problem.y, problem.weights)


@given(problems(), st.sampled_from(["minmax", "js", "random"]))
def test_seeds_never_move_and_no_output_is_unlabelled(problem, criterion):
    em = fit(problem, criterion, random_state=0)
    seeded = problem.y >= 0
    np.testing.assert_array_equal(em.labels_[seeded], problem.y[seeded])
    assert (em.labels_ >= 0).all()
    assert set(em.labels_) <= set(em.classes_)
    np.testing.assert_array_equal(em.predict(problem.X)[~seeded], em.labels_[~seeded])
    assert em.is_new_.tolist() == [c > problem.y.max() for c in em.classes_]
    assert len(em.trail_) == em.is_new_.sum()


@given(problems(seeds=3), st.integers(2, 4))
def test_weight_three_is_the_row_three_times(problem, times):
    assume((problem.y >= 0).any())
    n = len(problem.y)
    weights = np.where(np.arange(n) % 2, times, 1)
    twin.UNSURE.clear()
    twin.explore(problem.slow, problem.X.tolist(), problem.y.tolist(), weights.tolist(), None)
    assume(not twin.UNSURE)
    weighted = nf.ExploreEM(problem.component, None).fit(problem.X, problem.y, weights)
    again = np.repeat(np.arange(n), weights)
    repeated = nf.ExploreEM(problem.component, None).fit(problem.X[again], problem.y[again])
    np.testing.assert_array_equal(repeated.labels_, weighted.labels_[again])
    size = max(1.0, np.abs(weighted.weights_).max())
    np.testing.assert_allclose(repeated.weights_, weighted.weights_, rtol=1e-9, atol=1e-9 * size)


@given(problems(weighted=False), st.integers(0, 2**32 - 1))
def test_weight_zero_is_absence(problem, seed):
    gone = np.random.default_rng(seed).random(len(problem.y)) < 0.3
    assume(problem.X[~gone].any() or (problem.y[~gone] >= 0).any())
    assume(set(problem.y[~gone]) | {-1} == set(problem.y) | {-1})
    settings = {"component": problem.component, "max_classes": problem.max_classes}
    left = nf.ExploreEM(**settings).fit(problem.X[~gone], problem.y[~gone])
    zero = nf.ExploreEM(**settings).fit(problem.X, problem.y, np.where(gone, 0.0, 1.0))
    np.testing.assert_array_equal(zero.labels_[~gone], left.labels_)


@given(problems(), st.sampled_from(["minmax", "js"]), st.integers(0, 2**32 - 1))
def test_the_order_of_the_features_does_not_matter(problem, criterion, seed):
    twin.UNSURE.clear()
    fires = {"minmax": twin.minmax_fires, "js": twin.js_fires}[criterion]
    twin.explore(problem.slow, problem.X.tolist(), problem.y.tolist(), problem.slow_weights, fires, max_classes=problem.limit)
    assume(not twin.UNSURE)
    order = np.random.default_rng(seed).permutation(problem.X.shape[1])
    plain = fit(problem, criterion)
    problem.X = problem.X[:, order]
    np.testing.assert_array_equal(fit(problem, criterion).labels_, plain.labels_)


@given(problems(models=("naive-bayes",), seeds=3))
def test_hard_map_objective_of_naive_bayes_never_falls(problem):
    """Each move of hard EM can only raise it: labels given parameters, parameters given labels, Dirichlet terms included."""
    assume((problem.y >= 0).any())
    objective = []
    for max_iter in range(1, 7):
        labels = (
            nf.ExploreEM(problem.component, None, max_iter=max_iter, tol=0).fit(problem.X, problem.y, problem.weights).labels_
        )
        objective.append(map_objective(problem, labels))
    steps = np.diff(objective)
    assert (steps >= -1e-9 * (1 + np.abs(objective[:-1]))).all()


def map_objective(problem, labels):
    """The largest log posterior of parameters and labels together, for these labels."""
    weights = np.ones(len(labels)) if problem.weights is None else problem.weights
    k, alpha, total = problem.y.max() + 1, 0.01, 0.0
    rows = np.array([weights[labels == j].sum() for j in range(k)])
    share = (rows + 1) / (rows.sum() + k)
    for j in range(k):
        sums = (weights[labels == j, None] * problem.X[labels == j]).sum(axis=0) + alpha
        total += (sums * np.log(sums / sums.sum())).sum() + (rows[j] + 1) * np.log(share[j])
    return total


def test_kmeans_may_cycle_for_ever():
    """The inner product is no distance, so no objective of hard K-Means EM rises: these seven rows go round and round."""
    X = np.array([[1, 0, 1], [1, 0, 0], [1, 2, 0], [5, 4, 4], [3, 3, 1], [4, 4, 3], [2, 5, 0]])
    y = np.array([0, 1, -1, -1, -1, -1, -1])
    em = nf.ExploreEM(criterion=None, tol=1e-12, max_iter=1000).fit(X, y)
    assert em.stop_.reason == "cycle"
    assert em.n_iter_ < 10
    forever = nf.ExploreEM(criterion=None, tol=0, max_iter=30).fit(X, y)
    assert forever.stop_.reason == "max_iter"
    assert forever.n_iter_ == 30


def test_no_unlabelled_rows_is_a_supervised_classifier():
    X, y = np.array([[3, 0], [2, 1], [0, 4], [1, 3]]), np.array([0, 0, 1, 1])
    em = nf.ExploreEM("naive-bayes").fit(X, y)
    assert em.classes_.tolist() == [0, 1]
    assert em.predict([[5, 1], [1, 5]]).tolist() == [0, 1]


def test_no_seeds_is_clustering():
    X = np.array([[9, 0, 0], [8, 1, 0], [0, 9, 0], [0, 8, 1], [0, 0, 9], [1, 0, 8]])
    em = nf.ExploreEM().fit(X)
    assert em.is_new_.all()
    assert em.labels_.tolist() == [0, 0, 1, 1, 2, 2]
    assert em.trail_[0].row == 0
    assert len(em.trail_[0].posterior) == 0


def test_max_classes_holds():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (200, 8)), np.r_[0, 1, np.full(198, -1)]
    for limit in (2, 3, 5):
        assert len(nf.ExploreEM(criterion="js", selection=None, max_classes=limit, max_iter=3).fit(X, y).classes_) <= limit


def test_a_criterion_that_opens_for_everyone_warns():
    X, y = np.eye(4)[np.arange(400) % 4], np.r_[0, 1, np.full(398, -1)]
    with pytest.warns(nf.errors.ClassExplosionWarning, match="3 classes or fewer"):
        nf.ExploreEM(criterion="js", max_iter=1).fit(X, y)
    with pytest.warns(nf.errors.ClassExplosionWarning, match="set max_classes"):
        nf.ExploreEM(criterion=nf.Random(1.0), selection=None, max_iter=1).fit(X, y)
