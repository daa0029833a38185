"""``jvp`` and what is made of it: derivatives in forward mode.

They are programs in the language, as ``grad`` is: they can be called inside of a compiled function,
and be differentiated again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from staticpy import autodiff
from staticpy.frontend import lowered_as
from staticpy.runtime.decorator import jit_as
from staticpy.runtime.jitted import called, is_compiled, options_of
from staticpy.runtime.mode import disable_jit, is_jit_disabled
from staticpy.runtime.transforms import grad, in_diagnostics


@lowered_as("pushed_forward")
def pushed_forward(
    fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool
) -> tuple[Any, Any, Any]:
    """What ``fun(*primals)`` gives, its tangents, and what it gives besides: in compiled functions
    of the graph; in plain Python by a tape.
    """
    if runs_compiled(fun):
        return program_of(fun, _pushing, has_aux)(primals, tangents)  # type: ignore[no-any-return]
    with in_diagnostics(fun), disable_jit():
        return autodiff.pushed_forward(fun, primals, tangents, has_aux)


def jvp(
    fun: Callable[..., Any],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    has_aux: bool = False,
) -> tuple[Any, ...]:
    """What ``fun(*primals)`` gives, and how that changes as the primals move along the tangents.

    Args:
        fun: gives numbers and arrays, or a tuple, list or dict of them; with ``has_aux`` a pair of
            these and anything else.
        primals: the arguments, a tuple or list.
        tangents: for each number and array in the primals one of the same shape and dtype. None
            stands for zeros, for a whole argument or a part of it; it is the only tangent of what
            is no real or complex number.
        has_aux: whether ``fun`` gives a pair.

    Returns:
        ``(out, tangents_out)``, with ``has_aux`` ``(out, tangents_out, aux)``. The tangents have
        the structure of ``out``; the tangent of an int or a bool, or an array of them, is None.

    Raises:
        CompileError: SPY701 (no derivative), SPY704 (``fun`` gives what has no tangent).
        TypeError: primals and tangents differ in structure or dtype.
        ValueError: they differ in shape.
    """
    out, moved, aux = pushed_forward(fun, primals, tangents, has_aux)
    return (out, moved, aux) if has_aux else (out, moved)


def hvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """The Hessian of ``fun`` by its first argument, times a vector: how the gradient changes as the
    primals move along the tangents. No Hessian is computed.

    Args:
        fun: gives one real number.
        primals: the arguments, a tuple or list.
        tangents: see ``jvp``; None for an argument that stays where it is.

    Returns:
        A tree like the first argument.

    Raises:
        CompileError, TypeError, ValueError: see ``grad`` and ``jvp``.
    """
    if runs_compiled(fun):
        return program_of(fun, _curving)(primals, tangents)
    return jvp(grad(fun), primals, tangents)[1]


# --- compiled functions ---------------------------------------------------------------------------


def runs_compiled(fun: object) -> bool:
    """Whether plain Python that calls ``fun`` runs a graph."""
    return is_compiled(fun) and not is_jit_disabled()


def program_of(fun: Any, make: Callable[..., Any], *options: Any) -> Any:
    """The compiled program that ``make`` writes around ``fun``, made once for each function."""
    function, bound = called(fun)
    key = f"{make.__name__} {options} {len(bound)} {options_of(fun)}"
    program = function.derived.get(key)
    if program is None:
        program = function.derived[key] = jit_as(fun, make(function, *options))
    return functools.partial(program, bound)


def _pushing(function: Callable[..., Any], has_aux: bool) -> Callable[..., Any]:
    def pushing(bound: Any, primals: Any, tangents: Any) -> Any:
        fun = functools.partial(function, *bound) if bound else function
        return pushed_forward(fun, primals, tangents, has_aux)

    return pushing


def _curving(function: Callable[..., Any]) -> Callable[..., Any]:
    def curving(bound: Any, primals: Any, tangents: Any) -> Any:
        fun = functools.partial(function, *bound) if bound else function
        return hvp(fun, primals, tangents)

    return curving
