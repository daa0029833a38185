"""Derivatives of graphs: transforms of the graph into one that computes them as well.

In: a Module with ``vjp`` operations. Out: the same Module without them. The derivative of an op is
its rule (``ops.rules``).
"""

from staticpy.autodiff.expand import expand

__all__ = ["expand"]
