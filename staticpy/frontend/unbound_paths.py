"""The paths of a function on which a variable is unbound.

In: the ``gast`` node of a function. Out: the first place where the variable is read and such a path
leads, if there is one.

    if found:
        x = 1       bound where found is true
    print(x)        a path leads here on which found is false

Each path is followed with what its tests say of later ones (``known_tests``): a second ``if found``
is not entered on this one. What can't be known is taken to be as it was meant: a context doesn't
swallow exceptions, unless it is there for that, and the variables that functions read when they are
called are bound by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import gast

from staticpy.frontend.known_tests import Facts, Tests, asks, assigned_values
from staticpy.frontend.nodes import forms
from staticpy.frontend.resolve import (
    FunctionNames,
    assigned_names,
    bound_by_patterns,
    definition_parts,
    target_names,
)
from staticpy.frontend.summaries import always_matches, surely_bound
from staticpy.source import children

_MOST_PATHS = 64
"""With more paths nothing is said."""
_NEVER_RETURN = frozenset(("abort", "_exit", "error", "exit", "fail", "quit", "skip", "skipTest"))
"""The names of functions and methods that are made to end a path."""
_RUN_AT_ONCE = forms("ListComp", "SetComp", "DictComp")
"""The scopes that run where they stand."""


class _Paths(NamedTuple):
    """The paths that lead to a place: what is known on each of those on which the variable is
    unbound, and whether there are others.
    """

    unbound: frozenset[Facts]
    is_bound: bool

    def bind(self) -> _Paths:
        """The paths once the variable is bound."""
        return _Paths(frozenset(), self.is_bound or bool(self.unbound))

    def without_search(self) -> _Paths:
        """Only the paths that need not be followed."""
        return _Paths(frozenset(), self.is_bound)

    def map(self, change: Callable[[Facts], Iterable[Facts]]) -> _Paths:
        """The paths once something more is known."""
        found = frozenset(new for facts in self.unbound for new in change(facts))
        if len(found) > _MOST_PATHS:
            raise _TooManyPathsError
        return _Paths(found, self.is_bound)


_NOWHERE = _Paths(frozenset(), False)


def scopes(function: FunctionNames) -> Iterator[FunctionNames]:
    """The names of a function, and of the comprehensions that run with it."""
    yield function
    for node, inner in function.nested.items():
        if isinstance(node, _RUN_AT_ONCE):
            yield from scopes(inner)


class _TooManyPathsError(Exception):
    """Raised where it takes too long to follow each path."""


def _join(*paths: _Paths) -> _Paths:
    found = frozenset[Facts]().union(*(each.unbound for each in paths))
    if len(found) > _MOST_PATHS:
        raise _TooManyPathsError
    return _Paths(found, any(each.is_bound for each in paths))


class Search:
    """Follows the paths of a function on which one variable is unbound; with ``skips`` also those
    on which a loop has no round.
    """

    def __init__(
        self, name: str, function: FunctionNames, tests: Tests, *, skips: bool = True
    ) -> None:
        self._name, self._function, self._tests, self._skips = name, function, tests, skips
        self._lines = {
            read.lineno for scope in scopes(function) for read in scope.reads if read.id == name
        }
        self._found: dict[Any, None] = {}
        self._jumps: list[dict[type, _Paths]] = []
        """For each loop around, the paths that leave a round by ``break`` and ``continue``."""
        self._raised: list[_Paths] = []
        """For each ``try`` around, the paths on which something may be raised."""
        self._kinds: dict[type, Callable[[Any, _Paths], _Paths]] = {
            gast.If: self._if,
            gast.While: self._while,
            gast.For: self._for,
            gast.Try: self._try,
            gast.With: self._with,
            gast.Match: self._match,
            gast.Assert: self._assert,
            gast.Delete: self._delete,
            **dict.fromkeys((gast.Return, gast.Raise), self._leave),
            **dict.fromkeys((gast.Break, gast.Continue), self._jump),
            **dict.fromkeys((gast.Assign, gast.AugAssign, gast.AnnAssign), self._assign),
            **dict.fromkeys((gast.Import, gast.ImportFrom, gast.FunctionDef), self._bind),
        }

    def first_read(self) -> Any:
        """The first place where the variable is read and may be unbound; None if there is none."""
        try:
            self._block(self._function.node.body, _Paths(frozenset([frozenset()]), False))
        except _TooManyPathsError:
            return None
        return min(self._found, key=lambda node: (node.lineno, node.col_offset), default=None)

    # --- statements -------------------------------------------------------------------------------

    def _block(self, statements: list[Any], paths: _Paths) -> _Paths:
        for statement in statements:
            if paths == _NOWHERE:
                break
            if self._raised and not _is_safe(statement):
                self._raised[-1] = _join(self._raised[-1], paths)
            run = self._kinds.get(statement.__class__, self._simple)
            paths = run(statement, paths)
        return paths

    def _simple(self, node: Any, paths: _Paths) -> _Paths:
        paths = self._visit_all(children(node), paths)
        return _NOWHERE if _never_returns(node) else paths

    def _leave(self, node: Any, paths: _Paths) -> _Paths:
        self._visit_all(children(node), paths)
        return _NOWHERE

    def _jump(self, node: Any, paths: _Paths) -> _Paths:
        jumps = self._jumps[-1]
        jumps[node.__class__] = _join(jumps[node.__class__], paths)
        return _NOWHERE

    def _assert(self, node: Any, paths: _Paths) -> _Paths:
        return self._test(node.test, paths)[0]

    def _assign(self, node: Any, paths: _Paths) -> _Paths:
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        if isinstance(node, gast.AugAssign):
            paths = self._visit_all([node.target, node.value], paths, updates=True)
        else:
            paths = self._visit_all([*([node.value] if node.value else []), *targets], paths)
        if self._name in surely_bound(node):
            return paths.bind()
        for names, value in assigned_values(node):
            paths = self._bound(names, paths, value)
        return paths

    def _bind(self, node: Any, paths: _Paths) -> _Paths:
        parts = definition_parts(node) if isinstance(node, gast.FunctionDef) else []
        return self._bound(surely_bound(node), self._visit_all(parts, paths))

    def _delete(self, node: Any, paths: _Paths) -> _Paths:
        paths = self._visit_all(node.targets, paths)
        return self._unbound() if self._name in surely_bound(node) else paths

    def _bound(self, names: Iterable[str], paths: _Paths, value: Any = None) -> _Paths:
        names = list(names)
        if self._name in names:
            return paths.bind()
        return paths.map(lambda facts: [self._tests.assign(facts, names, value)])

    def _unbound(self) -> _Paths:
        return _Paths(frozenset([frozenset()]), False)

    def _if(self, node: Any, paths: _Paths) -> _Paths:
        then, orelse = self._test(node.test, paths)
        return _join(self._block(node.body, then), self._block(node.orelse, orelse))

    def _while(self, node: Any, paths: _Paths) -> _Paths:
        entered, skipped = self._test(node.test, paths)
        skipped = skipped if self._skips or entered == _NOWHERE else skipped.without_search()
        first = entered, skipped
        return self._loop(node, first, lambda back: self._test(node.test, back))

    def _for(self, node: Any, paths: _Paths) -> _Paths:
        tests, names = self._tests, target_names(node.target)
        paths = self._visit(node.iter, paths)
        entered = self._when(paths, asks(node), truth=True).map(
            lambda facts: [tests.enter(facts, node)]
        )
        skipped = self._when(paths, asks(node), truth=False).map(
            lambda facts: [] if tests.is_nonempty(facts, node.iter) else [facts]
        )
        skipped = skipped if self._skips else skipped.without_search()

        def again(back: _Paths) -> tuple[_Paths, _Paths]:
            return self._bound(names, back), back

        entered = entered.bind() if self._name in names else entered
        return self._loop(node, (entered, skipped), again)

    def _loop(
        self,
        node: Any,
        first: tuple[_Paths, _Paths],
        again: Callable[[_Paths], tuple[_Paths, _Paths]],
    ) -> _Paths:
        """A loop that the paths of ``first`` enter, or skip, and those that end a round again."""
        jumps = {gast.Break: _NOWHERE, gast.Continue: _NOWHERE}
        entered, ended = first
        back = _NOWHERE
        self._jumps.append(jumps)
        while True:
            end = self._block(node.body, entered)
            end = _join(back, end, jumps[gast.Continue])
            if end == back:
                break
            back = end
            entered, left = map(_join, first, again(back))
            ended = left
        self._jumps.pop()
        return _join(self._block(node.orelse, ended), jumps[gast.Break])

    def _try(self, node: Any, paths: _Paths) -> _Paths:
        with self._catching() as raised:
            end = self._block(node.body, paths)
        caught = raised[0]
        ends = [self._block(node.orelse, end)]
        ends += [self._handler(each, caught) for each in node.handlers]
        if self._raised and not any(each.type is None for each in node.handlers):
            self._raised[-1] = _join(self._raised[-1], caught)
        if node.finalbody:
            self._block(node.finalbody, _join(caught, *ends))
        return self._block(node.finalbody, _join(*ends))

    def _handler(self, handler: Any, paths: _Paths) -> _Paths:
        paths = self._visit_all([handler.type] if handler.type else [], paths)
        name = handler.name.id if handler.name else ""
        end = self._block(handler.body, self._bound([name], paths))
        return self._unbound() if name == self._name and end != _NOWHERE else end

    @contextmanager
    def _catching(self) -> Iterator[list[_Paths]]:
        """Collect the paths on which something may be raised."""
        raised = [_NOWHERE]
        self._raised.append(_NOWHERE)
        yield raised
        raised[0] = self._raised.pop()

    def _with(self, node: Any, paths: _Paths) -> _Paths:
        for item in node.items:
            paths = self._visit(item.context_expr, paths)
            if item.optional_vars is not None:
                paths = self._bound(target_names(item.optional_vars), paths)
        if not any(_function_name(item.context_expr) == "suppress" for item in node.items):
            return self._block(node.body, paths)
        with self._catching() as raised:
            end = self._block(node.body, paths)
        return _join(end, raised[0])

    def _match(self, node: Any, paths: _Paths) -> _Paths:
        paths = self._visit(node.subject, paths)
        ends = [] if always_matches(node.cases[-1]) else [paths]
        for case in node.cases:
            taken = self._bound(bound_by_patterns(case.pattern), paths)
            if case.guard is not None:
                taken, _ = self._test(case.guard, taken)
            ends.append(self._block(case.body, taken))
        return _join(*ends)

    # --- expressions ------------------------------------------------------------------------------

    def _visit_all(self, nodes: Iterable[Any], paths: _Paths, *, updates: bool = False) -> _Paths:
        for node in nodes:
            paths = self._visit(node, paths, updates=updates)
        return paths

    def _visit(self, node: Any, paths: _Paths, *, updates: bool = False) -> _Paths:
        """The paths once an expression is evaluated; one that ``updates`` reads its target."""
        if not self._may_matter(node):
            return paths
        if isinstance(node, gast.Name):
            is_read = updates or not isinstance(node.ctx, gast.Store)
            return self._read(node, paths) if node.id == self._name and is_read else paths
        if isinstance(node, gast.IfExp):
            then, orelse = self._test(node.test, paths)
            return _join(self._visit(node.body, then), self._visit(node.orelse, orelse))
        if isinstance(node, gast.BoolOp):
            return _join(*self._test(node, paths))
        if isinstance(node, gast.NamedExpr):
            return self._bound([node.target.id], self._visit(node.value, paths))
        if isinstance(node, gast.GeneratorExp):
            return self._visit(node.generators[0].iter, paths)
        if isinstance(node, gast.Lambda):
            return self._visit_all(definition_parts(node), paths)
        if isinstance(node, _RUN_AT_ONCE):
            return self._comprehension(node, paths)
        return self._visit_all(children(node), paths)

    def _may_matter(self, node: Any) -> bool:
        """Whether the variable may be read in an expression, or any be bound: most are passed over,
        by their lines.
        """
        first = getattr(node, "lineno", None)
        if first is None or self._tests.has_walrus:
            return True
        return not self._lines.isdisjoint(range(first, node.end_lineno + 1))

    def _comprehension(self, node: Any, paths: _Paths) -> _Paths:
        """A comprehension, which reads the variable where it has a round, and may bind it."""
        first = node.generators[0]
        paths = self._visit(first.iter, paths)
        inner = self._function.scope_of(node)
        if self._name not in inner.locals:
            entered = self._when(paths, asks(first), truth=True)
            conditions = [each for generator in node.generators for each in generator.ifs]
            for condition in conditions:
                entered, _ = self._test(condition, entered)
            rest = [each.iter for each in node.generators[1:]]
            heads = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
            self._visit_all([*rest, *heads], entered)
        return paths.bind() if self._name in inner.rebinds or _names_it(node, self._name) else paths

    def _test(self, node: Any, paths: _Paths) -> tuple[_Paths, _Paths]:
        """The paths on which a condition is true, and those on which it is false."""
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            then, orelse = self._test(node.operand, paths)
            return orelse, then
        if isinstance(node, gast.Constant):
            return (paths, _NOWHERE) if node.value else (_NOWHERE, paths)
        if not isinstance(node, gast.BoolOp):
            paths = self._visit(node, paths)
            return self._when(paths, node, truth=True), self._when(paths, node, truth=False)
        is_and = isinstance(node.op, gast.And)
        decided = []
        for part in node.values:
            then, orelse = self._test(part, paths)
            paths = then if is_and else orelse
            decided.append(orelse if is_and else then)
        return (paths, _join(*decided)) if is_and else (_join(*decided), paths)

    def _when(self, paths: _Paths, test: Any, *, truth: bool) -> _Paths:
        return paths.map(lambda facts: self._tests.assume(facts, test, truth=truth))

    def _read(self, node: Any, paths: _Paths) -> _Paths:
        """The paths on which there is something to read."""
        if paths.unbound and paths.is_bound:
            self._found[node] = None
        return paths.without_search()


def _is_safe(statement: Any) -> bool:
    """Whether a statement raises nothing."""
    if isinstance(statement, gast.Assign):
        is_name = all(isinstance(each, gast.Name) for each in statement.targets)
        value = getattr(statement.value, "operand", statement.value)
        return is_name and isinstance(value, gast.Constant | gast.Name)
    return isinstance(statement, gast.Pass | gast.Break | gast.Continue | gast.FunctionDef)


def _never_returns(statement: Any) -> bool:
    is_expression = isinstance(statement, gast.Expr)
    return is_expression and _function_name(statement.value) in _NEVER_RETURN


def _function_name(node: Any) -> str | None:
    """``exit`` of ``sys.exit(…)`` and ``exit(…)``."""
    if not isinstance(node, gast.Call):
        return None
    return getattr(node.func, "attr", getattr(node.func, "id", None))


def _names_it(comprehension: Any, name: str) -> bool:
    return name in assigned_names([gast.Expr(comprehension)])
