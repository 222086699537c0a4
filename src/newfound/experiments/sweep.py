"""Records on disk: a folder of JSON lines, one file per experiment. A sweep that was killed goes on where it was."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from joblib import Parallel, delayed

from newfound.errors import MissingData, SettingError
from newfound.experiments.files import writable


class Line(Protocol):
    """What came of a run, as it stands on a line."""

    @property
    def run(self) -> Any:
        """What was asked."""

    def line(self) -> str:
        """The record as one line of JSON."""


Kind = TypeVar("Kind", bound=Line)


class Sweep(ABC, Generic[Kind]):
    """All that is known in a folder, whichever experiment it was made for. A kind of record says how it is read and made."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._known = {record.run: record for file in sorted(self.folder.glob("*.jsonl")) for record in self._lines(file)}

    @staticmethod
    @abstractmethod
    def read(line: str) -> Kind:
        """The record of a line."""

    @staticmethod
    @abstractmethod
    def perform(run: Any) -> Kind:
        """Make a run, in a process of its own."""

    def __getitem__(self, run: Any) -> Kind:
        try:
            return self._known[run]
        except KeyError:
            raise MissingData(f"{self.folder} holds no record of {run}; make it first") from None

    def __contains__(self, run: Any) -> bool:
        return run in self._known

    def complete(
        self, experiment: str, runs: Iterable[Any], n_jobs: int = -1, tick: Callable[[int, int], object] = lambda done, of: None
    ) -> int:
        """Make the runs that no record is known of, on several cores; records are written in the order asked for.

        So a record waits until those before it are done: a kill loses the fits under way, and those done that wait for
        one of them. ``tick`` hears how many of how many are written. Returns how many were made.
        """
        if n_jobs == 0:
            raise SettingError("jobs must be a number of processes, or -1 for all cores, not 0")
        missing = [run for run in dict.fromkeys(runs) if run not in self._known]
        if not missing:
            return 0
        path = writable(self.folder / f"{experiment}.jsonl")
        _mend(path)
        tick(0, len(missing))
        # one order, so that the file is the same however many cores there are
        made = Parallel(n_jobs, return_as="generator")(delayed(self.perform)(run) for run in missing)
        with path.open("a", encoding="utf-8") as out:
            for done, record in enumerate(made, 1):
                out.write(record.line() + "\n")
                out.flush()
                self._known[record.run] = record
                tick(done, len(missing))
        return len(missing)

    def _lines(self, path: Path) -> Iterable[Kind]:
        """The whole lines of a file; a kill may have left half of one at its end."""
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        for number, line in enumerate(lines, 1):
            try:
                yield self.read(line)
            except (ValueError, TypeError, KeyError) as fault:
                raise MissingData(f"line {number} of {path} is not a record of a run ({fault}); remove the line") from fault


def _mend(path: Path) -> None:
    """Cut off half a line at the end."""
    if path.exists():
        text = path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            path.write_bytes(text[:whole])
