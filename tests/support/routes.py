"""The ways to run a program, beside CPython itself.

In: a function. Out: callables that do the same: eagerly, as a graph, as the graph that its printed
text gives, and as that with one pass or all of them switched off. A function is lowered once for
each kind of call, whatever the number of ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import staticpy
from staticpy.backends import get_backend
from staticpy.diagnostics import CompileError, DiagnosticError, Diagnostics
from staticpy.frontend import Analysis
from staticpy.ir import Module, parse_module, print_module
from staticpy.ops import REGISTRY
from staticpy.passes import Pass, PassManager, default_pipeline
from staticpy.runtime.entry import MISS, make_entry
from staticpy.runtime.specialization import analyze_call
from staticpy.source import NO_SPAN

Function = Callable[..., Any]

TEXT = "text"
"""The name of the route through the printed text, with every pass."""


def _name(pass_: Pass) -> str:
    return getattr(pass_, "__name__", type(pass_).__name__)


def _pipelines() -> dict[str, list[Pass]]:
    """The passes of each route through the text."""
    every = default_pipeline().passes
    names = dict.fromkeys(map(_name, every))
    without = {
        f"without {name}": [pass_ for pass_ in every if _name(pass_) != name] for name in names
    }
    return {TEXT: every, **without, "without passes": []}


PIPELINES = _pipelines()
QUICK_ROUTES = ("eager", "graph", TEXT)
SWITCHED_OFF = tuple(name for name in PIPELINES if name != TEXT)
ROUTES = (*QUICK_ROUTES, *SWITCHED_OFF)
"""The name of every route."""


def routes_of(function: Function, names: Iterable[str] = ROUTES) -> dict[str, Function]:
    """The routes of a function by name."""
    graphs = Graphs(function)
    return {name: _route(graphs, name) for name in names}


def _route(graphs: Graphs, name: str) -> Function:
    if name == "eager":
        return eager(graphs.jitted)
    return graphs.jitted if name == "graph" else Rerun(graphs, PIPELINES[name])


def eager(jitted: Function) -> Function:
    """A jitted function while jit is disabled."""

    def run(*args: Any, **kwargs: Any) -> Any:
        with staticpy.disable_jit():
            return jitted(*args, **kwargs)

    run.__wrapped__ = jitted  # type: ignore[attr-defined]
    return run


class Graphs:
    """The graphs of a function as text, one for each kind of call that it has met."""

    def __init__(self, function: Function) -> None:
        self.jitted = staticpy.jit(function)
        self.lowered: list[tuple[Analysis, str]] = []
        self._compiled: dict[str, Function] = {}

    def lower(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Add the graph for a call with these arguments."""
        arguments = self.jitted._bind(*args, **kwargs)
        analysis = analyze_call(self.jitted._target, arguments, Diagnostics())
        text = print_module(analysis.module)
        read = parse_module(text, REGISTRY)
        assert read == analysis.module, "the text reads back as another graph"
        self.lowered.append((analysis, text))

    def entry(self, number: int, passes: list[Pass]) -> Function:
        """The entry function of a graph after ``passes``; equal graphs are compiled once."""
        analysis, text = self.lowered[number]
        module = parse_module(text, REGISTRY)
        PassManager(passes, verify_each=True).run(module)
        optimized = print_module(module)
        if optimized not in self._compiled:
            self._compiled[optimized] = _compiled(module)
        target = self.jitted._target
        run, count = self._compiled[optimized], len(module.main.results)
        return make_entry(target.function, target.parameters, analysis, run, count)


def _compiled(module: Module) -> Function:
    return get_backend("python_source").compile(module).function


class Rerun:
    """A function as its graphs, read from their text, after some passes."""

    def __init__(self, graphs: Graphs, passes: list[Pass]) -> None:
        self.__wrapped__ = graphs.jitted.__wrapped__
        self._graphs = graphs
        self._passes = passes
        self._entries: list[Function] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._run(args, kwargs)
        except DiagnosticError as error:  # what an op refuses once it sees the values
            raise CompileError([error.diagnostic(NO_SPAN)]) from None

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        known = len(self._graphs.lowered)
        for number in range(known + 1):
            if number == len(self._graphs.lowered):
                self._graphs.lower(args, kwargs)
            result = self._entry(number)(*args, **kwargs)
            if result is not MISS:
                return result
        raise AssertionError("the graph that was made for this call doesn't fit it")

    def _entry(self, number: int) -> Function:
        while len(self._entries) <= number:
            self._entries.append(self._graphs.entry(len(self._entries), self._passes))
        return self._entries[number]
