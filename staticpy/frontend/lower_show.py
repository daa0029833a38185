"""How objects look: ``repr`` of containers and of objects of the user's classes.

In: a compile-time form. Out: fields of a Template. What is known while compiling is shown by Python
itself; what is not by the running program, on a real object. Where an object in it says itself how
it looks, a container is shown item by item: the method of the user's is a call like any other, and
what it does happens at its place, between what is shown before it and what is shown after it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.classes import class_lookup, is_generated
from staticpy.frontend.inputs import Variant, is_named_tuple
from staticpy.frontend.lower_branch import Branches
from staticpy.frontend.templates import (
    Hook,
    Template,
    holds_instances,
    is_known,
    is_ordered_set,
    is_users,
    own_class,
    type_name,
)
from staticpy.frontend.values import (
    LAZY,
    AttributesRef,
    BoundFunction,
    DictRef,
    DictView,
    ListRef,
    SetRef,
)
from staticpy.ir import OBJECT, STR, UnionType, Value

_SHOW: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "s": str,
    "r": repr,
    "a": ascii,
}
_BRACKETS: dict[type, tuple[str, str]] = {
    ListRef: ("[", "]"),
    tuple: ("(", ")"),
    SetRef: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}
_CYCLES: dict[type, str] = {
    ListRef: "[...]",
    DictRef: "{...}",
    AttributesRef: "{...}",
    tuple: "(...)",
}
_MAKERS = {
    ListRef: "list.make",
    DictRef: "dict.make",
    SetRef: "set.make",
    AttributesRef: "dict.make",
}

STATIC, SHOWN, COMPOSED = range(3)
"""How a value is shown: while compiling, by the running program, or item by item."""


class Show(Branches):
    """Shows objects as Python does."""

    def finish(self, template: Template) -> Any:
        """The text that ``template`` makes: a str, or a Value of type str."""
        known = template.known()
        if isinstance(known, str):
            return known
        first = template.operands[0]
        if len(template.parts) == 1:
            (part,) = template.parts
            if part in (("", ""), ("s", "")) and first.type == STR:
                return first
            if part in (("s", ""), ("r", "")):
                return self.emit("str.str" if part[0] == "s" else "str.repr", [first])
        return self.emit("str.format", template.operands, parts=tuple(template.parts))

    def seal(self, template: Template) -> None:
        """Show now what has been collected, because what follows may do anything."""
        if template.before is not None:
            template.before()
        if not template.operands:
            return
        types = [operand.type for operand in template.operands]
        attrs = {"parts": tuple(template.parts)}
        if ops.str_format.effects_of(types, attrs) == ops.Effect.NONE:
            return  # numbers and texts: nothing can change how they look
        shown = self.finish(template)
        template.parts, template.operands = [], []
        template.field(shown)

    # --- methods of the user's --------------------------------------------------------------------

    def hook(self, value: Any, conversion: str) -> Hook | None:
        """What the user's class says of how ``value`` looks; None where Python says it."""
        class_ = own_class(value)
        if class_ is None:
            return None
        for name in ("__str__", "__repr__") if conversion == "s" else ("__repr__",):
            raw, base = class_lookup(class_, name)
            if raw is object.__str__:
                continue
            if is_generated(getattr(raw, "__wrapped__", None)):
                return Hook(name, None, base)
            if not is_users(raw):
                return None
            self._guard_member(base, name, raw)
            return Hook(name, BoundFunction(self.user_function(raw), value), base)
        return None

    def call_hook(self, template: Template, hook: Hook, args: list[Any], node: Any) -> Any:
        """The text that a method of the user's returns."""
        self.seal(template)
        return self._require_text(self.call_function(hook.method, args, {}, node), hook.name, node)

    def _require_text(self, found: Any, name: str, node: Any) -> Any:
        if isinstance(found, str):
            return found
        if isinstance(found, Value) and isinstance(found.type, UnionType):
            return self.dispatch(found, lambda each: self._require_text(each, name, node), node)
        if isinstance(found, Value) and found.type == STR:
            return found
        if isinstance(found, Value) and found.type == OBJECT:
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=f"the class of what {name} returns")
        message = f"{name} returned non-string (type {type_name(found)})"
        if name == "__format__":
            message = f"__format__ must return a str, not {type_name(found)}"
        return self.fails("TypeError", message, node)

    # --- how a value can be shown -----------------------------------------------------------------

    def grade(self, value: Any, node: Any, around: tuple[Any, ...] = ()) -> int:
        """How the ``repr`` of a value is made; ``around`` are the containers that it is in."""
        if isinstance(value, Value):
            return SHOWN
        if isinstance(value, Variant):
            found = max(self.grade(option, node, around) for option in value.options)
            return max(found, SHOWN)
        if any(value is each for each in around) or self.hook(value, "r") is not None:
            return COMPOSED
        if isinstance(value, SetRef | frozenset):
            return self._grade_of_set(value, node)
        items = self._shown_items(value)
        if items is None:
            return STATIC if is_known(value) else SHOWN
        inside = (*around, value)
        found = max((self.grade(item, node, inside) for item in items), default=STATIC)
        is_opaque = isinstance(value, DictView) or (isinstance(value, slice) and found == SHOWN)
        return COMPOSED if is_opaque else found

    def _grade_of_set(self, value: Any, node: Any) -> int:
        """A set is shown in the order of its items, which depends on how it came about."""
        if isinstance(value, SetRef) and value.path is not None:
            return SHOWN
        items = self.content(value) if isinstance(value, SetRef) else value
        if not is_ordered_set(items):
            self.error(catalog.SET_ORDER, node)
        return max((self.grade(item, node) for item in items), default=STATIC)

    def _shown_items(self, value: Any) -> list[Any] | None:
        """What ``repr`` of a container shows; None where the object itself does that."""
        if isinstance(value, tuple):
            return list(value)
        if isinstance(value, slice):
            return [value.start, value.stop, value.step]
        if isinstance(value, ListRef | DictRef):
            is_outside = value.path is not None and value not in self.heap
            if is_outside and not holds_instances(value.live):
                return None
        elif not isinstance(value, DictView):
            return None
        content = self.content(value.ref if isinstance(value, DictView) else value)
        if isinstance(content, Value):
            return None
        return [*content, *content.values()] if isinstance(content, dict) else list(content)

    def snapshot(self, value: Any) -> Value:
        """An object that looks as ``value`` does now; it is only good for being shown."""
        if isinstance(value, LAZY):
            kind = type(value).__name__.removesuffix("Ref").removesuffix("Iterable").lower()
            raise DiagnosticError(
                catalog.NOT_A_RUNTIME_VALUE, what="this value", type=f"a live {kind} object"
            )
        if isinstance(value, ListRef | DictRef | SetRef):
            content = self.content(value)
            if isinstance(content, Value) or self.handle_of(value) is not None:
                return self.materialize(value)
            items = [*content, *content.values()] if isinstance(content, dict) else content
            values = [self.snapshot(item) for item in items]
            return self.emit(_MAKERS[type(value)], values, type=OBJECT)
        if type(value) is tuple:
            return self.emit("tuple.make", [self.snapshot(item) for item in value])
        if is_named_tuple(value):
            class_ = self.static_object(type(value), type(value).__name__)
            operands = [class_, *(self.snapshot(item) for item in value)]
            return self.emit("object.construct", operands, names=())
        return self.to_object(value)

    def add_whole(
        self, template: Template, value: Any, conversion: str, spec: str | Template, node: Any
    ) -> None:
        """A value that Python shows: now, if it is known, else in the running program."""
        if isinstance(value, Value):
            template.field(value if spec else self.shown(value), conversion, spec)
            return
        is_local = isinstance(spec, str) and spec.endswith("n")  # as the locale has it at that time
        if isinstance(spec, str) and not is_local and self.grade(value, node) == STATIC:
            try:
                template.text(format(_SHOW[conversion](self.plain(value)), spec))
            except (TypeError, ValueError, OverflowError):
                pass  # the running program raises it, at its place
            else:
                return
        template.field(self.shown(self.snapshot(value)), conversion, spec)

    def add_text(self, template: Template, text: Any) -> None:
        """A text, known or not."""
        if isinstance(text, Value):
            template.field(text)
        else:
            template.text(text)

    # --- item by item -----------------------------------------------------------------------------

    def compose(
        self,
        template: Template,
        value: Any,
        conversion: str,
        node: Any,
        around: tuple[Any, ...] = (),
    ) -> None:
        """Show a value item by item; ``around`` are the containers that it is in."""
        if isinstance(value, Variant):
            self._compose_variant(template, value, node, around)
            return
        hook = self.hook(value, conversion)
        if hook is not None and hook.method is not None:
            self.add_text(template, self.call_hook(template, hook, [], node))
            return
        inside = (*around, value)
        cycle = "..." if hook is not None else _CYCLES.get(type(value))
        if cycle is not None and any(value is each for each in around):
            template.text(cycle)
        elif hook is not None:
            self._compose_dataclass(template, value, hook, node, inside)
        elif isinstance(value, DictRef):
            self._compose_dict(template, value, node, inside)
        elif isinstance(value, DictView):
            items = self.new_list(getattr(self.content(value.ref), value.kind)())
            template.text(f"dict_{value.kind}(")
            self._compose_item(template, items, node, inside)
            template.text(")")
        elif isinstance(value, slice):
            template.text("slice")
            self._compose_items(template, (value.start, value.stop, value.step), node, inside)
        else:
            self._compose_items(template, value, node, inside)

    def _compose_item(
        self, template: Template, item: Any, node: Any, inside: tuple[Any, ...]
    ) -> None:
        if self.grade(item, node, inside) == COMPOSED:
            self.compose(template, item, "r", node, inside)
        else:
            self.add_whole(template, item, "r", "", node)

    def _compose_variant(
        self, template: Template, value: Variant, node: Any, around: tuple[Any, ...]
    ) -> None:
        """One of several objects, each shown in its own way."""

        def text(option: Any) -> Any:
            inner = Template()
            self._compose_item(inner, option, node, around)
            return self.finish(inner)

        self.seal(template)
        self.add_text(template, self.dispatch(value, text, node))

    def _compose_dataclass(
        self, template: Template, value: Any, hook: Hook, node: Any, inside: tuple[Any, ...]
    ) -> None:
        """What the ``__repr__`` that ``dataclass`` makes shows."""
        template.text(f"{value.class_.__qualname__}(")
        names = [each.name for each in dataclasses.fields(hook.base) if each.repr]
        for position, name in enumerate(names):
            template.text(f"{', ' if position else ''}{name}=")
            self._compose_item(template, self.attribute(value, name, node), node, inside)
        template.text(")")

    def _compose_items(
        self, template: Template, value: Any, node: Any, inside: tuple[Any, ...]
    ) -> None:
        is_named = is_named_tuple(value)
        before, after = _BRACKETS[tuple if isinstance(value, tuple) else type(value)]
        template.text(f"{type(value).__name__}(" if is_named else before)
        items = self.content(value) if isinstance(value, ListRef | SetRef) else value
        for position, item in enumerate(items):
            name = f"{value._fields[position]}=" if is_named else ""
            template.text((", " if position else "") + name)
            self._compose_item(template, item, node, inside)
        is_single = len(items) == 1 and type(value) is tuple
        template.text("," + after if is_single else after)

    def _compose_dict(
        self, template: Template, value: DictRef, node: Any, inside: tuple[Any, ...]
    ) -> None:
        before = "{"
        for key, item in self.content(value).items():
            template.text(before)
            self._compose_item(template, key, node, inside)
            template.text(": ")
            self._compose_item(template, item, node, inside)
            before = ", "
        template.text("{}" if before == "{" else "}")
