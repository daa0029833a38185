"""The builtins that reach into an object by the name of an attribute."""

from __future__ import annotations

import types
from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import (
    class_lookup,
    has_attributes_of_its_own,
    instance_class,
    is_changeable,
    is_descriptor,
    is_enum_member,
    is_object,
    own_function,
)
from staticpy.frontend.inputs import Variant
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.object_functions import ObjectFunctions
from staticpy.frontend.state import ABSENT
from staticpy.frontend.static_imports import ProjectModule
from staticpy.frontend.values import Closure, NoVerdict, Partial, UserFunction
from staticpy.ir import TensorType, UnionType, Value

_MISSING: Any = object()
_HOOKS = ("__getattr__", "__getattribute__")


class AttributeFunctions(ObjectFunctions):
    """Calls of ``getattr`` and its kin, and writes to attributes."""

    def call_getattr(self, node: Any, value: Any, name: Any, default: Any = _MISSING) -> Any:
        self._require_name(name, node)
        if isinstance(value, Variant):
            return self.dispatch(
                value, lambda each: self.call_getattr(node, each, name, default), node
            )
        if default is _MISSING:
            return self.attribute(value, name, node)
        found, held = self._tried(value, name, node)
        if isinstance(found, Value):
            return self.choose(
                found,
                lambda: self.attribute(value, name, node) if held is ABSENT else held,
                lambda: default,
                "getattr()",
            )
        if not found:
            return default
        return self.attribute(value, name, node) if held is ABSENT else held

    def call_hasattr(self, node: Any, value: Any, name: Any) -> Any:
        self._require_name(name, node)
        if isinstance(value, Variant):
            return self.dispatch(value, lambda each: self.call_hasattr(node, each, name), node)
        return self._tried(value, name, node)[0]

    def _tried(self, value: Any, name: str, node: Any) -> tuple[Any, Any]:
        """Whether there is an attribute: a bool, or a Value; and the attribute, if code of the
        user's had to be run to find out, else ABSENT.
        """
        if not is_object(value):
            return self._is_attribute(value, name, node), ABSENT
        raw, _ = class_lookup(instance_class(value), name)
        has_fallback = class_lookup(instance_class(value), "__getattr__")[0] is not ABSENT
        if isinstance(raw, property) or is_descriptor(raw, "__get__"):
            return self._run_attribute(value, name, node)
        if raw is not ABSENT and not isinstance(raw, types.MemberDescriptorType):
            return True, ABSENT
        bound = self.attribute_bound(value, name)
        if has_fallback and bound is not True:
            return self._run_attribute(value, name, node)
        return bound, ABSENT

    def _run_attribute(self, value: Any, name: str, node: Any) -> tuple[Any, Any]:
        """Read an attribute, and catch the AttributeError of where there is none."""
        with self.hidden("found", "held") as (found, held):
            env = self.env
            env[found] = False

            def body() -> None:
                env[held] = self.attribute(value, name, node)
                env[found] = True

            def handle(_: Value) -> None:
                env[found] = False

            self.guarded(body, handle, (AttributeError,), frozenset())
            return env[found], env.get(held, ABSENT)

    def guarded(self, body: Any, handle: Any, classes: Any, read: Any) -> None:
        raise AssertionError("defined by Guarded")

    def _is_attribute(self, value: Any, name: str, node: Any) -> bool:
        live = value.function if isinstance(value, UserFunction) else value
        if isinstance(live, ProjectModule):
            raise NoVerdict(f"{live.__name__}.{name}", self.span(node))
        if isinstance(live, types.ModuleType | types.FunctionType) or is_enum_member(live):
            self.guard_presence(live, name)
            return hasattr(live, name)
        if isinstance(value, type):
            return self._is_class_attribute(value, name, node)
        if has_attributes_of_its_own(value):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="what this named tuple holds besides")
        class_ = self.class_of(value)
        if class_ is None or (isinstance(value, Value) and isinstance(value.type, UnionType)):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the class of this object")
        assert class_ is not None
        return class_lookup(class_, name)[0] is not ABSENT  # what the metaclass has is not seen

    def _is_class_attribute(self, class_: type, name: str, node: Any) -> bool:
        meta = type(class_)
        if any(own_function(class_lookup(meta, hook)[0]) is not None for hook in _HOOKS):
            self.error(catalog.UNSUPPORTED_CLASS, node, name=class_.__name__)
        raw, base = class_lookup(class_, name)
        if is_descriptor(raw, "__get__"):  # its code decides
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=class_.__name__)
        if raw is ABSENT:
            self.guard_absence(class_, name)
        elif is_changeable(base):
            self._guard_member(base, name, raw)
        return hasattr(class_, name)

    def _require_name(self, name: Any, node: Any) -> None:
        if not isinstance(name, str):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the name of the attribute")

    def call_setattr(self, node: Any, value: Any, name: Any, new: Any) -> None:
        self._require_name(name, node)
        self.set_attribute(value, name, new, node)

    def set_attribute(self, base: Any, name: str, value: Any, node: Any) -> None:
        """``base.name = value``."""
        if isinstance(base, Variant):
            self.dispatch(base, lambda each: self.set_attribute(each, name, value, node), node)
            return
        if is_object(base):
            self.set_object_attribute(base, name, value, node)
            return
        if isinstance(base, Value) and isinstance(base.type, TensorType):
            ops.set_attribute(base, name, self.plain(value))
            return
        if isinstance(base, Value) and isinstance(base.type, UnionType):
            self.dispatch(base, lambda each: self.set_attribute(each, name, value, node), node)
            return
        if isinstance(base, type | types.ModuleType):  # which outlives the call
            self.error(catalog.GLOBAL_WRITE, node, name=f"{base.__name__}.{name}")
        if is_enum_member(base):
            name = f"{type(base).__name__}.{base._name_}.{name}"
            self.error(catalog.GLOBAL_WRITE, node, name=name)
        is_function = isinstance(base, UserFunction | Closure | Partial) or callable(base)
        if is_function or has_attributes_of_its_own(base):
            way_out = "keep it in a variable around the function, or in an object of your own"
            shown = "a function" if is_function else kind_of(base)
            self.error(catalog.ATTRIBUTE_OF_ARRAY, node, name=name, type=shown, way_out=way_out)
        self.refuse_unless_certain(base, node)
        ops.refuse_store(base)
        shown = kind_of(base)
        class_ = self.class_of(base)
        if class_ is not None and hasattr(class_, name):
            message = f"'{shown}' object attribute '{name}' is read-only"
        else:
            message = f"'{shown}' object has no attribute '{name}'"
        self.fails("AttributeError", message, node)

    def call_vars(self, node: Any, value: Any) -> Any:
        class_ = instance_class(value) if is_object(value) else None
        if isinstance(value, Variant) or (class_ is not None and class_.__dictoffset__ != 0):
            return self.attribute(value, "__dict__", node)
        self.refuse_unless_certain(value, node)
        known = class_ or self.class_of(value)
        if known is None or known.__dictoffset__ != 0 or known is types.MethodType:
            self.error(catalog.UNSUPPORTED_CALL, node, name="vars")
        return self.fails("TypeError", "vars() argument must have __dict__ attribute", node)

    def call_delattr(self, node: Any, value: Any, name: Any) -> None:
        self._require_name(name, node)
        self.remove_attribute(value, name, node)

    def remove_attribute(self, base: Any, name: str, node: Any) -> None:
        """``del base.name``."""
        if isinstance(base, Variant):
            self.dispatch(base, lambda each: self.remove_attribute(each, name, node), node)
            return
        if not is_object(base):
            self.error(catalog.UNSUPPORTED_DELETE, node, what=f"the attribute '{name}'")
        self.delete_attribute(base, name, node)

    BUILTINS: ClassVar[dict[Any, str]] = {
        **ObjectFunctions.BUILTINS,
        getattr: "call_getattr",
        hasattr: "call_hasattr",
        setattr: "call_setattr",
        delattr: "call_delattr",
        vars: "call_vars",
    }
