"""The math library of the LLVM backend: functions of numbers and of vectors alike.

In: an LLVM module and the name of a function. Out: an internal, always inlined LLVM function of
numbers or vectors, free of branches but for what is rare, which raises the flags for a division by
zero, an overflow and an invalid operation exactly where NumPy's function does. Errors: ≤ 1 ulp in
f64, ≤ 2 ulp in f32 (``tests/backends/llvm/test_maths.py`` measures them).
"""

from __future__ import annotations

from collections.abc import Callable

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.maths import (
    circular,
    distance,
    error_function,
    exponentials,
    hyperbolic,
    inverse,
    logarithms,
    powers,
)
from staticpy.backends.llvm.maths.expression import Real, Scalars, type_of

_FUNCTIONS: dict[str, Callable[..., Real]] = {
    "exp": exponentials.exp,
    "exp2": exponentials.exp2,
    "expm1": exponentials.expm1,
    "sigmoid": exponentials.sigmoid,
    "log": logarithms.log,
    "log1p": logarithms.log1p,
    "log2": logarithms.log2,
    "log10": logarithms.log10,
    "tanh": hyperbolic.tanh,
    "erf": error_function.erf,
    "sin": circular.sin,
    "cos": circular.cos,
    "tan": circular.tan,
    "arccos": inverse.arccos,
    "arcsin": inverse.arcsin,
    "arctan": inverse.arctan,
    "arctan2": inverse.arctan2,
    "power": powers.power,
    "cube": powers.cube,
    "fourth": powers.fourth,
    "hypot": distance.hypot,
}
BINARY = frozenset({"arctan2", "hypot", "power"})
NUMPYS = frozenset({"arccos", "arcsin", "arctan", "arctan2", "tan"})
"""For these NumPy's own vectors are faster, where it has them (`engine.numpy_has_vectors`)."""
NAMES = tuple(_FUNCTIONS)


def declare(
    module: ir.Module, name: str, dtype: str, *, fma: bool, scaling: bool = False, width: int = 1
) -> ir.Function:
    """The function ``name`` of ``dtype`` ("f32" or "f64"), defined in the module once.

    It takes numbers, or vectors of ``width`` of them.

    ``fma`` says that the target has fused multiply-add, ``scaling`` that it has AVX-512's
    ``vscalef``. Raises KeyError for a name that isn't in ``NAMES``.
    """
    symbol = f"staticpy.{name}.{dtype}x{width}"
    known: ir.Function | None = module.globals.get(symbol)
    if known is not None:
        return known
    body = _FUNCTIONS[name]
    element = type_of(dtype, width)
    count = 2 if name in BINARY else 1
    function = ir.Function(module, ir.FunctionType(element, [element] * count), symbol)
    function.linkage = "internal"
    function.attributes.add("alwaysinline")
    function.attributes.add("nounwind")
    builder = ir.IRBuilder(function.append_basic_block())
    scalars = Scalars(builder, dtype, fma, scaling, width)
    builder.ret(body(*(Real(scalars, argument) for argument in function.args)).value)
    return function


__all__ = ["BINARY", "NAMES", "NUMPYS", "declare"]
