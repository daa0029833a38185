"""What native code needs to know to take calls itself, as structures in memory.

In: the checks of a specialisation and where its inputs are. Out: a table that the dispatcher of a
native backend reads at each call. The dispatcher is one for a process, so that nothing more is
compiled for a specialisation: its guards are data.

Registers hold what a call gives: first the arguments, in the order of the parameters, then what
loads find. ``KINDS`` are the checks, each by its number:

    class       the class of ``source`` is ``object``
    array       ``source``, an ndarray, has the dtype ``object`` and ``number`` axes
    size        axis ``number`` of the array ``source`` has size ``other``
    same_size   it is as long as axis ``other`` of the array ``target``
    is          ``source`` is ``object``
    equals      ``source`` equals ``object``, of whose class, a plain one, it is
    same        ``source`` and ``target`` are one object
    differs     they are two
    length      the list or tuple ``source`` has ``number`` items
    count       ``len`` of ``source`` is ``number``
    lacks_item  the dict ``source`` has nothing under ``object``
    keys        the dict ``source`` has the keys of the tuple ``object``, in this order
    constant    load ``object`` to ``target``
    tuple_item, list_item    load item ``number`` of ``source``
    dict_item   load what the dict ``source`` has under ``object``
    cell        load what the cell ``source`` holds
    field       load the reference ``number`` bytes behind the address of ``source``
    attribute   load the attribute ``object`` of ``source``
"""

from __future__ import annotations

import ctypes
import types
from collections.abc import Iterable, Sequence
from typing import Any

KINDS: tuple[str, ...] = (
    *("class", "array", "size", "same_size", "is", "equals", "same", "differs"),
    *("length", "count", "lacks_item", "keys"),
    *("constant", "tuple_item", "list_item", "dict_item", "cell", "field", "attribute"),
)
REGISTERS = 64
"""How many registers there are."""

FUNCTION_FIELDS = {"code": 48, "defaults": 56, "keyword_defaults": 64}
"""Where a function of Python has what makes it another function when it changes."""

FUNCTION_DICT = 88
"""Where it has its attributes."""


class Check(ctypes.Structure):
    """One step of the way to the inputs."""

    _fields_ = (
        ("kind", ctypes.c_int64),
        ("source", ctypes.c_int64),
        ("target", ctypes.c_int64),
        ("number", ctypes.c_int64),
        ("other", ctypes.c_int64),
        ("object", ctypes.c_void_p),
    )


class Plan(ctypes.Structure):
    """How one specialisation takes a call.

    ``run`` gets a table of the inputs, which stand in the registers ``inputs``; in a row from the
    first one where that is NULL. The result of the call is ``constant``, if any; or what
    ``output``, a Python function, makes of what ``run`` gives and of the registers ``outputs``;
    else what ``run`` gives.
    """

    _fields_ = (
        ("run", ctypes.c_void_p),
        ("least", ctypes.c_int64),
        ("most", ctypes.c_int64),
        ("defaults", ctypes.c_void_p),
        ("check_count", ctypes.c_int64),
        ("checks", ctypes.c_void_p),
        ("input_count", ctypes.c_int64),
        ("inputs", ctypes.c_void_p),
        ("constant", ctypes.c_void_p),
        ("output", ctypes.c_void_p),
        ("output_count", ctypes.c_int64),
        ("outputs", ctypes.c_void_p),
    )


class Calls(ctypes.Structure):
    """How a function takes calls: a plan for each specialisation, and what to do without one.

    ``owner`` keeps all that is in memory here alive. ``function`` has to have ``code``,
    ``defaults`` and ``keyword_defaults`` still. While the number at ``disabled`` isn't 0, and where
    no plan fits, ``slow`` gets the callable and the arguments; ``failed`` gets the owner and an
    exception of native code, and returns the exception to raise.
    """

    _fields_ = (
        ("owner", ctypes.c_void_p),
        ("function", ctypes.c_void_p),
        ("code", ctypes.c_void_p),
        ("defaults", ctypes.c_void_p),
        ("keyword_defaults", ctypes.c_void_p),
        ("disabled", ctypes.c_void_p),
        ("slow", ctypes.c_void_p),
        ("failed", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("plans", ctypes.c_void_p),
    )


class Memory:
    """What native code reads: tables, and the objects that these refer to."""

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def keep(self, value: Any) -> int:
        """The address of an object, which lives as long as this does from now on."""
        self._kept.append(value)
        return id(value)

    def table(self, type_: type[Any], items: Sequence[Any]) -> int | None:
        """The address of a copy of ``items``, an array of C's; None if there are none."""
        if not items:
            return None
        array = (type_ * len(items))(*items)
        self._kept.append(array)
        return ctypes.addressof(array)

    def references(self, values: Iterable[Any]) -> int | None:
        """The address of a table of references to ``values``."""
        return self.table(ctypes.c_void_p, [self.keep(value) for value in values])


class DirectPlan(Memory):
    """The memory of a Plan; ``plan`` is to be set."""

    plan: Plan


class DirectCalls(Memory):
    """The memory of a Calls, whose plans are tried in this order.

    Args:
        function: the user's function, as it is now.
        plans: for each specialisation.
    """

    def __init__(self, function: types.FunctionType, plans: Sequence[DirectPlan]) -> None:
        super().__init__()
        addresses = [ctypes.addressof(each.plan) for each in plans]
        table = self.table(ctypes.c_void_p, addresses)
        self.keep(tuple(plans))
        self.calls = Calls(id(self), self.keep(function), count=len(plans), plans=table)
        fields = (function.__code__, function.__defaults__, function.__kwdefaults__)
        for name, value in zip(FUNCTION_FIELDS, fields, strict=True):
            setattr(self.calls, name, None if value is None else self.keep(value))

    @property
    def address(self) -> int:
        """Where the table is."""
        return ctypes.addressof(self.calls)


def has_known_fields(function: types.FunctionType) -> bool:
    """Whether FUNCTION_FIELDS and FUNCTION_DICT are where this interpreter has them."""
    values = (function.__code__, function.__defaults__, function.__kwdefaults__, vars(function))
    return all(
        ctypes.c_void_p.from_address(id(function) + place).value
        == (None if value is None else id(value))
        for place, value in zip((*FUNCTION_FIELDS.values(), FUNCTION_DICT), values, strict=True)
    )
