"""Lowering of attributes and of objects from outside: ``np.tanh``, ``x.shape``, ``self.w``."""

from __future__ import annotations

import inspect
import types
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.inputs import UNKNOWN_VALUE, Instance, Object, Path
from staticpy.frontend.lower_base import LowererBase
from staticpy.frontend.scope import RuntimeScope
from staticpy.frontend.values import (
    ArrayMethod,
    BoundFunction,
    NoVerdict,
    UserFunction,
    is_liftable,
)
from staticpy.ir import UnionType
from staticpy.source import SourceError, SourceUnit, from_function

_CONTAINER_METHODS: dict[type, tuple[str, ...]] = {
    dict: ("get", "items", "keys", "values"),
    tuple: ("index", "count"),
    list: ("index", "count"),
}
_DTYPE_ATTRIBUTES = ("name", "kind", "char", "itemsize", "type", "num")


def python_function(value: Any) -> types.FunctionType | None:
    """The Python function that ``value`` is, or that a decorated function stands for."""
    value = getattr(value, "__staticpy_function__", value)
    return value if isinstance(value, types.FunctionType) else None


def is_known_function(value: Any) -> bool:
    """Whether the ops say what a call of ``value`` means."""
    try:
        return value in ops.FUNCTIONS or value in ops.BUILTINS
    except TypeError:  # not hashable
        return False


class Attributes(LowererBase):
    """Reads attributes, and gives objects from outside their compile-time form."""

    def outside(self, path: Path | None, value: Any, name: str, *, scalars: bool = False) -> Any:
        """The compile-time form of an object that a name or an attribute led to."""
        if value is UNKNOWN_VALUE:
            raise NoVerdict(name, self.builder.span)
        if isinstance(value, SourceUnit):
            return UserFunction(value, self.frame.scope)
        if isinstance(value, np.generic):
            return (
                ops.emit(ops.constant, value=value) if path is None else self.capture(path, value)
            )
        captured = self.capture(path, value, scalars=scalars)
        if is_known_function(captured):
            return captured
        if isinstance(captured, types.MethodType) and path is not None:
            function = python_function(captured.__func__)
            receiver = self.outside(path.attr("__self__"), captured.__self__, name)
            return BoundFunction(self.user_function(function), receiver) if function else captured
        function = python_function(captured)
        return self.user_function(function) if function else captured

    def user_function(self, function: types.FunctionType) -> UserFunction:
        """A live Python function: its source, and the scope of its free names."""
        known = self.compilation.functions.get(function)
        if known is None:
            known = UserFunction(self.source_of(function), RuntimeScope(function), function)
            self.compilation.functions[function] = known
            code = Path(Object(function, function.__name__)).attr("__code__")
            self.compilation.inputs.guard(code, "is", function.__code__)
        return known

    def source_of(self, function: types.FunctionType) -> SourceUnit:
        try:
            return from_function(function)
        except SourceError as error:
            # The caller's line, not the callee's: the callee may have none.
            raise DiagnosticError(getattr(catalog, error.kind), None, (), **error.fields) from None

    def live_default(self, function: types.FunctionType, name: str) -> Any:
        """The default value of a parameter as it is now, reached through the function object."""
        root = Path(Object(function, function.__name__))
        keyword = function.__kwdefaults__ or {}
        if name in keyword:
            return self.outside(root.attr("__kwdefaults__").item(name), keyword[name], name)
        code, defaults = function.__code__, function.__defaults__ or ()
        index = code.co_varnames.index(name) - (code.co_argcount - len(defaults))
        return self.outside(root.attr("__defaults__").item(index), defaults[index], name)

    # --- attributes -------------------------------------------------------------------------------

    def expr_Attribute(self, node: Any) -> Any:
        base = self.expression(node.value)
        return self.attribute(base, node.attr, node)

    def attribute(self, base: Any, name: str, node: Any) -> Any:
        """``base.name``."""
        if is_liftable(base):
            return self.value_attribute(base, name, node)
        if isinstance(base, Instance):
            return self.instance_attribute(base, name, node)
        if isinstance(base, types.ModuleType):
            return self.module_attribute(base, name, node)
        if isinstance(base, type) and not is_known_function(base):
            return self.class_attribute(base, name, node)
        if isinstance(base, np.dtype) and name in _DTYPE_ATTRIBUTES:
            return getattr(base, name)
        if isinstance(base, np.finfo | np.iinfo) and hasattr(base, name):
            return self.outside(None, getattr(base, name), name)
        if name in _CONTAINER_METHODS.get(type(base), ()):
            return getattr(base, name)
        if type(base) in (list, dict) and hasattr(base, name):
            self.error(catalog.CONTAINER_MUTATION, node, name=name, type=type(base).__name__)
        if isinstance(base, np.ufunc):
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=base.__name__)
        return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=type(base).__name__)

    def value_attribute(self, base: Any, name: str, node: Any) -> Any:
        value = self.lift(base)
        if isinstance(value.type, UnionType):
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=str(value.type))
        if name in ops.ATTRIBUTES:
            return ops.ATTRIBUTES[name](value)
        if name in ops.METHODS:
            return ArrayMethod(name, ops.METHODS[name], value)
        return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=str(value.type))

    def module_attribute(self, module: types.ModuleType, name: str, node: Any) -> Any:
        root = module.__name__.partition(".")[0]
        if not hasattr(module, name):
            spec = catalog.UNSUPPORTED_NUMPY_FUNCTION if root == "numpy" else catalog.UNDEFINED_NAME
            full_name = f"{module.__name__}.{name}"
            self.error(spec, node, name=full_name, nearest=ops.nearest(name))
        value = getattr(module, name)
        if root in ("numpy", "math", "staticpy"):
            return self.outside(None, value, name)
        return self.outside(Path(Object(module, module.__name__)).attr(name), value, name)

    def class_attribute(self, class_: type, name: str, node: Any) -> Any:
        try:
            raw = inspect.getattr_static(class_, name)
        except AttributeError:
            raw = None
        if raw is None or (hasattr(type(raw), "__get__") and python_function(raw) is None):
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=class_.__name__)
        return self.outside(Path(Object(class_, class_.__name__)).attr(name), raw, name)

    def instance_attribute(self, instance: Instance, name: str, node: Any) -> Any:
        """An attribute of a user's object: a method of its class, or data captured by its path."""
        class_ = type(instance.object)
        try:
            raw = inspect.getattr_static(instance.object, name)
        except AttributeError:
            return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=class_.__name__)
        path = instance.path.attr(name)
        function = python_function(raw)
        if function is not None and name not in getattr(instance.object, "__dict__", {}):
            self.compilation.inputs.guard(path.attr("__func__"), "is", raw)
            return BoundFunction(self.user_function(function), instance)
        is_slot = isinstance(raw, types.MemberDescriptorType)
        if not is_slot and hasattr(type(raw), "__get__") and function is None:
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=class_.__name__)
        try:
            value = getattr(instance.object, name) if is_slot else raw
        except AttributeError:
            return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=class_.__name__)
        return self.outside(path, value, name)
