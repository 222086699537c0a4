r"""Lines that texts have in common: headers, signatures and footers say who wrote, not about what.

>>> mails = ["my card is lost\nno trace of it\n--\njo smith, leeds", "where is it\nplease say\n--\njo smith, leeds", "hello"]
>>> own(mails, np.array([0, 0, 1]), often=2, share=1.1)
['my card is lost\nno trace of it', 'where is it\nplease say', 'hello']
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LINES = 4
"""Lines of a text from which on some may not be its own; a short message is itself, however often it comes."""

OFTEN = 3
"""Texts that hold a line, from which on it is nobody's own."""

SHARE = 0.5
"""The share of a class that makes a common line part of what the class is about: a field of a form, say."""


def own(texts: Sequence[str], label: Array, often: int = OFTEN, share: float = SHARE) -> list[str]:
    """The texts without the lines that ``often`` texts hold, but no class holds in such a ``share`` of its texts."""
    several = [row for row, text in enumerate(texts) if text.count("\n") >= LINES - 1]
    if len(several) < often:
        return list(texts)
    held = {row: [line.strip(" \t>|:*-=_") for line in texts[row].split("\n")] for row in several}
    times = Counter(line for lines in held.values() for line in set(lines))
    common = {line for line, n in times.items() if n >= often}
    common -= _of_a_class(held, common, label, share)
    return [_without(text, held.get(row), common) for row, text in enumerate(texts)]


def _of_a_class(held: dict[int, list[str]], common: set[str], label: Array, share: float) -> set[str]:
    """Lines that stand in a good part of some class."""
    size = np.bincount(label)
    times = Counter((int(label[row]), line) for row, lines in held.items() for line in common.intersection(lines))
    return {line for (j, line), n in times.items() if n >= share * size[j]}


def _without(text: str, lines: list[str] | None, common: set[str]) -> str:
    if lines is None:
        return text
    return "\n".join(line for line, bare in zip(text.split("\n"), lines, strict=True) if bare not in common)
