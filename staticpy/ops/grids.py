"""Open and dense grids of numbers: ``np.mgrid[0:n, 0:1:5j]`` and ``np.ogrid[0:n, 0:m]``.

In: slices of numbers, known while compiling or not. Out: for ``mgrid`` one array with an axis more
than there are slices, for ``ogrid`` a tuple of arrays; an array of one axis for a slice that stands
alone.

    %g = grid %n, %m {spec = (("none", "value", "none"), ("none", "value", "none"))}    # mgrid
"""

from __future__ import annotations

from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import UNKNOWN, Dim, TensorType, Type, Value, dims_of
from staticpy.ops.apply import as_value, emit
from staticpy.ops.arguments import is_number, needs_static, number_type
from staticpy.ops.nested import strong_dtype
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.probe import probe

Spec = tuple[tuple[str, ...], ...]
"""For each slice which of its parts are operands."""


def is_grid(base: object) -> bool:
    """Whether ``base`` is ``np.mgrid`` or ``np.ogrid``."""
    return base is np.mgrid or base is np.ogrid


def _key(operands: tuple[Any, ...], spec: Spec, is_single: bool) -> Any:
    given = iter(operands)
    slices = tuple(
        slice(*(next(given) if part == "value" else None for part in parts)) for parts in spec
    )
    return slices[0] if is_single else slices


def _grid(
    *operands: Any, spec: Spec, is_open: bool = False, is_single: bool = False, **_: Any
) -> Any:
    key = _key(operands, spec, is_single)
    found = np.ogrid[key] if is_open else np.mgrid[key]
    return found[0] if isinstance(found, tuple) and len(found) == 1 else found


def _infer(*operands: Type, sizes: tuple[Dim, ...] = (), **attrs: Any) -> tuple[Type, ...]:
    dtype = strong_dtype(probe("np.mgrid[]", _grid, operands, attrs)[0])
    if attrs.get("is_single"):
        return (TensorType(dtype, sizes),)
    if not attrs.get("is_open"):
        return (TensorType(dtype, (len(sizes), *sizes)),)
    shapes = (
        tuple(size if axis == own else 1 for axis, size in enumerate(sizes))
        for own in range(len(sizes))
    )
    return tuple(TensorType(dtype, shape) for shape in shapes)


_PARTS = ("none", "value", "none")
grid_op = defop(
    "grid",
    infer=_infer,
    kernel=_grid,
    effects=Effect.RAISES,
    samples=lambda _: [
        ((3, 2), {"spec": (_PARTS, _PARTS), "sizes": (3, 2)}),
        ((3, 2), {"spec": (_PARTS, _PARTS), "sizes": (UNKNOWN, 2), "is_open": True}),
        ((0, 1, 5j), {"spec": (("value",) * 3,), "sizes": (5,), "is_single": True}),
        ((0, 1, 0.5), {"spec": (("value",) * 3,), "sizes": (UNKNOWN,)}),
    ],
)
"""``np.mgrid[…]``, or ``np.ogrid[…]`` where it is open; ``sizes`` are what is known of the axes."""


def _refuse(reason: str) -> DiagnosticError:
    return DiagnosticError(catalog.INVALID_ARRAY_CALL, function="np.mgrid[]", reason=reason)


def _size(given: slice) -> Dim:
    """How many numbers a slice has, where all of them are ints that are known."""
    start, step = given.start or 0, 1 if given.step is None else given.step
    if type(step) is complex:
        return int(abs(step))
    if all(type(each) is int for each in (start, given.stop, step)) and step:
        return len(range(start, given.stop, step))
    return UNKNOWN


def _check(number: Any) -> None:
    if not is_number(number):
        raise _refuse("its slices are made of numbers")
    type_ = number_type(number)
    if dims_of(type_) or isinstance(type_, TensorType):
        raise needs_static("np.mgrid[]", "the slices")


def grid(base: Any, key: Any) -> Any:
    """``base[key]``.

    Raises:
        DiagnosticError: the key is not made of slices of numbers.
    """
    slices = key if isinstance(key, tuple) else (key,)
    if not slices or not all(isinstance(each, slice) for each in slices):
        raise _refuse("its index is made of slices")
    operands: list[Value] = []
    spec = []
    for each in slices:
        if each.stop is None:
            raise _refuse("each slice has an end")
        parts = (each.start, each.stop, each.step)
        for part in parts:
            if part is not None:
                _check(part)
                operands.append(as_value(part))
        spec.append(tuple("none" if part is None else "value" for part in parts))
    attrs: dict[str, Any] = {"spec": tuple(spec), "sizes": tuple(map(_size, slices))}
    attrs |= {"is_open": True} if base is np.ogrid else {}
    attrs |= {} if isinstance(key, tuple) else {"is_single": True}
    found = emit(grid_op, *operands, **attrs)
    is_one = base is np.mgrid or not isinstance(key, tuple)
    if is_one:
        return found
    return tuple(found) if isinstance(found, tuple | list) else (found,)
