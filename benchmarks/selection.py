"""What AICc and no selection at all make of exploration on wide text; writes benchmarks/selection.json and docs/selection.md.

    python benchmarks/selection.py

The paper's protocol: some classes seeded, 5 % of their rows, the same partitions for every setting, and F1 over the
seeded classes when every found class takes the majority label of its rows. Nothing is tuned.
"""

import json
import os
import subprocess
import sys
import warnings
from itertools import product
from pathlib import Path

import numpy as np
from scipy import sparse

from newfound import ExploreEM

HERE = Path(__file__).parent
DATA = Path(os.environ.get("NEWFOUND_DATA", HERE.parents[1] / "shared" / "data"))
SETS = {"20-Newsgroups": ("20news_bydate_matlab", 6), "Reuters-21578": ("reuters21578_cai", 10)}
PARTITIONS = 5


def load(folder: str) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Counts as tf-idf, and labels from 0."""
    X = sparse.load_npz(DATA / folder / "counts.npz").tocsr().astype(np.float32)
    frequency = np.maximum(np.bincount(X.indices, minlength=X.shape[1]), 1)
    X.data *= np.log(X.shape[0] / frequency).astype(np.float32)[X.indices]
    return X, np.load(DATA / folder / "labels.npy") - 1


def partition(truth: np.ndarray, n_seeded: int, seed: int) -> np.ndarray:
    """Seeds for 5 % of the rows, but at least one, of classes drawn among those of 20 rows and more."""
    rng = np.random.default_rng(seed)
    y = np.full(len(truth), -1)
    for c in rng.choice(np.flatnonzero(np.bincount(truth) >= 20), n_seeded, replace=False):
        rows = np.flatnonzero(truth == c)
        y[rng.choice(rows, max(1, len(rows) // 20), replace=False)] = c
    return y


def seeded_f1(found: np.ndarray, truth: np.ndarray, seeded: np.ndarray) -> float:
    """Macro F1 over the seeded classes, all rows counted."""
    voted = np.array([np.bincount(truth[found == c]).argmax() if (found == c).any() else -1 for c in range(found.max() + 1)])[
        found
    ]
    scores = [2 * ((voted == c) & (truth == c)).sum() / ((voted == c).sum() + (truth == c).sum()) for c in seeded]
    return float(np.mean(scores))


def run(
    X: sparse.csr_matrix, truth: np.ndarray, y: np.ndarray, criterion: str | None, selection: str | None
) -> dict[str, object]:
    em = ExploreEM(criterion=criterion, selection=selection, max_classes=100, max_iter=15, n_jobs=-1).fit(X, y)
    return {
        "f1": seeded_f1(em.labels_, truth, np.unique(y[y >= 0])),
        "classes": len(em.classes_),
        "refused": sum(step.refused for step in em.history_) > 0,
    }


def main() -> None:
    warnings.simplefilter("ignore")
    records = []
    for name, (folder, n_seeded) in SETS.items():
        X, truth = load(folder)
        for seed, (criterion, selection) in product(
            range(PARTITIONS), [(None, None), *product(("minmax", "js"), ("aicc", None))]
        ):
            outcome = run(X, truth, partition(truth, n_seeded, seed), criterion, selection)
            records.append({"data": name, "partition": seed, "criterion": criterion, "selection": selection, **outcome})
    (HERE / "selection.json").write_text(json.dumps(records, indent=1) + "\n")
    subprocess.run([sys.executable, HERE / "page.py"], check=True)


if __name__ == "__main__":
    main()
