"""Conversions that NumPy makes by itself.

In: a Function. Out: for each elementwise operation, the operands that its call in the source
gets. The graph spells out what NumPy does silently; here ``from_python``, ``unbox``, ``cast`` and
``broadcast`` are taken back wherever the call on the unconverted operands runs the same loop on
the same sizes:

    %0 = from_python 2 {dtype = f64}
    %1, %2 = broadcast %x, %0            x * 2
    %3 = multiply %1, %2

A conversion that may raise is taken back only where nothing else can happen between it and the
call.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from staticpy.backends.python_source.literals import python_twin
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    FLOAT,
    PYTHON_TYPES,
    UNKNOWN,
    Block,
    Function,
    Operation,
    OpResult,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    dims_of,
    is_same_dtype,
    walk,
)
from staticpy.ops import (
    Effect,
    OpDef,
    broadcast,
    broadcast_dims,
    cast,
    constant,
    from_python,
    is_order_of_complex_scalars,
    loop_dtypes,
    unbox,
    where_op,
)
from staticpy.passes import (
    Surroundings,
    all_effects,
    effects_by_op,
    reads_memory,
    write_epochs,
)

CONVERSIONS = frozenset((from_python, unbox, cast, broadcast))


@dataclass(frozen=True, slots=True)
class Literal:
    """A Python number that stands in the source for a NumPy constant of the graph."""

    value: Any

    @property
    def type(self) -> Type:
        """The Python type of the number."""
        return PYTHON_TYPES[type(self.value)]


Operand = Value | Literal


def own_effects(operation: Operation) -> Effect:
    """What one operation can do, without its regions."""
    if operation.op is from_python and _is_sure(operation):
        return Effect.NONE
    return effects_by_op(operation)


def _sure_divisions(operations: Sequence[Operation]) -> Iterator[Operation]:
    """The divisions of Python's floats by what is known not to be zero, or by what their line has
    divided by before, in the same block: the first one of these raises, and it is the same which.
    """
    seen = set()
    for operation in operations:
        if operation.name != "py.truediv" or {each.type for each in operation.operands} != {FLOAT}:
            continue
        divisor, span = operation.operands[1], operation.span
        place = operation.block, divisor, span.line, span.function, span.inlined_at
        if place in seen or constant_of(divisor):
            yield operation
        seen.add(place)


def _is_sure(conversion: Operation) -> bool:
    """Whether a conversion is known to succeed, because its operand is known."""
    known = constant_of(conversion.operands[0])
    if known is None:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            _kernel(from_python)(known, **conversion.attrs)
    except (ArithmeticError, ValueError, TypeError, Warning):
        return False
    return True


def _kernel(op: OpDef) -> Callable[..., Any]:
    assert op.kernel is not None
    return op.kernel


def constant_of(operand: Operand) -> Any:
    """The number that an operand is known to be, else None."""
    if isinstance(operand, Literal):
        return operand.value
    operation = operand.defining_op
    return operation.attrs["value"] if operation is not None and operation.op is constant else None


class Folding:
    """What each operation reads in the source, once conversions are taken back.

    ``warnings_raise_here`` says that every warning of the function is an exception.
    """

    def __init__(self, function: Function, *, warnings_raise_here: bool = False) -> None:
        self.operations = list(walk(function.block))
        self._positions: dict[Block, dict[Operation, int]] = {}
        self._chosen: dict[Operation, tuple[Operand, ...]] = {}
        self._kept: set[Operation] = set()
        self._function = function
        self._effects = {operation: own_effects(operation) for operation in self.operations}
        around = Surroundings()
        for operation, effects in self._effects.items():
            if Effect.WARNS not in effects:
                continue
            if warnings_raise_here or around.warnings_raise(operation):
                self._effects[operation] = effects | Effect.RAISES
        self._effects |= dict.fromkeys(_sure_divisions(self.operations), Effect.NONE)
        while True:
            self._anchored: set[Operation] = set()
            self._chosen = {}
            for operation in self.operations:
                if _is_foldable_user(operation):
                    self._choose(operation)
            kept = self._needed_conversions()
            if kept <= self._kept:
                break
            self._kept |= kept

    def operands(self, operation: Operation) -> Sequence[Operand]:
        """What ``operation`` reads."""
        return self._chosen.get(operation) or operation.operands

    def is_gone(self, operation: Operation) -> bool:
        """Whether ``operation`` is a conversion that every reader takes back."""
        return (
            operation.op in CONVERSIONS and operation not in self._kept and self._is_read(operation)
        )

    def effects(self, operation: Operation) -> Effect:
        """What ``operation`` can do, without its regions, with the conversions it takes back."""
        effects = self._effects[operation]
        if operation in self._chosen:
            for conversion in _conversions_above(operation):
                if self.is_gone(conversion):
                    effects |= self._effects[conversion]
        return effects

    @staticmethod
    def _is_read(operation: Operation) -> bool:
        return any(result.uses for result in operation.results)

    def _needed_conversions(self) -> set[Operation]:
        """The conversions that some operation reads as they are."""
        needed: set[Operation] = set()
        pending: list[Operation] = []
        for operation in self.operations:
            if operation.op not in CONVERSIONS:
                pending += _conversions_among(self.operands(operation))
            elif not self._is_read(operation):
                pending.append(operation)
        while pending:
            conversion = pending.pop()
            if conversion not in needed:
                needed.add(conversion)
                pending += _conversions_among(conversion.operands)
        return needed

    # --- one operation ----------------------------------------------------------------------------

    def _choose(self, operation: Operation) -> None:
        """Take back as many conversions as possible."""
        ladders = [self._ladder(operand) for operand in operation.operands]
        if max(map(len, ladders), default=1) == 1:
            return
        choices = itertools.product(*(range(len(ladder)) for ladder in ladders))
        for depths in sorted(choices, key=sum, reverse=True):
            operands = tuple(ladder[depth] for ladder, depth in zip(ladders, depths, strict=True))
            if any(depths) and self._is_same_call(operation, operands):
                self._chosen[operation] = operands
                self._anchored.update(_conversions_above(operation))
                return

    def _ladder(self, value: Value) -> list[Operand]:
        """``value``, and what it was before each of the conversions that made it."""
        ladder: list[Operand] = [value]
        while isinstance(value, OpResult):
            source = value.owner
            if source.op not in CONVERSIONS or source in self._kept or _loses(source):
                break
            value = source.operands[value.index if source.op is broadcast else 0]
            ladder.append(value)
        known = constant_of(value)
        twin = python_twin(known)
        if twin is not None:
            ladder.append(Literal(twin))
        return ladder

    def _is_same_call(self, operation: Operation, operands: Sequence[Operand]) -> bool:
        types = [operand.type for operand in operands]
        return (
            _same_dtypes(operation, types)
            and self._same_sizes(operation, operands)
            and self._same_effects(operation, operands)
        )

    def _same_sizes(self, operation: Operation, operands: Sequence[Operand]) -> bool:
        dims = broadcast_dims(*(dims_of(operand.type) for operand in operands))
        if UNKNOWN not in dims and dims == dims_of(operation.results[0].type):
            return True
        stretching = [
            operand.owner
            for operand, chosen in zip(operation.operands, operands, strict=True)
            if isinstance(operand, OpResult)
            and operand.owner.op is broadcast
            and chosen is not operand
        ]
        if not stretching:
            return True
        if any(map(_is_stretched_twice, operation.operands, operands)):
            return False  # the first time may be to other operands' sizes
        (first, *others) = stretching
        indexes = {operand.index for operand in operation.operands if isinstance(operand, OpResult)}
        complete = len(stretching) == len(operands) and indexes == set(range(len(first.operands)))
        return complete and all(other is first for other in others)

    def _same_effects(self, operation: Operation, operands: Sequence[Operand]) -> bool:
        taken = {
            conversion
            for operand, chosen in zip(operation.operands, operands, strict=True)
            for conversion in _conversions_between(operand, chosen)
        }
        risky = {
            each
            for each in taken
            if self._effects[each] is not Effect.NONE and each not in self._kept
        }
        risky -= self._anchored
        if risky and not risky <= set(self._just_before(operation)):
            return False
        return not any(self._crosses_write(conversion, operation) for conversion in taken)

    def _crosses_write(self, conversion: Operation, operation: Operation) -> bool:
        """Whether a write comes between a conversion that reads an array and its reader."""
        if conversion.op is broadcast or not reads_memory(conversion):
            return False
        return self._epochs[conversion] != self._epochs[operation]

    @cached_property
    def _epochs(self) -> dict[Operation, int]:
        return write_epochs(all_effects(self._function))

    def _just_before(self, operation: Operation) -> Iterator[Operation]:
        """The conversions between which and ``operation`` nothing else can happen."""
        above = set(_conversions_above(operation))
        block = operation.block
        assert block is not None
        if block not in self._positions:
            self._positions[block] = {each: i for i, each in enumerate(block.operations)}
        for position in range(self._positions[block][operation] - 1, -1, -1):
            other = block.operations[position]
            if other in above:
                yield other
            elif other.regions or self._effects[other] is not Effect.NONE:
                return


def _loses(conversion: Operation) -> bool:
    """Whether a cast may change numbers, which one back doesn't undo, or nothing but their class,
    which the graph says of what is computed of them, and NumPy's loops don't.
    """
    if conversion.op is not cast:
        return False
    given, made = (
        getattr(each.type, "dtype", None) for each in (conversion.operands[0], conversion.result)
    )
    if given is None or made is None:
        return False
    return not np.can_cast(given, made) or (given == made and not is_same_dtype(given, made))


def _is_foldable_user(operation: Operation) -> bool:
    op = operation.op
    return isinstance(op, OpDef) and (op.ufunc is not None or op is where_op)


def _conversions_among(operands: Sequence[Operand]) -> list[Operation]:
    """The conversions of which ``operands`` are the results."""
    return [
        operand.owner
        for operand in operands
        if isinstance(operand, OpResult) and operand.owner.op in CONVERSIONS
    ]


def _conversions_above(operation: Operation) -> Iterator[Operation]:
    """The conversions that the operands of ``operation`` come from."""
    for operand in operation.operands:
        value: Value = operand
        while isinstance(value, OpResult) and value.owner.op in CONVERSIONS:
            yield value.owner
            value = value.owner.operands[value.index if value.owner.op is broadcast else 0]


def _conversions_between(operand: Value, chosen: Operand) -> Iterator[Operation]:
    """The conversions that make ``operand`` out of ``chosen``, or out of the constant it is."""
    value = operand
    while value is not chosen and isinstance(value, OpResult) and value.owner.op in CONVERSIONS:
        yield value.owner
        value = value.owner.operands[value.index if value.owner.op is broadcast else 0]


def _is_stretched_twice(operand: Value, chosen: Operand) -> bool:
    """Whether two broadcasts are between ``chosen`` and what was made of it."""
    return sum(each.op is broadcast for each in _conversions_between(operand, chosen)) > 1


def _same_dtypes(operation: Operation, types: Sequence[Type]) -> bool:
    """Whether NumPy computes in the same dtypes for operands of ``types``."""
    python = [type_ for type_ in types if isinstance(type_, PythonType)]
    if operation.op is where_op:
        return _same_where(operation, types)
    if len(python) == len(types) and not _is_float_call(operation, python):
        return False
    op = operation.op
    assert isinstance(op, OpDef)
    assert op.ufunc is not None
    if op.symbol and len(python) == len(types) and not _has_array(operation):
        return False  # the operator of two NumPy scalars has its own warnings
    if op.symbol and is_order_of_complex_scalars(op.symbol, *types):
        return False
    try:
        found = loop_dtypes(op.ufunc, types)
    except DiagnosticError:
        return False
    wanted = loop_dtypes(op.ufunc, [operand.type for operand in operation.operands])
    return all(map(is_same_dtype, found, wanted))


def _has_array(operation: Operation) -> bool:
    return any(isinstance(operand.type, TensorType) for operand in operation.operands)


def _is_float_call(operation: Operation, types: Sequence[PythonType]) -> bool:
    """Whether a call with Python numbers alone has the dtype that the graph says, whatever the
    numbers: an int may be too long for int64, and then NumPy takes another dtype.
    """
    if not any(type_.kind == "int" for type_ in types):
        return True
    return all(type_.kind in ("bool", "int") for type_ in types) and all(
        _dtype(operand.type) in (np.float64, np.complex128) for operand in operation.operands
    )


def _dtype(type_: Type) -> np.dtype:
    """The dtype of an array or NumPy scalar."""
    assert isinstance(type_, ScalarType | TensorType)
    return type_.dtype


def _same_where(operation: Operation, types: Sequence[Type]) -> bool:
    condition, *choices = types
    if isinstance(condition, PythonType) or all(isinstance(t, PythonType) for t in choices):
        return False
    for operand, choice in zip(operation.operands[1:], choices, strict=True):
        source = operand
        while isinstance(source, OpResult) and source.owner.op in (broadcast, cast):
            source = source.owner.operands[source.index if source.owner.op is broadcast else 0]
        made = source.defining_op
        wraps = made is not None and made.op is from_python and made.attrs.get("wraps")
        if choice == PYTHON_TYPES[int] and not wraps and constant_of(source) is None:
            return False
    samples: list[Any] = [np.zeros((), bool)] + [
        PYTHON_SAMPLES[t.kind] if isinstance(t, PythonType) else np.zeros((), _dtype(t))
        for t in choices
    ]
    found: np.ndarray = np.where(*samples)
    return is_same_dtype(found.dtype, _dtype(operation.result.type))


PYTHON_SAMPLES: dict[str, Any] = {"bool": False, "int": 0, "float": 0.0, "complex": 0j}
