"""Which of the paper's claims reproduce: each verdict is worked out from the records."""

from collections.abc import Iterable
from typing import NamedTuple

from newfound import datasets
from newfound.experiments import curves, details, table1, text
from newfound.experiments.printed import COLUMNS, TABLE_1
from newfound.experiments.records import Records
from newfound.experiments.runs import DEFAULTS
from newfound.experiments.summary import Cell, mark
from newfound.experiments.table1 import COMPONENTS, NEWS, REUTERS, TITLES, Row

REAL = (NEWS, REUTERS)
"""Claims are judged on the real data only."""


class Claim(NamedTuple):
    """What the paper says, in how many of the cases it holds here, and the numbers."""

    says: str
    holds: list[bool]
    evidence: str

    @property
    def verdict(self) -> str:
        """Yes, no, or in how many cases."""
        if all(self.holds):
            return "reproduces"
        return f"in {sum(self.holds)} of {len(self.holds)} cases" if any(self.holds) else "does not"


def claims(records: Records, partitions: int) -> list[Claim]:
    """All claims, judged."""
    rows = {(row.dataset, row.component): row for row in table1.rows(records, REAL, partitions)}
    km, sharp = [rows[name, "kmeans"] for name in REAL], [rows[name, c] for c in ("naive-bayes", "vmf") for name in REAL]
    return [
        Claim(
            "Exploration with MinMax improves K-Means on the seeded classes.",
            [row.marks["minmax"] == "++" for row in km],
            _pairs(km, "semisup", "minmax"),
        ),
        Claim(
            "JS opens more classes than MinMax (K-Means).",
            [row.cells["js"].mean("classes") > row.cells["minmax"].mean("classes") for row in km],
            "; ".join(f"{_name(r)} {_n(r, 'minmax')} and {_n(r, 'js')} classes" for r in km),
        ),
        Claim(
            "JS is better than MinMax on Reuters (K-Means).", [_beats(km[1], "js", "minmax")], _pairs(km[1:], "minmax", "js")
        ),
        Claim(
            "JS is worse than no exploration on 20-Newsgroups (K-Means).",
            [km[0].marks["js"] in ("-", "--")],
            _pairs(km[:1], "semisup", "js"),
        ),
        Claim(
            "Opening classes at random at the rate of MinMax is weaker than the better of the two criteria (K-Means).",
            [max(("minmax", "js"), key=lambda c: row.cells[c].mean()) == _best(row, "minmax", "js", "random") for row in km],
            "; ".join(f"{_name(r)} MinMax {_f(r, 'minmax')}, JS {_f(r, 'js')}, Random {_f(r, 'random')}" for r in km),
        ),
        Claim(
            "Opening classes at random is weaker than MinMax itself (K-Means, 20-Newsgroups).",
            [km[0].cells["random"].mean() < km[0].cells["minmax"].mean()],
            _pairs(km[:1], "minmax", "random"),
        ),
        Claim(
            "An oracle that knows the best number of extra classes does not beat the better criterion (K-Means).",
            [max(row.cells["minmax"].mean(), row.cells["js"].mean()) >= row.cells["best-m"].mean() for row in km],
            "; ".join(f"{_name(r)} {_best_f(r)} and oracle {_f(r, 'best-m')}" for r in km),
        ),
        Claim(
            "With naive Bayes and von Mises-Fisher, MinMax opens at most a handful of classes.",
            [row.cells["minmax"].mean("classes") < row.cells["semisup"].mean("classes") + 5 for row in sharp],
            "; ".join(f"{_name(r)} {COMPONENTS[r.component]} {_n(r, 'minmax')}" for r in sharp),
        ),
        Claim(
            "With naive Bayes and von Mises-Fisher, JS opens dozens of classes on Reuters and improves F1.",
            [row.marks["js"] == "++" and row.cells["js"].mean("classes") > 30 for row in sharp if row.dataset == REUTERS],
            "; ".join(
                f"{COMPONENTS[r.component]} {_f(r, 'js')} with {_n(r, 'js')} classes" for r in sharp if r.dataset == REUTERS
            ),
        ),
        *_of_samplers(records, partitions),
        _of_seeds(records, partitions),
    ]


def _of_samplers(records: Records, partitions: int) -> list[Claim]:
    chart = curves.FIGURE_6[0]
    levels = {c.name: _cells(c, chart, records, partitions) for c in chart.curves}
    crp, explore = levels["CRP-Gibbs"], levels["Explore-CRP-Gibbs"]
    km = levels["ExploreKM (MinMax)"][0]
    best = max(cell.mean() for cell in [*crp, *explore])
    spans = [(min(n), max(n)) for n in ([cell.mean("classes") for cell in cells] for cells in (crp, explore))]
    better = [a.mean() > b.mean() for a, b in zip(explore, crp, strict=True)]
    return [
        Claim(
            "The samplers are weaker than ExploreKM at every concentration (20-Newsgroups, K-Means).",
            [km.mean() > best],
            f"best {best:.1f} against {km.mean():.1f}",
        ),
        Claim(
            "The number of classes of the samplers hangs on the concentration, which must be tuned.",
            [high > 2 * low for low, high in spans],
            "; ".join(f"{n} {lo:.0f} to {hi:.0f}" for n, (lo, hi) in zip(("CRP", "Explore-CRP"), spans, strict=True)),
        ),
        Claim(
            "Explore-CRP is better than CRP.",
            better,
            f"best {max(c.mean() for c in explore):.1f}, {max(c.mean() for c in crp):.1f}",
        ),
    ]


def _of_seeds(records: Records, partitions: int) -> Claim:
    chart = curves.FIGURE_3[0]
    explore, plain = (_cells(curve, chart, records, partitions) for curve in chart.curves)
    gaps = [a.mean() - b.mean() for a, b in zip(explore, plain, strict=True)]
    return Claim(
        "Exploration gains most when few classes are seeded, and less as more are (20-Newsgroups, K-Means).",
        [gaps[0] > gaps[-1]],
        ", ".join(f"{gap:+.1f} with {x} seeded" for x, gap in zip(chart.xs, gaps, strict=True)),
    )


def _cells(curve: curves.Curve, chart: curves.Chart, records: Records, partitions: int) -> list[Cell]:
    return [curves.cell(chart, curve, x, records, partitions) for x in (chart.xs[:1] if curve.level else chart.xs)]


def page(records: Records, partitions: int) -> str:
    """The page of agreement in Markdown."""
    judged = [[claim.says, claim.verdict, claim.evidence] for claim in claims(records, partitions)]
    return text.page(
        "agreement",
        em=details.spell(DEFAULTS["em"]),
        gibbs=details.spell(DEFAULTS["gibbs"]),
        claims=text.table(["the paper's claim", "here", "evidence (F1 in %)"], judged, "lll"),
        otherwise=text.table(["data", "model", "column", "ours", "printed"], list(_otherwise(records, partitions)), "lllrr"),
    )


def _otherwise(records: Records, partitions: int) -> Iterable[list[str]]:
    for row in table1.rows(records, REAL, partitions):
        for column in COLUMNS[1:]:
            theirs = TABLE_1[row.dataset, row.component, column]
            ours = row.marks[column]
            if ours[:1] != theirs.mark[:1]:
                gain = row.cells[column].mean() - row.cells["semisup"].mean()
                printed = theirs.f1 - TABLE_1[row.dataset, row.component, "semisup"].f1
                yield [
                    *(datasets.title(row.dataset), COMPONENTS[row.component], TITLES[column]),
                    *(f"{gain:+.1f} {ours}".strip(), f"{printed:+.1f} {theirs.mark}".strip()),
                ]


def _beats(row: Row, ours: str, theirs: str) -> bool:
    return mark(row.cells[ours].all(), row.cells[theirs].all()) == "++"


def _best(row: Row, *columns: str) -> str:
    return max(columns, key=lambda c: row.cells[c].mean())


def _best_f(row: Row) -> str:
    best = _best(row, "minmax", "js")
    return f"{TITLES[best]} {_f(row, best)}"


def _pairs(rows: Iterable[Row], before: str, after: str) -> str:
    return "; ".join(
        f"{_name(r)} {TITLES[before]} {_f(r, before)}, {TITLES[after]} {_f(r, after)} "
        f"{mark(r.cells[after].all(), r.cells[before].all()) or '(no difference at 0.1)'}"
        for r in rows
    )


def _name(row: Row) -> str:
    return datasets.title(row.dataset)


def _f(row: Row, column: str) -> str:
    return f"{row.cells[column].mean():.1f}"


def _n(row: Row, column: str) -> str:
    return f"{row.cells[column].mean('classes'):.0f}"
