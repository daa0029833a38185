"""Lowering of ``with``: NumPy's error state, ``contextlib``, and classes of the user's.

What ``contextlib.contextmanager`` makes of a generator is a context whose body stands where the
generator yields: what the body raises, it raises there. How the body ends waits in hidden variables
while the generator goes on to its end.
"""

from __future__ import annotations

import contextlib
from typing import Any

import gast
import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import class_lookup, instance_class, is_no_grad, python_function
from staticpy.frontend.inputs import Variant
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_try import Try, is_exception_class
from staticpy.frontend.paths import FLAGS, Side
from staticpy.frontend.state import ABSENT, next_serial
from staticpy.frontend.values import Generator, ObjectRef
from staticpy.frontend.watching import Watch
from staticpy.ir import OBJECT, Block, Region, Value


class With(Try):
    """Lowers ``with``."""

    def stmt_With(self, node: Any) -> None:
        self.enter_context(node, 0)

    def enter_context(self, node: Any, position: int) -> None:
        """Enter one context after the other, and run the body in them."""
        live = self.frame.prepared.liveness.after(node)
        if position == len(node.items):
            self.block(node.body, live)
            return
        expression = node.items[position].context_expr
        context: Any
        if isinstance(expression, gast.Call):
            function = self.expression(expression.func)
            if function is np.errstate:
                self._errstate(node, position, expression)
                return
            if is_no_grad(function):
                self._no_gradient(node, position)
                return
            if function is contextlib.suppress:
                self._suppress(node, position, expression, live)
                return
            context = self._called(function, expression)
        else:
            context = self.expression(expression)
        self._enter(node, position, context)

    def _enter(self, node: Any, position: int, context: Any) -> None:
        expression = node.items[position].context_expr
        options = context.options if isinstance(context, Variant) else (context,)
        for option in options:
            class_ = instance_class(option)
            if class_ is None or not _is_compiled(class_):
                self.error(catalog.UNSUPPORTED_CONTEXT, expression, name=kind_of(option))
        if not any(map(_goes_on_in_the_middle, options)):
            self._with_object(node, position, context)
        elif isinstance(context, Variant):
            self.dispatch(context, lambda each: self._enter(node, position, each), expression)
        else:
            self._with_generator(node, position, context)

    def _called(self, function: Any, call: Any) -> Any:
        """What a call gives whose function is evaluated already."""
        with self.at(call):
            if not self.is_callable(function):
                self.refuse_call(function, call)
            args = self.elements(call.args)
            return self.call_function(function, args, self.keywords(call.keywords), call)

    def _enter_nothing(self, node: Any, position: int) -> None:
        """Enter a context that has no value, and then the next one."""
        target = node.items[position].optional_vars
        if target is not None:
            self.assign(target, None)
        self.enter_context(node, position + 1)

    # --- np.errstate ------------------------------------------------------------------------------

    def _errstate(self, node: Any, position: int, call: Any) -> None:
        given = self.keywords(call.keywords)
        options = tuple((name, value) for name, value in given.items() if value is not None)
        if call.args or not all(isinstance(value, str) for _, value in options):
            self.error(catalog.NEEDS_COMPILE_TIME, call, what="the options of np.errstate()")
        try:
            with np.errstate(**given):
                pass
        except (TypeError, ValueError) as error:
            self.fails(type(error).__name__, str(error), call)
        self._in_guard(node, position, ops.errstate, {"options": options})

    def _no_gradient(self, node: Any, position: int) -> None:
        """``with staticpy.no_grad():`` means something to derivatives alone."""
        if not self.compilation.derivatives:
            self._enter_nothing(node, position)
            return
        with self.of_order(0):
            self._in_guard(node, position, ops.no_gradient, {"outputs": 0})

    def _in_guard(self, node: Any, position: int, op: ops.OpDef, attrs: dict[str, Any]) -> None:
        """Put the body into a region of ``op``."""
        start = next_serial()
        watch = Watch(start, self.frame, "final")
        side = self.watched(watch, lambda: self._enter_nothing(node, position))
        sides = (side, Side(Region(Block()), {}, is_dead=True))
        merger = self.merged(sides, start, self.cells_to_merge((side,), None, start))
        with self.builder.inside(side.region.block):
            self.builder.emit(ops.region_yield, merger.yields(0))
        made = self.builder.emit(op, [], attrs, (side.region,))
        self.take_over(merger, made.results)
        if side.is_dead:
            self.end_path()

    # --- contexts ---------------------------------------------------------------------------------

    def _suppress(self, node: Any, position: int, call: Any, live: frozenset[str]) -> None:
        """``contextlib.suppress``: a handler that does nothing."""
        classes = tuple(self.elements(call.args))
        if call.keywords or not all(map(is_exception_class, classes)):
            self.error(catalog.NEEDS_COMPILE_TIME, call, what="what suppress() ignores")
        if not classes:
            self._enter_nothing(node, position)
            return
        body = lambda: self._enter_nothing(node, position)  # noqa: E731
        self.guarded(body, lambda _: None, classes, live)

    def _with_object(self, node: Any, position: int, context: Any) -> None:
        """An object with ``__enter__`` and ``__exit__``."""
        entered = self.call_special(context, "__enter__", [], node)
        live = self.frame.prepared.liveness.after(node)
        target = node.items[position].optional_vars
        if isinstance(target, gast.Name):  # that can't fail: it holds whatever the body raises
            self.assign(target, entered)
            target = None

        def body() -> None:
            if target is not None:
                self.assign(target, entered)
            self.enter_context(node, position + 1)

        def after() -> None:
            self.call_special(context, "__exit__", [None, None, None], node)

        def after_error(exception: Value) -> Any:
            class_, trace = (
                self.emit("object.getattr", [exception], name=name, type=OBJECT)
                for name in ("__class__", "__traceback__")
            )
            found = self.call_special(context, "__exit__", [class_, exception, trace], node)
            return self.truth(found, node)

        self.with_exit(body, after_error, after, live)

    # --- generators -------------------------------------------------------------------------------

    def _with_generator(self, node: Any, position: int, context: ObjectRef) -> None:
        """What ``contextlib.contextmanager`` makes of a generator function."""
        for name in ("args", "kwds", "func"):  # it can be entered once
            self.delete_attribute(context, name, node)
        generator = self.own_attribute(context, "gen", node)
        if not isinstance(generator, Generator) or self.content(generator) is not False:
            self.error(catalog.UNSUPPORTED_CONTEXT, node, name=kind_of(generator))
        self.heap[generator] = "left"
        with self.hidden("entered", "result", "broke", "continued", "returned") as kept:
            entered, result, *exits = kept
            env, before = self.env, self.env.get("%result", ABSENT)
            for name in (entered, *exits):
                env[name] = False
            self._run_around(node, position, generator, kept)
            if self.is_dead():
                return
            self._require_entered(env[entered], node)
            is_returned = env[exits[-1]] is not False
            env.put("%result", env.get(result, ABSENT) if is_returned else before)
            for flag, name in zip(FLAGS, exits, strict=True):
                env[flag] = env[name]

    def _run_around(self, node: Any, position: int, generator: Generator, kept: list[str]) -> None:
        """Run a generator, and the body where it yields."""
        frame, outer, since = self.frame, len(self.watches), next_serial()
        entered, result, *exits = kept

        def consume(item: Any) -> bool:
            with self.in_frame(frame):
                if frame.env[entered] is not False:
                    self.error(catalog.UNSUPPORTED_CONTEXT, node, name="generator that may go on")
                self.put_hidden(entered, True, since)
                for watch in self.watches[outer:]:
                    watch.inner.append(frame)
                target = node.items[position].optional_vars
                if target is not None:
                    self.assign(target, item)
                self.enter_context(node, position + 1)
                self._keep_exit(exits, result, since)
            return False

        assert generator.run_around is not None
        generator.run_around(consume)

    def _keep_exit(self, exits: list[str], result: str, since: int) -> None:
        """Note how a body has ended, for when the generator around it has ended, too."""
        env = self.env
        if env.get("%return", False) is not False:
            self.put_hidden(result, env.get("%result", ABSENT), since, is_last=True)
        for flag, name in zip(FLAGS, exits, strict=True):
            if env.get(flag, False) is not False:
                self.put_hidden(name, env[flag], since, is_last=True)
                env[flag] = False

    def _require_entered(self, entered: Any, node: Any) -> None:
        message = "generator didn't yield"
        if entered is False:
            self.fails("RuntimeError", message, node)
        elif isinstance(entered, Value):
            self.require(entered, lambda: self.emit_raise("RuntimeError", (message,)))


def _goes_on_in_the_middle(context: Any) -> bool:
    """Whether entering a context is to run a generator up to where it yields."""
    manager = contextlib._GeneratorContextManager  # noqa: SLF001 - it has no other name
    return isinstance(context, ObjectRef) and issubclass(context.class_, manager)


def _is_compiled(class_: type) -> bool:
    """Whether a class says in Python what entering and leaving its objects means."""
    names = ("__enter__", "__exit__")
    return all(python_function(class_lookup(class_, name)[0]) for name in names)
