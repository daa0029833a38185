"""What makes a program slow, as the text of a file shows it.

In: a StaticModule. Out: warnings for calls in loops that run as plain Python: ``staticpy.jit(f)``
of the same function in each round, and a static argument that is the variable of the loop; and for
arrays that compiled loops make longer round by round.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from staticpy.diagnostics import Diagnostic, Label, catalog
from staticpy.frontend.static_scope import JIT, StaticModule, StaticScope, own_nodes
from staticpy.source import SourceUnit

_LOOPS = (ast.For, ast.AsyncFor, ast.While)

_OWN = "staticpy."
"""How the paths of what makes functions of functions begin."""
_LONGER = ("append", "concatenate", "hstack", "vstack", "insert")
"""The functions of NumPy that make a longer array of one."""

Statics = Mapping[SourceUnit, frozenset[str]]
"""The functions that are given to ``staticpy.jit``, with their static parameters."""


def recompilations(module: StaticModule, entries: Statics) -> Iterator[Diagnostic]:
    """The calls in loops for which a function is compiled in each round."""
    if not module.may_jit and not entries:
        return
    for holder in [None, *module.source.functions]:
        if holder in entries:
            continue
        scope = module.scope if holder is None else module.scope_inside(holder)
        for loop in own_nodes(module.source.tree if holder is None else holder.node):
            if isinstance(loop, _LOOPS):
                yield from _in_loop(loop, module, scope, entries, holder)


def growing_arrays(unit: SourceUnit, module: StaticModule) -> Iterator[Diagnostic]:
    """The assignments in loops of a function that copy an array to make it longer."""
    if not any(map(unit.mentions, _LONGER)):
        return
    scope = module.scope_inside(unit)
    seen = set()
    for loop in own_nodes(unit.node):
        nodes = own_nodes(ast.Module(loop.body, [])) if isinstance(loop, _LOOPS) else ()
        for node in nodes:
            if isinstance(node, ast.Assign) and node not in seen:
                seen.add(node)
                args = _longer(node, scope)
                if args:
                    yield Diagnostic(catalog.GROWING_ARRAY, unit.span(node.value), args)


def _longer(node: ast.Assign, scope: StaticScope) -> dict[str, object]:
    """The names of ``x = function(x, …)``, which makes an array longer; none of anything else."""
    target, call = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, ast.Name) or not isinstance(call, ast.Call):
        return {}
    module, _, name = (scope.origin_of(call.func) or "").rpartition(".")
    if module != "numpy" or name not in _LONGER or not call.args:
        return {}
    first = call.args[0]
    parts = first.elts if isinstance(first, ast.Tuple | ast.List) else [first]
    is_itself = any(isinstance(each, ast.Name) and each.id == target.id for each in parts)
    return {"name": target.id, "function": f"np.{name}"} if is_itself else {}


def _in_loop(
    loop: ast.For | ast.AsyncFor | ast.While,
    module: StaticModule,
    scope: StaticScope,
    entries: Statics,
    holder: SourceUnit | None,
) -> Iterator[Diagnostic]:
    nodes = list(own_nodes(ast.Module(loop.body, [])))
    targets = [] if isinstance(loop, ast.While) else _stored([loop.target, *ast.walk(loop.target)])
    changed = {*targets, *_stored(nodes)}
    at = module.source.span if holder is None else holder.span
    for call in nodes:
        if not isinstance(call, ast.Call):
            continue
        if scope.origin_of(call.func) == JIT and call.args:
            name = _same_in_each_round(call.args[0], changed, scope)
            if name is not None:
                yield Diagnostic(catalog.JIT_IN_LOOP, at(call), {"name": name})
            continue
        unit = module.function_at(call.func, scope) if isinstance(call.func, ast.Name) else None
        for name, argument in _static_arguments(call, unit, entries):
            if isinstance(argument, ast.Name) and argument.id in targets:
                assert not isinstance(loop, ast.While)
                labels = (Label(at(loop.target), "another value in each round"),)
                args: dict[str, object] = {"name": name, "function": ast.unparse(call.func)}
                yield Diagnostic(catalog.STATIC_ARGUMENT_CHANGES, at(argument), args, labels)


def _same_in_each_round(given: ast.expr, changed: set[str], scope: StaticScope) -> str | None:
    """What is given to jit, where it is a function, or made of one, that no round changes."""
    is_made = isinstance(given, ast.Call) and str(scope.origin_of(given.func)).startswith(_OWN)
    names = {each.id for each in ast.walk(given) if isinstance(each, ast.Name)}
    is_known = is_made or isinstance(given, ast.Name | ast.Lambda)
    return ast.unparse(given) if is_known and not names & changed else None


def _stored(nodes: Collection[ast.AST]) -> set[str]:
    """The names that are bound by these nodes."""
    return {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    } | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def _static_arguments(
    call: ast.Call, unit: SourceUnit | None, entries: Statics
) -> Iterator[tuple[str, ast.expr]]:
    """The static parameters of a compiled function that a call gives, with what it gives."""
    static = entries.get(unit, frozenset()) if unit is not None else frozenset()
    if unit is None or not static:
        return
    arguments = unit.node.args
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    given = [*zip(names, call.args, strict=False)]
    if any(isinstance(each, ast.Starred) for each in call.args):
        given = []
    given += [(each.arg, each.value) for each in call.keywords if each.arg is not None]
    yield from ((name, value) for name, value in given if name in static)
