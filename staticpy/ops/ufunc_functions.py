"""NumPy's ufuncs and their methods, as adapters: ``np.add(a, b)``, ``np.add(a, b, out=x)``,
``np.add.reduce(a)``, ``np.add.at(x, i, v)``.

In: the arguments of the call. Out: a Value, or two; with ``out=`` the arrays that were given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import UNKNOWN, PythonType, TensorType, Value, dims_of
from staticpy.ops import calls, operators, store
from staticpy.ops.apply import as_value, emit
from staticpy.ops.arguments import (
    adapter,
    number_type,
    reduced_axes,
    static_bool,
    static_dtype,
    static_text,
    target_array,
)
from staticpy.ops.create import copy
from staticpy.ops.elementwise import UFUNC_OPS
from staticpy.ops.index_functions import split_key
from staticpy.ops.nested import as_numpy, as_operand, sizes, strong_dtype
from staticpy.ops.opdef import OpDef
from staticpy.ops.promote import assume_fit, assume_together, elementwise
from staticpy.ops.shape import shape_of
from staticpy.ops.shape_functions import broadcast_to
from staticpy.ops.store_functions import as_item

Adapter = Callable[..., Any]

_COMPARISONS = (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)
_OPTIONS = "*, where=True, casting='same_kind', order='K', dtype=None, subok=True"
_GIVEN_NOTHING: Any = ...


# --- calls ----------------------------------------------------------------------------------------


def call_ufunc(ufunc: np.ufunc, op: OpDef, *operands: Any) -> Any:
    """``np.f(*operands)`` without any option."""
    given = [as_operand(operand, f"np.{ufunc.__name__}()") for operand in operands]
    if op.symbol and _is_not_the_operator(ufunc, given):
        return emit(calls.call_ufunc, *given, function=ufunc.__name__)
    if ufunc is np.multiply:
        return operators.multiply(*given, is_operator=False)
    if ufunc in _COMPARISONS:
        return operators.compare_numpy(ufunc, *given)
    return elementwise(op, *given)


def _is_not_the_operator(ufunc: np.ufunc, operands: Sequence[Any]) -> bool:
    """Whether Python's operator gives other warnings: that of NumPy scalars is not the ufunc, and
    where a number is compared with complex ones on the right, those compare.
    """
    types = [number_type(operand) for operand in operands]
    if not any(isinstance(type_, TensorType) for type_ in types):
        return True
    is_complex = any(strong_dtype(type_).kind == "c" for type_ in types)
    return is_complex and ufunc in _COMPARISONS and isinstance(types[0], PythonType)


def _options(function: str, casting: Any, dtype: Any, order: Any = "K") -> dict[str, Any]:
    """The attributes of a call, without those at their default."""
    attrs: dict[str, Any] = {}
    wanted = static_dtype(dtype, function)
    if wanted is not None:
        attrs["dtype"] = wanted
    if static_text(casting, function, "casting") != "same_kind":
        attrs["casting"] = casting
    if static_text(order, function, "order") != "K":
        attrs["order"] = order
    return attrs


def _call_with(
    ufunc: np.ufunc,
    operands: Sequence[Any],
    outs: Sequence[Any],
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
) -> Any:
    function = f"np.{ufunc.__name__}()"
    attrs = _options(function, casting, dtype, order)
    masks = [] if where is True else [as_operand(where, function)]
    if not masks and not attrs and not any(out is not None for out in outs):
        return call_ufunc(ufunc, UFUNC_OPS[ufunc], *operands)
    given = [*(as_operand(operand, function) for operand in operands), *masks]
    if masks:
        attrs["keywords"] = ("where",)
    if len(outs) == 1 and outs[0] is not None:
        target = target_array(outs[0], function)
        for operand in given:
            if isinstance(operand, Value):
                assume_fit(dims_of(target.type), operand)
        return calls.into(target, ufunc.__name__, *given, **attrs)
    assume_together([as_value(operand) for operand in given])
    if masks and any(out is not None for out in outs):
        attrs["out"] = (None,) * len(outs)  # what the mask leaves out is not read
    results = emit(calls.call_ufunc, *given, function=ufunc.__name__, **attrs)
    return results if len(outs) == 1 else _into_several(results, outs, masks, casting, function)


def _into_several(
    results: Sequence[Value], outs: Sequence[Any], masks: list[Any], casting: str, function: str
) -> tuple[Any, ...]:
    """Copy each result into the array that was given for it, if any. NumPy computes, too, as if the
    results shared no memory with the operands.
    """
    targets = [None if out is None else target_array(out, function) for out in outs]
    attrs = {} if casting == "same_kind" else {"casting": casting}
    for target, result in zip(targets, results, strict=True):
        if target is not None:
            emit(store.copyto, target, result, *masks, **attrs)
    given = next((target for target in targets if target is not None), None)
    chosen = zip(targets, results, strict=True)
    return tuple(
        _as_large(result, given, function) if target is None else target
        for target, result in chosen
    )


def _as_large(result: Value, target: Value | None, function: str) -> Value:
    """A result for which no array was given has the shape of the one that was given for the other
    result.
    """
    if target is None:
        return result
    dims = sizes(result)
    if dims and dims == sizes(target) and UNKNOWN not in dims:
        return result
    if not sizes(target):
        raise _invalid(function, "give an array for each result, or for none")
    stretched = broadcast_to(result, shape_of(target))
    return emit(copy, stretched, order="C")  # type: ignore[no-any-return]


def _outs(out: Any, positional: Sequence[Any], count: int, function: str) -> tuple[Any, ...]:
    """The arrays for the results, or None for each, however they are given."""
    if any(each is not None for each in positional):
        if out is not None:
            raise _invalid(function, "'out' is given twice")
        return tuple(positional)
    given = (None,) * count if out is None else out if isinstance(out, tuple) else (out,)
    if len(given) != count:
        raise _invalid(function, f"'out' must be a tuple of {count}")
    return given


def _invalid(function: str, reason: str) -> DiagnosticError:
    return DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)


def _one_operand(ufunc: np.ufunc) -> Adapter:
    name = ufunc.__name__
    if ufunc.nout == 1:

        @adapter(name, f"x, /, out=None, {_OPTIONS}")
        def call(
            x: Any,
            /,
            out: Any = None,
            *,
            where: Any = True,
            casting: Any = "same_kind",
            order: Any = "K",
            dtype: Any = None,
        ) -> Any:
            options = {"where": where, "casting": casting, "order": order, "dtype": dtype}
            return _call_with(ufunc, [x], _outs(out, (), 1, f"np.{name}()"), **options)

        return call

    @adapter(name, f"x, out1=None, out2=None, /, out=None, {_OPTIONS}")
    def call_two(
        x: Any,
        out1: Any = None,
        out2: Any = None,
        /,
        out: Any = None,
        *,
        where: Any = True,
        casting: Any = "same_kind",
        order: Any = "K",
        dtype: Any = None,
    ) -> Any:
        options = {"where": where, "casting": casting, "order": order, "dtype": dtype}
        outs = _outs(out, (out1, out2), 2, f"np.{name}()")
        return _call_with(ufunc, [x], outs, **options)

    return call_two


def _two_operands(ufunc: np.ufunc) -> Adapter:
    name = ufunc.__name__
    if ufunc.nout == 1:

        @adapter(name, f"x1, x2, /, out=None, {_OPTIONS}")
        def call(
            x1: Any,
            x2: Any,
            /,
            out: Any = None,
            *,
            where: Any = True,
            casting: Any = "same_kind",
            order: Any = "K",
            dtype: Any = None,
        ) -> Any:
            options = {"where": where, "casting": casting, "order": order, "dtype": dtype}
            return _call_with(ufunc, [x1, x2], _outs(out, (), 1, f"np.{name}()"), **options)

        return call

    @adapter(name, f"x1, x2, out1=None, out2=None, /, out=None, {_OPTIONS}")
    def call_two(
        x1: Any,
        x2: Any,
        out1: Any = None,
        out2: Any = None,
        /,
        out: Any = None,
        *,
        where: Any = True,
        casting: Any = "same_kind",
        order: Any = "K",
        dtype: Any = None,
    ) -> Any:
        options = {"where": where, "casting": casting, "order": order, "dtype": dtype}
        outs = _outs(out, (out1, out2), 2, f"np.{name}()")
        return _call_with(ufunc, [x1, x2], outs, **options)

    return call_two


UFUNCS: dict[Any, Adapter] = {
    ufunc: _one_operand(ufunc) if ufunc.nin == 1 else _two_operands(ufunc) for ufunc in UFUNC_OPS
}
"""The adapter of each ufunc."""


# --- methods --------------------------------------------------------------------------------------


def _reduce(ufunc: np.ufunc) -> Adapter:
    name = f"{ufunc.__name__}.reduce"

    @adapter(name)
    def call(
        array: Any,
        /,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _GIVEN_NOTHING,
        where: Any = True,
    ) -> Any:
        function = f"np.{name}()"
        value = as_numpy(array, function)
        attrs: dict[str, Any] = {"axis": reduced_axes(axis, len(dims_of(value.type)), function)}
        attrs |= _options(function, "same_kind", dtype)
        if static_bool(keepdims, function, "keepdims"):
            attrs["keepdims"] = True
        named = {} if initial is _GIVEN_NOTHING else {"initial": as_item(initial)}
        if where is not True:
            named["where"] = as_operand(where, function)
        if named:
            attrs["keywords"] = (*named,)
        (target,) = _outs(out, (), 1, function)
        if target is not None:
            return calls.into(target, name, value, *named.values(), **attrs)
        return emit(calls.call_reduce, value, *named.values(), function=name, **attrs)

    return call


def _axis_method(name: str, operands: list[Any], axis: Any, dtype: Any, out: Any) -> Any:
    function = f"np.{name}()"
    value = as_numpy(operands[0], function)
    axes = reduced_axes(axis, len(dims_of(value.type)), function)
    attrs: dict[str, Any] = {
        "axis": axes[0] if isinstance(axes, tuple) and len(axes) == 1 else axes
    }
    attrs |= _options(function, "same_kind", dtype)
    (target,) = _outs(out, (), 1, function)
    if target is not None:
        return calls.into(target, name, value, *operands[1:], **attrs)
    return emit(calls.ufunc_method, value, *operands[1:], function=name, **attrs)


def _accumulate(ufunc: np.ufunc) -> Adapter:
    name = f"{ufunc.__name__}.accumulate"

    @adapter(name)
    def call(array: Any, /, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        return _axis_method(name, [array], axis, dtype, out)

    return call


def _reduceat(ufunc: np.ufunc) -> Adapter:
    name = f"{ufunc.__name__}.reduceat"

    @adapter(name)
    def call(array: Any, indices: Any, /, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
        given = as_numpy(indices, f"np.{name}()")
        return _axis_method(name, [array, given], axis, dtype, out)

    return call


def _outer(ufunc: np.ufunc) -> Adapter:
    name = f"{ufunc.__name__}.outer"

    @adapter(name)
    def call(
        A: Any,  # noqa: N803
        B: Any,  # noqa: N803
        /,
        *,
        out: Any = None,
        dtype: Any = None,
        casting: Any = "same_kind",
    ) -> Any:
        function = f"np.{name}()"
        operands = [as_operand(operand, function) for operand in (A, B)]
        attrs = _options(function, casting, dtype)
        (target,) = _outs(out, (), 1, function)
        if target is not None:
            return calls.into(target, name, *operands, **attrs)
        return emit(calls.ufunc_method, *operands, function=name, **attrs)

    return call


def _at(ufunc: np.ufunc) -> Adapter:
    name = f"np.{ufunc.__name__}.at()"

    def emit_at(a: Any, indices: Any, operands: list[Value]) -> None:
        target = target_array(a, name)
        spec, more = split_key(target, indices)
        attrs = {"ufunc": ufunc.__name__, "spec": spec, "count": len(operands)}
        emit(store.ufunc_at, target, *operands, *more, **attrs)

    @adapter(f"{ufunc.__name__}.at")
    def one(a: Any, indices: Any, /) -> None:
        emit_at(a, indices, [])

    @adapter(f"{ufunc.__name__}.at")
    def two(a: Any, indices: Any, b: Any, /) -> None:
        emit_at(a, indices, [as_item(b)])

    return one if ufunc.nin == 1 else two


def _methods() -> dict[tuple[Any, str], Adapter]:
    found: dict[tuple[Any, str], Adapter] = {}
    for ufunc in UFUNC_OPS:
        if ufunc.nout == 1:
            found[ufunc, "at"] = _at(ufunc)
        if ufunc.nin == 2:
            found[ufunc, "outer"] = _outer(ufunc)
        if ufunc.nin == 2 and ufunc.nout == 1:
            found[ufunc, "reduce"] = _reduce(ufunc)
            found[ufunc, "accumulate"] = _accumulate(ufunc)
            found[ufunc, "reduceat"] = _reduceat(ufunc)
    return found


UFUNC_METHODS: dict[tuple[Any, str], Adapter] = _methods()
"""The adapter of ``np.add.reduce`` and its kind, by the ufunc and the name of the method."""
