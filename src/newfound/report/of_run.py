"""The page of a run."""

from dataclasses import asdict
from datetime import datetime

import numpy as np

from newfound.report.given import ABSTAIN, PLAIN, SEED, About, Points
from newfound.report.page import page
from newfound.runs.run import Run

SETTINGS = {"alpha": "abstain", "seed": "random seed", "n_classes": "classes", "self_test": "self-test"}
"""What settings are called, where their own names would not do."""

READING = (
    "Every class is a disc, beside those that it is like. Its surest rows lie in the middle, the least sure at the rim, "
    "towards the class that comes next."
)
"""How the map of a run is laid out (``newfound.describe.layout``)."""


def of(run: Run, place: str = "run") -> str:
    """The report of a run that lies at ``place``."""
    return page(run.account, _points(run), _about(run, place))


def _points(run: Run) -> Points:
    """The rows that have a place on the map."""
    rows = run.labels.filter(run.labels["x"].is_valid())
    number = {one.id: j for j, one in enumerate(run.account.classes)}
    column = {name: rows[name].to_numpy(zero_copy_only=False) for name in ("x", "y", "probability")}
    seeds, abstained = rows["seed"].is_valid().to_numpy(), np.array(rows["status"].to_pylist()) == "abstain"
    which = np.array([number[name] for name in rows["label"].to_pylist()], dtype=int)
    status = np.where(seeds, SEED, np.where(abstained, ABSTAIN, PLAIN))
    return Points(column["x"], column["y"], which, column["probability"], status, rows["text"].to_pylist(), READING)


def _about(run: Run, place: str) -> About:
    about = run.about
    settings = asdict(about.settings) | {"features": about.features}
    del settings["jobs"]  # the result is the same
    shown = ((SETTINGS.get(key, key), _said(value)) for key, value in settings.items() if value is not None)
    made = datetime.fromisoformat(about.made)
    return About(
        about.input,
        f"{made.day} {made:%B %Y}",
        settings=tuple(shown),
        version=about.versions["newfound"],
        digest=about.sha256 or "",
        labels=f"{place}/labels.parquet",
        command=f"newfound classes {place}",
    )


def _said(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
