"""Files that are about to be written."""

from pathlib import Path

from newfound.errors import SettingError


def writable(path: Path) -> Path:
    """The path, once its folder is there and the file can be opened for writing; what is in it stays.

    >>> writable(Path(__file__) / "table1.md")
    Traceback (most recent call last):
    newfound.errors.SettingError: ...files.py/table1.md cannot be written: File exists
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("ab").close()
    except OSError as refusal:
        raise SettingError(f"{path} cannot be written: {refusal.strerror}") from refusal
    return path
