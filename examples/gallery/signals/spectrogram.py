"""A spectrogram in decibels, with the track of the loudest frequency.

Source: Allen and Rabiner, "A unified approach to short-time Fourier analysis", 1977.
"""

import numpy as np


def hann(n):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / n)


def program(x, nperseg, overlap, fs=1.0, floor_db=-80.0):
    step = nperseg - overlap
    assert step > 0, "overlap must be smaller than the segment"
    window = hann(nperseg)
    scale = 1.0 / (fs * (window * window).sum())
    nseg = (len(x) - overlap) // step
    Sxx = np.empty((nperseg // 2 + 1, nseg))
    for i in range(nseg):
        seg = x[i * step : i * step + nperseg]
        seg = seg - seg.mean()
        spec = np.fft.rfft(window * seg)
        psd = (spec.conj() * spec).real * scale
        psd[1:-1] *= 2
        Sxx[:, i] = psd
    f = np.fft.rfftfreq(nperseg, 1 / fs)
    db = 10 * np.log10(np.maximum(Sxx / Sxx.max(), 10 ** (floor_db / 10)))
    return f, db.astype(np.float32), f[np.argmax(Sxx, axis=0)]


def arguments(size):
    t = np.arange(16 * (size + 1))
    noise = np.random.default_rng(3).normal(size=len(t))
    return np.sin(0.001 * t * t) + 0.1 * noise, 16, 8
