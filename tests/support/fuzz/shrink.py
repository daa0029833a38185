"""Making a failing program small.

In: a Program, and a predicate that says whether a smaller one still fails in the same way. Out: a
Program from which nothing more can be taken: no call, no statement, no branch, no parameter, no
operand. Whatever is tried still has a bound on every loop.
"""

from __future__ import annotations

import ast
import copy
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.support.programs import Program, tidy

Predicate = Callable[[Program], bool]
Edit = Callable[[], None]

_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
_FUEL = re.compile(r"\bfuel\d+")


@dataclass
class Shrinker:
    """Makes one program smaller, until nothing helps or time is up."""

    fails: Predicate
    seconds: float = 60.0

    def shrink(self, program: Program) -> Program:
        self._end = time.monotonic() + self.seconds
        program = self._fewer_calls(program)
        before = None
        while program != before and time.monotonic() < self._end:
            before = program
            for edits in (_removals, _unwrappings, _simplifications):
                program = self._greedy(program, edits)
            program = self._fewer_parameters(program)
        return _without_unused(program)

    def _fails(self, program: Program) -> bool:
        return time.monotonic() < self._end and self.fails(program)

    def _fewer_calls(self, program: Program) -> Program:
        for call in program.calls:
            alone = replace(program, calls=(call,))
            if self._fails(alone):
                return alone
        return program

    def _greedy(self, program: Program, edits: Callable[[ast.Module], Iterator[Edit]]) -> Program:
        """Apply every edit that leaves a failing program, from the first to the last."""
        position = 0
        while True:
            tree = ast.parse(program.text)
            edit = _at(edits(tree), position)
            if edit is None:
                return program
            edit()
            smaller = _edited(program, tree)
            if smaller is not None and self._fails(smaller):
                program = smaller
            else:
                position += 1

    def _fewer_parameters(self, program: Program) -> Program:
        position = 0
        while True:
            tree = ast.parse(program.text)
            arguments = _entry(tree).args.args
            if position >= len(arguments):
                return program
            arguments.pop(position)
            calls = tuple(_without_argument(call, position) for call in program.calls)
            smaller = replace(program, text=tidy(ast.unparse(tree)), calls=calls)
            if self._fails(smaller):
                program = smaller
            else:
                position += 1


def _at(edits: Iterator[Edit], position: int) -> Edit | None:
    for number, edit in enumerate(edits):
        if number == position:
            return edit
    return None


def _edited(program: Program, tree: ast.Module) -> Program | None:
    """The program with another text; None where it is none, or not smaller, or may not end."""
    try:
        text = tidy(ast.unparse(ast.fix_missing_locations(tree)))
        compile(text, "<smaller>", "exec")
    except (SyntaxError, ValueError):
        return None
    if text == program.text or not all(map(_is_bounded, ast.walk(ast.parse(text)))):
        return None
    return replace(program, text=text)


def _is_bounded(node: ast.AST) -> bool:
    """Whether a node is no ``while``, or one that counts down."""
    if not isinstance(node, ast.While):
        return True
    text = ast.unparse(node)
    counters = set(_FUEL.findall(ast.unparse(node.test)))
    if isinstance(node.body[0], ast.If) and isinstance(node.body[0].body[0], ast.Break):
        counters |= set(_FUEL.findall(ast.unparse(node.body[0].test)))
    if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
        return False
    return any(f"{counter} -= 1" in text for counter in counters)


def _entry(tree: ast.Module) -> ast.FunctionDef:
    found = tree.body[-1]
    assert isinstance(found, ast.FunctionDef)
    return found


def _without_argument(call: str, position: int) -> str:
    items = ast.parse(f"({call},)", mode="eval").body
    assert isinstance(items, ast.Tuple)
    items.elts.pop(position)
    return ", ".join(map(ast.unparse, items.elts))


def _without_unused(program: Program) -> Program:
    """Without the arrays that no call names."""
    kept = [line for line in program.arrays if _is_named(line.split(" ")[0], program.calls)]
    return replace(program, arrays=tuple(kept))


def _is_named(name: str, calls: tuple[str, ...]) -> bool:
    return any(re.search(rf"\b{name}\b", call) for call in calls)


# --- edits ----------------------------------------------------------------------------------------


def _lists(tree: ast.Module) -> Iterator[tuple[ast.AST, str, list[Any]]]:
    """Every list of statements, handlers or cases, the outer ones first."""
    for node in ast.walk(tree):
        for name in _BODIES:
            found = getattr(node, name, None)
            if isinstance(found, list) and found:
                yield node, name, found


def _removals(tree: ast.Module) -> Iterator[Edit]:
    """Take away statements, half of a list at a time, then a quarter, down to single ones."""
    for node, name, items in _lists(tree):
        last = len(items) - (node is tree)  # the program itself stays
        size = last
        while size >= 1:
            for start in range(0, last, size):
                yield _removal(node, name, items, slice(start, min(start + size, last)))
            size //= 2


def _removal(node: ast.AST, name: str, items: list[Any], part: slice) -> Edit:
    def edit() -> None:
        del items[part]
        if not items and name == "body" and not isinstance(node, ast.Module):
            items.append(ast.Pass())

    return edit


def _unwrappings(tree: ast.Module) -> Iterator[Edit]:
    """Put what stands in a statement in its place."""
    for _, _, items in _lists(tree):
        for position, item in enumerate(items):
            if isinstance(item, ast.If | ast.For | ast.While | ast.Try | ast.With):
                for inner in (item.body, getattr(item, "orelse", [])):
                    if inner:
                        yield _replacement(items, position, inner)
            if isinstance(item, ast.Match):
                for case in item.cases:
                    yield _replacement(items, position, case.body)


def _replacement(items: list[Any], position: int, inner: list[Any]) -> Edit:
    def edit() -> None:
        items[position : position + 1] = inner

    return edit


def _simplifications(tree: ast.Module) -> Iterator[Edit]:
    """Put an operand, or a number, in the place of an expression."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                for simpler in _simpler(value):
                    yield _assignment(node, field, simpler)
            elif isinstance(value, list):
                yield from _in_list(value)


def _in_list(values: list[Any]) -> Iterator[Edit]:
    for position, value in enumerate(values):
        if isinstance(value, ast.expr):
            for simpler in _simpler(value):
                yield _item(values, position, simpler)
            if len(values) > 1:
                yield _replacement(values, position, [])


def _assignment(node: ast.AST, field: str, value: ast.expr) -> Edit:
    return lambda: setattr(node, field, copy.deepcopy(value))


def _item(values: list[Any], position: int, value: ast.expr) -> Edit:
    def edit() -> None:
        values[position] = copy.deepcopy(value)

    return edit


def _simpler(value: ast.expr) -> Iterator[ast.expr]:
    """What may stand for an expression that is read."""
    if isinstance(value, ast.Name | ast.Constant) or not isinstance(
        getattr(value, "ctx", ast.Load()), ast.Load
    ):
        return
    if not isinstance(value, ast.Slice):
        yield ast.Constant(1)
        yield ast.Constant(0.5)
    for child in ast.iter_child_nodes(value):
        if isinstance(child, ast.expr) and not isinstance(child, ast.Slice | ast.Starred):
            yield child
