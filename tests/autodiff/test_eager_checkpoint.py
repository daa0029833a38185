"""Checkpoints in plain Python: what the record keeps, and that nothing else changes."""

from __future__ import annotations

import copy
import gc
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import (
    CompileError,
    GradientTape,
    Tensor,
    checkpoint,
    custom_vjp,
    grad,
    jvp,
    vjp,
    vmap,
)
from tests.autodiff.programs import PROGRAMS

X = np.random.default_rng(0).normal(size=(300, 4))
W = np.linspace(-0.5, 0.5, 16).reshape(4, 4)


def same(found: Any, expected: Any) -> None:
    """Bit for bit, with the same types."""
    assert type(found) is type(expected)
    if isinstance(found, tuple | list):
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif isinstance(found, dict):
        same(list(found.items()), list(expected.items()))
    elif isinstance(found, Tensor):
        same(found.content, expected.content)
    elif isinstance(found, np.ndarray | np.generic):
        assert found.dtype == expected.dtype
        assert np.asarray(found).tobytes() == np.asarray(expected).tobytes()
    else:
        assert found == expected or found != found


def outcome(run: Callable[[], Any]) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run()
    except Exception as error:  # whatever it is, it is the same
        return type(error).__name__, str(error)


TRANSFORMS: dict[str, Callable[[Any, tuple[Any, ...]], Any]] = {
    "grad": lambda f, args: staticpy.value_and_grad(f)(*args),
    "jvp": lambda f, args: jvp(f, args, (args[0], *(None for _ in args[1:]))),
    "vjp": lambda f, args: [vjp(lambda x: f(x, *args[1:]), args[0])[1](1.0) for _ in range(2)],
    "twice": lambda f, args: grad(lambda x: (grad(f)(x, *args[1:]) ** 2).sum())(args[0]),
    "jvp of grad": lambda f, args: jvp(lambda x: grad(f)(x, *args[1:]), args[:1], args[:1]),
}


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize(
    ("function", "args"), [pytest.param(*each, id=each[0].__name__) for each in PROGRAMS]
)
def test_programs(function: Callable[..., Any], args: tuple[Any, ...], name: str) -> None:
    take = TRANSFORMS[name]
    expected = outcome(lambda: take(function, copy.deepcopy(args)))
    same(outcome(lambda: take(checkpoint(function), copy.deepcopy(args))), expected)
    nested = checkpoint(lambda *args: checkpoint(function)(*args) * 1.0)
    flat = outcome(lambda: take(lambda *args: function(*args) * 1.0, copy.deepcopy(args)))
    same(outcome(lambda: take(nested, copy.deepcopy(args))), flat)


@pytest.mark.parametrize(
    ("function", "args"), [pytest.param(*each, id=each[0].__name__) for each in PROGRAMS]
)
def test_tensors(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    def backward(f: Callable[..., Any], create_graph: bool = False) -> Any:
        leaf, *rest = copy.deepcopy(args)
        t = Tensor(leaf, requires_grad=True)
        f(t, *rest).backward(create_graph=create_graph)
        if create_graph:
            first, t.grad = t.grad, None
            (first * first).sum().backward()
        return t.grad

    for order in (False, True):
        expected = outcome(lambda order=order: backward(function, order))
        same(outcome(lambda order=order: backward(checkpoint(function), order)), expected)


def block(h: Any) -> Any:
    for _ in range(5):
        h = np.tanh(h @ W) * 1.1 + h
    return h


def chain(x: Any, count: int, step: Callable[..., Any]) -> Any:
    for _ in range(count):
        x = step(x)
    return (x * x).sum()


def peak(run: Callable[[], Any]) -> float:
    """The largest memory while something runs, in arrays like X."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1] / BIG.nbytes
    finally:
        tracemalloc.stop()
        gc.enable()


BIG = np.random.default_rng(0).normal(size=(20_000, 4))


def by_backward(count: int, step: Callable[..., Any]) -> Any:
    t = Tensor(BIG, requires_grad=True)
    chain(t, count, step).backward()
    return t.grad


@pytest.mark.parametrize(
    "gradient", [lambda n, step: grad(lambda x: chain(x, n, step))(BIG), by_backward]
)
def test_memory_is_that_of_the_inputs(gradient: Callable[..., Any]) -> None:
    short, long = (peak(lambda n=n: gradient(n, checkpoint(block))) for n in (4, 24))
    assert (long - short) / 20 < 1.5  # of each call what comes out, which is what goes in next
    assert (peak(lambda: gradient(8, block)) - peak(lambda: gradient(4, block))) / 4 > 20
    same(gradient(6, checkpoint(block)), gradient(6, block))
    outer = checkpoint(lambda h: checkpoint(block)(checkpoint(block)(h)))
    assert peak(lambda: gradient(12, outer)) < long + 6


def test_a_record_holds_what_comes_out() -> None:
    """Nothing else is alive before anybody goes back."""
    gc.collect()
    tracemalloc.start()
    try:
        t = Tensor(BIG, requires_grad=True)
        value = chain(t, 10, checkpoint(block))
        assert tracemalloc.get_traced_memory()[0] / BIG.nbytes < 20
    finally:
        tracemalloc.stop()
    value.backward()


def test_effects_happen_once(capsys: pytest.CaptureFixture[str]) -> None:
    generator, seen, counts = np.random.default_rng(0), [], np.zeros(2)

    def noisy(x: Any) -> Any:
        print("called")
        seen.append(len(seen))
        counts[0] += 1
        mask = generator.random(x.shape) > 0.5
        return np.sin(x * mask) * generator.normal()

    def run(f: Callable[..., Any]) -> Any:
        nonlocal generator
        generator = np.random.default_rng(7)
        return grad(lambda x: (f(np.cos(x)) ** 2).sum())(X)

    same(run(checkpoint(noisy)), run(noisy))
    assert seen == [0, 1]
    assert counts[0] == 2
    assert capsys.readouterr().out == "called\n" * 2


def test_warnings_are_given_once() -> None:
    def root(x: Any) -> Any:
        return np.log(np.sqrt(x) * 1.0).sum()

    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        root(np.array([-1.0, 1.0]))
        alone = len(given)
        grad(root)(np.array([-1.0, 1.0]))
        plain = len(given) - alone
        grad(checkpoint(root))(np.array([-1.0, 1.0]))
    assert len(given) - alone - plain == plain


def test_around() -> None:
    """What a function reads of the variables around it is differentiated by as well."""

    def f(x: Any, w: Any, step: Callable[..., Any]) -> Any:
        return step(lambda h: np.tanh(h * w).sum() * h)(x * 2.0).sum()

    expected = staticpy.value_and_grad(f, (0, 1))(X, X[0], lambda g: g)
    same(staticpy.value_and_grad(f, (0, 1))(X, X[0], checkpoint), expected)
    x, w = Tensor(X, requires_grad=True), Tensor(X[0], requires_grad=True)
    f(x, w, checkpoint).backward()
    same((x.grad.content, w.grad.content), expected[1])


def test_what_is_written_to_is_kept() -> None:
    def f(x: Any) -> Any:
        h = np.tanh(x) + 2.0
        h[0] = h[1] + h[2]
        h += x
        return np.exp(h)

    def run(step: Callable[..., Any]) -> Any:
        t = Tensor(X, requires_grad=True)
        y = step(t * 1.0)
        (y * y).sum().backward()
        return t.grad

    same(run(checkpoint(f)), run(f))


def test_what_is_written_to_later_is_refused() -> None:
    t = Tensor(X, requires_grad=True)
    h = t * 1.0
    y = checkpoint(lambda h: np.tanh(h * 2.0).sum())(h)
    h += 1.0
    with pytest.raises(CompileError) as raised:
        y.backward()
    assert raised.value.diagnostics[0].code == "SPY708"


def test_what_others_hold_is_what_it_was() -> None:
    """A Tensor that leaves the function by another way has its gradient, too."""
    kept: list[Any] = []

    def f(x: Any) -> Any:
        kept.append(np.sin(x))
        return np.exp(kept[-1] * 2.0).sum() * kept[-1]

    def run(step: Callable[..., Any]) -> Any:
        kept.clear()
        t = Tensor(X, requires_grad=True)
        with GradientTape(persistent=True) as tape:
            y = (step(t).sum() + kept[0] ** 2).sum()
        return tape.gradient(y, [t, kept[0]]), grad(lambda x: (step(x) + kept[-1]).sum())(X)

    same(run(checkpoint(f)), run(f))


def test_rules_of_ones_own() -> None:
    doubled = custom_vjp(lambda x: x * x)
    doubled.defvjp(lambda x: (np.sin(x), np.cos(x)), lambda c, g: (c * g * 3.0,))

    def f(x: Any) -> Any:
        return (doubled(np.tanh(x)) * x).sum()

    for take in (grad, lambda f: grad(lambda x: (grad(f)(x) ** 3).sum())):
        same(take(checkpoint(f))(X), take(f)(X))


def test_many_examples() -> None:
    f = lambda x: (np.exp(np.tanh(x) * x)).sum()
    same(vmap(grad(checkpoint(f)))(X), vmap(grad(f))(X))
    same(grad(lambda x: vmap(checkpoint(f))(x).sum())(X), grad(lambda x: vmap(f)(x).sum())(X))
    same(staticpy.hessian(checkpoint(f))(X[0]), staticpy.hessian(f)(X[0]))
    same(staticpy.jacfwd(checkpoint(np.sin))(X[0]), staticpy.jacfwd(np.sin)(X[0]))


def test_back_more_than_once() -> None:
    t = Tensor(X, requires_grad=True)
    y = chain(t, 3, checkpoint(block))
    y.backward(retain_graph=True)
    first, t.grad = t.grad, None
    y.backward()
    same(t.grad, first)
    push = staticpy.linearize(lambda x: chain(x, 3, checkpoint(block)), X)[1]
    same(push(X), push(X))
