"""What the way back through a block reads of the way there, and how little of that is saved.

In: a block of the way there, and the block that pulls cotangents back through it, built as if all
of the way there were visible. Out: the values that have to be handed out. The rest is there again:

- what is read for its shape only is stood in for by another array of that shape;
- what was stretched to the shape of another array is stretched again where it is read;
- a view of an array from around the block, an element of one that nobody writes to, a constant, and
  the sum or product of ints of these kinds are made again;
- of the floats of Python that a round would save, what up to three operations make of the others is
  computed again, as is what compares them: that takes less time than an append and a read;
- so is what a branch in a round makes of floats from around it, where no more need be saved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from staticpy import ops
from staticpy.autodiff.scopes import TAKES_ITEM, block_of, is_in, items_put, may_lack
from staticpy.ir import (
    FLOAT,
    INT,
    Block,
    BlockArgument,
    Builder,
    Operation,
    TensorType,
    Value,
    dims_of,
    rewriter,
    walk,
)
from staticpy.ops import (
    REGISTRY,
    Effect,
    SymbolicShapes,
    broadcast,
    for_,
    if_,
    is_undef,
    through_regions,
    while_,
)

_BROADCASTS = ("broadcast", "broadcast_arrays")
_ARITHMETIC = ("py.add", "py.sub", "py.mul", "py.neg")
_FLOAT_ARITHMETIC = (*_ARITHMETIC, "py.truediv")
_COMPARISONS = ("py.eq", "py.ne", "py.lt", "py.le", "py.gt", "py.ge")
_FEW = 3
"""How many operations on floats take no more time than an append and a read."""
_VIEWS = ("transpose", "expand_dims")
"""Ops besides basic ``index`` that always give a view of their operand, and never raise."""


class Saving:
    """Decides what is saved for one block of the way back.

    ``is_written`` says whether the program may change an array; ``counter`` is the index of the
    loop that the blocks are the body of, which the way back knows.
    """

    def __init__(
        self,
        forward: Block,
        back: Block,
        is_written: Callable[[Value], bool],
        counter: Value | None = None,
    ) -> None:
        self._forward = forward
        self._back = back
        self._is_written = is_written
        self._counter = counter
        self._shapes = SymbolicShapes()
        self._again: dict[Value, bool] = {}

    def needed(self) -> list[Value]:
        """What is left to be saved, once the way back makes again what it can."""
        if self._back.operations and self._back.operations[-1].op.is_terminator:
            self._simplify()
            self._stretch_again()
            self._drop_dead()
            self._stand_in()
        while again := self._not_saved(self._own()):
            for value in again:
                self._make_again(value)
        return [value for value in self._own() if value is not self._counter]

    def replace(self, value: Value, new: Value) -> None:
        """Let the way back read ``new`` for ``value``."""
        for operation, position in self._reads():
            if operation.operands[position] is value:
                rewriter.set_operand(operation, position, new)

    def _reads(self) -> Iterator[tuple[Operation, int]]:
        for operation in walk(self._back):
            for position in range(len(operation.operands)):
                yield operation, position

    def _own(self) -> list[Value]:
        """What the way back reads of the block there."""
        read = (operation.operands[position] for operation, position in self._reads())
        return list(dict.fromkeys(value for value in read if block_of(value) is self._forward))

    # --- shapes -----------------------------------------------------------------------------------

    def _simplify(self) -> None:
        """Leave out sums and stretches between arrays that are known to have one shape."""
        for operation in self._back.operations:
            count = {"sum_to": 1}.get(operation.name, len(operation.operands))
            if operation.name not in ("sum_to", *_BROADCASTS):
                continue
            pairs = list(zip(operation.operands[:count], operation.results, strict=True))
            if all(x.type == y.type and self._shapes.are_same(x, y) for x, y in pairs):
                for operand, result in pairs:
                    rewriter.replace_all_uses(result, operand)

    def _stretch_again(self) -> None:
        """Let what reads a stretched array read it unstretched, beside another operand."""
        for operation in list(self._back.operations):
            if operation.op.ufunc is None or len(operation.operands) != 2:  # type: ignore[attr-defined]
                continue
            for place in (0, 1):
                other = operation.operands[1 - place]
                narrow = self._unstretched(operation.operands[place], other)
                if narrow is None:
                    continue
                builder = Builder(self._back)
                builder.before(operation)
                made = builder.emit(broadcast, [other, narrow], {}).results
                rewriter.set_operand(operation, 1 - place, made[0])
                rewriter.set_operand(operation, place, made[1])

    def _unstretched(self, value: Value, other: Value) -> Value | None:
        """What ``value`` of the way there was before it was stretched to the shape of ``other``;
        None where it is none.
        """
        made = value.defining_op
        if made is None or made.name not in _BROADCASTS or made.block is not self._forward:
            return None
        narrow = next(x for x, y in zip(made.operands, made.results, strict=True) if y is value)
        is_same = isinstance(other.type, TensorType) and self._shapes.are_same(value, other)
        return narrow if is_same and not self._is_written(narrow) else None

    def _drop_dead(self) -> None:
        """Drop what nobody reads. It may raise as far as its types tell; but a rule that fits what
        the way there has done does not.
        """
        for operation in reversed(self._back.operations[:-1]):
            types = [operand.type for operand in operation.operands]
            writes = Effect.WRITES in REGISTRY[operation.name].effects_of(types, operation.attrs)
            is_read = any(result.uses for result in operation.results)
            if operation.results and not (operation.regions or writes or is_read):
                rewriter.erase(operation)

    def _stand_in(self) -> None:
        """Let what counts for its shape only be another array of that shape, which is there."""
        for operation in [each for each in walk(self._back) if each.op is ops.dim]:
            if block_of(operation.operands[0]) is self._forward:
                self._measure(operation)
        for value in self._own():
            reads = [read for read in self._reads() if read[0].operands[read[1]] is value]
            if all(is_of_shape(*read) for read in reads):
                others = (each for each in self._visible() if self._fits(each, value))
                self.replace(value, next(others, value))

    def _fits(self, candidate: Value, value: Value) -> bool:
        pair = candidate.type, value.type
        if not all(isinstance(type_, TensorType) for type_ in pair):
            return False
        return pair[0].dims == pair[1].dims and self._shapes.are_same(candidate, value)  # type: ignore[attr-defined]

    def _visible(self) -> Iterator[Value]:
        """Arrays that are there on the way back, whatever is saved."""
        parent = self._forward.parent
        if parent is not None:  # a loop, which may be the first to bind a variable that it carries
            yield from (each for each in parent.operands if is_defined(each))
        for operation in self._forward.operations:
            for value in (*operation.operands, *operation.results):
                is_array = isinstance(value.type, TensorType)
                if is_array and self._is_there(value) and is_defined(value):
                    yield value

    def _measure(self, operation: Operation) -> None:
        """Read a size from an array that is there; or let the way there find it, so that it is the
        size that is saved.
        """
        size = self._shapes.of(operation.operands[0])[operation.attrs["axis"]]
        for other in self._visible():
            if size in (sizes := self._shapes.of(other)) and isinstance(other.type, TensorType):
                rewriter.set_operand(operation, 0, other)
                operation.attrs = {"axis": sizes.index(size)}
                return
        if may_lack(operation.operands[0]):  # it has a size where the way back reads that
            return
        builder = Builder(self._forward)
        builder.before(self._forward.terminator)
        made = builder.emit(operation.op, operation.operands, operation.attrs).result
        rewriter.replace(operation, [made])

    # --- made again -------------------------------------------------------------------------------

    def _is_made_again(self, value: Value) -> bool:
        """Whether a value of the block there costs no more to make again than to save."""
        if value not in self._again:
            self._again[value] = self._can_be_made_again(value)
        return self._again[value]

    def _can_be_made_again(self, value: Value) -> bool:
        made = value.defining_op
        if made is None or made.block is not self._forward:
            return False
        if made.name in ("constant", "from_python"):
            return True
        is_array = isinstance(value.type, TensorType)
        if made.name == "index" and "array" not in made.attrs["spec"]:
            is_cheap = is_array or not self._is_written(made.operands[0])
        elif is_array:
            is_cheap = made.name in _VIEWS
        else:
            is_cheap = made.name in _ARITHMETIC and value.type == INT
        return is_cheap and all(map(self._is_there, made.operands))

    def _is_there(self, value: Value) -> bool:
        """Whether the way back has a value anyway."""
        if isinstance(value, BlockArgument) and value is self._counter:
            return True
        return block_of(value) is not self._forward or self._is_made_again(value)

    def _not_saved(self, own: list[Value]) -> list[Value]:
        """Some of the values ``own`` that the way back makes itself, if there are any."""
        again = [value for value in own if self._is_made_again(value)]
        parent = self._forward.parent
        if again or parent is None:
            return again
        if parent.op in (for_, while_):
            return self._computed_again(set(own))
        loop = _loop_around(parent) if parent.op is if_ else None
        return [] if loop is None else self._saved_in_parts(set(own), loop)

    def _saved_in_parts(self, own: set[Value], loop: Operation) -> list[Value]:
        """Those of the values ``own`` of a branch that few operations make of what is from around
        it, and what these make on their way, the last ones first. What the rounds of ``loop`` would
        have to save for that is worth it where it stands for more values, or as easily.
        """
        read = {operation.operands[position] for operation, position in self._reads()}
        body = loop.regions[-1].block

        def is_there(value: Value) -> bool:
            is_around = not is_in(value, self._forward)
            return value in read or is_around or self._is_made_again(value)

        def more(again: Iterable[Operation]) -> set[Value]:
            used = {x for each in again for x in each.operands if is_in(x, body) and x not in read}
            around = {x for x in used if not is_in(x, self._forward)}
            return {x for x in around if ops.constant_value(x) is None}

        made = filter(_is_of_floats, self._forward.operations)
        chains = [self._chain(each, is_there) for each in made if each.result in own]
        again = {each for chain in chains for each in chain}
        values = sum(map(bool, chains))
        if len(again) > values + _FEW * (values - len(more(again))):
            again = {each for chain in chains if not more(chain) for each in chain}
        return _last_first(self._forward, again)

    def _computed_again(self, own: set[Value]) -> list[Value]:
        """Those of the values ``own`` that few operations make of the others, and what these make
        on their way, the last ones first: what they are made of stands before them. Or, if there
        are none, several that one operation each makes of one more, which is saved in their place.
        """

        def is_there(value: Value) -> bool:
            return value in own or self._is_there(value)

        again: set[Operation] = set()
        made_of: dict[Value, list[Value]] = {}
        for made in reversed(self._forward.operations):
            if not _is_of_floats(made) or made.result not in own:
                continue
            again.update(chain := self._chain(made, is_there))
            missing = {x for x in made.operands if not is_there(x)}
            if not chain and len(missing) == 1:
                made_of.setdefault(missing.pop(), []).append(made.result)
        found = _last_first(self._forward, again)
        return found or next((values for values in made_of.values() if len(values) > 1), [])

    def _chain(self, made: Operation, is_there: Callable[[Value], bool]) -> list[Operation]:
        """The few operations that make a value of others that are there; none if there are more."""
        found: dict[Operation, None] = {}
        pending: list[Operation | None] = [made]
        while pending:
            current = pending.pop()
            if current is None or not _is_of_floats(current) or len(found) == _FEW:
                return []
            found[current] = None
            missing = (x for x in current.operands if not is_there(x))
            pending += [x.defining_op for x in missing if x.defining_op not in found]
        return list(found)

    def _make_again(self, value: Value) -> None:
        made = value.defining_op
        assert made is not None
        builder = Builder(self._back)
        builder.index = 0
        builder.span = made.span
        self.replace(value, builder.emit(made.op, made.operands, made.attrs).result)


def _loop_around(operation: Operation) -> Operation | None:
    around = operation.parent
    while around is not None and around.op not in (for_, while_):
        around = around.parent
    return around


def _is_of_floats(operation: Operation) -> bool:
    """Whether an operation makes one of Python's floats of others, or compares some."""
    if operation.name in _COMPARISONS:
        return all(operand.type == FLOAT for operand in operation.operands)
    return operation.name in _FLOAT_ARITHMETIC and operation.result.type == FLOAT


def _last_first(block: Block, operations: Collection[Operation]) -> list[Value]:
    """What some of the operations of a block make."""
    return [each.result for each in reversed(block.operations) if each in operations]


def is_of_shape(operation: Operation, position: int) -> bool:
    """Whether an operation reads an operand for its shape only."""
    if operation.name in _BROADCASTS:
        return not operation.results[position].uses
    if operation.name == "zeros_like":  # of several axes, it lies in memory as its operand does
        return position == 0 and len(dims_of(operation.operands[0].type)) < 2
    return operation.op is ops.dim or (operation.name == "sum_to" and position == 1)


def is_defined(value: Value) -> bool:
    """Whether a value is there on every path."""
    seen: set[Value] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        if is_undef(current):
            return False
        pending += _sources(current)
    return True


def _sources(value: Value) -> list[Value]:
    """What a value is on some path: a result of regions, what a loop carries, or what was put into
    a list.
    """
    around = value.defining_op
    if around is not None and around.name in TAKES_ITEM:
        return items_put(around.operands[0])
    if isinstance(value, BlockArgument):
        around = value.block.parent
    if around is None or around.op not in (if_, for_, while_):
        return []
    return [source for source, target in through_regions(around) if target is value]
