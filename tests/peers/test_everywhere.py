"""Every function of the registry at points of which many are not smooth: zeros, whole numbers,
equal operands and elements. Functions that let nothing through are among them: what has no
derivative here has none in JAX and PyTorch.

Where a peer says something else, it stands in ``OTHERWISE``; why, in ``docs/derivatives.md``.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.diagnostics import CompileError
from staticpy.ops import REGISTRY
from staticpy.ops.rules.library import LIBRARY

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

_EACH = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
_ARRAYS = ([0.0, 2.0, 2.0, 0.0], [0.0, 0.0], [1.0, 3.0, 2.0])
Operands = tuple[np.ndarray, ...]
OPERANDS: tuple[Operands, ...] = (
    (np.array(_EACH),),
    tuple(map(np.ravel, np.meshgrid(_EACH, _EACH))),
    *((np.array(each),) for each in _ARRAYS),
)
_SETS = ("intersect1d", "setdiff1d", "setxor1d", "union1d", "unique", "unique_values")
OTHERWISE = {
    **dict.fromkeys(("absolute", "fabs", "angle", "fmax", "fmin", "power", "float_power"), "JAX"),
    **dict.fromkeys(("linalg.norm", "linalg.vector_norm", "std", "nanstd", "vander"), "JAX"),
    **dict.fromkeys(_SETS, "JAX"),
    "hypot": "JAX, PyTorch",
    "arctan2": "PyTorch",
    "copysign": "PyTorch",
}
"""Functions of which a peer has another derivative somewhere."""
REFUSED = {"array", "column_stack", "dstack", "stack", "nextafter"}
"""What makes an array of one Tensor as of a sequence, and what has no derivative."""
Slopes = list[np.ndarray]
Peer = Callable[[Any, Operands, np.ndarray], Slopes]
"""The derivatives of the sum of what a peer's function gives, weighted."""


def names() -> list[str]:
    """What the functions of the registry are called under ``numpy``."""
    called = {op.ufunc.__name__ if op.ufunc else op.numpy for op in REGISTRY.values()}
    return sorted({*filter(None, called), *LIBRARY})


def cases() -> Iterator[tuple[str, Operands, np.ndarray]]:
    """Functions that give one array of real numbers, operands, and that array; nothing that is
    undefined there.
    """
    for name in names():
        for operands in OPERANDS:
            try:
                given, out = _defined(operator.attrgetter(name)(np), operands)
            except Exception:  # it does not take these
                continue
            if out.dtype.kind in "fbiu" and out.dtype.itemsize <= 8 and not np.any(np.isnan(out)):
                yield name, given, out


def _defined(function: Any, operands: Operands) -> tuple[Operands, np.ndarray]:
    """The operands, without those where a function of elements is undefined; what it gives."""
    found = function(*operands)
    if isinstance(found, tuple | list):
        raise TypeError("it gives several")
    out = np.asarray(found)
    if out.dtype.kind == "f" and out.shape == operands[0].shape:
        operands = tuple(each[~np.isnan(out)] for each in operands)
    return operands, np.asarray(function(*operands))


def weights_of(out: np.ndarray) -> np.ndarray:
    return np.arange(1.0, out.size + 1).reshape(out.shape)


def slopes_of(name: str, operands: Operands, weights: np.ndarray) -> Slopes:
    """Our derivatives."""
    function = operator.attrgetter(name)(np)

    def total(*given: Any) -> Any:
        return (function(*given) * weights).sum() + 0.0 * given[0].sum()

    return list(staticpy.grad(total, argnums=tuple(range(len(operands))))(*operands))


def compared(namespace: Any, pull: Peer) -> tuple[set[str], set[str]]:
    """The functions that were compared, and those of which a peer says something else."""
    found, otherwise, refused = set(), set(), set()
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, operands, out in cases():
            try:
                theirs = pull(operator.attrgetter(name)(namespace), operands, out)
            except Exception:  # it has no such function, or not of these
                continue
            try:
                ours = slopes_of(name, operands, weights_of(out))
            except CompileError:
                refused.add(name)
                continue
            found.add(name)
            if not all(map(_agree, ours, theirs)):
                otherwise.add(name)
    assert refused <= REFUSED, sorted(refused)
    return found, otherwise


def _agree(mine: np.ndarray, theirs: np.ndarray) -> bool:
    return np.allclose(mine, theirs, 1e-7, 1e-9, equal_nan=True)


def _require_same(out: np.ndarray, theirs: np.ndarray) -> None:
    if theirs.shape != out.shape or not np.allclose(theirs, out):
        raise ValueError("another function")


def test_jax() -> None:
    jax = pytest.importorskip("jax", reason="the extra 'peers' is not installed")
    jax.config.update("jax_enable_x64", True)

    def pull(function: Any, operands: Operands, out: np.ndarray) -> Slopes:
        def total(*given: Any) -> Any:
            found = function(*given)
            return (found * weights_of(out)).sum(), found

        by = tuple(range(len(operands)))
        slopes, theirs = jax.grad(total, by, has_aux=True)(*map(jax.numpy.asarray, operands))
        _require_same(out, np.asarray(theirs))
        return list(map(np.asarray, slopes))

    found, otherwise = compared(jax.numpy, pull)
    assert otherwise == {name for name, peers in OTHERWISE.items() if "JAX" in peers}
    assert len(found) >= 180, sorted(found)


def test_torch() -> None:
    torch = pytest.importorskip("torch", reason="the extra 'peers' is not installed")

    def pull(function: Any, operands: Operands, out: np.ndarray) -> Slopes:
        given = [torch.tensor(each, requires_grad=True) for each in operands]
        theirs = function(*given)
        _require_same(out, theirs.detach().numpy())
        total = (theirs * torch.tensor(weights_of(out))).sum()
        if total.requires_grad:
            total.backward()
        return [np.zeros(x.shape) if x.grad is None else x.grad.numpy() for x in given]

    found, otherwise = compared(torch, pull)
    assert otherwise == {name for name, peers in OTHERWISE.items() if "PyTorch" in peers}
    assert len(found) >= 110, sorted(found)
