"""Learning rates that change, and gradients that are clipped."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy import Tensor, optim
from staticpy.optim import schedules

TABLE = [
    (schedules.Constant(0.5), {0: 0.5, 9: 0.5}),
    (schedules.Step(1.0, 10, 0.5), {0: 1.0, 9: 1.0, 10: 0.5, 29: 0.25}),
    (schedules.Exponential(1.0, 0.5), {0: 1.0, 3: 0.125}),
    (schedules.Cosine(1.0, 10, 0.2), {0: 1.0, 5: 0.6, 10: 0.2, 99: 0.2}),
    (schedules.Polynomial(1.0, 10, 2.0, 0.1), {0: 1.0, 5: 0.325, 10: 0.1, 99: 0.1}),
    (schedules.Piecewise([2, 5], [1.0, 0.5, 0.1]), {0: 1.0, 1: 1.0, 2: 0.5, 4: 0.5, 5: 0.1}),
    (schedules.WarmUp(4, 0.8), {0: 0.0, 1: 0.2, 4: 0.8, 9: 0.8}),
    (schedules.WarmUp(4, schedules.Exponential(1.0, 0.5), 0.5), {0: 0.5, 2: 0.75, 4: 1.0, 6: 0.25}),
]


@pytest.mark.parametrize(("schedule", "rates"), TABLE)
def test_rates(schedule: Any, rates: dict[int, float]) -> None:
    compiled = staticpy.jit(lambda schedule, step: schedule(step))
    for step, rate in rates.items():
        assert math.isclose(schedule(step), rate, abs_tol=1e-15)
        assert compiled(schedule, step) == schedule(step)


def test_piecewise_is_checked() -> None:
    with pytest.raises(ValueError, match="2 boundaries need 3 rates, not 2"):
        schedules.Piecewise([1, 2], [0.1, 0.2])
    with pytest.raises(ValueError, match="don't grow"):
        schedules.Piecewise([2, 2], [0.1, 0.2, 0.3])


def test_global_norm() -> None:
    grads = [np.array([3.0, 0.0], np.float32), None, np.array([[4.0]], np.float32)]
    clipped, norm = optim.clip_by_global_norm(grads, 1.0)
    assert norm == 5.0
    assert clipped[1] is None
    np.testing.assert_allclose(clipped[0], [0.6, 0.0], rtol=1e-6)
    assert clipped[2].dtype == np.float32
    kept, _ = optim.clip_by_global_norm(grads, 10.0)
    assert kept[0].tolist() == [3.0, 0.0]
    tensors, norm = optim.clip_by_global_norm([Tensor([3.0]), Tensor([4.0])], 1.0)
    assert math.isclose(norm.item(), 5.0)
    np.testing.assert_allclose(tensors[0].numpy(), [0.6], rtol=1e-6)


def test_clipping_in_graphs() -> None:
    grads = [np.array([3.0, 0.0]), np.array([[4.0]])]
    clip_norm, clip_value = map(staticpy.jit, (optim.clip_by_global_norm, optim.clip_by_value))
    clipped, norm = clip_norm(grads, 1.0)
    expected, _ = optim.clip_by_global_norm(grads, 1.0)
    assert norm == 5.0
    assert [each.tolist() for each in clipped] == [each.tolist() for each in expected]
    assert clip_value(grads, 2.0)[0].tolist() == [2.0, 0.0]


def test_value() -> None:
    assert optim.clip_by_value([np.array([-3.0, 0.5]), None], 1.0)[0].tolist() == [-1.0, 0.5]
