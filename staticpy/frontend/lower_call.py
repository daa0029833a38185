"""Lowering of calls: of NumPy, of builtins, of classes, and of the user's own functions.

Everything that can be called has one way to be called, found by the kind of the callee. What
becomes of a call of a user's function is decided in ``lower_function``.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.attributes import is_known_function
from staticpy.frontend.classes import (
    called,
    class_lookup,
    class_of_object,
    is_instance,
    is_single_dispatch,
    shown_name,
)
from staticpy.frontend.inputs import Variant, tree_leaves
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_numpy import signature_of
from staticpy.frontend.starred_calls import StarredCalls
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import (
    ArrayMethod,
    BoundFunction,
    Closure,
    ContainerMethod,
    DictRef,
    Getter,
    ListRef,
    ObjectRef,
    Partial,
    Ref,
    SuperProxy,
    UfuncMethod,
    UnionMethod,
    UserFunction,
)
from staticpy.ir import NONE, OBJECT, ListType, UnionType, Value, members_of
from staticpy.ops import operator_functions

_GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
_STATIC_FUNCTIONS = (np.finfo, np.iinfo, np.dtype, slice, frozenset, bytes)

_FUNCTIONS = (
    BoundFunction,
    UserFunction,
    Closure,
    ArrayMethod,
    ContainerMethod,
    Partial,
    Getter,
    UfuncMethod,
    UnionMethod,
    ObjectRef,
)


class Calls(StarredCalls):
    """Lowers every kind of call."""

    def expr_Call(self, node: Any) -> Any:
        if self._is_bare_super(node):
            return self.bare_super(node)
        function = called(self.expression(node.func))
        if not self.is_callable(function):  # said now, whatever may be wrong with the arguments
            self.refuse_call(function, node)
        spread = self.spread if function is print else None
        args = self.elements(node.args, self.filling(function, node), spread)
        return self.call_function(function, args, self.keywords(node.keywords), node)

    def keywords(self, keywords: list[Any]) -> dict[str, Any]:
        """The keyword arguments of a call, those of ``**mapping`` among them."""
        kwargs: dict[str, Any] = {}
        for keyword in keywords:
            value = self.expression(keyword.value)
            key = keyword.arg
            given = self._spread(value, keyword) if key is None else {key: value}
            for name, item in given.items():
                if name in kwargs:
                    message = f"got multiple values for keyword argument '{name}'"
                    self.fails("TypeError", message, keyword.value)
                kwargs[name] = item
        return kwargs

    def _spread(self, mapping: Any, keyword: Any) -> dict[str, Any]:
        content = self.content(mapping) if isinstance(mapping, DictRef) else None
        if not isinstance(content, dict):
            self.error(catalog.NEEDS_COMPILE_TIME, keyword.value, what="the keys after **")
            return {}
        if not all(isinstance(key, str) for key in content):
            self.fails("TypeError", "keywords must be strings", keyword.value)
        return content

    # --- which call it is -------------------------------------------------------------------------

    def call_function(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        """``function(*args, **kwargs)``."""
        if isinstance(function, BoundFunction):
            return self._call_bound(function, args, kwargs, node)
        if is_single_dispatch(function):
            return self.call_single_dispatch(function.function, args, kwargs, node)
        if isinstance(function, UserFunction | Closure):
            return self.call_user(function, args, kwargs, node)
        if isinstance(function, Partial):
            named = {**dict(function.kwargs), **kwargs}
            return self.call_function(function.function, [*function.args, *args], named, node)
        if isinstance(function, ContainerMethod):
            return self.call_method(function, args, kwargs, node)
        if isinstance(function, ArrayMethod):
            return self.call_array_method(function, args, kwargs, node)
        if isinstance(function, UnionMethod):
            run = lambda each: self._call_method_of(each, function.name, args, kwargs, node)  # noqa: E731
            return self.dispatch(function.value, run, node)
        if isinstance(function, UfuncMethod):
            return self.call_ufunc_method(function, args, kwargs, node)
        if isinstance(function, Getter):
            return self._call_getter(function, args, node)
        if isinstance(function, Variant) or _is_union(function):
            return self._call_option(function, args, kwargs, node)
        if is_instance(function):
            found = self.call_special(function, "__call__", args, node, kwargs)
            return self.refuse_call(function, node) if found is NotImplemented else found
        return self._call_outside(function, args, kwargs, node)

    def _call_option(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        """A call of what is one of several things."""

        def run(each: Any) -> Any:
            if not self.is_callable(each):
                return self.refuse_call(each, node)
            return self.call_function(each, args, kwargs, node)

        return self.dispatch(function, run, node)

    def _call_method_of(
        self, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        return self.call_function(self.attribute(receiver, name, node), args, kwargs, node)

    def _call_outside(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        """A call of something of Python's or NumPy's, or of a class."""
        if _is_hashable(function) and function in self.BUILTINS:
            return self._call_builtin(function, args, kwargs, node)
        if isinstance(function, type) and issubclass(function, _GETTERS):
            return Getter(function.__name__, tuple(args), tuple(kwargs.items()))
        if function is functools.partial:
            return Partial(args[0], tuple(args[1:]), tuple(kwargs.items()))
        if _is_hashable(function) and function in ops.MAKERS:
            return self.new_generator_object(function, args, kwargs, node)
        if is_known_function(function):
            return self._call_known(function, args, kwargs, node)
        if isinstance(function, type) and function not in _STATIC_FUNCTIONS:
            return self.construct(function, args, kwargs, node)
        if isinstance(function, types.FunctionType):  # made by this compiler: namedtuple._make
            return function(*args, **kwargs)
        return self.call_static(function, args, kwargs, node)

    def _call_bound(
        self, function: BoundFunction, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        method: Any = function.function
        return self.call_user(method, [function.self_value, *args], kwargs, node)

    def _call_builtin(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        attribute = self.BUILTINS[function]
        method = getattr(self, attribute)
        name = getattr(function, "__name__", str(function))
        try:
            # Of the class: what is remembered of a method of this run would keep all of it alive.
            signature_of(getattr(type(self), attribute)).bind(self, node, *args, **kwargs)
        except TypeError as error:
            return self.error(catalog.BAD_CALL, node, name=name, detail=str(error))

        def chosen(key: Any, each: Any) -> Any:
            given = {**dict(enumerate(args)), **kwargs, key: each}
            values = [given.pop(position) for position in range(len(args))]
            return self._call_builtin(function, values, given, node)

        for key, argument in (*enumerate(args), *kwargs.items()):
            if _may_be_no_function(key, argument):
                return self.dispatch(argument, lambda each: chosen(key, each), node)  # noqa: B023
        return method(node, *args, **kwargs)

    def _call_known(self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """A function of NumPy, ``math`` or Python whose meaning the ops define."""
        run = lambda values, named: self._call_known(function, values, named, node)  # noqa: E731
        found = self.for_each_option(run, args, kwargs, node)
        if found is not NotImplemented:
            return found
        name = getattr(function, "__name__", str(function))
        if function in operator_functions.SYMBOLS and not kwargs and args:
            found = self._call_operator(function, args, node)
            if found is not NotImplemented:
                return found
        special = self._special_of_builtin(function, args, kwargs, node)
        if special is not NotImplemented:
            return special
        adapter = ops.FUNCTIONS.get(function) or ops.BUILTINS[function]
        return self.call_adapter(adapter, args, kwargs, name, node)

    def _call_operator(self, function: Any, args: list[Any], node: Any) -> Any:
        """A function of ``operator`` on operands whose operators the frontend knows itself."""
        kind, symbol = operator_functions.SYMBOLS[function]
        if len(args) != (1 if kind == "unary" else 2):
            return NotImplemented
        if kind == "unary":
            return self.unary(symbol, args[0], node)
        if kind == "compare":
            return self.compare_values(symbol, args[0], args[1], node)
        if kind == "binary":
            return self.binary(symbol, args[0], args[1], node)
        return self.update(symbol, args[0], args[1], node)

    def update(self, symbol: str, current: Any, operand: Any, node: Any) -> Any:
        raise AssertionError("defined by Statements")

    def _special_of_builtin(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        """``abs(x)``, ``int(x)``, ``round(x)``, … of an object of the user's, or of None."""
        names = _SPECIAL_METHODS.get(function, ()) if _is_hashable(function) else ()
        if function is round and args and kwargs.keys() == {"ndigits"}:
            args, kwargs = [*args, kwargs["ndigits"]], {}
        if not names or not args or kwargs:
            return NotImplemented
        if isinstance(args[0], Variant) or _may_be_none(args[0]):
            run = lambda each: self.call_function(function, [each, *args[1:]], {}, node)  # noqa: E731
            return self.dispatch(args[0], run, node)
        if args[0] is None:  # often of a union, on a path that the program never takes
            return self.fails("TypeError", _said_of_none(function), node)
        if not is_instance(args[0]):
            return NotImplemented
        for name in names:
            found = self.call_special(args[0], name, args[1:], node)
            if found is not NotImplemented:
                is_number = function in (float, complex) and name != names[0]
                return self.call_function(function, [found], {}, node) if is_number else found
        return NotImplemented

    def is_callable(self, function: Any) -> bool:
        """Whether the language has calls of this object."""
        if isinstance(function, Variant):
            return any(map(self.is_callable, function.options))
        if _is_union(function):
            classes = filter(None, map(class_of_object, function.type.members))
            return any(class_lookup(each, "__call__")[0] is not ABSENT for each in classes)
        if is_instance(function):
            return self.special(function, "__call__") is not None
        if isinstance(function, (*_FUNCTIONS, type, types.FunctionType)):
            return True
        if not _is_hashable(function):
            return False
        if function in ops.MAKERS:
            return True
        return (
            is_known_function(function)
            or function in self.BUILTINS
            or (function in _STATIC_FUNCTIONS or function is functools.partial)
            or _is_method_of_dtype(function)
        )

    # --- NumPy and builtins -----------------------------------------------------------------------

    def call_static(self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """A call that Python itself evaluates while compiling, such as ``np.finfo(x)``."""
        given = [self.plain(argument) for argument in args]
        if function is slice:
            return slice(*given)
        if any(isinstance(leaf, Value) for leaf in tree_leaves((given, kwargs))):
            self.refuse_call(function, node)
        try:
            return function(*given, **kwargs)
        except (TypeError, ValueError, KeyError) as error:
            name = getattr(function, "__name__", str(function))
            return self.error(catalog.BAD_CALL, node, name=name, detail=str(error))

    def _call_getter(self, getter: Getter, args: list[Any], node: Any) -> Any:
        """A call of what ``operator.itemgetter`` and its kin made."""
        if getter.kind == "constant":
            return getter.args[0]
        if len(args) != 1:
            return self.error(catalog.BAD_CALL, node, name=getter.kind, detail="takes one argument")
        if getter.kind == "methodcaller":
            method = self.attribute(args[0], getter.args[0], node)
            return self.call_function(method, list(getter.args[1:]), dict(getter.kwargs), node)
        if getter.kind == "itemgetter":
            found = [self.get_item(args[0], key, node) for key in getter.args]
        else:
            found = [self._dotted(args[0], name, node) for name in getter.args]
        return found[0] if len(found) == 1 else tuple(found)

    def _dotted(self, base: Any, name: str, node: Any) -> Any:
        for part in name.split("."):
            base = self.attribute(base, part, node)
        return base

    # --- super, and what can't be called ----------------------------------------------------------

    def _is_bare_super(self, node: Any) -> bool:
        is_super = isinstance(node.func, gast.Name) and node.func.id == "super"
        return is_super and not node.args and not node.keywords

    def bare_super(self, node: Any) -> Any:
        """``super()`` in a method: the class that it stands in, and its first argument."""
        frame = self.frame
        while frame.parent is not None and not frame.prepared.parameters:
            frame = frame.parent
        class_ = frame.method_class
        if class_ is None or not frame.prepared.parameters:
            return self.error(catalog.UNSUPPORTED_CALL, node, name="super")
        first = frame.prepared.parameters[0].name
        return SuperProxy(class_, self.read_in(frame, first, node))

    def refuse_call(self, function: Any, node: Any) -> Any:
        """Report a function that has no place in a graph."""
        if isinstance(function, Value) and _may_be_callable(function):
            return self.error(catalog.UNSUPPORTED_CALL, node, name=dotted_name(node) or "an object")
        if isinstance(function, Value) or function is None or is_plain_value(function):
            class_ = self.class_of(function)
            shown = kind_of(function) if class_ is None else shown_name(class_)
            message = f"'{shown}' object is not callable"
            if isinstance(function, Value) and isinstance(function.type, UnionType):
                members = [each for each in function.type.members if each != NONE]
                message = f"'{' or '.join(map(str, members))}' object is not callable"
            return self.fails("TypeError", message, node)
        module = getattr(function, "__module__", None) or type(function).__module__
        name = getattr(function, "__name__", kind_of(function))
        if module.partition(".")[0] == "numpy" or isinstance(function, np.ufunc):
            spec, way_out = catalog.UNSUPPORTED_NUMPY_FUNCTION, ops.way_out(name)
            self.error(spec, node, name=dotted_name(node) or f"np.{name}", way_out=way_out)
        written = dotted_name(node)
        shown = written if written.rpartition(".")[2] == name else name
        return self.error(catalog.UNSUPPORTED_CALL, node, name=shown)

    def call_single_dispatch(
        self, wrapper: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        raise AssertionError("defined by ObjectFunctions")

    def call_user(self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        raise AssertionError("defined by Functions")


_SPECIAL_METHODS: dict[Any, tuple[str, ...]] = {
    abs: ("__abs__",),
    int: ("__int__", "__index__", "__trunc__"),
    float: ("__float__", "__index__"),
    complex: ("__complex__", "__float__", "__index__"),
    round: ("__round__",),
    divmod: ("__divmod__",),
    pow: ("__pow__",),
    operator.index: ("__index__",),
}


def _is_union(value: Any) -> bool:
    return isinstance(value, Value) and isinstance(value.type, UnionType)


def _may_be_none(value: Any) -> bool:
    type_ = value.type if isinstance(value, Value) else None
    return isinstance(type_, UnionType) and NONE in type_.members


def _said_of_none(function: Callable[..., Any]) -> str:
    """What Python says to a call of one of these functions with None."""
    try:
        function(None, *([1] if function in (divmod, pow) else []))
    except TypeError as error:
        return str(error)
    raise AssertionError(f"{function} takes None")


def _may_be_callable(value: Value) -> bool:
    """Whether a run-time value is an object of which nothing is known."""
    members = members_of(value.type)
    return OBJECT in members


def is_plain_value(value: Any) -> bool:
    """Whether a value is data, which nobody can call."""
    return isinstance(value, str | bytes | tuple | ListRef | DictRef | bool | int | float | complex)


def _is_method_of_dtype(function: Any) -> bool:
    return isinstance(getattr(function, "__self__", None), np.dtype)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def dotted_name(node: Any) -> str:
    """The text of a called name with its attributes, such as ``np.fft.fft``; empty for others."""
    node = getattr(node, "func", node)
    parts: list[str] = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, gast.Name) else ""


def list_of(value: Any) -> bool:
    """Whether a Value is a list in run-time memory."""
    return isinstance(value, Value) and isinstance(value.type, ListType)


def _may_be_no_function(key: Any, argument: Any) -> bool:
    """Whether the path says if there is a function, such as a key or a predicate, or None."""
    if not isinstance(argument, Variant) or None not in argument.options:
        return False
    return key == "key" or not any(isinstance(option, Ref) for option in argument.options)


__all__ = ["Calls", "DiagnosticError", "dotted_name", "list_of"]
