"""Calls of NumPy's functions with the arguments that steer where the result goes and what takes
part in it: ``out=``, ``where=``, ``dtype=``, ``casting=``, ``initial=``; and the methods of ufuncs.

    call_out %x, %a, %b {function = "add"}                    # np.add(a, b, out=x)
    %s = call_reduce %a, %m {function = "sum", keywords = ("where",)}    # np.sum(a, where=m)

One op serves every function: ``function`` is its dotted name under ``numpy``, the last operands
are passed by the names in ``keywords``, and all other attributes go to it as they are. The kernel
is the call itself, and NumPy is asked what comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import UNKNOWN, Dim, ScalarType, Type, Value, dims_of
from staticpy.ops.apply import emit
from staticpy.ops.arguments import target_array
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.probe import probe
from staticpy.ops.promote import broadcast_dims, unbox
from staticpy.ops.reduce import reduced_dims, sized
from staticpy.ops.store import WRITES, certain_error, numpy_function, require_array

_EFFECTS = Effect.RAISES | Effect.WARNS


def _call(
    *operands: Any,
    function: str,
    keywords: tuple[str, ...] = (),
    takes_sequence: bool = False,
    **attrs: Any,
) -> Any:
    """Call NumPy's ``function``; ``takes_sequence``: with the operands as one sequence."""
    count = len(operands) - len(keywords)
    named = dict(zip(keywords, operands[count:], strict=True))
    given = (operands[:count],) if takes_sequence else operands[:count]
    return numpy_function(function)(*given, **named, **attrs)


# --- out= -----------------------------------------------------------------------------------------


def _call_out(out: Any, *operands: Any, **attrs: Any) -> tuple[()]:
    _call(*operands, out=out, **attrs)
    return ()


_RUNNING = ("cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "cumulative_prod")
"""Functions that write past the end of a 0-d ``out`` in NumPy before 2.5."""


def _infer_call_out(out: Type, *operands: Type, function: str, **attrs: Any) -> tuple[Type, ...]:
    kernel = partial(_call_out, function=function, **attrs)
    runs = function in _RUNNING or function.endswith(".accumulate")
    reason: str | None = "provided out is the wrong size for the accumulation"
    if dims_of(out) or not runs:
        reason = certain_error(kernel, (require_array(out), *operands))
    if reason is not None:
        raise DiagnosticError(
            catalog.INVALID_ARRAY_CALL, function=f"np.{function}()", reason=reason
        )
    return ()


call_out = defop(
    "call_out",
    infer=_infer_call_out,
    kernel=_call_out,
    effects=WRITES,
    samples=lambda rng: [
        ((rng.random(3), rng.random(3), 2), {"function": "add"}),
        (
            (rng.random((2, 3)), rng.random(3), 2, np.array([True, False, True])),
            {"function": "multiply", "keywords": ("where",)},
        ),
        ((rng.random(2), rng.random((2, 3))), {"function": "sum", "axis": 1}),
        (
            (rng.random(4), rng.random(2), rng.random(2)),
            {"function": "concatenate", "takes_sequence": True},
        ),
    ],
)
"""``np.f(…, out=x)``: writes to operand 0, which is what the call returns. No result."""


_METHODS_OF_NUMBERS = """
sum prod mean std var max min any all argmax argmin clip round around take
"""
"""Functions that call the method of a NumPy scalar: it gives a 0-d ``out`` as a scalar."""


def into(out: Any, function: str, *operands: Any, **attrs: Any) -> Any:
    """Emit ``np.function(*operands, out=out)`` and return what it returns: ``out`` itself.

    Raises:
        DiagnosticError: ``out`` is no array, or NumPy refuses these types.
    """
    target = target_array(out, f"np.{function}()")
    emit(call_out, target, *operands, function=function, **attrs)
    is_number = isinstance(operands[0], Value) and isinstance(operands[0].type, ScalarType)
    if is_number and function in _METHODS_OF_NUMBERS.split() and not dims_of(target.type):
        return emit(unbox, target)
    return target


# --- ufuncs with dtype= or where= -----------------------------------------------------------------


def _found(function: str, operands: tuple[Type, ...], attrs: dict[str, Any]) -> tuple[Type, ...]:
    return probe(f"np.{function}()", _call, operands, {"function": function, **attrs})


def _infer_ufunc(*operands: Type, function: str, **attrs: Any) -> tuple[Type, ...]:
    dims = broadcast_dims(*map(dims_of, operands))
    return tuple(sized(type_, dims) for type_ in _found(function, operands, attrs))


def _ufunc_samples(rng: np.random.Generator) -> Any:
    f4 = np.dtype("float32")
    yield (rng.random(3), 2), {"function": "add", "dtype": f4}
    yield (rng.random(3), rng.random((2, 1))), {"function": "subtract", "casting": "unsafe"}
    yield (np.int8(3),), {"function": "negative", "dtype": np.dtype("int16")}
    yield (rng.random(3),), {"function": "modf", "dtype": f4}


call_ufunc = defop(
    "call_ufunc", infer=_infer_ufunc, kernel=_call, effects=_EFFECTS, samples=_ufunc_samples
)
"""``np.add(a, b, dtype=…, where=…)``: one result, or two."""


# --- reductions with where= or initial=, and ufunc.reduce -----------------------------------------


def _infer_reduce(operand: Type, *more: Type, function: str, **attrs: Any) -> Type:
    (found,) = _found(function, (operand, *more), attrs)
    dims = reduced_dims(dims_of(operand), attrs.get("axis"), attrs.get("keepdims", False))
    return sized(found, dims)


def _reduce_samples(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3))
    yield (x, x > 0.5), {"function": "sum", "keywords": ("where",), "axis": 0}
    yield (x, 2), {"function": "max", "keywords": ("initial",)}
    yield (x,), {"function": "add.reduce", "axis": 0}
    yield (x[0],), {"function": "multiply.reduce", "axis": 0, "keepdims": True}
    yield (x,), {"function": "maximum.reduce", "axis": None}


call_reduce = defop(
    "call_reduce", infer=_infer_reduce, kernel=_call, effects=_EFFECTS, samples=_reduce_samples
)
"""``np.sum(x, axis, where=…, initial=…)`` and ``np.add.reduce(x, axis)``; ``axis`` is None where it
is left out."""


# --- the other methods of ufuncs ------------------------------------------------------------------


def _method_dims(method: str, operands: Sequence[Type], axis: int) -> tuple[Dim, ...]:
    dims = dims_of(operands[0])
    if method == "outer":
        return (*dims, *dims_of(operands[1]))
    if method == "reduceat":
        indices = dims_of(operands[1])
        return (*dims[:axis], *(indices or (UNKNOWN,)), *dims[axis + 1 :])
    return dims


def _infer_method(*operands: Type, function: str, **attrs: Any) -> tuple[Type, ...]:
    method = function.rsplit(".", maxsplit=1)[-1]
    if method == "reduceat":
        found = _found(function.replace("reduceat", "accumulate"), operands[:1], attrs)
    else:
        found = _found(function, operands, attrs)
    dims = _method_dims(method, operands, attrs.get("axis", 0))
    return tuple(sized(type_, dims) for type_ in found)


def _method_samples(rng: np.random.Generator) -> Any:
    x = rng.random((4, 3))
    yield (x,), {"function": "add.accumulate", "axis": 1}
    yield (x, np.array([0, 2])), {"function": "add.reduceat", "axis": 0}
    yield (x, rng.random(2)), {"function": "subtract.outer"}
    yield (2, rng.random(2)), {"function": "less.outer"}
    yield (np.float32(2), 3), {"function": "multiply.outer"}


ufunc_method = defop(
    "ufunc.method",
    infer=_infer_method,
    kernel=_call,
    effects=_EFFECTS,
    samples=_method_samples,
)
"""``np.add.accumulate(x)``, ``np.add.reduceat(x, indices)`` and ``np.add.outer(x, y)``."""
