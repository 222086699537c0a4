"""What a person has decided about rows and classes, as plain data; review decisions compile to these.

>>> OfClass((3, 4), "refunds"), SameClass((3, 4, 9)), DifferentClass(3, 5), NoClass("new-2")
(OfClass(rows=(3, 4), name='refunds'), SameClass(rows=(3, 4, 9)), DifferentClass(row=3, other=5), NoClass(name='new-2'))
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OfClass:
    """These rows are of the class of this name, whatever their label was; a name that nobody knows makes a new class."""

    rows: tuple[int, ...]
    name: Any


@dataclass(frozen=True)
class SameClass:
    """These rows share a class."""

    rows: tuple[int, ...]


@dataclass(frozen=True)
class DifferentClass:
    """These two rows do not share a class."""

    row: int
    other: int


@dataclass(frozen=True)
class NoClass:
    """The class of this name must not exist."""

    name: Any


Constraint = OfClass | SameClass | DifferentClass | NoClass


def groups(constraints: Iterable[Constraint]) -> list[list[int]]:
    """The rows that must share a class, groups that have a row in common joined.

    >>> groups([SameClass((1, 2)), SameClass((5, 6)), SameClass((2, 3))])
    [[1, 2, 3], [5, 6]]
    """
    joined: list[set[int]] = []
    for constraint in constraints:
        if isinstance(constraint, SameClass) and constraint.rows:
            met = [group for group in joined if group & set(constraint.rows)]
            joined = [group for group in joined if group not in met] + [set(constraint.rows).union(*met)]
    return [sorted(group) for group in sorted(joined, key=min)]
