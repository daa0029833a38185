"""Ops by which a program says what its derivative is; ``autodiff.expand`` replaces them.

%y = stop_gradient %x : f64[n]

%y = no_gradient { ... region_yield %y.1 }

%out, %r = custom_forward %x {outputs = 0} (%x.1: f64) { ... region_yield %out, %r }
%y = custom_vjp %x, %out {flows = (0,), outputs = 1} (%g: f64) { ... region_yield %gx }
%y = custom_jvp %x, %out {flows = (0,), outputs = 1} (%t: f64) { ... region_yield %ty }

%y, %h = checkpoint {outputs = 0, policy = ("dots_saveable", ()), saved = 1} { ... }
%y = checkpoint_name %x {name = "hidden"} : f64[n]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Operation, Region, Type
from staticpy.ops.opdef import defop, same_type


def _samples(rng: np.random.Generator) -> Any:
    for operand in (rng.random((2, 3)), 0.5, np.float32(2), 1j):
        yield (operand,), {}


stop_gradient = defop(
    "stop_gradient", infer=same_type, kernel=lambda x: x, view=True, samples=_samples
)
"""Its operand itself, and no derivative. It stands in what is differentiated only."""


def _unwritten_samples(rng: np.random.Generator) -> Any:
    yield (rng.random((2, 3)),), {}


unwritten = defop(
    "unwritten", infer=same_type, kernel=lambda x: x, view=True, samples=_unwritten_samples
)
"""Its operand itself: an array that nobody writes to while a derivative is taken. So it counts for
memory apart there, whatever else holds it."""


# --- rules of functions ---------------------------------------------------------------------------


def _infer_forward(*_: Type, regions: Sequence[Region], **__: Any) -> tuple[Type, ...]:
    return tuple(value.type for value in regions[0].block.terminator.operands)


custom_forward = defop("custom_forward", infer=_infer_forward)
"""Runs its region on its operands: the way there of a function with a rule of its own. What is
differentiated by its operands doesn't see what it does; derivatives around that one do."""


no_gradient = defop("no_gradient", infer=_infer_forward)
"""Runs its region, which gets nothing and may read what is around it: what a program does in ``with
no_grad()``. No derivative sees what it does."""

UNSEEN = frozenset({custom_forward, no_gradient})
"""The ops whose regions derivatives don't see."""


def _infer_rule(*operands: Type, outputs: int, **_: Any) -> tuple[Type, ...]:
    return operands[len(operands) - outputs :]


def _verify_rule(operation: Operation) -> None:
    if not operation.regions:
        return  # in plain Python: the rule is a Python function
    block, outputs = operation.regions[0].block, operation.attrs["outputs"]
    inputs = len(operation.operands) - outputs if operation.op is custom_jvp else outputs
    fits = len(block.args) == inputs
    if not fits or len(block.terminator.operands) != len(operation.attrs["flows"]):
        detail = f"the region of {operation.name} doesn't get what flows in, or yields no flows"
        raise DiagnosticError(catalog.INVALID_IR, operation.span, detail=detail)


custom_vjp = defop("custom_vjp", infer=_infer_rule, verify=_verify_rule)
"""Its last ``outputs`` operands, which ``custom_forward`` has made of the others. Its region gets
their cotangents and yields those of the operands with the numbers ``flows``; nothing flows to the
others."""

custom_jvp = defop("custom_jvp", infer=_infer_rule, verify=_verify_rule)
"""As ``custom_vjp``; its region gets the tangents of the other operands, and yields those of the
outputs with the numbers ``flows``."""

RULE_OPS = frozenset({custom_vjp, custom_jvp})
"""The ops that hold the rule of a function."""


# --- checkpoint -----------------------------------------------------------------------------------

checkpoint = defop("checkpoint", infer=_infer_forward)
"""Runs its region. The way back runs it again, and saves only what it reads from around, and its
last ``saved`` results, which ``policy`` says, if it is not empty. With ``is_whole``, no loop in it
is to be divided."""


def _name_samples(rng: np.random.Generator) -> Any:
    for operands, _ in _samples(rng):
        yield operands, {"name": "hidden"}


checkpoint_name = defop(
    "checkpoint_name",
    infer=lambda x, **_: x,
    kernel=lambda x, name: x,
    view=True,
    samples=_name_samples,
)
"""Its operand itself, under the ``name`` by which policies of checkpoints know it. It stands in
what is differentiated only."""

recall = defop("recall", infer=lambda again, saved: again)
"""Says that its first operand, which the way back would compute again, is the second one, which is
saved: it takes the place of the first one everywhere once the way back is known."""
