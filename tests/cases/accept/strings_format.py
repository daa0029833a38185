"""f-strings with format specs and conversions, and `print`, of run-time values."""

from __future__ import annotations

import math
import sys

import numpy as np

from staticpy import f32, f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __str__(self):
        return f"({self.x}, {self.y})"

    def __repr__(self):
        return f"Point(x={self.x!r}, y={self.y!r})"


# Numbers of each kind.
@case((3, 2.5, 1 - 2j), (-1, 1e22, 0j), (10**20, -0.0, complex(0, math.inf)))
def numbers(n: int, x: float, z: complex):
    return f"{n} {x} {z} {n > 0}"


# Specs for ints.
@case((42,), (-7,), (1234567,))
def specs_of_ints(n: int):
    return f"{n:5d}|{n:<6}|{n:^7}|{n:>4}|{n:05}|{n:+d}|{n:,}|{n:x}|{n:#b}|{n:*^9}|{n:.1f}"


# Specs for floats.
@case((3.14159,), (-0.5,), (1e10,), (math.nan,))
def specs_of_floats(x: float):
    return f"{x:.2f}|{x:8.3f}|{x:e}|{x:.3g}|{x:+.1f}|{x:010.2f}|{x:%}|{x:,.1f}|{x:<9}|"


# Specs for bools, complex numbers and texts.
@case(
    (True, 1.5 + 2j),
)
def specs_of_other_kinds(flag: bool, z: complex):
    return f"{flag:d}|{flag!s:>6}|{z:.1f}|{'ab':>4}|{'ab':-^6}|{'abc':.2}"


# Conversions.
@case(
    (2.5, 3),
)
def conversions(x: float, n: int):
    name = "é"
    return f"{x!r} {n!s} {name!r} {name!a} {name!s:>3} {None!r} {(n, x)!r:>12}"


# `=` shows the expression.
@case(
    (2.5, 3),
)
def expression_is_shown(x: float, n: int):
    return f"{x=} {n + 1=} {x = :.3f} {n=!r}"


# A width and a precision known at run time.
@case((3.14159, 10, 2), (2.0, 0, 0))
def spec_at_run_time(x: float, width: int, digits: int):
    return f"{x:{width}.{digits}f}|{x:>{width}}"


# Braces, and texts without values.
@case((3,))
def braces(n: int):
    return f"{{{n}}}}}{{plain {{n}}", f"", rf"\{n}\n", f"{n}" + "!"


# Expressions of any kind.
@case((3, X))
def expressions_in_a_text(n: int, x: f64["n"]):
    return f"{n * 2 if n > 2 else -1} {x[0] + n} {len(x)} {[n, n]} {(n,)} {sum([n, 1])}"


# NumPy scalars and arrays.
@case((X, X.astype(np.float32)))
def numpy_values(x: f64["n"], y: f32["n"]):
    return f"{x[0]} {y[1]} {x} {x[0]:.2f} {x.sum()!r} {x!r}"


# Lists, tuples, dicts of run-time values.
@case((1, 2.5))
def structures_in_a_text(n: int, x: float):
    return f"{(n, x)} {[n, [x]]} {{'a': {n}}} {dict(k=n)} {()} {None}"


# Objects: str and repr of the class.
@case((1, 2.5))
def objects_in_a_text(n: int, x: float):
    point = Point(n, x)
    return f"{point} {point!r}", str(point), repr(point), f"{[point]}"


# A value that is None or a number.
@case((1,), (-1,))
def none_or_a_number(n: int):
    value = n if n > 0 else None
    return f"value: {value}"


# An int or a float, by the path.
@case((4,), (-4,))
def int_or_float(n: int):
    value = n if n > 0 else n / 3
    return f"{value} {value:.2f}"


# A text grows in a loop.
@case((4,), (0,))
def text_grows(n: int):
    text = ""
    for i in range(n):
        text += f"{i},"
    return text, len(text)


# A text chosen by a branch.
@case((1,), (0,))
def text_of_a_branch(n: int):
    unit = "one" if n == 1 else "many"
    return f"{n} {unit}", unit + "!"


# str, repr and concatenation.
@case((3, 2.5))
def built_from_parts(n: int, x: float):
    return "n=" + str(n) + ", x=" + repr(x), "ab" * 2, str(n) * 2, str(n) + str(x > n)


# The `%` operator, `str.format` and `format`.
@case((3, 2.5))
def older_ways(n: int, x: float):
    return "%d %.2f %s" % (n, x, n), "{} {:.1f} {k}".format(n, x, k=n), format(x, ".3f")


# Texts made at run time are compared.
@case((12,), (7,))
def compared_texts(n: int):
    text = str(n)
    return text == "12", len(text), text != f"{n}", text in ("7", "8")


# --- print ----------------------------------------------------------------------------------------


# Values, in order.
@case((2, 0.5, X))
def printed(n: int, x: float, a: f64["n"]):
    print("start")
    print(n, x, n > 1, None)
    print(a, a.sum(), sep=" | ")
    print()
    print("end", n, sep="", end=".\n")
    return n


# A print in a loop.
@case((3,), (0,))
def printed_in_a_loop(n: int):
    for i in range(n):
        print(i, i * i, end=" ")
    print("done")


# In a branch at run time.
@case((1,), (0,))
def printed_in_a_branch(n: int):
    if n:
        print("yes", n)
    else:
        print("no")
    return n


# Nothing is printed where CPython would not come.
@case((0,), (2,))
def printed_before_an_error(n: int):
    print("before")
    value = 10 // n
    print(f"after {value}")


# An array is printed as it was at that moment.
@case((X.copy(),))
def printed_before_a_change(x):
    print(x)
    x[0] = 100.0
    print(x)
    x += 1.0
    print(x[0])


# A list likewise.
@case((3,))
def printed_list(n: int):
    items = []
    for i in range(n):
        items.append(i)
        print(items)
    return items


# Prints of called functions come in the order of the calls.
def announced(name, value):
    print("call", name)
    return value


@case((1, 2), (0, 2))
def printed_by_calls(a: int, b: int):
    total = announced("first", a) + announced("second", b)
    if announced("third", a) and announced("fourth", b):
        print("both")
    return total


# print in a comprehension and as a value.
@case((2,))
def printed_in_a_comprehension(n: int):
    results = [print("item", i) for i in range(n)]
    return results


# To stdout by name, with flush; a starred argument.
@case((2,))
def print_with_options(n: int):
    items = [n, n + 1]
    print(*items, sep=",", file=sys.stdout)
    print("flushed", flush=True)
    print(*"abc", n)


# A table with aligned columns.
@case((X,))
def printed_table(x: f64["n"]):
    print(f"{'i':>3} {'value':>8}")
    for i, value in enumerate(x):
        print(f"{i:>3} {value:8.3f}")
    print("-" * 12)


# A progress report of an iteration.
@case((2.0,), (0.5,))
def printed_progress(a: float):
    x = a
    for step in range(20):
        new = 0.5 * (x + a / x)
        print(f"step {step}: {new:.6f} ({abs(new - x):.1e})")
        if abs(new - x) < 1e-9:
            break
        x = new
    return x


# A text that is made at run time is gone through beside other things.
@case((3,), (0,), (12,))
def beside_others(n: int):
    text = str(n) * 3
    pairs = [a + b for a, b in zip(text, text[1:])]
    return pairs, list(zip(text, [1, 2])), list(enumerate(text)), list(zip(range(5), text))
