"""What the estimators share: checks at the door, names for the classes, and answers for new rows."""

import hashlib
import warnings
from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from newfound.components import COMPONENTS, Component, Parameters, Statistics, component
from newfound.criteria import Block, criterion
from newfound.data import UNLABELLED, Labels, check_weights, new_names
from newfound.errors import ConflictingSeedsWarning, DataError, LabelError, SettingError
from newfound.execution import Needs, Pool, Scan, Table, fits, table_dtype, threads
from newfound.parts import Part, Rows
from newfound.records import Fit, Opening, Step

Array = NDArray[Any]

CALIBRATION_ROWS = 10_000
"""Rows whose fit is kept, to tell how badly a row must fit to be one that abstains."""


@dataclass(frozen=True)
class Beginning:
    """What a fit starts from: the rows, the names of the classes there are, and what earlier batches left."""

    part: Part
    seeded: Array
    new: Array
    taken: Array
    past: Statistics | None = None
    trail: tuple[Opening, ...] = ()

    @property
    def n_classes(self) -> int:
        """Classes before the first pass."""
        return len(self.seeded) + len(self.new)

    def names(self, n_classes: int) -> Array:
        """The names of all classes, those opened since included."""
        opened = new_names(self.seeded, self.taken, n_classes - self.n_classes)
        filled = [part for part in (self.seeded, self.new, opened) if len(part)]
        return np.concatenate(filled) if filled else self.seeded


class Answers(NamedTuple):
    """What is said of each row: the number of its class in ``classes_``, how probable that is, the class that comes next
    (-1 where there is but one), the status, and how well the row fits its class.
    """

    label: Array
    probability: Array
    other: Array
    other_probability: Array
    status: Array
    fit: Array


class Explorer(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What ExploreEM and ExploreGibbs share: labels in, a run of the loop, predictions out."""

    def _begin(self, X: Any, y: Any, sample_weight: Any) -> Beginning:
        """Check all that comes in for a first fit."""
        rows = self._check_rows(X, reset=True)
        labels, weights = self._check_labels(rows, y, sample_weight)
        check_width(component(self.component), rows.n_features)
        codes = np.where(weights > 0, labels.codes, UNLABELLED)
        seeded = labels.only(np.unique(codes[codes >= 0]))
        codes = np.where(weights > 0, seeded.codes, UNLABELLED).astype(np.int32)
        if not (codes >= 0).any() and not (rows.filled() & (weights > 0)).any():
            raise DataError("every row is all-zero or has weight 0, and none is seeded: there is nothing to learn from")
        warn_of_conflicts([rows], codes)
        part = Part(np.arange(len(rows)), rows, codes, weights)
        return Beginning(part, seeded.classes, seeded.classes[:0], labels.classes)

    def _check_rows(self, X: Any, reset: bool) -> Rows:
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=None, ensure_all_finite=False)
        if X.dtype.kind not in "biuf":
            X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False)
        if X.dtype.itemsize not in (4, 8) and X.dtype.kind == "f":
            X = X.astype(np.float32 if X.dtype.itemsize < 4 else np.float64)
        return Rows.of(X)

    def _check_labels(self, rows: Sized, y: Any, sample_weight: Any) -> tuple[Labels, Array]:
        labels = Labels.of(np.full(len(rows), UNLABELLED) if y is None else y)
        if len(labels.codes) != len(rows):
            raise LabelError(
                f"y has {len(labels.codes)} rows, X has {len(rows)}; mark unlabelled rows with -1 instead of dropping them"
            )
        return labels, check_weights(sample_weight, len(rows))

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``component__smoothing`` and the like also where the component was given by name."""
        for part, make in (("component", component), ("criterion", criterion)):
            if isinstance(getattr(self, part, None), str) and any(name.startswith(f"{part}__") for name in params):
                setattr(self, part, make(getattr(self, part)))
        return super().set_params(**params)  # type: ignore[no-any-return]

    def _limit(self, n_classes: int) -> float:
        limit = self.max_classes
        if limit is None:
            return np.inf
        if not limit >= max(n_classes, 1):
            raise SettingError(f"max_classes is {limit}, but {n_classes} classes are seeded; allow at least as many")
        return float(limit)

    def _watch(self, step: Step) -> None:
        if self.verbose:
            print(f"[newfound] iteration {step.iteration}: {step.n_classes} classes, log-likelihood {step.log_likelihood:.6g}")
        if self.on_iteration is not None:
            self.on_iteration(step)

    def _finish(self, began: Beginning, work: Any, fit: Fit, labels: Array) -> None:
        """Publish what the loop left behind."""
        if len(fit.parameters) == 0:
            raise SettingError(
                "no row is seeded and none opened a class, so there are no classes; seed some, or give a criterion"
            )
        self.component_: Component = work.component
        self.statistics_: Statistics = work.stats
        self.parameters_: Parameters = fit.parameters
        self.calibration_ = work.calibration(work.table(fit.parameters), CALIBRATION_ROWS)
        self.classes_ = began.names(len(fit.parameters))
        self.is_new_ = np.arange(len(self.classes_)) >= len(began.seeded)
        self.labels_ = self.classes_[labels]
        self.trail_, self.history_, self.stop_ = fit.trail, fit.history, fit.stop
        self.n_iter_ = len(fit.history)

    def predict(self, X: Any) -> Array:
        """The class of each row. On the rows of the fit it is ``labels_``, but for seeds, which keep the label given."""
        scan, _ = self._scan(X)
        return np.asarray(self.classes_[scan.label])

    def predict_proba(self, X: Any) -> Array:
        """The posterior of each row, one column per class."""
        scan, table = self._scan(X, "posteriors")
        out = np.empty((len(scan), len(table)))
        for which, block in scan.blocks(table):
            out[which] = self._posteriors(block)
        return out

    def predict_status(self, X: Any, alpha: float = 0.05) -> Array:
        """``"known"`` (a seeded class), ``"new"`` (a discovered one) or ``"abstain"`` (fits none) for each row.

        A row abstains if it fits its best class worse than a share ``alpha`` of the rows of the fit do
        when they are left out of the estimate of their class. So about ``1 - alpha`` of rows like those of
        the fit are answered.
        """
        scan, table = self._scan(X, "posteriors")
        return self._status(scan, fits(scan, table), alpha)

    def answer(self, X: Any, alpha: float = 0.05) -> Answers:
        """All that the other methods say of each row, from one reading, and the class that comes next."""
        scan, table = self._scan(X, "posteriors")
        other, chance = np.full(len(scan), -1), np.zeros((2, len(scan)))
        for which, block in scan.blocks(table):
            posterior, rows = np.array(self._posteriors(block)), np.arange(len(which))
            chance[0, which] = posterior[rows, scan.label[which]]
            posterior[rows, scan.label[which]] = -1.0
            if len(table) > 1:
                other[which] = posterior.argmax(axis=1)
                chance[1, which] = posterior[rows, other[which]]
        fit = np.asarray(fits(scan, table))
        return Answers(scan.label.astype(np.int64), chance[0], other, chance[1], self._status(scan, fit, alpha), fit)

    def _status(self, scan: Scan, fit: Array, alpha: float) -> Array:
        if not 0 <= alpha < 1:
            raise SettingError(f"alpha, the share of rows that may abstain, must be at least 0 and below 1, not {alpha!r}")
        worst = int(np.floor(alpha * (len(self.calibration_) + 1)))
        bar = self.calibration_[worst - 1] if worst else -np.inf
        status = np.where(self.is_new_[scan.label], "new", "known").astype("<U7")
        status[(fit < bar) | scan.zero] = "abstain"
        return status

    def score_samples(self, X: Any) -> Array:
        """How well each row fits the class it is given, whatever the size of that class: low for what fits none."""
        return np.asarray(fits(*self._scan(X, "posteriors")))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy over the rows whose label is a seeded class."""
        truth, found = np.asarray(y), self.predict(X)
        asked = np.isin(truth, self.classes_[~self.is_new_])
        if not asked.any():
            raise LabelError("no row of y has a seeded class, so there is nothing to score; they are classes_[~is_new_]")
        weights = check_weights(sample_weight, len(truth))[asked]
        return float(np.average(truth[asked] == found[asked], weights=weights))

    @property
    def weights_(self) -> Array:
        """The weight of each feature in each class: prior times centroid, log theta, or kappa times mu."""
        check_is_fitted(self)
        table = Table(self.component_, self.statistics_, self.parameters_, np.float64, Pool(1))
        return np.ascontiguousarray(table.weights[:, : len(table)].T)

    def _scan(self, X: Any, needs: Needs = "likelihood") -> tuple[Scan, Table]:
        check_is_fitted(self)
        with threads(self.n_jobs) as pool:
            rows = self._seen(X, pool)
            part = Part(np.arange(len(rows)), rows, np.full(len(rows), UNLABELLED, np.int32), np.ones(len(rows)))
            scan = Scan(part, self.component_)
            dtype = table_dtype(self.component_, self.parameters_, needs, rows)
            table = Table(self.component_, self.statistics_, self.parameters_, dtype, pool)
            scan.score(table, None, pool)
        return scan, table

    def _seen(self, X: Any, pool: Pool) -> Rows:
        """The rows as the model sees them."""
        return self._check_rows(X, reset=False)

    def _posteriors(self, block: Block) -> Array:
        """The probabilities of the classes that rows with these scores are given."""
        return block.posteriors

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        given = getattr(self, "component", "vmf")
        model = COMPONENTS.get(given) if isinstance(given, str) else given
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = not getattr(model, "negative", True)
        tags.target_tags.required = False
        tags.classifier_tags.poor_score = True  # inner products of raw features, as for scikit-learn's MultinomialNB
        return tags


def check_width(model: Component, n_features: int) -> None:
    """Refuse rows with fewer features than the component can take."""
    if n_features < model.min_features:
        raise DataError(
            f"{type(model).__name__} needs at least {model.min_features} features, "
            f"but X has n_features = {n_features} feature(s)"
        )


def warn_of_conflicts(sides: Sequence[Rows], codes: Array) -> None:
    """One row (of matrices side by side) seeded with two labels is worth a warning: both seeds hold, and blur both classes."""
    seen: dict[bytes, tuple[int, int]] = {}
    for i in np.flatnonzero(codes >= 0).tolist():
        digest = hashlib.blake2b(digest_size=16)
        for rows in sides:
            first, last = rows.indptr[i], rows.indptr[i + 1]
            digest.update(rows.data[first:last].tobytes())
            digest.update(b"" if rows.indices is None else rows.indices[first:last].tobytes())
        row, code = seen.setdefault(digest.digest(), (i, codes[i]))
        if code != codes[i]:
            warnings.warn(
                f"rows {row} and {i} are the same but carry different labels (rows count from 0); both hold: decide which",
                ConflictingSeedsWarning,
                stacklevel=5,
            )
            return
