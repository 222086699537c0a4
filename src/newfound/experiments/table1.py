"""Table 1 of the paper: three models on three data sets, with and without exploration."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from newfound import datasets
from newfound.errors import SettingError
from newfound.experiments import text
from newfound.experiments.printed import COLUMNS, SECONDS, TABLE_1, Printed
from newfound.experiments.records import Records
from newfound.experiments.runs import Run
from newfound.experiments.summary import Cell, mark

NEWS, REUTERS, DELICIOUS, STAND_IN = "20-newsgroups", "reuters-21578", "delicious-sports", "delicious-sports-stand-in"

SEEDED = {NEWS: 6, REUTERS: 10, DELICIOUS: 5, STAND_IN: 5}
"""Seeded classes of each data set; 5 % of the rows of each are seeds."""

SHARE = 0.05
EXTRA = (0, 1, 2, 5, 10, 20, 40)
COMPONENTS = {"kmeans": "KM", "naive-bayes": "NB", "vmf": "vMF"}
TITLES = {"semisup": "SemisupEM", "minmax": "MinMax", "js": "JS", "random": "Random", "best-m": "best m (oracle)"}

_CRITERIA = {"semisup": None, "minmax": "minmax", "js": "js", "random": "random"}

NOTES = {
    DELICIOUS: "Delicious_Sports can no longer be found; whoever has it can run its rows.",
    STAND_IN: "The stand-in has the shape of Delicious_Sports (282 x 721, 26 classes) and nothing else of it, so its rows are\n"
    "not to be compared with the printed ones.",
}
"""What is said of the one where it is missing, and of the other where it is shown."""


class Row(NamedTuple):
    """One model on one data set: a cell for each column, and its mark against SemisupEM."""

    dataset: str
    component: str
    cells: dict[str, Cell]
    marks: dict[str, str]


def present(names: Iterable[str] = SEEDED, download: bool = False) -> list[str]:
    """Those data sets that are on this machine; only Delicious_Sports, which nobody has, may be missing."""
    asked = list(dict.fromkeys(names))
    for name in asked:
        if name not in SEEDED:
            raise SettingError(f"Table 1 has no data set {name!r}; choose from {', '.join(SEEDED)}")
    here = [name for name in asked if name != DELICIOUS or datasets.here(name)]
    for name in here:
        datasets.load(name, download)
    return here


def runs(names: Iterable[str], partitions: int) -> list[Run]:
    """Every fit that the table needs."""
    return [
        run
        for name in names
        for component in COMPONENTS
        for settings in [*({"criterion": c} for c in _CRITERIA.values()), *map(_extra, EXTRA[1:])]
        for run in _over(name, component, settings, partitions)
    ]


def rows(records: Records, names: Iterable[str], partitions: int) -> list[Row]:
    """The table, from records."""
    return [_row(records, name, component, partitions) for name in names for component in COMPONENTS]


def _row(records: Records, name: str, component: str, partitions: int) -> Row:
    def cell(settings: dict[str, Any]) -> Cell:
        return Cell([records[run] for run in _over(name, component, settings, partitions)])

    cells = {column: cell({"criterion": criterion}) for column, criterion in _CRITERIA.items()}
    by_m = [cell(_extra(m)).records for m in EXTRA]
    cells["best-m"] = Cell([max(same, key=lambda r: r.scores["f1"]) for same in zip(*by_m, strict=True)])
    baseline = cells["semisup"].all()
    return Row(name, component, cells, {column: mark(cells[column].all(), baseline) for column in COLUMNS[1:]})


def _extra(m: int) -> dict[str, Any]:
    return {"criterion": None, "extra_classes": m} if m else {"criterion": None}


def _over(name: str, component: str, settings: dict[str, Any], partitions: int) -> list[Run]:
    return [Run(name, "em", component, Run.set(**settings), SEEDED[name], SHARE, partition=seed) for seed in range(partitions)]


def page(made: list[Row], partitions: int, asked: Iterable[str] = SEEDED) -> str:
    """The table in Markdown, ours over the printed, and beside it what the paper does not show.

    A data set that was asked for and has no rows is not available.
    """
    shown = {row.dataset for row in made}
    absent = [name for name in asked if name not in shown]
    lines = [line for row in made for line in _lines(row)]
    lines += [[datasets.title(name), "", "not available", *[""] * len(COLUMNS)] for name in absent]
    notes = [note for name, note in NOTES.items() if name in (absent if name == DELICIOUS else shown)]
    more = {"f1_unlabelled": "F1, unlabelled rows", "accuracy": "accuracy", "nmi": "NMI", "ari": "ARI"}
    beside = [
        [datasets.title(row.dataset), COMPONENTS[row.component], TITLES[column], *map(row.cells[column].text, more)]
        for row in made
        for column in COLUMNS
    ]
    return text.page(
        "table1",
        partitions=partitions,
        table=text.table(["data", "model", "", *(TITLES[c] for c in COLUMNS)], lines, "lll" + "r" * len(COLUMNS)),
        notes="".join(f"{note}\n\n" for note in notes),
        beside=text.table(["data", "model", "", *more.values()], beside, "lll" + "r" * len(more)),
        speed=text.table(["data", "ours", "printed"], [_speed(row) for row in made if row.component == "kmeans"], "lrr"),
    )


def _lines(row: Row) -> list[list[str]]:
    ours = [f"{row.cells[c].text(sign=row.marks.get(c, ''))} ({row.cells[c].mean('classes'):.0f})" for c in COLUMNS]
    lines = [[datasets.title(row.dataset), COMPONENTS[row.component], "ours", *ours]]
    if (row.dataset, row.component, "semisup") in TABLE_1:
        theirs = [_spell(TABLE_1[row.dataset, row.component, c]) for c in COLUMNS]
        lines.append(["", "", "printed", *theirs])
    return lines


def _spell(cell: Printed) -> str:
    return f"{cell.f1:.1f}{cell.mark and ' ' + cell.mark} ({cell.classes})"


def _speed(row: Row) -> list[str]:
    ratio = row.cells["minmax"].seconds() / row.cells["semisup"].seconds()
    slow = SECONDS.get(row.dataset)
    return [datasets.title(row.dataset), f"{ratio:.1f}", f"{slow[1]} / {slow[0]} = {slow[1] / slow[0]:.1f}" if slow else ""]
