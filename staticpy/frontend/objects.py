"""Objects of the user's classes: their attributes, read, written and deleted as CPython does it.

Attributes are looked up by CPython's rules: properties and slots of the class first, then what the
object itself holds, then the class. The content of an object is a dict of its attributes; one that
only some paths have set has a flag beside it, ``%bound:name``, as a variable has.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from typing import Any

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import (
    class_lookup,
    instance_class,
    is_default,
    is_descriptor,
    is_generated,
    missing_message,
    python_function,
)
from staticpy.frontend.inputs import Object, Path, tree_leaves
from staticpy.frontend.instances import has_fallback
from staticpy.frontend.outside_world import object_outside
from staticpy.frontend.own_attributes import delete_own, path_of_own, read_own, write_own
from staticpy.frontend.state import ABSENT
from staticpy.frontend.static_attributes import StaticAttributes
from staticpy.frontend.values import (
    AttributesRef,
    BoundFunction,
    Conflict,
    DictRef,
    ListRef,
    Partial,
    Ref,
    SuperProxy,
)
from staticpy.ir import OBJECT, Value

_FLAG = "%bound:"


def class_of(ref: Any) -> Any:
    """The class of an object, also of one in memory."""
    return instance_class(ref)


class Objects(StaticAttributes):
    """Objects, and what their classes hold for them."""

    # --- reading ----------------------------------------------------------------------------------

    def object_attribute(self, ref: Any, name: str, node: Any) -> Any:
        """``ref.name``."""
        class_ = class_of(ref)
        if name == "__class__":
            return class_
        if name == "__dict__":
            return self.attributes_dict(ref, node)
        if not is_default(class_, "__getattribute__"):
            self.error(catalog.UNSUPPORTED_CLASS, node, name=class_.__name__)
        raw, base = class_lookup(class_, name)
        if isinstance(raw, property) or is_descriptor(raw, "__set__"):
            return self.class_member(raw, base, name, ref, class_, node)
        is_sure = isinstance(ref, Value) and not has_fallback(class_, name)
        bound = self._is_written(ref, name) if is_sure else self.attribute_bound(ref, name)
        if not isinstance(bound, Value):
            found = self.own_attribute(ref, name, node)
            return self._not_own(ref, raw, base, name, node) if found is ABSENT else found
        return self.choose(
            bound,
            lambda: self.own_attribute(ref, name, node),
            lambda: self._not_own(ref, raw, base, name, node),
            f"the attribute '{name}'",
        )

    def _not_own(self, ref: Any, raw: Any, base: Any, name: str, node: Any) -> Any:
        """An attribute that the object itself does not hold."""
        if isinstance(raw, functools.cached_property):
            self._guard_member(base, name, raw)
            function = self.user_function(raw.func)  # type: ignore[arg-type]
            value = self.call_function(function, [ref], {}, node)
            self.store_attribute(ref, name, value)
            return value
        if raw is not ABSENT and not isinstance(raw, types.MemberDescriptorType):
            return self.class_member(raw, base, name, ref, class_of(ref), node)
        fallback, owner = class_lookup(class_of(ref), "__getattr__")
        function_ = python_function(fallback)
        if function_ is not None:
            self._guard_member(owner, "__getattr__", fallback)
            return self.call_function(self.user_function(function_), [ref, name], {}, node)
        message = f"'{class_of(ref).__name__}' object has no attribute '{name}'"
        return self.fails("AttributeError", message, node)

    def _is_written(self, ref: Value, name: str) -> bool:
        """Whether an attribute of an object in memory is written anywhere in the program."""
        return self.compilation.instances.type_of(class_of(ref), name) is not None

    def attribute_bound(self, ref: Any, name: str) -> Any:
        """Whether the object itself holds an attribute: a bool, or a Value where that depends."""
        if isinstance(ref, Value):
            return self._is_written(ref, name) and self.emit("object.holds", [ref], name=name)
        content = self.content(ref)
        if isinstance(content.get(name), Conflict):
            self.own_attribute(ref, name, None)
        flag = content.get(_FLAG + name, True)
        if flag is not True or name in content:
            return flag
        return ref.path is not None and self.captured_attribute(ref, name) is not ABSENT

    def own_attribute(self, ref: Any, name: str, node: Any) -> Any:
        """What the object itself holds under ``name``, where it does; ABSENT if nothing."""
        if isinstance(ref, Value):
            type_ = self.compilation.instances.type_of(class_of(ref), name)
            if type_ is None:
                return ABSENT
            return self.open(read_own(self.builder, ref, class_of(ref), name, type_))
        content = self.content(ref)
        if content.get(_FLAG + name) is False:
            return ABSENT
        if name in content:
            value = content[name]
            if isinstance(value, Conflict):
                raise DiagnosticError(value.spec, None, value.labels, **dict(value.args))
            return value
        if ref.path is None:
            return ABSENT
        return self.captured_attribute(ref, name)

    def captured_attribute(self, ref: Any, name: str) -> Any:
        """An attribute of an object from outside, as it is at the call; ABSENT if it has none."""
        raw, _ = class_lookup(class_of(ref), name)
        own = getattr(ref.live, "__dict__", {})
        is_slot = isinstance(raw, types.MemberDescriptorType)
        assert ref.path is not None
        if name not in own and not (is_slot and hasattr(ref.live, name)):
            self.compilation.inputs.guard(ref.path.attr(name), "lacks", None)
            return ABSENT
        value = own[name] if name in own else getattr(ref.live, name)
        path = path_of_own(ref.path, class_of(ref), name)
        return self.outside(path, value, f"{ref.name}.{name}" if ref.name else name)

    def attribute_names(self, ref: Any) -> list[str]:
        """The names that the object itself holds, in order.

        Raises:
            DiagnosticError: that depends on the path taken.
        """
        if isinstance(ref, Value):
            what = "which attributes an object has"
            raise DiagnosticError(catalog.NEEDS_COMPILE_TIME, None, (), what=what)
        content = self.content(ref)
        names = dict.fromkeys(getattr(ref.live, "__dict__", ()) if ref.path is not None else ())
        if ref.path is not None:
            path = ref.path.attr("__dict__")
            self.compilation.inputs.guard(path, "dict", tuple(names))
        names.update(dict.fromkeys(name for name in content if not name.startswith(_FLAG)))
        for name, flag in content.items():
            if name.startswith(_FLAG) and flag is not False:
                what = f"the object with the attribute '{name.removeprefix(_FLAG)}'"
                raise DiagnosticError(catalog.STRUCTURE_UNDECIDED, None, (), what=what)
            if name.startswith(_FLAG):
                names.pop(name.removeprefix(_FLAG), None)
        return list(names)

    # --- all attributes ---------------------------------------------------------------------------

    def attributes_dict(self, ref: Any, node: Any) -> AttributesRef:
        """``ref.__dict__``."""
        if class_of(ref).__dictoffset__ == 0:
            message = f"'{class_of(ref).__name__}' object has no attribute '__dict__'"
            self.fails("AttributeError", message, node)
        if isinstance(ref, Value):
            self.attribute_names(ref)
        made = self.compilation.attributes.get(ref)
        if made is None:
            made = AttributesRef(self.builder.span, owner=ref, serial=ref.serial)
            self.compilation.attributes[ref] = made
        return made

    def content(self, ref: Ref) -> Any:
        if not isinstance(ref, AttributesRef):
            return super().content(ref)
        owner = ref.owner
        slots = {name for name, raw in _members(owner.class_) if is_slot(raw)}
        names = [name for name in self.attribute_names(owner) if name not in slots]
        return {name: self.own_attribute(owner, name, None) for name in names}

    def write(self, ref: Ref, content: Any) -> None:
        if not isinstance(ref, AttributesRef):
            if isinstance(ref, ListRef | DictRef) and self._leads_to(ref, content):
                span, chain = self.builder.span, self.graph.chain
                kind = "list" if isinstance(ref, ListRef) else "dict"
                self.compilation.endless = kind, span.inlined(chain) if chain else span
            super().write(ref, content)
            return
        if any(not isinstance(name, str) for name in content):
            raise DiagnosticError(catalog.UNSUPPORTED_STORE, None, (), what="an object's __dict__")
        before = self.content(ref)
        for name in before:
            if name not in content:
                self.drop_attribute(ref.owner, name)
        for name, value in content.items():
            if name not in before or before[name] is not value:
                self.store_attribute(ref.owner, name, value)

    def _leads_to(self, ref: Ref, content: Any) -> bool:
        """Whether what is new in the content of a list or dict leads to itself."""
        old = set(map(id, self._known_items(ref)))
        pending = [item for item in _items(content) if id(item) not in old]
        seen: set[Ref] = set()
        while pending:
            leaves = tree_leaves(pending.pop())
            for leaf in leaves:
                if leaf is ref:
                    return True
                if isinstance(leaf, ListRef | DictRef) and leaf not in seen:
                    seen.add(leaf)
                    pending += self._known_items(leaf)
        return False

    def _known_items(self, ref: Ref) -> list[Any]:
        """What a list or dict holds, as far as the program has read or written that."""
        return _items(self.heap.get(ref, self.graph.reads.get(ref)))

    def handle_of(self, ref: Ref) -> Value | None:
        return None if isinstance(ref, AttributesRef) else super().handle_of(ref)

    def materialize(self, ref: Ref) -> Value:
        if not isinstance(ref, AttributesRef):
            return super().materialize(ref)
        owner = self.materialize(ref.owner)
        return self.emit("object.getattr", [owner], name="__dict__", type=OBJECT)

    def become_memory(self, ref: Ref, made: Value) -> None:
        if isinstance(ref, AttributesRef):
            what = "the dict of an object"
            raise DiagnosticError(catalog.NOT_A_RUNTIME_VALUE, None, (), what=what, type="a dict")
        super().become_memory(ref, made)

    # --- what a class defines ---------------------------------------------------------------------

    def _guard_member(self, base: type, name: str, raw: Any) -> None:
        """What the class defines is part of the compiled code."""
        path = Path(Object(base, base.__name__)).attr("__dict__").item(name)
        self.compilation.inputs.guard(path, "is", raw)

    def refuse_outside(self, class_: type, name: str) -> None:
        """Refuse a method of an object that stands for the world outside."""
        owner = object_outside(class_)
        if owner:
            raise DiagnosticError(catalog.UNSUPPORTED_CALL, None, (), name=f"{owner}.{name}")

    def class_member(
        self, raw: Any, base: type, name: str, receiver: Any, class_: type, node: Any
    ) -> Any:
        """What a class defines, read through an instance (``receiver``) or the class (None)."""
        self.refuse_outside(class_, name)
        if isinstance(raw, property):
            return self._property(raw, receiver, base, name, node)
        if isinstance(raw, classmethod | staticmethod):
            return self._unbound_member(raw, base, name, class_, node)
        if is_generated(raw) or any(raw is each for each in _OBJECT_METHODS):
            method = self.generated_method(raw, base, name, node)
            return method if receiver is None else Partial(method, (receiver,), ())
        function = python_function(raw)
        if function is not None:
            self._guard_member(base, name, raw)
            made = self.user_function(function)
            return made if receiver is None else BoundFunction(made, receiver)
        if isinstance(raw, functools.partialmethod) and receiver is not None:
            self._guard_member(base, name, raw)
            function = python_function(raw.func)
            if function is None:
                self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=class_.__name__)
            inner = BoundFunction(self.user_function(function), receiver)  # type: ignore[arg-type]
            return Partial(inner, raw.args, tuple(raw.keywords.items()))
        if is_descriptor(raw, "__get__"):
            path = Path(Object(base, base.__name__)).attr("__dict__").item(name)
            descriptor = self.outside(path, raw, name)
            return self.call_special(descriptor, "__get__", [receiver, class_], node)
        if hasattr(type(raw), "__get__") and not isinstance(raw, type | types.BuiltinFunctionType):
            return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=class_.__name__)
        path = Path(Object(base, base.__name__))
        if name == "__doc__":  # a class may show another one than it holds
            return self.outside(path.attr("__dict__").item(name), raw, name)
        return self.outside(path.attr(name), raw, name)

    def _unbound_member(self, raw: Any, base: type, name: str, class_: type, node: Any) -> Any:
        """A class method or a static method."""
        self._guard_member(base, name, raw)
        function = python_function(raw.__func__)
        if function is None:
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=class_.__name__)
        made = self.user_function(function)  # type: ignore[arg-type]
        return BoundFunction(made, class_) if isinstance(raw, classmethod) else made

    def _property(self, raw: property, receiver: Any, base: type, name: str, node: Any) -> Any:
        if receiver is None or python_function(raw.fget) is None:
            self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=base.__name__)
        self._guard_member(base, name, raw)
        function = self.user_function(python_function(raw.fget))  # type: ignore[arg-type]
        return self.call_function(function, [receiver], {}, node)

    def super_attribute(self, proxy: SuperProxy, name: str, node: Any) -> Any:
        """``super().name``."""
        receiver = proxy.receiver
        class_: Any = receiver if isinstance(receiver, type) else self.class_of(receiver)
        raw, base = class_lookup(class_, name, after=proxy.class_)
        if raw is ABSENT:
            return self.fails("AttributeError", f"'super' object has no attribute '{name}'", node)
        bound = None if isinstance(receiver, type) or name == "__new__" else receiver
        return self.class_member(raw, base, name, bound, class_, node)

    # --- writes -----------------------------------------------------------------------------------

    def set_object_attribute(self, ref: Any, name: str, value: Any, node: Any) -> None:
        """``ref.name = value``."""
        raw, base = class_lookup(class_of(ref), name)
        if self._hooked(ref, "__setattr__", [name, value], "cannot assign to field", node):
            return
        if isinstance(raw, property):
            self._call_accessor(raw.fset, "setter", ref, name, [value], node)
            return
        if is_descriptor(raw, "__set__"):
            path = Path(Object(base, base.__name__)).attr("__dict__").item(name)
            self.call_special(self.outside(path, raw, name), "__set__", [ref, value], node)
            return
        if name in ("__class__", "__dict__"):
            self.error(catalog.UNSUPPORTED_STORE, node, what=f"the {name} of an object")
        if lacks_slot(class_of(ref), raw):
            self.fails("AttributeError", self._no_slot_message(class_of(ref), name), node)
        self.store_attribute(ref, name, value)

    def _no_slot_message(self, class_: type, name: str) -> str:
        if class_lookup(class_, name)[0] is ABSENT:
            return f"'{class_.__name__}' object has no attribute '{name}'"
        return f"'{class_.__name__}' object attribute '{name}' is read-only"

    def _hooked(self, ref: Any, hook: str, args: list[Any], frozen: str, node: Any) -> bool:
        """Whether ``__setattr__`` or ``__delattr__`` of the class does it, as it then has."""
        setter, owner = class_lookup(class_of(ref), hook)
        if is_default(class_of(ref), hook):
            return False
        if is_generated(setter):  # a frozen dataclass
            names = [field.name for field in dataclasses.fields(owner)]
            if class_of(ref) is owner or args[0] in names:
                message = f"{frozen} {args[0]!r}"
                self.fails_with(dataclasses.FrozenInstanceError, message, node)
            return False
        self._guard_member(owner, hook, setter)
        self.call_function(self.user_function(setter), [ref, *args], {}, node)
        return True

    def _call_accessor(
        self, raw: Any, what: str, ref: Any, name: str, args: list[Any], node: Any
    ) -> None:
        """Call the setter or the deleter of a property."""
        function = python_function(raw)
        if function is None:
            message = f"property '{name}' of '{class_of(ref).__name__}' object has no {what}"
            self.fails("AttributeError", message, node)
        member, base = class_lookup(class_of(ref), name)
        self._guard_member(base, name, member)
        self.call_function(self.user_function(function), [ref, *args], {}, node)  # type: ignore[arg-type]

    def store_attribute(self, ref: Any, name: str, value: Any) -> None:
        """Write what the object itself holds, past all hooks of its class."""
        if isinstance(ref, Value):
            item = self.to_value(value)
            self.compilation.instances.note(class_of(ref), name, item.type)
            write_own(self.builder, ref, class_of(ref), name, item)
            return
        former = self.content(ref)
        content = {**former, name: value}
        content.pop(_FLAG + name, None)
        self.write(ref, content)
        if _FLAG + name not in former and ops.is_itself(value, former.get(name)):
            return
        handle = self.handle_of(ref)
        if handle is not None:
            item = self.to_object(value)
            write_own(self.builder, handle, class_of(ref), name, item)
        if ref.path is not None:
            self.compilation.inputs.written[path_of_own(ref.path, class_of(ref), name)] = None

    def delete_attribute(self, ref: Any, name: str, node: Any) -> None:
        """``del ref.name``."""
        raw, _ = class_lookup(class_of(ref), name)
        if self._hooked(ref, "__delattr__", [name], "cannot delete field", node):
            return
        if isinstance(raw, property):
            self._call_accessor(raw.fdel, "deleter", ref, name, [], node)
            return
        if is_descriptor(raw, "__delete__"):
            self.error(catalog.UNSUPPORTED_DELETE, node, what=f"the attribute '{name}'")
        bound = self.attribute_bound(ref, name)
        message = missing_message(class_of(ref), name)
        if bound is False:
            self.fails("AttributeError", message, node)
        if isinstance(bound, Value):
            self.require(bound, lambda: self.emit_raise("AttributeError", (message,)))
        self.drop_attribute(ref, name)

    def drop_attribute(self, ref: Any, name: str) -> None:
        """Remove what the object itself holds under ``name``."""
        if isinstance(ref, Value):
            delete_own(self.builder, ref, class_of(ref), name)
            return
        content = {key: item for key, item in self.content(ref).items() if key != name}
        content.pop(_FLAG + name, None)
        if ref.path is not None:
            content[_FLAG + name] = False
        self.write(ref, content)
        handle = self.handle_of(ref)
        if handle is not None:
            delete_own(self.builder, handle, class_of(ref), name)
        if ref.path is not None:
            self.compilation.inputs.written[path_of_own(ref.path, class_of(ref), name)] = None

    # --- what the parts of the lowerer ask of each other ------------------------------------------

    def open(self, value: Any) -> Any:
        raise AssertionError("defined by Containers")

    def generated_method(self, raw: Any, base: type, name: str, node: Any) -> Any:
        raise AssertionError("defined by Construction")

    def call_special(self, ref: Any, name: str, args: list[Any], node: Any) -> Any:
        raise AssertionError("defined by SpecialMethods")

    def class_of(self, value: Any) -> type | None:
        raise AssertionError("defined by Inspection")

    def choose(self, condition: Value, then: Any, orelse: Any, what: str) -> Any:
        raise AssertionError("defined by Branches")

    def require(self, condition: Value, fail: Any) -> None:
        raise AssertionError("defined by Branches")

    def emit_raise(self, exception: str, args: tuple[Any, ...], *operands: Value) -> None:
        raise AssertionError("defined by Branches")

    def fails_with(self, class_: type, message: str, node: Any) -> Any:
        raise AssertionError("defined by Branches")


def _items(content: Any) -> list[Any]:
    """What a list or dict of known content holds; nothing where that is memory."""
    if isinstance(content, tuple):
        return list(content)
    return list(content.values()) if isinstance(content, dict) else []


def is_slot(raw: Any) -> bool:
    """Whether a class holds a slot of its instances under some name."""
    return isinstance(raw, types.MemberDescriptorType)


def _members(class_: type) -> list[tuple[str, Any]]:
    return [item for base in class_.__mro__ for item in vars(base).items()]


def lacks_slot(class_: type, raw: Any) -> bool:
    """Whether instances have no place for an attribute that the class knows as ``raw``."""
    return class_.__dictoffset__ == 0 and not isinstance(raw, types.MemberDescriptorType)


_OBJECT_METHODS = (object.__init__, object.__setattr__, object.__new__)
"""What every class inherits, and the language knows."""
