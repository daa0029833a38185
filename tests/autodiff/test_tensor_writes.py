"""Writes to Tensors in place, and to arrays that were used with Tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor
from tests.autodiff.tensor_support import X, by_differences, gradient_of, leaf, line_of, refused

# --- arrays that are written to later -------------------------------------------------------------


def test_an_array_may_be_written_to_after_its_use() -> None:
    def by_backward() -> Any:
        x, w = leaf(), np.ones(4)
        y = x * w
        w[0] = 5.0
        y.sum().backward()
        return x.grad.numpy()

    def plain(x: Any, w: Any) -> Any:
        y = x * w
        w[0] = 5.0
        return y.sum()

    np.testing.assert_array_equal(by_backward(), np.ones(4))
    np.testing.assert_array_equal(staticpy.grad(plain)(X, np.ones(4)), np.ones(4))

    places = np.array([0, 1])
    x = leaf()
    y = x[places]
    places[:] = 3
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [1, 1, 0, 0])


def test_the_elements_one_after_the_other() -> None:
    table = Tensor(np.arange(6.0).reshape(2, 3), requires_grad=True)
    y = table.T * 1
    assert len(y.flat) == 6
    assert next(y.flat).item() == 0
    assert [each.item() for each in y.flat] == [0, 3, 1, 4, 2, 5]
    y.flat = [7.0, 8.0]
    y.flat[[0, 3]] = table[1, :2]
    np.testing.assert_array_equal(y.detach().numpy(), [[3, 8], [7, 4], [7, 8]])
    (y.flat.copy() * np.arange(6.0)).sum().backward()
    np.testing.assert_array_equal(table.grad.numpy(), [[0, 0, 0], [0, 3, 0]])
    y.flat[:] = []
    for key, item in ((6, 1.0), (0, [1.0, 2.0]), (0, [])):
        with pytest.raises((IndexError, ValueError)) as expected:
            y.detach().numpy().copy().flat[key] = item
        with pytest.raises(expected.type):
            y.flat[key] = item


# --- writes in place ------------------------------------------------------------------------------


def set_by_a_number(x: Any) -> Any:
    y = x * 2
    y[1] = 7.0
    return y * y


def set_by_itself(x: Any) -> Any:
    y = x * 2
    y[1:] = y[:-1] * 3
    return y * y


def set_by_a_mask(x: Any) -> Any:
    y = x * 2
    y[X > 0.8] = x[X > 0.8] * x[X > 0.8]
    return y * y


def set_twice_by_indexes(x: Any) -> Any:
    y = x * 2
    y[[0, 0, 2]] = x[:3] * 5
    return y * y


def set_a_stretched_row(x: Any) -> Any:
    y = np.outer(x, x)
    y[:, 1:3] = x[:2]
    y[0] = 1.0
    return y * y


def set_with_axes_of_size_one(x: Any) -> Any:
    y = x * 2
    y[1:3] = x[None, :2]
    return y * y


def through_a_view(x: Any) -> Any:
    y = x * 2
    v = y[1:]
    v *= 3
    w = y.reshape(2, 2).T
    w[0] += x[:2]
    return y * v.sum() + w.sum()


def seen_by_a_view(x: Any) -> Any:
    y = np.outer(x, x)
    v, w = y.T[::-1, 1], y[2]
    y[1] = 3 * x
    return v * w * y


def of_a_transposed_copy(x: Any) -> Any:
    y = np.copy(np.outer(x, 2 * x).T, order="K")
    v = y[1:, ::-2]
    v[0] = x[:2] * x[:2]
    return y * y


def into_a_constant(x: Any) -> Any:
    y = Tensor(np.zeros(4))
    for i in range(3):
        y[i] = x[i] * x[i + 1]
    return y * y


def augmented(x: Any) -> Any:
    y = x * 2
    y += x
    y -= 1.0
    y /= 3.0
    y @= np.outer(X, X)
    return y * y


def where_it_is_small(x: Any) -> Any:
    y = x * 2
    y[y < 2.5] *= 0.1  # the way back reads the shape of what was there
    return y * y


def without_the_mean(x: Any) -> Any:
    terms = np.fft.fft(x)
    terms[0] = 0
    return np.abs(terms) ** 2


def empty_part(x: Any) -> Any:
    y = x * 2
    y[4:] = 3.0
    return y * y


def parts(x: Any) -> Any:
    z = x * (1 + 2j)
    z.imag = x * x
    z[1:].real = x[0]
    z.imag = z.imag + 1.0
    y = x * 2
    y.real = x[2]
    return np.abs(z) ** 2 * np.where(X > 1, 1.0, y)


WRITES = [
    parts,
    set_by_a_number,
    set_by_itself,
    set_by_a_mask,
    set_twice_by_indexes,
    set_a_stretched_row,
    set_with_axes_of_size_one,
    through_a_view,
    seen_by_a_view,
    of_a_transposed_copy,
    into_a_constant,
    augmented,
    where_it_is_small,
    without_the_mean,
    empty_part,
]


@pytest.mark.parametrize("function", WRITES)
def test_derivatives_go_through_writes(function: Callable[[Any], Any]) -> None:
    found = gradient_of(function)
    np.testing.assert_allclose(found, by_differences(function), rtol=1e-6, atol=1e-7)
    if function is not into_a_constant:  # plain NumPy runs the same program
        made = function(X)
        with staticpy.no_grad():
            np.testing.assert_array_equal(function(Tensor(X)).numpy(), made)
        np.testing.assert_array_equal(function(leaf()).detach().numpy(), made)


@pytest.mark.parametrize("function", WRITES)
def test_second_derivatives_go_through_writes(function: Callable[[Any], Any]) -> None:
    def slope(data: Any) -> Any:
        x = leaf(data)
        function(x).sum().backward(create_graph=True)
        return x, (x.grad * np.arange(1.0, 5.0)).sum()

    x, weighted = slope(X)
    x.grad = None
    if weighted.requires_grad:
        weighted.backward()
    found = np.zeros(4) if x.grad is None else x.grad.numpy()
    for place in range(4):
        step = 1e-6 * (np.arange(4) == place)
        up, down = (slope(X + sign * step)[1].item() for sign in (1, -1))
        np.testing.assert_allclose(found[place], (up - down) / 2e-6, rtol=1e-5, atol=1e-6)


def test_what_numpy_refuses_changes_nothing() -> None:
    y = leaf() * 2
    with pytest.raises(ValueError, match="broadcast"):
        y[1:] = np.ones(7)
    with pytest.raises(IndexError):
        y[9] = 1.0
    with pytest.raises(TypeError):
        y += 1j
    with pytest.raises(TypeError, match="no array"):
        y[0][...] = 1.0
    y.sum().backward()


def test_leaves_are_written_to_unrecorded_only() -> None:
    x = leaf()
    view = x[1:]
    for write in (
        lambda: x.__setitem__(0, 1.0),
        lambda: x.__iadd__(1.0),
        lambda: view.__setitem__(0, 1.0),
    ):
        with pytest.raises(RuntimeError, match="leaf Tensor that requires grad"):
            write()
    with staticpy.no_grad():
        x -= 0.5
    x.data -= 0.5
    assert x.is_leaf
    assert x.requires_grad
    np.testing.assert_array_equal(x.detach().numpy(), X - 1)
    x.data = X
    np.testing.assert_array_equal(x.detach().numpy(), X)
    with pytest.raises(ValueError, match="shape"):
        x.data = 1.0


def test_a_saved_value_that_is_written_to() -> None:
    def by_result() -> None:
        y = np.exp(leaf())
        y += 1.0
        y.sum().backward()

    def by_operand() -> None:
        y = leaf() * 2
        z = y * y
        y[0] = 1.0
        z.sum().backward()

    def by_view() -> None:
        y = leaf() * 2
        v = y[2:]
        z = y * y
        v[0] = 1.0
        z.sum().backward()

    def unrecorded() -> None:
        x = leaf()
        z = x * x
        with staticpy.no_grad():
            x[0] = 1.0
        z.sum().backward()

    def detached() -> None:
        x = leaf()
        z = x * x
        x.detach()[0] = 1.0
        z.sum().backward()

    def of_a_constant() -> None:
        c = Tensor(X)
        z = leaf() * c
        c[0] = 1.0
        z.sum().backward()

    lines = {by_result: 2, by_operand: 3, by_view: 4, unrecorded: 4, detached: 3, of_a_constant: 3}
    for run, offset in lines.items():
        diagnostic = refused(run)
        assert diagnostic.code == "SPY708"
        assert diagnostic.span.line == line_of(run, offset)


def test_what_is_not_read_later_may_be_written_to() -> None:
    def linear(x: Any) -> Any:
        y = X * x  # reads X alone on the way back
        z = y + 1.0
        y *= 2.0
        return z + y.sum() + y.reshape(2, 2)[0, 0]

    np.testing.assert_allclose(gradient_of(linear), by_differences(linear), rtol=1e-6)


def test_what_is_used_in_several_versions() -> None:
    def before_and_after() -> None:
        x = leaf()
        z = x * x
        with staticpy.no_grad():
            x[0] = 3.0
        (x * 2 + z + x).sum().backward()

    assert refused(before_and_after).code == "SPY708"
    x = leaf()
    z = x * 2
    with staticpy.no_grad():
        x[0] = 3.0
    (x * x + z).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2 * np.array([3.0, *X[1:]]) + 2)

    def f(x):
        y = x * 3
        y.detach()[0] = 3.0
        return (y * y).sum()

    np.testing.assert_array_equal(staticpy.grad(f)(X), 6 * np.array([3.0, *X[1:] * 3]))


def test_a_view_that_repeats_elements_is_not_written_to() -> None:
    y = leaf() * 2
    with pytest.raises((TypeError, ValueError)):
        np.broadcast_arrays(y, np.ones((2, 4)))[0][0, 0] = 5.0
    y.sum().backward()


def test_parts_of_complex_numbers() -> None:
    z = leaf(np.array([1 + 2j, 3.0])) * 2
    with pytest.raises(TypeError, match=r"\.real"):
        z.real[0] = 1.0
    for what, part in ((leaf() * 2, "imag"), (z[0], "real"), (leaf().sum(), "imag")):
        with pytest.raises((TypeError, AttributeError)) as expected:
            setattr(what.detach().content, part, 1.0)
        with pytest.raises(expected.type):
            setattr(what, part, 1.0)
    with pytest.raises(ValueError, match="could not broadcast"):
        z.imag = np.ones(3)
    with pytest.raises(TypeError):
        (leaf() * 2)[0] = z[0]


def test_numbers_of_python_are_written_with_their_derivative() -> None:
    def f(x, b):
        y = x * 1.0
        y[0] = b
        y[1] += b * 2
        y[2:] += [1, 2]
        return (y * y).sum()

    eager, graph = (staticpy.grad(form, (0, 1))(X, 0.5) for form in (f, staticpy.jit(f)))
    np.testing.assert_array_equal(eager[0], graph[0])
    assert eager[1] == graph[1] == 9.0


@pytest.mark.parametrize("is_reversed", [False, True])
def test_what_numpy_writes_before_it_raises(is_reversed: bool) -> None:
    """It throws away what it has computed where operands share memory."""

    def f(x):
        y = x * 1e200
        with np.errstate(over="raise"):
            try:
                y *= y[::-1] if is_reversed else 1e200
            except FloatingPointError:
                y[1:] = 2 * x[0]
        return (np.minimum(y, 1e250) * x * 1e-200).sum()

    x = np.array([0.5, 2.0, 3.0])
    for form in (f, staticpy.jit(f)):
        value, found = staticpy.value_and_grad(form)(x)
        assert value == f(x)
        by_first = 2 * x[0] if is_reversed else 1e50
        np.testing.assert_allclose(found, [by_first, 0, 0], atol=1e-190)
