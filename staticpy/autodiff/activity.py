"""Which values of a piece of the graph derivatives flow through.

In: a block, and the values that it is differentiated by. Out: the values that depend on those by
more than jumps (``varied``), and the memory that is written to, in which a value is not the same
wherever it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product

import numpy as np

from staticpy.autodiff.held import has_structure, homes_with_boxes
from staticpy.autodiff.moves import SETTERS, exception_of, raised, results_of, unheld_by
from staticpy.autodiff.scopes import block_of, blocks_around
from staticpy.ir import (
    NEVER,
    NONE,
    DictType,
    ListType,
    ObjectType,
    Operation,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    Value,
    is_mutable_memory,
    members_of,
    with_inner,
)
from staticpy.ops import (
    COPIED,
    IN_PLACE,
    REGISTRY,
    RULE_OPS,
    UNSEEN,
    Effect,
    call,
    checkpoint,
    errstate,
    for_,
    if_,
    is_inexact,
    object_call,
    print_,
    stop_gradient,
    through_regions,
    unwritten,
    while_,
)

IN_PLACE_OPS = frozenset(IN_PLACE.values())
"""``iadd`` and its like, whose result is their first operand."""
_BROADCASTS = ("broadcast", "broadcast_arrays")
_HOLDERS = (ListType, DictType, TupleType, ObjectType)
"""Types whose values may hold numbers that are differentiated by."""


def is_differentiable(type_: Type) -> bool:
    """Whether a value of this type can have a cotangent: it may be a real or complex number, or
    an array of them.
    """
    return any(map(is_inexact, members_of(type_)))


def is_array_type(type_: Type) -> bool:
    """Whether a value of this type is an array, of whichever dtype."""
    return all(isinstance(member, TensorType) for member in members_of(type_))


class Activity:
    """What flows in operations of one block, their regions included.

    Attributes:
        varied: the values that depend on the sources.
        writes: for a value in memory that is written to, an operation that writes.
        visible: the operations, those of regions included, but for what happens in functions with
            rules of their own.
        opened: functions with rules of their own that were applied before.
        outer: what stands for the memory that was there before.

    ``changed`` is memory that others write to, and an operation that tells of it; ``shared`` are
    containers that others read, too, and whether their shadows have boxes there.
    """

    def __init__(
        self,
        operations: Sequence[Operation],
        sources: Iterable[Value],
        changed: Mapping[Value, Operation] | None = None,
        shared: Mapping[Value, bool] | None = None,
    ) -> None:
        sources = set(sources)
        self._operations = list(with_inner(operations))
        self._changed = changed or {}
        self._shared = shared or {}
        self.visible = list(_visible(operations))
        self.opened = frozenset(each for each in self.visible if _is_open(each))
        self._homes: dict[Value, Value] = {}
        self.varied: set[Value] = set(sources)
        self.writes: dict[Value, Operation] = {}
        self._array_writes: dict[Value, Operation] = {}
        self._find_memory()
        foreign = set(self._from_outside())
        self.outer = set(map(self.home_of, foreign))
        self._writes_around = not self.outer.isdisjoint(self._array_writes)
        self._spread()
        constant = (x for x in foreign.difference(sources) if self._is_constant(x))
        self.varied.difference_update(constant)
        boxed = [value for value, is_boxed in self._shared.items() if is_boxed]
        in_loops = set(map(self.home_of, self._read_in_loops(operations)))
        shadowed = in_loops.union(self._array_writes)
        self._boxed, self._unread = homes_with_boxes(
            self.visible, self.varied, self.home_of, shadowed, boxed
        )
        self._indexed = set(map(self.home_of, self._read_by_index()))
        arrays = [value for value in self._array_writes if value in self.varied]
        self._shadowed_arrays = set(map(self.home_of, arrays)) | in_loops | self._boxed

    def writes_to(self, value: Value) -> Operation | None:
        """An operation that writes to the memory that ``value`` is, if that may change it; None
        where there is none. What is written to a list does not change the arrays in it.
        """
        home = self.home_of(value) if is_mutable_memory(value.type) else None
        found = self._array_writes if is_array_type(value.type) else self.writes
        return None if home is None else found.get(home)

    def may_share(self, left: Value, right: Value) -> bool:
        """Whether two values may be, or hold, the same memory."""
        is_memory = is_mutable_memory(left.type) and is_mutable_memory(right.type)
        return is_memory and self.home_of(left) is self.home_of(right)

    def is_changed(self, value: Value) -> bool:
        """Whether ``value`` may be an array that is not what it was when it was read: two arrays
        from outside may share memory, and one of them be written to.
        """
        if not isinstance(value.type, TensorType):
            return False
        is_outer = self._writes_around and self.home_of(value) in self.outer
        return is_outer or self.writes_to(value) is not None

    def may_write(self, operation: Operation, value: Value) -> bool:
        """Whether an operation that writes may write to the memory that ``value`` is."""
        home, targets = self.home_of(value), set(map(self.home_of, written(operation)))
        is_outer = home in self.outer and not self.outer.isdisjoint(targets)
        return bool(operation.regions) or home in targets or is_outer

    def given_by_calls(self) -> Iterator[Value]:
        """What functions that call themselves give."""
        for operation in self.visible:
            if operation.op is call:
                yield from operation.results

    def has_shadows(self) -> bool:
        """Whether there is memory whose cotangents are held in memory."""
        return bool(self._shadowed_arrays or self._boxed or self._indexed)

    def is_shadowed(self, value: Value) -> bool:
        """Whether ``value`` is memory whose cotangents are held in memory, too: derivatives flow
        through it, and it is written to, or read element by element in a loop.
        """
        if self.is_boxed(value):
            return True
        if not is_mutable_memory(value.type):
            return False
        home = self.home_of(value)
        if is_array_type(value.type):
            return home in self._shadowed_arrays
        is_written = home in self.writes and home in self.varied and home not in self._unread
        return (is_written or home in self._indexed) and may_vary(value.type)

    def is_boxed(self, value: Value) -> bool:
        """Whether ``value`` holds numbers, or is held, where the shadow has boxes."""
        if is_mutable_memory(value.type):
            return self.home_of(value) in self._boxed
        return bool(self._boxed) and has_structure(value.type)

    def holds_shadowed(self, items: Value) -> bool:
        """Whether the arrays in a list have shadows."""
        return self.home_of(items) in self._shadowed_arrays

    def changes(self, operation: Operation, value: Value) -> bool:
        """Whether an operation, or one in its regions, may write to the memory of ``value``."""
        writing = filter(writes, with_inner([operation]))
        return any(self.may_share(each, value) for inner in writing for each in written(inner))

    def rename(self, old: Value, new: Value) -> None:
        """Let ``new`` stand in the place of ``old``."""
        self._join(old, new)
        if old in self.varied:
            self.varied.add(new)

    def extend(self, operations: Iterable[Operation]) -> None:
        """Find what varies of operations without regions that are new."""
        for operation in operations:
            pairs = self._dependences(operation)
            self.varied.update(target for source, target in pairs if source in self.varied)

    # --- memory -----------------------------------------------------------------------------------

    def _find_memory(self) -> None:
        for operation in self._operations:
            for left, right in _shared(operation):
                self._join(left, right)
        for value, operation in self._changed.items():
            self.writes.setdefault(self.home_of(value), operation)
            self._array_writes.setdefault(self.home_of(value), operation)
        for operation in self._operations:
            if writes(operation):
                for value in map(self.home_of, written(operation)):
                    self.writes.setdefault(value, operation)
                    if not writes_to_holder(operation):
                        self._array_writes.setdefault(value, operation)

    def _from_outside(self) -> Iterator[Value]:
        """The memory that is read here and was there before."""
        regions = [region for operation in self._operations for region in operation.regions]
        own: set[Value] = {result for operation in self._operations for result in operation.results}
        own.update(argument for region in regions for argument in region.block.args)
        for operation in self._operations:
            for value in operation.operands:
                if is_mutable_memory(value.type) and value not in own:
                    yield value

    def _is_constant(self, value: Value) -> bool:
        """Whether what is from outside is an array that stays as it is, whatever else holds it."""
        return isinstance(value.type, TensorType) and self.home_of(value) not in self._array_writes

    def home_of(self, value: Value) -> Value:
        """The one value that stands for all that may share memory with ``value``."""
        while (home := self._homes.get(value, value)) is not value:
            self._homes[value] = self._homes.get(home, home)  # half as far the next time
            value = home
        return value

    def _join(self, left: Value, right: Value) -> None:
        self._homes[self.home_of(right)] = self.home_of(left)

    def _read_in_loops(self, outermost: Sequence[Operation]) -> Iterator[Value]:
        """Arrays that a loop around which they exist reads by an index: to add up one cotangent of
        their whole size for each element would take quadratic time.
        """
        for operation in set(self._operations).difference(outermost):
            if operation.name != "index":
                continue
            base = operation.operands[0]
            is_inside = any(block_of(base) is each for each in blocks_around(operation))
            if base in self.varied and isinstance(base.type, TensorType) and not is_inside:
                yield base

    def _read_by_index(self) -> Iterator[Value]:
        """Lists of which items are read here, or may be in a function."""
        yield from (value for value in self._shared if isinstance(value.type, ListType))
        for operation in self.visible:
            if operation.name == "list.getitem" and operation.operands[0] in self.varied:
                yield operation.operands[0]
            if operation.op is call:
                passed = (*operation.operands, *operation.results)
                lists = (value for value in passed if isinstance(value.type, ListType))
                yield from (value for value in lists if value in self.varied)

    # --- dependence -------------------------------------------------------------------------------

    def _spread(self) -> None:
        """Find what depends on the sources, however often loops carry it around."""
        targets: dict[Value, list[Value]] = {}
        for operation in self.visible:
            for source, target in self._dependences(operation):
                targets.setdefault(source, []).append(target)
        pending = list(self.varied)
        while pending:
            for target in targets.get(pending.pop(), ()):
                if target not in self.varied:
                    self.varied.add(target)
                    pending.append(target)

    def _flows(self, operation: Operation) -> Iterator[tuple[Value, Value]]:
        """As ``through_regions``; a function with a rule of its own depends on its arguments."""
        if operation.op in RULE_OPS:
            arguments, outputs = parts_of_rule(operation)
            pairs = zip(outputs, operation.results, strict=True)
            yield from pairs if operation in self.opened else product(arguments, operation.results)
        elif operation.op not in UNSEEN:
            yield from through_regions(operation)
            yield from raised(operation)

    def _dependences(self, operation: Operation) -> Iterator[tuple[Value, Value]]:
        """Values, and what varies where they do."""
        pairs = list(self._flows(operation))
        is_plain = not operation.regions and operation.op not in (stop_gradient, *RULE_OPS)
        if operation.name in _BROADCASTS:  # each result is its operand, stretched
            pairs += zip(operation.operands, operation.results, strict=True)
        elif is_plain:
            pairs += self._computed(operation)
        for source, target in pairs:
            if may_vary(target.type):
                yield source, target
                if (home := self.home_of(target)) in self.writes:
                    yield source, home
        for value in _touched(operation):
            if (home := self.home_of(value)) in self.writes and may_vary(value.type):
                yield home, value

    def _computed(self, operation: Operation) -> Iterator[tuple[Value, Value]]:
        """What an operation reads, and its results and what it writes to."""
        made = [*results_of(operation), *(written(operation) if writes(operation) else ())]
        return product(operation.operands, made)


def _is_open(operation: Operation) -> bool:
    """Whether the rule of a function on a tape was applied by another derivative."""
    record = operation.attrs.get("record") if operation.op in RULE_OPS else None
    return record is not None and record.is_applied


def parts_of_rule(operation: Operation) -> tuple[list[Value], list[Value]]:
    """The arguments of the function that an operation holds the rule of, and its outputs."""
    count = len(operation.operands) - operation.attrs["outputs"]
    return operation.operands[:count], operation.operands[count:]


def _visible(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Operations and what their regions hold, but for functions with rules of their own."""
    for operation in operations:
        yield operation
        if operation.op not in UNSEEN | RULE_OPS:
            for region in operation.regions:
                yield from _visible(region.block.operations)


def may_vary(type_: Type) -> bool:
    """Whether values of a type are, or may hold, what is differentiated by."""
    if isinstance(type_, ListType):
        return type_.item == NEVER or may_vary(type_.item)
    held = any(isinstance(member, _HOLDERS) for member in members_of(type_))
    return held or is_differentiable(type_)


def writes(operation: Operation) -> bool:
    """Whether an operation writes to memory, apart from what its regions hold."""
    types = [operand.type for operand in operation.operands]
    return Effect.WRITES in REGISTRY[operation.name].effects_of(types, operation.attrs)


def may_be_view(operation: Operation) -> bool:
    """Whether an operation may give views of its operands."""
    is_copy = operation.name == "index" and "array" in operation.attrs["spec"]
    return REGISTRY[operation.name].view and not is_copy and operation.op is not unwritten


def writes_to_holder(operation: Operation) -> bool:
    """Whether an operation that writes changes what holds arrays, and no array."""
    return operation.name.startswith(("list.", "dict.")) or operation.name in SETTERS


def _touched(operation: Operation) -> Iterator[Value]:
    """The memory that an operation reads, gives and hands on."""
    values = [*operation.operands, *results_of(operation)]
    for region in operation.regions:
        values += [*region.block.args, *region.block.terminator.operands]
    return (value for value in values if is_mutable_memory(value.type))


def may_be_rerun(operation: Operation) -> bool:
    """Whether all that an operation does besides its results is to write to its operands, or to
    what it makes.
    """
    if operation.name == "random.make":
        return not is_unseeded(operation)
    if operation.name == "random.draw":
        return not operation.attrs.get("is_global", False)
    is_of_memory = operation.name in OF_FIRST or writes_to_holder(operation)
    return is_of_memory or exception_of(operation) is not None


def is_unseeded(operation: Operation) -> bool:
    """Whether an operation makes a generator that may draw other numbers the next time: without a
    seed, or of what may be another generator.
    """
    if operation.name != "random.make":
        return False
    numbers = (PythonType, ScalarType, TensorType)
    seeds = [operand.type for operand in operation.operands]
    return not seeds or not all(isinstance(type_, numbers) and type_ != NONE for type_ in seeds)


OF_FIRST = frozenset(
    (
        *(op.name for op in IN_PLACE_OPS),
        *("store", "ufunc.at", "fill", "copyto", "put", "putmask", "place", "fill_diagonal"),
        *("put_along_axis", "flat.setitem", "sort_in_place", "partition_in_place", "call_out"),
        "set_array_attribute",
    )
)
"""Ops that write to their first operand alone."""


def written(operation: Operation) -> Iterator[Value]:
    """The memory that an operation writes to, or may."""
    if operation.op is print_ or operation.name.startswith("str."):  # which show objects
        return iter(())
    if (exception := exception_of(operation)) is not None:
        return iter((exception,))
    is_of_first = operation.name in OF_FIRST or puts_into_object(operation)
    return iter(operation.operands[:1]) if is_of_first else _touched(operation)


def changed_by(operation: Operation) -> Iterator[Value]:
    """As ``written``, but for arrays that are put into a list or dict: they stay as they are."""
    is_of_holder = writes_to_holder(operation)
    for value in written(operation):
        if not (is_of_holder and isinstance(value.type, TensorType)):
            yield value


def puts_into_object(operation: Operation) -> bool:
    """Whether an operation does to a list or dict from outside what is done to what the graph knows
    of it. What is put in is not read from there again.
    """
    return operation.op is object_call and "result" not in operation.attrs


def _shared(operation: Operation) -> Iterator[tuple[Value, Value]]:
    """The memory of an operation that may be the same: its results may be, or hold, what it
    reads.
    """
    op = REGISTRY[operation.name]
    family = op.name.partition(".")[0]
    is_holder = family in ("tuple", "list", "dict", "set", "object", "exception", "any")
    is_holder = is_holder and op.name not in COPIED
    if operation.op in (*UNSEEN, checkpoint):
        block = operation.regions[0].block
        yield from _memory(zip(operation.operands, block.args, strict=True))
        yield from _memory(zip(block.terminator.operands, operation.results, strict=True))
    elif operation.op in RULE_OPS:
        yield from _memory(zip(parts_of_rule(operation)[1], operation.results, strict=True))
    elif op.name == "call":
        pairs = combinations(_touched(operation), 2) if _may_hold(operation) else ()
        yield from (pair for pair in pairs if _may_be_one(pair[0].type, pair[1].type))
    elif operation.op in (if_, for_, while_, errstate):
        yield from _memory(through_regions(operation))
    elif puts_into_object(operation):
        return
    elif is_holder or operation.regions:
        if op.name != "object.new" and _may_hold(operation):
            others = unheld_by(operation)
            yield from pairwise(each for each in _touched(operation) if each not in others)
    elif op.name in _BROADCASTS:
        yield from zip(operation.operands, operation.results, strict=True)
    elif may_be_view(operation) or op in IN_PLACE_OPS:
        for pair in product(operation.operands[:1], operation.results):
            if all(is_mutable_memory(value.type) for value in pair):
                yield pair


def _may_be_one(left: Type, right: Type) -> bool:
    """Whether values of two types may be the same memory, or hold the same."""
    parts = [set(_parts(type_)) for type_ in (left, right)]
    return None in parts[0] or None in parts[1] or not parts[0].isdisjoint(parts[1])


def _parts(type_: Type) -> Iterator[Type | None]:
    """The types of the memory that a value may be, or hold; None where it may be anything. One
    array may be a view of another one, of any type.
    """
    if isinstance(type_, TensorType):
        yield TensorType(np.dtype(float), ())
    elif isinstance(type_, ListType):
        yield type_
        yield from _parts(type_.item)
    elif is_mutable_memory(type_):
        yield None


def _may_hold(operation: Operation) -> bool:
    """Whether an operation can make its operands, or its results, hold something."""
    gives = any(is_mutable_memory(result.type) for result in operation.results)
    return gives or bool(operation.regions) or writes(operation)


def _memory(pairs: Iterable[tuple[Value, Value]]) -> Iterator[tuple[Value, Value]]:
    return (pair for pair in pairs if is_mutable_memory(pair[0].type))
