"""``user.function``: what a program has computed itself, and can go back through itself.

It is met on tapes alone: the program has computed its results by then. ``pull_back(holder, g,
out)`` gives the cotangent of each operand but ``holder``, the first one, by which the program's own
function is known.
"""

from __future__ import annotations

from typing import Any

from staticpy.ir import Type
from staticpy.ops.opdef import defop


def _infer(*_: Type, types: tuple[Type, ...], **__: Any) -> tuple[Type, ...]:
    return types


user_function = defop("user.function", infer=_infer)
"""A function of the program with a derivative of its own."""
