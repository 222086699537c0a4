"""Once more from the last fit, under a person's decisions: who is pinned to which class, and from where to start.

Every class keeps its name. Decisions that contradict each other are refused before anything is done.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound import metrics
from newfound.condense import fitting
from newfound.condense.fitting import Explored, Result
from newfound.condense.mixture import Work
from newfound.condense.rowmap import take, unit
from newfound.constraints import Constraint, DifferentClass, NoClass, OfClass, SameClass, groups
from newfound.data import UNLABELLED, new_names, union
from newfound.errors import ConstraintError

Array = NDArray[Any]

SAME = 1 / 3
"""Classes of two fits are the same if they share this part of their rows."""


@dataclass(frozen=True)
class Decided:
    """What holds: the class name of every pinned row, the classes that must not be, the pairs that must part."""

    pinned: dict[int, Any]
    gone: frozenset[Any]
    apart: tuple[tuple[int, int], ...]


def decide(constraints: Iterable[Constraint], seeds: dict[int, Any], labels: Array) -> Decided:
    """Bring decisions together with the user's seeds (row to name); a decision about a row outweighs its label.

    ``labels`` are names from the last fit: a group that must share a class and holds no decided row takes the class that
    most of it had.

    >>> last = np.array(["a", "a", "new-1", "new-2"])
    >>> decide([SameClass((2, 3)), NoClass("new-2")], {0: "a"}, last).pinned
    {0: 'a', 2: 'new-1', 3: 'new-1'}
    """
    constraints = list(constraints)
    for constraint in constraints:
        _check(constraint, labels)
    gone = frozenset(c.name for c in constraints if isinstance(c, NoClass))
    said = _said(constraints, gone)
    pinned = {row: name for row, name in seeds.items() if name not in gone} | said
    for group in groups(constraints):
        name = _name_of(group, said, pinned, labels, gone)
        pinned.update((row, name) for row in group)
    apart = tuple((c.row, c.other) for c in constraints if isinstance(c, DifferentClass))
    for row, other in apart:
        if row == other or (row in pinned and other in pinned and pinned[row] == pinned[other]):
            raise ConstraintError(f"rows {row} and {other} must not share a class, but both are of {pinned.get(row, 'one')!r}")
    return Decided(dict(sorted(pinned.items())), gone, apart)


def _said(constraints: Sequence[Constraint], gone: frozenset[Any]) -> dict[int, Any]:
    """What is said of single rows."""
    said: dict[int, Any] = {}
    for constraint in constraints:
        if isinstance(constraint, OfClass):
            if constraint.name in gone and constraint.rows:
                raise ConstraintError(f"class {constraint.name!r} must not exist, but row {constraint.rows[0]} is of it")
            for row in constraint.rows:
                if said.setdefault(row, constraint.name) != constraint.name:
                    raise ConstraintError(f"row {row} cannot be both of {said[row]!r} and of {constraint.name!r}")
    return said


def _name_of(group: list[int], said: dict[int, Any], pinned: dict[int, Any], labels: Array, gone: frozenset[Any]) -> Any:
    """The class of rows that share one: as said of any of them, else as seeded, else what most of them had."""
    for known in (said, pinned):
        names = {known[row] for row in group if row in known}
        if len(names) > 1:
            one, other = sorted(map(str, names))[:2]
            raise ConstraintError(f"rows {group} must share a class, but some are of {one!r} and some of {other!r}")
        if names:
            return names.pop()
    had = [name for name in labels[group].tolist() if name not in gone]
    if not had:
        raise ConstraintError(f"rows {group} must share a class, but all of theirs must not exist; say which class they are of")
    return max(dict.fromkeys(had), key=had.count)


def _check(constraint: Any, labels: Array) -> None:
    """Refuse what is no decision, or speaks of rows and names that cannot be."""
    match constraint:
        case OfClass(rows, name):
            _check_name(constraint, name, labels)
        case NoClass(name):
            rows = ()
            _check_name(constraint, name, labels)
        case SameClass(rows):
            pass
        case DifferentClass(row, other):
            rows = (row, other)
        case _:
            kinds = "OfClass, SameClass, DifferentClass or NoClass"
            raise ConstraintError(f"a decision must be one of {kinds} of newfound.constraints, not {constraint!r}")
    for row in rows:
        if not 0 <= row < len(labels):
            raise ConstraintError(f"{constraint} speaks of row {row}, but the rows are numbered from 0 to {len(labels) - 1}")


def _check_name(constraint: Any, name: Any, labels: Array) -> None:
    """A class is named like the classes that there are, and never like an unlabelled row."""
    if labels.dtype.kind in "iuf":
        whole = isinstance(name, (int, float, np.number)) and not isinstance(name, (bool, np.bool_)) and name == int(name)
        if not (whole and name != UNLABELLED and abs(name) < 2**53):
            raise ConstraintError(
                f"{constraint} must name its class by a whole number other than -1, as the labels are numbers"
            )
    elif labels.dtype.kind in "UO" and not (isinstance(name, str) and name):
        raise ConstraintError(f"{constraint} must name its class by text that is not empty, as the labels are text")


@dataclass(frozen=True)
class Last:
    """The last fit: what came of it, the seeds and all pins that it had (row to name), and every name used so far."""

    result: Result
    seeds: dict[int, Any]
    pinned: dict[int, Any]
    used: Array


def refit(work: Work, X: Any, found: Explored, last: Last, seeds: dict[int, Any], decided: Decided) -> Result:
    """Fit once more. With the seeds of the last fit it goes on from there; with others, from the stored path.

    Of two rows that must part and still share a class, the one without a pin moves to the nearest class that none of its
    partners holds.
    """
    start = _go_on if seeds == last.seeds else _anew
    again = start(work, X, found, last, seeds, decided)
    for _ in range(len(decided.apart) + 1):
        name = again.classes[again.model.label]
        close = [pair for pair in decided.apart if name[pair[0]] == name[pair[1]]]
        if not close:
            break
        row, other = close[0] if close[0][0] not in decided.pinned else close[0][::-1]
        partners = {name[b if a == row else a] for a, b in decided.apart if row in (a, b)}
        free = [c for c in _nearest(work, X, again, row) if c in last.result.classes and c not in partners]
        if not free or row in decided.pinned:
            raise ConstraintError(f"rows {row} and {other} must not share a class, but no class is left for either")
        decided = replace(decided, pinned={**decided.pinned, row: free[0]})
        again = _with_steps(_go_on(work, X, found, replace(last, result=again), seeds, decided), again)
    return again.like(last.result)


def _with_steps(again: Result, before: Result) -> Result:
    """The same with the steps by which its classes came to be, if all of them were there before."""
    place = {name: j for j, name in enumerate(before.classes.tolist())}
    if not set(again.classes.tolist()) <= set(place):
        return again
    left = before.model.left[[place[name] for name in again.classes.tolist()]]
    return replace(again, steps=before.steps, model=replace(again.model, left=left))


def _codes(pinned: dict[int, Any], names: Array, n_rows: int) -> Array:
    """The pinned rows' classes as numbers."""
    number = {name: j for j, name in enumerate(names.tolist())}
    codes = np.full(n_rows, UNLABELLED, np.int32)
    codes[list(pinned)] = [number[name] for name in pinned.values()]
    return codes


def _kept(decided: Decided, seeds: dict[int, Any], last: Last) -> tuple[Array, int]:
    """The names of the classes that hold pinned rows: those the user gave, sorted, then discovered ones."""
    discovered = last.result.classes[last.result.n_seeded :].tolist()
    given = set(seeds.values())
    pinned = list(dict.fromkeys(decided.pinned.values()))
    seeded = sorted(name for name in pinned if name in given or name not in discovered)
    new = [name for name in discovered if name in pinned and name not in given]
    return _named([*seeded, *new], last.result.classes), len(seeded)


def _go_on(work: Work, X: Any, found: Explored, last: Last, seeds: dict[int, Any], decided: Decided) -> Result:
    """From the labels of the last fit, less the classes that must not be."""
    names, n_seeded = _kept(decided, seeds, last)
    known = set(names.tolist()) | decided.gone
    every = _named(
        [*names.tolist(), *(name for name in last.result.classes.tolist() if name not in known)], last.result.classes
    )
    if not len(every):
        raise ConstraintError("no class is left: none of them must exist")
    codes = _codes(decided.pinned, names, len(last.result.model.label))
    place = {name: j for j, name in enumerate(every.tolist())}
    start = np.array([place.get(name, UNLABELLED) for name in last.result.classes.tolist()])[last.result.model.label]
    start[codes >= 0] = codes[codes >= 0]
    then = last.result.model
    model = fitting.rest(
        work, then.row_map, then.row_map(X, work.pool), start, len(every), codes, len(names), then.held_out, then.left_out
    )
    return Result(model, every[model.left], n_seeded, last.result.number, [])


def _anew(work: Work, X: Any, found: Explored, last: Last, seeds: dict[int, Any], decided: Decided) -> Result:
    """From the stored path; a new class that shares its rows with one of the last fit takes its name."""
    names, n_seeded = _kept(decided, seeds, last)
    codes = _codes(decided.pinned, names, len(last.result.model.label))
    found = fitting.with_rows(work, found, np.setdiff1d(np.flatnonzero(codes >= 0), found.sample), X)
    told = last.result.number.chosen if last.result.number.how == "told" else None
    model, number, steps = fitting.learn(work, X, found, codes, n_seeded, len(names), told)
    barred = _again(model.label, len(names), len(model.parameters), last, decided.gone)
    if barred.any():
        then, kept = model, np.flatnonzero(~barred)
        number_of = np.where(barred, UNLABELLED, np.cumsum(~barred) - 1)
        if not len(kept):
            raise ConstraintError("no class is left: none of them must exist")
        model = fitting.rest(
            work,
            then.row_map,
            then.row_map(X, work.pool),
            number_of[then.label],
            len(kept),
            codes,
            len(names),
            then.held_out,
            then.left_out,
        )
        model = replace(model, left=then.left[kept[model.left]])
    new = _renamed(model.label, len(names), len(model.parameters), last, set(names.tolist()) | decided.gone)
    return Result(model, _named([*names.tolist(), *new], last.result.classes), n_seeded, number, steps)


def _overlap(label: Array, n_classes: int, last: Last) -> Array:
    """The rows that classes share with those of the last fit, over the rows that either has."""
    shared = np.zeros((n_classes, len(last.result.classes)), np.int64)
    np.add.at(shared, (label, last.result.model.label), 1)
    now, then = shared.sum(axis=1), shared.sum(axis=0)
    return np.asarray(shared / np.maximum(now[:, None] + then - shared, 1))


def _again(label: Array, first: int, n_classes: int, last: Last, gone: frozenset[Any]) -> Array:
    """Which new classes are, row by row, ones that must not exist."""
    was = np.array([name in gone for name in last.result.classes.tolist()])
    same = (_overlap(label, n_classes, last)[:, was] >= SAME).any(axis=1)
    return np.asarray(same & (np.arange(n_classes) >= first))


def _renamed(label: Array, first: int, n_classes: int, last: Last, taken: set[Any]) -> list[Any]:
    """Names for the classes from ``first`` on: that of the class of the last fit that shares most rows, or one never used."""
    free = [j for j, name in enumerate(last.result.classes.tolist()) if name not in taken and j >= last.result.n_seeded]
    overlap = _overlap(label, n_classes, last)
    overlap = np.where(overlap >= SAME, overlap, 0)[first:][:, free]
    match = metrics.matching(overlap.T) if overlap.size else np.full(n_classes - first, -1)
    kept = {j: last.result.classes[free[m]] for j, m in enumerate(match) if m >= 0 and overlap[j, m] > 0}
    fresh = iter(
        new_names(
            last.result.classes, union(last.used, _named(sorted(taken), last.result.classes)), n_classes - first - len(kept)
        )
    )
    return [kept[j] if j in kept else next(fresh) for j in range(n_classes - first)]


def _named(names: Sequence[Any], like: Array) -> Array:
    """Names as an array of the user's label type."""
    if like.dtype.kind == "O" or not names:
        return np.array(names, dtype=like.dtype)
    made = np.array(names)
    if like.dtype.kind == "U":
        return made
    narrow = made.astype(like.dtype)
    return narrow if np.array_equal(narrow, made) else made


def _nearest(work: Work, X: Any, again: Result, row: int) -> list[Any]:
    """The names of the classes, the nearest to this row first."""
    mapped = again.model.row_map(take(X, np.array([row])), work.pool)[0]
    order = np.argsort(-(unit(again.model.statistics.sums.astype(float)) @ mapped), kind="stable")
    return list(again.classes[order].tolist())
