"""Dicts of functions and other objects that are known, asked by a key of the running program.

    {"add": add, "sub": sub}[name](a, b)

The key is compared with each of the keys, in order; the item is one of several objects
(``Variant``).
"""

from __future__ import annotations

from typing import Any

from staticpy.frontend.containers import Containers
from staticpy.frontend.inputs import Variant
from staticpy.frontend.values import DictRef
from staticpy.frontend.variants import LONGEST_VARIANT, is_option
from staticpy.ir import BOOL, INT, STR, ScalarType, Value

_KEYS = (bool, int, str)


class DispatchTables(Containers):
    """Looks up objects that are known by keys that are not."""

    def dict_item(self, ref: DictRef, key: Any, node: Any) -> Any:
        content = self.content(ref)
        if isinstance(content, dict) and _is_plain_key(key) and _is_table(content):
            return self._choose(list(content.items()), key, node)
        return super().dict_item(ref, key, node)

    def _choose(self, pairs: list[tuple[Any, Any]], key: Value, node: Any) -> Any:
        if not pairs:
            with self.at(node):
                self.emit_raise("KeyError", (), self.to_object(key))
            return self.end_path()
        (known, item), *rest = pairs
        same = self.truth(self.compare_values("==", key, known, node), node)
        if not isinstance(same, Value):
            return item if same else self._choose(rest, key, node)
        return self.choose(
            same, lambda: item, lambda: self._choose(rest, key, node), "the item of this dict"
        )


def _is_plain_key(key: Any) -> bool:
    """Whether a key is of the running program, and equal to what has the same hash."""
    type_ = key.type if isinstance(key, Value) else None
    is_integer = isinstance(type_, ScalarType) and type_.dtype.kind in "biu"
    return is_integer or type_ in (BOOL, INT, STR)


def _is_table(content: dict[Any, Any]) -> bool:
    items = content.values()
    fits = all(is_option(item) and not isinstance(item, Variant) for item in items)
    return fits and 0 < len(content) <= LONGEST_VARIANT and all(type(k) in _KEYS for k in content)
