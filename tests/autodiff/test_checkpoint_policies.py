"""Policies of checkpoints: which results are saved in the place of being computed again."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import checkpoint, checkpoint_name, checkpoint_policies, grad, jit, vmap
from staticpy.ops import REGISTRY
from tests.autodiff.programs import PROGRAMS

Function = Callable[..., Any]
X = np.random.default_rng(0).normal(size=(5, 4))
W = np.linspace(-0.5, 0.5, 16).reshape(4, 4)
POLICIES = {
    "none": None,
    "nothing": checkpoint_policies.nothing_saveable,
    "everything": checkpoint_policies.everything_saveable,
    "dots": checkpoint_policies.dots_saveable,
    "single dots": checkpoint_policies.dots_with_no_batch_dims_saveable,
    "these names": checkpoint_policies.save_only_these_names("hidden"),
    "other names": checkpoint_policies.save_any_names_but_these("hidden"),
    "all but these names": checkpoint_policies.save_anything_except_these_names("hidden"),
    "both": checkpoint_policies.save_from_both_policies(
        checkpoint_policies.dots_saveable, checkpoint_policies.save_only_these_names("scaled")
    ),
}
FORMS: dict[str, Callable[[Function, Any], Function]] = {
    "of a plain function": lambda f, policy: checkpoint(f, policy=policy),
    "of a compiled function": lambda f, policy: checkpoint(jit(f), policy=policy),
    "in a compiled function": lambda f, policy: jit(checkpoint(f, policy=policy)),
}
every_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
every_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def perceptron(x, w):
    hidden = checkpoint_name(np.tanh(x @ w), "hidden")
    scaled = checkpoint_name(np.exp(hidden) * 0.5, "scaled")
    return (np.sin(scaled @ w) ** 2).sum()


def rounds(x, w):
    for i in range(4):
        x = np.tanh(x @ w) if i != 2 else checkpoint_name(np.exp(np.sin(x)), "hidden") @ w
    return (x * x).sum()


def rounds_until(x, w):
    count = 0
    while count < 9:
        x = np.sin(x @ w) + x
        if x.max() > 3.0:
            break
        count += 1
    return (x * x).sum() * count


def writes_to_a_product(x, w):
    hidden = x @ w
    size = np.tanh(hidden)
    hidden[0] = size[1] * 2.0
    return (np.tanh(hidden @ w) * size).sum()


def gives_what_is_named(x, w):
    pair = checkpoint_name((np.exp(x @ w), 3), "hidden")
    return (np.sin(pair[0]) * pair[1]).sum()


every_program = pytest.mark.parametrize(
    "program", [perceptron, rounds, rounds_until, writes_to_a_product, gives_what_is_named]
)


def bits(tree: Any) -> Any:
    return [bits(x) for x in tree] if isinstance(tree, tuple) else np.asarray(tree).tobytes()


def close(found: Any, expected: Any, tolerance: float = 1e-13) -> None:
    if isinstance(expected, tuple):
        for one, other in zip(found, expected, strict=True):
            close(one, other, tolerance)
    else:
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=1e-12)


@every_policy
@every_program
@pytest.mark.parametrize("form", FORMS)
def test_gradients_are_those_without(program: Function, form: str, policy: Any) -> None:
    expected = staticpy.value_and_grad(program, (0, 1))(X, W)
    found = staticpy.value_and_grad(FORMS[form](program, policy), (0, 1))(X, W)
    if program is rounds and "compiled" in form:
        close(found, expected)  # without a policy it runs in pieces
    else:
        assert bits(found) == bits(expected)


def a_view_of_what_is_written_to(x, n):
    m = np.outer(x, x)
    d = np.einsum("ii->i", m)
    for i in range(n):
        d[i] = d[i + 1] * x[i]
        m[2] += d
    return (m**2).sum() + (d**2).sum()


@every_policy
def test_what_is_written_to_is_not_saved(policy: Any) -> None:
    f = checkpoint(jit(a_view_of_what_is_written_to), policy=policy)
    assert bits(grad(f)(X[0], 2)) == bits(grad(jit(a_view_of_what_is_written_to))(X[0], 2))


@pytest.mark.parametrize(
    ("function", "args"), [pytest.param(*each, id=each[0].__name__) for each in PROGRAMS[:40:2]]
)
def test_saving_all_that_can_be_saved(function: Function, args: tuple[Any, ...]) -> None:
    """Without a name that is excepted, whatever is found to be saveable is saved."""
    policy = checkpoint_policies.save_anything_except_these_names()
    expected = staticpy.value_and_grad(checkpoint(jit(function)))(*args)
    found = staticpy.value_and_grad(checkpoint(jit(function), policy=policy))(*args)
    assert found[0] == expected[0]
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-13)


# --- what is computed again -----------------------------------------------------------------------


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[list[str]]:
    """The calls of the kernel of an operation."""
    calls, op = [], REGISTRY[name]
    kernel = op.kernel
    assert kernel is not None

    def counting(*args: Any, **attrs: Any) -> Any:
        calls.append(name)
        return kernel(*args, **attrs)

    with monkeypatch.context() as patch:
        patch.setitem(REGISTRY, name, dataclasses.replace(op, kernel=counting))
        yield calls


def runs_in_python(monkeypatch: pytest.MonkeyPatch, f: Function, name: str) -> int:
    with counted(monkeypatch, name) as calls:
        staticpy.value_and_grad(f, (0, 1))(X, W)
    return len(calls)


def runs_in_graph(f: Function, name: str) -> int:
    lowered = staticpy.value_and_grad(f, (0, 1)).lower(X, W)
    return lowered.compile().ir.count(f"= {name} ")


RUNS = {
    # How often matmul, tanh and exp run: on the way there 2, 1 and 1 times; the way back has four
    # products of its own. The rules of tanh and exp read what these give.
    "none": (8, 2, 2),
    "nothing": (8, 2, 2),
    "everything": (6, 1, 1),
    "dots": (6, 2, 2),
    "single dots": (6, 2, 2),
    "these names": (7, 1, 2),
    "other names": (8, 2, 2),
    "all but these names": (6, 2, 1),
    "both": (6, 2, 2),
}


@pytest.mark.parametrize("name", RUNS)
def test_what_is_computed_again(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    policy, kernels = POLICIES[name], ("matmul", "tanh", "exp")
    plain, compiled = (
        checkpoint(perceptron, policy=policy),
        checkpoint(jit(perceptron), policy=policy),
    )
    assert tuple(runs_in_python(monkeypatch, plain, each) for each in kernels) == RUNS[name]
    assert tuple(runs_in_graph(compiled, each) for each in kernels) == RUNS[name]


def test_rounds_of_loops_save_their_products(monkeypatch: pytest.MonkeyPatch) -> None:
    saving = POLICIES["dots"]
    assert runs_in_python(monkeypatch, checkpoint(rounds), "matmul") == 4 + 4 + 8
    assert runs_in_python(monkeypatch, checkpoint(rounds, policy=saving), "matmul") == 4 + 8
    graph = jit(rounds)  # in which there are two products, one on each side of the branch
    assert runs_in_graph(checkpoint(graph), "matmul") == 2 + 2 + 4
    assert runs_in_graph(checkpoint(graph, policy=saving), "matmul") == 2 + 4


def stacks(x, w):
    return np.sin(np.stack([x, x + 1.0]) @ np.stack([w.T, w])).sum()


def one_matrix_for_all(x, w):
    return np.sin(np.stack([x, x + 1.0]) @ w).sum()


def stacks_by_einsum(x, w):
    return np.sin(np.einsum("bij,bjk->bik", np.stack([x, x]), np.stack([w, w]))).sum()


def one_matrix_by_einsum(x, w):
    return np.sin(np.einsum("bij,jk->bik", np.stack([x, x]), w)).sum()


@pytest.mark.parametrize(
    ("program", "is_single"),
    [
        (stacks, False),
        (one_matrix_for_all, True),
        (stacks_by_einsum, False),
        (one_matrix_by_einsum, True),
    ],
)
def test_products_of_stacks(
    monkeypatch: pytest.MonkeyPatch, program: Function, is_single: bool
) -> None:
    """A stack of matrices by a single one has no axis that both operands have."""
    op = "matmul" if program in (stacks, one_matrix_for_all) else "numpy.call"

    def runs(policy: str) -> int:
        return runs_in_python(monkeypatch, checkpoint(program, policy=POLICIES[policy]), op)

    assert runs("dots") < runs("none")
    assert (runs("single dots") == runs("dots")) is is_single
    f = checkpoint(jit(program), policy=POLICIES["single dots"])
    expected = grad(program, (0, 1))(X, W)
    close(grad(f, (0, 1))(X, W), expected)


# --- in other transforms --------------------------------------------------------------------------


TRANSFORMS: dict[str, Callable[[Function], Any]] = {
    "jvp": lambda f: staticpy.jvp(f, (X, W), (X, W)),
    "vjp": lambda f: staticpy.vjp(f, X, W)[1](1.0),
    "linearize": lambda f: staticpy.linearize(f, X, W)[1](X, W),
    "hvp": lambda f: staticpy.hvp(f, (X, W), (X, None)),
    "hessian": lambda f: staticpy.hessian(f)(X[:2], W),
    "vmap of grad": lambda f: vmap(grad(lambda x, w: f(x[None], w)), (0, None))(X, W),
    "grad of vmap": lambda f: grad(lambda x, w: vmap(lambda r: f(r[None], w))(x).sum())(X, W),
    "grad of grad": lambda f: grad(lambda x, w: (grad(f)(x, w) ** 2).sum(), (0, 1))(X, W),
}


@pytest.mark.parametrize("take", TRANSFORMS.values(), ids=TRANSFORMS)
@pytest.mark.parametrize("policy", ["dots", "these names", "all but these names"])
@every_form
def test_in_transforms(form: Any, policy: str, take: Callable[[Function], Any]) -> None:
    expected, found = take(perceptron), take(form(perceptron, POLICIES[policy]))
    close(found, expected, 1e-9)


def test_one_in_another() -> None:
    inner = checkpoint(perceptron, policy=POLICIES["dots"])

    def outer(x, w):
        return checkpoint(lambda y: inner(np.sin(y), w) * inner(y, w), policy=POLICIES["both"])(x)

    def plain(x, w):
        return perceptron(np.sin(x), w) * perceptron(x, w)

    expected = grad(plain, (0, 1))(X, W)
    assert bits(grad(outer, (0, 1))(X, W)) == bits(expected)
    close(grad(jit(outer), (0, 1))(X, W), expected)


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [jit, lambda f: f], ids=["graph", "tape"])
def test_names_are_given_to_trees(form: Any) -> None:
    def f(x):
        named = checkpoint_name({"x": x, "pair": (x * 2, [3])}, "all")
        return named["x"] * named["pair"][0] * named["pair"][1][0]

    assert form(f)(2.0) == 24.0
    assert grad(form(f))(2.0) == 24.0
    assert checkpoint_name(X, "x") is X


@pytest.mark.parametrize("form", [jit, lambda f: f], ids=["graph", "tape"])
def test_what_has_no_name(form: Any) -> None:
    with pytest.raises(TypeError, match="the name is a str, not 3"):
        form(lambda x: checkpoint_name(x, 3))(1.0)
    with pytest.raises(TypeError, match="checkpoint_name takes numbers and arrays"):
        form(lambda x: checkpoint_name((x, "text"), "x")[0])(1.0)


# --- options --------------------------------------------------------------------------------------


def of_kind(x, kind, power=2):
    return np.sin(x) ** power if kind == "sine" else x**power


@every_form
@pytest.mark.parametrize("static", [1, -1, (1,), (-1, 1), ()])
def test_static_arguments_are_handed_on(form: Any, static: Any) -> None:
    del form
    f = checkpoint(of_kind, static_argnums=static)
    assert grad(lambda x: f(x, "sine"))(0.5) == grad(lambda x: of_kind(x, "sine"))(0.5)
    assert jit(lambda x: grad(f)(x, "sine"))(0.5) == grad(jit(of_kind))(0.5, "sine")


def test_a_static_number_has_its_derivative() -> None:
    """As in JAX, where it is read of the variables around."""
    f = checkpoint(lambda x, y: np.sin(x * y), static_argnums=1)
    assert grad(f, (0, 1))(1.5, 2.0) == grad(jit(f), (0, 1))(1.5, 2.0)
    assert grad(f, 1)(1.5, 2.0) == 1.5 * np.cos(3.0)


OPTIONS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"static_argnums": 2}, ValueError, "static_argnums is 2, and the call has 2 arguments"),
    ({"static_argnums": (0, -3)}, ValueError, "at least -2 and below 2"),
    ({"static_argnums": "x"}, TypeError, "an int or a tuple of ints, not 'x'"),
    ({"static_argnums": (True,)}, TypeError, "an int or a tuple of ints"),
    ({"policy": "dots_saveable"}, TypeError, "one of staticpy.checkpoint_policies"),
    ({"policy": checkpoint_policies.save_only_these_names}, TypeError, "checkpoint_policies"),
    ({"policy": checkpoint_policies.save_only_these_names(1)}, TypeError, "checkpoint_policies"),
]


@pytest.mark.parametrize(("options", "error", "says"), OPTIONS)
def test_options_that_are_none(options: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        checkpoint(of_kind, **options)(1.0, 2.0)
    with pytest.raises(error, match=says):
        jit(checkpoint(of_kind, **options))(1.0, 2.0)


@pytest.mark.parametrize("prevent_cse", [True, False])
def test_as_a_decorator_with_options(prevent_cse: bool) -> None:
    @functools.partial(
        checkpoint, prevent_cse=prevent_cse, policy=POLICIES["dots"], static_argnums=(2,)
    )
    def scaled(x, w, kind):
        return perceptron(x, w) if kind == "plain" else perceptron(x, w) * 2.0

    for form in (jit, lambda f: f):
        f = form(lambda x, w: scaled(x, w, "double"))
        expected = grad(lambda x, w: perceptron(x, w) * 2.0, (0, 1))(X, W)
        assert bits(grad(f, (0, 1))(X, W)) == bits(expected)
