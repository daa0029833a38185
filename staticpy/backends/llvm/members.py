"""What each member of a cluster is on elements.

In: an operation of a cluster, and LLVM values of its operands at one place, numbers or vectors.
Out: the value of its result there.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial

import numpy as np

from staticpy.backends.llvm import ir, maths
from staticpy.backends.llvm.complex_elements import chosen
from staticpy.backends.llvm.elements import Emit, cast, element_rule
from staticpy.backends.llvm.engine import register_bytes
from staticpy.backends.llvm.exponents import known_exponent, power_name
from staticpy.backends.llvm.forms import register_type
from staticpy.backends.llvm.moduli import MODULI
from staticpy.backends.llvm.unforeseen import hidden
from staticpy.backends.llvm.vectors import all_computed, constant, declare_intrinsic, known_number
from staticpy.ir import Operation, TensorType, Value, dims_of
from staticpy.ops import Effect
from staticpy.passes import (
    Cluster,
    effects_by_op,
    is_elementwise,
    is_gather,
    is_row_gather,
    read_in_place,
    stretched_from,
)


def dtype_of(value: Value) -> np.dtype:
    """The dtype of an array or number of NumPy."""
    return value.type.dtype  # type: ignore[attr-defined, no-any-return]


_CONVERSIONS = ("from_python", "cast", "item")


def is_known(value: Value) -> bool:
    """Whether the program's text says what a number is."""
    return are_computed([value], computes, lambda _: False)


def are_computed(
    values: Iterable[Value], by: Callable[[Operation], bool], is_there: Callable[[Value], bool]
) -> bool:
    """Whether values are there, or are computed of such that are, or of nothing, by operations of
    which ``by`` says that they do.
    """
    pending = list(dict.fromkeys(values))
    seen = set(pending)
    while pending:
        value = pending.pop()
        if is_there(value):
            continue
        made = value.defining_op
        if made is None or made.regions or not by(made):
            return False
        pending += [each for each in dict.fromkeys(made.operands) if each not in seen]
        seen.update(made.operands)
    return True


def computes(operation: Operation) -> bool:
    """Whether an operation gives a known number, or computes one of others."""
    name = operation.op.name
    is_named = name == "constant" or name in _CONVERSIONS or name.startswith("py.")
    return is_named or is_elementwise(operation)


def may_be_known(value: Value) -> bool:
    """Whether LLVM may know what a number is: one that isn't read of memory."""
    made = value.defining_op
    if made is None:
        return not isinstance(value.type, TensorType)
    return bool(made.regions) or computes(made)


def is_of_arrays(operation: Operation) -> bool:
    """Whether an operation on numbers is one on arrays without axes: NumPy's function for arrays
    then, and not the operator of its scalars, which warns of integers that overflow.
    """
    pending = list(operation.operands)
    while pending:
        made = pending.pop().defining_op
        if made is not None and made.op.name == "unbox":
            return True
        if made is not None and made.op.name == "cast":
            pending += made.operands
    return False


def element(operation: Operation, builder: ir.IRBuilder, values: Sequence[ir.Value]) -> ir.Value:
    """What an elementwise operation is on elements, numbers or vectors."""
    name = operation.op.name
    dtypes = [dtype_of(value) for value in operands_of(operation)]
    if name == "cast":
        target = dtype_of(operation.results[0])
        number = cast(builder, values[0], dtypes[0], target)
        is_float = dtypes[0].kind in "biu" and target.kind == "f"
        is_open = is_float and may_be_known(operation.operands[0])
        return hidden(builder, number) if is_open else number
    if name == "round":
        return rounded(builder, values[0], operation.attrs.get("decimals", 0))
    if name == "where":
        read = zip(operation.operands[1:], values[1:], strict=True)
        given = [_as_computed(builder, operand, value) for operand, value in read]
        select = partial(chosen, builder) if dtypes[1].kind == "c" else builder.select
        return select(values[0], *given)
    if name == "pow":
        name = power_name(operation)
        if name == "power":
            values = [*values, constant(values[0].type, known_exponent(operation))]
    emit = partial(_computed, builder, dtypes[0])
    if name == "clip" and is_clipped_by_arrays(operation):
        return emit("minimum", emit("maximum", *values[:2]), values[2])
    return emit(name, *values)


def _computed(builder: ir.IRBuilder, dtype: np.dtype, name: str, *values: ir.Value) -> ir.Value:
    rule = element_rule(name, dtype)
    assert rule is not None
    return rule(Emit(builder, dtype), *values)


def is_clipped_by_arrays(clip: Operation) -> bool:
    """Whether a bound is an array as large as the result: of it and an element that are both zeros
    NumPy takes the bound then.
    """
    return any(
        dims_of(bound.type) and stretched_from(bound) is bound for bound in clip.operands[1:]
    )


def _as_computed(builder: ir.IRBuilder, operand: Value, value: ir.Value) -> ir.Value:
    """What a select may take: NumPy has computed all elements before, and warned of them."""
    operand = stretched_from(operand)
    made = operand.defining_op
    is_float = dtype_of(operand).kind in "fc" and not isinstance(value, ir.Constant)
    if made is None or not is_float or Effect.WARNS not in effects_by_op(made):
        return value
    return all_computed(builder, value, 8 * register_bytes())


def operands_of(operation: Operation) -> Sequence[Value]:
    """What an operation reads at its own place: not the known exponent of a power, nor the array of
    a gather, nor the number of a row.
    """
    if is_row_gather(operation):
        return ()
    return operation.operands[:1] if operation.op.name == "pow" else read_in_place(operation)


def made_of(
    value: Value,
    arrays: Container[Value],
    cluster: Cluster,
    source: Callable[[Value], Value],
    *,
    along_rows: bool,
) -> list[Value]:
    """Those of the arrays that a cluster reads which a value of it is made of; ``along_rows``,
    those that can say how long its rows are: what has been reduced can't.
    """
    found, pending = dict[Value, None](), [value]
    while pending:
        each = source(pending.pop())
        made = each.defining_op
        if each in arrays:
            found[each] = None
        elif made is not None and made in cluster and not (along_rows and made in cluster.rows):
            pending += operands_of(made)
            pending += made.operands[1:] if is_row_gather(made) else ()
    return list(found)


def is_function(operation: Operation) -> bool:
    """Whether an operation is a function of the math library, or a division of floats with a rest:
    many instructions long.
    """
    name = _name(operation)
    is_modulo = name in MODULI and dtype_of(operation.results[0]).kind == "f"
    return name in maths.NAMES or is_modulo


def is_root(operation: Operation) -> bool:
    """Whether an operation gives square roots of float32."""
    return _name(operation) == "sqrt" and dtype_of(operation.results[0]) == np.float32


def _name(operation: Operation) -> str:
    """The name of what is computed, whatever the operator."""
    name = power_name(operation) if operation.op.name == "pow" else operation.op.name
    return in_place_name(operation) or name


def rounded(builder: ir.IRBuilder, x: ir.Value, decimals: int) -> ir.Value:
    """Floats to some decimals: NumPy multiplies, rounds and divides, or the other way round."""
    rint = declare_intrinsic(builder.module, "llvm.rint", x.type, 1)
    if not decimals:
        return builder.call(rint, [x])
    power = constant(x.type, 10.0 ** abs(decimals))
    to, back = (builder.fmul, builder.fdiv)[:: 1 if decimals > 0 else -1]
    return back(builder.call(rint, [to(x, power)]), power)


def work_of(operation: Operation) -> int:
    """About how much longer an operation on an element takes than an addition."""
    if is_function(operation):
        return 16
    is_slow = operation.op.name in ("divide", "true_divide", "itruediv", "sqrt")
    is_slow |= is_gather(operation) and not is_row_gather(operation)
    return 4 if is_slow else 1


def depends_on_direction(operation: Operation) -> bool:
    """Whether NumPy rounds otherwise along arrays backwards: products of complex numbers, and their
    absolute values.
    """
    name = power_name(operation) if operation.op.name == "pow" else operation.op.name
    is_one = name in ("multiply", "square", "absolute")
    return is_one and dtype_of(operation.operands[0]).kind == "c"


def is_division_of_floats(operation: Operation) -> bool:
    """Whether an operation divides floats, into its first operand perhaps."""
    is_one = operation.op.name in ("true_divide", "itruediv")
    return is_one and dtype_of(operation.operands[0]).kind == "f"


def known_integer(value: Value, dtype: np.dtype) -> ir.Constant | None:
    """An integer of the program's text as one of ``dtype``; None where it isn't known to be one."""
    made = value.defining_op
    while made is not None and made.op.name in ("convert", "from_python"):
        made = made.operands[0].defining_op
    if made is None or made.op.name != "constant" or dtype.kind not in "iu":
        return None
    number = made.attrs["value"]
    if not isinstance(number, int | np.integer) or isinstance(number, bool):
        return None
    limits = np.iinfo(dtype)
    fits = limits.min <= number <= limits.max
    return ir.Constant(register_type(dtype), int(number)) if fits else None


def known_float(value: Value) -> np.floating | None:
    """A float of NumPy's that the program's text says; None where it isn't known."""
    made = value.defining_op
    number = made.attrs["value"] if made is not None and made.op.name == "constant" else None
    return number if isinstance(number, np.floating) else None


def is_slow_division(operation: Operation) -> bool:
    """Whether an operation divides integers by one number for which NumPy is faster: it finds a
    multiplication for it when it is called, and does as many at a time as fit into a register.
    """
    if operation.op.name not in ("floor_divide", "ifloordiv"):
        return False
    dtype, divisor = dtype_of(operation.operands[0]), operation.operands[1]
    if dtype.kind == "f":
        return False
    divisor = stretched_from(divisor)
    if isinstance(divisor.type, TensorType):
        return False
    known = known_number(known_integer(divisor, dtype))
    if known is None or known < 1:
        return True
    return known & (known - 1) != 0 and dtype.itemsize not in (2, 4)


_IN_PLACE = {
    "iadd": "add",
    "isub": "subtract",
    "imul": "multiply",
    "itruediv": "true_divide",
    "ifloordiv": "floor_divide",
    "imod": "remainder",
    "iand": "bitwise_and",
    "ior": "bitwise_or",
    "ixor": "bitwise_xor",
    "ilshift": "left_shift",
    "irshift": "right_shift",
}


def in_place_name(sink: Operation) -> str | None:
    """The function that an operator in place computes; None where it has no form here."""
    return _IN_PLACE.get(sink.op.name)
