"""Lowering of statements but loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.lower_expr import SYMBOLS, kind_of
from staticpy.frontend.lower_loop import Loops
from staticpy.frontend.resolve import assigned_names
from staticpy.frontend.values import (
    PENDING,
    POISON,
    Marker,
    Pending,
    Poisoned,
    is_liftable,
    is_scalar,
)
from staticpy.ir import TensorType, Value


class Statements(Loops):
    """Lowers blocks and every statement of the grammar."""

    def block(self, statements: list[Any], live: frozenset[str]) -> None:
        """Lower ``statements`` up to where every path has left; ``live`` is read after them.

        A path may leave at run time only (``if c: break``); what follows is then lowered under the
        condition that it has not. Where one side of an ``if`` always leaves, what follows simply
        belongs to the other side.
        """
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if isinstance(statement, gast.If) and rest and self._splits(statement):
                self.statement(statement, rest, live)
                return
            self.statement(statement)
            exit_ = self.exited()
            if isinstance(exit_, Value) and rest:
                self.unless_exited(exit_, lambda rest=rest: self.block(rest, live), live)  # type: ignore[misc]
            if exit_ is not False or always_leaves([statement]):
                return

    def _splits(self, node: Any) -> bool:
        return always_leaves(node.body) != always_leaves(node.orelse)

    def statement(
        self, node: Any, rest: list[Any] | None = None, live: frozenset[str] | None = None
    ) -> None:
        """Lower one statement. An error is kept, and spoils the variables the statement binds."""
        try:
            with self.at(node):
                if rest is not None and live is not None:
                    self.split(node, rest, live)
                else:
                    getattr(self, f"stmt_{type(node).__name__}")(node)
        except DiagnosticError as error:
            self.report(error, node)
            self._poison([node, *(rest or [])])
        except Pending:
            self._poison([node, *(rest or [])], PENDING)
        except Poisoned:
            self._poison([node, *(rest or [])])

    def _poison(self, statements: list[Any], marker: Marker = POISON) -> None:
        """Bind what the statements would have bound to ``marker``."""
        for name in assigned_names(statements):
            self.env[name] = marker
            self.env.pop(f"%bound:{name}", None)
        if any(isinstance(node, gast.Return) for s in statements for node in gast.walk(s)):
            self.env["%result"] = marker

    # --- assignment -------------------------------------------------------------------------------

    def stmt_Assign(self, node: Any) -> None:
        value = self.expression(node.value)
        for target in node.targets:
            self.assign(target, value)

    def stmt_AnnAssign(self, node: Any) -> None:
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))

    def stmt_AugAssign(self, node: Any) -> None:
        if not isinstance(node.target, gast.Name):
            self._update_place(node)
            return
        name = node.target.id
        current = self.read_local(name, node.target)
        operand = self.expression(node.value)
        self.assign_name(name, self._updated(current, operand, node), self.span(node))

    def _updated(self, current: Any, operand: Any, node: Any) -> Any:
        """What ``node`` makes of ``current``: an array is written to, a number is not."""
        symbol = SYMBOLS[type(node.op).__name__]
        if isinstance(current, list | dict):
            name, kind = node.target.id, kind_of(current)
            self.error(catalog.IN_PLACE_UPDATE, node, name=name, kind=kind, symbol=symbol)
        may_write = isinstance(current, Value) and ops.may_be_in_place(current.type)
        if may_write and is_liftable(operand):
            return ops.emit(ops.IN_PLACE[symbol], current, operand)
        return self.binary(symbol, current, operand, node)

    def _update_place(self, node: Any) -> None:
        """``x[i] += v``: base and index are evaluated once; the item is read, updated, written."""
        if isinstance(node.target, gast.Attribute):
            base, name = self._array_with_attribute(node.target)
            current = self.attribute(base, name, node.target)
            operand = self.expression(node.value)
            ops.set_attribute(base, name, self._updated(current, operand, node))
            return
        base, index = self._element(node.target)
        current = ops.getitem(base, index)
        operand = self.expression(node.value)
        ops.setitem(base, index, self._updated(current, operand, node))

    def _element(self, target: Any) -> tuple[Value, Any]:
        """The array and the index of ``x[i]`` where it is written to."""
        base, index = self.expression(target.value), self.expression(target.slice)
        self.refuse_unions("[]", (base if isinstance(base, Value) else None, index), target)
        if isinstance(base, list | dict):
            self.error(catalog.INDEX_ASSIGNMENT, target)
        if not _is_array(base):
            self.error(catalog.UNSUPPORTED_STORE, target, type=kind_of(base))
        return base, index

    def _array_with_attribute(self, target: Any) -> tuple[Value, str]:
        """The array and the attribute of ``x.real`` where it is written to."""
        base = self.expression(target.value)
        if not _is_array(base):
            self.error(catalog.ATTRIBUTE_ASSIGNMENT, target)
        return base, target.attr

    def assign(self, target: Any, value: Any) -> None:
        """Bind a name, the names of a nested tuple of targets, or write to an array."""
        if isinstance(target, gast.Name):
            self.assign_name(target.id, value, self.span(target))
        elif isinstance(target, gast.Subscript):
            with self.at(target):
                ops.setitem(*self._element(target), value)
        elif isinstance(target, gast.Attribute):
            with self.at(target):
                ops.set_attribute(*self._array_with_attribute(target), value)
        else:
            items = self.unpack(value, len(target.elts), target)
            for element, item in zip(target.elts, items, strict=True):
                self.assign(element, item)

    def unpack(self, value: Any, count: int, node: Any) -> list[Any]:
        """``count`` items of ``value``; a run-time error where an array has another length."""
        if isinstance(value, Value) and isinstance(value.type, TensorType) and value.type.rank:
            results = ops.emit(ops.unpack, value, count=count)
            return list(results) if isinstance(results, tuple) else [results]
        if isinstance(value, Value) or is_scalar(value):
            self.error(catalog.NOT_ITERABLE, node, type=kind_of(value))
        items = self.static_items(value)
        if items is None:
            return self.error(catalog.NOT_ITERABLE, node, type=kind_of(value))  # type: ignore[no-any-return]
        if len(items) != count:
            self.error(catalog.UNPACK_MISMATCH, node, expected=count, found=len(items))
        return items

    def stmt_FunctionDef(self, node: Any) -> None:
        self.assign_name(node.name, self.closure(node), self.span(node))

    # --- what has no target -----------------------------------------------------------------------

    def stmt_Expr(self, node: Any) -> None:
        self.expression(node.value)

    def stmt_Pass(self, node: Any) -> None:
        """Nothing happens."""

    def stmt_Break(self, node: Any) -> None:
        self.env["%break"] = True

    def stmt_Continue(self, node: Any) -> None:
        self.env["%continue"] = True

    def stmt_Return(self, node: Any) -> None:
        self.env["%result"] = None if node.value is None else self.expression(node.value)
        self.env["%return"] = True
        self.frame.spans["%result"] = self.span(node)

    def stmt_Assert(self, node: Any) -> None:
        if not __debug__:  # `python -O` runs no assert
            return
        condition = self.condition(node.test)
        if isinstance(condition, Value):
            self.require(condition, lambda: self._fail_assertion(node))
        elif not condition:
            self._fail_assertion(node)

    def _fail_assertion(self, node: Any) -> None:
        message = () if node.msg is None else (self.expression(node.msg),)
        if all(is_scalar(part) or isinstance(part, str | None) for part in message):
            self.emit_raise("AssertionError", message)
        else:
            self.emit_raise("AssertionError", (), *(self.lift(part) for part in message))

    # --- if ---------------------------------------------------------------------------------------

    def stmt_If(self, node: Any) -> None:
        self.split(node, [], self.frame.prepared.liveness.after(node))

    def split(self, node: Any, rest: list[Any], live: frozenset[str]) -> None:
        """An ``if`` with what follows it, where at most one of its sides goes on to that."""

        def side(body: list[Any]) -> None:
            self.block([*body, *rest], live)

        try:
            condition = self.condition(node.test)
        except (DiagnosticError, Poisoned):
            self._look_for_errors(side, node)
            raise
        if not isinstance(condition, Value):
            side(node.body if condition else node.orelse)
            return
        self.branch(condition, lambda: side(node.body), lambda: side(node.orelse), live)

    def _look_for_errors(self, side: Callable[[list[Any]], None], node: Any) -> None:
        """Lower both sides of an ``if`` whose condition is wrong, for the errors in them alone."""
        saved = self.frame.env
        for body in (node.body, node.orelse):
            self.frame.env = dict(saved)
            with self.builder.region():
                side(body)
        self.frame.env = saved

    # --- functions --------------------------------------------------------------------------------

    def run(self, node: Any) -> Any:
        """Lower the body of a function in its fresh frame, and return what it returns."""
        if isinstance(node, gast.Lambda):
            return self.expression(node.body)
        self.block(node.body, frozenset())
        returned = self.env.get("%return", False)
        result = self.env.get("%result")
        if result is POISON:
            raise Poisoned
        if result is PENDING:
            raise Pending
        if not isinstance(returned, Value):
            return result if returned else None
        if result is not None:
            self.error(catalog.SOME_PATHS_RETURN_NONE, node, name=node_name(node))
        return None


def _is_array(value: Any) -> bool:
    return isinstance(value, Value) and isinstance(value.type, TensorType)


def node_name(node: Any) -> str:
    """The name of a function node."""
    return "<lambda>" if isinstance(node, gast.Lambda) else str(node.name)


def always_leaves(statements: list[Any]) -> bool:
    """Whether every path through ``statements`` ends in return, break or continue."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, gast.If):
        return always_leaves(last.body) and always_leaves(last.orelse)
    return isinstance(last, gast.Return | gast.Break | gast.Continue)
