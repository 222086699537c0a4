"""How good a labelling is, given the true classes.

>>> truth = ["a", "a", "b", "b", "c"]
>>> found = ["a", "a", "new-1", "new-2", "new-2"]
>>> accuracy(truth, found), purity(truth, found), round(seeded_f1(truth, found, ["a", "b"]), 3)
(0.8, 0.8, 0.9)

Labels may be of any type; those of ``truth`` and of ``found`` need not be the same.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_matrix
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from newfound.errors import LabelError

Array = NDArray[Any]


def confusion(truth: Any, found: Any) -> tuple[Array, Array, Array]:
    """True classes, found classes, and how many rows each pair shares.

    >>> confusion(["a", "b", "b"], [7, 7, 8])
    (array(['a', 'b'], dtype='<U1'), array([7, 8]), array([[1, 0],
           [1, 1]]))
    """
    truth, found = np.asarray(truth), np.asarray(found)
    if truth.shape != found.shape or truth.ndim != 1 or not len(truth):
        raise LabelError(f"truth and found must be two lists of the same length, but have shapes {truth.shape}, {found.shape}")
    classes, rows = np.unique(truth, return_inverse=True)
    clusters, cols = np.unique(found, return_inverse=True)
    table = coo_matrix((np.ones(len(rows), np.int64), (rows, cols)), shape=(len(classes), len(clusters)))
    return classes, clusters, table.toarray()


def counted(truth: Any, found: Any, clusters: Any) -> Array:
    """How many rows each true class, in sorted order, shares with each of these found classes, in this order.

    >>> counted(["a", "b", "b"], [8, 7, 7], [8, 7, 9]).tolist()
    [[1, 0, 0], [0, 2, 0]]
    """
    _, present, table = confusion(truth, found)
    out = np.zeros((len(table), len(clusters)), table.dtype)
    place = {name: j for j, name in enumerate(np.asarray(clusters).tolist())}
    out[:, [place[name] for name in present.tolist()]] = table
    return out


def seeded_f1(truth: Any, found: Any, seeded: Sequence[Any] | Array) -> float:
    """The paper's score: every found class takes the majority class of its rows; F1, averaged over the seeded classes."""
    classes, _, table = confusion(truth, found)
    return f1_of(classes, table, seeded)


def f1_of(classes: Array, table: Array, seeded: Sequence[Any] | Array) -> float:
    """``seeded_f1`` from a table of confusion."""
    named, scores = table.argmax(axis=0), []
    for c in np.flatnonzero(np.isin(classes, seeded)):
        taken = table[:, named == c]
        scores.append(2 * taken[c].sum() / (taken.sum() + table[c].sum()))
    # a seeded class without rows here (all its rows are seeds, say) has nothing to be found
    return float(np.mean(scores)) if scores else float("nan")


def matching(table: Array) -> Array:
    """For each found class the true class that it stands for, one to one at best; -1 for those left over."""
    rows, cols = linear_sum_assignment(-table)
    match = np.full(table.shape[1], -1)
    match[cols] = rows
    return match


def accuracy(truth: Any, found: Any, of: Sequence[Any] | Array | None = None) -> float:
    """The share of rows that are right when classes are matched one to one at best; over the rows ``of`` some classes if given.

    The matching is that of all rows, so accuracies of seeded and of new classes are parts of one whole.
    """
    classes, _, table = confusion(truth, found)
    match = matching(table)
    counted = np.ones(len(classes), bool) if of is None else np.isin(classes, of)
    right = sum(int(table[c, j]) for j, c in enumerate(match) if c >= 0 and counted[c])
    total = int(table[counted].sum())
    return right / total if total else float("nan")


def purity(truth: Any, found: Any) -> float:
    """The share of rows that belong to the majority class of their found class."""
    table = confusion(truth, found)[2]
    return float(table.max(axis=0).sum() / table.sum())


def count_error(truth: Any, found: Any) -> float:
    """How far the number of classes is off, as a share of the true number; negative: too few.

    >>> count_error(["a", "b", "c", "d"], [1, 1, 1, 2])
    -0.5
    """
    classes, clusters, _ = confusion(truth, found)
    return (len(clusters) - len(classes)) / len(classes)


def scores(truth: Any, found: Any, seeded: Sequence[Any] | Array) -> dict[str, float]:
    """Every measure at once; ``accuracy_seeded`` and ``accuracy_new`` are over the rows of those classes."""
    classes = np.unique(np.asarray(truth))
    return {
        "f1": seeded_f1(truth, found, seeded),
        "accuracy": accuracy(truth, found),
        "accuracy_seeded": accuracy(truth, found, seeded),
        "accuracy_new": accuracy(truth, found, classes[~np.isin(classes, seeded)]),
        "nmi": float(normalized_mutual_info_score(truth, found)),
        "ari": float(adjusted_rand_score(truth, found)),
        "purity": purity(truth, found),
        "classes": len(np.unique(np.asarray(found))),
        "count_error": count_error(truth, found),
    }


def calibration_error(right: Any, confidence: Any, bins: int = 15) -> float:
    """Expected calibration error: how far confidence is from accuracy, over equally wide bins.

    >>> calibration_error([True, False], [0.5, 0.5])
    0.0
    """
    right, confidence = np.asarray(right, dtype=float), np.asarray(confidence, dtype=float)
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    rows = np.bincount(place, minlength=bins)
    gap = np.abs(np.bincount(place, right, bins) - np.bincount(place, confidence, bins))
    return float(gap.sum() / rows.sum())
