"""Where the data sets are, and how many examples hypothesis draws."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from scipy import sparse

DATA = Path(os.environ.get("NEWFOUND_DATA", Path(__file__).parents[2] / "shared" / "data"))

# the same examples every day, so that a red run means a change; ALL_SEEDS=1 draws thousands of new ones
settings.register_profile("daily", deadline=None, max_examples=100, derandomize=True, suppress_health_check=list(HealthCheck))
settings.register_profile("thorough", deadline=None, max_examples=2000, suppress_health_check=list(HealthCheck))
settings.load_profile("thorough" if os.environ.get("ALL_SEEDS") else "daily")


@pytest.fixture(scope="session")
def newsgroups():
    """20-Newsgroups as tf-idf in float32, with its labels from 0."""
    folder = DATA / "20news_bydate_matlab"
    if not folder.exists():
        pytest.skip(f"20-Newsgroups is not at {folder}; set NEWFOUND_DATA to the folder that holds the data sets")
    X = sparse.load_npz(folder / "counts.npz").tocsr().astype(np.float32)
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    X.data *= np.log(X.shape[0] / frequency).astype(np.float32)[X.indices]
    return X, np.load(folder / "labels.npy") - 1


@pytest.fixture
def partition(newsgroups):
    """20-Newsgroups with seeds for 5 % of the rows of six classes."""
    X, truth = newsgroups
    rng = np.random.default_rng(7)
    y = np.full(len(truth), -1)
    for c in rng.choice(20, 6, replace=False):
        rows = np.flatnonzero(truth == c)
        y[rng.choice(rows, len(rows) // 20, replace=False)] = c
    return X, y, truth
