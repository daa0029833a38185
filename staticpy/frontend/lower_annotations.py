"""What annotations do when a function runs.

Those of a nested function are evaluated where it is defined, those of variables never are; of
``a.b: int`` without a value, Python evaluates ``a``. Most annotations name types, which has no
effect that anybody sees once the names exist; what calls or computes is lowered as an expression.
"""

from __future__ import annotations

import types
from typing import Any

import gast

from staticpy.frontend.annotations import ArrayAnnotation
from staticpy.frontend.inputs import UNKNOWN_VALUE
from staticpy.frontend.lower_stmt import Statements
from staticpy.frontend.values import NoVerdict, Ref
from staticpy.ir import Value

_TYPING = ("typing", "typing_extensions", "types")
"""Where the classes of ``Optional``, ``TypeVar`` and ``list[int]`` are from."""


class Annotations(Statements):
    """Lowers what annotations do."""

    def closure(self, node: Any) -> Any:
        made = super().closure(node)
        for annotation in getattr(node, "evaluated", ()):
            self._evaluate(annotation)
        return made

    def stmt_AnnAssign(self, node: Any) -> None:
        target = node.target
        if node.value is not None:
            super().stmt_AnnAssign(node)
        elif not isinstance(target, gast.Name):
            self.expression(target.value)
            if isinstance(target, gast.Subscript):
                self.expression(target.slice)

    def _evaluate(self, node: Any) -> Any:
        """What an annotation refers to: for ``list[int]`` that is ``list``."""
        if isinstance(node, gast.Constant):
            return node.value
        if isinstance(node, gast.Tuple | gast.List):
            return [self._evaluate(each) for each in node.elts]
        if isinstance(node, gast.Name):
            return self._name(node)
        if isinstance(node, gast.Attribute):
            return self._attribute(self._evaluate(node.value), node)
        if isinstance(node, gast.Subscript):
            return self._subscript(self._evaluate(node.value), node)
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.BitOr):
            return self._alternative(node)
        return self.expression(node)

    def _name(self, node: Any) -> Any:
        try:
            found = self.expression(node)
        except NoVerdict:  # ``check``: it exists, and what it is does not matter
            return UNKNOWN_VALUE
        live = found.live if isinstance(found, Ref) else None
        is_type = isinstance(live, ArrayAnnotation) or type(live).__module__ in _TYPING
        return live if is_type else found

    def _attribute(self, base: Any, node: Any) -> Any:
        if base is UNKNOWN_VALUE:
            return base
        is_namespace = isinstance(base, types.ModuleType) or type(base).__module__ in _TYPING
        if is_namespace and hasattr(base, node.attr):
            return getattr(base, node.attr)
        return self.expression(node)

    def _subscript(self, base: Any, node: Any) -> Any:
        if isinstance(base, Value | Ref | tuple | str):
            return self.expression(node)
        self._evaluate(node.slice)
        takes_items = hasattr(base, "__class_getitem__") or hasattr(type(base), "__getitem__")
        if base is not UNKNOWN_VALUE and not takes_items:
            name = getattr(base, "__name__", type(base).__name__)
            self.fails("TypeError", f"type '{name}' is not subscriptable", node)
        return base

    def _alternative(self, node: Any) -> Any:
        """``int | None``."""
        sides = [self._evaluate(node.left), self._evaluate(node.right)]
        if any(isinstance(side, Value | Ref) for side in sides):
            return self.expression(node)
        texts = [side for side in sides if isinstance(side, str)]
        if texts and not any(type(side).__module__ in _TYPING for side in sides):
            names = [type(side).__name__ for side in sides]
            message = f"unsupported operand type(s) for |: '{names[0]}' and '{names[1]}'"
            self.fails("TypeError", message, node)
        return UNKNOWN_VALUE
