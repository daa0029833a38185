"""Minimax polynomials of the native math library, by Remez's exchange, in 60 digits (needs mpmath).

In: the table below (a function, an interval, a degree). Out: the text of
staticpy/backends/llvm/maths/coefficients.py on standard output, with each relative error.

    python benchmarks/minimax.py > staticpy/backends/llvm/maths/coefficients.py
"""

import itertools
import struct
from collections.abc import Callable

import mpmath as mp  # type: ignore[import-untyped]

mp.mp.dps = 60
Function = Callable[[mp.mpf], mp.mpf]


def remez(
    f: Function, weight: Function, low: mp.mpf, high: mp.mpf, degree: int, turns: int = 6
) -> list[mp.mpf]:
    """The polynomial that minimizes the largest `|p - f| * weight` on `[low, high]`."""
    count = degree + 2
    nodes = [
        (low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / (count - 1)) for i in range(count)
    ]
    for _ in range(turns):
        rows = mp.matrix(count, count)
        values = mp.matrix(count, 1)
        for i, x in enumerate(nodes):
            for j in range(degree + 1):
                rows[i, j] = x**j
            rows[i, degree + 1] = (-1) ** i / weight(x)
            values[i] = f(x)
        coefficients = list(mp.lu_solve(rows, values))[: degree + 1]
        nodes = extrema(
            lambda x, c=coefficients: (mp.polyval(c[::-1], x) - f(x)) * weight(x), nodes, low, high
        )
    return coefficients


def extrema(error: Function, nodes: list[mp.mpf], low: mp.mpf, high: mp.mpf) -> list[mp.mpf]:
    """The largest error between each two changes of sign."""
    samples = 40
    edges = [low, *[(a + b) / 2 for a, b in itertools.pairwise(nodes)], high]
    found = []
    for i, (a, b) in enumerate(itertools.pairwise(edges)):
        sign = mp.sign(error(nodes[i])) or 1
        points = [a + (b - a) * j / samples for j in range(samples + 1)]
        found.append(max(points, key=lambda x, s=sign: s * error(x)))
    return found


def expansion(f: Function, terms: int, at: int = 0) -> Function:
    """`f` by its Taylor series near 0, where its formula cancels."""
    series = mp.taylor(f, at, terms)
    return lambda x: mp.polyval(series[::-1], x)


def near(f: Function, coefficients: Callable[[int], mp.mpf]) -> Function:
    """`f` away from 0, and its Taylor series near it."""
    series = [coefficients(i) for i in range(30)]
    return lambda x: mp.polyval(series[::-1], x) if abs(x) < mp.mpf("0.02") else f(x)


def one(_: mp.mpf) -> mp.mpf:
    return mp.mpf(1)


HALF_LN2 = mp.log(2) / 2 * mp.mpf("1.001")
S2 = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mp.mpf("1.001")
FROM_ONE = mp.sqrt(mp.mpf("0.4999")) - 1, mp.sqrt(2.0001) - 1
QUARTER_PI2 = (mp.pi / 4) ** 2 * mp.mpf("1.001")
exp_tail = near(lambda r: (mp.exp(r) - 1 - r) / r**2, lambda i: 1 / mp.factorial(i + 2))
# 2 atanh(s) = 2s + s^3 * tail(s^2)
log_tail = near(
    lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z, lambda i: mp.mpf(2) / (2 * i + 3)
)
# ln(1 + t) = t + t^2 * tail(t)
log_tail_of_difference = near(
    lambda t: (mp.log(1 + t) - t) / t**2, lambda i: mp.mpf((-1) ** (i + 1)) / (i + 2)
)
log_tail2 = near(lambda z: (log_tail(z) - mp.mpf(2) / 3) / z, lambda i: mp.mpf(2) / (2 * i + 5))
sin_tail = near(
    lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
    lambda i: (-1) ** (i + 1) / mp.factorial(2 * i + 3),
)
cos_tail = near(
    lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, lambda i: (-1) ** i / mp.factorial(2 * i + 4)
)
arctan_tail = near(
    lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
    lambda i: mp.mpf((-1) ** (i + 1)) / (2 * i + 3),
)
log2_tail = near(
    lambda t: mp.log(1 + t, 2) / t, lambda i: mp.mpf((-1) ** i) / ((i + 1) * mp.log(2))
)
tanh_tail = near(
    lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
    lambda i: mp.taylor(mp.tanh, 0, 2 * i + 3)[-1],
)
erf_tail = near(
    lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1,
    lambda i: 2 / mp.sqrt(mp.pi) * (-1) ** i / (mp.factorial(i) * (2 * i + 1)) - (i == 0),
)


ERF_MOST = mp.mpf("0.8125")


def erfc(t: mp.mpf) -> mp.mpf:
    """Of 1 + t: what the error of its logarithm is multiplied by in the error function."""
    return mp.erfc(1 + t)


# name: function, weight, low, high, degree in f64, degree in f32 (None where it isn't used)
TABLE: dict[str, tuple[Function, Function, mp.mpf, mp.mpf, int | None, int | None]] = {
    "EXP": (exp_tail, one, -HALF_LN2, HALF_LN2, 10, 4),
    "LOG": (log_tail, one, mp.mpf(0), S2, 7, None),
    "LOG_OF_DIFFERENCE": (log_tail_of_difference, one, *FROM_ONE, None, 8),
    "LOG_ACCURATE": (log_tail2, one, mp.mpf(0), S2, 7, None),
    "SIN": (sin_tail, one, mp.mpf(0), QUARTER_PI2, 6, 3),
    "COS": (cos_tail, one, mp.mpf(0), QUARTER_PI2, 6, 3),
    "SIN_TO_HALF_PI": (sin_tail, one, mp.mpf(0), 4 * QUARTER_PI2, None, 4),
    "ARCTAN": (arctan_tail, one, mp.mpf(0), mp.tan(mp.pi / 8) ** 2 * mp.mpf("1.001"), 10, 5),
    "LOG2": (log2_tail, one, *FROM_ONE, None, 12),
    "EXP2": (lambda x: mp.mpf(2) ** x, one, mp.mpf("-0.5001"), mp.mpf("0.5001"), None, 6),
    "EXP_ACCURATE": (exp_tail, one, -HALF_LN2, HALF_LN2, None, 5),
    "ERF": (erf_tail, one, mp.mpf(0), ERF_MOST**2, 10, 5),
    "LOG_ERFC": (lambda t: mp.log(erfc(t)), erfc, ERF_MOST - 1, mp.mpf("4.96"), 18, 6),
}

TURNS = {"LOG_ERFC": 25}
"""Of the exchange, where six are too few: a weight of 16 powers of ten."""
TWO_PARTS = ("LOG_ERFC",)
"""Of which the first coefficient is given as two numbers, the second what the first lacks."""

PIECES_FROM, PIECES_SHIFT, PIECES = 0x3D400000, 21, 32
"""Of tanh in f32: four for each power of two between 0.047 and 12, by the bits of |x|. The first
begins at 0, the last one, from 10 on, is 1."""

DEGREE = 5


def of_bits(word: int) -> float:
    """The f32 with these bits."""
    number: float = struct.unpack("<f", struct.pack("<I", word))[0]
    return number


def rounded(x: float) -> float:
    """The nearest f32."""
    number: float = struct.unpack("<f", struct.pack("<f", x))[0]
    return number


def center(low: float, high: float) -> float:
    """Near the middle the f32 of which tanh is nearest to an f32: then that is no error."""
    (middle,) = struct.unpack("<I", struct.pack("<f", (low + high) / 2))
    near = [of_bits(middle + step) for step in range(-3000, 3001)]

    def distance(x: float) -> mp.mpf:
        exact = mp.tanh(mp.mpf(x))
        return abs(exact - rounded(float(exact)))

    return min(near, key=distance)


def piece(number: int) -> list[float]:
    """Where a piece is developed, and the coefficients there."""
    low, high = (of_bits(PIECES_FROM + ((number + i) << PIECES_SHIFT)) for i in (0, 1))
    if number == PIECES - 1:
        return [low, 1.0, *[0.0] * DEGREE]
    if number == 0:  # c1 + c3 t² + c5 t⁴ with c1 = 1
        third, fifth = remez(tanh_tail, one, mp.mpf(0), mp.mpf(high) ** 2, 1)
        return [0.0, 0.0, 1.0, 0.0, float(third), 0.0, float(fifth)]
    at = mp.mpf(center(low, high))
    value = mp.tanh(at)

    def slope(t: mp.mpf) -> mp.mpf:
        return (mp.tanh(at + t) - value) / t if abs(t) > mp.mpf(10) ** -20 else 1 - value**2

    rest = remez(slope, one, low - at, high - at, DEGREE - 1)
    return [float(at), float(value), *map(float, rest)]


def shortest(x: float) -> str:
    """The shortest text of the nearest f32."""
    return next(
        text for text in (f"{x:.{n}g}" for n in range(1, 10)) if rounded(float(text)) == rounded(x)
    )


def print_pieces() -> None:
    """The table of tanh."""
    print("\nTANH_PIECES = (")
    for number in range(PIECES):
        print(f"    ({', '.join(map(shortest, piece(number)))}),")
    print(")")
    print('"""Of tanh in f32, by the bits of |x|: the centers and coefficients of polynomials."""')


def main() -> None:
    print('"""Coefficients of the minimax polynomials, lowest power first, by dtype.')
    print()
    print("Generated by benchmarks/minimax.py, which says what each approximates; don't edit.")
    print('"""')
    for name, (f, weight, low, high, *degrees) in TABLE.items():
        print(f"\n{name} = {{")
        for dtype, degree in zip(("f64", "f32"), degrees, strict=True):
            if degree is None:
                continue
            print(f'    "{dtype}": (')
            found = remez(f, weight, low, high, degree, TURNS.get(name, 6))
            if name in TWO_PARTS:
                found.insert(1, found[0] - float(found[0]))
            for c in found:
                print(f"        {float(c)!r},")
            print("    ),")
        print("}")
    print_pieces()


if __name__ == "__main__":
    main()
