"""What has no native form calls the kernel of its op, from inside of the compiled function.

In: an operation. Out: a call of a Python function that applies the kernel to its operands. These
functions are source of their own, a line for each operation, so that an exception finds the
user's line:

    def main(a, b):
        return true_divide(a, b)
"""

from __future__ import annotations

import itertools
import linecache
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.boxes import Boxes, tuple_item
from staticpy.backends.llvm.common import CALL
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.forms import I64, POINTER, Native, form_of
from staticpy.backends.llvm.host import HostFunctions
from staticpy.backends.llvm.members import is_of_arrays
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.recoveries import recovered
from staticpy.backends.llvm.refusals import refuse
from staticpy.backends.llvm.status import FLAGS, RAISED
from staticpy.backends.llvm.stretches import Lock
from staticpy.ir import Operation, ScalarType, Type, Value
from staticpy.ops import OpDef, call, dynamic, for_, results_of
from staticpy.passes import extract, with_outputs_called
from staticpy.source import SourceSpan

_SERIAL = itertools.count(1)


def can_call(operation: Operation) -> bool:
    """Whether an operation is nothing but a call of a kernel, or of a function of the host."""
    op = operation.op
    if op is call:
        return True
    return isinstance(op, OpDef) and op.kernel is not None and not operation.regions


def _flags(cx: Context) -> ir.Value:
    """Where the flags of the processor are kept."""
    return cx.at(cx.body.args[0], FLAGS)


def _may_give_tuple(operation: Operation) -> bool:
    """Whether the kernel may give its only result in a tuple of one item."""
    op = operation.op
    assert isinstance(op, OpDef)
    types = [operand.type for operand in operation.operands]
    return op not in (call, for_) and isinstance(op.infer(*types, **operation.attrs), tuple)


_OPERATORS = {
    (symbol, count): op.kernel
    for table, count in ((dynamic.BINARY, 2), (dynamic.COMPARE, 2), (dynamic.UNARY, 1))
    for symbol, op in table.items()
}


def _operator_of_scalars(operation: Operation) -> Callable[..., Any] | None:
    """The operator that an elementwise op is on NumPy's scalars, which have operators of their own:
    they warn of integers that overflow, which the functions for arrays don't.
    """
    types = [value.type for value in operation.operands]
    if not isinstance(operation.op, OpDef) or operation.op.ufunc is None:
        return None
    if is_of_arrays(operation) or not all(isinstance(type_, ScalarType) for type_ in types):
        return None
    return _OPERATORS.get((operation.op.symbol, len(types)))


def _range(start: int, stop: int, step: int, *_: Any) -> range:
    """What a ``for`` goes over; ValueError if ``step`` is 0."""
    return range(start, stop, step)


def _items(cx: Context, reference: ir.Value, count: int) -> Iterator[ir.Value]:
    """A new reference to each result of a call; the function is left if it raised."""
    cx.exit_if(cx.builder.icmp_unsigned("==", reference, NULL), RAISED)
    if count == 1:
        yield reference
        return
    for number in range(count):
        item = cx.builder.load(tuple_item(cx, reference, number), typ=POINTER)
        cx.call("Py_IncRef", item)
        yield item
    cx.call("Py_DecRef", reference)


class Kernels:
    """The calls of kernels of one module.

    Attributes:
        boxes: what turns registers into objects and back.
        spans: for each line of the source, its place in the user's.
        lock: where the interpreter's lock is held.
    """

    def __init__(self, boxes: Boxes, name: str, host: HostFunctions) -> None:
        self.boxes = boxes
        self.host = host
        self.spans: dict[int, SourceSpan] = {}
        self.lock = Lock()
        self.filename = f"<staticpy {name} native #{next(_SERIAL)}>"
        self._name = name
        self._lines: list[str] = []
        self._namespace: dict[str, object] = {"__name__": "staticpy", "results_of": results_of}
        self._places: dict[Operation, int] = {}

    def call(self, cx: Context, operation: Operation) -> Sequence[Native]:
        """Call the kernel of ``operation``, and leave the function if it raises."""
        reference = self._call(cx, operation)
        results = operation.results
        items = zip(_items(cx, reference, len(results)), results, strict=True)
        return [self._received(cx, value.type, item) for item, value in items]

    def recover(self, cx: Context, operation: Operation) -> Sequence[Native] | None:
        """Call the kernel of ``operation`` as something rare (``recoveries``), if it is on numbers
        and gives one.
        """
        operands = [cx.get(value) for value in operation.operands]
        form = form_of(operation.results[0].type)
        function = self.boxes.constants.load_place(cx, self._place(operation))
        found = recovered(cx, function, operands, form, self._vectorcall, self.boxes)
        return None if found is None else [found]

    def call_into(self, cx: Context, operation: Operation, outcome: Outcome) -> None:
        """Call the kernel of ``operation``, of which ``outcome`` is the only result."""
        self._deliver(cx, self._call(cx, operation), [outcome])

    def call_together(
        self,
        cx: Context,
        operations: Sequence[Operation],
        results: Sequence[Value],
        outcomes: Sequence[Outcome],
    ) -> None:
        """Do operations of a block as one function of the host, which gives ``results``."""
        name = f"{self._name}.line{operations[0].span.line}"
        function, inputs = extract(name, operations, results)
        with_outputs_called(function)
        operands = [cx.get(value) for value in inputs]
        later = self.boxes.constants.load(cx, self.host.later(function))
        self._deliver(cx, self._vectorcall(cx, later, operands, _flags(cx)), outcomes)

    def _deliver(self, cx: Context, reference: ir.Value, outcomes: Sequence[Outcome]) -> None:
        for item, outcome in zip(_items(cx, reference, len(outcomes)), outcomes, strict=True):
            outcome.take(item)

    def refuse(self, cx: Context, operation: Operation) -> None:
        """Call the kernel of ``operation``, which raises."""
        operands = [cx.get(value) for value in operation.operands]
        function = self.boxes.constants.load_place(cx, self._place(operation))
        flags = _flags(cx)
        if not refuse(cx, function, operands, flags, self._vectorcall):
            with cx.with_lock():
                self._vectorcall(cx, function, operands, flags)

    def _received(self, cx: Context, type_: Type, reference: ir.Value) -> Native:
        """A result, of which ``reference`` is a new reference."""
        form = form_of(type_)
        if not form.is_scalar:
            return cx.owned(self.boxes.unbox(cx, form, reference))
        return self.boxes.unbox_number(cx, form, reference)

    def _call(self, cx: Context, operation: Operation) -> ir.Value:
        operands = [cx.get(value) for value in operation.operands]
        function = self.boxes.constants.load_place(cx, self._place(operation))
        return self._vectorcall(cx, function, operands, _flags(cx))

    def _vectorcall(
        self, cx: Context, function: ir.Value, operands: Sequence[Native], flags: ir.Value
    ) -> ir.Value:
        count = len(operands)
        table = cx.variable(ir.ArrayType(POINTER, max(count, 1)))
        once: dict[int, ir.Value] = {}
        for number, operand in enumerate(operands):
            known = once.get(id(operand))  # ``is`` must find the same object
            if known is not None:
                cx.call("Py_IncRef", known)
            once[id(operand)] = known or self.boxes.box(cx, operand)
            cx.builder.store(once[id(operand)], cx.at(table, 8 * number))
        return CALL.call(cx.builder, function, table, I64(count), flags)

    def _place(self, operation: Operation) -> int:
        """Where the function of an operation is kept among the constants."""
        if operation in self._places:
            return self._places[operation]
        place = self._places[operation] = self.boxes.constants.reserve()
        kernel, attrs = f"kernel_{place}", f"attrs_{place}"
        self._namespace[kernel] = self._kernel(operation)
        names = ", ".join(f"a{number}" for number in range(len(operation.operands)))
        arguments = names
        if operation.attrs and operation.op not in (call, for_):
            self._namespace[attrs] = dict(operation.attrs)
            arguments = f"{names}, **{attrs}" if names else f"**{attrs}"
        value = f"{kernel}({arguments})"
        if len(operation.results) == 1 and _may_give_tuple(operation):
            self._namespace[f"types_{place}"] = (operation.results[0].type,)
            value = f"results_of({value}, types_{place})[0]"
        self._lines += [f"def call_{place}({names}):", f"    return {value}"]
        self.spans[len(self._lines)] = operation.span
        return place

    def _kernel(self, operation: Operation) -> Callable[..., Any]:
        op = operation.op
        if op is call:
            return self.host(operation.attrs["callee"])
        if op is for_:
            return _range
        assert isinstance(op, OpDef)
        assert op.kernel is not None
        return _operator_of_scalars(operation) or op.kernel

    def define(self) -> str:
        """Define the functions, and return their source."""
        text = "\n".join(self._lines) + "\n"
        exec(compile(text, self.filename, "exec"), self._namespace)
        for place in self._places.values():
            function = self._namespace[f"call_{place}"]
            self.boxes.constants.fill(place, function)
        linecache.cache[self.filename] = (len(text), None, text.splitlines(True), self.filename)
        weakref.finalize(self, linecache.cache.pop, self.filename, None).atexit = False
        return text
