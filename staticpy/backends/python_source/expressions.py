"""How each operation is written in Python.

In: an operation and the expressions of its operands. Out: the expression that computes it. By
default that is the Python operator of the op (``symbol``), else the NumPy function (``numpy``),
else a call of the kernel. What a person would write otherwise has a row in ``ROWS``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.backends.python_source.array_rows import ARRAY_ROWS
from staticpy.backends.python_source.calls import Args, Calls, definition
from staticpy.backends.python_source.container_rows import CONTAINER_ROWS, Row, subscript
from staticpy.backends.python_source.literals import (
    call,
    dtype_expression,
    load,
    numpy_name,
)
from staticpy.ir import COMPLEX, Operation, PythonType, ScalarType, Type
from staticpy.ops import OpDef

BINARY: dict[str, Callable[[], ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "//": ast.FloorDiv,
    "%": ast.Mod,
    "**": ast.Pow,
    "@": ast.MatMult,
    "<<": ast.LShift,
    ">>": ast.RShift,
    "&": ast.BitAnd,
    "|": ast.BitOr,
    "^": ast.BitXor,
}
COMPARE: dict[str, Callable[[], ast.cmpop]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
}
UNARY: dict[str, Callable[[], ast.unaryop]] = {
    "-": ast.USub,
    "+": ast.UAdd,
    "~": ast.Invert,
    "not ": ast.Not,
}

_FLOAT64 = ScalarType(np.dtype(np.float64))


class Writer(Calls):
    """Writes expressions of operations."""

    def write(self, operation: Operation, args: Args, types: Sequence[Type]) -> ast.expr:
        """The expression of ``operation`` for operands of ``types``, written as ``args``."""
        op = definition(operation)
        row = ROWS.get(op.name)
        if row is not None:
            return row(self, operation, args)
        if is_operator(op, types):
            return operator_expression(op.symbol, args)
        return self.function(operation, args)


def is_operator(op: OpDef, types: Sequence[Type]) -> bool:
    """Whether an op is written as its operator: of its operands, in their order, and nothing else.
    Of an op that has a row, that says nothing.
    """
    return bool(op.symbol) and (op.ufunc is None or _is_numpys(types))


def _is_numpys(types: Sequence[Type]) -> bool:
    """Whether Python leaves an operator on operands of these types to NumPy."""
    if all(isinstance(type_, PythonType) for type_ in types):
        return False
    # A NumPy float64 is a float too, which Python's complex numbers take as such.
    return list(types) != [COMPLEX, _FLOAT64]


def operator_expression(symbol: str, args: Args) -> ast.expr:
    """``a + b``, ``a < b`` or ``-a``."""
    if len(args) == 1:
        return ast.UnaryOp(UNARY[symbol](), args[0])
    left, right = args
    if symbol in COMPARE:
        return ast.Compare(left, [COMPARE[symbol]()], [right])
    return ast.BinOp(left, BINARY[symbol.rstrip("=")](), right)


def _method(name: str) -> Callable[..., ast.expr]:
    def row(writer: Calls, operation: Operation, args: Args) -> ast.expr:
        attrs = {k: writer.globals.expression(v) for k, v in operation.attrs.items()}
        function = ast.Attribute(args[0], name, ast.Load())
        return call(function, *args[1:], *attrs.values())

    return row


def _builtin(name: str) -> Callable[..., ast.expr]:
    return lambda writer, operation, args: call(load(name), *args)


def _attribute(name: str) -> Callable[..., ast.expr]:
    return lambda writer, operation, args: ast.Attribute(args[0], name, ast.Load())


def _from_python(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    if operation.attrs.get("checked") or operation.attrs.get("wraps"):
        return writer.kernel(operation, args)
    return call(dtype_expression(operation.attrs["dtype"]), *args)


def _unbox(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return subscript(args[0], ast.Tuple([], ast.Load()))


def _dim(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    shape = ast.Attribute(args[0], "shape", ast.Load())
    return subscript(shape, ast.Constant(operation.attrs["axis"]))


def _broadcast(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    """By the kernel, whose error is that of the ufunc for whose operands it stands."""
    return writer.kernel(operation, args)


def _broadcast_arrays(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(numpy_name("broadcast_arrays"), *args)


# --- shapes ---------------------------------------------------------------------------------------


def _shape(writer: Calls, operation: Operation, sizes: Args) -> ast.Tuple:
    """The shape that the attribute ``shape`` gives, with an operand in place of each None."""
    rest = iter(sizes)
    parts = [
        next(rest) if size is None else writer.globals.expression(size)
        for size in operation.attrs["shape"]
    ]
    return ast.Tuple(parts, ast.Load())


def _reshape(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    order = operation.attrs.get("order")
    more = [] if order is None else [writer.globals.expression(order)]
    made = call(numpy_name("reshape"), args[0], _shape(writer, operation, args[1:]), *more)
    if "copy" in operation.attrs:
        made.keywords.append(ast.keyword("copy", ast.Constant(operation.attrs["copy"])))
    return made


def _broadcast_to(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(numpy_name("broadcast_to"), args[0], _shape(writer, operation, args[1:]))


def _transpose(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    axes = operation.attrs["axes"]
    if axes == tuple(reversed(range(len(axes)))):
        return ast.Attribute(args[0], "T", ast.Load())
    return call(numpy_name("transpose"), args[0], writer.globals.expression(axes))


def _with_axis(name: str) -> Callable[..., ast.expr]:
    def row(writer: Calls, operation: Operation, args: Args) -> ast.expr:
        return call(numpy_name(name), args[0], writer.globals.expression(operation.attrs["axis"]))

    return row


def _order(operation: Operation) -> dict[str, ast.expr]:
    """The memory order, where it is not the default."""
    order = operation.attrs.get("order")
    return {} if order is None else {"order": ast.Constant(order)}


def _filled(name: str) -> Callable[..., ast.expr]:
    def row(writer: Calls, operation: Operation, args: Args) -> ast.expr:
        dtype = dtype_expression(operation.attrs["dtype"])
        shape = _shape(writer, operation, args)
        return call(numpy_name(name), shape, dtype, **_order(operation))

    return row


def _full(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    dtype, shape = dtype_expression(operation.attrs["dtype"]), _shape(writer, operation, args[1:])
    return call(numpy_name("full"), shape, args[0], dtype, **_order(operation))


def _like(name: str, count: int = 1) -> Callable[..., ast.expr]:
    """``np.zeros_like(x, dtype)``, of ``count`` operands before the sizes of a shape."""

    def row(writer: Calls, operation: Operation, args: Args) -> ast.expr:
        dtype, more = dtype_expression(operation.attrs["dtype"]), _order(operation)
        if operation.attrs.get("shape") is not None:
            more["shape"] = _shape(writer, operation, args[count:])
        return call(numpy_name(name), *args[:count], dtype, **more)

    return row


def _arange(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(numpy_name("arange"), *args, dtype=dtype_expression(operation.attrs["dtype"]))


def _eye(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    rows, columns = _shape(writer, operation, args).elts
    dtype = dtype_expression(operation.attrs["dtype"])
    diagonal = writer.globals.expression(operation.attrs.get("k", 0))
    return call(numpy_name("eye"), rows, columns, diagonal, dtype, **_order(operation))


def _copy(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    function = ast.Attribute(args[0], "copy", ast.Load())
    is_default = operation.attrs["order"] == "C" or not hasattr(operation.result.type, "dims")
    return call(function, *([] if is_default else [ast.Constant(operation.attrs["order"])]))


def _asarray(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    attrs = {name: ast.Constant(value) for name, value in operation.attrs.items()}
    return call(numpy_name("asarray"), *args, **attrs)


def _convert(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(dtype_expression(operation.attrs["dtype"]), *args)


def _round(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    decimals = operation.attrs.get("decimals", 0)
    more = [writer.globals.expression(decimals)] if decimals else []
    return call(numpy_name("round"), *args, *more)


def _array(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    shape, dtype = operation.attrs["shape"], dtype_expression(operation.attrs["dtype"])
    if operation.attrs.get("inferred"):
        return writer.kernel(operation, args)
    if 0 in shape:
        return call(numpy_name("zeros"), writer.globals.expression(shape), dtype)
    items: list[ast.expr] = list(args)
    for size in reversed(shape[1:]):
        rows = range(0, len(items), size)
        items = [ast.List(items[i : i + size], ast.Load()) for i in rows]
    value = ast.List(items, ast.Load()) if shape else items[0]
    return call(numpy_name("array"), value, dtype)


# --- indexes --------------------------------------------------------------------------------------


def index_expression(writer: Calls, spec: Sequence[Any], args: Args) -> ast.expr:
    """The index that the attribute ``spec`` of ``index`` and ``store`` describes."""
    operands = iter(args)

    def part(entry: Any) -> ast.expr:
        if entry in ("value", "array"):
            return next(operands)
        if isinstance(entry, tuple):
            start, stop, step = (None if each is None else part(each) for each in entry)
            return ast.Slice(start, stop, step)
        known = {"newaxis": None, "ellipsis": ...}
        return writer.globals.expression(known.get(entry, entry))

    parts = [part(entry) for entry in spec]
    return parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())


def _index(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    array, *rest = args
    return subscript(array, index_expression(writer, operation.attrs["spec"], rest))


def _flat_item(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    array, *rest = args
    flat = ast.Attribute(array, "flat", ast.Load())
    return subscript(flat, index_expression(writer, operation.attrs["spec"], rest))


def _trick(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    """``np.r_[a, 0, b]``; the kernel where there is an index of one entry in a tuple."""
    spec, function = operation.attrs["spec"], operation.attrs["function"]
    if len(spec) == 1 and operation.attrs["is_tuple"]:
        return writer.kernel(operation, args)
    return subscript(numpy_name(function), index_expression(writer, spec, args))


def _unpack(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return args[0]  # the targets of the assignment unpack it


# --- Python numbers -------------------------------------------------------------------------------


def _sum(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(load("sum"), ast.Tuple(list(args[1:]), ast.Load()), args[0])


def _power(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    """``a ** b``, by the kernel where a root of a negative number is to be found out."""
    types = [str(operand.type) for operand in operation.operands]
    is_checked = operation.attrs.get("kind") == "float" and "float" in types
    return writer.kernel(operation, args) if is_checked else operator_expression("**", args)


def _call(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(load(writer.callees[operation.attrs["callee"]]), *args)


ROWS: dict[str, Row] = {
    **ARRAY_ROWS,
    **CONTAINER_ROWS,
    "call": _call,
    "from_python": _from_python,
    "unbox": _unbox,
    "cast": _method("astype"),
    "broadcast": _broadcast,
    "broadcast_arrays": _broadcast_arrays,
    "dim": _dim,
    "reshape": _reshape,
    "transpose": _transpose,
    "expand_dims": _with_axis("expand_dims"),
    "squeeze": _with_axis("squeeze"),
    "flatten": _method("flatten"),
    "broadcast_to": _broadcast_to,
    "zeros": _filled("zeros"),
    "ones": _filled("ones"),
    "full": _full,
    "zeros_like": _like("zeros_like"),
    "ones_like": _like("ones_like"),
    "full_like": _like("full_like", 2),
    "arange": _arange,
    "eye": _eye,
    "array": _array,
    "copy": _copy,
    "asarray": _asarray,
    "astype": _method("astype"),
    "convert": _convert,
    "round": _round,
    "index": _index,
    "flat.getitem": _flat_item,
    "numpy.trick": _trick,
    "unpack": _unpack,
    "item": _method("item"),
    "truth": _builtin("bool"),
    "py.bool": _builtin("bool"),
    "py.int": _builtin("int"),
    "py.float": _builtin("float"),
    "py.complex": _builtin("complex"),
    "py.abs": _builtin("abs"),
    "py.min": _builtin("min"),
    "py.max": _builtin("max"),
    "py.round": _builtin("round"),
    "py.divmod": _builtin("divmod"),
    "py.sum": _sum,
    "py.real": _attribute("real"),
    "py.imag": _attribute("imag"),
    "py.conjugate": _method("conjugate"),
    "py.is_integer": _method("is_integer"),
    "py.pow": _power,
}
"""One row for each op that is not written as its ``symbol``, its ``numpy`` function or its
kernel.
"""
