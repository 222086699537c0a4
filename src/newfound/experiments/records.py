"""Records on disk: a folder of JSON lines, one file per experiment. A sweep that was killed goes on where it was."""

from collections.abc import Callable, Iterable
from pathlib import Path

from joblib import Parallel, delayed

from newfound.errors import MissingData, SettingError
from newfound.experiments.files import writable
from newfound.experiments.runs import Record, Run, perform


class Records:
    """All that is known in a folder, whichever experiment it was made for.

    >>> import tempfile
    >>> run = Run("delicious-sports-stand-in", seeded=5, share=0.05, settings=Run.set(criterion=None))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first = Records(folder).complete("trial", [run], n_jobs=1)
    ...     again = Records(folder).complete("trial", [run], n_jobs=1)
    >>> first, again                                     # how many runs had to be made
    (1, 0)
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._known = {record.run: record for file in sorted(self.folder.glob("*.jsonl")) for record in _read(file)}

    def __getitem__(self, run: Run) -> Record:
        try:
            return self._known[run]
        except KeyError:
            raise MissingData(f"{self.folder} holds no record of {run}; make it with `newfound paper`") from None

    def __contains__(self, run: Run) -> bool:
        return run in self._known

    def complete(
        self, experiment: str, runs: Iterable[Run], n_jobs: int = -1, tick: Callable[[int, int], object] = lambda done, of: None
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
        made = Parallel(n_jobs, return_as="generator")(delayed(perform)(run) for run in missing)
        with path.open("a", encoding="utf-8") as out:
            for done, record in enumerate(made, 1):
                out.write(record.line() + "\n")
                out.flush()
                self._known[record.run] = record
                tick(done, len(missing))
        return len(missing)


def _read(path: Path) -> Iterable[Record]:
    """The whole lines of a file; a kill may have left half of one at its end."""
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    for number, line in enumerate(lines, 1):
        try:
            yield Record.of(line)
        except (ValueError, TypeError, KeyError) as fault:
            raise MissingData(f"line {number} of {path} is not a record of a run ({fault}); remove the line") from fault


def _mend(path: Path) -> None:
    """Cut off half a line at the end."""
    if path.exists():
        text = path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            path.write_bytes(text[:whole])
