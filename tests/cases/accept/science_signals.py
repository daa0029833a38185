"""Signals: transforms written by hand, filters with state, peaks, resampling."""

from __future__ import annotations

import cmath
import math

import numpy as np

from staticpy import c128, f64, i64
from tests.support.cases import case

PULSE = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
RAMP = np.arange(8.0)
WAVE = np.array([0.0, 2.0, 1.0, -1.0, -2.0, 0.5, 3.0, -0.5, 0.0])


# The fast Fourier transform by recursion: its depth depends on the length.
@case((RAMP + 0j,), (PULSE + 0j,), (np.array([2.0 + 1.0j]),))
def fourier_by_recursion(x: c128["n"]):
    n = len(x)
    if n == 1:
        return x.copy()
    even = fourier_by_recursion(x[::2])
    odd = fourier_by_recursion(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


# ... in place, after the bits of the indexes are reversed.
@case((RAMP + 0j,), (PULSE + 0j,), (np.array([5.0 + 0j, 1j]),))
def fourier_in_place(x: c128["n"]):
    n = len(x)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            x[i], x[j] = x[j], x[i]
    size = 2
    while size <= n:
        root = cmath.exp(-2j * math.pi / size)
        for start in range(0, n, size):
            w = 1 + 0j
            for k in range(start, start + size // 2):
                a, b = x[k], x[k + size // 2] * w
                x[k], x[k + size // 2] = a + b, a - b
                w *= root
        size *= 2


# One frequency by Goertzel's recurrence.
@case((RAMP, 0), (RAMP, 3), (WAVE, 1))
def goertzel(x: f64["n"], k: int):
    factor = 2 * math.cos(2 * math.pi * k / len(x))
    now = before = 0.0
    for value in x:
        now, before = value + factor * now - before, now
    return now * now + before * before - factor * now * before


# Walsh and Hadamard: butterflies on slices of the caller's array.
@case((np.array([1, 0, 1, 0, 0, 1, 1, 0]),), (np.array([7]),), (np.array([3, -3]),))
def walsh_hadamard(x: i64["n"]):
    half = 1
    while half < len(x):
        for start in range(0, len(x), 2 * half):
            left = x[start : start + half].copy()
            right = x[start + half : start + 2 * half].copy()
            x[start : start + half] = left + right
            x[start + half : start + 2 * half] = left - right
        half *= 2
    return x


class Biquad:
    """A filter of the second order, which remembers its last two inputs and outputs."""

    def __init__(self, b, a):
        self.b = b
        self.a = a
        self.reset()

    def reset(self):
        self.x1 = self.x2 = self.y1 = self.y2 = 0.0

    def __call__(self, x):
        b0, b1, b2 = self.b
        a1, a2 = self.a
        y = b0 * x + b1 * self.x1 + b2 * self.x2 - a1 * self.y1 - a2 * self.y2
        self.x2, self.x1 = self.x1, x
        self.y2, self.y1 = self.y1, y
        return y


# Two filters one after the other, made here.
@case((WAVE,), (PULSE,), (WAVE[:0],))
def cascade(signal: f64["n"]):
    stages = [Biquad((0.2, 0.4, 0.2), (-0.3, 0.1)), Biquad((1.0, -1.0, 0.0), (0.5, 0.0))]
    out = np.zeros_like(signal)
    for i in range(len(signal)):
        value = signal[i]
        for stage in stages:
            value = stage(value)
        out[i] = value
    return out, stages[0].y1


# ... and one of the caller's, whose state stays.
@case((Biquad((0.5, 0.5, 0.0), (0.0, 0.0)), WAVE), (Biquad((1.0, 0.0, 0.0), (0.9, 0.0)), PULSE))
def filter_of_the_caller(biquad, signal):
    first = [biquad(value) for value in signal[:3]]
    biquad.reset()
    again = [biquad(value) for value in signal[:3]]
    return first == again, np.array(first)


# Peaks: where a value is above both neighbours and a threshold.
@case((WAVE, 0.0), (WAVE, 2.5), (RAMP, 0.0), (WAVE[:2], 0.0))
def peaks(signal: f64["n"], threshold: float):
    found = []
    for i in range(1, len(signal) - 1):
        if signal[i] > threshold and signal[i - 1] < signal[i] >= signal[i + 1]:
            found.append((i, signal[i]))  # noqa: PERF401  a loop is the point
    return found


# Crossings of zero, interpolated.
@case((WAVE,), (RAMP,), (-RAMP - 1.0,))
def zero_crossings(signal: f64["n"]):
    at = []
    for i in range(len(signal) - 1):
        a, b = signal[i], signal[i + 1]
        if a == 0.0:
            at.append(float(i))
        elif a * b < 0:
            at.append(i + a / (a - b))
    return at


# Autocorrelation by slices of two lengths.
@case((WAVE, 4), (RAMP, 1), (WAVE, 0))
def autocorrelation(signal: f64["n"], lags: int):
    centred = signal - signal.mean()
    result = np.empty(lags)
    for lag in range(lags):
        result[lag] = (centred[lag:] * centred[: len(centred) - lag]).sum()
    if lags > 0 and result[0] > 0:
        result /= result[0]
    return result


# Linear interpolation at given points, outside ones held.
@case((WAVE, np.array([0.5, 7.9, -1.0, 20.0, 3.0])), (WAVE, np.zeros(0)))
def resample(signal: f64["n"], points: f64["k"]):
    out = np.zeros(len(points))
    for number, point in enumerate(points):
        if point <= 0:
            out[number] = signal[0]
        elif point >= len(signal) - 1:
            out[number] = signal[-1]
        else:
            left = math.floor(point)
            share = point - left
            out[number] = (1 - share) * signal[left] + share * signal[left + 1]
    return out


# Two-dimensional convolution with a border that repeats the edge.
@case(
    (np.arange(12.0).reshape(3, 4), np.array([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]])),
    (np.ones((1, 2)), np.ones((3, 3)) / 9),
)
def convolution_2d(image: f64["m", "n"], kernel: f64[3, 3]):
    m, n = image.shape
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    row = min(max(i + di, 0), m - 1)
                    column = min(max(j + dj, 0), n - 1)
                    out[i, j] += image[row, column] * kernel[di + 1, dj + 1]
    return out


# A cosine transform as a matrix, there and back.
@case((RAMP,), (PULSE,))
def cosine_transform(x: f64["n"]):
    n = len(x)
    k, i = np.arange(n)[:, None], np.arange(n)[None, :]
    basis = np.cos(np.pi * (i + 0.5) * k / n)
    basis[0] *= np.sqrt(0.5)
    basis *= np.sqrt(2.0 / n)
    spectrum = basis @ x
    return np.round(spectrum, 6), np.allclose(basis.T @ spectrum, x)


# A signal as steps of a few levels, and the runs of each.
@case((WAVE, 4), (RAMP, 2), (np.zeros(3), 3))
def quantised_runs(signal: f64["n"], levels: int):
    low, high = signal.min(), signal.max()
    if low == high:
        return [(0, len(signal))]
    codes = np.minimum(((signal - low) / (high - low) * levels).astype(np.int64), levels - 1)
    runs = []
    for code in codes:
        if runs and runs[-1][0] == code:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((int(code), 1))
    return runs


# An envelope that rises at once and falls slowly, and where it clips.
@case((WAVE, 0.5), (WAVE, 0.0))
def envelope(signal: f64["n"], decay: float):
    level, clipped = 0.0, 0
    out = np.empty_like(signal)
    for i, value in enumerate(np.abs(signal)):
        level = value if value > level else decay * level
        out[i] = level
        clipped += value > 2.0
    return out, clipped
