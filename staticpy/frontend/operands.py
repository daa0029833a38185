"""What operands are: members of Enums as the numbers that they are, and what Python says of types.

In: operands as the frontend holds them. Out: those that an operator of the ops takes, or the text
of the TypeError that Python raises for such.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.frontend.classes import DUNDERS
from staticpy.frontend.state import ABSENT
from staticpy.frontend.values import DictRef, ListRef, constant_type
from staticpy.ir import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    ScalarType,
    TensorType,
    Value,
    members_of,
)


def number_of(value: Any) -> Any:
    """A member of an Enum of numbers, such as an IntEnum, as the number that it is."""
    if not isinstance(value, enum.Enum):
        return value
    kinds: tuple[Any, ...] = (int, float, complex)
    kind = next((kind for kind in kinds if isinstance(value, kind)), None)
    return value if kind is None else kind(value)


def number_of_numpy(value: Any) -> Any:
    """A member of an Enum of numbers as NumPy takes it: only what is exactly an int is weak."""
    number = number_of(value)
    if number is value:
        return value
    array = np.asarray(number)
    return number if array.dtype == object else ops.emit(ops.constant, value=array[()])


def plain_operands(left: Any, right: Any) -> list[Any]:
    """The operands, with numbers and texts in place of the members of Enums that are such."""
    return [_plain_operand(left, right), _plain_operand(right, left)]


def _plain_operand(side: Any, other: Any) -> Any:
    if not isinstance(side, enum.Enum) or not isinstance(other, Value):
        return number_of(side)
    if isinstance(side, str):
        return str.__str__(side)
    members = members_of(other.type)
    is_numpy = all(isinstance(each, TensorType | ScalarType) for each in members)
    return number_of_numpy(side) if is_numpy else number_of(side)


_EXAMPLES: dict[Any, Any] = {BOOL: True, INT: 1, FLOAT: 1.0, COMPLEX: 1j, NONE: None, STR: ""}


def example(operand: Any) -> Any:
    """An operand of the same type, of Python's own; ABSENT where that doesn't say enough."""
    if isinstance(operand, ListRef):
        return []
    if isinstance(operand, DictRef):
        return {}
    if isinstance(operand, Value):
        return _EXAMPLES.get(operand.type, ABSENT)
    if type(operand) in (bool, int, float, complex, str, type(None)):
        return _EXAMPLES[constant_type(operand)]
    return () if type(operand) is tuple else ABSENT


def python_operator(symbol: str, *, is_augmented: bool = False) -> Callable[..., Any]:
    """The function of the module ``operator`` for a symbol."""
    name = DUNDERS[symbol]
    found: Callable[..., Any] = getattr(operator, f"__i{name[2:]}" if is_augmented else name)
    return found


def type_error(symbol: str, left: Any, right: Any, *, is_augmented: bool = False) -> str:
    """What Python says of operands of types that have no such operator; empty if they have."""
    compute = python_operator(symbol, is_augmented=is_augmented)
    examples = [example(side) for side in (left, right)]
    if ABSENT in examples or (symbol == "%" and examples[0] == ""):
        return ""
    try:
        compute(*examples)
    except TypeError as error:
        return str(error)
    except ZeroDivisionError:
        return ""
    return ""
