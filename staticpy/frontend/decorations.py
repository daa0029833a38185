"""Decorators whose meaning the compiler knows: ``staticpy.jit``, the caches of ``functools`` and
``np.vectorize``.
"""

from __future__ import annotations

import functools
import types
from typing import Any, ClassVar

import numpy as np

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend import library, vectorized
from staticpy.frontend.classes import is_jit
from staticpy.frontend.inputs import Path, tree_leaves
from staticpy.frontend.inspection import Inspection
from staticpy.frontend.lower_base import Frame
from staticpy.frontend.purity import impurity
from staticpy.frontend.values import (
    BoundFunction,
    Closure,
    Partial,
    Ref,
    UserFunction,
    constant_type,
)
from staticpy.ir import INT, NONE, STR, PythonType, Value

_CACHED = "from_lasting_cache"


class Decorations(Inspection):
    """Calls decorators."""

    def _call_outside(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        if is_jit(function):
            return self._call_jit(function, args, kwargs, node)
        return super()._call_outside(function, args, kwargs, node)

    def _call_jit(self, jit: Any, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """``staticpy.jit`` inside of a compiled function: all of it is compiled anyway."""
        given = dict(kwargs)
        function = args[0] if len(args) == 1 else given.pop("fn", None)
        if len(args) > 1 or given.keys() - {"static_argnames"}:
            return self.refuse_call(jit, node)
        if function is None:
            return Partial(jit, (), tuple(given.items()))
        if not isinstance(function, UserFunction | Closure | BoundFunction):
            return self.refuse_call(jit, node)
        names = given.get("static_argnames", ())
        of_function = function.function if isinstance(function, BoundFunction) else function
        known = {each.name for each in self.prepared(of_function, node).parameters}
        if not known.issuperset((names,) if isinstance(names, str) else names):
            return self.refuse_call(jit, node)
        return function

    # --- np.vectorize -----------------------------------------------------------------------------

    def call_vectorize(  # noqa: PLR0913, PLR0917
        self,
        node: Any,
        pyfunc: Any = None,
        otypes: Any = None,
        doc: Any = None,
        excluded: Any = (),
        cache: Any = False,
        signature: Any = None,
    ) -> Partial:
        """``np.vectorize``; without a function what takes one."""
        if signature is not None:
            spec = catalog.UNSUPPORTED_FUNCTION_ARGUMENT
            self.error(spec, node, function="vectorize", argument="signature")
        if pyfunc is None:
            options = {"otypes": otypes, "excluded": excluded, "cache": cache}
            return Partial(np.vectorize, (), tuple(options.items()))
        left_out = self.content(excluded) if isinstance(excluded, Ref) else excluded or ()
        settings = (self._result_dtypes(otypes, node), tuple(left_out), cache)
        if any(isinstance(leaf, Value) for leaf in tree_leaves(settings)):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="an option of 'np.vectorize()'")
        made = self.user_function(vectorized.vectorized)  # type: ignore[arg-type]
        return Partial(made, (pyfunc, *settings), ())

    def _result_dtypes(self, otypes: Any, node: Any) -> tuple[np.dtype, ...] | None:
        if otypes is None:
            return None
        given = self.content(otypes) if isinstance(otypes, Ref) else otypes
        if not isinstance(given, str | tuple | list) or len(given) == 0:
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="'otypes' of 'np.vectorize()'")
        return tuple(ops.static_dtype(each, "np.vectorize()") or np.dtype(float) for each in given)

    def _outside_vectorized(self, path: Path, value: Any, name: str) -> Any:
        """What ``np.vectorize`` made of a function, outside."""
        self.compilation.inputs.guard(path, "is", value)
        if not callable(value.pyfunc):
            raise DiagnosticError(catalog.UNSUPPORTED_CALL, None, (), name="np.vectorize")
        function = self.outside(path.attr("pyfunc"), value.pyfunc, name)
        options = (value.otypes, None, value.excluded, value.cache, value.signature)
        return self.call_vectorize(self.frame.prepared.node, function, *options)

    def call_require_one_kind(self, node: Any, varied: Any) -> Any:
        """The arguments of what ``np.vectorize`` made: the items of a list keep their types."""
        for each in self.content(varied):
            leaves = list(tree_leaves(self.plain(each))) if isinstance(each, Ref | tuple) else []
            types = {constant_type(leaf) for leaf in leaves}
            if len(types) > 1 or any(not isinstance(type_, PythonType) for type_ in types):
                shown = "a list of anything but Python's numbers of one type"
                self.error(catalog.NOT_AN_ARRAY, node, function="np.vectorize()", type=shown)
        return varied

    # --- caches -----------------------------------------------------------------------------------

    def call_cache(self, node: Any, user_function: Any) -> Any:
        """``functools.cache``."""
        if not isinstance(user_function, UserFunction | Closure):
            self.error(catalog.UNSUPPORTED_CALL, node, name="functools.cache")
        made = self.user_function(library.cached)  # type: ignore[arg-type]
        return self.call_function(made, [user_function], {}, node)

    def call_lru_cache(self, node: Any, maxsize: Any = 128, typed: Any = False) -> Any:
        """``functools.lru_cache``: what it forgets can be told from what it keeps."""
        if isinstance(maxsize, UserFunction | Closure) or maxsize is not None or typed is not False:
            self.error(catalog.UNSUPPORTED_CALL, node, name="functools.lru_cache with a maxsize")
        return lambda function: self.call_cache(node, function)

    def _outside_object(self, path: Path, value: Any, name: str) -> Any:
        if isinstance(value, functools._lru_cache_wrapper):  # noqa: SLF001 - it has no other name
            return self._outside_cache(path, value, name)
        if isinstance(value, np.vectorize):
            return self._outside_vectorized(path, value, name)
        return super()._outside_object(path, value, name)

    def _outside_cache(self, path: Path, value: Any, name: str) -> Any:
        """A cached function from outside, whose cache outlives the call."""
        self.compilation.inputs.guard(path, "is", value)
        function = self.outside(path.attr("__wrapped__"), value.__wrapped__, name)
        for frame in (self.frame, *reversed(self.frames)):
            if _is_cache_of(frame, function):
                return Closure(frame.prepared.node, frame.parent, {}, function)
        why = "it is no Python function"
        if isinstance(value.__wrapped__, types.FunctionType):
            why = impurity(value.__wrapped__)
        if why:
            raise DiagnosticError(catalog.CACHE_IS_SEEN, None, name=name, why=why)
        made = self.user_function(library.cached_purely)  # type: ignore[arg-type]
        return self.call_function(made, [function], {}, self.frame.prepared.node)

    def is_behind_cache(self, function: UserFunction | Closure) -> bool:
        """Whether a lasting cache is calling the function that it is for."""
        return _is_cache_of(self.frame, function)

    def call_require_exact(self, node: Any, args: Any) -> Any:
        """A key of a cache that outlives the call: no other key is equal to it."""
        for leaf in tree_leaves(args):
            type_ = constant_type(leaf)
            if type_ not in (INT, STR, NONE):
                self._refuse_cache(node, "it gets what is no int, str or None")
        return args

    def call_require_immutable(self, node: Any, result: Any) -> Any:
        """A result of a cache that outlives the call."""
        for leaf in tree_leaves(result):
            type_ = constant_type(leaf)
            if not isinstance(type_, PythonType) and type_ not in (STR, NONE):
                self._refuse_cache(node, "it returns what somebody may change")
        return result

    def _refuse_cache(self, node: Any, why: str) -> None:
        name = self.attribute(self.frame.parent.env["function"], "__name__", node)  # type: ignore[union-attr]
        self.error(catalog.CACHE_IS_SEEN, node, name=name, why=why)

    BUILTINS: ClassVar[dict[Any, str]] = {
        **Inspection.BUILTINS,
        library.require_exact: "call_require_exact",
        np.vectorize: "call_vectorize",
        vectorized.require_one_kind: "call_require_one_kind",
        library.require_immutable: "call_require_immutable",
        functools.cache: "call_cache",
        functools.lru_cache: "call_lru_cache",
    }


def _is_cache_of(frame: Frame, function: Any) -> bool:
    """Whether a frame is a call of what a lasting cache has made of a function."""
    if frame.parent is None or getattr(frame.prepared.node, "name", "") != _CACHED:
        return False
    return frame.parent.env.get("function") is function
