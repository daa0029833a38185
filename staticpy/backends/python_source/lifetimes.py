"""Arrays that nobody reads any more are let go.

In: the statements of a function, and what is alive after each of them. Out: the same statements,
with a ``del`` where a variable would keep an array alive longer than CPython does: temporaries,
which CPython drops when it has read them, and the variables of inlined functions, which end with
the call. Nothing is deleted where nothing follows that needs memory.
"""

from __future__ import annotations

from staticpy.backends.python_source.ends import UNPACKING, user_name
from staticpy.backends.python_source.interference import Interference
from staticpy.backends.python_source.naming import Naming
from staticpy.backends.python_source.statements import (
    Delete,
    Line,
    Return,
    Statement,
    bodies,
)
from staticpy.ir import Operation, Value, dims_of
from staticpy.ops import OpDef
from staticpy.passes import MemoryPlan


def _allocates(statement: Line, plan: MemoryPlan) -> bool:
    return any(dims_of(r.type) and r not in plan.reuses for r in statement.operation.results)


def let_go(
    statements: list[Statement], interference: Interference, naming: Naming, plan: MemoryPlan
) -> None:
    """Insert a ``del`` after the last reader of each temporary array among ``statements``."""
    _Lifetimes(interference, naming, plan).end(statements)


class _Lifetimes:
    """Ends the lifetimes of the arrays of one function."""

    def __init__(self, interference: Interference, naming: Naming, plan: MemoryPlan) -> None:
        self._interference = interference
        self._naming = naming
        self._plan = plan
        self._views_of_arguments: dict[Value, bool] = {}

    def end(self, statements: list[Statement]) -> tuple[bool, set[str]]:
        """Insert the ``del`` statements; whether memory is allocated, and the names deleted."""
        allocating: list[int] = []
        gone: list[set[str]] = []
        for at, statement in enumerate(statements):
            inner = [self.end(body) for body in bodies(statement)]
            if isinstance(statement, Line):
                allocates = _allocates(statement, self._plan)
            else:
                allocates = any(found for found, _ in inner)
            if allocates:
                allocating.append(at)
            gone.append(set().union(*[names for _, names in inner]))
        if allocating:
            self._insert(statements, allocating[-1], gone)
        return bool(allocating), set().union(*gone)

    def _insert(self, statements: list[Statement], last: int, gone: list[set[str]]) -> None:
        """Insert a ``del`` where it comes before the ``last`` statement that allocates.

        ``gone`` holds for each statement the names that are deleted inside of it.
        """
        ending: dict[int, list[Value]] = {}
        for value, reader in self._last_readers(statements).items():
            ending.setdefault(reader, []).append(value)
        for at in sorted(ending, reverse=True):
            if at >= last or isinstance(statements[at], Return):
                continue
            dead = ending[at]
            names = [
                name for name in self._free_names(dead, statements, at) if name not in gone[at]
            ]
            if names:
                statements.insert(at + 1, Delete(names))
                gone[at].update(names)

    def _last_readers(self, statements: list[Statement]) -> dict[Value, int]:
        """The statement after which a temporary of ``statements`` is read no more."""
        last_read: dict[Value, int] = {}
        for at, statement in enumerate(statements):
            if isinstance(statement, Line):
                temporaries = filter(self._is_temporary, statement.operation.results)
                known = self._interference
                last_read.update((value, at) for value in temporaries if value in known)
            for value in self._interference.footprint(statement)[0]:
                if value in last_read:
                    last_read[value] = at
        return last_read

    def _free_names(self, dead: list[Value], statements: list[Statement], at: int) -> list[str]:
        """The variables of ``dead`` that hold nothing alive and are not assigned before memory is
        needed.
        """
        naming, known = self._naming, self._interference
        alive = known.live_after[statements[at]]
        taken: set[str] = set()
        following = statements[at + 1] if at + 1 < len(statements) else None
        if isinstance(following, Line) and following.operation.name not in UNPACKING:
            taken = {naming[r] for r in following.operation.results if r in known}
        names = (naming[v] for v in dead if not naming.holders(v) & alive)
        return list(dict.fromkeys(name for name in names if name not in taken))

    def _is_temporary(self, value: Value) -> bool:
        operation = value.defining_op
        assert operation is not None
        if self._is_view_of_argument(value):
            return False
        is_local = operation.span.inlined_at is not None
        return bool(dims_of(value.type)) and (is_local or not user_name(value))

    def _is_view_of_argument(self, value: Value) -> bool:
        """Whether ``value`` is an argument, or a view of one."""
        passed: list[Value] = []
        known = self._views_of_arguments
        while value not in known:
            passed.append(value)
            operation = value.defining_op
            if operation is None:
                known[value] = True
            elif not _makes_view(operation):
                known[value] = False
            else:
                value = operation.operands[0]
        known.update(dict.fromkeys(passed, known[value]))
        return known[value]


def _makes_view(operation: Operation) -> bool:
    """Whether the result of ``operation`` is a view of its first operand."""
    op = operation.op
    return isinstance(op, OpDef) and op.view and bool(operation.operands)
