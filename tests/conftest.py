"""Where the data sets are, and how many examples hypothesis draws."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from newfound import datasets
from newfound.errors import MissingData

DATA = Path(os.environ.get("NEWFOUND_DATA", Path(__file__).parents[2] / "shared" / "data"))

# the same examples every day, so that a red run means a change; ALL_SEEDS=1 draws thousands of new ones
settings.register_profile("daily", deadline=None, max_examples=100, derandomize=True, suppress_health_check=list(HealthCheck))
settings.register_profile("thorough", deadline=None, max_examples=2000, suppress_health_check=list(HealthCheck))
settings.load_profile("thorough" if os.environ.get("ALL_SEEDS") else "daily")


os.environ.setdefault("NEWFOUND_DATA", str(DATA))  # whatever folder the tests are run from


def dataset(name):
    """A named data set, or a skipped test that says where it would have to be."""
    try:
        return datasets.load(name)
    except MissingData as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def newsgroups():
    """20-Newsgroups as tf-idf in float32, with its labels from 0."""
    data = dataset("20-newsgroups")
    return datasets.tf_idf(data.X), np.unique(data.labels, return_inverse=True)[1]


@pytest.fixture
def partition(newsgroups):
    """20-Newsgroups with seeds for 5 % of the rows of six classes."""
    X, truth = newsgroups
    return X, datasets.partition(truth, 6, share=0.05, seed=7).y, truth
