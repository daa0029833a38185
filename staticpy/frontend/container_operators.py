"""Operators of lists, dicts, sets, tuples and strings: ``+``, ``*``, ``|``, and their comparison.

What is known while compiling is done by Python itself on the contents; what depends on a run-time
value is done on lists in the memory of the running program.
"""

from __future__ import annotations

from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import is_instance
from staticpy.frontend.dispatch_tables import DispatchTables
from staticpy.frontend.inputs import RunTimeTuple, Variant
from staticpy.frontend.kinds import is_split
from staticpy.frontend.lengths import as_list
from staticpy.frontend.values import (
    DictRef,
    DictView,
    ListRef,
    RangeIterable,
    Ref,
    SetRef,
    is_liftable,
    leaf_type,
)
from staticpy.ir import (
    BOOL,
    INT,
    OBJECT,
    DictType,
    ScalarType,
    TensorType,
    Type,
    Value,
)

_LONGEST_STATIC = 100_000


class ContainerOperators(DispatchTables):
    """Combines and compares containers."""

    def concatenate(self, left: Any, right: Any, node: Any) -> Any:
        """``left + right`` for two lists, two tuples or two strings; NotImplemented otherwise."""
        if isinstance(left, ListRef) and isinstance(right, ListRef):
            contents = self.content(left), self.content(right)
            if all(isinstance(content, tuple) for content in contents):
                return self.new_list(contents[0] + contents[1])
            values = [self.list_value(left), self.list_value(right)]
            return self.new_list(self.emit("list.concat", values))
        if isinstance(left, tuple) and isinstance(right, tuple):
            return (*left, *right)
        if isinstance(left, str) and isinstance(right, str):
            return left + right
        sides = (left, right)
        if any(isinstance(side, RunTimeTuple) for side in sides):
            return self._concatenate_tuples(sides)
        texts = [self.text(side) for side in (left, right)]
        if None not in texts:
            return self.emit("str.concat", [text for text in texts if text])
        if isinstance(left, bytes) and isinstance(right, bytes):
            return left + right
        return NotImplemented

    def _concatenate_tuples(self, sides: tuple[Any, Any]) -> Any:
        if not all(isinstance(side, tuple | RunTimeTuple) for side in sides):
            return NotImplemented
        values = [self.list_value(as_list(self, side)) for side in sides]
        return RunTimeTuple(self.new_list(self.emit("list.concat", values)))

    def repeat(self, left: Any, right: Any, node: Any) -> Any:
        """``sequence * count``; NotImplemented for anything else."""
        sequence, count = (left, right) if is_sequence(left) else (right, left)
        if not is_sequence(sequence) or is_sequence(count):
            return NotImplemented
        is_int = isinstance(count, int) or (isinstance(count, Value) and _is_count(count.type))
        if not is_int:
            return NotImplemented
        if type(sequence) is tuple and isinstance(count, Value):
            sequence = RunTimeTuple(self.new_list(sequence))
        if isinstance(sequence, RunTimeTuple):
            return RunTimeTuple(self.repeat(sequence.items, count, node))
        content = self.content(sequence) if isinstance(sequence, ListRef) else sequence
        if isinstance(count, Value) or isinstance(content, Value):
            if not isinstance(sequence, ListRef):
                self.error(catalog.NEEDS_COMPILE_TIME, node, what="the count of repetitions")
            number = ops.BUILTINS[int](ops.as_value(count))
            operands = [self.list_value(sequence), ops.as_value(number)]
            return self.new_list(self.emit("list.repeat", operands))
        if len(content) * count > _LONGEST_STATIC:
            if not isinstance(sequence, ListRef):
                self.error(catalog.STRUCTURE_TOO_LARGE, node, limit=_LONGEST_STATIC)
            operands = [self.list_value(sequence), ops.as_value(count)]
            return self.new_list(self.emit("list.repeat", operands))
        made = content * count
        return self.new_list(made) if isinstance(sequence, ListRef) else made

    def set_operation(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """Operators of sets and dicts; NotImplemented for anything else."""
        if isinstance(left, DictRef) and isinstance(right, DictRef) and symbol == "|":
            contents = [self.content(left), self.content(right)]
            if all(isinstance(content, dict) for content in contents):
                return self.new_dict({**contents[0], **contents[1]})
            values = [self.list_value(left), self.list_value(right)]
            return self.open(ops.as_value(ops.binary("|", *values)))
        compute = _SET_OPERATORS.get(symbol)
        if compute is None:
            return NotImplemented
        sets = [self._set_of(side, node) for side in (left, right)]
        if None in sets:
            return NotImplemented
        found = compute(*sets)
        is_fixed = isinstance(left, frozenset) and not isinstance(right, DictView)
        is_new = isinstance(found, frozenset) and not is_fixed
        return self.new_set(found) if is_new else found

    def update_memory(self, ref: DictRef, other: DictRef, node: Any) -> None:
        """``ref.update(other)`` of a dict in memory."""
        given = self.list_value(other)
        assert isinstance(given.type, DictType)
        memory = self.dict_of(ref, given.type.key, given.type.value, node)
        same = self.emit("object.cast", [given], type=memory.type)
        self.builder.emit(ops.REGISTRY["dict.update"], [memory, same], {})

    def equal(self, left: Any, right: Any, node: Any) -> Any:
        """``left == right`` for containers and compile-time objects: a bool, or a Value."""
        if left is right and not isinstance(left, Value):
            return True
        if isinstance(left, Variant) or isinstance(right, Variant):
            return self.compare_values("==", left, right, node)
        has_none = left is None or right is None
        if not has_none and (is_split(left, right) or is_split(right, left)):
            return self.compare_values("==", left, right, node)
        if is_instance(left) or is_instance(right):
            found = self.compare_instances("==", left, right, node)
            if found is not NotImplemented:
                return found
        if _compare_as_sets(left, right):
            return self._equal_sets(left, right, node)
        if isinstance(left, Ref | tuple) and isinstance(right, Ref | tuple):
            return self._equal_containers(left, right, node)
        if is_liftable(left) and is_liftable(right):
            return self._equal_items(left, right, node)
        texts = [self.text(side) for side in (left, right)]
        if None not in texts and any(isinstance(side, Value) for side in (left, right)):
            return self.emit("str.eq", [text for text in texts if text])
        if any(isinstance(side, Value) for side in (left, right)):
            return NotImplemented
        return self._equal_others(left, right, node)

    def _equal_others(self, left: Any, right: Any, node: Any) -> Any:
        sides = (left, right)
        if any(isinstance(side, RunTimeTuple) for side in sides):
            if not all(isinstance(side, tuple | RunTimeTuple) for side in sides):
                return False
            return self.emit("list.eq", [self.list_value(as_list(self, side)) for side in sides])
        if all(isinstance(side, range | RangeIterable) for side in sides):
            return self.same_ranges(left, right, node)
        if any(isinstance(side, DictView) for side in sides):
            return self._equal_sets(left, right, node)
        return bool(left == right)

    def _equal_sets(self, left: Any, right: Any, node: Any) -> Any:
        """Sets, and views of dicts: keys and items are sets, values equal to themselves only."""
        kinds = [side.kind if isinstance(side, DictView) else "" for side in (left, right)]
        plain = (ListRef, DictRef, tuple, str, bytes)
        if "values" in kinds or any(isinstance(side, plain) for side in (left, right)):
            return False
        if kinds == ["items", "items"]:
            return self.equal(left.ref, right.ref, node)
        if kinds == ["keys", "keys"]:
            dicts = left.ref, right.ref
            if any(isinstance(self.content(each), Value) for each in dicts):
                keys = [
                    self.emit("object.call", [memory], method="keys", result=OBJECT)
                    for memory in map(self.list_value, dicts)
                ]
                return self.emit("object.call", keys, method="__eq__", result=BOOL)
        sets = [self._set_of(side, node) for side in (left, right)]
        return None not in sets and sets[0] == sets[1]

    def _set_of(self, side: Any, node: Any) -> frozenset[Any] | None:
        """A set, or a view of a dict that is as good as one; None for anything else."""
        if isinstance(side, SetRef):
            return self.content(side)  # type: ignore[no-any-return]
        if isinstance(side, frozenset):
            return side
        if not isinstance(side, DictView) or side.kind == "values":
            return None
        content = self.content(side.ref)
        if isinstance(content, Value):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the keys of this dict")
        items = content if side.kind == "keys" else content.items()
        return frozenset(self.static(tuple(items), node, "the items of this dict"))

    def _equal_containers(self, left: Any, right: Any, node: Any) -> Any:
        kinds = [tuple if isinstance(side, tuple) else type(side) for side in (left, right)]
        if kinds[0] is not kinds[1]:
            return False
        contents = [s if isinstance(s, tuple) else self.content(s) for s in (left, right)]
        if any(isinstance(content, Value) for content in contents):
            values = [self.list_value(side) for side in (left, right)]
            return self.emit("list.eq", values)
        if len(contents[0]) != len(contents[1]):
            return False
        if isinstance(left, DictRef):
            if set(contents[0]) != set(contents[1]):
                return False
            contents = [tuple(c[key] for key in contents[0]) for c in contents]
        return self._equal_all(contents[0], contents[1], node)

    def _equal_all(self, left: tuple[Any, ...], right: tuple[Any, ...], node: Any) -> Any:
        same: Any = True
        for a, b in zip(left, right, strict=True):
            if same is False:
                return False
            if a is b:
                continue
            found = self.equal(a, b, node)
            if found is NotImplemented:
                return NotImplemented
            found = self.truth(found, node)
            same = found if same is True else self.both(same, found)
        return same

    def _equal_items(self, left: Any, right: Any, node: Any) -> Any:
        """Items are equal if they are one object, or if ``==`` says so: nan may be equal to nan."""
        if {leaf_type(left), leaf_type(right)} <= {INT, BOOL}:
            return ops.compare("==", left, right)
        values = [self.to_value(side) for side in (left, right)]
        return self.emit("object.same_or_equal", values)

    def ordered(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        """``<`` and its kin for tuples and lists: decided by the first items that differ."""
        contents = []
        for side in (left, right):
            content = self.content(side) if isinstance(side, ListRef) else side
            contents.append(content)
        if any(isinstance(content, Value) for content in contents):
            memory = [self.list_value(side) for side in (left, right)]
            return self.emit("object.compare", memory, symbol=symbol)
        values = [self.emit("tuple.make", [self.to_object(i) for i in c]) for c in contents]
        return self.emit("object.compare", values, symbol=symbol)


_SET_OPERATORS: dict[str, Any] = {
    "|": lambda a, b: a | b,
    "&": lambda a, b: a & b,
    "-": lambda a, b: a - b,
    "^": lambda a, b: a ^ b,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}


def _compare_as_sets(left: Any, right: Any) -> bool:
    kinds = DictView, SetRef, frozenset
    numbers = (side.type for side in (left, right) if isinstance(side, Value))
    if any(isinstance(type_, ScalarType | TensorType) for type_ in numbers):
        return False  # NumPy has a say in it
    is_view = isinstance(left, DictView) or isinstance(right, DictView)
    return is_view or (isinstance(left, kinds) and isinstance(right, kinds))


def _is_count(type_: Type) -> bool:
    """Whether a sequence times a number of this type repeats it."""
    return type_ in (INT, BOOL) or (isinstance(type_, ScalarType) and type_.dtype.kind in "iu")


def is_sequence(value: Any) -> bool:
    """Whether ``value * n`` repeats it."""
    return isinstance(value, ListRef | RunTimeTuple | tuple | str | bytes)
