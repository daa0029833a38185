"""Minibatches: parts of arrays, in order or shuffled.

In: arrays whose first axis is the examples. Out: an iterable of parts, one pass an iteration.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from staticpy.nn.generator import shared_generator


class Batches:
    """What ``batches`` gives; ``len`` is the number of parts."""

    def __init__(
        self,
        arrays: tuple[Any, ...],
        batch_size: int,
        rng: np.random.Generator | None,
        drop_last: bool,
    ) -> None:
        self.arrays, self.batch_size, self.rng = arrays, batch_size, rng
        self.drop_last = drop_last
        self.count: int = arrays[0].shape[0]

    def __len__(self) -> int:
        extra = 0 if self.drop_last else self.batch_size - 1
        return (self.count + extra) // self.batch_size

    def __iter__(self) -> Iterator[Any]:
        order = None if self.rng is None else self.rng.permutation(self.count)
        for place in range(len(self)):
            part: Any = slice(place * self.batch_size, (place + 1) * self.batch_size)
            chosen = part if order is None else order[part]
            found = tuple(array[chosen] for array in self.arrays)
            yield found[0] if len(found) == 1 else found


def batches(
    *arrays: Any,
    batch_size: int,
    shuffle: bool = False,
    rng: np.random.Generator | None = None,
    seed: int | None = None,
    drop_last: bool = False,
) -> Batches:
    """Parts of arrays, which can be gone through again and again: each time is one epoch.

    Args:
        arrays: of which the first axis is the examples, as many in each.
        batch_size: examples in a part.
        shuffle: take them in another order in each epoch.
        rng: what the orders are drawn from; the generator of ``set_seed`` if neither this nor
            ``seed`` is given.
        seed: of a generator that gives the same orders in each run.
        drop_last: leave out the last part if it is smaller.

    Returns:
        An iterable of parts: of one array its parts, of several tuples. Without ``shuffle`` they
        are views.

    Raises:
        ValueError: there are no arrays, or not as many examples in each; ``batch_size`` is less
            than 1; ``rng`` and ``seed`` are both given, or one of them without ``shuffle``.
    """
    if not arrays:
        raise ValueError("there is nothing to take parts of: batches(x, y, batch_size=32)")
    sizes = {len(array) for array in arrays}
    if len(sizes) > 1:
        raise ValueError(f"the arrays have different numbers of examples: {sorted(sizes)}")
    if batch_size < 1:
        raise ValueError(f"batch_size is at least 1, not {batch_size}")
    if rng is not None and seed is not None:
        raise ValueError("rng and seed are both given: a generator has its seed")
    if not shuffle and (rng is not None or seed is not None):
        raise ValueError("nothing is drawn without shuffle=True, but rng or seed is given")
    source = np.random.default_rng(seed) if seed is not None else rng or shared_generator()
    return Batches(arrays, batch_size, source if shuffle else None, drop_last)
