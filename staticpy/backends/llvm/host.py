"""What the host does: operations with regions that have no native form, and whole functions.

In: a Module. Out: a copy of it, in which such operations have become functions of their own; and
these functions as Python code, compiled by the backend that is the host.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from staticpy.backends.base import Backend, Executable
from staticpy.ir import Block, Function, Module, Operation, copy_module
from staticpy.passes import outline, reached_functions

_DEEPEST = 50
"""In how many others an operation may be, each of which takes some calls of Python to be lowered: a
long chain of ``elif`` is as deep as it is long.
"""


def separated(module: Module, native: Container[str]) -> Module:
    """A copy of ``module``, in which only ops of ``native`` have regions in what stays; everything
    else with regions, ``try`` for one, is called as a function.
    """
    copy = copy_module(module)
    for function in list(copy.functions.values()):
        for operation in _foreign(function.block, native):
            outline(copy, function, operation)
    return copy


def _foreign(block: Block, native: Container[str]) -> list[Operation]:
    """The outermost operations with regions that are not native, or too deep in others."""
    found: list[Operation] = []
    pending = [(block, 0)]
    while pending:
        around, depth = pending.pop()
        for operation in around.operations:
            if operation.op.name in native and depth < _DEEPEST:
                pending += [(region.block, depth + 1) for region in operation.regions]
            elif operation.regions:
                found.append(operation)
    return found


class _Later:
    """A function that is made when it is first called."""

    def __init__(self, make: Callable[[], Callable[..., Any]]) -> None:
        self._make = make
        self._run: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        if self._run is None:
            self._run = self._make()
        return self._run(*arguments)


class HostFunctions:
    """The functions of a module as Python code, each compiled when it is first asked for.

    Args:
        host: the backend.
        module: what holds the functions.
        parts: gets the executables.
    """

    def __init__(self, host: Backend, module: Module, parts: list[Executable]) -> None:
        self._host = host
        self._module = module
        self._parts = parts
        self._known: dict[str, Callable[..., Any]] = {}

    @property
    def hints(self) -> Mapping[str, int]:
        """See Module."""
        return self._module.hints

    def later(self, function: Function) -> Callable[..., Any]:
        """A function that is none of the module's, compiled when it is first called."""
        module = Module(function.name)
        module.add(function)
        return _Later(lambda: HostFunctions(self._host, module, self._parts)(function.name))

    def twin(self) -> Callable[..., Any]:
        """The entry of the module, compiled when it is first called."""
        return _Later(lambda: self(self._module.entry))

    def __call__(self, name: str) -> Callable[..., Any]:
        """The function called ``name``."""
        if name not in self._known:
            module = Module(name)
            for each in sorted(reached_functions(self._module, name)):
                module.add(self._module.functions[each])
            executable = self._host.compile(module)
            self._parts.append(executable)
            self._known[name] = executable.function
        return self._known[name]
