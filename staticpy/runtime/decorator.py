"""``jit``: the decorator that makes a JittedFunction of a Python function."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ParamSpec, TypeVar, cast, overload

from staticpy.backends import Options, default_backend
from staticpy.diagnostics import CompileError, Diagnostics, catalog
from staticpy.frontend import Argument, Path
from staticpy.runtime.jitted import JittedFunction, JittedMethod, called, options_of
from staticpy.runtime.parameters import parameters_of
from staticpy.source import NO_SPAN, SourceSpan, line_span, names_of_other

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
        static_argnames: parameters whose values are compiled in, by transforms of ``fn`` as well;
            each new value compiles again. With ``**kwargs`` they may be any names.
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
    if isinstance(fn, JittedFunction) and not static:
        return JittedFunction(fn.__wrapped__, fn.static, options)
    if isinstance(fn, JittedFunction):
        fn = fn.__wrapped__
    if isinstance(fn, staticmethod | classmethod):
        return type(fn)(again(fn.__func__))
    if not isinstance(fn, types.FunctionType):
        raise _refusal(fn)
    parameters = parameters_of(fn)
    paths = [Path(Argument(name)) for name in parameters.names if name in static]
    others = sorted(set(static).difference(parameters.names))
    if others and parameters.keywords is None:
        raise ValueError(f"static_argnames: {fn.__qualname__} has no {', '.join(others)}")
    if parameters.keywords is not None:
        paths += [Path(Argument(parameters.keywords)).item(name) for name in others]
    return JittedFunction(fn, paths, options)


setattr(jit, "__staticpy_jit__", True)  # noqa: B010 - by this the frontend knows it


def jit_as(fun: Any, function: Any) -> Any:
    """``function`` compiled in the way in which ``fun`` is, which a transform has made it of. It
    takes the arguments of ``fun`` as its own or, where it has them, as ``primals``.
    """
    parameters = parameters_of(function)
    by_place, by_name = parameters.variadic, parameters.keywords
    if "primals" in parameters.names:
        by_place, by_name = "primals", None
    holders = [(key, by_place if isinstance(key, int) else by_name) for key in _static_keys(fun)]
    static = [Path(Argument(holder)).item(key) for key, holder in holders if holder is not None]
    options = options_of(fun)
    return JittedFunction(function, static, Options(options.backend, options.keeps_code))


def _static_keys(fun: Any) -> Iterator[int | str]:
    """Where calls of a compiled function have what is compiled in: places and keywords."""
    function, bound = called(fun)
    if not isinstance(function, JittedFunction):
        return
    parameters = parameters_of(cast(types.FunctionType, function.__wrapped__))
    positional = (*parameters.positional_only, *parameters.positional)
    for path in function.static:
        name = path.root.name
        if path.steps:  # an item of what is variadic
            ((_, key),) = path.steps
            yield key + len(positional) - len(bound) if name == parameters.variadic else key
        elif name in positional[len(bound) :]:
            yield positional.index(name) - len(bound)
        if name in (*parameters.positional, *parameters.keyword_only) and not path.steps:
            yield name


def _backend_of(fn: Any) -> str:
    """The backend for ``fn`` where none is named: its own, if it is compiled already."""
    return fn.options.backend if isinstance(fn, JittedFunction) else default_backend()


def _fits(known: Options, asked: Options) -> bool:
    """Whether a function that is compiled so does all that is asked for."""
    return known.backend == asked.backend and (known.keeps_code or not asked.keeps_code)


def _refusal(fn: object) -> CompileError:
    """The error for what is no Python function, at the place that called ``jit``."""
    diagnostics = Diagnostics()
    diagnostics.add(catalog.NOT_A_PYTHON_FUNCTION, _caller_span(), **names_of_other(fn))
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
