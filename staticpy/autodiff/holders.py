"""The shadows of what holds numbers: they are moved as the numbers are (``boxes``, ``moves``).

    list.append %l, %t                       # %t = (%x, %i)
    list.append %sl, %st

What an operation puts in without a shadow of its own gets one for that. On the way back such an
operation does nothing but to hand on what has flown to those: whatever became of the container, the
same shadows are still reached from where the values were read.
"""

from __future__ import annotations

from functools import partial

from staticpy import ops
from staticpy.autodiff import keyed, records
from staticpy.autodiff.activity import Activity, is_differentiable, writes_to_holder
from staticpy.autodiff.boxes import fresh, has_content, holds_numbers, is_number, shadow_type
from staticpy.autodiff.keyed import has_number_keys
from staticpy.autodiff.moves import (
    SETTERS,
    begins_to_hold,
    copied_beside,
    is_unread,
    makes_object,
    places_moved,
)
from staticpy.autodiff.refusals import CHANGES_OTHERS, refusal, refusal_to_hold, shown_view
from staticpy.ir import (
    Block,
    Builder,
    DictType,
    ListType,
    Operation,
    TensorType,
    TupleType,
    Type,
    Value,
)
from staticpy.ops import COPIED

OF_ITEMS = (*COPIED, "list.sum", "math.fsum_of")
"""Ops of which each item of a list gets its part of the cotangent, or all of it."""
_FIELDS = (*SETTERS, "object.getattr", "object.delattr")
_MAKERS = ("tuple.make", "list.make", "dict.make")


class HeldShadows:
    """Shadows with boxes.

    Attributes:
        of: what is memory, or holds some, and its shadow.
        boxes: numbers that were read from what holds them, and their boxes.
        changing: the operations that change shadows on the way back, whether or not anything flows
            to their results.
        moved: the operations that were done to shadows, too; of each what it has put in, with the
            shadow that was made for that. So for what a block yields.
        read: the operations that compute something of the items of a list, and the shadows of
            the items.
        asked: the operations that have given a view or a copy, and what tells which it was.
        given_back: the calls of functions that give shadows behind their results, and the places of
            the results that these are of.
        stretched: memory of which there are shadows that have an element in several places.
        handed_on: what functions that call themselves give.
    """

    def __init__(self, activity: Activity) -> None:
        self.of: dict[Value, Value] = {}
        self.boxes: dict[Value, Value] = {}
        self.changing: set[Operation] = set()
        self.moved: dict[Operation | Block, list[tuple[Value, Value]]] = {}
        self.read: dict[Operation, Value] = {}
        self.asked: dict[Operation, Value] = {}
        self.given_back: dict[Operation, tuple[int, ...]] = {}
        self.stretched: list[Value] = []
        self.handed_on: set[Value] = set()
        self._activity = activity

    def _has_shadow(self, value: Value) -> bool:
        if self._activity.is_boxed(value):
            return holds_numbers(value.type) and not is_number(value.type)
        return self._activity.is_shadowed(value) and _may_have_shadow(value.type)

    def is_stretched(self, value: Value) -> bool:
        """Whether the shadow of a value may have an element in several places."""
        return any(self._activity.may_share(each, value) for each in self.stretched)

    def form(self, value: Value) -> Type:
        """The type of the shadow of a value."""
        return shadow_type(value.type) if self._activity.is_boxed(value) else value.type

    def _change(self, operation: Operation | None) -> None:
        """Note that the way back must go through an operation, and those around it."""
        current = operation
        while current is not None and current not in self.changing:
            self.changing.add(current)
            current = current.parent

    def _is_moved(self, operation: Operation) -> bool:
        """Whether an operation moves what has shadows with boxes."""
        if operation.name in (*_MAKERS, "object.new"):
            made = operation.result
            is_read = self._activity.is_boxed(made) and self._has_shadow(made)
            return is_read and not makes_object(operation)
        if operation.name in _FIELDS:
            return operation.operands[0] in self.of
        if not places_moved(operation) or not _fits(operation):
            return False
        holder = operation.operands[places_moved(operation)[0]]
        is_plain = is_number(holder.type) or is_array(holder) or not holds_numbers(holder.type)
        if operation.name == "object.cast" and is_plain:
            return self._activity.is_boxed(operation.result)  # as what an object holds
        if operation.name == "list.concat":  # of a list of ints, say, and one of floats
            is_known = [x in self.of or not holds_numbers(x.type) for x in operation.operands]
            return self._activity.is_boxed(operation.result) and all(is_known)
        return holder in self.of and self._activity.is_boxed(holder)

    def _is_apart(self, operation: Operation) -> bool:
        """Whether an operation writes to what holds other things than numbers alone."""
        target = operation.operands[0] if operation.operands else None
        if target is None or not writes_to_holder(operation):
            return False
        return self._activity.is_boxed(target) and not holds_numbers(target.type)

    def _move(self, operation: Operation, builder: Builder) -> None:
        """Do with shadows what an operation does with what holds numbers."""
        if operation.name in ("object.new", *_FIELDS):
            with builder.current():
                self._record(operation)
            return
        if self._begin(operation, builder):
            return
        if keyed.is_keyed(operation):
            self._move_keyed(operation, builder)
            return
        places, puts = places_moved(operation), self.moved.setdefault(operation, [])
        operands = [
            self._held(operand, puts, operation) if number in places else operand
            for number, operand in enumerate(operation.operands)
        ]
        attrs = dict(operation.attrs)
        if "type" in attrs:
            attrs["type"] = shadow_type(attrs["type"])
        made = builder.emit(operation.op, operands, attrs)
        for result, shadow in zip(operation.results, made.results, strict=True):
            self._give(result, shadow)
        if puts:
            self._change(operation)

    def _begin(self, operation: Operation, builder: Builder) -> bool:
        """Where a container comes to hold what it did not, make what stands beside it anew; whether
        that was so.
        """
        with builder.current():
            if keyed.begins_to_be_keyed(operation):
                values = self.of.get(operation.operands[0])
                zero = partial(self._new, holder=operation)
                made = keyed.paired(operation, values, zero, shadow_type)
            elif begins_to_hold(operation, holds_numbers):
                made = copied_beside(operation, shadow_type)
            else:
                return False
        self.of[operation.result] = made
        return True

    def _move_keyed(self, operation: Operation, builder: Builder) -> None:
        """As ``_move``, with a dict whose keys have shadows."""
        puts = self.moved.setdefault(operation, [])
        with builder.current():
            made = keyed.do(operation, lambda x: self._held(x, puts, operation), shadow_type)
        if made is not None:
            self._give(operation.result, made)
        if puts:
            self._change(operation)

    def _give(self, value: Value, shadow: Value) -> None:
        if is_number(value.type):
            self.boxes[value] = shadow
        elif self._has_shadow(value):
            self.of[value] = shadow

    def _record(self, operation: Operation) -> None:
        """Do with the record of an object what an operation does with the object."""
        puts = self.moved.setdefault(operation, [])
        if operation.name == "object.new":
            self.of[operation.result] = records.new()
            return
        record, name = self.of[operation.operands[0]], operation.attrs["name"]
        if operation.name == "object.delattr":
            records.delete_field(record, name)
        elif operation.name in SETTERS:
            records.set_field(record, name, self._held(operation.operands[1], puts, operation))
        elif holds_numbers(operation.result.type):
            self._give(operation.result, self._field(operation, record))
        if puts:
            self._change(operation)

    def _field(self, operation: Operation, record: Value) -> Value:
        """The shadow of an attribute. Nothing flows to one of the class."""
        value, name = operation.result, operation.attrs["name"]
        is_plain = is_number(value.type) or is_array(value)
        is_written = self._activity.writes_to(value) is not None and is_array(value)
        missing = (lambda: self._new(value, operation)) if is_plain and not is_written else None
        return records.field(record, name, shadow_type(value.type), missing)

    def _new(self, value: Value, holder: Operation) -> Value:
        shadow = fresh(value)
        if shadow is None:
            raise refusal_to_hold(holder, value)
        return shadow

    def _is_of_items(self, operation: Operation) -> bool:
        """Whether an operation computes something of all items of a list whose shadow has boxes."""
        if operation.name not in OF_ITEMS:
            return False
        items = operation.operands[0]
        return items in self.of and self._activity.is_boxed(items)

    def _keep(self, operation: Operation, builder: Builder) -> None:
        """Keep the shadows of the items of a list, which may change before the way back."""
        shadow = self.of[operation.operands[0]]
        self.read[operation] = builder.emit(ops.REGISTRY["list.copy"], [shadow]).result

    def _held(self, value: Value, puts: list[tuple[Value, Value]], holder: Operation) -> Value:
        """The shadow of what is put into something, or yielded. One that is made for that is noted:
        what has flown to it is to be added to the cotangent of ``value``.
        """
        found = self.of.get(value) or self.boxes.get(value)
        if found is not None:
            return found
        if is_unread(value):
            return value
        shadow = self._new(value, holder)
        if ops.is_undef(value) or shadow is value:
            return shadow
        writer = self._activity.writes_to(value) if is_array(value) else None
        if writer is not None:
            raise refusal(writer, CHANGES_OTHERS, shown_view(value))
        if value in self._activity.varied:
            if not has_content(shadow):
                raise refusal_to_hold(holder, value)
            puts.append((value, shadow))
        return shadow


def is_array(value: Value) -> bool:
    """Whether a value is an array that has cotangents."""
    return isinstance(value.type, TensorType) and is_differentiable(value.type)


def _fits(operation: Operation) -> bool:
    """Whether the shadows can be moved as what they are of."""
    types = [operand.type for operand in operation.operands]
    if operation.name in ("list.extend", "list.setslice"):
        return isinstance(types[1], ListType | TupleType)
    if operation.name == "list.from_array":
        made = operation.result.type
        return isinstance(made, ListType) and isinstance(made.item, TensorType)
    if operation.name == "dict.keys":
        return has_number_keys(types[0])
    if operation.name in ("dict.items", "dict.popitem"):
        is_known = isinstance(types[0], DictType) and not holds_numbers(types[0].key)
        return is_known or has_number_keys(types[0])
    return True


def _may_have_shadow(type_: Type) -> bool:
    if isinstance(type_, ListType):
        return is_differentiable(type_.item) or _may_have_shadow(type_.item)
    return isinstance(type_, TensorType) and is_differentiable(type_)
