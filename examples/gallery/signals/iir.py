"""A cascade of second-order sections with state that is kept from block to block.

Source: Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients".
"""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Biquad:
    b: tuple
    a: tuple
    state: list = field(default_factory=lambda: [0.0, 0.0])

    @classmethod
    def lowpass(cls, f0, fs, Q=0.7071):
        w0 = 2 * np.pi * f0 / fs
        alpha = np.sin(w0) / (2 * Q)
        cosw = np.cos(w0)
        a0 = 1 + alpha
        b = ((1 - cosw) / 2 / a0, (1 - cosw) / a0, (1 - cosw) / 2 / a0)
        return cls(b, (-2 * cosw / a0, (1 - alpha) / a0))

    def process(self, x):
        """Transposed direct form II."""
        b0, b1, b2 = self.b
        a1, a2 = self.a
        z1, z2 = self.state
        y = np.empty_like(x)
        for n, xn in enumerate(x):
            yn = b0 * xn + z1
            z1 = b1 * xn - a1 * yn + z2
            z2 = b2 * xn - a2 * yn
            y[n] = yn
        self.state = [z1, z2]
        return y


def program(signal, block=16, fs=1000.0):
    sections = [Biquad.lowpass(60.0, fs, Q) for Q in (0.5412, 1.3066)]
    out = []
    for start in range(0, len(signal), block):
        chunk = signal[start : start + block]
        for section in sections:
            chunk = section.process(chunk)
        out.append(chunk)
    if not out:
        return np.empty(0), sections
    return np.concatenate(out), sections


def arguments(size):
    return (np.random.default_rng(0).normal(size=5 * size),)
