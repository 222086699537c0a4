"""Reuters-21578 in Deng Cai's single-label version: counts, and classes that its file numbers and does not name.

The names are data of ours, the same wherever the counts come from: partitions draw classes in the order of their
names, so with other names they would be other partitions.
"""

from pathlib import Path

import numpy as np
from scipy import sparse

from newfound.datasets.base import DataSet

_NAMES = """
earn acq crude trade money-fx interest ship sugar coffee gold money-supply gnp cpi cocoa alum grain copper jobs reserves
rubber iron-steel ipi nat-gas veg-oil tin cotton bop wpi pet-chem livestock gas orange retail strategic-metal housing zinc
lumber fuel carcass heat lei oilseed lead meal-feed yen topic-46 topic-47 income topic-49 silver topic-51 topic-52 topic-53
jet topic-55 groundnut topic-57 topic-58 topic-59 topic-60 topic-61 topic-62 topic-63 topic-64 topic-65
"""

NAMES = _NAMES.split()
"""Of classes 1 to 65: the one topic of the corpus with as many training and test documents; "topic-N" where several have."""


def read(path: Path) -> DataSet:
    """Read ``counts.npz`` and, beside it, the numbers of the classes and which rows are for testing."""
    numbers = np.load(path.with_name("labels.npy"), allow_pickle=False)
    split = np.full(len(numbers), "train")
    split[np.load(path.with_name("test_idx.npy"), allow_pickle=False)] = "test"
    return DataSet("", "", np.array(NAMES)[numbers - 1], sparse.load_npz(path).tocsr(), None, None, split)
