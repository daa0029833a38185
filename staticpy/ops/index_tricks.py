"""NumPy's objects that are called by an index: ``np.r_[a, 0, b]``, ``np.mgrid[0:m, 0:n]``.

    %y = numpy.trick %a, %b, %n {function = "r_", spec = ("value", ("value", "value", none)),
                                 is_tuple = true, results = (!f64[?],)}

``spec`` says what becomes of the operands, as it does for an index: each entry is an operand, or a
slice of some. ``results`` are the types of what comes out, found by trials on small samples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import UNKNOWN, TensorType, Type, Value, current_builder
from staticpy.ops.apply import as_value, emit
from staticpy.ops.layout import ArrayFlags
from staticpy.ops.library import Known, Operand, checked, items_of, outcome_of
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.store_functions import as_item

Spec = tuple[Any, ...]


def _key(operands: tuple[Any, ...], spec: Spec, is_tuple: bool) -> Any:
    """The index that a spec describes."""
    given = iter(operands)

    def part(entry: Any) -> Any:
        if isinstance(entry, tuple):
            return slice(*map(part, entry))
        return None if entry is None else next(given)

    key = tuple(map(part, spec))
    return key if is_tuple else key[0]


def _found(*operands: Any, function: str, spec: Spec, is_tuple: bool) -> Any:
    return getattr(np, function)[_key(operands, spec, is_tuple)]


def _kernel(*operands: Any, function: str, results: tuple[Type, ...], **attrs: Any) -> Any:
    found = items_of(_found(*operands, function=function, **attrs))
    return checked(f"np.{function}[]", found, results)


def _infer(*_: Type, results: tuple[Type, ...], **_attrs: Any) -> tuple[Type, ...]:
    return results


def _samples(_: Any) -> Any:
    def attrs(function: str, spec: Spec, dtype: str, *ranks: int, is_tuple: bool = True) -> Any:
        results = tuple(TensorType(np.dtype(dtype), (UNKNOWN,) * rank) for rank in ranks)
        return {"function": function, "spec": spec, "is_tuple": is_tuple, "results": results}

    span, stepped = ("value", "value", None), ("value", "value", "value")
    x, y = np.arange(3.0), np.ones((3, 2))
    yield (x, 1, x), attrs("r_", ("value", "value", "value"), "float64", 1)
    yield (0, 5, 2, True), attrs("r_", (stepped, "value"), "int64", 1)
    yield (x,), attrs("r_", ("value",), "float64", 1, is_tuple=False)
    yield (x, y), attrs("c_", ("value", "value"), "float64", 2)
    yield (x, y[0]), attrs("c_", ("value", "value"), "float64", 2)  # ValueError: 3 rows and 2
    yield (0, 3, 0.0, 1.0, 4j), attrs("mgrid", (span, stepped), "float64", 3)
    yield (0, 3), attrs("mgrid", (span,), "int64", 1, is_tuple=False)
    yield (0, 3, 1, 3), attrs("ogrid", (span, span), "int64", 2, 2)


index_trick = defop(
    "numpy.trick",
    infer=_infer,
    kernel=_kernel,
    effects=Effect.RAISES | Effect.WARNS,
    samples=_samples,
)
"""``np.r_[…]``, ``np.c_[…]``, ``np.mgrid[…]`` and ``np.ogrid[…]``."""


class _Entries:
    """The entries of an index as operands, with what is known of each, and a spec."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.operands: list[Value] = []
        self.known: list[Operand] = []

    def entry(self, item: Any) -> Any:
        """The part of the spec for one entry of the index."""
        if isinstance(item, slice):
            parts = (item.start, item.stop, item.step)
            return tuple(None if part is None else self.entry(part) for part in parts)
        if item is None or item is ... or isinstance(item, str):
            reason = "its entries are numbers, arrays and slices"
            name = f"np.{self.function}[]"
            raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=name, reason=reason)
        value = as_item(item)
        self.operands.append(value)
        is_known = not isinstance(item, Value | tuple | list)
        type_ = current_builder().facts.resolve_type(value.type)
        self.known.append(Known(repr(item), item) if is_known else type_)
        return "value"


def _built(function: str) -> Callable[[Any], Any]:
    def at(key: Any) -> Any:
        is_tuple = isinstance(key, tuple)
        made = _Entries(function)
        spec = tuple(made.entry(item) for item in (key if is_tuple else (key,)))
        attrs = {"function": function, "spec": spec, "is_tuple": is_tuple}
        class_, results = outcome_of(made.known, attrs, _found)
        operands = map(as_value, made.operands)
        found = emit(index_trick, *operands, **attrs, results=results)
        if not issubclass(class_, tuple):
            return found
        return (found,) if len(results) == 1 else tuple(found)

    return at


INDEX_TRICKS: dict[int, Callable[[Any], Any]] = {
    **{id(getattr(np, name)): _built(name) for name in ("r_", "c_", "mgrid", "ogrid")},
    id(np.s_): lambda key: key,
    id(np.index_exp): lambda key: key if isinstance(key, tuple) else (key,),
}
"""What ``object[key]`` gives, by the identity of the object of NumPy's."""


def item_getter(base: object) -> Callable[[Any], Any] | None:
    """What ``base[key]`` gives of an object that is no container, such as ``np.r_`` or ``x.flags``;
    None where it has no items.
    """
    return base.__getitem__ if isinstance(base, ArrayFlags) else INDEX_TRICKS.get(id(base))
