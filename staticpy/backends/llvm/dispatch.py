"""The dispatcher: the native function that takes a call, without a frame of Python's.

In: a callable whose table of plans (``backends/direct_calls.py``) is at ``CALLS``, and arguments as
vectorcall gives them. Out: the result of the first plan whose checks hold. Where none does, or
there are keywords, the call goes to the slow road, a Python function. One for a process, which
is never freed: code that is thrown away while it runs returns to here.

The checks read fields of objects and run no code of a program but ``attribute``, which may let a
module's ``__getattr__`` run; what may be replaced meanwhile is held by the owner of the table.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from staticpy.backends.direct_calls import (
    FUNCTION_FIELDS,
    KINDS,
    REGISTERS,
    Calls,
    Check,
    Plan,
)
from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import CLASS, DTYPE, HEADER, RANK, SIZES
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.context import NULL
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.engine import Code, compile_modules, once
from staticpy.backends.llvm.forms import I8, I32, I64, POINTER
from staticpy.backends.llvm.units import Effort

CALLS = 24
"""Where a callable has the address of its Calls."""

_EQUAL = 2
"""``Py_EQ``."""


_CELL = HEADER
_ITEMS_SIZE, _TUPLE_ITEMS, _LIST_ITEMS = HEADER, HEADER + 8, HEADER + 8
"""Where objects of CPython keep their fields."""

_MISS = ir.Address(1)
_COUNT = I64(2**63 - 1)
"""The bits of vectorcall's count that are one."""


def dispatcher() -> int:
    """The address of the dispatcher."""
    return _code().address("dispatch")


@once
def _code() -> Code:
    """The code of the dispatcher, which is never let go of."""
    module = ir.Module("dispatch")
    _Dispatch(module, _Try(module).function)
    return compile_modules([(module, Effort.ONCE)], ["dispatch"])


class _Writer:
    """What both functions are written with."""

    def __init__(self, module: ir.Module, name: str, arguments: int) -> None:
        types = [I64 if place == 2 else POINTER for place in range(arguments)]
        self.module = module
        self.function = ir.Function(module, ir.FunctionType(POINTER, types), name)
        self.builder = ir.IRBuilder(self.function.append_basic_block())

    def at(self, pointer: ir.Value, offset: int) -> ir.Value:
        return self.builder.gep(pointer, [I64(offset)], source_etype=I8)

    def item(self, table: ir.Value, place: ir.Value) -> ir.Value:
        """The address of a pointer in a table."""
        return self.builder.gep(table, [place], source_etype=POINTER)

    def pointer(self, place: ir.Value, offset: int = 0) -> ir.Value:
        return self.builder.load(self.at(place, offset), typ=POINTER)

    def number(self, place: ir.Value, offset: int = 0) -> ir.Value:
        return self.builder.load(self.at(place, offset), typ=I64)

    def field(self, structure: type[Any], place: ir.Value, name: str) -> ir.Value:
        offset = getattr(structure, name).offset
        is_number = dict(structure._fields_)[name] is ctypes.c_int64
        return (self.number if is_number else self.pointer)(place, offset)

    def call(self, name: str, *arguments: ir.Value) -> ir.Value:
        return self.builder.call(declare(self.module, name), arguments)

    def is_same(self, left: ir.Value, right: ir.Value) -> ir.Value:
        return self.builder.icmp_unsigned("==", left, right)

    def variable(self) -> ir.Value:
        """Memory for a number."""
        with self.builder.goto_entry_block():
            return self.builder.alloca(I64)

    def table(self, size: int) -> ir.Value:
        """Memory for pointers."""
        with self.builder.goto_entry_block():
            return self.builder.alloca(ir.ArrayType(POINTER, size))

    def each(
        self, count: ir.Value, start: ir.Value | None = None
    ) -> AbstractContextManager[ir.Value]:
        """A loop over the numbers from ``start`` up to ``count``."""
        return counted(self.builder, I64(0) if start is None else start, count)


class _Dispatch(_Writer):
    """``dispatch(callable, arguments, count and flags, keywords)``, the form of vectorcall."""

    def __init__(self, module: ir.Module, try_: ir.Function) -> None:
        super().__init__(module, "dispatch", 4)
        builder = self.builder
        callable_, arguments, count, keywords = self.function.args
        count = builder.and_(count, _COUNT)
        calls = self.pointer(callable_, CALLS)
        owner = self.field(Calls, calls, "owner")
        self.call("Py_IncRef", owner)
        slow = self.function.append_basic_block("slow")
        tried = self.function.append_basic_block()
        builder.cbranch(self._is_plain(calls, keywords), tried, slow).set_weights([1 << 20, 1])
        builder.position_at_end(tried)
        plans = self.field(Calls, calls, "plans")
        with self.each(self.field(Calls, calls, "count")) as number:
            plan = self.pointer(self.item(plans, number))
            result = builder.call(try_, [plan, arguments, count])
            with builder.if_then(builder.not_(self.is_same(result, _MISS)), likely=True):
                self._move_to_front(plans, number, plan)
                with builder.if_then(self.is_same(result, NULL), likely=False):
                    self._fail(calls, owner)
                self.call("Py_DecRef", owner)
                builder.ret(result)
        builder.branch(slow)
        builder.position_at_end(slow)
        result = self._slow(self.field(Calls, calls, "slow"), count)
        self.call("Py_DecRef", owner)
        builder.ret(result)

    def _is_plain(self, calls: ir.Value, keywords: ir.Value) -> ir.Value:
        """Whether there is nothing about the call that Python has to see to."""
        function = self.field(Calls, calls, "function")
        conditions = [
            self.is_same(keywords, NULL),
            self.is_same(self.number(self.field(Calls, calls, "disabled")), I64(0)),
            *(
                self.is_same(self.pointer(function, place), self.field(Calls, calls, name))
                for name, place in FUNCTION_FIELDS.items()
            ),
        ]
        is_plain = conditions[0]
        for condition in conditions[1:]:
            is_plain = self.builder.and_(is_plain, condition)
        return is_plain

    def _move_to_front(self, plans: ir.Value, number: ir.Value, plan: ir.Value) -> None:
        """Let a plan that fits change places with the first."""
        builder = self.builder
        with builder.if_then(builder.icmp_signed("!=", number, I64(0)), likely=False):
            place = self.item(plans, number)
            # While it ran, another thread may have moved it.
            with builder.if_then(self.is_same(self.pointer(place), plan)):
                builder.store(self.pointer(plans), place)
                builder.store(plan, plans)

    def _fail(self, calls: ir.Value, owner: ir.Value) -> None:
        """Let the exception that is set be told in terms of the user's program."""
        builder = self.builder
        places = [self.table(1) for _ in range(3)]
        self.call("PyErr_Fetch", *places)
        self.call("PyErr_NormalizeException", *places)
        class_, error, traceback = map(self.pointer, places)
        with builder.if_then(builder.not_(self.is_same(traceback, NULL))):
            self.call("PyException_SetTraceback", error, traceback)
        arguments = self.table(2)
        builder.store(owner, arguments)
        builder.store(error, self.at(arguments, 8))
        failed = self.field(Calls, calls, "failed")
        told = self.call("PyObject_Vectorcall", failed, arguments, I64(2), NULL)
        with builder.if_then(builder.not_(self.is_same(told, NULL)), likely=True):
            told_class = self.pointer(told, CLASS)
            self.call("Py_IncRef", told_class)
            where = self.call("PyException_GetTraceback", told)
            self.call("PyErr_Restore", told_class, told, where)
        for reference in (class_, error, traceback):
            self.call("Py_DecRef", reference)

    def _slow(self, function: ir.Value, count: ir.Value) -> ir.Value:
        """Call a Python function with the callable before the arguments."""
        builder = self.builder
        callable_, arguments, _, keywords = self.function.args
        named = self.variable()
        builder.store(I64(0), named)
        with builder.if_then(builder.not_(self.is_same(keywords, NULL))):
            builder.store(self.number(keywords, _ITEMS_SIZE), named)
        total = builder.add(count, builder.load(named, typ=I64))
        table = builder.alloca(POINTER, size=builder.add(total, I64(1)))
        builder.store(callable_, table)
        rest = self.at(table, 8)
        with self.each(total) as number:
            builder.store(self.pointer(self.item(arguments, number)), self.item(rest, number))
        count = builder.add(count, I64(1))
        return self.call("PyObject_Vectorcall", function, table, count, keywords)


class _Try(_Writer):
    """``try(plan, arguments, count)``: the result of a plan, NULL after an exception, or _MISS."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__(module, "try", 3)
        self.function.linkage = "internal"
        self._plan, arguments, count = self.function.args
        builder = self.builder
        self._registers = self.table(REGISTERS)
        self._inputs = self.table(REGISTERS)
        self._end = self.variable()
        self._result = self.table(1)
        self._miss = self.function.append_basic_block("miss")
        self._leave = self.function.append_basic_block("leave")
        least, most = self._field("least"), self._field("most")
        builder.store(most, self._end)
        builder.store(_MISS, self._result)
        fits = builder.and_(
            builder.icmp_signed("<=", least, count), builder.icmp_signed("<=", count, most)
        )
        start = self.function.append_basic_block()
        builder.cbranch(fits, start, self._miss)
        builder.position_at_end(start)
        with self.each(count) as number:
            self._set(number, self.pointer(self.item(arguments, number)))
        defaults = self._field("defaults")
        with self.each(most, count) as number:
            place = self.item(defaults, builder.sub(number, least))
            self._set(number, self.pointer(place))
        self._checks()
        builder.store(self._finished(self._run()), self._result)
        builder.branch(self._leave)
        builder.position_at_end(self._miss)
        builder.branch(self._leave)
        builder.position_at_end(self._leave)
        with self.each(builder.load(self._end, typ=I64), most) as number:
            self.call("Py_DecRef", self._get(number))
        builder.ret(self.pointer(self._result))

    def _field(self, name: str) -> ir.Value:
        return self.field(Plan, self._plan, name)

    def _get(self, register: ir.Value) -> ir.Value:
        return self.pointer(self.item(self._registers, register))

    def _set(self, register: ir.Value, reference: ir.Value) -> None:
        self.builder.store(reference, self.item(self._registers, register))

    def _run(self) -> ir.Value:
        """Call the code with its inputs."""
        builder = self.builder
        inputs, count = self._field("inputs"), self._field("input_count")
        in_order = self.is_same(inputs, NULL)
        with builder.if_then(builder.not_(in_order)):
            self._gather(inputs, count, self._inputs)
        table = builder.select(in_order, self._registers, self._inputs)
        type_ = ir.FunctionType(POINTER, [POINTER, POINTER, I64])
        run = builder.load(self.at(self._plan, Plan.run.offset), typ=ir.PointerType(type_))
        return builder.call(run, [NULL, table, count])

    def _gather(self, places: ir.Value, count: ir.Value, table: ir.Value) -> None:
        with self.each(count) as number:
            register = self.number(self.item(places, number))
            self.builder.store(self._get(register), self.item(table, number))

    def _finished(self, result: ir.Value) -> ir.Value:
        """What the call returns, see Plan."""
        builder, place = self.builder, self.table(1)
        builder.store(result, place)
        succeeded = builder.not_(self.is_same(result, NULL))
        for name, make in (("constant", self._constant), ("output", self._output)):
            value = self._field(name)
            there = builder.not_(self.is_same(value, NULL))
            with builder.if_then(builder.and_(there, succeeded), likely=False):
                builder.store(make(value, result), place)
                self.call("Py_DecRef", result)
        return self.pointer(place)

    def _constant(self, value: ir.Value, _: ir.Value) -> ir.Value:
        self.call("Py_IncRef", value)
        return value

    def _output(self, function: ir.Value, result: ir.Value) -> ir.Value:
        self.builder.store(result, self._inputs)
        count = self._field("output_count")
        self._gather(self._field("outputs"), count, self.at(self._inputs, 8))
        count = self.builder.add(count, I64(1))
        return self.call("PyObject_Vectorcall", function, self._inputs, count, NULL)

    # --- the checks -------------------------------------------------------------------------------

    def _checks(self) -> None:
        """Go through the checks; the first that fails is a miss."""
        builder = self.builder
        checks = self._field("checks")
        size = I64(ctypes.sizeof(Check))
        with self.each(self._field("check_count")) as number:
            check = builder.gep(checks, [builder.mul(number, size)], source_etype=I8)
            source = self._get(self.field(Check, check, "source"))
            rest = self.function.append_basic_block()
            switch = builder.switch(self.field(Check, check, "kind"), self._miss)
            for kind, name in enumerate(KINDS):
                block = self.function.append_basic_block(name)
                switch.add_case(I64(kind), block)
                builder.position_at_end(block)
                holds = _CHECKS[name](self, check, source)
                builder.cbranch(holds, rest, self._miss).set_weights([1 << 20, 1])
            builder.position_at_end(rest)

    def number_of(self, check: ir.Value, name: str = "number") -> ir.Value:
        """A number of a check."""
        return self.field(Check, check, name)

    def object_of(self, check: ir.Value) -> ir.Value:
        """The object of a check."""
        return self.field(Check, check, "object")

    def target_of(self, check: ir.Value) -> ir.Value:
        """What is in the register ``target``."""
        return self._get(self.number_of(check, "target"))

    def size_of(self, array: ir.Value, axis: ir.Value) -> ir.Value:
        """The size of an axis."""
        return self.number(self.item(self.pointer(array, SIZES), axis))

    def loads(self, check: ir.Value, reference: ir.Value, *, is_new: bool = False) -> ir.Value:
        """Whether there is a reference, which is loaded then."""
        builder = self.builder
        there = builder.not_(self.is_same(reference, NULL))
        with builder.if_else(there, likely=True) as (then, otherwise):
            with then:
                if not is_new:
                    self.call("Py_IncRef", reference)
                target = self.number_of(check, "target")
                self._set(target, reference)
                builder.store(builder.add(target, I64(1)), self._end)
            with otherwise:
                self.call("PyErr_Clear")
        return there

    def where(self, condition: ir.Value, value: Callable[[], ir.Value]) -> ir.Value:
        """A pointer where ``condition`` holds, else NULL."""
        place = self.table(1)
        self.builder.store(NULL, place)
        with self.builder.if_then(condition, likely=True):
            self.builder.store(value(), place)
        return self.pointer(place)


def _is_array(w: _Try, check: ir.Value, source: ir.Value) -> ir.Value:
    rank = w.builder.load(w.at(source, RANK), typ=I32)
    expected = w.builder.trunc(w.number_of(check), I32)
    dtype = w.is_same(w.pointer(source, DTYPE), w.object_of(check))
    return w.builder.and_(dtype, w.builder.icmp_signed("==", rank, expected))


def _equals(w: _Try, check: ir.Value, source: ir.Value) -> ir.Value:
    equal = w.call("PyObject_RichCompareBool", source, w.object_of(check), I32(_EQUAL))
    return w.builder.icmp_signed("==", equal, I32(1))


def _list_item(w: _Try, check: ir.Value, source: ir.Value) -> ir.Value:
    number = w.number_of(check)
    inside = w.builder.icmp_unsigned("<", number, w.number(source, _ITEMS_SIZE))
    items = w.pointer(source, _LIST_ITEMS)
    return w.loads(check, w.where(inside, lambda: w.pointer(w.item(items, number))))


def _tuple_item(w: _Try, check: ir.Value, source: ir.Value) -> ir.Value:
    number = w.number_of(check)
    inside = w.builder.icmp_unsigned("<", number, w.number(source, _ITEMS_SIZE))
    items = w.at(source, _TUPLE_ITEMS)
    return w.loads(check, w.where(inside, lambda: w.pointer(w.item(items, number))))


def _count(w: _Try, check: ir.Value, source: ir.Value) -> ir.Value:
    return _without_error(w, w.is_same(w.call("PyObject_Size", source), w.number_of(check)))


def _lacks_item(w: _Try, check: ir.Value, source: ir.Value) -> ir.Value:
    found = w.call("PyDict_GetItemWithError", source, w.object_of(check))
    return _without_error(w, w.is_same(found, NULL))


def _without_error(w: _Try, holds: ir.Value) -> ir.Value:
    """Whether a check holds, and nothing was raised by it."""
    raised = w.builder.not_(w.is_same(w.call("PyErr_Occurred"), NULL))
    with w.builder.if_then(raised, likely=False):
        w.call("PyErr_Clear")
    return w.builder.and_(holds, w.builder.not_(raised))


def _keys(w: _Try, check: ir.Value, source: ir.Value) -> ir.Value:
    """Keys of the same text may be other objects: that is a miss too."""
    builder, keys = w.builder, w.object_of(check)
    position, found, key = w.variable(), w.variable(), w.table(1)
    expected = w.number(keys, _ITEMS_SIZE)
    builder.store(I64(0), position)
    builder.store(I64(0), found)
    with w.each(expected) as number:
        more = w.call("PyDict_Next", source, position, key, NULL)
        wanted = w.pointer(w.item(w.at(keys, _TUPLE_ITEMS), number))
        there = builder.icmp_signed("!=", more, I32(0))
        with builder.if_then(there):
            same = builder.zext(w.is_same(w.pointer(key), wanted), I64)
            builder.store(builder.add(builder.load(found, typ=I64), same), found)
    all_found = builder.icmp_signed("==", builder.load(found, typ=I64), expected)
    size = w.call("PyDict_Size", source)
    return builder.and_(all_found, builder.icmp_signed("==", size, expected))


_CHECKS: dict[str, Callable[[_Try, ir.Value, ir.Value], ir.Value]] = {
    "class": lambda w, check, source: w.is_same(w.pointer(source, CLASS), w.object_of(check)),
    "array": _is_array,
    "size": lambda w, check, source: w.is_same(
        w.size_of(source, w.number_of(check)), w.number_of(check, "other")
    ),
    "same_size": lambda w, check, source: w.is_same(
        w.size_of(source, w.number_of(check)),
        w.size_of(w.target_of(check), w.number_of(check, "other")),
    ),
    "is": lambda w, check, source: w.is_same(source, w.object_of(check)),
    "equals": _equals,
    "same": lambda w, check, source: w.is_same(source, w.target_of(check)),
    "differs": lambda w, check, source: w.builder.not_(w.is_same(source, w.target_of(check))),
    "length": lambda w, check, source: w.is_same(w.number(source, _ITEMS_SIZE), w.number_of(check)),
    "count": _count,
    "lacks_item": _lacks_item,
    "keys": _keys,
    "constant": lambda w, check, _: w.loads(check, w.object_of(check)),
    "tuple_item": _tuple_item,
    "list_item": _list_item,
    "dict_item": lambda w, check, source: w.loads(
        check, w.call("PyDict_GetItemWithError", source, w.object_of(check))
    ),
    "cell": lambda w, check, source: w.loads(check, w.pointer(source, _CELL)),
    "field": lambda w, check, source: w.loads(
        check, w.pointer(w.builder.gep(source, [w.number_of(check)], source_etype=I8))
    ),
    "attribute": lambda w, check, source: w.loads(
        check, w.call("PyObject_GetAttr", source, w.object_of(check)), is_new=True
    ),
}
