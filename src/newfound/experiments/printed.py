"""What the paper printed: Table 1, and the run times in its text."""

from typing import NamedTuple


class Printed(NamedTuple):
    """A cell of Table 1: F1 on the seeded classes in %, mean number of classes, and the mark of significance."""

    f1: float
    classes: int
    mark: str = ""


COLUMNS = ("semisup", "minmax", "js", "random", "best-m")

_ROWS = {
    ("delicious-sports", "kmeans"): ((60.9, 5), (89.5, 30, "++"), (90.6, 46, "++"), (84.8, 55, "++"), (69.4, 10, "++")),
    ("delicious-sports", "naive-bayes"): ((46.3, 5), (45.4, 6), (88.4, 51, "++"), (67.8, 38, "++"), (65.8, 10, "++")),
    ("delicious-sports", "vmf"): ((64.3, 5), (72.8, 6, "+"), (63.0, 6), (66.7, 6), (78.2, 9, "++")),
    ("20-newsgroups", "kmeans"): ((44.9, 6), (57.4, 22, "++"), (39.4, 99, "--"), (53.0, 22, "++"), (49.8, 11, "++")),
    ("20-newsgroups", "naive-bayes"): ((34.0, 6), (34.6, 7), (34.0, 6), (34.0, 6), (35.0, 7)),
    ("20-newsgroups", "vmf"): ((18.2, 6), (9.5, 9, "--"), (19.8, 6), (18.2, 6), (20.3, 10, "++")),
    ("reuters-21578", "kmeans"): ((8.9, 10), (12.0, 16, "+"), (27.4, 100, "++"), (13.7, 19, "++"), (16.3, 14, "++")),
    ("reuters-21578", "naive-bayes"): ((6.4, 10), (10.4, 10), (18.5, 77, "++"), (10.6, 10), (16.1, 15)),
    ("reuters-21578", "vmf"): ((10.5, 10), (20.7, 11, "++"), (30.4, 62, "++"), (10.5, 10), (20.6, 16, "+")),
}

TABLE_1 = {
    (*row, column): Printed(*cell)  # type: ignore[arg-type]
    for row, cells in _ROWS.items()
    for column, cell in zip(COLUMNS, cells, strict=True)
}
"""By data set, component and column."""

SECONDS = {"20-newsgroups": (95, 195), "reuters-21578": (7, 28)}
"""Of SemisupKM and ExploreKM, in MATLAB."""
