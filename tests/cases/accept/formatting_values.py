"""Formatting: specs with run-time parts, `format`, `%`, `str` and `repr` of what there is."""

from __future__ import annotations

import math
from enum import Enum

import numpy as np

from staticpy import f32, f64
from tests.support.cases import case


class Unit(Enum):
    METRE = "m"
    SECOND = "s"

    def __format__(self, spec):
        return f"[{self.value:{spec or '1'}}]"


class Celsius:
    def __init__(self, degrees):
        self.degrees = degrees

    def __format__(self, spec):
        if spec == "F":
            return f"{self.degrees * 9 / 5 + 32:.1f}°F"
        return format(self.degrees, spec or ".1f") + "°C"


# Width and precision of run time.
@case((math.pi, 10, 3), (-1.0, 0, 0), (1e-5, 4, 8))
def width_and_precision(x: float, width: int, precision: int):
    return f"{x:{width}.{precision}f}|{x:<{width}}|{x:^{width + 2}.{precision}e}"


# A whole spec that is known while compiling.
@case((12345.678, ",.2f"), (0.5, "%"), (1e300, "g"))
def spec_in_a_variable(x, spec):
    return f"{x:{spec}}", format(x, spec), format(x)


# An object and an enum that format themselves.
@case((21.5,), (-40.0,))
def own_formats(degrees: float):
    t = Celsius(degrees)
    return f"{t} {t:F} {t:+.2f} {Unit.METRE} {Unit.SECOND:>3}"


# Numbers at the edges.
@case((math.inf, -math.inf), (math.nan, -0.0), (1e16, 123456789.0), (0.1, 1e-7))
def edges(a: float, b: float):
    return f"{a} {b!r} {a:.2f} {b:5.1f} {a:e} {b:g}", str(a), repr(b)


# NumPy scalars of several dtypes.
@case((np.float32(0.1), np.float64(0.1)), (np.float32(16777216.0), np.float64(1e22)))
def numpy_scalars(a: np.float32, b: np.float64):
    return f"{a} {b} {a!r} {b!r} {a:.3f} {b:10.2e}"


# Integers in other bases, filled and signed.
@case((255,), (-6,), (0,), (2**70,))
def bases(n: int):
    return f"{n:x} {n:#X} {n:o} {n:#010b} {n:_} {n:+,} {n:<6}| {n!s:^8}|", bin(n), hex(n), oct(n)


# A character of a code.
@case((65,), (8364,))
def characters(code: int):
    return f"{code:c}", chr(code), ord(chr(code))


# `%` with run-time values.
@case((3, 2.5), (-1, 1e10))
def percent(n: int, x: float):
    return "%d of %5.1f" % (n, x), "%s-%r" % (n, x), "%05d%%" % n, "%(a)s" % {"a": x}  # noqa: UP031


# `str.format` with positions, names and attributes of a spec.
@case((3, 2.5))
def format_method(n: int, x: float):
    return "{} {}".format(n, x), "{1:.1f} {0:>4} {1}".format(n, x), "{a}{b!r}".format(a=n, b=x)  # noqa: UP032


# Arrays and what they are made of.
@case((np.array([0.5, -1.0]),), (np.zeros(0),))
def arrays(x: f64["n"]):
    return f"{x} {x!r} {x.shape} {x.sum():.2f}", str(x), f"{list(x)}"


# A matrix over several lines.
@case((np.array([[1.0, 2.5], [-3.0, 4.0]], dtype=np.float32),))
def matrix(m: f32["m", "n"]):
    return f"m =\n{m}", repr(m)


# Quotes, braces, and texts in texts.
@case((1, "it's"), (0, 'say "so"'))
def quotes(n, text):
    return f"{{{n}}} {text!r} {text} {'ab'} {f'<{n}>'} {n=} {text=!s}"


# A value that is of two types by the path.
@case((1,), (-1,))
def one_of_two(n: int):
    value = n if n > 0 else n / 2
    return f"{value} {value!r}", f"{value:>6}"


# A condition inside, and a call.
@case((3,), (1,), (0,))
def expressions_inside(n: int):
    return f"{n} item{'' if n == 1 else 's'}, {'none' if not n else f'{100 / n:.1f}%'}"
