"""The edge between NumPy's loose operands and the ops' strict ones.

An elementwise op takes operands of exactly the dtypes of one ufunc loop, all of one shape.
``elementwise`` gets there by emitting what NumPy does silently: a Python scalar is converted
(``from_python``), a 0-d array is read (``unbox``), a dtype is changed (``cast``), a shape is
stretched (``broadcast``). The dtypes are NumPy's own answer, by ``ufunc.resolve_dtypes``: NEP 50
holds by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    UNKNOWN,
    Dim,
    PythonType,
    ScalarType,
    TensorType,
    Type,
    Value,
    array_type,
    current_builder,
    dims_of,
    is_supported_dtype,
    type_of,
)
from staticpy.ops.apply import as_value, emit
from staticpy.ops.opdef import Effect, OpDef, defop

_WEAK: dict[str, Any] = {"bool": np.dtype(bool), "int": int, "float": float, "complex": complex}


def weak_dtype(type_: Type) -> Any:
    """What ``resolve_dtypes`` wants to know of an operand: a dtype, or int, float, complex."""
    if isinstance(type_, PythonType) and type_.kind in _WEAK:
        return _WEAK[type_.kind]
    if not isinstance(type_, ScalarType | TensorType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"a number is due, not {type_}")
    return type_.dtype


def loop_dtypes(ufunc: np.ufunc, types: Sequence[Type], name: str = "") -> tuple[np.dtype, ...]:
    """The dtypes of the loop (operands, then results) that NumPy runs for operands of these types.

    Raises:
        DiagnosticError: the ufunc has no loop for them (NumPy raises TypeError). It says ``name``,
            where the function that the program calls isn't the ufunc.
    """
    operands = tuple(map(weak_dtype, types))
    if all(isinstance(type_, PythonType) for type_ in types):
        operands = tuple(map(np.dtype, operands))
    # Equal dtypes may be of two classes, which their numbers tell apart.
    dtypes = _resolve_dtypes(ufunc, operands, tuple(getattr(each, "num", -1) for each in operands))
    if dtypes is None:
        described = ", ".join(map(str, types))
        function = name or ufunc.__name__
        raise DiagnosticError(catalog.NO_UFUNC_LOOP, function=function, types=described)
    return dtypes


@lru_cache(maxsize=8192)
def _resolve_dtypes(
    ufunc: np.ufunc, operands: tuple[Any, ...], _numbers: tuple[int, ...]
) -> tuple[np.dtype, ...] | None:
    """NumPy's own resolution; None where the ufunc has no loop of the language's dtypes."""
    try:
        dtypes = ufunc.resolve_dtypes((*operands, *[None] * ufunc.nout))
    except TypeError:
        return None
    return dtypes if all(map(is_supported_dtype, dtypes)) else None


# --- conversions ----------------------------------------------------------------------------------


def _infer_from_python(operand: Type, *, dtype: np.dtype, **_: Any) -> Type:
    if not isinstance(operand, PythonType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"a Python number is due, not {operand}")
    return ScalarType(dtype)


def _from_python(
    operand: Any, *, dtype: np.dtype, checked: bool = False, wraps: bool = False
) -> Any:
    if wraps:
        # NumPy 2.5 raises where 2.4 wraps: the answer is that of the NumPy that is here.
        return np.where(True, operand, np.zeros((), dtype))[()]
    if checked and np.dtype(dtype).kind == "i" and not -(2**63) <= operand < 2**63:
        found = f"a number of {np.asarray(operand).dtype}"
        raise DiagnosticError(
            catalog.RESULT_OF_OTHER_TYPE, function="np.asarray()", found=found, expected="int64"
        )
    if checked and not -(2**63) <= operand < 2**64:
        name = np.dtype(dtype).name
        raise TypeError(f"an int of more than 64 bits has no {name} form here")
    # np.asarray applies the NEP 50 rule: an int that does not fit is an OverflowError.
    return np.asarray(operand, dtype=dtype)[()]


def _from_python_effects(operands: Sequence[Type], _attrs: Any) -> Effect:
    (operand,) = operands
    is_int = isinstance(operand, PythonType) and operand.kind == "int"
    return Effect.RAISES if is_int else Effect.WARNS


def _from_python_samples(_: Any) -> Any:
    for value in (True, 3, 2.5):
        yield (value,), {"dtype": np.dtype("float32")}
    yield (2 - 1j,), {"dtype": np.dtype("complex64")}
    yield (3,), {"dtype": np.dtype("uint8")}
    yield (3,), {"dtype": np.dtype("float64"), "checked": True}
    yield (2**63,), {"dtype": np.dtype("int64"), "checked": True}
    yield (200,), {"dtype": np.dtype("uint8"), "wraps": True}


from_python = defop(
    "from_python",
    infer=_infer_from_python,
    kernel=_from_python,
    effects=_from_python_effects,
    samples=_from_python_samples,
)
"""A Python scalar as NumPy scalar of ``dtype``, as NEP 50 converts a weak operand. With ``checked``
an int of more than 64 bits is a TypeError: so it is in a call such as ``np.sqrt(2**70)``, with no
other operand; one that is no int64 is refused where that is due, as NumPy makes a uint64 of it.
With ``wraps`` the number is converted as ``np.where`` does it."""


def _infer_unbox(operand: Type) -> Type:
    if not isinstance(operand, TensorType) or operand.rank:
        raise DiagnosticError(catalog.INVALID_IR, detail=f"a 0-d array is due, not {operand}")
    return ScalarType(operand.dtype)


unbox = defop(
    "unbox",
    infer=_infer_unbox,
    kernel=lambda x: x[()],
    samples=lambda _: [((np.array(2.5),), {}), ((np.array(True),), {})],
)
"""The NumPy scalar in a 0-d array."""


def _infer_cast(operand: Type, *, dtype: np.dtype) -> Type:
    if isinstance(operand, PythonType):
        raise DiagnosticError(catalog.INVALID_IR, detail=f"an array is due, not {operand}")
    if isinstance(operand, TensorType):
        return TensorType(dtype, operand.dims)
    return ScalarType(dtype)


def _cast(operand: Any, *, dtype: np.dtype) -> Any:
    return operand.astype(dtype)


def _cast_samples(rng: np.random.Generator) -> Any:
    for dtype in ("bool", "int8", "float32", "complex128"):
        yield (rng.integers(0, 9, (2, 3)),), {"dtype": np.dtype(dtype)}
        yield (np.array(2),), {"dtype": np.dtype(dtype)}
        yield (np.uint8(2),), {"dtype": np.dtype(dtype)}


cast = defop("cast", infer=_infer_cast, kernel=_cast, effects=Effect.WARNS, samples=_cast_samples)
"""A new array, or NumPy scalar, of another dtype: ``x.astype(dtype)``."""


def broadcast_dim(left: Dim, right: Dim) -> Dim:
    """The size that two sizes broadcast to, as far as it is known."""
    if left == right:
        return left
    if left == 1:
        return right
    if right == 1:
        return left
    if isinstance(left, int) and not isinstance(right, int):
        return left  # whatever the other one is: 1, the same, or an error
    if isinstance(right, int) and not isinstance(left, int):
        return right
    return UNKNOWN


def broadcast_dims(*shapes: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The shape that shapes broadcast to, sizes aligned from the right."""
    result: list[Dim] = []
    for dims in zip_longest(*map(reversed, shapes), fillvalue=1):
        size: Dim = dims[0]
        for dim in dims[1:]:
            size = broadcast_dim(size, dim)
        result.append(size)
    return tuple(reversed(result))


def _infer_broadcast(*operands: Type) -> tuple[Type, ...]:
    if any(isinstance(operand, PythonType) for operand in operands):
        raise DiagnosticError(catalog.INVALID_IR, detail="a Python number can't be broadcast")
    dims = broadcast_dims(*map(dims_of, operands))
    return tuple(TensorType(operand.dtype, dims) for operand in operands)  # type: ignore[attr-defined]


def fits(*shapes: tuple[Dim, ...]) -> bool:
    """Whether the shapes are known to broadcast together."""
    for dims in zip_longest(*map(reversed, shapes), fillvalue=1):
        others = [dim for dim in dims if dim != 1]
        if len(others) > 1 and (UNKNOWN in others or len(set(others)) > 1):
            return False
    return True


def misfit(*shapes: tuple[Dim, ...]) -> bool:
    """Whether the shapes are known not to broadcast together."""
    return any(
        len({dim for dim in dims if isinstance(dim, int) and dim != 1}) > 1
        for dims in zip_longest(*map(reversed, shapes), fillvalue=1)
    )


def _broadcast_effects(operands: Sequence[Type], _attrs: Any) -> Effect:
    return Effect.NONE if fits(*map(dims_of, operands)) else Effect.RAISES


def _broadcast_samples(rng: np.random.Generator) -> Any:
    yield (rng.random((2, 3)), rng.random(3), np.float32(2)), {}
    yield (rng.random((2, 1)), rng.random((1, 3))), {}
    yield (np.array(1), rng.random((0, 3))), {}


def _broadcast_arrays(*operands: Any) -> tuple[np.ndarray, ...]:
    return tuple(np.broadcast_arrays(*operands))


def _broadcast_operands(*operands: Any) -> tuple[np.ndarray, ...]:
    try:
        return _broadcast_arrays(*operands)
    except ValueError:
        np.nditer(operands, ("zerosize_ok",))  # raises it in the words of a ufunc
        raise


def _broadcast(name: str, kernel: Callable[..., tuple[np.ndarray, ...]]) -> OpDef:
    return defop(
        name,
        infer=_infer_broadcast,
        kernel=kernel,
        effects=_broadcast_effects,
        view=True,
        numpy="broadcast_arrays",
        samples=_broadcast_samples,
    )


broadcast = _broadcast("broadcast", _broadcast_operands)
"""All operands stretched to one shape, as ufuncs do it; each result is a view of its operand.
ValueError where the shapes don't fit."""

broadcast_arrays = _broadcast("broadcast_arrays", _broadcast_arrays)
"""As ``broadcast``, where the program says so: no loop that stretches its operands by itself takes
its place.
"""


# --- the edge -------------------------------------------------------------------------------------


@cache
def _asks_int64() -> bool:
    """Whether this NumPy asks the int64 of an int for its truth, with an OverflowError beyond that;
    earlier ones ask the int.
    """
    try:
        np.logical_and(True, 2**70)
    except OverflowError:
        return True
    return False


def convert(operand: Any, dtype: np.dtype, *, checked: bool = False) -> Value:
    """``operand`` with ``dtype``: a NumPy scalar, or an array of one axis or more."""
    type_ = _type(operand)
    if isinstance(type_, PythonType):
        if type_.kind == "int" and dtype.kind == "b" and _asks_int64():
            number: Value = emit(from_python, operand, dtype=np.dtype("int64"))
            return convert(number, dtype)
        attrs: dict[str, Any] = {"dtype": dtype}
        if checked and type_.kind == "int" and dtype.kind in "fci":
            attrs["checked"] = True
        known = known_conversion(operand, attrs)
        if known is not None:
            return as_value(known)
        return current_builder().emit(from_python, (as_value(operand),), attrs).result
    value = as_value(operand)
    if isinstance(type_, TensorType) and type_.rank == 0:
        value = emit(unbox, value)
    assert isinstance(type_, ScalarType | TensorType)
    return value if type_.dtype == dtype else emit(cast, value, dtype=dtype)


def _type(operand: Any) -> Type:
    found = operand.type if isinstance(operand, Value) else type_of(operand)
    assert found is not None, operand
    return found


def known_conversion(operand: Any, attrs: Mapping[str, Any]) -> np.generic | None:
    """What ``from_python`` makes of a compile-time number; None where it raises or warns, as it
    will when it runs.
    """
    if isinstance(operand, Value | complex):
        return None
    try:
        with np.errstate(all="raise"):
            converted: np.generic = _from_python(operand, **attrs)
    except (OverflowError, TypeError, FloatingPointError, DiagnosticError):
        return None
    return converted


def assume_together(operands: Sequence[Value]) -> list[tuple[Dim, ...]]:
    """Take sizes that are equal at the call at hand to be so at every call; the operands' shapes.

    Raises:
        DiagnosticError: the sizes can't fit.
    """
    facts = current_builder().facts
    shapes = [dims_of(operand.type) for operand in operands]
    for position, shape in enumerate(shapes):
        for other in shapes[:position]:
            for a, b in zip(reversed(shape), reversed(other), strict=False):
                facts.assume_broadcast(a, b)
    resolved = [tuple(map(facts.resolve, shape)) for shape in shapes]
    if misfit(*resolved):
        types = ", ".join(str(operand.type) for operand in operands)
        raise DiagnosticError(catalog.SHAPE_MISMATCH, types=types, way_out=catalog.FIT_STRETCHED)
    return resolved


def assume_fit(target: Sequence[Dim], source: Value) -> None:
    """Take sizes of what is written to memory of these sizes that are equal to them at the call at
    hand to be so at every call.
    """
    facts = current_builder().facts
    for left, right in zip(reversed(target), reversed(dims_of(source.type)), strict=False):
        if facts.resolve(right) != 1:
            facts.assume_equal(left, right)


def broadcast_together(operands: Sequence[Value], op: OpDef = broadcast) -> Sequence[Value]:
    """The operands stretched to one shape; untouched where they are known to have it already."""
    if not any(dims_of(operand.type) for operand in operands):
        return operands
    resolved = assume_together(operands)
    if UNKNOWN not in resolved[0] and all(shape == resolved[0] for shape in resolved):
        return operands
    if all(operand is operands[0] for operand in operands):
        return operands
    return current_builder().emit(op, operands).results


def elementwise(op: OpDef, *operands: Any) -> Any:
    """Apply an elementwise op to operands as NumPy takes them.

    Raises:
        DiagnosticError: NumPy has no loop for these dtypes, or the sizes can't fit.
    """
    assert op.ufunc is not None
    types = [_type(operand) for operand in operands]
    dtypes = loop_dtypes(op.ufunc, types, "" if op.numpy else op.name)
    checked = all(isinstance(t, PythonType) and t.kind in ("bool", "int") for t in types)
    converted = [
        convert(each, dtype, checked=checked) for each, dtype in zip(operands, dtypes, strict=False)
    ]
    return emit(op, *broadcast_together(converted))


def elementwise_type(ufunc: np.ufunc) -> Any:
    """The type rule of the elementwise op that is one ufunc: one shape in, the same shape out.

    Raises:
        DiagnosticError: the operands are not those of one loop, or not of one rank.
    """

    def infer(*operands: Type) -> tuple[Type, ...]:
        dtypes = loop_dtypes(ufunc, operands)
        for operand, dtype in zip(operands, dtypes, strict=False):
            same_rank = len(dims_of(operand)) == len(dims_of(operands[0]))
            if not same_rank or weak_dtype(operand) != dtype or _is_zero_d(operand):
                types = ", ".join(map(str, operands))
                detail = f"{ufunc.__name__} takes operands of one loop, not {types}"
                raise DiagnosticError(catalog.INVALID_IR, detail=detail)
        dims = common_dims(*map(dims_of, operands))
        return tuple(array_type(dtype, dims) for dtype in dtypes[ufunc.nin :])

    return infer


def _is_zero_d(type_: Type) -> bool:
    return isinstance(type_, TensorType) and not type_.dims


def common_dims(*shapes: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The one shape of operands that have the same shape, each size as one of them knows it."""
    return tuple(
        next((dim for dim in dims if dim != UNKNOWN), UNKNOWN) for dims in zip(*shapes, strict=True)
    )
