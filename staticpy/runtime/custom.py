"""What a program says itself of its derivatives: ``stop_gradient``, ``custom_vjp`` and their kin.

Functions with rules of their own are objects of a class in the language: they can be made, and
called, in a compiled function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from staticpy import autodiff
from staticpy.frontend import lowered_as
from staticpy.ops import checkpoint_policies
from staticpy.runtime.decorator import jit_as
from staticpy.runtime.jitted import is_compiled


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


class _WithRule:
    """A function with a derivative of its own; ``__call__`` applies it."""

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: int | Sequence[int],
        nondiff_argnames: str | Sequence[str],
    ) -> None:
        self.fun = fun
        self.nondiff_argnums: Any = nondiff_argnums
        if nondiff_argnames:
            numbers = nondiff_argnums
            self.nondiff_argnums = (
                *((numbers,) if isinstance(numbers, int) else numbers),
                *((nondiff_argnames,) if isinstance(nondiff_argnames, str) else nondiff_argnames),
            )
        self.__wrapped__ = fun  # of each one: as a property it would hide the class's own signature

    @property
    def __staticpy_custom__(self) -> Callable[..., Any]:
        """What says whether derivatives are compiled."""
        return self.fun

    @property
    def derived(self) -> dict[str, Any]:
        """The programs that were compiled around it, as a JittedFunction has them."""
        return self.__dict__.setdefault("_derived", {})  # type: ignore[no-any-return]


class custom_vjp(_WithRule):  # noqa: N801 - a decorator
    """A function with a derivative of your own, for reverse mode.

    ``fun`` is what is called where nothing is differentiated. ``defvjp(fwd, bwd)`` gives the rule.
    Where a derivative is taken around the call, ``fwd`` runs in the place of ``fun``, with the same
    arguments, and gives ``(out, residuals)``; on the way back ``bwd`` gets the arguments named in
    ``nondiff_argnums``, the residuals, and the cotangent of ``out`` (with None for what has no
    derivative, such as an int). It gives a tuple with the cotangent of each other argument, None
    for zero. The rule is what the next derivative is taken of.

    Args:
        fun: a function that takes its arguments by position.
        nondiff_argnums: which arguments are no numbers, arrays, or tuples, lists and dicts of them:
            one, or several.
        nondiff_argnames: the same, by the names of parameters. The rule gets them by position, all
            in the order of the parameters.

    Raises:
        CompileError: SPY707, ``fwd`` or ``bwd`` is no rule for ``fun``, the result depends on what
            is differentiated by in other ways than by the arguments, forward mode goes through it,
            or a second derivative is taken by ``backward`` or a ``GradientTape``.
        ValueError: there is no such argument.
        AttributeError: it is called before ``defvjp``.
        TypeError: an argument can be given by keyword only.
    """

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: int | Sequence[int] = (),
        nondiff_argnames: str | Sequence[str] = (),
    ) -> None:
        super().__init__(fun, nondiff_argnums, nondiff_argnames)
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Give the rule: ``fwd(*args)``, and ``bwd(*nondiff_args, residuals, cotangent)``."""
        self.fwd = fwd
        self.bwd = bwd

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """``fun(*args, **kwargs)``."""
        if self.fwd is None:
            raise AttributeError("a custom_vjp function is called before its defvjp")
        rule = (self.fwd, self.bwd)
        return call_with_vjp(self.fun, rule, self.nondiff_argnums, args, kwargs)


@lowered_as("call_with_vjp")
def call_with_vjp(fun: Any, rule: Any, nondiff_argnums: Any, args: Any, kwargs: Any) -> Any:
    """``fun(*args, **kwargs)``, whose derivative is given by ``rule``: fwd and bwd."""
    return autodiff.call_with_vjp(fun, rule, nondiff_argnums, args, kwargs)


class custom_jvp(_WithRule):  # noqa: N801 - a decorator
    """A function with a derivative of your own, for both modes.

    ``fun`` is what is called. ``defjvp(jvp)`` gives the rule: ``jvp`` gets the arguments named in
    ``nondiff_argnums``, a tuple of the other arguments, the primals, and a tuple of their tangents,
    and gives a pair of what ``fun`` gives and the tangent of that (with None for zero, and for what
    has no derivative, such as an int). It is linear in the tangents, so that reverse mode can go
    back through it. The rule is what the next derivative is taken of.

    Args:
        fun: a function that takes its arguments by position.
        nondiff_argnums: which arguments are no numbers, arrays, or tuples, lists and dicts of them:
            one, or several.
        nondiff_argnames: the same, by the names of parameters. The rule gets them by position, all
            in the order of the parameters.

    Raises:
        CompileError: SPY707, ``jvp`` is no rule for ``fun``, the result depends on what is
            differentiated by in other ways than by the arguments, or a second derivative is taken
            by ``backward`` or a ``GradientTape``.
        ValueError: there is no such argument.
        AttributeError: it is called before ``defjvp``.
        TypeError: an argument can be given by keyword only.
    """

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: int | Sequence[int] = (),
        nondiff_argnames: str | Sequence[str] = (),
    ) -> None:
        super().__init__(fun, nondiff_argnums, nondiff_argnames)
        self.jvp: Callable[..., Any] | None = None

    def defjvp(self, jvp: Callable[..., Any]) -> Callable[..., Any]:
        """Give the rule, ``jvp(*nondiff_args, primals, tangents)``; a decorator."""
        self.jvp = jvp
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Give the rule as a function for each argument, ``jvp(tangent, out, *primals)``; the
        tangent of the result, a number or an array, is the sum of what they give. None for zero.
        """

        def jvp(primals: Any, tangents: Any) -> Any:
            out = self(*primals)
            total = None
            for rule, tangent in zip(jvps, tangents, strict=False):
                if rule is not None:
                    term = rule(tangent, out, *primals)
                    total = term if total is None else total + term
            return out, total

        self.jvp = jvp

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """``fun(*args, **kwargs)``."""
        if self.jvp is None:
            raise AttributeError("a custom_jvp function is called before its defjvp")
        return call_with_jvp(self.fun, self.jvp, self.nondiff_argnums, args, kwargs)


def checkpoint(
    fun: Callable[..., Any],
    *,
    prevent_cse: bool = True,
    policy: checkpoint_policies.Policy | None = None,
    static_argnums: int | tuple[int, ...] = (),
) -> Callable[..., Any]:
    """``fun``, of which the way back of a gradient saves only what goes into it.

    Compiled, it runs ``fun`` again to go back through it. A ``for`` or ``while`` in ``fun`` itself
    runs in about as many pieces as each has rounds, and what it carries is saved between them: of
    ``n`` rounds, what is saved is of the order of the square root of ``n``.

    Args:
        fun: any function; if it is compiled, it prints nothing and changes nothing of others, since
            it runs twice.
        prevent_cse: whether what is computed again must not be found to be what was computed
            before. Here it never is, whichever is said.
        policy: one of ``staticpy.checkpoint_policies``: which results of operations are saved
            besides, where nobody writes to them. It changes what is saved and nothing else.
        static_argnums: numbers of arguments by position, which in JAX are no numbers and arrays, or
            must not be traced. Here all arguments may be anything and are handed on as they are.

    Returns:
        A function with the same arguments and results; compiled if ``fun`` is. In plain Python
        ``fun`` runs once, and what it has done to Tensors is done again, with the same bits.

    Raises:
        CompileError: SPY707, ``fun`` is compiled and does what can't be done twice, in what is
            differentiated; SPY708, what goes into it is written to before somebody goes back.
        TypeError: when it is called: ``policy`` is none, or ``static_argnums`` holds no int.
        ValueError: when it is called: there is no such argument.
    """

    def run(*args: Any, **kwargs: Any) -> Any:
        return call_checkpointed(fun, policy, static_argnums, args, kwargs)

    return jit_as(fun, run) if is_compiled(fun) else run


@lowered_as("call_checkpointed")
def call_checkpointed(fun: Any, policy: Any, static_argnums: Any, args: Any, kwargs: Any) -> Any:
    """``fun(*args, **kwargs)``; on the way back, once more."""
    return autodiff.call_checkpointed(fun, policy, static_argnums, args, kwargs)


@lowered_as("checkpoint_name")
def checkpoint_name(x: Any, name: str) -> Any:
    """``x``, by a name that policies of ``checkpoint`` know what it is by.

    Args:
        x: a number or an array, or a tuple, list or dict of such.
        name: the name, of any number of values.

    Returns:
        The number, or the array itself; a new tuple, list or dict.

    Raises:
        TypeError: ``x`` holds something else, or the name is no str.
    """
    return autodiff.checkpoint_name(x, name)


@lowered_as("call_with_jvp")
def call_with_jvp(fun: Any, rule: Any, nondiff_argnums: Any, args: Any, kwargs: Any) -> Any:
    """``fun(*args, **kwargs)``, whose tangent is given by ``rule``."""
    return autodiff.call_with_jvp(fun, rule, nondiff_argnums, args, kwargs)
