"""Constants and control flow in LLVM's terms.

In: ``constant``, ``undef``, ``if``, ``while``, ``for``. Out: blocks and branches. What branches
give and loops carry is kept in variables, of which LLVM makes registers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.bit_loops import bit_loop, leave_unless_it_ends
from staticpy.backends.llvm.bounds import Access, accesses_of, all_hold, is_never
from staticpy.backends.llvm.breaks import place_of_break
from staticpy.backends.llvm.capi import declare_object
from staticpy.backends.llvm.carried import Carried
from staticpy.backends.llvm.clashes import clashes
from staticpy.backends.llvm.constants import Constants
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.counters import FAR, counters
from staticpy.backends.llvm.deferred import (
    can_ask_for_numbers_later,
    can_ask_later,
    leave_if_overflown,
)
from staticpy.backends.llvm.either_stores import store_either, stores_of_one_element
from staticpy.backends.llvm.forms import I1, I32, I64, Native, form_of
from staticpy.backends.llvm.handed_on import handed_on
from staticpy.backends.llvm.polling import Pieces, check_signals, count_rounds, poll
from staticpy.backends.llvm.positions import Ends
from staticpy.backends.llvm.records import OFTEN, RARE, side_of_records
from staticpy.backends.llvm.selects import chooses_elements, is_select, selected
from staticpy.backends.llvm.short_loops import is_short, is_slow, only_counts
from staticpy.backends.llvm.status import OVERFLOWED, ROUNDS
from staticpy.backends.llvm.steady import (
    knowing_steady,
    read_steady,
    rely_on,
    steady_reads,
)
from staticpy.backends.llvm.vector_loops import may_be_vectors
from staticpy.backends.llvm.vectors import declare_intrinsic
from staticpy.ir import Block, Operation, Value

_LARGEST_STEP = 1 << 32
"""By more than that an index isn't added to piece by piece: it would leave 64 bits."""


def constant_rule(constants: Constants) -> Rule:
    """The rule for ``constant``, whose objects are kept among ``constants``."""

    def rule(cx: Context, operation: Operation, _: Sequence[Native]) -> Sequence[Native] | None:
        value = operation.attrs["value"]
        form = form_of(operation.results[0].type)
        if not form.is_scalar:
            return [Native(form, (constants.load(cx, value),))]
        if form.kind == "int" and not -(2**63) <= value < 2**63:
            return None
        number = value.item() if form.dtype is not None else value
        if form.kind == "unsigned" and number >= 2**63:
            number -= 2**64  # the same bits
        return [Native(form, (ir.Constant(form.parts[0], _literal(form.parts[0], number)),))]

    return rule


def _literal(type_: ir.Type, number: int | float | complex) -> Any:
    if isinstance(number, complex):
        assert isinstance(type_, ir.VectorType)
        return [type_.element(part) for part in (number.real, number.imag)]
    return float(number) if isinstance(type_, ir.FloatType | ir.DoubleType) else int(number)


def undef_rule(cx: Context, operation: Operation, _: Sequence[Native]) -> Sequence[Native]:
    """``undef``: nobody reads it, but it may be handed on; as an object it is None."""
    form = form_of(operation.results[0].type)
    zeros = [part(None) for part in form.parts]
    if not form.is_scalar:
        zeros[0] = declare_object(cx.module, "_Py_NoneStruct")
    return [Native(form, tuple(zeros))]


def if_rule(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native]:
    """``if``: each branch stores what it gives, or both are computed."""
    rare = side_of_records(operation)
    if (rare is None or cx.can_run_again) and is_select(operation):
        return selected(cx, operation, operands[0].value)
    if rare is None and chooses_elements(cx, operation):
        return selected(cx, operation, operands[0].value)
    stores = stores_of_one_element(cx, operation)
    if stores is not None:
        store_either(cx, stores, operands[0].value)
        return []
    merged = [Carried(cx, value.type) for value in operation.results]
    blocks = [cx.new_block("then"), cx.new_block("else")]
    after = cx.new_block()
    branch = cx.builder.cbranch(operands[0].value, *blocks)
    if rare is not None:
        branch.set_weights([RARE if side == rare else OFTEN for side in (0, 1)])
    for block, region in zip(blocks, operation.regions, strict=True):
        cx.go_to(block)
        _enter_and_yield(cx, region.block, merged)
        cx.builder.branch(after)
    cx.go_to(after)
    return [each.get() for each in merged]


def _enter_and_yield(cx: Context, block: Block, targets: Sequence[Carried], skip: int = 0) -> None:
    """Lower a block, and store what it yields, all at once."""
    terminator = cx.block(block)
    _store(cx, terminator.operands[skip:], targets)
    cx.let_go(_made_in(block))


def _store(cx: Context, values: Sequence[Value], targets: Sequence[Carried]) -> None:
    pairs = list(zip(values, targets, strict=True))
    prepared = [target.prepared(cx.unforeseen(cx.get(value))) for value, target in pairs]
    for native, (_, target) in zip(prepared, pairs, strict=True):
        target.set(native)


def _made_in(block: Block) -> list[Value]:
    """What a block has made and its terminator was the last to read."""
    return [
        value
        for value in dict.fromkeys(block.terminator.operands)
        if value.defining_op is not None and value.defining_op.block is block
    ]


def while_rule(cx: Context, operation: Operation, operands: Sequence[Native]) -> Sequence[Native]:
    """``while``: ``before`` at the head, which forwards values to ``after`` or to the results."""
    before, after = (region.block for region in operation.regions)
    carried = [Carried(cx, argument.type) for argument in before.args]
    forwarded = [Carried(cx, value.type) for value in operation.results]
    for native, target in zip(operands, carried, strict=True):
        target.set(target.prepared(cx.unforeseen(native)))
    head, body, rest = (cx.new_block(name) for name in ("head", "body", "rest"))
    pieces = None
    begin = partial(_begin_counting, cx, operation, carried)
    if only_counts(operation) or is_slow(operation):
        cx.builder.branch(head)
    elif (bits := bit_loop(operation)) is not None:
        begin()
        leave_unless_it_ends(cx, bits, carried)
        cx.builder.branch(head)
    else:
        pieces = Pieces(cx, head, begin)
    cx.go_to(head)
    _bind(cx, before, carried)
    terminator = cx.block(before)
    condition = cx.get(terminator.operands[0]).value
    _store(cx, terminator.operands[1:], forwarded)
    cx.let_go(_made_in(before))
    cx.builder.cbranch(condition, body, rest)
    cx.go_to(body)
    _bind(cx, after, forwarded)
    _enter_and_yield(cx, after, carried)
    if (stop := place_of_break(operation)) is not None:
        again, over = cx.new_block(), cx.new_block("over")
        cx.builder.cbranch(carried[stop].get().value, over, again)
        cx.go_to(over)
        _bind(cx, before, carried)
        _store(cx, terminator.operands[1:], forwarded)
        cx.builder.branch(rest)
        cx.go_to(again)
    if pieces is not None:
        pieces.go_on()
    else:
        if is_slow(operation):
            poll(cx, operation)
        cx.builder.branch(head)
    cx.go_to(rest)
    if pieces is not None and operation.parent is not None:
        pieces.count()
    return [each.get() for each in forwarded]


def _begin_counting(cx: Context, loop: Operation, carried: Sequence[Carried]) -> None:
    """Before a piece of a loop: where what it counts is far from the ends of 64 bits, it doesn't
    leave them; elsewhere all is done again by the twin, which may be for nothing.
    """
    if not cx.can_run_again:
        return
    for place, sums in counters(loop):
        if cx.within.issuperset(sums):
            continue
        number = cx.builder.add(carried[place].get().value, I64(FAR))
        cx.exit_if(cx.builder.icmp_signed("<", number, I64(0)), OVERFLOWED)
        cx.within.update(sums)


def _bind(cx: Context, block: Block, carried: Sequence[Carried]) -> None:
    """The arguments of a block are what the variables hold now."""
    for argument, target in zip(block.args, carried, strict=True):
        cx.set(argument, target.get())


def for_rule(
    cx: Context, operation: Operation, operands: Sequence[Native]
) -> Sequence[Native] | None:
    """``for`` over a range: the count is known before the first round."""
    if not all(native.form.kind == "int" for native in operands[:3]):
        return None
    start, stop, step = (native.value for native in operands[:3])
    is_known = isinstance(step, ir.Constant) and bool(step.constant)
    cx.require(I1(1) if is_known else cx.builder.icmp_signed("!=", step, I64(0)))
    block = operation.regions[0].block
    carried = [Carried(cx, value.type) for value in operation.results]
    for native, target in zip(operands[3:], carried, strict=True):
        target.set(target.prepared(cx.unforeseen(native)))
    index, within = block.args[0], accesses_of(operation)
    range_, before = (start, stop, step), steady_reads(cx, index, within)
    if all(each.operation in cx.checked for each in within):
        with knowing_steady(cx), _knowing(cx, operation, within, step):
            read_steady(cx, before)
            rely_on(cx, before, within)
            rounds(cx, operation, carried, range_, within)
        return [each.get() for each in carried]
    ends = _ends(cx.builder, start, stop, step)

    def ends_of(value: Value) -> Ends:
        return ends if value is index else (cx.get(value).value,) * 2

    unchecked = [each for each in before or within if each.operation not in cx.checked]
    holds = all_hold(cx, unchecked, ends_of) if cx.looks_ahead else I1(0)
    if is_never(holds):
        with _knowing(cx, operation, (), step):
            rounds(cx, operation, carried, range_)
        return [each.get() for each in carried]
    slow = None if cx.may_leave_out(operation) else cx.new_block("asking")
    with knowing_steady(cx):
        if before:
            _go_on_if(cx, holds, "steady", slow)
            read_steady(cx, before)
            within = accesses_of(operation, [each.operation.result for each in before])
            rely_on(cx, before, within)
            unchecked = [each for each in within if each.operation not in cx.checked]
            holds = all_hold(cx, unchecked, ends_of)
        _go_on_if(cx, holds, "quick", slow)
        with _knowing(cx, operation, within, step):
            rounds(cx, operation, carried, range_, within)
    if slow is not None:
        rest = cx.new_block("rest")
        cx.builder.branch(rest)
        cx.go_to(slow)
        with _knowing(cx, operation, (), step):
            rounds(cx, operation, carried, range_)
        cx.builder.branch(rest)
        cx.go_to(rest)
    return [each.get() for each in carried]


def _go_on_if(cx: Context, condition: ir.Value, name: str, slow: ir.Block | None) -> None:
    """Go to ``slow`` where a condition doesn't hold, or to the edition that has such a form."""
    if slow is None:
        cx.leave_out_unless(condition)
        return
    block = cx.new_block(name)
    cx.builder.cbranch(condition, block, slow)
    cx.go_to(block)


@contextmanager
def _knowing(
    cx: Context, loop: Operation, accesses: Sequence[Access], step: ir.Value
) -> Iterator[None]:
    """Within, these accesses of a loop need no checks, its rounds hand on what they can, and of
    integers that it adds up it asks later whether one has overflowed, if it can.
    """
    outside = cx.checked, cx.handed_on, cx.overflown, set(cx.within), cx.makes_vectors
    cx.checked = {**{each.operation: each for each in accesses}, **cx.checked}
    cx.handed_on = cx.overflown = None
    if accesses and isinstance(step, ir.Constant):
        cx.handed_on = handed_on(cx, loop, accesses, step.constant)
    held = {each.operation for each in accesses if each.entries is not None}
    cx.within = cx.within.union(*(each.sums for each in accesses))
    if held and cx.can_run_again and cx.handed_on is None and can_ask_later(loop, held):
        cx.overflown = cx.variable(I64)
    cx.makes_vectors = may_be_vectors(cx, loop)
    if cx.makes_vectors and cx.overflown is None and can_ask_for_numbers_later(cx, loop):
        cx.overflown = cx.variable(I64)
    yield
    cx.checked, cx.handed_on, cx.overflown, cx.within, cx.makes_vectors = outside


def _ends(
    builder: ir.IRBuilder, start: ir.Value, stop: ir.Value, step: ir.Value
) -> tuple[ir.Value, ir.Value]:
    """The smallest and largest index that a range can have."""
    up = start, builder.sub(stop, I64(1))
    down = builder.add(stop, I64(1)), start
    if isinstance(step, ir.Constant):
        return up if step.constant > 0 else down
    is_up = builder.icmp_signed(">", step, I64(0))
    low, high = (builder.select(is_up, *pair) for pair in zip(up, down, strict=True))
    return low, high


def _length(builder: ir.IRBuilder, start: ir.Value, stop: ir.Value, step: ir.Value) -> ir.Value:
    """How many indexes a range has, up to more than anybody counts."""
    is_up = builder.icmp_signed(">", step, I64(0))
    low, high = builder.select(is_up, start, stop), builder.select(is_up, stop, start)
    magnitude = builder.select(is_up, step, builder.sub(I64(0), step))
    last = builder.udiv(builder.sub(builder.sub(high, low), I64(1)), magnitude)
    most = I64(2**63 - 2)
    is_short = builder.icmp_unsigned("<", last, most)
    length = builder.add(builder.select(is_short, last, most), I64(1))
    return builder.select(builder.icmp_signed("<", low, high), length, I64(0))


def rounds(
    cx: Context,
    operation: Operation,
    carried: Sequence[Carried],
    range_: tuple[ir.Value, ir.Value, ir.Value],
    accesses: Sequence[Access] = (),
) -> None:
    """The rounds of a ``for``, of which ``carried`` holds what one gives to the next, and whose
    ``accesses`` need no checks.
    """
    start, stop, stride = range_
    block = operation.regions[0].block
    step, place = ir.Constant(I64, 1), None
    if isinstance(stride, ir.Constant) and abs(stride.constant) <= _LARGEST_STEP:
        step = stride
    else:  # to which of two ends it goes isn't asked in each round
        place = cx.variable(I64)
        cx.builder.store(start, place)
        start, stop = I64(0), _length(cx.builder, start, stop, stride)
    index, first = cx.variable(I64), cx.variable(I64)
    cx.builder.store(start, index)
    head, body, rest = (cx.new_block(name) for name in ("head", "body", "rest"))
    limit, end, is_cut, is_counted = stop, rest, not is_slow(operation), False
    if is_cut:
        cuts = [] if cx.handed_on else clashes(cx, block.args[0], accesses, step.constant)
        is_one = is_short(operation) or operation in cx.unbroken
        is_counted = not is_one and operation.parent is not None
        pieces = _Cuts(is_one, cuts, lambda: _begin_counting(cx, operation, carried))
        limit, end = _pieces(cx, (index, first), (stop, step), (head, rest), pieces)
    else:
        cx.builder.branch(head)
    cx.go_to(head)
    now = cx.builder.load(index, typ=I64)
    cx.builder.cbranch(_goes_on(cx.builder, now, limit, step), body, end)
    cx.go_to(body)
    if cx.handed_on is not None:
        cx.handed_on.begin_round(now)
    current = now
    if place is not None:
        current = cx.builder.load(place, typ=I64)
        cx.builder.store(cx.builder.add(current, stride), place)
    cx.set(block.args[0], Native(form_of(block.args[0].type), (current,)))
    for argument, target in zip(block.args[1:], carried, strict=True):
        cx.set(argument, target.get())
    breaks = bool(operation.attrs["breaks"])
    _enter_and_yield(cx, block, carried, skip=int(breaks))
    if not is_cut:
        poll(cx, operation)
    _next_round(cx, block, (index, now, step), (head, rest), breaks)
    cx.go_to(rest)
    if is_counted:  # those since signals were looked for last
        done = cx.builder.sub(*(cx.builder.load(each, typ=I64) for each in (index, first)))
        count_rounds(cx, cx.builder.trunc(cx.builder.sdiv(done, step), I32))


class _Cuts(NamedTuple):
    """How a loop is cut into pieces.

    Attributes:
        is_one: whether it is one, so that nobody looks for signals.
        clashes: the rounds that are pieces of their own.
        begin: emits what is looked at before each.
    """

    is_one: bool
    clashes: Sequence[ir.Value]
    begin: Callable[[], None]


def _pieces(
    cx: Context,
    variables: tuple[ir.Value, ir.Value],
    range_: tuple[ir.Value, ir.Constant],
    targets: tuple[ir.Block, ir.Block],
    cuts: _Cuts,
) -> tuple[ir.Value, ir.Block]:
    """Cut a loop into pieces, between which signals are looked for: so each stays a loop with a
    known count, of which LLVM makes vectors. The ``variables`` hold the index, and the first one of
    a piece.

    Returns:
        up to where a piece goes, and the block for its end.
    """
    (index, first), (stop, step), (head, rest) = variables, range_, targets
    start, end, pause = (cx.new_block(name) for name in ("piece", "end", "pause"))
    length = I64(step.constant * ROUNDS)
    cx.builder.store(cx.builder.load(index, typ=I64), first)
    cx.builder.branch(start)
    cx.go_to(start)
    cuts.begin()
    if cx.overflown is not None:
        cx.builder.store(I64(0), cx.overflown)
    now = cx.builder.load(first, typ=I64)
    cx.builder.store(now, index)
    # As the smaller of two numbers, so that LLVM sees that it is none beyond the end.
    saturated = declare_intrinsic(cx.module, "llvm.sadd.sat", I64, 2)
    far = stop if cuts.is_one else cx.builder.call(saturated, [now, length])
    limit = whole = cx.builder.select(_goes_on(cx.builder, far, stop, step), far, stop)
    for clash in cuts.clashes:
        limit = _up_to(cx, now, limit, clash)
    if cx.handed_on is not None:
        with cx.on(_goes_on(cx.builder, now, limit, step), "hand"):
            cx.handed_on.begin_piece(now)
    cx.builder.branch(head)
    cx.go_to(end)
    leave_if_overflown(cx)
    if cuts.clashes:
        is_cut, over = cx.builder.icmp_signed("<", limit, whole), cx.new_block()
        cx.builder.store(limit, first)
        cx.builder.cbranch(is_cut, start, over)
        cx.go_to(over)
    is_left = _goes_on(cx.builder, far, stop, step)
    cx.builder.cbranch(is_left, pause, rest).set_weights([1, ROUNDS])
    cx.go_to(pause)
    check_signals(cx)
    cx.builder.store(cx.builder.add(now, length, flags=("nsw",)), first)
    cx.builder.branch(start)
    return limit, end


def _up_to(cx: Context, now: ir.Value, limit: ir.Value, clash: ir.Value) -> ir.Value:
    """Up to where a piece goes that begins ``now``: before a round, after it, or to its limit."""
    builder = cx.builder
    is_now = builder.icmp_signed("==", now, clash)
    after = builder.select(is_now, builder.add(clash, I64(1)), limit)
    end = builder.select(builder.icmp_signed("<", now, clash), clash, after)
    return builder.select(builder.icmp_signed("<", end, limit), end, limit)


def _goes_on(builder: ir.IRBuilder, now: ir.Value, stop: ir.Value, step: ir.Constant) -> ir.Value:
    """Whether an index is one of the range."""
    return builder.icmp_signed("<" if step.constant > 0 else ">", now, stop)


def _next_round(
    cx: Context,
    block: Block,
    counter: tuple[ir.Value, ir.Value, ir.Constant],
    targets: tuple[ir.Block, ir.Block],
    breaks: bool,
) -> None:
    """Count, and go to the head; out where the body says so, or the index would overflow."""
    index, now, step = counter
    head, rest = targets
    builder = cx.builder
    if breaks:
        stops = cx.get(block.terminator.operands[0]).value
        again = cx.new_block()
        builder.cbranch(stops, rest, again)
        cx.go_to(again)
    if abs(step.constant) == 1:
        builder.store(builder.add(now, step, flags=("nsw",)), index)  # stops short of the end
        builder.branch(head)
        return
    sum_ = builder.sadd_with_overflow(now, step)
    builder.store(builder.extract_value(sum_, 0), index)
    builder.cbranch(builder.extract_value(sum_, 1), rest, head)
