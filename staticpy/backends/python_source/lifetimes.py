"""Arrays that nobody reads any more are let go.

In: the statements of a function, and what is alive after each of them. Out: the same statements,
with a ``del`` where a variable would keep an array alive longer than CPython does: temporaries,
which CPython drops when it has read them, and the variables of inlined functions, which end with
the call. Nothing is deleted where nothing follows that needs memory.
"""

from __future__ import annotations

from staticpy.backends.python_source.ends import user_name
from staticpy.backends.python_source.exits import bodies
from staticpy.backends.python_source.interference import Interference
from staticpy.backends.python_source.naming import Naming
from staticpy.backends.python_source.statements import Delete, Line, Return, Statement
from staticpy.ir import Value, dims_of
from staticpy.ops import OpDef
from staticpy.passes import MemoryPlan


def _is_temporary(value: Value) -> bool:
    operation = value.defining_op
    assert operation is not None
    if _is_view_of_argument(value):
        return False
    is_local = operation.span.inlined_at is not None
    return bool(dims_of(value.type)) and (is_local or not user_name(value))


def _is_view_of_argument(value: Value) -> bool:
    while (operation := value.defining_op) is not None:
        op = operation.op
        if not (isinstance(op, OpDef) and op.view and operation.operands):
            return False
        value = operation.operands[0]
    return True


def _allocates(statement: Statement, plan: MemoryPlan) -> bool:
    if isinstance(statement, Line):
        return any(dims_of(r.type) and r not in plan.reuses for r in statement.operation.results)
    return any(_allocates(inner, plan) for body in bodies(statement) for inner in body)


def let_go(
    statements: list[Statement], interference: Interference, naming: Naming, plan: MemoryPlan
) -> None:
    """Insert a ``del`` after the last reader of each temporary array among ``statements``."""
    for statement in statements:
        for body in bodies(statement):
            let_go(body, interference, naming, plan)
    allocating = [at for at, each in enumerate(statements) if _allocates(each, plan)]
    if not allocating:
        return
    last_read: dict[Value, int] = {}
    for at, statement in enumerate(statements):
        if isinstance(statement, Line):
            temporaries = filter(_is_temporary, statement.operation.results)
            last_read.update((v, at) for v in temporaries if v in interference.neighbours)
        for value in interference.footprint(statement)[0]:
            if value in last_read:
                last_read[value] = at
    for at in range(len(statements) - 1, -1, -1):
        if at < allocating[-1] and not isinstance(statements[at], Return):
            dead = [value for value, last in last_read.items() if last == at]
            names = _free_names(dead, statements, at, interference, naming)
            if names:
                statements.insert(at + 1, Delete(names))


def _free_names(
    dead: list[Value],
    statements: list[Statement],
    at: int,
    interference: Interference,
    naming: Naming,
) -> list[str]:
    """The variables of ``dead`` that hold nothing alive and are not assigned before memory is
    needed.
    """
    taken = {naming[value] for value in interference.live_after[statements[at]]}
    following = statements[at + 1] if at + 1 < len(statements) else None
    if isinstance(following, Line) and following.operation.op.name != "unpack":
        taken |= {naming[r] for r in following.operation.results if r in interference.neighbours}
    return list(dict.fromkeys(naming[v] for v in dead if naming[v] not in taken))
