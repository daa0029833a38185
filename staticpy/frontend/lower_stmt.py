"""Lowering of blocks and of the statements that no other module lowers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import gast

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend.constant_loops import LONGEST_UNROLLED, UNROLL_HELPS
from staticpy.frontend.inputs import UNKNOWN_VALUE, Object, Path, Variant, tree_leaves
from staticpy.frontend.liveness import blocks_of
from staticpy.frontend.lower_loop import NeedsMemory
from staticpy.frontend.lower_match import Match
from staticpy.frontend.memory import NoValue
from staticpy.frontend.paths import nothing
from staticpy.frontend.resolve import assigned_names
from staticpy.frontend.summaries import LOOPS, is_endless
from staticpy.frontend.trusted import has_submodule, is_harmless
from staticpy.frontend.values import (
    PENDING,
    POISON,
    Marker,
    NoVerdict,
    PathEnds,
    Pending,
    PendingCall,
    Poisoned,
    Ref,
)
from staticpy.ir import Value
from staticpy.source import descendants

_LEAVING = (gast.Break, gast.Continue, gast.Raise, gast.Return)


@dataclass(frozen=True, slots=True)
class Rest:
    """The statements of a block from a place on, and what follows the block: no list of these is
    made at each place, since what follows a long row of tests is nested in them.
    """

    statements: list[Any]
    start: int
    after: Rest | None

    @property
    def first(self) -> Any:
        return self.statements[self.start]

    @property
    def following(self) -> Rest | None:
        return rest_of(self.statements, self.start + 1, self.after)

    def __iter__(self) -> Iterator[Any]:
        rest: Rest | None = self
        while rest is not None:
            yield from islice(rest.statements, rest.start, None)
            rest = rest.after


def rest_of(statements: list[Any], start: int = 0, after: Rest | None = None) -> Rest | None:
    """What is left; None where that is nothing."""
    return Rest(statements, start, after) if start < len(statements) else after


def _may_leave(node: Any) -> bool:
    """Whether a statement that holds others may end the function, or a round of a loop."""
    inner = () if isinstance(node, gast.Return) else descendants(node)
    return any(isinstance(each, _LEAVING) for each in inner)


def _holds_ref(value: Any) -> bool:
    return any(isinstance(leaf, Ref | Variant) for leaf in tree_leaves(value))


class Statements(Match):
    """Lowers blocks, branches, loops and functions."""

    def block(self, statements: list[Any], live: frozenset[str]) -> None:
        """Lower ``statements`` up to where every path has left; ``live`` is read after them.

        A path may leave at run time only (``if c: break``); what follows is then lowered under the
        condition that it has not. Where one side of an ``if`` always leaves, what follows simply
        belongs to the other side.
        """
        self._lower_rest(rest_of(statements), live)

    def _lower_rest(self, rest: Rest | None, live: frozenset[str]) -> None:
        while rest is not None:
            statement, following = rest.first, rest.following
            if isinstance(statement, gast.If) and following and self._splits(statement):
                self.statement(statement, following, live)
                return
            self.statement(statement)
            exit_ = self.exited()
            if isinstance(exit_, Value) and following:
                self.unless_exited(exit_, partial(self._lower_rest, following, live), live)
            if exit_ is not False or self._always_leaves([statement]):
                return
            rest = following

    def _splits(self, node: Any) -> bool:
        return self._always_leaves(node.body) != self._always_leaves(node.orelse)

    def _always_leaves(self, statements: list[Any]) -> bool:
        """Whether every path through ``statements`` ends in return, break, continue or raise."""
        last = statements[-1] if statements else None
        if not isinstance(last, gast.If):
            return isinstance(last, gast.Return | gast.Break | gast.Continue | gast.Raise)
        known = self.frame.prepared.leaving
        if last not in known:
            known[last] = self._always_leaves(last.body) and self._always_leaves(last.orelse)
        return known[last]

    def statement(
        self, node: Any, rest: Rest | None = None, live: frozenset[str] | None = None
    ) -> None:
        """Lower one statement. An error is kept, and spoils the variables the statement binds."""
        mark = self.compilation.diagnostics.mark()
        try:
            with self.at(node):
                if rest is not None and live is not None:
                    self.split(node, rest, live)
                else:
                    getattr(self, f"stmt_{type(node).__name__}")(node)
        except (DiagnosticError, NoValue) as error:
            self.report(error.refusal() if isinstance(error, NoValue) else error, node)
            self._poison([node, *(rest or ())])
        except PendingCall:
            self.end_path()
        except Pending:
            self._poison([node, *(rest or ())], PENDING)
        except Poisoned:
            if self.compilation.unknown and rest is None:
                self._leave_out(node, self.compilation.unknown, mark)
            self._poison([node, *(rest or ())])
        except NoVerdict as verdict:
            if rest is not None or not self._goes_on_after(node):
                raise
            self._leave_out(node, verdict, mark)
            self._poison([node])
            self._poison_shared()

    def _leave_out(self, node: Any, verdict: NoVerdict, mark: int) -> None:
        """Go on without a statement of which nothing is known. What was found in a loop up to there
        is forgotten: unrolled, it might not be wrong.
        """
        if _may_leave(node):
            raise verdict
        self.compilation.unknown = self.compilation.unknown or verdict
        if isinstance(node, LOOPS):
            self.compilation.diagnostics.rollback(mark)

    def _goes_on_after(self, node: Any) -> bool:
        """Whether what follows a statement of which nothing is known can be looked at: it is one of
        the function that is being compiled, and not nested in another.
        """
        return not self.frames and any(node is each for each in self.frame.prepared.node.body)

    def _poison_shared(self) -> None:
        """Spoil what a statement of which nothing is known may have changed: what is no number and
        no array, and what nested functions bind.
        """
        env, prepared = self.env, self.frame.prepared
        for name, value in list(env.items()):
            is_shared = name in prepared.captured or _holds_ref(value)
            if is_shared and not name.startswith("%"):
                env[name] = POISON
                env.drop(f"%bound:{name}")

    def _poison(self, statements: list[Any], marker: Marker = POISON) -> None:
        """Bind what the statements would have bound to ``marker``."""
        for name in assigned_names(statements):
            env = self.owner(name).env
            env[name] = marker
            env.drop(f"%bound:{name}")
        if any(isinstance(node, gast.Return) for s in statements for node in descendants(s)):
            self.env["%result"] = marker

    # --- simple statements ------------------------------------------------------------------------

    def stmt_Expr(self, node: Any) -> None:
        value = node.value
        if isinstance(value, gast.Yield):
            item = None if value.value is None else self.expression(value.value)
            self.env["%return"] = self.frame.consumer(item)
        elif isinstance(value, gast.YieldFrom):
            self._yield_from(self.expression(value.value), value)
        else:
            self.expression(value)

    def _yield_from(self, iterable: Any, node: Any) -> None:
        env = self.env

        def take(item: Any) -> Any:
            env["%return"] = self.frame.consumer(item)
            return env["%return"]

        self.for_each(iterable, take, node)

    def stmt_Pass(self, node: Any) -> None:
        """Nothing happens."""

    def stmt_Global(self, node: Any) -> None:
        """The names are resolved already (``resolve``)."""

    stmt_Nonlocal = stmt_Global

    def stmt_Break(self, node: Any) -> None:
        self.env["%break"] = True

    def stmt_Continue(self, node: Any) -> None:
        self.env["%continue"] = True

    def stmt_Return(self, node: Any) -> None:
        value = None if node.value is None else self.expression(node.value)
        self.env["%result"] = value
        self.env["%return"] = True
        self.frame.spans["%result"] = self.span(node)

    def stmt_FunctionDef(self, node: Any) -> None:
        decorators = [self.expression(decorator) for decorator in node.decorator_list]
        value: Any = self.closure(node)
        for decorator, at in zip(reversed(decorators), reversed(node.decorator_list), strict=True):
            with self.at(at):
                value = self.call_function(decorator, [value], {}, at)
        self.assign_name(node.name, value, self.span(node))

    def stmt_Import(self, node: Any) -> None:
        for alias in node.names:
            module = self._module(alias.name, node)
            if alias.asname is None:
                root = alias.name.partition(".")[0]
                self.assign_name(root, sys.modules[root], self.span(node))
            else:
                self.assign_name(alias.asname, module, self.span(node))

    def stmt_ImportFrom(self, node: Any) -> None:
        name = self._module_name(node)
        module = self._module(name, node)
        for alias in node.names:
            if not hasattr(module, alias.name):
                if has_submodule(module, alias.name):  # which Python would load
                    self.error(catalog.UNSUPPORTED_IMPORT, node, name=f"{name}.{alias.name}")
                message = f"cannot import name '{alias.name}' from '{name}'"
                self.fails("ImportError", message, node)
            path = Path(Object(module, name)).attr(alias.name)
            is_safe = is_harmless(name)
            value = getattr(module, alias.name)
            found = self.outside(None if is_safe else path, value, alias.name)
            self.assign_name(alias.asname or alias.name, found, self.span(node))

    def _module_name(self, node: Any) -> str:
        """The name of the module that an import takes something of, without dots before it."""
        written = "." * (node.level or 0) + (node.module or "")
        try:
            name = self.frame.scope.absolute(written)
        except ImportError as error:
            self.fails("ImportError", str(error), node)
        except KeyError:
            self.error(catalog.UNSUPPORTED_IMPORT, node, name=written)
        if name is UNKNOWN_VALUE:
            raise NoVerdict(written, self.span(node))
        return str(name)

    def _module(self, name: str, node: Any) -> Any:
        """A module that is loaded already, or whose loading has no effect that anybody sees."""
        try:
            module = self.frame.scope.loaded(name)
        except ModuleNotFoundError as error:
            self.fails("ModuleNotFoundError", str(error), node)
        except KeyError:
            self.error(catalog.UNSUPPORTED_IMPORT, node, name=name)
        if module is UNKNOWN_VALUE:
            raise NoVerdict(name, self.span(node))
        return module

    # --- if ---------------------------------------------------------------------------------------

    def stmt_If(self, node: Any) -> None:
        self.split(node, None, self.frame.prepared.liveness.after(node))

    def split(self, node: Any, rest: Rest | None, live: frozenset[str]) -> None:
        """An ``if`` with what follows it, where at most one of its sides goes on to that."""

        def side(body: list[Any]) -> None:
            self._lower_rest(rest_of(body, after=rest), live)

        try:
            condition = self.condition(node.test)
        except (DiagnosticError, Poisoned):
            if not self.compilation.unknown:  # which may leave out either side
                self._look_for_errors(side, node)
            raise
        if not isinstance(condition, Value):
            self.compilation.notes.folded(self.span(node.test), "if", bool(condition))
            side(node.body if condition else node.orelse)
            return
        self.compilation.notes.tested(self.span(node.test), "if")
        self.branch(condition, lambda: side(node.body), lambda: side(node.orelse), live)

    def _look_for_errors(self, side: Callable[[list[Any]], None], node: Any) -> None:
        """Lower both sides of an ``if`` whose condition is wrong, for the errors in them alone."""
        for body in (node.body, node.orelse):
            with self.journal.scope(), self.builder.region():
                try:
                    side(body)
                except PathEnds:
                    continue

    # --- loops ------------------------------------------------------------------------------------

    def stmt_For(self, node: Any) -> None:
        iterable = self.expression(node.iter)
        live = self.frame.prepared.liveness.at_head(node)
        with self.hidden("broke") as (broke,):
            self.env[broke] = False

            def take(item: Any) -> Any:
                return self._round(node, broke, live, lambda: self.assign(node.target, item))

            self.for_each(iterable, take, node, live)
            self._after_loop(node, broke)

    def _round(self, node: Any, broke: str, live: frozenset[str], begin: Callable[[], None]) -> Any:
        """One round of a loop; whether it is left."""
        for flag in ("%break", "%continue", "%return"):
            self.env[flag] = False
        begin()
        self.block(node.body, live)
        if node.orelse:
            self.env[broke] = self.exited(("%break",))
        return self.exited(("%break", "%return"))

    def _after_loop(self, node: Any, broke: str) -> None:
        """The ``else`` of a loop, and the flags as they are after it."""
        broken = self.env[broke]
        self.env["%break"] = self.env["%continue"] = False
        if not node.orelse or broken is True:
            return
        live = self.frame.prepared.liveness.after(node)
        left = self.either(broken, self.exited(("%return",)))
        if isinstance(left, Value):
            self.unless_exited(left, lambda: self.block(node.orelse, live), live)
        elif not left:
            self.block(node.orelse, live)

    def stmt_While(self, node: Any) -> None:
        live = self.frame.prepared.liveness.at_head(node)
        with self.hidden("broke") as (broke,):
            self.env[broke] = False
            self._rounds(node, broke, live)
            if is_endless(node) and not has_break(node.body):
                if self.env.get("%return", False) is False:
                    self.end_path()
                self.env["%return"] = True
            self._after_loop(node, broke)

    def _rounds(self, node: Any, broke: str, live: frozenset[str]) -> None:
        """A loop of the graph; unrolled where only that can be compiled and all tests are known."""
        diagnostics = self.compilation.diagnostics
        mark, length = diagnostics.mark(), len(self.builder.block.operations)

        def test() -> Any:
            return self.condition(node.test)

        def take() -> Any:
            return self._round(node, broke, live, nothing)

        try:
            with self.journal.attempt():
                self.test_loop(test, take, node, live, keeps_tuples=True)
        except NeedsMemory:
            diagnostics.rollback(mark)
            del self.builder.block.operations[length:]
            if not self._unroll_while(test, take):
                self.test_loop(test, take, node, live)
        except (Poisoned, DiagnosticError) as error:
            kept = diagnostics.rollback(mark)
            specs = [*(item.spec for item in kept), getattr(error, "spec", None)]
            if any(spec in UNROLL_HELPS for spec in specs):
                del self.builder.block.operations[length:]
                if self._unroll_while(test, take):
                    return
            for diagnostic in kept:
                diagnostics.append(diagnostic)
            raise

    def _unroll_while(self, test: Callable[[], Any], take: Callable[[], Any]) -> bool:
        """Lower rounds one after the other; whether each test was known and nothing was wrong."""
        diagnostics = self.compilation.diagnostics
        mark = diagnostics.mark()

        def rounds() -> None:
            for _ in range(LONGEST_UNROLLED):
                condition = test()
                if condition is False:
                    return
                if condition is not True or take() is not False or len(diagnostics) > mark:
                    raise Poisoned
            raise Poisoned

        return self.works(rounds)

    # --- functions --------------------------------------------------------------------------------

    def function_body(self, node: Any) -> None:
        self.block(node.body, frozenset())
        if self.is_dead():
            return
        if self.env.get("%result") is POISON:  # the path doesn't say that it has left
            raise Poisoned
        returned = self.env.get("%return", False)

        def return_none() -> None:
            self.env["%result"], self.env["%return"] = None, True

        def something() -> None:
            self.env["%return"] = True

        if isinstance(returned, Value):
            self.branch(returned, something, return_none, frozenset())
        elif not returned:
            return_none()


def has_break(statements: list[Any]) -> bool:
    """Whether a loop with this body can be left by ``break``."""
    pending = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Break):
            return True
        if not isinstance(node, gast.For | gast.While):
            pending += [child for block in blocks_of(node) for child in block]
        else:
            pending += node.orelse
    return False
