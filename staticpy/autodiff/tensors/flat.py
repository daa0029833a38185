"""``tensor.flat``: the elements of a Tensor one after the other, to be read and written to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from staticpy.autodiff.tensors import writes
from staticpy.ops import flat_getitem


class Flat(Iterator[Any]):
    """What ``np.flatiter`` is of an array: an iterator that has items.

    Attributes:
        base: the Tensor.
        index: how many elements it has given.
    """

    def __init__(self, base: Any) -> None:
        self.base = base
        self.index = 0

    def __len__(self) -> int:
        return int(np.size(self.base.content))

    def __next__(self) -> Any:
        if self.index == len(self):
            raise StopIteration
        self.index += 1
        return self[self.index - 1]

    def __getitem__(self, key: Any) -> Any:
        return self.base.apply(flat_getitem, self.base, key)

    def __setitem__(self, key: Any, item: Any) -> None:
        writes.store_flat(self.base, key, item)

    def copy(self) -> Any:
        """The elements, as a row."""
        return self[:]
