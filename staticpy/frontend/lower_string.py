"""Strings that are known at run time only: their methods, items and comparisons.

In: a Value of type str and what is done with it. Out: Values. A string whose text is known is done
by Python itself (``containers``, ``container_methods``).
"""

from __future__ import annotations

from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.lower_format import Format
from staticpy.frontend.templates import type_name
from staticpy.frontend.values import ContainerMethod, ListRef
from staticpy.ir import BOOL, INT, STR, Value


class Strings(Format):
    """Methods, items and operators of strings."""

    # --- methods ----------------------------------------------------------------------------------

    def value_attribute(self, base: Any, name: str, node: Any) -> Any:
        if isinstance(base, Value) and base.type == STR:
            if name in ops.STRING_METHODS:
                return ContainerMethod(base, name)
            if not hasattr(str, name):
                message = f"'str' object has no attribute '{name}'"
                return self.fails("AttributeError", message, node)
            return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type="str")
        return super().value_attribute(base, name, node)

    def call_method(
        self, method: ContainerMethod, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        receiver, name = method.receiver, method.name
        is_text = type(receiver) is str or isinstance(receiver, Value)
        if not is_text or name not in ops.STRING_METHODS:
            return super().call_method(method, args, kwargs, node)
        if name == "join" and not kwargs and len(args) == 1:
            return self.join_text(receiver, args, node)
        is_known = type(receiver) is str and not any(isinstance(arg, Value) for arg in args)
        if is_known:
            return super().call_method(method, args, kwargs, node)
        if kwargs:
            return self.error(
                catalog.UNSUPPORTED_FUNCTION_ARGUMENT,
                node,
                argument=next(iter(kwargs)),
                function=f"str.{name}",
            )
        operands = [self.to_value(receiver), *(self.to_value(arg) for arg in args)]
        return self.open(self.emit("str.call", operands, method=name))

    def join_text(self, separator: Any, args: list[Any], node: Any) -> Any:
        """``separator.join(items)``: of a known number of texts, or of a list in memory."""
        items = self.iterated(args[0], node)
        if isinstance(items, list) and isinstance(separator, str):
            return super().join_text(separator, [tuple(items)], node)
        made = self.new_list(items) if isinstance(items, list) else items
        if not isinstance(made, ListRef):
            return self.error(catalog.NEEDS_COMPILE_TIME, node, what="what is joined")
        operands = [self.to_value(separator), self.list_value(made)]
        return self.emit("str.call", operands, method="join")

    # --- items and operators ----------------------------------------------------------------------

    def repeat(self, left: Any, right: Any, node: Any) -> Any:
        """``text * count``, where one of them is known at run time only."""
        for text, count in ((left, right), (right, left)):
            is_text = isinstance(text, Value) and text.type == STR
            is_run_time = isinstance(count, Value) and count.type in (INT, BOOL)
            is_count = is_run_time or isinstance(count, int)
            if (is_text and is_count) or (type(text) is str and is_run_time):
                return self.emit("str.repeat", [self.to_value(text), self.to_value(count)])
        return super().repeat(left, right, node)

    def array_item(self, base: Value, index: Any, node: Any) -> Any:
        if base.type != STR:
            return super().array_item(base, index, node)
        if isinstance(index, slice):
            parts = [self.index_or_none(p, node) for p in (index.start, index.stop, index.step)]
            operands = [base, *(self.to_value(part) for part in parts)]
            return self.emit("str.getslice", operands)
        return self.emit(
            "str.getitem", [base, ops.as_value(self.index_value(index, node, "string"))]
        )

    def sequence_item(self, base: Any, index: Any, node: Any) -> Any:
        """An item of a known text at a run-time place."""
        parts = (index.start, index.stop, index.step) if isinstance(index, slice) else (index,)
        if type(base) is str and any(isinstance(part, Value) for part in parts):
            return self.array_item(self.to_value(base), index, node)
        return super().sequence_item(base, index, node)

    def contains(self, container: Any, element: Any, node: Any) -> Any:
        texts = [self.text(side) for side in (container, element)]
        if texts[0] is None or not any(isinstance(side, Value) for side in (container, element)):
            return super().contains(container, element, node)
        if texts[1] is None:
            message = f"'in <string>' requires string as left operand, not {type_name(element)}"
            return self.fails("TypeError", message, node)
        return self.emit("str.contains", [text for text in texts if text is not None])

    def static_compare(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        is_run_time = isinstance(left, Value) or isinstance(right, Value)
        if is_run_time and symbol not in ("==", "!="):
            texts = [self.text(side) for side in (left, right)]
            if None not in texts:
                return self.emit("object.compare", [t for t in texts if t], symbol=symbol)
        return super().static_compare(symbol, left, right, node)
