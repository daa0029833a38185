"""Comparing arrays as a whole: ``array_equal``, ``allclose``, ``isclose``.

In: two operands of any box. Out: a Python bool; of ``isclose`` one bool for each element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.ir import BOOL, Type, dims_of
from staticpy.ops.apply import emit
from staticpy.ops.arguments import adapter, static_bool
from staticpy.ops.nested import as_array, as_operand
from staticpy.ops.opdef import Attrs, Effect, defop
from staticpy.ops.probed import Dims, probed_op
from staticpy.ops.promote import broadcast_dims


def _infer_bool(*_: Type, **__: Any) -> Type:
    return BOOL


def _pairs(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3))
    yield (x, x + 0.0), {}
    yield (x, x[0]), {"equal_nan": True}


array_equal_op = defop(
    "array_equal", infer=_infer_bool, kernel=np.array_equal, numpy="array_equal", samples=_pairs
)
array_equiv_op = defop(
    "array_equiv",
    infer=_infer_bool,
    kernel=np.array_equiv,
    numpy="array_equiv",
    samples=lambda rng: [((rng.random((2, 3)), rng.random(3)), {})],
)
"""``np.array_equiv(a, b)``: equal when stretched."""


def _close_dims(operands: Sequence[Type], _attrs: Attrs) -> Dims:
    return broadcast_dims(*map(dims_of, operands))


def _close_samples(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3))
    yield (x, x[0], 1e-5, 1e-8), {}
    yield (x, 0.5, 0.1, 0), {"equal_nan": True}
    yield (0.5, np.float32(0.5), 1e-5, 1e-8), {}


isclose_op = probed_op(
    "isclose",
    np.isclose,
    _close_dims,
    _close_samples,
    effects=Effect.RAISES | Effect.WARNS,
    numpy="isclose",
)
allclose_op = defop(
    "allclose",
    infer=_infer_bool,
    kernel=np.allclose,
    effects=Effect.RAISES | Effect.WARNS,
    numpy="allclose",
    samples=_close_samples,
)
"""``np.allclose(a, b, rtol, atol, equal_nan)``: a Python bool."""


@adapter("array_equal")
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    """``np.array_equal``."""
    function = "np.array_equal()"
    attrs = {"equal_nan": True} if static_bool(equal_nan, function, "equal_nan") else {}
    return emit(array_equal_op, as_array(a1, function), as_array(a2, function), **attrs)


@adapter("array_equiv")
def array_equiv(a1: Any, a2: Any) -> Any:
    """``np.array_equiv``."""
    function = "np.array_equiv()"
    return emit(array_equiv_op, as_array(a1, function), as_array(a2, function))


def _close(name: str, op: Any) -> Callable[..., Any]:
    function = f"np.{name}()"

    @adapter(name)
    def call(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
        operands = [as_operand(operand, function) for operand in (a, b, rtol, atol)]
        attrs = {"equal_nan": True} if static_bool(equal_nan, function, "equal_nan") else {}
        return emit(op, *operands, **attrs)

    return call


ADAPTERS: dict[str, Callable[..., Any]] = {
    "array_equal": array_equal,
    "array_equiv": array_equiv,
    "isclose": _close("isclose", isclose_op),
    "allclose": _close("allclose", allclose_op),
}
"""The functions by NumPy's name."""
