"""Writing to the memory of arrays: ``x[...] = v``, ``x.fill(v)``, ``np.copyto(x, v)`` and their
kind.

    store %x, %v, %i {spec = ("value", (1, None, None))}      # x[i, 1:] = v

In: the array that is written to, first, and what the op needs. Out: nothing: every alias of the
array sees the new elements. How a value is cast, stretched or refused is left to NumPy, so a
value may be of any type.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import PYTHON_TYPES, ScalarType, TensorType, Type
from staticpy.ops.index import Spec, index_type, key_of
from staticpy.ops.opdef import Effect, OpDef, defop
from staticpy.ops.probe import sample_of

WRITES = Effect.WRITES | Effect.RAISES | Effect.WARNS
"""The effects of a store: a value may not fit, and casting it may warn."""


def require_array(target: Type) -> TensorType:
    """``target``, which must be the type of an array."""
    if not isinstance(target, TensorType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"an array is due, not {target}")
    return target


# --- x[...] = v -----------------------------------------------------------------------------------


def _infer_store(target: Type, _value: Type, *more: Type, spec: Spec) -> tuple[Type, ...]:
    index_type(require_array(target), *more, spec=spec)
    return ()


def _store(target: Any, value: Any, *more: Any, spec: Spec) -> tuple[()]:
    target[key_of(spec, more)] = value
    return ()


def _store_samples(rng: np.random.Generator) -> Any:
    x = rng.random((4, 3))
    yield (x, 2.5), {"spec": (1, -1)}
    yield (x, rng.random(3)), {"spec": (1,)}
    yield (x, np.float32(2), 1, np.int8(2)), {"spec": ("value", "value")}
    yield (x, rng.random((2, 1)), 2), {"spec": ((None, "value", None), "ellipsis")}
    yield (x, True, x > 0.5), {"spec": ("array",)}
    yield (x, rng.random((3, 3)), np.array([2, 0, 2])), {"spec": ("array", (None, None, -1))}
    yield (np.array(2), 2.5), {"spec": ()}


store = defop("store", infer=_infer_store, kernel=_store, effects=WRITES, samples=_store_samples)
"""``x[...] = v``: operand 0 is the array, operand 1 the value; ``spec`` and the other operands are
those of ``index``."""


def _output(array: np.ndarray, computed: np.ndarray) -> tuple[()]:
    if not array.flags.writeable:
        raise ValueError("output array is read-only")
    array[...] = computed
    return ()


def _infer_output(target: Type, computed: Type) -> tuple[Type, ...]:
    array, result = map(require_array, (target, computed))
    if (array.dtype, array.rank) != (result.dtype, result.rank):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"a result of type {target} is due")
    return ()


output = defop(
    "output",
    infer=_infer_output,
    kernel=_output,
    effects=WRITES,
    samples=lambda rng: [((rng.random((2, 3)), rng.random((2, 3))), {})],
)
"""What ``np.f(…, out=x)`` does with the result of the function, for backends with loops."""


# --- methods and functions that write -------------------------------------------------------------


def certain_error(kernel: Callable[..., Any], types: Sequence[Type]) -> str | None:
    """What NumPy says where it refuses operands of these types, whatever their values are.

    A ValueError or IndexError may depend on values and sizes, so it tells nothing.
    """
    if not all(isinstance(type_, TensorType | ScalarType) or _is_number(type_) for type_ in types):
        return None
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            kernel(*map(sample_of, types))
    except TypeError as error:
        return str(error)
    except (ValueError, IndexError, ArithmeticError):
        return None
    return None


def _is_number(type_: Type) -> bool:
    return type_ in PYTHON_TYPES.values()


def _infer_writer(
    function: str, kernel: Callable[..., Any], target: Type, *operands: Type, **attrs: Any
) -> tuple[Type, ...]:
    types = (require_array(target), *operands)
    reason = certain_error(partial(kernel, **attrs), types)
    if reason is not None:
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
    return ()


def _writer(name: str, function: str, call: Callable[..., Any], samples: Any) -> OpDef:
    """An op that runs ``call`` for what it writes to its first operand."""

    def kernel(*operands: Any, **attrs: Any) -> tuple[()]:
        call(*operands, **attrs)
        return ()

    return defop(
        name,
        infer=partial(_infer_writer, function, kernel),
        kernel=kernel,
        effects=WRITES,
        samples=samples,
    )


fill = _writer(
    "fill",
    "x.fill()",
    lambda x, value: x.fill(value),
    lambda rng: [((rng.random(3), 2), {}), ((np.zeros((), np.int8), np.float64(2)), {})],
)
"""``x.fill(value)``."""

sort_in_place = _writer(
    "sort_in_place",
    "x.sort()",
    lambda x, **attrs: x.sort(**attrs),
    lambda rng: [((rng.random(5),), {}), ((rng.random((2, 3)),), {"axis": 0, "kind": "stable"})],
)
"""``x.sort(axis, kind)``."""

partition_in_place = _writer(
    "partition_in_place",
    "x.partition()",
    lambda x, kth, **attrs: x.partition(kth, **attrs),
    lambda rng: [((rng.random(5), 2), {}), ((rng.random((2, 3)), np.array([0, 1])), {"axis": 1})],
)
"""``x.partition(kth, axis, kind)``."""

put = _writer(
    "put",
    "np.put()",
    np.put,
    lambda rng: [
        ((rng.random((2, 3)), 4, 2), {}),
        ((rng.random(5), np.array([0, 9]), np.array([1, 2])), {"mode": "clip"}),
    ],
)
"""``np.put(x, indices, values, mode)``."""


def _copyto(target: Any, source: Any, *where: Any, casting: Any = "same_kind") -> None:
    np.copyto(target, source, casting, *where)


copyto = _writer(
    "copyto",
    "np.copyto()",
    _copyto,
    lambda rng: [
        ((rng.random((2, 3)), rng.random(3)), {}),
        ((rng.random((2, 3)), 2, np.array([True, False, True])), {}),
        ((np.zeros(3, np.int8), 2.5), {"casting": "unsafe"}),
    ],
)
"""``np.copyto(x, source, casting, where)``; ``where`` is an operand, if there."""

place = _writer(
    "place",
    "np.place()",
    np.place,
    lambda rng: [((rng.random(5), np.arange(5) > 2, np.array([1.0, 2.0])), {})],
)
"""``np.place(x, mask, values)``."""

putmask = _writer(
    "putmask",
    "np.putmask()",
    np.putmask,
    lambda rng: [((rng.random(5), np.arange(5) > 2, np.array([1.0, 2.0])), {})],
)
"""``np.putmask(x, mask, values)``."""

fill_diagonal = _writer(
    "fill_diagonal",
    "np.fill_diagonal()",
    np.fill_diagonal,
    lambda rng: [((rng.random((3, 3)), 2), {}), ((rng.random((5, 2)), 2), {"wrap": True})],
)
"""``np.fill_diagonal(x, value, wrap)``."""

put_along_axis = _writer(
    "put_along_axis",
    "np.put_along_axis()",
    lambda x, indices, values, *, axis: np.put_along_axis(x, indices, values, axis),
    lambda rng: [((rng.random((2, 3)), np.array([[0], [2]]), 7), {"axis": 1})],
)
"""``np.put_along_axis(x, indices, values, axis)``."""


def _set_attribute(target: Any, value: Any, *, name: str) -> None:
    setattr(target, name, value)


set_array_attribute = _writer(
    "set_array_attribute",
    "x.attribute = …",
    _set_attribute,
    lambda rng: [
        ((rng.random(3) + 1j, 2), {"name": "imag"}),
        ((rng.random((2, 3)), rng.random(2)), {"name": "flat"}),
    ],
)
"""``x.real = v``, ``x.imag = v`` and ``x.flat = v``, by ``name``."""


# --- ufunc.at -------------------------------------------------------------------------------------


def numpy_function(name: str) -> Callable[..., Any]:
    """The function of NumPy with a dotted name: ``"add.at"``."""
    found: Callable[..., Any] = _getter(name)(np)
    return found


_getter = lru_cache(attrgetter)
"""What asks for it each time: somebody may have put another function there."""


def _infer_ufunc_at(
    target: Type, *operands: Type, ufunc: str, spec: Spec, count: int
) -> tuple[Type, ...]:
    index_type(require_array(target), *operands[count:], spec=spec)
    types = (target, *operands[:count])
    kernel = partial(_at_origin, numpy_function(f"{ufunc}.at"))
    reason = certain_error(kernel, types)
    if reason is not None:
        name = f"np.{ufunc}.at()"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=name, reason=reason)
    return ()


def _at_origin(function: Callable[..., Any], target: Any, *operands: Any) -> None:
    function(target, ..., *operands)


def _ufunc_at(target: Any, *operands: Any, ufunc: str, spec: Spec, count: int) -> tuple[()]:
    key = key_of(spec, operands[count:])
    numpy_function(f"{ufunc}.at")(target, key if len(key) != 1 else key[0], *operands[:count])
    return ()


ufunc_at = defop(
    "ufunc.at",
    infer=_infer_ufunc_at,
    kernel=_ufunc_at,
    effects=WRITES,
    samples=lambda rng: [
        (
            (rng.random(5), 2.5, np.array([0, 0, 3])),
            {"ufunc": "add", "spec": ("array",), "count": 1},
        ),
        ((rng.random(5), np.array([1, 2])), {"ufunc": "negative", "spec": ("array",), "count": 0}),
        (
            (rng.random((5, 2)), rng.random(2), 1),
            {"ufunc": "maximum", "spec": ("value",), "count": 1},
        ),
    ],
)
"""``np.add.at(x, index, value)``: after the array come ``count`` values, then the operands of the
index, which ``spec`` describes as in ``index``."""
