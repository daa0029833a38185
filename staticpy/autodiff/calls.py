"""Functions that stay functions, since they call themselves: their derivatives are functions, too.

    %y = call %x, %n {callee = "f"}
    %y, %ty = call %x, %n, %tx {callee = "f_tangent"}       # forward mode

A function has one for each set of arguments that have tangents. It may call itself in turn, so its
name is known before it is made.
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy import ops
from staticpy.autodiff.shadows import refusal
from staticpy.ir import Block, Builder, Function, Module, Operation, Value, copy_body, walk


class DerivedFunctions:
    """The functions of a module and those that are made of them.

    ``expand`` replaces the transforms that a function holds itself, unless that is going on.
    """

    def __init__(self, module: Module, expand: Callable[[Function], None]) -> None:
        self._module = module
        self._expand = expand
        self._names: dict[object, str] = {}

    def name_of(self, key: tuple[object, ...]) -> str | None:
        """The name of the function that was made for a key."""
        return self._names.get(key)

    def begin(self, call: Operation, kind: str, key: tuple[object, ...]) -> Function:
        """A copy of a function that is called, under a name of its own, still without an end.

        Raises:
            DiagnosticError: NO_DERIVATIVE, it takes derivatives of itself.
        """
        callee = self._module.functions[call.attrs["callee"]]
        self._expand(callee)
        if any(each.op in (ops.vjp, ops.jvp, ops.vmap) for each in walk(callee.block)):
            raise refusal(call, ": it takes derivatives of itself")
        block = Block(callee.arg_types, [argument.name for argument in callee.args])
        builder = Builder(block)
        values: dict[Value, Value] = dict(zip(callee.args, block.args, strict=True))
        results = copy_body(callee.block, builder, values, lambda span: span)
        builder.emit(ops.return_, results)
        name = self._unused(f"{callee.name}_{kind}")
        self._names[key] = name
        return self._module.add(Function(name, block, callee.span))

    def _unused(self, name: str) -> str:
        number, found = 1, name
        while found in self._module.functions:
            number += 1
            found = f"{name}_{number}"
        return found
