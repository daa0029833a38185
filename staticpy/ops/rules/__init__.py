"""The derivatives of the ops, by their names."""

from staticpy.ops.rules import (
    any_type,
    conversions,
    elementwise,
    math_functions,
    python_numbers,
    random_numbers,
    ufunc_calls,
)
from staticpy.ops.rules.base import RULES, NoDerivativeError, Rule

_FILES = (
    any_type,
    conversions,
    elementwise,
    math_functions,
    python_numbers,
    random_numbers,
    ufunc_calls,
)
"""Importing them has entered their rules."""

__all__ = ["RULES", "NoDerivativeError", "Rule"]
