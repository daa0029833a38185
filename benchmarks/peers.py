"""Other compilers, where they are installed: each compiles a function of ``programs`` by itself."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

Compiler = Callable[[Callable[..., Any]], Callable[..., Any]]


def _numba() -> Compiler:
    compiler: Compiler = import_module("numba").njit
    return compiler


def _jax() -> Compiler:
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)

    def compiler(function: Callable[..., Any]) -> Callable[..., Any]:
        compiled = jax.jit(function)
        return lambda *args: jax.block_until_ready(compiled(*args))

    return compiler


_MAKERS: dict[str, Callable[[], Compiler]] = {"numba": _numba, "jax": _jax}


def installed() -> dict[str, Compiler]:
    """The compilers that can be imported here, by name."""
    return {name: make() for name, make in _MAKERS.items() if find_spec(name)}


def compiled_by_peers(
    function: Callable[..., Any], args: tuple[Any, ...]
) -> dict[str, Callable[[], object]]:
    """A call of ``function`` with ``args`` for each peer that can compile it."""
    found = {}
    for name, compiler in installed().items():
        compiled = compiler(function)
        try:
            compiled(*args)
        except Exception as error:
            print(f"({name} doesn't compile {function.__name__}: {type(error).__name__})")
            continue
        found[name] = lambda compiled=compiled: compiled(*args)
    return found
