"""Which operations do what can't be done again, so that a call can't be run again after them.

In: a Module. Out: the operations of its entry by which it writes to memory that others can see, or
does anything else that stays done. A function that is called, as a ``try`` is, counts by what it
does with the arguments that it gets there: one that fills a list of the caller's own shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from staticpy.ir import Function, Module, ObjectType, Operation, Value, is_mutable_memory, walk
from staticpy.ops import Effect, call, print_
from staticpy.passes import AliasAnalysis, effects_by_op

_MAY_RAISE_OBJECTS = ("call", "raise_value", "object.call")
"""How the names of those operations begin that may raise an exception of a program's own class."""

Written = Collection[int] | None
"""The numbers of the parameters whose memory a function writes to; None where it shows more."""


def visible_operations(module: Module) -> set[Operation]:
    """The operations of the entry that others can see."""
    written = _written_parameters(module)
    analysis = AliasAnalysis(module.main, _flows_of_calls(module))
    arguments = _memory(module.main.args)

    def shows(operation: Operation) -> bool:
        touched = _touched(operation, written)
        return touched is None or any(
            not analysis.aliases(each).isdisjoint(arguments) for each in touched
        )

    return {each for each in walk(module.main.block) if _writes(each) and shows(each)}


def _flows_of_calls(module: Module) -> Callable[[Operation], Iterator[tuple[Value, Value]]]:
    """How memory flows through a call: between parameters that the function puts into each other,
    and from those that it returns.
    """
    analyses = {name: AliasAnalysis(each) for name, each in module.functions.items()}

    def flows(operation: Operation) -> Iterator[tuple[Value, Value]]:
        name = operation.attrs["callee"]
        function, analysis = module.functions[name], analyses[name]
        given = list(zip(function.args, operation.operands, strict=True))
        made = list(zip(function.block.terminator.operands, operation.results, strict=True))
        for parameter, operand in given:
            if is_mutable_memory(parameter.type):
                related = analysis.aliases(parameter)
                yield from ((operand, other) for inner, other in given + made if inner in related)

    return flows


def _written_parameters(module: Module) -> dict[str, Written]:
    """What each function but the entry writes to. They may call each other, so that it is looked
    at until nothing new is found.
    """
    others = [each for name, each in module.functions.items() if name != module.entry]
    inside = [(each, [o for o in walk(each.block) if _writes(o)]) for each in others]
    written: dict[str, Written] = {each.name: () for each in others}
    finders = [(each.name, _finder(each, operations)) for each, operations in inside if operations]
    is_new = True
    while is_new:
        found = {name: find(written) for name, find in finders}
        is_new = any(written[name] != each for name, each in found.items())
        written |= found
    return written


def _finder(
    function: Function, operations: Sequence[Operation]
) -> Callable[[dict[str, Written]], Written]:
    """What says, by what is known of all functions, to which parameters one of them writes."""
    analysis = AliasAnalysis(function)
    may_raise_objects = any(
        each.name.startswith(_MAY_RAISE_OBJECTS) for each in walk(function.block)
    )

    def find(written: dict[str, Written]) -> Written:
        found: set[Value] = set()
        for each in operations:
            touched = _touched(each, written)
            if touched is None or (_is_text(each) and may_raise_objects):
                return None
            found = found.union(*map(analysis.aliases, touched))
        return [number for number, each in enumerate(function.args) if each in found]

    return find


def _writes(operation: Operation) -> bool:
    return not operation.regions and Effect.WRITES in effects_by_op(operation)


def _is_text(operation: Operation) -> bool:
    """Whether an operation may call a method of a class of the program's: ``str(e)``."""
    return any(isinstance(each.type, ObjectType) for each in operation.operands)


def _touched(operation: Operation, written: dict[str, Written]) -> Sequence[Value] | None:
    """The operands whose memory an operation that writes may change; None where it does something
    else that others can see: it prints, or draws from NumPy's own generator.
    """
    operands = operation.operands
    if operation.op is print_ or operation.attrs.get("is_global"):
        return None
    if operation.op is call:
        numbers = written[operation.attrs["callee"]]
        return None if numbers is None else _memory([operands[each] for each in numbers])
    memory = _memory(operands)
    # A generator or a method may write to whatever it is given, and to nothing else.
    if operation.name.startswith(("random.", "object.", "str.")):
        return memory
    return memory[:1] if memory and memory[0] is operands[0] else None


def _memory(values: Sequence[Value]) -> list[Value]:
    return [value for value in values if is_mutable_memory(value.type)]
