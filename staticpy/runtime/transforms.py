"""``grad`` and ``value_and_grad``: functions that compute derivatives of others.

They are programs in the language: what they return can be called inside of a compiled function, be
compiled, and be differentiated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from staticpy import autodiff
from staticpy.diagnostics import CompileError, DiagnosticError, Diagnostics
from staticpy.frontend import lowered_as
from staticpy.runtime.decorator import jit_as
from staticpy.runtime.definitions import definition
from staticpy.runtime.jitted import is_compiled
from staticpy.runtime.mode import disable_jit


@lowered_as("value_and_gradient")
def value_and_gradient(
    fun: Callable[..., Any], by: tuple[Any, Any, bool, bool], has_aux: bool, args: Any, kwargs: Any
) -> tuple[Any, Any, Any]:
    """The value of ``fun(*args, **kwargs)``, what it returns besides, and the gradients ``by``
    (argnums, argnames, allow_int, holomorphic): in a compiled function, of the graph; in plain
    Python, by a tape.
    """
    with in_diagnostics(fun), disable_jit():
        return autodiff.value_and_gradient(fun, by, has_aux, args, kwargs)


@contextmanager
def in_diagnostics(fun: Any) -> Iterator[None]:
    """Let what can't be differentiated be a CompileError, as if ``fun`` were compiled."""
    try:
        yield
    except DiagnosticError as error:
        diagnostics = Diagnostics()
        diagnostics.append(error.diagnostic(definition(fun)))
        raise CompileError(diagnostics) from None


def value_and_grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] | None = None,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    *,
    argnames: str | Sequence[str] | None = None,
) -> Callable[..., Any]:
    """A function that gives what ``fun`` gives, and its gradient.

    Args:
        fun: gives one real number (float, NumPy scalar or 0-d array), the value; with ``has_aux`` a
            pair of it and anything else.
        argnums: which positional arguments to differentiate by: a number, or several. These are
            floats, complex numbers and arrays of them, or tuples, lists, dicts and dataclasses of
            these. By the first, if neither this nor ``argnames`` is given.
        has_aux: whether ``fun`` gives a pair.
        holomorphic: whether ``fun`` is a holomorphic function, which gives one complex number for
            complex arguments. The gradient is then its derivative, by complex numbers.
        allow_int: whether these arguments may hold ints and bools. Their gradients are zeros of
            float64.
        argnames: which parameters of ``fun`` to differentiate by, whether a call gives them by name
            or by position.

    Returns:
        A function of the arguments of ``fun`` that returns ``(value, gradient)``, or ``((value,
        aux), gradient)``. The gradient has the structure, shapes and dtypes of the argument. Where
        ``argnums`` or ``argnames`` are several, or both are given, it is a tuple: those of
        ``argnums`` first, each in the order given. It is compiled if ``fun`` is, and transforms the
        graph (reverse mode).

    Raises:
        CompileError: SPY701 (no derivative), SPY702 (no real number), SPY703 (an argument that has
            none), SPY714 (holomorphic, and not complex).
        ValueError: ``argnums`` is out of range, the call has no argument of a name in ``argnames``,
            or one is given twice.
    """
    first = 0 if argnums is None and argnames is None else argnums
    by = (first, argnames, allow_int, holomorphic)

    def value_and_gradients(*args: Any, **kwargs: Any) -> Any:
        value, aux, gradient = value_and_gradient(fun, by, has_aux, args, kwargs)
        return ((value, aux) if has_aux else value), gradient

    return jit_as(fun, value_and_gradients) if is_compiled(fun) else value_and_gradients


def grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] | None = None,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    *,
    argnames: str | Sequence[str] | None = None,
) -> Callable[..., Any]:
    """A function that gives the gradient of ``fun``; with ``has_aux``, ``(gradient, aux)``.

    See ``value_and_grad`` for the arguments and errors.
    """
    first = 0 if argnums is None and argnames is None else argnums
    by = (first, argnames, allow_int, holomorphic)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        _, aux, found = value_and_gradient(fun, by, has_aux, args, kwargs)
        return (found, aux) if has_aux else found

    return jit_as(fun, gradient) if is_compiled(fun) else gradient
