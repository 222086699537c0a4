"""Bytes -> lines of text, so that whatever is wrong with them has a line number."""

import io
from collections.abc import Iterator
from itertools import chain
from typing import IO

from newfound.errors import InputError, SettingError

MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
"""The byte-order marks that a file may begin with, and the encoding that each gives away."""


def lines(stream: IO[bytes], encoding: str, name: str) -> Iterator[str]:
    r"""The lines of a text with their ends; a byte-order mark overrules the encoding.

    >>> list(lines(io.BytesIO(b"one\r\ntwo\rthree"), "utf-8", "numbers.txt"))
    ['one\r\n', 'two\r', 'three']
    """
    first = stream.readline()
    for mark, found in MARKS:
        if first.startswith(mark):
            first, encoding = first[len(mark) :], found
            break
    wide = "\n".encode(encoding) != b"\n"  # UTF-16 has bytes like a newline within characters; decode it as a whole
    for number, raw in enumerate([first + stream.read()] if wide else chain([first], stream), 1):
        line = _decode(raw, encoding, name, number)
        if wide or "\r" in line[:-2]:
            yield from io.StringIO(line, newline="")
        elif line:
            yield line


def _decode(raw: bytes, encoding: str, name: str, number: int) -> str:
    try:
        line = raw.decode(encoding)
    except UnicodeDecodeError as wrong:
        number += raw[: wrong.start].decode(encoding, "ignore").count("\n")
        raise InputError(
            f"{name} is not {encoding.upper()}: byte 0x{raw[wrong.start]:02x} in line {number}; "
            "save it as UTF-8 or pass --encoding, say latin-1"
        ) from None
    except UnicodeError as wrong:  # of punycode and the like, which do not say where
        raise InputError(f"{name} is not {encoding.upper()} ({wrong}); save it as UTF-8 and leave --encoding out") from None
    if "\0" in line:
        number += line[: line.index("\0")].count("\n")
        raise InputError(
            f"line {number} of {name} holds a NUL character, which no text does; save it as UTF-8 text, "
            "or pass --encoding utf-16 if that is what it is"
        )
    return line


def check_encoding(encoding: str) -> None:
    """Refuse an encoding of a name that nobody knows."""
    try:
        "\n".encode(encoding)
    except (LookupError, ValueError):
        raise SettingError(f"no encoding is called {encoding!r}; try utf-8, latin-1, cp1252 or utf-16") from None
