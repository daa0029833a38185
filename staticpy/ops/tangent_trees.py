"""Primals and tangents side by side: what forward mode is given, and what it gives.

In: two trees, of plain Python or of the frontend. Out: their leaves in pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import PythonType, ScalarType, TensorType, Type, dims_of, members_of
from staticpy.ops.differentiate import is_inexact
from staticpy.ops.dynamic import no_tangent_of
from staticpy.source import SourceSpan

Parts = Callable[[Any], tuple[type, Mapping[Any, Any]] | None]
"""What a tree is made of: its class, and its items by their places; None for a leaf."""
_UNLIKE = "primals and tangents are trees of the same structure; "


def paired(primal: Any, tangent: Any, parts: Parts) -> list[tuple[Any, Any]]:
    """Each leaf of ``primal`` with its tangent. None stands for the zero tangent of all that a tree
    holds; as a primal it has no leaves.

    Raises:
        TypeError: the trees differ.
    """
    if primal is None and tangent is None:
        return []
    of_primal, of_tangent = parts(primal), parts(tangent)
    if of_primal is None:
        if of_tangent is not None or primal is None:
            raise TypeError(f"{_UNLIKE}a tangent has no place in the primals")
        return [(primal, tangent)]
    kind, items = of_primal
    others: Mapping[Any, Any] = dict.fromkeys(items)
    if tangent is not None:
        if of_tangent is None or of_tangent[0] is not kind or of_tangent[1].keys() != items.keys():
            held = f"a {kind.__name__} with {list(items)}"
            raise TypeError(f"{_UNLIKE}these differ where the primals have {held}")
        others = of_tangent[1]
    return [pair for key, item in items.items() for pair in paired(item, others[key], parts)]


def require_tangent(primal: Type | None, tangent: Type | None) -> None:
    """Check that a number or an array of type ``tangent`` can be the tangent of one of type
    ``primal``; sizes are another matter.

    Raises:
        TypeError: it has another dtype, or ``primal`` has no tangent.
        ValueError: it has another number of axes.
        DiagnosticError: NO_TANGENT, where the type of one is known at run time only.
    """
    types = (primal, tangent)
    if primal is None or not any(map(is_inexact, members_of(primal))):
        what = "something else" if primal is None else _dtype(primal)
        raise TypeError(no_tangent_of(what))
    if primal == tangent:
        return
    if are_of_float64(primal) and are_of_float64(tangent):
        return
    if any(type_ is not None and len(members_of(type_)) != 1 for type_ in types):
        why = f"the type of a number is known at run time only: {primal} and {tangent}"
        raise DiagnosticError(catalog.NO_TANGENT, None, why=why)
    given = "something else" if tangent is None else _dtype(tangent)
    if tangent is None or given != _dtype(primal):
        raise TypeError(f"a primal that is {_dtype(primal)} has a tangent that is {given}")
    if len(dims_of(primal)) != len(dims_of(tangent)):
        ranks = len(dims_of(primal)), len(dims_of(tangent))
        raise ValueError("a primal of {} axes has a tangent of {}".format(*ranks))


def are_of_float64(type_: Type | None) -> bool:
    """Whether values of a type are numbers of float64, those of Python among them."""
    members = () if type_ is None else members_of(type_)
    are_numbers = not any(isinstance(each, TensorType) for each in members)
    return are_numbers and {_dtype(each) for each in members} == {"float64"}


def _dtype(type_: Type) -> str:
    """What a type holds, a Python float being a float64."""
    if isinstance(type_, ScalarType | TensorType):
        return type_.dtype.name
    kind = type_.kind if isinstance(type_, PythonType) else str(type_)
    return {"float": "float64", "complex": "complex128"}.get(kind, kind)


def has_tangent(
    type_: Type | None, span: SourceSpan | None = None, shown: str = "something else"
) -> bool:
    """Whether what a function returns has a tangent: an int, a bool and arrays of them have none.
    ``shown`` says what has no type.

    Raises:
        DiagnosticError: NO_TANGENT, for what is no number and no array, and for a number that is an
            int on some paths only.
    """
    members = members_of(type_) if type_ is not None else ()
    kinds = {is_inexact(member) for member in members if _is_number(member)}
    if not members or not all(map(_is_number, members)) or len(kinds) != 1:
        what = shown if type_ is None else str(type_)
        why = f"the function returns {what}, and not numbers and arrays"
        raise DiagnosticError(catalog.NO_TANGENT, span, why=why)
    return kinds == {True}


def _is_number(type_: Type) -> bool:
    if isinstance(type_, ScalarType | TensorType):
        return type_.dtype.kind in "biufc"
    return isinstance(type_, PythonType) and type_.kind in ("bool", "int", "float", "complex")
