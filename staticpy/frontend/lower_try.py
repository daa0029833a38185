"""Lowering of ``try``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from staticpy.diagnostics import catalog
from staticpy.frontend.own_exceptions import OwnExceptions
from staticpy.frontend.paths import FLAGS, nothing
from staticpy.frontend.resolve import assigned_names
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import PathEnds
from staticpy.frontend.watching import EXITS
from staticpy.ir import Value
from staticpy.ops import REGISTRY
from staticpy.source import descendants


class Try(OwnExceptions):
    """Lowers ``try`` with its handlers, ``else`` and ``finally``."""

    def stmt_Try(self, node: Any) -> None:
        if not node.finalbody:
            self._try_except(node, self.frame.prepared.liveness.after(node))
            return
        read = self.frame.prepared.liveness.after(node) | names_read(node.finalbody)

        def body() -> None:
            if node.handlers:
                self._try_except(node, read)
            else:
                self.block(node.body, read)

        self.finally_(body, lambda: self.block(node.finalbody, read), read)

    # --- except -----------------------------------------------------------------------------------

    def _try_except(self, node: Any, live: frozenset[str]) -> None:
        found = [(each, self._classes_of(each, node.body)) for each in node.handlers]
        handlers = [handler for handler, classes in found if classes]  # 'except ()' catches nothing
        classes = [classes for _, classes in found if classes]
        read = live | names_read([*node.handlers, *node.orelse])
        with self.hidden("completed") as (completed,):
            env = self.env
            env[completed] = False

            def body() -> None:
                self.block(node.body, read)
                env[completed] = True

            def handle(exception: Value) -> None:
                env[completed] = False
                self._dispatch(handlers, classes, exception, 0, live)

            every = tuple(each for one in classes for each in one)
            safe = bound_last(node.body) - self.frame.prepared.captured
            if _yields(node.body[-1]):
                safe |= {EXITS}
            if handlers:
                self.guarded(body, handle, every, read, safe)
            else:
                body()
            if node.orelse and not self.is_dead():
                self._else(node, env[completed], live)

    def _else(self, node: Any, completed: Any, live: frozenset[str]) -> None:
        """The ``else`` of a ``try``, where its body came to its end."""
        left = self.either(self.negate(completed), self.exited())
        if isinstance(left, Value):
            self.unless_exited(left, lambda: self.block(node.orelse, live), live)
        elif not left:
            self.block(node.orelse, live)

    def _classes_of(self, handler: Any, body: list[Any]) -> tuple[Any, ...]:
        """What a handler catches. CPython evaluates that after an exception only, so it must be
        the same before, and do nothing else.
        """
        if handler.type is None:
            return (BaseException,)
        found: Any = None
        with self.journal.scope(), self.builder.region() as region:
            try:
                found = self.expression(handler.type)
            except PathEnds:
                found = None
        classes = found if isinstance(found, tuple) else (found,)
        is_changed = names_read([handler.type]) & set(assigned_names(body))
        if is_changed or region.block.operations or not all(map(is_exception_class, classes)):
            self.error(catalog.NEEDS_COMPILE_TIME, handler.type, what="what a handler catches")
        return classes

    def _dispatch(
        self,
        handlers: list[Any],
        classes: list[tuple[Any, ...]],
        exception: Value,
        position: int,
        live: frozenset[str],
    ) -> None:
        """Run the first handler that catches the exception."""

        def handle() -> None:
            self.caught_as(exception, classes[position])
            self._handle(handlers[position], exception, live)

        def rest() -> None:
            self._dispatch(handlers, classes, exception, position + 1, live)

        if position == len(handlers) - 1:
            handle()
            return
        self.branch(self.is_instance(exception, classes[position]), handle, rest, None)

    def _handle(self, handler: Any, exception: Value, live: frozenset[str]) -> None:
        env = self.frame.env
        outer = env.get("%exception", ABSENT)
        env["%exception"] = exception
        if handler.name is None:
            self.block(handler.body, live)
        else:
            with self.name_of_caught(handler.name.id, exception, self.span(handler)):
                self.block(handler.body, live)
        env.put("%exception", outer)

    # --- finally ----------------------------------------------------------------------------------

    def finally_(
        self, body: Callable[[], None], final: Callable[[], None], read: frozenset[str]
    ) -> None:
        """Run ``body`` and then ``final``, however the body ends."""

        def after_error(exception: Value) -> bool:
            final()
            return False

        self.with_exit(body, after_error, final, read, is_final=True)

    def with_exit(
        self,
        body: Callable[[], None],
        after_error: Callable[[Value], Any],
        after: Callable[[], None],
        read: frozenset[str],
        *,
        is_final: bool = False,
    ) -> None:
        """Run ``body``, and ``after`` where it comes to its end; ``after_error`` where it raises:
        that says whether the exception ends there. ``is_final``: both do the same.
        """
        with self.hidden("completed", "broke", "continued", "returned") as (completed, *exits):
            env = self.env
            env[completed] = False

            def run() -> None:
                finals = self.compilation.finals
                finals[env] = finals.get(env, 0) + 1
                try:
                    body()
                finally:
                    finals[env] -= 1
                for flag, kept in zip(FLAGS, exits, strict=True):
                    env[kept], env[flag] = env.get(flag, False), False
                env[completed] = True

            def handle(exception: Value) -> None:
                env[completed] = False
                for kept in exits:
                    env[kept] = False
                self._go_on(after_error(exception), exception)

            self.guarded(run, handle, (BaseException,), read, is_final=is_final)
            if not self.is_dead():
                self.if_else(env[completed], lambda: self._after_exit(after, exits), nothing)

    def _go_on(self, is_over: Any, exception: Value) -> None:
        """Raise the exception again, unless it is over or the path has left another way."""

        def go_on() -> None:
            if isinstance(is_over, Value):
                self.branch(is_over, nothing, lambda: self.raise_again(exception), None)
            elif not is_over:
                self.raise_again(exception)

        self.if_else(self.exited(), nothing, go_on)

    def raise_again(self, exception: Value) -> None:
        """Go on with an exception that was caught."""
        self.builder.emit(REGISTRY["reraise"], [exception], {})
        self.end_path()

    def _after_exit(self, final: Callable[[], None], exits: list[str]) -> None:
        """``final``, after which the path goes on where the body wanted it to."""
        env = self.frame.env
        result = env.get("%result", ABSENT)
        final()

        def go_on() -> None:
            env.put("%result", result)
            for flag, kept in zip(FLAGS, exits, strict=True):
                env[flag] = env[kept]

        self.if_else(self.exited(), nothing, go_on)


def names_read(nodes: list[Any]) -> frozenset[str]:
    """Every name that some statements mention."""
    return frozenset(
        child.id for node in nodes for child in descendants(node) if isinstance(child, gast.Name)
    )


def bound_last(body: list[Any]) -> frozenset[str]:
    """The names that a block binds in its last statement alone, once nothing can raise any more."""
    last = body[-1]
    targets: list[Any] = []
    if isinstance(last, gast.Assign) and len(last.targets) == 1:
        targets = last.targets
    elif isinstance(last, gast.AnnAssign | gast.AugAssign):
        targets = [last.target]
    if not targets or not _is_bound_at_once(targets[0]):
        return frozenset()
    earlier = set(assigned_names(body[:-1]))
    inside = {child.target.id for child in descendants(last) if isinstance(child, gast.NamedExpr)}
    return frozenset(set(assigned_names([last])) - earlier - inside)


def _yields(statement: Any) -> bool:
    """Whether a statement is a ``yield``, and nothing else."""
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Yield)


def _is_bound_at_once(target: Any) -> bool:
    """Whether nothing can raise between the names of a target: they aren't unpacked in turn."""
    if isinstance(target, gast.Tuple | gast.List):
        return all(isinstance(element, gast.Name) for element in target.elts)
    return isinstance(target, gast.Name)


def is_exception_class(item: Any) -> bool:
    """Whether ``except`` takes a class, and asks nobody but ``type`` whether it fits."""
    return isinstance(item, type) and issubclass(item, BaseException) and type(item) is type
