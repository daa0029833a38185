"""Lists, dicts, sets, tuples and strings: items, methods and operators.

What is known while compiling is done by Python itself on the contents; what depends on a run-time
value goes to a list or dict in the memory of the running program (``memory``).
"""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import has_own_equality, is_enum, is_hashable, is_instance, is_object
from staticpy.frontend.inputs import RunTimeTuple, Variant, is_named_tuple, make_tuple, tree_leaves
from staticpy.frontend.kinds import is_number, is_run_time, kind_of, out_of_range
from staticpy.frontend.memory import NoValue
from staticpy.frontend.special_methods import SpecialMethods
from staticpy.frontend.templates import no_index, type_name
from staticpy.frontend.values import (
    DictRef,
    DictView,
    FlatIterator,
    ListRef,
    RangeIterable,
    Ref,
    SetRef,
)
from staticpy.frontend.variants import joined_options
from staticpy.frontend.widths import is_fresh
from staticpy.ir import (
    BOOL,
    INT,
    NEVER,
    NONE,
    STR,
    DictType,
    ListType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    join,
)

Static: Any = tuple | str | bytes | range


class Containers(SpecialMethods):
    """Reads and writes containers."""

    # --- what containers hold ---------------------------------------------------------------------

    def open(self, value: Any) -> Any:
        """A Value that is a tuple, a list, a dict or None at run time, as what lowering uses for
        it: what is sure to be None is known while compiling.
        """
        if not isinstance(value, Value):
            return value
        if value.type == NONE:
            return None
        if value.type == NEVER:  # an item of what is always empty
            self.end_path()
        if isinstance(value.type, TupleType):
            results = self.builder.emit(ops.REGISTRY["tuple.items"], [value], {}).results
            return tuple(map(self.open, results))
        if not isinstance(value.type, ListType | DictType):
            return value
        if not is_fresh(value):
            self.compilation.held.add(value)
        return self.new_list(value) if isinstance(value.type, ListType) else self.new_dict(value)

    def known_items(self, container: Any) -> Any:
        """The items of a container whose number is known; None where it is not."""
        if isinstance(container, ListRef | DictRef):
            content = self.content(container)
            return list(content) if isinstance(content, tuple | dict) else None
        if isinstance(container, SetRef):
            return list(self.content(container))
        if isinstance(container, Static | frozenset):
            return list(container)
        return None

    def length(self, container: Any, node: Any) -> Any:
        """``len(container)``."""
        container = container.items if isinstance(container, RunTimeTuple) else container
        container = container.ref if isinstance(container, DictView) else container
        if isinstance(container, ListRef | DictRef | SetRef):
            return self._length_of_ref(container)
        if isinstance(container, Variant):
            return self.dispatch(container, lambda each: self.length(each, node), node)
        if is_instance(container):
            found = self.call_special(container, "__len__", [], node)
            if found is not NotImplemented:
                return found
        if isinstance(container, Static | frozenset | enum.Flag | np.dtype) or is_enum(container):
            return len(container)
        if isinstance(container, RangeIterable):
            return self.range_length(container, node)
        if isinstance(container, FlatIterator):
            return ops.ATTRIBUTES["size"](container.array)
        type_ = container.type if isinstance(container, Value) else None
        if type_ is not None and not is_number(type_) and not is_object(container):
            return self._value_length(container, node)
        told = f"object of type '{type_name(container)}' has no len()"
        return self.fails("TypeError", told, node)

    def _value_length(self, container: Value, node: Any) -> Any:
        if container.type == STR:
            return self.emit("str.len", [container])
        if not isinstance(container.type, UnionType):
            return ops.BUILTINS[len](container)
        found = self.dispatch(container, lambda each: self.length(each, node), node)
        if isinstance(found, Value):
            self.compilation.measures[found] = container, "len"
        return found

    def _length_of_ref(self, ref: Ref) -> Any:
        content, name = self.content(ref), "list" if isinstance(ref, ListRef) else "dict"
        return self.emit(f"{name}.len", [content]) if isinstance(content, Value) else len(content)

    def static(self, tree: Any, node: Any, what: str) -> Any:
        """A compile-time value out of Refs and tuples, for use as a key, say."""
        if any(isinstance(leaf, Value) for leaf in tree_leaves(tree)):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=what)
        return tree

    def hashable(self, key: Any, node: Any) -> Any:
        """``key``, if a dict of compile-time keys can have it."""
        self.static(key, node, "the key of a dict")
        leaves = tree_leaves(key)
        without = (ListRef, DictRef, SetRef, *(() if is_hashable(key) else (slice,)))
        for leaf in (each for each in (*leaves, key) if isinstance(each, without)):
            self.fails("TypeError", f"unhashable type: '{kind_of(leaf)}'", node)
        if not is_hashable(key) or any(
            has_own_equality(x) or isinstance(x, DictView) for x in leaves
        ):
            self.error(catalog.UNSUPPORTED_OPERANDS, node, symbol="hash", types=kind_of(key))
        return key

    # --- items ------------------------------------------------------------------------------------

    def get_item(self, base: Any, index: Any, node: Any) -> Any:
        """``base[index]``."""
        if isinstance(base, Variant):
            return self.dispatch(base, lambda each: self.get_item(each, index, node), node)
        if isinstance(index, Variant):
            return self.dispatch(index, lambda each: self.get_item(base, each, node), node)
        if isinstance(base, Value) and not is_instance(base):
            return self.array_item(base, index, node)
        if isinstance(base, FlatIterator):
            return ops.flat_getitem(base.array, self.array_index(index))
        if isinstance(base, RunTimeTuple):
            found = self.list_item(base.items, index, node, shown="tuple")
            return RunTimeTuple(found) if isinstance(index, slice) else found
        if isinstance(base, ListRef):
            return self.list_item(base, index, node)
        if isinstance(base, DictRef):
            return self.dict_item(base, index, node)
        if is_instance(base):
            found = self.call_special(base, "__getitem__", [index], node)
            if found is not NotImplemented:
                return found
        is_range = isinstance(base, range) and is_run_time(index)
        if is_range or isinstance(base, RangeIterable):
            return self.range_item(base, index, node)
        if isinstance(base, Static):
            return self.sequence_item(base, index, node)
        return self._other_item(base, index, node)

    def _other_item(self, base: Any, index: Any, node: Any) -> Any:
        """``base[index]`` of what is no container: ``np.r_[index]`` and its kin."""
        if base is None:  # often of a union, on a path that the program never takes
            return self.fails("TypeError", "'NoneType' object is not subscriptable", node)
        getter = ops.item_getter(base)
        if getter is None:
            return self.error(catalog.UNSUPPORTED_SUBSCRIPT, node, type=kind_of(base), index="[]")
        return getter(self.array_index(index))

    def compare_instances(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def range_length(self, items: Any, node: Any) -> Any:
        raise AssertionError("defined by Ranges")

    def range_item(self, items: Any, index: Any, node: Any) -> Any:
        raise AssertionError("defined by Ranges")

    def same_ranges(self, left: Any, right: Any, node: Any) -> Any:
        raise AssertionError("defined by Ranges")

    def require_position(self, length: Any, index: Any, message: str, node: Any) -> None:
        raise AssertionError("defined by Branches")

    def refuse_unless_certain(self, value: Any, node: Any) -> None:
        raise AssertionError("defined by Branches")

    def emit_raise(self, exception: str, args: tuple[Any, ...], *operands: Value) -> None:
        raise AssertionError("defined by Branches")

    def array_item(self, base: Value, index: Any, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def array_index(self, index: Any) -> Any:
        """An index as the ops take it: lists as real ones."""
        if isinstance(index, tuple):
            return tuple(map(self.array_index, index))
        return self.plain(index)

    def plain(self, tree: Any) -> Any:
        """``tree`` with real lists and dicts in place of those of known content."""
        if isinstance(tree, ListRef | DictRef) and isinstance(self.content(tree), Value):
            return self.content(tree)
        if isinstance(tree, ListRef):
            return [self.plain(item) for item in self.content(tree)]
        if isinstance(tree, DictRef):
            return {key: self.plain(item) for key, item in self.content(tree).items()}
        if isinstance(tree, SetRef):
            return set(self.content(tree))
        if isinstance(tree, tuple):
            return make_tuple(tree, [self.plain(item) for item in tree])
        if isinstance(tree, slice):
            return slice(*(self.plain(part) for part in (tree.start, tree.stop, tree.step)))
        return tree

    def index_value(self, index: Any, node: Any, what: str) -> Any:
        """An index of a sequence: a static int, or a Value that is a Python int."""
        if isinstance(index, Variant):
            return self.dispatch(index, lambda each: self.index_value(each, node, what), node)
        if is_object(index):
            found = self.call_special(index, "__index__", [], node)
            index = index if found is NotImplemented else found
        if isinstance(index, bool | int):
            return int(index)
        type_ = index.type if isinstance(index, Value) else None
        if type_ == INT:
            return index
        is_integer = isinstance(type_, ScalarType | TensorType) and type_.dtype.kind in "iu"
        if (is_integer and not getattr(type_, "dims", ())) or type_ == BOOL:
            return ops.BUILTINS[int](index)
        if isinstance(index, Value) and isinstance(index.type, UnionType):
            return self.dispatch(index, lambda each: self.index_value(each, node, what), node)
        if what == "slice" and (index is None or type_ == NONE):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="whether this bound is None")
        self.refuse_unless_certain(index, node)
        return self.fails("TypeError", no_index(what, index), node)

    def sequence_item(self, base: Any, index: Any, node: Any) -> Any:
        """An item or slice of a tuple, str or range."""
        if isinstance(index, slice):
            parts = [self.index_or_none(p, node) for p in (index.start, index.stop, index.step)]
            if isinstance(base, tuple) and is_run_time(tuple(parts)):
                return RunTimeTuple(self._list_slice(self.new_list(base), index, node))
            self.static(tuple(parts), node, f"a slice of a {type(base).__name__}")
            try:
                found = base[slice(*parts)]
            except ValueError as error:
                return self.fails("ValueError", str(error), node)
            return tuple(found) if isinstance(base, tuple) else found
        index = self.index_value(index, node, type(base).__name__)
        if isinstance(index, Value):
            return self._choose_item(base, index, node)
        if not -len(base) <= index < len(base):
            return self.fails("IndexError", out_of_range(base), node)
        return base[index]

    def index_or_none(self, part: Any, node: Any) -> Any:
        is_optional = isinstance(part, Value) and part.type == join(INT, NONE)
        return part if part is None or is_optional else self.index_value(part, node, "slice")

    def _choose_item(self, base: Any, index: Value, node: Any) -> Any:
        """An item of a tuple at a run-time position: a tuple is a list that nobody changes."""
        if not isinstance(base, tuple | range) or (is_named_tuple(base) and not base):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=f"the index of a {kind_of(base)}")
        if self.short_loops and isinstance(base, tuple):  # each item has a type of its own unrolled
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the index of a tuple")
        self.require_position(len(base), index, out_of_range(base), node)
        return self.list_item(self.new_list(tuple(base)), index, node, shown="tuple")

    def list_item(self, ref: ListRef, index: Any, node: Any, shown: str = "list") -> Any:
        content = self.content(ref)
        if isinstance(index, slice):
            return self._list_slice(ref, index, node)
        index = self.index_value(index, node, shown)
        if isinstance(content, tuple) and isinstance(index, Value):
            options = joined_options(Variant(content, index), Variant(content, index))
            if options is not None:
                return self._chosen_option(content, options, index, shown, node)
        if isinstance(content, tuple) and not isinstance(index, Value):
            if -len(content) <= index < len(content):
                return content[index]
            return self.fails("IndexError", f"{shown} index out of range", node)
        if content == ():
            return self.fails("IndexError", f"{shown} index out of range", node)
        try:
            value = self.list_value(ref)
        except NoValue:
            return self.error(
                catalog.NEEDS_COMPILE_TIME, node, what="the index of a list of such items"
            )
        if shown != "list" and isinstance(content, Value):
            length = self.emit("list.len", [value])
            self.require_position(length, index, f"{shown} index out of range", node)
        return self.open(self.emit("list.getitem", [value, ops.as_value(index)]))

    def _chosen_option(
        self, items: tuple[Any, ...], options: tuple[Any, ...], index: Value, shown: str, node: Any
    ) -> Variant:
        """The item at a run-time index of a list of objects that are known."""
        self.require_position(len(items), index, f"{shown} index out of range", node)
        with self.at(node):
            position = ops.as_value(ops.binary("%", index, len(items)))
            return Variant(options, self.index_among(Variant(items, position), options))

    def _list_slice(self, ref: ListRef, index: slice, node: Any) -> Any:
        parts = [self.index_or_none(p, node) for p in (index.start, index.stop, index.step)]
        content = self.content(ref)
        if isinstance(content, tuple) and not any(isinstance(part, Value) for part in parts):
            try:
                return self.new_list(content[slice(*parts)])
            except ValueError as error:
                return self.fails("ValueError", str(error), node)
        operands = [self.list_value(ref), *(self.to_value(part) for part in parts)]
        return self.new_list(self.emit("list.getslice", operands))

    def dict_item(self, ref: DictRef, key: Any, node: Any) -> Any:
        content = self.content(ref)
        if isinstance(content, Value) or is_run_time(key):
            value = self.dict_value(ref, key, node)
            return self.open(self.emit("dict.getitem", [value, self.to_value(key)]))
        key = self.hashable(key, node)
        if key in content:
            return content[key]
        return self.fails("KeyError", key, node)

    def dict_value(self, ref: DictRef, key: Any, node: Any) -> Value:
        """``ref`` as a dict in run-time memory, whose keys can be run-time values."""
        try:
            return self.list_value(ref)
        except NoValue:
            return self.error(catalog.NEEDS_COMPILE_TIME, node, what="the key of this dict")  # type: ignore[no-any-return]

    def set_item(self, base: Any, index: Any, value: Any, node: Any) -> None:
        """``base[index] = value``."""
        if isinstance(base, Variant):
            self.dispatch(base, lambda each: self.set_item(each, index, value, node), node)
            return
        if isinstance(index, Variant):
            self.dispatch(index, lambda each: self.set_item(base, each, value, node), node)
            return
        if isinstance(base, Value) and not is_instance(base):
            self.store(base, index, value, node)
        elif isinstance(base, FlatIterator):
            ops.flat_setitem(base.array, self.array_index(index), self.plain(value))
        elif isinstance(base, ListRef):
            self.set_list_item(base, index, value, node)
        elif isinstance(base, DictRef):
            self.set_dict_item(base, index, value, node)
        elif is_object(base):
            found = self.call_special(base, "__setitem__", [index, value], node)
            if found is NotImplemented:
                self._no_item_assignment(base, node)
        else:
            self._no_item_assignment(base, node)

    def store(self, base: Value, index: Any, value: Any, node: Any) -> None:
        raise AssertionError("defined by Expressions")

    def _no_item_assignment(self, base: Any, node: Any) -> None:
        ops.refuse_store(base)
        message = f"'{type_name(base)}' object does not support item assignment"
        self.fails("TypeError", message, node)

    def widen_list(self, ref: ListRef, item: Type) -> Value:
        """``ref`` as a run-time list that can hold items of a further type."""
        return self._list_value(ref, ListType(join(self.list_type(self.content(ref)).item, item)))

    def set_list_item(self, ref: ListRef, index: Any, value: Any, node: Any) -> None:
        content = self.content(ref)
        if isinstance(index, slice):
            self._set_slice(ref, index, value, node)
            return
        index = self.index_value(index, node, "list")
        if isinstance(content, tuple) and not isinstance(index, Value):
            if not -len(content) <= index < len(content):
                self.fails("IndexError", "list assignment index out of range", node)
            items = list(content)
            items[index] = value
            self.write(ref, tuple(items))
            if not ops.is_itself(value, content[index]):
                self.emit_method(ref, "__setitem__", index, value)
            return
        item = self.to_value(value)
        memory = self.widen_list(ref, item.type)
        self._emit("list.setitem", memory, ops.as_value(index), item)

    def _emit(self, op: str, *operands: Value, **attrs: Any) -> None:
        self.builder.emit(ops.REGISTRY[op], list(operands), attrs)

    def _set_slice(self, ref: ListRef, index: slice, value: Any, node: Any) -> None:
        parts = [self.index_or_none(p, node) for p in (index.start, index.stop, index.step)]
        items = self.iterated(value, node)
        content = self.content(ref)
        is_known = isinstance(content, tuple) and isinstance(items, list)
        if is_known and not any(isinstance(part, Value) for part in parts):
            made = list(content)
            try:
                made[slice(*parts)] = items
            except ValueError as error:
                self.fails("ValueError", str(error), node)
            self.write(ref, tuple(made))
            self.emit_method(ref, "__setitem__", slice(*parts), tuple(items))
            return
        given = self.list_value(self.new_list(items) if isinstance(items, list) else items)
        assert isinstance(given.type, ListType)
        memory = self.widen_list(ref, given.type.item)
        self._emit("list.setslice", memory, given, *(self.to_value(part) for part in parts))

    def set_dict_item(self, ref: DictRef, key: Any, value: Any, node: Any) -> None:
        content = self.content(ref)
        if isinstance(content, Value) or is_run_time(key):
            memory = self.widen_dict(ref, key, value, node)
            self._emit("dict.setitem", memory, self.to_value(key), self.to_value(value))
            return
        self.write(ref, {**content, self.hashable(key, node): value})
        if not ops.is_itself(value, content.get(key)):
            self.emit_method(ref, "__setitem__", key, value)

    def widen_dict(self, ref: DictRef, key: Any, value: Any, node: Any) -> Value:
        """``ref`` as a run-time dict that can hold a further key and value."""
        return self.dict_of(ref, self.value_type(key), self.value_type(value), node)

    def dict_of(self, ref: DictRef, key: Type, value: Type, node: Any) -> Value:
        """``ref`` as a run-time dict that can hold keys and values of further types."""
        memory = self.dict_value(ref, key, node)
        assert isinstance(memory.type, DictType)
        wanted = DictType(join(memory.type.key, key), join(memory.type.value, value))
        return self.cast_memory(ref, memory, wanted)

    def delete_item(self, base: Any, index: Any, node: Any) -> None:
        """``del base[index]``."""
        if isinstance(base, Variant):
            self.dispatch(base, lambda each: self.delete_item(each, index, node), node)
            return
        if is_object(base):
            if self.call_special(base, "__delitem__", [index], node) is NotImplemented:
                self.error(catalog.UNSUPPORTED_DELETE, node, what="this item")
            return
        if isinstance(base, DictRef):
            self._delete_key(base, index, node)
            return
        if not isinstance(base, ListRef):
            self.error(catalog.UNSUPPORTED_DELETE, node, what=f"an item of a {kind_of(base)}")
        content = self.content(base)
        parts = [index]
        if isinstance(index, slice):
            parts = [self.index_or_none(p, node) for p in (index.start, index.stop, index.step)]
            if isinstance(content, Value) or any(isinstance(part, Value) for part in parts):
                self._emit("list.delslice", self.list_value(base), *map(self.to_value, parts))
                return
            index = slice(*parts)
        else:
            index = self.index_value(index, node, "list")
            if isinstance(content, Value) or isinstance(index, Value):
                self._emit("list.delitem", self.list_value(base), ops.as_value(index))
                return
        items = list(content)
        try:
            del items[index]
        except IndexError:
            self.fails("IndexError", "list assignment index out of range", node)
        self.write(base, tuple(items))
        self.emit_method(base, "__delitem__", index)

    def _delete_key(self, ref: DictRef, key: Any, node: Any) -> None:
        if isinstance(content := self.content(ref), Value) or is_run_time(key):
            self._emit("dict.delitem", self.dict_value(ref, key, node), self.to_value(key))
            return
        if self.hashable(key, node) not in content:
            self.fails("KeyError", key, node)
        self.write(ref, {k: v for k, v in content.items() if k != key})
        self.emit_method(ref, "__delitem__", key)

    def iterated(self, value: Any, node: Any) -> Any:
        raise AssertionError("defined by Iteration")

    def text(self, value: Any) -> Value | None:
        """A str, known or not, as a Value."""
        value = self.to_value(value) if type(value) is str else value
        return value if isinstance(value, Value) and value.type == STR else None

    def both(self, left: Any, right: Any) -> Any:
        """``left and right`` of two conditions that are both known to be safe to compute."""
        if left is False or right is True:
            return left
        return right if left is True or right is False else ops.binary("&", left, right)
