"""Chains of elementwise operations, which large arrays are better taken through block by block.

In: the statements of a function, with the names of its variables. Out: the same statements, where
those that make up a chain stand together:

    m *= 0.9                        if m.nbytes < 524288 or update(m, g, p, r) is None:
    m += 0.1 * g                        m *= 0.9
    p -= r * m                          m += 0.1 * g
                                        p -= r * m

with a function of blocks, a line for each ufunc (``parts``). All arrays of a chain have one shape
and one dtype, but for bools; where they have not, nothing is done in blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from staticpy.backends.python_source.folding import Operand, constant_of
from staticpy.backends.python_source.nesting import Nesting
from staticpy.backends.python_source.statements import Delete, Line, Statement
from staticpy.ir import (
    FLOAT,
    Operation,
    OpResult,
    ScalarType,
    TensorType,
    Type,
    dims_of,
)

WORTH_IT = 5
"""A chain of fewer operations stays as it is: it is read more easily."""

LONGEST = 100
"""After so many operations another chain begins."""

_EXACT = (
    "add",
    "subtract",
    "multiply",
    "true_divide",
    "negative",
    "absolute",
    "sqrt",
    "square",
    "maximum",
    "minimum",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "equal",
    "not_equal",
    "logical_and",
    "logical_or",
    "logical_not",
)
"""What rounds one way only, and does to an element the same wherever it stands in an array."""

IN_PLACE_UFUNCS = {
    "iadd": "add",
    "isub": "subtract",
    "imul": "multiply",
    "itruediv": "true_divide",
}
"""The ufunc of ``x += y`` and its like."""

_BOOL = np.dtype(np.bool_)
_LARGEST = float(np.finfo(np.float32).max)


@dataclass(eq=False, slots=True)
class Chain:
    """Statements of elementwise operations on arrays, one after the other.

    Attributes:
        statements: the operations, and what they let go.
        operations: all that they do, in this order.
        ranks: the number of axes of all arrays; that they are of one shape is seen when it runs.
        dtypes: the dtype of all arrays and NumPy scalars but for bools, once it is known.
    """

    statements: list[Line | Delete] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    ranks: frozenset[int] = frozenset()
    dtypes: frozenset[np.dtype] = frozenset()

    def accepts(self, types: Sequence[Type]) -> bool:
        """Whether operations on values of these types belong to the chain; it remembers them."""
        arrays = [type_ for type_ in types if isinstance(type_, TensorType)]
        scalars = [type_.dtype for type_ in types if isinstance(type_, ScalarType)]
        ranks = self.ranks.union(len(type_.dims) for type_ in arrays)
        dtypes = self.dtypes.union((type_.dtype for type_ in arrays), scalars) - {_BOOL}
        if len(ranks) != 1 or len(dtypes) > 1:
            return False
        self.ranks, self.dtypes = ranks, dtypes
        return True


def split(statements: list[Statement], nesting: Nesting) -> Iterator[Statement | Chain]:
    """The statements, with a Chain in the place of those that make one up."""
    chain = Chain()
    for statement in statements:
        if isinstance(statement, Delete) and chain.statements:
            chain.statements.append(statement)
            continue
        found = _operations(statement.operation, nesting) if isinstance(statement, Line) else None
        types = [each.type for one in found or () for each in _values(one, nesting)]
        is_full = len(chain.operations) >= LONGEST
        if found is None or is_full or not chain.accepts(types):
            yield from _whole(chain)
            chain = Chain()
        if found is None or not chain.accepts(types):
            yield statement
            continue
        assert isinstance(statement, Line)
        chain.statements.append(statement)
        chain.operations += found
    yield from _whole(chain)


def _whole(chain: Chain) -> Sequence[Statement | Chain]:
    is_worth_it = len(chain.operations) >= WORTH_IT and chain.dtypes
    return [chain] if is_worth_it else chain.statements


def _values(operation: Operation, nesting: Nesting) -> list[Operand]:
    return [*nesting.folding.operands(operation), operation.result]


def _operations(operation: Operation, nesting: Nesting) -> list[Operation] | None:
    """An operation behind those that are nested in it; None where it has no place in a chain."""
    if operation.name not in _EXACT and operation.name not in IN_PLACE_UFUNCS:
        return None
    if not _is_array(operation.result.type):
        return None
    found: list[Operation] = []
    for operand in nesting.folding.operands(operation):
        if not (_is_array(operand.type) or _is_number(operand, nesting)):
            return None
        if isinstance(operand, OpResult) and operand in nesting.nested and dims_of(operand.type):
            inner = _operations(operand.owner, nesting)
            if inner is None:
                return None
            found += inner
    return [*found, operation]


def _is_array(type_: Type) -> bool:
    if not isinstance(type_, TensorType) or not type_.dims:
        return False
    return type_.dtype.isnative and type_.dtype.char in "?fd"


def _is_number(operand: Operand, nesting: Nesting) -> bool:
    """Whether an operand is a number that can be computed before the chain begins, and that no
    conversion to float32 raises for or warns about, or of which that can be asked then.
    """
    known = constant_of(operand)
    if type(known) in (int, float):
        return bool(abs(known) <= _LARGEST)
    numbers = [operand, *nesting.leaves(operand)]
    return not nesting.is_effective(operand) and all(map(_is_real, numbers))


def _is_real(operand: Operand) -> bool:
    type_ = operand.type
    return type_ == FLOAT or (isinstance(type_, ScalarType) and type_.dtype.char in "fd")
