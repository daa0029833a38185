"""Derivatives that a program gives itself, in graphs."""

from __future__ import annotations

from staticpy import ops
from staticpy.ir import Function, rewriter, walk


def lift_barriers(function: Function) -> None:
    """Remove what says something of derivatives alone, once they all have been taken."""
    for operation in list(walk(function.block)):
        if operation.op is ops.stop_gradient:
            rewriter.replace(operation, operation.operands)
