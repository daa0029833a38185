"""Elements of arrays in functions of numbers: Python's ``min``, ``abs``, ``round`` and ``float``,
the module ``math``, NumPy's types. Values, types, exceptions and warnings are CPython's.
"""

from __future__ import annotations

import itertools
import linecache
import math
import re
import warnings

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

EXPRESSIONS = """
max(x[i], 0)
max(0, x[i])
min(x[i], 0.5)
min(1.0, max(0.0, x[i]))
min(max(x[i], 0), 1)
max(x[i], 2**53 + 1)
max(x[i], n)
min(n, x[i], 0.25)
max(x[i], y[i], -1)
min(k[i], 3)
max(float(x[i]), 1)
-k[i]
-h[i]
-u[i]
abs(k[i])
abs(h[i])
abs(u[i])
abs(x[i])
np.abs(h[i])
float(k[i])
float(u[i])
float(s[i])
np.float64(k[i])
np.float64(n)
np.float32(x[i])
np.float32(n)
np.int64(x[i])
np.int64(u[i])
np.int32(n)
np.int8(u[i])
np.int64(s[i])
np.float64(i) * x[i]
round(x[i])
round(s[i])
round(n)
int(x[i])
math.floor(x[i])
math.ceil(s[i])
math.trunc(x[i])
math.floor(n)
math.floor(k[i])
math.sqrt(x[i])
math.sqrt(k[i])
math.exp(x[i])
math.log(x[i])
math.log1p(s[i])
math.sin(x[i])
math.atan(h[i])
math.atan2(x[i], y[i])
math.fmod(x[i], y[i])
math.pow(x[i], y[i])
math.pow(k[i], 2)
math.copysign(x[i], y[i])
math.copysign(n, y[i])
math.fabs(x[i])
math.fabs(n)
math.isnan(x[i])
math.isinf(s[i])
math.isfinite(x[i])
math.isnan(n)
math.degrees(x[i])
math.radians(k[i])
x[i] ** 2
x[i] ** y[i]
2 ** x[i]
0.5 ** x[i]
n ** x[i]
k[i] ** 2
""".strip().split("\n")

X = [
    0.0,
    -0.0,
    0.5,
    1.5,
    2.5,
    -2.5,
    1e300,
    -1e300,
    2.0**62,
    2.0**63,
    np.inf,
    -np.inf,
    np.nan,
    1e-310,
]
K = [0, 1, -1, 7, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 100, -100, 3, 4, 5, 6]


def arguments():
    with np.errstate(all="ignore"):
        return {
            "x": np.array(X),
            "y": np.array([2.0, -3.0, *X[::-1]])[: len(X)].copy(),
            "s": np.array(X, np.float32),
            "k": np.array(K),
            "h": np.array(K).astype(np.int32),
            "u": np.array(K).astype(np.uint8),
        }


def function(expression: str, *, writes: bool):
    """``expression`` in a loop of one round, before or after something that can be seen."""
    before = "    seen[0] += 1.0\n" if writes else ""
    text = (
        f"def f(x, y, s, k, h, u, n, i, seen):\n{before}    v = None\n"
        f"    for i in range(i, i + 1):\n        v = {expression}\n    return v\n"
    )
    name = f"<{expression}, {writes}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    names = {"np": np, "math": math}
    exec(compile(text, name, "exec"), names)
    return names["f"]


def outcome(function, n, i):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = function(*arguments().values(), n, i, np.zeros(1))
        except (ArithmeticError, ValueError) as error:
            found = type(error)
    said = {str(each.message).split(" encountered")[0] for each in caught}
    return type(found), found, said


def equal(one, other) -> bool:
    if one != one:
        return other != other
    return one == other and (
        not isinstance(one, float) or math.copysign(1, one) == math.copysign(1, other)
    )


def numbers(expression: str) -> tuple[int, ...]:
    """What ``n`` is, where it is read."""
    return (0, -3, 2**60) if re.search(r"\bn\b", expression) else (2,)


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("writes", [False, True], ids=["before", "after"])
def test_as_in_cpython(expression, writes):
    plain = function(expression, writes=writes)
    native = staticpy.jit(plain, backend="llvm")
    for n, i in itertools.product(numbers(expression), range(len(X))):
        kind, found, said = outcome(native, n, i)
        wanted_kind, wanted, warned = outcome(plain, n, i)
        if writes and kind is not wanted_kind:  # the call can't be done again
            assert found is OverflowError
            assert abs(wanted) >= 2**63
            continue
        assert kind is wanted_kind, (n, i, found, wanted)
        if "**" in expression and isinstance(wanted, float) and math.isfinite(wanted):
            np.testing.assert_array_max_ulp(found, wanted, 2)
        else:
            assert equal(found, wanted), (n, i, found, wanted)
        assert writes or said == warned, (n, i, found)
