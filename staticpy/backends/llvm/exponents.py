"""Which function a power is, by its exponent.

In: the operations ``pow``, the operator with an exponent that has no axes, and ``power``, the
function of two arrays. Out: the name of the function on elements, and where the loops may use it.

For one exponent of 0.5 along a row NumPy takes the root, which has another sign at -0 and no value
at -inf.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.elements import element_rule
from staticpy.backends.llvm.forms import I64, Native, form_of
from staticpy.ir import Operation, dims_of
from staticpy.passes import stretched_from

_POWERS = {2: "square", 0.5: "sqrt", -1: "reciprocal", 1: "positive", 3: "cube", 4: "fourth"}


def power_name(operation: Operation) -> str:
    """The function for a power with a known exponent: NumPy's own, but for x³ and x⁴."""
    return _POWERS.get(known_exponent(operation), "power")


def known_exponent(operation: Operation) -> float:
    """The exponent of a power; NaN where it isn't known, or no float."""
    made = operation.operands[1].defining_op
    value = None if made is None or made.op.name != "constant" else made.attrs["value"]
    if type(value) is int:
        return float(value) if abs(value) < 1 << 24 else math.nan
    return value if type(value) is float else math.nan


def power_has_form(operation: Operation) -> bool:
    """Whether the loops can do a power: its exponent is known, and a number of the base's dtype."""
    base, result = (form_of(v.type) for v in (operation.operands[0], operation.results[0]))
    if base.kind != "array" or base != result or base.dtype is None:
        return False
    if base.is_complex:
        return known_exponent(operation) == 2
    if not base.is_float:
        return False
    fits = abs(known_exponent(operation)) <= float(np.finfo(base.dtype).max)
    return fits and element_rule(power_name(operation), base.dtype) is not None


def has_plain_exponent(operation: Operation) -> bool:
    """Whether the exponents of ``power`` are a whole array, or a number from outside the loops."""
    exponent = operation.operands[1]
    source = stretched_from(exponent)
    if source is exponent:
        return True
    maker = source.defining_op
    is_outside = maker is None or maker.op.name in ("constant", "from_python")
    return not dims_of(source.type) and is_outside


def is_no_root(builder: ir.IRBuilder, exponent: Native) -> Iterator[ir.Value]:
    """What has to hold so that NumPy computes no root."""
    if exponent.form.kind == "array":
        for stride in exponent.strides:
            yield builder.icmp_signed("!=", stride, I64(0))
    else:
        half = ir.Constant(exponent.value.type, 0.5)
        yield builder.fcmp_unordered("!=", exponent.value, half)
