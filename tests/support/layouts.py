"""One array, as it may lie in memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def layouts(x: np.ndarray) -> Iterator[np.ndarray]:
    """An array in C order, in Fortran's, with the last axis backwards, with gaps, and with the last
    two axes exchanged: it has other sizes then.
    """
    yield x
    yield np.asfortranarray(x)
    yield x[..., ::-1]
    yield np.concatenate([x, x], -1)[..., ::2]
    yield x.swapaxes(-1, -2)
