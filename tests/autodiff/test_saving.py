"""What a loop saves for its way back: read in the source of the gradient."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy


def logistic(x: float, n: int) -> float:
    for _ in range(n):
        x = 3.1 * x * (1.0 - x)
    return x


def newton(x: float, n: int) -> float:
    guess = x
    for _ in range(n):
        guess = (guess + x / guess) / 2.0
    return guess


def powers(x: float, n: int) -> float:
    total = 0.0
    for _ in range(n):
        y = x * x
        z = y * x
        x = z * y + 0.5 * x
        total = total + x * y
    return total


def by_while(x: float, n: int) -> float:
    while n > 0:
        x = x * (0.5 + x)
        n -= 1
    return x


def by_three(x: float, n: int) -> float:
    for _ in range(n):
        x = x * (1.0 + 0.5 * x * 0.1)
    return x


def by_a_branch(x: float, n: int) -> float:
    y = x
    for _ in range(n):
        y = y * 1.5 + x if y < 1.0 else x / y
    return y


def by_two_formulas(x: float, n: int) -> float:
    for _ in range(n):
        if x < 0.5:
            x = 3.1 * x * (1.0 - x)
        elif x < 0.9:
            x = 2.9 * x * (1.0 - x) + 0.01
        else:
            x = x / (1.0 + x) / (2.0 + x)
    return x


def of_more_than_is_saved(x: float, n: int) -> float:
    a, b, y = x, 0.5, 1.0
    for _ in range(n):
        if y < 2.0:
            both = a + b
            y = y + both * both
        a, b = a + x, 0.5 * b
    return y


def left_by_break(x: float, n: int) -> float:
    guess = x
    for i in range(10 * n):
        if i >= n:
            break
        guess = 0.5 * (guess + x / guess)
    return guess


def left_by_flag(x: float, n: int) -> float:
    is_done = False
    while not is_done:
        if n > 0:
            x = x * (0.5 + x)
        else:
            is_done = True
        n -= 1
    return x


PROGRAMS = [
    (logistic, 1),
    (newton, 1),
    (powers, 1),
    (by_while, 1),
    (by_three, 1),
    (by_a_branch, 1),
    (by_two_formulas, 1),
    (of_more_than_is_saved, 2),
    (left_by_break, 1),
    (left_by_flag, 2),
]


@pytest.mark.parametrize(("function", "saved"), PROGRAMS)
def test_floats_are_computed_again(function: Callable[..., Any], saved: int) -> None:
    """Some operations take less time than an append and a read, and a flag is known."""
    slope = staticpy.grad(staticpy.jit(function))
    source = slope.lower(0.7, 3).compile().source
    assert source.count(".append(") + source.count("= take_tape(") == saved
    assert slope(0.7, 3) == staticpy.grad(function)(0.7, 3)
    twice = staticpy.grad(slope)(0.7, 3), staticpy.grad(staticpy.grad(function))(0.7, 3)
    assert twice[0] == pytest.approx(twice[1], rel=1e-13)


def test_an_array_is_not_saved_for_its_shape() -> None:
    """The zeros of the first round, where ``y`` is ``x``, are those of ``x``."""

    def driven(x: np.ndarray, n: int) -> float:
        y = x
        for _ in range(n):
            y = np.tanh(1.5 * y + 0.01 * x) * 0.9
        return y.sum()

    slope = staticpy.grad(staticpy.jit(driven))
    x = np.array([0.7, -0.3])
    source = slope.lower(x, 3).compile().source
    assert ".append(" not in source
    assert source.count("np.zeros((") == 1
    np.testing.assert_array_equal(slope(x, 3), staticpy.grad(driven)(x, 3))
    np.testing.assert_array_equal(slope(x, 0), staticpy.grad(driven)(x, 0))


def left_early(x: float, n: int) -> float:
    for i in range(n):
        if i == 4 or x > 1.4:
            break
        x = 3.1 * x * (1.0 - x)
    return x


def nested(x: float, n: int) -> float:
    y = x
    for i in range(n):
        for _ in range(3):
            y = 0.5 * (y + x / y)
        for _ in range(i):
            y = y * (1.0 + 0.1 * x / y) + x / y
    return y


def by_number(x: float, n: int) -> float:
    for i in range(2, n):
        x = x * (0.5 + x * i)
    return x


def three(x: float, n: int) -> float:
    a, b, c = 1.0, 0.2, x
    for _ in range(n):
        a, b, c = a + 0.1 * (b - a), b + a * (x - c) - b, c - 2.0 * c + a * b
    return a + b + c


def continued(x: float, n: int) -> float:
    y = x
    for i in range(n):
        if i % 2:
            continue
        if y > 3.0:
            return y * x
        y = y * y + x
    return y


def on_lists(x: float, n: int) -> float:
    kept = [x, x * x]
    for i in range(n):
        kept.append(kept[i] * kept[-1] + x)
    total = 0.0
    for i in range(len(kept) - 1, -1, -1):
        total = total * kept[i] + kept[i]
    return total


GONE_THROUGH = [*(program for program, _ in PROGRAMS), left_early, nested, three]
COUNTED = [by_number, continued, on_lists]


@pytest.mark.parametrize("function", GONE_THROUGH + COUNTED)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_tapes_give_what_was_saved(function: Callable[..., Any], n: int) -> None:
    """For any number of rounds, and for derivatives of every order."""
    compiled = staticpy.jit(function)
    assert staticpy.grad(compiled)(0.7, n) == staticpy.grad(function)(0.7, n)
    twice = staticpy.grad(staticpy.grad(compiled))(0.7, n)
    assert twice == pytest.approx(staticpy.grad(staticpy.grad(function))(0.7, n), rel=1e-12)
    pushed = staticpy.jvp(staticpy.grad(compiled), (0.7, n), (1.0, None))[1]
    assert pushed == pytest.approx(twice, rel=1e-12)
    xs = np.array([0.7, 0.3])
    mapped = staticpy.vmap(staticpy.grad(compiled), in_axes=(0, None))(xs, n)
    assert mapped.tolist() == [staticpy.grad(compiled)(x, n) for x in xs]


@pytest.mark.parametrize("function", GONE_THROUGH)
def test_tapes_are_gone_through(function: Callable[..., Any]) -> None:
    """The way back reads lists by going through them: it looks up nothing round by round."""
    tree = ast.parse(staticpy.grad(staticpy.jit(function)).lower(0.7, 3).compile().source)
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
    ways = [(each, ast.unparse(each.iter)) for each in loops]
    back = [each for each, way in ways if "reversed" in way or "[:0:-1]" in way]
    assert back
    numbers = {each.target.id for each in loops if isinstance(each.target, ast.Name)}
    read = [node for each in back for node in ast.walk(each) if isinstance(node, ast.Subscript)]
    assert not any(isinstance(x.slice, ast.Name) and x.slice.id in numbers for x in read)


@pytest.mark.parametrize("function", [newton, left_by_break])
def test_rounds_ask_nothing(function: Callable[..., Any]) -> None:
    """What is known of all rounds back but one is not asked in them."""
    tree = ast.parse(staticpy.grad(staticpy.jit(function)).lower(0.7, 3).compile().source)
    *_, back = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
    assert not any(isinstance(node, ast.If | ast.IfExp) for node in ast.walk(back))


def test_of_two_divisions_by_a_number_one_is_nested() -> None:
    """If it were zero, the other one would have raised, in the same line of the program."""
    tree = ast.parse(staticpy.grad(staticpy.jit(newton)).lower(0.7, 3).compile().source)
    *_, back = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
    divisions = [node for node in ast.walk(back) if isinstance(node, ast.Div)]
    assert (len(divisions), len(back.body)) == (3, 4)


def test_long_rounds_are_not_written_twice() -> None:
    def f(x: float, n: int) -> float:
        y = x
        for _ in range(n):
            y = np.sin(y) + x * np.cos(y * x)
            y = np.sin(y) + x * np.cos(y * x)
            y = np.sin(y) + x * np.cos(y * x)
            y = np.sin(y) + x * np.cos(y * x)
            y = np.sin(y) + x * np.cos(y * x)
            y = np.sin(y) + x * np.cos(y * x)
            y = np.sin(y) + x * np.cos(y * x)
            y = np.sin(y) + x * np.cos(y * x)
        return y

    slope = staticpy.grad(staticpy.jit(f))
    assert "== 0" in slope.lower(0.7, 3).compile().source
    assert slope(0.7, 3) == staticpy.grad(f)(0.7, 3)
