"""Native functions that are compiled once for a process, before what calls them is linked.

In: what compiles one of them. Out: a function that modules can call by its name.
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import provide


class LinkedFunction:
    """One of them.

    Args:
        name: that in modules that call it.
        type_: its type.
        address: compiles it if it isn't yet, and gives its address.
    """

    def __init__(self, name: str, type_: ir.FunctionType, address: Callable[[], int]) -> None:
        self.name = name
        self.type = type_
        self.compile = address
        provide(name, address)

    def call(self, builder: ir.IRBuilder, *arguments: ir.Value) -> ir.Value:
        """Emit a call."""
        return builder.call(builder.module.declared(self.name, self.type), arguments)
