"""The page on quality: make the trials that are missing, then write it from the records."""

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median, stdev

import numpy as np

from newfound.experiments import modern, text
from newfound.experiments.cases import Case
from newfound.experiments.files import writable
from newfound.experiments.published import PUBLISHED, TEXTOIR
from newfound.experiments.quality import OURS, WITHOUT, Outcome, Outcomes, Trial
from newfound.experiments.summary import mark

Tick = Callable[[int, int], object]

TITLES = {
    "banking77-minilm": "BANKING77, MiniLM",
    "clinc150-minilm": "CLINC150, MiniLM",
    "ag-news-minilm": "AG News, MiniLM",
    "banking77-wordllama": "BANKING77, wordllama",
    "clinc150-wordllama": "CLINC150, wordllama",
    "ag-news-wordllama": "AG News, wordllama",
    "20-newsgroups": "20-Newsgroups, counts",
    "reuters-21578": "Reuters-21578, counts",
    "clinc150-oos-minilm": "CLINC150, MiniLM",
}

SHOWN = {
    "told-random": "told, random starts",
    "told-far": "told, far starts",
    "explore-em-minmax": "ExploreEM, MinMax",
    "explore-em-js": "ExploreEM, JS",
    "crp-gibbs": "CRP-Gibbs",
    "self-training": "self-training",
    "label-spreading": "label spreading",
    "hdbscan": "HDBSCAN",
    "dp-mixture": "Dirichlet-process mixture",
    "bertopic": "BERTopic",
    OURS: "**Newfound**",
}


def make(folder: str | Path, partitions: int, n_jobs: int, tick: Tick) -> Path:
    """Make what is missing in ``folder/quality``, and write ``folder/quality.md``."""
    outcomes = Outcomes(Path(folder) / "quality" / "records")
    for name, trials in modern.experiments(partitions).items():
        outcomes.complete(name, trials, n_jobs, tick)
    path = writable(Path(folder) / "quality.md")
    path.write_text(Page(outcomes, partitions).text(), encoding="utf-8")
    return path


class Page:
    """Tables over so many partitions."""

    def __init__(self, outcomes: Outcomes, partitions: int) -> None:
        self.outcomes, self.partitions = outcomes, partitions

    def runs(self, case: Case, method: str, partitions: int | None = None) -> list[Outcome]:
        """A method on the partitions of a case."""
        count = self.partitions if partitions is None else partitions
        return [self.outcomes[Trial(case, method, modern.FRESH + p)] for p in range(count)]

    def values(self, case: Case, method: str, measure: str, partitions: int | None = None) -> list[float]:
        """A measure on the partitions of a case, shares in %."""
        return [100 * run.scores[measure] for run in self.runs(case, method, partitions)]

    def told(self, case: Case, measure: str = "accuracy") -> list[float]:
        """K-means that is told the number: of its two starts the one that is better on the mean."""
        return max((self.values(case, method, measure) for method in modern.TOLD), key=mean)

    def text(self) -> str:
        """The whole page."""
        return text.page(
            "quality",
            partitions=self.partitions,
            fresh=modern.FRESH,
            accuracy=self.accuracy(modern.BALANCED),
            paper=self.paper(),
            number=self.number([*modern.BALANCED, *modern.PAPER]),
            hard=self.number([*modern.UNEQUAL, *modern.FIVE]),
            floor=floors(modern.UNEQUAL),
            peers=self.peers(),
            ablation=self.ablation(),
            held_out=self.held_out(),
            outside=self.outside(),
            cost=self.cost(),
            published=published(),
            source=TEXTOIR,
        )

    def accuracy(self, cases: Sequence[Case]) -> list[str]:
        """Ours beside k-means that is told the number of classes."""
        lines = []
        for case in cases:
            ours, told = self.values(case, OURS, "accuracy"), self.told(case)
            parts = [f"{mean(self.values(case, OURS, m)):.1f}" for m in ("accuracy_seeded", "accuracy_new", "nmi", "ari")]
            lines.append([*name(case), spread(told), f"{spread(ours)} {mark(ours, told)}".strip(), *parts])
        return text.table(["data", "known", "told the number", "Newfound", "seeded", "new", "NMI", "ARI"], lines, "lrrrrrrr")

    def paper(self) -> list[str]:
        """The paper's protocol."""
        return text.table(
            ["data", "", "F1, seeded classes", "accuracy", "classes"],
            [
                [name(case)[0], label, spread(f1), spread(accuracy), classes]
                for case in modern.PAPER
                for label, f1, accuracy, classes in (
                    ("told the number", self.told(case, "f1"), self.told(case), f"{len(np.unique(case.rows()[1]))}"),
                    ("Newfound", self.values(case, OURS, "f1"), self.values(case, OURS, "accuracy"), self._classes(case)),
                )
            ],
            "llrrr",
        )

    def _classes(self, case: Case) -> str:
        counts = [run.scores["classes"] for run in self.runs(case, OURS)]
        return f"{mean(counts):.0f} ({min(counts):.0f} to {max(counts):.0f})"

    def number(self, cases: Sequence[Case]) -> list[str]:
        """How many classes there are, and how many are found."""
        lines = []
        for case in cases:
            runs = self.runs(case, OURS)
            errors = [100 * abs(run.scores["count_error"]) for run in runs]
            width = median(run.scores["high"] / run.scores["low"] for run in runs)
            held = 100 * mean(run.scores["held"] for run in runs)
            true = len(np.unique(case.rows()[1]))
            lines.append([*name(case), f"{true}", self._classes(case), spread(errors), f"{held:.0f}", f"{width:.1f}"])
        head = ["data", "known", "classes", "found", "error, %", "interval holds, %", "high / low"]
        return text.table(head, lines, "lrrrrrr")

    def peers(self) -> list[str]:
        """All methods side by side: accuracy, and number of classes."""
        lines = []
        for method, shown in SHOWN.items():
            cells = []
            for case in modern.BESIDE:
                if method != OURS and method not in modern.peers(case):
                    cells.append("")
                    continue
                runs = self.runs(case, method, modern.count(method, self.partitions))
                found = mean(run.scores["classes"] for run in runs)
                cells.append(f"{spread([100 * run.scores['accuracy'] for run in runs])} ({found:.0f})")
            lines.append([shown, *cells])
        return text.table(["", *(", ".join(name(case)) for case in modern.BESIDE)], lines, "lrrrr")

    def ablation(self) -> list[str]:
        """What is lost without each ingredient, in points of accuracy and of F1 on the same partitions."""
        count = modern.half(self.partitions)
        lines = []
        for ingredient in WITHOUT:
            cells = [
                f"{self._loss(case, ingredient, 'accuracy', count)} / {self._loss(case, ingredient, 'f1', count)}"
                for case in modern.ABLATED
            ]
            lines.append([ingredient, *cells])
        return text.table(["without", *(", ".join(name(case)) for case in modern.ABLATED)], lines, "lrrrr")

    def _loss(self, case: Case, ingredient: str, measure: str, count: int) -> str:
        less = self.values(case, f"{OURS} without {ingredient}", measure, count)
        return f"{mean(less) - mean(self.values(case, OURS, measure, count)):+.1f}"

    def held_out(self) -> list[str]:
        """Calibration on rows that the fit did not see."""
        measures = ("ece_seeded", "accuracy_seeded", "ece_all", "abstained")
        return self._answers(
            modern.HELD_OUT, "held out", measures, ["ECE, seeded classes", "accuracy there", "ECE, all rows", "abstained"]
        )

    def outside(self) -> list[str]:
        """Queries that belong to no class."""
        measures = ("auroc", "accuracy", "accuracy_at_90", "abstained", "abstained_outside")
        head = ["AUROC", "accuracy in scope", "on the 90 % that fit best", "abstained, in scope", "abstained, out of scope"]
        return self._answers(modern.OUT_OF_SCOPE, "out of scope", measures, head)

    def _answers(self, cases: Sequence[Case], method: str, measures: Sequence[str], head: Sequence[str]) -> list[str]:
        lines = [[*name(case), *(spread(self.values(case, method, m)) for m in measures)] for case in cases]
        return text.table(["data", "known", *head], lines, "lr" + "r" * len(head))

    def cost(self) -> list[str]:
        """Seconds of a fit over those of one k-means fit with the number of classes found."""
        lines = []
        for case in [c for c in [*modern.BALANCED, *modern.PAPER] if c.seeded in (0.5, 6, 10)]:
            ratios = [run.seconds / run.scores["kmeans"] for run in self.runs(case, OURS)]
            rows = len(case.rows()[1])
            lines.append([name(case)[0], f"{rows:,}", self._classes(case).split(" ")[0], f"{median(ratios):.1f}"])
        return text.table(["data", "rows", "classes", "times one k-means fit"], lines, "lrrr")


def name(case: Case) -> tuple[str, str]:
    """A case in print: its data, and which classes are known.

    >>> name(Case("20-newsgroups", 0.25, None, 5, zipf=True))
    ('20-Newsgroups, counts, Zipf', '25 %, 5 seeds each')
    """
    known = f"{100 * case.seeded:.0f} %" if case.seeded < 1 else f"{case.seeded:.0f} classes"
    return (
        TITLES[case.dataset] + (", Zipf" if case.zipf else ""),
        known + (f", {case.per_class} seeds each" if case.per_class else ""),
    )


def spread(values: Sequence[float]) -> str:
    """Mean and standard deviation.

    >>> spread([1.0, 3.0])
    '2.0 ±1.4'
    """
    return f"{mean(values):.1f} ±{stdev(values):.1f}" if len(values) > 1 else f"{mean(values):.1f}"


def floors(cases: Sequence[Case], draws: int = 1000) -> list[str]:
    """The error of who knows which share of their rows is seeded, and reads the number of classes off the seeds alone."""
    lines = []
    for case in cases:
        _, sizes = np.unique(case.rows()[1], return_counts=True)
        lines.append([*name(case), f"{100 * floor(sizes, case, draws):.0f}"])
    return text.table(["data", "known", "error, %"], lines, "lrr")


def floor(sizes: np.ndarray, case: Case, draws: int) -> float:
    """Rows, times the share of them that is seeded, over the mean of the seeds: how far that is from the number of classes.

    >>> floor(np.full(20, 100), Case("20-newsgroups", 0.5), 10)
    0.0
    """
    rng = np.random.default_rng(0)
    share = case.share or 0.0
    known = round(case.seeded * len(sizes)) if case.seeded < 1 else int(case.seeded)
    errors = []
    for _ in range(draws):
        seeds = np.maximum(1, np.round(share * rng.permutation(sizes)[:known]))
        read = np.clip(sizes.sum() * share / seeds.mean(), known, sizes.sum())
        errors.append(abs(read / len(sizes) - 1))
    return float(np.mean(errors))


def published() -> list[str]:
    """What others have printed."""
    head = ["", "data", "25 % known", "50 %", "75 %"]
    keys = dict.fromkeys((one.method, one.year, one.dataset) for one in PUBLISHED)
    lines = [[f"{method} ({year})", TITLES[f"{d}-minilm"].split(",")[0], *_printed(method, d)] for method, year, d in keys]
    return text.table(head, lines, "llrrr")


def _printed(method: str, dataset: str) -> list[str]:
    return [f"{one.accuracy:.1f}" for one in PUBLISHED if (one.method, one.dataset) == (method, dataset)]
