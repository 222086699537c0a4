"""ExploreGibbs as a scikit-learn estimator."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state

from newfound.components import component
from newfound.data import UNLABELLED
from newfound.errors import SettingError
from newfound.estimators.base import Explorer
from newfound.execution import engine, threads
from newfound.gibbs import pick, sample
from newfound.records import Step


class ExploreGibbs(Explorer):
    """The samplers that the paper compares with: seeded Chinese-restaurant Gibbs, plain and exploratory.

    >>> import numpy as np
    >>> from newfound import ExploreGibbs
    >>> X = np.array([[9, 1, 0], [8, 0, 1], [0, 9, 1], [1, 8, 0], [0, 1, 9]])
    >>> y = np.array([0, 0, 1, 1, -1])
    >>> ExploreGibbs(component="naive-bayes", concentration=0.01, random_state=0).fit(X, y).labels_
    array([0, 0, 1, 1, 2])

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
        began, model = self._begin(X, y, sample_weight), component(self.component)
        if not (isinstance(self.n_epochs, (int, np.integer)) and self.n_epochs >= 1):
            raise SettingError(f"n_epochs must be a whole number of 1 or more, not {self.n_epochs!r}")
        rule, limit = pick(self.pick, model, self.concentration), self._limit(began.n_classes)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        with threads(self.n_jobs) as pool:
            work = engine(self.engine)(began.part, model, began.n_classes, pool)
            fit = sample(work, began.n_classes, rule, self.n_epochs, limit, seed, self._watch)
            drawn = work.labels()
            work.score(work.table(fit.parameters), None)
            self._finish(began, work, fit, np.where(drawn == UNLABELLED, work.labels(), drawn))
        return self
