"""``vjp`` of compiled functions that plain Python calls: the way back is a graph of its own.

In: a jitted function and its arguments. Out: its result, and a function of the cotangents, which
runs compiled code on what this code has read when ``vjp`` was called: copies of the arguments and
of the arrays from outside, so that nobody changes it in between.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from staticpy import autodiff, ops
from staticpy.backends import Options
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend import Analysis, Argument, Path, lowered_as
from staticpy.ir import type_of
from staticpy.passes import inline
from staticpy.runtime.changing import value_at
from staticpy.runtime.entry import MISS, EntryWriter
from staticpy.runtime.jitted import MAX_SPECIALIZATIONS, called, is_compiled, options_of
from staticpy.runtime.mode import disable_jit, is_jit_disabled
from staticpy.runtime.output import OutputWriter
from staticpy.runtime.parameters import parameters_of
from staticpy.runtime.specialization import (
    Specialization,
    Target,
    analyze_call,
    compile_analysis,
)
from staticpy.runtime.tensor_calls import is_data
from staticpy.runtime.transforms import in_diagnostics


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """What ``fun`` gives for ``primals``, and a function that pulls cotangents back through it.

    Args:
        fun: gives numbers and arrays, in any tree; with ``has_aux`` a pair of that and anything
            else.
        primals: its arguments: floats, complex numbers and arrays of them, or tuples, lists, dicts
            and dataclasses of these.
        has_aux: whether ``fun`` gives a pair.

    Returns:
        ``(out, vjp_fun)``, or ``(out, vjp_fun, aux)``. ``vjp_fun`` takes one argument, a tree like
        ``out`` of the same shapes and dtypes, and gives a tuple with a tree for each primal. What
        is there for an int or a bool of ``out`` is not looked at. It may be called as often as
        needed, and goes back through what ``fun`` did when ``vjp`` was called: who changes an array
        that ``fun`` has read changes nothing. Of a compiled function it is compiled, and may run
        ``fun`` again, on copies of what the first run has read.

    Raises:
        CompileError: SPY701 (no derivative), SPY702 (no pair), SPY703 (an argument that has no
            gradient), SPY706 (running ``fun`` again could be seen).
        TypeError: (``vjp_fun``) the cotangents have another structure, or other dtypes.
        ValueError: (``vjp_fun``) the cotangents have other shapes.
    """
    out, back, aux = pullback(fun, None, has_aux, primals, {})
    return (out, back, aux) if has_aux else (out, back)


@lowered_as("pullback")
def pullback(
    fun: Callable[..., Any], by: Any, has_aux: bool, args: Any, kwargs: Any
) -> tuple[Any, Any, Any]:
    """The value of ``fun(*args, **kwargs)``, its way back to the arguments ``by`` (argnums,
    allow_int, holomorphic), and what it returns besides: in a compiled function, of the graph; in
    plain Python, by a tape. Of a compiled function, plain Python gets the way back to all
    arguments, by another graph; by Tensors, it runs as plain Python.
    """
    with in_diagnostics(fun):
        if is_compiled(fun) and not is_jit_disabled() and not autodiff.holds_tensor(args):
            assert by is None, "a transform of a compiled function is compiled"
            return _of_compiled(fun, has_aux, args)
        with disable_jit():
            out, back, aux = autodiff.pullback(fun, by, has_aux, args, kwargs)
    return out, functools.partial(_pulled_back, fun, back), aux


def _pulled_back(fun: Any, back: Callable[[Any], Any], cotangents: Any, /) -> Any:
    with in_diagnostics(fun):
        return back(cotangents)


# --- compiled functions ---------------------------------------------------------------------------


def _of_compiled(fun: Any, has_aux: bool, primals: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    """The same for a compiled function, by two graphs: of the function, and of its way back."""
    own = autodiff.each(primals, autodiff.own)
    function, bound = called(fun)
    _require_rerunnable(fun, function, (bound, own))
    out, aux = ops.parts_of(fun(*primals), has_aux)
    require_plain(out)
    out = autodiff.each(out, autodiff.own)
    like = autodiff.each(out, lambda leaf: leaf)
    call = bound, own, autodiff.each(like, lambda leaf: boxed(leaf, leaf))
    run = later(fun, f"vjp {bool(has_aux)}", _gradients(has_aux, function), call)
    return out, functools.partial(_pulled, run, like), aux


def _require_rerunnable(fun: Any, function: Any, call: tuple[Any, Any]) -> None:
    """Refuse what could tell that ``fun`` is run again, before it runs. What it has changed
    then may be part of the code that runs it again, which changes nothing (``while items: ...``).

    Raises:
        DiagnosticError: NO_PULLBACK.
    """

    def run(bound: Any, primals: Any) -> Any:
        return function(*bound, *primals)

    assert isinstance(run, types.FunctionType)
    derived, options = called(fun)[0].derived, options_of(fun)
    key = f"run again {options}"
    known: list[Callable[..., Any]] = derived.get(key, [])
    if any(read(*call) is not MISS for read in known):
        return
    target = Target(run, parameters_of(run), frozenset(), options)
    arguments = dict(zip(target.parameters.names, call, strict=True))
    analysis = analyze_call(target, arguments, target.diagnostics())
    inline(analysis.module)
    autodiff.require_rerunnable(analysis.module)
    derived[key] = [_reader(target, analysis), *known[: MAX_SPECIALIZATIONS - 1]]


def require_plain(out: Any) -> None:
    """Refuse what depends on a Tensor that is no argument.

    Raises:
        DiagnosticError: NO_PULLBACK.
    """
    if autodiff.holds_tensor(out):
        raise DiagnosticError(catalog.NO_PULLBACK, None, why="it reads a Tensor from around it")


def _pulled(run: Callable[[Any], Any], like: Any, cotangents: Any, /) -> Any:
    """Pull cotangents back, which are to be like the result."""
    items = iter(autodiff.cotangents_for(like, cotangents))
    return run(autodiff.each(like, lambda leaf: boxed(leaf, next(items))))


def _gradients(has_aux: bool, fun: Any) -> Callable[..., Any]:
    def gradients(bound: Any, primals: Any, given: Any) -> Any:
        function = functools.partial(fun, *bound) if bound else fun
        _, back, _ = pullback(function, None, has_aux, primals, {})
        return back(given)

    return gradients


def later(
    fun: Any, key: str, program_around: Callable[..., Any], call: tuple[Any, Any, Any]
) -> Callable[[Any], Any]:
    """A function of one tree, compiled: ``program_around``, the one around ``fun``, of the
    arguments ``call`` but for the last one. It is run on what it reads now of the others and from
    outside.
    """
    derived, options = called(fun)[0].derived, options_of(fun)
    key = f"{key} {options}"
    programs: list[_Program] = derived.get(key, [])
    for program in programs:
        inputs = program.read(*call)
        if inputs is not MISS:
            return functools.partial(program.run, program.kept(inputs))
    program = _compiled(program_around, options, call)
    derived[key] = [program, *programs[: MAX_SPECIALIZATIONS - 1]]
    return functools.partial(program.run, program.kept(program.read(*call)))


def boxed(leaf: Any, item: Any) -> Any:
    """A tangent or cotangent in the box of what it is for; None for what has none."""
    type_ = type_of(leaf)
    if type_ is None or not ops.is_inexact(type_):
        return None
    if isinstance(leaf, np.ndarray):
        return np.array(item, dtype=leaf.dtype)
    return type(leaf)(item)


def _compiled(function: Any, options: Options, call: tuple[Any, Any, Any]) -> _Program:
    assert isinstance(function, types.FunctionType)
    target = Target(function, parameters_of(function), frozenset(), options)
    diagnostics = target.diagnostics()
    arguments = dict(zip(target.parameters.names, call, strict=True))
    given = frozenset(_numbers_at(Path(Argument("given")), arguments["given"]))
    analysis = analyze_call(target, arguments, diagnostics, given)
    specialization = compile_analysis(target, analysis, diagnostics)
    return _Program(target, analysis, specialization)


def _numbers_at(path: Path, tree: Any) -> Iterator[Path]:
    """Where the numbers of a tree are. Those of a dataclass would be part of the code, as any
    number in an attribute; but the code is compiled before they are known.
    """
    parts = autodiff.items_of(tree)
    if parts is None:
        yield path
        return
    for key, part in parts.items():
        place = path.attr(key) if dataclasses.is_dataclass(tree) else path.item(key)
        yield from _numbers_at(place, part)


def _results(_: Any) -> None:
    """Has the parameters of a function that puts results into their structure."""


def _reader(target: Target, analysis: Analysis) -> Callable[..., Any]:
    """A function of the arguments of a program that gives the inputs of its code, or MISS."""
    reader = EntryWriter(target.function, target.parameters)
    reader.check_guards(analysis.guards)
    inputs = ", ".join(reader.check_inputs(analysis.inputs))
    return reader.finish([f"return [{inputs}]"])


class _Program:
    """A compiled function that is run later, on what there is now.

    Attributes:
        read: a function of the arguments of the program that gives the inputs of its code, or MISS.
    """

    def __init__(self, target: Target, analysis: Analysis, specialization: Specialization) -> None:
        self.read = _reader(target, analysis)
        assert isinstance(_results, types.FunctionType)
        writer = EntryWriter(target.function, parameters_of(_results))
        is_tuple = len(specialization.module.main.results) != 1
        output = OutputWriter(writer, "_", is_tuple=is_tuple).write(analysis.output)
        self._finish = writer.finish([f"return {output}"])
        self._code = specialization.executable.function
        self._paths = [each.path for each in analysis.inputs]

    def kept(self, inputs: list[Any]) -> list[Any]:
        """Inputs that nobody else can change."""
        return [
            item if _is_argument(path, "primals") else _copied(item)
            for path, item in zip(self._paths, inputs, strict=True)
        ]

    def run(self, kept: list[Any], given: Any, /) -> Any:
        """Run it, on inputs that were kept and on the argument that is given now."""
        arguments = {"given": given}
        inputs = [
            value_at(path, arguments) if _is_argument(path, "given") else item
            for path, item in zip(self._paths, kept, strict=True)
        ]
        return self._finish(self._code(*inputs))


def _is_argument(path: Path, name: str) -> bool:
    return isinstance(path.root, Argument) and path.root.name == name


def _copied(item: Any) -> Any:
    """What the compiled code has read from outside, as it is now."""
    if not is_data(item):
        why = f"it reads an object of the class {type(item).__name__} from outside"
        raise DiagnosticError(catalog.NO_PULLBACK, None, why=why)
    return copy.deepcopy(item)
