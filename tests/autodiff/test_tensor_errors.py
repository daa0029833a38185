"""What NumPy raises for arrays it raises for Tensors: its class, in its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import CompileError, Tensor

THREE, FOUR, TABLE = np.ones(3), np.ones(4), np.ones((2, 3))

CALLS: dict[str, Callable[[Callable[[Any], Any]], Any]] = {
    "sizes of an operator": lambda t: t(THREE) + t(FOUR),
    "sizes beside an array": lambda t: THREE * t(FOUR),
    "sizes of a comparison": lambda t: t(THREE) < t(FOUR),
    "sizes of a ufunc": lambda t: np.maximum(t(THREE), t(FOUR)),
    "sizes of a product": lambda t: t(TABLE) @ t(TABLE),
    "a product with a number": lambda t: t(TABLE) @ 2.0,
    "sizes of dot": lambda t: np.dot(t(THREE), t(FOUR)),
    "sizes of einsum": lambda t: np.einsum("ij,jk->ik", t(TABLE), t(TABLE)),
    "sizes of a system": lambda t: np.linalg.solve(t(np.eye(3)), t(FOUR)),
    "no square": lambda t: np.linalg.inv(t(TABLE)),
    "sizes of where": lambda t: np.where(t(THREE) > 0, t(FOUR), t(THREE)),
    "a method of another size": lambda t: t(THREE).reshape(2, 2),
    "a function to another size": lambda t: np.reshape(t(THREE), (2, 2)),
    "concatenate": lambda t: np.concatenate([t(TABLE), t(np.ones((2, 4)))]),
    "stack": lambda t: np.stack([t(THREE), t(FOUR)]),
    "an uneven split": lambda t: np.split(t(THREE), 2),
    "an index": lambda t: t(THREE)[5],
    "too many indexes": lambda t: t(THREE)[1, 2],
    "an index of an array": lambda t: t(THREE)[[7]],
    "a mask": lambda t: t(THREE)[np.array([True, False])],
    "a text for an index": lambda t: t(THREE)["first"],
    "a float for an index": lambda t: t(THREE)[1.5],
    "an axis of a method": lambda t: t(THREE).sum(axis=1),
    "an axis of a function": lambda t: np.sum(t(THREE), axis=-2),
    "an axis that is a text": lambda t: np.sum(t(THREE), axis="rows"),
    "axes of transpose": lambda t: t(TABLE).transpose(0, 2),
    "a new axis": lambda t: np.expand_dims(t(THREE), 5),
    "an axis to squeeze": lambda t: np.squeeze(t(THREE), 0),
    "no ufunc for the dtype": lambda t: t(THREE) & t(THREE),
    "no unary ufunc for the dtype": lambda t: ~t(THREE),
    "a text as operand": lambda t: t(THREE) + "text",
    "a text in front": lambda t: "text" * t(THREE),
    "no such dtype": lambda t: t(THREE).astype("nonsense"),
    "the largest of none": lambda t: t(np.ones(0)).max(),
}

WRITES: dict[str, Callable[[Callable[[Any], Any]], Any]] = {
    "sizes of an operator in place": lambda t: t(THREE).__iadd__(t(FOUR)),
    "sizes of an out": lambda t: np.add(t(THREE), t(THREE), out=t(FOUR)),
    "a write": lambda t: t(THREE).__setitem__(9, 1.0),
    "a write of another size": lambda t: t(THREE).__setitem__(slice(0, 2), THREE),
}


@pytest.mark.parametrize("call", [*CALLS.values(), *WRITES.values()], ids=[*CALLS, *WRITES])
def test_as_numpy(call: Callable[[Callable[[Any], Any]], Any]) -> None:
    with pytest.raises(Exception) as of_numpy:  # noqa: PT011 - whichever it is
        call(np.array)
    with pytest.raises(type(of_numpy.value)) as plain:
        call(Tensor)
    assert type(plain.value) is type(of_numpy.value)
    assert str(plain.value) == str(of_numpy.value)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_in_what_is_differentiated(call: Callable[[Callable[[Any], Any]], Any]) -> None:
    with pytest.raises(Exception) as of_numpy:  # noqa: PT011 - whichever it is
        call(np.array)
    with pytest.raises(type(of_numpy.value)) as derived:
        staticpy.grad(lambda x: call(lambda array: x * array))(1.0)
    assert str(derived.value) == str(of_numpy.value)


def test_a_program_may_catch_it() -> None:
    def f(x: Any, y: Any) -> Any:
        try:
            return (x + y).sum()
        except ValueError:
            return (x * 2).sum()

    assert staticpy.grad(f)(THREE, FOUR).tolist() == [2, 2, 2]
    assert staticpy.grad(f)(THREE, THREE).tolist() == [1, 1, 1]


def test_arguments_are_as_they_were() -> None:
    """NumPy is asked about copies."""
    out = np.zeros(3)
    with pytest.raises(CompileError, match="SPY711"):
        np.add(Tensor(THREE), Tensor(THREE), out=out)
    assert out.tolist() == [0, 0, 0]


def test_a_write_by_the_parts_of_complex_numbers_is_refused_at_its_line() -> None:
    def f(x: Any) -> Any:
        z = x * (1 + 1j)
        z.imag[1] = x[0]
        return (z.imag**2).sum()

    with pytest.raises(CompileError, match=r"SPY711.*\.imag") as caught:
        staticpy.grad(f)(THREE)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span.line == f.__code__.co_firstlineno + 2
    assert staticpy.grad(staticpy.jit(f))(THREE).tolist() == [4, 0, 2]


def test_what_numpy_does_is_refused_at_its_line() -> None:
    def f(x: Any) -> Any:
        return (x * 2).astype(object).sum()

    for run in (lambda: staticpy.grad(f)(THREE), lambda: f(Tensor(THREE))):
        with pytest.raises(CompileError) as caught:
            run()
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code == "SPY603"
        assert diagnostic.span.line == f.__code__.co_firstlineno + 1
