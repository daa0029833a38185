"""Where operands come from: the labels of errors about types and shapes.

In: an error that an operator or a call of NumPy raises while it is lowered. Out: the same error,
with what each operand is and where the variable got it, and for what changes its type in a loop
where it had the first type. A part of the lowerer that lowers nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, Label, catalog
from staticpy.frontend.certain_errors import CertainErrors
from staticpy.frontend.fixes import (
    RENAMED,
    delete_item,
    sort_items,
    write_attribute,
)
from staticpy.frontend.values import Conflict, Ref, SetRef
from staticpy.ir import TensorType, Value
from staticpy.source import SourceSpan, descendants

_OF_OPERANDS = (
    catalog.INVALID_ARRAY_CALL,
    catalog.NO_UFUNC_LOOP,
    catalog.NOT_AN_ARRAY,
    catalog.SHAPE_MISMATCH,
    catalog.UNSUPPORTED_OPERANDS,
)
"""The errors that lie in what the operands are."""
_OF_NAMES = (catalog.UNSUPPORTED_ATTRIBUTE, catalog.UNSUPPORTED_NUMPY_FUNCTION)


class Labelled(CertainErrors):
    """Says of errors where their causes are."""

    def binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        try:
            return super().binary(symbol, left, right, node)
        except DiagnosticError as error:
            raise self._with_operands(error, node, (left, right)) from None

    def compare_values(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        try:
            return super().compare_values(symbol, left, right, node)
        except DiagnosticError as error:
            raise self._with_operands(error, node, (left, right)) from None

    def update(self, symbol: str, current: Any, operand: Any, node: Any) -> Any:
        try:
            return super().update(symbol, current, operand, node)
        except DiagnosticError as error:
            raise self._with_operands(error, node, (current, operand)) from None

    def call_adapter(
        self,
        adapter: Callable[..., Any],
        args: list[Any],
        kwargs: dict[str, Any],
        name: str,
        node: Any,
    ) -> Any:
        try:
            return super().call_adapter(adapter, args, kwargs, name, node)
        except DiagnosticError as error:
            raise self._with_operands(error, node, (*args, *kwargs.values())) from None

    def _with_operands(
        self, error: DiagnosticError, node: Any, values: tuple[Any, ...]
    ) -> DiagnosticError:
        nodes = _operands(node, len(values))
        if error.spec in _OF_OPERANDS and not error.labels and len(nodes) == len(values):
            labels: dict[SourceSpan, Label] = {}
            for each, value in zip(nodes, values, strict=True):
                for label in self._of_operand(each, value):
                    labels.setdefault(label.span, label)
            error.span = error.span or self.span(node)
            error.labels = tuple(labels.values())
        return error

    def _of_operand(self, node: Any, value: Any) -> Iterator[Label]:
        """What the operand is, at the place where the variable got it or else where it stands."""
        if isinstance(node, gast.Constant):
            return
        items = self._items_in(node, value)
        if items is not None:
            for each, item in zip(node.elts, items, strict=True):
                yield from self._of_operand(each, item)
            return
        text = self._shown(value)
        origin = None
        if isinstance(node, gast.Name):
            origin = value.span if isinstance(value, Ref) else self.span_of(node.id)
        if origin is None:
            yield Label(self.span(node), text)
        else:
            yield Label(origin, f"'{node.id}' is {text}")

    def _items_in(self, node: Any, value: Any) -> tuple[Any, ...] | None:
        """The items of a list or tuple that is written out where it is an operand."""
        if not isinstance(node, gast.List | gast.Tuple):
            return None
        content = self._known_content(value) if isinstance(value, Ref) else value
        is_open = any(isinstance(each, gast.Starred) for each in node.elts)
        is_known = isinstance(content, tuple) and len(content) == len(node.elts)
        return content if is_known and not is_open else None

    def store(self, base: Any, index: Any, value: Any, node: Any) -> None:
        try:
            super().store(base, index, value, node)
        except DiagnosticError as error:
            stored = self._stored(node)
            if error.spec in _OF_OPERANDS and not error.labels and stored is not None:
                found = (*self._of_operand(node.value, base), *self._of_operand(stored, value))
                error.span = error.span or self.span(node)
                error.labels = tuple({label.span: label for label in found}.values())
            raise

    def _stored(self, target: Any) -> Any:
        """The expression whose value is stored in an item; None where there are several."""
        if not isinstance(target, gast.Subscript):
            return None
        for each in descendants(self.frame.prepared.node):
            if isinstance(each, gast.Assign) and any(place is target for place in each.targets):
                return each.value
        return None

    # --- loops ------------------------------------------------------------------------------------

    def refuse_conflict(self, conflict: Conflict, node: Any) -> None:
        """Report it with where the variable was bound, and where it changed."""
        if isinstance(node, gast.Name) and conflict.spec is catalog.LOOP_TYPE_CHANGE:
            args = {**dict(conflict.args), "name": node.id}
            labels = tuple(self._where_it_changes(node.id, args))
            conflict = Conflict(conflict.spec, conflict.labels or labels, tuple(args.items()))
        super().refuse_conflict(conflict, node)

    def _refuse_growth(self, loop: Any, found: Any) -> None:
        try:
            super()._refuse_growth(loop, found)
        except DiagnosticError as error:
            error.span = self.span(loop.node)
            error.labels = tuple(self._where_it_changes(str(error.args_["name"]), error.args_))
            raise

    def _where_it_changes(self, name: str, args: dict[str, Any]) -> Iterator[Label]:
        """The two places that bind a variable; where there are more, the text doesn't tell which
        of them it was.
        """
        function = self.frame.prepared.node
        places = [each.node for each in self.frame.prepared.parameters if each.name == name]
        places += [
            each
            for each in descendants(function)
            if isinstance(each, gast.Name) and each.id == name and isinstance(each.ctx, gast.Store)
        ]
        if len(places) == 2:
            spans = sorted((self.span(each) for each in places), key=lambda s: (s.line, s.col))
            yield Label(spans[0], f"first assigned here as {args['before']}")
            yield Label(spans[1], f"becomes {args['after']} here")

    # --- fixes ------------------------------------------------------------------------------------

    def attribute(self, base: Any, name: str, node: Any) -> Any:
        try:
            return super().attribute(base, name, node)
        except DiagnosticError as error:
            is_name = error.spec in _OF_NAMES and isinstance(node, gast.Attribute)
            is_missing = not hasattr(base, name) or base is np
            if is_name and is_missing and str(error.args_.get("name")).endswith(name):
                self._rename(error, base, name, node)
            raise

    def _rename(self, error: DiagnosticError, base: Any, name: str, node: Any) -> None:
        known = RENAMED.get(name) if base is np else None
        near = known or (None if hasattr(base, name) else ops.nearest(name))
        if near is not None and near != name and "." not in near:
            unit = self.frame.prepared.unit
            error.fix = write_attribute(node, unit, near, is_safe=known is not None)

    def delete_item(self, base: Any, index: Any, node: Any) -> None:
        try:
            super().delete_item(base, index, node)
        except DiagnosticError as error:
            is_array = isinstance(base, Value) and isinstance(base.type, TensorType)
            if is_array and isinstance(node, gast.Subscript):
                error.fix = delete_item(node, self.frame.prepared.unit)
            raise

    def static_items(self, iterable: Any, node: Any) -> list[Any] | None:
        try:
            return super().static_items(iterable, node)
        except DiagnosticError as error:
            if error.spec is not catalog.SET_ORDER or not isinstance(node, gast.For):
                raise
            error.fix = sort_items(node.iter, self.frame.prepared.unit)
            self.report(error, node)  # and go on: what is wrong in the loop is said as well
            items = self.content(iterable) if isinstance(iterable, SetRef) else iterable
            return list(items)


def _operands(node: Any, count: int) -> list[Any]:
    """The expressions whose values an operator or a call of ``count`` operands takes, that of which
    it is a method first; none where some are starred.
    """
    if isinstance(node, gast.BinOp):
        return [node.left, node.right]
    if isinstance(node, gast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, gast.Compare) and len(node.comparators) == 1:
        return [node.left, *node.comparators]
    if not isinstance(node, gast.Call):
        return []
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    is_open = any(isinstance(each, gast.Starred) for each in given)
    has_open = any(keyword.arg is None for keyword in node.keywords)
    if isinstance(node.func, gast.Attribute) and len(given) == count - 1:
        given = [node.func.value, *given]
    return [] if is_open or has_open else given
