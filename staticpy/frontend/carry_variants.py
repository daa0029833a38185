"""What a loop carries where a round may end with one of several objects.

Objects that exist before the loop stay what they are, and their number is carried (Variant). Where
one of them is made in the round, there is no end to them: they become one that is another in each
round (CarryRef), with a content of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.carry import Carrying
from staticpy.frontend.findings import Carry, CarryRef, Findings, is_absent
from staticpy.frontend.inputs import tree_leaves
from staticpy.frontend.paths import describe
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import Conflict, ObjectRef, Ref, same_static
from staticpy.frontend.variants import Variant, joined_options, options_of
from staticpy.ir import INT, Value

_MOST_OBJECTS = 1000
"""How many objects a round may make that the next one begins with. Those that hold two of their own
kind, as the nodes of a tree do, would be twice as many in each round."""


class CarryingVariants(Carrying):
    """Finds what a loop carries, Variants among it."""

    def _unify(self, findings: Findings, before: Any, end: Any) -> Any:
        is_known = not (is_absent(before) or is_absent(end) or before is end)
        if is_known and not isinstance(before, Conflict | Carry):
            found = self._unify_options(findings, before, end)
            if found is not None:
                return found
        return super()._unify(findings, before, end)

    def _unify_types(self, findings: Findings, before: Any, end: Any) -> Any:
        leaves = tree_leaves((before, end))
        if any(isinstance(x, ObjectRef) or (isinstance(x, CarryRef) and x.class_) for x in leaves):
            args = (("name", "this value"), ("before", describe(before)), ("after", describe(end)))
            return Conflict(catalog.LOOP_TYPE_CHANGE, (), args)
        return super()._unify_types(findings, before, end)

    def _unify_options(self, findings: Findings, before: Any, end: Any) -> Any:
        """One of several objects; None where neither side is."""
        if any(each is None for each in (*options_of(before), *options_of(end))):
            found = self._unify_optional(findings, before, end)
            if found is not None:
                return found
        if isinstance(before, CarryRef):
            is_object = isinstance(end, Variant) and one_class(end) is before.class_
            return self._carry_anew(findings, before, end) if is_object else None
        options = joined_options(before, end)
        if options is None or same_static(before, end):
            return None
        ends = options_of(end)
        if any(isinstance(each, Ref) and each.serial >= findings.start for each in ends):
            if not isinstance(before, Variant) and not isinstance(end, Variant):
                return None
            classes = {one_class(before), one_class(end)}
            is_object = len(classes) == 1 and None not in classes
            return self._carry_anew(findings, before, end) if is_object else None
        if before == end:
            return before
        if isinstance(before, Variant) and isinstance(before.index, Carry):
            return before if options == before.options else Variant(options, before.index)
        return Variant(options, Carry(INT))

    def _unify_optional(self, findings: Findings, before: Any, end: Any) -> Any:
        """None, or an object that is another one in each round; None where it is no such."""
        parts = [self._object_part(side) for side in (before, end)]
        if ABSENT in parts and parts[0] is parts[1]:
            return None
        if parts[0] is ABSENT:
            inner = self._shape(findings, parts[1])
        else:
            inner = parts[0] if parts[1] is ABSENT else self._unify(findings, *parts)
        return Variant((None, inner), Carry(INT)) if isinstance(inner, CarryRef) else None

    def _object_part(self, value: Any) -> Any:
        """What a value is where it is not None; ABSENT if it is no object."""
        options = [option for option in options_of(value) if option is not None]
        if not options or not all(isinstance(each, ObjectRef | CarryRef) for each in options):
            return ABSENT
        if len(options) == 1:
            return options[0]
        if isinstance(value.index, Carry):
            return Variant(tuple(options), value.index)
        numbers = [0 if each is None else options.index(each) for each in value.options]
        numbered = Variant(tuple(numbers), value.index)
        index = self.dispatch(numbered, lambda number: number, self.frame.prepared.node)
        return Variant(tuple(options), index)

    def _carry_object(self, findings: Findings, before: Ref, end: Ref) -> Any:
        made = super()._carry_object(findings, before, end)
        if isinstance(made, CarryRef) and is_unordered(made.content, made.content):
            return replace(made, has_handle=True)
        return made

    def _grown(self, findings: Findings, before: CarryRef, end: Ref) -> Any:
        self._count_made(findings, end)
        made = super()._grown(findings, before, end)
        if isinstance(made, CarryRef) and is_unordered(before.content, made.content):
            return replace(made, has_handle=True)
        return made

    def _unify_content(self, findings: Findings, ref: Ref, before: Any, end: Any) -> Any:
        made = super()._unify_content(findings, ref, before, end)
        is_known = isinstance(ref, ObjectRef) and ref in self.heap and ref.serial < findings.start
        if is_known and self.handle_of(ref) is None and is_unordered(before, made):
            findings.handles.append(ref)
        return made

    def _carry_anew(self, findings: Findings, before: Any, end: Any) -> CarryRef:
        """An object that is another one in each round, with its content carried part by part."""
        class_ = one_class(end)
        if isinstance(before, CarryRef):
            number = findings.number_at_end(before.number, end)
            known = {*findings.partners.get(before.number, ()), *options_of(end)}
            known.discard(findings.entered.get(before.number))
            first, handle = before.content, before.has_handle
        else:
            number = findings.number_of((before, end))
            known = {*options_of(before), *options_of(end)}
            first, handle = self._first_content(findings, before), self._has_handle(before)
        findings.partners.setdefault(number, set()).update(known)
        model = ObjectRef(self.builder.span, class_=class_)
        nested = options_of(before), options_of(end)
        if nested in findings.nested:
            self._refuse_nesting(class_)
        self._count_made(findings, model)
        findings.nested.append(nested)
        content = self._unify_attributes(findings, model, first, self.full_content(end))
        findings.nested.pop()
        handle = handle or self._has_handle(end) or is_unordered(first, content)
        return CarryRef(ObjectRef, class_, content, number, handle)

    def _count_made(self, findings: Findings, made: Ref) -> None:
        findings.objects += isinstance(made, ObjectRef)
        if findings.objects > _MOST_OBJECTS:
            self._refuse_nesting(made.class_)  # type: ignore[attr-defined]

    def _refuse_nesting(self, class_: type) -> None:
        what = f"the object of class '{class_.__name__}' in itself"
        raise DiagnosticError(catalog.STRUCTURE_UNDECIDED, what=what)

    def _first_content(self, findings: Findings, before: Any) -> Any:
        """What an object held before the round, or all that it may have held."""
        if not isinstance(before, Variant):
            return self.first_content(findings, before)
        is_written = any((self.heap, option) in findings.log for option in before.options)
        if not is_written and not isinstance(before.index, Carry):
            return self.full_content(before)
        first, *others = [self.first_content(findings, option) for option in before.options]
        model = ObjectRef(self.builder.span, class_=one_class(before))
        for content in others:
            first = self._unify_attributes(findings, model, first, content)
        return first

    def _has_handle(self, value: Any) -> bool:
        return any(self.handle_of(ref) is not None for ref in options_of(value))

    def full_content(self, ref: Any) -> Any:
        if not isinstance(ref, Variant):
            return super().full_content(ref)
        contents = {
            option: super(CarryingVariants, self).full_content(option) for option in ref.options
        }
        names = dict.fromkeys(name for content in contents.values() for name in content)
        return {name: self._attribute_of(ref, contents, name) for name in names}

    def _attribute_of(self, variant: Variant, contents: dict[Any, Any], name: str) -> Any:
        if any(name not in content for content in contents.values()) or name.startswith("%"):
            what = f"the attribute '{name.removeprefix('%bound:')}'"
            return Conflict(catalog.STRUCTURE_UNDECIDED, (), (("what", what),))
        node = self.frame.prepared.node
        return self.dispatch(variant, lambda option: contents[option][name], node)

    def object_of(self, ref: Any) -> Value:
        return self.to_object(ref) if isinstance(ref, Variant) else super().object_of(ref)

    def _collect(self, tree: Any, value: Any, values: list[Value], seen: set[int]) -> None:
        if not isinstance(tree, Variant):
            super()._collect(tree, value, values, seen)
        elif is_absent(value):
            for leaf in (*tree.options, tree.index):
                super()._collect(leaf, ABSENT, values, seen)
        elif isinstance(tree.options[-1], CarryRef):
            part = self._object_part(value)
            super()._collect(tree.options[-1], part, values, seen)
            is_object = tuple(int(option is not None) for option in options_of(value))
            index = value.index if isinstance(value, Variant) else 0
            values.append(self.index_among(Variant(is_object, index), (0, 1)))
        elif isinstance(tree.index, Carry):
            values.append(self.index_among(value, tree.options))

    def _shape(self, findings: Findings, value: Any) -> Any:
        """The structure of something that only rounds make."""
        if not isinstance(value, Variant) or one_class(value) is None:
            return super()._shape(findings, value)
        if not any(ref.serial >= findings.start for ref in value.options):
            return super()._shape(findings, value)
        number = findings.number_of(("made", value.options[0]))
        content = super()._shape(findings, self.full_content(value))
        findings.partners.setdefault(number, set()).update(value.options)
        return CarryRef(ObjectRef, one_class(value), content, number, self._has_handle(value))


def is_unordered(before: Any, after: Any) -> bool:
    """Whether the order of an object's attributes depends on the path, so that only a real object
    can keep it.
    """
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return False
    return any(str(name).startswith("%") for name in after)


def one_class(value: Any) -> Any:
    """The class of all options, if they are objects of one class."""
    classes = {getattr(option, "class_", None) for option in options_of(value)}
    return classes.pop() if len(classes) == 1 else None
