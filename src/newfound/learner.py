"""ExploreEM, Algorithm 1 of the paper: the loop, once, for every model, criterion and engine.

One iteration: the rows are scored under the classes there are (the baseline); rows whose posterior is nearly
uniform open classes; selection accepts the larger model or refuses it, and then nothing opens any
more; classes left without rows are dropped; parameters are estimated from the labels.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.criteria import Random, criterion
from newfound.execution import Engine, Needs, Table
from newfound.records import Fit, Opening, Step, Stop, living, openings
from newfound.selection import Selection, accepts

Array = NDArray[Any]

log = logging.getLogger("newfound")


@dataclass(frozen=True)
class Rules:
    """What the loop is told. With ``labels_only`` the likelihood says no more than when to stop, so it may be rough."""

    criterion: Any
    selection: Selection
    max_classes: float = np.inf
    max_iter: int = 50
    tol: float = 1e-4
    seed: int = 0
    labels_only: bool = False


def explore(
    engine: Engine,
    n_seeded: int,
    rules: Rules,
    extra: Array | None = None,
    trail: Sequence[Opening] = (),
    on_iteration: Callable[[Step], Any] | None = None,
) -> Fit:
    """Run ExploreEM on an engine that holds the rows. Classes from ``n_seeded`` on may be dropped.

    ``extra`` lists places of rows that each start a class; ``trail`` tells of the classes of earlier batches.
    """
    fit = Fit(engine.maximise(), trail=list(trail))
    table = engine.table(fit.parameters, _needs(rules))
    if extra is not None and len(extra):
        table, classes = engine.start_at(extra, _needs(rules))
        fit.parameters, fit.trail = table.parameters, fit.trail + openings(classes, 0)
    fit.log_likelihood = engine.score(table, _criterion(rules, fit, 1))
    seen: set[tuple[bytes, int]] = set()
    for iteration in range(1, rules.max_iter + 1):
        began, n_before = time.perf_counter(), len(table)
        opened, refused = _expectation(engine, table, rules, fit, iteration)
        dropped = _maximisation(engine, opened, fit, n_before, n_seeded)
        table = engine.table(fit.parameters, _needs(rules))
        fit.log_likelihood = engine.score(table, _criterion(rules, fit, iteration + 1))
        step = Step(
            iteration, len(table), opened, refused, dropped, fit.log_likelihood,
            _score(engine, rules, len(table), fit.log_likelihood), time.perf_counter() - began,
        )  # fmt: skip
        fit.history.append(step)
        log.info("iteration %d: %d classes, log-likelihood %.6g", iteration, len(table), fit.log_likelihood)
        if on_iteration is not None:
            on_iteration(step)
        state = (engine.signature(), len(table))
        if rules.tol > 0 and len(table) == n_before and _settled(fit.history, rules.tol):
            return _stopped(fit, "converged")
        if rules.tol > 0 and state in seen:
            return _stopped(fit, "cycle")
        seen.add(state)
    return _stopped(fit, "max_iter")


def _settled(history: Sequence[Step], tol: float) -> bool:
    """Whether the log-likelihood is that of the iteration before, but for a share ``tol``."""
    if len(history) < 2:
        return False
    last, now = history[-2].log_likelihood, history[-1].log_likelihood
    return abs(now - last) <= tol * abs(last)


def _expectation(engine: Engine, table: Table, rules: Rules, fit: Fit, iteration: int) -> tuple[int, int]:
    """Open classes and keep them if selection says so. Returns how many were kept and refused."""
    rule = _criterion(rules, fit, iteration)
    if rule is None:
        return 0, 0
    classes, tests = engine.resolve(table, rule, rules.max_classes - len(table))
    opened = len(classes)
    fit.tests, fit.fired = fit.tests + tests, fit.fired + opened - (len(table) == 0 and opened > 0)
    if not opened:
        return 0, 0
    before = _score(engine, rules, len(table), fit.log_likelihood)
    after = _score(engine, rules, len(table) + opened, engine.extend(table, classes))
    if not accepts(rules.selection, before, after, len(table) == 0):
        fit.can_add = False
        engine.retract()
        return 0, opened
    fit.trail += openings(classes, iteration, before, after)
    return opened, 0


def _maximisation(engine: Engine, opened: int, fit: Fit, n_before: int, n_seeded: int) -> int:
    """Statistics from the labels, without the classes that hold no rows; then parameters. Returns how many were dropped."""
    engine.collect(opened)
    kept = engine.drop_empty(n_seeded)
    fit.trail = living(fit.trail, kept, n_seeded)
    fit.parameters = engine.maximise()
    return n_before + opened - len(kept)


def _criterion(rules: Rules, fit: Fit, iteration: int) -> Any:
    """The criterion of this iteration, or None when nothing can open any more."""
    if not fit.can_add or len(fit.parameters) >= rules.max_classes:
        return None
    return rules.criterion.at(rules.seed, iteration) if isinstance(rules.criterion, Random) else rules.criterion


def _score(engine: Engine, rules: Rules, n_classes: int, log_likelihood: float) -> float:
    v = engine.component.n_parameters(n_classes, engine.n_features)
    return rules.selection.score(log_likelihood, v, engine.n_rows)


def _needs(rules: Rules) -> Needs:
    """What scores are for: a criterion that reads posteriors, a selection that compares likelihoods, or labels alone."""
    if rules.criterion is not None and not hasattr(rules.criterion, "judge") and not isinstance(rules.criterion, Random):
        return "posteriors"
    return "labels" if rules.labels_only else "likelihood"


def _stopped(fit: Fit, reason: str) -> Fit:
    fit.stop = Stop(reason, fit.can_add)
    log.info("stopped: %s", reason)
    return fit


def measured(
    rules: Rules, begin: Callable[[], Engine], n_seeded: int, extra: Array | None = None, trail: Sequence[Opening] = ()
) -> Rules:
    """``Random`` without a rate takes the share of tests that fire in a fit with the criterion it is like."""
    chance = rules.criterion
    if not isinstance(chance, Random) or chance.rate is not None:
        return rules
    like = explore(begin(), n_seeded, replace(rules, criterion=criterion(chance.like)), extra, trail)
    return replace(rules, criterion=Random(like.fired / max(like.tests, 1), chance.like))
