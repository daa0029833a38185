"""Ufuncs, their options and their methods, and Python's operators: rows from NumPy's own table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from staticpy.ops import FUNCTIONS, UFUNC_METHODS
from tests.support.comparisons.rows import Row

_ONE = """
np.F(x)
np.F(x, out=o)
np.F(x, p)
np.F(x, x)
np.F(x, where=w, out=o)
np.F(x, dtype=np.float64)
np.F(c)
np.F(a)
"""
_ONE_RESULTS_TWO = """
np.F(x)
np.F(x, out=(o, p))
np.F(x, o, p, where=w)
np.F(x, dtype=np.float64)
np.F(c)
np.F(a)
"""
_TWO = """
np.F(x, y)
np.F(x, y, out=o)
np.F(x, x)
np.F(x, d)
np.F(e, x)
np.F(c, d)
np.F(x, y, out=p, where=y != 0)
np.F(x, c, dtype=np.float64)
np.F(x, k)
np.F(t, x)
np.F(x, x, out=x)
"""
_TWO_RESULTS_TWO = """
np.F(x, y)
np.F(x, y, out=(o, p))
np.F(x, d)
np.F(e, x)
np.F(x, k)
"""
_ORDERS = ("less", "less_equal", "equal", "not_equal", "greater", "greater_equal")
_CRASH = ("(x, y, out=p, where=y != 0)", "(np.asarray(x), d, out=p, where=w)")
"""NumPy 2.4 crashes where it compares an int that fits no uint64 with a mask."""
_METHODS = {
    "reduce": """
np.F.reduce(x)
np.F.reduce(x, axis=None)
np.F.reduce(x, axis=-1, keepdims=True)
np.F.reduce(x, dtype=np.float64)
np.F.reduce(x, out=h)
np.F.reduce(x, initial=1)
np.F.reduce(x, where=w, initial=2)
""",
    "accumulate": """
np.F.accumulate(x)
np.F.accumulate(x, axis=-1)
np.F.accumulate(x, 0, np.float64)
np.F.accumulate(x, out=o)
""",
    "reduceat": """
np.F.reduceat(x, [0, 2])
np.F.reduceat(x, i)
np.F.reduceat(x, [1, 0], axis=-1)
""",
    "outer": """
np.F.outer(x, y)
np.F.outer(x, a)
np.F.outer(c, x)
""",
}
_AT_ONE = """
np.F.at(x, i); x
np.F.at(x, x > 1); x
"""
_AT_TWO = """
np.F.at(x, i, 1); x
np.F.at(x, [0, 0], c); x
np.F.at(x, x > 1, d); x
"""
_OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>")
_COMPARISONS = ("<", "<=", "==", "!=", ">", ">=")
_OPERATOR = """
x F y
x F d
d F x
x F e
e F x
c F d
c F e
e F c
a F e
x F k
x F t
"""
_IN_PLACE = """
x F= y; x
x F= e; x
x F= d; x
c F= e; c
x[1:] F= d; x
x[i] F= 1; x
x[x > 1] F= c; x
"""
_UNARY = ("-", "+", "~", "not ", "abs", "bool", "int", "float", "complex", "round", "len")


def _filled(template: str, name: str) -> Iterator[str]:
    yield from (line.replace("F", name) for line in template.split("\n") if line)


def _ufuncs() -> Iterator[str]:
    for ufunc in (f for f in FUNCTIONS if isinstance(f, np.ufunc) and f is not np.matmul):
        forms = {(1, 1): _ONE, (1, 2): _ONE_RESULTS_TWO, (2, 1): _TWO, (2, 2): _TWO_RESULTS_TWO}
        for text in _filled(forms[ufunc.nin, ufunc.nout], ufunc.__name__):
            yield text if ufunc.__name__ not in _ORDERS else text.replace(*_CRASH)


def _methods() -> Iterator[str]:
    for ufunc, method in UFUNC_METHODS:
        at = _AT_ONE if ufunc.nin == 1 else _AT_TWO
        if (ufunc, method) != (np.power, "at"):  # a negative power raises amid the writing
            yield from _filled(_METHODS.get(method, at), ufunc.__name__)


def _operators() -> Iterator[str]:
    for symbol in (*_OPERATORS, *_COMPARISONS):
        yield from _filled(_OPERATOR, symbol)
    for symbol in _OPERATORS:
        yield from _filled(_IN_PLACE, symbol)
    for name in _UNARY:
        opened = f"{name}(F)" if name.isalpha() else f"{name}F"
        yield from (opened.replace("F", letter) for letter in "xca")


ROWS = [
    *(Row(text, "ufuncs") for text in dict.fromkeys(_ufuncs())),
    *(Row(text, "ufunc methods") for text in dict.fromkeys(_methods())),
    *(Row(text, "operators") for text in _operators()),
]
"""Every row of this module."""
