"""OpDef: what an op means, said once, and the registry of all ops.

An op is defined by one ``defop``. What comes in: operand types and compile-time attributes. What
comes out: result types (``infer``) and, for real arrays, result values (``kernel``). Everything
else (eager execution, the graph, generated source, the generated tests) reads this definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any

import numpy as np

from staticpy.ir import (
    OBJECT,
    Operation,
    Region,
    TupleType,
    Type,
    accepts,
    members_of,
    type_of,
)


class Effect(Flag):
    """What running an op can do besides making its results."""

    NONE = 0
    WARNS = auto()
    """May give a floating-point warning: may be dropped or merged, never run where Python would
    not."""
    WRITES = auto()
    """Changes an array that others may see: never dropped, and no read of an array crosses it."""
    RAISES = auto()
    """May raise: never dropped, never moved across another effect, never run where Python would
    not."""

    # Passes ask for the effects of each operation again and again, and those of ``Flag`` make a new
    # member each time.

    def __or__(self, other: Effect) -> Effect:
        return _EFFECTS[self._value_ | other._value_]

    def __and__(self, other: Effect) -> Effect:
        return _EFFECTS[self._value_ & other._value_]

    def __contains__(self, other: Effect) -> bool:
        return not other._value_ & ~self._value_

    def __bool__(self) -> bool:
        return self._value_ != 0


_EFFECTS = tuple(map(Effect, range(8)))
"""Every combination of effects, by its number."""


Attrs = Mapping[str, Any]
Samples = Callable[[np.random.Generator], Iterable[tuple[tuple[Any, ...], dict[str, Any]]]]


@dataclass(frozen=True, eq=False, slots=True)
class OpDef:
    """The definition of one op.

    Attributes:
        name: unique, as printed in the IR. infer: the type rule, ``infer(*operand_types, **attrs)
        -> Type | tuple[Type, ...]``. An op with
            regions gets them as ``regions=``. Raises DiagnosticError where the types don't fit.
        kernel: a pure function ``kernel(*operands, **attrs)`` of arrays and scalars that returns
        the
            result, or a tuple of them; None for control flow. The judge is NumPy: same value, box,
            dtype and exception.
        effects: an Effect, or a function of ``(operand_types, attrs)`` that gives one.
        view: whether the result may share memory with operand 0.
        ufunc: the NumPy ufunc whose loop this op is; its type resolution gives the promotion.
        symbol: the Python operator that computes the same on NumPy operands: ``"+"``.
        numpy: the dotted name under ``numpy`` that a program calls to run the kernel: ``"sum"``.
        takes_sequence: whether that function takes the operands as one sequence, as
            ``np.concatenate((a, b))`` does.
        is_terminator: whether it ends a block.
        verify: what the verifier checks of an operation beyond its type rule: its regions, where it
            stands. Raises DiagnosticError (INVALID_IR).
        samples: yields ``(operands, attrs)`` on which the generated tests run the op.
    """

    name: str
    infer: Callable[..., Type | tuple[Type, ...]]
    kernel: Callable[..., Any] | None = None
    effects: Effect | Callable[[Sequence[Type], Attrs], Effect] = Effect.NONE
    view: bool = False
    ufunc: np.ufunc | None = None
    symbol: str = ""
    numpy: str = ""
    takes_sequence: bool = False
    is_terminator: bool = False
    verify: Callable[[Operation], None] | None = None
    samples: Samples | None = None

    def result_types(
        self, operands: Sequence[Type], attrs: Attrs, regions: Sequence[Region] = ()
    ) -> tuple[Type, ...]:
        """The types of the results, by the type rule."""
        extra: dict[str, Any] = {"regions": regions} if regions else {}
        types = self.infer(*operands, **attrs, **extra)
        return types if isinstance(types, tuple) else (types,)

    def verify_operation(self, operation: Operation) -> None:
        """Check what the type rule can't see. Raises DiagnosticError (INVALID_IR)."""
        if self.verify is not None:
            self.verify(operation)

    def effects_of(self, operands: Sequence[Type], attrs: Attrs) -> Effect:
        """What this op can do with operands of these types."""
        return self.effects(operands, attrs) if callable(self.effects) else self.effects

    def __repr__(self) -> str:
        return f"OpDef({self.name!r})"


REGISTRY: dict[str, OpDef] = {}
"""Every op by its name."""


def defop(name: str, **definition: Any) -> OpDef:
    """Define an op and enter it in the registry. See OpDef for the fields.

    Raises:
        ValueError: the name is taken.
    """
    if name in REGISTRY:
        raise ValueError(f"the op {name!r} is defined twice")
    REGISTRY[name] = op = OpDef(name, **definition)
    return op


def operation_effects(operation: Operation) -> Effect:
    """What an operation can do, with all that its regions hold."""
    effects = Effect.NONE
    pending = [operation]
    while pending:
        current = pending.pop()
        op = REGISTRY[current.name]
        effects |= op.effects_of([operand.type for operand in current.operands], current.attrs)
        for region in current.regions:
            pending.extend(region.block.operations)
    return effects


def results_of(computed: Any, types: Sequence[Type]) -> tuple[Any, ...]:
    """What a kernel has returned as one value for each result; ``types`` are those of the results.

    A kernel gives its only result as it is, or in a tuple of one item.
    """
    if len(types) != 1:
        return tuple(computed)
    if not isinstance(computed, tuple) or len(computed) != 1:
        return (computed,)
    members = members_of(types[0])
    is_tuple = any(isinstance(each, TupleType) and len(each.items) == 1 for each in members)
    holds_tuple = isinstance(computed[0], tuple) and len(computed[0]) == 1
    if is_tuple and holds_tuple:
        is_tuple = accepts(types[0], type_of(computed) or OBJECT)
    return (computed,) if is_tuple else computed


def same_type(*operands: Type) -> Type:
    """The type rule of an op whose result has the type of its first operand."""
    return operands[0]
