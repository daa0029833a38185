"""What each statement does to liveness, whatever follows it.

In: the ``gast`` node of a function with its FunctionNames. Out: a Summary of each statement: the
names that it may read as they were before, and those that it assigns on every path. ``liveness``
reads off from these what is live where.

A statement may end in an exception anywhere, with any of its assignments done or not; no Summary
says so, as nothing is sure to be assigned then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import gast

from staticpy.frontend.nodes import forms
from staticpy.frontend.resolve import (
    COMPREHENSIONS,
    FunctionNames,
    Names,
    bound_by_patterns,
    definition_parts,
    iter_own,
    target_names,
)
from staticpy.source import children

NO_NAMES: Names = frozenset()
NEXT, BREAK, CONTINUE, RAISE = "next", "break", "continue", "raise"
LOOPS = (gast.While, gast.For)
_OF_TARGETS, _IMPORTS = forms("Assign", "Delete"), forms("Import", "ImportFrom")
_AUGMENTED, _ANNOTATED, _DEFINITIONS = forms("AugAssign"), forms("AnnAssign"), forms("FunctionDef")
_OF_PATTERNS, _ALTERNATIVES = forms("MatchAs", "MatchOr"), forms("MatchOr")


@dataclass(frozen=True, slots=True)
class Summary:
    """What statements do to liveness.

    ``reads`` are the names that they may read as they were before; ``kills`` holds, for each way
    in which they may end (``next``, ``break``, ``continue``), the names that are assigned on every
    path there.
    """

    reads: Names
    kills: Mapping[str, Names]

    def then(self, following: Summary) -> Summary:
        """The summary of this and then ``following``."""
        return in_sequence([self, following])


_EMPTY = Summary(NO_NAMES, {NEXT: NO_NAMES})


def in_sequence(parts: list[Summary]) -> Summary:
    """The summary of one after the other, in time linear in their sizes."""
    reads: set[str] = set()
    kills: dict[str, set[str]] = {NEXT: set()}
    for part in reversed(parts):
        killed = part.kills.get(NEXT)
        if killed is None:  # what follows is never reached
            reads, kills = set(), {}
        else:
            reads -= killed
            for later in kills.values():
                later.update(killed)
        reads |= part.reads
        for way, names in part.kills.items():
            if way == NEXT:
                continue
            if way in kills:
                kills[way] &= names
            else:
                kills[way] = set(names)
    return Summary(frozenset(reads), {way: frozenset(names) for way, names in kills.items()})


def either(left: Mapping[str, Names], right: Mapping[str, Names]) -> dict[str, Names]:
    """The kills of two alternatives: what is assigned on both."""
    both = {way: left[way] & right[way] for way in left if way in right}
    return {**left, **right, **both}


class Summaries:
    """The summaries of the statements of one function."""

    def __init__(self, names: FunctionNames) -> None:
        self._nested = names.nested
        self._statements: dict[Any, Summary] = {}
        self._blocks: dict[int, Summary] = {}

    def of(self, statement: Any) -> Summary:
        """The summary of a statement in a block that has been summed up."""
        return self._statements[statement]

    def block(self, statements: list[Any]) -> Summary:
        """The summary of a list of statements, in which each gets its own."""
        found = self._blocks.get(id(statements))
        if found is None:
            parts = []
            for statement in statements:
                self._statements[statement] = part = self._statement(statement)
                parts.append(part)
            self._blocks[id(statements)] = found = in_sequence(parts)
        return found

    def _statement(self, node: Any) -> Summary:
        if isinstance(node, gast.If):
            then, orelse = self.block(node.body), self.block(node.orelse)
            branches = Summary(then.reads | orelse.reads, either(then.kills, orelse.kills))
            return self.expressions([node.test]).then(branches)
        if isinstance(node, LOOPS):
            return self._loop(node)
        if isinstance(node, gast.Try):
            return self._try(node)
        if isinstance(node, gast.With):
            return self._with(node)
        if isinstance(node, gast.Match):
            return self._match(node)
        return self._simple(node)

    def _simple(self, node: Any) -> Summary:
        evaluated = self.expressions(_evaluated(node))
        if isinstance(node, gast.Return | gast.Raise):
            return Summary(evaluated.reads, {})
        if isinstance(node, gast.Break):
            return Summary(NO_NAMES, {BREAK: NO_NAMES})
        if isinstance(node, gast.Continue):
            return Summary(NO_NAMES, {CONTINUE: NO_NAMES})
        return evaluated.then(Summary(NO_NAMES, {NEXT: frozenset(surely_bound(node))}))

    # --- statements that hold others --------------------------------------------------------------

    def round(self, loop: Any) -> Summary:
        """One round of a loop: the test or the assignment of the target, then the body."""
        if isinstance(loop, gast.While):
            return self.expressions([loop.test]).then(self.block(loop.body))
        return self._assignment(loop.target).then(self.block(loop.body))

    def _loop(self, loop: Any) -> Summary:
        body, orelse = self.round(loop), self.block(loop.orelse)
        if isinstance(loop, gast.While):
            start, end = _EMPTY, self.expressions([loop.test]).then(orelse)
        else:
            start, end = self.expressions([loop.iter]), orelse
        if is_endless(loop):
            end = Summary(NO_NAMES, {})
        broken = {NEXT: body.kills[BREAK]} if BREAK in body.kills else {}
        return start.then(Summary(body.reads | end.reads, either(end.kills, broken)))

    def _try(self, node: Any) -> Summary:
        whole = self.block(node.body).then(self.block(node.orelse))
        reads, kills = whole.reads, whole.kills
        for part in map(self.handler, node.handlers):
            reads |= part.reads
            kills = either(kills, part.kills)
        final = self.block(node.finalbody)
        after = {way: names for way, names in final.kills.items() if way != NEXT}
        if NEXT in final.kills:
            passed = {way: names | final.kills[NEXT] for way, names in kills.items()}
            after = either(passed, after)
        return Summary(reads | final.reads, after)

    def handler(self, handler: Any) -> Summary:
        """An ``except`` clause; its name is unbound when it ends, and where it doesn't match."""
        test = self.expressions([handler.type] if handler.type else [])
        name = frozenset([handler.name.id] if handler.name else [])
        body = Summary(NO_NAMES, {NEXT: name}).then(self.block(handler.body))
        return test.then(body)

    def _with(self, node: Any) -> Summary:
        """What follows may run though the body ended early: a context may swallow an exception."""
        first, *others = node.items
        inner = [self._assignment(first.optional_vars)] if first.optional_vars else []
        for item in others:
            inner.append(self.expressions([item.context_expr]))
            inner += [self._assignment(item.optional_vars)] if item.optional_vars else []
        rest = in_sequence([*inner, self.block(node.body)])
        swallowed = Summary(rest.reads, {**rest.kills, NEXT: NO_NAMES})
        return self.expressions([first.context_expr]).then(swallowed)

    def _match(self, node: Any) -> Summary:
        reads, kills = NO_NAMES, dict[str, Names]()
        for case in node.cases:
            names = frozenset(bound_by_patterns(case.pattern))
            guard = self.expressions([case.guard] if case.guard else [])
            taken = in_sequence([Summary(NO_NAMES, {NEXT: names}), guard, self.block(case.body)])
            reads |= self.expressions([case.pattern]).reads | taken.reads
            kills = either(kills, taken.kills)
        if not always_matches(node.cases[-1]):
            kills = either(kills, {NEXT: NO_NAMES})
        return self.expressions([node.subject]).then(Summary(reads, kills))

    def _assignment(self, target: Any) -> Summary:
        names = frozenset(target_names(target))
        return self.expressions([target]).then(Summary(NO_NAMES, {NEXT: names}))

    # --- expressions ------------------------------------------------------------------------------

    def expressions(self, roots: Iterable[Any]) -> Summary:
        """The reads of expressions in the order of their evaluation, and what ``:=`` binds."""
        roots = list(roots)
        found: set[str] = set()
        is_ordered = False
        for node in iter_own(roots):
            if isinstance(node, gast.NamedExpr):
                is_ordered = True
                break
            if node.__class__ is gast.Name:
                if node.ctx.__class__ is not gast.Store:
                    found.add(node.id)
            elif node in self._nested:
                found |= self._own_reads(node)
        if not is_ordered:
            return Summary(frozenset(found), {NEXT: NO_NAMES}) if found else _EMPTY
        ordered = _Ordered(self._own_reads)
        bound = NO_NAMES
        for root in roots:
            bound = ordered.visit(root, bound)
        return Summary(frozenset(ordered.reads), {NEXT: bound})

    def _own_reads(self, node: Any) -> Names:
        """What a node reads by itself.

        A function reads what it captures where it is defined. ``del`` needs a value, too.
        """
        if isinstance(node, gast.Name):
            return NO_NAMES if isinstance(node.ctx, gast.Store) else frozenset([node.id])
        inner = self._nested.get(node)
        if inner is None:
            return NO_NAMES
        if isinstance(node, gast.FunctionDef) and not node.decorator_list:
            return inner.free - {node.name}  # it is bound before anyone can call it
        return inner.free


class _Ordered:
    """The reads of expressions in which ``:=`` binds names, in the order of evaluation."""

    def __init__(self, own_reads: Any) -> None:
        self.reads: set[str] = set()
        self._own_reads = own_reads

    def visit(self, node: Any, bound: Names) -> Names:
        """Note the reads in ``node`` of names that are not in ``bound``; return what is after."""
        self.reads |= self._own_reads(node) - bound
        surely, maybe = _parts(node)
        for part in surely:
            bound = self.visit(part, bound)
        if isinstance(node, gast.NamedExpr):
            return bound | {node.target.id}
        if isinstance(node, gast.IfExp):
            return self.visit(node.body, bound) & self.visit(node.orelse, bound)
        inner = bound
        for part in maybe:
            inner = self.visit(part, inner)
        return bound


def _parts(node: Any) -> tuple[list[Any], list[Any]]:
    """The parts of an expression that are surely evaluated, and those that may be, in order."""
    if isinstance(node, gast.BoolOp):
        return node.values[:1], node.values[1:]
    if isinstance(node, gast.Compare):
        return [node.left, node.comparators[0]], node.comparators[1:]
    if isinstance(node, gast.IfExp):
        return [node.test], []
    if isinstance(node, gast.NamedExpr):
        return [node.value], []
    if isinstance(node, gast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return [part for pair in pairs for part in pair if part is not None], []
    if isinstance(node, gast.Lambda | gast.FunctionDef):
        return definition_parts(node), []
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter], []
    return children(node), []


def is_endless(loop: Any) -> bool:
    """Whether a loop ends by ``break`` only."""
    if not isinstance(loop, gast.While):
        return False
    return isinstance(loop.test, gast.Constant) and bool(loop.test.value)


def _evaluated(node: Any) -> list[Any]:
    """The expressions in a simple statement, in the order of their evaluation."""
    if isinstance(node, gast.Assign):
        return [node.value, *node.targets]
    if isinstance(node, gast.AugAssign):
        if isinstance(node.target, gast.Name):
            read = gast.Name(node.target.id, gast.Load(), None, None)
            return [read, node.value]
        return [node.target, node.value]
    if isinstance(node, gast.AnnAssign):
        return [node.target] if node.value is None else [node.value, node.target]
    return [node] if isinstance(node, gast.FunctionDef) else children(node)


def surely_bound(node: Any) -> list[str]:
    """The names that a simple statement has bound or deleted when it ends, but by ``:=``."""
    if isinstance(node, _OF_TARGETS):
        return [name for target in node.targets for name in target_names(target)]
    if isinstance(node, _AUGMENTED) or (isinstance(node, _ANNOTATED) and node.value):
        return target_names(node.target)
    if isinstance(node, _IMPORTS):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    return [node.name] if isinstance(node, _DEFINITIONS) else []


def always_matches(case: Any) -> bool:
    """Whether a case of a ``match`` takes whatever comes."""
    if case.guard is not None:
        return False
    pattern = case.pattern
    while isinstance(pattern, _OF_PATTERNS):
        if isinstance(pattern, _ALTERNATIVES):
            pattern = pattern.patterns[-1]  # elsewhere it is a syntax error
        elif pattern.pattern is None:
            return True
        else:
            pattern = pattern.pattern
    return False
