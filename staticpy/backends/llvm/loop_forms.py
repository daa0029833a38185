"""Which operations loops over arrays can do.

In: an operation. Out: whether ``loops`` has a form for it, on the types of its operands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from staticpy.backends.llvm import maths
from staticpy.backends.llvm.elements import can_cast, element_rule
from staticpy.backends.llvm.engine import numpy_has_vectors
from staticpy.backends.llvm.exponents import has_plain_exponent, power_has_form
from staticpy.backends.llvm.forms import form_of
from staticpy.backends.llvm.members import (
    dtype_of,
    in_place_name,
    is_clipped_by_arrays,
    is_slow_division,
    known_integer,
)
from staticpy.backends.llvm.memory import can_view
from staticpy.backends.llvm.numbers import can_convert
from staticpy.backends.llvm.reductions import can_reduce
from staticpy.ir import Operation, dims_of
from staticpy.ops import Effect, output, store
from staticpy.passes import (
    effects_by_op,
    is_accumulation,
    is_gather,
    is_masked,
    is_reduction,
    is_sink,
    stretched_from,
)


def has_form(operation: Operation) -> bool:
    """Whether the loops can do an elementwise operation or a reduction."""
    forms = [form_of(value.type) for value in (*operation.operands, *operation.results)]
    name = operation.op.name
    if is_sink(operation):
        return _sink_has_form(operation)
    if name == "pow":
        return power_has_form(operation)
    if any(form.kind not in ("array", "number") for form in forms):
        return False
    if _is_of_complex_scalars(operation):
        return False
    dtypes = [dtype_of(value) for value in operation.operands]
    if is_gather(operation):
        fit_int64 = all(dtype.char not in "LQ" for dtype in dtypes[1:])
        return fit_int64 and dtypes[0].kind != "c"
    if is_reduction(operation) or is_accumulation(operation):
        return can_reduce(operation)
    if name in _WITHOUT_RULE:
        return _WITHOUT_RULE[name](operation, dtypes)
    if name in _CONDITIONS and not _CONDITIONS[name](operation):
        return False
    if name in maths.NUMPYS and numpy_has_vectors():
        return False
    if len(set(dtypes)) != 1 or is_slow_division(operation) or _may_overflow(operation):
        return False
    return element_rule(name, dtypes[0]) is not None


_EXACT_POWER = 22
"""The largest power of ten that is a double."""


def _can_round(operation: Operation, dtypes: Sequence[np.dtype]) -> bool:
    return dtypes[0].kind == "f" and abs(operation.attrs.get("decimals", 0)) <= _EXACT_POWER


_WITHOUT_RULE: dict[str, Callable[[Operation, Sequence[np.dtype]], bool]] = {
    "cast": lambda cast, dtypes: can_cast(dtypes[0], dtype_of(cast.results[0])),
    "round": _can_round,
    "where": lambda _, dtypes: dtypes[0].kind == "b" and dtypes[1] == dtypes[2],
}
"""Of what is no function of elements of one dtype: whether it has a form."""


def _has_plain_bounds(clip: Operation) -> bool:
    """Whether it is plain which loop of NumPy's it is: with bounds that are stretched, and none
    that isn't, how the arrays lie says whether they are numbers to it.
    """
    if dtype_of(clip.operands[0]).kind != "f" or is_clipped_by_arrays(clip):
        return True
    return not any(dims_of(stretched_from(each).type) for each in clip.operands[1:])


_CONDITIONS: dict[str, Callable[[Operation], bool]] = {
    "clip": _has_plain_bounds,
    "power": has_plain_exponent,
}
"""What must hold beside that elements have a rule."""


def _may_overflow(operation: Operation) -> bool:
    """Whether it is an operator of integer scalars, which warns where the functions of arrays just
    wrap around.
    """
    form = form_of(operation.results[0].type)
    is_integer = form.kind == "number" and form.dtype is not None and form.dtype.kind in "iu"
    return is_integer and Effect.WARNS in effects_by_op(operation)


def _is_of_complex_scalars(operation: Operation) -> bool:
    """Whether it is an operator of complex scalars, whose products have other bits than those of
    the functions for arrays.
    """
    form = form_of(operation.results[0].type)
    is_complex = any(form_of(value.type).is_complex for value in operation.operands)
    return is_complex and form.kind == "number" and not is_reduction(operation)


def _sink_has_form(sink: Operation) -> bool:
    target, value = (form_of(operand.type) for operand in sink.operands[:2])
    if target.kind != "array" or not can_view(sink):
        return False
    assert target.dtype is not None
    name = in_place_name(sink)
    if target.is_complex and is_masked(sink):
        return False  # elements of two parts are not written one by one
    if target.is_complex and name == "multiply":
        return False  # one number NumPy multiplies in place with a rounding more
    is_operator = sink.op not in (store, output)
    if is_operator and (name is None or element_rule(name, target.dtype) is None):
        return False
    if is_slow_division(sink):
        return False
    if value.kind in ("array", "number"):
        return value.dtype == target.dtype
    if value.kind == "int":  # one that doesn't fit is for the kernel to refuse
        is_known = known_integer(sink.operands[1], target.dtype) is not None
        return is_known or target.dtype.kind == "f"
    return value.kind in ("float", "bool", "complex") and can_convert(value, target.dtype)
