"""A stand-in for arrays and for the module ``numpy``, by which a plain expression reaches the ops.

``evaluate(f, x)`` runs ``f(np, x)`` twice: with NumPy itself, and with stand-ins that emit a graph,
which is then interpreted. It is the smallest frontend there can be: no source, no control flow.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import Function, Value
from staticpy.ops import (
    ATTRIBUTES,
    BUILTINS,
    FUNCTIONS,
    METHODS,
    UFUNC_METHODS,
    Effect,
    binary,
    compare,
    getitem,
    operation_effects,
    set_attribute,
    setitem,
    unary,
)
from tests.support.graphs import build, identity_of, outcome, reread
from tests.support.interpreter import run


def unwrap(tree: Any) -> Any:
    """``tree`` with the Value of each stand-in."""
    if isinstance(tree, Traced):
        return tree.value
    if isinstance(tree, tuple | list):
        return type(tree)(map(unwrap, tree))
    if isinstance(tree, slice):
        return slice(unwrap(tree.start), unwrap(tree.stop), unwrap(tree.step))
    return tree


def wrap(tree: Any) -> Any:
    """``tree`` with a stand-in for each Value."""
    if isinstance(tree, Value):
        return Traced(tree)
    return type(tree)(map(wrap, tree)) if isinstance(tree, tuple | list) else tree


def lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """An adapter that takes and returns stand-ins."""

    def call(*args: Any, **kwargs: Any) -> Any:
        named = {name: unwrap(value) for name, value in kwargs.items()}
        return wrap(function(*unwrap(args), **named))

    return call


class Traced:
    """A run-time value with the operators, attributes and methods that the ops give it."""

    value: Value

    def __init__(self, value: Value) -> None:
        self.__dict__["value"] = value

    def __getattr__(self, name: str) -> Any:
        if name in ATTRIBUTES:
            return wrap(ATTRIBUTES[name](self.value))
        if name not in METHODS:
            raise AttributeError(name)
        return lambda *args, **kwargs: lifted(METHODS[name])(self, *args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return wrap(getitem(self.value, unwrap(key)))

    def __setattr__(self, name: str, item: Any) -> None:
        set_attribute(self.value, name, unwrap(item))

    def __setitem__(self, key: Any, item: Any) -> None:
        setitem(self.value, unwrap(key), unwrap(item))

    __hash__ = None  # type: ignore[assignment]


def _operator(symbol: str, function: Callable[..., Any], *, swap: bool = False) -> Any:
    def method(self: Traced, *other: Any) -> Any:
        operands = (*other, self) if swap else (self, *other)
        return lifted(function)(symbol, *operands)

    return method


for _name, _symbol in {
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
    "lshift": "<<",
}.items():
    setattr(Traced, f"__{_name}__", _operator(_symbol, binary))
    setattr(Traced, f"__r{_name}__", _operator(_symbol, binary, swap=True))
for _name, _symbol in {
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
}.items():
    setattr(Traced, f"__{_name}__", _operator(_symbol, compare))
for _name, _symbol in {"neg": "-", "pos": "+", "invert": "~"}.items():
    setattr(Traced, f"__{_name}__", _operator(_symbol, unary))


class Module:
    """The module ``numpy``, with the adapters in place of its functions; and ``py`` for
    builtins."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if isinstance(found, type) and issubclass(found, np.generic):
            return ScalarClass(found)
        if isinstance(found, np.ufunc):
            return Ufunc(found)
        return lifted(FUNCTIONS[found]) if callable(found) else found


class Ufunc:
    """A ufunc: called, or asked for one of its methods."""

    def __init__(self, ufunc: np.ufunc) -> None:
        self._ufunc = ufunc

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return lifted(FUNCTIONS[self._ufunc])(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return lifted(UFUNC_METHODS[self._ufunc, name])


class ScalarClass:
    """A NumPy scalar class: called, it converts; as an argument it names a dtype."""

    def __init__(self, class_: type) -> None:
        self.dtype = np.dtype(class_)
        self._convert = lifted(FUNCTIONS[class_])

    def __call__(self, *args: Any) -> Any:
        return self._convert(*args)


class Builtins:
    """Python's builtin functions, of values or of stand-ins."""

    def __init__(self, *, traced: bool) -> None:
        self._traced = traced

    def __getattr__(self, name: str) -> Any:
        found = getattr(builtins, name)
        return lifted(BUILTINS[found]) if self._traced else found


Program = Callable[..., Any]


def graph_of(program: Program, *values: Any, symbolic: bool = True) -> Any:
    """The graph of ``program(np, py, *values)``."""

    def body(*args: Value) -> Any:
        return unwrap(program(Module(), Builtins(traced=True), *map(Traced, args)))

    return build(body, *values, symbolic=symbolic)


def check(program: Program, *values: Any, symbolic: bool = True) -> Any:
    """Assert that the graph does what NumPy does; where NumPy raises, the graph may be refused.

    Returns the graph, or the DiagnosticError.
    """
    with np.errstate(all="ignore"):
        expected = outcome(lambda: program(np, Builtins(traced=False), *values))
        refused = None
        try:
            graph = graph_of(program, *values, symbolic=symbolic)
        except DiagnosticError as error:
            refused = error
        if refused is not None:
            assert expected[0] == "error", (str(refused), refused.args_, values, expected)
            return refused
        found = outcome(lambda: run(graph, *values))
        again = outcome(lambda: run(reread(graph), *values))
    assert found == expected, (values, expected, found)
    assert again == expected, (values, expected, again)
    _check_effects(graph, expected)
    return graph


def _check_effects(graph: Function, expected: tuple[str, Any]) -> None:
    """An operation that raises says so."""
    raises = any(
        Effect.RAISES in operation_effects(operation) for operation in graph.block.operations
    )
    assert raises or expected[0] != "error", expected


def check_writes(program: Program, *values: Any, symbolic: bool = True) -> Any:
    """As ``check``, of a program that writes to its arguments, which must agree afterwards, too.

    Each run gets copies of its own, with the memory order of ``values``.
    """
    with np.errstate(all="ignore"):
        plain = _copies(values)
        expected = outcome(lambda: program(np, Builtins(traced=False), *plain))
        refused = None
        try:
            graph = graph_of(program, *values, symbolic=symbolic)
        except DiagnosticError as error:
            refused = error
        if refused is not None:
            assert expected[0] == "error", (str(refused), refused.args_, values, expected)
            return refused
        for function in (graph, reread(graph)):
            given = _copies(values)
            found = outcome(lambda: run(function, *given))  # noqa: B023
            assert found == expected, (values, expected, found)
            assert list(map(identity_of, given)) == list(map(identity_of, plain)), values
    _check_effects(graph, expected)
    return graph


def _copies(values: tuple[Any, ...]) -> list[Any]:
    copies = [v.copy("K") if isinstance(v, np.ndarray) else v for v in values]
    for copied, value in zip(copies, values, strict=True):
        if isinstance(value, np.ndarray) and not value.flags.writeable:
            copied.flags.writeable = False
    return copies
