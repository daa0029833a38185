"""Texts that are known while compiling: methods, slices, tables, modes."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import call, case

X = np.array([0.5, -1.0, 2.0])
M = np.array([[1.0, 2.0], [3.0, 4.0]])


# A mode chooses a branch while compiling.
@case(call(X), call(X, "max"), call(X, reduction="none"))
def mode_of_a_reduction(x, reduction="mean"):
    if reduction == "mean":
        return x.mean()
    if reduction == "max":
        return x.max()
    return x


# A mode that is unknown.
@case(call(X, "sum"), call(X, "median"))
def unknown_mode(x, mode):
    if mode not in ("sum", "prod"):
        raise ValueError(f"unknown mode {mode!r}")
    return x.sum() if mode == "sum" else x.prod()


# Methods of texts.
@case((2,))
def methods_of_texts(n: int):
    text = "  Ab,cd "
    return (
        text.strip(),
        text.upper(),
        text.strip().split(","),
        text.replace("b", "x").lower(),
        "-".join(["a", "b"]),
        "abc".startswith("ab"),
        "abcabc".count("b"),
        "abc".find("c"),
        n,
        "ab cd".title(),
        "7".zfill(3),
        "a=b".partition("="),
        "abc".index("b"),
        "ab".isalpha(),
    )


# Indexes and slices.
@case((2,))
def slices_of_texts(n: int):
    text = "static"
    return text[0], text[-1], text[1:4], text[::-1], len(text), "tat" in text, text * 2, text < "t"


# A program in letters: each does something to a number.
def run(program, value):
    for letter in program:
        if letter == "+":
            value = value + 1
        elif letter == "d":
            value = value * 2
        elif letter.isdigit():
            value = value * 10 + int(letter)
        else:
            raise ValueError(letter)
    return value


@case((3,), (-1,))
def small_interpreter(n: int):
    return run("+d+", n), run("", n), run("12d", n)


# einsum's like: letters are axes.
def permuted(x, axes):
    return x.transpose([{"i": 0, "j": 1}[letter] for letter in axes])


@case((M,))
def axes_by_letters(m: f64["m", "n"]):
    return permuted(m, "ji"), permuted(m, "ij").sum()


# Activation functions by name.
ACTIVATIONS = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0.0), "linear": lambda x: x}


@case((X,))
def functions_by_name(x: f64["n"]):
    for name in "relu tanh".split():
        x = ACTIVATIONS[name](x)
    return ACTIVATIONS["linear"](x)


# Names of results.
@case((X,))
def named_results(x: f64["n"]):
    return {f"norm_{p}": (np.abs(x) ** p).sum() for p in (1, 2)}, {name.upper(): 1 for name in "ab"}


# A layer's settings in a text.
def parsed(text):
    settings = {}
    for part in text.split(";"):
        key, _, value = part.partition("=")
        settings[key.strip()] = float(value)
    return settings


@case((2.0,))
def settings_in_a_text(x: float):
    settings = parsed("rate=0.5; shift = 3")
    return x * settings["rate"] + settings["shift"]


# Texts in structures that come in and go out.
@case(({"name": "line", "a": 2.0}, 3.0), ({"name": "power", "a": 2.0}, 3.0))
def text_in_an_argument(model, x):
    if model["name"] == "line":
        return model["name"], model["a"] * x
    return "other", x ** model["a"]


# Roman numerals.
NUMERALS = (("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1))


@case((14,), (9,), (0,))
def roman_numeral(n: int):
    text = ""
    for letters, value in NUMERALS:
        while n >= value:
            text += letters
            n -= value
    return text


# Bytes and characters of compile-time texts.
@case((3,))
def caesar(k: int):
    shifted = "".join(chr((ord(c) - 97 + 3) % 26 + 97) for c in "xyz")
    return shifted, [ord(c) - 97 + k for c in "abc"]


# A comparison of texts that are known at run time only.
@case((1,), (5,))
def text_at_run_time(n: int):
    size = "small" if n < 3 else "large"
    if size == "large":
        return size, n * 10
    return size, n


# A docstring, a name, a multi-line text.
@case((1,))
def long_texts(n: int):
    text = """first
second"""
    other = "one two"
    return text.splitlines(), len(text), other, n
