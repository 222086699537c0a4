"""The metric of the seeds: what it does to rows, and against a slow obvious twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.covariance import ledoit_wolf

from newfound.condense import metric
from newfound.condense.rowmap import unit


def slow(rows, seeds):
    """The metric from its words, class by class; its square, which no rotation changes."""
    rest, classes = [], 0
    for c in range(seeds.max() + 1):
        own = rows[seeds == c]
        if len(own) > 1:
            classes += 1
            rest += [(x - own.mean(axis=0)) * np.sqrt(len(own) / (len(own) - 1)) for x in own]
    covariance = ledoit_wolf(np.array(rest), assume_centered=True)[0]
    trust = classes / (classes + metric.ROUND)
    level = np.trace(covariance) / len(covariance)
    return trust * level * np.linalg.inv(covariance) + (1 - trust) * np.eye(len(covariance))


@given(st.integers(0, 10_000))
def test_it_is_what_its_words_say(seed):
    rng = np.random.default_rng(seed)
    rows = unit(rng.normal(size=(40, 4)) * [1, 2, 3, 4])
    seeds = rng.integers(-1, 5, 40)
    axes = metric.of_seeds(rows, seeds).astype(float)
    np.testing.assert_allclose(axes @ axes.T, slow(rows.astype(float), seeds), rtol=1e-3, atol=1e-4)


def test_classes_get_rounder_and_further_apart():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 6, 900)
    rows = unit(np.eye(6, 12)[truth] + rng.normal(size=(900, 12)) * np.r_[np.full(6, 0.2), np.full(6, 0.8)])
    seeds = np.where(rng.random(900) < 0.2, np.where(truth < 4, truth, -1), -1)
    bent = unit(rows @ metric.of_seeds(rows, seeds))

    def apart(some):
        means = np.array([some[truth == c].mean(axis=0) for c in range(6)])
        return means.var(axis=0).sum() / np.mean([some[truth == c].var(axis=0).sum() for c in range(6)])

    assert apart(bent) > 1.5 * apart(rows)


@pytest.mark.parametrize("seeds", [[-1, -1, -1], [0, -1, -1], [0, 1, 2]])
def test_without_two_seeds_of_a_class_there_is_none(seeds):
    assert metric.of_seeds(np.eye(3), np.array(seeds)) is None


def test_alike_seeds_have_no_shape():
    assert metric.of_seeds(np.ones((4, 3)), np.array([0, 0, 1, 1])) is None


def test_the_covariance_within_classes_becomes_round():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 3, 3000)
    rows = np.eye(3)[label] + rng.normal(size=(3000, 3)) * [0.1, 0.2, 0.3]
    bent = rows @ metric.of_classes(rows, label)
    rest = bent - np.array([bent[label == c].mean(axis=0) for c in range(3)])[label]
    values = np.linalg.eigvalsh(np.cov(rest.T))
    assert values.max() / values.min() < 2
    before = np.linalg.eigvalsh(np.cov((rows - np.eye(3)[label]).T))
    assert before.max() / before.min() > 7
