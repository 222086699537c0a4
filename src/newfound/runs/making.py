"""From a table to a run, step by step."""

import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.data import UNLABELLED
from newfound.describe.account import Account, Confusion, Count, Hidden, Origin, SelfTest
from newfound.describe.history import history
from newfound.describe.layout import layout
from newfound.describe.names import Namer
from newfound.describe.seen import SHOWN, Seen
from newfound.describe.telling import Found, tell
from newfound.errors import InputError, need
from newfound.estimators import Newfound
from newfound.estimators.base import Answers
from newfound.features.tables import Table, as_table, ids, labels, texts
from newfound.features.text import Features
from newfound.records import Step
from newfound.runs.run import About, Columns, Run, Settings, rows

Array = NDArray[Any]

DRAWN = 20_000
"""Rows on the map."""

DEFAULT = Settings()
"""Nothing needs to be set."""

Tell = Callable[[str, Step | None], Any]
"""Hears which stage has begun, and of every round of learning."""


@dataclass
class _Clock:
    """Says which stage has begun, and keeps how long each took."""

    hear: Tell
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.hear(name, None)
        began = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - began, 2)


def make(
    table: Any,
    columns: Columns,
    settings: Settings = DEFAULT,
    hear: Tell = lambda stage, step: None,
    namer: Namer | None = None,
    sha256: str | None = None,
) -> Run:
    """Fit a table: its rows become features, are labelled, and their classes named and explained.

    The table may be a frame of pandas, polars or pyarrow. ``namer`` may name the new classes, from what tells them apart.

    >>> import pyarrow as pa
    >>> texts = ["refund me", "my refund", "cannot log in", "login fails", "parcel late", "late parcel"] * 3
    >>> topics = ["refund", "refund", "login", "login", None, None] + [None] * 12
    >>> run = make(pa.table({"text": texts, "topic": topics}), Columns("text", "topic"))
    >>> [(one.id, one.size) for one in run.account.classes]
    [('login', 6), ('refund', 6), ('new-1', 6)]
    """
    clock, table = _Clock(hear), as_table(table)
    with clock.stage("features"):
        shown, names, given = _read(table, columns)
        features = None if columns.vectors else Features.fit(shown, settings.features)
        X = rows(table, columns, features, fetch=True)
    with clock.stage("classes"):
        model = Newfound(
            settings.n_classes, n_jobs=settings.jobs, random_state=settings.seed,
            on_iteration=lambda step: hear("classes", step),
        ).fit(X, np.array(given, dtype=object))  # fmt: skip
        seen = _seen(model, X, names, shown, given, settings.alpha)
    with clock.stage("self-test"):
        test = _self_test(model) if settings.self_test else None
    with clock.stage("names"):
        found = _found(model, seen, test)
        account = tell(seen, found, namer)
    with clock.stage("map"):
        at = _map(seen, found.directions)
    about = _about(table, columns, settings, features, clock.seconds, sha256)
    return Run(model, features, account, _labels(seen, account, at), about)


def _read(table: Table, columns: Columns) -> tuple[list[str], list[str], list[str | None]]:
    """Texts to be shown, ids and labels of the rows."""
    if not (columns.text or columns.vectors):
        raise InputError(f"say with --text which column of {table.name} holds the text, or with --vectors where vectors are")
    shown = texts(table, columns.text) if columns.text else [""] * len(table)
    given: list[str | None] = labels(table, columns.label) if columns.label else [None] * len(table)
    return shown, ids(table, columns.id), given


def _seen(model: Newfound, X: Any, names: list[str], shown: list[str], given: list[str | None], alpha: float) -> Seen:
    """The rows with what the model says of them; seeds are what the user says."""
    number = {name: j for j, name in enumerate(map(str, model.classes_.tolist()))}
    seeds = np.array([UNLABELLED if label is None else number[label] for label in given])
    answers = _held(_judged(model, model.answer(X, alpha), alpha), seeds)
    return Seen(names, shown, seeds, *answers, len(model.classes_), int((~model.is_new_).sum()))


def _judged(model: Newfound, answers: Answers, alpha: float) -> Answers:
    """The same with the status of rows that the model was made of: to itself each of them looks at home.

    Where all rows were left out once, what they fitted then says who abstains; where that was too many, the worst ones do.
    """
    filled, seen_new = np.isfinite(answers.fit), model.left_out_
    if not np.isfinite(seen_new[filled]).all():
        seen_new = answers.fit
    ordered = np.sort(seen_new[filled])
    unfit = ~filled  # rows that fit alike are treated alike, so a share of alpha at most
    unfit[filled] = seen_new[filled] < ordered[int(alpha * len(ordered))]
    status = np.where(unfit, "abstain", np.where(model.is_new_[answers.label], "new", "known"))
    return answers._replace(status=status)


def _held(answers: Answers, seeds: Array) -> Answers:
    """The same, but that seeds are certain."""
    sure, moved = seeds >= 0, (seeds >= 0) & (seeds != answers.label)
    return Answers(
        np.where(sure, seeds, answers.label),
        np.where(sure, 1.0, answers.probability),
        np.where(moved, answers.label, answers.other),
        np.where(sure, 0.0, answers.other_probability),
        np.where(sure, "known", answers.status),
        answers.fit,
    )


def _found(model: Newfound, seen: Seen, test: SelfTest | None) -> Found:
    """What the model knows of its classes."""
    classes, explored = [str(name) for name in model.classes_.tolist()], model._explored
    number, sums = model.number_, model.statistics_.sums.astype(float)
    first, (low, high) = seen.n_seeded, model.n_classes_range_
    origins = {
        first + i: Origin(one.level, one.parts, None if one.nearest is None else str(one.nearest), round(one.stability, 4))
        for i, one in enumerate(model.trail_)
    }
    sample = explored.sample
    return Found(
        classes,
        sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-300),
        Count(number.chosen, int(low), int(high), number.how),
        origins,
        history(explored.plain.path, seen.label[sample], seen.n_classes, seen.seeds[sample]),
        Confusion(tuple(classes[:first]), tuple(map(tuple, model.confusion_.tolist()))) if model.confusion_.any() else None,
        test,
    )


def _self_test(model: Newfound) -> SelfTest | None:
    test = model.self_test_
    if test is None:
        return None
    hidden = (Hidden(str(one.name), one.seeds, round(one.found, 4), round(one.purity, 4)) for one in test.classes)
    return SelfTest(round(test.found, 4), round(test.purity, 4), round(test.count_error, 4), tuple(hidden))


def _map(seen: Seen, directions: Array) -> Array:
    """Where rows are drawn: all of them, or as many of each class as its size asks for; NaN for the others."""
    order = np.argsort(seen.label, kind="stable")
    drawn = order[np.unique(np.linspace(0, len(order) - 1, min(DRAWN, len(order))).round().astype(int))]
    at = np.full((len(seen), 2), np.nan)
    at[drawn] = layout(directions, seen.label[drawn], seen.other[drawn], seen.probability[drawn])
    return at


def _labels(seen: Seen, account: Account, at: Array) -> Any:
    """All rows as a table."""
    pa = need("pyarrow", "app")
    classes, names = [one.id for one in account.classes], [one.name for one in account.classes]
    beginnings = (" ".join(text[: 4 * SHOWN].split())[:SHOWN] for text in seen.texts)
    return pa.table(
        {
            "row": pa.array(np.arange(len(seen))),
            "id": pa.array(list(seen.ids)),
            "text": pa.array(beginnings, pa.string()),
            "seed": _chosen(classes, seen.seeds),
            "label": _chosen(classes, seen.label),
            "name": _chosen(names, seen.label),
            "probability": pa.array(seen.probability.astype(np.float32)),
            "second": _chosen(classes, seen.other),
            "second_probability": pa.array(seen.other_probability.astype(np.float32)),
            "status": pa.array(seen.status.tolist(), pa.string()),
            "fit": pa.array(seen.fit.astype(np.float32)),
            "x": pa.array(at[:, 0].astype(np.float32), from_pandas=True),
            "y": pa.array(at[:, 1].astype(np.float32), from_pandas=True),
        }
    )


def _chosen(names: list[str], which: Array) -> Any:
    """The names of these numbers, null for -1, each name stored once."""
    pa = need("pyarrow", "app")
    return pa.DictionaryArray.from_arrays(pa.array(which.astype(np.int32), mask=which < 0), pa.array(names, pa.string()))


def _about(
    table: Table, columns: Columns, settings: Settings, features: Features | None, seconds: dict[str, float], sha256: str | None
) -> About:
    packages = ("newfound", "numpy", "scipy", "scikit-learn", "numba")
    return About(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        input=table.name,
        sha256=sha256,
        columns=columns,
        settings=settings,
        features=features.kind if features else "vectors",
        why=features.why if features else "as given",
        seconds=seconds,
        versions={"python": platform.python_version()} | {name: version(name) for name in packages},
    )
