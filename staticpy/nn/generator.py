"""The generator of random numbers that layers draw from if they are given none.

In: ``set_seed``. Out: the same first values, and the same Dropout, in each run.
"""

from __future__ import annotations

import numpy as np

_SHARED = np.random.default_rng()


def set_seed(seed: int) -> None:
    """Start the random numbers of ``staticpy.nn`` anew: what is made afterwards without a generator
    of its own, in the same order, is the same in each run.

    NumPy's own ``np.random`` is left alone.
    """
    _SHARED.bit_generator.state = np.random.default_rng(seed).bit_generator.state


def shared_generator() -> np.random.Generator:
    """The generator that ``set_seed`` starts anew."""
    return _SHARED
