"""Tables: the columns of a file or a frame, as what the learners take.

A ``Table`` is a frame of pandas, polars or pyarrow behind narwhals, with the name that messages call it by and the line on
which each of its rows begins in its file. ``reading`` makes tables of files, ``writing`` files of tables, ``vectors``
matrices of both.
"""

import difflib
import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from newfound.errors import DataError, GapWarning, InputError, LabelError, TwinWarning, need
from newfound.features.cells import cell, is_nested

if TYPE_CHECKING:
    import narwhals as nw

GAPS = frozenset({"", "nan", "NaN", "None", "-1"})
"""What a label says when it says that there is none."""

DOUBTFUL = frozenset({"null", "na", "n/a", "none", "<na>", "nat", "?"})
"""Labels, in lower case, that may mean the same, or may not."""

WHOLE = re.compile(r"-?\d+(\.0+)?")
"""A whole number, as text."""

FEW = 20
"""Column names that a message lists in full."""

SHORT = 40
"""Characters of a value or a name in a message."""


@dataclass(frozen=True)
class Table:
    """A frame, what to call it, the line on which each row begins, and the digest of its file (None where nobody knows)."""

    frame: "nw.DataFrame[Any]"
    name: str = "the table"
    lines: NDArray[np.int64] | None = None
    sha256: str | None = None

    def __len__(self) -> int:
        return len(self.frame)

    def at(self, row: int) -> str:
        """Where the row of this number (from 0) is, in words."""
        line = "" if self.lines is None else f" (line {self.lines[row]})"
        return f"row {row + 1} of {self.name}{line}"


def table(native: Any, name: str = "the table", lines: NDArray[np.int64] | None = None) -> Table:
    """A frame of pandas, polars or pyarrow as a table.

    >>> import pyarrow as pa
    >>> len(table(pa.table({"id": [1, 2], "text": ["one", "two"]})))
    2
    """
    nw = need("narwhals", "app")
    try:
        frame = nw.from_native(native)
    except TypeError:
        raise InputError(f"a table must be a frame of pandas, polars or pyarrow, but came as {type(native).__name__}") from None
    except nw.exceptions.DuplicateError:
        raise InputError(f"{name} has two columns of one name; rename one of them") from None
    frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    if odd := [title for title in frame.columns if not isinstance(title, str)]:
        raise InputError(
            f"columns must have names of text, but {name} has {short(odd[0])}; rename them, say by rename(columns=str)"
        )
    if not frame.columns or not len(frame):
        raise InputError(f"{name} has no {'rows' if frame.columns else 'columns'}; there is nothing to label")
    return Table(frame, name, lines)


def as_table(given: Any) -> Table:
    """A table as it is, or of a frame."""
    return given if isinstance(given, Table) else table(given)


def texts(table: Table, columns: str | Sequence[str]) -> list[str]:
    r"""The text of each row: its cells in these columns, one below the other.

    >>> import pyarrow as pa
    >>> texts(table(pa.table({"title": ["Hello", "Bye"], "body": ["world", None]})), ["title", "body"])
    ['Hello\nworld', 'Bye\n']
    """
    names = [columns] if isinstance(columns, str) else list(columns)
    if not names:
        raise InputError(f"the texts need a column; {_choice(table)}")
    found = [_cells(table, name, cell) for name in names]
    rows = ["\n".join(part or "" for part in parts) for parts in zip(*found, strict=True)]
    for row, text in enumerate(rows):
        if not text.isascii():
            _check_encodable(text, table, row)
    return rows


def _check_encodable(text: str, table: Table, row: int) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as half:
        raise InputError(
            f"{table.at(row)} holds {text[half.start]!r}, half of a character; replace it by text.encode('utf-8', 'replace')"
        ) from None


def labels(table: Table, column: str) -> list[str | None]:
    """The label of each row; None where there is none, however the file says so.

    >>> import pyarrow as pa
    >>> labels(table(pa.table({"topic": ["refund", "", " fee ", None, "NaN"]})), "topic")
    ['refund', None, 'fee', None, None]
    >>> labels(table(pa.table({"topic": [3.0, -1.0, 0.0]})), "topic")
    ['3', None, '0']
    >>> labels(table(pa.table({"topic": ["3.0", "-1.0", ""]})), "topic")
    ['3', None, None]
    """
    found = _cells(table, column, _label)
    if all(label is None or WHOLE.fullmatch(label) for label in found):  # as programs write whole numbers among gaps
        found = [label and _label(label.partition(".")[0]) for label in found]
    _warn_of_gaps(found, column)
    _warn_of_twins(found, column)
    return found


def _warn_of_gaps(labels: list[str | None], column: str) -> None:
    """Warn where a label that often stands for none is the one that most labelled rows carry."""
    often = Counter(label for label in labels if label is not None)
    for label, rows in often.most_common(1):
        if label.lower() in DOUBTFUL and 2 * rows > often.total():
            told = f"most labels of column {short(column)} are {label!r}; if that means unlabelled, leave those cells empty"
            warnings.warn(told, GapWarning, stacklevel=3)


def _warn_of_twins(labels: list[str | None], column: str) -> None:
    """Warn of two labels that differ only in case: they are two classes, which few people mean."""
    known: dict[str, str] = {}
    for label in dict.fromkeys(label for label in labels if label is not None):
        if known.setdefault(label.casefold(), label) != label:
            told = f"labels {short(known[label.casefold()])} and {short(label)} of column {short(column)} differ only in case"
            warnings.warn(f"{told}; they are two classes, so write them alike if one is meant", TwinWarning, stacklevel=3)
            return


def _label(value: Any) -> str | None:
    value = _whole(value)
    text = (cell(value) or "").strip()
    if text not in GAPS and isinstance(value, (float, np.floating, Decimal)):
        raise LabelError("but labels must be text or whole numbers; round it, or name another column")
    return None if text in GAPS else text


def _whole(value: Any) -> Any:
    """A number without decimals as int, as other columns of it may well be."""
    if not isinstance(value, (float, np.floating, Decimal)):
        return value
    try:
        return int(value) if int(value) == value else value
    except (ValueError, OverflowError):  # NaN, infinity
        return value


def ids(table: Table, column: str | None = None) -> list[str]:
    """What each row is called: its cell in this column, or else its number from 1.

    >>> import pyarrow as pa
    >>> tickets = table(pa.table({"ticket": ["007", "008"]}))
    >>> ids(tickets), ids(tickets, "ticket")
    (['1', '2'], ['007', '008'])
    """
    if column is None:
        return [str(row) for row in range(1, len(table) + 1)]
    found = _cells(table, column, lambda value: cell(_whole(value)))
    named = [name for name in found if name is not None and name.strip()]
    if len(named) < len(found):
        gap = next(row for row, name in enumerate(found) if name is None or not name.strip())
        raise InputError(f"{table.at(gap)} has no {short(column)}; give each row one, or leave the ids out to count the rows")
    if len(set(named)) < len(named):
        _refuse_twins(table, column, named)
    return named


def _refuse_twins(table: Table, column: str, names: list[str]) -> None:
    """Name the first id that occurs again, how often it does, and where."""
    often = Counter(names)
    twin = next(name for name in names if often[name] > 1)
    where = [row for row, name in enumerate(names) if name == twin]
    rows = ", ".join(str(row + 1) for row in where[:3]) + (", …" if len(where) > 3 else "")
    raise InputError(
        f"ids must differ, but {short(twin)} occurs {len(where)} times in column {short(column)} of {table.name} "
        f"(rows {rows}); name another column, or leave the ids out to count the rows"
    )


def with_columns(table: Table, columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> Table:
    """The table with these columns at its end; columns that it has by these names go.

    >>> import pyarrow as pa
    >>> more = with_columns(table(pa.table({"label": ["?"], "id": [1]})), {"label": ["fee"]})
    >>> more.frame.columns, more.frame["label"].to_list()
    (['id', 'label'], ['fee'])
    """
    nw, frame = need("narwhals", "app"), table.frame
    for name, values in columns.items():
        if len(values) != len(table):
            raise DataError(f"column {short(name)} has {len(values)} values, but {table.name} has {len(table)} rows")
    kept = frame.select(name for name in frame.columns if name not in columns)
    more = [nw.new_series(name, values, backend=frame.implementation) for name, values in columns.items()]
    if not kept.columns:
        return replace(table, frame=nw.DataFrame.from_dict(dict(columns), backend=frame.implementation))
    return replace(table, frame=kept.with_columns(*more))


def pick(table: Table, column: str) -> "nw.Series[Any]":
    """The column of this name, or the names that the user may have meant."""
    if column not in table.frame.columns:
        raise InputError(f"{table.name} has no column {short(column)}; {_choice(table, column)}")
    return table.frame[column]


def _choice(table: Table, column: str = "") -> str:
    """The columns nearest to this name, and all of them where they are few."""
    by_case = {name.strip().lower(): name for name in table.frame.columns}
    near = [by_case[name] for name in difflib.get_close_matches(column.strip().lower(), by_case)]
    guess = f"did you mean {' or '.join(map(short, near))}? " if near else ""
    names = [name if _is_bare(name) else short(name) for name in table.frame.columns]
    if len(names) <= FEW:
        return f"{guess}Its columns are {', '.join(names)}" if guess else f"its columns are {', '.join(names)}"
    return f"{guess}It has {len(names)} columns" if guess else f"its {len(names)} columns begin with {', '.join(names[:FEW])}"


def _is_bare(name: str) -> bool:
    """Whether this name needs no quotes to be told from the sentence around it."""
    return name.isprintable() and name.strip() == name != "" and len(name) <= SHORT


def _cells(table: Table, column: str, read: Callable[[Any], Any]) -> list[Any]:
    """What ``read`` makes of each cell of a column, or where it could make nothing."""
    found = []
    for row, value in enumerate(pick(table, column).to_list()):
        try:
            if is_nested(value):
                raise InputError("but text was expected; name another column")
            found.append(read(value))
        except UnicodeDecodeError:
            raise InputError(f"{table.at(row)} has bytes in column {short(column)} that are no text; save it as text") from None
        except (InputError, LabelError) as failure:
            raise type(failure)(f"{table.at(row)} has {short(value)} in column {short(column)}, {failure}") from None
    return found


def short(value: Any) -> str:
    """A value as a message shows it: at most 40 characters, and none that moves the cursor."""
    shown = repr(value)
    return shown if len(shown) <= SHORT else f"{shown[: SHORT - 2]} …"
