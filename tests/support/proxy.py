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
from staticpy.ir import Value
from staticpy.ops import ATTRIBUTES, BUILTINS, FUNCTIONS, METHODS, binary, compare, getitem, unary
from tests.support.graphs import build, outcome, reread
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
    return tuple(map(wrap, tree)) if isinstance(tree, tuple) else tree


def lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """An adapter that takes and returns stand-ins."""

    def call(*args: Any, **kwargs: Any) -> Any:
        named = {name: unwrap(value) for name, value in kwargs.items()}
        return wrap(function(*unwrap(args), **named))

    return call


class Traced:
    """A run-time value with the operators, attributes and methods that the ops give it."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __getattr__(self, name: str) -> Any:
        if name in ATTRIBUTES:
            return wrap(ATTRIBUTES[name](self.value))
        if name not in METHODS:
            raise AttributeError(name)
        return lambda *args, **kwargs: lifted(METHODS[name])(self, *args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return wrap(getitem(self.value, unwrap(key)))

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
        return lifted(FUNCTIONS[found]) if callable(found) else found


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
    return graph
