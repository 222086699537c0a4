"""What a command says on its streams: text whatever they take, notes in a line, and a refusal in one sentence."""

import errno
import io
import os
import sys
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

import click

from newfound.errors import NewfoundWarning

LONG = 1200
"""Characters of a sentence; of a longer one the middle is left out, which is what somebody pasted."""

PLACES = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP})
"""How a machine says that a file or folder is out of reach."""

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
"""How a machine says that an open file takes no more."""


def plain(text: str) -> str:
    """Text without what could steer a terminal."""
    return "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text)


def say(sentence: str) -> None:
    """Say on stderr what went wrong, in one line, if anybody can hear it."""
    told = " ".join(plain(sentence).split())
    if len(told) > LONG:
        told = f"{told[: LONG * 2 // 3]} … {told[-LONG // 3 :]}"
    with suppress(OSError):
        click.echo(f"newfound: {told}", err=True)


def steady() -> None:
    """Streams that take every character and none of which is missing: a closed stdout refuses, a closed stderr is silent."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@contextmanager
def notes() -> Iterator[None]:
    """Warnings of newfound as notes, each once; those of others are not for who runs a command."""
    told = set[str]()

    def note(message: Warning | str, *where: object, **more: object) -> None:
        if str(message) not in told:
            told.add(str(message))
            say(f"note: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", NewfoundWarning)
        warnings.showwarning = note
        yield


def machine(failure: OSError) -> str | None:
    """What a machine that cannot write or reach something has to say; None where the fault may be ours."""
    if failure.filename is None and failure.errno in FULL:
        return f"the output cannot be written: {failure.strerror}"
    if failure.filename is not None and failure.errno in PLACES:
        return f"{failure.filename} is out of reach: {failure.strerror}; check its folders and your rights"
    return None


def leave(code: int) -> NoReturn:
    """End the program; what the output still holds and does not take goes nowhere, lest Python stumble over it."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
