"""The derivatives of the ops, by their names."""

from staticpy.ops.rules import (
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
)
from staticpy.ops.rules.base import RULES, NoDerivativeError, Rule

_FILES = (
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
)
"""Importing them has entered their rules."""

__all__ = ["RULES", "NoDerivativeError", "Rule"]
