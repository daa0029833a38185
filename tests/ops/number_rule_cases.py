"""Operands on which the derivatives of ops on numbers are tested, besides the ops' samples."""

from __future__ import annotations

from typing import Any

import numpy as np

_F8 = np.dtype("float64")
_X = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
_Z = np.complex128(0.5 - 1.5j)

NUMBERS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "from_python": [((2.5,), {"dtype": _F8}), ((1 - 2j,), {"dtype": np.dtype("complex128")})],
    "cast": [
        ((_X,), {"dtype": np.dtype("complex128")}),
        ((_X * (1 + 2j),), {"dtype": _F8}),
        ((_X.astype("f4"),), {"dtype": _F8}),
        ((_Z,), {"dtype": _F8}),
        ((_X[:0],), {"dtype": np.dtype("float32")}),
    ],
    "convert": [((2.5,), {"dtype": _F8}), ((np.array(2.5),), {"dtype": _F8})],
    "item": [((np.float64(2.5),), {}), ((np.ones((1, 1)),), {}), ((_Z,), {})],
    "py.complex": [((2.5,), {}), ((np.float64(2.5),), {}), ((_Z,), {})],
    "py.complex_of": [((1.5, 2.5), {}), ((1.5j, 2 - 1j), {}), ((np.float32(2), 3.5), {})],
    "broadcast": [
        ((_X, _X[0], np.float64(2)), {}),
        ((_X[:, :1], _X[:1], np.array(1.5)), {}),
        ((_X, np.arange(3)), {}),
        ((_X[:0], np.float32(2), _X[:1] * 1j), {}),
    ],
    "pow": [
        *(((_X, y), {}) for y in (0, 1, 2, 3, -1, np.int64(2), np.array(3))),
        *(((np.abs(_X), y), {}) for y in (0.5, 2.0, -1.0, np.float64(1.5), np.array(2.5), 1 + 2j)),
        *(((_X * (1 + 1j), y), {}) for y in (2, 2.5, 0.5j, np.complex128(1 + 1j))),
        ((2, np.float64(0.5)), {}),
        ((2.5, np.float64(0.5)), {}),
        ((np.float32(2.5), 2), {}),
        ((np.abs(_X).astype("f4"), 1.5), {}),
        ((_X[:0], 2), {}),
        ((np.float64(2.5), np.array(2)), {}),
    ],
    "py.pow": [
        *(((2.5, y), {}) for y in (0, 1, 2, 3, -1)),
        ((2.5, 1.5), {"kind": "float"}),
        ((2, 1.5), {"kind": "float"}),
        ((2.5, -1.5), {"kind": "float"}),
        ((0.5 + 1j, 1.5), {}),
        ((2.5, 1 + 2j), {}),
        ((1 - 2j, 2), {}),
        ((1 - 2j, 1 + 2j), {}),
    ],
    "py.min": [((3.5, 2.5, 4.5), {}), ((2.5, 4), {}), ((_X[0],), {}), ((_X[0].astype("f4"),), {})],
    "py.max": [((3.5, 2.5, 4.5), {}), ((2.5, 1), {}), ((_X[0],), {}), ((np.float64(2), 1.5), {})],
    "py.round": [((2.25,), {}), ((2.678, 2), {}), ((np.float64(2.26), 1), {})],
    "py.sum": [((0, 1.5, 2, 2.5), {}), ((0.5, 3, True), {}), ((1j, 0.5), {})],
    "math.frexp": [((0.75,), {}), ((-5.5,), {}), ((np.float32(3),), {})],
    "math.fsum": [((0.5, 1, True, np.float32(0.25), 2.5), {}), ((np.array(0.5), 2.5), {})],
    "math.remainder": [((0.75, 2.0), {}), ((5.5, 2), {}), ((5, 2.25), {}), ((-0.75, 2.5), {})],
    "math.fmod": [((5.75, 2.0), {}), ((-5.5, 2.5), {}), ((5, 2.25), {})],
    "math.log": [((2.5,), {}), ((2.5, 3.5), {}), ((2, 3.5), {}), ((2.5, 10), {})],
    "math.gamma": [((x,), {}) for x in (0.5, 2.5, 1.25, 7.5, -0.75, -2.3, np.float64(1.5))],
    "math.lgamma": [((x,), {}) for x in (0.5, 2.5, 1.25, 70.5, -0.75, -2.3, np.array(1.5))],
    "math.dist": [((0.5, 1.5, 2.5, 0.25, -1.0, 3), {"count": 3})],
    "math.modf": [((2.5,), {}), ((-2.25,), {}), ((np.float64(1.5),), {})],
    "cmath.log": [((0.5 - 1j,), {}), ((0.5 - 1j, 2 + 1j), {}), ((0.5, 2.5), {}), ((-2.0, 3j), {})],
    "cmath.rect": [((0.5, 1.5), {}), ((np.float64(2), -0.5), {}), ((2, 0.5), {})],
    "any.add": [((_X, _X[0]), {}), ((2.5, _X), {}), ((2.5, np.float64(1)), {}), ((3, 2.5), {})],
    "any.sub": [((_X[:1], _X[:, :1]), {}), ((2.5, _X), {}), ((np.float32(2.5), 1.5j), {})],
    "any.mul": [((_X, _X[0]), {}), ((2.5, _X), {}), ((_Z, 1.5), {}), ((_X[:0], 2.5), {})],
    "any.truediv": [((_X, _X[0]), {}), ((2.5, _X), {}), ((_Z, 1.5), {}), ((np.array(1.5), 2), {})],
    "any.mod": [((_X, 0.7), {}), ((7.5, 2), {}), ((7, np.float64(2.25)), {})],
    "any.pow": [((_X, 2), {}), ((np.abs(_X), _X), {}), ((2.5, 1.5), {}), ((_Z, 1.5), {})],
    "any.abs": [((_X,), {}), ((-2.5,), {}), ((3 - 4j,), {}), ((_Z,), {}), ((_X * 1j + 1,), {})],
    "any.neg": [((_X,), {}), ((-2.5,), {}), ((_Z,), {})],
    "any.pos": [((_X,), {}), ((-2.5,), {}), ((_Z,), {})],
    "any.divmod": [((_X, 0.7), {}), ((7.5, 2), {}), ((7, np.float64(2.25)), {})],
    "call_ufunc": [
        ((_X, _X[0]), {"function": "add"}),
        ((2.5, _X[:1]), {"function": "multiply", "casting": "unsafe"}),
        ((2.5, 1.5), {"function": "arctan2"}),
        ((_X[:, :1], 1.5), {"function": "divide", "dtype": np.dtype("float32")}),
        ((_X + 0.1,), {"function": "modf"}),
        ((_X, 3), {"function": "ldexp"}),
        ((np.array(1.5j), _Z), {"function": "multiply"}),
        ((_X * 1j,), {"function": "absolute"}),
    ],
    "number.method": [
        ((x,), {"name": f"__{name}__"})
        for x in (2.5, -1.5, np.float64(-2.5), np.float32(2.5))
        for name in ("neg", "pos", "abs", "float")
    ],
}
