"""ExploreEM as a scikit-learn estimator."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state

from newfound.components import Statistics, component
from newfound.criteria import JensenShannon, criterion
from newfound.data import UNLABELLED, Labels, check_alike, union
from newfound.errors import ClassExplosionWarning, LabelError, SettingError
from newfound.estimators.base import Array, Beginning, Explorer
from newfound.execution import engine, threads
from newfound.learner import Rules, explore, measured
from newfound.parts import Part
from newfound.records import Step
from newfound.selection import selection


class ExploreEM(Explorer):
    """Semi-supervised EM that opens classes for rows that fit none: Algorithm 1 of Dalvi, Cohen and Callan (2013).

    >>> import numpy as np
    >>> from newfound import ExploreEM
    >>> X = np.array([[9, 1, 0, 0], [8, 1, 0, 0], [1, 9, 0, 0], [0, 0, 9, 0], [0, 0, 8, 0], [0, 0, 0, 9]])
    >>> y = np.array([0, -1, 1, -1, -1, -1])        # -1: no label
    >>> em = ExploreEM(random_state=0).fit(X, y)
    >>> em.labels_
    array([0, 0, 1, 2, 2, 3])
    >>> em.is_new_
    array([False, False,  True,  True])
    >>> em.predict_status([[0, 0, 5, 0], [7, 1, 0, 0]], alpha=0)
    array(['new', 'known'], dtype='<U7')

    Parameters
    ----------
    component : "kmeans", "naive-bayes", "vmf" or a component object
        The model of one class. K-Means and naive Bayes take counts or weights of 0 and more, vMF any rows.
    criterion : "minmax", "js", "random", None or an object
        When a posterior is nearly uniform. None explores nothing: plain semi-supervised EM.
    selection : "aicc", "aic", "bic", None or an object
        Whether the classes opened in a pass stay. None: always.
    extra_classes : int
        Start with this many classes more, each at a random unlabelled row.
    max_classes : int or None
        Never hold more classes than this.
    order : "given" or "random"
        The order in which rows are scanned.
    max_iter, tol : int, float
        Stop after so many iterations, or when the log-likelihood changes by less than this share and the
        number of classes not at all. With ``tol=0`` exactly ``max_iter`` iterations run.
    engine : "local" or an engine
        Where the rows are.
    n_jobs : int or None
        Threads; the result does not depend on it.
    random_state : int, RandomState or None
        For ``order="random"``, ``criterion="random"`` and ``extra_classes``.
    verbose : bool
        Print a line per iteration.
    on_iteration : callable or None
        Called with the record of each iteration.

    Attributes
    ----------
    labels_ : the class of every row of the fit; of the last batch after ``partial_fit``
    classes_ : seeded classes, sorted, then new ones: the next integers, or "new-1", "new-2", ...
    is_new_ : for each class, whether it was discovered
    trail_ : for each new class, the row that opened it, when, its posterior, and the score without and with
    history_ : one record per iteration
    stop_ : why it stopped, and whether classes could still have been opened
    statistics_, parameters_, weights_ : the model
    """

    def __init__(
        self,
        component: Any = "kmeans",
        criterion: Any = "minmax",
        selection: Any = "aicc",
        extra_classes: int = 0,
        max_classes: int | None = None,
        order: str = "given",
        max_iter: int = 50,
        tol: float = 1e-4,
        engine: Any = "local",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        on_iteration: Callable[[Step], Any] | None = None,
    ) -> None:
        self.component = component
        self.criterion = criterion
        self.selection = selection
        self.extra_classes = extra_classes
        self.max_classes = max_classes
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.engine = engine
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.on_iteration = on_iteration

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Label all rows from the seeds in ``y``, opening classes where rows fit none."""
        self._declared: Array | None = None
        return self._explore(self._begin(X, y, sample_weight))

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None, classes: Any = None) -> Self:
        """Learn from one more batch of rows; its rows may open classes, and ``labels_`` are theirs.

        The statistics of earlier batches stay as they are, and count in every M-step. ``classes``, in the first
        call, declares all labels that will ever come; without it any label may. A class without seeds so far is
        not in ``classes_``. Seeds may also name a new class, and then join it.
        """
        if not hasattr(self, "statistics_"):
            self._declared = None if classes is None else Labels.of(classes).classes
            began = self._begin(X, y, sample_weight)
            self._check_declared(began.taken)
            return self._explore(replace(began, taken=self._taken(began.taken)))
        return self._explore(self._continue(X, y, sample_weight))

    def _continue(self, X: Any, y: Any, sample_weight: Any) -> Beginning:
        """What an earlier fit left, with places for the classes that this batch seeds for the first time."""
        rows = self._check_rows(X, reset=False)
        labels, weights = self._check_labels(rows, y, sample_weight)
        check_alike(self.classes_, labels.classes)
        codes = np.where(weights > 0, labels.codes, UNLABELLED)
        met = labels.classes[np.unique(codes[codes >= 0])]
        new, before = self.classes_[self.is_new_], self.classes_[~self.is_new_]
        seeded = union(before, met[~np.isin(met, new)])
        self._check_declared(seeded)
        names = np.concatenate([seeded, new]) if len(new) else seeded
        number = {name: j for j, name in enumerate(names.tolist())}
        place = np.array([number.get(name, UNLABELLED) for name in labels.classes.tolist()] or [UNLABELLED])
        past = Statistics.empty(len(names), rows.n_features, self.statistics_.exponent)
        held = np.array([number[name] for name in self.classes_.tolist()], dtype=int)
        past.rows[held], past.sums[held] = self.statistics_.rows, self.statistics_.sums
        part = Part(np.arange(len(rows)), rows, np.where(codes >= 0, place[codes], UNLABELLED).astype(np.int32), weights)
        taken = self._taken(union(names, labels.classes))
        return Beginning(part, seeded, new, taken, past, tuple(self.trail_))

    def _taken(self, names: Array) -> Array:
        """The names that a new class may not take."""
        return names if self._declared is None else union(names, self._declared)

    def _check_declared(self, seeded: Array) -> None:
        if self._declared is not None and not np.isin(seeded, self._declared).all():
            stray = seeded[~np.isin(seeded, self._declared)].tolist()[0]
            raise LabelError(f"label {stray!r} is not among the classes declared in the first call of partial_fit")

    def _explore(self, began: Beginning) -> Self:
        random = check_random_state(self.random_state)
        n_seeded = len(began.seeded)
        rules = self._rules(began.n_classes, int(random.randint(2**31 - 1)))
        order = random.permutation(len(began.part)) if self.order == "random" else None
        part = began.part if order is None else began.part.shuffled(order)
        extra = self._extra(part, began.n_classes, random)
        with threads(self.n_jobs) as pool:

            def begin() -> Any:
                return engine(self.engine)(part, component(self.component), began.n_classes, pool, began.past)

            rules = measured(rules, begin, n_seeded, extra, began.trail)
            work = begin()
            fit = explore(work, n_seeded, rules, extra, began.trail, self._watch)
            labels = work.labels()
            if order is not None:
                labels[order] = labels.copy()
            self._finish(began, work, fit, labels)
        return self

    def _rules(self, n_seeded: int, seed: int) -> Rules:
        if self.order not in ("given", "random"):
            raise SettingError(f"order must be 'given' or 'random', not {self.order!r}")
        if not (isinstance(self.max_iter, (int, np.integer)) and self.max_iter >= 1):
            raise SettingError(f"max_iter must be a whole number of 1 or more, not {self.max_iter!r}")
        if not self.tol >= 0:
            raise SettingError(f"tol must be 0 or more, not {self.tol!r}")
        rule, limit = criterion(self.criterion), self._limit(n_seeded)
        if isinstance(rule, JensenShannon) and rule.threshold is None and n_seeded <= 3 and limit == np.inf:
            warnings.warn(
                "JensenShannon fires for every row while there are 3 classes or fewer, "
                f"and {n_seeded} are seeded; set max_classes",
                ClassExplosionWarning,
                stacklevel=5,
            )
        return Rules(rule, selection(self.selection), limit, self.max_iter, self.tol, seed)

    def _extra(self, part: Part, n_seeded: int, random: np.random.RandomState) -> Array | None:
        if not self.extra_classes:
            return None
        free = np.flatnonzero((part.seeds == UNLABELLED) & (part.weights > 0) & part.rows.filled())
        if not (isinstance(self.extra_classes, (int, np.integer)) and self.extra_classes >= 0):
            raise SettingError(f"extra_classes must be a whole number of 0 or more, not {self.extra_classes!r}")
        if self.extra_classes > len(free):
            raise SettingError(f"extra_classes is {self.extra_classes}, but only {len(free)} unlabelled rows can start a class")
        if n_seeded + self.extra_classes > self._limit(n_seeded):
            raise SettingError(
                f"{n_seeded} seeded and {self.extra_classes} extra classes are more than max_classes={self.max_classes}"
            )
        return np.asarray(random.choice(free, self.extra_classes, replace=False))
