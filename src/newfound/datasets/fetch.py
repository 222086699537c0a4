"""Data sets from their public homes, written in the form that the catalogue reads.

What arrives is checked by the SHA-256 of its rows (texts or counts, labels and splits), so that a home which packs
the same data in another way still serves, and one which changed the data does not.
"""

import csv
import gzip
import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import io as sio
from scipy import sparse

from newfound.errors import MissingData, need

Row = dict[str, str]


@dataclass(frozen=True)
class Home:
    """Where a data set lives, how its files become ours (written under a folder), and the digest of its rows."""

    urls: tuple[str, ...]
    write: Callable[[list[Path], Path], str]
    sha256: str


def fetch(name: str, folder: Path) -> None:
    """Fetch the data set of this name into ``folder``: all of it, or nothing."""
    home, pooch = HOMES[name], need("pooch", "paper")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        try:
            files = [Path(pooch.retrieve(url, known_hash=None, path=scratch)) for url in home.urls]
        except Exception as failure:
            raise MissingData(f"{name} could not be fetched from {home.urls[0]}: {failure}") from failure
        made = Path(scratch) / "made"
        try:
            found = home.write(files, made)
        except Exception as failure:
            raise MissingData(f"what came from {home.urls[0]} cannot be read as {name}: {failure}") from failure
        if found != home.sha256:
            raise MissingData(f"what came from {home.urls[0]} is not {name}: its rows have SHA-256 {found}, not {home.sha256}")
        for part in made.iterdir():
            part.replace(folder / part.name)


def digest(rows: Iterator[Row] | list[Row]) -> str:
    """SHA-256 over text, label and split of all rows."""
    sha = hashlib.sha256()
    for row in rows:
        sha.update(json.dumps([row["text"], row["label"], row["split"]]).encode())
    return sha.hexdigest()


def digest_counts(X: Any, labels: Any) -> str:
    """SHA-256 over a matrix of counts and its labels."""
    sha = hashlib.sha256(repr(X.shape).encode())
    for part in (X.indptr, X.indices, X.data, labels):
        sha.update(np.asarray(part).astype("<i8").tobytes())
    return sha.hexdigest()


def _write(rows: list[Row], path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    return digest(rows)


def _newsgroups(files: list[Path], folder: Path) -> str:
    """20news-bydate.tar.gz: a file for each posting in 20news-bydate-train/GROUP/NUMBER and -test."""
    rows = []
    with tarfile.open(files[0]) as archive:
        for member in archive:
            if member.isfile():
                half, group, number = member.name.split("/")[-3:]
                text = archive.extractfile(member).read().decode("latin-1")  # type: ignore[union-attr]
                rows.append({"id": f"{group}/{number}", "text": text, "label": group, "split": half.rsplit("-", 1)[1]})
    rows.sort(key=lambda row: (row["split"] != "train", row["label"], int(row["id"].split("/")[1])))
    return _write(rows, folder / "20news_bydate_raw" / "20news_bydate.jsonl.gz")


def _banking(files: list[Path], folder: Path) -> str:
    """train.csv and test.csv: text, category."""
    rows = []
    for split, file in zip(("train", "test"), files, strict=True):
        for i, row in enumerate(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"), newline=""))):
            rows.append({"id": f"{split}-{i}", "text": row["text"], "label": row["category"], "split": split})
    return _write(rows, folder / "banking77" / "banking77.jsonl.gz")


def _clinc(files: list[Path], folder: Path) -> str:
    """data_full.json: a list of [text, intent] for each of train, val, test, oos_train, oos_val, oos_test."""
    parts = json.loads(files[0].read_text(encoding="utf-8"))
    rows = []
    for part, pairs in parts.items():
        split = part.removeprefix("oos_").replace("val", "dev")
        rows += [{"id": f"{part}-{i}", "text": text, "label": label, "split": split} for i, (text, label) in enumerate(pairs)]
    return _write(rows, folder / "clinc150" / "clinc150.jsonl.gz")


def _ag_news(files: list[Path], folder: Path) -> str:
    """test.csv: class number, title, description."""
    topics = ("World", "Sports", "Business", "Sci/Tech")
    lines = csv.reader(io.StringIO(files[0].read_text(encoding="utf-8"), newline=""))
    rows = [
        {"id": f"test-{i}", "text": f"{title} {body}", "label": topics[int(topic) - 1], "split": "test"}
        for i, (topic, title, body) in enumerate(lines)
    ]
    return _write(rows, folder / "ag_news_test" / "ag_news_test.jsonl.gz")


def _reuters(files: list[Path], folder: Path) -> str:
    """Reuters21578.mat: fea (counts), gnd (class numbers), trainIdx and testIdx (from 1)."""
    found = sio.loadmat(files[0], variable_names=["fea", "gnd", "trainIdx", "testIdx"])
    X = sparse.csr_matrix(found["fea"]).astype(np.int32)
    X.sort_indices()
    labels = found["gnd"].ravel().astype(np.int32)
    out = folder / "reuters21578_cai"
    out.mkdir(parents=True)
    sparse.save_npz(out / "counts.npz", X)
    np.save(out / "labels.npy", labels)
    np.save(out / "test_idx.npy", found["testIdx"].ravel().astype(np.int64) - 1)
    return digest_counts(X, labels)


_GITHUB = "https://raw.githubusercontent.com"
_BANKING = f"{_GITHUB}/PolyAI-LDN/task-specific-datasets/57ec275d8078af65b7731c2a98be812d844a6d6b/banking_data"
_REUTERS = f"{_GITHUB}/abozied/Arabic-Documents-Clustering-Using-NMF/d8c4bb4afc36bba6199d0c86362bd95a93ba58ee"

HOMES = {
    "20-newsgroups": Home(
        ("http://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz",),
        _newsgroups,
        "c73d98ceec3eb3d392a7e0b51a251739fa2bcfa56224c348739710867d076d88",
    ),
    "reuters-21578": Home(
        (f"{_REUTERS}/Reuters21578.mat",),
        _reuters,
        "7e6bc4d1980ad8e088b58e93378db1a2c486d26b2dc221321324e9f29c7a9940",
    ),
    "banking77": Home(
        (f"{_BANKING}/train.csv", f"{_BANKING}/test.csv"),
        _banking,
        "a6574c57ac12360a9492163d569a5e2e890b174a7abf94c70dc7de205b19d468",
    ),
    "clinc150": Home(
        (f"{_GITHUB}/clinc/oos-eval/828f8093932c8fe6ca7936c3d2e52903b1c523de/data/data_full.json",),
        _clinc,
        "ecb2a4d451c8eb915d6deb6217d13c85842b762e9ce6ca6b5861cdc51adaaec7",
    ),
    "ag-news": Home(
        (f"{_GITHUB}/mhjabreel/CharCnn_Keras/555590db4219b1243abb1918effd6a7425a2d75f/data/ag_news_csv/test.csv",),
        _ag_news,
        "3b8ad4df12e7656c530cbe518609bb02f902fd5bc7d20a41bc4e23cb56893d53",
    ),
}
