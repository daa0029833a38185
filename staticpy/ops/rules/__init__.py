"""The derivatives of the ops, by their names."""

from staticpy.ops.rules import (  # noqa: F401 - importing them enters their rules
    any_type,
    batching_arrays,
    batching_library,
    called_reductions,
    conversions,
    elementwise,
    index,
    library_arrays,
    library_complex,
    library_differences,
    library_inverses,
    library_linalg,
    library_polynomials,
    library_qr,
    library_quantiles,
    library_rows,
    library_sequences,
    library_special,
    library_statistics,
    library_svd,
    linalg,
    math_functions,
    padding,
    python_numbers,
    random_numbers,
    reduce,
    running,
    shape,
    ufunc_calls,
    ufunc_methods,
    user_function,
    without_numbers,
)
from staticpy.ops.rules.base import RULES, NoDerivativeError, NoRuleError, Rule
from staticpy.ops.rules.batching import BATCHING, Alike, CannotBatchError, Operand

__all__ = [
    "BATCHING",
    "RULES",
    "Alike",
    "CannotBatchError",
    "NoDerivativeError",
    "NoRuleError",
    "Operand",
    "Rule",
]
