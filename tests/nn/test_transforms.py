"""Cells in all transforms: each stands for a dict of its parameters, compiled or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor, nn

Run = Callable[[Any], Any]
RNG = np.random.default_rng(4)
X, Y = RNG.normal(size=(4, 3)), RNG.normal(size=(4, 2))


def network() -> nn.Cell:
    return nn.SequentialCell(
        nn.Dense(3, 2, dtype=np.float64, rng=np.random.default_rng(1)), nn.Tanh()
    )


def loss(net: Any, x: Any, y: Any) -> Any:
    return ((net(x) - y) ** 2).mean()


def outputs(net: Any, x: Any, y: Any) -> Any:
    return {"out": net(x) - y, "first": x[0]}


Parameters = dict[str, Any]


class Plain:
    """The same network of a dict of arrays."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters

    def __call__(self, x: Any) -> Any:
        return np.tanh(x @ self.parameters["0.weight"].T + self.parameters["0.bias"])


def arrays(cell: nn.Cell) -> Parameters:
    return cell.state_dict()


def by_dict(fun: Callable[..., Any]) -> Callable[..., Any]:
    return lambda parameters, x, y: fun(Plain(parameters), x, y)


TANGENT = {"0.weight": RNG.normal(size=(2, 3)), "0.bias": RNG.normal(size=2)}
TRANSFORMS: dict[str, Callable[..., Any]] = {
    "grad": lambda f: staticpy.grad(f(loss)),
    "value_and_grad": lambda f: staticpy.value_and_grad(f(loss), (0, 1)),
    "jvp": lambda f: lambda *p: staticpy.jvp(f(loss), p, (TANGENT, None, Y)),
    "jvp_of_outputs": lambda f: lambda *p: staticpy.jvp(f(outputs), p, (TANGENT, X, None)),
    "jvp_by_one": lambda f: (
        lambda *p: staticpy.jvp(f(loss), p, ({**TANGENT, "0.bias": None}, None, None))
    ),
    "linearize": lambda f: lambda *p: staticpy.linearize(f(outputs), *p)[1](TANGENT, X, None),
    "vjp": lambda f: (
        lambda *p: staticpy.vjp(f(outputs), *p)[1]({"out": np.ones((4, 2)), "first": X[1]})
    ),
    "hvp": lambda f: lambda *p: staticpy.hvp(f(loss), p, (TANGENT, None, None)),
    "jacrev": lambda f: staticpy.jacrev(f(outputs)),
    "jacfwd": lambda f: staticpy.jacfwd(f(outputs), (0, 2)),
    "hessian": lambda f: staticpy.hessian(f(loss)),
    "vmap": lambda f: staticpy.vmap(f(outputs), (None, 0, 0)),
    "vmap_of_grad": lambda f: staticpy.vmap(staticpy.grad(f(loss)), (None, 0, 0)),
    "grad_of_vmap": lambda f: staticpy.grad(
        lambda *p: staticpy.vmap(f(loss), (None, 0, 0))(*p).sum()
    ),
    "vmap_of_hvp": lambda f: staticpy.vmap(
        lambda net, x, y: staticpy.hvp(f(loss), (net, x, y), (TANGENT, None, None)), (None, 0, 0)
    ),
    "jvp_of_grad": lambda f: lambda *p: staticpy.jvp(staticpy.grad(f(loss)), p, (TANGENT, X, None)),
    "jacfwd_of_grad": lambda f: staticpy.jacfwd(staticpy.grad(f(loss))),
    "grad_of_norm_of_grad": lambda f: staticpy.grad(
        lambda *p: sum([(each**2).sum() for each in staticpy.grad(f(loss))(*p).values()])
    ),
}


def same(found: Any, expected: Any) -> None:
    """Compare two trees."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for key, each in expected.items():
            same(found[key], each)
    elif isinstance(expected, tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif expected is None:
        assert found is None
    else:
        found = found.detach().numpy() if isinstance(found, Tensor) else found
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_as_a_dict_of_arrays(name: str) -> None:
    """In plain Python, of a compiled function, and inside of one."""
    net, make = network(), TRANSFORMS[name]
    expected = make(by_dict)(arrays(net), X, Y)
    same(make(lambda f: f)(net, X, Y), expected)
    same(make(staticpy.jit)(net, X, Y), expected)
    inside = make(lambda f: f)
    same(staticpy.jit(inside)(net, X, Y), expected)
    same(arrays(net), arrays(network()))  # which nothing has changed


@dataclass(eq=False)
class Scaled(nn.Cell):
    """A dataclass that is a Cell, with a parameter that is frozen."""

    factor: Any
    shift: Any

    def construct(self, x: Any) -> Any:
        return x * self.factor + self.shift


def scaled() -> Scaled:
    return Scaled(nn.Parameter([2.0, 3.0]), nn.Parameter([1.0, 1.0], requires_grad=False))


@pytest.mark.parametrize("run", [lambda f: f, staticpy.jit])
def test_kinds_of_cells(run: Run) -> None:
    """Dataclasses, frozen parameters, Cells in containers, and one parameter in two Cells."""

    def total(cells: Any, x: Any) -> Any:
        return sum([(cell(x) ** 2).sum() for cell in cells])

    x = np.array([1.0, -1.0])
    first, second = scaled(), scaled()
    found = run(staticpy.grad(total))((first, second), x)
    same(found, ({"factor": [6.0, 4.0]}, {"factor": [6.0, 4.0]}))
    second.factor = first.factor
    found = run(staticpy.grad(total))(nn.CellList([first, second]), x)
    same(found, {"0.factor": [12.0, 8.0]})
    tangents = ({"factor": np.ones(2)}, None)
    moved = run(lambda cell, x: staticpy.jvp(lambda c, x: c(x), (cell, x), tangents)[1])(first, x)
    same(moved, x)
    assert type(staticpy.jacfwd(run(lambda c, x: c(x)))(first, x)) is dict


@pytest.mark.parametrize("run", [lambda f: f, staticpy.jit])
@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda run, net: staticpy.jvp(run(loss), (net, X, Y), ({"weight": 1.0}, None, None)),
            TypeError,
            r"a dict with \['0.weight', '0.bias'\]",
        ),
        (
            lambda run, net: staticpy.jvp(
                run(loss), (net, X, Y), ({**TANGENT, "0.bias": np.ones(3)}, None, None)
            ),
            ValueError,
            "shape|size",
        ),
        (
            lambda run, net: staticpy.jvp(
                run(loss), (net, X, Y), ({**TANGENT, "0.bias": np.float32([1, 2])}, None, None)
            ),
            TypeError,
            "a primal that is float64 has a tangent that is float32",
        ),
        (
            lambda run, net: staticpy.vmap(run(loss))(net, X, Y),
            ValueError,
            "vmap: a Cell has no axis",
        ),
    ],
)
def test_refused(run: Run, call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        call(run, network())
