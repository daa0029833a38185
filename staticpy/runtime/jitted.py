"""JittedFunction: a function that keeps compiled code for each kind of call that it has met.

In: a Python function, from ``jit``. Out: a callable that tries the entry functions of its
specialisations, the most recently used first, and compiles where none fits the call. This is the
top of the road: everything below is reached from ``JittedFunction.__call__``.
"""

from __future__ import annotations

import functools
import threading
import types
import warnings
from collections.abc import Callable, Container, Iterable
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast, overload

from staticpy.backends import Options
from staticpy.diagnostics import CompileError, Diagnostics, catalog
from staticpy.frontend import Path
from staticpy.runtime.direct import publish, withdraw
from staticpy.runtime.entry import MISS, make_binder
from staticpy.runtime.mode import OpenBlocks, instead_of
from staticpy.runtime.native_callable import NativeCallable, speaks_vectorcall
from staticpy.runtime.parameters import parameters_of
from staticpy.runtime.specialization import Specialization, Target, spans_of, specialize
from staticpy.runtime.stages import Lowered
from staticpy.runtime.tracebacks import in_users_terms, refused_at_run_time

P = ParamSpec("P")
R = TypeVar("R")

MAX_SPECIALIZATIONS: Final = 64
"""How many specialisations a function keeps; the least recently used one makes room."""

_ATTEMPTS: Final = 3
"""How often a call is compiled anew because what it read has changed before it ran."""

_COMPILING = threading.RLock()
"""Held while a function is compiled. One for all functions: compiling one may run into another."""


class RecompilationWarning(UserWarning):
    """A function is compiled again and again, because its calls differ in more than sizes."""


class JittedFunction(NativeCallable, Generic[P, R]):
    """A function that runs as a compiled graph. Made by ``jit``.

    It has the name, documentation and signature of the user's function, which is ``__wrapped__``,
    and binds to instances as functions do. ``derived`` is what transforms keep beside it.

    Where a specialisation is called a second time and its backend has made native code, that code
    takes the calls from then on (``direct``); what no plan of it fits comes to ``__call__``.
    """

    def __init__(self, function: Callable[P, R], static: Iterable[Path], options: Options) -> None:
        assert isinstance(function, types.FunctionType)
        functools.update_wrapper(self, function)
        self.__wrapped__: Callable[P, R] = function
        self._function = function
        self.static = frozenset(static)
        self.options = options
        self._read_definition()

    def _read_definition(self) -> None:
        """Take the code and defaults that the function has now; what is compiled is forgotten."""
        function = self._function
        with _COMPILING:
            self._code, self._defaults = function.__code__, function.__defaults__
            self._keyword_defaults = function.__kwdefaults__
            parameters = parameters_of(function)
            self._target = Target(function, parameters, self.static, self.options)
            self._bind = make_binder(function, parameters)
            self.derived: dict[str, Any] = {}
            self._forget()

    def _forget(self) -> None:
        """Let go of all that is compiled."""
        self._specializations: tuple[Specialization, ...] = ()
        self._direct: Container[Specialization] = ()
        withdraw(self)

    def _is_redefined(self) -> bool:
        """Whether somebody gave the function other code or defaults, as reloading tools do."""
        function = self._function
        return (
            function.__code__ is not self._code
            or function.__defaults__ is not self._defaults
            or function.__kwdefaults__ is not self._keyword_defaults
        )

    @property
    def __staticpy_function__(self) -> Callable[P, R]:
        """The function to lower where another function calls this one."""
        return self.__wrapped__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the graph for these arguments, after compiling it where that is needed.

        Raises:
            TypeError: the arguments don't match the parameters, as in any call.
            CompileError: the function can't be compiled for arguments of these types.
        """
        __tracebackhide__ = True
        if OpenBlocks.count:
            instead = self.instead()
            if instead is not None:
                return instead(*args, **kwargs)  # type: ignore[no-any-return]
        if self._is_redefined():
            self._read_definition()
        specializations = self._specializations
        try:
            for specialization in specializations:
                result: R = specialization.entry(*args, **kwargs)
                if result is not MISS:
                    if specialization is not specializations[0]:
                        self._move_to_front(specialization)
                    if specialization.direct is not None and specialization not in self._direct:
                        self._take_directly()
                    return result
            return self._call_compiled(specializations, args, kwargs)
        except BaseException as error:
            spans = spans_of({*specializations, *self._specializations})
            refusal = refused_at_run_time(error, spans)
            if refusal is not None:
                raise in_users_terms(refusal, spans) from None
            raise in_users_terms(error, spans)  # noqa: B904

    def instead(self) -> Any:
        """What is called instead of this, or None."""
        return instead_of(self)

    def _take_directly(self) -> None:
        """Let native code take the calls that fit the specialisations that there are."""
        with _COMPILING:
            self._direct = frozenset(self._specializations)
            publish(self, self._function, JittedFunction.__call__, self._specializations)

    def _call_compiled(
        self, tried: Iterable[Specialization], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> R:
        """Compile for these arguments, unless another thread just did, and run."""
        arguments = self._bind(*args, **kwargs)
        known = set(tried)
        compiled = 0
        while compiled < _ATTEMPTS:
            with _COMPILING:
                fresh = [each for each in self._specializations if each not in known]
                if not fresh:
                    fresh = [specialize(self._target, arguments, self._specializations)]
                    self._add(fresh[0])
                    compiled += 1
            for specialization in fresh:
                result: R = specialization.entry(*args, **kwargs)
                if result is not MISS:
                    return result
            known.update(fresh)
        raise self._guards_contradict()

    def _guards_contradict(self) -> CompileError:
        diagnostics = Diagnostics()
        detail = "the code that was compiled for this call doesn't accept it"
        diagnostics.add(catalog.INTERNAL_ERROR, self._target.span, detail=detail)
        return CompileError(diagnostics)

    def _add(self, specialization: Specialization) -> None:
        kept = self._specializations[: MAX_SPECIALIZATIONS - 1]
        if len(kept) < len(self._specializations):
            message = (
                f"{self._function.__qualname__} was compiled more than "
                f"{MAX_SPECIALIZATIONS} times; the oldest code is thrown away: does an argument "
                "change its type, or something that is compiled in its value, at every call?"
            )
            warnings.warn(message, RecompilationWarning, stacklevel=4)
        self._specializations = (specialization, *kept)

    def _move_to_front(self, specialization: Specialization) -> None:
        # Only an order: where another thread is compiling, leave it for the next call.
        if not _COMPILING.acquire(blocking=False):
            return
        try:
            others = [each for each in self._specializations if each is not specialization]
            if len(others) < len(self._specializations):
                self._specializations = (specialization, *others)
        finally:
            _COMPILING.release()

    def lower(self, *args: P.args, **kwargs: P.kwargs) -> Lowered:
        """The graph for a call with these arguments, which is not run.

        Raises:
            TypeError: the arguments don't match the parameters.
            CompileError: the function can't be compiled for arguments of these types.
        """
        if self._is_redefined():
            self._read_definition()
        return Lowered(self._target, self._bind(*args, **kwargs))

    @property
    def backend(self) -> str:
        """The name of the backend that runs the graph."""
        return self.options.backend

    @property
    def cache_size(self) -> int:
        """How many specialisations are kept."""
        return len(self._specializations)

    def cache_clear(self) -> None:
        """Forget every specialisation."""
        with _COMPILING:
            self._forget()
            self.derived = {}

    @overload
    def __get__(self, instance: None, owner: type) -> JittedFunction[P, R]: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> JittedMethod: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        return self if instance is None else JittedMethod(self, instance)

    def __reduce__(self) -> str:
        # As a plain function: pickled by name, and its own copy.
        return self._function.__qualname__

    def __repr__(self) -> str:
        return f"<staticpy.jit of {self.__wrapped__!r}>"


speaks_vectorcall(JittedFunction)


class JittedMethod(functools.partial[Any]):
    """A JittedFunction bound to an instance. A ``partial``: calling one needs no frame."""

    @property
    def __func__(self) -> JittedFunction[..., Any]:
        return cast(JittedFunction[..., Any], self.func)

    @property
    def __self__(self) -> Any:
        return self.args[0]

    @property
    def __staticpy_function__(self) -> Callable[..., Any]:
        """The plain method, to lower where another function calls this one."""
        return types.MethodType(self.__func__.__wrapped__, self.__self__)

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """See ``JittedFunction.lower``."""
        return self.__func__.lower(self.__self__, *args, **kwargs)

    @property
    def cache_size(self) -> int:
        """How many specialisations the function keeps, for all instances together."""
        return self.__func__.cache_size

    def cache_clear(self) -> None:
        """Forget every specialisation of the function, for all instances."""
        self.__func__.cache_clear()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.func, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JittedMethod):
            return NotImplemented
        return self.func is other.func and self.__self__ is other.__self__

    def __hash__(self) -> int:
        return hash((id(self.func), id(self.__self__)))


def is_compiled(fun: object) -> bool:
    """Whether derivatives of a function are compiled: it is, or what its rule is for."""
    fun = getattr(fun, "__staticpy_custom__", fun)
    return isinstance(fun, JittedFunction | JittedMethod)


def called(fun: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a program around a compiled function calls, and its first arguments: of a method, which
    is one function for all instances; but what has a derivative of its own is called itself.
    """
    if not isinstance(fun, JittedMethod):
        return fun, ()
    has_rule = hasattr(type(fun.__self__), "__staticpy_custom__")
    return (fun.__self__, ()) if has_rule else (fun.__func__, fun.args)


def options_of(fun: Any) -> Options:
    """How a compiled function, or what its rule is for, is compiled."""
    return getattr(fun, "__staticpy_custom__", fun).options  # type: ignore[no-any-return]
