"""Accuracies that others have published for methods which fine-tune BERT and are told the number of classes.

>>> max((p.accuracy, p.method) for p in PUBLISHED if (p.dataset, p.known) == ("banking77", 0.25))
(65.85, 'USNID')

All are over the rows of all classes in the test split, clusters matched one to one with classes; a tenth of the training rows
of the known classes carry a label. Ours are over the unlabelled rows of all splits, so compare with care.
"""

from typing import NamedTuple


class Published(NamedTuple):
    """One figure: the share of classes that is known, the accuracy in %, and where it is printed."""

    method: str
    year: int
    dataset: str
    known: float
    accuracy: float
    source: str


TEXTOIR = (
    "github.com/thuiar/TEXTOIR, open_intent_discovery/results/result.md at 1ee728011d52bc7853a507438303c52957b97556, "
    "cluster number factor 1"
)
"""The table of the authors of DeepAligned and USNID, which has all of these side by side. Another version of the file (ca52fd8)
shows under factor 1, the true number of classes, what this one shows under larger factors.
"""

_KNOWN = (0.25, 0.5, 0.75)

_ROWS = {
    ("DeepAligned", 2021, "banking77"): (49.08, 59.38, 64.63),
    ("GCD", 2022, "banking77"): (39.91, 48.37, 56.94),
    ("MTP-CLNN", 2022, "banking77"): (65.06, 70.97, 77.22),
    ("USNID", 2023, "banking77"): (65.85, 73.27, 78.36),
    ("DeepAligned", 2021, "clinc150"): (74.07, 80.70, 86.79),
    ("GCD", 2022, "clinc150"): (64.69, 70.93, 76.82),
    # without MTP-CLNN, which first trains on labelled intents from elsewhere, and those are CLINC150's own
    ("USNID", 2023, "clinc150"): (83.12, 87.28, 90.36),
}

PUBLISHED = [
    Published(*method, known, accuracy, TEXTOIR)
    for method, accuracies in _ROWS.items()
    for known, accuracy in zip(_KNOWN, accuracies, strict=True)
]
