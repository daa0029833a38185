"""Each op under ``vmap`` gives what a loop over the examples gives: generated from the registry."""

from __future__ import annotations

import copy
import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from staticpy import ops
from staticpy.autodiff import expand
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import Function, Module, Value, current_builder, verify
from staticpy.ops import BATCHING, REGISTRY, results_of, sample_type
from tests.support.graphs import build, identity_of
from tests.support.interpreter import run

EXAMPLES = 3
_PRODUCTS = ("matmul", "dot", "inner", "vdot", "recurrence", "pow")
"""What is computed in another order or way: equal within rounding."""

Sample = tuple[tuple[Any, ...], dict[str, Any]]


_NOT_SAMPLED = ("from_python", "unbox")
"""Ops of Python's numbers and of 0-d arrays, of which there are no arrays of examples."""


def _batch(x: Any, rng: np.random.Generator) -> Any:
    """Examples like ``x``: the same numbers in other places."""
    rows = [x]
    for _ in range(EXAMPLES - 1):
        flat = np.ravel(x).copy()
        rng.shuffle(flat)
        rows.append(flat.reshape(np.shape(x)))
    return np.stack(rows)


def _choices(operands: tuple[Any, ...]) -> Iterator[tuple[bool, ...]]:
    """Which operands are batched: all that can be, and each alone."""
    able = [isinstance(x, np.ndarray | np.generic) for x in operands]
    found = [tuple(able)]
    if sum(able) > 1:
        found += [tuple(i == at for i in range(len(able))) for at, each in enumerate(able) if each]
    return (each for each in found if any(each))


def _graph(name: str, sample: Sample, batched: tuple[bool, ...], given: list[Any]) -> Function:
    """A function that is one ``vmap`` of one op."""
    _, attrs = sample

    def body(*values: Value) -> Any:
        builder = current_builder()
        arrays = [x for x, is_batched in zip(values, batched, strict=True) if is_batched]
        size = ops.as_value(ops.shape_of(arrays[0])[0])
        types = [ops.example_type(array.type, 0) for array in arrays]
        with builder.region(types) as region:
            examples = iter(region.block.args)
            chosen = zip(values, batched, strict=True)
            inside = [next(examples) if is_batched else x for x, is_batched in chosen]
            results = builder.emit(REGISTRY[name], inside, attrs).results
            builder.emit(ops.region_yield, list(results))
        axes, outs = (0,) * len(arrays), (0,) * len(results)
        made = builder.emit(ops.vmap, [size, *arrays], {"axes": axes, "outs": outs}, [region])
        return made.results

    return build(body, *given)


def _expected(name: str, sample: Sample, batched: tuple[bool, ...], given: list[Any]) -> list[Any]:
    op, (operands, attrs) = REGISTRY[name], sample
    types = op.result_types(list(map(sample_type, operands)), attrs)
    rows = []
    for number in range(EXAMPLES):
        chosen = zip(given, batched, strict=True)
        inside = [x[number] if is_batched else x for x, is_batched in chosen]
        assert op.kernel is not None
        made = op.kernel(*inside, **attrs)
        rows.append(results_of(made, types) if types else ())
    return [np.stack(column) for column in zip(*rows, strict=True)]


def _outcome(compute: Any) -> Any:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return compute()
    except Exception as error:
        return type(error)


def _check(name: str, sample: Sample, batched: tuple[bool, ...]) -> bool:
    """Compare one sample; False if the op can't be a function of arrays so."""
    rng = np.random.default_rng(1)
    chosen = zip(sample[0], batched, strict=True)
    given = [_batch(x, rng) if is_batched else x for x, is_batched in chosen]
    expected = _outcome(lambda: _expected(name, sample, batched, copy.deepcopy(given)))
    try:
        function = _graph(name, sample, batched, given)
        module = Module("f")
        module.add(function)
        expand(module)
    except DiagnosticError:
        return False  # no array can be made of the results
    verify(module)
    found = _outcome(lambda: run(module, *copy.deepcopy(given)))
    if isinstance(expected, type):
        assert found is expected or found is DiagnosticError, (found, expected)
        return True
    assert not isinstance(found, type), found
    for one, other in zip(found, expected, strict=True):
        if name in _PRODUCTS:
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)
        else:
            assert identity_of(one) == identity_of(other), (one, other)
    return True


def _samples(name: str, count: int) -> Iterator[Sample]:
    samples = REGISTRY[name].samples
    assert samples is not None
    return itertools.islice(iter(samples(np.random.default_rng(0))), count)


_WITH_SAMPLES = sorted(name for name, op in REGISTRY.items() if op.samples and op.kernel)


@pytest.mark.parametrize("name", _WITH_SAMPLES)
def test_is_the_loop(name: str) -> None:
    checked = 0
    for sample in _samples(name, 30 if name in BATCHING else 3):
        for batched in _choices(sample[0]):
            try:
                checked += _check(name, sample, batched)
            except Exception as error:
                raise AssertionError(f"{name} of {sample}, batched: {batched}") from error
    assert checked or name not in BATCHING or name in _NOT_SAMPLED


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("cos", "exp"):
        monkeypatch.setitem(BATCHING, "sin", BATCHING[wrong])
        with pytest.raises(AssertionError):
            test_is_the_loop("sin")
