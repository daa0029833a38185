"""What the rules of array functions have in common: boxes, dtypes, axes, and scattering."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np

from staticpy.ir import ListType, TensorType, TupleType, Type, UnionType, Value, members_of
from staticpy.ops import namespace
from staticpy.ops.apply import apply, as_value
from staticpy.ops.index_functions import split_key
from staticpy.ops.recurrence import recurrence as recurrence_op
from staticpy.ops.rules.base import (
    NoDerivativeError,
    call,
    flows,
    is_complex,
    is_python,
    kind_of_type,
    rank_of,
    real_part,
    where,
)
from staticpy.ops.scatter_add import scatter_add
from staticpy.ops.traced import Traced, call_adapter, is_traced, trace, untrace

Axes = int | tuple[int, ...] | None


# --- what an operand is ---------------------------------------------------------------------------


def is_array(x: Any) -> bool:
    """Whether ``x`` is an array, be it one without axes, and no number."""
    return isinstance(x.type, TensorType) if isinstance(x, Traced) else isinstance(x, np.ndarray)


def shape(x: Any) -> tuple[Any, ...]:
    """The sizes; ints of the graph where they are not known."""
    return x.shape if rank_of(x) else ()


# --- cotangents -----------------------------------------------------------------------------------


def fit(g: Any, x: Any) -> Any:
    """A cotangent of the shape of ``x``, with its dtype and box; None where it has no tangents."""
    if not flows(x):
        return None
    if is_complex(g) and not is_complex(x):
        g = real_part(g)
    if isinstance(x, Traced) and isinstance(x.type, UnionType):
        return g
    if is_python(x):
        g = g[()] if is_array(g) else g
        return call(complex if is_complex(x) else float, g)
    if g.dtype != x.dtype:
        g = g.astype(x.dtype)
    if rank_of(x) or is_array(g) == is_array(x):
        return g
    return made(g, np.asarray, g) if is_array(x) else g[()]


def always_array(type_: Type) -> bool:
    """Whether a value of several types is an array of so many axes in all of them, with numbers
    that have derivatives in some: its cotangents have one form. Where it is an array of ints at run
    time, they flow to nothing.
    """
    members = members_of(type_)
    ranks = {
        each.rank if isinstance(each, TensorType) and each.dtype.kind in "biufc" else None
        for each in members
    }
    is_one = len(members) > 1 and len(ranks) == 1 and None not in ranks
    return is_one and any(map(_is_inexact_array, members))


def wide_array(type_: Type) -> TensorType:
    """The type of the cotangents of such a value: complex, if it may be that."""
    members = [each for each in members_of(type_) if _is_inexact_array(each)]
    return TensorType(np.result_type(*(each.dtype for each in members)), members[0].dims)


def _is_inexact_array(type_: Type) -> TypeGuard[TensorType]:
    return isinstance(type_, TensorType) and type_.dtype.kind in "fc"


def as_wide_array(g: Any, type_: Type) -> Any:
    """A cotangent of such a value, in the dtype that all of them have."""
    dtype = wide_array(type_).dtype
    if isinstance(g, Traced) and isinstance(g.type, UnionType):
        return g * dtype.type(1)
    return g if g.dtype == dtype else g.astype(dtype)


def conj(x: Any) -> Any:
    """The conjugate, which is ``x`` itself where it is real."""
    return np.conjugate(x) if is_complex(x) else x


def real_if(wanted: bool, x: Any) -> Any:
    """The real part of ``x``, if it is ``wanted`` and there is another."""
    return x.real if wanted and is_complex(x) else x


def root(x: Any) -> Any:
    """The square root of what is not negative, with the derivative 0 at 0, where it is 1."""
    return np.sqrt(where(x == 0, 1, x))


def refuse(function: str, argument: str) -> NoDerivativeError:
    """What to raise where a function has no derivative with the ``argument`` that it is given."""
    return NoDerivativeError(f"{function} has no derivative with this {argument!r}")


def refuse_sequences(function: str, operands: Any) -> None:
    """A function reads numbers out of a tuple or list: there is nothing that a cotangent of them
    could go to.

    Raises:
        NoDerivativeError: an operand is such a one.
    """
    for x in operands:
        if isinstance(x, Traced):
            is_read = _holds_numbers(x.type)
        else:
            is_read = isinstance(x, tuple | list) and any(map(is_array, x))
        if is_read:
            reason = f"{function} has no derivative where it takes numbers in a tuple or list: "
            raise NoDerivativeError(reason + "make an array of them first")


def _holds_numbers(type_: Type) -> bool:
    """Whether a tuple or list has numbers that have a derivative."""
    if isinstance(type_, ListType):
        items = members_of(type_.item)
    elif isinstance(type_, TupleType):
        items = tuple(member for item in type_.items for member in members_of(item))
    else:
        return False
    return any(_holds_numbers(each) or kind_of_type(each) in "fc" for each in items)


# --- axes -----------------------------------------------------------------------------------------


def axes_of(axis: Axes, x: Any) -> tuple[int, ...]:
    """The axes that are reduced, counted from the front.

    Raises:
        NoDerivativeError: they are known only when it runs.
    """
    count = rank_of(x)
    if axis is None:
        return tuple(range(count))
    given = axis if isinstance(axis, tuple) else (axis,)
    if any(map(is_traced, given)):
        raise NoDerivativeError(
            "there is no derivative along an axis that is known only at run time"
        )
    return tuple(each % count for each in given) if count else ()


def restore(g: Any, x: Any, axis: Axes, keepdims: bool = False) -> Any:
    """What a reduction of ``x`` gave, such that it broadcasts against ``x``."""
    axes = axes_of(axis, x)
    if keepdims or not axes or len(axes) == rank_of(x):
        return g
    return np.expand_dims(g, axes)


def spread(g: Any, x: Any, axis: Axes, keepdims: bool = False) -> Any:
    """What a reduction of ``x`` gave, repeated along the axes that it has reduced."""
    restored = restore(g, x, axis, keepdims)
    return fit(np.broadcast_to(restored, shape(x)) if rank_of(x) else restored, x)


def product(sizes: Any) -> Any:
    """The product of sizes."""
    total: Any = 1
    for size in sizes:
        total = size if type(total) is int and total == 1 else total * size
    return total


def count_along(x: Any, axis: Axes) -> Any:
    """How many elements a reduction puts together."""
    return product(shape(x)[each] for each in axes_of(axis, x))


def along(axis: int, *parts: Any) -> tuple[Any, ...]:
    """The key that has ``parts`` at an axis (and what follows it), and all of the axes before."""
    return (slice(None),) * axis + parts


def flip(x: Any, axis: int) -> Any:
    """``x`` with an axis turned round."""
    return x[along(axis, slice(None, None, -1))]


# --- ops that rules emit --------------------------------------------------------------------------


def scatter_at(g: Any, like: Any, key: Any) -> Any:
    """Zeros of the shape of ``like``, to which ``g`` is added at ``key``."""
    if not is_traced(g, like, key):
        made = np.zeros(np.shape(like), g.dtype)
        np.add.at(made, key, g)
        return made if isinstance(like, np.ndarray) else made[()]
    target: Value = as_value(untrace(like))
    spec, operands = split_key(target, untrace(key))
    return trace(apply(scatter_add, untrace(g), target, *operands, spec=spec))


def made(like: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
    """What ``function`` of NumPy makes of sizes and numbers, in the graph if ``like`` is there."""
    if isinstance(like, Traced):
        return like.apply(namespace.FUNCTIONS[function], *args, **kwargs)
    if not is_traced(*args):
        return function(*args, **kwargs)
    return call_adapter(namespace.FUNCTIONS[function], *args, **kwargs)


def row(like: Any, x: Any) -> Any:
    """Numbers in a tuple or list as an array, traced if ``like`` is; an array itself."""
    return made(like, np.array, x) if isinstance(x, tuple | list) else x


def row_of(x: Any, like: Any) -> Any:
    """The elements of an array, or a number, as a row, in the graph if ``like`` is there."""
    return np.ravel(x) if rank_of(x) else made(like, np.full, 1, x)


def places(like: Any, axis: int) -> Any:
    """``0, 1, 2, …``: one number for each place along an axis of ``like``."""
    return made(like, np.arange, shape(like)[axis])


def scatter_along(g: Any, x: Any, indices: Any, axis: int) -> Any:
    """The transpose of ``np.take_along_axis(x, indices, axis)``."""
    count = rank_of(x)
    key = tuple(
        indices if each == axis else places(x, each)[(..., *(None,) * (count - each - 1))]
        for each in range(count)
    )
    return scatter_at(g, x, key)


def recurrence(factors: Any, terms: Any, axis: int) -> Any:
    """``y[i] = factors[i] * y[i - 1] + terms[i]`` along an axis."""
    return trace(apply(recurrence_op, untrace(factors), untrace(terms), axis=axis))


def taken(t: Any, weights: Any) -> Any:
    """Tangents by their weights, of which a 0 is one wherever the array is a little different: what
    a reduction leaves out counts nothing, be its tangent infinite or NaN, as it most often is.
    """
    return np.where(weights == 0, 0, t * weights)
