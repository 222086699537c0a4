"""Newfound, the recommended learner, as a scikit-learn estimator."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from newfound.components import VonMisesFisher
from newfound.condense import fitting, refitting
from newfound.condense.fitting import Result
from newfound.condense.mixture import Work
from newfound.condense.refitting import Decided, Last
from newfound.condense.rowmap import matrices
from newfound.condense.selftest import SelfTest, self_test
from newfound.condense.trail import Condensed, trail
from newfound.constraints import Constraint
from newfound.criteria import Block
from newfound.data import UNLABELLED, Labels, check_alike, new_names, union
from newfound.errors import DataError, SettingError
from newfound.estimators.base import Array, Explorer, check_width, warn_of_conflicts
from newfound.execution import Pool, engine, threads
from newfound.parts import Rows
from newfound.records import Step


class Newfound(Explorer):
    """Labels every row, discovers the classes that nobody seeded, and says how many there are. No knob needs turning.

    >>> import numpy as np
    >>> from newfound import Newfound
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 5, 600)
    >>> X = np.eye(5)[truth] + 0.2 * rng.normal(size=(600, 5))
    >>> y = np.where((truth < 3) & (rng.random(600) < 0.2), truth, -1)      # seeds for three of five classes
    >>> nf = Newfound().fit(X, y)
    >>> nf.classes_, nf.is_new_
    (array([0, 1, 2, 3, 4]), array([False, False, False,  True,  True]))
    >>> nf.predict([[0, 0, 0, 0, 1.0], [1, 0, 0, 0, 0]]), nf.predict_status([[0, 0, 0, 0, 1.0], [1, 0, 0, 0, 0]])
    (array([3, 0]), array(['new', 'known'], dtype='<U7'))

    ``X`` are counts (a sparse matrix), embeddings (a dense one), or a tuple of both side by side.

    Parameters
    ----------
    n_classes : int or None
        How many classes there are; one that loses its last row is given up. None: as many as the seeds ask for.
    engine : "local" or an engine
        Where the rows are.
    n_jobs : int or None
        Threads; the result does not depend on it.
    random_state : int, RandomState or None
        For the rows at which exploration starts.
    on_iteration : callable or None
        Hears of every round of EM, by its ``Step``.

    Attributes
    ----------
    labels_ : the class of every row of the fit
    classes_ : seeded classes, sorted, then new ones: the next integers, or "new-1", "new-2", ...
    is_new_ : for each class, whether it was discovered
    n_classes_range_ : an interval for the number of classes, nine times in ten
    number_ : how the number was read ("seeds", "stability" or "told"), and more of it
    confusion_ : where seeds went in fits that did not see them: a row and a column for each seeded class, and one for new ones
    left_out_ : how well rows fit when the model is made without them; NaN for those that were not left out
    trail_ : for each new class, when it became itself, of how many parts, its nearest class and its stability
    self_test_ : what is found again of seeded classes whose seeds are hidden
    """

    def __init__(
        self,
        n_classes: int | None = None,
        engine: Any = "local",
        n_jobs: int | None = None,
        random_state: Any = 0,
        on_iteration: Callable[[Step], Any] | None = None,
    ) -> None:
        self.n_classes = n_classes
        self.engine = engine
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.on_iteration = on_iteration

    def fit(self, X: Any, y: Any = None) -> Self:
        """Label all rows from the seeds in ``y``, and discover the classes that have none."""
        X = self._check(X, reset=True)
        labels = self._labels(X, y)
        n_seeded, seed = len(labels.classes), int(check_random_state(self.random_state).randint(2**31 - 1))
        told = self._told(n_seeded, len(labels.codes))
        warn_of_conflicts([Rows.of(x) for x in matrices(X)], labels.codes)
        with self._work() as work:
            found = fitting.explore(work, X, labels.codes, n_seeded, told, seed)
            model, number, steps = fitting.learn(work, X, found, labels.codes, n_seeded, n_seeded, told)
        new = new_names(labels.classes, labels.classes, len(model.parameters) - n_seeded)
        classes = np.concatenate([names for names in (labels.classes, new) if len(names)])
        seeds = _by_row(labels)
        self._explored, self._digest = found, _digest(X)
        self._take(Result(model, classes, n_seeded, number, steps), seeds, seeds, classes, before={})
        return self

    def refit(self, X: Any, y: Any = None, constraints: Iterable[Constraint] = ()) -> Self:
        """The same rows once more, with other labels or a person's decisions, in a fraction of the time of a fit.

        Every decision holds afterwards; decisions that contradict each other are refused, and nothing changes. Classes keep
        their names. With the labels of the last fit, learning goes on from where that stopped; with others the number of
        classes is chosen again, from the stored path.
        """
        check_is_fitted(self)
        if not hasattr(self, "_explored"):
            raise DataError("this model was read from a file, which holds what predicts and no more; fit the rows again")
        X, last = self._check(X, reset=False), self._last
        labels = self._labels(X, y)
        if len(labels.codes) != len(self.labels_):
            raise DataError(f"refit takes the {len(self.labels_)} rows of the fit, but X has {len(labels.codes)}")
        if _digest(X) != self._digest:
            raise DataError(
                "refit takes the rows of the fit in their order, but X holds others; fit them, or pass the same rows"
            )
        check_alike(self.classes_, labels.classes)
        seeds = _by_row(labels)
        decided = refitting.decide(constraints, seeds, self.labels_)
        if seeds == last.seeds and decided == Decided(last.pinned, frozenset(), ()):
            return self
        with self._work() as work:
            again = refitting.refit(work, X, self._explored, last, seeds, decided)
        before = dict(zip(self.classes_[self.is_new_].tolist(), self.trail_, strict=True))
        self._take(again, seeds, decided.pinned, union(last.used, again.classes), before)
        return self

    @cached_property
    def self_test_(self) -> SelfTest | None:
        """What is found again of seeded classes whose seeds are hidden; None where too few classes have two seeds."""
        check_is_fitted(self)
        found, last, names = self._explored, self._last, self.classes_[~self.is_new_]
        seeds = np.full(len(self.labels_), UNLABELLED)
        number = {name: j for j, name in enumerate(names.tolist())}
        for row, name in last.seeds.items():
            seeds[row] = number.get(name, UNLABELLED)
        unseen = np.ones(len(seeds), bool)
        unseen[found.sample] = False
        seeds[unseen] = UNLABELLED  # a seed of a later refit may not be in the sample

        def settle(work: Work, fewer: tuple[Array, int]) -> tuple[Array, int]:
            some, n_kept = fewer
            unseen = fitting.unseen(work, found, some)
            settled = fitting.settle(work, unseen, some, n_kept, fitting.choose(unseen, some, n_kept))
            label = np.full(len(seeds), UNLABELLED)
            label[found.sample] = settled.label
            return label, settled.n_classes

        with self._work() as work:
            return self_test(seeds, names, last.result.number.chosen, lambda fewer: work.side_by_side(settle, fewer))

    def mapped(self, X: Any) -> Array:
        """The rows as the model sees them: unit vectors in a space where classes are round."""
        check_is_fitted(self)
        with threads(self.n_jobs) as pool:
            return np.asarray(self.row_map_(self._check(X, reset=False), pool))

    def _take(
        self, result: Result, seeds: dict[int, Any], pinned: dict[int, Any], used: Array, before: dict[Any, Condensed]
    ) -> None:
        """Keep what a fit left; ``before`` is the trail of the last one, if this goes on from it."""
        model, number = result.model, result.number
        self.__dict__.pop("self_test_", None)  # it was about the last fit
        self._last = Last(result, seeds, pinned, used)
        self.row_map_, self.component_, self.temperature_ = model.row_map, model.component, model.held_out.temperature
        self.statistics_, self.parameters_, self.left_out_ = model.statistics, model.parameters, model.left_out
        self.calibration_ = np.sort(model.left_out[np.isfinite(model.left_out)])
        self.classes_, self.labels_ = result.classes, result.classes[model.label]
        self.is_new_ = np.arange(len(result.classes)) >= result.n_seeded
        self.number_, self.confusion_ = number, model.held_out.confusion
        self.n_classes_range_ = (min(number.low, len(result.classes)), max(number.high, len(result.classes)))
        self.trail_: Any = trail(result, self._explored, before)

    @contextmanager
    def _work(self) -> Iterator[Work]:
        """Where and how the work is done."""
        with threads(self.n_jobs) as pool:
            yield Work(engine(self.engine), pool, self.on_iteration)

    def _told(self, n_seeded: int, n_rows: int) -> int | None:
        if self.n_classes is None:
            return None
        if not (isinstance(self.n_classes, (int, np.integer)) and max(n_seeded, 1) <= self.n_classes <= n_rows):
            raise SettingError(
                f"n_classes must be a whole number from the {n_seeded} seeded classes to the {n_rows} rows, "
                f"or None to have it chosen, not {self.n_classes!r}"
            )
        return int(self.n_classes)

    def _check(self, X: Any, reset: bool) -> Any:
        """Finite float rows with enough features: one matrix, or a tuple of them."""
        if isinstance(X, tuple):
            sides = tuple(check_array(x, accept_sparse="csr", dtype=[np.float32, np.float64]) for x in X)
        else:
            sides = (validate_data(self, X, reset=reset, accept_sparse="csr", dtype=[np.float32, np.float64]),)
        if len({x.shape[0] for x in sides}) != 1:
            raise DataError(f"matrices side by side must have the same rows, but have {[x.shape[0] for x in sides]}")
        kinds = [f"{'sparse' if sparse.issparse(x) else 'dense'} with {x.shape[1]} columns" for x in sides]
        if reset:
            self._kinds, self.n_features_in_ = kinds, sum(x.shape[1] for x in sides)
            check_width(VonMisesFisher(), self.n_features_in_)
        elif kinds != self._kinds:
            raise DataError(f"X must be {' and '.join(self._kinds)}, as in the fit, but is {' and '.join(kinds)}")
        sides = tuple(_canonical(x) if sparse.issparse(x) else x for x in sides)
        return sides if isinstance(X, tuple) else sides[0]

    def _labels(self, X: Any, y: Any) -> Labels:
        return self._check_labels(range(matrices(X)[0].shape[0]), y, None)[0]

    def _seen(self, X: Any, pool: Pool) -> Rows:
        return Rows.of(self.row_map_(self._check(X, reset=False), pool))

    def _posteriors(self, block: Block) -> Array:
        return np.asarray(softmax(self.temperature_ * block.joint, axis=1))


def _by_row(labels: Labels) -> dict[int, Any]:
    """The name of every seed's class."""
    rows = np.flatnonzero(labels.codes >= 0)
    return dict(zip(rows.tolist(), labels.classes[labels.codes[rows]].tolist(), strict=True))


def _canonical(X: Any) -> Any:
    """The same counts, each stored once and none of them 0."""
    if X.has_canonical_format and X.data.all():
        return X
    X = X.copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    return X


def _digest(X: Any) -> bytes:
    """What tells these rows, in this order, from others."""
    digest = hashlib.blake2b(digest_size=16)
    for x in matrices(X):
        for part in (x.indptr, x.indices, x.data) if sparse.issparse(x) else (x,):
            digest.update(np.ascontiguousarray(part).data)
    return digest.digest()
