"""What was compiled, to look at."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def update(p, g):
    step = 0.5 * g + p * 0.1
    p -= step
    return step.sum()


def optimizer(p, m, v, g):
    m *= 0.9
    m += 0.1 * g
    v *= 0.999
    v += 0.001 * (g * g)
    p -= 0.001 * m / (np.sqrt(v) + 1e-8)


def optimizer_of_dicts(p, m, g):
    for name in p:
        m[name] *= 0.9
        m[name] += 0.1 * g[name]
        p[name] -= 0.001 * m[name]


def compiled():
    p = np.ones(4, np.float32)
    return staticpy.jit(update, backend="llvm").lower(p, p.copy()).compile()


def test_kernels():
    fused, summed = compiled().kernels
    assert fused.operations == ("multiply", "multiply", "add", "isub")
    assert fused.domain == ("n0",)
    assert (fused.bytes_read, fused.bytes_written, fused.flops) == (8, 8, 4)
    assert {span.line for span in fused.spans} == {14, 15}
    assert str(fused).startswith("cluster.0 over [n0]: multiply multiply add isub; of each element")
    assert (summed.operations, summed.bytes_read, summed.bytes_written) == (("sum",), 4, 0)


def test_operators_in_place_are_one_walk_where_the_sizes_are_equal_at_the_call():
    p = np.ones(4, np.float32)
    lowered = staticpy.jit(optimizer, backend="llvm").lower(p, p.copy(), p.copy(), p.copy())
    (fused,) = lowered.compile().kernels
    assert (fused.bytes_read, fused.bytes_written, fused.domain) == (16, 12, ("n0",))


def test_what_a_dict_holds_already_is_not_given_to_it_again():
    arrays = [{"w": np.ones(4)} for _ in range(3)]
    lowered = staticpy.jit(optimizer_of_dicts, backend="llvm").lower(*arrays)
    (fused,) = lowered.compile().kernels
    assert (fused.bytes_read, fused.bytes_written) == (24, 16)
    assert "object.call" not in str(lowered.ir)


def test_the_memory_plan():
    plan = compiled().memory_plan
    names = {value.name or value.owner.op.name: value for value in plan.buffers}
    assert set(plan.fused) < set(plan.buffers)
    assert plan.fused[names["multiply"]] == "cluster.0"
    assert names["step"] not in plan.fused
    assert not plan.reuses
    assert (str(plan.saved), str(plan.total)) == ("8*n0", "12*n0")
    assert "none: in cluster.0" in str(plan)
    assert str(plan).endswith("2 of 3 arrays are never in memory: 8*n0 of 12*n0 bytes saved")


def test_texts():
    stages = compiled()
    assert "<8 x float>" in stages.llvm_ir
    assert "vmulps" in stages.assembly or "mulps" in stages.assembly


def test_other_backends_have_none():
    stages = staticpy.jit(update).lower(np.ones(4), np.ones(4)).compile()
    with pytest.raises(ValueError, match="no native code"):
        stages.kernels
