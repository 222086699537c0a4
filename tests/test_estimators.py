"""ExploreEM and ExploreGibbs as scikit-learn estimators: protocol, labels, answers, and faults of the user."""

import logging
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_info

import newfound as nf
from newfound.errors import ConflictingSeedsWarning, DataError, LabelError, SettingError

X = np.array([[9, 1, 0, 0], [8, 1, 0, 0], [1, 9, 0, 0], [1, 8, 0, 0], [0, 0, 9, 0], [0, 0, 8, 0], [0, 0, 0, 9], [0, 0, 0, 8]])
Y = np.array([0, -1, 1, -1, -1, -1, -1, -1])

ESTIMATORS = [
    *(nf.ExploreEM(component) for component in ("kmeans", "naive-bayes", "vmf")),
    nf.ExploreEM(nf.VonMisesFisher("per-class"), "js", "bic", max_classes=20),
    nf.ExploreEM(criterion=None, order="random"),
    nf.Newfound(),
    *(nf.ExploreGibbs(component, pick, n_epochs=3) for component in ("kmeans", "vmf") for pick in ("crp", "explore-crp")),
]


def expected_failures(estimator):
    expected = {
        "check_classifiers_classes": "labels {-1, 1}: -1 means unlabelled here, as in scikit-learn's own LabelSpreading"
    }
    if not estimator.__sklearn_tags__().input_tags.positive_only:
        expected["check_supervised_y_no_nan"] = "NaN in y means unlabelled"
    return expected


@pytest.mark.filterwarnings("ignore::newfound.errors.NewfoundWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_in_a_pipeline_and_a_search():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 120)
    rows = rng.poisson(np.array([[5, 1, 1, 0], [1, 5, 1, 0], [0, 1, 1, 5]])[truth] + 0.1)
    rows[:, 2] += 1
    y = np.where(rng.random(120) < 0.6, truth, -1)
    pipe = make_pipeline(TfidfTransformer(), nf.ExploreEM(nf.KMeans(), random_state=0))
    grid = {
        "exploreem__component__smoothing": [1e-4, 1e-2],
        "exploreem__criterion": [nf.MinMax(1.5), nf.MinMax(3.0), None],
        "exploreem__selection": ["aicc", "bic"],
    }
    folds = ShuffleSplit(2, test_size=0.5, random_state=0)
    search = GridSearchCV(pipe, grid, cv=folds, error_score="raise").fit(sparse.csr_matrix(rows), y)
    assert search.best_score_ > 0.7
    assert clone(search.best_estimator_).get_params()["exploreem__component__smoothing"] in (1e-4, 1e-2)


def test_clone_and_settings_are_independent():
    em = nf.ExploreEM(nf.KMeans(smoothing=0.5))
    other = clone(em).set_params(component__smoothing=0.25)
    assert em.get_params()["component__smoothing"] == 0.5
    assert other.component.smoothing == 0.25
    with pytest.raises(SettingError, match="no setting 'nonsense'; its settings: smoothing, prior"):
        em.component.set_params(nonsense=1)


def test_a_fitted_model_survives_pickling():
    em = nf.ExploreEM().fit(X, Y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(em)).predict(X), em.predict(X))


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (np.array([5, -1, 7, -1, -1, -1, -1, -1]), [5, 7, 8, 9]),
        (np.array([5.0, np.nan, 7, np.nan, np.nan, np.nan, np.nan, np.nan]), [5.0, 7.0, 8.0, 9.0]),
        (["spam", None, "ham", None, None, None, None, None], ["ham", "spam", "new-1", "new-2"]),
        (np.array(["spam", "", "new-1", "", "", "", "", ""]), ["new-1", "spam", "new-2", "new-3"]),
        (np.array([3, None, 4, None, None, None, None, -1], dtype=object), [3, 4, 5, 6]),
        (np.array(["a", -1, "b", -1, -1, -1, -1, -1], dtype=object), ["a", "b", "new-1", "new-2"]),
        (None, [0, 1, 2, 3]),
        (np.array([-3, -1, -2, -1, -1, -1, -1, -1]), [-3, -2, 0, 1]),
        (["spam", float("nan"), "ham", None, -1, "", None, None], ["ham", "spam", "new-1", "new-2"]),
        ([4, -1, 2, None, -1, -1, -1, -1], [2, 4, 5, 6]),
    ],
)
def test_labels_keep_their_type(y, classes):
    em = nf.ExploreEM().fit(X, y)
    assert em.classes_.tolist() == classes
    assert em.labels_.dtype == em.classes_.dtype
    assert em.labels_[0] == em.labels_[1] != em.labels_[2] == em.labels_[3]
    if not isinstance(y, list) and y is not None and y.dtype.kind != "O":
        assert em.classes_.dtype.kind == np.asarray(y).dtype.kind


def test_new_names_get_a_wider_type_where_there_is_no_room():
    y = np.full(8, -1, np.int8)
    y[0], y[2] = 127, -128
    em = nf.ExploreEM().fit(X, y)
    assert em.classes_.tolist() == [-128, 127, 128, 129]
    assert em.labels_[0] == 127


@pytest.mark.parametrize("size", [1.0, 1e38, 1e-40, 1e200])
@pytest.mark.parametrize("component", ["kmeans", "vmf"])
def test_the_size_of_dense_rows_does_not_matter(component, size):
    rng = np.random.default_rng(0)
    rows = rng.poisson(1.0, (200, 20)) + np.eye(20)[rng.integers(0, 3, 200) * 5] * 8
    y = np.where(rng.random(200) < 0.3, rng.integers(0, 2, 200), -1)
    plain = nf.ExploreEM(component, max_classes=5).fit(rows, y)
    np.testing.assert_array_equal(nf.ExploreEM(component, max_classes=5).fit(rows * size, y).labels_, plain.labels_)


def test_byte_order_does_not_matter():
    rng = np.random.default_rng(0)
    rows, y = rng.random((60, 5)), np.arange(60) % 4 - 1
    swapped = nf.ExploreEM("naive-bayes").fit(rows.astype(">f8"), y)
    np.testing.assert_array_equal(swapped.weights_, nf.ExploreEM("naive-bayes").fit(rows, y).weights_)


def test_settings_that_are_refused_are_not_kept():
    em = nf.ExploreEM(nf.KMeans())
    with pytest.raises(SettingError):
        em.set_params(component__smoothing=-1)
    assert em.component == nf.KMeans()
    assert nf.ExploreEM().set_params(component__smoothing=1e-2).component == nf.KMeans(smoothing=1e-2)


def test_fits_side_by_side_give_blas_its_threads_back():
    before = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    em = nf.ExploreEM("vmf").fit(X, Y)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: em.predict(X).tolist(), range(100)))
    assert all(answer == answers[0] for answer in answers)
    assert [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"] == before


def test_the_trail_says_why_a_class_exists():
    em = nf.ExploreEM().fit(X, Y)
    first, second = em.trail_
    assert (first.iteration, first.row, second.row) == (1, 4, 6)
    np.testing.assert_allclose(first.posterior, [0.5, 0.5], atol=0.1)
    assert len(second.posterior) == 3
    assert first.score_after < first.score_before
    assert em.history_[0].opened == 2
    assert [s.n_classes for s in em.history_] == [4] * em.n_iter_


def test_answers_for_new_rows():
    em = nf.ExploreEM().fit(X, np.where(Y < 0, None, Y))
    assert em.predict([[5, 0, 0, 0], [0, 0, 0, 5]]).tolist() == [0, 3]
    proba = em.predict_proba([[5, 0, 0, 0], [0, 0, 0, 0]])
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_allclose(proba[1], 0.25)
    assert em.predict_status([[5, 0, 0, 0], [0, 0, 0, 5], [0, 0, 0, 0]], alpha=0.0).tolist() == ["known", "new", "abstain"]


def test_score_is_accuracy_over_seeded_classes():
    em = nf.ExploreEM().fit(X, Y)
    truth = np.array([0, 0, 1, 0, 9, 9, 9, 9])
    assert em.score(X, truth) == 3 / 4
    assert em.score(X, truth, [1, 1, 1, 5, 1, 1, 1, 1]) == 3 / 8
    with pytest.raises(LabelError, match="nothing to score"):
        em.score(X, np.full(8, 9))


@pytest.mark.parametrize("component", ["kmeans", "naive-bayes", "vmf"])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_as_many_rows_are_answered_as_promised(newsgroups, component, alpha):
    rows, truth = newsgroups
    mine = np.flatnonzero(np.isin(truth, [2, 7, 11, 15]))
    answered = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        order = rng.permutation(mine)
        train, test = order[:2000], order[2000:]
        y = np.where(rng.random(2000) < 0.2, truth[train], -1)
        em = nf.ExploreEM(component, None).fit(rows[train], y)
        answered.append((em.predict_status(rows[test], alpha) != "abstain").mean())
    assert abs(np.mean(answered) - (1 - alpha)) < 0.03


def test_partial_fit_on_one_batch_is_fit():
    whole, batch = nf.ExploreEM().fit(X, Y), nf.ExploreEM().partial_fit(X, Y)
    np.testing.assert_array_equal(batch.labels_, whole.labels_)
    np.testing.assert_array_equal(batch.statistics_.sums, whole.statistics_.sums)


def test_batches_add_up_and_open_classes():
    em = nf.ExploreEM().partial_fit(X[:4], Y[:4], classes=[0, 1, 2])
    assert em.classes_.tolist() == [0, 1]
    em.partial_fit(X[4:], np.full(4, -1))
    assert em.classes_.tolist() == [0, 1, 3, 4], "2 is declared, so no new class may take it"
    assert em.labels_.tolist() == [3, 3, 4, 4]
    assert em.statistics_.summary().rows.tolist() == [2, 2, 2, 2]
    assert [o.iteration for o in em.trail_] == [1, 1]
    em.partial_fit([[2, 2, 2, 2], [0, 0, 7, 1]], [2, -1])
    assert em.classes_.tolist() == [0, 1, 2, 3, 4]
    assert em.is_new_.tolist() == [False, False, False, True, True]
    assert em.labels_.tolist() == [2, 3]
    em.partial_fit([[0, 0, 1, 1]], [4])
    assert em.labels_.tolist() == [4], "a seed may name a new class"
    assert em.statistics_.summary().rows.tolist() == [2, 2, 1, 3, 3]
    with pytest.raises(LabelError, match="not among the classes declared"):
        em.partial_fit(X, np.full(8, 77))


def test_batches_that_grow_never_overflow():
    em = nf.ExploreEM("naive-bayes", criterion=None)
    for value, weight in ((1e12, 500), (1e11, 5e3), (1e10, 5e4), (1e9, 5e5), (1e8, 5e6)):
        em.partial_fit(np.array([[value, 0, 0], [0, value, 0]]), [0, 1], [weight, weight])
    np.testing.assert_allclose(em.statistics_.summary().mass, [2.5e15, 2.5e15], rtol=1e-9)
    assert em.predict([[1, 0, 0], [0, 1, 0]]).tolist() == [0, 1]


def test_new_classes_leave_declared_labels_alone():
    em = nf.ExploreEM().partial_fit(X, Y, classes=[0, 1, 2])
    assert em.classes_.tolist() == [0, 1, 3, 4]


def test_statistics_of_batches_are_those_of_the_whole():
    y = np.array([0, 0, 1, 1, 0, 1, 0, 1])
    whole = nf.ExploreEM("naive-bayes").fit(X, y)
    parts = nf.ExploreEM("naive-bayes").partial_fit(X[:3], y[:3]).partial_fit(X[3:], y[3:])
    np.testing.assert_allclose(parts.weights_, whole.weights_, rtol=1e-12)


def test_progress_is_told(capsys, caplog):
    steps = []
    with caplog.at_level(logging.INFO, logger="newfound"):
        em = nf.ExploreEM(on_iteration=steps.append).fit(X, Y)
    assert steps == em.history_
    assert capsys.readouterr().out == ""
    assert sum("log-likelihood" in r.message for r in caplog.records) == len(steps)
    nf.ExploreEM(verbose=1).fit(X, Y)
    assert capsys.readouterr().out.startswith("[newfound] iteration 1: 4 classes")


def with_value(value):
    changed = X.astype(float)
    changed[3, 2] = value
    return changed


FAULTS = {
    "NaN": (lambda: nf.ExploreEM().fit(with_value(np.nan), Y), DataError, r"row 3, column 2 is NaN"),
    "infinity": (lambda: nf.ExploreEM("vmf").fit(with_value(np.inf), Y), DataError, r"row 3, column 2 is inf"),
    "sparse NaN": (lambda: nf.ExploreEM().fit(sparse.csr_matrix(with_value(np.nan)), Y), DataError, r"row 3, column 2 is NaN"),
    "negative count": (lambda: nf.ExploreEM().fit(with_value(-1), Y), DataError, r"KMeans, .* row 3, column 2 is -1"),
    "NaN in a new row": (lambda: nf.ExploreEM().fit(X, Y).predict(with_value(np.nan)), DataError, r"row 3, column 2"),
    "short y": (lambda: nf.ExploreEM().fit(X, Y[:5]), LabelError, r"y has 5 rows, X has 8; mark unlabelled rows with -1"),
    "two columns of y": (lambda: nf.ExploreEM().fit(X, np.c_[Y, Y]), LabelError, r"shape \(8, 2\)"),
    "text -1": (lambda: nf.ExploreEM().fit(X, ["a", "-1"] * 4), LabelError, r'the text "-1" is not a label'),
    "fractions": (lambda: nf.ExploreEM().fit(X, Y + 0.5), LabelError, r"Unknown label type: continuous"),
    "mixed labels": (lambda: nf.ExploreEM().fit(X, np.array(["a", 1] * 4, dtype=object)), LabelError, r"mixes"),
    "negative weight": (lambda: nf.ExploreEM().fit(X, Y, -np.ones(8)), DataError, r"row 0 has -1; use 0"),
    "short weights": (lambda: nf.ExploreEM().fit(X, Y, np.ones(3)), DataError, r"8 rows, but has shape \(3,\)"),
    "nothing there": (lambda: nf.ExploreEM().fit(np.zeros((3, 2))), DataError, r"nothing to learn from"),
    "no rows": (lambda: nf.ExploreEM().fit(np.zeros((0, 2))), ValueError, r"0 sample"),
    "no features": (lambda: nf.ExploreEM().fit(np.zeros((3, 0))), ValueError, r"0 feature"),
    "one direction": (lambda: nf.ExploreEM("vmf").fit(X[:, :1], Y), DataError, r"needs at least 2 features"),
    "one dimension": (lambda: nf.ExploreEM().fit(X[:, 0], Y), ValueError, r"Expected 2D array"),
    "other width": (lambda: nf.ExploreEM().fit(X, Y).predict(X[:, :2]), ValueError, r"X has 2 features"),
    "component": (lambda: nf.ExploreEM("k-means").fit(X, Y), SettingError, r"no component 'k-means'; choose from kmeans"),
    "criterion": (lambda: nf.ExploreEM(criterion="max").fit(X, Y), SettingError, r"no criterion 'max'; choose from js, minmax"),
    "selection": (lambda: nf.ExploreEM(selection="dic").fit(X, Y), SettingError, r"no selection 'dic'; choose from aic"),
    "engine": (lambda: nf.ExploreEM(engine="spark").fit(X, Y), SettingError, r"no engine 'spark'; choose from local"),
    "order": (lambda: nf.ExploreEM(order="up").fit(X, Y), SettingError, r"order must be 'given' or 'random'"),
    "limit": (lambda: nf.ExploreEM(max_classes=1).fit(X, Y), SettingError, r"max_classes is 1, but 2 classes are seeded"),
    "max_iter": (lambda: nf.ExploreEM(max_iter=0).fit(X, Y), SettingError, r"max_iter must be"),
    "tol": (lambda: nf.ExploreEM(tol=-1).fit(X, Y), SettingError, r"tol must be"),
    "extra": (lambda: nf.ExploreEM(extra_classes=9).fit(X, Y), SettingError, r"only 6 unlabelled rows"),
    "extra beyond": (lambda: nf.ExploreEM(extra_classes=2, max_classes=3).fit(X, Y), SettingError, r"more than max_classes=3"),
    "smoothing": (lambda: nf.KMeans(smoothing=0), SettingError, r"smoothing must be a number above 0, not 0"),
    "alpha": (lambda: nf.NaiveBayes(alpha=-1), SettingError, r"alpha must be a number above 0, not -1"),
    "concentration": (lambda: nf.VonMisesFisher("own"), SettingError, r"'shared' or 'per-class', not 'own'"),
    "prior": (lambda: nf.KMeans(prior="flat"), SettingError, r"'uniform' or 'empirical', not 'flat'"),
    "ratio": (lambda: nf.MinMax(1.0), SettingError, r"ratio must be above 1, not 1.0"),
    "threshold": (lambda: nf.JensenShannon(0), SettingError, r"threshold must be above 0"),
    "rate": (lambda: nf.Random(2), SettingError, r"rate must lie between 0 and 1, not 2"),
    "like": (lambda: nf.Random(like="jsd"), SettingError, r"like must be"),
    "pick": (lambda: nf.ExploreGibbs(pick="crf").fit(X, Y), SettingError, r"no pick 'crf'; choose from crp, explore-crp"),
    "p_new": (lambda: nf.ExploreGibbs(concentration=1).fit(X, Y), SettingError, r"at least 0 and below 1, not 1"),
    "n_epochs": (lambda: nf.ExploreGibbs(n_epochs=0).fit(X, Y), SettingError, r"n_epochs must be"),
    "status": (lambda: nf.ExploreEM().fit(X, Y).predict_status(X, alpha=1), SettingError, r"below 1, not 1"),
    "no classes": (lambda: nf.ExploreEM(criterion=None).fit(X), SettingError, r"seed some"),
    "bytes": (lambda: nf.ExploreEM().fit(X, np.array([b"a"] * 8)), LabelError, r"whole numbers or text, but y has dtype \|S1"),
    "bool": (lambda: nf.ExploreEM().fit(X, [True, None, False] + [None] * 5), LabelError, r"mixes or holds bool"),
    "largest label": (
        lambda: nf.ExploreEM().fit(X, np.where(Y < 0, Y, 2**63 - 1 - Y)),
        LabelError,
        r"no number for new classes",
    ),
    "scalar weight": (lambda: nf.ExploreEM().fit(X, Y, -1.0), DataError, r"row 0 has -1; use 0"),
    "weights beyond": (lambda: nf.ExploreEM().fit(X, Y, np.full(8, 1e308)), DataError, r"scale them down"),
    "weights apart": (lambda: nf.ExploreEM().fit(X, Y, [1e18, *[1.0] * 7]), DataError, r"smallest weight is 1, too far below"),
    "infinite sums": (lambda: nf.ExploreEM("naive-bayes").fit(X / 9 * 1.5e308, Y), DataError, r"scale"),
    "class for object": (lambda: nf.ExploreEM(criterion=nf.MinMax).fit(X, Y), SettingError, r"no criterion <class"),
    "stray label": (lambda: nf.ExploreEM().partial_fit(X, Y + 7, classes=[0, 1]), LabelError, r"label 6 is not among"),
    "other labels": (lambda: nf.ExploreEM().partial_fit(X).partial_fit(X, list("abcdefgh")), LabelError, r"named like 0"),
    "huge": (lambda: nf.ExploreEM("naive-bayes").fit(X * 1e17, Y), DataError, r"scale the rows or the weights down"),
    "tiny": (lambda: nf.ExploreEM().fit(X * 1e-320, Y), DataError, r"rescale the rows"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_answered_in_one_sentence(fault):
    act, error, sentence = FAULTS[fault]
    with pytest.raises(error, match=sentence) as caught:
        act()
    if error is not ValueError:
        assert isinstance(caught.value, nf.NewfoundError)
        assert "\n" not in str(caught.value)


def test_one_row_with_two_labels_warns():
    with pytest.warns(ConflictingSeedsWarning, match="rows 0 and 2 are the same but carry different labels"):
        nf.ExploreEM().fit(X[[0, 1, 0, 2]], [0, 0, 1, 1])
