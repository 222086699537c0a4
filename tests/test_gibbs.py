"""The samplers against probabilities worked out by hand."""

import numpy as np
import pytest
from scipy.stats import chisquare

import newfound as nf
import twin

X = np.array([[4.0, 1, 0], [0, 1, 4], [2, 1, 1], [1, 1, 2], [1, 3, 1]])
Y = np.array([0, 1, -1, -1, -1])
SLOW = {"kmeans": twin.KMeans, "naive-bayes": twin.NaiveBayes, "vmf": twin.VMF}
DRAWS = 2000


def paths(model, pick, p_new):
    """Every way that one epoch can go, with its probability."""
    rows, n, d = [model.enter(x) for x in X.tolist()], len(X), X.shape[1]
    ways = {}
    for first in np.ndindex(2, 2, 2):  # the labels that the unlabelled rows start with
        labels = [0, 1, *first]
        base, shared = twin.maximise(model, rows, [1.0] * n, labels, 2, d)
        count = twin.statistics(rows, [1.0] * n, labels, 2, d)[0]
        follow(model, rows, base, shared, count, pick, p_new, [], 1 / 8, ways)
    return ways


def follow(model, rows, base, shared, count, pick, p_new, drawn, p, ways):
    i, d = 2 + len(drawn), len(rows[0])
    if i == len(rows):
        ways[tuple(drawn)] = ways.get(tuple(drawn), 0.0) + p
        return
    opened = [twin.open_class(model, base, shared, rows[2 + t], d) for t, c in enumerate(drawn) if is_new(drawn, t)]
    now = base + opened
    shares = twin.transition(model, now, count + [1.0] * len(opened), len(rows), rows[i], pick, p_new, True, d)
    for choice, share in enumerate(shares):
        if share > 0:
            follow(model, rows, base, shared, count, pick, p_new, [*drawn, choice], p * share, ways)


def is_new(drawn, t):
    return drawn[t] == 2 + sum(is_new(drawn, s) for s in range(t))


@pytest.mark.parametrize("component", SLOW)
@pytest.mark.parametrize("pick", ["crp", "explore-crp"])
def test_draws_come_as_often_as_enumeration_says(component, pick):
    p_new = {"crp": 0.3, "explore-crp": 0.05 if component != "kmeans" else 0.002}[pick]
    ways = paths(SLOW[component](), pick, p_new)
    assert sum(ways.values()) == pytest.approx(1)
    seen = dict.fromkeys(ways, 0)
    for seed in range(DRAWS):
        labels = nf.ExploreGibbs(component, pick, p_new, n_epochs=1, random_state=seed).fit(X, Y).labels_
        seen[tuple(labels[2:].tolist())] += 1
    often = [w for w in ways if ways[w] * DRAWS >= 5]
    counts, expected = [seen[w] for w in often], [ways[w] * DRAWS for w in often]
    counts, expected = [*counts, DRAWS - sum(counts)], [*expected, DRAWS - sum(expected)]
    if expected[-1] < 1e-6:
        assert counts[-1] == 0
        counts, expected = counts[:-1], expected[:-1]
    assert len(counts) > 5, "a test of one outcome would prove nothing"
    assert chisquare(counts, np.array(expected) * sum(counts) / sum(expected)).pvalue > 1e-4


@pytest.mark.parametrize("component", SLOW)
@pytest.mark.parametrize("pick", ["crp", "explore-crp"])
def test_without_a_chance_of_new_classes_none_opens(component, pick):
    gibbs = nf.ExploreGibbs(component, pick, 0.0, n_epochs=20, random_state=0).fit(X, Y)
    assert gibbs.classes_.tolist() == [0, 1]


def test_all_but_certain_new_classes_open_at_every_row():
    gibbs = nf.ExploreGibbs("kmeans", "crp", 1 - 1e-9, n_epochs=1, random_state=0).fit(X, Y)
    assert gibbs.labels_.tolist() == [0, 1, 2, 3, 4]
    assert [o.row for o in gibbs.trail_] == [2, 3, 4]


def test_predict_is_the_best_class_under_the_last_draws():
    gibbs = nf.ExploreGibbs("naive-bayes", concentration=0.01, random_state=1).fit(X, Y)
    em = nf.ExploreEM("naive-bayes", criterion=None).fit(X, gibbs.labels_)
    np.testing.assert_array_equal(gibbs.predict(X), em.predict(X))
