"""The small charts as plain numbers: what stands where in a box of fixed size. Templates draw them."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from newfound.describe.account import Account, Count, Hidden, History

Array = NDArray[Any]

WIDTH = 240
"""The small charts are so wide."""

CLOSE = 26
"""Two numbers on an axis need so much room between their middles."""

ITSELF = 0.5
"""A class is itself from where its overlap with the cluster most like it stays above this."""


class Interval(NamedTuple):
    """Where an interval and the number in it stand; the ends have no label where there is no interval."""

    low: float
    chosen: float
    high: float
    ends: tuple[tuple[float, int], ...]


def interval(count: Count) -> Interval:
    """An axis that shows the interval with some room on either side.

    >>> interval(Count(70, 61, 82, "seeds"))
    Interval(low=60.0, chosen=111.4, high=180.0, ends=((60.0, 61), (180.0, 82)))
    """
    low, high = min(count.low, count.chosen), max(count.high, count.chosen)
    room = max((high - low) / 2, 0.5)
    left, right, middle = (round(WIDTH * (n - low + room) / (high - low + 2 * room), 1) for n in (low, high, count.chosen))
    return Interval(left, middle, right, ((left, low), (right, high)) if low < high else ())


class Stripe(NamedTuple):
    """A stretch of a strip, and the hue of its class; -1 for all given classes together."""

    left: float
    right: float
    hue: int


def strip(account: Account, hues: Sequence[int]) -> list[Stripe]:
    """All rows as a strip: given classes first, then each new one, the largest first.

    Classes whose stripes would be too narrow to see share one, in the hue of one of them.
    """
    scale = WIDTH / max(sum(c.size for c in account.classes), 1)
    given = scale * sum(c.size for c in account.classes if not c.new)
    stripes = [Stripe(0, round(given, 1), -1)] if given else []
    left = right = given
    for size, hue in sorted(((c.size, hue) for c, hue in zip(account.classes, hues, strict=True) if c.new), reverse=True):
        right += scale * size
        if right - left >= 1:
            stripes.append(Stripe(round(left, 1), round(right - min(0.6, (right - left) / 3), 1), hue))
            left = right
    return [*stripes, Stripe(round(left, 1), round(right, 1), max(hues))] if right - left > 0.2 else stripes


class Dot(NamedTuple):
    """A hidden class of the self-test: its place, and whether it came back."""

    x: float
    y: float
    back: bool
    hidden: Hidden


class Dots(NamedTuple):
    """All dots and their radius."""

    radius: float
    dots: list[Dot]


def dots(hidden: Sequence[Hidden]) -> Dots:
    """The hidden classes as dots in rows of one height, those that came back first; as large as fits.

    >>> chart = dots([Hidden("a", 9, 0.9, 0.9), Hidden("b", 9, 0.2, 0.9), Hidden("c", 9, 1, 1)])
    >>> chart.radius, [(dot.x, dot.y, dot.back, dot.hidden.id) for dot in chart.dots]
    (5.0, [(6.0, 22.0, True, 'c'), (22.0, 22.0, True, 'a'), (38.0, 22.0, False, 'b')])
    """
    step = next((s for s in range(16, 2, -1) if (WIDTH // s) * (44 // s) >= len(hidden)), 2)
    across = -(-len(hidden) // -(-len(hidden) // (WIDTH // step)))  # as many in each row
    ordered = sorted(hidden, key=lambda h: (not h.back, -h.found))
    first = 22 - step * (-(-len(hidden) // across) - 1) / 2
    places = [(step * (i % across) + 0.375 * step, first + step * (i // across)) for i in range(len(ordered))]
    return Dots(0.3125 * step, [Dot(x, y, h.back, h) for (x, y), h in zip(places, ordered, strict=True)])


class Bar(NamedTuple):
    """A bar of the histogram, and whether it is among the uncertain."""

    x: float
    y: float
    height: float
    uncertain: bool


def histogram(probability: Array) -> list[Bar]:
    """How certain the rows are, in steps of a twentieth.

    >>> [bar for bar in histogram(np.array([0.1, 0.99, 1, 1])) if bar.height > 1]
    [Bar(x=24.1, y=21.0, height=9.5, uncertain=True), Bar(x=229.0, y=2.0, height=28.5, uncertain=False)]
    """
    counts = np.bincount(np.clip(20 * probability + 1e-9, 0, 19).astype(int), minlength=20)
    heights = np.where(counts, np.maximum(28.5 * counts / max(counts.max(), 1), 0.9), 0)
    return [Bar(round(12.05 * i, 1), round(30.5 - h, 1), round(h, 1), i < 10) for i, h in enumerate(heights.tolist())]


class Spark(NamedTuple):
    """How like a class its best cluster was while classes merged: a line, and where the class became itself."""

    line: str
    end: float
    moment: tuple[float, float] | None


def reached(history: History, n_classes: int) -> int:
    """How many levels there are until about so many classes were left; what was merged beyond that was not kept.

    >>> reached(History((300, 100, 30, 10), (), (), ()), 33)
    3
    """
    return int(np.argmin(np.abs(np.log(np.maximum(history.levels, 1)) - np.log(max(n_classes, 1))))) + 1


def sparks(account: Account) -> list[Spark] | None:
    """A line for each class; None where there is no history, or only its end."""
    history = account.history
    until = reached(history, len(account.classes)) if history and history.levels else 0
    if history is None or until < 2:
        return None
    return [spark(line[:until], history.levels[:until]) for line in history.likeness]


def spark(likeness: Sequence[float], levels: Sequence[int]) -> Spark:
    """A line from the finest level, at the left, to the last; a likeness of 1 is at the top.

    >>> spark((0.1, 0.4, 1.0), (30, 20, 10))
    Spark(line='6,33.5 120,24.3 234,6', end=6.0, moment=None)
    """
    across = np.linspace(6, WIDTH - 6, len(levels))
    height = 36.5 - 30.5 * np.clip(np.nan_to_num(np.asarray(likeness, dtype=float)), 0, 1)
    unlike = np.flatnonzero(np.asarray(likeness, dtype=float) < ITSELF)
    at = int(unlike[-1]) + 1 if len(unlike) else 0
    moment = (round(float(across[at]), 1), round(float(height[at]), 1)) if 0 < at < len(levels) - 1 else None
    line = " ".join(f"{x:.4g},{y:.3g}" for x, y in zip(across, height, strict=True))
    return Spark(line, round(float(height[-1]), 1), moment)


class Tick(NamedTuple):
    """A number on an axis, and where."""

    at: float
    text: str


class Curve(NamedTuple):
    """The agreement with the user's labels over the number of classes, and the interval of the number chosen."""

    line: list[tuple[float, float]]
    across: list[Tick]
    up: list[Tick]
    low: float
    chosen: float
    high: float
    best: int


def curve(history: History | None, count: Count) -> Curve | None:
    """The curve in a box of 480 by 320 with its corner at (30, 10), over the logarithm of the number of classes.

    None where fewer than two levels say how well they agree.
    """
    pairs = sorted((n, a) for n, a in zip(history.levels, history.agreement, strict=False) if np.isfinite(a)) if history else []
    if len(pairs) < 2 or not any(a for _, a in pairs):
        return None
    ends = [*(n for n, _ in pairs), count.low, count.high, count.chosen]
    x, y = _scale([math.log(max(n, 1)) for n in ends], 30, 510), _scale([0, *(1.15 * a for _, a in pairs)], 330, 10)
    low, chosen, high = (x(math.log(max(n, 1))) for n in (count.low, count.chosen, count.high))
    across = [Tick(x(math.log(n)), str(n)) for n in _doublings(min(ends), max(ends))]
    free = [tick for tick in across if all(abs(tick.at - at) > CLOSE for at in (low, chosen, high))]
    up = [Tick(y(a), f"{a:.2g}".lstrip("0")) for a in _steps(1.15 * max(a for _, a in pairs))]
    best = max(pairs, key=lambda pair: pair[1])[0]
    return Curve([(x(math.log(max(n, 1))), y(a)) for n, a in pairs], free, up, low, chosen, high, best)


def _scale(values: Sequence[float], first: float, last: float) -> Callable[[float], float]:
    """What takes the least of the values to the first place and the largest to the last."""
    least, most = min(values), max(values)
    return lambda value: round(first + (last - first) * (value - least) / max(most - least, 1e-12), 1)


def _steps(top: float) -> list[float]:
    """Round numbers above 0, up to the top; a handful of them."""
    step = next(step for step in (0.2, 0.1, 0.05, 0.02, 0.01) if 2 * step <= top or step == 0.01)
    return [step * i for i in range(1, int(top / step + 1e-9) + 1) if step * i <= 1]


def _doublings(least: int, most: int) -> list[int]:
    """Those of 1, 2, 5, 10, 20, 40, 80, ... that lie between two numbers."""
    return [n for n in [1, 2, 5, *(10 * 2**i for i in range(20))] if least <= n <= most]
