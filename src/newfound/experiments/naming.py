"""How well the names of found classes say what is in them: the page on names, from one fit of each data set.

Found and true names are embedded, without a look at the texts: the true name that is nearest to a found one should be its own.

>>> ranks(["lost card", "exchange fees"], ["card lost", "exchange rate"], np.array([0, 1])).tolist()
[0, 0]
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import normalize

from newfound import datasets
from newfound.datasets import newsgroups
from newfound.describe import names
from newfound.describe.terms import Lexicon
from newfound.estimators import Newfound
from newfound.experiments import text
from newfound.experiments.files import writable
from newfound.features.embed import static

Array = NDArray[Any]
Record = dict[str, Any]

PARTITION = 1000
"""The number of the partition; every choice was made on those from 1 to 3."""

SHOWN = ("banking77", "20-newsgroups-raw")
MEASURED = (*SHOWN, "clinc150")

IN_WORDS = {
    "alt.atheism": "atheism",
    "comp.graphics": "computer graphics",
    "comp.os.ms-windows.misc": "Microsoft Windows",
    "comp.sys.ibm.pc.hardware": "IBM PC hardware",
    "comp.sys.mac.hardware": "Mac hardware",
    "comp.windows.x": "X windows",
    "misc.forsale": "for sale",
    "rec.autos": "cars, autos",
    "rec.motorcycles": "motorcycles",
    "rec.sport.baseball": "baseball",
    "rec.sport.hockey": "hockey",
    "sci.crypt": "cryptography, encryption",
    "sci.electronics": "electronics",
    "sci.med": "medicine",
    "sci.space": "space",
    "soc.religion.christian": "Christian religion",
    "talk.politics.guns": "politics, guns",
    "talk.politics.mideast": "politics, Middle East",
    "talk.politics.misc": "politics",
    "talk.religion.misc": "religion",
}
"""The newsgroups as a person would say them; written before any name was found."""


def make(folder: str | Path, tick: Callable[[int, int], object]) -> Path:
    """Fit, name and measure; the record is ``folder/quality/names.json``, the page ``folder/names.md``."""
    kept, path = writable(Path(folder) / "quality" / "names.json"), writable(Path(folder) / "names.md")
    records = []
    for done, dataset in enumerate(MEASURED):
        tick(done, len(MEASURED))
        records.append(perform(dataset))
    tick(len(MEASURED), len(MEASURED))
    kept.write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    path.write_text(page(records), encoding="utf-8")
    return path


def perform(dataset: str) -> Record:
    """A fit with a quarter of the classes seeded, and its new classes: those that are mostly of one true class are judged."""
    texts, X, truth = _rows(dataset)
    part = datasets.partition(truth, 0.25, share=0.1, seed=PARTITION)
    found = Newfound(n_jobs=1, random_state=0).fit(X, part.y)
    number = {name: j for j, name in enumerate(found.classes_)}
    label = np.array([number[name] for name in found.labels_])
    title = _named(texts, label, found)
    classes, codes = np.unique(truth, return_inverse=True)
    table = np.zeros((len(found.classes_), len(classes)), int)
    np.add.at(table, (label, codes), 1)
    judged = [j for j in np.flatnonzero(found.is_new_) if 2 * table[j].max() > table[j].sum()]
    own = table[judged].argmax(axis=1)
    rank = ranks([title[j] for j in judged], [in_words(str(name)) for name in classes], own)
    lines = [
        {"true": str(classes[c]), "found": title[j], "purity": round(float(table[j, c] / table[j].sum()), 3)}
        | {"size": int(table[j].sum()), "rank": int(r)}
        for j, c, r in zip(judged, own, rank, strict=True)
    ]
    return {"dataset": dataset, "true": len(classes), "new": int(found.is_new_.sum()), "judged": lines}


def _rows(dataset: str) -> tuple[list[str], Any, Array]:
    """Texts, rows and true classes: counts of long posts, static embeddings of short texts."""
    data = datasets.load(dataset)
    texts = data.texts or []
    if dataset != "20-newsgroups-raw":
        return texts, static(texts), data.labels
    X, _, kept = newsgroups.counts(texts)
    return [texts[i] for i in kept], X.astype(np.float32), data.labels[kept]


def _named(texts: Sequence[str], label: Array, found: Newfound) -> list[str]:
    """The name of each class."""
    ids = [str(name) for name in found.classes_]
    lexicon = Lexicon.read(texts, label, len(ids))
    labels = [name for name, new in zip(ids, found.is_new_, strict=True) if not new]
    new = [names.Evidence(ids[j], lexicon.terms(int(j))) for j in np.flatnonzero(found.is_new_)]
    return [*labels, *names.given(new, labels)]


def ranks(found: Sequence[str], true: Sequence[str], own: Array) -> Array:
    """How many of the ``true`` names are nearer to each found one than its own is."""
    if not len(found):
        return np.empty(0, int)
    cosine = normalize(static(found)) @ normalize(static(true)).T
    mine = cosine[np.arange(len(found)), own]
    return np.asarray((cosine > mine[:, None] + 1e-6).sum(axis=1))


def in_words(name: str) -> str:
    """A true name as one would say it.

    >>> in_words("card_arrival"), in_words("sci.med")
    ('card arrival', 'medicine')
    """
    return IN_WORDS.get(name, name.replace("_", " "))


def page(records: Sequence[Record]) -> str:
    """The page of these records."""
    tables = {record["dataset"].replace("-", "_").replace("20", "twenty"): _table(record) for record in records}
    tables.pop("clinc150", None)
    return text.page("names", partition=PARTITION, retrieval=_retrieval(records), **tables)


def _retrieval(records: Sequence[Record]) -> list[str]:
    lines = []
    for record in records:
        rank = np.array([one["rank"] for one in record["judged"]])
        shares = [f"{100 * np.mean(rank < n):.0f}" for n in (1, 3)]
        lines.append([datasets.title(record["dataset"]), f"{record['true']}", f"{record['new']}", f"{len(rank)}", *shares])
    head = ["data", "true classes", "new classes", "judged", "nearest, %", "among the three nearest, %"]
    return text.table(head, lines, "lrrrrr")


def _table(record: Record) -> list[str]:
    lines = [
        [in_words(one["true"]), one["found"], f"{100 * one['purity']:.0f}", f"{one['size']}", f"{one['rank'] + 1}"]
        for one in sorted(record["judged"], key=lambda one: (in_words(one["true"]).lower(), -one["size"]))
    ]
    return text.table(["true name", "found name", "purity, %", "rows", "place"], lines, "llrrr")
