"""Functions of ``dataclasses``, ``copy``, ``functools`` and ``typing`` that reach into objects."""

from __future__ import annotations

import copy
import dataclasses
import functools
import types
import typing
from collections.abc import Callable
from typing import Any, ClassVar

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import (
    class_lookup,
    instance_class,
    is_enum_member,
    is_object,
    own_function,
)
from staticpy.frontend.comprehensions import Comprehensions
from staticpy.frontend.inputs import Object, Path, make_tuple
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import (
    AttributesRef,
    Closure,
    DictRef,
    ListRef,
    ObjectRef,
    SetRef,
    UserFunction,
    is_liftable,
)
from staticpy.frontend.variants import Variant
from staticpy.ir import TensorType, Type, UnionType, Value, is_mutable_memory, members_of

_COPY_HOOKS = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__")
_UNCHANGING = (str, bytes, type(None), type(...), type, range, types.BuiltinFunctionType)


def holds_memory(type_: Type) -> bool:
    """Whether a value of this type may be, or hold, something mutable besides an array."""
    members = members_of(type_)
    return any(is_mutable_memory(each) and not isinstance(each, TensorType) for each in members)


class ObjectFunctions(Comprehensions):
    """Calls of functions that copy objects, take them apart or dress functions up."""

    # --- dataclasses ------------------------------------------------------------------------------

    def call_replace(self, node: Any, obj: Any, /, **changes: Any) -> Any:
        if isinstance(obj, Value) and isinstance(obj.type, UnionType):
            return self.dispatch(obj, lambda each: self.call_replace(node, each, **changes), node)
        if not is_object(obj) or not dataclasses.is_dataclass(instance_class(obj)):
            self.refuse_unless_certain(obj, node)
            self.fails("TypeError", "replace() should be called on dataclass instances", node)
        given: dict[str, Any] = {}
        for field in instance_class(obj).__dataclass_fields__.values():
            kind = field._field_type.name  # noqa: SLF001 - nothing public tells InitVars apart
            if kind == "_FIELD_CLASSVAR":
                continue
            if not field.init:
                if field.name in changes:
                    message = (
                        f"field {field.name} is declared with init=False, it cannot be "
                        "specified with replace()"
                    )
                    self.fails("ValueError", message, node)
            elif field.name in changes:
                given[field.name] = changes.pop(field.name)
            elif kind == "_FIELD":
                given[field.name] = self.object_attribute(obj, field.name, node)
            elif field.default is dataclasses.MISSING:
                message = f"InitVar {field.name!r} must be specified with replace()"
                self.fails("ValueError", message, node)
        return self.construct(instance_class(obj), [], {**given, **changes}, node)

    def call_astuple(self, node: Any, obj: Any) -> Any:
        return self._taken_apart(obj, node, tuple)

    def call_asdict(self, node: Any, obj: Any) -> Any:
        return self._taken_apart(obj, node, dict)

    def _taken_apart(self, obj: Any, node: Any, kind: type) -> Any:
        if isinstance(obj, Value) and isinstance(obj.type, UnionType):
            return self.dispatch(obj, lambda each: self._taken_apart(each, node, kind), node)
        if not is_object(obj) or not dataclasses.is_dataclass(instance_class(obj)):
            self.refuse_unless_certain(obj, node)
            message = f"as{kind.__name__}() should be called on dataclass instances"
            self.fails("TypeError", message, node)
        return self._flattened(obj, node, kind)

    def _flattened(self, obj: Any, node: Any, kind: type) -> Any:
        """What ``astuple`` and ``asdict`` make of a value: copies of what it holds, all the way."""
        if is_object(obj) and dataclasses.is_dataclass(instance_class(obj)):
            names = [field.name for field in dataclasses.fields(instance_class(obj))]
            held = [self.object_attribute(obj, name, node) for name in names]
            values = [self._flattened(each, node, kind) for each in held]
            if kind is tuple:
                return tuple(values)
            return self.new_dict(dict(zip(names, values, strict=True)))
        if isinstance(obj, ListRef) and isinstance(self.content(obj), tuple):
            return self.new_list([self._flattened(x, node, kind) for x in self.content(obj)])
        if isinstance(obj, DictRef) and isinstance(self.content(obj), dict):
            content = self.content(obj)
            return self.new_dict({k: self._flattened(v, node, kind) for k, v in content.items()})
        if isinstance(obj, tuple):
            return make_tuple(obj, [self._flattened(item, node, kind) for item in obj])
        return self.call_deepcopy(node, obj)

    # --- copies -----------------------------------------------------------------------------------

    def call_copy(self, node: Any, x: Any) -> Any:
        """``copy.copy``."""
        if isinstance(x, Variant):
            return self.dispatch(x, lambda each: self.call_copy(node, each), node)
        if isinstance(x, Value) and isinstance(x.type, UnionType):
            return self.dispatch(x, lambda each: self.call_copy(node, each), node)
        if isinstance(x, Value) and is_object(x):
            return self._copy_of_memory(copy.copy, x)
        return self._copied(x, lambda item: item, node)

    def call_deepcopy(self, node: Any, x: Any) -> Any:
        """``copy.deepcopy``: each object is copied once, however often it is met."""
        content = self.content(x) if isinstance(x, ListRef | DictRef) else x
        if isinstance(content, Value) and holds_memory(content.type):
            return self._copy_of_memory(copy.deepcopy, content)
        known: dict[Any, Any] = {}
        arrays: list[Value] = []

        def copied(item: Any) -> Any:
            if isinstance(item, Variant):
                self.error(catalog.NEEDS_COMPILE_TIME, node, what="which object is copied")
            if isinstance(item, Value) and self._holds_array(item) and item not in known:
                arrays.append(item)
                if len(arrays) > 1:  # which may be one array
                    self.error(catalog.UNSUPPORTED_CALL, node, name="copy.deepcopy")
            if not isinstance(item, Value | ObjectRef | ListRef | DictRef | SetRef):
                return self._copied(item, copied, node)
            held = self.content(item) if isinstance(item, ListRef | DictRef) else None
            if isinstance(held, Value):  # which may lead to what is copied already
                self.error(catalog.UNSUPPORTED_CALL, node, name="copy.deepcopy")
            if item not in known:
                known[item] = ABSENT
                known[item] = self._copied(item, copied, node)
            if known[item] is ABSENT:
                self.error(catalog.UNSUPPORTED_CALL, node, name="copy.deepcopy")
            return known[item]

        return copied(x)

    def _copy_of_memory(self, how: Any, content: Value) -> Any:
        """What Python itself copies when the program runs."""
        function = self.static_object(how, how.__name__)
        made = self.emit("object.construct", [function, content], names=())
        return self.open(self.emit("object.cast", [made], type=content.type))

    def _holds_array(self, value: Value) -> bool:
        members = members_of(value.type)
        return any(isinstance(member, TensorType) for member in members)

    def _copied(self, x: Any, part: Callable[[Any], Any], node: Any) -> Any:
        """A copy of one object, with ``part`` of each thing that it holds."""
        if isinstance(x, Value) and holds_memory(x.type):
            return self.error(catalog.UNSUPPORTED_CALL, node, name="copy")
        if isinstance(x, Value) and isinstance(x.type, TensorType):
            return ops.METHODS["copy"](x, order="K")
        if is_liftable(x) and not (isinstance(x, Value) and self._holds_array(x)):
            return x
        if isinstance(x, ObjectRef):
            return self._copied_object(x, part, node)
        if isinstance(x, ListRef | DictRef | SetRef) and not isinstance(x, AttributesRef):
            return self._copied_container(x, part, node)
        if type(x) is tuple:
            items = [part(item) for item in x]
            same = all(new is old for new, old in zip(items, x, strict=True))
            return x if same else tuple(items)
        if isinstance(x, _UNCHANGING) or is_enum_member(x) or isinstance(x, UserFunction | Closure):
            return x
        return self.error(catalog.UNSUPPORTED_CALL, node, name="copy")

    def _copied_object(self, x: ObjectRef, part: Callable[[Any], Any], node: Any) -> Any:
        for hook in _COPY_HOOKS:
            if own_function(class_lookup(x.class_, hook)[0]) is not None:
                self.error(catalog.UNSUPPORTED_CLASS, node, name=x.class_.__name__)
        made = self.new_object(x.class_, node)
        names = self.attribute_names(x)
        self.heap[made] = {name: part(self.own_attribute(x, name, node)) for name in names}
        return made

    def _copied_container(self, x: Any, part: Callable[[Any], Any], node: Any) -> Any:
        content = self.content(x)
        if isinstance(content, Value):
            return self.call_method_of(x, "copy", [], node)
        if isinstance(x, DictRef):
            return self.new_dict({key: part(item) for key, item in content.items()})
        if isinstance(x, SetRef):
            return self.new_set(content)
        return self.new_list([part(item) for item in content])

    # --- functions --------------------------------------------------------------------------------

    def call_wraps(self, node: Any, wrapped: Any, *given: Any, **named: Any) -> Any:
        """``functools.wraps``."""
        if given or named:
            self.error(catalog.UNSUPPORTED_CALL, node, name="functools.wraps")

        def dress(function: Any) -> Any:
            return self.call_update_wrapper(node, function, wrapped)

        return dress

    def call_update_wrapper(self, node: Any, wrapper: Any, wrapped: Any) -> Any:
        """``functools.update_wrapper``: the wrapper is asked for its name as the wrapped one is."""
        if not isinstance(wrapper, Closure):
            self.error(catalog.UNSUPPORTED_CALL, node, name="functools.wraps")
        wrapper.wrapped = wrapped
        return wrapper

    def call_single_dispatch(
        self, wrapper: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        """A call of what ``functools.singledispatch`` made: by the class of the first argument."""
        if not args:
            message = f"{wrapper.__name__} requires at least 1 positional argument"
            self.fails("TypeError", message, node)
        first = args[0]
        if isinstance(first, Variant) or (
            isinstance(first, Value) and isinstance(first.type, UnionType)
        ):
            rest = args[1:]
            return self.dispatch(
                first,
                lambda each: self.call_single_dispatch(wrapper, [each, *rest], kwargs, node),
                node,
            )
        finder = wrapper.dispatch
        cells = Path(Object(finder, "dispatch")).attr("__closure__")
        position = finder.__code__.co_freevars.index("registry")
        registry = cells.item(position).attr("cell_contents")
        self.compilation.inputs.guard(registry, "dict", tuple(wrapper.registry))
        class_ = self.call_type(node, first)
        chosen = wrapper.dispatch(class_)
        owner = next(key for key, each in wrapper.registry.items() if each is chosen)
        function = self.outside(registry.item(owner), chosen, wrapper.__name__)
        return self.call_function(function, args, kwargs, node)

    def call_cast(self, node: Any, typ: Any, val: Any) -> Any:
        return val

    BUILTINS: ClassVar[dict[Any, str]] = {
        **Comprehensions.BUILTINS,
        dataclasses.replace: "call_replace",
        dataclasses.astuple: "call_astuple",
        dataclasses.asdict: "call_asdict",
        copy.copy: "call_copy",
        copy.deepcopy: "call_deepcopy",
        functools.wraps: "call_wraps",
        functools.update_wrapper: "call_update_wrapper",
        typing.cast: "call_cast",
    }
