"""Methods that Tensors have beside those of arrays, under the names of PyTorch and MindSpore.

In: a Tensor; in a graph, the array that it holds. Out: what NumPy makes of it. They are programs in
the language: plain Python runs them on Tensors, and the frontend compiles calls of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from staticpy.ir import INT, Value
from staticpy.ops.shape_functions import reshape_method
from staticpy.ops.views import view


def mm(x: Any, other: Any) -> Any:
    """``x @ other`` of two matrices."""
    if x.ndim != 2 or other.ndim != 2:
        raise ValueError("mm() is of two matrices: take @ for other numbers of axes")
    return x @ other


def t(x: Any) -> Any:
    """The transposed of a matrix; a row stays one."""
    if x.ndim > 2:
        raise ValueError("t() is of a matrix: take permute() where there are more than two axes")
    return x.T


def permute(x: Any, *axes: Any) -> Any:
    """``transpose`` with all axes."""
    return x.transpose(*axes)


def expand_dims(x: Any, axis: Any) -> Any:
    """One more axis of size 1."""
    return np.expand_dims(x, axis)


def unsqueeze(x: Any, dim: Any) -> Any:
    """One more axis of size 1."""
    return np.expand_dims(x, dim)


def broadcast_to(x: Any, shape: Any) -> Any:
    """Stretched to a shape; -1 stands for a size that stays."""
    missing = len(shape) - x.ndim
    sizes = [x.shape[n - missing] if size == -1 else size for n, size in enumerate(shape)]
    return np.broadcast_to(x, tuple(sizes))


def expand(x: Any, *sizes: Any) -> Any:
    """``broadcast_to``, of sizes one by one or in a tuple."""
    if len(sizes) == 1 and isinstance(sizes[0], tuple | list):
        sizes = tuple(sizes[0])
    return broadcast_to(x, sizes)


def expand_as(x: Any, other: Any) -> Any:
    """Stretched to the shape of another one."""
    return np.broadcast_to(x, other.shape)


def dim(x: Any) -> Any:
    """The number of axes."""
    return x.ndim


def numel(x: Any) -> Any:
    """The number of elements."""
    return x.size


def to_float16(x: Any) -> Any:
    """As float16."""
    return x.astype(np.float16)


def to_float32(x: Any) -> Any:
    """As float32."""
    return x.astype(np.float32)


def to_float64(x: Any) -> Any:
    """As float64."""
    return x.astype(np.float64)


def to(x: Any, dtype: Any) -> Any:
    """As another dtype."""
    return x.astype(dtype)


def type_as(x: Any, other: Any) -> Any:
    """As the dtype of another one."""
    return x.astype(other.dtype)


def clone(x: Any) -> Any:
    """A copy, which derivatives flow through."""
    return x.copy()


def clamp(x: Any, min: Any = None, max: Any = None) -> Any:  # noqa: A002 - PyTorch's names
    """``clip``, with one bound or two."""
    return np.clip(x, min, max)


def absolute(x: Any) -> Any:
    """``np.abs``."""
    return np.abs(x)


def exp(x: Any) -> Any:
    """``np.exp``."""
    return np.exp(x)


def log(x: Any) -> Any:
    """``np.log``."""
    return np.log(x)


def sqrt(x: Any) -> Any:
    """``np.sqrt``."""
    return np.sqrt(x)


def square(x: Any) -> Any:
    """``np.square``."""
    return np.square(x)


def sin(x: Any) -> Any:
    """``np.sin``."""
    return np.sin(x)


def cos(x: Any) -> Any:
    """``np.cos``."""
    return np.cos(x)


def tanh(x: Any) -> Any:
    """``np.tanh``."""
    return np.tanh(x)


def neg(x: Any) -> Any:
    """``-x``."""
    return -x


def add(x: Any, other: Any) -> Any:
    """``x + other``."""
    return x + other


def sub(x: Any, other: Any) -> Any:
    """``x - other``."""
    return x - other


def mul(x: Any, other: Any) -> Any:
    """``x * other``."""
    return x * other


def div(x: Any, other: Any) -> Any:
    """``x / other``."""
    return x / other


def power(x: Any, exponent: Any) -> Any:
    """``x ** exponent``."""
    return x**exponent


def matmul(x: Any, other: Any) -> Any:
    """``x @ other``."""
    return x @ other


TENSOR_METHODS: Mapping[str, Callable[..., Any]] = {
    "abs": absolute,
    "add": add,
    "broadcast_to": broadcast_to,
    "clamp": clamp,
    "clone": clone,
    "cos": cos,
    "dim": dim,
    "div": div,
    "double": to_float64,
    "exp": exp,
    "expand": expand,
    "expand_as": expand_as,
    "expand_dims": expand_dims,
    "float": to_float32,
    "half": to_float16,
    "log": log,
    "matmul": matmul,
    "mm": mm,
    "mul": mul,
    "neg": neg,
    "numel": numel,
    "permute": permute,
    "pow": power,
    "sin": sin,
    "sqrt": sqrt,
    "square": square,
    "sub": sub,
    "t": t,
    "tanh": tanh,
    "to": to,
    "type_as": type_as,
    "unsqueeze": unsqueeze,
}
"""The methods by their names; an ndarray has none of them."""


def tensor_view(x: Any, *shape: Any, **options: Any) -> Any:
    """The adapter of ``view`` of a Tensor: ``reshape`` to the sizes that are given; otherwise
    NumPy's ``view``, of a dtype.
    """
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
    if shape and not options and all(map(_is_size, sizes)):
        return reshape_method(x, *sizes)
    return view(x, *shape, **options)


def _is_size(item: Any) -> bool:
    return isinstance(item, int) or (isinstance(item, Value) and item.type == INT)
