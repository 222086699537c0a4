"""Newfound: what it promises about seeds, numbers, names, decisions and new rows; and its parts against slow obvious twins."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.base import clone
from sklearn.cluster import KMeans

import newfound as nf
from conftest import dataset
from newfound import datasets, metrics
from newfound.condense import calibrate, fitting, number, path, rowmap
from newfound.condense.number import Level
from newfound.condense.refitting import decide
from newfound.constraints import DifferentClass, NoClass, OfClass, SameClass
from newfound.errors import ConflictingSeedsWarning, ConstraintError, DataError, LabelError, SettingError
from newfound.execution import Local, Pool


def blobs(n=900, k=6, width=12, noise=0.25, seed=0, weights=None):
    """Rows around k directions, and their classes."""
    rng = np.random.default_rng(seed)
    centres = np.linalg.qr(rng.normal(size=(width, width)))[0][:k]
    truth = rng.choice(k, n, p=weights)
    return centres[truth] + noise * rng.normal(size=(n, width)), truth


def seeded(truth, classes, share=0.1, seed=0):
    """Seeds for some classes, -1 elsewhere."""
    rng = np.random.default_rng(seed)
    return np.where(np.isin(truth, classes) & (rng.random(len(truth)) < share), truth, -1)


@pytest.fixture(scope="module")
def problem():
    X, truth = blobs()
    return X, seeded(truth, [0, 1, 2]), truth


@pytest.fixture(scope="module")
def fitted(problem):
    return nf.Newfound().fit(*problem[:2])


# ---- what it promises


def test_it_finds_the_classes_that_nobody_seeded(problem, fitted):
    _, y, truth = problem
    assert fitted.classes_.tolist() == [0, 1, 2, 3, 4, 5]
    assert fitted.is_new_.tolist() == [False] * 3 + [True] * 3
    assert metrics.accuracy(truth, fitted.labels_) > 0.98
    low, high = fitted.n_classes_range_
    assert low <= 6 <= high
    np.testing.assert_array_equal(fitted.labels_[y >= 0], y[y >= 0])


def test_new_rows_are_answered_as_the_rows_of_the_fit(problem, fitted):
    X, y, _ = problem
    free = y < 0
    np.testing.assert_array_equal(fitted.predict(X)[free], fitted.labels_[free])
    more, truth = blobs(n=2000)
    assert metrics.accuracy(truth, fitted.predict(more)) > 0.97
    proba = fitted.predict_proba(more)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(fitted.classes_[proba.argmax(axis=1)], fitted.predict(more))
    status = fitted.predict_status(more, alpha=0.1)
    assert set(status) == {"known", "new", "abstain"}
    assert 0.03 < (status == "abstain").mean() < 0.2


@pytest.mark.parametrize("n_jobs", [2, 4])
def test_the_same_answer_on_any_number_of_threads(problem, fitted, n_jobs):
    again = nf.Newfound(n_jobs=n_jobs).fit(*problem[:2])
    np.testing.assert_array_equal(again.labels_, fitted.labels_)
    np.testing.assert_array_equal(again.statistics_.sums, fitted.statistics_.sums)
    assert again.n_classes_range_ == fitted.n_classes_range_
    assert repr(again.trail_) == repr(fitted.trail_)


def test_clones_and_pickles(problem, fitted):
    X, y, _ = problem
    np.testing.assert_array_equal(clone(fitted).fit(X, y).labels_, fitted.labels_)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))


@pytest.mark.parametrize(("classes", "exact"), [([], 3), ([4], 1), ([0, 1, 2, 3, 4, 5], 3)])
def test_any_part_of_the_classes_may_be_seeded(classes, exact):
    right = 0
    for draw in range(4):
        X, truth = blobs(n=1200, seed=draw)
        y = seeded(truth, classes, seed=draw)
        found = nf.Newfound().fit(X, y)
        low, high = found.n_classes_range_
        right += len(found.classes_) == 6
        assert low <= 6 <= high
        assert metrics.accuracy(truth, found.labels_) > 0.6
        assert found.is_new_.sum() == len(found.classes_) - len(classes)
        assert found.number_.how == ("seeds" if classes else "stability")
    assert right >= exact  # of four draws: one seeded class is little to go by


def test_names_follow_the_labels(problem):
    X, y, _ = problem
    text = np.array([None if c < 0 else "abc"[c] for c in y], dtype=object)
    found = nf.Newfound().fit(X, text)
    assert found.classes_.tolist() == ["a", "b", "c", "new-1", "new-2", "new-3"]
    assert (found.labels_[y == 1] == "b").all()


def test_the_number_may_be_told(problem):
    X, y, _ = problem
    found = nf.Newfound(n_classes=9).fit(X, y)
    assert 6 < len(found.classes_) <= 9  # one may lose its last row
    assert found.number_.how == "told"
    with pytest.raises(SettingError, match="whole number from the 3 seeded classes to the 900 rows"):
        nf.Newfound(n_classes=2).fit(X, y)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 30])
def test_few_rows(n):
    X, _ = blobs(n=n, k=min(n, 3), noise=0.05)
    y = np.full(n, -1)
    y[0] = 7
    found = nf.Newfound().fit(X, y)
    assert found.labels_[0] == 7
    assert len(found.labels_) == n
    assert len(found.classes_) <= n


def test_two_seeds_per_class_and_very_unequal_classes():
    X, truth = blobs(n=1500, k=6, noise=0.15, weights=[0.6, 0.2, 0.1, 0.06, 0.03, 0.01])
    y = np.full(1500, -1)
    for c in range(3):
        y[np.flatnonzero(truth == c)[:2]] = c
    found = nf.Newfound().fit(X, y)
    assert metrics.accuracy(truth, found.labels_) > 0.5
    low, high = found.n_classes_range_
    assert low <= 6 <= high


def test_duplicates_share_a_class():
    X, truth = blobs(n=300)
    twice = np.vstack([X, X])
    found = nf.Newfound().fit(twice, np.append(seeded(truth, [0, 1, 2]), np.full(300, -1)))
    pairs = [i for i in range(300) if i not in found._last.pinned]
    np.testing.assert_array_equal(found.labels_[pairs], found.labels_[300:][pairs])


def test_rows_that_are_all_the_same_are_one_class():
    found = nf.Newfound().fit(np.ones((40, 3)), np.r_[4, np.full(39, -1)])
    assert set(found.labels_) == {4}


def test_counts_vectors_and_both_side_by_side():
    X, truth = blobs()
    y = seeded(truth, [0, 1, 2])
    words = 0.05 + 0.6 * (np.arange(300) // 50 == truth[:, None])  # fifty words of each class's own
    counts = sparse.csr_matrix(np.random.default_rng(0).poisson(words))
    for rows, least in ((counts, 0.8), ((counts, X), 0.95)):
        found = nf.Newfound().fit(rows, y)
        assert metrics.accuracy(truth, found.labels_) > least
        np.testing.assert_array_equal(found.predict(rows)[y < 0], found.labels_[y < 0])
    with pytest.raises(DataError, match="same rows"):
        nf.Newfound().fit((counts, X[:10]), y)
    with pytest.raises(DataError, match=r"columns, as in the fit"):
        found.predict((counts[:, :5], X))


def test_faults_of_the_user(problem):
    X, y, _ = problem
    with pytest.raises(LabelError, match="y has 3 rows"):
        nf.Newfound().fit(X, y[:3])
    with pytest.raises(DataError, match="all-zero"):
        nf.Newfound().fit(np.zeros((5, 3)), np.full(5, -1))
    with pytest.raises(DataError, match="counts of 0 and more"):
        nf.Newfound().fit(sparse.csr_matrix(X), y)
    with pytest.raises(ValueError, match="NaN"):
        nf.Newfound().fit(np.full((5, 3), np.nan), np.full(5, -1))


def test_the_trail_says_why_each_new_class_exists(fitted):
    assert len(fitted.trail_) == 3
    for record in fitted.trail_:
        assert record.nearest in fitted.classes_
        assert record.level >= 6
        assert record.parts >= 1
        assert record.cost > 0
        assert record.stability > 0.9


def test_the_self_test_finds_easy_classes_again(fitted):
    test = fitted.self_test_
    assert [one.name for one in test.classes] == [0, 1, 2]
    assert min(test.found, test.purity) > 0.9
    assert test.count_error <= 1 / 6
    X, truth = blobs(n=200)
    assert nf.Newfound().fit(X, seeded(truth, [3])).self_test_ is None


def test_the_self_test_does_not_find_what_is_not_there():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 20)), np.where(rng.random(600) < 0.2, rng.integers(0, 4, 600), -1)
    assert nf.Newfound().fit(X, y).self_test_.purity < 0.7


def test_only_a_sample_is_explored_and_the_rest_settles(problem, monkeypatch):
    X, y, truth = problem
    monkeypatch.setattr(fitting, "SAMPLE", 300)
    found = nf.Newfound().fit(X, y)
    assert metrics.accuracy(truth, found.labels_) > 0.97
    assert len(found._explored.sample) < 450
    np.testing.assert_array_equal(found.labels_[y >= 0], y[y >= 0])
    outside = int(np.setdiff1d(np.arange(900), found._explored.sample)[0])
    moved = found.refit(X, y, [OfClass((outside,), 77)])
    assert 77 in moved.classes_


def test_all_zero_rows_count_for_nothing():
    X, truth = blobs(n=600)
    y = seeded(truth, [0, 1, 2])
    found = nf.Newfound().fit(np.vstack([X, np.zeros((600, X.shape[1]))]), np.append(y, np.full(600, -1)))
    alone = nf.Newfound().fit(X, y)
    assert len(found.classes_) == len(alone.classes_)
    assert metrics.accuracy(alone.labels_, found.labels_[:600]) > 0.98
    assert (found.predict_status(np.zeros((3, X.shape[1]))) == "abstain").all()


def test_a_class_whose_seeds_are_all_zero_keeps_them_and_breaks_nothing():
    X, truth = blobs(n=300)
    y = seeded(truth, [0, 1])
    X[:2], y[:2] = 0, 8
    assert (nf.Newfound().fit(X, y).labels_[:2] == 8).all()
    only = np.where(y == 8, 8, np.where(y == 0, 0, -1))
    assert set(only) <= set(nf.Newfound().fit(X, only).labels_) | {-1}


def test_many_classes_may_be_told():
    X, _ = blobs(n=400)
    found = nf.Newfound(n_classes=200).fit(X)
    assert len(found.classes_) > 150


def test_counts_may_be_stored_in_pieces_and_with_zeros():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 300)
    counts = sparse.csr_matrix(rng.poisson(0.05 + (np.arange(80) // 20 == truth[:, None])).astype(float))
    y = seeded(truth, [0, 1])
    halves = sparse.csr_matrix(
        (np.repeat(counts.data / 2, 2), np.repeat(counts.indices, 2), 2 * counts.indptr), shape=counts.shape
    )
    zeros = counts.copy()
    zeros[0] = zeros[0].multiply(1)
    zeros.data = np.append(zeros.data, [0.0, 0.0])
    zeros.indices, zeros.indptr = np.append(zeros.indices, [0, 1]), np.append(zeros.indptr[:-1], zeros.indptr[-1] + 2)
    wanted = nf.Newfound().fit(counts, y)
    for same in (halves, zeros):
        before = same.nnz
        np.testing.assert_array_equal(nf.Newfound().fit(same, y).labels_, wanted.labels_)
        np.testing.assert_array_equal(wanted.predict(same), wanted.predict(counts))
        assert same.nnz == before


def test_rows_of_another_kind_are_refused(problem):
    X, y, _ = problem
    counts = sparse.csr_matrix(np.abs(X))
    dense, both = nf.Newfound().fit(X, y), nf.Newfound().fit((counts, X), y)
    for found, rows in ((dense, counts), (dense, (counts, X)), (both, np.hstack([X, X])), (both, X)):
        with pytest.raises((DataError, ValueError), match=r"as in the fit|features"):
            found.predict(rows)
    with pytest.raises(DataError, match="counts of 0 and more"):
        nf.Newfound().fit(counts, y).predict(sparse.csr_matrix(-np.abs(X)))
    again = both.fit(X, y)
    with pytest.raises(DataError, match="as in the fit"):
        again.predict((counts, X))


def test_one_row_with_two_labels_is_worth_a_warning(problem):
    X, y, _ = problem
    a, b = (int(np.flatnonzero(y == c)[0]) for c in (0, 1))
    twice = X.copy()
    twice[b] = twice[a]
    with pytest.warns(ConflictingSeedsWarning, match=f"rows {min(a, b)} and {max(a, b)} are the same"):
        nf.Newfound().fit(twice, y)


# ---- decisions


def test_a_refit_without_news_changes_nothing(problem):
    X, y, _ = problem
    found = nf.Newfound().fit(X, y)
    before = found.labels_.copy()
    np.testing.assert_array_equal(found.refit(X, y).labels_, before)
    rows = tuple(np.flatnonzero(before == 3)[:3].tolist())
    once = found.refit(X, y, [OfClass(rows, 4)]).labels_.copy()
    np.testing.assert_array_equal(found.refit(X, y, [OfClass(rows, 4)]).labels_, once)


def test_decisions_hold_and_classes_keep_their_names(problem):
    X, y, _ = problem
    found = nf.Newfound().fit(X, y)
    a, b, c = (int(np.flatnonzero(found.labels_ == name)[0]) for name in (3, 4, 5))
    before = found.labels_.copy()
    found.refit(X, y, [OfClass((a,), 5), SameClass((b, c)), DifferentClass(int(np.flatnonzero(before == 1)[0]), c)])
    assert found.labels_[a] == 5
    assert found.labels_[b] == found.labels_[c]
    assert (found.labels_ == before).mean() > 0.98
    found.refit(X, y, [NoClass(4)])
    assert 4 not in found.labels_
    assert found.classes_.tolist() == [0, 1, 2, 3, 5]
    assert (found.labels_[before != 4] == before[before != 4]).mean() > 0.9


def test_two_rows_of_one_class_can_be_parted(problem):
    X, y, _ = problem
    found = nf.Newfound().fit(X, y)
    rows = np.flatnonzero(found.labels_ == 4)[:3].tolist()
    found.refit(X, y, [DifferentClass(rows[0], rows[1]), DifferentClass(rows[1], rows[2])])
    assert found.labels_[rows[0]] != found.labels_[rows[1]] != found.labels_[rows[2]]


def test_other_labels_choose_again_and_keep_the_names_of_what_is_left(problem):
    X, y, _ = problem
    found = nf.Newfound().fit(X, y)
    members = {name: set(np.flatnonzero(found.labels_ == name)) for name in (3, 4, 5)}
    more = y.copy()
    rows = sorted(members[4])[:15]
    more[rows] = 40  # what was found as 4 is known as 40 now
    found.refit(X, more)
    assert found.classes_.tolist() == [0, 1, 2, 40, 3, 5]
    assert found.is_new_.tolist() == [False] * 4 + [True] * 2
    for name in (3, 5):
        assert len(members[name] & set(np.flatnonzero(found.labels_ == name))) > 0.9 * len(members[name])


def test_seeds_outside_the_sample_are_as_good_as_others(monkeypatch):
    monkeypatch.setattr(fitting, "SAMPLE", 300)
    X, truth = blobs(n=600)
    found = nf.Newfound().fit(X, seeded(truth, [0, 1, 2]))
    outside = np.ones(600, bool)
    outside[found._explored.sample] = False
    found.refit(X, np.where(outside, truth, seeded(truth, [0, 1, 2])))
    assert (found.predict(X) == truth).mean() > 0.97
    assert found.self_test_.found > 0.8


def test_a_class_that_must_not_exist_does_not_come_back_under_another_name(problem):
    X, y, truth = problem
    found = nf.Newfound().fit(X, y)
    gone = found.labels_ == 4
    more = y.copy()
    more[np.flatnonzero((truth == 0) & (y < 0))[:5]] = 0
    found.refit(X, more, [NoClass(4)])
    assert set(found.labels_[gone]) <= {0, 1, 2, 3, 5}  # its rows joined classes that there were


def test_a_refit_takes_the_rows_of_the_fit_in_their_order(problem):
    X, y, _ = problem
    found = nf.Newfound().fit(X, y)
    with pytest.raises(DataError, match="rows of the fit in their order"):
        found.refit(X[::-1], y)


def test_the_trail_is_of_this_fit(problem):
    X, y, _ = problem
    again = nf.Newfound(n_classes=40).fit(X, y).set_params(n_classes=120).fit(X, y)
    assert repr(again.trail_) == repr(nf.Newfound(n_classes=120).fit(X, y).trail_)


def test_an_accepted_class_is_known_from_then_on(problem):
    X, y, _ = problem
    found = nf.Newfound().fit(X, y)
    more = y.copy()
    more[np.flatnonzero(found.labels_ == 5)[:10]] = 5
    found.refit(X, more)
    assert found.classes_[~found.is_new_].tolist() == [0, 1, 2, 5]


@given(st.data())
def test_any_decisions_hold_or_are_refused(data):
    X, truth = blobs(n=120, k=4, noise=0.2)
    found = nf.Newfound().fit(X, seeded(truth, [0, 1], share=0.3))
    y = seeded(truth, [0, 1], share=0.3)
    row, name = st.integers(0, 119), st.sampled_from([0, 1, 2, 3, 9])
    rows = st.lists(row, min_size=1, max_size=4, unique=True).map(tuple)
    constraint = st.one_of(
        st.builds(OfClass, rows, name),
        st.builds(SameClass, rows),
        st.builds(DifferentClass, row, row),
        st.builds(NoClass, name),
    )
    constraints = data.draw(st.lists(constraint, max_size=5))
    before = found.labels_.copy()
    try:
        found.refit(X, y, constraints)
    except ConstraintError:
        np.testing.assert_array_equal(found.labels_, before)
        return
    for one in constraints:
        match one:
            case OfClass(which, of):
                assert (found.labels_[list(which)] == of).all()
            case SameClass(which):
                assert len(set(found.labels_[list(which)])) == 1
            case DifferentClass(a, b):
                assert found.labels_[a] != found.labels_[b]
            case NoClass(gone):
                assert gone not in found.classes_


@pytest.mark.parametrize(
    ("constraints", "said"),
    [
        ([OfClass((3,), 0), OfClass((3,), 1)], "row 3 cannot be both of 0 and of 1"),
        ([OfClass((3,), 1), NoClass(1)], "class 1 must not exist, but row 3 is of it"),
        ([SameClass((3, 4)), OfClass((3,), 0), OfClass((4,), 1)], r"rows \[3, 4\] must share a class, but some"),
        ([DifferentClass(3, 4), OfClass((3, 4), 0)], "rows 3 and 4 must not share a class, but both are of 0"),
        ([DifferentClass(3, 3)], "rows 3 and 3 must not share"),
        ([OfClass((900,), 0)], "row 900, but the rows are numbered from 0 to 899"),
        ([NoClass(name) for name in range(6)], "no class is left"),
        ([OfClass((1,), -1)], "whole number other than -1"),
        ([OfClass((1,), "a")], "whole number other than -1"),
        ([OfClass((1,), 2.5)], "whole number other than -1"),
        ([NoClass(2**70)], "whole number other than -1"),
        ([("same", 1, 2)], "a decision must be one of OfClass"),
    ],
)
def test_contradictions_are_refused(fitted, problem, constraints, said):
    X, y, _ = problem
    before = fitted.labels_.copy()
    with pytest.raises(ConstraintError, match=said):
        fitted.refit(X, y, constraints)
    np.testing.assert_array_equal(fitted.labels_, before)


@pytest.mark.parametrize("name", ["", None, 5])
def test_text_labels_want_text_names(name):
    with pytest.raises(ConstraintError, match="text that is not empty"):
        decide([OfClass((1,), name)], {0: "a"}, np.array(["a", "b"]))


def test_a_decision_outweighs_a_label_and_a_group_takes_what_most_of_it_had():
    last = np.array(["a", "b", "b", "new-1"])
    decided = decide([OfClass((0,), "b"), SameClass((1, 2, 3))], {0: "a"}, last)
    assert decided.pinned == {0: "b", 1: "b", 2: "b", 3: "b"}


# ---- the parts, against slow obvious twins


@pytest.mark.parametrize("target", [2, 5, 9])
def test_merging_is_wards(target):
    X, _ = blobs(n=60, k=5)
    ours = path.merge(np.ones(60), X, target)
    theirs = fcluster(linkage(X, "ward"), target, "maxclust")
    assert metrics.accuracy(theirs, ours) == 1


def test_kept_classes_neither_merge_with_each_other_nor_outgrow_their_room():
    X, _ = blobs(n=40, k=4)
    became = path.merge(np.ones(40), X, 6, kept=3, room=np.array([4.0, 40.0, 40.0]))
    assert len(set(became[:3])) == 3
    assert (became == became[0]).sum() <= 4
    assert became.max() + 1 == 6


def test_the_neighbours_are_those_of_a_full_sort():
    rows = rowmap.unit(blobs(n=300)[0])
    scores = rows @ rows.T
    wanted = np.argsort(-scores, axis=1, kind="stable")[:, : rowmap.NEAREST]
    expected = rowmap.unit(rows + rows[wanted].mean(axis=1))
    np.testing.assert_allclose(rowmap.smoothed(rows, rows, Pool(1)), expected, atol=1e-6)


def test_readings_of_the_number_are_exact_when_clusters_are_classes():
    truth = np.repeat(np.arange(8), 50)
    seeds = np.where((np.arange(400) % 10 == 0) & (truth < 4), truth, -1)
    level = Level.of(truth, np.ones(400), seeds, 4)
    assert np.exp(level.reading()) == pytest.approx(8, rel=0.05)
    assert level.density() == pytest.approx(0.1, rel=0.05)


def test_pairs_are_counted_as_a_slow_count_does():
    rng = np.random.default_rng(3)
    label, seeds = rng.integers(0, 6, 60), np.where(rng.random(60) < 0.5, rng.integers(0, 3, 60), -1)
    level = Level.of(label, np.ones(60), seeds, 3)
    pairs = [(i, j) for i in range(60) for j in range(60) if i != j]
    same = np.mean([label[i] == label[j] for i, j in pairs])
    alike = [(i, j) for i, j in pairs if seeds[i] == seeds[j] >= 0]
    hit = np.mean([label[i] == label[j] for i, j in alike])
    chance = [
        np.mean([label[i] == label[j] for i in np.flatnonzero(seeds == a) for j in np.flatnonzero(seeds == b)])
        for a in range(3)
        for b in range(3)
        if a != b
    ]
    false = min(np.mean(chance), same / 2)
    assert level.shared() == pytest.approx((same - false) / max(hit - false, 1e-3))


def test_all_classes_seeded_opens_none():
    truth = np.repeat(np.arange(10), 80)
    label = np.repeat(np.arange(40), 20)
    seeds = np.where(np.arange(800) % 10 == 0, truth, -1)
    assert number.read([label], np.ones(800), seeds, 10).chosen == 10


@pytest.mark.parametrize("factor", [0.1, 1.0, 5.0])
def test_the_temperature_undoes_any_factor_on_the_logs(factor):
    rng = np.random.default_rng(0)
    logs = rng.normal(size=(4000, 3))
    posterior = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
    drawn = (posterior.cumsum(axis=1) < rng.random((4000, 1))).sum(axis=1)
    halves = [(factor * logs[some], drawn[some]) for some in (slice(0, 1000), slice(1000, None))]
    assert calibrate.temperature(halves) == pytest.approx(1 / factor, rel=0.1)
    assert calibrate.temperature([]) == 1.0


@given(st.lists(st.integers(-1, 4), min_size=1, max_size=60).map(np.array))
def test_every_seed_is_held_out_once_but_for_those_that_are_alone(seeds):
    folds = calibrate.folds(seeds)
    drawn = np.concatenate([*folds, np.empty(0, int)])
    counts = np.bincount(seeds[seeds >= 0], minlength=5)
    assert sorted(drawn) == [i for i, c in enumerate(seeds) if c >= 0 and counts[c] > 1]
    for c, fold in ((c, fold) for c in range(5) for fold in folds):
        assert (seeds[fold] == c).sum() <= -(-counts[c] // 3)


# ---- real data


@pytest.mark.parametrize(("name", "known", "least"), [("banking77-minilm", 0.5, 0.60), ("ag-news-minilm", 0.75, 0.78)])
def test_it_beats_k_means_that_is_told_the_number(name, known, least):
    data = dataset(name)
    some = np.random.default_rng(0).permutation(len(data))[:6000]
    X, truth = data.X[some], data.labels[some]
    part = datasets.partition(truth, known, share=0.1, seed=11)
    found = nf.Newfound(n_jobs=2).fit(X, part.y)
    free = part.unlabelled
    ours = metrics.accuracy(truth[free], found.labels_[free])
    told = KMeans(len(np.unique(truth)), n_init=1, random_state=0).fit_predict(rowmap.unit(X))
    assert ours > least
    assert ours > metrics.accuracy(truth[free], told[free])


def test_held_out_probabilities_are_calibrated():
    data = dataset("banking77-minilm")
    rng = np.random.default_rng(1).permutation(len(data))
    fit, rest = rng[:6000], rng[6000:9000]
    part = datasets.partition(data.labels[fit], 0.5, share=0.1, seed=12)
    found = nf.Newfound(n_jobs=2).fit(data.X[fit], part.y)
    asked = rest[np.isin(data.labels[rest], part.seeded)]
    proba = found.predict_proba(data.X[asked])
    right = found.classes_[proba.argmax(axis=1)] == data.labels[asked]
    assert metrics.calibration_error(right, proba.max(axis=1)) < 0.12


def test_the_engine_is_the_users():
    X, truth = blobs(n=200)
    y = seeded(truth, [0, 1, 2], share=0.3)

    class InParts(Local):
        rows_per_part = 37

    np.testing.assert_array_equal(nf.Newfound(engine=InParts).fit(X, y).labels_, nf.Newfound().fit(X, y).labels_)


def test_the_self_test_is_of_the_last_fit(problem):
    X, y, _ = problem
    found = nf.Newfound().fit(X, y)
    first = found.self_test_
    assert found.self_test_ is first
    found.refit(X, np.where(y == 2, -1, y))
    assert [one.name for one in found.self_test_.classes] == [0, 1]


def test_rows_that_fit_no_class_score_lowest(problem, fitted):
    X = problem[0]
    nowhere = np.random.default_rng(0).normal(size=(300, X.shape[1]))
    fits, misfits = fitted.score_samples(X), fitted.score_samples(nowhere)
    assert np.mean(fits[:, None] > misfits) > 0.9
    status = fitted.predict_status(X, alpha=0.2)
    assert fits[status == "abstain"].max() <= fits[status != "abstain"].min()


def test_one_answer_says_what_all_methods_say(fitted):
    more = np.vstack([np.random.default_rng(7).normal(size=(200, fitted.n_features_in_)), np.zeros(fitted.n_features_in_)])
    answers, posterior = fitted.answer(more, alpha=0.1), fitted.predict_proba(more)
    order, rows = np.argsort(-posterior, axis=1, kind="stable"), np.arange(len(more))
    np.testing.assert_array_equal(fitted.classes_[answers.label], fitted.predict(more))
    np.testing.assert_array_equal(answers.status, fitted.predict_status(more, alpha=0.1))
    np.testing.assert_allclose(answers.fit, fitted.score_samples(more))
    np.testing.assert_allclose(answers.probability, posterior[rows, order[:, 0]])
    np.testing.assert_allclose(answers.other_probability, posterior[rows, order[:, 1]])


def test_seeds_that_a_fit_did_not_see_are_all_somewhere(problem, fitted):
    np.testing.assert_array_equal(fitted.confusion_.sum(axis=1), np.bincount(problem[1][problem[1] >= 0]))
    assert np.trace(fitted.confusion_) > 0.9 * fitted.confusion_.sum()


def test_rows_as_the_model_sees_them_have_one_length(fitted):
    more = np.random.default_rng(7).normal(size=(20, fitted.n_features_in_))
    np.testing.assert_allclose(np.linalg.norm(fitted.mapped(more), axis=1), 1, rtol=1e-5)


def test_every_round_is_heard_of():
    heard = []
    X, truth = blobs(200)
    nf.Newfound(on_iteration=heard.append).fit(X, seeded(truth, [0, 1, 2]))
    assert min(step.n_classes for step in heard) <= 6 < max(step.n_classes for step in heard)


@pytest.mark.parametrize(("n", "width"), [(150, 60), (400, 200), (1500, 100)])
def test_new_rows_abstain_no_more_often_than_promised(n, width):
    abstained = []
    for seed in range(4):
        X, truth = blobs(n + 500, k=6, width=width, noise=0.15, seed=seed)
        found = nf.Newfound().fit(X[:n], seeded(truth, [0, 1, 2], seed=seed)[:n])
        abstained.append((found.predict_status(X[n:], alpha=0.1) == "abstain").mean())
    assert 0.05 < np.mean(abstained) < 0.16


def test_rows_are_left_out_until_there_are_enough(problem, fitted):
    assert np.isfinite(fitted.left_out_).all()
    assert len(fitted.calibration_) == len(problem[0])
    X, truth = blobs(3000)
    many = nf.Newfound().fit(X, seeded(truth, [0, 1, 2]))
    assert 1000 <= len(many.calibration_) < 1300
    np.testing.assert_array_equal(many.calibration_, np.sort(many.left_out_[np.isfinite(many.left_out_)]))
