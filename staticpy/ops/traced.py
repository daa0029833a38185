"""Traced: a Value of the graph under the names that arrays and numbers have.

In: rules written in plain NumPy and Python, as ``g * np.cos(x)``. Out: on arrays and numbers the
same rule computes, and on Traced operands it emits, because every operator, NumPy function, method
and attribute of a Traced goes to the adapter of ``namespace``. So a derivative rule is written once
and serves the tape, the graph, and derivatives of derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from staticpy.ir import Type, Value, type_of
from staticpy.ops import namespace, operators
from staticpy.ops.index_functions import getitem

_SYMBOLS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
}
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_UNARY = {"neg": "-", "pos": "+", "invert": "~"}


class Traced:
    """A run-time value of the graph, to compute with as with the array or number that it will be.

    What is computed is emitted to the current Builder. ``value`` is the Value. An operand of which
    no cotangent is asked for is not ``is_wanted``: a rule need not emit it.
    """

    __slots__ = ("is_wanted", "value")

    def __init__(self, value: Value, *, is_wanted: bool = True) -> None:
        self.value = value
        self.is_wanted = is_wanted

    @property
    def type(self) -> Type:
        """The type of the Value."""
        return self.value.type

    def apply(self, adapter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """What an adapter gives for arguments of which this is one."""
        given = {name: untrace(value) for name, value in kwargs.items()}
        return trace(adapter(*map(untrace, args), **given))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        adapter = namespace.FUNCTIONS[ufunc]
        if method != "__call__":
            adapter = namespace.UFUNC_METHODS[ufunc, method]
        return call_adapter(adapter, *inputs, **kwargs)

    def __array_function__(self, function: Any, _types: Any, args: Any, kwargs: Any) -> Any:
        return call_adapter(namespace.FUNCTIONS[function], *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name in namespace.ATTRIBUTES:
            return call_adapter(namespace.ATTRIBUTES[name], self)
        if name in namespace.METHODS:
            method = namespace.METHODS[name]
            return lambda *args, **kwargs: call_adapter(method, self, *args, **kwargs)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getitem__(self, index: Any) -> Any:
        return call_adapter(getitem, self, index)

    def __abs__(self) -> Any:
        return call(abs, self)

    def __bool__(self) -> bool:
        raise TypeError("what is Traced is known at run time only: write np.where() for if")

    def __repr__(self) -> str:
        return f"Traced({self.value.type})"

    __hash__ = None  # type: ignore[assignment]
    __iter__ = None  # ``__getitem__`` alone would make it iterable, without an end


def _operator(symbol: str) -> Callable[[Any, Any], Any]:
    return lambda left, right: call_adapter(operators.binary, symbol, left, right)


def _reflected(symbol: str) -> Callable[[Any, Any], Any]:
    return lambda right, left: call_adapter(operators.binary, symbol, left, right)


def _comparison(symbol: str) -> Callable[[Any, Any], Any]:
    return lambda left, right: call_adapter(operators.compare, symbol, left, right)


def _unary(symbol: str) -> Callable[[Any], Any]:
    return lambda operand: call_adapter(operators.unary, symbol, operand)


for _name, _symbol in _SYMBOLS.items():
    setattr(Traced, f"__{_name}__", _operator(_symbol))
    setattr(Traced, f"__r{_name}__", _reflected(_symbol))
for _name, _symbol in _COMPARISONS.items():
    setattr(Traced, f"__{_name}__", _comparison(_symbol))
for _name, _symbol in _UNARY.items():
    setattr(Traced, f"__{_name}__", _unary(_symbol))


def traced_type(item: Any) -> Type | None:
    """The type of a Traced, a number or an array; None of other things."""
    return item.type if isinstance(item, Traced) else type_of(item)


def trace(item: Any) -> Any:
    """``item`` with a Traced for each Value in it; tuples and lists are gone through."""
    if isinstance(item, Value):
        return Traced(item)
    if isinstance(item, tuple):
        return tuple.__new__(type(item), map(trace, item))  # also of the named kind
    if type(item) is list:
        return list(map(trace, item))
    return item


def untrace(item: Any) -> Any:
    """``item`` with the Values themselves; slices are gone through, too."""
    if isinstance(item, Traced):
        return item.value
    if type(item) in (tuple, list):
        return type(item)(map(untrace, item))
    if isinstance(item, slice):
        return slice(*map(untrace, (item.start, item.stop, item.step)))
    return item


def call_adapter(adapter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What an adapter gives for arguments among which there are Traced."""
    first = leader((*args, *kwargs.values()))
    return adapter(*args, **kwargs) if first is None else first.apply(adapter, *args, **kwargs)


def leader(items: Iterable[Any]) -> Traced | None:
    """The first Traced among ``items``, or in a tuple or list of them; None if there is none."""
    return next(_traced_in(items), None)


def _traced_in(items: Iterable[Any]) -> Iterator[Traced]:
    for item in items:
        if isinstance(item, Traced):
            yield item
        elif type(item) in (tuple, list):
            yield from _traced_in(item)


def is_traced(*items: Any) -> bool:
    """Whether a Traced is among ``items``, or in a tuple or list of them."""
    return next(_traced_in(items), None) is not None


def call(function: Any, *args: Any, **kwargs: Any) -> Any:
    """``function(*args)`` of Python, ``math`` or ``cmath``, which know nothing of Traced."""
    if not is_traced(*args):
        return function(*args, **kwargs)
    return call_adapter(namespace.BUILTINS[function], *args, **kwargs)
