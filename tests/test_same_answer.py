"""The same answer on any number of threads, in any parts, for sparse and dense copies, and from run to run."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import newfound as nf
from newfound.execution import Local, opening, scan
from problems import problems

pytestmark = pytest.mark.filterwarnings("ignore::newfound.errors.NewfoundWarning")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(opening, "FIRST_BLOCK", 2)
    monkeypatch.setattr(opening, "SHARED_BLOCK", 2)
    monkeypatch.setattr(scan, "BLOCK", {"sparse": 5, "dense": 3})


def in_parts(rows):
    return type("InParts", (Local,), {"rows_per_part": rows})


def same(a, b):
    np.testing.assert_array_equal(a.labels_, b.labels_)
    np.testing.assert_array_equal(a.statistics_.sums, b.statistics_.sums)
    np.testing.assert_array_equal(a.statistics_.rows, b.statistics_.rows)
    assert a.stop_ == b.stop_
    assert [(o.iteration, o.row) for o in a.trail_] == [(o.iteration, o.row) for o in b.trail_]


@given(problems(max_rows=40), st.sampled_from(["minmax", "js", "random", None]), st.sampled_from(["aicc", None]))
def test_threads_parts_and_storage_do_not_matter(problem, criterion, selection):
    if criterion is None and not (problem.y >= 0).any():
        return
    limit = problem.max_classes or 12

    def fit(X, **how):
        em = nf.ExploreEM(problem.component, criterion, selection, max_classes=limit, random_state=3, **how)
        return em.fit(X, problem.y, problem.weights)

    one = fit(problem.X)
    for n_jobs in (2, 4):
        same(fit(problem.X, n_jobs=n_jobs), one)
    for rows in (1, 4, 7):
        other = fit(problem.X, engine=in_parts(rows))
        same(other, one)
    same(fit(sparse.csr_matrix(problem.X), n_jobs=2), one)
    same(fit(sparse.csr_array(problem.X), engine=in_parts(5)), one)
    same(fit(problem.X), one)


@given(problems(max_rows=40), st.sampled_from(["crp", "explore-crp"]))
def test_gibbs_too(problem, pick):
    def fit(X, **how):
        gibbs = nf.ExploreGibbs(problem.component, pick, 0.1, 3, problem.max_classes or 12, random_state=3, **how)
        return gibbs.fit(X, problem.y, problem.weights)

    one = fit(problem.X)
    same(fit(problem.X, n_jobs=4), one)
    same(fit(sparse.csr_matrix(problem.X), engine=in_parts(4)), one)


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint16, np.float32, np.float64, bool])
@pytest.mark.parametrize("component", ["kmeans", "naive-bayes", "vmf"])
def test_the_type_of_numbers_does_not_matter(component, dtype):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (40, 6))
    X[:, 0] = 1
    y = np.where(rng.random(40) < 0.3, rng.integers(0, 3, 40), -1)
    plain = nf.ExploreEM(component, max_classes=6).fit(X.astype(float), y)
    same(nf.ExploreEM(component, max_classes=6).fit(X.astype(dtype), y), plain)
    same(nf.ExploreEM(component, max_classes=6).fit(sparse.csc_matrix(X.astype(dtype)), y), plain)


def test_unsorted_and_repeated_entries_are_one_matrix():
    tidy = sparse.csr_matrix(np.array([[1.0, 0, 4], [0, 3, 1], [2, 0, 1]]))
    wild = sparse.csr_matrix((np.array([4.0, 0.5, 0.5, 1, 3, 1, 2]), np.array([2, 0, 0, 2, 1, 2, 0]), np.array([0, 3, 5, 7])))
    same(nf.ExploreEM().fit(wild, [0, 1, -1]), nf.ExploreEM().fit(tidy, [0, 1, -1]))
    assert wild.nnz == 7, "the user's matrix is left as it was"


@pytest.mark.parametrize("component", ["kmeans", "naive-bayes", "vmf"])
@pytest.mark.parametrize("criterion", ["minmax", "js"])
def test_on_real_text(partition, component, criterion, monkeypatch):
    monkeypatch.undo()  # blocks as large as they come
    X, y, _ = partition
    fits = [
        nf.ExploreEM(component, criterion, max_classes=40, max_iter=3, tol=0, **how).fit(X, y)
        for how in ({}, {"n_jobs": 2}, {"engine": in_parts(5000), "n_jobs": 4})
    ]
    for other in fits[1:]:
        same(other, fits[0])
        assert [s.log_likelihood for s in other.history_] == [s.log_likelihood for s in fits[0].history_]
    assert (fits[0].labels_[y >= 0] == y[y >= 0]).all()
    free = y < 0
    np.testing.assert_array_equal(fits[0].predict(X)[free], fits[0].labels_[free])


def test_float32_tables_change_no_label(partition, monkeypatch):
    monkeypatch.undo()
    X, y, _ = partition
    fast = nf.ExploreEM(max_iter=4).fit(X, y)
    monkeypatch.setattr("newfound.execution.local.table_dtype", lambda component, parameters, needs, rows: np.float64)
    same(nf.ExploreEM(max_iter=4).fit(X, y), fast)
