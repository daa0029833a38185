"""``vjp``: a piece of the graph, run and differentiated.

%out, %gx = vjp %x, %seed {outputs = 1} (%x.1: f64) { ... region_yield %out }

A pass replaces it by the operations that compute the results and pull the seeds back.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    Operation,
    PythonType,
    Region,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    dims_of,
    members_of,
    union_of,
)
from staticpy.ops.opdef import defop
from staticpy.ops.traced import traced_type
from staticpy.source import SourceSpan


def _infer(*operands: Type, regions: Sequence[Region], outputs: int, **_: Any) -> tuple[Type, ...]:
    yielded = regions[0].block.terminator.operands
    primals = zip(operands[: len(operands) - outputs], regions[0].block.args, strict=False)
    flowing = (x.type if isinstance(x.type, UnionType) else operand for operand, x in primals)
    return (*(value.type for value in yielded), *flowing)


def _verify(operation: Operation) -> None:
    block, outputs = operation.regions[0].block, operation.attrs["outputs"]
    primals = len(operation.operands) - outputs
    if len(block.args) != primals or outputs > len(block.terminator.operands):
        detail = "the region of vjp gets its primals and yields at least its outputs"
        raise DiagnosticError(catalog.INVALID_IR, operation.span, detail=detail)


vjp = defop("vjp", infer=_infer, verify=_verify)
"""Runs its region on the primals; the seeds, the last operands, are the cotangents of the first
``outputs`` values that it yields. Gives all that it yields and the cotangent of each primal."""


DIFFERENTIATING = frozenset({"vjp", "jvp", "pullback.make"})
"""The ops whose region is differentiated, of those that transforms are lowered to."""


# --- what is differentiated, and by what ----------------------------------------------------------


def is_inexact(type_: Type) -> bool:
    """Whether values of a type are real or complex numbers, or arrays of them; of several types,
    those of each.
    """
    if isinstance(type_, UnionType):
        return all(map(is_inexact, type_.members))
    if isinstance(type_, PythonType):
        return type_.kind in ("float", "complex")
    return isinstance(type_, ScalarType | TensorType) and type_.dtype.kind in "fc"


def tree_fields(class_: type | None) -> tuple[str, ...] | None:
    """The names of what an instance of a dataclass holds; None for other classes, for Cells, which
    stand for their parameters, and where somebody else has a say in that: a base that is no Python
    class, or a descriptor.

    A tree of the same structure is made by ``object.__new__`` and ``object.__setattr__``: no
    ``__init__`` is run, which might check or change what it gets.
    """
    if not dataclasses.is_dataclass(class_) or hasattr(class_, "__staticpy_cell__"):
        return None
    names = tuple(field.name for field in dataclasses.fields(class_))
    is_plain = all(base is object or base.__flags__ & _HEAP_TYPE for base in class_.__mro__)
    members = [vars(base)[name] for base in class_.__mro__ for name in names if name in vars(base)]
    slots = types.MemberDescriptorType
    hooked = any(hasattr(type(raw), "__set__") and type(raw) is not slots for raw in members)
    return names if is_plain and not hooked else None


_HEAP_TYPE = 1 << 9
"""The flag of classes that a ``class`` statement made."""


def require_primal(
    type_: Type | None,
    key: int | str,
    span: SourceSpan | None = None,
    *,
    allow_int: bool = False,
    holomorphic: bool = False,
) -> bool:
    """Whether to differentiate by an argument of a type: not by an int, where that is allowed.

    ``key`` is the number of the argument, or its name.

    Raises:
        DiagnosticError: GRADIENT_OF_ARGUMENT, it is no real or complex number, or array of them;
            HOLOMORPHIC, it is to be complex, and is not.
    """
    if holomorphic:
        require_complex(type_, key, span)
    if type_ is not None and is_inexact(type_):
        return True
    if type_ is None or not (allow_int and _is_int(type_)):
        raise DiagnosticError(
            catalog.GRADIENT_OF_ARGUMENT, span, number=repr(key), type=_shown(type_)
        )
    return False


def _shown(type_: Type | None) -> str:
    return "something" if type_ is None else f"a number of type {type_}"


def _is_complex(type_: Type | None) -> bool:
    """Whether values of a type are complex numbers, or arrays of them."""
    return type_ is not None and is_inexact(type_) and not any(map(_is_real, members_of(type_)))


def _is_real(type_: Type) -> bool:
    if isinstance(type_, PythonType):
        return type_.kind == "float"
    return isinstance(type_, ScalarType | TensorType) and type_.dtype.kind == "f"


def _is_int(type_: Type) -> bool:
    if isinstance(type_, PythonType):
        return type_.kind in ("int", "bool")
    return isinstance(type_, ScalarType | TensorType) and type_.dtype.kind in "iub"


def gradient_of_int(item: Any) -> Any:
    """The gradient by an int or a bool, or an array of them: zeros of float64, in the same box."""
    type_ = traced_type(item)
    if isinstance(type_, TensorType):
        return np.zeros_like(item, dtype=np.float64)
    return np.float64(0) if isinstance(type_, ScalarType) else 0.0


def parts_of(result: Any, has_aux: Any, span: SourceSpan | None = None) -> tuple[Any, Any]:
    """What is differentiated of a result, and the rest.

    Raises:
        DiagnosticError: GRADIENT_OF_RESULT, the result is no pair.
    """
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        what = "no pair of what is differentiated and the rest"
        raise DiagnosticError(catalog.GRADIENT_OF_RESULT, span, what=what)
    return result[0], result[1]


ARGUMENT_TWICE = "argnums and argnames give one argument twice"


def no_such_number(argnums: Sequence[int], count: int) -> str:
    """What to say where ``argnums`` are out of range."""
    return f"argnums is {tuple(argnums)}, and the call has {count} positional arguments"


def no_argnums(argnums: Sequence[Any]) -> str:
    """What to say where ``argnums`` are no numbers of arguments."""
    return f"argnums is an int, or a tuple or list of ints, and holds {tuple(argnums)!r}"


def no_such_name(name: str) -> str:
    """What to say where ``argnames`` give no argument."""
    return f"argnames has {name!r}, and the call has no argument of this name"


def require_output(
    type_: Type | None, kind: str, span: SourceSpan | None = None, *, holomorphic: bool = False
) -> None:
    """Refuse to take the gradient of what is no real number, or, of a holomorphic function, no
    complex one. ``kind`` says what it is, in a word, where it has no type of the graph.

    Raises:
        DiagnosticError: GRADIENT_OF_RESULT, HOLOMORPHIC.
    """
    members = () if type_ is None else members_of(type_)
    is_one = bool(members) and not any(map(dims_of, members))
    if holomorphic and not (is_one and _is_complex(type_)):
        what = f"the function returns {_shown(type_)}, and not one complex number"
        raise DiagnosticError(catalog.HOLOMORPHIC, span, what=what)
    if not holomorphic and not (is_one and all(map(_is_real, members))):
        what = kind or "no number" if type_ is None else str(type_)
        what += " (holomorphic=True is for that)" if is_one and _is_complex(type_) else ""
        raise DiagnosticError(catalog.GRADIENT_OF_RESULT, span, what=what)


def outputs_among(type_: Type) -> Type:
    """Of the types of a result those of one real number; all, if there are none."""
    found = [each for each in members_of(type_) if _is_real(each) and not dims_of(each)]
    return union_of(found) if found else type_


def require_complex(
    type_: Type | None, key: int | str | None, span: SourceSpan | None = None
) -> None:
    """Refuse an argument ``key`` of a holomorphic function, or what it gives where that is None,
    which is not complex.

    Raises:
        DiagnosticError: HOLOMORPHIC.
    """
    if not _is_complex(type_):
        given = "the function returns" if key is None else f"argument {key!r} holds"
        what = f"{given} {_shown(type_)}"
        raise DiagnosticError(catalog.HOLOMORPHIC, span, what=what)


def seed_of(type_: Type) -> Any:
    """The cotangent of a value of which the gradient is taken: 1, of its type."""
    if isinstance(type_, ScalarType | TensorType):
        return type_.dtype.type(1)
    return 1 + 0j if _is_complex(type_) else 1.0
