"""The derivatives of the ops, by their names."""

from staticpy.ops.rules import (  # noqa: F401 - importing them enters their rules
    any_type,
    conversions,
    elementwise,
    index,
    library_arrays,
    library_linalg,
    library_statistics,
    linalg,
    math_functions,
    python_numbers,
    random_numbers,
    reduce,
    running,
    shape,
    ufunc_calls,
    user_function,
)
from staticpy.ops.rules.base import RULES, NoDerivativeError, Rule

__all__ = ["RULES", "NoDerivativeError", "Rule"]
