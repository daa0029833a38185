"""What becomes of a change to an array that may raise, found out on a copy.

    %raised, %error, %written = outcome %y, %x {change = "itruediv"}       # y /= x

NumPy says what is wrong with numbers when it has written them, so that an exception alone does not
tell whether an array is what it was. It is, where NumPy refuses indexes and sizes before it begins,
and where it writes to a buffer of its own, since operands share memory (``y /= y[::-1]``): then it
throws that away. So the copies share memory as the operands do, and the change is done to them.
"""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import BOOL, OBJECT, Type
from staticpy.ops.index import key_of
from staticpy.ops.opdef import REGISTRY, Effect, defop

_HALF = ", since it raised when it had written a part of what it writes"
_UNKNOWN = ", since it raised, and its numbers don't tell whether they were written"
_IN_PARTS = ("put", "flat.setitem")
"""Ops that raise when they come to an index that is out of bounds."""
_READING = ("ufunc.at", "sort_in_place", "partition_in_place")
"""Ops besides those like ``iadd`` that read the array that they change."""


def _infer(*operands: Type, change: str, **attrs: Any) -> tuple[Type, ...]:
    REGISTRY[change].result_types(operands, attrs)
    return BOOL, OBJECT, BOOL


def _outcome(*operands: Any, change: str, **attrs: Any) -> tuple[bool, Any, bool]:
    try:
        operands, attrs = _of_part(operands, change, attrs)
    except IndexError as error:
        return True, error, False
    op = REGISTRY[change]
    assert op.kernel is not None
    run = partial(op.kernel, **attrs)
    found, is_written = find_out(run, operands, reads=bool(op.symbol) or change in _READING)
    is_done = found is None or is_written
    if change in _IN_PARTS and not is_done and _is_written_again(run, operands, reads=False):
        raise _refusal(_HALF)
    return found is not None, found, is_written


def _of_part(operands: Any, change: str, attrs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A number is stored in all of a part of the array, so that no more has to be copied."""
    spec = attrs.get("spec", ())
    if change != "store" or "array" in spec or isinstance(operands[1], np.ndarray | list | tuple):
        return operands, attrs
    target, value, *more = operands
    key = key_of(spec, more)
    part = target[key if "ellipsis" in spec else (*key, ...)]
    return (part, value), {"spec": ("ellipsis",)}


Change = Callable[..., object]
"""Writes to its first argument, an array."""


def find_out(
    change: Change, operands: Sequence[Any], *, reads: bool
) -> tuple[Exception | None, bool]:
    """What a change would raise, and whether it would write everything before, or else nothing;
    ``reads`` says whether it reads the array that it writes to.

    Raises:
        DiagnosticError: it would do neither, or that can't be told; NO_DERIVATIVE.
    """
    copies, error = _done(change, operands)
    if error is None:
        return None, True
    before, after = operands[0].tobytes(), copies[0].tobytes()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        others, is_other = _done(change, operands)
    expected = others[0].tobytes()
    if is_other is None and after == expected != before:
        return error, True
    if after != before:
        raise _refusal(_HALF)
    if is_other is not None or after != expected:
        return error, False
    return error, _is_written_again(change, operands, reads=reads)


def _done(change: Change, operands: Sequence[Any]) -> tuple[list[Any], Exception | None]:
    """The copies after the change, and what it has raised."""
    copies = beside(operands)
    try:
        change(*copies)
    except Exception as error:
        return copies, error
    return copies, None


def _is_written_again(change: Change, operands: Sequence[Any], *, reads: bool) -> bool:
    """Whether a change that has raised writes to an array of other numbers: this one holds already
    what is written.
    """
    target, *others = operands
    if reads or any(_may_share(each, target) for each in others):
        raise _refusal(_UNKNOWN)
    memory = bytes(255 - each for each in target.tobytes())
    other = np.frombuffer(memory, target.dtype).reshape(target.shape).copy()
    copies, _ = _done(change, [other, *others])
    return bool(copies[0].tobytes() != memory)


def _refusal(why: str) -> DiagnosticError:
    return DiagnosticError(catalog.NO_DERIVATIVE, what="a write", why=why)


def beside(operands: Sequence[Any]) -> list[Any]:
    """The operands, with a copy of the first one, and of the arrays that share memory with it: they
    share it in the same way.
    """
    target = operands[0]
    shared = [each for each in operands if _may_share(each, target)]
    bounds = [np.lib.array_utils.byte_bounds(each) for each in shared]
    low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
    memory = bytearray(ctypes.string_at(low, high - low))
    return [_moved(each, low, memory) if _may_share(each, target) else each for each in operands]


def _may_share(value: Any, target: np.ndarray) -> bool:
    is_array = isinstance(value, np.ndarray)
    return value is target or (is_array and np.may_share_memory(value, target))


def _moved(array: np.ndarray, low: int, memory: bytearray) -> np.ndarray:
    place = array.ctypes.data - low
    made = np.ndarray(array.shape, array.dtype, memory, place if array.size else 0, array.strides)
    made.flags.writeable = array.flags.writeable
    return made


def _samples(rng: np.random.Generator) -> Any:
    x, y = rng.random(4), rng.random(4)
    yield (x, y), {"change": "itruediv"}
    yield (x, y[:2]), {"change": "imul"}
    yield (x, 2.5, 1), {"change": "store", "spec": ("value",)}
    yield (x, 2.5, 7), {"change": "store", "spec": ("value",)}
    yield (x, y), {"change": "call_out", "function": "exp"}
    at = {"ufunc": "divide", "spec": ("array",), "count": 1}
    yield (x, y, np.arange(4)), {"change": "ufunc.at", **at}


outcome = defop(
    "outcome", infer=_infer, kernel=_outcome, effects=Effect.RAISES | Effect.WARNS, samples=_samples
)
"""What the op ``change`` would do with these operands: whether it would raise; what; and whether it
would write. ``attrs`` are those of ``change``. Refused (NO_DERIVATIVE) is what writes in part."""
