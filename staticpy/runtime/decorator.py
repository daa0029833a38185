"""``jit``: the decorator that makes a JittedFunction of a Python function."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec, TypeVar, overload

from staticpy.backends import Options, default_backend
from staticpy.diagnostics import CompileError, Diagnostics, catalog
from staticpy.runtime.jitted import JittedFunction, JittedMethod, options_of
from staticpy.runtime.parameters import parameters_of
from staticpy.source import NO_SPAN, SourceSpan, line_span

P = ParamSpec("P")
R = TypeVar("R")


@overload
def jit(
    fn: Callable[P, R],
    *,
    static_argnames: str | Iterable[str] = (),
    backend: str | None = ...,
    cache: bool = ...,
) -> JittedFunction[P, R]: ...


@overload
def jit(
    fn: None = None,
    *,
    static_argnames: str | Iterable[str] = (),
    backend: str | None = ...,
    cache: bool = ...,
) -> Callable[[Callable[P, R]], JittedFunction[P, R]]: ...


def jit(
    fn: Callable[..., Any] | None = None,
    *,
    static_argnames: str | Iterable[str] = (),
    backend: str | None = None,
    cache: bool = False,
) -> Any:
    """Compile ``fn`` when it is called, once for each combination of argument types.

    A combination is the box, dtype and rank of every array and number among the arguments, and what
    the function reads at compile time: a new size does not compile again, unless sizes that were
    equal, or 1, no longer are. Works as ``@jit``, as ``@jit(...)``, as ``run = jit(f)`` and on
    methods.

    Args:
        fn: a Python function or a bound method; a jitted function is returned as it is.
        static_argnames: parameters whose values are compiled in; each new value compiles again.
        backend: the name of the backend that runs the graph. Without one it is that of a function
            that is compiled already; else what ``STATICPY_BACKEND`` names; else ``llvm`` where the
            extra ``native`` is installed, on Linux on x86-64; else ``python_source``.
        cache: keep the machine code of this function for later runs, in the folder that
            STATICPY_CACHE_DIR names or, if that isn't set, the user's folder for caches.

    Raises:
        CompileError: SPY010, ``fn`` is not a Python function.
        ValueError: ``static_argnames`` names no parameter, ``backend`` no backend, or with
            ``cache`` one that makes no machine code.
    """
    static = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    options = Options(backend or _backend_of(fn), keeps_code=cache)
    options.load()
    again = functools.partial(jit, static_argnames=static, backend=backend, cache=cache)
    if fn is None:
        return again
    if isinstance(fn, JittedFunction) and not static and _fits(fn.options, options):
        return fn
    if hasattr(type(fn), "__staticpy_custom__"):  # a function with a derivative of its own
        fn = types.MethodType(type(fn).__call__, fn)
    if isinstance(fn, types.MethodType | JittedMethod):
        return JittedMethod(again(fn.__func__), fn.__self__)
    if isinstance(fn, JittedFunction):
        fn = fn.__wrapped__
    if isinstance(fn, staticmethod | classmethod):
        return type(fn)(again(fn.__func__))
    if not isinstance(fn, types.FunctionType):
        raise _refusal(fn)
    unknown = set(static).difference(parameters_of(fn).names)
    if unknown:
        raise ValueError(f"static_argnames: {fn.__qualname__} has no {', '.join(sorted(unknown))}")
    return JittedFunction(fn, static, options)


setattr(jit, "__staticpy_jit__", True)  # noqa: B010 - by this the frontend knows it


def jit_as(fun: Any, function: Callable[..., Any]) -> Any:
    """``function`` compiled in the way in which ``fun`` is, which a transform has made it of."""
    options = options_of(fun)
    return jit(function, backend=options.backend, cache=options.keeps_code)


def _backend_of(fn: Any) -> str:
    """The backend for ``fn`` where none is named: its own, if it is compiled already."""
    return fn.options.backend if isinstance(fn, JittedFunction) else default_backend()


def _fits(known: Options, asked: Options) -> bool:
    """Whether a function that is compiled so does all that is asked for."""
    return known.backend == asked.backend and (known.keeps_code or not asked.keeps_code)


def _refusal(fn: object) -> CompileError:
    """The error for what is no Python function, at the place that called ``jit``."""
    name = getattr(fn, "__qualname__", getattr(fn, "__name__", type(fn).__qualname__))
    diagnostics = Diagnostics()
    diagnostics.add(catalog.NOT_A_PYTHON_FUNCTION, _caller_span(), name=name)
    return CompileError(diagnostics)


def _caller_span() -> SourceSpan:
    """The line that called into this module."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    if frame is None:
        return NO_SPAN
    code = frame.f_code
    return line_span(code.co_filename, frame.f_lineno, frame.f_globals, code.co_qualname)
