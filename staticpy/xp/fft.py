"""The extension ``xp.fft`` of the standard.

In and out: arrays. All but the functions that are written here are NumPy's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.fft import (
    fft,
    fftn,
    fftshift,
    hfft,
    ifft,
    ifftn,
    ifftshift,
    ihfft,
    irfft,
    irfftn,
    rfft,
    rfftn,
)

Array = Any
"""An array of NumPy."""


def fftfreq(n: Any, /, *, d: Any = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """The frequencies of the elements of ``fft``: ``f64[n]``, or of ``dtype``; ``d`` is the spacing
    of the samples.
    """
    found = np.fft.fftfreq(n, d=d, device=device)
    return found if dtype is None else found.astype(dtype)


def rfftfreq(n: Any, /, *, d: Any = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """The frequencies of the elements of ``rfft``: ``f64[n // 2 + 1]``, or of ``dtype``; ``d`` is
    the spacing of the samples.
    """
    found = np.fft.rfftfreq(n, d=d, device=device)
    return found if dtype is None else found.astype(dtype)


__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]
