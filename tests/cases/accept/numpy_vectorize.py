"""``np.vectorize``: a function of numbers, called for each element."""

from __future__ import annotations

import math

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5])
M = np.arange(6.0).reshape(2, 3) - 2
K = np.array([3, 1, 7])


@np.vectorize
def _collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


_log_gamma = np.vectorize(math.lgamma)


@np.vectorize(excluded=["coefficients"])
def _at(x, coefficients):
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


@case((K,), (K[:1],), (K.reshape(1, 3, 1),))
def steps_of_numbers(k):
    return _collatz(k), _collatz(27)


@case((X + 2,), (M + 3,), (np.asfortranarray(M) + 3,), (X[:0],))
def function_of_the_library(x):
    return np.vectorize(math.gamma, otypes=[float])(x), _log_gamma(x)


@case((X, np.array([2.0, 1.0, 3.0])))
def one_argument_as_it_is(x: f64["n"], c: f64["k"]):
    return _at(x, c), _at(x=x, coefficients=c), _at(2.0, coefficients=c)


# The first result says what type the others get; it is called twice for the first element.
@case((X,), (M,), (M[:, ::-1],), (M.T,), (X[:0],))
def calls_are_counted(x):
    seen = []

    def half(a, least=-1):
        seen.append(a)
        return a / 2 if a > least else least

    @np.vectorize
    def whole(a):
        seen.append(a)
        return int(a) if a > 0 else a

    return np.vectorize(half)(x), whole(x), np.vectorize(half, cache=True)(x, -2), seen


# As many results as the function gives, of arguments that stretch.
@case((M, K), (np.asfortranarray(M), K), (M[::-1], K * 2))
def several_results(m: f64["m", "n"], k: i64["n"]):
    both = np.vectorize(lambda a, b: (a * b, a > b))(m, k)
    return both, np.vectorize(divmod, otypes="fd")(m, k), np.vectorize(lambda a: a + 1)([1, 2, 3])


# What does not fit the type that was told.
@case(("b", 300), ("i", 2.5), ("d", 2), ("?", 0.5), ("e", 1e6))
def into_a_type(code, value):
    return np.vectorize(lambda a: value, otypes=code)(np.zeros(2))


@case((X, K))
def arguments_that_do_not_fit(x: f64["n"], k: i64["k"]):
    return np.vectorize(lambda a, b: a + b)(x, k)
