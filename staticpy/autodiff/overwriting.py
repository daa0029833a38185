"""Reverse mode through what writes to an array: its shadow tells what flows to the values.

x[i] = v         v gets its part of the shadow, of which zeros are left
np.put(x, i, v)  the same; which element has come from where is found by writing numbers
np.f(a, out=x)   as x[...] = np.f(a)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.back import Back
from staticpy.autodiff.boxes import by_member
from staticpy.autodiff.cotangents import conjugated
from staticpy.autodiff.plain import CHANGING, mask_of, plain, reads_target
from staticpy.autodiff.prepare import NUMBERED
from staticpy.autodiff.reverse import Reverse
from staticpy.ir import (
    Block,
    Builder,
    ListType,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    Value,
    dims_of,
    members_of,
    rewriter,
)
from staticpy.ops import (
    FUNCTIONS,
    REGISTRY,
    SymbolicShapes,
    Traced,
    is_mask,
    summed_to,
    trace,
    untrace,
)


class OverwritingReverse(Reverse):
    """Reverse mode of writes to arrays that have shadows."""

    # --- x[...] = v -------------------------------------------------------------------------------

    def _store(self, operation: Operation, shadow: Value, _: Any) -> None:
        _, value, *more = operation.operands
        self._put_at(operation, shadow, value, more, operation.attrs["spec"])

    def _put_along_axis(self, operation: Operation, shadow: Value, g: Any) -> None:
        """The arrays of indexes that NumPy makes: of the other axes all places, in their order."""
        target, indices, value = operation.operands
        axis = operation.attrs["axis"]
        if axis is None:
            self._numbered(operation, shadow, g)
            return
        rank = len(dims_of(target.type))
        builder = Builder(self.home)
        builder.before(operation)
        more = [indices] * rank
        with builder.current():
            for each in set(range(rank)) - {axis % rank}:
                shape = [-1 if other == each else 1 for other in range(rank)]
                places = _arange(trace(target).shape[each])
                more[each] = untrace(np.reshape(places, shape))
        self._put_at(operation, shadow, value, more, ("array",) * rank)

    def _put_at(
        self, operation: Operation, shadow: Value, value: Value, index: list[Value], spec: Any
    ) -> None:
        """Go back through a write at an index."""
        more = [self.as_it_was(operation, each) for each in index]
        part = self._part(shadow, more, spec)
        if any(map(_may_repeat, more)):
            # Found on the way there: it depends on how the indexes lie in memory.
            builder = Builder(self.home)
            builder.before(operation)
            found = builder.emit(ops.last_written, [operation.operands[0], *index], {"spec": spec})
            part = np.where(trace(found.result), part, 0.0)
        self.builder.emit(ops.store, [shadow, ops.as_value(0.0), *more], {"spec": spec})
        self.add(value, summed(part, value))  # which may be a part of the array itself

    def _index_of(self, operation: Operation, first: int) -> list[Value]:
        """The operands of the index, from the position ``first`` on, as they were."""
        return [self.as_it_was(operation, each) for each in operation.operands[first:]]

    def _part(self, shadow: Value, more: list[Value], spec: Any) -> Any:
        """A copy of the part of a shadow that an operation has to do with."""
        part = self.builder.emit(ops.index, [shadow, *more], {"spec": spec}).result
        return self._copied(part)

    def _copied(self, part: Value) -> Any:
        return conjugated(Traced(ops.own_copy(part, self.builder)))

    def _at(self, operation: Operation, shadow: Value, g: Any) -> None:
        ufunc = operation.attrs["ufunc"]
        if ufunc not in ("add", "subtract"):
            self._changed(operation, shadow, g)
            return
        value = operation.operands[1]
        more = self._index_of(operation, 2)
        part = self._part(shadow, more, operation.attrs["spec"])
        self.add(value, summed(part if ufunc == "add" else -part, value))

    # --- functions that write ---------------------------------------------------------------------

    def _copyto(self, operation: Operation, shadow: Value, _: Any) -> None:
        """All of an array, or what a mask says, is another one, or a number."""
        value, *where = operation.operands[1:]
        masks = [self.as_it_was(operation, each) for each in where]
        part = self._copied(shadow)
        part = np.where(trace(masks[0]), part, 0.0) if masks else part
        self._clear(shadow, *masks)
        self.add(value, summed(part, value))

    def _clear(self, shadow: Value, mask: Value | None = None) -> None:
        """Leave zeros in a shadow where something was written."""
        masks = [] if mask is None else [mask]
        self.builder.emit(REGISTRY["copyto"], [shadow, ops.as_value(0.0), *masks], {})

    def _attribute(self, operation: Operation, shadow: Value, g: Any) -> None:
        """``x.flat = v``, or the real or imaginary part."""
        name = operation.attrs["name"]
        if name == "flat":
            self._numbered(operation, shadow, g)
            return
        value = operation.operands[1]
        part = self._copied(self.builder.emit(REGISTRY[name], [shadow]).result)
        self.builder.emit(operation.op, [shadow, ops.as_value(0.0)], operation.attrs)
        self.add(value, summed(part, value))

    def _numbered(self, operation: Operation, shadow: Value, _: Any) -> None:
        """Write the numbers of the values instead of them: each element then tells where it has
        come from.
        """
        place = NUMBERED[operation.name]
        value = operation.operands[place]
        if not isinstance(value.type, TensorType | ScalarType | PythonType):
            self.refuse(operation, f" of {value.type}")
        before = [
            each if number == place else self.as_it_was(operation, each)
            for number, each in enumerate(operation.operands[1:], 1)
        ]
        is_array = isinstance(value.type, TensorType)
        numbers = _arange(trace(value).size if is_array else 1)
        came_from: Any = np.full_like(trace(shadow), -1, dtype=np.intp)
        operands: list[Any] = [came_from, *before]
        operands[place] = numbers if is_array else numbers[0]
        self.builder.emit(operation.op, untrace(operands), operation.attrs)
        is_new = came_from >= 0
        part, given = conjugated(trace(shadow)[is_new]), came_from[is_new]
        self._clear(shadow, is_new.value)
        op, spec = REGISTRY["scatter_add"], {"spec": ("array",)}
        found = trace(self.builder.emit(op, untrace([part, numbers, given]), spec).result)
        self.add(value, np.reshape(found, trace(value).shape) if is_array else found[0])

    # --- what an operation computes and writes ----------------------------------------------------

    def _changed(self, operation: Operation, shadow: Value, _: Any) -> None:
        """Go back through the plain form of an operation in place, from what was written."""
        first = 0 if reads_target(operation) else 1
        given = operation.operands[first:]
        before = [self.as_it_was(operation, each) for each in given]
        copies = [new for old, new in zip(given, before, strict=True) if new is not old]
        self.activity.extend(each.defining_op for each in copies if each.defining_op is not None)
        operands = [operation.operands[0], *before][-len(operation.operands) :]
        mask = mask_of(operation, operands)
        part = self._copied(shadow) if mask is None else conjugated(trace(shadow)[trace(mask)])
        self._clear(shadow, mask)
        scratch = Block()
        with self.builder.inside(scratch):
            made = plain(operation, operands, mask)
            self.builder.emit(ops.region_yield, [made])
        self.activity.extend(scratch.operations[:-1])
        side = Back(self, scratch)
        is_spread = mask is None and not SymbolicShapes().are_same(made, operation.operands[0])
        with side.builder.current():
            part = summed(part, made) if is_spread else part
        side.pull_back([made], [part])
        self._take_over(scratch, side.block)
        own = dict(zip(before, given, strict=True))
        for value, item in side.outer.items():
            if own.get(value, value) is value:
                self.put(value, item)
            else:
                self.add(own[value], item)

    def _take_over(self, scratch: Block, back: Block) -> None:
        """Take over the way back, and of what it goes back through what it reads."""
        rewriter.detach(scratch.operations.pop())
        for operation in reversed(list(scratch.operations)):
            if not any(result.uses for result in operation.results):
                rewriter.erase(operation)
        home = self.builder.block
        for operation in (*scratch.operations, *back.operations):
            operation.block = home
            home.operations.append(operation)

    OVERWRITING: dict[str, Callable[..., None]] = {  # noqa: RUF012 - methods, by their op
        "store": _store,
        "ufunc.at": _at,
        "copyto": _copyto,
        "fill": _copyto,
        **dict.fromkeys(NUMBERED, _numbered),
        "put_along_axis": _put_along_axis,
        "set_array_attribute": _attribute,
        **dict.fromkeys(CHANGING, _changed),
    }


def _arange(size: Any) -> Any:
    return trace(FUNCTIONS[np.arange](untrace(size)))


def _may_repeat(index: Value) -> bool:
    """Whether an operand of an index may name an element twice."""
    is_array = isinstance(index.type, ListType) or bool(dims_of(index.type))
    return is_array and not is_mask(index.type)


def summed(g: Any, like: Value) -> Any:
    """What flows to a value that was stretched over a part of an array; ``like`` is that value, or
    its shadow.
    """
    if not isinstance(g.type, TensorType):
        return g
    if _is_some_array(like.type):  # of one dtype or another, of which the shape counts
        return trace(by_member(like, lambda each: ops.as_value(untrace(summed(g, each)))))
    if not isinstance(like.type, TensorType):
        return g.sum()
    more = len(dims_of(like.type)) - len(dims_of(g.type))  # axes of size 1, in front
    return summed_to(g[(None,) * more] if more > 0 else g, Traced(like))


def _is_some_array(type_: Type) -> bool:
    is_union = isinstance(type_, UnionType)
    return is_union and all(isinstance(each, TensorType) for each in members_of(type_))
