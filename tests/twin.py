"""The slow, obvious twin: the paper's algorithms in plain Python, one row and one class at a time.

Written from the paper's text and the pins of the design, not from the package: floats instead of fixed point,
lists instead of tables, no blocks, no shortcuts. It shares nothing with the package but the numbers
of ``uniforms``, so that draws can be compared one by one.
"""

import math
from dataclasses import dataclass, field

import mpmath

TIE = 1e-9

UNSURE = []
"""What float64 cannot decide: with concentrations near the cap of 1e8 the rounding of a score is larger than a tie."""


def beyond(gap, scale):
    """Whether ``gap`` is above 0, noting it where rounding could say otherwise."""
    if 0 < abs(gap) < 3e-15 * scale:
        UNSURE.append((gap, scale))
    return gap > 0


def dot(x, w):
    return math.fsum(a * b for a, b in zip(x, w, strict=True))


def log_c(d, kappa):
    """The von Mises-Fisher normaliser, by mpmath."""
    with mpmath.workdps(30):
        half = mpmath.mpf(d) / 2
        if kappa == 0:
            return float(mpmath.loggamma(half) - mpmath.log(2) - half * mpmath.log(mpmath.pi))
        k = mpmath.mpf(kappa)
        if kappa > 1e5:  # Hankel's expansion, exact to 20 digits there
            mu, term, total, n = 4 * (half - 1) ** 2, mpmath.mpf(1), mpmath.mpf(1), 0
            while n < 30:
                n += 1
                term = -term * (mu - (2 * n - 1) ** 2) / (n * 8 * k)
                total += term
            bessel = k - mpmath.log(2 * mpmath.pi * k) / 2 + mpmath.log(total)
        else:
            bessel = mpmath.log(mpmath.besseli(half - 1, k))
        return float((half - 1) * mpmath.log(k) - half * mpmath.log(2 * mpmath.pi) - bessel)


def log_sum(values):
    top = max(values)
    return top + math.log(math.fsum(math.exp(v - top) for v in values))


@dataclass
class Class:
    """Parameters of one class: what a row is multiplied with, what is added, and the prior."""

    weights: list
    offset: float
    prior: float
    rows: float = 0.0


class KMeans:
    linear = True

    def __init__(self, smoothing=1e-4, prior="uniform"):
        self.smoothing, self.prior = smoothing, prior

    def enter(self, x):
        total = sum(abs(v) for v in x)
        return [v / total for v in x] if total else list(x)

    def share(self, rows, sums, d):
        return 0.0

    def fit(self, rows, sums, prior, shared):
        total = math.fsum(sums) + self.smoothing * len(sums)
        return Class([(s + self.smoothing) / total for s in sums], 0.0, prior, rows)

    def score(self, c, x):
        """The probability of the row, as the paper has it."""
        return dot(x, c.weights)

    def n_parameters(self, m, d):
        return m * (d - 1) + m - 1


class NaiveBayes(KMeans):
    linear = False

    def __init__(self, alpha=0.01, prior="empirical"):
        self.alpha, self.prior = alpha, prior

    def enter(self, x):
        return list(x)

    def fit(self, rows, sums, prior, shared):
        total = math.fsum(sums) + self.alpha * len(sums)
        return Class([math.log((s + self.alpha) / total) for s in sums], 0.0, prior, rows)


class VMF(KMeans):
    linear = False

    def __init__(self, concentration="shared", prior="empirical"):
        self.concentration, self.prior = concentration, prior

    def enter(self, x):
        length = math.sqrt(math.fsum(v * v for v in x))
        return [v / length for v in x] if length else list(x)

    def share(self, rows, sums, d):
        lengths = [math.sqrt(math.fsum(v * v for v in s)) for s in sums]
        return self.kappa(math.fsum(lengths) / math.fsum(rows), d)

    @staticmethod
    def kappa(r, d):
        r = min(r, 1.0)
        return 1e8 if (1 - r) * (1 + r) <= 0 else min(1e8, (r * d - r**3) / ((1 - r) * (1 + r)))

    def fit(self, rows, sums, prior, shared):
        d, length = len(sums), math.sqrt(math.fsum(v * v for v in sums))
        if length == 0:
            return Class([0.0] * d, log_c(d, 0.0), prior, rows)
        kappa = self.kappa(length / rows, d) if self.concentration == "per-class" and rows > 1 else shared
        return Class([kappa * v / length for v in sums], log_c(d, kappa), prior, rows)

    def n_parameters(self, m, d):
        return super().n_parameters(m, d) + (1 if self.concentration == "shared" else m)


def joint(model, classes, x):
    """prior * P(x | C) for each class, or its log; for an all-zero row the prior alone."""
    if not any(x):
        return [c.prior if model.linear else math.log(c.prior) for c in classes]
    if model.linear:
        return [c.prior * model.score(c, x) for c in classes]
    return [model.score(c, x) + c.offset + math.log(c.prior) for c in classes]


def posterior(model, classes, x):
    scores = joint(model, classes, x)
    if not model.linear:
        top = max(scores)
        scores = [math.exp(s - top) for s in scores]
    total = math.fsum(scores)
    return [s / total for s in scores]


def size(model, classes):
    """How large the terms are that make up a score."""
    return max(1.0, max(abs(c.offset) for c in classes), max(abs(w) for c in classes for w in c.weights))


def tie(model, classes):
    """Scores this close are tied. Sums of terms of 1e8 cannot tell 1e-9: what float64 blurs counts as tied."""
    return TIE if model.linear else max(TIE, 16 * 2.0**-52 * max(abs(c.offset) for c in classes))


def winner(model, classes, x):
    scores = joint(model, classes, x)
    top = max(scores)
    bar = top * (1 - TIE) if model.linear else top - tie(model, classes)
    scale = top if model.linear else size(model, classes)
    best = scores.index(top)
    return [j for j, s in enumerate(scores) if j == best or not beyond(bar - s, scale)][0]  # noqa: RUF015 - look at all


def js(p):
    """Jensen-Shannon divergence from uniform, term by term from its definition."""
    k, total = len(p), 0.0
    for q in p:
        m = (q + 1 / k) / 2
        total += 0.5 * (1 / k) * math.log(1 / k / m) + (0.5 * q * math.log(q / m) if q > 0 else 0.0)
    return total


def minmax_fires(model, classes, x, at, ratio=2.0):
    scores = joint(model, classes, x)
    if model.linear:
        return beyond(ratio * (1 - TIE) * min(scores) - max(scores), max(scores))
    return len(scores) == 1 or beyond(math.log(ratio) - tie(model, classes) - (max(scores) - min(scores)), size(model, classes))


def js_fires(model, classes, x, at):
    p = posterior(model, classes, x)
    return beyond(1 - TIE - js(p) * len(p), len(p) if model.linear else len(p) * size(model, classes))


def likelihood(model, classes, rows, weights):
    if not classes:
        return -math.inf
    total = math.fsum(c.prior for c in classes)
    terms = []
    for x, w in zip(rows, weights, strict=True):
        if any(x) and w > 0:
            scores = joint(model, classes, x)
            evidence = math.log(math.fsum(scores)) if model.linear else log_sum(scores)
            terms.append(w * (evidence - math.log(total)))
    return math.fsum(terms)


def penalised(selection, L, v, n):
    if selection is None:
        return -2 * L
    if selection == "bic":
        return -2 * L + v * math.log(n) if n > 0 else -2 * L
    aic = -2 * L + 2 * v
    if selection == "aic":
        return aic
    return math.inf if abs(n - v - 1) <= 1e-9 * n else aic + 2 * v * (v + 1) / (n - v - 1)


@dataclass
class Result:
    labels: list
    classes: list
    trail: list
    likelihoods: list = field(default_factory=list)
    reason: str = "max_iter"
    can_add: bool = True
    sums: list = field(default_factory=list)


def statistics(rows, weights, labels, m, d):
    """Weight and sum of the rows of each class."""
    count = [math.fsum(w for w, c in zip(weights, labels, strict=True) if c == j) for j in range(m)]
    sums = [
        [math.fsum(w * x[f] for x, w, c in zip(rows, weights, labels, strict=True) if c == j) for f in range(d)]
        for j in range(m)
    ]
    return count, sums


def maximise(model, rows, weights, labels, m, d):
    count, sums = statistics(rows, weights, labels, m, d)
    total = math.fsum(count)
    shared = model.share(count, sums, d) if m else 0.0
    priors = [1 / m if model.prior == "uniform" else (c + 1) / (total + m) for c in count]
    return [model.fit(c, s, p, shared) for c, s, p in zip(count, sums, priors, strict=True)], shared


def open_class(model, base, shared, x, d):
    prior = math.fsum(c.prior for c in base) / len(base) if base else 1.0
    if not base:
        shared = model.share([1.0], [x], d)
    return model.fit(1.0, x, prior, shared)


def explore(
    model, X, y, weights=None, fires=minmax_fires, selection="aicc", extra=(), max_classes=math.inf, max_iter=50, tol=1e-4
):
    """ExploreEM. ``fires`` is asked with the model, the classes, the row, and the iteration and number of the row."""
    d = len(X[0])
    weights = [1.0] * len(X) if weights is None else weights
    X = [model.enter(x) for x in X]
    y = [c if w > 0 else -1 for c, w in zip(y, weights, strict=True)]
    k = max(y, default=-1) + 1
    n = math.fsum(w for x, w in zip(X, weights, strict=True) if any(x))
    assigned = list(y)
    classes, shared = maximise(model, X, weights, assigned, k, d)
    trail = []
    if extra:
        started = [open_class(model, classes, shared, X[i], d) for i in extra]
        trail = [[0, i, posterior(model, classes, X[i]) if classes else [], math.nan, math.nan] for i in extra]
        classes = classes + started
        total = math.fsum(c.prior for c in classes)
        classes = [Class(c.weights, c.offset, c.prior / total, c.rows) for c in classes]
    result = Result([], classes, trail)
    L, last, can_add, seen = likelihood(model, classes, X, weights), math.inf, True, set()
    for iteration in range(1, max_iter + 1):
        before_classes = len(classes)
        base, opened, labels, new_trail = list(classes), [], [], []
        for i, x in enumerate(X):
            now = base + opened
            if y[i] >= 0:
                labels.append(y[i])
                continue
            may_open = any(x) and weights[i] > 0 and can_add and len(now) < max_classes and fires is not None
            if may_open and (not now or fires(model, now, x, (iteration, i))):
                new_trail.append([iteration, i, posterior(model, now, x) if now else []])
                opened.append(open_class(model, base, shared, x, d))
                labels.append(len(now))
                continue
            labels.append(winner(model, now, x) if now else -1)
        if opened:
            old = penalised(selection, L, model.n_parameters(len(base), d), n)
            new = penalised(
                selection, likelihood(model, base + opened, X, weights), model.n_parameters(len(base + opened), d), n
            )
            noise = 1e-12 * abs(old) if math.isfinite(old) else 0.0
            if math.isfinite(old) and math.isfinite(new):
                beyond(old - noise - new, n * size(model, base + opened))
            if selection is None or not base or new < old - noise:
                classes = base + opened
                result.trail += [[*t, old, new] for t in new_trail]
            else:
                can_add = False
                labels = [c if c >= 0 else winner(model, base, x) for c, x in zip(y, X, strict=True)]
        labels = [c if w > 0 else -1 for c, w in zip(labels, weights, strict=True)]
        alive = [j for j in range(len(classes)) if j < k or any(c == j for c in labels)]
        result.trail = [result.trail[j - k] for j in alive if j >= k]
        labels = [alive.index(c) if c in alive else -1 for c in labels]
        classes, shared = maximise(model, X, weights, labels, len(alive), d)
        L = likelihood(model, classes, X, weights)
        result.likelihoods.append(L)
        state = (tuple(labels), len(classes))
        if tol > 0 and math.isfinite(last):
            beyond(tol * abs(last) - abs(L - last), n * size(model, classes))
        if tol > 0 and len(classes) == before_classes and math.isfinite(last) and abs(L - last) <= tol * abs(last):
            result.reason = "converged"
            break
        if tol > 0 and state in seen:
            result.reason = "cycle"
            break
        seen.add(state)
        last = L
    result.classes, result.can_add = classes, can_add
    result.labels = [c if c >= 0 else winner(model, classes, x) for c, x in zip(y, X, strict=True)]
    result.sums = statistics(X, weights, labels, len(classes), d)[1]
    return result


def gibbs(model, X, y, pick, p_new, n_epochs, coin, weights=None, max_classes=math.inf):
    """Block Gibbs. ``coin(stream, row)`` is the number that decides; stream 0 starts the labels."""
    d = len(X[0])
    weights = [1.0] * len(X) if weights is None else weights
    X = [model.enter(x) for x in X]
    k, n = max(y, default=-1) + 1, math.fsum(weights)
    labels = [c if c >= 0 else (int(coin(0, i) * k) if k else -1) for i, c in enumerate(y)]
    m = k
    for epoch in range(1, n_epochs + 1):
        base, shared = maximise(model, X, weights, labels, m, d)
        count = statistics(X, weights, labels, m, d)[0]
        opened, drawn = [], []
        for i, x in enumerate(X):
            now = base + opened
            if y[i] >= 0:
                drawn.append(y[i])
                continue
            may_open = any(x) and weights[i] > 0 and len(now) < max_classes
            u = coin(epoch, i)
            if not now:
                choice = 0 if may_open else -1
            else:
                shares = transition(model, now, count + [1.0] * len(opened), n, x, pick, p_new, may_open, d)
                choice = draw(shares, u, pick)
            if choice == len(now):
                opened.append(open_class(model, base, shared, x, d))
            drawn.append(choice)
        alive = [
            j for j in range(m + len(opened)) if j < k or any(c == j and w > 0 for c, w in zip(drawn, weights, strict=True))
        ]
        labels = [alive.index(c) if c in alive else -1 for c in drawn]
        m = len(alive)
    return labels


def transition(model, classes, count, n, x, pick, p_new, may_open, d):
    """The probability of each class, and last that of a new one."""
    if pick == "crp":
        zero = not any(x)
        logs = []
        for c, rows in zip(classes, count, strict=True):
            share = (1 - p_new) * rows / n
            p = 0.0 if zero else (math.log(model.score(c, x)) if model.linear else model.score(c, x) + c.offset)
            logs.append(math.log(share) + p if share > 0 else -math.inf)
        empty = model.fit(0.0, [0.0] * d, 1.0, 0.0)
        p = math.log(model.score(empty, x)) if model.linear and not zero else model.score(empty, x) + empty.offset
        logs.append(math.log(p_new) + p if may_open and p_new > 0 else -math.inf)
        top = max(logs)
        weights = [math.exp(v - top) for v in logs]
        return [w / math.fsum(weights) for w in weights]
    p = posterior(model, classes, x)
    distance = js(p)
    q = 0.0 if p_new == 0 or not may_open else (1.0 if distance <= 0 else min(1.0, p_new / (len(p) * distance)))
    return [(1 - q) * v for v in p] + [q]


def draw(shares, u, pick):
    """Class by class; in the exploratory sampler the coin for a new class comes first."""
    if pick == "explore-crp":
        if u < shares[-1]:
            return len(shares) - 1
        u -= shares[-1]
        shares = shares[:-1]
    at = 0.0
    for j, p in enumerate(shares):
        at += p
        if u < at:
            return j
    return max(j for j, p in enumerate(shares) if p > 0)
