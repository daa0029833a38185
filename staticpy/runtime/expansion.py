"""From a lowered graph to one that a backend compiles.

In: a Module as the frontend made it, with the transforms that the program asks for. Out: the same
Module without them, optimised.
"""

from __future__ import annotations

from staticpy.autodiff import expand, has_derivatives
from staticpy.ir import Module
from staticpy.passes import dce, inline, optimize


def transform(module: Module, *, of_tensors: bool = False) -> None:
    """Make of a lowered module what a backend compiles: derivatives expanded, and optimised.

    Raises:
        DiagnosticError: NO_DERIVATIVE, at the span of what has none.
    """
    derive(module, of_tensors=of_tensors)
    optimize(module)


def derive(module: Module, *, of_tensors: bool = False) -> None:
    """Replace the derivatives in a lowered module by what computes them. Where it was lowered for
    Tensors, it says of what it does how derivatives of the whole would see that.

    Raises:
        DiagnosticError: NO_DERIVATIVE, at the span of what has none.
    """
    if of_tensors or has_derivatives(module):
        inline(module)
        expand(module)
        dce(module)  # what was computed for a value that nobody reads beside its gradient
