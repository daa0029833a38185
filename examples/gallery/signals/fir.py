"""A low-pass FIR filter by the window method, applied by direct convolution.

Source: Oppenheim and Schafer, "Discrete-Time Signal Processing", section 7.5.
"""

import numpy as np


def hamming(M):
    return np.array([0.54 - 0.46 * np.cos(2 * np.pi * n / (M - 1)) for n in range(M)])


def design(numtaps, cutoff):
    """Windowed sinc, unit gain at zero frequency."""
    if numtaps % 2 == 0:
        raise ValueError("the number of taps must be odd")
    n = np.arange(numtaps) - (numtaps - 1) / 2
    h = 2 * cutoff * np.sinc(2 * cutoff * n)
    h *= hamming(numtaps)
    h /= h.sum()
    return h


def program(x, numtaps=15, cutoff=0.1):
    h = design(numtaps, cutoff)
    y = np.zeros(len(x))
    for n in range(len(x)):
        acc = 0.0
        for k in range(numtaps):
            if n - k < 0:
                break
            acc += h[k] * x[n - k]
        y[n] = acc
    delay = numtaps // 2
    return y[delay:], h


def arguments(size):
    t = np.arange(4 * size)
    return (np.sin(0.05 * t) + 0.3 * np.sin(2.5 * t),)
