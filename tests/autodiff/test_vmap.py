"""``vmap`` against its meaning: a loop over the examples, whose results are stacked.

Each program runs in plain Python, compiled, and inside of a compiled function.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.autodiff import expand
from staticpy.diagnostics import CompileError
from staticpy.ir import verify, walk
from staticpy.passes import inline, optimize
from tests.autodiff.programs import PROGRAMS as DIFFERENTIABLE
from tests.autodiff.vmap_programs import PROGRAMS, N, V, W, X


def loop(function: Callable[..., Any], options: dict[str, Any], args: tuple[Any, ...]) -> Any:
    """What ``vmap`` means, for arguments of all kinds, written without it."""
    in_axes = options.get("in_axes", 0)
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)

    def taken(axes: Any, tree: Any, i: int) -> Any:
        if axes is None or tree is None:
            return tree
        if isinstance(tree, dict):
            return {k: taken(axes if type(axes) is int else axes[k], tree[k], i) for k in tree}
        if isinstance(tree, tuple | list):
            each = [axes] * len(tree) if type(axes) is int else axes
            return type(tree)(taken(a, t, i) for a, t in zip(each, tree, strict=True))
        sizes.add(tree.shape[axes])
        return np.moveaxis(tree, axes, 0)[i]

    sizes: set[int] = set()
    for axis, arg in zip(axes, args, strict=True):
        taken(axis, arg, 0)
    count = options.get("axis_size") or sizes.pop()
    rows = [
        function(*(taken(a, arg, i) for a, arg in zip(axes, args, strict=True)))
        for i in range(count)
    ]

    def stacked(axes: Any, rows: list[Any]) -> Any:
        first = rows[0]
        if first is None:
            return None
        if isinstance(first, dict):
            return {
                k: stacked(axes[k] if isinstance(axes, dict) else axes, [row[k] for row in rows])
                for k in first
            }
        if isinstance(first, tuple | list):
            each = axes if isinstance(axes, tuple | list) else [axes] * len(first)
            columns = zip(each, zip(*rows, strict=True), strict=True)
            return type(first)(stacked(a, list(column)) for a, column in columns)
        return first if axes is None else np.stack(rows, axes)

    return stacked(options.get("out_axes", 0), rows)


def assert_same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        found, expected = list(found.values()), list(expected.values())
    if isinstance(expected, tuple | list):
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            assert_same(a, b)
    elif expected is not None:
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-14)


each_program = pytest.mark.parametrize(
    ("function", "args", "options"), PROGRAMS, ids=[f.__name__ for f, *_ in PROGRAMS]
)


@each_program
def test_is_the_loop(function: Any, args: Any, options: Any) -> None:
    expected = loop(function, options, args)

    @staticpy.jit
    def inside(*args):
        return staticpy.vmap(function, **options)(*args)

    assert_same(staticpy.vmap(function, **options)(*args), expected)
    assert_same(staticpy.vmap(staticpy.jit(function), **options)(*args), expected)
    assert_same(inside(*args), expected)


@each_program
def test_every_stage_is_a_valid_graph(function: Any, args: Any, options: Any) -> None:
    module = staticpy.vmap(staticpy.jit(function), **options).lower(*args).module
    verify(module)
    for change in (inline, expand, optimize):
        change(module)
        verify(module)
    assert not any(each.name == "vmap" for each in walk(module.main.block))


# --- composed with gradients ----------------------------------------------------------------------


def layers(w, x):
    return np.tanh(x @ w).sum()


def test_gradients_of_examples() -> None:
    expected = np.stack([staticpy.grad(layers)(W, x) for x in X])
    for inner in (layers, staticpy.jit(layers)):
        found = staticpy.vmap(staticpy.grad(inner), in_axes=(None, 0))(W, X)
        np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("form", [staticpy.jit, lambda function: function], ids=["graph", "tape"])
def test_gradient_of_what_is_vectorized(form: Any) -> None:
    def batch(w, x):
        values, rows = staticpy.vmap(lambda row: (layers(w, row), row * w[:, 0]))(x)
        return (values**2).sum() + (rows**3).sum()

    def plain(w, x):
        return sum(layers(w, row) ** 2 + ((row * w[:, 0]) ** 3).sum() for row in x)

    for argnums in (0, 1):
        found = staticpy.grad(form(batch), argnums)(W, X)
        np.testing.assert_allclose(found, staticpy.grad(plain, argnums)(W, X), rtol=1e-12)


def test_gradient_through_control_flow_and_memory() -> None:
    def one(x, n):
        y = np.zeros(3)
        y[1:] = x[:2] * 2.0
        for i in range(n):
            y[i % 3] *= x[2] + i
        if y[0] > 0:
            y = y * y
        return y.sum()

    def batch(x, n):
        return (staticpy.vmap(one)(x, n) ** 2).sum()

    def plain(x, n):
        total = 0.0
        for i in range(4):
            total += one(x[i], n[i]) ** 2
        return total

    found = staticpy.grad(staticpy.jit(batch))(X, N)
    np.testing.assert_allclose(found, staticpy.grad(staticpy.jit(plain))(X, N), rtol=1e-12)


def test_gradient_of_a_sum_that_may_be_of_two_dtypes() -> None:
    def squares(x):
        total = 0.0
        for value in x:
            total += value * value
        return total

    for x in (np.float32(X), np.float32(X[:, :0])):
        with_graph = staticpy.grad(staticpy.jit(lambda x: staticpy.vmap(squares)(x).sum()))(x)
        assert_same(with_graph, 2 * x)
        out, tangent = staticpy.jvp(staticpy.vmap(staticpy.jit(squares)), (x,), (x,))
        assert_same(out, np.stack([squares(row) for row in x]))
        assert_same(tangent, 2 * out)


def test_results_that_have_no_common_shape() -> None:
    def sometimes_a_row(x):
        return x if x.sum() > 0 else x.sum()

    for form in (staticpy.jit, lambda function: function):
        with pytest.raises(ValueError, match="must have the same shape"):
            staticpy.vmap(form(sometimes_a_row))(np.stack([X[0], -X[0]]))
        assert_same(staticpy.vmap(form(sometimes_a_row))(X[:1]), X[:1])
    with pytest.raises(CompileError, match="out_axes is 1"):
        staticpy.vmap(staticpy.jit(sometimes_a_row), out_axes=1)(X)


def test_gradients_of_results_that_are_numbers_without_rounds() -> None:
    def powers(x, n):
        total = 0.0
        for i in range(n):
            total = total + x**i
        return total

    def loss(x, n):
        return (staticpy.vmap(powers, (0, None))(x, n) ** 2).sum()

    def loss_of_counts(x, n):
        return staticpy.vmap(powers)(x, n).sum()

    for n in (3, 1, 0):
        for transform in (staticpy.value_and_grad, staticpy.hessian):
            found = transform(staticpy.jit(loss))(X, n)
            for each, expected in zip(found, transform(loss)(X, n), strict=True):
                np.testing.assert_allclose(each, expected, rtol=1e-12)
    slope = staticpy.grad(staticpy.jit(loss_of_counts))
    np.testing.assert_allclose(slope(X, N + 2), staticpy.grad(loss_of_counts)(X, N + 2))
    with pytest.raises(ValueError, match="must have the same shape"):
        slope(X, np.arange(len(X)))


def test_gradient_of_a_list_made_an_array() -> None:
    @staticpy.jit
    def f(x):
        rows = [x[i] * x for i in range(len(x))]
        return (np.array(rows) ** 2).sum()

    np.testing.assert_allclose(staticpy.grad(f)(V), 4 * V * (V**2).sum(), rtol=1e-13)
    again = staticpy.grad(staticpy.jit(lambda x: (staticpy.grad(f)(x) * x).sum()))(V)
    np.testing.assert_allclose(again, 16 * V * (V**2).sum(), rtol=1e-13)


def test_gradient_of_what_always_raises() -> None:
    def fails(x):
        raise KeyError("always")

    with pytest.raises(KeyError, match="always"):
        staticpy.grad(staticpy.jit(fails))(1.0)


def test_tangents_in_arrays_without_axes() -> None:
    def f(t):
        return staticpy.jvp(lambda x: x * x, (np.array(2.0),), (t,))[1]

    for form in (staticpy.jit, lambda function: function):
        np.testing.assert_array_equal(staticpy.vmap(form(f))(np.arange(3.0)), [0.0, 4.0, 8.0])


def test_second_derivatives() -> None:
    @staticpy.jit
    def curvature(x):
        return staticpy.vmap(staticpy.grad(staticpy.grad(lambda t: t**3 * np.sin(t))))(x)

    @staticpy.jit
    def total(x):
        return staticpy.vmap(staticpy.grad(lambda t: t**3 * np.sin(t)))(x).sum()

    expected = 6 * V * np.sin(V) + 6 * V**2 * np.cos(V) - V**3 * np.sin(V)
    np.testing.assert_allclose(curvature(V), expected, rtol=1e-12)
    np.testing.assert_allclose(staticpy.grad(total)(V), expected, rtol=1e-12)


# --- effects and errors ---------------------------------------------------------------------------


@pytest.mark.parametrize("form", [staticpy.jit, lambda function: function], ids=["graph", "python"])
class TestEffects:
    def test_order(self, form: Any, capsys: pytest.CaptureFixture[str]) -> None:
        def show(x):
            print("first", x)
            if x > 1:
                raise KeyError("too large")
            print("second", x)
            return x

        with pytest.raises(KeyError, match="too large"):
            staticpy.vmap(form(show))(V)
        assert capsys.readouterr().out == "first 0.5\nsecond 0.5\nfirst 2.0\n"

    def test_what_is_written_to_is_the_array(self, form: Any) -> None:
        def change(x, log):
            x[0] = 7.0
            log += x
            return x.sum()

        x, log = X.copy(), np.zeros(3)
        staticpy.vmap(form(change), in_axes=(0, None))(x, log)
        np.testing.assert_array_equal(x[:, 0], np.full(4, 7.0))
        np.testing.assert_array_equal(log, x.sum(axis=0))

    def test_always_raises(self, form: Any) -> None:
        def fails(x):
            raise KeyError("always")

        with pytest.raises(KeyError, match="always"):
            staticpy.vmap(form(fails))(V)

    @pytest.mark.parametrize(
        ("args", "options", "message"),
        [
            ((V[:0],), {}, "need at least one array to stack"),
            ((1.0,), {}, "rank should be at least 1, but is only 0"),
            ((V,), {"in_axes": 1}, "rank should be at least 2, but is only 1"),
            ((V,), {"in_axes": -2}, "rank should be at least 2, but is only 1"),
            ((V,), {"in_axes": (0, 0)}, "a prefix of the arguments"),
            ((V,), {"out_axes": 1}, "out_axes is 1"),
            ((V,), {"out_axes": (0, 0)}, "a prefix of the result"),
            ((V,), {"axis_size": 3}, "inconsistent sizes for array axes to be mapped: 3 and 4"),
            ((V,), {"in_axes": None}, "at least one non-None value in in_axes"),
        ],
    )
    def test_value_errors(self, form: Any, args: Any, options: Any, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            staticpy.vmap(form(lambda x: x), **options)(*args)

    def test_sizes_disagree(self, form: Any) -> None:
        with pytest.raises(ValueError, match="mapped: 4 and 3"):
            staticpy.vmap(form(lambda x, y: x))(V, V[1:])

    def test_arguments_by_name(self, form: Any) -> None:
        found = staticpy.vmap(form(lambda x, y: x * y), in_axes=(None,))(2.0, y=V)
        np.testing.assert_array_equal(found, V * 2)

    @pytest.mark.parametrize("function", [lambda x: f"{x}", lambda x: ("a", x)])
    def test_no_number(self, form: Any, function: Any) -> None:
        with pytest.raises(CompileError, match="SPY705"):
            staticpy.vmap(form(function))(V)


def test_lists_of_one_length_by_the_path() -> None:
    def found(x):
        for i in range(3):
            if x > i:
                return [x, np.full(2, i) * x]
        return [x + 1.0, np.zeros(2)]

    for given, expected in zip(
        staticpy.jit(staticpy.vmap(found))(V - 1), staticpy.vmap(found)(V - 1), strict=True
    ):
        np.testing.assert_array_equal(given, expected, strict=True)


def test_is_a_decorator() -> None:
    @staticpy.vmap
    @staticpy.jit
    def double(x):
        return x * 2

    np.testing.assert_array_equal(double(V), V * 2)


def test_result_that_is_not_the_same() -> None:
    with pytest.raises(ValueError, match="out_axes is None"):
        staticpy.vmap(lambda x: x, out_axes=None)(V)
    with pytest.raises(CompileError, match="SPY705"):
        staticpy.vmap(staticpy.jit(lambda x: x), out_axes=None)(V)


def test_examples_that_depend_on_each_other() -> None:
    @staticpy.jit
    def counted(x):
        count = 0

        def one(row):
            nonlocal count
            count += 1
            return row * count

        return staticpy.vmap(one)(x)

    with pytest.raises(CompileError, match="it changes 'count'"):
        counted(V)


# --- programs of other tests ----------------------------------------------------------------------


def _variants(arg: Any) -> Any:
    """Three examples of an argument; what is no float or array is the same for all."""
    if isinstance(arg, float) or (isinstance(arg, np.ndarray) and arg.dtype.kind == "f"):
        return np.stack([arg, arg * 0.93, arg * 1.07])
    return np.stack([arg] * 3) if isinstance(arg, np.ndarray) else arg


@pytest.mark.parametrize(
    ("function", "args"), DIFFERENTIABLE, ids=[f.__name__ for f, _ in DIFFERENTIABLE]
)
def test_programs_bit_for_bit(function: Any, args: Any) -> None:
    axes = tuple(0 if isinstance(arg, float | np.ndarray) else None for arg in args)
    batch = [_variants(arg) for arg in args]
    compiled = staticpy.jit(function)
    try:
        expected = loop(compiled, {"in_axes": axes}, copy.deepcopy(tuple(batch)))
    except TypeError:
        return  # it doesn't take NumPy's numbers
    found = staticpy.vmap(compiled, axes)(*copy.deepcopy(batch))
    np.testing.assert_array_equal(found, expected, strict=True)


def test_numbers_of_pythons_own_have_gradients() -> None:
    """``1j * x[0]`` is a complex number of Python's, and ``abs`` of it a float."""

    def length(x):
        return abs(1j * x[0] + x[1])

    rows = np.array([[3.0, 4.0], [6.0, 8.0]])
    for form in (staticpy.jit, lambda function: function):
        found = staticpy.grad(form(lambda x: staticpy.vmap(length)(x).sum()))(rows)
        np.testing.assert_allclose(found, [[0.6, 0.8], [0.6, 0.8]], rtol=1e-15)
