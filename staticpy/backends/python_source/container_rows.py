"""How tuples, lists, dicts, objects, strings and exceptions are written: the rows of their ops.

In: an operation and the expressions of its operands. Out: the expression that computes it. What is
a statement in Python has its row in ``lines``.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable, Sequence

from staticpy.backends.python_source.calls import Args, Calls
from staticpy.backends.python_source.fstrings import f_string
from staticpy.backends.python_source.literals import call, dtype_expression, load, numpy_name
from staticpy.ir import (
    NONE,
    OBJECT,
    DictType,
    ListType,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    members_of,
)
from staticpy.ops import is_sure_array, keep_tapes, take_tape

Row = Callable[[Calls, Operation, Args], ast.expr]


def is_attribute(name: str) -> bool:
    """Whether ``obj.name`` can be written."""
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)


def subscript(value: ast.expr, index: ast.expr) -> ast.Subscript:
    """``value[index]``, read."""
    return ast.Subscript(value, index, ast.Load())


def slice_of(bounds: Args) -> ast.Slice:
    """``start:stop:step``, without those that are None."""
    start, stop, step = (None if _is_none(bound) else bound for bound in bounds)
    return ast.Slice(start, stop, step)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def method_call(name: str) -> Row:
    """``receiver.name(*args)``."""
    return lambda writer, operation, args: call(ast.Attribute(args[0], name, ast.Load()), *args[1:])


def _text_method(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return method_call(operation.attrs["method"])(writer, operation, args)


def _function(name: str) -> Row:
    return lambda writer, operation, args: call(load(name), *args)


def _same(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return args[0]


def _take(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(load(writer.globals.name(take_tape, "take_tape")), *args)


def _keep(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(load(writer.globals.name(keep_tapes, "keep_tapes")), *args)


# --- displays -------------------------------------------------------------------------------------


def _tuple(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return ast.Tuple(list(args), ast.Load())


def _list(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return ast.List(list(args), ast.Load())


def _set(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return ast.Set(list(args)) if args else call(load("set"))


def _dict(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    half = len(args) // 2
    return ast.Dict(list(args[:half]), list(args[half:]))


# --- items ----------------------------------------------------------------------------------------


def _getitem(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return subscript(*args)


def _getslice(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return subscript(args[0], slice_of(args[1:]))


def _contains(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    container, item = args
    return ast.Compare(item, [ast.In()], [container])


def _list_of(view: str) -> Row:
    return lambda writer, operation, args: call(
        load("list"), call(ast.Attribute(args[0], view, ast.Load()))
    )


def _iterator(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    kind = operation.attrs["kind"]
    view = args[0] if kind == "keys" else call(ast.Attribute(args[0], kind, ast.Load()))
    return call(load("reversed" if operation.attrs["is_reversed"] else "iter"), view)


def _next(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(load("next"), args[0])


def _sort(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    more = {"reverse": ast.Constant(True)} if operation.attrs["reverse"] else {}
    return call(ast.Attribute(args[0], "sort", ast.Load()), **more)


def _from_array(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    name = "tolist" if operation.attrs["to_python"] else ""
    return method_call(name)(writer, operation, args) if name else call(load("list"), *args)


def _array(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    if not is_sure_array(operation.attrs):
        return writer.kernel(operation, args)
    dtype = operation.attrs["dtype"]
    more = [] if dtype is None else [dtype_expression(dtype)]
    return call(numpy_name("array"), *args, *more)


# --- objects --------------------------------------------------------------------------------------


def _call(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    method = operation.attrs["method"]
    if method == "__getitem__" and len(args) == 2:
        return subscript(*args)
    if method == "__len__":
        return call(load("len"), *args)
    if not is_attribute(method):
        return writer.kernel(operation, args)
    return method_call(method)(writer, operation, args)


def _getattr(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    name = operation.attrs["name"]
    if not is_attribute(name):
        return call(load("getattr"), *args, ast.Constant(name))
    return ast.Attribute(args[0], name, ast.Load())


def _object_function(function: str) -> Row:
    """``object.__setattr__(obj, name, value)``, or a builtin in place of ``obj.name = value``."""

    def row(writer: Calls, operation: Operation, args: Args) -> ast.expr:
        receiver, *value = args
        name = ast.Constant(operation.attrs["name"])
        owner, _, called = function.rpartition(".")
        if owner:
            return call(ast.Attribute(load(owner), called, ast.Load()), receiver, name, *value)
        return call(load(called), receiver, name, *value)

    return row


def _new(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(ast.Attribute(load("object"), "__new__", ast.Load()), args[0])


def _construct(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    class_, *values = args
    names = operation.attrs.get("names", ())
    if not all(map(is_attribute, names)):
        return writer.kernel(operation, args)
    first = len(values) - len(names)
    named = [ast.keyword(*pair) for pair in zip(names, values[first:], strict=True)]
    return ast.Call(class_, list(values[:first]), named)


def _compare_with(op: Callable[[], ast.cmpop]) -> Row:
    return lambda writer, operation, args: ast.Compare(args[0], [op()], [args[1]])


def _isinstance(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    classes = [*map(load, operation.attrs["names"]), *args[1:]]
    wanted = classes[0] if len(classes) == 1 else ast.Tuple(list(classes), ast.Load())
    return call(load("isinstance"), args[0], wanted)


def _object_is(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    if any(isinstance(side, ast.Constant) and side.value is not None for side in args):
        return writer.kernel(operation, args)  # Python warns of "is" beside a literal
    return _compare_with(ast.Is)(writer, operation, args)


def _same_or_equal(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    left, right = (ast.Tuple([side], ast.Load()) for side in args)
    return ast.Compare(left, [ast.Eq()], [right])


_ORDER: dict[str, Callable[[], ast.cmpop]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
}


def _object_compare(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return _compare_with(_ORDER[operation.attrs["symbol"]])(writer, operation, args)


# --- members of unions ----------------------------------------------------------------------------


def _is_member(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    """The test that a person would write for one of these members."""
    type_, members = operation.attrs["type"], members_of(operation.operands[0].type)
    if isinstance(args[0], ast.Constant):
        return writer.kernel(operation, args)  # Python warns of "is" beside a literal
    if type_ == NONE:
        return ast.Compare(args[0], [ast.Is()], [ast.Constant(None)])
    if OBJECT in members and not isinstance(type_, PythonType | ScalarType):
        return writer.kernel(operation, args)
    if isinstance(type_, TensorType):
        tests = _array_tests(type_, members, args[0])
    elif isinstance(type_, TupleType):
        tests = _tuple_tests(type_, members, args[0])
    else:
        tests = [_is_of_class(args[0], _class(type_))]
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _class(type_: Type) -> ast.expr:
    if isinstance(type_, PythonType):
        return load(type_.kind)
    if isinstance(type_, ScalarType):
        return dtype_expression(type_.dtype)
    assert isinstance(type_, ListType | DictType)
    return load("list" if isinstance(type_, ListType) else "dict")


def _is_of_class(value: ast.expr, class_: ast.expr) -> ast.expr:
    return ast.Compare(call(load("type"), value), [ast.Is()], [class_])


def _array_tests(type_: TensorType, members: Sequence[Type], value: ast.expr) -> list[ast.expr]:
    others = [each for each in members if isinstance(each, TensorType)]
    tests: list[ast.expr] = [call(load("isinstance"), value, numpy_name("ndarray"))]
    if any(other.rank != type_.rank for other in others):
        rank = ast.Attribute(value, "ndim", ast.Load())
        tests.append(ast.Compare(rank, [ast.Eq()], [ast.Constant(type_.rank)]))
    if any(other.dtype != type_.dtype for other in others):
        dtype = ast.Attribute(value, "dtype", ast.Load())
        tests.append(ast.Compare(dtype, [ast.Eq()], [dtype_expression(type_.dtype)]))
    return tests


def _tuple_tests(type_: TupleType, members: Sequence[Type], value: ast.expr) -> list[ast.expr]:
    others = [each for each in members if isinstance(each, TupleType)]
    tests = [_is_of_class(value, load("tuple"))]
    if any(len(other.items) != len(type_.items) for other in others):
        length = ast.Constant(len(type_.items))
        tests.append(ast.Compare(call(load("len"), value), [ast.Eq()], [length]))
    return tests


# --- text -----------------------------------------------------------------------------------------


def _format(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    made = f_string(operation.attrs["parts"], list(args))
    return writer.kernel(operation, args) if made is None else made


def _print(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    defaults = {"sep": " ", "end": "\n"}
    attrs = {name: operation.attrs.get(name, value) for name, value in defaults.items()}
    more = {name: ast.Constant(attrs[name]) for name in attrs if attrs[name] != defaults[name]}
    return call(load("print"), *args, **more)


def _exception(writer: Calls, operation: Operation, args: Args) -> ast.expr:
    return call(load(operation.attrs["name"]), *args)


CONTAINER_ROWS: dict[str, Row] = {
    "tuple.make": _tuple,
    "tuple.items": _same,  # the targets of the assignment unpack it
    "set.make": _set,
    "slice.make": _function("slice"),
    "list.make": _list,
    "list.copy": method_call("copy"),
    "list.len": _function("len"),
    "list.getitem": _getitem,
    "list.getslice": _getslice,
    "list.contains": _contains,
    "list.index": method_call("index"),
    "list.count": method_call("count"),
    "list.append": method_call("append"),
    "list.extend": method_call("extend"),
    "list.insert": method_call("insert"),
    "list.pop": method_call("pop"),
    "list.remove": method_call("remove"),
    "list.clear": method_call("clear"),
    "list.reverse": method_call("reverse"),
    "list.sort": _sort,
    "list.sum": _function("sum"),
    "list.from_array": _from_array,
    "list.array": _array,
    "tape.take": _take,
    "tape.keep": _keep,
    "dict.make": _dict,
    "dict.copy": method_call("copy"),
    "dict.len": _function("len"),
    "dict.getitem": _getitem,
    "dict.contains": _contains,
    "dict.get": method_call("get"),
    "dict.keys": _function("list"),
    "dict.values": _list_of("values"),
    "dict.items": _list_of("items"),
    "dict.iterator": _iterator,
    "dict.next": _next,
    "dict.pop": method_call("pop"),
    "dict.popitem": method_call("popitem"),
    "dict.update": method_call("update"),
    "dict.clear": method_call("clear"),
    "object.call": _call,
    "object.getattr": _getattr,
    "object.setattr": _object_function("setattr"),
    "object.set_slot": _object_function("object.__setattr__"),
    "object.delattr": _object_function("delattr"),
    "object.truth": _function("bool"),
    "object.cast": _same,
    "object.new": _new,
    "object.construct": _construct,
    "object.is": _object_is,
    "object.isinstance": _isinstance,
    "object.same_or_equal": _same_or_equal,
    "object.compare": _object_compare,
    "any.is": _is_member,
    "any.narrow": _same,
    "any.abs": _function("abs"),
    "any.divmod": _function("divmod"),
    "str.format": _format,
    "str.str": _function("str"),
    "str.repr": _function("repr"),
    "str.len": _function("len"),
    "str.int": _function("int"),
    "str.float": _function("float"),
    "str.complex": _function("complex"),
    "str.call": _text_method,
    "str.getitem": _getitem,
    "str.getslice": _getslice,
    "str.contains": _contains,
    "str.items": _function("list"),
    "print": _print,
    "exception.make": _exception,
}
"""One row for each op on memory, strings and exceptions that has an expression of its own."""
