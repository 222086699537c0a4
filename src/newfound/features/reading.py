"""Files -> tables: csv, tsv, jsonl and parquet, by the suffix; the first three packed by gzip as well.

Text is kept as it is written: a cell ``007`` or ``2024-01-02`` stays these characters. Rows become arrow columns a few
thousand at a time, so a table takes about the memory of its characters, not of a million dicts.
"""

import csv
import gzip
import hashlib
import io
import json
import re
import sys
import zlib
from array import array as numbers
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

import numpy as np

from newfound.errors import InputError, NewfoundError, need
from newfound.features import cells
from newfound.features.lines import check_encoding, lines
from newfound.features.tables import Table, short, table

KINDS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""What a file holds, by its suffix."""

DELIMITERS = ",;\t|"
"""What may stand between two cells; the first wins a tie."""

AT_ONCE = 8_192
"""Rows that are held as Python objects at a time."""

BLOCK = 1 << 16
"""Bytes that are read at a time."""

LONGEST = 2**30
"""Characters of a cell: beyond the 131 072 of the csv module, which a long document exceeds."""


def read(path: str | Path, encoding: str = "utf-8") -> Table:
    r"""The table in a file; "-" is the standard input, which holds jsonl where it begins with "{" and csv otherwise.

    >>> import tempfile
    >>> tickets = Path(tempfile.mkdtemp()) / "tickets.csv"
    >>> _ = tickets.write_text("id;body\n007;Where is my card?\n")
    >>> read(tickets).frame.rows()
    [('007', 'Where is my card?')]
    """
    name = "the standard input" if str(path) == "-" else Path(path).name
    kind, _ = kind_of(path) if str(path) != "-" else ("", False)
    check_encoding(encoding)
    try:
        with _open(path) as stream:
            if kind == "parquet":
                return _parquet(stream, name)
            heard = _Heard(stream)
            found = _text(_unpacked(heard, path), kind, encoding, name)
            return replace(found, sha256=heard.sha256.hexdigest())
    except NewfoundError:
        raise
    except (OSError, EOFError, zlib.error) as failure:
        raise InputError(_why(path, failure)) from failure


def kind_of(path: str | Path) -> tuple[str, bool]:
    """What a file holds, and whether gzip packs it, by its suffix.

    >>> kind_of("tickets.csv.gz")
    ('csv', True)
    """
    file = Path(path)
    packed = file.suffix.lower() == ".gz"
    kind = KINDS.get(Path(file.stem if packed else file.name).suffix.lower())
    if kind is None or (packed and kind == "parquet"):
        raise InputError(f"{file.name} has no suffix that says what it holds; use one of {', '.join(KINDS)} (or .csv.gz)")
    return kind, packed


def _open(path: str | Path) -> AbstractContextManager[IO[bytes]]:
    if str(path) != "-":
        return open(path, "rb")
    if sys.stdin is None:
        raise InputError("the standard input is closed; name a file, or send the table by a pipe")
    return nullcontext(sys.stdin.buffer)


class _Heard(io.RawIOBase):
    """A stream that is read once, as a pipe has to be, and the digest of what was read."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.sha256 = stream, hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        some = self.stream.read1(len(buffer))  # what is there: a terminal must not be asked twice whether it is done
        self.sha256.update(some)
        buffer[: len(some)] = some
        return len(some)


def _unpacked(heard: _Heard, path: str | Path) -> IO[bytes]:
    stream = io.BufferedReader(heard, BLOCK)
    return gzip.GzipFile(fileobj=stream) if str(path) != "-" and kind_of(path)[1] else stream  # type: ignore[return-value]


def _text(stream: IO[bytes], kind: str, encoding: str, name: str) -> Table:
    text = lines(stream, encoding, name)
    first = _first(text, name)
    kind = kind or ("jsonl" if first[-1].lstrip().startswith("{") else "csv")
    return _jsonl(chain(first, text), name) if kind == "jsonl" else _csv(first, text, name, "\t" * (kind == "tsv"))


def _why(path: str | Path, failure: Exception) -> str:
    """Why a file cannot be opened or unpacked, in a sentence."""
    if isinstance(failure, FileNotFoundError):
        return f"there is no file {path}; check its name and its folder"
    if isinstance(failure, IsADirectoryError):
        return f"{path} is a folder; name one file in it"
    if isinstance(failure, (gzip.BadGzipFile, EOFError, zlib.error)):
        return f"{path} is not a whole gzip file ({failure}); copy it again, or unpack it first"
    return f"{path} cannot be read: {getattr(failure, 'strerror', None) or failure}"


def _first(text: Iterator[str], name: str) -> list[str]:
    """The lines up to the first that is not blank."""
    head = []
    for line in text:
        head.append(line)
        if line.strip():
            return head
    raise InputError(f"{name} is empty; it needs a header and at least one row")


def _csv(first: list[str], text: Iterator[str], name: str, delimiter: str) -> Table:
    """Rows of cells under a header; ``first`` ends with the line on which the header begins."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
    skipped, head = len(first) - 1, first[-1:]
    while sum(line.count('"') for line in head) % 2 and len(head) < 100:  # a name of the header may have several lines
        more = next(text, None)
        if more is None:
            break
        head.append(more)
    sign = delimiter or _delimiter("".join(head))
    rows = _rows(csv.reader(chain(head, text), delimiter=sign, strict=True), skipped, name, sign)
    header = next(rows)[1]
    _check_header(header, name)
    return _collect(header, rows, name)


def _delimiter(header: str) -> str:
    """What occurs most in a header, outside its quotes.

    >>> _delimiter('id;"name, first|last"')
    ';'
    """
    return max(DELIMITERS, key=re.sub(r'"[^"]*("|$)', "", header).count)


def _rows(reader: Any, skipped: int, name: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each record and the line on which it begins, all as wide as the first; blank lines are left out."""
    width, line = 0, skipped + 1
    try:
        for row in reader:
            if len(row) == width or (row and not width):
                width = len(row)
                yield line, row
            elif row and (len(row) > 1 or row[0].strip()):
                raise InputError(
                    f"line {line} of {name} has {_count(row)}, but its header has {width}; "
                    f"put cells that hold {delimiter!r} in quotes"
                )
            line = skipped + reader.line_num + 1
    except csv.Error as failure:
        raise InputError(_broken(str(failure), name, line, skipped + reader.line_num)) from None


def _count(row: list[str]) -> str:
    return "1 field" if len(row) == 1 else f"{len(row)} fields"


def _broken(failure: str, name: str, start: int, end: int) -> str:
    """What a csv error means: ``start`` is the line on which its row begins."""
    if "unexpected end" in failure:
        return f"a quote opened in the row at line {start} of {name} is never closed; close it, or double it within a cell"
    if "expected after" in failure:
        where = f"line {start}" if start == end else f"lines {start} to {end}"
        return (
            f"the row at {where} of {name} has text after a closing quote; "
            "double the quotes within a cell, and quote it as a whole"
        )
    return f"line {start} of {name} cannot be read: {failure}"


def _check_header(header: list[str], name: str) -> None:
    twins = [title for title in dict.fromkeys(header) if header.count(title) > 1]
    if twins:
        shown = "no name" if twins[0] == "" else f"the name {short(twins[0])}"
        raise InputError(f"{header.count(twins[0])} columns of {name} have {shown}; give each column its own name")


def _collect(header: list[str], rows: Iterable[tuple[int, list[str]]], name: str) -> Table:
    """Text columns from records, a chunk of rows at a time."""
    pa = need("pyarrow", "app")
    chunks: list[list[Any]] = [[] for _ in header]
    starts, held = numbers("q"), list[list[str]]()

    def pack() -> None:
        for chunk, values in zip(chunks, zip(*held, strict=True), strict=False):
            chunk.append(pa.array(values, pa.large_string()))
        held.clear()

    for line, row in rows:
        starts.append(line)
        held.append(row)
        if len(held) == AT_ONCE:
            pack()
    pack()
    if not starts:
        raise InputError(f"{name} has a header but no rows; there is nothing to label")
    columns = [pa.chunked_array(chunk, pa.large_string()) for chunk in chunks]
    return table(pa.table(columns, names=header), name, np.frombuffer(starts, np.int64))


def _jsonl(text: Iterable[str], name: str) -> Table:
    """A row from the object on each line; keys that a line does not have are null there."""
    pa = need("pyarrow", "app")
    chunks: dict[str, list[Any]] = {}
    starts, held, done = numbers("q"), list[dict[str, Any]](), 0

    def pack() -> None:
        nonlocal done
        for key in dict.fromkeys(chain(chunks, chain.from_iterable(held))):
            column = chunks.setdefault(key, [pa.nulls(done)] if done else [])
            column.append(cells.array([row.get(key) for row in held]))
        done += len(held)
        held.clear()

    for number, line in enumerate(text, 1):
        if line.strip():
            held.append(_object(line, number, name))
            starts.append(number)
            if len(held) == AT_ONCE:
                pack()
    if held:
        pack()
    return table(pa.table({key: cells.join(column) for key, column in chunks.items()}), name, np.frombuffer(starts, np.int64))


def _object(line: str, number: int, name: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
        if "\\ud" in line.lower():  # escapes may spell half of a character, which no file can hold
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError(f"line {number} of {name} spells half of a character (\\ud8…); write the whole of it") from None
    except (ValueError, RecursionError) as failure:
        why = f"{failure.msg}, column {failure.colno}" if isinstance(failure, json.JSONDecodeError) else str(failure)
        raise InputError(f"line {number} of {name} is not JSON ({why}); write one object {{…}} to a line") from None
    if not isinstance(found, dict):
        raise InputError(f"line {number} of {name} holds {short(found)}; write one object {{…}} to a line")
    return found


def _parquet(stream: IO[bytes], name: str) -> Table:
    pa, pq = need("pyarrow", "app"), need("pyarrow.parquet", "app")
    try:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
        stream.seek(0)
        found = pq.ParquetFile(stream).read()
    except (pa.ArrowException, OSError, ValueError, KeyError) as failure:
        why = str(failure).splitlines()[0].rstrip(".")
        raise InputError(f"{name} is not a whole parquet file ({why}); write or copy it again") from failure
    return replace(table(found, name), sha256=sha256)
