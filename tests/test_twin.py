"""The package and its slow twin give the same answer, to the last class and the ninth digit."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.utils import check_random_state

import newfound as nf
import twin
from newfound.criteria import uniforms
from newfound.execution import opening, scan
from problems import problems

pytestmark = pytest.mark.filterwarnings("ignore::newfound.errors.NewfoundWarning")

FIRES = {"minmax": twin.minmax_fires, "js": twin.js_fires, None: None}


@pytest.fixture(params=[(32, 512), (2, 4)], ids=["one-block", "many-blocks"], autouse=True)
def blocks(request, monkeypatch):
    """Small problems fit in one block; blocks of a few rows send them through the machinery of large ones."""
    first, size = request.param
    monkeypatch.setattr(opening, "FIRST_BLOCK", first)
    monkeypatch.setattr(scan, "BLOCK", {"sparse": size, "dense": size})


def agree(fitted, slow, problem):
    assert fitted.labels_.tolist() == slow.labels
    assert len(fitted.classes_) == len(slow.classes)
    assert fitted.stop_ == (slow.reason, slow.can_add)
    assert [(o.iteration, o.row) for o in fitted.trail_] == [(t[0], t[1]) for t in slow.trail]
    prior = np.array([[c.prior] for c in slow.classes]) if slow_linear(problem) else 1
    weights = np.array([c.weights for c in slow.classes]) * prior
    size = max(1.0, np.abs(weights).max(), max(abs(c.offset) for c in slow.classes))
    blur = 1e-15 * size if "vmf" in problem.model else 0.0  # kappa goes with 1 / (1 - r^2): its digits are lost as it grows
    np.testing.assert_allclose(fitted.weights_, weights, rtol=1e-9, atol=(1e-9 + blur) * size)
    blur = 1e-15 * most_concentrated(fitted, slow) if "vmf" in problem.model else 0.0
    n = len(problem.y) * 4
    likelihoods = [step.log_likelihood for step in fitted.history_]
    np.testing.assert_allclose(
        likelihoods, slow.likelihoods, rtol=1e-9 + 10 * blur, atol=1e-14 * n * most_concentrated(fitted, slow)
    )
    for ours, theirs in zip(fitted.trail_, slow.trail, strict=True):
        np.testing.assert_allclose(ours.posterior, theirs[2], atol=1e-9 + 1e-14 * most_concentrated(fitted, slow))
        np.testing.assert_allclose(ours[3:], theirs[3:], rtol=1e-9 + 10 * blur, atol=1e-6)
    np.testing.assert_array_equal(fitted.predict(problem.X)[problem.y < 0], fitted.labels_[problem.y < 0])


def slow_linear(problem):
    return problem.slow.linear


def most_concentrated(fitted, slow):
    """Scores near a concentration of 1e8 are rounded to about 1e-8, in any float64."""
    return 1e8 if hasattr(fitted.component_, "concentration") else 1e5


@given(
    problems(),
    st.sampled_from(["minmax", "js", None]),
    st.sampled_from(["aicc", "aic", "bic", None]),
    st.integers(1, 8),
    st.sampled_from([0, 1e-4]),
)
def test_explore_em_equals_the_twin(problem, criterion, selection, max_iter, tol):
    assume(criterion is not None or (problem.y >= 0).any())
    twin.UNSURE.clear()
    slow = twin.explore(
        problem.slow, problem.X.tolist(), problem.y.tolist(), problem.slow_weights,
        FIRES[criterion], selection, (), problem.limit, max_iter, tol,
    )  # fmt: skip
    assume(not twin.UNSURE)
    for X in (problem.X, sparse.csr_matrix(problem.X)):
        em = nf.ExploreEM(
            problem.component, criterion, selection, max_classes=problem.max_classes, max_iter=max_iter, tol=tol, n_jobs=2
        )
        agree(em.fit(X, problem.y, problem.weights), slow, problem)


@given(problems(weighted=False), st.integers(0, 10**6), st.integers(1, 3))
def test_extra_classes_equal_the_twin(problem, seed, extra):
    free = np.flatnonzero((problem.y < 0) & problem.X.any(axis=1))
    assume(extra <= len(free))
    random = check_random_state(seed)
    random.randint(2**31 - 1)
    rows = random.choice(free, extra, replace=False)
    twin.UNSURE.clear()
    slow = twin.explore(problem.slow, problem.X.tolist(), problem.y.tolist(), fires=None, extra=rows.tolist())
    assume(not twin.UNSURE)
    em = nf.ExploreEM(problem.component, None, extra_classes=extra, random_state=seed).fit(problem.X, problem.y)
    agree(em, slow, problem)


@given(problems(), st.floats(0, 1), st.integers(0, 10**6))
def test_random_criterion_equals_the_twin(problem, rate, seed):
    assume(problem.max_classes is not None)
    key = int(check_random_state(seed).randint(2**31 - 1))

    def coins(model, classes, x, at):
        return bool(uniforms(key, at[0], np.array([at[1]]))[0] < rate)

    twin.UNSURE.clear()
    slow = twin.explore(
        problem.slow, problem.X.tolist(), problem.y.tolist(), problem.slow_weights, coins, max_classes=problem.limit
    )
    assume(not twin.UNSURE)
    em = nf.ExploreEM(problem.component, nf.Random(rate), max_classes=problem.max_classes, random_state=seed)
    agree(em.fit(problem.X, problem.y, problem.weights), slow, problem)


@given(problems(), st.integers(0, 10**6))
def test_order_is_that_of_a_shuffled_matrix(problem, seed):
    random = check_random_state(seed)
    random.randint(2**31 - 1)
    order = random.permutation(len(problem.y))
    settings = {"component": problem.component, "max_classes": problem.max_classes}
    shuffled = nf.ExploreEM(**settings, order="random", random_state=seed).fit(problem.X, problem.y, problem.weights)
    weights = None if problem.weights is None else problem.weights[order]
    given_order = nf.ExploreEM(**settings).fit(problem.X[order], problem.y[order], weights)
    np.testing.assert_array_equal(shuffled.labels_[order], given_order.labels_)
    assert [o.row for o in shuffled.trail_] == [order[o.row] for o in given_order.trail_]


class Unsure:
    """A criterion of one's own, which is not monotone."""

    monotone = False

    def fires(self, posteriors):
        return posteriors.max(axis=1) < 0.6 - 1e-9


class Flat:
    """MinMax once more, as a stranger would write it."""

    monotone = True

    def fires(self, posteriors):
        return posteriors.max(axis=1) < 2 * (1 - 1e-9) * posteriors.min(axis=1)


class Thrifty:
    """A selection of one's own."""

    def score(self, log_likelihood, n_parameters, n_rows):
        return -2 * log_likelihood + 0.1 * n_parameters


@given(problems())
def test_own_criterion_and_selection(problem):
    def unsure(model, classes, x, at):
        return twin.beyond(0.6 - 1e-9 - max(twin.posterior(model, classes, x)), twin.size(model, classes))

    twin.UNSURE.clear()
    slow = twin.explore(
        problem.slow, problem.X.tolist(), problem.y.tolist(), problem.slow_weights, unsure, None, (), problem.limit
    )
    assume(not twin.UNSURE)
    em = nf.ExploreEM(problem.component, Unsure(), None, max_classes=problem.max_classes)
    agree(em.fit(problem.X, problem.y, problem.weights), slow, problem)
    own, built_in = (
        nf.ExploreEM(problem.component, c, Thrifty(), max_classes=problem.max_classes).fit(problem.X, problem.y)
        for c in (Flat(), "minmax")
    )
    if "vmf" not in problem.model:  # near the cap of the concentration the two round differently
        np.testing.assert_array_equal(own.labels_, built_in.labels_)


@given(
    problems(models=("kmeans", "naive-bayes", "vmf", "vmf-per-class")),
    st.sampled_from(["crp", "explore-crp"]),
    st.sampled_from([0.0, 1e-3, 0.2, 0.9]),
    st.integers(1, 4),
    st.integers(0, 10**6),
)
def test_gibbs_equals_the_twin_draw_for_draw(problem, pick, p_new, n_epochs, seed):
    key = int(check_random_state(seed).randint(2**31 - 1))

    def coin(stream, row):
        return float(uniforms(key, stream, np.array([row]))[0])

    drawn = twin.gibbs(
        problem.slow, problem.X.tolist(), problem.y.tolist(), pick, p_new, n_epochs, coin, problem.slow_weights, problem.limit
    )
    for X in (problem.X, sparse.csr_matrix(problem.X)):
        gibbs = nf.ExploreGibbs(problem.component, pick, p_new, n_epochs, problem.max_classes, n_jobs=2, random_state=seed)
        labels = gibbs.fit(X, problem.y, problem.weights).labels_
        drawn_rows = np.array(drawn) >= 0  # a row of weight 0 may draw a class that is gone at the end
        np.testing.assert_array_equal(labels[drawn_rows], np.array(drawn)[drawn_rows])


def test_the_twin_can_disagree():
    """The comparison has teeth: another tie rule, another smoothing or another order would be seen."""
    X = np.array([[3.0, 0, 1], [0, 3, 1], [1, 1, 1], [2, 2, 1], [0, 1, 4], [1, 0, 4]])
    y = np.array([0, 1, -1, -1, -1, -1])
    em = nf.ExploreEM().fit(X, y)
    assert em.labels_.tolist() == twin.explore(twin.KMeans(), X.tolist(), y.tolist()).labels
    assert em.labels_.tolist() != twin.explore(twin.KMeans(), X[::-1].tolist(), y[::-1].tolist()).labels[::-1]
    other = twin.explore(twin.KMeans(0.1), X.tolist(), y.tolist())
    assert not math.isclose(em.history_[-1].log_likelihood, other.likelihoods[-1], rel_tol=1e-6)


def test_rate_of_random_is_measured():
    X = np.array([[3.0, 0, 1], [0, 3, 1], [1, 1, 1], [2, 2, 1], [0, 1, 4], [1, 0, 4]])
    y = np.array([0, 1, -1, -1, -1, -1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        like = nf.ExploreEM(random_state=0).fit(X, y)
        em = nf.ExploreEM(criterion="random", random_state=0).fit(X, y)
    assert len(like.trail_) >= 1
    assert em.stop_.reason in ("converged", "max_iter")
