"""Functions that stay functions, since they call themselves: their derivatives are functions, too.

    %y = call %x, %n {callee = "f"}
    %y, %ty = call %x, %n, %tx {callee = "f_tangent"}       # forward mode

A function has one for each set of arguments that have tangents. It may call itself in turn, so its
name is known before it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from staticpy import ops
from staticpy.autodiff.activity import (
    Activity,
    changed_by,
    is_differentiable,
    may_be_rerun,
    writes,
    written,
)
from staticpy.autodiff.origins import Origins
from staticpy.autodiff.refusals import refusal
from staticpy.ir import (
    Block,
    Builder,
    Function,
    ListType,
    Module,
    Operation,
    Value,
    copy_body,
    is_mutable_memory,
    walk,
)
from staticpy.source import SourceSpan

Marks = tuple[bool, tuple[tuple[bool, ...], tuple[bool, ...]]]


class DerivedFunctions:
    """The functions of a module and those that are made of them.

    ``expand`` replaces the transforms that a function holds itself, unless that is going on.
    """

    def __init__(self, module: Module, expand: Callable[[Function], None]) -> None:
        self._module = module
        self._expand = expand
        self._names: dict[object, str] = {}

    def name_of(self, key: tuple[object, ...]) -> str | None:
        """The name of the function that was made for a key."""
        return self._names.get(key)

    def begin(self, call: Operation, kind: str, key: tuple[object, ...]) -> Function:
        """A copy of a function that is called, under a name of its own, still without an end.

        Raises:
            DiagnosticError: NO_DERIVATIVE, it takes derivatives of itself.
        """
        callee = self._module.functions[call.attrs["callee"]]
        self._expand(callee)
        if any(each.op in (ops.vjp, ops.jvp, ops.vmap) for each in walk(callee.block)):
            raise refusal(call, ": it takes derivatives of itself")
        block = Block(callee.arg_types, [argument.name for argument in callee.args])
        builder = Builder(block)
        values: dict[Value, Value] = dict(zip(callee.args, block.args, strict=True))
        results = copy_body(callee.block, builder, values, lambda span: span)
        builder.emit(ops.return_, results)
        function = self.add(f"{callee.name}_{kind}", block, callee.span)
        self._names[key] = function.name
        return function

    def called_by(self, call: Operation) -> Iterator[Operation]:
        """The operations of the function that is called, and of those that it calls."""
        names = [call.attrs["callee"]]
        for name in names:
            for operation in walk(self._module.functions[name].block):
                yield operation
                callee = operation.attrs["callee"] if operation.op is ops.call else name
                if callee not in names:
                    names.append(callee)

    def add(self, name: str, block: Block, span: SourceSpan) -> Function:
        """A new function, under this name or a similar one."""
        return self._module.add(Function(self._unused(name), block, span))

    def _unused(self, name: str) -> str:
        number, found = 1, name
        while found in self._module.functions:
            number += 1
            found = f"{name}_{number}"
        return found


def written_around(block: Block, is_written: bool) -> dict[Value, Operation]:
    """The memory that a function gets and gives, where others write to that; its end stands for
    what writes.
    """
    values: list[Value] = [*block.args, *block.terminator.operands]
    memory = filter(lambda value: is_mutable_memory(value.type), values)
    return dict.fromkeys(memory, block.terminator) if is_written else {}


def mark_calls(module: Module) -> None:
    """Note at each call whether the function writes to the memory that it gets; and which of its
    arguments and of its results are lists with which it does more than to append, read and set
    items: their shadows have boxes. And to which arguments something may have flown before, and
    whether others could see that the function runs.
    """
    calls = [
        operation
        for function in module.functions.values()
        for operation in walk(function.block)
        if operation.op is ops.call
    ]
    known: dict[str, Marks] = {}
    before: dict[str, Marks] | None = None
    while calls and before != known:
        before = dict(known)
        for call in calls:
            is_writing, boxed = known.get(call.attrs["callee"], (False, ((), ())))
            call.attrs = {**call.attrs, "writes": is_writing, "boxed": boxed}
        known = {name: _marks(each) for name, each in module.functions.items()}
    begun = _begun(module) if calls else {}
    seen = _seen(module) if calls else set()
    for call in calls:
        callee = call.attrs["callee"]
        call.attrs = {**call.attrs, "begun": tuple(sorted(begun[callee])), "seen": callee in seen}


def _seen(module: Module) -> set[str]:
    """The functions of which others could see that they run: those that print, or write to memory
    that they get, or call such a function.
    """
    functions, seen = module.functions.values(), set[str]()
    before = None
    while before != len(seen):
        before = len(seen)
        seen.update(each.name for each in functions if _leaves_trace(each, seen))
    return seen


def _leaves_trace(function: Function, seen: Collection[str]) -> bool:
    around = set(function.args)
    operations = function.block.operations
    activity, origins = Activity(operations[:-1], ()), Origins(operations)

    def may_share(target: Value) -> bool:
        return any(activity.may_share(target, value) for value in around)

    for operation in walk(function.block):
        if operation.op is ops.call:
            if operation.attrs["callee"] in seen:
                return True
        elif writes(operation):
            targets = changed_by(operation)
            is_own = not any(origins.may_be_of(each, around, may_share) for each in targets)
            if not (is_own and may_be_rerun(operation)):
                return True
    return False


def _begun(module: Module) -> dict[str, set[int]]:
    """For each function that is called the arguments to which something flows before the way back
    comes to the call: these are added up in one go.
    """
    found: dict[str, set[int]] = {}
    for function in module.functions.values():
        operations = list(walk(function.block))
        places = {each: place for place, each in enumerate(operations)}
        for call in (each for each in operations if each.op is ops.call):
            begun = found.setdefault(call.attrs["callee"], set())
            arguments = module.functions[call.attrs["callee"]].args
            for place, (value, argument) in enumerate(zip(call.operands, arguments, strict=True)):
                is_added = is_differentiable(value.type) and len(_readers(argument)) > 1
                if is_added and _is_read_behind(value, call, places):
                    begun.add(place)
    return found


def _is_read_behind(value: Value, call: Operation, places: dict[Operation, int]) -> bool:
    others = [each for each in _readers(value) if each is not call]
    is_again = len(_readers(value)) - len(others) > 1
    return is_again or any(places[each] > places[call] for each in others)


def _readers(value: Value) -> list[Operation]:
    """What reads a value and may give something back, once for each time."""
    return [
        reader
        for reader, _ in value.uses
        if not reader.results or any(is_differentiable(each.type) for each in reader.results)
    ]


def _marks(function: Function) -> Marks:
    arguments, results = list[Value](function.args), function.block.terminator.operands
    if not any(is_mutable_memory(value.type) for value in (*arguments, *results)):
        return False, ((), ())
    activity = Activity(function.block.operations[:-1], function.args)
    targets = {
        activity.home_of(target)
        for operation in filter(writes, walk(function.block))
        for target in written(operation)
    }
    around = (each for each in arguments if is_mutable_memory(each.type))
    is_writing = not targets.isdisjoint(map(activity.home_of, around))

    def boxed(values: Iterable[Value]) -> tuple[bool, ...]:
        return tuple(isinstance(x.type, ListType) and activity.is_boxed(x) for x in values)

    return is_writing, (boxed(arguments), boxed(results))
