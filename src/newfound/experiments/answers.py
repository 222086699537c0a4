"""What our learner answers about rows that it has not seen: how sure it may be, and what it leaves unanswered."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from newfound import metrics
from newfound.estimators import Newfound
from newfound.experiments.cases import Case, data

Array = NDArray[Any]

HELD_OUT = 0.2
"""The share of rows that the fit does not see."""

OUT_OF_SCOPE = "oos"
"""The label of queries that belong to no class."""


def held_out(case: Case, partition: int) -> dict[str, float]:
    """Calibration of the probabilities of held-out rows, and how many of these rows are left unanswered."""
    X, truth = case.rows()
    mixed = np.random.default_rng([partition, 1]).permutation(len(truth))
    cut = round(HELD_OUT * len(truth))
    asked, kept = np.sort(mixed[:cut]), np.sort(mixed[cut:])
    part = case.partition(truth[kept], partition)
    found = Newfound(n_jobs=1, random_state=partition).fit(X[kept], part.y)
    probability = found.predict_proba(X[asked])
    answer, sure = found.classes_[probability.argmax(axis=1)], probability.max(axis=1)
    seeded = np.isin(truth[asked], part.seeded)
    right = _stands_for(truth[kept], found.labels_, answer) == truth[asked]
    return _rounded(
        {
            "ece_seeded": metrics.calibration_error((answer == truth[asked])[seeded], sure[seeded]),
            "accuracy_seeded": (answer == truth[asked])[seeded].mean(),
            "ece_all": metrics.calibration_error(right, sure),
            "abstained": (found.predict_status(X[asked]) == "abstain").mean(),
        }
    )


def out_of_scope(case: Case, partition: int) -> dict[str, float]:
    """How well abstaining tells queries of no class from those of the test split, after a fit on the rest of the classes."""
    everything = data(case.dataset)
    assert everything.split is not None
    outside = everything.labels == OUT_OF_SCOPE
    asked = np.flatnonzero(outside | (everything.split == "test"))
    kept = np.flatnonzero(~outside & (everything.split != "test"))
    part = case.partition(everything.labels[kept], partition)
    found = Newfound(n_jobs=1, random_state=partition).fit(everything.X[kept], part.y)
    fit, inside, truth = found.score_samples(everything.X[asked]), ~outside[asked], everything.labels[asked]
    status = found.predict_status(everything.X[asked])
    answer = _stands_for(everything.labels[kept], found.labels_, found.predict(everything.X[asked]))
    answered = fit[inside] >= np.quantile(fit[inside], 0.1)
    right = (answer == truth)[inside]
    return _rounded(
        {
            "auroc": roc_auc_score(inside, fit),
            "accuracy": right.mean(),
            "accuracy_at_90": right[answered].mean(),
            "abstained": (status[inside] == "abstain").mean(),
            "abstained_outside": (status[~inside] == "abstain").mean(),
        }
    )


def _stands_for(truth: Array, found: Array, answers: Array) -> Array:
    """Answers as the true classes that they stand for, by the matching of the rows of the fit; "" for those left over."""
    classes, clusters, table = metrics.confusion(truth, found)
    names = np.array(["", *classes.tolist()], dtype=object)[metrics.matching(table) + 1]
    return np.asarray(names[np.searchsorted(clusters, answers)])


def _rounded(scores: dict[str, Any]) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in scores.items()}


ANSWERS: dict[str, Callable[[Case, int], dict[str, float]]] = {"held out": held_out, "out of scope": out_of_scope}
