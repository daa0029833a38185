"""Derivatives of graphs: transforms of the graph into one that computes them as well.

In: a Module with operations such as ``vjp`` and ``jvp``. Out: the same Module without them. Of a
plain function the derivative is found by running it on Tensors (``value_and_gradient``,
``pushed_forward``). The derivative of an op is its rule (``ops.rules``).
"""

from staticpy.autodiff.expand import expand, has_derivatives
from staticpy.autodiff.tensor_flow import (
    TensorFlow,
    hand_out,
    recorded_results,
    recorded_writes,
    tensor_flow,
)
from staticpy.autodiff.tensors.checkpoints import call_checkpointed, checkpoint_name
from staticpy.autodiff.tensors.custom import call_with_jvp, call_with_vjp, stop_gradient
from staticpy.autodiff.tensors.forward import linearized, pushed_forward, tangents_for
from staticpy.autodiff.tensors.functions import Function
from staticpy.autodiff.tensors.gradient_tape import GradientTape
from staticpy.autodiff.tensors.graphs import (
    GraphCall,
    Wrapping,
    holds_tensor,
    needs_record,
    record,
    require_unchanged,
)
from staticpy.autodiff.tensors.pullback import cotangents_for, is_real, pullback
from staticpy.autodiff.tensors.reverse import own, value_and_gradient
from staticpy.autodiff.tensors.tape import is_recording, no_grad
from staticpy.autodiff.tensors.tensor import Tensor
from staticpy.autodiff.tensors.trees import each, items_of, leaves_of, matched, opened
from staticpy.autodiff.tensors.writes import require_writable
from staticpy.autodiff.way_back import require_rerunnable, way_back

__all__ = [
    "Function",
    "GradientTape",
    "GraphCall",
    "Tensor",
    "TensorFlow",
    "Wrapping",
    "call_checkpointed",
    "call_with_jvp",
    "call_with_vjp",
    "checkpoint_name",
    "cotangents_for",
    "each",
    "expand",
    "hand_out",
    "has_derivatives",
    "holds_tensor",
    "is_real",
    "is_recording",
    "items_of",
    "leaves_of",
    "linearized",
    "matched",
    "needs_record",
    "no_grad",
    "opened",
    "own",
    "pullback",
    "pushed_forward",
    "record",
    "recorded_results",
    "recorded_writes",
    "require_rerunnable",
    "require_unchanged",
    "require_writable",
    "stop_gradient",
    "tangents_for",
    "tensor_flow",
    "value_and_gradient",
    "way_back",
]
