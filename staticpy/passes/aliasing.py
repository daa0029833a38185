"""Which values share memory, which reach the caller, and which are written to.

In: a Function. Out: an AliasAnalysis that the passes and the memory plan ask. Numbers are
immutable, so only arrays, lists, dicts, objects and what holds them take part. A value flows into
another where both may be one object or views of one memory, or the second holds the first: through
a view, an in-place operation, a container, the yields and carried values of control flow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from staticpy.ir import (
    OBJECT,
    Block,
    BlockArgument,
    DictType,
    Function,
    ListType,
    ObjectType,
    Operation,
    OpResult,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    is_mutable_memory,
    walk,
)
from staticpy.ops import (
    IN_PLACE,
    REGISTRY,
    Effect,
    OpDef,
    broadcast,
    broadcast_arrays,
    call,
    errstate,
    for_,
    if_,
    index,
    narrow,
    through_regions,
    try_,
    undef,
    while_,
)
from staticpy.passes.effects import definition, own_effects
from staticpy.passes.identity import compares_floats, is_inexact

Flow = tuple[Value, Value]
Rule = Callable[[Operation], Iterable[Flow]]
_OPAQUE = ("call", "raise", "raise_value", "reraise", "return")
"""Ops that hand their operands to somebody outside of the function."""
_HOLDERS = ("tuple", "list", "dict", "set", "object", "exception")
"""The families of ops whose operands or results hold references to other values."""


def flows(operation: Operation) -> Iterable[Flow]:
    """The pairs (source, target) by which memory flows through one operation."""
    rule = _conduct(definition(operation)).rule
    return () if rule is None else rule(operation)


def _rule(op: OpDef) -> Rule | None:
    """By which rule memory flows through the operations of an op; None where none does."""
    if op in _RULES:
        return _RULES[op]
    if _family(op) in _HOLDERS:
        return _held
    if _family(op) == "any" and op is not narrow:
        return _joined
    return _viewed if op.view else None


def _one_by_one(operation: Operation) -> Iterator[Flow]:
    return zip(operation.operands, operation.results, strict=True)


def _of_each(operation: Operation) -> Iterator[Flow]:
    return ((operand, result) for operand in operation.operands for result in operation.results)


def _joined(operation: Operation) -> Iterator[Flow]:
    """An operator on lists gives a list of the same items."""
    holders = [value for value in operation.operands if _may_hold_memory(value.type)]
    return ((a, b) for a in holders for b in operation.results)


def _viewed(operation: Operation) -> Iterator[Flow]:
    return ((base, result) for base in operation.operands[:1] for result in operation.results)


def _indexed(operation: Operation) -> Iterable[Flow]:
    """What an array of indexes or a mask chooses is a copy."""
    return () if "array" in operation.attrs["spec"] else _viewed(operation)


def _family(op: OpDef) -> str:
    return op.name.partition(".")[0]


def _held(operation: Operation) -> Iterator[Flow]:
    """What a container, an object or a callee may hold on to, or give out.

    One that stores a value may give it out under any of its names, so that flow goes both ways.
    """
    givers = [value for value in operation.operands if not _holds_numbers_alone(value.type)]
    yield from ((a, b) for a in givers for b in operation.results)
    if Effect.WRITES in own_effects(operation):
        for value in operation.operands[1:]:
            yield operation.operands[0], value
            yield value, operation.operands[0]


def _called(operation: Operation) -> Iterator[Flow]:
    """What a callee may give out, and which operands it may put into others: an array holds none,
    and neither does a list of numbers.
    """
    for value in operation.operands:
        yield from ((value, result) for result in operation.results if _may_become(value, result))
        if _may_hold_memory(value.type):
            for other in operation.operands:
                yield value, other
                yield other, value


def _may_become(value: Value, result: Value) -> bool:
    """Whether a result may be an operand, hold it, or come out of it."""
    if _may_hold_memory(value.type) or _may_hold_memory(result.type):
        return True
    return isinstance(value.type, TensorType) == isinstance(result.type, TensorType)


def _holds_numbers_alone(type_: Type) -> bool:
    """Whether ``type_`` is a container from which no memory can be read."""
    return isinstance(type_, ListType | DictType | TupleType) and not _may_hold_memory(type_)


def _may_hold_memory(type_: Type) -> bool:
    """Whether a container of ``type_`` may hold arrays, lists or objects."""
    if isinstance(type_, ListType):
        return is_mutable_memory(type_.item)
    if isinstance(type_, DictType):
        return is_mutable_memory(type_.key) or is_mutable_memory(type_.value)
    if isinstance(type_, UnionType):
        return any(map(_may_hold_memory, type_.members))
    return isinstance(type_, ObjectType | TupleType) and is_mutable_memory(type_)


_RULES: dict[OpDef, Rule] = {
    **dict.fromkeys((if_, try_, errstate, while_, for_), through_regions),
    broadcast: _one_by_one,
    broadcast_arrays: _one_by_one,
    index: _indexed,
    REGISTRY["numpy.shared"]: _of_each,
    call: _called,
}


def written_operands(operation: Operation) -> Sequence[Value]:
    """The operands to whose memory an operation that writes does so."""
    if operation.name == "print":
        return ()
    writes_first = _conduct(definition(operation)).writes_first
    return operation.operands[:1] if writes_first else operation.operands


@dataclass(frozen=True, slots=True)
class _Conduct:
    """What the operations of an op do with memory."""

    rule: Rule | None
    """By which rule it flows through them; None where none does."""
    hands_out: bool
    """Whether they hand their operands to somebody who may keep them."""
    is_raised: bool
    """Whether an exception may hold their operands."""
    writes_first: bool
    """Whether those that write do so to their first operand alone."""
    is_none: bool
    """Whether they do nothing with it but read it."""


@cache
def _conduct(op: OpDef) -> _Conduct:
    # What a ufunc can do depends on types, but of them all only those of ``x += y`` write.
    rule, family, is_opaque = _rule(op), _family(op), op.name in _OPAQUE
    is_reader = isinstance(op.effects, Effect) and Effect.WRITES not in op.effects
    is_reader = is_reader or (op.ufunc is not None and op not in IN_PLACE.values())
    return _Conduct(
        rule=rule,
        hands_out=is_opaque or family in _HOLDERS,
        is_raised=is_opaque or family == "object",
        is_none=is_reader and rule is None and not is_opaque and family not in _HOLDERS,
        writes_first=op in IN_PLACE.values() or op.name == "store" or family in ("list", "dict"),
    )


def _is_only_read(value: Value) -> bool:
    """Whether all that read ``value`` do nothing else with its memory, nor hand it on."""
    for user, _ in value.uses:
        if user.op.is_terminator or user.regions or not _conduct(definition(user)).is_none:
            return False
    return True


def _is_fresh_and_only_read(value: Value) -> bool:
    """Whether no other value of the function shares memory with ``value``."""
    made = value.defining_op
    return made is not None and _conduct(definition(made)).is_none and _is_only_read(value)


class AliasAnalysis:
    """The flow of memory through one function, computed once, when it is first asked for;
    ``note_*`` keeps it true after a change. ``called`` may say how memory flows through the calls,
    of which nothing is known else but what they get and give.
    """

    def __init__(self, function: Function, called: Rule = _called) -> None:
        self._function = function
        self._called = called
        self._positions: dict[Block, dict[Operation, int]] = {}

    @cached_property
    def _flow(self) -> _MemoryFlow:
        return _MemoryFlow(self._function, self._called)

    def escapes(self, value: Value) -> bool:
        """Whether memory may reach the caller or a container, itself or as a view."""
        if not _is_memory(value) or (not self._is_computed and _is_only_read(value)):
            return False
        return value in self._flow.escaping

    def is_written(self, value: Value) -> bool:
        """Whether memory may be written to by an operation of this function."""
        if not _is_memory(value) or (not self._is_computed and _is_fresh_and_only_read(value)):
            return False
        return value in self._flow.written

    @property
    def _is_computed(self) -> bool:
        """Whether the flow is known. As long as it isn't, what the graph tells of a value by itself
        need not wait for it.
        """
        return "_flow" in self.__dict__

    def is_private(self, value: Value) -> bool:
        """Whether nobody can tell this value from another of equal content: a number, or an array,
        list or object that doesn't escape and is never written to.
        """
        if not _is_memory(value):
            return not self._is_told_apart(value)
        return not self.escapes(value) and not self.is_written(value)

    @cached_property
    def _compares_floats(self) -> bool:
        return compares_floats(self._function)

    def _is_told_apart(self, number: Value) -> bool:
        return is_inexact(number.type) and self._compares_floats

    def may_stand_for(self, value: Value, other: Value) -> bool:
        """Whether ``value`` may take the place of ``other``, a value of equal content."""
        if not _is_memory(value) and not _is_memory(other):
            return not self._is_told_apart(value)
        if self.is_written(value) or self.is_written(other):
            return False
        return not (self.escapes(value) and self.escapes(other))

    def note_replacement(self, value: Value, other: Value) -> None:
        """Note that ``value`` now stands where ``other`` stood."""
        if _is_memory(value) and self._is_computed:  # else the graph will tell
            self._flow.add_like(value, other)

    def aliases(self, value: Value) -> set[Value]:
        """All values of the function that may share memory with ``value``, itself included."""
        if not _is_memory(value) or (not self._is_computed and _is_fresh_and_only_read(value)):
            return {value}
        roots = reach([value], self._flow.sources)
        return reach(roots, self._flow.targets)

    def owned_buffer(self, value: Value) -> bool:
        """Whether ``value`` is an array that its operation has just allocated."""
        operation = value.defining_op
        if operation is None or operation.op is undef or operation.regions:
            return False
        if not isinstance(value.type, TensorType):
            return False
        if not self._is_computed and _is_fresh_and_only_read(value):
            return True
        return not self._flow.sources.get(value)

    def last_use(self, value: Value, *more: Value) -> Operation | None:
        """The operation, in the block that defines ``value``, after which no alias of it, or of
        ``more`` values, is read: by itself or in its regions. None where nobody reads it.
        """
        block = _block_of(value)
        if block not in self._positions:
            self._positions[block] = {op: at for at, op in enumerate(block.operations)}
        anchors = (
            _ancestor_in(user, block)
            for each in (value, *more)
            for alias in self.aliases(each)
            for user in alias.users
        )
        positions = self._positions[block]
        return max(
            (anchor for anchor in anchors if anchor is not None),
            key=positions.__getitem__,
            default=None,
        )


class _MemoryFlow:
    """What flows where in a function, which memory escapes, and which is written to."""

    def __init__(self, function: Function, called: Rule) -> None:
        self._called = called
        self.sources: dict[Value, list[Value]] = defaultdict(list)
        self.targets: dict[Value, list[Value]] = defaultdict(list)
        self._raised = Value(OBJECT)  # whatever an exception may hold
        handed: list[Value] = []
        written: list[Value] = []
        for operation in walk(function.block):
            memory = [value for value in operation.operands if is_mutable_memory(value.type)]
            if not memory and not operation.regions:
                continue  # every flow begins at an operand, or in a region
            conduct = _conduct(definition(operation))
            if conduct.is_none:
                continue
            self._add_flows(operation, conduct, memory)
            if memory and conduct.hands_out:
                handed += memory
            if memory and Effect.WRITES in own_effects(operation):
                written += filter(_is_memory, written_operands(operation))
        self.escaping = reach(handed, self.sources)
        roots = reach(written, self.sources)
        if not roots.isdisjoint(function.args):
            # The caller may have passed one array, or overlapping views, as two arguments.
            roots.update(filter(_is_memory, function.args))
        self.written = reach(roots, self.targets)

    def _add_flows(self, operation: Operation, conduct: _Conduct, memory: list[Value]) -> None:
        rule = self._called if operation.op is call else conduct.rule
        if rule is not None:
            for source, target in rule(operation):
                if is_mutable_memory(source.type) and is_mutable_memory(target.type):
                    self.sources[target].append(source)
                    self.targets[source].append(target)
        if conduct.is_raised:
            self.sources[self._raised] += memory
            for value in memory:
                self.targets[value].append(self._raised)
        elif operation.op is try_:  # from exceptions to the handlers
            for region in operation.regions[1:]:
                for argument in region.block.args:
                    self.sources[argument].append(self._raised)
                    self.targets[self._raised].append(argument)

    def add_like(self, value: Value, other: Value) -> None:
        """Let ``value`` flow to where ``other`` flows."""
        self.targets[value] += self.targets[other]
        for target in self.targets[other]:
            self.sources[target].append(value)
        if other in self.escaping:
            extend(self.escaping, [value], self.sources)


def possibly_undefined(function: Function) -> set[Value]:
    """The values that are ``undef`` on some path; only a test of the path tells that none is."""
    operations = list(walk(function.block))
    undefined = [result for each in operations if each.op is undef for result in each.results]
    if not undefined:
        return set()
    targets: dict[Value, list[Value]] = defaultdict(list)
    for operation in operations:
        for source, target in flows(operation):
            targets[source].append(target)
    return reach(undefined, targets)


def reach(start: Iterable[Value], edges: dict[Value, list[Value]]) -> set[Value]:
    """Everything that can be reached from ``start`` along ``edges``."""
    reached: set[Value] = set()
    extend(reached, start, edges)
    return reached


def extend(reached: set[Value], start: Iterable[Value], edges: dict[Value, list[Value]]) -> None:
    """Add ``start``, and what can be reached from it, to a set that is closed already."""
    pending = [value for value in start if value not in reached]
    reached.update(pending)
    while pending:
        for value in edges.get(pending.pop(), ()):
            if value not in reached:
                reached.add(value)
                pending.append(value)


def _is_memory(value: Value) -> bool:
    return is_mutable_memory(value.type)


def _block_of(value: Value) -> Block:
    if isinstance(value, BlockArgument):
        return value.block
    assert isinstance(value, OpResult)
    block = value.owner.block
    assert block is not None
    return block


def _ancestor_in(operation: Operation, block: Block) -> Operation | None:
    current: Operation | None = operation
    while current is not None and current.block is not block:
        current = current.parent
    return current
