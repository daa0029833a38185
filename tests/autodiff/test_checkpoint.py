"""Checkpoints: what the way back runs again, in the place of saving it."""

from __future__ import annotations

import copy
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import checkpoint, grad
from tests.autodiff.programs import PROGRAMS, X
from tests.autodiff.test_custom import code_of, square

RUN_AGAIN = {
    "horner",
    "layer",
    "leaves_in_the_middle",
    "loops_in_loops",
    "nested_branches",
    "standard_deviation",
    "until_large",
}
"""Programs of ``PROGRAMS`` that are tried in a checkpoint."""


@pytest.mark.parametrize(
    ("function", "args"),
    [
        pytest.param(*each, id=each[0].__name__)
        for each in PROGRAMS
        if each[0].__name__ in RUN_AGAIN
    ],
)
def test_checkpoint_changes_nothing(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    expected = staticpy.value_and_grad(staticpy.jit(function))(*copy.deepcopy(args))
    found = staticpy.value_and_grad(checkpoint(staticpy.jit(function)))(*copy.deepcopy(args))
    assert found[0] == expected[0]
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-13)


class LimitError(Exception):
    def __init__(self, limit):
        self.limit = limit


def limited(x):
    try:
        if x > 1:
            raise LimitError(x * 2)
        y = x
    except LimitError as error:
        y = error.limit * x
    return y


def limited_rounds(x):
    y = x * 1.5
    for i in range(5):
        try:
            if y > i:
                raise LimitError(y * x)
            y = y * 2
        except LimitError as error:
            y = error.limit / (i + 3)
    return y


def limited_array(x):
    y = np.array([0.5, 1.0, 2.0]) * x
    try:
        if y[0] > 0.5:
            raise LimitError(y * y)
    except LimitError as error:
        return (error.limit * y).sum()
    return y.sum()


def limited_in_several(x):
    return checkpoint(limited)(checkpoint(limited)(x) + 1) * limited(x)


def limited_in_another(x):
    return checkpoint(lambda y: checkpoint(limited)(y) * limited(y))(x)


@pytest.mark.parametrize(
    "function",
    [limited, limited_rounds, limited_array, limited_in_several, limited_in_another],
)
@pytest.mark.parametrize("x", [0.7, 3.0])
def test_exceptions_that_stay_in_a_checkpoint(function: Callable[..., Any], x: float) -> None:
    def f(x):
        return checkpoint(function)(x) * x

    def slope_along(x):
        return staticpy.jvp(f, (x,), (1.0,))[1]

    compiled = staticpy.jit(f)
    assert grad(compiled)(x) == pytest.approx(grad(f)(x), rel=1e-13)
    assert grad(grad(compiled))(x) == pytest.approx(grad(grad(f))(x), rel=1e-13)
    assert grad(staticpy.jit(slope_along))(x) == pytest.approx(grad(grad(f))(x), rel=1e-13)


def bound_in_a_for(x, n):
    total = 0.0
    for i in range(n):
        y = x * (i + 1)
        total = total + (y * y).sum()
    return total * y.sum()


def bound_in_a_while(x, n):
    total = 0.0
    while n > 0:
        if n % 3 == 0:
            y = np.outer(x[:n], x)
        total = total + (y * y).sum()
        n -= 1
    return total


def bound_around(x, n):
    total = 0.0
    for i in range(n):
        if i > 2:
            y = x[:i] * total
        total += checkpoint(lambda v: (v * v).sum() + ((y * y).sum() if i > 2 else 0.0))(x)  # noqa: B023
    return total


def of_a_generator(x, n):
    def grown(v):
        for _ in range(n):
            yield v
            v = v * x

    total = 0.0
    for i, v in enumerate(grown(x)):
        if i == 4:
            break
        total = total + (v * v).sum()
    return total


def nothing_at_first(x, n):
    total, last = 0.0, None
    for i in range(n):
        last = x * 2 if last is None else last * np.sin(x * i)
        total = total + (last * last).sum()
    return total


@pytest.mark.parametrize(
    "function",
    [bound_in_a_for, bound_in_a_while, bound_around, of_a_generator, nothing_at_first],
)
@pytest.mark.parametrize("backend", [None, "python_source"])
def test_arrays_that_are_bound_late(function: Callable[..., Any], backend: Any) -> None:
    compiled = staticpy.jit(checkpoint(function), backend=backend)
    np.testing.assert_allclose(grad(compiled)(X, 6), grad(function)(X, 6), rtol=1e-12)
    expected = staticpy.hessian(function)(X, 6)
    np.testing.assert_allclose(staticpy.jacfwd(grad(compiled))(X, 6), expected, rtol=1e-11)


def test_an_array_on_some_paths_only() -> None:
    def f(x, n):
        y = None if n > 2 else x * 2
        return checkpoint(lambda v: x.sum() if v is None else (v * x).sum())(y)

    assert code_of(grad(staticpy.jit(f)), X, 1) == "SPY707"


def test_exceptions_that_enter_or_leave_a_checkpoint() -> None:
    def entering(x):
        error = LimitError(x * 3)

        def inner(x):
            try:
                raise error
            except LimitError as caught:
                return caught.limit * x

        return checkpoint(inner)(x)

    def leaving(x):
        def inner(x):
            if x > 1:
                raise LimitError(x * 2)
            return x

        try:
            return checkpoint(inner)(x)
        except LimitError as error:
            return error.limit * x

    assert code_of(grad(staticpy.jit(entering)), 3.0) == "SPY707"
    assert code_of(grad(staticpy.jit(leaving)), 3.0) == "SPY701"


def test_what_a_dict_holds_stays_as_it_is_in_checkpoints() -> None:
    def f(x, n):
        held = {}
        for i in range(n):
            held[i % 2] = x * i
        y = held[0] * x
        held[7] = y
        held[8] = x
        return checkpoint(lambda v: (v * y * x).sum())(held[1]) + held[n].sum()

    compiled = staticpy.jit(f, backend="python_source")
    np.testing.assert_allclose(grad(compiled)(X, 7), grad(f)(X, 7), rtol=1e-13)


def chaotic(x, n, first=0, step=1):
    y = np.sin(x)
    for i in range(first, n, step):
        y = 3.1 * y * (1 - y) + 0.001 * i * x
    return y * x


@pytest.mark.parametrize(
    "count", [(0,), (1,), (2,), (7,), (9,), (10,), (50,), (9, 2, 3), (1, 9, -2), (9, 10, 2)]
)
def test_pieces_of_a_loop(count: tuple[int, ...]) -> None:
    expected = grad(chaotic)(0.3, *count)
    found = grad(checkpoint(staticpy.jit(chaotic)))(0.3, *count)
    assert found == pytest.approx(expected, rel=1e-10)
    assert grad(checkpoint(chaotic))(0.3, *count) == expected


def until(x, n):
    y, i = np.sin(x), 0
    while i < n and np.abs(y).max() < 1e6:
        y = 3.1 * y * (1 - y) + 0.001 * i * x
        i += 1
    return (y * x).sum() * i


def left_in_the_middle(x, n):
    y, i, previous = x, 0, x
    while True:
        if i >= n:
            break
        i += 1
        if i % 3 == 0:
            continue
        previous, y = y, np.sin(y) * x + previous * 0.1
    return (y * previous).sum()


def loops_in_a_loop(x, n):
    total = x * 0.0
    for i in range(n):
        y, rounds = x, 0
        while rounds < i * i:
            y = np.cos(y * x)
            rounds += 1
        total = total + y * rounds
    while total.sum() < 50.0:
        rows = [total]
        for k in range(n):
            rows.append(rows[-1] * 1.01 + k * x)
        total = rows[-1] + 0.1
    return total.sum()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 7, 10, 11, 50])
@pytest.mark.parametrize("function", [until, left_in_the_middle, loops_in_a_loop])
def test_segments_of_a_loop(function: Callable[..., Any], count: int) -> None:
    expected = staticpy.value_and_grad(staticpy.jit(function))(X, count)
    found = staticpy.value_and_grad(checkpoint(staticpy.jit(function)))(X, count)
    assert found[0] == expected[0]
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-9)


def test_a_loop_in_segments_is_differentiated_again() -> None:
    def twice(function: Any) -> Any:
        return grad(staticpy.jit(lambda x: (grad(function)(x, 7) * x).sum()))(X)

    np.testing.assert_allclose(twice(checkpoint(until)), twice(until), rtol=1e-9)


def chaotic_while(x, n):
    y, i = np.sin(x), 0
    while i < n:
        y = 3.1 * y * (1 - y) + 0.001 * x
        i += 1
    return y * x


@pytest.mark.parametrize("function", [chaotic, chaotic_while])
def test_checkpoint_saves_the_root(function: Callable[..., Any]) -> None:
    def peak(function: Any, n: int) -> int:
        function(0.3, n)
        tracemalloc.start()
        function(0.3, n)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    saving, running = grad(staticpy.jit(function)), grad(checkpoint(staticpy.jit(function)))
    assert peak(saving, 2_500) > 15 * peak(saving, 100)
    assert peak(running, 2_500) < 8 * peak(running, 100)
    assert peak(running, 2_500) < peak(saving, 2_500) / 10


def test_checkpoint_in_what_is_differentiated() -> None:
    def f(x, n):
        y, rows = x, np.zeros((n, 4))
        for i in range(n):
            y = checkpoint(lambda z, w: square(np.sin(z)) * w * x)(y * (i + 1), x + i)
            rows[i] = y
            y[0] = 0.5
        return (rows * y).sum()

    def plain(x, n):
        y, rows = x, np.zeros((n, 4))
        for i in range(n):
            y = square(np.sin(y * (i + 1))) * (x + i) * x
            rows[i] = y
            y[0] = 0.5
        return (rows * y).sum()

    expected = grad(staticpy.jit(plain))(X, 4)
    np.testing.assert_allclose(grad(staticpy.jit(f))(X, 4), expected, rtol=1e-12)

    def twice(function: Any, x: Any) -> Any:
        return grad(staticpy.jit(lambda x: grad(function)(x, 6) * x))(x)

    assert twice(checkpoint(chaotic), 0.3) == pytest.approx(twice(chaotic, 0.3), rel=1e-10)


def test_what_cannot_run_twice() -> None:
    def printing(x):
        print(x)
        return x * x

    def writing(x):
        x[0] = 1.0
        return (x * x).sum()

    assert code_of(grad(checkpoint(staticpy.jit(printing))), 1.0) == "SPY707"
    assert code_of(grad(staticpy.jit(lambda x: checkpoint(writing)(x * 1))), X) == "SPY707"
    checkpoint(staticpy.jit(printing))(1.0)  # which is no derivative

    def given_back_and_written(x):
        y = x * 1
        z = checkpoint(lambda v: v[:])(y)
        z[0] = 1.0
        return (y * z).sum()

    assert code_of(grad(staticpy.jit(given_back_and_written)), X) == "SPY707"

    def of_other_numbers(x):
        return x * np.random.default_rng().normal()

    assert code_of(grad(staticpy.jit(checkpoint(of_other_numbers))), 1.0) == "SPY707"

    def numbers_of_a_list(values, n):
        made = [values * i for i in range(n)]
        return checkpoint(lambda: made[0] * made[-1])()

    assert code_of(grad(staticpy.jit(numbers_of_a_list)), 1.0, 3) == "SPY707"


class FullError(Exception):
    def __init__(self, value):
        super().__init__("full")
        self.value = value


def test_the_way_out_of_a_checkpoint_is_not_that_of_a_rule() -> None:
    @checkpoint
    def raising(x):
        if x.sum() > 9:
            raise FullError(x)
        return (x * x).sum()

    with pytest.raises(staticpy.CompileError) as caught:
        grad(staticpy.jit(lambda x: raising(x) * 2.0))(X)
    (diagnostic,) = caught.value.diagnostics
    assert "others see what this object is given: give it numbers" in diagnostic.message
    assert "leave checkpoint out" in diagnostic.help
    assert "fwd" not in diagnostic.help
