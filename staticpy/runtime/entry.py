"""The entry function of a specialisation: checks whether compiled code fits a call, and runs it.

In: the parameters of the user's function, an Analysis and the compiled function. Out: a Python
function with the user's parameter list. It returns MISS where a guard doesn't hold; otherwise it
passes the inputs to the compiled function and puts the results in the structure that the user's
function returns.

    def f(x, w, b=sp_default_b):
        try:
            if sp_type(x) is not sp_ndarray or ...: return sp_MISS
            ...
        except sp_Exception:
            return sp_MISS
        sp_r = sp_run(x, w, b)
        return (sp_r[0], {'loss': sp_r[1]})

Text, because that makes it as fast as a hand-written function: no binding, no flattening, no loop.
"""

from __future__ import annotations

import itertools
import linecache
import types
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from staticpy.frontend import (
    Analysis,
    Argument,
    Guard,
    Input,
    Path,
    SizeAt,
    SizeRelation,
    substituted,
)
from staticpy.ir import TensorType
from staticpy.runtime.access import lacks_fails, step_text
from staticpy.runtime.guards import SizeChecks, distinct_fails, guard_fails, type_fails
from staticpy.runtime.output import OutputWriter, instance_paths, is_direct
from staticpy.runtime.parameters import Parameters


class Miss:
    """The type of MISS."""

    def __repr__(self) -> str:
        return "MISS"


MISS: Final = Miss()
"""What an entry function returns where its specialisation doesn't fit the call."""

_SERIAL = itertools.count(1)


class EntryWriter:
    """Writes one function, text and namespace, that takes the user's parameters."""

    def __init__(self, function: types.FunctionType, parameters: Parameters) -> None:
        self._function = function
        self._parameters = parameters
        self._prefix = "sp_"
        while any(name.startswith(self._prefix) for name in parameters.names):
            self._prefix += "_"
        self._namespace: dict[str, object] = {"__builtins__": {}}
        self._pooled: dict[tuple[str, int], str] = {}
        self._loaded: dict[Path, str] = {}
        self._classes: dict[Path, type] = {}
        self._checks: list[str] = []

    def pool(self, hint: str, value: object) -> str:
        """The name by which the function reaches ``value``: one name for one object."""
        known = self._pooled.get((hint, id(value)))
        if known is not None:
            return known
        hint = hint if hint.isidentifier() else "object"
        name = f"{self._prefix}{hint}"
        if name in self._namespace:
            name = f"{self._prefix}{hint}_{len(self._namespace)}"
        self._namespace[name] = value
        self._pooled[hint, id(value)] = name
        return name

    def local(self, hint: str) -> str:
        """A local variable that is none of the user's parameters."""
        return f"{self._prefix}{hint}"

    def load(self, path: Path) -> str:
        """An expression for the object at ``path``, which is read once and kept in a local."""
        if path in self._loaded:
            return self._loaded[path]
        if not path.steps:
            root = path.root
            return root.name if isinstance(root, Argument) else self.pool("object", root.object)
        parent = Path(path.root, path.steps[:-1])
        holder = self.load(parent)
        name = self.local(f"v{len(self._loaded)}")
        step = step_text(path.steps[-1], holder, self._classes.get(parent), self.pool)
        self._checks.append(f"{name} = {step}")
        self._loaded[path] = name
        return name

    def _miss_if(self, condition: str) -> None:
        if condition:
            self._checks.append(f"if {condition}: return {self.pool('MISS', MISS)}")

    def check_guards(self, guards: Iterable[Guard]) -> None:
        """Check every guard, in order: a later one may rely on an earlier one."""
        guards = list(guards)
        self._classes = {each.path: each.expected for each in guards if each.kind == "type"}
        for guard in guards:
            if guard.kind != "distinct":
                self._miss_if(self._fails(guard))
        for paths in groups_of([guard for guard in guards if guard.kind == "distinct"]):
            self._miss_if(distinct_fails([self.load(path) for path in paths], self.pool))

    def _fails(self, guard: Guard) -> str:
        """The condition under which a guard doesn't hold; what it reads is loaded before."""
        if guard.kind == "lacks":  # the last step leads nowhere: that is what is checked
            parent = Path(guard.path.root, guard.path.steps[:-1])
            class_ = self._classes.get(parent)
            return lacks_fails(guard.path.steps[-1], self.load(parent), class_, self.pool)
        expression = self.load(guard.path)
        if guard.kind == "same":
            return f"{expression} is not {self.load(guard.expected)}"
        if guard.kind == "sizes":
            return self._sizes_differ(guard.expected)
        return guard_fails(guard, expression, self.pool)

    def _sizes_differ(self, relation: SizeRelation) -> str:
        """The condition under which a size is not what an annotation computes of others."""
        operands = {name: self._size_text(size) for name, size in relation.operands}
        return f"{self._size_text(relation.size)} != {substituted(relation.text, operands)}"

    def _size_text(self, size: SizeAt) -> str:
        if not isinstance(size, tuple):
            return str(size)
        path, axis = size
        return f"{self.load(path)}.shape[{axis}]"

    def check_inputs(self, inputs: Iterable[Input]) -> list[str]:
        """Check box, dtype, rank and sizes of every input; return their expressions."""
        inputs = list(inputs)
        expressions = [self.load(input_.path) for input_ in inputs]
        for input_, expression in zip(inputs, expressions, strict=True):
            self._miss_if(type_fails(input_.type, expression, self.pool))
        sizes = SizeChecks([input_.type for input_ in inputs])
        for number, (input_, expression) in enumerate(zip(inputs, expressions, strict=True)):
            if isinstance(input_.type, TensorType) and sizes.needed(input_.type):
                shape = self.local(f"s{number}")
                self._checks.append(f"{shape} = {expression}.shape")
                self._miss_if(sizes.fails(input_.type, shape))
        return expressions

    def finish(self, body: list[str]) -> Callable[..., Any]:
        """The function with this body, named and documented as the user's."""
        parameters = self._parameters
        default_names = {
            name: self.pool(f"default_{name}", value) for name, value in parameters.defaults.items()
        }
        lines = [f"def entry({parameters.text(default_names)}):"]
        if self._checks:
            lines += ["    try:", *(f"        {check}" for check in self._checks)]
            miss = self.pool("MISS", MISS)
            lines += [f"    except {self.pool('Exception', Exception)}:", f"        return {miss}"]
        lines += [f"    {line}" for line in body]
        return self._define("\n".join(lines) + "\n")

    def make_output(
        self, tree: Any, result_count: int, paths: Sequence[Path]
    ) -> Callable[..., Any]:
        """A function of the results, as the compiled code gives them, and of what is at ``paths``,
        that returns the tree.
        """
        results = self.local("results")
        for number, path in enumerate(paths):
            self._loaded[path] = self.local(f"v{number}")
        names = ", ".join([results, *(self._loaded[path] for path in paths)])
        expression = OutputWriter(self, results, is_tuple=result_count != 1).write(tree)
        return self._define(f"def entry({names}):\n    return {expression}\n")

    def _define(self, text: str) -> Callable[..., Any]:
        filename = f"<staticpy entry {next(_SERIAL)} of {self._function.__qualname__}>"
        exec(compile(text, filename, "exec"), self._namespace)
        entry = self._namespace.pop("entry")
        assert isinstance(entry, types.FunctionType)
        entry.__name__ = self._function.__name__
        entry.__qualname__ = self._function.__qualname__
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
        weakref.finalize(entry, linecache.cache.pop, filename, None).atexit = False
        return entry


def groups_of(guards: list[Guard]) -> list[list[Path]]:
    """The paths of ``distinct`` guards in groups, in each of which all objects are to differ."""
    groups: list[list[Path]] = []
    for guard in guards:
        known = next((group for group in groups if tuple(group) == guard.expected), None)
        if known is not None:
            known.append(guard.path)
        else:
            groups += [[other, guard.path] for other in guard.expected]
    return groups


def make_binder(
    function: types.FunctionType, parameters: Parameters
) -> Callable[..., dict[str, Any]]:
    """A function of the user's parameters that returns them as a dict by name.

    Called with wrong arguments it raises the TypeError that the user's function would raise.
    """
    writer = EntryWriter(function, parameters)
    items = ", ".join(f"{name!r}: {name}" for name in parameters.names)
    return writer.finish([f"return {{{items}}}"])


def make_entry(
    function: types.FunctionType,
    parameters: Parameters,
    analysis: Analysis,
    run: Callable[..., Any],
    result_count: int,
) -> Callable[..., Any]:
    """The entry function of one specialisation.

    Args:
        function: the user's function, for its name.
        parameters: its parameters.
        analysis: the inputs, guards and output of the compiled code.
        run: the compiled code: takes the inputs in order, returns a tuple of results, or the
            result itself where there is one. Where inputs are what Tensors hold, it takes a tuple
            of the inputs, and one of these Tensors.
        result_count: how many results there are.

    Returns:
        A function that returns what the user's function returns, or MISS.
    """
    writer = EntryWriter(function, parameters)
    writer.check_guards(analysis.guards)
    arguments = ", ".join(writer.check_inputs(analysis.inputs))
    if analysis.tensors is not None:
        paths = [analysis.tensors.get(each.path) for each in analysis.inputs]
        tensors = "".join(f"{writer.load(path)}, " for path in paths if path is not None)
        arguments = f"({arguments},), ({tensors})"
    results = writer.pool("run", run) + f"({arguments})"
    local = writer.local("results")
    output = OutputWriter(writer, local, is_tuple=result_count != 1)
    expression = output.write(analysis.output)
    return writer.finish([f"{local} = {results}", f"return {expression}"])


def make_output(
    function: types.FunctionType, parameters: Parameters, analysis: Analysis, result_count: int
) -> tuple[Callable[..., Any] | None, list[Path]]:
    """What makes the return value of a call, see ``EntryWriter.make_output``, and the paths that it
    needs; None where the results are returned as they are.
    """
    tree = analysis.output
    if is_direct(tree, result_count):
        return None, []
    paths = list(dict.fromkeys(instance_paths(tree)))
    return EntryWriter(function, parameters).make_output(tree, result_count, paths), paths
