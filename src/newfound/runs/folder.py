"""Folders that are there whole or not at all: written beside their place, then moved to it in one step."""

import hashlib
import os
import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from newfound.errors import OutputError

MARK, OLD = ".newfound-", "old"
"""In the names of folders under way, after that of their place; then machine and process, and whether it is what was there."""

MINE = "run.json"
OURS = frozenset({MINE, "classes.json", "labels.parquet", "model", "report.html"})
"""What tells a run, and all that newfound writes into one."""


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
    try:
        _sweep(place)
        _check(place, force)
        place.parent.mkdir(parents=True, exist_ok=True)
        begun = f".{place.name}{MARK}{_machine()}-{os.getpid()}-"
        folder = Path(tempfile.mkdtemp(prefix=begun, dir=place.parent))
    except OutputError:
        raise
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
    if place.is_symlink() or not place.is_dir():
        raise OutputError(f"{place} is not a run, so --force does not replace it; choose another folder with -o")
    names = {path.name for path in place.iterdir()}
    if names and MINE not in names:
        raise OutputError(f"{place} is not a run, so --force does not replace it; choose another folder with -o")
    if others := sorted(names - OURS):
        raise OutputError(
            f"{place} holds {others[0]!r}, which newfound did not write; move it, or choose another folder with -o"
        )


def _sweep(place: Path) -> None:
    """Clean up after fits of this place that were killed on this machine; a run that one was about to replace comes back."""
    begun = re.compile(re.escape(f".{place.name}{MARK}{_machine()}-") + r"(\d+)-(\w+)")
    for path in sorted(place.parent.glob(f".{place.name}{MARK}*")):
        if (process := begun.fullmatch(path.name)) and not _alive(int(process[1])):
            if process[2].endswith(OLD) and not place.exists():
                path.rename(place)
            else:
                shutil.rmtree(path, ignore_errors=True)


def _machine() -> str:
    """What tells this machine from others that may share the disk, whose processes nobody here knows."""
    return re.sub(r"\W", "_", socket.gethostname())


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
    if not place.exists():
        folder.rename(place)
        return
    old = folder.with_name(folder.name + OLD)
    place.rename(old)
    try:
        folder.rename(place)
    except BaseException:
        old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _about(failure: OSError, folder: Path) -> bool:
    """Whether it is about writing here: a full disk says so without a name."""
    return failure.filename is None or str(failure.filename).startswith(str(folder.parent))


def digest(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
