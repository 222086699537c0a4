"""The rows of the map as JSON that can stand in a page: whole numbers, one list per column, nothing that ends a script."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newfound.report.given import Points
from newfound.report.words import LONGEST, cut

Array = NDArray[Any]

GRID = 2000
"""Steps of the longer side of the map: finer than a screen."""

ROOM = 8_000_000
"""Characters that all texts on the map may take together; beyond it each is cut shorter."""

SHORTEST = 80
"""But not below this."""

UNSAFE = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
"""In JSON these stand only inside strings, where their escapes mean the same."""


def safe(value: object) -> str:
    r"""JSON that cannot end the script that it stands in, nor begin a comment.

    >>> print(safe(["</script><!--"]))
    ["\u003c/script\u003e\u003c!--"]
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(UNSAFE)


class Grid:
    """Places on the map as whole numbers, in one scale for both directions, with the origin at the upper left."""

    def __init__(self, x: Array, y: Array) -> None:
        self.corner = np.array([x.min(), y.min()]) if len(x) else np.zeros(2)
        wide = np.array([np.ptp(x), np.ptp(y)]) if len(x) else np.zeros(2)
        self.scale = GRID / max(float(wide.max()), 1e-12)
        self.extent = [max(round(side * self.scale), 1) for side in wide]

    def of(self, places: Array) -> Array:
        """Whole numbers for places; 0 for those that are missing."""
        return np.rint(np.nan_to_num((places - self.corner) * self.scale)).astype(int)


def rows(points: Points, grid: Grid) -> dict[str, object]:
    """The columns of the map: x, y, class, certainty in percent, status, text.

    >>> points = Points([0, 4], [0, 1], which=[1, 0], probability=[0.999, 1], status=[0, 1], text=["a", "b"])
    >>> rows(points, Grid(points.x, points.y))
    {'x': [0, 2000], 'y': [0, 500], 'c': [1, 0], 'p': [99, 100], 's': [0, 1], 't': ['a', 'b']}
    """
    places = grid.of(np.column_stack([points.x, points.y]))
    certainty = np.clip(np.floor(100 * points.probability + 1e-9), 0, 100).astype(int)
    return {
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "c": points.which.tolist(),
        "p": certainty.tolist(),
        "s": points.status.tolist(),
        "t": texts(points.text or ()),
    }


def texts(whole: Sequence[str]) -> list[str]:
    """The beginnings of texts, shorter the more there are; nothing at all if none says anything."""
    longest = min(LONGEST, max(SHORTEST, ROOM // max(len(whole), 1)))
    beginnings = [cut(text, longest) for text in whole]
    return beginnings if any(beginnings) else []
