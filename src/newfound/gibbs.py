"""The Gibbs samplers that the paper compares with: seeded CRP, and its exploratory variant.

One epoch: parameters from the seeds and the labels of the epoch before, fixed but for classes opened on the
way; then every unlabelled row, in order, draws a class. One number per (seed, epoch, row) decides.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.components import Component, Parameters
from newfound.criteria import Block
from newfound.errors import SettingError
from newfound.execution import Engine
from newfound.kernels.scan import divergence
from newfound.records import Fit, Opening, Step, Stop, living, openings

Array = NDArray[Any]


@dataclass(frozen=True)
class CRP:
    """The Chinese restaurant process: class j in proportion to its rows and to P(x | C_j), a new one to P_new.

    Weights: (1 - P_new) (rows_j / n) P(x | C_j) for a class, P_new P(x | nothing known) for a new one.
    """

    component: Component
    p_new: float

    def parameters(self, engine: Engine) -> Parameters:
        """Class shares as priors, so that a score is the weight of a class in the draw."""
        summary, share = engine.stats.summary(), (1 - self.p_new) / engine.total_weight
        weighed = self.component.weigh(summary, share * summary.rows, self.component.share(summary))
        return replace(weighed, fresh=share)

    def draw(self, block: Block, mass: Array, n_features: int, coins: Array, may_open: Array) -> tuple[Array, Array, Array]:
        """Who opens a class, which class each row draws, and the evidence of the draw."""
        unknown = self.component.background(mass, n_features, self.p_new)
        joint, top = _joint(block, np.where(may_open, unknown, 0.0 if block.relative else -np.inf))
        total = joint.sum(axis=1)
        pick = _inverse(joint / total[:, None], coins)
        return pick == block.n_classes, pick, np.log(total) + top


@dataclass(frozen=True)
class ExploreCRP:
    """A coin with bias P_new / (k JS(u, p)) opens a class; otherwise the class is drawn from the posterior p."""

    component: Component
    p_new: float

    def parameters(self, engine: Engine) -> Parameters:
        """As in EM."""
        return engine.maximise()

    def draw(self, block: Block, mass: Array, n_features: int, coins: Array, may_open: Array) -> tuple[Array, Array, Array]:
        """Who opens a class, which class each row draws, and the evidence of the draw."""
        posteriors, js = block.posteriors, np.empty(len(block.ids))
        divergence(posteriors, js)
        with np.errstate(divide="ignore", invalid="ignore"):
            bias = (
                np.minimum(1.0, self.p_new / (block.n_classes * np.maximum(js, 0.0))) if self.p_new > 0 else np.zeros(len(js))
            )
        bias = np.where(may_open, bias, 0.0)
        heads = coins < bias
        rest = np.where(heads, 0.0, (coins - bias) / np.where(bias < 1, 1 - bias, 1.0))
        joint, top = _joint(block, None)
        return heads, _inverse(posteriors, rest), np.log(joint.sum(axis=1)) + top


PICKS: dict[str, Any] = {"crp": CRP, "explore-crp": ExploreCRP}


def pick(name: Any, component: Component, p_new: float) -> Any:
    """The sampler of this name."""
    if name not in PICKS:
        raise SettingError(f"no pick {name!r}; choose from {', '.join(sorted(PICKS))}")
    if not 0 <= p_new < 1:
        raise SettingError(f"concentration, the probability of a new class, must be at least 0 and below 1, not {p_new!r}")
    return PICKS[name](component, p_new)


def sample(
    engine: Engine,
    n_seeded: int,
    rule: Any,
    n_epochs: int,
    max_classes: float = np.inf,
    seed: int = 0,
    on_iteration: Callable[[Step], Any] | None = None,
) -> Fit:
    """Run a sampler on an engine that holds the rows; the labels are the draws of the last epoch."""
    if n_seeded:
        engine.assign(n_seeded, seed)
        engine.collect(0)
    trail: list[Opening] = []
    history: list[Step] = []
    for epoch in range(1, n_epochs + 1):
        began = time.perf_counter()
        table = engine.table(rule.parameters(engine), "posteriors")
        opened, evidence = engine.draw(table, rule, max_classes, (seed, epoch))
        trail += openings(opened, epoch)
        engine.collect(len(opened))
        kept = engine.drop_empty(n_seeded)
        trail = living(trail, kept, n_seeded)
        dropped = len(table) + len(opened) - len(kept)
        history.append(Step(epoch, len(kept), len(opened), 0, dropped, evidence, -2 * evidence, time.perf_counter() - began))
        if on_iteration is not None:
            on_iteration(history[-1])
    can_add = len(engine.stats.rows) < max_classes
    return Fit(engine.maximise(), evidence, can_add, trail, history, Stop("max_iter", can_add))


def _joint(block: Block, more: Array | None) -> tuple[Array, Array]:
    """Scores as probabilities up to a factor per row, with a column ``more`` at the end; and the logs of the factors."""
    scores = block.joint
    if more is not None:
        scores = np.column_stack([scores, more])
    if block.relative:
        return scores, np.zeros(len(scores))
    top = scores.max(axis=1)
    return np.exp(scores - top[:, None]), top


def _inverse(probabilities: Array, coins: Array) -> Array:
    """The class in whose share of [0, 1) each coin falls."""
    bounds = np.cumsum(probabilities, axis=1)
    picked = (coins[:, None] >= bounds).sum(axis=1)
    # rounding may leave the last bound a little below 1: the last class with any share takes the rest
    last = probabilities.shape[1] - 1 - np.argmax(probabilities[:, ::-1] > 0, axis=1)
    return np.asarray(np.minimum(picked, last))
