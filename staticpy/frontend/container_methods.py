"""The methods of lists, dicts, sets, tuples and strings: ``l.append(x)``, ``d.get(k)``.

Each is a function of the lowerer, the receiver and the arguments, found by type and name. A method
that changes its receiver writes the new content, and emits the same call on the real object where
there is one (``memory``).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.container_operators import ContainerOperators
from staticpy.frontend.inputs import is_named_tuple, tree_leaves
from staticpy.frontend.kinds import is_run_time, kind_of
from staticpy.frontend.templates import type_name
from staticpy.frontend.values import (
    AttributesRef,
    ContainerMethod,
    DictRef,
    DictView,
    ListRef,
    ObjectRef,
    SetRef,
)
from staticpy.ir import ListType, Value

Method = Callable[..., Any]


class ContainerMethods(ContainerOperators):
    """Calls methods of containers."""

    def call_method(
        self, method: ContainerMethod, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        """A call of a method of a container."""
        receiver, name = method.receiver, method.name
        class_ = DictRef if isinstance(receiver, AttributesRef) else type(receiver)
        table = _METHODS.get(class_)
        if table is None and isinstance(receiver, tuple):
            table = _TUPLE
        if table is None:
            return self._static_method(receiver, name, args, kwargs, node)
        implementation = table.get(name)
        if implementation is None:
            kind = kind_of(receiver)
            return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=kind)
        try:
            inspect.signature(implementation).bind(self, receiver, node, *args, **kwargs)
        except TypeError as error:
            shown = f"{kind_of(receiver)}.{name}"
            return self.error(catalog.BAD_CALL, node, name=shown, detail=str(error))
        return implementation(self, receiver, node, *args, **kwargs)

    def _static_method(
        self, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        """A method of a str, bytes or range, which Python itself evaluates."""
        if name == "join" and isinstance(receiver, str):
            return self.join_text(receiver, args, node)
        if name == "format" and isinstance(receiver, str):
            return self.format_text(receiver, args, kwargs, node)
        values = [self.plain(argument) for argument in args]
        named = {key: self.plain(item) for key, item in kwargs.items()}
        if any(isinstance(leaf, Value | ObjectRef) for leaf in tree_leaves((tuple(values), named))):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=f"the argument of {name}()")
        try:
            found = getattr(receiver, name)(*values, **named)
        except (ValueError, TypeError, LookupError) as error:
            return self.fails(type(error).__name__, str(error), node)
        return self.new_list(found) if isinstance(found, list) else found

    def join_text(self, separator: str, args: list[Any], node: Any) -> Any:
        """``separator.join(items)``."""
        items = self.iterated(args[0], node) if len(args) == 1 else None
        if not isinstance(items, list):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the number of texts to join")
            return None
        if all(isinstance(item, str) for item in items):
            return separator.join(items)
        result: Any = ""
        for position, item in enumerate(items):
            if self.text(item) is None:
                found = f"expected str instance, {type_name(item)} found"
                self.fails("TypeError", f"sequence item {position}: {found}", node)
            if position:
                result = self.concatenate(result, separator, node)
            result = self.concatenate(result, item, node)
        return result

    def format_text(self, template: str, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        raise AssertionError("defined by Strings")

    def binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        raise AssertionError("defined by Expressions")

    def emit_one(self, op: str, ref: Any, *args: Any) -> Any:
        """An op on the run-time list or dict that ``ref`` is, opened."""
        values = [self.list_value(ref), *(self.to_value(argument) for argument in args)]
        return self.open(self.emit(op, values))

    def emit_write(self, op: str, ref: Any, *args: Any, **attrs: Any) -> None:
        """A writing op on the run-time list or dict that ``ref`` is."""
        values = [self.list_value(ref), *(self.to_value(argument) for argument in args)]
        self.builder.emit(ops.REGISTRY[op], values, attrs)

    def for_each(self, iterable: Any, take: Any, node: Any, live: Any = None) -> None:
        raise AssertionError("defined by Iteration")

    def sorted_list(self, items: ListRef, key: Any, reverse: Any, node: Any) -> ListRef:
        raise AssertionError("defined by Iteration")


# --- lists ----------------------------------------------------------------------------------------


def _append(low: ContainerMethods, ref: ListRef, node: Any, item: Any, /) -> None:
    content = low.content(ref)
    if isinstance(content, Value):
        value = low.to_value(item)
        memory = low.widen_list(ref, value.type)
        low.builder.emit(ops.REGISTRY["list.append"], [memory, value], {})
        return
    low.write(ref, (*content, item))
    low.emit_method(ref, "append", item)


def _extend(low: ContainerMethods, ref: ListRef, node: Any, items: Any, /) -> None:
    found = low.iterated(items, node)
    content = low.content(ref)
    if isinstance(content, tuple) and isinstance(found, list):
        low.write(ref, (*content, *found))
        low.emit_method(ref, "extend", tuple(found))
        return
    source = low.new_list(found) if isinstance(found, list) else found
    given = low.list_value(source)
    assert isinstance(given.type, ListType)
    memory = low.widen_list(ref, given.type.item)
    low.builder.emit(ops.REGISTRY["list.extend"], [memory, given], {})


def _insert(low: ContainerMethods, ref: ListRef, node: Any, index: Any, item: Any, /) -> None:
    content = low.content(ref)
    index = low.index_value(index, node, "list")
    if isinstance(content, tuple) and not isinstance(index, Value):
        items = list(content)
        items.insert(index, item)
        low.write(ref, tuple(items))
        low.emit_method(ref, "insert", index, item)
        return
    value = low.to_value(item)
    memory = low.widen_list(ref, value.type)
    low.builder.emit(ops.REGISTRY["list.insert"], [memory, low.to_value(index), value], {})


def _pop(low: ContainerMethods, ref: ListRef, node: Any, index: Any = -1, /) -> Any:
    content = low.content(ref)
    index = low.index_value(index, node, "list")
    if isinstance(content, tuple) and not isinstance(index, Value):
        if not content:
            low.fails("IndexError", "pop from empty list", node)
        if not -len(content) <= index < len(content):
            low.fails("IndexError", "pop index out of range", node)
        items = list(content)
        item = items.pop(index)
        low.write(ref, tuple(items))
        low.emit_method(ref, "pop", index)
        return item
    return low.emit_one("list.pop", ref, index)


def _remove(low: ContainerMethods, ref: ListRef, node: Any, item: Any, /) -> None:
    content = low.content(ref)
    if isinstance(content, tuple) and not is_run_time((content, item)):
        for position, each in enumerate(content):
            same = is_same(low, each, item, node)
            if isinstance(same, Value):
                low.error(catalog.NEEDS_COMPILE_TIME, node, what="which item is removed")
            if same:
                low.write(ref, content[:position] + content[position + 1 :])
                low.emit_method(ref, "pop", position)
                return
        low.fails("ValueError", "list.remove(x): x not in list", node)
    low.emit_write("list.remove", ref, item)


def _clear(low: ContainerMethods, ref: ListRef, node: Any, /) -> None:
    if isinstance(low.content(ref), Value):
        low.emit_write("list.clear", ref)
        return
    low.write(ref, ())
    low.emit_method(ref, "clear")


def _reverse(low: ContainerMethods, ref: ListRef, node: Any, /) -> None:
    content = low.content(ref)
    if isinstance(content, Value):
        low.emit_write("list.reverse", ref)
        return
    low.write(ref, content[::-1])
    low.emit_method(ref, "reverse")


def _sort(
    low: ContainerMethods, ref: ListRef, node: Any, /, *, key: Any = None, reverse: Any = False
) -> None:
    content = low.content(ref)
    made = low.sorted_list(ref, key, reverse, node)
    result = low.content(made)
    if isinstance(content, tuple) and isinstance(result, tuple):
        low.write(ref, result)
        low.emit_method(ref, "__setitem__", slice(None, None, None), result)
        return
    none = low.to_value(None)
    operands = [low.list_value(ref), low.list_value(made), none, none, none]
    low.builder.emit(ops.REGISTRY["list.setslice"], operands, {})


def _copy_list(low: ContainerMethods, ref: ListRef, node: Any, /) -> ListRef:
    content = low.content(ref)
    if isinstance(content, Value):
        return low.new_list(low.emit("list.copy", [content]))
    return low.new_list(content)


def _index(low: ContainerMethods, ref: Any, node: Any, item: Any, *bounds: Any) -> Any:
    content = low.content(ref) if isinstance(ref, ListRef) else ref
    bounds = tuple(low.index_value(each, node, "list") for each in bounds)
    if isinstance(content, tuple) and not is_run_time((content, item, bounds)):
        items = range(len(content))[slice(*(*bounds, None, None)[:2])]
        return _first(low, ref, [(at, content[at]) for at in items], item, node)
    source = ref if isinstance(ref, ListRef) else low.new_list(ref)
    return low.emit_one("list.index", source, item, *bounds)


def _first(
    low: ContainerMethods, ref: Any, items: list[tuple[int, Any]], wanted: Any, node: Any
) -> Any:
    """The position of the first item that is equal to the one that is wanted."""
    if not items:
        return low.fails("ValueError", "{0}.index(x): x not in {0}".format(kind_of(ref)), node)
    position, item = items[0]
    same = is_same(low, item, wanted, node)
    if isinstance(same, Value):
        rest = lambda: _first(low, ref, items[1:], wanted, node)  # noqa: E731
        return low.choose(same, lambda: position, rest, "index()")
    return position if same else _first(low, ref, items[1:], wanted, node)


def is_same(low: ContainerMethods, item: Any, wanted: Any, node: Any) -> Any:
    """Whether an item is the wanted object, or equal to it: a bool, or a Value."""
    if item is wanted and not isinstance(item, Value):
        return True
    found = low.equal(item, wanted, node)
    if found is NotImplemented:
        low.error(catalog.UNSUPPORTED_OPERANDS, node, symbol="==", types=kind_of(wanted))
    return low.truth(found, node)


def _count(low: ContainerMethods, ref: Any, node: Any, item: Any, /) -> Any:
    content = low.content(ref) if isinstance(ref, ListRef) else ref
    if isinstance(content, tuple) and not is_run_time((content, item)):
        total: Any = 0
        for each in content:
            same = is_same(low, each, item, node)
            if isinstance(same, Value):
                same = low.choose(same, lambda: 1, lambda: 0, "count()")
            total = low.binary("+", total, int(same) if isinstance(same, bool) else same, node)
        return total
    source = ref if isinstance(ref, ListRef) else low.new_list(ref)
    return low.emit_one("list.count", source, item)


# --- tuples ---------------------------------------------------------------------------------------


def _replace(low: ContainerMethods, value: Any, node: Any, /, **fields: Any) -> Any:
    names = type(value)._fields if is_named_tuple(value) else ()
    unknown = [name for name in fields if name not in names]
    if unknown:
        low.fails("ValueError", f"Got unexpected field names: {unknown!r}", node)
    items = [fields.get(name, item) for name, item in zip(names, value, strict=True)]
    return tuple.__new__(type(value), items)


def _asdict(low: ContainerMethods, value: Any, node: Any, /) -> DictRef:
    return low.new_dict(dict(zip(type(value)._fields, value, strict=True)))


# --- dicts ----------------------------------------------------------------------------------------


def _get(low: ContainerMethods, ref: DictRef, node: Any, key: Any, default: Any = None, /) -> Any:
    content = low.content(ref)
    if isinstance(content, Value) or is_run_time(key):
        low.dict_value(ref, key, node)
        return low.emit_one("dict.get", ref, key, default)
    key = low.hashable(key, node)
    return content.get(key, default)


def _known_keys(low: ContainerMethods, ref: DictRef) -> dict[Any, Any] | None:
    content = low.content(ref)
    return content if isinstance(content, dict) else None


def _view(kind: str) -> Method:
    return lambda low, ref, node, /: DictView(ref, kind)


def _update(
    low: ContainerMethods, ref: DictRef, node: Any, other: Any = (), /, **more: Any
) -> None:
    if isinstance(other, DictRef):
        content = low.content(other)
        if isinstance(content, Value):
            low.update_memory(ref, other, node)
            content = {}
        pairs = list(content.items())
    else:

        def take(pair: Any) -> bool:
            items = low.iterated(pair, node)
            if not isinstance(items, list):
                low.error(catalog.NEEDS_COMPILE_TIME, node, what="how many items a pair has")
            if len(items) != 2:
                message = "dictionary update sequence element has another length; 2 is required"
                low.fails("ValueError", message, node)
            low.set_dict_item(ref, items[0], items[1], node)
            return False

        low.for_each(other, take, node)
        pairs = []
    for key, value in [*pairs, *more.items()]:
        low.set_dict_item(ref, key, value, node)


def _setdefault(
    low: ContainerMethods, ref: DictRef, node: Any, key: Any, default: Any = None, /
) -> Any:
    content = low.content(ref)
    if isinstance(content, Value) or is_run_time(key):
        memory = low.widen_dict(ref, key, default, node)
        operands = [memory, low.to_value(key)]
        found = low.emit("dict.contains", operands)
        add = lambda: low.set_dict_item(ref, key, default, node)  # noqa: E731
        low.branch(found, lambda: None, add, None)
        return low.open(low.emit("dict.getitem", operands))
    if low.hashable(key, node) not in content:
        low.set_dict_item(ref, key, default, node)
        return default
    return content[key]


def _pop_key(low: ContainerMethods, ref: DictRef, node: Any, key: Any, *default: Any) -> Any:
    content = low.content(ref)
    if isinstance(content, Value) or is_run_time(key):
        low.dict_value(ref, key, node)
        return low.emit_one("dict.pop", ref, key, *default)
    if not content or low.hashable(key, node) not in content:  # a dict without keys asks no hash
        return default[0] if default else low.fails("KeyError", key, node)
    item = content[key]
    low.delete_item(ref, key, node)
    return item


def _popitem(low: ContainerMethods, ref: DictRef, node: Any, /) -> Any:
    content = _known_keys(low, ref)
    if content is None:
        return low.open(low.emit("dict.popitem", [low.list_value(ref)]))
    if not content:
        return low.fails("KeyError", "popitem(): dictionary is empty", node)
    key = list(content)[-1]
    item = content[key]
    low.delete_item(ref, key, node)
    return (key, item)


def _clear_dict(low: ContainerMethods, ref: DictRef, node: Any, /) -> None:
    if isinstance(low.content(ref), Value):
        low.emit_write("dict.clear", ref)
        return
    low.write(ref, {})
    low.emit_method(ref, "clear")


def _copy_dict(low: ContainerMethods, ref: DictRef, node: Any, /) -> DictRef:
    content = low.content(ref)
    if isinstance(content, Value):
        content = low.emit("dict.copy", [content])
    return low.new_dict(content)


# --- sets -----------------------------------------------------------------------------------------


def _set_items(low: ContainerMethods, value: Any, node: Any) -> frozenset[Any]:
    if isinstance(value, SetRef):
        content = low.content(value)
        assert isinstance(content, frozenset)
        return content
    found = low.iterated(value, node)
    return frozenset(
        low.hashable(item, node) for item in low.static(found, node, "an item of a set")
    )


def _set_write(name: str) -> Method:
    def method(low: ContainerMethods, ref: SetRef, node: Any, item: Any, /) -> None:
        item = low.hashable(low.static(item, node, "an item of a set"), node)
        content = set(low.content(ref))
        if name == "remove" and item not in content:
            low.fails("KeyError", item, node)
        getattr(content, name)(item)
        low.write(ref, frozenset(content))
        low.emit_method(ref, name, item)

    return method


def _set_update(low: ContainerMethods, ref: SetRef, node: Any, *others: Any) -> None:
    content = low.content(ref).union(*(_set_items(low, other, node) for other in others))
    low.write(ref, frozenset(content))
    low.emit_method(ref, "update", tuple(content))


def _set_combine(name: str) -> Method:
    def method(low: ContainerMethods, ref: Any, node: Any, *others: Any) -> Any:
        content = low.content(ref) if isinstance(ref, SetRef) else ref
        found = getattr(content, name)(*(_set_items(low, other, node) for other in others))
        is_new = isinstance(found, frozenset) and isinstance(ref, SetRef)
        return low.new_set(found) if is_new else found

    return method


def _set_clear(low: ContainerMethods, ref: SetRef, node: Any, /) -> None:
    low.write(ref, frozenset())
    low.emit_method(ref, "clear")


_COMBINE = {name: _set_combine(name) for name in dir(frozenset) if not name.startswith("_")}


def _getitem(low: ContainerMethods, ref: Any, node: Any, key: Any, /) -> Any:
    return low.get_item(ref, key, node)


_TUPLE: dict[str, Method] = {
    "index": _index,
    "count": _count,
    "__getitem__": _getitem,
    "_replace": _replace,
    "_asdict": _asdict,
}
_METHODS: dict[type, dict[str, Method]] = {
    ListRef: {
        "append": _append,
        "extend": _extend,
        "insert": _insert,
        "pop": _pop,
        "remove": _remove,
        "clear": _clear,
        "reverse": _reverse,
        "sort": _sort,
        "copy": _copy_list,
        "index": _index,
        "count": _count,
        "__getitem__": _getitem,
    },
    DictRef: {
        "__getitem__": _getitem,
        "get": _get,
        "keys": _view("keys"),
        "values": _view("values"),
        "items": _view("items"),
        "update": _update,
        "setdefault": _setdefault,
        "pop": _pop_key,
        "popitem": _popitem,
        "clear": _clear_dict,
        "copy": _copy_dict,
    },
    SetRef: {
        "add": _set_write("add"),
        "discard": _set_write("discard"),
        "remove": _set_write("remove"),
        "update": _set_update,
        "clear": _set_clear,
        **_COMBINE,
    },
    frozenset: _COMBINE,
}
