"""The named data sets: where each lies on disk, and how it is read.

Folders are looked for under ``NEWFOUND_DATA`` (``../shared/data`` if that is not set), then among what was fetched.
"""

import gzip
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from newfound.datasets import fetch, newsgroups, reuters, support, websets
from newfound.datasets.base import DataSet
from newfound.errors import MissingData

Array = NDArray[Any]


@dataclass(frozen=True)
class Entry:
    """A data set of the catalogue: the files that it can be read from, the best first, and where it can be fetched from.

    One that comes with newfound is ``made`` instead.
    """

    title: str
    sources: dict[str, Callable[[Path], DataSet]]
    home: str = ""
    made: Callable[[], DataSet] | None = None

    def find(self) -> Callable[[], DataSet] | None:
        """What reads it from the first of its files that is on this machine."""
        if self.made is not None:
            return self.made
        for folder, (file, read) in product(folders(), self.sources.items()):
            if (folder / file).exists():
                return partial(read, folder / file)
        return None


def load(name: str, download: bool = False) -> DataSet:
    """A data set by name, read once. Only with ``download=True`` is it fetched when it is not on this machine.

    >>> load("delicious-sports-stand-in").X.shape
    (282, 721)
    """
    if download and not here(name) and CATALOGUE[name].home:
        fetch.fetch(CATALOGUE[name].home, fetched())
    return read(name)


@cache
def read(name: str) -> DataSet:
    """A data set that is on this machine."""
    found = _entry(name).find()
    if found is None:
        raise MissingData(_where(name, CATALOGUE[name]))
    return replace(found(), name=name, title=title(name))


def here(name: str) -> bool:
    """Whether a data set is on this machine; whether it can be read, only reading shows.

    >>> here("delicious-sports-stand-in")
    True
    """
    return _entry(name).find() is not None


def _entry(name: str) -> Entry:
    if name not in CATALOGUE:
        raise MissingData(f"no data set {name!r}; choose from {', '.join(names())}")
    return CATALOGUE[name]


def names() -> list[str]:
    """All names that ``load`` knows."""
    return list(CATALOGUE)


def title(name: str) -> str:
    """What a data set is called in print.

    >>> title("20-newsgroups")
    '20-Newsgroups'
    """
    return CATALOGUE[name].title


def folders() -> list[Path]:
    """Where data sets are looked for."""
    return [Path(os.environ.get("NEWFOUND_DATA") or Path("..") / "shared" / "data"), fetched()]


def fetched() -> Path:
    """Where fetched data sets are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "newfound" / "data"


def _where(name: str, entry: Entry) -> str:
    places = " nor ".join(str(folder / file) for folder, file in product(folders(), entry.sources))
    if name == "delicious-sports":
        return f"Delicious_Sports is not available anywhere that we know; if you have its triples, put them at {places}"
    more = ", or fetch it with --download (download=True)" if entry.home else ""
    return f"{entry.title} is neither at {places}; set NEWFOUND_DATA to the folder that holds it{more}"


def _texts(path: Path) -> DataSet:
    """One JSON object a line: id, text, label, split."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    column = {key: np.array([row[key] for row in rows]) for key in ("label", "split", "id")}
    return DataSet("", "", column["label"], None, [row["text"] for row in rows], None, column["split"], column["id"])


def _in_scope(path: Path) -> DataSet:
    everything = _texts(path)
    return everything.only(everything.labels != "oos")


def _embedded(path: Path) -> DataSet:
    """Texts with the ready-made sentence embeddings of the same lines."""
    vectors = path.parents[1] / "minilm_embeddings" / f"{path.parent.name}.npy"
    if not vectors.exists():
        raise MissingData(f"the embeddings of {path.parent.name} are not at {vectors}")
    return replace(_texts(path), X=np.load(vectors, allow_pickle=False).astype(np.float32))


def _counted(path: Path) -> DataSet:
    """20-Newsgroups from ready-made counts: documents in the order of their files, words in the order of the alphabet."""
    folder = path.parent
    words = np.array(gzip.decompress((folder / "vocab.txt.gz").read_bytes()).decode().split())
    split, ids = np.array(
        [line.split("\t") for line in gzip.decompress((folder / "doc_ids.txt.gz").read_bytes()).decode().splitlines()]
    ).T
    groups = np.array((folder / "classes.txt").read_text().split())
    labels = groups[np.load(folder / "labels.npy", allow_pickle=False) - 1]
    number = np.array([int(name.split("/")[1]) for name in ids])
    rows, columns = np.lexsort((number, labels, split == "test")), np.argsort(words)
    X = sparse.load_npz(path).tocsr()[rows][:, columns]
    X.sort_indices()
    return DataSet("", "", labels[rows], X, None, words[columns], split[rows], ids[rows])


def _rebuilt(path: Path) -> DataSet:
    """The same counts, in the same order, from the raw postings."""
    raw = _texts(path)
    X, words, kept = newsgroups.counts(raw.texts or [])
    mask = np.zeros(len(raw), bool)
    mask[kept] = True
    return replace(raw.only(mask), X=X, words=words, texts=None)


_POSTINGS, _BANKING, _CLINC = "20news_bydate_raw/20news_bydate.jsonl.gz", "banking77/banking77", "clinc150/clinc150"

CATALOGUE = {
    "20-newsgroups": Entry(
        "20-Newsgroups", {"20news_bydate_matlab/counts.npz": _counted, _POSTINGS: _rebuilt}, "20-newsgroups"
    ),
    "20-newsgroups-raw": Entry("20-Newsgroups (raw)", {_POSTINGS: _texts}, "20-newsgroups"),
    "reuters-21578": Entry("Reuters-21578", {"reuters21578_cai/counts.npz": reuters.read}, "reuters-21578"),
    "banking77": Entry("BANKING77", {f"{_BANKING}.jsonl.gz": _texts}, "banking77"),
    "banking77-minilm": Entry("BANKING77 (MiniLM)", {f"{_BANKING}_textoir_split.jsonl.gz": _embedded}),
    "clinc150": Entry("CLINC150", {f"{_CLINC}.jsonl.gz": _in_scope}, "clinc150"),
    "clinc150-oos": Entry("CLINC150 with out-of-scope", {f"{_CLINC}.jsonl.gz": _texts}, "clinc150"),
    "clinc150-minilm": Entry("CLINC150 (MiniLM)", {f"{_CLINC}_textoir_split.jsonl.gz": _embedded}),
    "ag-news": Entry("AG News", {"ag_news_test/ag_news_test.jsonl.gz": _texts}, "ag-news"),
    "ag-news-minilm": Entry("AG News (MiniLM)", {"ag_news_test/ag_news_test.jsonl.gz": _embedded}),
    "delicious-sports": Entry("Delicious_Sports", {"delicious_sports/triples.tsv": websets.read_triples}),
    "delicious-sports-stand-in": Entry("Delicious_Sports stand-in (generated)", {}, made=websets.stand_in),
    "support-messages": Entry("Support messages (written for newfound)", {}, made=support.read),
}
