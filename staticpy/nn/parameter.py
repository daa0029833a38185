"""Parameter: a Tensor that a Cell learns, with a name.

In: the first values. Out: a leaf; what is computed from it is a Tensor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.runtime import Tensor, no_grad, stop_gradient


class Parameter(Tensor):
    """A Tensor that is found in the Cells it is assigned to.

    Args:
        data: a number, an array, a list or a Tensor, real or complex; it is copied, and keeps its
            dtype.
        name: what messages and optimisers call it; in a Cell the name of the attribute counts.
        requires_grad: whether it is learned; running statistics, say, are not.

    Raises:
        TypeError: ``data`` is neither real nor complex.
    """

    __slots__ = ("name",)

    def __init__(self, data: Any, name: str = "", requires_grad: bool = True) -> None:
        super().__init__(data, requires_grad)
        self.name = name

    def __reduce__(self) -> Any:
        return Parameter, (np.array(self.content), self.name, self.requires_grad)

    def __repr__(self) -> str:
        named = f", name={self.name!r}" if self.name else ""
        ending = "" if self.requires_grad else ", requires_grad=False"
        return f"Parameter({self.content!r}{named}{ending})"


def assign(target: Any, value: Any) -> None:
    """Write to what is not learned, in place; no derivative flows through it.

    Args:
        target: a Tensor that requires no grad, or an ndarray. In a graph a Tensor is its array, so
            what a Tensor has beside is asked for, and not its class.
        value: what is written, of its shape.
    """
    plain = stop_gradient(value)
    place = getattr(target, "content", target)
    with no_grad():
        place[...] = getattr(plain, "content", plain)
    memory = getattr(target, "memory", None)
    if memory is not None:
        memory.write()
