"""Is the larger model worth its parameters? Scores that penalise size; lower is better.

The formulas are the literal ones. Where features far outnumber rows, n - v - 1 is negative and AICc's penalty
all but vanishes, so the likelihood alone decides; AIC and BIC refuse nearly every exploration.

A selection of your own is any object with ``score(log_likelihood, n_parameters, n_rows)``.
"""

import math
from typing import Any, Protocol, runtime_checkable

from newfound.errors import SettingError

TIE = 1e-12
"""Two scores this close, relatively, are the same but for rounding, and the same is not better."""


@runtime_checkable
class Selection(Protocol):
    """What ExploreEM asks of a selection."""

    def score(self, log_likelihood: float, n_parameters: int, n_rows: float) -> float:
        """The penalised score of a model; lower is better."""
        ...


class AIC:
    """-2 L + 2 v

    >>> AIC().score(-100.0, 3, 50)
    206.0
    """

    def score(self, log_likelihood: float, n_parameters: int, n_rows: float) -> float:
        return -2 * log_likelihood + 2 * n_parameters


class AICc:
    """AIC + 2 v (v + 1) / (n - v - 1), and infinity at the pole n = v + 1.

    >>> AICc().score(-100.0, 3, 50), AICc().score(-100.0, 3, 4)
    (206.52..., inf)
    """

    def score(self, log_likelihood: float, n_parameters: int, n_rows: float) -> float:
        room = n_rows - n_parameters - 1
        if abs(room) <= 1e-9 * n_rows:  # weights add up to n but for rounding
            return math.inf
        return -2 * log_likelihood + 2 * n_parameters + 2 * n_parameters * (n_parameters + 1) / room


class BIC:
    """-2 L + v ln n

    >>> BIC().score(-100.0, 3, 50)
    211.7...
    """

    def score(self, log_likelihood: float, n_parameters: int, n_rows: float) -> float:
        return -2 * log_likelihood + n_parameters * math.log(max(n_rows, 1e-300))


class Always:
    """No penalty, and every exploration is accepted; the score is -2 L."""

    def score(self, log_likelihood: float, n_parameters: int, n_rows: float) -> float:
        return -2 * log_likelihood


SELECTIONS: dict[str, type[Selection]] = {"aic": AIC, "aicc": AICc, "bic": BIC}


def selection(name: Any) -> Selection:
    """The selection of this name, the object itself, or ``Always`` for None."""
    if name is None:
        return Always()
    if isinstance(name, str) and name in SELECTIONS:
        return SELECTIONS[name]()
    if isinstance(name, Selection) and not isinstance(name, type):
        return name
    raise SettingError(
        f"no selection {name!r}; choose from {', '.join(sorted(SELECTIONS))}, None, or an object with "
        "'score(log_likelihood, n_parameters, n_rows)'"
    )


def accepts(rule: Selection, before: float, after: float, first: bool) -> bool:
    """Whether the exploratory score is better, beyond rounding; the first classes of all always are."""
    margin = TIE * abs(before) if math.isfinite(before) else 0.0
    return first or isinstance(rule, Always) or after < before - margin
