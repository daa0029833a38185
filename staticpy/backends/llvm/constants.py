"""The Python objects that compiled code refers to: constants, dtypes, functions.

In: an object. Out: a load of its address from a table of the module, which is filled once the code
is in memory. The code itself holds no address.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.engine import Code
from staticpy.backends.llvm.forms import POINTER

TABLE = "objects"


class Constants:
    """The objects of one module, by their names there."""

    def __init__(self) -> None:
        self._objects: list[object] = []
        self._places: dict[int, int] = {}

    def load(self, cx: Context, value: object) -> ir.Value:
        """A borrowed reference to ``value``."""
        place = self._places.setdefault(id(value), len(self._objects))
        if place == len(self._objects):
            self._objects.append(value)
        return self.load_place(cx, place)

    def reserve(self) -> int:
        """A place for an object that is made later, see ``fill``."""
        self._objects.append(None)
        return len(self._objects) - 1

    def fill(self, place: int, value: object) -> None:
        """Put an object into a place that was reserved."""
        self._objects[place] = value

    def load_place(self, cx: Context, place: int) -> ir.Value:
        """A borrowed reference to the object at a place."""
        table = cx.module.globals.get(TABLE)
        if table is None:
            table = ir.GlobalVariable(cx.module, POINTER, TABLE)
        return cx.builder.load(cx.at(table, 8 * place), typ=POINTER)

    def finish(self, module: ir.Module) -> Sequence[str]:
        """Give the table its size.

        Returns:
            the names that the machine code has to export.
        """
        table = module.globals.get(TABLE)
        if table is None:
            return ()
        table.value_type = ir.ArrayType(POINTER, len(self._objects))
        table.initializer = ir.Constant(table.value_type, None)
        return (TABLE,)

    def store(self, code: Code) -> list[object]:
        """Fill the table of ``code``.

        Returns:
            the objects, which have to live as long as the code.
        """
        if self._objects:
            table = (ctypes.c_size_t * len(self._objects)).from_address(code.address(TABLE))
            table[:] = [id(value) for value in self._objects]
        return self._objects
