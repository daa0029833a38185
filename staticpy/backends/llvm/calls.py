"""Functions of the graph that calculate with numbers call each other natively, recursion included.

In: a Module; calls of such a function. Out: a native function for each, whose arguments and results
are in registers:

    {i32 code, i64, double} native.name(status, i32 left, i64, double)

Such a function has no effect. Whatever it can't finish, be it an exception or an int that is too
large, leaves all calls, and the twin does the whole of it again, with every frame in its traceback.
So does a recursion for which no calls are ``left``, of those that the interpreter allows and of
those for which there is room on the stack of C.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import count, islice

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import comes_again
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.depth import remaining_place
from staticpy.backends.llvm.forms import I32, POINTER, Form, Native, form_of
from staticpy.backends.llvm.function import FunctionLowering
from staticpy.backends.llvm.kernels import Kernels
from staticpy.backends.llvm.status import INTERRUPTED, OVERFLOWED, RAISED, RETURNED
from staticpy.ir import Function, Module, Operation, Type, walk
from staticpy.ops import Effect, call
from staticpy.passes import effects_by_op

_LONGEST = 200
"""A function of more operations may need much of the stack."""

_POLLED = 15
"""Whether a signal has come is looked up by every sixteenth call within another."""


def native_functions(module: Module, native: Container[str]) -> dict[str, Function]:
    """The functions that have no effect, and numbers for arguments, results and all between; with
    regions in them only where they are those of ``native`` ops.
    """
    others = {name: each for name, each in module.functions.items() if name != module.entry}
    if remaining_place() is None:
        return {}
    found = {name: each for name, each in others.items() if _is_of_numbers(each, native)}
    while True:
        kept = {name: each for name, each in found.items() if _callees(each) <= found.keys()}
        if len(kept) == len(found):
            return found
        found = kept


def _callees(function: Function) -> set[str]:
    return {each.attrs["callee"] for each in walk(function.block) if each.op is call}


def _is_of_numbers(function: Function, native: Container[str]) -> bool:
    operations = list(walk(function.block))
    arguments = [*function.args]
    for operation in operations:
        if operation.regions and operation.op.name not in native:
            return False
        arguments += [each for region in operation.regions for each in region.block.args]
    types = [value.type for value in arguments]
    types += [value.type for operation in operations for value in operation.results]
    are_numbers = all(form_of(type_).is_scalar for type_ in types)
    return are_numbers and len(operations) <= _LONGEST and not any(map(_has_effect, operations))


def _has_effect(operation: Operation) -> bool:
    if operation.op is call or operation.regions or operation.op.is_terminator:
        return False
    return Effect.WRITES in effects_by_op(operation)


class NativeCalls:
    """The native functions of one module.

    Args:
        native: the module of LLVM.
        functions: the functions of the graph that are made native.
        kernels: the kernels that they call.
        rules: how each op is lowered, but for calls.
    """

    def __init__(
        self,
        native: ir.Module,
        functions: dict[str, Function],
        kernels: Kernels,
        rules: Mapping[str, Rule],
    ) -> None:
        self._native = native
        self._functions = functions
        self._kernels = kernels
        self._rules = {**rules, "call": self.rule}
        self._declared: dict[str, ir.Function] = {}
        self._pending: list[str] = []

    def rule(
        self, cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        """A call of a native function."""
        name = operation.attrs["callee"]
        if name not in self._functions:
            return None
        wanted = [each.type for each in self._functions[name].args]
        pairs = zip(operands, wanted, strict=True)
        numbers = [part for native, type_ in pairs for part in cx.convert(native, type_).parts]
        with cx.without_lock():
            given = self._call(cx, self._function(name), numbers)
        forms = [form_of(type_) for type_ in self._functions[name].result_types]
        parts = (cx.builder.extract_value(given, place) for place in count(1))
        natives = [Native(form, tuple(islice(parts, len(form.parts)))) for form in forms]
        called = zip(natives, operation.results, strict=True)
        return [cx.convert(native, result.type) for native, result in called]

    def _call(self, cx: Context, function: ir.Function, numbers: Sequence[ir.Value]) -> ir.Value:
        """What it gives. What it can't finish leaves all."""
        left, cx.polls = cx.calls_left(), True
        cx.builder.branch(here := cx.new_block())
        cx.go_to(here)
        given = cx.builder.call(function, [cx.body.args[0], left, *numbers])
        code = cx.builder.extract_value(given, 0)
        with cx.builder.if_then(cx.builder.icmp_signed("!=", code, I32(RETURNED)), likely=False):
            cx.exit_if(cx.builder.icmp_signed("==", code, I32(INTERRUPTED)), INTERRUPTED)
            with cx.with_lock():
                cx.call("PyErr_Clear")
            cx.exit(OVERFLOWED)
        return given

    def _function(self, name: str) -> ir.Function:
        if name not in self._declared:
            function = self._functions[name]
            results = _registers(function.result_types)
            numbers = _registers([each.type for each in function.args])
            type_ = ir.FunctionType(ir.LiteralStructType([I32, *results]), [POINTER, I32, *numbers])
            self._declared[name] = ir.Function(self._native, type_, f"native.{name}")
            self._declared[name].linkage = "internal"
            self._pending.append(name)
        return self._declared[name]

    def finish(self) -> list[CalledFunction]:
        """Lower all functions that are called."""
        made = []
        while self._pending:
            name = self._pending.pop()
            function, body = self._functions[name], self._declared[name]
            made.append(
                CalledFunction(self._native, function, self._kernels, self._rules, (), body)
            )
        return made


def _registers(types: Sequence[Type]) -> list[ir.Type]:
    """What numbers of ``types`` are held in, one after the other."""
    return [part for type_ in types for part in form_of(type_).parts]


class CalledFunction(FunctionLowering):
    """Emits one native function of numbers."""

    def begin(self) -> None:
        """Go on if a call is left, and no handler of a signal has raised."""
        builder, left = self.builder, self.body.args[1]
        self.exit_if(builder.icmp_signed("<=", left, I32(0)), OVERFLOWED)
        is_due = builder.icmp_signed("==", builder.and_(left, I32(_POLLED)), I32(0))
        with builder.if_then(is_due, likely=False):
            self.exit_if(self.interrupted(), INTERRUPTED)

    def argument(self, number: int, form: Form) -> Native:
        """What an argument is: a number."""
        before = _registers([each.type for each in self.function.args[:number]])
        start = 2 + len(before)
        return Native(form, tuple(self.body.args[start : start + len(form.parts)]))

    def result(self, natives: Sequence[Native]) -> ir.Value:
        """What the function returns: numbers."""
        made = self._ended(RETURNED)
        pairs = zip(natives, self.function.result_types, strict=True)
        parts = [part for native, type_ in pairs for part in self.convert(native, type_).parts]
        for place, part in enumerate(parts, 1):
            made = self.builder.insert_value(made, part, place)
        return made

    def note(self, builder: ir.IRBuilder, code: int) -> None:
        """Return it, but let the twin raise what a kernel has raised."""
        if code == RETURNED:
            return
        if code == RAISED:
            self.kernels.lock.is_held(builder.block)
        ended: ir.Value = self._ended(code)
        if code == RAISED:
            ended = builder.select(
                comes_again(self.module, builder), self._ended(OVERFLOWED), self._ended(INTERRUPTED)
            )
        builder.store(ended, self._result)

    def _ended(self, code: int) -> ir.Value:
        type_ = self.body.function_type.return_type
        assert isinstance(type_, ir.LiteralStructType)
        return type_([I32(code), *(part(None) for part in type_.elements[1:])])

    @contextmanager
    def without_lock(self) -> Iterator[None]:
        """What calls it sees to that."""
        yield

    def with_lock(self) -> AbstractContextManager[None]:
        """Take it, as nobody knows whether what calls this has it."""
        return self.kernels.lock.held(self)

    def calls_left(self) -> ir.Value:
        """One less than were left for this one."""
        return self.builder.sub(self.body.args[1], I32(1))
