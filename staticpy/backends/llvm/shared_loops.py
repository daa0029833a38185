"""Loops over numbers on several threads.

In: a ``for`` whose rounds are independent of each other (``passes/independence.py``). Out: the same
in parts, which the pool of threads takes one after the other, where it is worth it and what the
rounds need to be independent holds; elsewhere the loop of ``control``:

    part(frame, begin, end)     the rounds from ``begin`` on, up to ``end``
    frame                       how it went, whose call it is, the first index, what the rounds read

A part has no Python: where its code would call a kernel or leave the function, it stops, and so do
the others. That is no loss as long as nobody has seen what was written: the loop begins anew, one
round after the other, or the twin does the whole call. What others can see is written by parts that
can't stop. Only the thread that called looks for signals, also while it waits for the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from itertools import combinations, count, product

from staticpy.backends.llvm import control, ir, parts
from staticpy.backends.llvm.bounds import all_hold, is_never
from staticpy.backends.llvm.context import NULL, Context
from staticpy.backends.llvm.counting import counted
from staticpy.backends.llvm.deferred import can_ask_for_numbers_later
from staticpy.backends.llvm.forms import F64, I1, I32, I64, Native, form_of
from staticpy.backends.llvm.function import FunctionLowering
from staticpy.backends.llvm.int_divisions import floored, modulo
from staticpy.backends.llvm.layouts import are_apart, extent, is_spread
from staticpy.backends.llvm.loop_frames import (
    GIVEN,
    HANDLER_RAISED,
    HEAD,
    START,
    STOPPED,
    WAIT,
    define_part,
    forks,
    load_how,
    poll,
    without_lock,
)
from staticpy.backends.llvm.loop_ranges import Ranges, takes_long
from staticpy.backends.llvm.packing import number_at, place_at
from staticpy.backends.llvm.pool import emit_run, is_worth
from staticpy.backends.llvm.python_numbers import as_double
from staticpy.backends.llvm.status import INTERRUPTED, OVERFLOWED, RAISED
from staticpy.backends.llvm.vector_loops import may_be_vectors
from staticpy.backends.llvm.vectors import field, store_fields
from staticpy.backends.llvm.workers import IDLE, PART
from staticpy.ir import INT, Block, Operation, Value, walk
from staticpy.passes import Independence, Written, independence

_PIECE = 1 << 16
"""About so much work each part has at least."""

_TURNS = 16
"""About how many parts each thread gets: rounds may differ much."""


def for_rule(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """``for``, of which several threads may do a part each."""
    shared = _shared(cx, operation)
    if shared is None:
        return control.for_rule(cx, operation, operands)
    rest = cx.new_block()
    holds = shared.begin(rest)
    if is_never(holds):
        shared.drop()
        results = control.for_rule(cx, operation, operands)
        cx.builder.branch(rest)
        cx.go_to(rest)
        return results
    if cx.may_leave_out(operation):
        shared.emit(holds, None, rest)
        cx.go_to(rest)
        return []
    serial, cx.has_serial_loops = cx.new_block("serial"), True
    shared.emit(holds, serial, rest)
    cx.go_to(serial)
    with shared.alone():
        results = control.for_rule(cx, operation, operands)
    cx.builder.branch(rest)
    cx.go_to(rest)
    return results


def _shared(cx: Context, loop: Operation) -> _SharedLoop | None:
    """A loop that may be done in parts, which are emitted."""
    if not isinstance(cx, FunctionLowering) or not cx.shares_loops:
        return None
    found = independence(loop)
    if found is None or not any(map(takes_long, walk(loop.regions[0].block))):
        return None
    read = dict.fromkeys(_read_in(loop.regions[0].block))
    given = {value: cx.get(value) for value in read if value not in found.inside}
    numbers = all(form_of(each.type).is_scalar for each in found.inside)
    fits = all(each.form.is_scalar or each.form.kind == "array" for each in given.values())
    if not numbers or not fits or not all(each.type == INT for each, _ in found.others):
        return None
    shared = _SharedLoop(cx, loop, found, given)
    return shared if shared.is_allowed else None


def _read_in(block: Block) -> Iterator[Value]:
    for operation in walk(block):
        yield from operation.operands


class _SharedLoop:
    """A loop whose rounds, which read what is ``given``, are a function of their own."""

    def __init__(
        self,
        cx: FunctionLowering,
        loop: Operation,
        found: Independence,
        given: Mapping[Value, Native],
    ) -> None:
        self._cx, self.loop, self._found, self.given = cx, loop, found, given
        self.read, self.can_run_again = found.read, cx.can_run_again
        self.ranges = Ranges(loop, found.inside)
        self.accesses = self.ranges.accesses()
        self._parts = [part for each in given.values() for part in each.parts if _changes(part)]
        self.frame = ir.LiteralStructType([*HEAD, *(part.type for part in self._parts)])
        self._shows = any(each in cx.visible_operations for each in walk(loop.regions[0].block))
        self._before = dict(cx.rounds_module.globals)
        self._name = f"rounds.{cx.calls}"
        type_ = ir.FunctionType(I32, PART.args)
        self._body = ir.Function(cx.rounds_module, type_, self._name)
        self._body.linkage = "internal"
        self._rounds = _Rounds(cx, self, self._body)
        if self.is_allowed:
            cx.warns |= self._rounds.warns
            cx.sets_flags |= self._rounds.sets_flags
            cx.calls += 1
        else:
            self.drop()

    @property
    def is_allowed(self) -> bool:
        """Whether nobody can tell that there are parts: what others see, they do to the end. They
        are of no use where they always call a kernel. What can't be done again is left to the twin,
        which is slow: where a kernel may have to help now and then, the loop is better left as it
        is.
        """
        if self._rounds.calls:
            return False
        if not self._rounds.can_stop:
            return True
        return self._cx.can_run_again and (self._found.repeats or not self._rounds.has_kernels)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """The loops within the loop have one form, for what the parts can't do."""
        self._cx.shares_loops = self._cx.looks_ahead = False
        yield
        self._cx.shares_loops = self._cx.looks_ahead = True

    def begin(self, rest: ir.Block) -> ir.Value:
        """Go to ``rest`` if there are no rounds. Whether all of them can be done in parts."""
        cx, some = self._cx, self._cx.new_block("some")
        start, stop = self._ends()
        cx.builder.cbranch(cx.builder.icmp_signed("<", start, stop), some, rest)
        cx.go_to(some)
        self.ranges.emit(cx)
        return reduce(cx.builder.and_, self._conditions(), I1(1))

    def drop(self) -> None:
        """Leave no part of it."""
        self._cx.rounds_module.globals.clear()
        self._cx.rounds_module.globals.update(self._before)

    def emit(self, holds: ir.Value, serial: ir.Block | None, rest: ir.Block) -> None:
        """Do all rounds, and go to ``rest``; or nothing that counts, and go to ``serial``, or leave
        it to another edition.
        """
        cx, shared = self._cx, self._cx.new_block("shared")
        if serial is None:
            cx.leave_out_unless(holds)
            cx.builder.branch(shared)
        else:
            cx.builder.cbranch(holds, shared, serial)
        cx.go_to(shared)
        how = self._run()
        builder = cx.builder
        is_raised = builder.icmp_signed("!=", builder.and_(how, I32(HANDLER_RAISED)), I32(0))
        cx.exit_if(is_raised, INTERRUPTED)
        has_stopped = cx.builder.icmp_signed("!=", how, I32(0))
        if self._found.repeats and serial is not None:
            cx.builder.cbranch(has_stopped, serial, rest)
            return
        if self._found.repeats:
            cx.leave_out_unless(cx.builder.not_(has_stopped))
        else:
            cx.exit_if(has_stopped, OVERFLOWED)
        cx.builder.branch(rest)

    # --- whether ----------------------------------------------------------------------------------

    def _conditions(self) -> Iterator[ir.Value]:
        """What must hold so that the rounds are independent and their accesses need no look."""
        cx, builder = self._cx, self._cx.builder
        start, stop = self._ends()
        yield builder.icmp_signed(">", builder.sub(stop, start), I64(0))  # not too far apart
        yield from self.ranges.are_plain(cx)
        yield all_hold(cx, self.accesses, partial(self.ranges.ends, cx))
        for written in self._found.written:
            yield from self._has_places(written)
        for other, _ in self._found.others:
            yield builder.icmp_signed(">=", cx.get(other).value, I64(0))
        arrays = [each.array for each in self._found.written]
        pairs = [*combinations(arrays, 2), *product(arrays, self._found.read)]
        extents = {each: self._extent(each) for each in (*arrays, *self._found.read)}
        for one, other in pairs:
            yield are_apart(builder, extents[one], extents[other])

    def _ends(self) -> list[ir.Value]:
        return [self._cx.get(each).value for each in self.loop.operands[:2]]

    def _has_places(self, written: Written) -> Iterator[ir.Value]:
        """That each round has a place of its own, and writes nowhere else."""
        builder = self._cx.builder
        start, _ = self._ends()
        yield builder.icmp_signed(">=", start, I64(-written.offset))
        array = self._cx.get(written.array)
        assert array.form.dtype is not None
        yield is_spread(builder, array.sizes, array.strides, array.form.dtype.itemsize)

    def _extent(self, value: Value) -> tuple[ir.Value, ir.Value]:
        array = self._cx.get(value)
        assert array.form.dtype is not None
        itemsize = array.form.dtype.itemsize
        return extent(self._cx.builder, array.data, array.sizes, array.strides, itemsize)

    # --- how --------------------------------------------------------------------------------------

    def _run(self) -> ir.Value:
        """Do all rounds: how it went."""
        cx, builder = self._cx, self._cx.builder
        if self._shows:
            cx.mark_visible()
        frame = cx.variable(self.frame)
        ends = self._ends()
        caller = cx.call("PyThread_get_thread_ident")
        head = (I32(0), caller, forks(builder), ends[0], NULL, I64(0))
        store_fields(builder, frame, self.frame, (*head, *self._parts))
        name = define_part(self._body, self._name)
        part = cx.module.declared(name, PART)
        work = self.ranges.work(cx, self.loop.regions[0].block)
        if not self._found.others:
            self._run_piece(part, frame, ends, work)
            return load_how(builder, frame)
        table = cx.variable(ir.ArrayType(I64, 4))
        for number, end in enumerate(self._pieces()):
            builder.store(end, place_at(builder, table, I64(number)))
        with counted(builder, I64(0), I64(3)) as piece:
            ends = [number_at(builder, table, builder.add(piece, I64(each))) for each in (0, 1)]
            with builder.if_then(builder.icmp_signed("<", *ends)):
                builder.store(ends[0], field(builder, frame, self.frame, START))
                self._run_piece(part, frame, ends, work)
        return load_how(builder, frame)

    def _pieces(self) -> list[ir.Value]:
        """The ends of the pieces before and after the round that writes where all others read, and
        of that; of one piece if there is no such round.
        """
        cx, builder = self._cx, self._cx.builder
        ((other, offset),) = self._found.others
        start, stop = self._ends()
        round_ = builder.sub(cx.get(other).value, I64(offset))
        is_one = builder.and_(
            builder.icmp_signed(">=", round_, start), builder.icmp_signed("<", round_, stop)
        )
        after = builder.add(round_, I64(1))
        return [start, *(builder.select(is_one, each, stop) for each in (round_, after)), stop]

    def _run_piece(
        self, part: ir.Function, frame: ir.Value, ends: Sequence[ir.Value], work: ir.Value
    ) -> None:
        """Do rounds that are independent, by the pool if it is worth it."""
        cx, builder = self._cx, self._cx.builder
        rounds = builder.sub(ends[1], ends[0])
        total = builder.fmul(work, builder.sitofp(rounds, F64))
        is_shared = self._is_worth(total)
        idle = cx.module.declared(WAIT, IDLE)
        with builder.if_else(is_shared) as (then, otherwise):
            with then:
                few = builder.fptosi(builder.fdiv(F64(float(_PIECE)), work), I64)
                turns = (builder.add(few, I64(1)), I64(_TURNS), I64(0))
                with cx.with_lock(), without_lock(builder, frame):
                    emit_run(builder, part, frame, rounds, *turns, idle=idle)
            with otherwise:
                builder.call(part, [frame, I64(0), rounds])

    def _is_worth(self, total: ir.Value) -> ir.Value:
        """Whether rounds of so much work are done by the pool."""
        cx, builder = self._cx, self._cx.builder
        found = cx.variable(I1)
        builder.store(I1(0), found)
        least, most = (float(each) for each in (min(parts.LEAST_WORK, parts.WORK), parts.WORK))
        with builder.if_then(builder.fcmp_ordered(">", total, F64(least))):
            is_long = builder.fcmp_ordered(">", total, F64(most))
            some = builder.select(is_long, F64(most), total)
            length = builder.fptosi(builder.fmul(some, F64(parts.CYCLES / most)), I64)
            builder.store(is_worth(builder, is_long, length), found)
        return builder.load(found, typ=I1)


def _changes(part: ir.Value) -> bool:
    """Whether something is known no sooner than the program runs."""
    return not isinstance(part, ir.Constant)


class _Rounds(FunctionLowering):
    """Emits ``rounds(frame, begin, end)``, which gives whether it has stopped.

    Attributes:
        can_stop: whether it may.
        has_kernels: whether it would have called a kernel that may give a result.
    """

    shares_loops = False

    def __init__(
        self,
        outer: FunctionLowering,
        shared: _SharedLoop,
        body: ir.Function,
    ) -> None:
        self._outer, self._shared, self._quotients = outer, shared, set(shared.ranges.quotients())
        self.can_stop = self.has_kernels = False
        same = (outer.function, outer.kernels, outer.rules, outer.visible_operations)
        super().__init__(outer.rounds_module, *same, body)

    def lower(self) -> None:
        """See FunctionLowering."""
        self.can_run_again = self._shared.can_run_again
        self.writeable = self._outer.writeable
        frame, begin, end = self.body.args
        numbers = count(GIVEN)
        for value, native in self._shared.given.items():
            parts_ = (
                self._field(frame, next(numbers)) if _changes(each) else each
                for each in native.parts
            )
            self.set(value, Native(native.form, tuple(parts_)))
        self.checked = {each.operation: each for each in self._shared.accesses}
        self.within = set(self._shared.ranges.sums())
        self.unbroken = self._shared.ranges.unbroken()
        start = self._field(frame, START)
        first, last = (self.builder.add(start, each) for each in (begin, end))
        self.operation = loop = self._shared.loop
        if may_be_vectors(self, loop) and can_ask_for_numbers_later(self, loop):
            self.overflown = self.variable(I64)
        control.rounds(self, self.operation, [], (first, last, I64(1)))
        self.finish(I32(0))

    def _field(self, frame: ir.Value, number: int) -> ir.Value:
        place = field(self.builder, frame, self._shared.frame, number)
        return self.builder.load(place, typ=self._shared.frame.elements[number])

    def _by_rule(self, operation: Operation) -> Sequence[Native] | None:
        """Quotients whose divisor isn't 0 are not looked at."""
        if operation not in self._quotients:
            return super()._by_rule(operation)
        left, right = self.operands()
        form = form_of(operation.results[0].type)
        if operation.op.name == "py.truediv":
            quotient = self.builder.fdiv(as_double(self, left), as_double(self, right))
            return [Native(form, (quotient,))]
        divided = partial(floored, self.builder)
        if operation.op.name == "py.mod":
            return [Native(form, (modulo(self, left.value, right.value, divided),))]
        return [Native(form, (divided(left.value, right.value)[0],))]

    def note(self, builder: ir.IRBuilder, code: int) -> None:
        """A part that ends as another has stopped has nothing to say."""
        if code in (RAISED, OVERFLOWED):
            builder.store(I32(STOPPED), self._result)

    def are_apart(self, written: Value, read: Value) -> bool:
        """See Context."""
        return read in self._shared.read

    def is_not_negative(self, value: Value, operation: Operation) -> bool:
        """See Context."""
        return self._outer.is_not_negative(value, operation)

    def exit(self, code: int) -> None:
        """See Context."""
        self.can_stop |= code != INTERRUPTED
        super().exit(code)

    def exit_if(self, condition: ir.Value, code: int, *, is_whole: bool = False) -> None:
        """See Context."""
        self.can_stop |= code != INTERRUPTED
        super().exit_if(condition, code, is_whole=is_whole)

    def kernel(self, *, is_rare: bool = False) -> Sequence[Native]:
        """Stop: what comes after is never reached."""
        self.has_kernels = True
        self.exit(RAISED)
        self.go_to(self.new_block())
        forms = [form_of(each.type) for each in self.operation.results]
        return [Native(form, tuple(part(None) for part in form.parts)) for form in forms]

    def refuse(self) -> None:
        """Nothing, as the function is left next."""

    def pin_flags(self, value: ir.Value) -> None:
        """Nothing, which would keep a loop from being vectors."""

    @contextmanager
    def without_lock(self) -> Iterator[None]:
        """What runs the parts sees to that."""
        yield

    @contextmanager
    def with_lock(self) -> Iterator[None]:
        """Nothing, as no part needs it."""
        yield

    def interrupted(self) -> ir.Value:
        """Whether the parts are to stop."""
        return poll(self.builder, self.body.args[0])
