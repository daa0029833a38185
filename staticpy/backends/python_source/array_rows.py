"""How calls of NumPy and ``math`` with arguments that steer them are written.

In: an operation and the expressions of its operands. Out: the call as a person writes it:
``np.add(a, b, out=x)``, ``x.sort(axis=0)``, ``np.add.at(x, i, v)``, ``math.sin(x)``.
"""

from __future__ import annotations

import ast
import bisect
import cmath
import heapq
import math
from types import ModuleType

from staticpy.backends.python_source.calls import Args, Calls
from staticpy.backends.python_source.container_rows import Row
from staticpy.backends.python_source.literals import call, load, numpy_name
from staticpy.ir import Operation
from staticpy.ops import REGISTRY

_STEERING = ("function", "keywords", "takes_sequence")


def _named(writer: Calls, operation: Operation, *without: str) -> dict[str, ast.expr]:
    """The attributes that are keywords of the call."""
    attrs = operation.attrs.items()
    return {name: writer.globals.expression(each) for name, each in attrs if name not in without}


def _call_numpy(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    """``np.f(a, b, where=m, dtype=d)``; the last operands go by the names in ``keywords``."""
    keywords = operation.attrs.get("keywords", ())
    count = len(args) - len(keywords)
    given = list(args[:count])
    if operation.attrs.get("takes_sequence"):
        given = [ast.Tuple(given, ast.Load())]
    named = dict(zip(keywords, args[count:], strict=True))
    more = _named(writer, operation, *_STEERING)
    return call(numpy_name(operation.attrs["function"]), *given, **named, **more)


def _call_out(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    out, *rest = args
    made = _call_numpy(writer, operation, rest)
    assert isinstance(made, ast.Call)
    return ast.Call(made.func, made.args, [*made.keywords, ast.keyword("out", out)])


def _numpy_writer(name: str) -> Row:
    def row(writer: Calls, operation: Operation, args: Args) -> ast.expr:
        return call(numpy_name(name), *args, **_named(writer, operation))

    return row


def _copyto(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    target, source, *where = args
    named = _named(writer, operation)
    if where:
        named["where"] = where[0]
    return call(numpy_name("copyto"), target, source, **named)


def _method(name: str) -> Row:
    def row(writer: Calls, operation: Operation, args: Args) -> ast.expr:
        function = ast.Attribute(args[0], name, ast.Load())
        return call(function, *args[1:], **_named(writer, operation))

    return row


def _at(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    """``np.add.at(x, i, v)``; a slice in the index has no literal outside of a subscript."""
    target, *rest = args
    spec, count = operation.attrs["spec"], operation.attrs["count"]
    if any(isinstance(entry, tuple) or entry in ("newaxis", "ellipsis") for entry in spec):
        return writer.kernel(operation, args)
    operands = iter(rest[count:])
    parts = [
        next(operands) if entry in ("value", "array") else writer.globals.expression(entry)
        for entry in spec
    ]
    index = parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())
    function = numpy_name(f"{operation.attrs['ufunc']}.at")
    return call(function, target, index, *rest[:count])


def _of_module(module: ModuleType, name: str) -> Row:
    """``math.sin(x)``, ``heapq.heappush(l, x)``."""

    def row(writer: Calls, operation: Operation, args: Args) -> ast.expr:
        owner = load(writer.globals.name(module, module.__name__))
        return call(ast.Attribute(owner, name, ast.Load()), *args)

    return row


def _module_rows() -> dict[str, Row]:
    """The ops whose kernel is itself a function of its name of one of Python's modules."""
    rows: dict[str, Row] = {}
    for op in REGISTRY.values():
        name = op.name.rpartition(".")[2]
        for module in (math, cmath, heapq, bisect):
            if op.kernel is not None and getattr(module, name, None) is op.kernel:
                rows[op.name] = _of_module(module, name)
    return rows


ARRAY_ROWS: dict[str, Row] = {
    **_module_rows(),
    "call_out": _call_out,
    "call_ufunc": _call_numpy,
    "call_reduce": _call_numpy,
    "ufunc.method": _call_numpy,
    "ufunc.at": _at,
    "fill": _method("fill"),
    "sort_in_place": _method("sort"),
    "partition_in_place": _method("partition"),
    "view": _method("view"),
    "put": _numpy_writer("put"),
    "place": _numpy_writer("place"),
    "putmask": _numpy_writer("putmask"),
    "fill_diagonal": _numpy_writer("fill_diagonal"),
    "put_along_axis": _numpy_writer("put_along_axis"),
    "copyto": _copyto,
}
"""One row for each op that calls a function in a way of its own."""
