"""``np.gradient`` in steps, for backends that make loops."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import verify, walk
from staticpy.passes import with_gradients_in_steps
from tests.backends.llvm.test_loops import details
from tests.support.warned import with_warnings


def of_all_axes(x):
    return np.gradient(x)


def of_one_axis(x):
    return np.gradient(x, axis=-1), np.gradient(x, 0.5, axis=0) * 2


def of_two_axes(x):
    rows, columns = np.gradient(x, 3, axis=(0, 1))
    return np.sqrt(rows * rows + columns * columns), columns


def with_a_step(x, step):
    return np.gradient(x, step, axis=0)


def with_steps(x):
    return np.gradient(x, np.arange(float(len(x))) ** 2, axis=0)


def to_second_order(x):
    return np.gradient(x, axis=0, edge_order=2)


def before_a_write(x):
    found = np.gradient(x, axis=0)
    x[0] = 9
    return found, np.gradient(x, axis=0)


def names_of(module):
    return [each.op.name for each in walk(module.main.block)]


@pytest.mark.parametrize("function", [of_all_axes, of_one_axis, of_two_axes])
def test_steps(function):
    made = with_gradients_in_steps(staticpy.jit(function).lower(np.ones((3, 4))).module)
    verify(made)
    names = names_of(made)
    assert names.count("if") == names.count("numpy.call")  # which raises
    assert names.count("store") > 2


@pytest.mark.parametrize("function", [with_steps, to_second_order])
def test_what_stays_a_call(function):
    module = staticpy.jit(function).lower(np.ones((3, 4))).module
    assert with_gradients_in_steps(module) is module


def test_of_ints_it_stays_a_call():
    module = staticpy.jit(of_all_axes).lower(np.ones((3, 4), int)).module
    assert with_gradients_in_steps(module) is module


FUNCTIONS = [of_all_axes, of_one_axis, of_two_axes, with_steps, to_second_order, before_a_write]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "complex64"])
def test_results_are_numpys(function, dtype):
    native = staticpy.jit(function)
    for shape in ((3, 4), (3, 2), (3, 2, 5), (100, 80), (40, 3)):
        drawn = (np.random.default_rng(0).standard_normal(shape) * 9).astype(dtype)
        for x in (drawn, np.asfortranarray(drawn), drawn[::-1], drawn[:, ::-1]):
            given, expected = x.copy(order="K"), x.copy(order="K")
            found, wanted = (as_tuple(each) for each in (native(given), function(expected)))
            for one, other in zip(found, wanted, strict=True):
                assert details(one) == details(other)
            assert given.tobytes() == expected.tobytes()


@pytest.mark.parametrize("step", [2, 0.25, 0.0, np.float32(3), np.float64(1e-300), -1])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_steps_of_any_kind(step, dtype):
    native = staticpy.jit(with_a_step)
    x = (np.arange(12.0) ** 2).astype(dtype)
    (found, told), (wanted, about) = (
        with_warnings(each, x, step) for each in (native, with_a_step)
    )
    assert details(found) == details(wanted)
    assert {each.category for each in told} == {each.category for each in about}


@pytest.mark.parametrize("shape", [(1, 4), (4, 1), (0, 3), (1, 1)])
def test_too_few_elements(shape):
    native = staticpy.jit(of_all_axes)
    native(np.ones((3, 4)))
    with pytest.raises(ValueError, match="Shape of array too small") as expected:
        np.gradient(np.ones(shape))
    with pytest.raises(ValueError, match="Shape of array too small") as found:
        native(np.ones(shape))
    assert str(found.value) == str(expected.value)


def test_derivatives():
    def loss(x):
        return (np.gradient(x) ** 2).sum()

    x = np.array([1.0, 3.0, 2.0, 7.0])
    gradient = np.gradient(x)
    back = np.array([-1.0, 1.0, 0.0, 0.0]) * gradient[0]
    back += np.array([-0.5, 0.0, 0.5, 0.0]) * gradient[1]
    back += np.array([0.0, -0.5, 0.0, 0.5]) * gradient[2]
    back += np.array([0.0, 0.0, -1.0, 1.0]) * gradient[3]
    np.testing.assert_allclose(staticpy.jit(staticpy.grad(loss))(x), 2 * back)


def as_tuple(result):
    return tuple(result) if isinstance(result, tuple | list) else (result,)
