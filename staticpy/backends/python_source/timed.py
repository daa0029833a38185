"""Statements that write down how long they take, see ``backends.timing``.

In: the tree of generated source, and the place of each line. Out: a tree that does the same, in
which each statement without others in it is a kernel; its text stays what it was.

    y = x * 2        becomes        <start> = <now>()
                                    y = x * 2
                                    <record>(0, <start>)

A statement that calls a function of the same source is none: those of the function are timed. The
names are none that a program can have.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

from staticpy.backends.timing import TimedKernel, Timings, now
from staticpy.source import SourceSpan

_NOW, _RECORD, _START, _VALUE = "<now>", "<record>", "<start>", "<value>"
_BLOCKS = ("body", "orelse", "handlers", "finalbody")
_LONGEST = 60
"""How much of a statement is shown."""


class Timer:
    """Changes one tree.

    Args:
        source: its text.
        lines: the place of each line in the user's source.
        functions: the names of the functions that it defines.
    """

    def __init__(
        self, source: str, lines: Mapping[int, SourceSpan], functions: Collection[str]
    ) -> None:
        self._texts = source.splitlines()
        self._lines = lines
        self._functions = functions
        self._kernels: list[TimedKernel] = []

    def change(self, tree: ast.Module) -> tuple[Timings, dict[str, object]]:
        """What the tree writes to from now on, and what it has to find among its globals."""
        pending: list[ast.AST] = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        while pending:
            node = pending.pop()
            for name in _BLOCKS:
                block = getattr(node, name, [])
                pending += block
                block[:] = [new for each in block for new in self._timed(each)]
        ast.fix_missing_locations(tree)
        timings = Timings(self._kernels)
        return timings, {_NOW: now, _RECORD: timings.record}

    def _timed(self, node: ast.AST) -> Sequence[ast.AST]:
        if not self._is_kernel(node):
            return [node]
        assert isinstance(node, ast.stmt)
        number = len(self._kernels)
        text = self._texts[node.lineno - 1].strip()
        text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        self._kernels.append(TimedKernel("line", text, (), (self._lines[node.lineno],)))
        start = _assignment(_START, ast.Call(_load(_NOW), [], []))
        arguments: list[ast.expr] = [ast.Constant(number), _load(_START)]
        stop = ast.Expr(ast.Call(_load(_RECORD), arguments, []))
        steps: list[ast.stmt] = [start, node, stop]
        if isinstance(node, ast.Return):
            assert node.value is not None
            steps = [start, _assignment(_VALUE, node.value), stop, ast.Return(_load(_VALUE))]
        return [ast.copy_location(each, node) for each in steps]

    def _is_kernel(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Return):
            return False
        if node.lineno not in self._lines or node.value is None:
            return False
        names = {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
        return names.isdisjoint(self._functions)


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _assignment(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)
