"""Several ops in one graph, and numbers that are known while compiling.

The passes fold what is known, merge what is equal and write into buffers that are used again; that
must change nothing, warnings included.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.comparisons.rows import Row

_CHAINS = """
(x + y) * x - y
x * 2 + y * 3
(x - y) * (x + y)
-(x * y) + x
np.sqrt(np.abs(x)) + 1
np.exp(-np.abs(x)) * x
np.tanh(x) * np.cos(x) + np.sin(x)
np.where(x > y, x * 2, y - 1)
np.where(x == 0, 1, x) / 2
(x > 1) & (x < 4)
~(x > y) | (x == y)
np.maximum(x, 0) - np.minimum(x, 0)
(x * x).sum() + x
(x - x.mean()) / (x.std() + 1)
(x * 2).sum(axis=0) + x[..., 0].sum()
x.max(axis=0) - x.min(axis=0)
np.cumsum(x * 2, axis=0) + x
np.sort(x + y, axis=0)[::-1]
(x + 1)[::-1] * x
x.T @ (x + 1)
(x + y).astype(np.float32) * 2
(x.astype(np.float64) + 0.5).astype(np.int8)
np.concatenate([x + 1, x * 2]).sum()
abs(x - y) <= 1e-3 * abs(y)
x // 2 + x % 2
divmod(x, 3)[0] * 3 + divmod(x, 3)[1]
x**2 + 2 * x + 1
1 / (1 + x * x)
np.square(x).mean() ** 0.5
np.hypot(x, y) + np.arctan2(x, y)
z = x + 1; z *= 2; z - x
z = x.copy(); z[0] = 7; z[1:] += 1; (z, x)
z = x[1:]; z *= 2; x
z = x * 2; x[:] = 0; z + x
z = x + y; v = x + y; z *= v; z
x += 1; x *= 2; x -= y; x
x[...] = x[::-1] + x; x
x[x > 1] -= 1; x[x < 0] = 0; x
x[1:] = x[:-1] * 2; x
np.add(x, 1, out=x); np.multiply(x, x, out=x); x
z = np.zeros_like(x); z[1:] = x[1:] - x[:-1]; z
np.add(x, x[::-1], out=x); x
np.multiply(x[1:], x[:-1], out=x[1:]); x
np.copyto(x, x[::-1]); x
np.maximum(x, y, out=x); x + y
x += x[::-1]; x
x[:-1] -= x[1:]; x
x[::2] = x[1::2][:1]; x
z = x[::-1]; z += 1; x -= z; (x, z)
z = x.T; z += z.T; (z, x)
z = x.reshape(-1); z[1:] = z[:-1]; x
z = x.ravel(); z += 1; (x, z)
z = np.where(x > 1, x, 0); z[x > 1] = y.sum(); z
"""
_NUMBERS = (
    "2",
    "-1",
    "0",
    "2.5",
    "-0.0",
    "True",
    "1j",
    "300",
    "2**40",
    "2**63",
    "2**70",
    "1e300",
    "np.inf",
    "np.nan",
    "np.float32(0.1)",
    "np.float64(0.1)",
    "np.float16(3)",
    "np.int8(5)",
    "np.uint8(200)",
    "np.int64(2**62)",
    "np.uint64(2**63)",
    "np.bool(True)",
    "np.complex64(1j)",
)
_FIRST = {"**": 8, "<<": 8, "<": 14}
"""Of how many numbers: a huge power takes all memory, and the order of complex numbers is a warning
of the one side or of the other.
"""
_OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "<", "==", "&", "<<")
_BETWEEN = ("2", "-7", "2.5", "True", "1j", "np.int8(100)", "np.int8(-128)", "np.uint8(200)")
_BETWEEN += ("np.float32(1e30)", "np.float64(-1.5)", "np.int64(2**62)", "np.uint64(2**63)")
_BETWEEN += ("np.bool(True)", "np.complex64(1j)")
_KNOWN = """
np.log(0.0)
np.log(np.float32(-1))
np.sqrt(-1.0)
np.sqrt(-1)
np.exp(1000.0)
np.float32(1e300)
np.int8(3) / 0
np.int8(100) / np.int16(0)
np.int16(0) // np.int8(0)
np.uint8(200) % np.uint8(0)
np.float64(-1.5) / 0.0
np.float32(0) / np.float32(0)
np.bool(True) // np.int16(0)
np.bool(True) - np.int8(-128)
np.complex64(1j) / 0
np.add(np.int8(100), np.int8(100))
np.divide(1, 0)
np.sum([1, 2, 3])
np.mean([])
np.arange(3) + np.int8(5)
np.array([1, 2]) / np.array([0, 1])
np.float64(1) / 0
np.abs(np.int8(-128))
abs(np.int8(-128))
-np.int8(-128)
-np.uint8(1)
~np.int8(3)
np.negative(np.int8(-128))
np.power(2, -1)
np.power(np.int8(2), np.int8(7))
np.int64(2**62) * 4
np.uint64(1) - np.uint64(2)
np.float32(16777216) + 1
np.float32(0.1) + 0.2
np.float16(60000) * 2
round(np.float32(2.5))
round(np.float64(2.675), 2)
int(np.float64(1e300))
int(np.float32(2.9))
float(np.float32(0.1))
complex(np.complex64(1j))
np.array([1e300]).astype(np.float32)
np.array([1e300, np.nan]).astype(np.int32)
np.float64(np.nan) == np.nan
np.array(3) + np.array(4)
np.array(2.5) * x
np.array([1, 2, 3], dtype=np.int8) * 100
"""


def _literals() -> Iterator[str]:
    for symbol in _OPERATORS:
        for number in _NUMBERS[: _FIRST.get(symbol)]:
            shown = f"({number})" if number.startswith("-") or "**" in number else number
            yield f"x {symbol} {shown}"
            yield f"{shown} {symbol} x"


def _between() -> Iterator[str]:
    for symbol in ("+", "-", "*", "/", "**"):
        for one in _BETWEEN:
            yield from (f"({one}) {symbol} ({two})" for two in _BETWEEN)


ROWS = [
    *(Row(text, "chains") for text in _CHAINS.split("\n") if text),
    *(Row(text, "literals", (1,)) for text in _literals()),
    *(Row(text, "constants") for text in [*_between(), *_KNOWN.split("\n")] if text),
]
"""Every row of this module."""
