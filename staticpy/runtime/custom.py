"""``stop_gradient``: what a program says itself of its derivatives."""

from __future__ import annotations

from typing import Any

from staticpy import autodiff
from staticpy.runtime.lowered_as import lowered_as


@lowered_as("stop_gradient")
def stop_gradient(x: Any) -> Any:
    """``x``, of which derivatives are zero.

    Args:
        x: a number or an array, or a tuple, list or dict of such.

    Returns:
        The number, or the array itself; a new tuple, list or dict.

    Raises:
        TypeError: ``x`` holds something else.
    """
    return autodiff.stop_gradient(x)
