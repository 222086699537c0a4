"""Each measure beside a slow one: all permutations, all pairs of rows, plain counting."""

from collections import Counter
from itertools import combinations, permutations
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newfound import metrics
from newfound.errors import LabelError


@st.composite
def labellings(draw):
    n = draw(st.integers(1, 25))
    truth = draw(st.lists(st.sampled_from("abcd"), min_size=n, max_size=n))
    return truth, draw(st.lists(st.sampled_from(["p", "q", "r", "s", "t"]), min_size=n, max_size=n))


def slow_f1(truth, found, seeded):
    majority = {}
    for cluster in set(found):
        votes = Counter(t for t, f in zip(truth, found, strict=True) if f == cluster)
        majority[cluster] = min(votes, key=lambda c: (-votes[c], c))
    scores = []
    for c in set(seeded) & set(truth):
        hits = sum(t == c and majority[f] == c for t, f in zip(truth, found, strict=True))
        predicted, actual = sum(majority[f] == c for f in found), sum(t == c for t in truth)
        precision, recall = hits / predicted if predicted else 0.0, hits / actual
        scores.append(2 * precision * recall / (precision + recall) if hits else 0.0)
    return sum(scores) / len(scores)


def slow_matches(truth, found):
    """The number of right rows of each class, under every one-to-one matching."""
    classes, clusters = sorted(set(truth)), sorted(set(found))
    shared = Counter(zip(truth, found, strict=True))
    for chosen in permutations(classes + [None] * len(clusters), len(clusters)):
        yield {c: shared[c, f] for c, f in zip(chosen, clusters, strict=True) if c is not None}


def slow_best(truth, found):
    """The matchings with the most right rows; tied ones may share them out differently."""
    matches = list(slow_matches(truth, found))
    most = max(sum(right.values()) for right in matches)
    return [right for right in matches if sum(right.values()) == most]


@given(labellings(), st.sets(st.sampled_from("abcd"), min_size=1))
def test_seeded_f1_is_that_of_plain_counting(pair, seeded):
    truth, found = pair
    if not set(truth) & seeded:
        assert np.isnan(metrics.seeded_f1(truth, found, sorted(seeded)))
        return
    for f1 in (metrics.seeded_f1(truth, found, sorted(seeded)), metrics.scores(truth, found, sorted(seeded))["f1"]):
        assert f1 == pytest.approx(slow_f1(truth, found, seeded))


@given(labellings())
def test_accuracy_is_the_best_over_all_matchings(pair):
    truth, found = pair
    for accuracy in (metrics.accuracy(truth, found), metrics.scores(truth, found, ["a"])["accuracy"]):
        assert accuracy == pytest.approx(sum(slow_best(truth, found)[0].values()) / len(truth))


@given(labellings(), st.sets(st.sampled_from("abcd"), min_size=1, max_size=3))
def test_accuracies_of_seeded_and_new_classes_make_up_the_whole(pair, seeded):
    truth, found = pair
    of_seeded = [t in seeded for t in truth]
    new = sorted(set(truth) - seeded)
    parts = [(sum(of_seeded), metrics.accuracy(truth, found, sorted(seeded)))]
    parts += [(len(truth) - sum(of_seeded), metrics.accuracy(truth, found, new))]
    right = sum(rows * share for rows, share in parts if rows)
    assert right / len(truth) == pytest.approx(metrics.accuracy(truth, found))


@given(labellings(), st.sets(st.sampled_from("abcd"), min_size=1, max_size=3))
def test_accuracies_of_seeded_and_new_classes_are_those_of_a_best_matching(pair, seeded):
    truth, found = pair
    scored = metrics.scores(truth, found, sorted(seeded))

    def share(right, classes):
        rows = sum(t in classes for t in truth)
        return sum(right.get(c, 0) for c in classes) / rows if rows else float("nan")

    pairs = {(share(right, seeded), share(right, set("abcd") - seeded)) for right in slow_best(truth, found)}
    ours = (scored["accuracy_seeded"], scored["accuracy_new"])
    assert any(ours == pytest.approx(theirs, nan_ok=True) for theirs in pairs)


@given(labellings())
def test_the_error_in_the_number_of_classes_is_a_share_of_the_true_number(pair):
    truth, found = pair
    n_true, n_found = len(set(truth)), len(set(found))
    for error in (metrics.count_error(truth, found), metrics.scores(truth, found, ["a"])["count_error"]):
        assert error * n_true == pytest.approx(n_found - n_true)


@given(labellings())
def test_purity_counts_majorities(pair):
    truth, found = pair
    majorities = sum(max(Counter(t for t, f in zip(truth, found, strict=True) if f == c).values()) for c in set(found))
    for purity in (metrics.purity(truth, found), metrics.scores(truth, found, ["a"])["purity"]):
        assert purity == pytest.approx(majorities / len(truth))


@given(labellings())
def test_rand_index_over_all_pairs_and_information_from_shares(pair):
    truth, found = pair
    scored = metrics.scores(truth, found, ["a"])
    pairs = [(truth[i] == truth[j], found[i] == found[j]) for i, j in combinations(range(len(truth)), 2)]
    both, one, other = (sum(f) for f in ([a and b for a, b in pairs], [a for a, _ in pairs], [b for _, b in pairs]))
    expected = one * other / len(pairs) if pairs else 0.0
    ceiling = (one + other) / 2
    ari = 1.0 if ceiling == expected else (both - expected) / (ceiling - expected)
    assert scored["ari"] == pytest.approx(ari, abs=1e-9)

    n = len(truth)
    h = lambda values: -sum(c / n * log(c / n) for c in Counter(values).values())  # noqa: E731
    mutual = h(truth) + h(found) - h(list(zip(truth, found, strict=True)))
    nmi = 1.0 if h(truth) + h(found) == 0 else 2 * mutual / (h(truth) + h(found))
    assert scored["nmi"] == pytest.approx(nmi, abs=1e-9)
    assert scored["classes"] == len(set(found))


@given(labellings())
def test_names_of_classes_do_not_matter(pair):
    truth, found = pair
    codes = [sorted(set(found), reverse=True).index(f) + 7 for f in found]
    scored, again = metrics.scores(truth, found, ["a", "b"]), metrics.scores(truth, codes, ["a", "b"])
    for measure in set(scored) - {"accuracy_seeded", "accuracy_new"}:  # tied matchings share the right rows out differently
        assert scored[measure] == pytest.approx(again[measure], nan_ok=True)


def test_calibration_error_by_hand():
    # two bins: confidence 0.9 and right in 1 of 2; confidence 0.2 and right in 0 of 2
    assert metrics.calibration_error([1, 0, 0, 0], [0.9, 0.9, 0.2, 0.2], bins=2) == pytest.approx((2 * 0.4 + 2 * 0.2) / 4)


def test_lists_of_different_length_are_refused():
    with pytest.raises(LabelError, match="same length"):
        metrics.accuracy([1, 2], [1])
