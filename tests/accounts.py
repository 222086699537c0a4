"""Accounts of fits that never were, whole or with parts missing, and rows for their maps."""

from dataclasses import replace

import numpy as np

from newfound.describe.account import (
    Account,
    ClassAccount,
    Confusion,
    Count,
    Example,
    Hidden,
    History,
    Neighbour,
    Origin,
    SelfTest,
    Term,
    Uncertain,
)
from newfound.report import ABSTAIN, PLAIN, SEED, Points

LEVELS = (40, 30, 20, 12, 8, 5)


def account(seeded=3, new=4, text="{} of {}", **changes):
    """An account with everything in it; its texts are made by ``text`` from a kind of text and a class."""
    ids = [f"given {j}" for j in range(seeded)] + [f"new-{j + 1}" for j in range(new)]
    classes = tuple(one(ids, j, j >= seeded, text) for j in range(len(ids)))
    uncertain = tuple(
        Uncertain(i, f"t-{i}", text.format("doubt", name), name, 0.41, ids[i - 1], 0.4, "abstain" if i % 2 else "new")
        for i, name in enumerate(ids[:20])
    )
    whole = Account(
        rows=sum(c.size for c in classes),
        seeds=sum(c.seeds for c in classes),
        empty=2,
        abstained=3,
        count=Count(len(ids), max(len(ids) - 2, 1), len(ids) + 3, "seeds" if seeded else "stability"),
        classes=classes,
        uncertain=uncertain,
        history=history(len(ids), seeded),
        confusion=confusion(ids[:seeded]) if seeded else None,
        self_test=SelfTest(
            0.8, 0.7, 0.1, tuple(Hidden(name, 9, 0.9 - 0.2 * (j % 3), 0.9) for j, name in enumerate(ids[:seeded]))
        )
        if seeded > 1
        else None,
    )
    return replace(whole, **changes)


def one(ids, j, new, text):
    """A class with texts of all kinds."""
    other = ids[j - 1]
    examples = [
        tuple(Example(9 * j + i, str(9 * j + i), text.format(f"{kind} {i}", ids[j]), 0.9, other, 0.1) for i in (0, 1))
        for kind in "tb"
    ]
    terms = (Term(text.format("term", ids[j]), 0.8, 0.1), Term("word", 0.3, 0.0))
    return ClassAccount(
        id=ids[j],
        name=text.format("name", ids[j]),
        new=new,
        size=60 + 7 * (j % 5),
        seeds=0 if new else 9,
        abstained=j % 3,
        why=f"Gathered from 4 of the first 40 clusters. It would join {text.format('name', other)} next."
        if new
        else "You did.",
        terms=terms,
        typical=examples[0],
        borderline=examples[1],
        nearest=Neighbour(other, 0.4, terms[:1], terms[1:]) if len(ids) > 1 else None,
        origin=Origin(20, 4, other, 0.5 + 0.4 / (j + 1)) if new else None,
    )


def history(n_classes, seeded):
    """Classes that come together out of four parts."""
    parts = ((20, 20, 10, 5), (40, 10, 5), (40, 15), (55,), (55,), (55,))
    likeness = (0.3, 0.5, 0.6, 0.8, 1.0, 0.7)
    return History(LEVELS, (likeness,) * n_classes, (parts,) * n_classes, (0.3, 0.5, 0.6, 0.7, 0.6, 0.4) if seeded else ())


def confusion(ids):
    """Each class keeps six of its nine seeds, loses two to the next, and one to the new ones."""
    counts = [[6 * (i == j) + 2 * (j == (i + 1) % len(ids)) for j in range(len(ids))] + [1] for i in range(len(ids))]
    return Confusion(tuple(ids), tuple(map(tuple, counts)))


def points(account, n=200, text="row {} of class {}", seed=0):
    """Rows around a centre for each class; the first two are the corners of the map."""
    rng = np.random.default_rng(seed)
    which = np.arange(n) % len(account.classes)
    x, y = rng.uniform(0.1, 0.9, (2, len(account.classes)))[:, which] + rng.normal(0, 0.02, (2, n)).clip(-0.09, 0.09)
    x[:2], y[:2] = [0, 1.2], [0, 1]
    status = np.where(rng.random(n) < 0.1, SEED, np.where(rng.random(n) < 0.05, ABSTAIN, PLAIN))
    texts = None if text is None else [text.format(i, j) for i, j in enumerate(which)]
    return Points(x, y, which, rng.uniform(0.2, 1, n), status, texts)
