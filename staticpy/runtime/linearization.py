"""``linearize``: a function at a point, and its derivative there as a function of tangents."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from staticpy import autodiff, ops
from staticpy.frontend import lowered_as
from staticpy.runtime.forward_transforms import runs_compiled
from staticpy.runtime.jitted import called
from staticpy.runtime.mode import disable_jit
from staticpy.runtime.pullbacks import boxed, later, require_plain
from staticpy.runtime.transforms import in_diagnostics


def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """What ``fun`` gives for ``primals``, and a function that pushes tangents through it.

    Args:
        fun: gives numbers and arrays, or a tuple, list or dict of them; with ``has_aux`` a pair of
            these and anything else.
        primals: its arguments.
        has_aux: whether ``fun`` gives a pair.

    Returns:
        ``(out, f_jvp)``, or ``(out, f_jvp, aux)``. ``f_jvp`` takes a tangent for each primal and
        gives those of ``out``, as ``jvp`` does. It may be called as often as needed, and goes
        through what ``fun`` did when ``linearize`` was called: of a plain function through its
        tape; of a compiled one it is compiled, and runs ``fun`` again on copies of what the first
        run has read.

    Raises:
        CompileError: SPY701 (no derivative), SPY704 (``fun`` gives what has no tangent), SPY706
            (running ``fun`` again could be seen).
        TypeError: (``f_jvp``) primals and tangents differ in structure or dtype.
        ValueError: (``f_jvp``) they differ in shape.
    """
    out, push, aux = linearized(fun, primals, has_aux)
    return (out, push, aux) if has_aux else (out, push)


@lowered_as("linearized")
def linearized(
    fun: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool
) -> tuple[Any, Callable[..., Any], Any]:
    """What ``fun(*primals)`` gives, the function of tangents, and what it gives besides: in
    compiled functions of the graph; in plain Python by a tape, or by another graph.
    """
    with in_diagnostics(fun):
        if runs_compiled(fun) and not autodiff.holds_tensor(primals):
            out, push, aux = _of_compiled(fun, primals, has_aux)
        else:
            with disable_jit():
                out, push, aux = autodiff.linearized(fun, primals, has_aux)
    return out, functools.partial(_pushed, fun, push), aux


def _pushed(fun: Any, push: Callable[..., Any], /, *tangents: Any) -> Any:
    with in_diagnostics(fun):
        return push(*tangents)


def _of_compiled(
    fun: Any, primals: tuple[Any, ...], has_aux: bool
) -> tuple[Any, Callable[..., Any], Any]:
    own = autodiff.each(primals, autodiff.own)
    function, bound = called(fun)
    call = bound, own, autodiff.each(own, lambda leaf: boxed(leaf, leaf))
    run = later(fun, f"linearize {bool(has_aux)}", _tangents(has_aux, function), call)
    # Behind that: what this changes may be part of the code, which doesn't show it any more.
    out, aux = ops.parts_of(fun(*primals), has_aux)
    require_plain(out)

    def push(*tangents: Any) -> Any:
        items = iter(autodiff.tangents_for(own, tangents))
        return run(autodiff.each(own, lambda leaf: _given(leaf, next(items))))

    return autodiff.each(out, autodiff.own), push, aux


def _given(leaf: Any, tangent: Any) -> Any:
    """A tangent, or zeros where there is none."""
    return boxed(leaf, np.zeros_like(leaf)[()] if tangent is None else tangent)


def _tangents(has_aux: bool, fun: Any) -> Callable[..., Any]:
    def tangents(bound: Any, primals: Any, given: Any) -> Any:
        function = functools.partial(fun, *bound) if bound else fun
        _, push, _ = linearized(function, primals, has_aux)
        return push(*given)

    return tangents
