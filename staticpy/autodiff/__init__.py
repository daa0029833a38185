"""Derivatives of graphs: transforms of the graph into one that computes them as well.

In: a Module with operations such as ``vjp`` and ``jvp``. Out: the same Module without them. Of a
plain function the derivative is found by running it on Tensors (``value_and_gradient``,
``pushed_forward``). The derivative of an op is its rule (``ops.rules``).
"""

from staticpy.autodiff.custom_eager import call_with_jvp, call_with_vjp, stop_gradient
from staticpy.autodiff.eager import own, parts_of, value_and_gradient
from staticpy.autodiff.eager_forward import linearized, pushed_forward, tangents_for
from staticpy.autodiff.expand import expand, has_derivatives
from staticpy.autodiff.functions import Function
from staticpy.autodiff.gradient_tape import GradientTape
from staticpy.autodiff.pullback import cotangents_for, is_real, pullback
from staticpy.autodiff.tape import is_recording, no_grad
from staticpy.autodiff.tensor import Tensor, holds_tensor
from staticpy.autodiff.trees import each, leaves_of

__all__ = [
    "Function",
    "GradientTape",
    "Tensor",
    "call_with_jvp",
    "call_with_vjp",
    "cotangents_for",
    "each",
    "expand",
    "has_derivatives",
    "holds_tensor",
    "is_real",
    "is_recording",
    "leaves_of",
    "linearized",
    "no_grad",
    "own",
    "parts_of",
    "pullback",
    "pushed_forward",
    "stop_gradient",
    "tangents_for",
    "value_and_gradient",
]
