"""The records of the paper's experiments."""

from newfound.experiments.runs import Record, Run, perform
from newfound.experiments.sweep import Sweep


class Records(Sweep[Record]):
    """Fits of the paper's learners.

    >>> import tempfile
    >>> run = Run("delicious-sports-stand-in", seeded=5, share=0.05, settings=Run.set(criterion=None))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = Records(folder).complete("trial", [run], n_jobs=1)
    ...     again = Records(folder).complete("trial", [run], n_jobs=1)
    >>> first, again                                     # how many runs had to be made
    (1, 0)
    """

    @staticmethod
    def read(line: str) -> Record:
        """The record of a line."""
        return Record.of(line)

    @staticmethod
    def perform(run: Run) -> Record:
        """Fit and score."""
        return perform(run)
