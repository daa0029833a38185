"""Decorators whose meaning the compiler knows: ``staticpy.jit`` and the caches of ``functools``."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from staticpy.diagnostics import catalog
from staticpy.frontend import library
from staticpy.frontend.classes import is_jit
from staticpy.frontend.inspection import Inspection
from staticpy.frontend.values import BoundFunction, Closure, Partial, UserFunction


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

    # --- caches -----------------------------------------------------------------------------------

    def call_cache(self, node: Any, user_function: Any) -> Any:
        """``functools.cache``."""
        if not isinstance(user_function, UserFunction | Closure):
            self.error(catalog.UNSUPPORTED_CALL, node, name="functools.cache")
        made = self.user_function(library.cached)
        return self.call_function(made, [user_function], {}, node)

    def call_lru_cache(self, node: Any, maxsize: Any = 128, typed: Any = False) -> Any:
        """``functools.lru_cache``: what it forgets can be told from what it keeps."""
        if isinstance(maxsize, UserFunction | Closure) or maxsize is not None or typed is not False:
            self.error(catalog.UNSUPPORTED_CALL, node, name="functools.lru_cache with a maxsize")
        return lambda function: self.call_cache(node, function)

    BUILTINS: ClassVar[dict[Any, str]] = {
        **Inspection.BUILTINS,
        functools.cache: "call_cache",
        functools.lru_cache: "call_lru_cache",
    }
