"""Forward mode of memory: beside what is written to stands memory for its tangents, to which the
same is done.

    store %y, %v, %i {spec = ("value",)}
    store %ty, %tv, %i {spec = ("value",)}

Views are views of the tangents, lists are lists of tangents. So whatever shares memory with
something, its tangent shares memory with the tangent of that.
"""

from __future__ import annotations

import numpy as np

from staticpy import ops
from staticpy.autodiff import keyed, records
from staticpy.autodiff.activity import is_differentiable, writes, written
from staticpy.autodiff.cotangents import zero
from staticpy.autodiff.forward import Forward
from staticpy.autodiff.moves import (
    SETTERS,
    begins_to_hold,
    changes_caught,
    exception_of,
    is_unread,
    makes_object,
    places_linear,
)
from staticpy.autodiff.plain import CHANGING, SYMBOLS, mask_of, plain
from staticpy.autodiff.refusals import CHANGES_OTHERS, CHANGES_OUTSIDE, FROM_OUTSIDE, refusal
from staticpy.autodiff.tangents import holds_tangents, tangent_type
from staticpy.autodiff.views import (
    is_new,
    is_stretched_view,
    is_view,
    is_view_or_copy,
    is_written_in_use,
    same_views,
    view_or_copy,
)
from staticpy.autodiff.zero_tangents import begin_beside, zero_tangent
from staticpy.ir import (
    Operation,
    TensorType,
    UnionType,
    Value,
    rewriter,
)
from staticpy.ops import Traced, untrace

_WRITERS = {
    "store": 1,
    "fill": 1,
    "copyto": 1,
    "fill_diagonal": 1,
    "put": 2,
    "putmask": 2,
    "place": 2,
    "put_along_axis": 2,
    "flat.setitem": 1,
    "set_array_attribute": 1,
}
"""The ops that write values to an array, and the position of the values."""

_RECORDS = (*SETTERS, "object.new", "object.getattr", "object.delattr")
"""The ops on objects whose tangents are records."""
_BROADCASTS = ("broadcast", "broadcast_arrays", "broadcast_to")
"""Ops of whose results each is a view of one operand."""

_HARMLESS = ("print", "raise_value", "reraise")
"""Ops that count as writes, and only look at their operands."""


class MemoryForward(Forward):
    """Forward mode of operations without regions."""

    def run_before(self, operation: Operation) -> bool:
        """Where an operation writes to an array, do with the tangents what it does; whether that
        was so. It comes before the operation, which may change what its tangent reads.
        """
        change = self._CHANGES.get(operation.name)
        if change is None:
            return False
        target = operation.operands[0]
        if target not in self.activity.varied or not holds_tangents(target.type):
            return True
        tangent = self.tangent(target)
        if tangent is None or not isinstance(target.type, TensorType):
            raise refusal(operation, ", since it changes an array on some paths only")
        change(self, operation, tangent)
        return True

    def run_behind(self, operation: Operation) -> None:
        """Compute the tangents of what an operation gives."""
        if exception_of(operation) is not None or changes_caught(operation):
            return  # what is read of it has its tangent beside it, or none
        if operation.name in _RECORDS:
            self._record(operation)
        elif places_linear(operation):
            self._move(operation)
        elif writes(operation) and operation.name not in _HARMLESS:
            self.require_unchanged_by(operation)
            self.by_rule(operation)
        elif self.is_view(operation) and operation.operands[0] in self.tangents:
            made = same_views(operation, self.tangents[operation.operands[0]])
            self.tangents.update(zip(operation.results, made, strict=True))
        else:
            self.by_rule(operation)
        for result in operation.results:
            if self.is_memory(result) and result not in self.unknown:
                self._complete(operation, result)

    def is_view(self, operation: Operation) -> bool:
        """Whether the results of an operation, where they are memory, are sure to be views of its
        first operand.
        """
        is_of_bytes = operation.name == "view"  # which may lie apart in a tangent
        return is_view(operation) and (not is_of_bytes or self.is_memory(operation.result))

    def shares(self, operation: Operation) -> bool:
        """Whether the tangents of the results share memory as the results do."""
        return self.is_view(operation) or operation.name in _BROADCASTS

    def _complete(self, operation: Operation, result: Value) -> None:
        """See to it that memory that is written to has a tangent that can be written to."""
        if self._is_moved(operation) or self.shares(operation):
            is_written = operation.name not in _BROADCASTS  # which may stretch numbers
            if result not in self.tangents and is_written:
                writer = self.activity.writes_to(result)
                raise refusal(writer, CHANGES_OUTSIDE)
            return
        assert operation.block is not None
        order = self.order[operation.block]
        if not is_new(operation) and is_written_in_use(self.activity, result, order):
            self._ask(operation, result)
        elif result not in self.tangents:
            self.tangents[result] = self.fresh(result)

    def _ask(self, operation: Operation, result: Value) -> None:
        """Let the tangent be a view or a copy as the result of an operation is."""
        if is_stretched_view(operation) and operation.operands[0] in self.tangents:
            (made,) = same_views(operation, self.tangents[operation.operands[0]])
            self.tangents[result] = made
            return
        if not is_view_or_copy(operation):
            raise refusal(operation, ", since it may be a view of what is written to")
        known = self.tangents.get(result)

        def copied() -> Value:
            if known is None:
                return self.fresh(result)
            return self.builder.emit(ops.copy, [known], {"order": "K"}).result

        beside = self.tangents[operation.operands[0]]
        self.tangents[result] = view_or_copy(operation, beside, copied)[1]

    def _is_moved(self, operation: Operation) -> bool:
        return operation.name in _RECORDS or bool(places_linear(operation))

    def fresh(self, value: Value) -> Value:
        """Zeros like an array."""
        return untrace(np.zeros_like(Traced(value)))  # type: ignore[no-any-return]

    def require_unchanged_by(self, operation: Operation) -> None:
        """Refuse an operation that may write to what has tangents."""
        for operand in written(operation):
            made = operand.defining_op
            is_sure = made is not None and made.op is ops.unwritten
            if self.tangent(operand) is not None and not is_sure:
                raise refusal(operation, CHANGES_OTHERS)

    # --- writes to arrays -------------------------------------------------------------------------

    def _write(self, operation: Operation, tangent: Value) -> None:
        place = _WRITERS[operation.name]
        operands = [tangent, *operation.operands[1:]]
        operands[place] = self.tangent(operands[place]) or ops.as_value(0.0)
        self.builder.emit(operation.op, operands, operation.attrs)

    def _at(self, operation: Operation, tangent: Value) -> None:
        ufunc, count = operation.attrs["ufunc"], operation.attrs["count"]
        if ufunc not in ("add", "subtract") or count != 1:
            self._as_plain(operation, tangent)
            return
        added = self.tangent(operation.operands[1])
        if added is not None:
            operands = [tangent, added, *operation.operands[2:]]
            self.builder.emit(operation.op, operands, operation.attrs)

    def _in_place(self, operation: Operation, tangent: Value) -> None:
        _, value = operation.operands
        symbol, moved = SYMBOLS[operation.name], self.tangent(value)
        self.tangents[operation.result] = tangent
        if symbol in "+-" and moved is not None:
            self.builder.emit(operation.op, [tangent, moved])
        elif symbol in "*/@" and moved is None:
            self.builder.emit(operation.op, [tangent, value])
        elif symbol not in "+-":
            self._as_plain(operation, tangent)

    def _as_plain(self, operation: Operation, tangent: Value) -> None:
        """Let the tangent of the plain form be that of the array that the operation changes."""
        block = self.builder.block
        start = len(block.operations)
        mask = mask_of(operation, operation.operands)
        made = plain(operation, operation.operands, mask)
        steps = block.operations[start:]
        for step in steps:
            self.by_rule(step)
        found = self.tangent(made) or ops.as_value(0.0)
        for step in reversed(steps):
            if not any(result.uses for result in step.results):
                rewriter.erase(step)
        masks = [] if mask is None else [mask]
        spec = {"spec": ("array",) if masks else ("ellipsis",)}
        self.builder.emit(ops.store, [tangent, found, *masks], spec)

    _CHANGES = {  # noqa: RUF012 - methods, by the op that they are for
        **dict.fromkeys(_WRITERS, _write),
        **dict.fromkeys(CHANGING, _as_plain),
        **dict.fromkeys(SYMBOLS, _in_place),
        "ufunc.at": _at,
    }

    # --- objects ----------------------------------------------------------------------------------

    def _record(self, operation: Operation) -> None:
        """Do with the record of an object what an operation does with the object."""
        if operation.name == "object.new":
            if operation.result in self.activity.varied:
                self.tangents[operation.result] = records.new()
            return
        target, *others = operation.operands
        record, name = self.tangent(target), operation.attrs["name"]
        if record is None:  # from outside: what is read of it is unknown
            self.require_unchanged_by(operation)
            self.by_rule(operation)
        elif operation.name in SETTERS:
            (value,) = others
            records.set_field(record, name, value if is_unread(value) else self.held(value))
        elif operation.name == "object.delattr":
            records.delete_field(record, name)
        elif holds_tangents(operation.result.type):
            self.tangents[operation.result] = self._field(operation, record, name)

    def _field(self, operation: Operation, record: Value, name: str) -> Value:
        """The tangent of an attribute; zero of one of the class."""
        result = operation.result
        is_plain = is_differentiable(result.type) and not self.is_memory(result)
        is_plain = is_plain and not isinstance(result.type, UnionType)
        missing = (lambda: zero(result)) if is_plain else None
        return records.field(record, name, tangent_type(result.type), missing)

    # --- containers -------------------------------------------------------------------------------

    def _move(self, operation: Operation) -> None:
        """Do with containers of tangents what an operation does with containers."""
        if makes_object(operation):
            return
        places = places_linear(operation)
        if not writes(operation):
            errors = [self.unknown[each] for each in operation.operands if each in self.unknown]
            if errors:
                self.forget(operation, errors[0])
                return
        if not self._is_due(operation, places):
            return
        if operation.name == "object.cast" and self._is_from_outside(operation.operands[0]):
            self.forget(operation, refusal(operation, FROM_OUTSIDE))
            return
        if self._begin(operation):
            return
        if keyed.is_keyed(operation):
            with self.builder.current():
                found = keyed.do(operation, self.held, tangent_type)
            if found is not None and holds_tangents(operation.result.type):
                self.tangents[operation.result] = found
            return
        operands = [
            self.held(operand) if number in places else operand
            for number, operand in enumerate(operation.operands)
        ]
        attrs = dict(operation.attrs)
        if "type" in attrs:
            attrs["type"] = tangent_type(attrs["type"])
        made = self.builder.emit(operation.op, operands, attrs)
        for result, tangent in zip(operation.results, made.results, strict=True):
            if holds_tangents(result.type):
                self.tangents[result] = tangent

    def _begin(self, operation: Operation) -> bool:
        """Where a container comes to hold what it did not, make what stands beside it anew; whether
        that was so.
        """
        with self.builder.current():
            if keyed.begins_to_be_keyed(operation):
                values = self.tangent(operation.operands[0])
                made = keyed.paired(operation, values, self.held, tangent_type)
            elif begins_to_hold(operation, holds_tangents):
                made = begin_beside(operation)
            else:
                return False
        self.tangents[operation.result] = made
        return True

    def _is_from_outside(self, value: Value) -> bool:
        """Whether a value is an object of which nothing is known."""
        return self.tangent(value) is None and zero_tangent(value) is None

    def _is_due(self, operation: Operation, places: range | tuple[int, ...]) -> bool:
        """Whether there are tangents to be moved, or will be.

        Raises:
            DiagnosticError: NO_DERIVATIVE, if they would go to what has none itself.
        """
        given = [self.tangent(each) for each in operation.operands]
        is_known = any(tangent is not None for tangent in given)
        if writes(operation):
            if is_known and given[0] is None:
                raise refusal(operation, CHANGES_OUTSIDE)
            return is_known
        return is_known or any(
            result in self.activity.varied
            and not is_differentiable(result.type)
            and holds_tangents(result.type)
            for result in operation.results
        )
