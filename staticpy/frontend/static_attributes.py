"""Attributes of what is known while compiling: functions, classes, Enums, named tuples, dtypes."""

from __future__ import annotations

import enum
import types
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.attributes import Attributes
from staticpy.frontend.classes import (
    class_lookup,
    has_attributes_of_its_own,
    is_changeable,
    own_function,
)
from staticpy.frontend.inputs import Object, Path, RunTimeTuple, is_named_tuple, is_of_python
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import (
    AttributesRef,
    BoundFunction,
    Closure,
    ContainerMethod,
    DictRef,
    ListRef,
    NoVerdict,
    Partial,
    RangeIterable,
    SetRef,
    UserFunction,
)
from staticpy.ir import Value

_CONTAINERS = {ListRef: list, DictRef: dict, AttributesRef: dict, SetRef: set}
_BUILTIN_ATTRIBUTES = ("__name__", "__qualname__", "__module__", "__doc__")
_FUNCTION_ATTRIBUTES = (*_BUILTIN_ATTRIBUTES, "__defaults__", "__kwdefaults__")
_CLASS_NAMES = ("__name__", "__qualname__", "__module__", "__doc__")
_DTYPE_ATTRIBUTES = (
    "name", "kind", "char", "itemsize", "type", "num", "str", "byteorder", "isnative", "alignment",
    "base", "fields", "names", "ndim", "shape", "hasobject", "isbuiltin", "newbyteorder",
)  # fmt: skip


class StaticAttributes(Attributes):
    """Reads attributes that are the same at each call, or guarded to be."""

    def function_attribute(self, function: UserFunction | Closure, name: str, node: Any) -> Any:
        """``function.name``: its names and its docstring, and what was noted on it."""
        wrapped = function.wrapped if isinstance(function, Closure) else None
        if wrapped is not None and name.startswith("cache_"):
            return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type="function")
        if wrapped is not None:
            return wrapped if name == "__wrapped__" else self.attribute(wrapped, name, node)
        if isinstance(function, Closure):
            return self._nested_attribute(function, name, node)
        live = function.function
        if live is None and name in ("__name__", "__qualname__"):
            return function.unit.name if name == "__name__" else function.unit.qualname
        if live is None and hasattr(types.FunctionType, name):
            raise NoVerdict(f"{function.unit.name}.{name}", self.span(node))
        if live is not None and name in _FUNCTION_ATTRIBUTES:
            path = Path(Object(live, live.__name__)).attr(name)
            return self.outside(path, getattr(live, name), name)
        if live is not None and name in vars(live):
            path = Path(Object(live, live.__name__)).attr(name)
            return self.outside(path, vars(live)[name], name)
        if live is not None:
            self.guard_presence(live, name)
        return self._missing_of_function(name, node)

    def guard_presence(self, live: Any, name: str) -> None:
        """Whether a live object holds an attribute itself is part of the compiled code."""
        path = Path(Object(live, getattr(live, "__name__", type(live).__name__)))
        if name in vars(live):
            self.compilation.inputs.guard(path.attr("__dict__"), "size", len(vars(live)))
        else:
            self.compilation.inputs.guard(path.attr(name), "lacks", None)

    def _nested_attribute(self, function: Closure, name: str, node: Any) -> Any:
        own_name = getattr(function.node, "name", "<lambda>")
        if name == "__name__":
            return own_name
        if name == "__qualname__":
            return f"{function.frame.prepared.unit.qualname}.<locals>.{own_name}"
        if name == "__module__":
            return function.frame.scope.lookup("__name__")
        if name == "__doc__":
            return _docstring(function.node)
        return self._missing_of_function(name, node)

    def _missing_of_function(self, name: str, node: Any) -> Any:
        if not hasattr(types.FunctionType, name):
            message = f"'function' object has no attribute '{name}'"
            return self.fails("AttributeError", message, node)
        return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type="function")

    def method_attribute(self, method: BoundFunction, name: str, node: Any) -> Any:
        """``method.name``, of a bound method."""
        if name == "__self__":
            return method.self_value
        if name == "__func__":
            return method.function
        return self.function_attribute(method.function, name, node)

    def static_attribute(self, base: Any, name: str, node: Any) -> Any:
        """An attribute of a function, or of a compile-time object of Python's or NumPy's."""
        if isinstance(base, UserFunction | Closure):
            return self.function_attribute(base, name, node)
        if isinstance(base, BoundFunction):
            return self.method_attribute(base, name, node)
        if isinstance(base, type) and name in _CLASS_NAMES:
            return self._name_of_class(base, name)
        if isinstance(base, RunTimeTuple):
            return self._tuple_attribute(base, name, node)
        if isinstance(base, Partial) and name in ("func", "args", "keywords"):
            return self._part_of_partial(base, name)
        found = self._numpy_attribute(base, name)
        if found is not NotImplemented:
            return found
        is_range = isinstance(base, RangeIterable) and base.stop is not None
        if (is_range or isinstance(base, slice)) and name in ("start", "stop", "step"):
            return getattr(base, name)
        if isinstance(base, types.BuiltinFunctionType) and name in _BUILTIN_ATTRIBUTES:
            return getattr(base, name)
        if base is None or isinstance(base, Value):
            if hasattr(None, name):
                self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type="NoneType")
            self.fails("AttributeError", f"'NoneType' object has no attribute '{name}'", node)
        return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=kind_of(base))

    def _tuple_attribute(self, base: RunTimeTuple, name: str, node: Any) -> Any:
        if name in ("count", "index"):
            return ContainerMethod(base.items, name)
        if hasattr(tuple, name):
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type="tuple")
        return self.fails("AttributeError", f"'tuple' object has no attribute '{name}'", node)

    def _part_of_partial(self, base: Partial, name: str) -> Any:
        if name == "keywords":
            return self.new_dict(dict(base.kwargs))
        return base.function if name == "func" else base.args

    def _numpy_attribute(self, base: Any, name: str) -> Any:
        """An attribute of a compile-time object of NumPy's; NotImplemented where it has none."""
        if isinstance(base, ops.ArrayFlags):
            return base.attribute(name)
        if isinstance(base, np.dtype) and name in _DTYPE_ATTRIBUTES:
            return getattr(base, name)
        if isinstance(base, np.ufunc):
            return getattr(base, name)
        if isinstance(base, np.finfo | np.iinfo) and hasattr(base, name):
            return self.outside(None, getattr(base, name), name)
        return NotImplemented

    def enum_attribute(self, member: Any, name: str, node: Any) -> Any:
        raw, base = class_lookup(type(member), name)
        is_own = own_function(raw.fget if isinstance(raw, property) else raw) is not None
        if not is_own and name in ("name", "value", "_name_", "_value_"):
            return self.outside(None, getattr(member, name), name)
        if name in vars(member) and not isinstance(raw, property):
            path = Path(Object(member, str(member))).attr(name)
            return self.outside(path, vars(member)[name], name)
        if is_own or isinstance(raw, classmethod | staticmethod):
            return self.class_member(raw, base, name, member, type(member), node)
        plain = member.value
        for kind in (int, float, str):
            if isinstance(member, kind) and raw is getattr(kind, name, ABSENT) is not ABSENT:
                return self.attribute(kind(plain), name, node)
        return self.error(
            catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=type(member).__name__
        )

    def container_attribute(self, base: Any, name: str, node: Any) -> Any:
        if is_named_tuple(base):
            if name in type(base)._fields:
                return base[type(base)._fields.index(name)]
            if name in ("_fields", "_field_defaults", "_make"):
                return self.class_attribute(type(base), name, node)
            if name in ("_replace", "_asdict"):
                return ContainerMethod(base, name)
            raw, owner = class_lookup(type(base), name)
            if owner not in (tuple, object, None):
                return self.class_member(raw, owner, name, base, type(base), node)
        is_range = isinstance(base, range) and name in ("start", "stop", "step")
        if is_of_python(base) and not hasattr(base, name):
            message = f"'sys.{type(base).__name__}' object has no attribute '{name}'"
            return self.fails("AttributeError", message, node)
        if is_range or (is_of_python(base) and not hasattr(tuple, name)):
            return self.outside(None, getattr(base, name), name)
        kind = _CONTAINERS.get(type(base), type(base))
        if hasattr(kind, name):
            return ContainerMethod(base, name)
        if has_attributes_of_its_own(base):
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=type(base).__name__)
        shown = kind.__name__
        return self.fails("AttributeError", f"'{shown}' object has no attribute '{name}'", node)

    def class_attribute(self, class_: type, name: str, node: Any) -> Any:
        """``class_.name``."""
        if name in _CLASS_NAMES:
            return self._name_of_class(class_, name)
        if name in ("__mro__", "__bases__"):  # guarded as soon as the program has the class
            return getattr(class_, name)
        raw, base = class_lookup(class_, name)
        if isinstance(raw, types.ClassMethodDescriptorType):
            return getattr(class_, name)
        if issubclass(class_, enum.Enum) and name in class_.__members__:
            return class_.__members__[name]
        if raw is ABSENT:
            return self._metaclass_attribute(class_, name, node)
        if issubclass(class_, tuple) and name in ("_make", "_fields", "_field_defaults"):
            if name == "_make":
                return lambda items: self._make_tuple(class_, items, node)
            found = getattr(class_, name)
            return self.new_dict(found) if isinstance(found, dict) else found
        return self.class_member(raw, base, name, None, class_, node)

    def _name_of_class(self, class_: type, name: str) -> Any:
        """One of the names of a class, or its docstring: those of Python's own never change."""
        path = Path(Object(class_, class_.__name__)).attr(name) if is_changeable(class_) else None
        return self.outside(path, getattr(class_, name), name)

    def guard_absence(self, class_: type, name: str) -> None:
        """That no class defines an attribute is part of the compiled code."""
        for base in filter(is_changeable, class_.__mro__):
            held = Path(Object(base, base.__name__)).attr("__dict__")
            self.compilation.inputs.guard(held.item(name), "lacks", None)

    def _metaclass_attribute(self, class_: type, name: str, node: Any) -> Any:
        self.guard_absence(class_, name)
        if class_lookup(type(class_), name)[0] is not ABSENT:
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=class_.__name__)
        message = f"type object '{class_.__name__}' has no attribute '{name}'"
        return self.fails("AttributeError", message, node)

    def _make_tuple(self, class_: Any, items: Any, node: Any) -> Any:
        """``class_._make(items)`` of a named tuple."""
        found = self.iterated(items, node)
        if not isinstance(found, list):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the number of fields")
        made = tuple.__new__(class_, found)
        length = self.length(made, node)
        if length != len(class_._fields):
            message = f"Expected {len(class_._fields)} arguments, got {length}"
            self.fails("TypeError", message, node)
        return made

    # --- what the parts of the lowerer ask of each other ------------------------------------------

    def class_member(
        self, raw: Any, base: type, name: str, receiver: Any, class_: type, node: Any
    ) -> Any:
        raise AssertionError("defined by Objects")

    def iterated(self, value: Any, node: Any) -> Any:
        raise AssertionError("defined by Iteration")

    def length(self, container: Any, node: Any) -> Any:
        raise AssertionError("defined by Containers")


def _docstring(function: Any) -> str | None:
    """The docstring of a nested function, as this version of Python keeps it."""
    first = function.body[0] if isinstance(function.body, list) else None
    text = getattr(getattr(first, "value", None), "value", None)
    if type(first).__name__ != "Expr" or not isinstance(text, str):
        return None
    code = compile(f"def f(): {text!r}", "<docstring>", "exec").co_consts[0]
    return code.co_consts[0]  # type: ignore[no-any-return]
