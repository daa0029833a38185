"""NumPy's reductions, as adapters over the ops of ``reduce``.

In: the arguments of the call. Out: a Value; with ``out=`` the array that was given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import COMPLEX, FLOAT, dims_of
from staticpy.ops import reduce
from staticpy.ops.apply import emit
from staticpy.ops.arguments import (
    adapter,
    is_number,
    needs_static,
    number_type,
    reduced_axes,
    static_axes,
    static_bool,
    static_dtype,
)
from staticpy.ops.calls import call_reduce, into
from staticpy.ops.library_functions import library_call
from staticpy.ops.nested import as_numpy, as_operand, strong_dtype
from staticpy.ops.opdef import OpDef
from staticpy.ops.promote import from_python

_GIVEN_NOTHING: Any = ...
"""The default of ``initial``: with None, NumPy starts from the first element."""


def reduce_with(
    op: OpDef,
    operand: Any,
    *,
    axis: Any,
    keepdims: Any = False,
    dtype: Any = None,
    out: Any = None,
    where: Any = True,
    initial: Any = _GIVEN_NOTHING,
    **more: Any,
) -> Any:
    """Apply a reduction to anything that NumPy takes; attributes at their default are left out.

    Raises:
        DiagnosticError: NumPy refuses the dtype or the axis.
    """
    function = f"np.{op.name}()"
    value = _of_nan(operand) if op in _NAN_OPS else as_numpy(operand, function)
    attrs: dict[str, Any] = {}
    takes_list = op is reduce.median_op and isinstance(axis, list)
    as_axes = static_axes if takes_list else reduced_axes
    axes = as_axes(axis, len(dims_of(value.type)), function)
    if axes is not None:
        attrs["axis"] = axes
    if static_bool(keepdims, function, "keepdims"):
        attrs["keepdims"] = True
    wanted = static_dtype(dtype, function)
    if wanted is not None:
        attrs["dtype"] = wanted
    attrs.update({name: given for name, given in more.items() if given})
    named = {} if initial is _GIVEN_NOTHING else {"initial": as_operand(initial, function)}
    if where is not True:
        named["where"] = as_operand(where, function)
    return _reduction(op, [value, *named.values()], tuple(named), out, attrs)


_NAN_OPS = (reduce.nanmin_op, reduce.nanmax_op)


def _of_nan(operand: Any) -> Any:
    """An operand for which NumPy warns otherwise if it is no array: a float is a NumPy scalar."""
    is_float = is_number(operand) and number_type(operand) in (FLOAT, COMPLEX)
    if not is_float:
        return as_numpy(operand, "np.nanmin()")
    return emit(from_python, operand, dtype=strong_dtype(number_type(operand)))


def _reduction(
    op: OpDef, operands: list[Any], keywords: tuple[str, ...], out: Any, attrs: dict[str, Any]
) -> Any:
    if keywords:
        attrs["keywords"] = keywords
    if out is not None:
        return into(out, op.name, *operands, **attrs)
    if keywords:
        return emit(call_reduce, *operands, function=op.name, **attrs)
    return emit(op, *operands, **attrs)


def _sum_like(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name)
    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _GIVEN_NOTHING,
        where: Any = True,
    ) -> Any:
        return reduce_with(
            op,
            a,
            axis=axis,
            keepdims=keepdims,
            dtype=dtype,
            out=out,
            initial=initial,
            where=where,
        )

    return call


def _extremum(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name)
    def call(
        a: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = _GIVEN_NOTHING,
        where: Any = True,
    ) -> Any:
        return reduce_with(
            op, a, axis=axis, keepdims=keepdims, out=out, initial=initial, where=where
        )

    return call


def _test(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name)
    def call(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
    ) -> Any:
        return reduce_with(op, a, axis=axis, keepdims=keepdims, out=out, where=where)

    return call


def _test_method(op: OpDef) -> Callable[..., Any]:
    """Of the method, NumPy takes what follows the axis by its place as something else."""

    @adapter(op.name)
    def call(
        a: Any, axis: Any = None, *, out: Any = None, keepdims: Any = False, where: Any = True
    ) -> Any:
        return reduce_with(op, a, axis=axis, keepdims=keepdims, out=out, where=where)

    return call


def _position(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name)
    def call(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        return reduce_with(op, a, axis=axis, keepdims=keepdims, out=out)

    return call


def _spread(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name)
    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        *,
        where: Any = True,
        mean: Any = None,
    ) -> Any:
        if mean is not None:  # as NumPy's own call
            return library_call(
                op.name, a, axis, dtype, out, ddof, keepdims, where=where, mean=mean
            )
        if not isinstance(ddof, int | float):
            raise needs_static(f"np.{op.name}()", "ddof")
        return reduce_with(
            op, a, axis=axis, keepdims=keepdims, dtype=dtype, out=out, where=where, ddof=ddof
        )

    return call


def _spread_function(op: OpDef) -> Callable[..., Any]:
    """The function takes ``ddof`` under its other name, too; the method does not."""
    method = _spread(op)
    function = f"np.{op.name}()"

    @adapter(
        op.name,
        "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, "
        "correction=...",
    )
    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        *,
        where: Any = True,
        mean: Any = None,
        correction: Any = _GIVEN_NOTHING,
    ) -> Any:
        more = {"where": where, "mean": mean}
        if correction is _GIVEN_NOTHING:
            return method(a, axis, dtype, out, ddof, keepdims, **more)
        if ddof != 0:
            reason = "it takes ddof or correction, and not both"
            raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=function, reason=reason)
        if not isinstance(correction, int | float):
            raise needs_static(function, "correction")
        return method(a, axis, dtype, out, correction, keepdims, **more)

    return call


def _mean_like(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name)
    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        *,
        where: Any = True,
    ) -> Any:
        return reduce_with(op, a, axis=axis, keepdims=keepdims, dtype=dtype, out=out, where=where)

    return call


@adapter("ptp")
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """``np.ptp``."""
    return reduce_with(reduce.ptp_op, a, axis=axis, keepdims=keepdims, out=out)


def _run(op: OpDef) -> Callable[..., Any]:
    @adapter(op.name)
    def call(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return reduce_with(op, a, axis=axis, dtype=dtype, out=out)

    return call


@adapter("count_nonzero")
def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """``np.count_nonzero``: a Python int where ``axis`` is left out."""
    return reduce_with(reduce.count_nonzero_op, a, axis=axis, keepdims=keepdims)


@adapter("median", "a, axis=None, out=None, overwrite_input=False, keepdims=False")
def median(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """``np.median``."""
    return reduce_with(reduce.median_op, a, axis=axis, keepdims=keepdims, out=out)


METHODS: dict[str, Callable[..., Any]] = {
    "sum": _sum_like(reduce.sum_op),
    "prod": _sum_like(reduce.prod_op),
    "mean": _mean_like(reduce.mean_op),
    "std": _spread(reduce.std_op),
    "var": _spread(reduce.var_op),
    "min": _extremum(reduce.min_op),
    "max": _extremum(reduce.max_op),
    "any": _test_method(reduce.any_op),
    "all": _test_method(reduce.all_op),
    "argmin": _position(reduce.argmin_op),
    "argmax": _position(reduce.argmax_op),
    "cumsum": _run(reduce.cumsum_op),
    "cumprod": _run(reduce.cumprod_op),
}
"""The methods of arrays and NumPy scalars."""

ADAPTERS: dict[str, Callable[..., Any]] = {
    **METHODS,
    "any": _test(reduce.any_op),
    "all": _test(reduce.all_op),
    "std": _spread_function(reduce.std_op),
    "var": _spread_function(reduce.var_op),
    "amin": METHODS["min"],
    "amax": METHODS["max"],
    "ptp": ptp,
    "count_nonzero": count_nonzero,
    "median": median,
    "nansum": _sum_like(reduce.nansum_op),
    "nanprod": _sum_like(reduce.nanprod_op),
    "nanmean": _mean_like(reduce.nanmean_op),
    "nanmin": _extremum(reduce.nanmin_op),
    "nanmax": _extremum(reduce.nanmax_op),
}
"""The reductions by NumPy's name."""
