"""Whether a value can be what an annotation says.

In: the node of an annotation, and a value of the abstract run or its Type. Out: False where the
value is certainly something else. An annotation that says nothing that is known here, such as a
type variable or a class of another library, admits everything.

As for type checkers, an int will do for a float, a float for a complex, a bool for an int. More is
let through where NumPy itself makes no difference: its scalars and 0-d arrays stand for Python's
numbers of their kind and for arrays, and arrays for sequences.
"""

from __future__ import annotations

import builtins
import collections.abc
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from staticpy.frontend.annotations import (
    TUPLES,
    Origin,
    array_dtype,
    dotted_name,
    parse_quoted,
)
from staticpy.frontend.axes import read_axes
from staticpy.frontend.inputs import UNKNOWN_VALUE, Variant
from staticpy.frontend.python_classes import class_of_type
from staticpy.frontend.values import DEAD, PENDING, POISON, UNBOUND, Conflict, DictRef, Ref
from staticpy.ir import (
    NEVER,
    OBJECT,
    DictType,
    ListType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    type_of,
)

_UNKNOWN: Final = (UNBOUND, DEAD, PENDING, POISON, UNKNOWN_VALUE, OBJECT, NEVER)
_TOWER = (bool, int, float, complex)
_NUMPY_TOWER = (np.bool_, np.integer, np.floating, np.complexfloating)
_LIKE_SEQUENCES = ("Sequence", "Iterable", "Collection", "Sized", "Container", "Reversible")
_WRAPPERS = ("Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly")
_KINDS: dict[str, tuple[type, ...]] = {
    "Complex": (np.complexfloating,),
    "Float": (np.floating,),
    "Inexact": (np.inexact,),
    "Int": (np.signedinteger,),
    "Integer": (np.integer,),
    "Num": (np.number,),
    "Real": (np.integer, np.floating),
    "Shaped": (np.generic,),
    "UInt": (np.unsignedinteger,),
}
"""jaxtyping's names for several dtypes."""
_MAPPINGS = ("dict", "Dict", "Mapping", "MutableMapping", "DefaultDict", "OrderedDict")
_COLLECTIONS = (
    "list", "List", "set", "Set", "frozenset", "FrozenSet", "Sequence", "MutableSequence",
    "Collection", "Iterable", "AbstractSet", "MutableSet", "Reversible",
)  # fmt: skip
_MOST_ITEMS = 1000
_DEEPEST = 20


class Conformance:
    """Compares values with annotations, as seen from one function.

    Args:
        origin: the dotted path of what an import binds to a name, or of a builtin.
        alias: the expression that a name of the module stands for, or None.
        live: the class that a name stands for, or None.
        class_of: the class of a value of the abstract run, or None.
        content: what a list, dict or set holds as far as that is known.
    """

    def __init__(
        self,
        origin: Origin,
        alias: Callable[[str], Any],
        live: Callable[[str], type | None],
        class_of: Callable[[Any], type | None],
        content: Callable[[Ref], Any],
    ) -> None:
        self.origin = origin
        self._alias = alias
        self._live = live
        self._class_of = class_of
        self._content = content

    def admits(self, node: Any, value: Any, depth: int = _DEEPEST) -> bool:
        """Whether ``value`` can be what the annotation ``node`` says."""
        if depth == 0 or isinstance(value, Conflict) or any(value is each for each in _UNKNOWN):
            return True
        if isinstance(value, Value):
            return self.admits(node, value.type, depth)
        if isinstance(value, Variant):
            return any(self.admits(node, option, depth) for option in value.options)
        if isinstance(value, UnionType):
            return any(self.admits(node, member, depth) for member in value.members)
        kind = type(node).__name__
        if kind == "Constant":
            inner = parse_quoted(node.value)
            is_none = node.value is None
            return self._is_none(value) if is_none else not inner or self.admits(inner, value)
        if kind == "BinOp":
            return any(self.admits(side, value, depth - 1) for side in (node.left, node.right))
        if kind in ("Name", "Attribute"):
            return self._plain(node, value, depth)
        return self._subscript(node, value, depth) if kind == "Subscript" else True

    def _class(self, value: Any) -> type | None:
        found = class_of_type(value) if isinstance(value, Type) else self._class_of(value)
        is_ours = found is not None and found.__module__.startswith("staticpy.")
        return None if is_ours else found

    def _is_none(self, value: Any) -> bool:
        return self._class(value) in (None, type(None))

    # --- names ------------------------------------------------------------------------------------

    def _plain(self, node: Any, value: Any, depth: int) -> bool:
        path = dotted_name(node, self.origin)
        found = self._class(value)
        if found is None:
            return True
        if path is not None:
            return self._is_a(found, value, _class_at(path))
        if type(node).__name__ != "Name":
            return True
        alias = self._alias(node.id)
        if alias is not None:
            return self.admits(alias, value, depth - 1)
        expected = self._live(node.id)
        is_plain = type(expected) is type and expected.__module__ not in ("typing", "types")
        return not is_plain or self._is_a(found, value, expected)

    def _is_a(self, found: type, value: Any, expected: type | None) -> bool:
        if expected is None or expected is object:
            return True
        if expected in _TOWER:
            rank = _tower_rank(found, value)
            return rank <= _TOWER.index(expected) if rank >= 0 else issubclass(found, expected)
        if issubclass(expected, np.generic):
            return issubclass(_scalar_class(found, value), expected)
        if expected is np.ndarray:
            return issubclass(found, np.ndarray | np.generic)
        if found is np.ndarray and expected.__name__ in _LIKE_SEQUENCES:
            return True
        return issubclass(found, expected)

    # --- what stands in brackets ------------------------------------------------------------------

    def _subscript(self, node: Any, value: Any, depth: int) -> bool:
        inner = node.slice
        arguments = inner.elts if type(inner).__name__ == "Tuple" else [inner]
        path = dotted_name(node.value, self.origin) or ""
        package, _, name = path.rpartition(".")
        dtype = array_dtype(node, self.origin)
        if dtype is not None:
            return self._array(node, dtype, value)
        if package == "jaxtyping" and name in _KINDS and len(arguments) == 2:
            return self._array(node, name, value)
        if package in ("typing", "typing_extensions", "types") and name not in _COLLECTIONS:
            if name == "Optional":
                return self._is_none(value) or self.admits(inner, value, depth - 1)
            if name == "Union":
                return any(self.admits(each, value, depth - 1) for each in arguments)
            if name == "Literal":
                return self._literal(arguments, value)
            if name in _WRAPPERS:
                return self.admits(arguments[0], value, depth - 1)
        if not self._plain(node.value, value, depth):
            return False
        if path in TUPLES:
            return self._tuple(arguments, value, depth)
        if name in _COLLECTIONS:
            return self._all(arguments[0], self._items(value), depth)
        if name in _MAPPINGS and len(arguments) == 2:
            keys, values = self._pairs(value)
            return self._all(arguments[0], keys, depth) and self._all(arguments[1], values, depth)
        return True

    def _all(self, node: Any, values: Iterable[Any], depth: int) -> bool:
        return all(self.admits(node, each, depth - 1) for each in values)

    def _array(self, node: Any, dtype: np.dtype | str, value: Any) -> bool:
        if not isinstance(value, TensorType | ScalarType):
            return self._class(value) is None
        axes = read_axes(node, self.origin)
        rank = value.rank if isinstance(value, TensorType) else 0
        is_of_dtype = (
            _is_kind(value.dtype, dtype) if isinstance(dtype, str) else value.dtype == dtype
        )
        return bool(is_of_dtype) and (axes is None or axes.fits(rank))

    def _literal(self, arguments: list[Any], value: Any) -> bool:
        texts = [each.value for each in arguments if type(each).__name__ == "Constant"]
        is_text = type(value) is str and all(type(each) is str for each in texts)
        return not is_text or len(texts) < len(arguments) or value in texts

    def _tuple(self, arguments: list[Any], value: Any, depth: int) -> bool:
        items = value.items if isinstance(value, TupleType) else value
        if not isinstance(items, tuple):
            return True
        if len(arguments) == 2 and getattr(arguments[1], "value", None) is Ellipsis:
            return self._all(arguments[0], items, depth)
        if any(type(each).__name__ == "Starred" for each in arguments):
            return True
        if len(arguments) == 1 and getattr(arguments[0], "elts", None) == []:
            return not items
        pairs = zip(arguments, items, strict=False)
        is_long = len(arguments) == len(items)
        return is_long and all(self.admits(each, item, depth - 1) for each, item in pairs)

    def _items(self, value: Any) -> Iterable[Any]:
        """The items of a list, tuple or set that are known, or their type."""
        if isinstance(value, Ref):
            value = self._content(value)
            value = value.type if isinstance(value, Value) else value
        if isinstance(value, ListType):
            return [value.item]
        items = value.items if isinstance(value, TupleType) else value
        return list(items)[:_MOST_ITEMS] if isinstance(items, tuple | frozenset) else []

    def _pairs(self, value: Any) -> tuple[Iterable[Any], Iterable[Any]]:
        if isinstance(value, DictRef):
            value = self._content(value)
            value = value.type if isinstance(value, Value) else value
        if isinstance(value, DictType):
            return [value.key], [value.value]
        return (list(value), list(value.values())) if isinstance(value, dict) else ([], [])


def _is_kind(dtype: np.dtype, name: str) -> bool:
    """Whether a dtype is one of those that a name of jaxtyping's stands for."""
    return issubclass(dtype.type, _KINDS[name])


def _tower_rank(found: type, value: Any) -> int:
    """Which of Python's numbers a value is most like; -1 where it is none."""
    found = _scalar_class(found, value)
    for rank, classes in enumerate(zip(_TOWER, _NUMPY_TOWER, strict=True)):
        if issubclass(found, classes):
            return rank
    return -1


def _scalar_class(found: type, value: Any) -> type:
    """The class of a number; that of its item for an array without axes."""
    if isinstance(value, TensorType) and not value.rank:
        return value.dtype.type
    return found


def _class_at(path: str) -> type | None:
    """The class of Python or NumPy at a dotted path."""
    package, _, name = path.rpartition(".")
    module = _MODULES.get(package)
    found = getattr(module, name, None)
    if module is typing:
        found = typing.get_origin(found)
    if found is collections.abc.Callable or not isinstance(found, type):
        return found if isinstance(found, type) else None
    is_numpy = module is np
    return None if is_numpy and not issubclass(found, np.ndarray | np.generic) else found


_MODULES: dict[str, types.ModuleType] = {
    "builtins": builtins,
    "numpy": np,
    "typing": typing,
    "collections.abc": collections.abc,
}


def live_items(value: Any) -> Any:
    """What a live list, dict or set holds, by the types of its items."""
    if isinstance(value, dict):
        return {key: _typed(item) for key, item in list(value.items())[:_MOST_ITEMS]}
    if isinstance(value, list | set):
        return tuple(_typed(item) for item in list(value)[:_MOST_ITEMS])
    return None


def _typed(item: Any) -> Any:
    found = type_of(item)
    return UNKNOWN_VALUE if found is None else found
