"""Conditions as expressions: negated, and joined by ``and`` and ``or``."""

from __future__ import annotations

import ast


def negated(test: ast.expr) -> ast.expr:
    """``not test``, where only the truth value counts."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return inverse(test)


def inverse(test: ast.expr) -> ast.expr:
    """``not test``, a bool: ``not not n`` is not ``n``."""
    if isinstance(test, ast.Compare) and [type(op) for op in test.ops] == [ast.Is]:
        return ast.Compare(test.left, [ast.IsNot()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


def joined(op: ast.boolop, left: ast.expr, right: ast.expr) -> ast.expr:
    """``left and right``, in one chain with what is joined by the same word."""
    values: list[ast.expr] = []
    for side in (left, right):
        same = isinstance(side, ast.BoolOp) and type(side.op) is type(op)
        values += side.values if isinstance(side, ast.BoolOp) and same else [side]
    return ast.BoolOp(op, values)
