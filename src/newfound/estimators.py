"""Thin scikit-learn classes over the learner and the samplers."""

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from newfound.components import Component, Parameters, Statistics, component
from newfound.criteria import JensenShannon, criterion
from newfound.data import UNLABELLED, Labels, check_weights, new_names
from newfound.errors import ClassExplosionWarning, ConflictingSeedsWarning, DataError, LabelError, SettingError
from newfound.execution import Pool, Scan, Table, engine, threads
from newfound.gibbs import pick, sample
from newfound.learner import Rules, explore, measured
from newfound.parts import Part, Rows
from newfound.records import Fit, Step
from newfound.selection import selection

Array = NDArray[Any]

MANY = 300
"""Opening more classes than this in one fit is worth a warning, if the user set no limit."""

CALIBRATION_ROWS = 10_000


class Explorer(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What ExploreEM and ExploreGibbs share: labels in, a run of the loop, predictions out."""

    def _check_rows(self, X: Any, reset: bool) -> Rows:
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=None, ensure_all_finite=False, ensure_min_samples=1)
        if not np.issubdtype(X.dtype, np.number) and X.dtype != bool:
            X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False)
        if np.iscomplexobj(X):
            raise DataError("Complex data not supported: rows must be real numbers; pass real and imaginary parts as features")
        if X.dtype in (np.float16, np.longdouble):
            X = X.astype(np.float32 if X.dtype == np.float16 else np.float64)
        return Rows.of(X)

    def _begin(self, X: Any, y: Any, sample_weight: Any, known: Array | None = None, first: bool = True) -> tuple[Part, Labels]:
        """Check everything that comes in."""
        model = component(self.component)
        rows = self._check_rows(X, reset=first)
        if rows.n_features < model.min_features:
            raise DataError(
                f"{type(model).__name__} needs at least {model.min_features} features, "
                f"but X has n_features = {rows.n_features} feature(s)"
            )
        labels = Labels.of(np.full(len(rows), UNLABELLED) if y is None else y, known)
        if len(labels.codes) != len(rows):
            raise LabelError(
                f"y has {len(labels.codes)} rows, X has {len(rows)}; mark unlabelled rows with -1 instead of dropping them"
            )
        weights = check_weights(sample_weight, len(rows))
        codes = np.where(weights > 0, labels.codes, UNLABELLED)
        _warn_of_conflicts(rows, codes)
        return Part(np.arange(len(rows)), rows, codes, weights), Labels(labels.classes, codes)

    def _limit(self, n_classes: int) -> float:
        limit = self.max_classes
        if limit is None:
            return np.inf
        if limit < max(n_classes, 1):
            raise SettingError(f"max_classes is {limit}, but {n_classes} classes are seeded; allow at least as many")
        return float(limit)

    def _watch(self, step: Step) -> None:
        if self.verbose:
            print(f"[newfound] iteration {step.iteration}: {step.n_classes} classes, log-likelihood {step.log_likelihood:.6g}")
        if self.max_classes is None and step.opened > MANY:
            warnings.warn(
                f"{step.opened} classes were opened in iteration {step.iteration}; set max_classes, or a stricter criterion",
                ClassExplosionWarning,
                stacklevel=4,
            )
        if self.on_iteration is not None:
            self.on_iteration(step)

    def _finish(self, work: Any, fit: Fit, names: Array, n_seeded: int, labels: Array) -> None:
        """Publish what the loop left behind."""
        self.component_: Component = work.component
        self.statistics_: Statistics = work.stats
        self.parameters_: Parameters = fit.parameters
        self.classes_ = names
        self.is_new_ = np.arange(len(names)) >= n_seeded
        self.labels_ = names[labels]
        self.trail_, self.history_, self.stop_ = fit.trail, fit.history, fit.stop
        self.n_iter_ = len(fit.history)

    def predict(self, X: Any) -> Array:
        """The class of each row; on the rows of the fit, ``labels_`` except for seeds given another label."""
        return np.asarray(self.classes_[self._scan(X)[0].label])

    def predict_proba(self, X: Any) -> Array:
        """The posterior of each row, one column per class."""
        scan, table = self._scan(X, exact=True)
        out = np.empty((len(scan), len(table)))
        for which, block in scan.blocks(table):
            out[which] = block.posteriors
        return out

    def predict_status(self, X: Any, alpha: float = 0.05) -> Array:
        """``"known"`` (a seeded class), ``"new"`` (a discovered one) or ``"abstain"`` (fits none) for each row.

        A row abstains if it fits its best class worse than a share ``alpha`` of the rows of the fit do
        when they are left out of the estimate of their class. So about ``1 - alpha`` of rows like those of
        the fit are answered.
        """
        if not 0 <= alpha < 1:
            raise SettingError(
                f"alpha is the share of rows like those of the fit that may abstain: from 0 up to 1, not {alpha!r}"
            )
        scan, table = self._scan(X, exact=True)
        worst = int(np.floor(alpha * (len(self.calibration_) + 1)))
        bar = self.calibration_[worst - 1] if worst else -np.inf
        status = np.where(self.is_new_[scan.label], "new", "known").astype("<U7")
        status[(scan.fits(table) < bar) | scan.zero] = "abstain"
        return status

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy over the rows whose label is a seeded class."""
        truth, found = np.asarray(y), self.predict(X)
        asked = np.isin(truth, self.classes_[~self.is_new_])
        if not asked.any():
            raise LabelError(
                "no row of y has a seeded class, so there is nothing to score; seeded classes are in classes_[~is_new_]"
            )
        weights = check_weights(sample_weight, len(truth))[asked]
        return float(np.average(truth[asked] == found[asked], weights=weights))

    @property
    def weights_(self) -> Array:
        """The weight of each feature in each class: centroids times prior, log theta, or kappa times mu."""
        check_is_fitted(self)
        table = Table(self.component_, self.statistics_, self.parameters_, np.float64, Pool(1))
        return np.ascontiguousarray(table.weights[:, : len(table)].T)

    def _scan(self, X: Any, exact: bool = False) -> tuple[Scan, Table]:
        check_is_fitted(self)
        rows = self._check_rows(X, reset=False)
        part = Part(np.arange(len(rows)), rows, np.full(len(rows), UNLABELLED), np.ones(len(rows)))
        with threads(self.n_jobs) as pool:
            scan = Scan(part, self.component_)
            dtype = np.float32 if self.component_.score == "linear" and not exact else np.float64
            table = Table(self.component_, self.statistics_, self.parameters_, dtype, pool)
            scan.score(table, None, pool)
        return scan, table

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        model = self.component if isinstance(self.component, Component) else None
        negative = model.negative if model else self.component == "vmf"
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = not negative
        tags.target_tags.required = False
        tags.classifier_tags.poor_score = True  # inner products of raw features, as for scikit-learn's MultinomialNB
        return tags


class ExploreEM(Explorer):
    """Semi-supervised EM that opens classes for rows that fit none: Algorithm 1 of Dalvi, Cohen and Callan (2013).

    >>> import numpy as np
    >>> from newfound import ExploreEM
    >>> X = np.array([[9, 1, 0, 0], [8, 0, 1, 0], [1, 9, 0, 0], [0, 0, 9, 1], [0, 1, 8, 1], [0, 0, 1, 9]])
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
        part, labels = self._begin(X, y, sample_weight)
        seeded = np.unique(labels.codes[labels.codes >= 0])
        return self._explore(part, labels.only(seeded), labels.classes)

    def _explore(self, part: Part, labels: Labels, taken: Array) -> Self:
        n_seeded = len(labels.classes)
        random = check_random_state(self.random_state)
        rules = self._rules(n_seeded, int(random.randint(2**31 - 1)))
        order = random.permutation(len(part)) if self.order == "random" else None
        part = Part(part.ids, part.rows, labels.codes, part.weights)
        scanned = part if order is None else part.shuffled(order)
        extra = self._extra(scanned, n_seeded, random)
        with threads(self.n_jobs) as pool:

            def begin() -> Any:
                return engine(self.engine)(scanned.cut(None), component(self.component), n_seeded, pool)

            rules = measured(rules, begin, n_seeded)
            work = begin()
            if n_seeded == 0 and work.n_rows == 0:
                raise DataError(
                    "every row is all-zero and none is seeded, so there is nothing to learn from; check the features"
                )
            fit = explore(work, n_seeded, rules, extra, on_iteration=self._watch)
            found = work.labels()
            self.calibration_ = work.calibration(work.table(fit.parameters), CALIBRATION_ROWS)
        if order is not None:
            found[order] = found.copy()
        new = new_names(labels.classes, taken, len(fit.parameters) - n_seeded)
        names = np.concatenate([labels.classes, new]) if len(new) else labels.classes
        self._finish(work, fit, names, n_seeded, found)
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
                stacklevel=4,
            )
        return Rules(rule, selection(self.selection), limit, self.max_iter, self.tol, seed)

    def _extra(self, part: Part, n_seeded: int, random: np.random.RandomState) -> Array | None:
        if not self.extra_classes:
            return None
        free = np.flatnonzero((part.seeds == UNLABELLED) & (part.weights > 0) & part.rows.filled())
        if self.extra_classes > len(free):
            raise SettingError(f"extra_classes is {self.extra_classes}, but only {len(free)} unlabelled rows can start a class")
        if n_seeded + self.extra_classes > self._limit(n_seeded):
            raise SettingError(
                f"{n_seeded} seeded and {self.extra_classes} extra classes are more than max_classes={self.max_classes}"
            )
        return np.asarray(random.choice(free, self.extra_classes, replace=False))


class ExploreGibbs(Explorer):
    """The samplers that the paper compares with: seeded Chinese-restaurant Gibbs, plain and exploratory.

    >>> import numpy as np
    >>> from newfound import ExploreGibbs
    >>> X = np.array([[9, 1, 0], [8, 0, 1], [0, 9, 1], [1, 8, 0]] * 5)
    >>> y = np.array([0, -1, 1, -1] + [-1] * 16)
    >>> ExploreGibbs(component="naive-bayes", concentration=0.0, random_state=0).fit(X, y).labels_[:8]
    array([0, 0, 1, 1, 0, 0, 1, 1])

    Parameters
    ----------
    component, max_classes, engine, n_jobs, random_state, verbose, on_iteration : as in ExploreEM
    pick : "crp" or "explore-crp"
        How a row chooses between its classes and a new one.
    concentration : float
        P_new, the probability of a new class.
    n_epochs : int
        Passes over the rows. ``labels_`` are the draws of the last.
    """

    def __init__(
        self,
        component: Any = "kmeans",
        pick: str = "crp",
        concentration: float = 1e-4,
        n_epochs: int = 50,
        max_classes: int | None = None,
        engine: Any = "local",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        on_iteration: Callable[[Step], Any] | None = None,
    ) -> None:
        self.component = component
        self.pick = pick
        self.concentration = concentration
        self.n_epochs = n_epochs
        self.max_classes = max_classes
        self.engine = engine
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.on_iteration = on_iteration

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Draw a class for every row without a seed, ``n_epochs`` times over."""
        part, labels = self._begin(X, y, sample_weight)
        taken, labels = labels.classes, labels.only(np.unique(labels.codes[labels.codes >= 0]))
        n_seeded, model = len(labels.classes), component(self.component)
        if not (isinstance(self.n_epochs, (int, np.integer)) and self.n_epochs >= 1):
            raise SettingError(f"n_epochs must be a whole number of 1 or more, not {self.n_epochs!r}")
        rule, limit = pick(self.pick, model, self.concentration), self._limit(n_seeded)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        part = Part(part.ids, part.rows, labels.codes, part.weights)
        with threads(self.n_jobs) as pool:
            work = engine(self.engine)(part.cut(None), model, n_seeded, pool)
            if n_seeded == 0 and work.n_rows == 0:
                raise DataError(
                    "every row is all-zero and none is seeded, so there is nothing to learn from; check the features"
                )
            fit = sample(work, n_seeded, rule, self.n_epochs, limit, seed, self._watch)
            drawn, table = work.labels(), work.table(fit.parameters)
            self.calibration_ = work.calibration(table, CALIBRATION_ROWS)
            work.score(table, None)
            found = np.where(drawn == UNLABELLED, work.labels(), drawn)
        new = new_names(labels.classes, taken, len(fit.parameters) - n_seeded)
        names = np.concatenate([labels.classes, new]) if len(new) else labels.classes
        self._finish(work, fit, names, n_seeded, found)
        return self


def _warn_of_conflicts(rows: Rows, codes: Array) -> None:
    """One row seeded with two labels is worth a warning: both seeds hold, and blur both classes."""
    seen: dict[bytes, tuple[int, int]] = {}
    for i in np.flatnonzero(codes >= 0).tolist():
        first, last = rows.indptr[i], rows.indptr[i + 1]
        key = rows.data[first:last].tobytes() + (b"" if rows.indices is None else rows.indices[first:last].tobytes())
        row, code = seen.setdefault(key, (i, codes[i]))
        if code != codes[i]:
            warnings.warn(
                f"rows {row} and {i} are the same but carry different labels; both seeds hold, so decide which is right",
                ConflictingSeedsWarning,
                stacklevel=4,
            )
            return
