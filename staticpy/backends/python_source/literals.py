"""Constants and attribute values as Python expressions.

In: a compile-time value. Out: an expression that evaluates to it, bit for bit: a literal where
there is one, else the name of a global variable. The globals are collected here, with the line
that defines each of them, so that the printed source can be read on its own.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import math
import re
import struct
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from staticpy.ir import is_supported_dtype

_LONGEST_INT = 1 << 256
_LONGEST_NAME = 12
_NO_WORD = re.compile(r"[^\w-]")


def load(name: str) -> ast.Name:
    """The variable ``name``, read."""
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    """The variable ``name``, assigned."""
    return ast.Name(name, ast.Store())


def numpy_name(dotted: str) -> ast.expr:
    """``np.<dotted>``."""
    node: ast.expr = load("np")
    for part in dotted.split("."):
        node = ast.Attribute(node, part, ast.Load())
    return node


def call(function: ast.expr, /, *args: ast.expr, **kwargs: ast.expr) -> ast.Call:
    """``function(*args, **kwargs)``."""
    keywords = [ast.keyword(name, value) for name, value in kwargs.items()]
    return ast.Call(function, list(args), keywords)


def function_definition(
    name: str, parameters: Sequence[str], body: list[ast.stmt], *decorators: ast.expr
) -> ast.FunctionDef:
    """``def name(parameters): body``."""
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(parameter) for parameter in parameters],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    more: dict[str, Any] = {"type_params": []} if sys.version_info >= (3, 12) else {}
    return ast.FunctionDef(name, arguments, body, list(decorators), **more)


def dtype_expression(dtype: np.dtype) -> ast.expr:
    """``np.float32``, and ``np.dtype('>f4')`` for one in the other byte order."""
    if not dtype.isnative:
        return ast.Call(numpy_name("dtype"), [ast.Constant(dtype.str)], [])
    return numpy_name(dtype.type.__name__ if dtype.kind != "b" else "bool")


def same_bits(left: Any, right: Any) -> bool:
    """Whether two numbers of Python or NumPy are one value: 1, True, 1.0 are not, 0.0 and -0.0
    are not.
    """
    if type(left) is not type(right):
        return False
    if isinstance(left, np.generic):
        return bool(left.tobytes() == right.tobytes())
    if isinstance(left, float):
        return struct.pack("<d", left) == struct.pack("<d", right)
    if isinstance(left, complex):
        return same_bits(left.real, right.real) and same_bits(left.imag, right.imag)
    return bool(left == right)


def _real(value: float) -> ast.expr | None:
    if value == math.inf:
        return numpy_name("inf")
    if math.isnan(value):
        return numpy_name("nan") if same_bits(value, math.nan) else None
    if math.copysign(1.0, value) < 0:
        positive = _real(-value)
        return positive and ast.UnaryOp(ast.USub(), positive)
    return ast.Constant(value)


def _complex(value: complex) -> ast.expr | None:
    real, imag = value.real, value.imag
    if not (math.isfinite(real) and math.isfinite(imag)) or math.copysign(1.0, imag) < 0:
        return None
    literal = ast.Constant(complex(0.0, imag))
    if same_bits(real, 0.0):
        return literal
    left = _real(real)
    exact = same_bits(real + complex(0.0, imag), value)
    return ast.BinOp(left, ast.Add(), literal) if left is not None and exact else None


def literal(value: Any) -> ast.expr | None:
    """The literal of a compile-time value; None where there is none that gives back every bit."""
    if value is None or value is ... or type(value) in (bool, str):
        return ast.Constant(value)
    if type(value) is int:
        if abs(value) >= _LONGEST_INT:
            return None
        return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)
    if type(value) is float:
        return _real(value)
    if type(value) is complex:
        return _complex(value)
    if isinstance(value, np.dtype) and is_supported_dtype(value):
        return dtype_expression(value)
    if type(value) is tuple:
        items = [literal(item) for item in value]
        known = [item for item in items if item is not None]
        return ast.Tuple(known, ast.Load()) if len(known) == len(items) else None
    return None


def python_twin(value: Any) -> Any:
    """The Python number that NumPy turns back into the NumPy scalar ``value``, bit for bit; else
    None.
    """
    if not isinstance(value, np.generic):
        return None
    twin = value.item()
    if type(twin) not in (bool, int, float, complex) or bool(np.isnan(value)):
        return None
    return twin if same_bits(value.dtype.type(twin), value) else None


def _key(value: Any) -> Hashable:
    if isinstance(value, np.generic):
        return type(value), value.dtype.str, value.tobytes()
    if isinstance(value, float):
        return float, struct.pack("<d", value)
    if isinstance(value, complex):
        return complex, struct.pack("<dd", value.real, value.imag)
    return (int, value) if type(value) is int else (type(value), id(value))


def _constant_name(value: Any) -> str:
    """``float32_0_5`` for a NumPy number, ``constant`` for anything else."""
    twin = python_twin(value)
    if literal(twin) is None or twin is None or len(str(twin)) > _LONGEST_NAME:
        return "constant"
    return f"{value.dtype.name}_{_NO_WORD.sub('_', str(twin)).replace('-', 'minus_')}"


class Globals:
    """The global variables of generated source: objects by name, and the text that makes them."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self.values: dict[str, Any] = {"np": np}
        self._reserved = frozenset(reserved)
        self.definitions: list[ast.stmt] = []
        self._names: dict[Hashable, str] = {}

    def expression(self, value: Any) -> ast.expr:
        """An expression for any compile-time value."""
        return literal(value) or load(self.name(value, _constant_name(value)))

    def name(self, value: Any, hint: str) -> str:
        """The global variable that holds ``value``, for which there is no literal."""
        key = _key(value)
        if key not in self._names:
            name = self._names[key] = self._free(hint)
            self.values[name] = value
            self._define(name, value)
        return self._names[key]

    def define(
        self, hint: str, make: Callable[[str], ast.stmt], is_local: Callable[[str], bool]
    ) -> str:
        """The global variable that the statement ``make(name)`` defines, for a function whose local
        variables have their names.
        """
        hints = (f"{hint}_{number}" if number else hint for number in itertools.count())
        name = next(each for each in map(self._free, hints) if not is_local(each))
        self.values[name] = None
        self.definitions.append(make(name))
        return name

    def _free(self, hint: str) -> str:
        """A name that nothing has."""
        name = hint if hint.isidentifier() else "function"
        number = 0
        while name in self.values or name in self._reserved or hasattr(builtins, name):
            number += 1
            name = f"{hint}_{number}"
        return name

    def _define(self, name: str, value: Any) -> None:
        twin = python_twin(value)
        text = literal(twin) if twin is not None else None
        if text is not None:
            made = call(dtype_expression(value.dtype), text)
            self.definitions.append(ast.Assign([store(name)], made))
