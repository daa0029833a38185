"""The parameter list of a function, read from its code object, and written out again.

In: a Python function. Out: ``Parameters``, from which ``entry`` writes functions that take exactly
the same arguments, so that a wrong call gets Python's own TypeError. (``inspect.signature`` follows
``__wrapped__`` and ``__signature__``, which say what a function documents, not what it takes.)
"""

from __future__ import annotations

import inspect
import types
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Parameters:
    """The names of the parameters by kind, and the default values by name."""

    positional_only: tuple[str, ...]
    positional: tuple[str, ...]
    variadic: str | None
    keyword_only: tuple[str, ...]
    keywords: str | None
    defaults: dict[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """Every parameter, in the order of the list."""
        variadic = (self.variadic,) if self.variadic else ()
        keywords = (self.keywords,) if self.keywords else ()
        return (*self.positional_only, *self.positional, *variadic, *self.keyword_only, *keywords)

    def text(self, default_names: dict[str, str]) -> str:
        """The list as source text, defaults written as the names in ``default_names``."""

        def write(name: str) -> str:
            return f"{name}={default_names[name]}" if name in default_names else name

        parts = [write(name) for name in self.positional_only]
        if parts:
            parts.append("/")
        parts += [write(name) for name in self.positional]
        if self.variadic:
            parts.append(f"*{self.variadic}")
        elif self.keyword_only:
            parts.append("*")
        parts += [write(name) for name in self.keyword_only]
        if self.keywords:
            parts.append(f"**{self.keywords}")
        return ", ".join(parts)


def parameters_of(function: types.FunctionType) -> Parameters:
    """The parameters that a call of ``function`` is really matched against."""
    code = function.__code__
    names = iter(code.co_varnames)
    first = code.co_posonlyargcount
    positional = [next(names) for _ in range(code.co_argcount)]
    keyword_only = tuple(next(names) for _ in range(code.co_kwonlyargcount))
    variadic = next(names) if code.co_flags & inspect.CO_VARARGS else None
    keywords = next(names) if code.co_flags & inspect.CO_VARKEYWORDS else None
    values = function.__defaults__ or ()
    with_default = positional[len(positional) - len(values) :]
    defaults = dict(zip(with_default, values, strict=True)) | (function.__kwdefaults__ or {})
    return Parameters(
        tuple(positional[:first]),
        tuple(positional[first:]),
        variadic,
        keyword_only,
        keywords,
        defaults,
    )
