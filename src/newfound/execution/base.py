"""What the loops know of an engine."""

from typing import Any, Protocol

from numpy.typing import NDArray

from newfound.components import Component, Parameters, Statistics
from newfound.execution.tables import Needs, Opened, Table

Array = NDArray[Any]


class Engine(Protocol):
    """Holds the rows, their labels and the statistics, wherever they are.

    An iteration of EM calls ``table``, ``score``, ``resolve``, ``extend`` (or ``retract``), ``collect``, ``drop_empty`` and
    ``maximise``, in this order; an epoch of Gibbs calls ``draw`` in place of the three scans.
    """

    component: Component
    stats: Statistics
    n_features: int
    n_rows: float
    total_weight: float

    def maximise(self) -> Parameters:
        """Parameters from the statistics as they are."""
        ...

    def table(self, parameters: Parameters, needs: Needs = "likelihood") -> Table:
        """Parameters made ready for scanning. Labels are right in any case; what else ``needs`` to be right costs float64."""
        ...

    def score(self, table: Table, criterion: Any) -> float:
        """Label every row by these classes and see who fires. Returns the log-likelihood."""
        ...

    def resolve(self, table: Table, criterion: Any, room: float) -> tuple[Opened, int]:
        """The classes that rows open, in order, and the number of rows tested."""
        ...

    def extend(self, table: Table, opened: Opened) -> float:
        """Let rows join the opened classes. Returns the log-likelihood under all classes."""
        ...

    def retract(self) -> None:
        """Undo ``extend``: every row keeps its label among the classes there were."""
        ...

    def draw(self, table: Table, pick: Any, max_classes: float, stream: tuple[int, int]) -> tuple[Opened, float]:
        """Draw a class for every unlabelled row. Returns the opened classes and the evidence of the rows as drawn."""
        ...

    def start_at(self, places: Array, needs: Needs = "likelihood") -> tuple[Table, Opened]:
        """Begin with a class more for each of these rows, as if the row had opened it."""
        ...

    def place(self, labels: Array, n_classes: int) -> None:
        """Begin anew from these labels of all rows, in their order."""
        ...

    def assign(self, n_classes: int, seed: int) -> None:
        """Give every unlabelled row one of the classes at random."""
        ...

    def collect(self, n_new: int) -> None:
        """Move rows between the statistics as their labels have moved, with ``n_new`` classes more."""
        ...

    def drop_empty(self, n_kept: int) -> Array:
        """Forget classes from ``n_kept`` on that hold no rows. Returns the numbers of those that live."""
        ...

    def signature(self) -> bytes:
        """A fingerprint of the labels that the statistics hold."""
        ...

    def calibration(self, table: Table, most: int) -> Array:
        """How well up to ``most`` rows fit their classes when left out of them, in increasing order."""
        ...

    def labels(self) -> Array:
        """The labels of the last pass, in the order of the rows."""
        ...
