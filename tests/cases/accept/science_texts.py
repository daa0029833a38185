"""Reports and codes: texts built from run-time values, parsers of compile-time texts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([1.5, -2.25, 0.0, 10.0])


# A table of statistics, line by line.
@case((X,), (X[:1],), (X[:0],))
def report(x: f64["n"]):
    lines = [f"n = {len(x)}"]
    if len(x) > 0:
        for name, value in (("mean", x.mean()), ("max", x.max()), ("min", x.min())):
            lines.append(f"{name:<6}{value:>8.3f}")
    return "\n".join(lines)


# A bar for each bin.
@case((np.array([3, 0, 5]),), (np.array([], dtype=int),))
def bars(counts: i64["n"]):
    text = ""
    for i, count in enumerate(counts):
        text += f"{i}: {'#' * int(count)} ({count})\n"
    return text


# A number in words of units, chosen at run time.
@case((1536.0,), (12.0,), (3e9,), (0.0,))
def human_size(size: float):
    unit = "B"
    for larger in ("kB", "MB", "GB"):
        if size < 1024:
            break
        size /= 1024
        unit = larger
    return f"{size:.1f} {unit}"


# Seconds as a clock.
@case((3725,), (59,), (-1,), (0,))
def clock(seconds: int):
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}"


# A polynomial as text: signs, ones and zeros left out.
@case((np.array([1, -1, 0, 3]),), (np.array([0]),), (np.array([-2, 0, 5]),))
def polynomial(coefficients: i64["n"]):
    text = ""
    for power in range(len(coefficients) - 1, -1, -1):
        c = int(coefficients[power])
        if c == 0:
            continue
        sign = "-" if c < 0 else "+" if text else ""
        size = "" if abs(c) == 1 and power > 0 else f"{abs(c)}"
        symbol = "" if power == 0 else "x" if power == 1 else f"x^{power}"
        text += f"{sign}{size}{symbol}"
    return text or "0"


CODONS = {"AUG": "M", "UUU": "F", "UUC": "F", "GGC": "G", "UAA": "*"}


# Codons of a text that is known while compiling.
@case(("AUGUUUGGCUAAUUC",), ("GGC",), ("",), ("AUGXXX",))
def protein(rna):
    letters = []
    for i in range(0, len(rna) - 2, 3):
        letter = CODONS.get(rna[i : i + 3], "?")
        if letter == "*":
            break
        letters.append(letter)
    return "".join(letters)


# Composition of a strand against a run-time weight for each letter.
@case(("GATTACA", 1.5, 2.0), ("", 1.0, 1.0))
def weight_of_a_strand(strand, light, heavy):
    total = 0.0
    counts = {}
    for letter in strand:
        counts[letter] = counts.get(letter, 0) + 1
        total += heavy if letter in "GC" else light
    return total, counts


class Token(Enum):
    NUMBER = "number"
    OPERATOR = "operator"
    BRACKET = "bracket"


# A tokenizer, and a recursive parser that evaluates with a run-time variable.
@case(("2*(x+3)-x", 4.0), ("x", -1.5), ("(x+1)*(x+2)*2", 0.5))
def formula(text, x):
    tokens = []
    for letter in text:
        if letter.isdigit() or letter == "x":
            tokens.append((Token.NUMBER, letter))
        elif letter in "()":
            tokens.append((Token.BRACKET, letter))
        else:
            tokens.append((Token.OPERATOR, letter))
    position = 0

    def atom():
        nonlocal position
        kind, letter = tokens[position]
        position += 1
        if kind is Token.BRACKET:
            value = total()
            position += 1
            return value
        return x if letter == "x" else float(letter)

    def product():
        nonlocal position
        value = atom()
        while position < len(tokens) and tokens[position][1] == "*":
            position += 1
            value = value * atom()
        return value

    def total():
        nonlocal position
        value = product()
        while position < len(tokens) and tokens[position][1] in "+-":
            sign = tokens[position][1]
            position += 1
            value = value + product() if sign == "+" else value - product()
        return value

    return total(), len(tokens)


@dataclass
class Row:
    label: str
    values: tuple

    def line(self, width):
        cells = " ".join(f"{value:{width}.2f}" for value in self.values)
        return f"{self.label:>8} |{cells}"


# Rows as dataclasses, with a width of run time.
@case((1.0, 2.5, 8), (-3.14159, 100.0, 12))
def table(a: float, b: float, width: int):
    rows = [Row("sum", (a + b, a - b)), Row("product", (a * b, a / b))]
    header = f"{'':>8} |{'first':>{width}} {'second':>{width}}"
    return [header, *(row.line(width) for row in rows)]


# Progress that is printed, with a summary.
@case((X, 2), (X, 1), (X[:0], 3))
def progress(x: f64["n"], every: int):
    total = 0.0
    for i, value in enumerate(x):
        total += value
        if i % every == 0:
            print(f"[{i + 1}/{len(x)}] {total:+.2f}", end="; ")
    print(f"done: {total!r}")
    return total


# A message in Morse, and how long it takes.
@case(("SOS", 0.1), ("E T", 1.0), ("?", 1.0))
def morse(text, unit):
    codes = {"S": "...", "O": "---", "E": ".", "T": "-"}
    time = 0.0
    words = []
    for letter in text:
        if letter == " ":
            time += 7 * unit
            continue
        if letter not in codes:
            raise ValueError(f"no code for {letter!r}")
        code = codes[letter]
        words.append(code)
        for sign in code:
            time += unit if sign == "." else 3 * unit
    return " ".join(words), time


# A check digit of a number that is known at run time, and one of a text.
@case((7992739871, "7992739871"), (0, "0"), (18, "59"))
def check_digit(number, text):
    def luhn(digits):
        total = 0
        for i, digit in enumerate(digits):
            doubled = digit * 2 if i % 2 == 0 else digit
            total += doubled - 9 if doubled > 9 else doubled
        return (10 - total % 10) % 10

    reversed_digits = []
    while number > 0:
        reversed_digits.append(number % 10)
        number //= 10
    return luhn(reversed_digits), luhn([int(letter) for letter in reversed(text)])


# Which of several errors a check of settings names, in order.
@case((0.1, 10), (-1.0, 10), (0.1, 0), (2.0, -5))
def checked_settings(rate: float, steps: int):
    problems = []
    if not 0 < rate <= 1:
        problems.append(f"rate must be in (0, 1], not {rate}")
    if steps <= 0:
        problems.append(f"steps must be positive, not {steps}")
    if problems:
        raise ValueError("; ".join(problems))
    return rate * steps


# Numbers out of texts that the program makes.
@case((12,), (-7,), (0,))
def numbers_of_a_text(n: int):
    shown = f"{n}"
    digits = [int(c) for c in str(abs(n))]
    return int(shown), float(shown), int(f"{n}1"), complex(shown), sum(digits), int(str(abs(n)), 16)


@case((3,), (0,))
def numbers_of_a_line(n: int):
    line = ",".join([str(i * 1.5) for i in range(n)])
    return [float(part) for part in line.split(",")] if line else []


# What is no number: ValueError, in Python's words.
@case((3, 10), (3, 1), (3, 2))
def no_number(n: int, base: int):
    try:
        return int(f"{n * 0.5}")
    except ValueError as error:
        said = str(error)
    try:
        return said, int(str(n), base)
    except ValueError as error:
        return said, str(error)


# A text or a number.
@case((3, True), (3, False))
def number_of_either(n: int, is_text: bool):
    value = str(n) if is_text else n * 0.5
    return int(value), float(value)


# A path through a tree of run-time depth, as a text.
def paths_below(node, left, right, path, found):
    if node < 0:
        return
    found.append((int(node), path))
    paths_below(left[node], left, right, path + "l", found)
    paths_below(right[node], left, right, path + "r", found)


@case((np.array([1, 3, -1, -1]), np.array([2, -1, -1, -1])), (np.array([-1]), np.array([-1])))
def paths_of_a_tree(left: i64["n"], right: i64["n"]):
    found = []
    paths_below(0, left, right, "", found)
    return found
