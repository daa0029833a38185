"""Arrays that lie in memory as a ufunc would lay out what it makes of others.

%z = zeros_for %x, %y {dtype = "float64"} : f64[m, n]

In: arrays. Out: zeros of the shape that these broadcast to, by rows or by columns as NumPy decides
it for all of them together: ``np.vectorize`` makes its results so, and goes through the elements in
this order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.ir import TensorType, Type, Value, dims_of
from staticpy.ops.apply import emit
from staticpy.ops.arguments import static_dtype
from staticpy.ops.nested import as_array
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.promote import broadcast_dims


def _kernel(*arrays: Any, dtype: np.dtype) -> Any:
    copies = [np.zeros_like(array, dtype=np.bool_) for array in arrays]
    given: Any = [["readonly"]] * len(copies)
    types: Any = [None] * len(copies)
    made = np.nditer(
        [*copies, None],
        flags=["zerosize_ok"],
        op_flags=[*given, ["writeonly", "allocate"]],
        op_dtypes=[*types, dtype],
    ).operands[-1]
    return np.zeros_like(made)


def _infer(*operands: Type, dtype: np.dtype) -> Type:
    return TensorType(dtype, broadcast_dims(*map(dims_of, operands)))


def _samples(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3))
    yield (x,), {"dtype": np.dtype("float64")}
    yield (np.asfortranarray(x), np.asfortranarray(x)), {"dtype": np.dtype("int8")}
    yield (x, np.asfortranarray(x), x[:1]), {"dtype": np.dtype("float32")}
    yield (np.array(1.0), x[0]), {"dtype": np.dtype("bool")}


zeros_for_op = defop(
    "zeros_for", infer=_infer, kernel=_kernel, effects=Effect.RAISES, samples=_samples
)
"""Zeros of a dtype, laid out as a ufunc's result of the operands."""


def zeros_for(dtype: Any, *arrays: Any) -> Any:
    """Zeros of ``dtype``, of the shape and in the memory order of a ufunc's result for arrays."""
    function = "np.vectorize()"
    values: list[Value] = [as_array(array, function) for array in arrays]
    return emit(zeros_for_op, *values, dtype=static_dtype(dtype, function))
