"""What NumPy has written when it raises, as ``outcome`` finds it out on copies."""

from __future__ import annotations

import itertools
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ops import REGISTRY, find_out, outcome

SIZES = [(3,), (17,), (8193,), (4, 4), (40, 300)]
DTYPES = list(itertools.product(["f8", "f4", "c16"], ["f8", "f4", "c8", "i8"]))


def even(y: np.ndarray) -> Any:
    return np.arange(y.size).reshape(y.shape) % 2 == 0


CHANGES: dict[str, Callable[..., Any]] = {
    **{each: getattr(operator, each) for each in ("iadd", "imul", "itruediv", "ipow")},
    "out": lambda y, x: np.log(x, out=y),
    "where": lambda y, x: np.divide(y, x, out=y, where=even(y)),
    "at": lambda y, x: np.divide.at(y, np.arange(len(y))[::-1], x),
    "store": lambda y, x: operator.setitem(y, ..., x),
    "stored at indexes": lambda y, x: operator.setitem(y, np.arange(len(y)), x),
    "copyto": lambda y, x: np.copyto(y, x, casting="same_kind"),
    "running": lambda y, x: np.cumprod(x, out=y, axis=0),
    "reversed": lambda y, x: operator.itruediv(y, y[::-1]),
    "further on": lambda y, x: operator.itruediv(y[1:], y[:-1]),
    "further back": lambda y, x: operator.itruediv(y[:-1], y[1:]),
    "a part": lambda y, x: operator.itruediv(y[::2], x[::2]),
}


WRITING = ("out", "store", "stored at indexes", "copyto", "running")
"""Those that don't read what they write to."""


def numbers(shape: tuple[int, ...], dtype: str, seed: int) -> Any:
    x = np.random.default_rng(seed).normal(size=shape)
    x.flat[0], x.flat[-1], x.flat[x.size // 2] = 0, 0, 1e300
    with np.errstate(all="ignore"):
        return x.astype(dtype)


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.filterwarnings("error")
def test_what_is_written(name: str, shape: tuple[int, ...]) -> None:
    """What is said on copies is what then happens."""
    for target, operand in DTYPES:
        y, x = numbers(shape, target, 0), numbers(shape, operand, 1)
        before, quiet = y.copy(), y.copy()
        with np.errstate(all="raise"):
            found, is_written = find_out(CHANGES[name], [y, x], reads=name not in WRITING)
            assert y.tobytes() == before.tobytes()
            try:
                CHANGES[name](y, x)
                raised = None
            except Exception as error:
                raised = error
        assert repr(found) == repr(raised)
        if is_written:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                CHANGES[name](quiet, x)
        assert y.tobytes() == (quiet if is_written else before).tobytes()


def test_operands_that_share_memory() -> None:
    y = np.array([1e200, 2.0, 3.0, 1e200])
    with np.errstate(all="raise"):
        for other, expected in ((y.copy()[::-1], True), (y[::-1], False)):
            raised, error, is_written = outcome.kernel(y, other, change="imul")  # type: ignore[misc]
            assert (raised, is_written) == (True, expected)
            assert isinstance(error, FloatingPointError)


def test_what_is_there_already_is_written_again() -> None:
    y = np.array([np.inf, 1.0], np.float32)
    place = {"change": "store", "spec": ("value",)}
    with np.errstate(all="raise"):
        assert outcome.kernel(y, np.float64(1e300), 0, **place)[2]  # type: ignore[misc]
        assert not outcome.kernel(y, 1e300, 0, **place)[2]  # type: ignore[misc]
        assert not outcome.kernel(y, 1e300, 5, **place)[2]  # type: ignore[misc]
        y[:] = 0
        with pytest.raises(DiagnosticError) as caught:
            outcome.kernel(y, 1e300, change="itruediv")  # type: ignore[misc]
    assert "don't tell" in str(caught.value.args_["why"])


def test_what_is_written_in_part_is_refused() -> None:
    y, places = np.ones(3), np.array([0, 9])
    for value in (1.0, 2.0):
        with pytest.raises(DiagnosticError) as caught:
            outcome.kernel(y, places, value, change="put", mode="raise")  # type: ignore[misc]
        assert "a part of" in str(caught.value.args_["why"])
    assert not outcome.kernel(y, places[::-1], 1.0, change="put", mode="raise")[2]  # type: ignore[misc]
    assert REGISTRY["outcome"] is outcome


def test_what_is_not_to_be_written_to() -> None:
    y = np.ones(3)
    y.flags.writeable = False
    raised, error, is_written = outcome.kernel(y, 2.0, change="iadd")  # type: ignore[misc]
    assert raised
    assert not is_written
    assert "read-only" in str(error)
