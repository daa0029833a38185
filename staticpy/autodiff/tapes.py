"""Tapes: what each round of a loop leaves for the round back.

In: a loop, and the values that its rounds save. Out: for each value a tape made before the loop. A
list takes what a round appends. An array has a row for each round, where the number of rounds and
the shape are known before the loop:

    %t = zeros %n, %m {shape = (none, none)} : f64[?, m]
    ... = for %0, %n, %1, ... (%i: int, ...) {
      %h = tanh %a : f64[m]
      store %t, %h, %i {spec = ("value",)}
      ...

A row is a copy, so the round's own array is free for what follows. Numbers go into lists, which
hold them as they are, and so does what the next round begins with: that round saves the same array.
"""

from __future__ import annotations

from collections.abc import Iterator

from staticpy import ops
from staticpy.autodiff.saving import is_defined
from staticpy.autodiff.scopes import block_of
from staticpy.ir import (
    UNKNOWN,
    Block,
    Builder,
    ListType,
    Operation,
    TensorType,
    Value,
    dims_of,
)
from staticpy.ops import REGISTRY, SymbolicShapes

_ROW = {"spec": ("value",)}
_IN_ORDER = ("zeros", "ones", "matmul")
"""Ops that give arrays in C order, if these have two axes, unless ``order`` says otherwise."""
_IN_ORDER_OF_OPERANDS = ("copy", "pow", "where", "cast")
_FRESH = ("sum", "mean", "prod", "max", "min", "cumsum")
"""Further ops whose result is a fresh array, so that one axis is in order."""


class Tapes:
    """The tapes of one loop, whose body is ``forward``. If they are ``longer`` than the loop of the
    way back has rounds, that begins before their last items.
    """

    def __init__(self, loop: Operation, forward: Block, *, longer: bool = False) -> None:
        assert loop.block is not None
        self._loop = loop
        self._forward = forward
        self._is_longer = longer
        self._before, self._inside = Builder(loop.block), Builder(forward)
        self._before.before(loop)
        self._before.span = self._inside.span = loop.span
        self._shapes = SymbolicShapes()
        self._count: Value | None = None
        self._lists: list[Value] = []

    def add(self, value: Value) -> Value:
        """A tape for a value of the body."""
        is_last = value in self._forward.terminator.operands
        is_fit = not is_last and not _is_tape(value)
        is_fit = is_fit and _steps_by_one(self._loop) and _is_in_order(value)
        sizes = self._sizes(value) if is_fit else None
        return self._list(value) if sizes is None else self._array(value, sizes)

    def read(self, tape: Value, number: Value, builder: Builder) -> Value:
        """What a round has left on a tape."""
        if isinstance(tape.type, TensorType):
            return builder.emit(ops.index, [tape, number], _ROW).result
        attrs = {"saved": "some" if self._is_longer else "all"}
        return builder.emit(REGISTRY["list.getitem"], [tape, number], attrs).result

    def count(self) -> Value:
        """The number of rounds that have run."""
        if self._count is None and not self._lists and not _steps_by_one(self._loop):
            self._inside.before(self._forward.terminator)
            self._list(self._inside.emit(ops.constant, [], {"value": 0}).result)
        if self._count is None and self._lists and _known_rounds(self._loop) is None:
            return ops.emit(REGISTRY["list.len"], self._lists[0])  # type: ignore[no-any-return]
        return self._rounds()

    def _rounds(self) -> Value:
        """The number of rounds, which is known before the loop."""
        if self._count is None:
            start, stop, _ = self._loop.operands[:3]
            known = _known_rounds(self._loop)
            with self._before.current():
                if known is None:
                    left = ops.binary("-", stop, start)
                    self._count = ops.emit(REGISTRY["py.max"], left, 0)
                else:
                    self._count = ops.as_value(known)
        return self._count

    def _list(self, value: Value) -> Value:
        made = self._before.emit(REGISTRY["list.make"], [], {"type": ListType(value.type)})
        # At once, so that what is carried can be overwritten by what the next round begins with.
        if value.defining_op is None:
            self._inside.index = 0
        else:
            self._inside.after(value.defining_op)
        self._inside.emit(REGISTRY["list.append"], [made.result, value])
        self._lists.append(made.result)
        return made.result

    # --- arrays -----------------------------------------------------------------------------------

    def _array(self, value: Value, sizes: list[int | Value]) -> Value:
        """An array with a row for each round, written as soon as the value is there."""
        assert isinstance(value.type, TensorType)
        assert value.defining_op is not None
        attrs = {
            "shape": (None, *(size if isinstance(size, int) else None for size in sizes)),
            "dtype": value.type.dtype,
            "result_type": TensorType(value.type.dtype, (UNKNOWN, *value.type.dims)),
        }
        more = [size for size in sizes if isinstance(size, Value)]
        made = self._before.emit(REGISTRY["zeros"], [self._rounds(), *more], attrs).result
        self._inside.after(value.defining_op)
        with self._inside.current():
            number = ops.binary("-", self._forward.args[0], self._loop.operands[0])
        self._inside.emit(ops.store, [made, _copied(value), ops.as_value(number)], _ROW)
        return made

    def _sizes(self, value: Value) -> list[int | Value] | None:
        """The shape of a value, if it is known before the loop."""
        found = [self._size(term) for term in self._shapes.of(value)]
        return None if None in found else found  # type: ignore[return-value]

    def _size(self, term: object) -> int | Value | None:
        if isinstance(term, int):
            return term
        for array in self._around():
            sizes = self._shapes.of(array)
            if term in sizes:
                axis = {"axis": sizes.index(term)}
                return self._before.emit(ops.dim, [array], axis).result
        if not isinstance(term, tuple) or term[0] != "less":
            return None
        whole = self._size(term[1])
        if whole is None:
            return None
        with self._before.current():
            left = ops.binary("-", whole, term[2])
            return ops.emit(REGISTRY["py.max"], left, 0)  # type: ignore[no-any-return]

    def _around(self) -> Iterator[Value]:
        """Arrays that are there before the loop."""
        for operation in (self._loop, *self._forward.operations):
            for value in operation.operands:
                is_around = isinstance(value.type, TensorType) and (
                    block_of(value) is not self._forward
                )
                if is_around and is_defined(value):
                    yield value


def _copied(value: Value) -> Value:
    """What a row is to be a copy of: not a copy that was made to be saved."""
    made = value.defining_op
    if made is None or made.op is not ops.copy:
        return value
    source = made.operands[0]
    by = source.defining_op
    # A view without a shadow must not be in use where something is written.
    return source if by is None or by.op is ops.index or not REGISTRY[by.name].view else value


def _is_tape(value: Value) -> bool:
    """Whether a value is a tape of a loop in the body, which is not full as soon as it is there."""
    return any(use.op is ops.store and use.operands[0] is value for use in value.users)


def _is_in_order(value: Value) -> bool:
    """Whether a value is sure to be an array in C order, as the rows of a tape are: the order of an
    array in memory decides in which order NumPy adds it up.
    """
    made, rank = value.defining_op, len(dims_of(value.type))
    if made is None or not isinstance(value.type, TensorType) or not rank or made.regions:
        return False
    if REGISTRY[made.name].ufunc is not None or made.name in _IN_ORDER_OF_OPERANDS:
        wide = [each for each in made.operands if len(dims_of(each.type)) == rank]
        return rank == 1 or all(map(_is_in_order, wide))
    if made.name in _FRESH:
        return rank == 1
    is_plain = made.attrs.get("order", "C") == "C"
    return made.name in _IN_ORDER and rank <= 2 and is_plain


def _known_rounds(loop: Operation) -> int | None:
    """How many rounds a loop runs to its end, if that is known while compiling."""
    known = ops.constant_range(loop) if loop.op is ops.for_ and not loop.attrs["breaks"] else None
    return None if known is None else len(known)


def _steps_by_one(loop: Operation) -> bool:
    """Whether a loop runs through ``range(start, stop)`` to its end."""
    if loop.op is not ops.for_ or loop.attrs["breaks"]:
        return False
    return ops.constant_value(loop.operands[2]) == 1
