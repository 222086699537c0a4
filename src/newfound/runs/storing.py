"""Runs as folders: written whole, read back only as they were written.

run.json        where it comes from: input, settings, versions; and the digests of the other files
classes.json    all there is to say of the classes
labels.parquet  every row: label, probability, status, place on the map
model/          what predicts (persistence.py)
report.html     the page
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from newfound import persistence
from newfound.describe.account import Account
from newfound.errors import InputError, NewfoundError, need
from newfound.persistence import check_format
from newfound.runs.checking import check_account, check_run
from newfound.runs.folder import digest, whole
from newfound.runs.run import About, Run

Kind = TypeVar("Kind")

FORMAT = 1
"""What this version writes, and the latest that it reads."""

SEALED = ("classes.json", "labels.parquet", "model/arrays.safetensors", "model/model.json")
"""Files that must stay as they were written; the report and the reviews are made anew from them."""


def save(run: Run, place: Path, report: str | None = None, force: bool = False) -> None:
    """Write a run to a folder, whole or not at all."""
    with whole(place, force) as folder:
        fill(run, folder)
        if report is not None:
            (folder / "report.html").write_text(report, encoding="utf-8")


def fill(run: Run, folder: Path) -> None:
    """Write a run into an empty folder."""
    need("pyarrow.parquet", "app").write_table(run.labels, folder / "labels.parquet", compression="zstd")
    _write(folder / "classes.json", {"newfound classes": FORMAT} | _plain(run.account))
    persistence.save(folder / "model", {"features": run.features, "learner": run.model})
    sealed = {name: digest(folder / name) for name in SEALED}
    _write(folder / "run.json", {"newfound run": FORMAT} | _plain(run.about) | {"files": sealed})


def load(place: str | Path) -> Run:
    """Read a run back, or say what is wrong with it."""
    place = Path(place)
    told = account(place)
    about = _typed(place / "run.json", _json(place / "run.json", "newfound run", "files"), About)
    model = persistence.load(place / "model")
    if not (isinstance(model, dict) and set(model) == {"features", "learner"}):
        raise InputError(f"{place / 'model'} is not the model of a run")
    run = Run(model["learner"], model["features"], told, _table(place / "labels.parquet"), about)
    _agrees(place, check_run, run)
    return run


def account(place: str | Path) -> Account:
    """Only what there is to say of a run; the other files are checked, but not read."""
    place = Path(place)
    _check(place)
    told = _typed(place / "classes.json", _json(place / "classes.json", "newfound classes"), Account)
    _agrees(place, check_account, told)
    return told


def _agrees(place: Path, check: Callable[[Kind], None], part: Kind) -> None:
    try:
        check(part)
    except NewfoundError:
        raise
    except Exception as wrong:  # whatever is wrong with it, it is the run that is wrong
        raise InputError(f"{place} is not a run as newfound writes them: {wrong}") from None


def _check(place: Path) -> None:
    """Whether this is a run, and its files are those that were written."""
    if not place.is_dir():
        raise InputError(f"there is no run at {place}; a run is the folder that newfound fit writes with -o")
    files = _read(place / "run.json", "newfound run").get("files")
    if not isinstance(files, dict) or set(files) != set(SEALED):
        raise InputError(f"{place / 'run.json'} does not list the files of a run; it was cut or changed")
    for name, expected in files.items():
        try:
            if digest(place / name) == expected:
                continue
        except OSError as failure:
            raise InputError(f"{place / name} cannot be read: {failure.strerror}; the run is not whole") from None
        raise InputError(f"{place / name} is not the file that was written: it was cut or changed; fit again, or take a copy")


def _read(path: Path, kind: str) -> dict[str, Any]:
    try:
        text = json.loads(path.read_bytes())
    except OSError as failure:
        raise InputError(f"{path} cannot be read: {failure.strerror}; a run is the folder that newfound fit writes") from None
    except ValueError:
        raise InputError(f"{path} is not JSON as newfound writes it: it was cut or changed") from None
    check_format(text, kind, FORMAT, path)
    return dict(text)


def _json(path: Path, kind: str, *beside: str) -> dict[str, Any]:
    return {key: value for key, value in _read(path, kind).items() if key not in (kind, *beside)}


def _typed(path: Path, text: dict[str, Any], kind: type[Kind]) -> Kind:
    msgspec = need("msgspec", "app")
    try:
        return cast(Kind, msgspec.convert(text, kind))
    except msgspec.ValidationError as wrong:
        raise InputError(f"{path} is not as newfound writes it: {wrong}") from None


def _table(path: Path) -> Any:
    try:
        return need("pyarrow.parquet", "app").read_table(path)
    except (OSError, ValueError) as wrong:
        raise InputError(f"{path} is not as newfound writes it: {wrong}") from None


def _plain(record: Any) -> dict[str, Any]:
    return dict(need("msgspec", "app").to_builtins(record))


def _write(path: Path, text: dict[str, Any]) -> None:
    path.write_text(json.dumps(text, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
