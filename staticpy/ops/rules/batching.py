"""Batching rules: how an op works on all examples of ``vmap`` at once.

``rule(size, *operands, **attrs)`` is NumPy over ``Traced``, as the rules of derivatives are. Of an
operand that differs between examples ``value`` has their axis first; of the others it is what each
example gets. What the rule gives has the axis of the examples first, and for each of them what the
op gives, bit for bit (of products within rounding). A rule that can't promise that raises
CannotBatchError, and the op is run in a loop over the examples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from staticpy.ir import PythonType, Type, dims_of
from staticpy.ops import recurrence, selection, tensors  # noqa: F401 - they enter their ops
from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.namespace import FUNCTIONS
from staticpy.ops.opdef import REGISTRY
from staticpy.ops.promote import broadcast_together
from staticpy.ops.rules.base import kind_of_type, known, reapply
from staticpy.ops.traced import call_adapter, trace, untrace

BatchingRule = Callable[..., Any]


class CannotBatchError(Exception):
    """Raised by a rule for operands or attributes that it doesn't know."""


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of a rule: the type that it has in each example, and its Traced value."""

    value: Any
    type: Type
    is_batched: bool

    @property
    def rank(self) -> int:
        """The number of axes in each example."""
        return len(dims_of(self.type))

    @property
    def kind(self) -> str:
        """The kind of the dtype."""
        return kind_of_type(self.type)


@dataclass(frozen=True, slots=True)
class Alike:
    """What a rule gives if it is the same for all examples."""

    value: Any


BATCHING: dict[str, BatchingRule] = {}
"""The rule of each op by its name."""


def defbatch(*names: str) -> Callable[[BatchingRule], BatchingRule]:
    """A decorator: the rule of the ops ``names``."""

    def enter(rule: BatchingRule) -> BatchingRule:
        for name in names:
            if name not in REGISTRY or name in BATCHING:
                raise ValueError(f"a rule for {name!r}, which is no op or has one")
            BATCHING[name] = rule
        return rule

    return enter


def require(condition: bool) -> None:
    """Leave an op to the loop unless ``condition`` holds."""
    if not condition:
        raise CannotBatchError


# --- what rules are written with ------------------------------------------------------------------


def raised(x: Operand, rank: int) -> Any:
    """The value, with new axes behind that of the examples, so that each example has ``rank``."""
    missing = rank - x.rank
    if not x.is_batched or missing <= 0:
        return x.value
    return np.expand_dims(x.value, tuple(range(1, 1 + missing)))


def stretched(x: Operand, size: Any) -> Any:
    """The value with an axis of examples, also where it is the same for all."""
    if x.is_batched:
        return x.value
    return broadcast_to(x.value, (size, *(x.value.shape if x.rank else ())))


def broadcast_to(x: Any, shape: tuple[Any, ...]) -> Any:
    """``np.broadcast_to``, where it may be the shape alone that is Traced."""
    return call_adapter(FUNCTIONS[np.broadcast_to], x, shape)


def first(x: Operand) -> Any:
    """The first example: any of them, where only the shape counts."""
    return x.value[0] if x.is_batched else x.value


# --- elementwise ----------------------------------------------------------------------------------

_EXACT = """
add subtract negative positive conjugate equal not_equal isnan isinf isfinite complex_multiply
logical_and logical_or logical_not logical_xor
"""
"""Elementwise ops that do with complex scalars what they do with arrays of them."""


def elementwise(name: str) -> BatchingRule:
    """The rule of an op that works element by element on operands of one shape."""

    def rule(_size: Any, *operands: Operand, **attrs: Any) -> Any:
        if operands[0].rank == 0:
            is_complex = any(x.kind == "c" for x in operands)
            require(name != "power" and (not is_complex or name in _EXACT.split()))
        if name == "power":  # a loop for one exponent takes shortcuts
            require(not operands[1].is_batched)
        values = broadcast_together([untrace(x.value) for x in operands])
        op = "multiply" if name == "complex_multiply" else name
        return reapply(op, *map(trace, values), **attrs)

    return rule


for _name in (*(op.name for op in UFUNC_OPS.values()), "complex_multiply", "clip", "where", "erf"):
    defbatch(_name)(elementwise(_name))


@defbatch("broadcast", "broadcast_arrays")
def _broadcast(_size: Any, *operands: Operand) -> Any:
    rank = max(x.rank for x in operands)
    return reapply("broadcast", *(raised(x, rank) for x in operands))


def _each_element(name: str) -> BatchingRule:
    def rule(_size: Any, x: Operand, **attrs: Any) -> Any:
        return reapply(name, x.value, **attrs)

    return rule


for _name in ("cast", "real", "imag", "round"):
    defbatch(_name)(_each_element(_name))


@defbatch("from_python")
def _from_python(_size: Any, x: Operand, *, dtype: np.dtype, **_: Any) -> Any:
    require(x.kind in "bfc" and (dtype.kind == "c" or x.kind != "c") and dtype.kind in "bfc")
    return x.value if x.value.dtype == dtype else x.value.astype(dtype)


@defbatch(
    *("unbox", "copy", "unwritten", "asarray"),
    *("ascontiguousarray", "astype.itself", "tensor.new"),
)
def _itself(_size: Any, x: Operand, **attrs: Any) -> Any:
    """Nothing writes to the examples, so that copies are not told from what they are made of."""
    require(not isinstance(x.type, PythonType) and attrs.get("order", "C") in ("C", "K"))
    return x.value


def _with_number(name: str) -> BatchingRule:
    """An op on an array and a Python number that is the same for all examples."""

    def rule(_size: Any, x: Operand, number: Operand, **attrs: Any) -> Any:
        require(x.is_batched and not number.is_batched and number.rank == 0)
        return reapply(name, x.value, number.value, **attrs)

    return rule


for _name in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"):
    defbatch(f"{_name}_int")(_with_number(f"{_name}_int"))


@defbatch("pow")
def _pow(size: Any, x: Operand, exponent: Operand, **attrs: Any) -> Any:
    if x.rank > 0:
        return _with_number("pow")(size, x, exponent, **attrs)
    require(x.is_batched and not attrs)
    return reapply("pow", x.value, _plain_exponent(x, known(exponent.value)))


def _plain_exponent(x: Operand, exponent: Any) -> Any:
    """The exponent of a power of scalars, if it is one that NumPy multiplies or takes a root for.
    Of a scalar it rounds the last bit otherwise in one case of a thousand; of other powers, far
    more often.
    """
    if x.kind == "f":
        require(type(exponent) in (int, float) and exponent in (-1, 0, 0.5, 1, 2))
        return float(exponent)
    require(x.kind in "iu" and type(exponent) is int and 0 <= exponent < _SMALL)
    return exponent


_SMALL = 1 << 31


# --- reductions -----------------------------------------------------------------------------------


def _flat(size: Any, x: Operand) -> Any:
    return np.reshape(x.value, (size, -1))


def _shifted(axis: Any, rank: int) -> Any:
    """Axes of an example among those of all of them."""
    if isinstance(axis, tuple):
        return tuple(each % rank + 1 for each in axis)
    return axis % rank + 1


def _reduction(name: str) -> BatchingRule:
    def rule(_size: Any, x: Operand, *, axis: Any = None, **attrs: Any) -> Any:
        require(x.rank > 0)
        if axis is None:
            axis = tuple(range(x.rank)) if x.rank > 1 else 0
        return reapply(name, x.value, axis=_shifted(axis, x.rank), **attrs)

    return rule


for _name in (
    *("sum", "prod", "mean", "std", "var", "min", "max", "ptp", "all", "any", "count_nonzero"),
    *("median", "nansum", "nanprod", "nanmean", "nanmin", "nanmax"),
):
    defbatch(_name)(_reduction(_name))


def _along_one_axis(name: str, default: int | None) -> BatchingRule:
    """An op that works along one axis, or on all elements in their order if that is None."""

    def rule(size: Any, x: Operand, *, axis: Any = default, **attrs: Any) -> Any:
        require(x.rank > 0 and not attrs.get("keepdims"))
        if axis is None and x.rank > 1:
            return reapply(name, _flat(size, x), axis=1, **attrs)
        return reapply(name, x.value, axis=_shifted(axis or 0, x.rank), **attrs)

    return rule


for _name in ("argmin", "argmax", "cumsum", "cumprod"):
    defbatch(_name)(_along_one_axis(_name, None))
for _name in ("sort", "argsort", "diff"):
    defbatch(_name)(_along_one_axis(_name, -1))


@defbatch("recurrence")
def _recurrence(size: Any, factors: Operand, terms: Operand, *, axis: int) -> Any:
    return reapply("recurrence", stretched(factors, size), stretched(terms, size), axis=axis + 1)
