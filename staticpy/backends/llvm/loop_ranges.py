"""Between which numbers the ints of nested loops are, said before the outermost begins.

In: a ``for``, and the values that its rounds make. Out: for ints that are the index of one of its
loops, a sum or difference of such, what is left of a division, or there before, LLVM values of the
smallest and the largest.
From these: which accesses to elements need no look, which sums can't overflow, and about how much
work there is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.bounds import Access
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.counters import LONGEST_PIECE
from staticpy.backends.llvm.forms import F64, I64
from staticpy.backends.llvm.members import is_function
from staticpy.backends.llvm.positions import MOST_TIMES, Ends, Entry
from staticpy.backends.llvm.python_numbers import EXACT
from staticpy.backends.llvm.short_loops import is_innermost, is_short
from staticpy.backends.llvm.vectors import declare_intrinsic
from staticpy.ir import FLOAT, INT, Block, Operation, Value, walk
from staticpy.ops import constant, constant_value, for_, while_
from staticpy.passes import FIRST_INDEX, index_along, is_below_another

_FAR = 1 << 62
"""Sums of ints up to here don't overflow."""

_NEAR = _FAR // MOST_TIMES
"""Ints up to here may be multiplied."""

_UNKNOWN = 16.0
"""How many rounds a loop has of which nothing is known."""

_SHORT, _LONG, _FUNCTION = 4.0, 16.0, 64.0
"""The work of an operation, where that on an element of a vector is one unit."""

_LONG_NAMES = ("true_divide", "divide", "floor_divide", "remainder", "sqrt", "py.truediv")
_QUOTIENTS = ("py.truediv", "py.floordiv", "py.mod")
_NOTHING = ("constant", "region_yield", "undef", "from_python", "cast", "truth")


class Ranges:
    """The ints of one ``loop``, whose rounds make the values ``inside``."""

    def __init__(self, loop: Operation, inside: Collection[Value]) -> None:
        self._inside = inside
        self._operations = list(walk(loop.regions[0].block))
        self._known: dict[Value, Operation] = {}
        for operation in (loop, *self._operations):
            self._learn(operation)

    # --- what is known ----------------------------------------------------------------------------

    def _learn(self, operation: Operation) -> None:
        """Note the int that an operation gives, or counts, if its ends are known."""
        if operation.op is for_:
            start, stop, step = operation.operands[:3]
            if constant_value(step) and self.knows(start) and self.knows(stop):
                self._known[operation.regions[0].block.args[0]] = operation
        elif operation.op.name in ("py.add", "py.sub"):
            if operation.results[0].type == INT and all(map(self.knows, operation.operands)):
                self._known[operation.results[0]] = operation
        elif self._multiplied(operation) is not None:
            self._known[operation.results[0]] = operation
        elif operation.op.name == "py.mod":
            if operation.results[0].type == INT and self._has_known_divisor(operation):
                self._known[operation.results[0]] = operation
        elif operation.op is constant:
            value = operation.attrs["value"]
            if type(value) is int and abs(value) <= _FAR:
                self._known[operation.results[0]] = operation

    def _multiplied(self, operation: Operation) -> tuple[Value, int] | None:
        """An int that is known, and by which number an operation multiplies it, if it does."""
        if operation.op.name != "py.mul":
            return None
        for value, other in (operation.operands, reversed(operation.operands)):
            times = constant_value(other)
            if type(times) is int and 0 < times <= MOST_TIMES and self.knows(value):
                return value, times
        return None

    def knows(self, value: Value) -> bool:
        """Whether an int has ends that are known before the loop."""
        return value.type == INT and (value not in self._inside or value in self._known)

    def accesses(self) -> list[Access]:
        """The accesses to elements at indexes that are all known."""
        found = map(self._access, self._operations)
        return [each for each in found if each is not None]

    def _access(self, operation: Operation) -> Access | None:
        if operation.op.name not in FIRST_INDEX:
            return None
        entries = []
        spec = operation.attrs["spec"]
        values = [index_along(operation, axis) for axis in range(len(spec))]
        for part, value in zip(spec, values, strict=True):
            if value is not None and not self.knows(value):
                return None
            entries.append(Entry(None, part) if value is None else Entry(value, 0))
        return Access(operation, tuple(entries), self._is_along_row(operation, values))

    def _is_along_row(self, operation: Operation, values: Sequence[Value | None]) -> bool:
        around = operation.parent
        while around is not None and (around.op is not for_ or is_short(around)):
            around = around.parent
        if around is None or not values or values[-1] is None:
            return False
        return self._is_made_of(values[-1], around.regions[0].block.args[0])

    def _is_made_of(self, value: Value, index: Value) -> bool:
        """Whether an int that is known is, or adds up, an index."""
        made = self._known.get(value)
        if value is index or made is None or made.op is for_:
            return value is index
        return any(self._is_made_of(each, index) for each in made.operands)

    def sums(self) -> list[Operation]:
        """The sums and differences that don't overflow where ``are_plain`` holds."""
        counted = [each for each in self._operations if is_below_another(each)]
        return [*self._sums(), *counted]

    def _sums(self) -> list[Operation]:
        """Those whose ends are known, and products."""
        names = ("py.add", "py.sub", "py.mul")
        return [each for each in self._known.values() if each.op.name in names]

    def unbroken(self) -> list[Operation]:
        """The loops in which nobody looks for signals, only between them: they are not too long."""
        known = set(self._known.values())
        found = (each for each in self._operations if each in known and is_innermost(each))
        return [each for each in found if not any(e.op is while_ for e in _all_in(each))]

    def quotients(self) -> list[Operation]:
        """Those whose divisor is known; of two ints ``/`` only if both are."""
        found = (each for each in self._operations if each.op.name in _QUOTIENTS)
        return [each for each in found if self._has_known_divisor(each)]

    def _has_known_divisor(self, operation: Operation) -> bool:
        left, right = operation.operands
        if operation.op.name != "py.truediv":
            known = constant_value(right)
            is_positive = not isinstance(known, int) or known > 0
            return left.type == INT and self.knows(right) and is_positive
        if right.type == FLOAT:
            return left.type in (INT, FLOAT) and right not in self._inside
        return self.knows(right) and (left.type == FLOAT or self.knows(left))

    # --- what it is -------------------------------------------------------------------------------

    def emit(self, cx: Context) -> None:
        """Emit the ends of all that are known; what nobody asks for LLVM leaves out."""
        self._ends = dict[Value, Ends]()
        for value, operation in self._known.items():
            self._ends[value] = self._emit(cx, operation)

    def ends(self, cx: Context, value: Value) -> Ends:
        """The smallest and the largest of what an int that is known can be."""
        return (cx.get(value).value,) * 2 if value not in self._inside else self._ends[value]

    def _emit(self, cx: Context, operation: Operation) -> Ends:
        if operation.op is constant:
            return (I64(operation.attrs["value"]),) * 2
        if operation.op.name == "py.mod":  # by what is positive, see ``are_plain``
            return I64(0), saturated(cx, "sub", self.ends(cx, operation.operands[1])[1], I64(1))
        multiplied = self._multiplied(operation)
        if multiplied is not None:  # of no more than ``_NEAR``, see ``are_plain``
            value, times = multiplied
            low, high = (cx.builder.mul(each, I64(times)) for each in self.ends(cx, value))
            return low, high
        (low, high), (small, large) = (self.ends(cx, each) for each in operation.operands[:2])
        if operation.op.name == "py.add":
            return saturated(cx, "add", low, small), saturated(cx, "add", high, large)
        if operation.op.name == "py.sub":
            return saturated(cx, "sub", low, large), saturated(cx, "sub", high, small)
        step = constant_value(operation.operands[2])
        assert isinstance(step, int)
        if step > 0:
            return low, saturated(cx, "sub", large, I64(1))
        return saturated(cx, "add", small, I64(1)), high

    def are_plain(self, cx: Context) -> Iterator[ir.Value]:
        """What must hold so that no sum overflows, no divisor is 0, and no loop is too long."""
        for loop in self.unbroken():
            low, high = self.ends(cx, loop.regions[0].block.args[0])
            length = saturated(cx, "sub", high, low)
            yield cx.builder.icmp_signed("<", length, I64(LONGEST_PIECE))
        for operation in self._sums():
            multiplied = self._multiplied(operation)
            if multiplied is not None:
                yield self._is_within(cx, multiplied[0], _NEAR)
            yield self._is_within(cx, operation.results[0], _FAR)
        for operation in self.quotients():
            left, right = operation.operands
            if right.type == FLOAT:
                yield cx.builder.fcmp_unordered("!=", cx.get(right).value, F64(0.0))
                continue
            low, high = self.ends(cx, right)
            is_positive = cx.builder.icmp_signed(">", low, I64(0))
            if operation.op.name != "py.truediv":
                yield is_positive
                continue
            yield cx.builder.or_(is_positive, cx.builder.icmp_signed("<", high, I64(0)))
            if left.type == INT:
                yield self._is_within(cx, left, EXACT)
                yield self._is_within(cx, right, EXACT)

    def _is_within(self, cx: Context, value: Value, most: int) -> ir.Value:
        low, high = self.ends(cx, value)
        above = cx.builder.icmp_signed(">=", low, I64(-most))
        return cx.builder.and_(above, cx.builder.icmp_signed("<=", high, I64(most)))

    # --- work -------------------------------------------------------------------------------------

    def rounds(self, cx: Context, loop: Operation) -> ir.Value:
        """About how many rounds a ``for`` has, as a float: half of the most if it begins or ends
        where another one is.
        """
        step = constant_value(loop.operands[2])
        if loop.regions[0].block.args[0] not in self._known or not isinstance(step, int):
            return F64(_UNKNOWN)
        builder = cx.builder
        ends = [self.ends(cx, each) for each in loop.operands[:2]]
        start, stop = (builder.fadd(*(builder.sitofp(each, F64) for each in pair)) for pair in ends)
        count = builder.fmul(builder.fsub(stop, start), F64(0.5 / step))
        is_some = builder.fcmp_ordered(">", count, F64(0.0))
        return builder.select(is_some, count, F64(0.0))

    def work(self, cx: Context, block: Block) -> ir.Value:
        """About how much work it is to go through a block, as a float."""
        total = F64(sum(map(_work_of, block.operations)))
        for operation in block.operations:
            for region in operation.regions:
                work = self.work(cx, region.block)
                if operation.op is for_:
                    work = cx.builder.fmul(work, self.rounds(cx, operation))
                elif operation.op is while_:
                    work = cx.builder.fmul(work, F64(_UNKNOWN))
                total = cx.builder.fadd(total, work)
        return total


def saturated(cx: Context, name: str, left: ir.Value, right: ir.Value) -> ir.Value:
    """A sum or difference, which ends where 64 bits do."""
    if isinstance(left, ir.Constant) and isinstance(right, ir.Constant):
        total = left.constant + right.constant if name == "add" else left.constant - right.constant
        return I64(min(max(total, -(2**63)), 2**63 - 1))
    function = declare_intrinsic(cx.module, f"llvm.s{name}.sat", I64, 2)
    return cx.builder.call(function, [left, right])


def _all_in(loop: Operation) -> Iterator[Operation]:
    return walk(loop.regions[0].block)


def _work_of(operation: Operation) -> float:
    name = operation.op.name
    if name in _NOTHING:
        return 0.0
    if is_function(operation) or name.startswith("math."):
        return _FUNCTION
    return _LONG if name in _LONG_NAMES else _SHORT


def takes_long(operation: Operation) -> bool:
    """Whether an operation is worth a look whether it is for several threads: it has a loop in it,
    or is a function.
    """
    return operation.op in (for_, while_) or _work_of(operation) == _FUNCTION
