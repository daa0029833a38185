"""Roots by Brent's method, with a result object and a trace of what each step did.

Source: Brent, "Algorithms for Minimization without Derivatives", chapter 4.
"""

import math
from dataclasses import dataclass, field

import numpy as np


@dataclass
class RootResult:
    root: float = math.nan
    converged: bool = False
    steps: dict = field(default_factory=dict)

    def count(self, kind):
        self.steps[kind] = self.steps.get(kind, 0) + 1


def brent(f, a, b, xtol=1e-12, maxiter=100):
    result = RootResult()
    fa, fb = f(a), f(b)
    if fa * fb > 0:
        raise ValueError("f(a) and f(b) must have different signs")
    if abs(fa) < abs(fb):
        a, b, fa, fb = b, a, fb, fa
    c, fc = a, fa
    mflag = True
    d = c
    for _ in range(maxiter):
        if fb == 0 or abs(b - a) < xtol:
            result.root, result.converged = b, True
            return result
        if fa != fc and fb != fc:
            s = (
                a * fb * fc / ((fa - fb) * (fa - fc))
                + b * fa * fc / ((fb - fa) * (fb - fc))
                + c * fa * fb / ((fc - fa) * (fc - fb))
            )
            kind = "quadratic"
        else:
            s = b - fb * (b - a) / (fb - fa)
            kind = "secant"
        lo, hi = sorted(((3 * a + b) / 4, b))
        if (
            not lo < s < hi
            or (mflag and abs(s - b) >= abs(b - c) / 2)
            or (not mflag and abs(s - b) >= abs(c - d) / 2)
            or (mflag and abs(b - c) < xtol)
        ):
            s = (a + b) / 2
            mflag = True
            kind = "bisection"
        else:
            mflag = False
        result.count(kind)
        fs = f(s)
        d, c, fc = c, b, fb
        if fa * fs < 0:
            b, fb = s, fs
        else:
            a, fa = s, fs
        if abs(fa) < abs(fb):
            a, b, fa, fb = b, a, fb, fa
    return result


def program(coefficients, brackets):
    def polynomial(x):
        y = 0.0
        for c in coefficients:
            y = y * x + c
        return y

    results = []
    failed = 0
    for a, b in brackets:
        try:
            results.append(brent(polynomial, float(a), float(b)))
        except ValueError:
            failed += 1
    roots = [r.root for r in results if r.converged]
    return roots, failed, [r.steps for r in results]


def arguments(size):
    edges = np.linspace(-3.1, 3.3, size + 1)
    return np.array([1.0, 0.0, -7.0, 1.0, 2.0]), np.column_stack([edges[:-1], edges[1:]])
