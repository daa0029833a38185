"""Functions with rules of their own in every transform, and on Tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import (
    checkpoint,
    custom_jvp,
    custom_vjp,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    stop_gradient,
    vjp,
    vmap,
)
from staticpy.diagnostics import CompileError
from tests.autodiff.test_custom import Form, both, code_of, square
from tests.autodiff.test_custom import cube as told

X = np.array([1.0, 2.0, 3.0])


@custom_vjp
def cube(x):
    return x**3


cube.defvjp(lambda x: (x**3, x), lambda x, g: (30 * x * x * g,))  # ten times the derivative


@custom_jvp
def cube_of_tangents(x):
    return x**3


@cube_of_tangents.defjvp
def _pushed(primals, tangents):
    return primals[0] ** 3, 30 * primals[0] ** 2 * tangents[0]


RULES = pytest.mark.parametrize("rule", [cube, cube_of_tangents], ids=["vjp", "jvp"])


@RULES
@both
def test_reverse_transforms(form: Form, rule: Any) -> None:
    out, back = vjp(form(lambda x: rule(x) * 2), 2.0)
    assert (out, back(1.0), back(1.0), back(3.0)) == (16.0, (240.0,), (240.0,), (720.0,))
    assert form(lambda x: vjp(lambda y: rule(y) * 2, x)[1](3.0))(2.0) == (720.0,)
    assert grad(form(lambda x: vjp(lambda y: rule(y) * 2, x)[1](x)[0]))(2.0) == 720.0
    _, back = vjp(form(lambda x: grad(lambda y: y * rule(x))(2.0)), 2.0)
    assert (back(1.0), back(1.0)) == ((120.0,), (120.0,))
    np.testing.assert_allclose(jacrev(form(rule))(X), np.diag(30 * X**2))


@RULES
@both
def test_the_result_is_what_is_returned(form: Form, rule: Any) -> None:
    assert staticpy.value_and_grad(form(rule))(2.0) == (8.0, 120.0)
    (value, kept), slope = staticpy.value_and_grad(form(_kept(rule)), has_aux=True)(X)
    assert (value, kept.tolist(), slope.tolist()) == (36.0, [1, 8, 27], [30, 120, 270])
    if rule is cube_of_tangents:
        out, moved = jvp(form(rule), (X,), (X,))
        assert (out.tolist(), moved.tolist()) == ([1, 8, 27], [30, 240, 810])


def _kept(rule: Any) -> Callable[[Any], Any]:
    def f(x):
        y = rule(x)
        return y.sum(), y

    return f


@both
def test_a_rule_may_change_its_tangents(form: Form) -> None:
    f = custom_jvp(lambda x: x**3)

    def pushed(primals, tangents):
        (x,), (t,) = primals, tangents
        t *= 30
        t *= x**2
        return x**3, t

    f.defjvp(pushed)
    assert jvp(form(lambda x: f(x) + x), (X,), (X,))[1].tolist() == [31, 242, 813]
    assert grad(form(lambda x: f(x).sum()))(X).tolist() == [30, 120, 270]


@RULES
def test_what_a_pullback_gives_is_differentiated_by_its_cotangent(rule: Any) -> None:
    _, back = vjp(lambda x: rule(x) * 2, 2.0)
    assert grad(lambda g: back(g)[0] * g)(3.0) == 2 * 240.0 * 3.0


@RULES
@both
def test_forward_over_reverse(form: Form, rule: Any) -> None:
    assert jvp(grad(form(lambda x: rule(x) * 2)), (2.0,), (1.0,)) == (240.0, 240.0)
    # The gradient is rule(x) + 30 x**3; its value fwd gives, of which the derivative is 3 x**2, or
    # the rule for tangents.
    factor = 93 if rule is cube else 120
    found = hvp(form(lambda x: (rule(x) * x).sum()), (X,), (X,))
    np.testing.assert_allclose(found, factor * X**3)


@both
def test_tangents_go_by_the_rule(form: Form) -> None:
    rule = cube_of_tangents
    assert jvp(form(lambda x: rule(x) * 2), (2.0,), (1.0,)) == (16.0, 240.0)
    assert grad(form(lambda x: jvp(lambda y: rule(y) * 2, (x,), (1.0,))[1]))(2.0) == 240.0
    out, push = staticpy.linearize(form(lambda x: rule(x) * 2), 2.0)
    assert (out, push(1.0), push(2.0)) == (16.0, 240.0, 480.0)
    np.testing.assert_allclose(jacfwd(form(rule))(X), np.diag(30 * X**2))
    assert jvp(form(_in_memory), (X,), (X,)) == (46.0, 1056.0)


def _in_memory(x):
    y = cube_of_tangents(x)
    y[0] = 5.0
    for i in range(len(x)):
        y[i] += x[i]
    return y.sum()


@both
def test_tangents_do_not_go_by_a_rule_for_the_way_back(form: Form) -> None:
    assert code_of(lambda x: jvp(form(cube), (x,), (1.0,)), 2.0) == "SPY707"
    assert code_of(jacfwd(form(lambda y: cube(y) * y)), X) == "SPY707"
    around = form(lambda x, y: jvp(lambda x: x * cube(y), (x,), (1.0,)))
    assert around(2.0, 3.0) == (54.0, 27.0)  # nothing is pushed through it


@RULES
@both
def test_examples(form: Form, rule: Any) -> None:
    twice = lambda x: rule(x) * 2
    np.testing.assert_array_equal(vmap(form(twice))(X), 2 * X**3)
    np.testing.assert_array_equal(vmap(grad(form(twice)))(X), 60 * X**2)
    np.testing.assert_array_equal(grad(form(lambda x: vmap(twice)(x).sum()))(X), 60 * X**2)
    np.testing.assert_array_equal(grad(form(lambda x: vmap(grad(twice))(x).sum()))(X), 120 * X)


@both
def test_rules_are_not_got_round_by_constant_arguments(form: Form) -> None:
    def f(x):
        w = x * 2
        scaled = custom_vjp(lambda y: y * w)
        scaled.defvjp(lambda y: (y * w, None), lambda _, g: (g,))
        return scaled(3.0) + x

    assert code_of(grad(form(f)), 1.0) == "SPY707"

    def around(x):
        def of_other(z):
            w = z * 2
            scaled = custom_vjp(lambda y: y * w)
            scaled.defvjp(lambda y: (y * w, None), lambda _, g: (g,))
            return scaled(x) + z

        return grad(of_other)(1.0) * x

    assert code_of(grad(form(around)), 2.0) == "SPY707"


@both
def test_examples_of_several_rules(form: Form) -> None:
    for transform in (
        grad(form(lambda x: vmap(told)(x).sum())),
        vmap(grad(form(told))),
        grad(form(lambda x: vmap(checkpoint(told))(x).sum())),
    ):
        np.testing.assert_allclose(transform(X), 10 * X)
    np.testing.assert_allclose(grad(form(lambda x: vmap(square)(x).sum()))(X), 3 * X)
    stopped = grad(form(lambda x: vmap(lambda v: v * stop_gradient(v))(x).sum()))
    np.testing.assert_allclose(stopped(X), X)


@both
def test_the_way_back_through_several_rules(form: Form) -> None:
    def f(x):
        return told(x) * square(x)

    slope = 10 * X * X**2 + X**3 * 3 * X
    _, back = vjp(form(f), X)
    for factor in (1.0, 2.0):  # as often as one likes
        np.testing.assert_allclose(back(factor * np.ones(3))[0], factor * slope)
    inside = form(lambda x: vjp(checkpoint(f), x)[1](x)[0])
    np.testing.assert_allclose(inside(X), slope * X)
    np.testing.assert_allclose(jacrev(form(f))(X), np.diag(slope))
    second = hessian(form(lambda x: f(x).sum()))(X)
    # of 10 x * square(x) + told(x) * 3 x, where the rules give the derivatives
    expected = 10 * X**2 + 10 * X * 3 * X + 10 * X * 3 * X + X**3 * 3
    np.testing.assert_allclose(second, np.diag(expected))


@RULES
def test_of_what_is_compiled_inside_of_a_rule(rule: Any) -> None:
    """The function with the rule itself is handed to transforms that compile programs around it."""
    compiled = type(rule)(staticpy.jit(lambda x: x**3))
    if rule is cube:
        compiled.defvjp(rule.fwd, rule.bwd)
    else:
        compiled.defjvp(rule.jvp)
    for form in (compiled, staticpy.jit(compiled), staticpy.jit(rule)):
        for _ in range(2):
            out, back = vjp(form, 2.0)
            assert (out, back(1.0)) == (8.0, (120.0,))
        assert hvp(form, (2.0,), (1.0,)) == 120.0
        if rule is cube_of_tangents:
            assert jvp(form, (2.0,), (1.0,)) == (8.0, 120.0)
            assert linearize(form, 2.0)[1](1.0) == 120.0
            continue
        for transform in (lambda f: jvp(f, (2.0,), (1.0,)), lambda f: linearize(f, 2.0)[1](1.0)):
            with pytest.raises(CompileError, match="SPY707") as caught:
                transform(form)
            assert __file__ in str(caught.value)


@dataclass
class Point:
    x: float
    y: float


@both
def test_dataclasses(form: Form) -> None:
    f = custom_vjp(lambda p: p.x * p.y)
    f.defvjp(lambda p: (p.x * p.y, p), lambda p, g: (Point(10 * p.y * g, p.x * g),))
    found = grad(form(lambda p: f(p) * 2))(Point(2.0, 3.0))
    assert (type(found), found.x, found.y) == (Point, 60.0, 4.0)


def _loop(x):
    for _ in range(50):
        x = np.sin(x) * 1.1
    return x.sum()


@pytest.mark.parametrize(
    "take",
    [
        lambda f: jvp(f, (X,), (X,)),
        lambda f: hvp(f, (X,), (X,)),
        lambda f: vjp(f, X)[1](2.0),
        lambda f: grad(staticpy.jit(lambda x: jvp(f, (x,), (X,))[1]))(X),
        lambda f: vmap(grad(f))(np.stack([X, -X])),
        lambda f: grad(staticpy.jit(lambda x: vmap(f)(x).sum()))(np.stack([X, -X])),
    ],
    ids=["jvp", "hvp", "vjp", "grad of jvp", "vmap of grad", "grad of vmap"],
)
def test_checkpoint_in_transforms(take: Callable[[Any], Any]) -> None:
    compiled = staticpy.jit(_loop)
    for found, expected in zip(take(checkpoint(compiled)), take(compiled), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10)


# --- Tensors --------------------------------------------------------------------------------------


@RULES
def test_backward(rule: Any) -> None:
    x = staticpy.Tensor(2.0, requires_grad=True)
    y = rule(x) * 2
    y.backward(retain_graph=True)
    assert x.grad.item() == 240.0
    y.backward()
    assert x.grad.item() == 480.0
    with staticpy.GradientTape() as tape:
        y = rule(x)
    assert tape.gradient(y, x).item() == 120.0
    with staticpy.no_grad():
        assert not rule(x).requires_grad


@RULES
def test_second_derivatives_of_tensors_are_refused(rule: Any) -> None:
    x = staticpy.Tensor(2.0, requires_grad=True)
    y = rule(x)
    with pytest.raises(CompileError, match="one derivative"):
        y.backward(create_graph=True)
    with staticpy.GradientTape():
        with staticpy.GradientTape() as inner:
            y = rule(x)
        with pytest.raises(CompileError, match="one derivative"):
            inner.gradient(y, x)


@RULES
def test_backward_of_what_a_transform_gives(rule: Any) -> None:
    w = staticpy.Tensor(2.0, requires_grad=True)
    found = grad(lambda x: rule(x) * 2)(w)
    found.backward()
    assert (found.item(), w.grad.item()) == (240.0, 240.0)
    w.grad = None
    grad(lambda x: rule(x) * w)(3.0).backward()
    assert w.grad.item() == 270.0
    value = grad(lambda x: rule(w) * x)(3.0)
    with pytest.raises(CompileError, match="something else"):
        value.backward()


def test_rules_of_tensors_read_what_was_there() -> None:
    x = staticpy.Tensor(np.ones(3), requires_grad=True)
    y = cube(x)
    with staticpy.no_grad():
        x *= 2
    y.sum().backward()
    assert x.grad.tolist() == [30.0, 30.0, 30.0]


def test_rules_of_tensors_get_them_as_arguments() -> None:
    w = staticpy.Tensor(2.0, requires_grad=True)
    scaled = custom_vjp(lambda x: x * w)
    scaled.defvjp(lambda x: (x * w, None), lambda _, g: (g,))
    assert code_of(scaled, staticpy.Tensor(3.0, requires_grad=True)) == "SPY707"
