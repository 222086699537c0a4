"""Everything of the paper, part by part: make the runs that are missing, then write pages and pictures from the records."""

from collections.abc import Callable, Iterable
from pathlib import Path

from newfound import datasets
from newfound.experiments import agreement, details, figures, table1
from newfound.experiments.files import writable
from newfound.experiments.records import Records
from newfound.experiments.runs import Run

Tick = Callable[[int, int], object]


class Paper:
    """A folder with the records of all runs, and the pages and pictures made from them."""

    def __init__(self, folder: str | Path, partitions: int = 10, n_jobs: int = -1, download: bool = False) -> None:
        self.folder, self.partitions, self.n_jobs, self.download = Path(folder), partitions, n_jobs, download
        self.records = Records(self.folder / "records")

    def table1(self, tick: Tick, names: Iterable[str] | None = None) -> list[Path]:
        """Table 1, on the data sets that are here."""
        asked = list(names or table1.SEEDED)
        here = table1.present(asked, self.download)
        self._complete("table1", table1.runs(here, self.partitions), tick)
        rows = table1.rows(self.records, here, self.partitions)
        return [self._write("table1.md", table1.page(rows, self.partitions, asked))]

    def figure(self, number: int, tick: Tick) -> list[Path]:
        """One of the figures."""
        figure = figures.figure(number)
        self._complete(f"figure-{number}", figure.runs(self.partitions), tick)
        path = self.folder / figures.name(number)
        figure.draw(self.records, path, self.partitions)
        return [path]

    def details(self, tick: Tick) -> list[Path]:
        """The sweeps over what the paper leaves open."""
        self._complete("details", details.runs(self.partitions), tick)
        return [self._write("details.md", details.page(self.records, self.partitions))]

    def all(self, tick: Tick) -> list[Path]:
        """All of it, and the page that says what agrees."""
        made = self.table1(tick)
        for number in figures.FIGURES:
            made += self.figure(number, tick)
        made += self.details(tick)
        made.append(self._write("figures.md", figures.page(self.partitions)))
        return [*made, self._write("README.md", agreement.page(self.records, self.partitions))]

    def _complete(self, experiment: str, runs: list[Run], tick: Tick) -> None:
        for name in {run.dataset for run in runs}:
            datasets.load(name, self.download)
        self.records.complete(experiment, runs, self.n_jobs, tick)

    def _write(self, name: str, text: str) -> Path:
        path = writable(self.folder / name)
        path.write_text(text, encoding="utf-8")
        return path
