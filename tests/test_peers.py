"""Peers on an easy problem: what each promises, and a slow twin of the k-means that is told the number of classes."""

import math
import sys
from dataclasses import replace
from functools import cache
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import newfound as nf
from newfound import datasets, metrics
from newfound.errors import MissingData, MissingExtra
from newfound.experiments import peers
from newfound.experiments.peers import PEERS, Problem, named, settled
from newfound.experiments.published import PUBLISHED

TOLD = ["told-random", "told-far"]
SEEDS_KEPT = [*TOLD, "explore-em-minmax", "explore-em-js", "crp-gibbs", "self-training"]
CLASSIFIERS = ["self-training", "label-spreading"]
NAMED_AFTERWARDS = ["hdbscan", "dp-mixture", "bertopic"]

ALL = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            name == "bertopic" and find_spec("bertopic") is None,
            reason="bertopic is not installed; pip install 'newfound[peers]'",
        ),
    )
    for name in PEERS
]


@cache
def easy(of_counts=False):
    """300 rows around 6 directions at right angles, 50 each, and their true classes; 5 seeds for each of 3 classes."""
    rng = np.random.default_rng(3)
    truth = rng.permutation(np.repeat(np.arange(6), 50))
    rows = np.eye(6, 24)[truth] + 0.04 * rng.normal(size=(300, 24))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    seeds = np.full(300, -1)
    for c in range(3):
        seeds[np.flatnonzero(truth == c)[:5]] = c
    texts = [" ".join(rng.choice([f"{word}{c}" for word in ("ask", "pay", "card", "lost")], 3)) for c in truth]
    counts = sparse.csr_matrix(rng.poisson(np.where(np.arange(24) // 4 == truth[:, None], 4, 0.02))) if of_counts else None
    return Problem(rows, seeds, 6, texts, counts, seed=5), truth


# ---- every peer


@pytest.mark.parametrize("name", ALL)
def test_every_row_has_a_class_and_the_same_one_again(name):
    problem, _ = easy()
    labels = PEERS[name](problem)
    assert labels.shape == (300,)
    assert labels.dtype.kind == "i"
    assert labels.min() >= 0
    assert np.array_equal(PEERS[name](problem), labels)


@pytest.mark.parametrize("name", ALL)
def test_only_those_told_look_at_the_true_number(name):
    problem, _ = easy()
    with_more = PEERS[name](replace(problem, n_classes=11))
    if name in TOLD:
        assert len(np.unique(with_more)) > 6
    else:
        assert np.array_equal(with_more, PEERS[name](problem))


@pytest.mark.parametrize("name", SEEDS_KEPT)
def test_seeds_keep_their_class(name):
    # a seed among the rows of another class is what tempts a method to move it
    problem, truth = easy()
    seeds = np.where(np.arange(300) == np.flatnonzero(truth == 4)[0], 1, problem.seeds)
    labels = PEERS[name](replace(problem, seeds=seeds))
    assert np.array_equal(labels[seeds >= 0], seeds[seeds >= 0])


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_know_the_seeded_classes_only(name):
    problem, truth = easy()
    labels = PEERS[name](problem)
    assert set(labels) == {0, 1, 2}
    assert np.array_equal(labels[truth < 3], truth[truth < 3])


@pytest.mark.parametrize("name", [param for param in ALL if param.values[0] in ("told-far", "hdbscan", "bertopic")])
def test_classes_that_stand_apart_are_found_and_those_with_seeds_recognised(name):
    problem, truth = easy()
    labels = PEERS[name](problem)
    assert metrics.accuracy(truth, labels) == 1
    assert np.array_equal(labels[truth < 3], truth[truth < 3])


COUNTED = {"max_classes": 100, "n_jobs": 1, "random_state": 5}
EM = {"selection": None, "max_iter": 15, "order": "random"}


@pytest.mark.parametrize(
    ("name", "learner"),
    [
        ("explore-em-minmax", nf.ExploreEM("kmeans", "minmax", **EM, **COUNTED)),
        ("explore-em-js", nf.ExploreEM("kmeans", "js", **EM, **COUNTED)),
        ("crp-gibbs", nf.ExploreGibbs("kmeans", "crp", n_epochs=15, **COUNTED)),
    ],
)
def test_learners_of_the_paper_take_counts_where_there_are_any(name, learner):
    problem, _ = easy(of_counts=True)
    expected = learner.fit(datasets.tf_idf(problem.counts), problem.seeds).labels_
    assert np.array_equal(PEERS[name](problem), expected)


@pytest.mark.parametrize("name", [param for param in ALL if param.values[0] in NAMED_AFTERWARDS])
def test_a_seeded_class_without_rows_of_its_own_is_given_to_no_cluster(name):
    problem, truth = easy()
    strays = [np.flatnonzero(truth == c)[7] for c in range(3)]  # one seed in each of three classes that have more
    seeds = problem.seeds.copy()
    seeds[strays] = 3
    labels = PEERS[name](replace(problem, seeds=seeds))
    assert 3 not in labels
    assert labels.max() > 3


# ---- told the number


def slow_told(problem, start):
    """Seeded spherical k-means in plain loops, from the same rows."""
    rows, seeds, k, d = problem.rows.astype(float).tolist(), problem.seeds.tolist(), problem.n_seeded, problem.rows.shape[1]

    def direction(members):
        total = [math.fsum(row[j] for row in members) for j in range(d)]
        length = math.sqrt(math.fsum(value**2 for value in total))
        return [value / length for value in total]

    means = [direction([row for row, seed in zip(rows, seeds, strict=True) if seed == c]) for c in range(k)]
    means += [rows[i] for i in start(problem, np.array(means), problem.n_classes - k, np.random.default_rng(problem.seed))]
    labels = None
    for _ in range(50):
        before, labels = labels, []
        for row, seed in zip(rows, seeds, strict=True):
            cosines = [math.fsum(a * b for a, b in zip(row, mean, strict=True)) for mean in means]
            labels.append(seed if seed >= 0 else cosines.index(max(cosines)))
        if labels == before:
            break
        for c in range(len(means)):
            members = [row for row, label in zip(rows, labels, strict=True) if label == c]
            means[c] = direction(members) if members else means[c]
    return labels


@pytest.mark.parametrize("start", [peers.at_random, peers.far])
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(8, 40), d=st.integers(2, 5), n_classes=st.integers(2, 6))
def test_told_is_its_slow_twin(start, seed, n, d, n_classes):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, d))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    seeds = np.full(n, -1)
    seeds[:2] = [0, rng.integers(0, 2)]
    problem = Problem(rows, seeds, n_classes, seed=seed)
    assert peers.told(problem, start).tolist() == slow_told(problem, start)


def runs_of(name):
    return [PEERS[name](replace(easy()[0], seed=seed)) for seed in range(10)]


def test_starts_far_from_each_other_give_the_true_number():
    assert all(len(np.unique(labels)) == 6 for labels in runs_of("told-far"))


@pytest.mark.parametrize("name", TOLD)
def test_told_gives_no_more_than_the_true_number_and_starts_where_its_seed_says(name):
    runs = runs_of(name)
    assert max(labels.max() for labels in runs) == 5
    assert len({labels.tobytes() for labels in runs}) > 1


def test_an_empty_class_keeps_its_last_mean():
    rows, last = np.eye(3)[[0, 0]], np.eye(3)[[1, 2]]
    assert peers._means(rows, np.array([1, 1]), last).tolist() == [[0, 1, 0], [1, 0, 0]]


def test_far_points_are_drawn_in_proportion_to_how_far_they_are():
    # cosines with the seeded mean: 1 (the seed), 0.6, 0.2, -1; so distances 0.4, 0.8 and 2
    cosine = np.array([1, 0.6, 0.2, -1])
    rows = np.stack([cosine, np.sqrt(1 - cosine**2)], axis=1)
    problem = Problem(rows, np.array([0, -1, -1, -1]), 2)
    rng = np.random.default_rng(0)
    drawn = [int(peers.far(problem, rows[:1], 1, rng)[0]) for _ in range(4000)]
    assert np.bincount(drawn) / 4000 == pytest.approx(np.array([0, 0.4, 0.8, 2]) / 3.2, abs=0.03)


def test_new_classes_start_at_rows_without_a_seed_that_differ():
    problem, _ = easy()
    for start in (peers.at_random, peers.far):
        chosen = start(problem, np.eye(3, 24), 40, np.random.default_rng(0))
        assert len(set(chosen.tolist())) == 40
        assert (problem.seeds[chosen] < 0).all()


# ---- clusters and their names


@st.composite
def clusterings(draw):
    n = draw(st.integers(1, 30))
    clusters = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    seeds = draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    return np.array(clusters), np.array(seeds)


@given(clusterings())
def test_no_seeded_class_is_given_to_two_clusters_and_no_cluster_is_torn(pair):
    clusters, seeds = pair
    names = named(clusters, seeds)
    assert len(set(zip(clusters, names, strict=True))) == len(set(clusters)) == len(set(names))
    new = sorted(set(names[names > seeds.max()]))
    assert new == list(range(seeds.max() + 1, seeds.max() + 1 + len(new)))


@given(clusterings())
def test_a_named_cluster_has_seeds_to_show_for_it(pair):
    clusters, seeds = pair
    names = named(clusters, seeds)

    def seeds_in(cluster, c):
        return sum(1 for i, seed in zip(clusters, seeds, strict=True) if (i, seed) == (cluster, c))

    def holds(cluster, c):
        everything = sum(1 for i, seed in zip(clusters, seeds, strict=True) if i == cluster and seed >= 0)
        return seeds_in(cluster, c) > 0 and 2 * seeds_in(cluster, c) >= everything

    for c in range(seeds.max() + 1):
        nameless = {cluster for cluster, name in zip(clusters, names, strict=True) if name > seeds.max()}
        if c in names:
            cluster = clusters[names == c][0]
            assert holds(cluster, c)
            assert all(seeds_in(other, c) <= seeds_in(cluster, c) for other in nameless if holds(other, c))
        else:
            assert not any(holds(other, c) for other in nameless)


def test_noise_alone_is_one_class():
    assert settled(np.eye(3), np.full(3, -1)).tolist() == [0, 0, 0]


# ---- bertopic


def test_without_texts_bertopic_does_not_apply():
    with pytest.raises(MissingData, match="this data set has none"):
        PEERS["bertopic"](replace(easy()[0], texts=None))


def test_without_its_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "bertopic", None)
    with pytest.raises(MissingExtra, match=r"pip install 'newfound\[peers\]'"):
        PEERS["bertopic"](easy()[0])


# ---- published figures


def test_published_figures_are_in_percent_of_data_sets_that_we_have_and_more_known_classes_help():
    assert all(p.dataset in datasets.names() and 1 < p.accuracy < 100 and p.known in (0.25, 0.5, 0.75) for p in PUBLISHED)
    rows = {
        (p.method, p.dataset): [q.accuracy for q in PUBLISHED if (q.method, q.dataset) == (p.method, p.dataset)]
        for p in PUBLISHED
    }
    assert all(row == sorted(row) and len(row) == 3 for row in rows.values())
