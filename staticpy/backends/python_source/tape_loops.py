"""Loops that go through lists, from the last item to the first.

In: a ``for`` that counts down, as that of a way back, and reads of what the rounds of another loop
have saved (``saved`` of ``list.getitem``). Out: a loop over these lists, which takes less time than
to count and to look up:

    for i in range(last, 0, -1):      for a, b in islice(zip(reversed(t), reversed(u)), last):
        a = t[i]                          ...
        b = u[i]
        ...
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import islice

from staticpy.backends.python_source.folding import Operand, constant_of
from staticpy.backends.python_source.literals import Globals, call, load
from staticpy.ir import Block, Operation, Value
from staticpy.ops import for_, if_

_READ = "list.getitem"


def is_tape_read(operation: Operation) -> bool:
    """Whether an operation reads what is saved for a round of the loop that it stands in, where
    that goes through lists.
    """
    if operation.name != _READ or "saved" not in operation.attrs:
        return False
    loop = operation.parent
    return loop is not None and loop.op is for_ and operation in tape_reads(loop)


def tape_reads(loop: Operation) -> list[Operation]:
    """The reads of a loop that goes through lists: it counts down by one, and the numbers of its
    rounds serve for nothing else.
    """
    block = loop.regions[0].block
    reads = list(block.args[0].users)
    is_down = constant_of(loop.operands[2]) == -1 and _stop(loop) is not None
    return reads if is_down and all(_is_of_tape(each, block) for each in reads) else []


def _is_of_tape(reader: Operation, block: Block) -> bool:
    is_read = reader.name == _READ and "saved" in reader.attrs and reader.block is block
    if not is_read or reader.operands[1] is not block.args[0]:
        return False
    made = reader.operands[0].defining_op
    return made is None or made.block is not block


def through_tapes(
    loop: Operation,
    reads: Sequence[Operation],
    expression: Callable[[Operand], ast.expr],
    globals_: Globals,
) -> ast.expr:
    """The lists that a loop goes through."""
    start, stop = loop.operands[0], _stop(loop)
    is_all = all(each.attrs["saved"] == "all" for each in reads)
    tapes = [expression(read.operands[0]) for read in reads]
    if stop == 0 and not _is_natural(start, loop):
        behind = ast.BinOp(expression(start), ast.Add(), ast.Constant(1))
        rounds = ast.Slice(ast.Constant(1), behind)
        return _backwards([ast.Subscript(each, rounds, ast.Load()) for each in tapes])
    if is_all and stop == 0:
        return _together([_but_first(each) for each in tapes])
    rows = _backwards(tapes)
    if is_all:
        return rows
    last = ast.BinOp(call(load("len"), tapes[0]), ast.Sub(), ast.Constant(1))
    end: ast.expr = ast.Constant(None) if stop == -1 else last
    bounds = [ast.BinOp(last, ast.Sub(), expression(start)), end]
    return call(load(globals_.name(islice, "islice")), rows, *bounds)


def _backwards(tapes: Sequence[ast.expr]) -> ast.expr:
    return _together([call(load("reversed"), each) for each in tapes])


def _but_first(tape: ast.expr) -> ast.expr:
    """A copy that begins with the last item: a loop goes through it faster than by ``islice``."""
    step = ast.UnaryOp(ast.USub(), ast.Constant(1))
    return ast.Subscript(tape, ast.Slice(None, ast.Constant(0), step), ast.Load())


def _together(lists: Sequence[ast.expr]) -> ast.expr:
    return lists[0] if len(lists) == 1 else call(load("zip"), *lists)


def _stop(loop: Operation) -> int | None:
    """Before which number a loop stops: 0 or -1; None where that isn't known."""
    known = constant_of(loop.operands[1])
    return known if known in (0, -1) else None


def _is_natural(value: Value, loop: Operation) -> bool:
    """Whether a number is sure not to be negative where a loop stands."""
    known = constant_of(value)
    if known is not None:
        return isinstance(known, int) and known >= 0
    branch = loop.parent
    if branch is None or branch.op is not if_ or branch.regions[0].block is not loop.block:
        return False
    test = branch.operands[0].defining_op
    is_test = test is not None and test.name == "py.ge" and test.operands[0] is value
    return is_test and test is not None and constant_of(test.operands[1]) == 0
