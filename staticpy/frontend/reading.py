"""What the text of a function says of it, whatever the types of its arguments are.

In: the source of a function, and the scope around it. Out: its names, and what validation and
resolution report: the stages before lowering, for who doesn't lower it. Wherever its ``ast`` tree
says as much as the ``gast`` tree would, none is made.
"""

from __future__ import annotations

import ast

from staticpy.diagnostics import Diagnostics
from staticpy.frontend.analyze import deep_recursion, prepare
from staticpy.frontend.convert import MAX_DEPTH
from staticpy.frontend.maybe_unbound import uncovered
from staticpy.frontend.parse import annotations_of, may_mangle
from staticpy.frontend.resolve import FunctionNames, report_undefined_names, resolve
from staticpy.frontend.scope import Scope
from staticpy.frontend.validate import validate
from staticpy.source import SourceUnit, descendants


def read_function(unit: SourceUnit, scope: Scope, diagnostics: Diagnostics) -> FunctionNames | None:
    """Report what can be seen of a function without types.

    Returns:
        Its names; None where it is not of the language.
    """
    if _is_plain(unit):
        is_valid, names = validate(unit.node, unit, diagnostics), resolve(unit.node)
        if not is_valid or not _may_be_unbound(names):
            report_undefined_names(names, unit, scope, diagnostics)
            return names if is_valid else None
    with deep_recursion():
        prepared = prepare(unit, scope, diagnostics)
    return None if prepared is None else resolve(prepared.node)


def _may_be_unbound(names: FunctionNames) -> bool:
    """Whether a variable may be read before it is bound: to find out takes the ``gast`` tree."""
    try:
        return bool(uncovered(names))
    except RecursionError:  # statements in statements, for which ``prepare`` takes a deep stack
        return True


def _is_plain(unit: SourceUnit) -> bool:
    """Whether ``parse`` would find no more than the ``ast`` tree says: no text of this length is
    nested too deep, no name is mangled, and no annotation is evaluated.
    """
    is_short = len(unit.own_text) < MAX_DEPTH
    return is_short and not may_mangle(unit) and not _evaluates_annotations(unit)


def _evaluates_annotations(unit: SourceUnit) -> bool:
    """Whether a function that is nested in it has annotations that are evaluated."""
    if not unit.holds_definitions or not unit.source.evaluates_annotations:
        return False
    nested = (node for node in descendants(unit.node) if isinstance(node, ast.FunctionDef))
    return any(node is not unit.node and annotations_of(node) for node in nested)
