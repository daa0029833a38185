"""What a Tensor is to plain Python: an array of NumPy's, numbers and lists, a text.

In: a Tensor. Out: what has no record; where a derivative would be lost, the conversion is refused.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from staticpy.autodiff.tensors.tape import Tape, is_recording
from staticpy.autodiff.tensors.users_line import called_of_numpy, refused
from staticpy.diagnostics import catalog
from staticpy.ops import Traced
from staticpy.ops import call_traced as call


class Conversions(Traced):
    """The part of ``Tensor`` by which it is left."""

    __slots__ = ()
    content: Any
    tape: Tape | None
    requires_grad: bool

    def numpy(self) -> Any:
        """The number, or the array, which is read-only and shows what is written later.

        Raises:
            RuntimeError: derivatives flow through it, and would be lost.
        """
        if self.requires_grad:
            raise RuntimeError("this Tensor requires grad: take t.detach().numpy()")
        return self._shown()

    def asnumpy(self) -> Any:
        """MindSpore's ``numpy()``, which does not ask whether derivatives flow here: the program
        takes the numbers for what they are.

        Raises:
            CompileError: SPY710, inside of a function that is differentiated.
        """
        if self.tape is not None and is_recording():
            raise refused(catalog.TENSOR_AS_PLAIN, by=" by asnumpy()")
        return self._shown()

    def _shown(self) -> Any:
        """The number, or the array, which can't be written to."""
        if not isinstance(self.content, np.ndarray):
            return self.content
        view = self.content.view()
        view.flags.writeable = False
        return view

    def item(self, *place: Any) -> Any:
        """One number, as Python has it; inside of a function that is differentiated a Tensor."""
        if self.tape is not None and is_recording():
            return self.__getattr__("item")(*place)
        return self.content.item(*place)

    def tolist(self) -> Any:
        """The numbers, as Python has them; inside of a function that is differentiated Tensors."""
        if self.tape is None or not is_recording():
            return self.numpy().tolist()
        if not np.ndim(self.content):
            return self.item()
        return [self[place].tolist() for place in range(len(self.content))]

    def __float__(self) -> float:
        self._require_plain()
        return float(self.content)

    def __int__(self) -> int:  # through which nothing flows, as with those that follow
        return int(self.content)

    def __trunc__(self) -> Any:
        return math.trunc(self.content)

    def __floor__(self) -> Any:
        return math.floor(self.content)

    def __ceil__(self) -> Any:
        return math.ceil(self.content)

    def __round__(self, digits: Any = None) -> Any:
        return round(self.content) if digits is None else call(round, self, digits)

    def __divmod__(self, other: Any) -> Any:
        return call(divmod, self, other)

    def __rdivmod__(self, other: Any) -> Any:
        return call(divmod, other, self)

    def __complex__(self) -> complex:
        self._require_plain()
        return complex(self.content)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        self._require_plain()
        return np.array(self.content, dtype, copy=True if copy is None else copy)

    def _require_plain(self) -> None:
        if self.requires_grad or is_recording():
            called = called_of_numpy()
            by = f" by NumPy's '{called}()'" if called.strip("_") == called != "" else ""
            raise refused(catalog.TENSOR_AS_PLAIN, by=by)

    def __format__(self, spec: str) -> str:
        return format(self.content, spec) if spec else str(self)


def plain_index(index: Any) -> Any:
    """An index in which objects that are to be taken for ints are ints."""
    if type(index) is tuple:
        return tuple(map(plain_index, index))
    is_object = not isinstance(index, int | slice | list | Traced | np.ndarray | np.generic)
    return operator.index(index) if is_object and hasattr(index, "__index__") else index
