"""``break`` in a ``while``: what is known after it, of numbers and arrays, and in inner loops."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def smallest_divisor(n):
    d, tries = 2, 0
    while d * d <= n:
        tries += 1
        if n % d == 0:
            break
        d += 1
    return d, tries


def with_else(n):
    d = 2
    while d * d <= n:
        if n % d == 0:
            found = d
            break
        d += 1
    else:
        found = -1
    return found, d


def two_ways_out(n):
    a, b = n, 1
    while True:
        a -= b
        if a < 0:
            break
        b += 2
        if a == 7:
            a = 100
            break
        if a % 5 == 3:
            continue
        b += 1
    return a, b


def primes(n):
    count, steps = 0, 0
    for i in range(2, n % 300):
        j, prime = 2, True
        while j * j <= i:
            steps += 1
            if i % j == 0:
                prime = False
                steps += 10
                break
            j += 1
        if prime:
            count += 1
    return count, steps


def digits(n):
    k, seen, last = n, 0, -1
    for position in range(20):
        last = position
        if k == 0:
            seen += 100
            break
        seen += k % 10
        k //= 10
    return seen, last, k


def within(n):
    total, last = 0, 0.5
    for i in range(n % 50):
        k = i
        while k > 0:
            j = 0
            while j < k:
                if (i + j) % 7 == 3:
                    break
                j += 1
            total += j
            if total > 200:
                last = total / 2
                break
            k -= 1
    return total, last


def of_elements(n):
    x = np.arange(n % 60) * 7 % 11
    i = 0
    while i < len(x):
        x[i] += 1
        if x[i] == 9:
            x[i] = -1
            break
        i += 1
    return x, i


def of_arrays(n):
    """The array that is carried is another one in each round."""
    x, k = np.ones(3), 0
    while k < 10:
        x = x * 2
        if k == n % 13:
            break
        k += 1
    return x, k


def beyond_64_bits(n):
    k = 1
    while k > 0:
        k = k * 3 + n
        if k > 10**30:
            break
    return k


EVERY = (
    *(smallest_divisor, with_else, two_ways_out, primes, digits, within, of_elements, of_arrays),
    beyond_64_bits,
)


@pytest.mark.parametrize("plain", EVERY)
@pytest.mark.parametrize("backend", ["llvm", "python_source"])
def test_breaks(plain, backend):
    compiled = staticpy.jit(plain, backend=backend)
    for n in (*range(1, 60), 97, 9409, 10_007):
        for found, expected in zip(
            np.atleast_1d(np.array(compiled(n), object)),
            np.atleast_1d(np.array(plain(n), object)),
            strict=True,
        ):
            assert type(found) is type(expected)
            np.testing.assert_array_equal(found, expected)
