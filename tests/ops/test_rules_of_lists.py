"""A tuple or list of numbers stands for the array that NumPy makes of it, also in the rules."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from staticpy.ops.library import call_numpy, items_of
from staticpy.ops.rules import RULES, NoDerivativeError
from tests.ops.rule_table import FUNCTIONS, Operands, samples_of_function
from tests.support.derivatives import random_like


def _pulled(operands: Operands, attrs: dict[str, Any]) -> tuple[Any, ...] | None:
    """The cotangents of the operands; None where NumPy or the rule does not take them."""
    plain = {name: value for name, value in attrs.items() if name != "results"}
    try:
        out = items_of(call_numpy(*operands, **plain))
    except Exception:  # whatever NumPy says to these
        return None
    g = tuple(random_like(each, np.random.default_rng(0)) for each in out)
    given = (g[0], out[0]) if len(out) == 1 else (g, tuple(out))
    try:
        return tuple(RULES["numpy.call"].vjp(*given, *operands, **attrs))  # type: ignore[misc]
    except NoDerivativeError:
        return None


def _with_sequences(operands: Operands) -> Iterator[tuple[int, Operands]]:
    for place, x in enumerate(operands):
        if isinstance(x, np.ndarray):
            yield place, (*operands[:place], x.tolist(), *operands[place + 1 :])
            if x.ndim == 1:
                yield place, (*operands[:place], tuple(x.tolist()), *operands[place + 1 :])


_OF_LISTS = ("trim_zeros",)
"""Functions that give a list of a list."""


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in _OF_LISTS])
def test_a_list_is_an_array(name: str) -> None:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for operands, attrs in samples_of_function(name):
            expected = _pulled(operands, attrs)
            if expected is None:
                continue
            for place, given in _with_sequences(operands):
                found = _pulled(given, attrs)
                for other, (x, y) in enumerate(zip(found or (), expected, strict=False)):
                    if other != place and y is not None:
                        np.testing.assert_allclose(x, y, 1e-9, 1e-9, err_msg=str(attrs))
