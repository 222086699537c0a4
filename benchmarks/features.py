"""What texts should become: accuracy of `Newfound` on counts, embeddings and both; writes benchmarks/features.json.

python benchmarks/features.py
"""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from newfound import Newfound, metrics
from newfound.datasets import load, partition, title
from newfound.features.text import KINDS, Features

HERE = Path(__file__).parent
SETS = ("banking77", "ag-news", "20-newsgroups-raw")
PARTITIONS = 3
os.environ.setdefault("NEWFOUND_DATA", str(HERE.parents[1] / "shared" / "data"))


def measure(name: str) -> dict:
    """A quarter of the classes seeded by a tenth of their rows: the share of the other rows that is right."""
    data = load(name)
    runs = {}
    for kind in KINDS:
        X, scores = Features.fit(data.texts, kind).rows(data.texts), []
        for number in range(PARTITIONS):
            part = partition(data.labels, seeded=0.25, share=0.1, seed=number)
            found = Newfound(n_jobs=os.cpu_count()).fit(X, part.y)
            scores.append(metrics.accuracy(data.labels[part.unlabelled], found.labels_[part.unlabelled]))
        runs[kind] = scores
    words = float(np.median([len(text.split()) for text in data.texts]))
    return {"data": title(name), "words": words, "auto": Features.fit(data.texts).kind, "accuracy": runs}


def main() -> None:
    """Measure all sets, keep the record, write the pages."""
    record = {"when": datetime.now(UTC).isoformat(), "partitions": PARTITIONS, "runs": [measure(name) for name in SETS]}
    (HERE / "features.json").write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
