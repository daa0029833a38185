"""A specialisation as a plan for native code, which then takes its calls with no Python between.

In: the Analysis of a specialisation and the address of its code. Out: a DirectPlan, whose checks
hold of no call that the entry function (``entry``) wouldn't take. They may hold of fewer: a dtype
that is equal but another object, or such a key, is left to the entry function. Where a guard has no
check there is no plan.
"""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Iterable, Sequence
from ctypes import c_int64
from typing import Any

import numpy as np

from staticpy.backends import (
    FUNCTION_DICT,
    FUNCTION_FIELDS,
    KINDS,
    REGISTERS,
    Check,
    DirectPlan,
    Plan,
)
from staticpy.frontend import Analysis, Argument, Guard, Input, Object, Path
from staticpy.ir import OBJECT, Dim, PythonType, ScalarType, TensorType
from staticpy.runtime.access import indexed_as, reads_plainly
from staticpy.runtime.entry import groups_of, make_output
from staticpy.runtime.guards import MOST_PAIRED, class_of, has_exact_literal
from staticpy.runtime.parameters import Parameters

_NOTHING = object()
_PLAIN = (dict, tuple, list, types.CellType, types.FunctionType)
"""Classes of objects that always stay of this class."""


_FIELDS = {"__code__": FUNCTION_FIELDS["code"], "__dict__": FUNCTION_DICT}
"""The attributes of functions that are read without a look-up."""


class _NoCheckError(Exception):
    """There is no check for something."""


def make_plan(
    function: types.FunctionType,
    parameters: Parameters,
    analysis: Analysis,
    address: int,
    result_count: int,
) -> DirectPlan | None:
    """The plan of a specialisation; None where only the entry function can tell.

    Args:
        function: the user's function.
        parameters: its parameters.
        analysis: inputs, guards and output.
        address: of the C function that takes a table of the inputs, and how many they are.
        result_count: how many results it gives.
    """
    try:
        writer = _PlanWriter(parameters, _count_of_more(parameters, analysis.guards))
        writer.check_guards(analysis.guards)
        inputs = writer.check_inputs(analysis.inputs)
        if analysis.output is None:
            return writer.finish(address, inputs, gives_none=True)
        output, paths = make_output(function, parameters, analysis, result_count)
        outputs = [writer.load(path) for path in paths]
    except _NoCheckError:
        return None
    return writer.finish(address, inputs, output, outputs)


def _namespace(path: Path) -> dict[str, Any] | None:
    """Where a module that is known has its attributes; a module without one asks ``__getattr__``,
    which is left to the entry function.
    """
    module = path.root.object if isinstance(path.root, Object) and not path.steps else None
    return vars(module) if type(module) is types.ModuleType else None


def _count_of_more(parameters: Parameters, guards: Iterable[Guard]) -> int:
    """How many arguments ``*args`` has."""
    for guard in guards:
        if guard.kind == "tuple" and guard.path == Path(Argument(parameters.variadic or "")):
            return int(guard.expected)
    return 0


class _PlanWriter:
    """Gives each path a register, and lists the checks. ``more``: how many arguments there are
    beyond those with a name; these have registers, and their tuple has none.
    """

    def __init__(self, parameters: Parameters, more: int) -> None:
        self._made = DirectPlan()
        self._checks: list[Check] = []
        self._classes: dict[Path, type] = {}
        self._modules: set[Path] = set()
        positional = (*parameters.positional_only, *parameters.positional)
        self._parameters = parameters
        self._positional = self._count = len(positional) + more
        self._require(self._count <= REGISTERS)
        self._more = None if not more else Path(Argument(parameters.variadic or ""))
        with_defaults = () if more else positional  # those with a name are given then
        self._defaults = [
            parameters.defaults[name] for name in with_defaults if name in parameters.defaults
        ]
        paths = [Path(Argument(name)) for name in positional]
        paths += [self._more.item(at) for at in range(more) if self._more is not None]
        self._registers = {path: at for at, path in enumerate(paths)}
        without = (name for name in parameters.keyword_only if name not in parameters.defaults)
        self._require(not any(True for _ in without))

    @staticmethod
    def _require(condition: bool) -> None:
        if not condition:
            raise _NoCheckError

    def _check(self, name: str, source: int = 0, value: Any = _NOTHING, **numbers: int) -> None:
        """Add a check; ``value`` is its object."""
        address = None if value is _NOTHING else self._made.keep(value)
        check = Check(kind=KINDS.index(name), source=source, object=address)
        for field, number in numbers.items():
            setattr(check, field, number)
        self._checks.append(check)

    def load(self, path: Path) -> int:
        """The register of what is at ``path``."""
        if path not in self._registers:
            load = self._root(path) if not path.steps else self._step(path)
            self._require(self._count < REGISTERS)
            name, source, value, numbers = load
            self._check(name, source, value, target=self._count, **numbers)
            self._registers[path] = self._count
            self._count += 1
        return self._registers[path]

    def _root(self, path: Path) -> tuple[str, int, Any, dict[str, int]]:
        root = path.root
        if not isinstance(root, Argument):
            return "constant", 0, root.object, {}
        self._require(path != self._more)
        if root.name == self._parameters.variadic:
            return "constant", 0, (), {}
        self._require(root.name in self._parameters.defaults)
        return "constant", 0, self._parameters.defaults[root.name], {}

    def _step(self, path: Path) -> tuple[str, int, Any, dict[str, int]]:
        parent = Path(path.root, path.steps[:-1])
        kind, key = path.steps[-1]
        namespace = _namespace(parent)
        if kind == "attr" and namespace is not None and not hasattr(types.ModuleType, key):
            held = Path(Object(namespace))
            if held not in self._modules:  # it may get another class
                self._modules.add(held)
                self._check("class", self.load(parent), types.ModuleType)
            return "dict_item", self.load(held), key, {}
        source = self.load(parent)
        class_ = self._class_of(parent)
        if kind == "attr":
            self._require(reads_plainly(key, class_))
            if class_ is types.CellType and key == "cell_contents":
                return "cell", source, _NOTHING, {}
            if class_ is types.FunctionType and key in _FIELDS:
                return "field", source, _NOTHING, {"number": _FIELDS[key]}
            return "attribute", source, key, {}
        container = indexed_as(class_)
        if container is dict:
            self._require(type(key) in (str, int, bytes, bool))
            return "dict_item", source, key, {}
        self._require(container in (tuple, list) and type(key) is int and key >= 0)
        return (
            ("tuple_item" if container is tuple else "list_item"),
            source,
            _NOTHING,
            {"number": key},
        )

    def _class_of(self, path: Path) -> type | None:
        if path.steps or isinstance(path.root, Argument) or path in self._classes:
            return self._classes.get(path)
        class_ = type(path.root.object)
        return class_ if class_ in _PLAIN else None

    # --- guards -----------------------------------------------------------------------------------

    def check_guards(self, guards: Sequence[Guard]) -> None:
        """Check every guard, in order."""
        containers = {each.__name__: each for each in (tuple, list, dict)}
        for guard in guards:
            if guard.kind == "type" or guard.kind in containers:
                self._classes[guard.path] = containers.get(guard.kind, guard.expected)
            elif guard.kind == "is" and type(guard.expected) is types.FunctionType:
                self._classes[guard.path] = types.FunctionType
        distinct = [guard for guard in guards if guard.kind == "distinct"]
        for guard in guards:
            if guard.kind == "lacks":
                self._lacks(guard.path)
            elif self._is_sure(guard):
                continue
            elif guard.kind != "distinct":
                self._guard(guard, self.load(guard.path))
        for paths in groups_of(distinct):
            self._require(len(paths) <= MOST_PAIRED)
            for left, right in itertools.combinations(paths, 2):
                self._check("differs", self.load(left), target=self.load(right))

    def _is_sure(self, guard: Guard) -> bool:
        """Whether a guard holds of each call of so many arguments without a keyword."""
        if guard.path == self._more:
            return guard.kind == "tuple"
        is_of_keywords = guard.path == Path(Argument(self._parameters.keywords or ""))
        return is_of_keywords and (
            guard.kind == "type" or (guard.kind == "dict" and not guard.expected)
        )

    def _guard(self, guard: Guard, source: int) -> None:
        expected = guard.expected
        match guard.kind:
            case "is":
                self._require(not isinstance(expected, types.MethodType))
                self._check("is", source, expected)
            case "equals":
                self._equals(source, expected)
            case "type":
                self._check("class", source, expected)
            case "tuple" | "list":
                self._check("class", source, tuple if guard.kind == "tuple" else list)
                self._check("length", source, number=expected)
            case "dict":
                self._require(all(type(key) is str for key in expected))
                self._check("class", source, dict)
                self._check("keys", source, expected)
            case "size":
                self._check("count", source, number=expected)
            case "same":
                self._check("same", source, target=self.load(expected))
            case _:
                raise _NoCheckError

    def _lacks(self, path: Path) -> None:
        """A dict has no such item, or a function no such attribute; the rest is for the entry
        function.
        """
        parent = Path(path.root, path.steps[:-1])
        kind, key = path.steps[-1]
        if kind == "attr" and self._class_of(parent) is types.FunctionType:
            self._require(not hasattr(types.FunctionType, key))
            held = parent.attr("__dict__")
            self._check("lacks_item", self.load(held), key)
            return
        self._require(kind == "item" and self._class_of(parent) is dict and type(key) is str)
        self._check("lacks_item", self.load(parent), key)

    def _equals(self, source: int, expected: Any) -> None:
        """The same number or text; of anything else, the very object."""
        if has_exact_literal(expected):
            self._check("class", source, type(expected))
            self._check("equals", source, expected)
        else:
            self._check("is", source, expected)

    # --- inputs -----------------------------------------------------------------------------------

    def check_inputs(self, inputs: Iterable[Input]) -> list[int]:
        """Check class, dtype, rank and sizes of every input; their registers."""
        first: dict[Dim, tuple[int, int]] = {}
        registers = []
        for each in inputs:
            source = self.load(each.path)
            registers.append(source)
            if isinstance(each.type, TensorType):
                self._check("class", source, np.ndarray)
                self._check("array", source, each.type.dtype, number=each.type.rank)
                self._sizes(source, each.type, first)
            elif each.type != OBJECT:
                self._require(isinstance(each.type, PythonType | ScalarType))
                self._check("class", source, class_of(each.type))
        return registers

    def _sizes(self, source: int, type_: TensorType, first: dict[Dim, tuple[int, int]]) -> None:
        for axis, dim in enumerate(type_.dims):
            if isinstance(dim, int):
                self._check("size", source, number=axis, other=dim)
            elif dim in first:
                target, other = first[dim]
                self._check("same_size", source, number=axis, target=target, other=other)
            elif dim != "?":
                first[dim] = source, axis

    def finish(
        self,
        address: int,
        inputs: Sequence[int],
        output: Callable[..., Any] | None = None,
        outputs: Sequence[int] = (),
        *,
        gives_none: bool = False,
    ) -> DirectPlan:
        """The plan."""
        made, least = self._made, self._positional - len(self._defaults)
        in_order = list(inputs) == list(range(len(inputs)))
        made.plan = Plan(
            run=address,
            least=least,
            most=self._positional,
            defaults=made.references(self._defaults),
            check_count=len(self._checks),
            checks=made.table(Check, self._checks),
            input_count=len(inputs),
            inputs=None if in_order else made.table(c_int64, inputs),
            constant=made.keep(None) if gives_none else None,
            output=None if output is None else made.keep(output),
            output_count=len(outputs),
            outputs=made.table(c_int64, outputs),
        )
        return made
