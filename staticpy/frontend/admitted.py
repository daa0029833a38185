"""What an annotation admits, where it leaves something open.

In: the node of an annotation. Out: arguments, each a Declared type or None, of which it admits any;
None where it says nothing that is known here. Besides what ``annotations`` makes one type of:

    NDArray[np.float32]  np.ndarray            any number of axes, of one dtype or of any
    f32["*batch", 3]                           as many axes as are written, or more
    Float[np.ndarray, "n"]  Shaped[...]        jaxtyping's names for several dtypes
    int | f64["n"]  Optional[float]            one of several

Of any dtype there is one for each kind, as what is refused is refused for a kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from staticpy.frontend.annotations import (
    Origin,
    array_dtype,
    dotted_name,
    parse_quoted,
    read_annotation,
)
from staticpy.frontend.axes import Axes, read_axes
from staticpy.frontend.inputs import Declared
from staticpy.ir import UNKNOWN, Dim, TensorType

_RANKS = (1, 2, 3, 4, 5, 6, 0)
"""How many axes an array may have of which that is not said, the likely ones first."""
_FLOATS, _INTS, _UINTS, _COMPLEX, _BOOLS = (
    tuple(map(np.dtype, names))
    for names in (
        ("f8", "f4", "f2"),
        ("i8", "i4", "i2", "i1"),
        ("u8", "u4", "u2", "u1"),
        ("c16", "c8"),
        ("?",),
    )
)
_FIRST_OF_EACH = (_FLOATS[0], _INTS[0], _COMPLEX[0], _BOOLS[0], _UINTS[0])
_KINDS = {
    "Complex": _COMPLEX,
    "Float": _FLOATS,
    "Inexact": (_FLOATS[0], _COMPLEX[0]),
    "Int": _INTS,
    "Integer": (_INTS[0], _UINTS[0]),
    "Num": _FIRST_OF_EACH[:3] + _FIRST_OF_EACH[4:],
    "Real": (_FLOATS[0], _INTS[0], _UINTS[0]),
    "Shaped": _FIRST_OF_EACH,
    "UInt": _UINTS,
}
"""jaxtyping's names for several dtypes."""
_NOTHING = "builtins.None"


def admitted(node: Any, origin: Origin) -> tuple[Any, ...] | None:
    """The arguments that an annotation admits: a Declared type each, or None.

    Args:
        node: an ``ast`` expression, or None.
        origin: where a name of the file comes from.
    """
    if type(node).__name__ == "Constant":
        if node.value is None:
            return (None,)
        node = parse_quoted(node.value)
    type_ = read_annotation(node, origin)
    if is_complete(type_):
        return (Declared(type_),)
    members = _members(node, origin)
    if members is None:
        arrays = tuple(map(Declared, _arrays(node, origin)))
        return arrays or None
    found: list[Any] = []
    for member in members:
        inner = admitted(member, origin)
        if inner is None:
            return None
        found += inner
    return tuple(dict.fromkeys(found))


def is_complete(type_: Any) -> bool:
    """Whether an annotation was read as one type, with all of its parts."""
    if isinstance(type_, tuple):
        return all(map(is_complete, type_))
    return type_ is not None


def _members(node: Any, origin: Origin) -> list[Any] | None:
    """The annotations of which another admits each; None where it is no union."""
    kind = type(node).__name__
    if kind == "BinOp" and type(node.op).__name__ == "BitOr":
        return [node.left, node.right]
    if kind != "Subscript":
        return None
    base = dotted_name(node.value, origin)
    items = list(getattr(node.slice, "elts", [node.slice]))
    if base == "typing.Optional":
        return [*items, _none_like(node)]
    return items if base == "typing.Union" else None


def _none_like(node: Any) -> Any:
    """The node of ``None``."""
    return parse_quoted("(None,)").elts[0]


def _arrays(node: Any, origin: Origin) -> Iterator[TensorType]:
    """The types of the arrays that an annotation admits."""
    if dotted_name(node, origin) == "numpy.ndarray":
        yield from _of_ranks(_FIRST_OF_EACH, Axes((), ""))
        return
    if type(node).__name__ != "Subscript":
        return
    base = dotted_name(node.value, origin) or ""
    package, _, name = base.rpartition(".")
    dtype = array_dtype(node, origin)
    is_open = (base == "numpy.ndarray" and dtype is not None) or base == "numpy.typing.NDArray"
    axes = Axes((), "") if is_open else read_axes(node, origin)
    of_kind = _KINDS.get(name, ()) if package == "jaxtyping" else ()
    dtypes = of_kind if dtype is None else (dtype,)
    if axes is not None:
        yield from _of_ranks(dtypes, axes)


def _of_ranks(dtypes: tuple[np.dtype, ...], axes: Axes) -> Iterator[TensorType]:
    for rank in _RANKS:
        if axes.fits(rank):
            between = rank - len(axes.start) - len(axes.end)
            dims = (*axes.start, *(UNKNOWN,) * between, *axes.end)
            for dtype in dtypes:
                yield TensorType(dtype, tuple(map(_dim, dims)))


def _dim(word: Dim) -> Dim:
    return word if isinstance(word, int) or word.isidentifier() else UNKNOWN
