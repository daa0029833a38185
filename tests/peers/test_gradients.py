"""Cotangents are those of JAX and PyTorch, on the samples of the table of derivative rules.

A peer's function is found by its name, and taken for the same if it gives the same result.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from staticpy.ops import REGISTRY
from staticpy.ops.library import items_of, operands_of
from staticpy.ops.rules.base import flows
from tests.ops.rule_table import (
    DTYPES,
    FUNCTIONS,
    LAYOUTS,
    OPS,
    Entry,
    entries,
    is_inexact,
    samples_of,
    samples_of_function,
)
from tests.support.derivatives import Checked, differences

_PER_FUNCTION = 2
_OTHER_CHOICES = ("linalg.cholesky", "linalg.eigvalsh", "linalg.eigh", "linalg.qr", "linalg.svd")
"""Which triangle counts, and the sign and phase of vectors, are choices, and not the same ones."""
_ZERO_IN_JAX = ("sign",)
"""What JAX takes for constant, of complex numbers too, where it turns with them."""
Pull = Callable[[Any, list[Any], list[int], Any], list[Any]]
"""The cotangents that a peer gives: of a function, its operands, which of them, and a cotangent."""


def _entries() -> Iterator[tuple[str, Entry]]:
    """Each function by its name under ``numpy``, and what it is given."""
    for name in OPS:
        op = REGISTRY[name]
        called = op.ufunc.__name__ if op.ufunc else op.numpy
        if called and not op.takes_sequence:
            yield from ((called, each) for each in _of_f64(name, samples_of(name)))
    for name in FUNCTIONS:
        if name not in _OTHER_CHOICES:
            yield from ((name, each) for each in _of_f64("numpy.call", samples_of_function(name)))


def _of_f64(name: str, samples: Any) -> Iterator[Entry]:
    found = 0
    for entry in entries(name, samples):
        if entry.layout == LAYOUTS[0] and entry.dtype in (DTYPES[0], "c16"):
            found += 1
            if found > _PER_FUNCTION:
                return
            yield entry


def _case(entry: Entry) -> Checked | None:
    try:
        case = Checked(REGISTRY[entry.name], entry.operands, entry.attrs)
        case.vjp(case.cotangents, case.results, *case.operands)
    except Exception:  # it raises, or is refused
        return None
    is_inexact_ = all(map(flows, case.results)) and any(map(is_inexact, case.operands))
    return case if is_inexact_ and case.width == "f8" and case.count == 1 else None


def _call(entry: Entry, function: Any) -> Any:
    """``function`` as the entry calls it, of its operands."""
    named = {k: v for k, v in entry.attrs.items() if k not in ("function", "keywords", "results")}

    def call(*operands: Any) -> Any:
        given, more = operands_of(operands, entry.attrs.get("keywords", ()))
        return function(*given, **more, **named)

    return call


def _disagreement(case: Checked, call: Any, pull: Pull) -> str | None:
    """What the peer says otherwise; None if it doesn't, or does something else."""
    (out,), (g,) = case.results, case.cotangents
    places = [at for at, x in enumerate(case.operands) if is_inexact(x)]
    try:
        found = pull(call, list(case.operands), places, (out, g))
    except Exception:  # it has no such function, or not of these
        return "nothing"
    ours = case.vjp(case.cotangents, case.results, *case.operands)
    for at, theirs in zip(places, found, strict=True):
        mine = np.zeros_like(case.operands[at]) if ours[at] is None else ours[at]
        if not np.allclose(mine, theirs, 1e-7, 1e-9, equal_nan=True) and _is_smooth(case):
            return f"{mine} and {theirs}"
    return None


def _is_smooth(case: Checked) -> bool:
    found = differences(case.values, case.operands, case.tangents)
    return all(each is not None and np.all(each.smooth) for each in found)


def _compare(namespace: Any, pull: Pull, left_out: tuple[str, ...] = ()) -> set[str]:
    """The functions that have been compared."""
    compared, wrong = set(), []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name, entry in _entries():
            if name in left_out:
                continue
            try:
                function = operator.attrgetter(name)(namespace)
            except AttributeError:
                continue
            case = _case(entry)
            if case is None:
                continue
            said = _disagreement(case, _call(entry, function), pull)
            if said is None:
                compared.add(name)
            elif said != "nothing":
                wrong.append(f"{name}: {entry}: {said}")
    assert not wrong, "\n".join(wrong)
    return compared


def _same(out: Any, theirs: Any) -> None:
    (theirs,) = items_of(theirs)
    if np.shape(theirs) != np.shape(out) or not np.allclose(theirs, out, equal_nan=True):
        raise ValueError("another function")


@pytest.mark.slow
def test_jax() -> None:
    jax = pytest.importorskip("jax", reason="the extra 'peers' is not installed")
    jax.config.update("jax_enable_x64", True)

    def pull(call: Any, operands: list[Any], places: list[int], result: Any) -> list[Any]:
        def function(*moving: Any) -> Any:
            given = list(operands)
            for at, value in zip(places, moving, strict=True):
                given[at] = value
            (found,) = items_of(call(*given))
            return found

        out, back = jax.vjp(function, *(jax.numpy.asarray(operands[at]) for at in places))
        _same(result[0], np.asarray(out))
        return list(map(np.asarray, back(jax.numpy.asarray(result[1], out.dtype))))

    compared = _compare(jax.numpy, pull, _ZERO_IN_JAX)
    assert len(compared) >= 150, sorted(compared)


@pytest.mark.slow
def test_torch() -> None:
    torch = pytest.importorskip("torch", reason="the extra 'peers' is not installed")

    def pull(call: Any, operands: list[Any], places: list[int], result: Any) -> list[Any]:
        given = [torch.tensor(np.array(x)) if is_inexact(x) else x for x in operands]
        for at in places:
            given[at].requires_grad_()
        (out,) = items_of(call(*given))
        _same(result[0], out.detach().resolve_conj().numpy())
        torch.sum(out * torch.tensor(result[1])).real.backward()
        slopes = (given[at].grad for at in places)  # PyTorch's are the conjugates
        return [0 if x is None else np.conjugate(x.resolve_conj().numpy()) for x in slopes]

    compared = _compare(torch, pull)
    assert len(compared) >= 80, sorted(compared)
