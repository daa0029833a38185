"""The memory plan: which results are written into a buffer that is no longer needed.

In: an optimized Function. Out: a MemoryPlan. The graph is not changed; a backend asks the plan.

    %t = multiply %w, %x : f64[n]      buffer t     8*n bytes
    %y = add %t, %b : f64[n]           y in t       saves 8*n bytes

An elementwise result may take the buffer of an operand that has just its type, that an operation
of the same block allocated, and whose last reader, aliases included, is this operation. The
memory order of the result must be the one that a fresh array would have: the strides and flags of
what is returned tell it, and a sum of floats runs along memory, where another order rounds
otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np

from staticpy.ir import (
    UNKNOWN,
    Dim,
    Function,
    Operation,
    OpResult,
    TensorType,
    Value,
    dims_of,
    walk,
)
from staticpy.ops import broadcast, cast, from_python, stride, unbox, where_op
from staticpy.passes.aliasing import AliasAnalysis
from staticpy.passes.effects import definition

CONTIGUOUS = "contiguous"
"""The memory order of an array that is known to be laid out row by row."""

_ROW_BY_ROW = ("zeros", "ones", "full", "eye", "array", "concatenate", "stack", "matmul", "flatten")


@dataclass(frozen=True, slots=True)
class Bytes:
    """A number of bytes: a sum of products of a number and sizes, such as ``8*n*k + 64``."""

    terms: tuple[tuple[tuple[str, ...], int], ...] = ()

    @staticmethod
    def of(type_: TensorType) -> Bytes:
        """The bytes of an array of this type; an unknown size is a symbol ``?`` of its own."""
        number = type_.dtype.itemsize * prod(dim for dim in type_.dims if isinstance(dim, int))
        symbols = tuple(sorted(dim for dim in type_.dims if isinstance(dim, str)))
        return Bytes(((symbols, number),)) if number else Bytes()

    def __add__(self, other: Bytes) -> Bytes:
        total = dict(self.terms)
        for symbols, number in other.terms:
            total[symbols] = total.get(symbols, 0) + number
        return Bytes(tuple(sorted(total.items(), key=lambda term: (-len(term[0]), term[0]))))

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        """The number for these sizes.

        Raises:
            KeyError: the size of a symbol is missing.
        """
        return sum(
            number * prod(sizes[symbol] for symbol in symbols) for symbols, number in self.terms
        )

    def __str__(self) -> str:
        return " + ".join("*".join((str(n), *symbols)) for symbols, n in self.terms) or "0"


@dataclass(frozen=True, eq=False, slots=True)
class Reuse:
    """``value`` is written into the array ``buffer``, which is operand ``position`` of its
    operation.
    """

    value: OpResult
    buffer: OpResult
    position: int
    size: Bytes


@dataclass(frozen=True, eq=False, slots=True)
class MemoryPlan:
    """What a function allocates, and what it need not.

    Attributes:
        name: of the function.
        buffers: the arrays that its operations make, in order.
        reuses: for each array that is written into another one's buffer, which.
        fused: for each array that is never in memory, the loops that it is computed in.
    """

    name: str
    buffers: tuple[OpResult, ...] = ()
    reuses: Mapping[Value, Reuse] = field(default_factory=dict)
    fused: Mapping[Value, str] = field(default_factory=dict)

    @property
    def total(self) -> Bytes:
        """The bytes that the operations would allocate, each making an array of its own."""
        return sum((Bytes.of(_tensor(value)) for value in self.buffers), Bytes())

    @property
    def saved(self) -> Bytes:
        """The bytes that are not allocated."""
        return sum((Bytes.of(_tensor(value)) for value in (*self.reuses, *self.fused)), Bytes())

    def total_bytes(self, sizes: Mapping[str, int]) -> int:
        """``total`` for these sizes."""
        return self.total.evaluate(sizes)

    def saved_bytes(self, sizes: Mapping[str, int]) -> int:
        """``saved`` for these sizes."""
        return self.saved.evaluate(sizes)

    def __str__(self) -> str:
        names = {value: value.name or f"%{i}" for i, value in enumerate(self.buffers)}
        rows = [("value", "type", "bytes", "buffer")]
        for value in self.buffers:
            reuse = self.reuses.get(value)
            place = f"that of {names[reuse.buffer]}" if reuse else "new"
            place = f"none: in {self.fused[value]}" if value in self.fused else place
            rows.append((names[value], str(value.type), str(Bytes.of(_tensor(value))), place))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        what = "are never in memory" if self.fused else "use a buffer again"
        summary = (
            f"{len(self.fused or self.reuses)} of {len(self.buffers)} arrays {what}: "
            f"{self.saved} of {self.total} bytes saved"
        )
        return "\n".join([f"memory plan of {self.name}", *lines, summary])


def plan_memory(function: Function, fused: Mapping[Value, str] | None = None) -> MemoryPlan:
    """The memory plan of ``function``.

    Args:
        function: it is not changed.
        fused: of a backend that fuses operations, and writes no result over an operand, the values
            that its loops compute on their way, by the name of the loops.
    """
    return _Planner(function, fused).run()


def _tensor(value: Value) -> TensorType:
    assert isinstance(value.type, TensorType)
    return value.type


_ROUNDED_APART = (np.multiply, np.square)
"""Where one of these writes complex numbers over its own operand, NumPy takes another loop for a
row of one, and that may round the last bit otherwise."""


class _Planner:
    def __init__(self, function: Function, fused: Mapping[Value, str] | None) -> None:
        self.function = function
        self.fused = fused
        self.aliases = AliasAnalysis(function)
        self.orders: dict[Value, frozenset[object]] = {}
        self.buffers: list[OpResult] = []
        self.reuses: dict[Value, Reuse] = {}

    def run(self) -> MemoryPlan:
        for operation in walk(self.function.block):
            for result in operation.results:
                if isinstance(result.type, TensorType):
                    self.order(result)  # in this order the recursion is never deep
                    if self._allocates(result):
                        self.buffers.append(result)
                    reuse = self._reuse(operation)
                    if reuse is not None:
                        self.reuses[reuse.value] = reuse
        known = self.fused or {}
        fused: dict[Value, str] = {each: known[each] for each in self.buffers if each in known}
        return MemoryPlan(self.function.name, tuple(self.buffers), self.reuses, fused)

    @cached_property
    def is_measured(self) -> bool:
        """Whether the program reads the strides of an array."""
        return any(operation.op is stride for operation in walk(self.function.block))

    def _allocates(self, value: OpResult) -> bool:
        if definition(value.owner).view or not self.aliases.owned_buffer(value):
            return False
        # The loop of a ufunc casts piece by piece, without an array of its own.
        return value.owner.op is not cast or self.fused is not None or not _feeds_loops(value)

    def _reuse(self, operation: Operation) -> Reuse | None:
        if self.fused is not None or not is_elementwise(operation):
            return None
        if len(operation.results) != 1:
            return None
        result = operation.result
        if not isinstance(result.type, TensorType) or UNKNOWN in result.type.dims:
            return None
        if self.is_measured:  # along an axis of size one, the strides of one order may differ
            return None
        if result.type.dtype.kind == "c" and definition(operation).ufunc in _ROUNDED_APART:
            return None
        for position, operand in enumerate(operation.operands):
            buffer = unstretched(operand)
            if buffer.type == result.type and self._is_free(buffer, operation):
                assert isinstance(buffer, OpResult)
                return Reuse(result, buffer, position, Bytes.of(result.type))
        return None

    def _is_free(self, buffer: Value, operation: Operation) -> bool:
        if not isinstance(buffer, OpResult) or buffer.owner.block is not operation.block:
            return False
        if not self._allocates(buffer) or self.aliases.escapes(buffer):
            return False
        if self.aliases.last_use(buffer, *self._cast_in_loops(buffer)) is not operation:
            return False
        return self._same_order(buffer, operation)

    def _cast_in_loops(self, buffer: Value) -> set[Value]:
        """The conversions of ``buffer`` that are no arrays of their own: reading one reads it."""
        found: set[Value] = set()
        pending = [buffer]
        while pending:
            for alias in self.aliases.aliases(pending.pop()):
                casts = {each.result for each in alias.users if each.op is cast}
                fresh = {each for each in casts - found if not self._allocates(each)}
                found |= fresh
                pending += fresh
        return found

    # --- memory order -----------------------------------------------------------------------------

    def order(self, value: Value) -> frozenset[object]:
        """What the memory order of ``value`` comes from: CONTIGUOUS, or the arrays whose order it
        has.

        A fresh elementwise result is laid out row by row as soon as one of its operands is.
        """
        if value not in self.orders:
            self.orders[value] = frozenset([value])  # where the chain is cut
            self.orders[value] = self._order(value)
        return self.orders[value]

    def _order(self, value: Value) -> frozenset[object]:
        operation = value.defining_op
        if len(dims_of(value.type)) <= 1 or (operation and _is_row_by_row(operation)):
            return frozenset([CONTIGUOUS])
        if operation is None or not is_elementwise(operation):
            return frozenset([value])
        return self._joined(operation.operands, dims_of(value.type))

    def _joined(self, operands: Sequence[Value], dims: tuple[Dim, ...]) -> frozenset[object]:
        found: frozenset[object] = frozenset()
        for operand in operands:
            source = unstretched(operand, across=True)
            sizes = dims_of(source.type)
            if len(sizes) > 1:
                full = sizes == dims and UNKNOWN not in dims
                found |= self.order(source) if full else frozenset([source])
        if CONTIGUOUS in found or not found:
            return frozenset([CONTIGUOUS])
        return found

    def _same_order(self, buffer: Value, operation: Operation) -> bool:
        dims = dims_of(buffer.type)
        mine = self.order(buffer)
        if mine == {CONTIGUOUS}:
            return True
        others = self._joined([o for o in operation.operands if unstretched(o) is not buffer], dims)
        stretched = all(
            len(dims_of(unstretched(o, across=True).type)) <= 1
            for o in operation.operands
            if unstretched(o) is not buffer
        )
        return stretched or (len(dims) == 2 and others <= mine)


def _is_row_by_row(operation: Operation) -> bool:
    return operation.name in _ROW_BY_ROW and operation.attrs.get("order", "C") == "C"


def _feeds_loops(value: Value) -> bool:
    """Whether only elementwise operations read ``value``, stretched or not."""
    return all(
        is_elementwise(user)
        or user.op is where_op
        or (user.op is broadcast and all(map(_feeds_loops, user.results)))
        for user in value.users
    )


def is_elementwise(operation: Operation) -> bool:
    """Whether an operation is the loop of one ufunc, whose function takes ``out=``."""
    ufunc = definition(operation).ufunc
    return isinstance(ufunc, np.ufunc)


def unstretched(value: Value, *, across: bool = False) -> Value:
    """The array of which ``value`` is an unstretched broadcast, else ``value``; ``across`` goes
    through stretching broadcasts and conversions too.
    """
    while isinstance(value, OpResult):
        operation = value.owner
        if operation.op is broadcast:
            source = operation.operands[value.index]
            if not across and source.type != value.type:
                break
        elif across and operation.op in (cast, unbox, from_python):
            source = operation.operands[0]
        else:
            break
        value = source
    return value
