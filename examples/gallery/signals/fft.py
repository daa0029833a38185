"""The fast Fourier transform by hand: radix 2, in place, bit reversal first.

Source: Cormen et al., "Introduction to Algorithms", section 30.3.
"""

import cmath

import numpy as np


def bit_reverse(a):
    n = len(a)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            a[i], a[j] = a[j], a[i]


def fft(a, inverse=False):
    n = len(a)
    if n & (n - 1):
        raise ValueError("length must be a power of two")
    bit_reverse(a)
    length = 2
    while length <= n:
        angle = 2 * cmath.pi / length * (-1 if not inverse else 1)
        wlen = cmath.exp(1j * angle)
        for i in range(0, n, length):
            w = 1 + 0j
            for k in range(length // 2):
                u = a[i + k]
                v = a[i + k + length // 2] * w
                a[i + k] = u + v
                a[i + k + length // 2] = u - v
                w *= wlen
        length <<= 1
    if inverse:
        a /= n


def program(x, keep):
    """Zero all but the ``keep`` strongest frequencies."""
    a = x.astype(complex)
    fft(a)
    strongest = np.argsort(-np.abs(a), kind="stable")[:keep]
    spectrum = np.zeros_like(a)
    spectrum[strongest] = a[strongest]
    fft(spectrum, inverse=True)
    return spectrum.real, np.sort(strongest)


def arguments(size):
    n = 1 << int(np.ceil(np.log2(size + 1)))
    return np.random.default_rng(1).normal(size=n), 3
