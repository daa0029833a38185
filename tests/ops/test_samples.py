"""Every op on its own samples: the type rule says exactly what the kernel returns."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from staticpy.ir import accepts, type_of
from staticpy.ops import REGISTRY, OpDef

_WITHOUT_SAMPLES = {
    "constant", "undef", "if", "while", "for", "call", "raise", "region_yield", "return",
}  # fmt: skip
"""Control flow, which the tests of the language cover."""

_OPS = [op for name, op in REGISTRY.items() if name not in _WITHOUT_SAMPLES]


def test_every_op_has_samples() -> None:
    assert [op.name for op in _OPS if op.samples is None] == []


@pytest.mark.parametrize("op", _OPS, ids=lambda op: op.name)
def test_type_rule_agrees_with_kernel(op: OpDef) -> None:
    assert op.samples is not None
    assert op.kernel is not None
    samples = list(op.samples(np.random.default_rng(0)))
    assert samples
    for operands, attrs in samples:
        types = [type_of(operand) for operand in operands]
        assert None not in types
        inferred = op.result_types([t for t in types if t is not None], attrs)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = op.kernel(*operands, **attrs)
        results = result if isinstance(result, tuple) else (result,)
        found = [type_of(item) for item in results]
        assert len(found) == len(inferred), (operands, attrs)
        for rule, actual in zip(inferred, found, strict=True):
            assert actual is not None
            assert accepts(rule, actual), (op.name, operands, attrs, str(rule), str(actual))


@pytest.mark.parametrize("op", _OPS, ids=lambda op: op.name)
def test_effects_are_given_for_every_sample(op: OpDef) -> None:
    assert op.samples is not None
    for operands, attrs in op.samples(np.random.default_rng(0)):
        types = [type_of(operand) for operand in operands]
        effect = op.effects_of([t for t in types if t is not None], attrs)
        assert isinstance(effect.value, int)
