"""How an array lies in memory, as a program asks it: ``x.strides``, ``x.flags["C_CONTIGUOUS"]``.

In: an array. Out: Python numbers; which view or copy an array is makes the difference, not what it
holds. The order of a new array is chosen where it is made (``create``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import BOOL, INT, UNKNOWN, PythonType, TensorType, Type, Value, dims_of
from staticpy.ops.apply import emit
from staticpy.ops.arguments import describe
from staticpy.ops.library import call_numpy
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.store import require_array


def _samples(rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.random((2, 3)), rng.random((2, 3)).T, rng.random((4, 6))[::2, ::-3]]


def _infer_stride(operand: Type, *, axis: int) -> Type:
    if axis not in range(require_array(operand).rank):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"{operand} has no axis {axis}")
    return INT


stride = defop(
    "stride",
    infer=_infer_stride,
    kernel=lambda x, *, axis: x.strides[axis],
    samples=lambda rng: [((x,), {"axis": axis}) for x in _samples(rng) for axis in (0, 1)],
)
"""``x.strides[axis]``: the bytes from one element to the next one along an axis."""


def _strided_places(x: np.ndarray, *operands: Any, rank: int, **attrs: Any) -> np.ndarray:
    own, seen = _offsets(x).ravel(), _offsets(call_numpy(x, *operands, **attrs))
    order = np.argsort(own, kind="stable")
    among = np.searchsorted(own, seen, sorter=order)
    places: np.ndarray = order[np.minimum(among, len(order) - 1)] if len(order) else among
    if seen.size and not (len(order) and np.array_equal(own[places], seen)):
        name = f"'np.{attrs['function']}()'"
        why = ", since it sees memory that is none of its argument"
        raise DiagnosticError(catalog.NO_DERIVATIVE, what=name, why=why)
    return places


def _offsets(x: np.ndarray) -> np.ndarray:
    """How many bytes behind the first element each element lies."""
    found = np.zeros(x.shape, np.int64)
    for axis, (size, step) in enumerate(zip(x.shape, x.strides, strict=True)):
        found += (np.arange(size) * step).reshape(-1, *(1,) * (x.ndim - axis - 1))
    return found


def _infer_strided_places(operand: Type, *_: Type, rank: int, **__: Any) -> Type:
    require_array(operand)
    return TensorType(np.dtype(np.int64), (UNKNOWN,) * rank)


def _strided_samples(rng: np.random.Generator) -> Any:
    for x in (rng.random(4), rng.random(6).astype(np.float32)[::2]):
        step = x.strides[0]
        attrs = {"function": "lib.stride_tricks.as_strided", "rank": 2}
        yield (x, (2, 2), (step, step)), attrs


strided_places = defop(
    "strided_places",
    infer=_infer_strided_places,
    kernel=_strided_places,
    effects=Effect.RAISES,
    samples=_strided_samples,
)
"""Where in ``x.ravel()`` the elements are that ``np.lib.stride_tricks.as_strided(x, …)`` sees;
SPY701 for memory between or behind them."""


def _strided_like(beside: np.ndarray, base: np.ndarray, view: np.ndarray) -> np.ndarray:
    steps = dict(zip(base.strides, beside.strides, strict=True))
    pairs = zip(view.shape, view.strides, strict=True)
    strides = [steps[step] if step and size > 1 else 0 for size, step in pairs]
    return np.lib.stride_tricks.as_strided(beside, view.shape, strides)


def _infer_strided_like(beside: Type, _: Type, view: Type) -> Type:
    return TensorType(require_array(beside).dtype, dims_of(view))


strided_like = defop(
    "strided_like",
    infer=_infer_strided_like,
    kernel=_strided_like,
    view=True,
    samples=lambda rng: [
        ((rng.random(3), x, np.broadcast_to(x, (2, 3))), {}) for x in (rng.random(3),)
    ],
)
"""Of ``beside``, which has the shape of ``base``, what ``view`` is of ``base``: a view that steps
along an axis as one along an axis of ``base``, or not at all, from the first element on. It can be
written to."""


def strides_of(value: Value) -> tuple[Value, ...]:
    """``x.strides``."""
    return tuple(emit(stride, value, axis=axis) for axis in range(len(dims_of(value.type))))


FLAGS = (
    "aligned", "behaved", "c_contiguous", "carray", "f_contiguous", "farray", "fnc", "forc",
    "writeable",
)  # fmt: skip
"""The flags that a program can ask for. Whether an array owns its memory is none of them: which
steps of a compiled function make a view is its own affair."""

_ATTRIBUTES = {**{name: name for name in FLAGS}, "contiguous": "c_contiguous"}
_ATTRIBUTES |= {"fortran": "f_contiguous"}
_KEYS = {name.upper(): attribute for name, attribute in _ATTRIBUTES.items()}
_KEYS |= {"C": "c_contiguous", "F": "f_contiguous", "W": "writeable", "A": "aligned"}
_KEYS |= {"B": "behaved", "CA": "carray", "FA": "farray"}


def _infer_flag(operand: Type, *, name: str) -> Type:
    if isinstance(operand, PythonType) or name not in FLAGS:
        raise DiagnosticError(catalog.INVALID_IR, detail=f"{operand} has no flag {name!r}")
    return BOOL


flag = defop(
    "flag",
    infer=_infer_flag,
    kernel=lambda x, *, name: getattr(x.flags, name),
    samples=lambda rng: [
        ((x,), {"name": name}) for x in (*_samples(rng), np.float32(2)) for name in FLAGS
    ],
)
"""``x.flags.name``."""


@dataclass(frozen=True, slots=True)
class ArrayFlags:
    """``x.flags``: each flag is found out where it is asked for."""

    array: Value

    def attribute(self, name: str) -> Any:
        """``x.flags.c_contiguous``."""
        return self._flag(_ATTRIBUTES.get(name), f"flags.{name}")

    def __getitem__(self, key: Any) -> Any:
        """``x.flags["C_CONTIGUOUS"]``."""
        known = _KEYS.get(key) if isinstance(key, str) else None
        return self._flag(known, f"flags[{key!r}]" if isinstance(key, str) else "flags[…]")

    def _flag(self, found: str | None, shown: str) -> Any:
        if found is None:
            refuse_memory(shown, self.array)
            type_ = describe(self.array)
            raise DiagnosticError(catalog.UNSUPPORTED_ATTRIBUTE, name=shown, type=type_)
        return emit(flag, self.array, name=found)


_SHARING = "ask whether two arrays share memory: 'np.shares_memory(x, y)'"
_OUTSIDE = "do that outside of the compiled function"

WAYS_OUT = {
    "base": _SHARING,
    "flags.owndata": _SHARING,
    "flags['OWNDATA']": _SHARING,
    "resize": "make an array of the new shape and copy the elements to it",
    "tobytes": "look at the bytes as numbers: 'x.ravel().view(np.uint8)'",
    "getfield": "look at the bytes as another dtype: 'x.view(dtype)'",
    "setfield": "write to the bytes as another dtype: 'x.view(dtype)[...] = v'",
    **dict.fromkeys(("ctypes", "data", "dump", "dumps", "setflags", "tofile"), _OUTSIDE),
    **dict.fromkeys(("__array_interface__", "__array_struct__"), _OUTSIDE),
}
"""What NumPy's arrays say of their memory, or do with it, that can't be compiled, each with the way
out."""


def refuse_memory(name: str, value: Value) -> None:
    """Refuse an attribute that has to do with memory.

    Raises:
        DiagnosticError: ``name`` is one.
    """
    if name in WAYS_OUT:
        type_, way_out = describe(value), WAYS_OUT[name]
        raise DiagnosticError(catalog.MEMORY_OF_ARRAY, name=name, type=type_, way_out=way_out)


def refuse_store(base: object) -> None:
    """Refuse ``x.flags.writeable = False``: the flags of an array are its caller's to change.

    Raises:
        DiagnosticError: ``base`` is such flags.
    """
    if isinstance(base, ArrayFlags):
        type_ = describe(base.array)
        way_out = "change the flag outside of the compiled function"
        raise DiagnosticError(catalog.ATTRIBUTE_OF_ARRAY, name="flags", type=type_, way_out=way_out)


ATTRIBUTES: dict[str, Callable[..., Any]] = {"flags": ArrayFlags, "strides": strides_of}
"""The attributes of arrays and NumPy scalars."""
