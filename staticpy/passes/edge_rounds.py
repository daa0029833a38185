"""The first and the last round of a loop over numbers go before it and behind it, where they do
something else than the others.

In: a Module, and which types of numbers a backend computes with. Out: the same Module. No pass of
the pipeline: to Python the loop is as good, and it is what the user wrote.

Before:
    %r = for %0, %n, %1, %s : f64 (%j: int, %a: f64) {
      %2 = py.eq %j, %0 : bool
      %3 = if %2 : f64 { region_yield %a } { ... }          ``x[j - 1]``
      region_yield %3
    }
After:
    %2 = py.lt %0, %n : bool
    %3 = if %2 : f64 { region_yield %s } { region_yield %s }
    %r = for %1, %n, %1, %3 : f64 (%j: int, %a: f64) { ... }

What is left asks nothing. So a backend sees that ``x[j - 1]`` is what the round before has written,
and keeps it in a register, or takes neighbours together. The first round may ask as well, or read
``x[j - 1]``, which is the last element there, or take ``(j - 1) % n``; the last one of ``range(n)``
may ask for ``n - 1`` or take ``(j + 1) % n``. Where each round computes ``a / dx**2`` the first one
finds out whether that raises, and the others have its number.

A loop in which others are is not worth that: what one of these asks about the index of another
loop is the same in all of its rounds.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from staticpy.ir import (
    BOOL,
    FLOAT,
    INT,
    Builder,
    Module,
    Operation,
    Type,
    UnionType,
    Value,
    builder_before,
    copy_body,
    rewriter,
    walk,
)
from staticpy.ops import (
    REGISTRY,
    Effect,
    as_value,
    compare,
    constant,
    constant_value,
    for_,
    if_,
    region_yield,
    store,
    while_,
)
from staticpy.passes.dce import dce
from staticpy.passes.effects import effects_by_op, reads_memory
from staticpy.passes.fold import fold
from staticpy.passes.independence import FIRST_INDEX, index_along, offset_from

_ROUNDS = 2
"""How many rounds may be taken at an edge."""

_MOST = 200
"""Of how many operations these may be: each is compiled once more."""

_SEEN = _ROUNDS + 2
"""How many rounds are looked at there: those that come then are like the last of them."""

_NONE: dict[Type, int | float] = {INT: 0, FLOAT: 0.0}
"""What stands for a number that no round has computed."""

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    f"py.{name}": getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


class Known(NamedTuple):
    """What an operation gives in all rounds but some at an edge.

    Attributes:
        answer: a bool, or a value; None where it isn't replaced.
        rounds: how many there are at the edge.
    """

    operation: Operation
    answer: bool | Value | None
    rounds: int


def edge_rounds_apart(module: Module, is_number: Callable[[Type], bool]) -> None:
    """Take the first and the last rounds out of the innermost loops of ``module`` that compute with
    numbers, those for whose types ``is_number`` holds, and elements of arrays, where they differ.
    """
    changed = [
        _take_edges(loop)
        for function in module.functions.values()
        for loop in list(walk(function.block))
        if loop.op is for_ and is_simple(loop, is_number)
    ]
    if any(changed):
        fold(module)
        dce(module)


def is_simple(loop: Operation, is_number: Callable[[Type], bool]) -> bool:
    """Whether a loop has no other in it, and its rounds only compute with numbers and elements, of
    one type each: a branch that is taken away may have been why one had several.
    """
    block = loop.regions[0].block
    carried = zip(block.args[1:], loop.operands[3:], loop.results, strict=True)
    keeps_types = all(
        one.type == other.type == result.type and not isinstance(one.type, UnionType)
        for one, other, result in carried
    )
    return keeps_types and all(_is_plain(each, is_number) for each in walk(block))


def _is_plain(operation: Operation, is_number: Callable[[Type], bool]) -> bool:
    made = [result.type for result in operation.results]
    if operation.op is store:
        made.append(operation.operands[1].type)
    are_numbers = all(is_number(each) and not isinstance(each, UnionType) for each in made)
    return operation.op not in (for_, while_) and are_numbers


# --- what is known of the others ------------------------------------------------------------------


def _but_first(loop: Operation) -> list[Known]:
    """What all rounds know but the first ones, of a loop that begins with a number."""
    numbers, stop = _beginning(loop), loop.operands[1]
    if numbers is None:
        return []
    first, by = numbers
    indexes = [first + by * place for place in range(_SEEN)]
    known = list(_comparisons(loop, _number, [*indexes, 2**63]))
    elements = ((operation, None, offset) for operation, offset in _indexes(loop))
    remainders = ((each, each.operands[0], offset) for each, offset in _remainders(loop, stop))
    for operation, answer, offset in (*elements, *remainders):
        rounds = sum(index + offset < 0 for index in indexes)
        known.append(Known(operation, answer, rounds))
    return [each for each in known if 0 < each.rounds <= _ROUNDS]


def _beginning(loop: Operation) -> tuple[int, int] | None:
    """The first index and the step of a loop that runs to its end, if it goes up from a number."""
    first, by = map(constant_value, (loop.operands[0], loop.operands[2]))
    if type(first) is not int or type(by) is not int or by <= 0 or loop.attrs["breaks"]:
        return None
    return first, by


def _but_last(loop: Operation) -> list[Known]:
    """What all rounds know but the last ones, of a loop by ones to what isn't known."""
    start, stop, step, *_ = loop.operands
    first = constant_value(start)
    if constant_value(step) != 1 or constant_value(stop) is not None or loop.attrs["breaks"]:
        return []
    indexes = [-1 - place for place in range(_SEEN)]
    known = list(_comparisons(loop, lambda value: offset_from(value, stop), [*indexes, -(2**63)]))
    for operation, offset in _remainders(loop, stop):
        if type(first) is int and first + offset >= 0:
            known.append(Known(operation, operation.operands[0], offset))
    return [each for each in known if 0 < each.rounds <= _ROUNDS]


def _steady(loop: Operation) -> Iterator[Operation]:
    """What each round computes of the same numbers, and may raise for them."""
    block = loop.regions[0].block
    unsteady: set[Value] = set(block.args)
    for operation in block.operations[:-1]:
        effects = effects_by_op(operation)
        is_steady = unsteady.isdisjoint(operation.operands) and not operation.regions
        if not is_steady or effects not in (Effect.NONE, Effect.RAISES) or reads_memory(operation):
            unsteady.update(operation.results)
        elif effects and len(operation.results) == 1 and operation.result.type in _NONE:
            yield operation


def _number(value: Value) -> int | None:
    """An int, if it is known."""
    known = constant_value(value)
    return known if type(known) is int else None


def _comparisons(
    loop: Operation, number: Callable[[Value], int | None], indexes: Sequence[int]
) -> Iterator[Known]:
    """What compares the index of a loop with a ``number``. ``indexes`` are those of the rounds from
    an edge on, and the one that is the farthest.
    """
    block = loop.regions[0].block
    for operation in walk(block):
        holds = _comparison(operation, block.args[0], number)
        if holds is not None:
            *near, far = map(holds, indexes)
            others = [place for place, answer in enumerate(near) if answer != far]
            yield Known(operation, far, max(others, default=-1) + 1)


def _comparison(
    operation: Operation, index: Value, number: Callable[[Value], int | None]
) -> Callable[[int], bool] | None:
    """What an operation finds of the index of a loop, if it compares that with a number."""
    holds = _COMPARISONS.get(operation.op.name)
    if operation.op.name == "truth" and operation.operands[0] is index and number is _number:
        return bool
    if holds is None or operation.result.type != BOOL:
        return None
    left, right = operation.operands
    if not left.type == right.type == INT:
        return None
    for one, other, is_left in ((left, right, True), (right, left, False)):
        offset, known = offset_from(one, index), number(other)
        if offset is not None and known is not None:
            return _asked(holds, offset, known, is_left=is_left)
    return None


def _asked(
    holds: Callable[[int, int], bool], offset: int, known: int, *, is_left: bool
) -> Callable[[int], bool]:
    """What a comparison finds of an index to which ``offset`` is added, as its left operand or its
    right one.
    """
    if is_left:
        return lambda index: holds(index + offset, known)
    return lambda index: holds(known, index + offset)


def _indexes(loop: Operation) -> Iterator[tuple[Operation, int]]:
    """What reads or writes an element at the index of a loop to which a number is added, and it."""
    block = loop.regions[0].block
    for operation in walk(block):
        if operation.op.name in FIRST_INDEX:
            for axis in range(len(operation.attrs["spec"])):
                value = index_along(operation, axis)
                offset = None if value is None else offset_from(value, block.args[0])
                if offset is not None:
                    yield operation, offset


def _remainders(loop: Operation, divisor: Value) -> Iterator[tuple[Operation, int]]:
    """What divides the index of a loop, to which a number is added, and that number."""
    block = loop.regions[0].block
    for operation in walk(block):
        if operation.op.name == "py.mod" and operation.operands[1] is divisor:
            offset = offset_from(operation.operands[0], block.args[0])
            if offset is not None:
                yield operation, offset


# --- the rounds -----------------------------------------------------------------------------------


def _take_edges(loop: Operation) -> bool:
    """Take the rounds out of a loop that differ from the others, and give whether there are any."""
    first, last = _but_first(loop), _but_last(loop)
    differ = _take(loop, first, _take_first) | _take(loop, last, _take_last)
    return _take_what_is_steady(loop) | differ


def _take_what_is_steady(loop: Operation) -> bool:
    """Let the first round say what is the same in all, and may raise."""
    steady = list(_steady(loop)) if _beginning(loop) is not None else []
    if not steady or _size(loop) > _MOST:
        return False
    for operation, made in zip(steady, _take_first(loop, steady), strict=True):
        rewriter.replace(operation, [made])
    return True


def _take(loop: Operation, known: Sequence[Known], takes: Callable[[Operation], object]) -> bool:
    """The same at one edge, where of the others something is ``known``."""
    size = _size(loop)
    known = [each for each in known if each.rounds * size <= _MOST]
    for _ in range(max((each.rounds for each in known), default=0)):
        takes(loop)
    for operation, answer, _ in known:
        if isinstance(answer, bool):
            made = builder_before(operation).emit(constant, (), {"value": answer})
            rewriter.replace(operation, made.results)
        elif answer is not None:
            rewriter.replace(operation, [answer])
    return bool(known)


def _size(loop: Operation) -> int:
    return sum(1 for _ in walk(loop.regions[0].block))


def _take_first(loop: Operation, kept: Sequence[Operation] = ()) -> Sequence[Value]:
    """Put the first round before a loop from a number on. What operations that are ``kept`` give
    there, or something of its type if there is no round.
    """
    start, stop, step, *given = loop.operands
    numbers = _beginning(loop)
    assert numbers is not None
    builder = builder_before(loop)
    with builder.current():
        is_there = as_value(compare("<", start, stop))
        made = _round_at(builder, loop, start, is_there, given, kept).results
        second = as_value(sum(numbers))
    carried = made[: len(given)]
    rewriter.set_operands(loop, [second, stop, step, *carried])
    return made[len(given) :]


def _take_last(loop: Operation) -> None:
    """Put the last round behind a loop by ones."""
    start, stop, step, *given = loop.operands
    assert loop.block is not None
    users = [list(result.uses) for result in loop.results]
    builder = builder_before(loop)
    with builder.current():
        is_there = as_value(compare("<", start, stop))
        end = builder.emit(REGISTRY["py.sub"], [stop, step]).result
    rewriter.set_operands(loop, [start, end, step, *given])
    builder = builder_before(loop.block.operations[loop.block.position(loop) + 1])
    builder.span = loop.span
    with builder.current():
        last = _round_at(builder, loop, end, is_there, loop.results)
    for uses, result in zip(users, last.results, strict=True):
        for operation, position in uses:
            rewriter.set_operand(operation, position, result)


def _round_at(
    builder: Builder,
    loop: Operation,
    index: Value,
    is_there: Value,
    given: Sequence[Value],
    kept: Sequence[Operation] = (),
) -> Operation:
    """A round of a loop, if ``is_there``, and what operations that are ``kept`` give in it; else
    what is ``given`` to it.
    """
    block = loop.regions[0].block
    with builder.region() as then:
        values: dict[Value, Value] = dict(zip(block.args, (index, *given), strict=True))
        yielded = copy_body(block, builder, values, lambda span: span)
        builder.emit(region_yield, [*yielded, *(values[each.result] for each in kept)])
    builder.span = loop.span
    with builder.region() as otherwise:
        none = [as_value(_NONE[each.result.type]) for each in kept]
        builder.emit(region_yield, [*given, *none])
    return builder.emit(if_, [is_there], {}, [then, otherwise])
