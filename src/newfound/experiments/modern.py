"""Which trials the page on quality stands on, in the order in which its tables show them.

Partitions are numbered from ``FRESH``: no choice was ever made on these.
"""

from newfound.experiments.cases import Case
from newfound.experiments.peers import PEERS
from newfound.experiments.quality import OURS, WITHOUT, Trial

FRESH = 1000

KNOWN = (0.25, 0.5, 0.75)

NEWS, REUTERS, CLINC = "20-newsgroups", "reuters-21578", "clinc150-minilm"

SENTENCES = {name: f"{name}-minilm" for name in ("banking77", "clinc150", "ag-news")}

WORDS = {name: f"{name}-wordllama" for name in SENTENCES}

BALANCED = [Case(name, known) for names in (SENTENCES, WORDS) for name in names.values() for known in KNOWN]

PAPER = [Case(NEWS, 6, 0.05), Case(REUTERS, 10, 0.05)]

UNEQUAL = [Case(REUTERS, 0.5), Case(CLINC, 0.5, zipf=True), Case(NEWS, 0.25, zipf=True), Case(NEWS, 0.5, zipf=True)]

FIVE = [Case(NEWS, 6, None, 5), Case(NEWS, 0.5, None, 5), Case(CLINC, 0.25, None, 5), Case(CLINC, 0.5, None, 5)]

TOLD = ("told-random", "told-far")

BESIDE = [Case(SENTENCES["banking77"], 0.5), Case(CLINC, 0.5), Case(SENTENCES["ag-news"], 0.5), PAPER[0]]
"""Where all peers are run."""

FEWER = 3
"""Partitions of the peers that take many times as long as ours."""

SLOW = ("dp-mixture", "bertopic")

ABLATED = [Case(SENTENCES["banking77"], 0.25), BESIDE[0], *PAPER]

HELD_OUT = [*BESIDE, Case(SENTENCES["banking77"], 0.25), Case(REUTERS, 0.5)]

OUT_OF_SCOPE = [Case("clinc150-oos-minilm", known) for known in KNOWN[:2]]


def peers(case: Case) -> list[str]:
    """The methods that are run on a case beside ours."""
    if case not in BESIDE:
        return list(TOLD)
    return [name for name in PEERS if name != "bertopic" or case.dataset != NEWS]  # ready-made counts have no texts


def experiments(partitions: int) -> dict[str, list[Trial]]:
    """All trials; ablations on half of the partitions.

    >>> sorted(experiments(2))
    ['ablation', 'answers', 'ours', 'peers', 'told']
    """
    cases = [*BALANCED, *PAPER, *UNEQUAL, *FIVE]
    answers = [(case, "out of scope") for case in OUT_OF_SCOPE] + [(case, "held out") for case in HELD_OUT]
    return {
        "ours": _each([(case, OURS) for case in cases], partitions),
        "told": _each([(case, method) for case in [*BALANCED, *PAPER] for method in TOLD], partitions),
        "answers": _each(answers, partitions),
        "ablation": _each([(case, f"{OURS} without {name}") for case in ABLATED for name in WITHOUT], half(partitions)),
        "peers": [one for case in BESIDE for name in peers(case) for one in _each([(case, name)], count(name, partitions))],
    }


def _each(asked: list[tuple[Case, str]], partitions: int) -> list[Trial]:
    return [Trial(case, method, FRESH + p) for case, method in asked for p in range(partitions)]


def half(partitions: int) -> int:
    """Partitions of the ablation."""
    return -(-partitions // 2)


def count(method: str, partitions: int) -> int:
    """On how many partitions a peer is run."""
    return min(partitions, FEWER) if method in SLOW else partitions
