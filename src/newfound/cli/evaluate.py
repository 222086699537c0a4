"""`newfound eval`: a run beside the truth."""

from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from newfound.cli import options
from newfound.cli.streams import plain
from newfound.cli.summary import dump, many, screen
from newfound.features.reading import read
from newfound.runs import storing
from newfound.runs.evaluating import Match, Scores, evaluate

SHOWN = 20
"""Classes in the table, the largest first."""


@click.command("eval")
@options.run
@click.argument("table")
@click.option("-l", "--label", metavar="COLUMN", show_default="as in the fit", help="Column of true labels.")
@click.option("--id", "by", metavar="COLUMN", help="Score the rows of the run itself, found by their ids.")
@options.vectors
@options.encoding
@options.as_json
def score(run: Path, table: str, label: str | None, by: str | None, vectors: str | None, encoding: str, as_json: bool) -> None:
    """Score RUN on TABLE, whose rows have true labels.

    Found and true classes are matched one to one so that most rows are right. TABLE holds new rows; or, with --id, rows of the
    run, of which those that were seeds are left out.

    Example: newfound eval run/ gold.csv --label intent
    """
    made = storing.load(run)
    scores = evaluate(made, read(table, encoding), label or made.about.columns.label or "label", by, vectors)
    dump(scores) if as_json else _show(scores)


def _show(scores: Scores) -> None:
    out = screen()
    out.print(Text(f"{many(scores.rows, 'row')}: {scores.accuracy:.1%} right", style="bold"))
    for line in _lines(scores):
        out.print(Text(line))
    out.print()
    out.print(_table(scores.matches[:SHOWN]))
    if len(scores.matches) > SHOWN:
        out.print(Text(f"and {len(scores.matches) - SHOWN} more: --json has them all"))


def _lines(scores: Scores) -> list[str]:
    parts = (("seeded classes", scores.accuracy_seeded), ("new classes", scores.accuracy_new))
    told = [f"{name} {share:.1%}" for name, share in parts if share is not None]
    if scores.accuracy_answered is not None and scores.abstained:
        told.append(f"where it answered {scores.accuracy_answered:.1%} ({scores.abstained:.1%} abstained)")
    left = [f"{many(scores.left_out, 'row')} left out: no true label, or a seed, or not in the run"] if scores.left_out else []
    return [
        *left,
        ", ".join(told),
        f"{many(scores.classes, 'class')} found, {scores.true_classes:,} true",
        f"NMI {scores.nmi:.3f}, ARI {scores.ari:.3f}, purity {scores.purity:.1%}",
        f"probabilities are off by {scores.calibration_error:.1%} on average",
    ]


def _table(matches: tuple[Match, ...]) -> Table:
    out = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("id", "name", "best match"):
        out.add_column(title, max_width=40)
    for title in ("rows", "right"):
        out.add_column(title, justify="right")
    for one in matches:
        cells = (
            plain(one.id),
            plain(one.name),
            plain(one.truth) or "(none left)",
            f"{one.size:,}",
            f"{one.right / one.size:.0%}",
        )
        out.add_row(*map(Text, cells))
    return out
