"""What is to be said about a fit, as plain data: ready for a page, a table on a terminal, or a file.

Classes go by their ids, which never change meaning: the user's label, or "new-1", "new-2", ... A name is only what people read.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A word or phrase: the share of a class's rows that hold it, and the share of those that it is compared with."""

    text: str
    here: float
    elsewhere: float


@dataclass(frozen=True)
class Example:
    """A row (counted from 0), its id, the beginning of its text, how probable its class is, and the class that comes next."""

    row: int
    id: str
    text: str
    probability: float
    other: str | None
    other_probability: float


@dataclass(frozen=True)
class Neighbour:
    """The class that is most like another: what stands ``here``, in the other, and rarely there; and the reverse."""

    id: str
    cosine: float
    here: tuple[Term, ...]
    there: tuple[Term, ...]


@dataclass(frozen=True)
class Origin:
    """How a new class came to be: itself since ``level`` classes were left, of ``parts`` of the finest ones.

    ``nearest`` is the class that it would be merged with next, ``stability`` the overlap with its like in a second exploration
    that saw no labels.
    """

    level: int
    parts: int
    nearest: str | None
    stability: float


@dataclass(frozen=True)
class ClassAccount:
    """A class: what it is (terms, typical rows), where it ends (borderline rows, nearest class), why it is there (why, origin).

    ``size`` counts all its rows, ``seeds`` those that the user labelled, ``abstained`` those that fit it badly.
    ``why`` is one or two plain sentences.
    """

    id: str
    name: str
    new: bool
    size: int
    seeds: int
    abstained: int
    why: str
    terms: tuple[Term, ...]
    typical: tuple[Example, ...]
    borderline: tuple[Example, ...]
    nearest: Neighbour | None
    origin: Origin | None


@dataclass(frozen=True)
class Uncertain:
    """A row that a person should look at: its two likeliest classes, and its status (known, new, abstain)."""

    row: int
    id: str
    text: str
    label: str
    probability: float
    other: str
    other_probability: float
    status: str


@dataclass(frozen=True)
class History:
    """How the classes came to be while ``levels`` of ever fewer clusters were made, without a look at the labels.

    For each class and level: ``likeness``, the overlap (Jaccard) with the cluster most like it, and ``parts``, how many of its
    rows lay in each of the clusters that held them, largest first. For each level: ``agreement`` of the clusters with the
    user's labels (adjusted Rand index). All of it counts the rows of a sample.
    """

    levels: tuple[int, ...]
    likeness: tuple[tuple[float, ...], ...]
    parts: tuple[tuple[tuple[int, ...], ...], ...]
    agreement: tuple[float, ...]


@dataclass(frozen=True)
class Confusion:
    """Where seeds went while their labels were hidden, a third at a time: ``counts[i][j]`` of class i went to class j.

    The columns are the seeded classes, in the order of the rows, and last all new ones together.
    """

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Hidden:
    """A seeded class that the self-test hid: the share of its seeds that one new class held, and their share there."""

    id: str
    seeds: int
    found: float
    purity: float

    @property
    def back(self) -> bool:
        """Whether it came back as a class of its own: at least half of it, and no more of others."""
        return min(self.found, self.purity) >= 0.5


@dataclass(frozen=True)
class SelfTest:
    """What is found again of seeded classes while a third of them is hidden: on average, and class by class."""

    found: float
    purity: float
    count_error: float
    classes: tuple[Hidden, ...]


@dataclass(frozen=True)
class Count:
    """How many classes were chosen, an interval, and how that was read: "seeds", "stability" or "told".

    The interval holds the true number nine times in ten if it was read off seeds; else, it says how many would be as stable.
    """

    chosen: int
    low: int
    high: int
    how: str


@dataclass(frozen=True)
class Account:
    """A fit in words and figures. Seeded classes come first, as the fit has them; ``empty`` counts rows without content."""

    rows: int
    seeds: int
    empty: int
    abstained: int
    count: Count
    classes: tuple[ClassAccount, ...]
    uncertain: tuple[Uncertain, ...]
    history: History | None
    confusion: Confusion | None
    self_test: SelfTest | None
