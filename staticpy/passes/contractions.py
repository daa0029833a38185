"""``np.einsum`` and ``np.tensordot`` of two arrays of floats as products, which native code has.

Before:
    %0 = constant {value = "bij,bkj->bik"} : str
    %1 = numpy.call %0, %x, %y {function = "einsum"} : f32[b, ?, ?]
After:
    %2 = transpose %y {axes = (0, 2, 1)} : f32[b, n, k]
    %1 = einsum.matmul %x, %2 : f32[b, m, k]

In: a module. Out: it, or a copy. It is done where one index is summed, which both arrays have, and
each has one of its own. ``tensordot`` of matrices is NumPy's ``dot`` of them. What else the two do
stays a call. No pass of the pipeline: it is for backends that have products, behind derivatives,
whose rules are those of the functions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from staticpy import ops
from staticpy.ir import (
    Module,
    Operation,
    TensorType,
    Value,
    builder_before,
    dims_of,
    rewriter,
)
from staticpy.ops import REGISTRY, constant_value
from staticpy.passes.outline import with_replaced

_DOT = REGISTRY["dot"]
_TAKEN_APART = ("list.make", "tuple.make")


class _Product(NamedTuple):
    """What is multiplied: for each operand which one it is of the call's arrays, and in which order
    it has its axes; and in which order the result has its, if it is not that of the product.
    """

    places: tuple[int, int]
    orders: tuple[tuple[int, ...], tuple[int, ...]]
    axes: tuple[int, ...] | None = None


def with_contractions_as_products(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    return with_replaced(module, lambda each: _product(each) is not None, _replace)


def _replace(operation: Operation) -> None:
    product, arrays = _product(operation), _arrays(operation)
    assert product is not None
    builder = builder_before(operation)
    with builder.current():
        operands = [
            _turned(arrays[place], order)
            for place, order in zip(product.places, product.orders, strict=True)
        ]
    op = ops.einsum_matmul if operation.attrs["function"] == "einsum" else _DOT
    attrs = {} if product.axes is None else {"axes": product.axes}
    read = list(operation.operands)
    rewriter.replace(operation, [builder.emit(op, operands, attrs).result])
    _forget(read)


def _turned(x: Value, order: tuple[int, ...]) -> Value:
    if order == tuple(range(len(order))):
        return x
    return ops.as_value(ops.FUNCTIONS[np.transpose](x, order))


def _forget(values: list[Value]) -> None:
    """Erase what was made to say which axes are summed."""
    for value in values:
        made = value.defining_op
        if made is not None and made.name in _TAKEN_APART and not value.uses:
            read = list(made.operands)
            rewriter.erase(made)
            _forget(read)


# --- what is a product ----------------------------------------------------------------------------


def _product(operation: Operation) -> _Product | None:
    function = operation.attrs.get("function") if operation.name == "numpy.call" else None
    if function not in ("einsum", "tensordot") or "keywords" in operation.attrs:
        return None
    arrays = _arrays(operation)
    types = [each.type for each in arrays]
    if len(types) != 2 or not all(map(_is_of_floats, types)) or len(set(map(_dtype, types))) > 1:
        return None
    ranks = [len(dims_of(each)) for each in types]
    return _of_einsum(operation, ranks) if function == "einsum" else _of_dot(operation, ranks)


def _arrays(operation: Operation) -> list[Value]:
    is_einsum = operation.attrs["function"] == "einsum"
    return list(operation.operands[1:] if is_einsum else operation.operands[:2])


def _is_of_floats(type_: object) -> bool:
    return isinstance(type_, TensorType) and type_.dtype.char in "fd"


def _dtype(type_: object) -> object:
    assert isinstance(type_, TensorType)
    return type_.dtype


def _of_einsum(operation: Operation, ranks: list[int]) -> _Product | None:
    text = constant_value(operation.operands[0])
    is_plain = not set(operation.attrs) - {"function", "results", "optimize"}
    if not isinstance(text, str) or not is_plain or operation.attrs.get("optimize", False):
        return None
    terms, result = ops.labels_of(text, ranks)
    if any(len(set(each)) < len(each) for each in (*terms, result)):
        return None
    left, right = terms
    summed = (set(left) | set(right)) - set(result)
    if len(summed) != 1 or not summed <= set(left) & set(right):
        return None
    m, n = (_last_own(result, other) for other in (right, left))
    if m < 0 or n < 0:
        return None
    places = (0, 1)
    if m > n:
        (m, n), (left, right), places = (n, m), (right, left), (1, 0)
    outer = "".join(each for place, each in enumerate(result) if place not in (m, n))
    (k,) = summed
    first, second = (_with(outer, each) for each in (left, right))
    if not (outer.endswith(first) and outer.endswith(second)):
        return None  # matmul would put an axis of one array beside another one of the other
    made = outer + result[m] + result[n]
    orders = (first + result[m] + k, left), (second + k + result[n], right)
    axes = None if made == result else tuple(map(made.index, result))
    one, other = (tuple(map(term.index, wanted)) for wanted, term in orders)
    return _Product(places, (one, other), axes)


def _last_own(result: str, other: str) -> int:
    """The place of the last index that the other array has not, or -1."""
    return max([-1, *(place for place, each in enumerate(result) if each not in other)])


def _with(outer: str, term: str) -> str:
    return "".join(each for each in outer if each in term)


def _of_dot(operation: Operation, ranks: list[int]) -> _Product | None:
    axes = _axes(operation)
    if ranks != [2, 2] or axes is None or not all(-2 <= each < 2 for each in axes):
        return None
    left, right = (each % 2 for each in axes)
    return _Product((0, 1), ((1 - left, left), (right, 1 - right)))


def _axes(operation: Operation) -> tuple[int, int] | None:
    """The one axis of each array that ``tensordot`` sums, if that is known, and it is one."""
    if set(operation.attrs) - {"function", "results", "axes"}:
        return None
    given = operation.attrs.get("axes")
    if len(operation.operands) == 3:
        given = _known(operation.operands[2])
    if type(given) is int:
        return (-1, 0) if given == 1 else None
    if not isinstance(given, tuple) or len(given) != 2:
        return None
    single = [each[0] if isinstance(each, tuple) and len(each) == 1 else each for each in given]
    return (single[0], single[1]) if all(type(each) is int for each in single) else None


def _known(value: Value) -> object:
    """What a number is known to be, or a tuple of numbers, or a list that nobody else has."""
    made = value.defining_op
    if made is None or made.name not in _TAKEN_APART:
        return constant_value(value)
    return tuple(map(_known, made.operands)) if len(value.uses) == 1 else None
