"""Every op on its own samples: the type rule says exactly what the kernel returns."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from staticpy.ir import OBJECT, accepts
from staticpy.ops import REGISTRY, Effect, OpDef, results_of, sample_type

_WITHOUT_SAMPLES = {
    "constant", "undef", "if", "while", "for", "call", "raise", "region_yield", "return",
    "try", "errstate", "vjp", "jvp", "vmap", "user.function",
    "pullback.make", "pullback.call", "pushforward.call",
    "custom_forward", "no_gradient", "custom_vjp", "custom_jvp", "checkpoint", "recall",
}  # fmt: skip
"""Control flow and differentiation, which the tests of the language and of autodiff cover."""

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
        types = [sample_type(operand) for operand in operands]
        inferred = op.result_types(types, attrs)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                result = op.kernel(*operands, **attrs)
        except Exception:
            assert Effect.RAISES in op.effects_of(types, attrs), (operands, attrs)
            continue
        found = results_of(result, inferred) if inferred else ()
        assert len(found) == len(inferred), (operands, attrs)
        for rule, item in zip(inferred, found, strict=True):
            actual = sample_type(item)
            is_known = rule == OBJECT or accepts(rule, actual)
            assert is_known, (op.name, operands, attrs, str(rule), str(actual))


@pytest.mark.parametrize("op", _OPS, ids=lambda op: op.name)
def test_effects_are_given_for_every_sample(op: OpDef) -> None:
    assert op.samples is not None
    for operands, attrs in op.samples(np.random.default_rng(0)):
        effect = op.effects_of([sample_type(operand) for operand in operands], attrs)
        assert isinstance(effect.value, int)
