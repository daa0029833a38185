"""Going through dicts and sets, which must not change their size meanwhile.

CPython looks, before each next item, whether the dict still has the size that it had, and raises
RuntimeError where it has not. What it does where keys were taken out and others put in depends on
the table inside, so that is refused. Values are read when their turn comes. What goes through a
dict later than it was made, as a generator expression or ``enumerate(d)`` with a name, knows from
the beginning how large the dict was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.constant_loops import Live, Take
from staticpy.frontend.inputs import tree_leaves
from staticpy.frontend.iteration import Iteration
from staticpy.frontend.lower_loop import Counted
from staticpy.frontend.paths import nothing
from staticpy.frontend.values import (
    AccumulateIterable,
    CycleIterable,
    DictRef,
    DictView,
    EnumerateIterable,
    FilterIterable,
    GroupIterable,
    MapIterable,
    PairwiseIterable,
    Ref,
    ReversedIterable,
    SetRef,
    SliceIterable,
    ZipIterable,
    ZipLongestIterable,
)
from staticpy.ir import Operation, Value

_ADDING = ("dict.setitem", "dict.update")
_OPAQUE = ("call", "object.call", "object.construct")
_ASKING = (
    AccumulateIterable,
    CycleIterable,
    EnumerateIterable,
    FilterIterable,
    GroupIterable,
    MapIterable,
    PairwiseIterable,
    ReversedIterable,
)
"""What asks its iterable, and nothing else, as soon as it is asked itself."""


def dicts_in(iterable: Any) -> list[Ref]:
    """The dicts and sets that an iterable is, or goes through one beside the other."""
    if isinstance(iterable, EnumerateIterable | ReversedIterable):
        return dicts_in(iterable.iterable)
    if isinstance(iterable, ZipIterable):
        return [ref for column in iterable.iterables for ref in dicts_in(column)]
    if isinstance(iterable, DictView):
        return [iterable.ref]
    return [iterable] if isinstance(iterable, DictRef | SetRef) else []


def _sources(iterable: Any, *, is_first: bool = True) -> list[tuple[Ref, bool]]:
    """The dicts and sets of which an iterable makes iterators at once, and whether it is sure to
    ask them before anything else.
    """
    if isinstance(iterable, _ASKING):
        return _sources(iterable.iterable, is_first=is_first)
    if isinstance(iterable, SliceIterable):
        return _sources(iterable.iterable, is_first=False)
    if isinstance(iterable, ZipIterable | ZipLongestIterable):
        columns = enumerate(iterable.iterables)
        found = [_sources(each, is_first=is_first and not at) for at, each in columns]
        return [source for sources in found for source in sources]
    return [(ref, is_first) for ref in dicts_in(iterable)]


class DictIteration(Iteration):
    """Goes through dicts and sets."""

    def for_each(self, iterable: Any, take: Take, node: Any, live: Live = None) -> None:
        refs = dicts_in(iterable)
        if not refs:
            super().for_each(iterable, take, node, live)
            return
        if len(refs) == 1 and not isinstance(self.content(refs[0]), Value):
            keys = list(self.content(refs[0]))
            check = lambda: self._require_same(refs[0], keys, node)  # noqa: E731
            if isinstance(iterable, DictRef | DictView):
                item = lambda key: self._item_of(iterable, key, node)  # noqa: E731
                self.unroll(keys, self._checked(_through(item, take), check), live)
                return
            super().for_each(iterable, self._checked(take, check), node, live)
            return
        self._each_in_memory(iterable, refs, take, node, live)

    def _item_of(self, iterable: DictRef | DictView, key: Any, node: Any) -> Any:
        kind = iterable.kind if isinstance(iterable, DictView) else "keys"
        if kind == "keys":
            return key
        ref = iterable.ref if isinstance(iterable, DictView) else iterable
        value = self.get_item(ref, key, node)
        return value if kind == "values" else (key, value)

    def _checked(self, take: Take, check: Callable[[], None]) -> Take:
        """``take``, and where it wants more a check before the next item."""

        def checked(item: Any) -> Any:
            left = take(item)
            if left is False:
                check()
            elif left is not True:
                self.branch(left, nothing, check, None)
            return left

        return checked

    def _require_same(self, ref: Ref, keys: list[Any], node: Any) -> None:
        """A dict or set that is known still has the keys that it had."""
        content = self.content(ref)
        if not isinstance(content, Value) and list(content) == keys:
            return
        if isinstance(content, Value) or len(content) == len(keys):
            self._refuse_change(node)
        what = "dictionary" if isinstance(ref, DictRef) else "Set"
        self.fails("RuntimeError", f"{what} changed size during iteration", node)

    def same_sizes(self, iterable: Any, node: Any) -> Callable[[], None]:
        """What checks, where the first item is asked for, that the dicts and sets have the sizes
        that they have now.
        """
        sources = [(*each, self.length(each[0], node)) for each in _sources(iterable)]
        block = self.builder.block
        start = len(block.operations)

        def check() -> None:
            is_same_block = self.builder.block is block
            is_untouched = is_same_block and not any(map(_writes, block.operations[start:]))
            for ref, is_first, size in sources:
                now = self.length(ref, node)
                if isinstance(size, Value) and isinstance(now, Value) and is_untouched:
                    continue
                has_changed = ops.compare("!=", now, size)
                if has_changed is not False and not is_first:
                    self._refuse_change(node)
                what = "dictionary" if isinstance(ref, DictRef) else "Set"
                message = f"{what} changed size during iteration"
                self.forbid(has_changed, "RuntimeError", message, node)

        return check

    def forbid(self, condition: Any, exception: str, message: str, node: Any) -> None:
        raise AssertionError("defined by LazyIteration")

    def _refuse_change(self, node: Any) -> None:
        what = "which keys a dict has after a round of its own loop"
        self.error(catalog.NEEDS_COMPILE_TIME, node, what=what)

    # --- dicts in memory --------------------------------------------------------------------------

    def _each_in_memory(
        self, iterable: Any, refs: list[Ref], take: Take, node: Any, live: Live
    ) -> None:
        changes = self._changes(iterable, refs, take, node, live)
        if not changes:
            super().for_each(iterable, take, node, live)
            return
        if not isinstance(iterable, DictRef | DictView) or len(changes) > 1:
            self._refuse_change(node)
        (ref,) = refs
        assert isinstance(ref, DictRef)
        count = self.length(ref, node)
        plan = self.counted(ref, node)

        def check() -> None:
            same = ops.as_value(ops.compare("==", self.length(ref, node), count))
            message = "dictionary changed size during iteration"
            with self.at(node):
                self.require(same, lambda: self.emit_raise("RuntimeError", (message,)))

        def item(index: Any) -> Any:
            return self._item_of(iterable, plan.item(index), node)

        self.count_loop(Counted(plan.bounds, item), self._checked(take, check), node, live)

    def _changes(
        self, iterable: Any, refs: list[Ref], take: Take, node: Any, live: Live
    ) -> set[str]:
        """How a round may change the keys: whether it adds some, and whether it removes some."""
        memory = [self.list_value(ref) for ref in refs if isinstance(ref, DictRef)]
        start = len(self.builder.block.operations)
        diagnostics = self.compilation.diagnostics
        mark = diagnostics.mark()
        with self.journal.scope():
            super().for_each(iterable, take, node, live)
            found = self._changes_since(start, memory)
        del self.builder.block.operations[start:]
        diagnostics.rollback(mark)
        return found

    def _changes_since(self, start: int, memory: list[Value]) -> set[str]:
        found: set[str] = set()
        pending = list(self.builder.block.operations[start:])
        while pending:
            operation = pending.pop()
            for region in operation.regions:
                pending.extend(region.block.operations)
            if operation.op.name in _OPAQUE and self._reaches(operation, memory):
                found |= {"adds", "removes"}
            elif _writes_dict(operation) and self._may_be(operation.operands[0], memory):
                found.add("adds" if operation.op.name in _ADDING else "removes")
        return found

    def _may_be(self, value: Value, memory: list[Value]) -> bool:
        """Whether a dict in memory may be one of some others."""
        value = uncast(value)
        known = [uncast(each) for each in memory]
        held = self.compilation.held
        return value in known or (value in held and any(each in held for each in known))

    def _reaches(self, operation: Operation, memory: list[Value]) -> bool:
        """Whether something opaque may get hold of one of some dicts."""
        known = [uncast(each) for each in memory]
        is_held = any(each in self.compilation.held for each in known)
        operands = [uncast(operand) for operand in tree_leaves(tuple(operation.operands))]
        return is_held or any(operand in known for operand in operands)


def _through(item: Callable[[Any], Any], take: Take) -> Take:
    return lambda key: take(item(key))


def _writes(operation: Operation) -> bool:
    """Whether an operation, or one in its regions, may write to a dict."""
    inner = [each for region in operation.regions for each in region.block.operations]
    is_opaque = operation.op.name in _OPAQUE
    return is_opaque or _is_write(operation) or any(map(_writes, inner))


def _is_write(operation: Operation) -> bool:
    return ops.Effect.WRITES in ops.operation_effects(operation)


def _writes_dict(operation: Operation) -> bool:
    return _is_write(operation) and operation.op.name.startswith("dict.")


def uncast(value: Value) -> Value:
    """The Value that was cast to ``value``."""
    owner = getattr(value, "owner", None)
    while owner is not None and owner.op.name == "object.cast":
        value = owner.operands[0]
        owner = getattr(value, "owner", None)
    return value
