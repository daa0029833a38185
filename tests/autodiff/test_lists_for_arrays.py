"""A list of numbers in place of an array: each call of NumPy's library with one array written down
as a list, of which one number is differentiated by. It has its derivative, or is refused.
"""

from __future__ import annotations

import itertools
import linecache
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import jit
from tests.ops.library_rule_cases import library_cases

STEP = 1e-6
_REFUSED = ("SPY505", "SPY701", "SPY702")
"""Sizes and numbers that can't be guessed while compiling, functions that give views, and sums of
what may be complex.
"""


def literal(x: np.ndarray, place: tuple[int, ...]) -> str:
    """An array as the text of a list, to one number of which the variable is added."""

    def text(rows: np.ndarray, place: tuple[int, ...] | None) -> str:
        if not rows.ndim:
            return f"{float(rows)!r}" if place is None else f"(x + {float(rows)!r})"
        inner = ((row, place[1:] if place and place[0] == at else None)
                 for at, row in enumerate(rows))  # fmt: skip
        return f"[{', '.join(itertools.starmap(text, inner))}]"

    return text(x, place)


def calls() -> Iterator[tuple[str, dict[str, Any]]]:
    """The text of each call, and the arrays that it names."""
    seen = set()
    for operands, attrs in library_cases(np.random.default_rng(5)):
        given = {name: value for name, value in attrs.items() if name != "results"}
        name, keywords = given.pop("function"), given.pop("keywords", ())
        names = (*[""] * (len(operands) - len(keywords)), *(f"{each}=" for each in keywords))
        for at, x in enumerate(operands):
            key = (name, at, np.ndim(x), keywords)
            if "nesting" in given or key in seen or not _is_small(x):
                continue
            seen.add(key)
            place = (0,) if x.ndim == 1 else (0, min(1, x.shape[1] - 1))
            arrays = {f"c{i}": c for i, c in enumerate(operands) if isinstance(c, np.ndarray)}
            texts = [f"c{i}" if f"c{i}" in arrays else repr(c) for i, c in enumerate(operands)]
            texts[at] = literal(x, place)
            parts = [f"{key}{text}" for key, text in zip(names, texts, strict=True)]
            parts += [f"{key}={value!r}" for key, value in given.items()]
            yield f"np.{name}({', '.join(parts)})".replace("inf", "np.inf"), arrays


def _is_small(x: Any) -> bool:
    is_real = isinstance(x, np.ndarray) and x.dtype.kind == "f" and x.ndim in (1, 2)
    return bool(is_real and x.size <= 24 and np.isfinite(x).all())


def program(number: int, call: str, arrays: dict[str, Any]) -> Callable[..., Any]:
    """A function of ``x`` that makes the call."""
    text, file = f"def f(x):\n    return {call}\n", f"<list for an array {number}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace = {"np": np, **arrays}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]  # type: ignore[no-any-return]


def numbers(tree: Any) -> np.ndarray:
    """All real and imaginary parts of what has tangents, or of these."""
    if isinstance(tree, tuple | list):
        return np.concatenate([*map(numbers, tree), np.zeros(0)])
    x = np.ravel(tree)
    return np.concatenate([x.real, x.imag]) if x.dtype.kind in "fc" else np.zeros(0)


def unless_refused(derivative: Callable[[], Any]) -> Any:
    """What it gives; None where it is refused."""
    try:
        return derivative()
    except staticpy.CompileError as error:
        if set(error.codes) <= set(_REFUSED):
            return None
        raise


def check(call: str, f: Callable[..., Any]) -> None:
    """Both directions beside differences, where the call is smooth."""
    try:
        low, here, high = (numbers(f(at)) for at in (-STEP, 0.0, STEP))
    except Exception:  # it takes no lists, or is not defined beside the point
        return
    pushed = unless_refused(lambda: staticpy.jvp(jit(f), (0.0,), (1.0,)))
    if pushed is None or not low.shape == here.shape == high.shape:
        return
    slope, kink = (high - low) / (2 * STEP), np.abs(high - 2 * here + low) / STEP
    smooth = (kink < 1e-3) & (np.abs(slope) < 1e6)
    near: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5, "err_msg": call}
    np.testing.assert_allclose(numbers(pushed[1])[smooth], slope[smooth], **near)
    if smooth.all() and isinstance(pushed[0], np.ndarray | np.floating):
        pulled = unless_refused(lambda: staticpy.grad(jit(lambda x: np.sum(f(x))))(0.0))
        assert pulled is None or np.allclose(pulled, slope.sum(), 1e-4, 1e-5), call


CALLS = list(enumerate(calls()))


def _check_all(table: list[Any]) -> None:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for number, (call, arrays) in table:
            check(call, program(number, call, arrays))


@pytest.mark.parametrize("part", range(4))
def test_of_some(part: int) -> None:
    _check_all(CALLS[part::40])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_of_all(part: int) -> None:
    _check_all(CALLS[part::10])
