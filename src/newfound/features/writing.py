"""Tables -> files: csv, tsv, jsonl and parquet, by the suffix.

A file is written beside its place and moved there when it is whole: a full disk, a wrong cell or a kill leaves what was
there before. What is written reads back as the same cells.
"""

import csv
import errno
import io
import os
import sys
import uuid
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from newfound.errors import NewfoundError, OutputError, need
from newfound.features import cells
from newfound.features.reading import AT_ONCE, kind_of
from newfound.features.tables import Table, short

DELIMITER = {"csv": ",", "tsv": "\t"}


def write(table: Table, to: str | Path | IO[bytes], force: bool = False) -> None:
    """Write a table to a file, or as csv to "-" (the standard output) or a stream of bytes.

    >>> import pyarrow as pa
    >>> from newfound.features.tables import table
    >>> stream = io.BytesIO()
    >>> write(table(pa.table({"id": ["007", "008"], "body": ["a card", "a, b"]})), stream)
    >>> print(stream.getvalue().decode(), end="")
    id,body
    007,a card
    008,"a, b"
    """
    if isinstance(to, (str, Path)) and str(to) != "-":
        check_free(to, force)
        replace(Path(to), lambda stream: _put(table, stream, *kind_of(to)))
        return
    stream, name = (_stdout(), "the standard output") if isinstance(to, (str, Path)) else (to, "the stream")
    try:
        _put(table, stream, "csv", False)
        stream.flush()
    except BrokenPipeError:
        raise  # whoever read has read enough
    except OSError as failure:
        raise OutputError(f"{name} cannot be written: {failure.strerror or failure}") from failure


def _stdout() -> IO[bytes]:
    if sys.stdout is None:
        raise OutputError("the standard output is closed; name a file")
    return sys.stdout.buffer


def check_free(path: str | Path, force: bool = False) -> None:
    """Refuse, before any work, a path that ``write`` would refuse after it."""
    kind_of(path)
    check_place(Path(path), force)


def check_place(path: Path, force: bool = False) -> None:
    """Refuse, before any work, a path at which ``replace`` could put no file, or where one is that has to stay."""
    try:
        there, folder, parent = path.exists(), path.is_dir(), path.parent.is_dir()
    except OSError as failure:
        raise _refusal(path, failure) from failure
    if folder:
        raise OutputError(f"{path} is a folder; name a file in it")
    if there and not path.is_file():
        raise OutputError(f"{path} is a device or a pipe; name a file")
    if there and not force:
        raise OutputError(f"{path} exists already; name another file, or pass --force to replace it")
    if not parent:
        raise OutputError(f"there is no folder {path.parent} to write {path.name} in; make it first")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise _refusal(path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


def _refusal(path: Path, failure: OSError) -> OutputError:
    return OutputError(f"{path} cannot be written: {failure.strerror or failure}; nothing was changed")


def replace(path: Path, fill: Callable[[IO[bytes]], None]) -> None:
    """Fill a file beside this one and move it here when it is whole."""
    part = path.parent / f".newfound-{uuid.uuid4().hex[:12]}.part"
    try:
        with open(part, "xb") as stream:
            fill(stream)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except NewfoundError:
        raise
    except OSError as failure:
        raise _refusal(path, failure) from failure
    finally:
        with suppress(OSError):
            part.unlink()


def _put(table: Table, stream: IO[bytes], kind: str, packed: bool) -> None:
    pa = need("pyarrow", "app")
    try:
        frame = pa.table({name: cells.column(table.frame[name]) for name in table.frame.columns})
        if kind == "parquet":
            need("pyarrow.parquet", "app").write_table(frame, stream)
            return
        chunks = _jsonl(frame) if kind == "jsonl" else _csv(frame, DELIMITER[kind])
        for chunk in _gzip(chunks) if packed else (chunk.encode() for chunk in chunks):
            stream.write(chunk)
    except UnicodeError as failure:
        raise OutputError(
            f"{table.name} holds bytes that are no text, or half of a character ({failure}); leave it out"
        ) from None
    except pa.ArrowException as failure:
        raise OutputError(f"{table.name} does not fit into {kind} ({failure}); write csv instead") from failure


def _gzip(chunks: Iterator[str]) -> Iterator[bytes]:
    """The same text packed, equal bytes for equal text."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)  # 31 asks for the header of gzip, without name and time
    for chunk in chunks:
        yield packer.compress(chunk.encode())
    yield packer.flush()


def _rows(frame: Any, plain: Callable[[Any], bool], show: Callable[[Any], Any]) -> Iterator[Iterator[tuple[Any, ...]]]:
    """The rows, some thousands at a time; columns of types that are not ``plain`` go through ``show``."""
    for first in range(0, frame.num_rows, AT_ONCE):
        part = frame.slice(first, AT_ONCE)
        columns = [column.to_pylist() for column in part.columns]
        shown = [
            values if plain(column.type) else [show(value) for value in values]
            for values, column in zip(columns, part.columns, strict=True)
        ]
        yield zip(*shown, strict=True)


def _csv(frame: Any, delimiter: str) -> Iterator[str]:
    types = need("pyarrow", "app").types
    yield _lines([tuple(frame.column_names)], delimiter, csv.QUOTE_MINIMAL if _is_safe(frame.column_names) else csv.QUOTE_ALL)
    for rows in _rows(frame, lambda kind: types.is_string(kind) or types.is_large_string(kind), cells.cell):
        held = list(rows)
        text = _lines(held, delimiter, csv.QUOTE_MINIMAL)
        # the csv module leaves a lone carriage return without quotes when lines end with a newline alone
        yield _lines(held, delimiter, csv.QUOTE_ALL) if "\r" in text else text


def _is_safe(header: list[str]) -> bool:
    """Whether these names need no quotes to be read as csv with this number of columns."""
    return all(name.strip() and not set(name) & set(";|\t,{\r\ufeff") for name in header)


def _lines(rows: list[tuple[Any, ...]], delimiter: str, quoting: Any) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator="\n").writerows(rows)
    text = out.getvalue()
    if "\0" in text:
        cell = next(cell for row in rows for cell in row if cell and "\0" in cell)
        raise OutputError(f"the cell {short(cell)} holds a NUL character, which text files cannot; write parquet instead")
    return text


def _jsonl(frame: Any) -> Iterator[str]:
    types = need("pyarrow", "app").types
    names = frame.column_names
    for rows in _rows(frame, lambda kind: not types.is_temporal(kind), cells.cell):
        yield "".join(cells.to_json(dict(zip(names, row, strict=True))) + "\n" for row in rows)
