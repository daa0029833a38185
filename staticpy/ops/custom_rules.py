"""What rules that a program gives are held to, in plain Python and while compiling alike.

In: what ``fwd`` and ``bwd`` have given, of arrays and numbers or of Traced. Out: what flows to
which leaf of an argument; or a diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import PYTHON_TYPES, ScalarType, TensorType, Type, dims_of, members_of, type_of
from staticpy.ops.differentiate import is_inexact
from staticpy.ops.traced import traced_type

NO_TREE_OF_NUMBERS = "{} takes numbers and arrays, and tuples, lists and dicts of them"
OUT_OF_RANGE = "nondiff_argnums is {}, and the call has {} arguments"
NO_PARAMETER = "nondiff_argnames has {!r}, and the parameters are {}"
OF_FORWARD = "in fwd, of the result and the residuals"
OF_TANGENTS = "of the result and its tangent"
DEPENDS_ON_OTHERS = "depends on numbers from around it that are differentiated by"
NO_NUMBERS = "is given an argument {} that holds no numbers: name it in nondiff_argnums"
SOMETIMES = "returns {}, which has a derivative on some paths only (is it 0 for 0.0?)"
BY_KEYWORD = "a function with a derivative of its own takes its arguments by position"
_WAY_OUT = (
    "fwd gives a pair of the result and what bwd needs, bwd a tuple with an item for each "
    "argument; pass as arguments what they depend on"
)
_NUMBERS = frozenset(PYTHON_TYPES.values())


def is_number(type_: Type) -> bool:
    """Whether values of a type are numbers, flags or arrays of them."""
    members = members_of(type_)
    return all(isinstance(x, ScalarType | TensorType) or x in _NUMBERS for x in members)


def error(why: str) -> DiagnosticError:
    """What is wrong with a rule that a program has given."""
    why = f"a derivative of your own {why}"
    return DiagnosticError(catalog.CUSTOM_RULE, why=why, way_out=_WAY_OUT)


def fitted(item: Any, like: Any) -> Any:
    """What a rule has given as the tangent or cotangent of ``like``, stretched to its shape; both
    are arrays and numbers, or Traced.

    Raises:
        DiagnosticError: CUSTOM_RULE, where it is no number and no array, or one for a number.
        ValueError: it can't be stretched to the shape.
    """
    given, type_ = traced_type(item), traced_type(like)
    if given is None or not is_number(given):
        what = type(item).__name__ if given is None else str(given)
        raise error(f"gives {what} for a derivative, which is no number and no array")
    assert type_ is not None
    if dims_of(type_) == dims_of(given):
        return item
    if not dims_of(type_):
        raise error(f"gives an array {given} where the number is a {type_}")
    return np.broadcast_to(item, like.shape)


def zero_like(leaf: Any) -> Any:
    """The zero tangent of a number or array; None for what has none."""
    type_ = type_of(leaf)
    if type_ is None or not is_inexact(type_):
        return None
    return np.zeros_like(leaf) if isinstance(leaf, np.ndarray) else type(leaf)(0)


def pair_of(found: Any, what: str) -> tuple[Any, Any]:
    """What ``fwd`` has given, the result and the residuals, or a rule for tangents, the result and
    its tangent.

    Raises:
        DiagnosticError: CUSTOM_RULE, it is no pair.
    """
    if not isinstance(found, tuple) or len(found) != 2:
        raise error(f"gives no pair {what}")
    return found[0], found[1]


Children = Callable[[Any], Mapping[Any, Any] | None]


def flows_of(found: Any, arguments: Sequence[Any], children: Children) -> Iterator[tuple[Any, Any]]:
    """The leaves of arguments, each with the cotangent that ``bwd`` has given it, None for zero.
    ``children`` gives what a tree holds, and None for a leaf.

    Raises:
        DiagnosticError: CUSTOM_RULE, it is of another structure.
    """
    if not isinstance(found, tuple) or len(found) != len(arguments):
        wanted = f"{len(arguments)} items, one for each argument that is differentiated by"
        raise error(f"gives no tuple of {wanted}")
    for argument, item in zip(arguments, found, strict=True):
        yield from matched(argument, item, children)


def matched(argument: Any, item: Any, children: Children) -> Iterator[tuple[Any, Any]]:
    """The leaves of a tree, each with what stands in its place in another one; None stands for
    zeros.

    Raises:
        DiagnosticError: CUSTOM_RULE, it is of another structure.
    """
    inner = children(argument)
    if inner is None:
        yield argument, item
        return
    given = dict.fromkeys(inner) if item is None else children(item)
    if given is None or list(given) != list(inner):
        raise error("gives a tree of another structure than the one that it belongs to")
    for key, value in inner.items():
        yield from matched(value, given[key], children)


def other_numbers(
    named: int | Sequence[int | str], count: int, parameters: Callable[[], Sequence[str]]
) -> list[int]:
    """The numbers of the arguments, of ``count``, but for those that are named, by their numbers or
    by the names of ``parameters``.

    Raises:
        ValueError: there is no such argument.
    """
    items = (named,) if isinstance(named, int) else tuple(named)
    numbers = [_number(item, parameters()) if isinstance(item, str) else item for item in items]
    if not all(-count <= number < count for number in numbers):
        raise ValueError(OUT_OF_RANGE.format(named, count))
    taken = {number % count for number in numbers}
    return [number for number in range(count) if number not in taken]


def _number(name: str, parameters: Sequence[str]) -> int:
    if name not in parameters:
        raise ValueError(NO_PARAMETER.format(name, ", ".join(parameters)))
    return parameters.index(name)
