"""Operations that are statements in Python: ``x[i] = v``, ``del d[k]``, ``obj.name = v``.

In: an operation and the expressions of its operands. Out: the statement; None where the operation
is written as an expression (``expressions``).
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from staticpy.backends.python_source.calls import Args, Calls
from staticpy.backends.python_source.container_rows import is_attribute, slice_of
from staticpy.backends.python_source.expressions import index_expression
from staticpy.ir import Operation

Line = Callable[[Calls, Operation, Args], ast.stmt | None]


def _assigned(container: ast.expr, index: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Subscript(container, index, ast.Store())], value)


def _deleted(container: ast.expr, index: ast.expr) -> ast.stmt:
    return ast.Delete([ast.Subscript(container, index, ast.Del())])


def _store(writer: Calls, operation: Operation, args: Args) -> ast.stmt:
    array, value, *operands = args
    index = index_expression(writer, operation.attrs["spec"], operands)
    return _assigned(array, index, value)


def _setitem(writer: Calls, operation: Operation, args: Args) -> ast.stmt:
    return _assigned(*args)


def _delitem(writer: Calls, operation: Operation, args: Args) -> ast.stmt:
    return _deleted(*args)


def _delslice(writer: Calls, operation: Operation, args: Args) -> ast.stmt:
    items, *bounds = args
    return _deleted(items, slice_of(bounds))


def _setslice(writer: Calls, operation: Operation, args: Args) -> ast.stmt:
    items, source, *bounds = args
    return _assigned(items, slice_of(bounds), source)


def _call(writer: Calls, operation: Operation, args: Args) -> ast.stmt | None:
    method = operation.attrs["method"]
    if "result" in operation.attrs:
        return None
    if method == "__setitem__" and len(args) == 3:
        return _assigned(args[0], _plain_slice(args[1]), args[2])
    if method == "__delitem__" and len(args) == 2:
        return _deleted(args[0], _plain_slice(args[1]))
    return None


def _plain_slice(index: ast.expr) -> ast.expr:
    """``a:b`` for ``slice(a, b, None)``."""
    is_slice = (
        isinstance(index, ast.Call)
        and isinstance(index.func, ast.Name)
        and index.func.id == "slice"
    )
    return slice_of(index.args) if is_slice and isinstance(index, ast.Call) else index


def _setattr(writer: Calls, operation: Operation, args: Args) -> ast.stmt | None:
    name = operation.attrs["name"]
    if not is_attribute(name):
        return None
    receiver, value = args
    return ast.Assign([ast.Attribute(receiver, name, ast.Store())], value)


def _delattr(writer: Calls, operation: Operation, args: Args) -> ast.stmt | None:
    name = operation.attrs["name"]
    if not is_attribute(name):
        return None
    return ast.Delete([ast.Attribute(args[0], name, ast.Del())])


LINES: dict[str, Line] = {
    "store": _store,
    "list.setitem": _setitem,
    "list.delitem": _delitem,
    "list.delslice": _delslice,
    "list.setslice": _setslice,
    "dict.setitem": _setitem,
    "dict.delitem": _delitem,
    "object.call": _call,
    "object.setattr": _setattr,
    "set_array_attribute": _setattr,
    "object.delattr": _delattr,
}
"""One row for each op that is written as a statement."""


def line_of(writer: Calls, operation: Operation, args: Args) -> ast.stmt | None:
    """The statement of ``operation``; None where it is an expression."""
    row = LINES.get(operation.name)
    return None if row is None else row(writer, operation, args)
