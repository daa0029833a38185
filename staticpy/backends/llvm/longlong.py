"""Which modules get numbers of a dtype that is equal to another: longlong beside int64.

In: a Module. Out: whether it gets any. Both are one dtype to the graph, as they are to ``==``, so
that nobody could say of a value in registers which of them it is, and the program can: what is made
of it is of its class, and shows its ``dtype.char``. NumPy itself keeps them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from staticpy.ir import Module, walk
from staticpy.ops import parts_of_type


def has_longlong(module: Module) -> bool:
    """Whether an argument, a constant or a new array is of a dtype that has a more common name."""
    functions = module.functions.values()
    types = (type_ for each in functions for type_ in each.arg_types)
    if any(_is_rare(part) for type_ in types for part in parts_of_type(type_)):
        return True
    operations = (operation for each in functions for operation in walk(each.block))
    return any(_names_longlong(each.attrs) for each in operations)


def _names_longlong(attrs: Mapping[str, Any]) -> bool:
    return _is_rare(attrs.get("value")) or _is_rare_dtype(attrs.get("dtype"))


def _is_rare(value: object) -> bool:
    return _is_rare_dtype(getattr(value, "dtype", None))


def _is_rare_dtype(dtype: object) -> bool:
    return isinstance(dtype, np.dtype) and dtype.num != np.dtype(dtype.str).num
