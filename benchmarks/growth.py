"""What a fit of Newfound costs as rows grow, beside one k-means fit of the same rows; writes benchmarks/growth.json.

    python benchmarks/growth.py [rows ...]

Each size runs in a process of its own, so that its peak of memory is its own.
"""

import json
import os
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans

from newfound import Newfound, metrics

HERE = Path(__file__).parent
SIZES = (62_500, 125_000, 250_000, 500_000, 1_000_000)
CLASSES, FEATURES, SEEDED = 150, 256, 60
AT_ONCE = 50_000


def embeddings(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows around as many directions as there are classes, their classes, and seeds for some of these."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CLASSES, FEATURES)).astype(np.float32)
    truth = rng.integers(0, CLASSES, n)
    X = np.empty((n, FEATURES), np.float32)
    for first in range(0, n, AT_ONCE):
        some = truth[first : first + AT_ONCE]
        X[first : first + len(some)] = centres[some] + 1.2 * rng.normal(size=(len(some), FEATURES))
    return X, truth, np.where((truth < SEEDED) & (rng.random(n) < 0.02), truth, -1)


def peak() -> float:
    """Bytes resident at most, so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


def measure(n: int) -> dict[str, float]:
    """One fit of ours and one of k-means."""
    X, truth, y = embeddings(n)
    Newfound().fit(X[:1000], y[:1000])  # compiles
    before, began = peak(), time.perf_counter()
    found = Newfound(n_jobs=os.cpu_count()).fit(X, y)
    seconds, most = time.perf_counter() - began, peak()
    began = time.perf_counter()
    KMeans(len(found.classes_), n_init=1, random_state=0).fit(X)
    return {
        "rows": n,
        "seconds": seconds,
        "kmeans": time.perf_counter() - began,
        "peak": most,
        "above_rows": most - before,
        "matrix": float(X.nbytes),
        "accuracy": metrics.accuracy(truth, found.labels_),
        "classes": len(found.classes_),
    }


def main(sizes: list[int]) -> None:
    runs = [
        json.loads(subprocess.run([sys.executable, __file__, "--one", str(n)], capture_output=True, check=True).stdout)
        for n in sizes
    ]
    record = {"when": datetime.now(UTC).isoformat(), "cores": os.cpu_count(), "true_classes": CLASSES, "runs": runs}
    (HERE / "growth.json").write_text(json.dumps(record, indent=1) + "\n")
    subprocess.run([sys.executable, HERE / "page.py"], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(int(sys.argv[2]))))
    else:
        main([int(n) for n in sys.argv[1:]] or list(SIZES))
