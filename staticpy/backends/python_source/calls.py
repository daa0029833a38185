"""Operations as calls of functions: what every row of the other tables can fall back on.

In: an operation and the expressions of its operands. Out: a call of the NumPy function of its op,
or of its kernel.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.backends.python_source.literals import Globals, call, load, numpy_name
from staticpy.ir import Operation
from staticpy.ops import OpDef

Args = Sequence[ast.expr]


class Calls:
    """Writes calls; ``globals`` collects what they refer to."""

    def __init__(self, globals_: Globals, callees: dict[str, str]) -> None:
        self.globals = globals_
        self.callees = callees
        """The name in the source of each function of the module."""

    def function(self, operation: Operation, args: Args, **more: ast.expr) -> ast.expr:
        """A call of the NumPy function of an op, or else of its kernel."""
        op = definition(operation)
        attrs = {name: self.globals.expression(value) for name, value in operation.attrs.items()}
        if op.takes_sequence:
            sequence = ast.Tuple(list(args), ast.Load())
            return call(numpy_name(op.numpy), sequence, **attrs, **more)
        if op.numpy and (op.ufunc is not None or _numpy_function(op.numpy) is op.kernel):
            return call(numpy_name(op.numpy), *args, **attrs, **more)
        return self.kernel(operation, args)

    def kernel(self, operation: Operation, args: Args) -> ast.expr:
        """A call of the kernel itself."""
        op = definition(operation)
        assert op.kernel is not None
        attrs = {name: self.globals.expression(value) for name, value in operation.attrs.items()}
        name = self.globals.name(op.kernel, op.name.replace(".", "_"))
        return call(load(name), *args, **attrs)


def definition(operation: Operation) -> OpDef:
    """The OpDef of an operation."""
    op = operation.op
    assert isinstance(op, OpDef)
    return op


def _numpy_function(dotted: str) -> Any:
    found: Any = np
    for part in dotted.split("."):
        found = getattr(found, part, None)
    return found
