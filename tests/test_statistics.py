"""Statistics are sums of whole numbers: they add up, and take away, exactly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from newfound.components import Statistics
from newfound.components.base import BITS, exponent_for
from newfound.errors import DataError
from newfound.parts import Rows

matrices = hnp.arrays(float, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=st.floats(0, 1e6, width=32))


@st.composite
def labelled(draw):
    X = draw(matrices)
    labels = draw(hnp.arrays(int, len(X), elements=st.integers(-1, 3)))
    weights = draw(hnp.arrays(float, len(X), elements=st.floats(0, 100)))
    return X, labels, weights


def collected(X, labels, weights, exponent):
    return Statistics.of(Rows.of(X), labels, 4, exponent, weights)


@given(labelled(), st.integers(0, 2**32 - 1))
def test_parts_in_any_order_add_up_to_the_whole(data, seed):
    X, labels, weights = data
    exponent = exponent_for(max(weights.sum(), 1) * max(X.max(initial=0), 1))
    whole = collected(X, labels, weights, exponent)
    rng = np.random.default_rng(seed)
    parts = np.array_split(rng.permutation(len(X)), rng.integers(1, 5))
    total = Statistics.empty(4, X.shape[1], exponent)
    for part in parts:
        total = total.merge(collected(X[part], labels[part], weights[part], exponent))
    np.testing.assert_array_equal(total.sums, whole.sums)
    np.testing.assert_array_equal(total.rows, whole.rows)


@given(labelled())
def test_remove_undoes_merge(data):
    X, labels, weights = data
    exponent = exponent_for(max(weights.sum(), 1) * max(X.max(initial=0), 1))
    a, b = collected(X[::2], labels[::2], weights[::2], exponent), collected(X[1::2], labels[1::2], weights[1::2], exponent)
    back = a.merge(b).remove(b)
    np.testing.assert_array_equal(back.sums, a.sums)
    np.testing.assert_array_equal(back.rows, a.rows)


@given(labelled())
def test_sums_are_those_of_float64(data):
    X, labels, weights = data
    stats = collected(X, labels, weights, exponent_for(max(weights.sum(), 1) * max(X.max(initial=0), 1)))
    for j in range(4):
        mine = labels == j
        sums = np.ldexp(stats.sums[j].astype(float), -stats.exponent)
        np.testing.assert_allclose(sums, (weights[mine, None] * X[mine]).sum(axis=0), rtol=1e-9, atol=1e-9)
        assert np.ldexp(float(stats.rows[j]), -stats.exponent) == pytest.approx(weights[mine].sum(), abs=1e-9)


@given(labelled())
def test_sparse_rows_give_the_same_bits(data):
    X, labels, weights = data
    exponent = exponent_for(max(weights.sum(), 1) * max(X.max(initial=0), 1))
    a, b = collected(X, labels, weights, exponent), collected(sparse.csr_matrix(X), labels, weights, exponent)
    np.testing.assert_array_equal(a.sums, b.sums)


@given(st.integers(1, 1000), st.integers(1, 2**30))
def test_counts_are_exact_and_cannot_overflow(n, count):
    X = np.full((n, 1), float(count))
    exponent = exponent_for(n * count)
    stats = Statistics.of(Rows.of(X), np.zeros(n, int), 1, exponent)
    assert int(stats.sums[0, 0]) == n * count << exponent < 2**BITS
    assert stats.summary().rows[0] == n


def test_what_cannot_be_summed_is_refused():
    with pytest.raises(DataError, match="scale the rows or the weights down"):
        exponent_for(1e20)


def test_statistics_of_different_fits_do_not_add_up():
    a, b = Statistics.empty(2, 3, 10), Statistics.empty(2, 3, 11)
    with pytest.raises(DataError, match="one exponent"):
        a.merge(b)
