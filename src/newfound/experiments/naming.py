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

from newfound import datasets, runs
from newfound.errors import need
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
    """A run with a quarter of the classes seeded, and its new classes: those that are mostly of one true class are judged."""
    data = datasets.load(dataset)
    seeds = datasets.partition(data.labels, 0.25, share=0.1, seed=PARTITION).y
    rows = need("pyarrow", "app").table({"text": data.texts, "label": seeds})
    run = runs.make(rows, runs.Columns("text", "label"), runs.Settings(jobs=1, self_test=False))
    told, number = run.account.classes, {one.id: j for j, one in enumerate(run.account.classes)}
    label = np.array([number[name] for name in run.labels["label"].to_pylist()])
    classes, codes = np.unique(data.labels, return_inverse=True)
    table = np.zeros((len(told), len(classes)), int)
    np.add.at(table, (label, codes), 1)
    judged = [j for j, one in enumerate(told) if one.new and 2 * table[j].max() > table[j].sum()]
    own = table[judged].argmax(axis=1)
    rank = ranks([told[j].name for j in judged], [in_words(str(name)) for name in classes], own)
    lines = [
        {"true": str(classes[c]), "found": told[j].name, "purity": round(float(table[j, c] / table[j].sum()), 3)}
        | {"size": int(table[j].sum()), "rank": int(r)}
        for j, c, r in zip(judged, own, rank, strict=True)
    ]
    return {"dataset": dataset, "true": len(classes), "new": sum(one.new for one in told), "judged": lines}


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
