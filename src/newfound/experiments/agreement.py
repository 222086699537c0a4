"""Which of the paper's claims reproduce: each verdict in the table is worked out from the records."""

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
    """All claims, judged; better and weaker are so at 0.1 in the paired test."""
    rows = {(row.dataset, row.component): row for row in table1.rows(records, REAL, partitions)}
    km, sharp = [rows[name, "kmeans"] for name in REAL], [rows[name, c] for c in ("naive-bayes", "vmf") for name in REAL]
    return [
        Claim(
            "Exploration with MinMax improves K-Means on the seeded classes.",
            [_better(row, "minmax", "semisup") for row in km],
            _pairs(km, "semisup", "minmax"),
        ),
        Claim(
            "JS opens more classes than MinMax (K-Means).",
            [row.cells["js"].mean("classes") > row.cells["minmax"].mean("classes") for row in km],
            "; ".join(f"{_name(r)} {_n(r, 'minmax')} and {_n(r, 'js')} classes" for r in km),
        ),
        Claim(
            "JS is better than MinMax on Reuters (K-Means).",
            [_better(km[1], "js", "minmax")],
            _pairs(km[1:], "minmax", "js"),
        ),
        Claim(
            "JS is worse than no exploration on 20-Newsgroups (K-Means).",
            [_better(km[0], "semisup", "js")],
            _pairs(km[:1], "semisup", "js"),
        ),
        Claim(
            "Opening classes at random at the rate of MinMax is weaker than the better of the two criteria (K-Means).",
            [_better(row, _best(row), "random") for row in km],
            "; ".join(_pairs([row], _best(row), "random") for row in km),
        ),
        Claim(
            "Opening classes at random is weaker than MinMax itself (K-Means, 20-Newsgroups).",
            [_better(km[0], "minmax", "random")],
            _pairs(km[:1], "minmax", "random"),
        ),
        _of_chance(records, partitions),
        Claim(
            "The better criterion beats an oracle that knows the best number of extra classes (K-Means).",
            [_better(row, _best(row), "best-m") for row in km],
            "; ".join(_pairs([row], _best(row), "best-m") for row in km),
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
        *(_of_picks(component, records, partitions) for component in COMPONENTS),
        _of_seeds(records, partitions),
    ]


def _of_chance(records: Records, partitions: int) -> Claim:
    sweep = {v.name: v for v in details.SWEEPS["chance"]}
    js, chance = sweep["KM, JS, where it fires"], sweep["KM, JS, anywhere at its rate"]
    cells = {name: (js.cell(name, records, partitions), chance.cell(name, records, partitions)) for name in REAL}
    return Claim(
        "Opening classes at random at the rate of JS is weaker than JS (K-Means).",
        [_above(ours, theirs) for ours, theirs in cells.values()],
        "; ".join(_pair(datasets.title(name), "JS", ours, "Random", theirs) for name, (ours, theirs) in cells.items()),
    )


def _of_samplers(records: Records, partitions: int) -> list[Claim]:
    chart = curves.FIGURE_6[0]
    levels = {c.name: _cells(c, chart, records, partitions) for c in chart.curves}
    crp, explore = levels["CRP-Gibbs"], levels["Explore-CRP-Gibbs"]
    km = levels["ExploreKM (MinMax)"][0]
    best = max(cell.mean() for cell in [*crp, *explore])
    spans = [(min(n), max(n)) for n in ([cell.mean("classes") for cell in cells] for cells in (crp, explore))]
    where = "(20-Newsgroups, K-Means)"
    return [
        Claim(
            f"The samplers are weaker than ExploreKM at every concentration {where}.",
            [_above(km, cell) for cell in [*crp, *explore]],
            f"best {best:.1f} against {km.mean():.1f}",
        ),
        Claim(
            f"The number of classes of the samplers hangs on the concentration, which must be tuned {where}.",
            [high > 2 * low for low, high in spans],
            "; ".join(f"{n} {lo:.0f} to {hi:.0f}" for n, (lo, hi) in zip(("CRP", "Explore-CRP"), spans, strict=True)),
        ),
        Claim(
            f"Explore-CRP is better than CRP at every concentration {where}.",
            [_above(a, b) for a, b in zip(explore, crp, strict=True)],
            f"best {max(c.mean() for c in explore):.1f} against {max(c.mean() for c in crp):.1f}",
        ),
    ]


def _of_picks(component: str, records: Records, partitions: int) -> Claim:
    crp, explore = _sampled(component, "crp"), _sampled(component, "explore-crp")
    levels = " and ".join(f"{dict(v.settings)['concentration']:g}" for v in crp)
    cells = [
        (name, old.cell(name, records, partitions), new.cell(name, records, partitions))
        for name in REAL
        for old, new in zip(crp, explore, strict=True)
    ]
    return Claim(
        f"Explore-CRP is better than CRP ({COMPONENTS[component]}, concentrations {levels}, both data sets).",
        [_above(new, old) for _, old, new in cells],
        "; ".join(_pair(datasets.title(name), "CRP", old, "Explore-CRP", new) for name, old, new in cells),
    )


def _sampled(component: str, pick: str) -> list[details.Variant]:
    return [v for v in details.SWEEPS["gibbs"] if v.component == component and dict(v.settings)["pick"] == pick]


def _of_seeds(records: Records, partitions: int) -> Claim:
    chart = curves.FIGURE_3[0]
    explore, plain = (_cells(curve, chart, records, partitions) for curve in chart.curves)
    gaps = [a.mean() - b.mean() for a, b in zip(explore, plain, strict=True)]
    return Claim(
        "Exploration gains most when few classes are seeded, and less as more are (20-Newsgroups, K-Means).",
        [gaps == sorted(gaps, reverse=True)],
        ", ".join(f"{gap:+.1f} with {x} seeded" for x, gap in zip(chart.xs, gaps, strict=True)),
    )


def _cells(curve: curves.Curve, chart: curves.Chart, records: Records, partitions: int) -> list[Cell]:
    return [curves.cell(chart, curve, x, records, partitions) for x in (chart.xs[:1] if curve.level else chart.xs)]


def page(records: Records, partitions: int) -> str:
    """The page of agreement in Markdown."""
    crp = {name: max(v.cell(name, records, partitions).mean() for v in _sampled("vmf", "crp")) for name in REAL}
    judged = [[claim.says, claim.verdict, claim.evidence] for claim in claims(records, partitions)]
    return text.page(
        "agreement",
        em=details.spell(DEFAULTS["em"]),
        gibbs=details.spell(DEFAULTS["gibbs"]),
        crp=" and ".join(f"{f1:.1f} on {datasets.title(name)}" for name, f1 in crp.items()),
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


def _above(ours: Cell, theirs: Cell) -> bool:
    return mark(ours.all(), theirs.all())[:1] == "+"


def _better(row: Row, ours: str, theirs: str) -> bool:
    return _above(row.cells[ours], row.cells[theirs])


def _best(row: Row) -> str:
    return max(("minmax", "js"), key=lambda c: row.cells[c].mean())


def _pairs(rows: Iterable[Row], before: str, after: str) -> str:
    return "; ".join(_pair(_name(r), TITLES[before], r.cells[before], TITLES[after], r.cells[after]) for r in rows)


def _pair(where: str, before: str, old: Cell, after: str, new: Cell) -> str:
    sign = mark(new.all(), old.all()) or "(no difference at 0.1)"
    return f"{where} {before} {old.mean():.1f}, {after} {new.mean():.1f} {sign}"


def _name(row: Row) -> str:
    return datasets.title(row.dataset)


def _f(row: Row, column: str) -> str:
    return f"{row.cells[column].mean():.1f}"


def _n(row: Row, column: str) -> str:
    return f"{row.cells[column].mean('classes'):.0f}"
