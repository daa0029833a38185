"""Prime numbers: a segmented sieve, Miller and Rabin's test, and Pollard's rho.

Source: Cohen, "A Course in Computational Algebraic Number Theory", chapter 8.
"""

import math

import numpy as np

WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def small_primes(limit):
    sieve = np.ones(limit + 1, dtype=bool)
    sieve[:2] = False
    for i in range(2, math.isqrt(limit) + 1):
        if sieve[i]:
            sieve[i * i :: i] = False
    return np.flatnonzero(sieve)


def segmented(lo, hi):
    base = small_primes(math.isqrt(hi) + 1)
    flags = np.ones(hi - lo, dtype=bool)
    for p in base.tolist():
        start = max(p * p, (lo + p - 1) // p * p)
        flags[start - lo :: p] = False
    return [lo + int(i) for i in np.nonzero(flags)[0] if lo + i > 1]


def is_prime(n):
    if n < 2:
        return False
    for p in WITNESSES:
        if n % p == 0:
            return n == p
    d, s = n - 1, 0
    while d % 2 == 0:
        d //= 2
        s += 1
    for a in WITNESSES:
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def rho(n, c=1):
    if n % 2 == 0:
        return 2
    x = y = 2
    d = 1
    while d == 1:
        x = (x * x + c) % n
        y = (y * y + c) % n
        y = (y * y + c) % n
        d = math.gcd(abs(x - y), n)
    return rho(n, c + 1) if d == n else d


def factors(n):
    if n == 1:
        return []
    if is_prime(n):
        return [n]
    d = rho(n)
    return sorted(factors(d) + factors(n // d))


def program(numbers, lo, hi):
    factored = {}
    for n in numbers:
        found = factors(n)
        assert math.prod(found) == n
        powers = {}
        for p in found:
            powers[p] = powers.get(p, 0) + 1
        factored[n] = powers
    return factored, segmented(lo, hi), is_prime(2**61 - 1), pow(3, -1, 1000003)


def arguments(size):
    rng = np.random.default_rng(1)
    numbers = [int(a) * int(b) for a, b in rng.integers(2, 10**6, size=(size, 2))]
    return numbers + [2**40 + 15], 10**6, 10**6 + 20 * size
