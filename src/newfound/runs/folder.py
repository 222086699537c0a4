"""Folders that are there whole or not at all: written beside their place, then moved to it in one step."""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from newfound.errors import OutputError

MARK = ".newfound-"
"""In the name of a folder under way: then its place, and the process that writes it."""


@contextmanager
def whole(place: Path, force: bool = False) -> Iterator[Path]:
    """A folder to write to, which becomes ``place`` when all went well and leaves nothing when not.

    >>> place = Path(tempfile.mkdtemp()) / "run"
    >>> with whole(place) as folder:
    ...     _ = (folder / "file").write_text("all of it")
    ...     place.exists()
    False
    >>> [path.name for path in place.parent.iterdir()], (place / "file").read_text()
    (['run'], 'all of it')
    """
    place = Path(os.path.abspath(place))
    _check(place, force)
    _sweep(place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{place.name}{MARK}{os.getpid()}-", dir=place.parent))
    except OSError as failure:
        raise OutputError(f"cannot write to {place.parent}: {failure.strerror}; choose another folder with -o") from None
    try:
        yield folder
        _finish(folder)
        _move(folder, place, force)
    except OSError as failure:
        if isinstance(failure, OutputError) or not _about(failure, folder):
            raise
        raise OutputError(f"cannot write {place}: {failure.strerror}; nothing was left there") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check(place: Path, force: bool) -> None:
    if not place.name:
        raise OutputError(f"{place} cannot be a run: give the name of a folder that does not exist yet")
    if not (place.exists() or place.is_symlink()):
        return
    if not force:
        raise OutputError(f"{place} exists already; choose another folder with -o, or replace it with --force")
    empty = place.is_dir() and not any(place.iterdir())
    if place.is_symlink() or not (empty or (place / "run.json").is_file()):
        raise OutputError(f"{place} is not a run, so --force does not replace it; choose another folder with -o")


def _sweep(place: Path) -> None:
    """Remove what fits of this place left that were killed."""
    if not place.parent.is_dir():
        return
    for path in place.parent.glob(f".{place.name}{MARK}*"):
        process = re.fullmatch(re.escape(f".{place.name}{MARK}") + r"(\d+)-\w+", path.name)
        if process and not _alive(int(process[1])):
            shutil.rmtree(path, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _finish(folder: Path) -> None:
    """All bytes on the disk before the name says so; and readable as any folder is that the user makes."""
    for path in [folder, *folder.rglob("*")]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    mask = os.umask(0)
    os.umask(mask)
    folder.chmod(0o777 & ~mask)


def _move(folder: Path, place: Path, force: bool) -> None:
    _check(place, force)  # once more: it took a while
    if place.exists():
        old = folder.with_name(folder.name + "old")
        place.rename(old)
        folder.rename(place)
        shutil.rmtree(old, ignore_errors=True)
    else:
        folder.rename(place)


def _about(failure: OSError, folder: Path) -> bool:
    """Whether it is about writing here: a full disk says so without a name."""
    return failure.filename is None or str(failure.filename).startswith(str(folder.parent))


def digest(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
