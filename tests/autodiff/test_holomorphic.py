"""``holomorphic=True``: derivatives by complex numbers, of plain and of compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError

Function = Callable[..., Any]
Z = np.array([0.3 + 0.4j, 1.1 - 0.2j, -0.5 + 1j])
TRANSFORMS = (staticpy.grad, staticpy.jacrev, staticpy.jacfwd, staticpy.hessian)


def of_plain(transform: Function, function: Function, *args: Any, **options: Any) -> Any:
    return transform(function, holomorphic=True, **options)(*args)


def of_compiled(transform: Function, function: Function, *args: Any, **options: Any) -> Any:
    return transform(staticpy.jit(function), holomorphic=True, **options)(*args)


def in_compiled(transform: Function, function: Function, *args: Any, **options: Any) -> Any:
    def around(*given: Any) -> Any:
        return transform(function, holomorphic=True, **options)(*given)

    return staticpy.jit(around)(*args)


each_way = pytest.mark.parametrize("derive", [of_plain, of_compiled, in_compiled])


def product(z):
    return (np.sin(z) * z**2).prod()


def powers(z):
    for _ in range(3):
        z = z * z + 0.1
    return z


def crossed(z):
    return {"a": np.exp(z[:2]) * z[2], "b": (z @ z, None)}


def slope(function: Function, z: Any, step: complex = 1e-6) -> Any:
    """The derivative of a number by each number in ``z``, which is the same in all directions."""
    if not isinstance(z, np.ndarray):
        return (function(z + step) - function(z - step)) / (2 * step)
    found = np.zeros_like(z)
    for place in np.ndindex(z.shape):
        change = np.zeros_like(z)
        change[place] = step
        found[place] = (function(z + change) - function(z - change)) / (2 * step)
    return found


@each_way
@pytest.mark.parametrize("step", [1e-6, 1e-6j, (3 + 4j) * 1e-7])
def test_differences_in_any_direction(derive: Function, step: complex) -> None:
    found = derive(staticpy.grad, product, Z)
    np.testing.assert_allclose(found, slope(product, Z, step), rtol=1e-8)
    value, found = derive(staticpy.value_and_grad, powers, 0.3 + 0.5j)
    assert value == powers(0.3 + 0.5j)
    assert type(found) is complex
    np.testing.assert_allclose(found, slope(powers, 0.3 + 0.5j, step), rtol=1e-8)


@each_way
def test_jacobians(derive: Function) -> None:
    expected = [slope(lambda z: crossed(z)["a"][n], Z) for n in range(2)]  # noqa: B023 - at once
    for transform in (staticpy.jacrev, staticpy.jacfwd):
        found = derive(transform, crossed, Z)
        np.testing.assert_allclose(found["a"], expected, rtol=1e-8)
        np.testing.assert_allclose(found["b"][0], 2 * Z)
    second = derive(staticpy.hessian, product, Z)
    np.testing.assert_allclose(second, second.T, rtol=1e-12)
    by_grad = [slope(lambda z: staticpy.grad(product, holomorphic=True)(z)[n], Z) for n in range(3)]  # noqa: B023
    np.testing.assert_allclose(second, by_grad, rtol=1e-7)


@each_way
def test_options_and_dtypes(derive: Function) -> None:
    def f(parameters, z, n):
        return (parameters["w"] * z**n).sum(), n

    found, aux = derive(staticpy.grad, f, {"w": 2j, "none": None}, Z, 2, has_aux=True)
    assert found == {"w": (Z**2).sum(), "none": None}
    assert aux == 2
    by_tree, by_z = derive(staticpy.grad, f, {"w": 2j}, Z, 2, argnums=(0, 1), has_aux=True)[0]
    assert by_tree["w"] == (Z**2).sum()
    np.testing.assert_allclose(by_z, 4j * Z)
    narrow = derive(staticpy.grad, lambda z: z**3, np.complex64(1 + 1j))
    assert narrow.dtype == np.complex64
    assert derive(staticpy.jacrev, lambda z: z * z, Z.astype("c8")).dtype == np.complex64


@each_way
def test_without_it_the_gradient_is_of_a_real_number(derive: Function) -> None:
    """Of a holomorphic function it is that of its real part: ∂re/∂x - i ∂re/∂y."""
    found = derive(staticpy.grad, product, Z)
    assert np.array_equal(found, staticpy.grad(lambda z: product(z).real)(Z))


@pytest.mark.parametrize("form", [staticpy.jit, lambda function: function], ids=["graph", "tape"])
def test_with_other_transforms(form: Function) -> None:
    third = form(lambda z: z**4)
    for _ in range(3):
        third = staticpy.grad(third, holomorphic=True)
    np.testing.assert_allclose(third(0.5 + 1j), 24 * (0.5 + 1j))
    each = staticpy.vmap(staticpy.grad(form(lambda z: z**3), holomorphic=True))
    np.testing.assert_allclose(each(Z), 3 * Z**2)

    def length(z):
        return abs(staticpy.grad(np.sin, holomorphic=True)(z)) ** 2

    def expected(z):
        return abs(np.cos(z)) ** 2

    np.testing.assert_allclose(staticpy.grad(form(length))(1 + 1j), staticpy.grad(expected)(1 + 1j))


@each_way
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_what_is_not_complex(derive: Function, transform: Function) -> None:
    def squares(z):
        return (z * z).sum()

    def absolute(z):
        return np.abs(z).sum()

    for function, args, what in (
        (squares, (Z.real,), "argument 0 holds a number of type f64["),
        (squares, (np.arange(3),), "argument 0 holds a number of type i64["),
        (absolute, (Z,), "the function returns a number of type f64"),
    ):
        with pytest.raises(CompileError) as caught:
            derive(transform, function, *args)
        diagnostic = caught.value.diagnostics[0]
        assert diagnostic.code == "SPY714"
        assert what in diagnostic.message
        assert diagnostic.span.file == __file__


@each_way
def test_what_is_more_than_one_number(derive: Function) -> None:
    with pytest.raises(CompileError) as caught:
        derive(staticpy.grad, lambda z: z * z, Z)
    assert "not one complex number" in caught.value.diagnostics[0].message


def test_who_forgets_it_is_told() -> None:
    for function in (lambda z: z * z, staticpy.jit(lambda z: z * z)):
        with pytest.raises(CompileError, match="holomorphic=True"):
            staticpy.grad(function)(1j)
    for transform in (staticpy.jacrev, staticpy.jacfwd):
        with pytest.raises(TypeError, match="holomorphic=True"):
            transform(lambda z: z * z)(Z)
