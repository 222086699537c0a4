"""The details that the paper leaves open, each with the sweep that shows what it does."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from newfound import datasets
from newfound.experiments import text
from newfound.experiments.records import Records
from newfound.experiments.runs import DEFAULTS, Run, Settings
from newfound.experiments.summary import Cell, mark
from newfound.experiments.table1 import COMPONENTS, NEWS, REUTERS, SEEDED, SHARE

DATA = (NEWS, REUTERS)
CRITERIA = {None: "SemisupEM", "minmax": "MinMax", "js": "JS"}


class Variant(NamedTuple):
    """One line of a sweep: what is set otherwise, and whether it is what all other experiments use."""

    name: str
    component: str
    settings: Settings
    usual: bool = False
    learner: str = "em"

    def runs(self, dataset: str, partitions: int) -> list[Run]:
        """The fits of this line on one data set."""
        return [
            Run(dataset, self.learner, self.component, self.settings, SEEDED[dataset], SHARE, partition=seed)
            for seed in range(partitions)
        ]

    def cell(self, dataset: str, records: Records, partitions: int) -> Cell:
        """What came of them."""
        return Cell([records[run] for run in self.runs(dataset, partitions)])


def _vary(setting: str, values: Iterable[Any], usual: Any, components: Iterable[str], criteria: Iterable[Any]) -> list[Variant]:
    """Every value of a setting, for these models and criteria; the usual value is left to the defaults."""
    return [
        Variant(
            f"{COMPONENTS[component]}, {CRITERIA[criterion]}, {setting.rpartition('__')[2]} {value}",
            component,
            Run.set(**{"criterion": criterion, **({} if value == usual else {setting: value})}),
            value == usual,
        )
        for component in components
        for criterion in criteria
        for value in values
    ]


def _chance(like: str) -> list[Variant]:
    """A criterion, and openings by chance at the rate at which it fired on the same rows; K-Means."""
    head = f"{COMPONENTS['kmeans']}, {CRITERIA[like]}"
    chance = {"criterion": "random", **({} if like == "minmax" else {"criterion__like": like})}
    return [
        Variant(f"{head}, where it fires", "kmeans", Run.set(criterion=like), usual=True),
        Variant(f"{head}, anywhere at its rate", "kmeans", Run.set(**chance)),
    ]


ALL = tuple(COMPONENTS)

SWEEPS = {
    "selection": [
        *_vary("selection", (None, "aicc", "aicc-undiluted", "aic", "bic"), None, ("kmeans",), ("minmax", "js")),
        *_vary("selection", (None, "aicc", "bic"), None, ("naive-bayes", "vmf"), ("js",)),
    ],
    "chance": [*_chance("minmax"), *_chance("js")],
    "smoothing": [
        *_vary("component__smoothing", (1e-6, 1e-5, 1e-4, 1e-3, 1e-2), 1e-4, ("kmeans",), CRITERIA),
        *_vary("component__alpha", (1e-3, 1e-2, 1e-1, 1.0), 1e-2, ("naive-bayes",), CRITERIA),
    ],
    "prior": [
        *_vary("component__prior", ("uniform", "empirical"), "uniform", ("kmeans",), CRITERIA),
        *_vary("component__prior", ("empirical", "uniform"), "empirical", ("naive-bayes", "vmf"), (None, "js")),
    ],
    "logarithm": _vary("criterion", ("js", "js-bits"), "js", ALL, ("js",)),
    "concentration": _vary("component__concentration", ("shared", "per-class"), "shared", ("vmf",), CRITERIA),
    "order": _vary("order", ("random", "given"), "random", ("kmeans",), ("minmax", "js")),
    "cap": _vary("max_classes", (50, 100, 200, None), 100, ("kmeans",), ("minmax", "js")),
    "gibbs": [
        Variant(
            f"{COMPONENTS[component]}, {pick}, concentration {concentration:g}",
            component,
            Run.set(pick=pick, concentration=concentration),
            learner="gibbs",
        )
        for component in ALL
        for pick in ("crp", "explore-crp")
        for concentration in (1e-8, 1e-4)
    ],
}
"""For each detail the lines that show it; ``pages/details.md`` has the words."""


def runs(partitions: int) -> list[Run]:
    """Every fit that the sweeps need."""
    return [run for sweep in SWEEPS.values() for v in sweep for dataset in DATA for run in v.runs(dataset, partitions)]


def page(records: Records, partitions: int) -> str:
    """All sweeps in Markdown."""
    tables: dict[str, object] = {name: _table(sweep, records, partitions) for name, sweep in SWEEPS.items()}
    return text.page("details", partitions=partitions, settings=spell(DEFAULTS["em"]), **tables)


def spell(settings: dict[str, Any]) -> str:
    """Settings as one would write them in a call.

    >>> spell({"tol": 0, "order": "random"})
    "`tol=0`, `order='random'`"
    """
    return ", ".join(f"`{name}={value!r}`" for name, value in settings.items())


def _table(sweep: list[Variant], records: Records, partitions: int) -> list[str]:
    refusals = any("selection" in dict(variant.settings) for variant in sweep)
    head = ["setting"]
    for dataset in DATA:
        head += [f"{datasets.title(dataset)}: F1", "classes", *(["fits with a refusal"] if refusals else [])]
    lines = [_line(variant, _usual(variant, sweep), records, partitions, refusals) for variant in sweep]
    return text.table(head, lines, "l" + "r" * (len(head) - 1))


def _line(variant: Variant, usual: Variant, records: Records, partitions: int, refusals: bool) -> list[str]:
    line = [f"**{variant.name}**" if variant.usual else variant.name]
    for dataset in DATA:
        cell, base = (v.cell(dataset, records, partitions) for v in (variant, usual))
        line += [cell.text(sign=mark(cell.all(), base.all())), f"{cell.mean('classes'):.0f}"]
        line += [f"{cell.refused()} of {partitions}"] if refusals else []
    return line


def _usual(variant: Variant, sweep: list[Variant]) -> Variant:
    """The line with the usual value for the same model and criterion; itself if there is none."""
    head = variant.name.split(", ")[:2]
    return next((v for v in sweep if v.usual and v.name.split(", ")[:2] == head), variant)
