"""Pages in Markdown: words from the files under ``pages``, tables from the records."""

from collections.abc import Sequence
from importlib.resources import files
from string import Template


def page(name: str, **parts: object) -> str:
    """The page of this name with its parts filled in; a part is text or the lines of a table."""
    words = (files("newfound.experiments") / "pages" / f"{name}.md").read_text(encoding="utf-8")
    return Template(words).substitute({key: "\n".join(p) if isinstance(p, list) else p for key, p in parts.items()})


def table(head: Sequence[str], lines: Sequence[Sequence[str]], align: str) -> list[str]:
    r"""The lines of a Markdown table; ``align`` has an l or r for each column.

    >>> print(*table(["model", "F1"], [["KM", "52.0"]], "lr"), sep="\n")
    | model | F1 |
    |---|--:|
    | KM | 52.0 |
    """
    rule = "|" + "|".join({"l": "---", "r": "--:"}[side] for side in align) + "|"
    return ["| " + " | ".join(head) + " |", rule, *("| " + " | ".join(line) + " |" for line in lines)]
