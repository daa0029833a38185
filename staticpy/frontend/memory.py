"""The heap: what lists, dicts, sets and objects hold, and when they become real objects.

A Ref is an identity; its content is a cell. As long as nobody else can see it, a list is no more
than the values it holds, and nothing is emitted for it. It becomes an object of the running
program, held by a Value (its *handle*), where somebody can: where it came from outside, is printed,
or is stored in such an object. From then on every write is emitted as well, at its place in the
program, so that the caller sees it, in order, also where an exception follows.

A list whose length depends on a run-time value has a Value of a ListType as its content: it is
memory at run time, read and written by the ops ``list.*``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, Label, catalog
from staticpy.frontend.inputs import (
    Captured,
    Object,
    Path,
    RunTimeTuple,
    Variant,
    tree_leaves,
)
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_base import LowererBase, NeedsInPlace
from staticpy.frontend.own_attributes import write_own
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import (
    Conflict,
    DictRef,
    Generator,
    IteratorRef,
    ListRef,
    ObjectRef,
    Poisoned,
    RangeIterable,
    Ref,
    SetRef,
    UserFunction,
    constant_type,
    is_liftable,
    is_plain_object,
)
from staticpy.frontend.widths import WiderMemory, join_all
from staticpy.ir import (
    OBJECT,
    DictType,
    ListType,
    TupleType,
    Type,
    Value,
)
from staticpy.ops import REGISTRY


class NoValue(Exception):
    """A compile-time object that no Value of the graph can hold."""

    def __init__(self, item: Any) -> None:
        super().__init__(item)
        self.item = item

    def refusal(self) -> DiagnosticError:
        """What to say where there is nothing else to do with it."""
        kind = kind_of(self.item)
        return DiagnosticError(catalog.NOT_A_RUNTIME_VALUE, what="this value", type=f"a {kind}")


class Memory(LowererBase):
    """Reads and writes the heap."""

    def index_among(self, value: Any, options: tuple[Any, ...]) -> Value:
        raise AssertionError("defined by Branches")

    def choose(self, condition: Value, then: Any, orelse: Any, what: str) -> Any:
        raise AssertionError("defined by Branches")

    def captured_attribute(self, ref: Any, name: str) -> Any:
        raise AssertionError("defined by Objects")

    def branch(self, condition: Value, then: Any, orelse: Any, live: frozenset[str] | None) -> None:
        raise AssertionError("defined by Branches")

    def outside(self, path: Path | None, value: Any, name: str, *, scalars: bool = False) -> Any:
        raise AssertionError("defined by Attributes")

    # --- making -----------------------------------------------------------------------------------

    def new_list(self, items: Any) -> ListRef:
        """A fresh list that holds ``items``, or that a Value of a ListType is."""
        content = items if isinstance(items, Value) else tuple(items)
        return self.make(ListRef(self.builder.span), content)

    def new_dict(self, items: Any) -> DictRef:
        """A fresh dict."""
        content = items if isinstance(items, Value) else dict(items)
        return self.make(DictRef(self.builder.span), content)

    def new_set(self, items: Any) -> SetRef:
        """A fresh set of compile-time values."""
        ref = SetRef(self.builder.span)
        self.heap[ref] = frozenset(items)
        return ref

    # --- reading ----------------------------------------------------------------------------------

    def content(self, ref: Ref) -> Any:
        """What a Ref holds now.

        Raises:
            NeedsInPlace: this graph function can't know.
            DiagnosticError: that depends on the path taken.
        """
        value = self.heap.get(ref, ABSENT)
        if value is ABSENT:
            has_failed = self.compilation.diagnostics.has_errors or self.compilation.unknown
            if ref.path is None and has_failed:
                raise Poisoned  # what made it has failed
            return self._captured_content(ref)
        if self._is_outer(ref):
            raise NeedsInPlace(ref)
        if isinstance(value, Conflict):
            raise DiagnosticError(value.spec, None, value.labels, **dict(value.args))
        if isinstance(value, type) and issubclass(value, Poisoned):
            raise value
        return value

    def _is_outer(self, ref: Ref) -> bool:
        """Whether ``ref`` was made before the graph function that is being lowered, in another."""
        return self.graph.chain is not None and ref.serial < self.graph.serial

    def _captured_content(self, ref: Ref) -> Any:
        """The content of an object from outside, as it is at the call."""
        if ref not in self.graph.reads:
            self.graph.reads[ref] = self._capture_content(ref)
        return self.graph.reads[ref]

    def _capture_content(self, ref: Ref) -> Any:
        path, inputs = ref.path, self.compilation.inputs
        if path is None:  # a round of a loop made it, and it leaves the loop on some paths only
            labels = (Label(ref.span, "made here"),) if ref.span is not None else ()
            raise DiagnosticError(catalog.ALIAS_UNDECIDED, ref.span, labels)
        scalars = inputs.has_run_time_scalars(path)

        def item(key: Any, value: Any) -> Any:
            return self.outside(path.item(key), value, f"{ref.name}[{key!r}]", scalars=scalars)

        if isinstance(ref, ListRef):
            captured = inputs.inputs.get(path)
            if captured is not None and isinstance(captured.type, ListType):
                return self.graph.value_of(captured)
            inputs.guard(path, "list", len(ref.live))
            return tuple(item(i, value) for i, value in enumerate(ref.live))
        if isinstance(ref, DictRef):
            inputs.guard(path, "dict", tuple(ref.live))
            return {key: item(key, value) for key, value in ref.live.items()}
        if isinstance(ref, SetRef):
            inputs.guard(path, "set", frozenset(ref.live))
            return frozenset(ref.live)
        return {}

    # --- writing ----------------------------------------------------------------------------------

    def write(self, ref: Ref, content: Any) -> None:
        """Give a Ref a new content; the caller emits the write to its object, if it is one."""
        self.require_unambiguous(ref)
        if ref.path is not None:
            if self.graph.chain is not None:
                raise NeedsInPlace(ref)
            self.compilation.written[ref] = None
        elif self._is_outer(ref):
            raise NeedsInPlace
        self.heap[ref] = content
        for other in self.aliases_of(ref):
            if other in self.heap or other.path is not None:
                self.heap[other] = self.alias_conflict(ref, other)

    def aliases_of(self, ref: Ref) -> list[Ref]:
        """The Refs that stand for one of several objects, ``ref`` among them."""
        table = self.compilation.ambiguous
        found = dict.fromkeys(table.get(ref, ()))
        pending = list(found)
        while pending:
            for other in table.get(pending.pop(), ()):
                if other.name == "%merged" and other not in found and other is not ref:
                    found[other] = None
                    pending.append(other)
        return list(found)

    def require_unambiguous(self, ref: Ref) -> None:
        """Refuse a write to what may be one of several objects by the path taken."""
        if ref.name == "%merged" and ref in self.compilation.ambiguous:
            others = list(self.compilation.ambiguous[ref])
            conflict = self.alias_conflict(ref, others[0])
            raise DiagnosticError(conflict.spec, None, conflict.labels, **dict(conflict.args))

    def alias_conflict(self, ref: Ref, other: Ref) -> Conflict:
        labels = tuple(
            Label(each.span, text)
            for each, text in ((ref, "one of them is made here"), (other, "the other one here"))
            if each.span is not None
        )
        return Conflict(catalog.ALIAS_UNDECIDED, labels, ())

    def emit_method(self, ref: Ref, method: str, *args: Any) -> None:
        """Emit ``ref.method(*args)`` where ``ref`` is an object at run time."""
        handle = self.handle_of(ref)
        if handle is not None:
            values = [self.to_object(argument) for argument in args]
            self.builder.emit(REGISTRY["object.call"], [handle, *values], {"method": method})

    # --- real objects -----------------------------------------------------------------------------

    def handle_of(self, ref: Ref) -> Value | None:
        """The Value that holds the object, where there is one at run time."""
        if ref.path is not None:
            return self.outside_object(ref.path, ref.name)
        found = self.compilation.handles.get(ref)
        if found is not None and self._is_outer(ref):
            raise NeedsInPlace
        assert found is None or isinstance(found, Value)
        return found

    def outside_object(self, path: Path, name: str) -> Value:
        """An object from outside as an input of the graph."""
        inputs = self.compilation.inputs
        if path not in inputs.inputs:
            inputs.inputs[path] = Captured(path, OBJECT, name or "object")
        captured = inputs.inputs[path]
        if isinstance(captured.type, ListType):
            return self.emit("object.cast", [self.graph.value_of(captured)], type=OBJECT)
        if captured.type != OBJECT:
            captured = Captured(path, OBJECT, name)
        return self.graph.value_of(captured)

    def static_object(self, value: Any, name: str) -> Value:
        """A compile-time object, such as a class, as an input of the graph."""
        return self.outside_object(Path(Object(value, name)), name)

    def materialize(self, ref: Ref) -> Value:
        """The object that ``ref`` is at run time; from here on there is one."""
        handle = self.handle_of(ref)
        if handle is not None:
            return handle
        content = self.content(ref)
        if isinstance(content, Value):
            return content
        if isinstance(ref, ObjectRef):
            return self._materialize_object(ref, content)
        if isinstance(ref, ListRef):
            values = [self.to_object(item) for item in content]
            made = self.emit("list.make", values, type=OBJECT)
        elif isinstance(ref, DictRef):
            keys = [self.to_object(key) for key in content]
            values = [self.to_object(item) for item in content.values()]
            made = self.emit("dict.make", [*keys, *values], type=OBJECT)
        else:
            made = self.emit("set.make", [self.to_object(i) for i in content], type=OBJECT)
        self.compilation.handles[ref] = made
        return made

    def object_of(self, ref: Ref) -> Value:
        """As ``materialize``, of the type ``object`` also where it is a list in memory."""
        made = self.materialize(ref)
        return made if made.type == OBJECT else self.emit("object.cast", [made], type=OBJECT)

    def _materialize_object(self, ref: Any, content: dict[str, Any]) -> Value:
        class_ = self.static_object(ref.class_, ref.class_.__name__)
        made = self.emit("object.new", [class_])
        self.compilation.handles[ref] = made
        for name, value in content.items():
            if not name.startswith("%bound:"):
                bound = content.get(f"%bound:{name}", True)
                self._set_slot(made, ref.class_, name, value, bound)
        return made

    def _set_slot(self, made: Value, class_: type, name: str, value: Any, bound: Any) -> None:
        """Give a new object an attribute, where it is bound."""

        def store() -> None:
            write_own(self.builder, made, class_, name, self.to_object(value))

        if isinstance(bound, Value):
            self.branch(bound, store, lambda: None, None)
        else:
            store()

    handed_out: Callable[[Any], Value]  # defined by Attributes

    def emit(self, op: str, operands: list[Value], **attrs: Any) -> Value:
        """Emit an op that has one result."""
        return self.builder.emit(REGISTRY[op], operands, attrs).results[0]

    def to_object(self, item: Any) -> Value:
        """Any compile-time form as a Value that holds the very object CPython would have.

        Raises:
            DiagnosticError: there is none, as for a nested function.
        """
        try:
            return self._to_value(item, self.materialize)
        except NoValue as error:
            raise error.refusal() from None

    def to_value(self, item: Any) -> Value:
        """As ``to_object``, with lists as run-time lists, whose items can be read again."""
        return self._to_value(item, self.held_value)

    def _to_value(self, item: Any, of_ref: Any) -> Value:
        if isinstance(item, Conflict):
            raise DiagnosticError(item.spec, None, item.labels, **dict(item.args))
        if isinstance(item, Variant):
            return self._variant_value(item, of_ref)
        if is_liftable(item):
            return ops.as_value(item) if of_ref != self.materialize else self.handed_out(item)
        if item is None or type(item) is str:
            return ops.emit(ops.constant, value=item)  # type: ignore[no-any-return]
        if type(item) is tuple:
            return self.emit("tuple.make", [self._to_value(each, of_ref) for each in item])
        if isinstance(item, tuple | RunTimeTuple | RangeIterable):
            return self._constructed(item, of_ref)
        if isinstance(item, slice):
            parts = (item.start, item.stop, item.step)
            return self.emit("slice.make", [self._to_value(part, of_ref) for part in parts])
        if isinstance(item, Ref) and not isinstance(item, Generator | IteratorRef):
            return of_ref(item)  # type: ignore[no-any-return]
        if isinstance(item, UserFunction) and item.function is not None:
            return self.static_object(item.function, item.function.__name__)
        if is_plain_object(item):
            return self.static_object(item, getattr(item, "__name__", type(item).__name__))
        raise NoValue(item)

    def _constructed(self, item: Any, of_ref: Any) -> Value:
        """A named tuple, or a tuple or range of run-time length: what its class makes."""
        class_: type = type(item)
        if isinstance(item, RunTimeTuple):
            class_, operands = tuple, [self.list_value(item.items)]
        elif isinstance(item, tuple):
            operands = [self._to_value(each, of_ref) for each in item]
        elif item.stop is None:
            raise NoValue(item)
        else:
            class_ = range
            operands = list(map(ops.as_value, (item.start, item.stop, item.step)))
        made = self.static_object(class_, class_.__name__)
        return self.emit("object.construct", [made, *operands], names=())

    def _variant_value(self, item: Variant, of_ref: Any) -> Value:
        """The object that a Variant is: each option has to be one before the choice."""
        values = [self._to_value(option, of_ref) for option in item.options]
        made = values[-1]
        for position in reversed(range(len(values) - 1)):
            test = ops.as_value(ops.compare("==", item.index, position))
            sides = (lambda at=position: values[at]), (lambda last=made: last)
            made = ops.as_value(self.choose(test, *sides, "this value"))
        return made

    # --- run-time lists ---------------------------------------------------------------------------

    def value_type(self, item: Any) -> Type:
        """The type that ``to_value(item)`` has, found without emitting anything.

        Raises:
            NoValue: no Value can hold it.
        """
        if isinstance(item, Variant):
            return join_all([self.value_type(option) for option in item.options])
        known = constant_type(item)
        if known is not None:
            return self.builder.facts.resolve_type(known)
        if type(item) is tuple:
            return TupleType(tuple(self.value_type(each) for each in item))
        if isinstance(item, ListRef | DictRef):
            return self.compilation.widths.of(self.memory_type(item))
        if isinstance(item, Generator | IteratorRef):
            raise NoValue(item)
        is_range = isinstance(item, RangeIterable) and item.stop is not None
        if is_range or isinstance(item, RunTimeTuple):
            return OBJECT
        if isinstance(item, Ref | UserFunction | tuple | slice) or is_plain_object(item):
            return OBJECT
        raise NoValue(item)

    def memory_type(self, ref: Ref) -> Type:
        """The type of a list or dict as memory, as long as nothing else leads to it."""
        content = self.content(ref)
        if isinstance(content, Value):
            return content.type
        if isinstance(ref, ListRef):
            return self.list_type(content)
        keys = join_all([self.value_type(key) for key in content])
        return DictType(keys, join_all([self.value_type(item) for item in content.values()]))

    def list_type(self, content: Any) -> ListType:
        """The type of a run-time list with this content."""
        if isinstance(content, Value):
            assert isinstance(content.type, ListType)
            return content.type
        return ListType(join_all([self.value_type(item) for item in content]))

    def list_value(self, ref: Ref, type_: Type | None = None) -> Value:
        """``ref`` as a run-time list (or dict), which it is from here on."""
        if isinstance(ref, ListRef):
            return self._list_value(ref, type_)
        if isinstance(ref, DictRef):
            return self._dict_value(ref, type_)
        return self.materialize(ref)

    def _list_value(self, ref: ListRef, type_: Type | None) -> Value:
        content = self.content(ref)
        wanted = type_ or self.list_type(content)
        if isinstance(content, Value):
            return self.cast_memory(ref, content, wanted)
        handle = self.handle_of(ref)
        if handle is not None:
            assert isinstance(wanted, ListType)
            self._hold_items(content, wanted.item)
            made = self.emit("object.cast", [handle], type=wanted)
        else:
            items = [self.to_value(item) for item in content]
            made = self.emit("list.make", items, type=wanted)
        self.become_memory(ref, made)
        return made

    def _dict_value(self, ref: DictRef, type_: Type | None) -> Value:
        content = self.content(ref)
        wanted = type_ or self.memory_type(ref)
        if isinstance(content, Value):
            return self.cast_memory(ref, content, wanted)
        handle = self.handle_of(ref)
        if handle is not None:
            assert isinstance(wanted, DictType)
            self._hold_items(content.values(), wanted.value)
            made = self.emit("object.cast", [handle], type=wanted)
        else:
            keys = [self.to_value(key) for key in content]
            values = [self.to_value(item) for item in content.values()]
            made = self.emit("dict.make", [*keys, *values], type=wanted)
        self.become_memory(ref, made)
        return made

    def cast_memory(self, ref: Ref, content: Value, wanted: Type) -> Value:
        """A list or dict in memory as one of a wider type, which nobody else must know it by."""
        resolve = self.builder.facts.resolve_type
        if content.type == wanted:
            return content
        if content in self.compilation.held and resolve(content.type) != resolve(wanted):
            widths = self.compilation.widths
            if widths.widen(content.type, wanted) or widths.widen(wanted, content.type):
                raise WiderMemory
            what = "this list" if isinstance(ref, ListRef) else "this dict"
            raise DiagnosticError(catalog.STRUCTURE_UNDECIDED, None, (), what=what)
        made = self.emit("object.cast", [content], type=wanted)
        self.become_memory(ref, made)
        return made

    def held_value(self, ref: Ref) -> Value:
        """As ``list_value``, of something that is from here on held elsewhere as well."""
        made = self.list_value(ref)
        wanted = self.compilation.widths.of(made.type)
        if made.type != wanted:
            made = self.cast_memory(ref, made, wanted)
        self.compilation.held.add(made)
        return made

    def _hold_items(self, items: Iterable[Any], type_: Type) -> None:
        """The items of a list or dict from outside are read from memory, too, by all their names.

        Raises:
            NoValue: one of them can't be.
        """
        wanted = type_ if isinstance(type_, ListType | DictType) else None
        for item in items:
            for leaf in tree_leaves(item):
                if isinstance(leaf, ListRef | DictRef):
                    made = self.list_value(leaf, wanted if leaf is item else None)
                    self.compilation.held.add(made)
                elif isinstance(leaf, Ref):
                    raise NoValue(leaf)

    def become_memory(self, ref: Ref, made: Value) -> None:
        """From here on the content is read from the object; what it is has not changed."""
        if self._is_outer(ref):
            raise NeedsInPlace(ref)
        self.heap[ref] = made
        for other in self.aliases_of(ref):
            is_known = not isinstance(self.heap.get(other), Value)  # it would not be reached
            if is_known and (other in self.heap or other.path is not None):
                self.heap[other] = self.alias_conflict(ref, other)

    def type_of_content(self, ref: Ref) -> Type | None:
        """The type of ``ref`` as memory; None where it can't be that."""
        try:
            return self.value_type(ref)
        except NoValue:
            return None
