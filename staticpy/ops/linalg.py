"""Products of matrices and vectors.

In: arrays; ``matmul`` takes ranks of at least one, ``dot`` and its kind also scalars. Out: what
NumPy (that is, its BLAS) computes, a NumPy scalar where no axis is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    UNKNOWN,
    Dim,
    Type,
    Value,
    current_builder,
    dims_of,
)
from staticpy.ops.apply import emit
from staticpy.ops.arguments import adapter
from staticpy.ops.calls import into
from staticpy.ops.index import index
from staticpy.ops.nested import as_numpy
from staticpy.ops.opdef import Attrs, Effect, OpDef, defop
from staticpy.ops.probe import probe
from staticpy.ops.promote import broadcast_dims, fits
from staticpy.ops.reduce import sized

Dims = tuple[Dim, ...]


def matmul_dims(a: Dims, b: Dims) -> Dims:
    """The sizes of ``a @ b``."""
    rows = a[-2:-1]
    columns = b[-1:] if len(b) > 1 else ()
    return (*broadcast_dims(a[:-2], b[:-2]), *rows, *columns)


def _dot_dims(a: Dims, b: Dims) -> Dims:
    if not a or not b:
        return a or b
    return (*a[:-1], *b[:-2], *b[-1:]) if len(b) > 1 else a[:-1]


def _inner_dims(a: Dims, b: Dims) -> Dims:
    return (*a[:-1], *b[:-1]) if a and b else a or b


def _size(dims: Dims) -> Dim:
    size = 1
    for dim in dims:
        if not isinstance(dim, int):
            return dim if len(dims) == 1 else UNKNOWN
        size *= dim
    return size


def _outer_dims(a: Dims, b: Dims) -> Dims:
    return _size(a), _size(b)


def contracted(name: str, a: Dims, b: Dims) -> tuple[Dim, Dim] | None:
    """The two sizes that a product needs to be equal; None where it needs none."""
    if not a or not b or name == "outer":
        return None
    if name == "vdot":
        return _size(a), _size(b)
    return a[-1], b[-1] if name == "inner" or len(b) == 1 else b[-2]


def _infer(
    name: str, kernel: Any, dims: Callable[[Dims, Dims], Dims], left: Type, right: Type
) -> Type:
    (found,) = probe(f"np.{name}()", kernel, (left, right), {})
    return sized(found, dims(dims_of(left), dims_of(right)))


def _effects(name: str, operands: Sequence[Type], _attrs: Attrs) -> Effect:
    a, b = map(dims_of, operands)
    pair = contracted(name, a, b)
    equal = pair is None or (pair[0] == pair[1] and pair[0] != UNKNOWN)
    fitting = name != "matmul" or fits(a[:-2], b[:-2])
    return Effect.WARNS if equal and fitting else Effect.RAISES


def _samples(scalars: bool) -> Any:
    def samples(rng: np.random.Generator) -> Any:
        for dtype in ("bool", "int16", "float32", "complex128"):
            x = rng.integers(0, 4, (3, 3)).astype(dtype)
            yield (x, x), {}
            yield (x[0], x[1]), {}
        if scalars:
            yield (rng.random(3), np.float32(2)), {}
            yield (np.array(2.0), np.array(3)), {}

    return samples


def _matmul_samples(rng: np.random.Generator) -> Any:
    yield from _samples(False)(rng)
    yield (rng.random((2, 3)), rng.random((3, 4))), {}
    yield (rng.random((5, 2, 3)), rng.random((1, 3, 4))), {}
    yield (rng.random((5, 2, 3)), rng.random(3)), {}
    yield (rng.random(3), rng.random((3, 2))), {}
    yield (rng.random((2, 0)), rng.random((0, 3))), {}


def _define(name: str, dims: Callable[[Dims, Dims], Dims], samples: Any, symbol: str = "") -> OpDef:
    kernel = getattr(np, name)
    return defop(
        name,
        infer=partial(_infer, name, kernel, dims),
        kernel=kernel,
        effects=partial(_effects, name),
        symbol=symbol,
        numpy=name,
        samples=samples,
    )


matmul_op = _define("matmul", matmul_dims, _matmul_samples, "@")
dot_op = _define("dot", _dot_dims, _samples(True))
inner_op = _define("inner", _inner_dims, _samples(True))
vdot_op = _define(
    "vdot", lambda *_: (), lambda rng: [((rng.random((2, 3)), rng.random((2, 3))), {})]
)
outer_op = _define("outer", _outer_dims, _samples(True))


# --- adapters -------------------------------------------------------------------------------------


def _product(op: OpDef, a: Any, b: Any, out: Any = None) -> Any:
    """Apply a product, with the sizes that must agree taken to be equal.

    Raises:
        DiagnosticError: NumPy refuses the ranks or dtypes, or the sizes are known to differ.
    """
    function = f"np.{op.name}()"
    values: list[Value] = [as_numpy(operand, function) for operand in (a, b)]
    facts = current_builder().facts
    left, right = (dims_of(value.type) for value in values)
    pair = contracted(op.name, left, right)
    if pair is not None:
        facts.assume_equal(*pair)
        known = [facts.resolve(size) for size in pair]
        if all(isinstance(size, int) for size in known) and known[0] != known[1]:
            types = ", ".join(str(facts.resolve_type(value.type)) for value in values)
            raise _misfit(op.name, types, known, right)
    if op is matmul_op:
        for first, second in zip(reversed(left[:-2]), reversed(right[:-2]), strict=False):
            facts.assume_broadcast(first, second)
    if out is None:
        return emit(op, *values)
    found = into(out, op.name, *values)
    is_number = op is not matmul_op and not dims_of(found.type)
    return emit(index, found, spec=()) if is_number else found  # as dot gives it


def _misfit(name: str, types: str, pair: Sequence[Dim], right: Dims) -> DiagnosticError:
    """The error for a product of these types, whose ``pair`` of sizes differ."""
    axis, other = "last", "last" if name == "inner" or len(right) == 1 else "last but one"
    if name == "vdot":
        axis = other = "whole"
    way_out = catalog.FIT_MULTIPLIED.format(axis=axis, left=pair[0], other=other, right=pair[1])
    return DiagnosticError(catalog.SHAPE_MISMATCH, types=types, way_out=way_out)


def matmul_operands(a: Any, b: Any) -> Any:
    """``a @ b``."""
    return _product(matmul_op, a, b)


@adapter(
    "matmul",
    "x1, x2, /, out=None, *, casting='same_kind', order='K', dtype=None, subok=True, axes=..., "
    "axis=...",
)
def matmul(x1: Any, x2: Any, /, out: Any = None) -> Any:
    """``np.matmul``."""
    return _product(matmul_op, x1, x2, out[0] if isinstance(out, tuple) and out else out)


@adapter("dot")
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """``np.dot`` and ``a.dot(b)``."""
    return _product(dot_op, a, b, out)


@adapter("inner")
def inner(a: Any, b: Any, /) -> Any:
    """``np.inner``."""
    return _product(inner_op, a, b)


@adapter("vdot")
def vdot(a: Any, b: Any, /) -> Any:
    """``np.vdot``."""
    return _product(vdot_op, a, b)


@adapter("outer")
def outer(a: Any, b: Any, out: Any = None) -> Any:
    """``np.outer``."""
    return _product(outer_op, a, b, out)


ADAPTERS: dict[str, Callable[..., Any]] = {
    "matmul": matmul,
    "dot": dot,
    "inner": inner,
    "vdot": vdot,
    "outer": outer,
}
"""The functions by NumPy's name."""
