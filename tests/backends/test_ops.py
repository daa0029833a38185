"""Every op, on its own samples: what the source computes is what the kernel computes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
import pytest

from staticpy.backends import get_backend
from staticpy.ir import Block, Builder, Function, Module
from staticpy.ops import REGISTRY, OpDef, return_, sample_type
from tests.support.graphs import outcome, symbolic_types

SAMPLED = sorted(name for name, op in REGISTRY.items() if op.samples is not None)


def compiled(
    op: OpDef,
    operands: tuple[Any, ...],
    attrs: dict[str, Any],
    *,
    symbolic: bool,
    backend: str = "python_source",
) -> Any:
    """The executable of a function that applies ``op`` to its arguments."""
    types = symbolic_types(operands)[0] if symbolic else list(map(sample_type, operands))
    block = Block(types)
    builder = Builder(block)
    results = builder.emit(op, block.args, attrs).results
    builder.emit(return_, results)
    module = Module("f")
    module.add(Function("f", block))
    return get_backend(backend).compile(module)


def copies(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """The operands, copied, because some ops write to them."""
    return tuple(map(_copied, operands))


def _copied(operand: Any) -> Any:
    if isinstance(operand, np.ndarray):
        return operand.copy("K")
    # An exception is told from others by its identity.
    return operand if isinstance(operand, BaseException) else deepcopy(operand)


def outcomes(call: Any, operands: tuple[Any, ...]) -> tuple[Any, Any]:
    """What a call gives, and what it makes of its operands."""
    given = copies(operands)
    return outcome(lambda: state_of(call(*given))), outcome(lambda: tuple(map(state_of, given)))


def state_of(operand: Any) -> Any:
    """A value in a form that can be compared: of a random generator what it will draw next, of an
    iterator what is left.
    """
    if isinstance(operand, Iterator):
        return list(operand)
    return str(operand.bit_generator.state) if isinstance(operand, np.random.Generator) else operand


@pytest.mark.parametrize("symbolic", [False, True])
@pytest.mark.parametrize("name", SAMPLED)
def test_same_as_the_kernel(name: str, symbolic: bool) -> None:
    check_samples(name, "python_source", symbolic=symbolic)


def check_samples(name: str, backend: str, *, symbolic: bool) -> None:
    """What ``backend`` makes of each sample of an op is what the kernel makes of it."""
    op = REGISTRY[name]
    kernel = op.kernel
    assert op.samples is not None
    assert kernel is not None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        count = 0
        for operands, attrs in op.samples(np.random.default_rng(0)):
            if symbolic and any("?" in str(sample_type(x)) for x in operands):
                continue
            generic = symbolic and _is_generic(op, attrs)
            executable = compiled(op, operands, attrs, symbolic=generic, backend=backend)
            expected = outcomes(partial(kernel, **attrs), operands)
            found = outcomes(executable, operands)
            if not op.result_types(list(map(sample_type, operands)), attrs):
                expected, found = expected[1:], found[1:]
            assert found == expected, f"{operands} {attrs}\n{executable.source}"
            count += 1
        assert count


def _is_generic(op: OpDef, attrs: dict[str, Any]) -> bool:
    """Whether the sample's attributes hold for every size."""
    return "type" not in attrs


@pytest.mark.parametrize("name", SAMPLED)
def test_only_views_share_memory(name: str) -> None:
    """The memory plan relies on it: what is no view is an array of its own."""
    op = REGISTRY[name]
    assert op.samples is not None
    assert op.kernel is not None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for operands, attrs in op.samples(np.random.default_rng(0)):
            given = copies(operands)
            arrays = [x for x in given if isinstance(x, np.ndarray)]
            try:
                result = op.kernel(*given, **attrs)
            except Exception:
                continue
            for each in result if isinstance(result, tuple) else (result,):
                shares = isinstance(each, np.ndarray) and any(
                    np.shares_memory(each, array) for array in arrays
                )
                assert not shares or op.view, f"{name} {operands} {attrs}"
