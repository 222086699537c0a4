"""The normaliser of the von Mises-Fisher density, against mpmath, from 2 to a million dimensions."""

import mpmath
import numpy as np
import pytest

from newfound.components.vmf import log_normaliser

DIMENSIONS = [2, 3, 4, 5, 10, 50, 79, 80, 81, 82, 83, 84, 100, 384, 1000, 61188, 10**6]
CONCENTRATIONS = [10.0**e for e in (-3, -2, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8)]


def reference(d, kappa):
    """log C_d by whichever expansion of I_v converges to 25 digits there, each written from its definition."""
    with mpmath.workdps(40):
        v, k = mpmath.mpf(d) / 2 - 1, mpmath.mpf(kappa)
        if kappa**2 < 2e5 * (float(v) + 1):
            log_bessel = power_series(v, k)
        elif float(v) ** 2 < 10 * kappa:
            log_bessel = hankel(v, k)
        else:
            log_bessel = debye(v, k)
        return float(v * mpmath.log(k) - mpmath.mpf(d) / 2 * mpmath.log(2 * mpmath.pi) - log_bessel)


def power_series(v, k):
    term = total = mpmath.mpf(1)
    n = 0
    while term > total * mpmath.mpf(10) ** -30:
        n += 1
        term *= k * k / 4 / (n * (v + n))
        total += term
    return v * mpmath.log(k / 2) - mpmath.loggamma(v + 1) + mpmath.log(total)


def hankel(v, k):
    term = total = mpmath.mpf(1)
    for n in range(1, 60):
        term *= -(4 * v * v - (2 * n - 1) ** 2) / (n * 8 * k)
        total += term
        if abs(term) < mpmath.mpf(10) ** -30:
            break
    return k - mpmath.log(2 * mpmath.pi * k) / 2 + mpmath.log(total)


def debye(v, k):
    """Uniform expansion with the polynomials u_n from their recurrence (DLMF 10.41.9), to 12 terms."""
    root = mpmath.sqrt(v * v + k * k)
    p = v / root
    u, total = [mpmath.mpf(1)], mpmath.mpf(1)
    for n in range(1, 13):
        derivative = [i * c for i, c in enumerate(u)][1:]
        new = [mpmath.mpf(0)] * (len(u) + 3)
        for i, c in enumerate(derivative):
            new[i + 2] += c / 2
            new[i + 4] -= c / 2
        for i, c in enumerate(u):
            new[i + 1] += c / (8 * (i + 1))
            new[i + 3] -= 5 * c / (8 * (i + 3))
        u = new
        total += sum(c * p**i for i, c in enumerate(u)) / v**n
    eta = root + v * mpmath.log(k / (v + root))
    return eta - mpmath.log(2 * mpmath.pi * root) / 2 + mpmath.log(total)


@pytest.mark.parametrize("d", DIMENSIONS)
def test_within_the_bound_of_mpmath(d):
    ours = log_normaliser(d, np.array(CONCENTRATIONS))
    for kappa, value in zip(CONCENTRATIONS, ours, strict=True):
        expected = reference(d, kappa)
        bound = 1e-10 * max(1, abs(expected), d / 2 * abs(np.log(kappa)))
        assert abs(value - expected) <= bound, (d, kappa)


@pytest.mark.parametrize(("d", "kappa"), [(84, 30.0), (200, 500.0), (384, 3000.0), (1000, 1e4)])
def test_the_references_agree_with_mpmaths_own_function(d, kappa):
    with mpmath.workdps(30):
        v, k = mpmath.mpf(d) / 2 - 1, mpmath.mpf(kappa)
        own = float(v * mpmath.log(k) - mpmath.mpf(d) / 2 * mpmath.log(2 * mpmath.pi) - mpmath.log(mpmath.besseli(v, k)))
    assert reference(d, kappa) == pytest.approx(own, rel=1e-14)


def test_no_concentration_is_the_uniform_density():
    for d, area in ((2, 2 * np.pi), (3, 4 * np.pi), (4, 2 * np.pi**2)):
        assert log_normaliser(d, np.array([0.0]))[0] == pytest.approx(-np.log(area))
        assert log_normaliser(d, np.array([1e-8]))[0] == pytest.approx(-np.log(area))


def test_the_density_integrates_to_one_on_the_circle():
    angles = np.linspace(-np.pi, np.pi, 20001)
    for kappa in (0.1, 3.0, 50.0):
        density = np.exp(log_normaliser(2, np.array([kappa]))[0] + kappa * np.cos(angles))
        assert np.trapezoid(density, angles) == pytest.approx(1)
