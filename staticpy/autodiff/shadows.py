"""Shadows: memory for the cotangents of memory that is written to.

An array that a program writes to has no one cotangent: what is read of it before a write is another
thing than what is read after. So it gets a shadow, an array of the same shape, and each view of it
the same view of the shadow. On the way back, a read adds to its part of the shadow; a write takes
its cotangent from there and leaves zeros, which is the cotangent of what it has overwritten. A list
has a list for a shadow. (Reverse mode of memory as in Enzyme: Moses and Churavy, 2020.)

Before:
    %y = zeros {shape = (3,)} : f64[3]
    store %y, %x {spec = (0,)}
After, on the way there:
    %y = zeros {shape = (3,)} : f64[3]
    %sy = zeros_like %y : f64[3]
    store %y, %x {spec = (0,)}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from staticpy import ops
from staticpy.autodiff.activity import IN_PLACE_OPS, writes, written
from staticpy.autodiff.boxes import by_member, fresh
from staticpy.autodiff.cotangents import zero_in
from staticpy.autodiff.held import is_array_sometimes
from staticpy.autodiff.holders import HeldShadows
from staticpy.autodiff.moves import exception_of
from staticpy.autodiff.refusals import CHANGES_OTHERS, CHANGES_OUTSIDE, refusal, shown_view
from staticpy.autodiff.scopes import always_raises, memory_around
from staticpy.autodiff.views import (
    is_new,
    is_view,
    is_view_or_copy,
    is_written_in_use,
    same_views,
    stretched_from,
    stretched_view,
    view_or_copy,
)
from staticpy.ir import (
    Block,
    Builder,
    Operation,
    Region,
    TensorType,
    Type,
    Value,
    builder_before,
    rewriter,
    with_inner,
)
from staticpy.ops import Traced, untrace

_HIDDEN = (*ops.UNSEEN, ops.checkpoint, *ops.RULE_OPS)
"""Ops whose regions have no shadows: the way back doesn't go through them."""
_MIRRORED = ("list.make", "list.append", "list.getitem", "list.pop")


class Shadows(HeldShadows):
    """The shadows of the memory of one block."""

    def make(self, block: Block, given: Mapping[Value, Value] | None = None) -> None:
        """Give all memory of ``block`` that derivatives flow through its shadow; some has its
        ``given`` one.
        """
        if given is not None:  # a function, which others call
            self.handed_on.update(block.terminator.operands)
        self.handed_on.update(self._activity.given_by_calls())
        self.of.update(given or {})
        builder = Builder(block)
        builder.index = 0
        with builder.current():
            for value in dict.fromkeys((*block.args, *memory_around(block))):
                if value in self.of or not self._has_shadow(value):
                    continue
                is_several = is_array_sometimes(value.type) and ops.is_inexact(value.type)
                if is_several and value in block.args:
                    self.of[value] = by_member(value, fresh)
                elif not self._is_foreign(value):
                    self.of[value] = self._fresh(value)
        self._mirror(block, builder.index)

    def _is_foreign(self, value: Value) -> bool:
        """Whether something from outside goes without a shadow: what is done to it then, and what
        is read of it, has no derivative.
        """
        return self._activity.is_boxed(value) and not isinstance(value.type, TensorType)

    # --- the way there ----------------------------------------------------------------------------

    def _mirror(self, block: Block, first: int = 0) -> None:
        """Give everything in ``block`` its shadow, behind it, from the ``first`` operation on."""
        for operation in block.operations[first:-1]:
            if operation.op in _HIDDEN:
                self._of_rule(operation)
                continue
            if operation.regions:
                self._through_regions(operation)
                continue
            memory = [*operation.operands, *operation.results]
            is_shadowed = any(map(self._activity.is_shadowed, memory))
            if not is_shadowed or exception_of(operation) is not None:
                continue
            if self._is_change(operation):
                self._change(operation)
            builder = Builder(block)
            builder.after(operation)
            with builder.current():
                self._beside(operation, builder)

    def _is_change(self, operation: Operation) -> bool:
        """Whether an operation may write to what has shadows."""
        if not writes(operation) or self._is_apart(operation):
            return False
        return any(map(self._activity.is_shadowed, written(operation)))

    def _beside(self, operation: Operation, builder: Builder) -> None:
        """Do with shadows what ``operation`` does with memory."""
        name = operation.name
        if operation.op is ops.call:
            self._call(operation)
            return
        if self._is_moved(operation):
            self._move(operation, builder)
            return
        if self._is_of_items(operation):
            self._keep(operation, builder)
            return
        if name in _MIRRORED:
            self._list(operation, builder)
            return
        due = [result for result in operation.results if self._has_shadow(result)]
        base = operation.operands[0] if operation.operands else None
        if due and base in self.of and is_view(operation):
            self.of.update(
                zip(operation.results, same_views(operation, self.of[base]), strict=True)
            )
            if operation.name == "strided_like":
                self.stretched.append(base)
            return
        for result in due:
            if operation.op in IN_PLACE_OPS and base in self.of:
                self.of[result] = self.of[base]
            elif isinstance(result.type, TensorType) and is_new(operation):
                self.of[result] = self._fresh(result)
                self._change(operation.parent)
            elif base in self.of and is_view_or_copy(operation):
                self._ask(operation, result)
            else:
                self._stretch(result)

    def _ask(self, operation: Operation, result: Value) -> None:
        """Ask whether an operation has given a view or a copy, where that counts."""
        assert operation.block is not None
        if is_written_in_use(self._activity, result, operation.block.operations):
            self._answer(operation, result)

    def _stretch(self, result: Value) -> None:
        """Give a stretched view of what is written to while that is in use its shadow. It has none
        where functions that know nothing of it would add to that.
        """
        base = stretched_from(self._activity, result)
        block = result.defining_op.block if result.defining_op is not None else None
        if base is None or base not in self.of or block is None:
            return
        if any(self._activity.may_share(each, result) for each in self.handed_on):
            return
        if is_written_in_use(self._activity, result, block.operations):
            self.of[result] = stretched_view(base, result, self.of[base])
            self.stretched.append(base)

    def _answer(self, operation: Operation, result: Value) -> None:
        shadow = self.of[operation.operands[0]]
        found = view_or_copy(operation, shadow, lambda: self._fresh(result))
        self.asked[operation], self.of[result] = found
        self._change(operation)

    def _is_given_late(self, value: Value) -> bool:
        """Give what was not written to, and so had none, its shadow, if it is a view of what has
        one, or may be.
        """
        made = value.defining_op
        base = made.operands[0] if made is not None and made.operands else None
        if made is None or base is None or not (is_view(made) or is_view_or_copy(made)):
            return False
        if base not in self.of and not self._is_given_late(base):
            return False
        assert made.block is not None
        builder = Builder(made.block)
        builder.after(made)
        with builder.current():
            if is_view(made):
                self.of.update(zip(made.results, same_views(made, self.of[base]), strict=True))
            else:
                self._answer(made, value)
        return True

    def _of_rule(self, operation: Operation) -> None:
        """What a function with a rule of its own, or one that runs again, gives is as fresh memory;
        what happens in it has no shadow.
        """
        if operation.op in ops.UNSEEN:
            return
        for result in operation.results:
            if self._has_shadow(result):
                assert operation.block is not None
                builder = Builder(operation.block)
                builder.after(operation)
                with builder.current():
                    self.of[result] = self._fresh(result)
                self._change(operation.parent)

    def _call(self, operation: Operation) -> None:
        """Let a function give the shadows of its results as well, behind these."""
        places = self._shadowed(operation.results)
        if places:
            types = operation.attrs["result_types"]
            more = (self.form(value) for value in places.values())
            operation.attrs = {**operation.attrs, "result_types": (*types, *more)}
            self._change(operation)
            self.given_back[self._rebuilt(operation, operation.operands, places)] = tuple(places)

    def give_back(self, block: Block, places: Iterable[int]) -> None:
        """Let a function give the shadows of what it returns at ``places``, too."""
        returned = block.terminator.operands
        self._yield(block, {place: returned[place] for place in places}, 0)

    def _list(self, operation: Operation, builder: Builder) -> None:
        """A list of cotangents beside a list."""
        op, operands = operation.op, operation.operands
        if operation.name == "list.make":
            (made,) = operation.results
            if self._has_shadow(made):
                items = [self._item(made.type, item) for item in operands]
                self.of[made] = builder.emit(op, items, {"type": made.type}).result
                self._change(operation.parent)
            return
        shadow = self.of.get(operands[0])
        if shadow is None:
            return
        if operation.name == "list.append":
            builder.emit(op, [shadow, self._item(shadow.type, operands[1])])
        elif operation.name == "list.pop" or self._has_shadow(operation.result):
            attrs = {name: each for name, each in operation.attrs.items() if name != "saved"}
            found = builder.emit(op, [shadow, *operands[1:]], attrs).result
            if self._has_shadow(operation.result):
                self.of[operation.result] = found

    def _item(self, items: Type, value: Value) -> Value:
        return self.of[value] if value in self.of else zero_in(items, value)

    def _fresh(self, value: Value) -> Value:
        if not isinstance(value.type, TensorType):
            raise refusal(self._activity.writes_to(value), CHANGES_OUTSIDE)
        if ops.is_undef(value):
            return ops.emit(ops.undef, type=value.type)  # type: ignore[no-any-return]
        return untrace(np.zeros_like(Traced(value)))  # type: ignore[no-any-return]

    # --- regions ----------------------------------------------------------------------------------

    def _through_regions(self, operation: Operation) -> None:
        """Carry and yield shadows along with the memory that they are of."""
        if operation.op is ops.for_:
            self._for(operation)
        elif operation.op is ops.while_:
            self._while(operation)
        elif operation.op is ops.try_:
            self._try(operation)
        else:
            for region in operation.regions:
                self._mirror(region.block)
            results = self._shadowed(operation.results)
            for region in operation.regions:
                self._yield(region.block, results, 0)
            self._rebuilt(operation, operation.operands, results)

    def _try(self, operation: Operation) -> None:
        """The way back goes through a body behind which nothing else goes on, or not at all."""
        if not always_raises(operation):
            if any(map(self._is_change, with_inner([operation]))):
                self._change(operation)
            return
        body, *handlers = (region.block for region in operation.regions)
        self._mirror(body)
        results = self._shadowed(operation.results)
        self._yield(body, results, 0)
        for block in handlers:
            builder = Builder(block)
            builder.before(block.terminator)
            types = [self.form(each) for each in results.values()]
            more = [builder.emit(ops.undef, [], {"type": each}).result for each in types]
            rewriter.set_operands(block.terminator, [*block.terminator.operands, *more])
        self._rebuilt(operation, operation.operands, results)

    def _for(self, operation: Operation) -> None:
        body = operation.regions[0].block
        carried = self._shadowed(body.args[1:])
        self._enter(body, carried)
        self._mirror(body)
        self._yield(body, carried, int(bool(operation.attrs["breaks"])))
        inits = self._inits(operation, operation.operands[3:], carried)
        self._rebuilt(operation, [*operation.operands, *inits], carried)

    def _while(self, operation: Operation) -> None:
        before, after = (region.block for region in operation.regions)
        carried = self._shadowed(before.args)
        self._enter(before, carried)
        self._mirror(before)
        handed = self._shadowed(after.args)
        self._yield(before, handed, 1)
        self._enter(after, handed)
        self._mirror(after)
        self._yield(after, carried, 0)
        inits = self._inits(operation, operation.operands, carried)
        self._rebuilt(operation, [*operation.operands, *inits], handed)

    def _shadowed(self, values: Sequence[Value]) -> dict[int, Value]:
        """Those that have shadows, by their places."""
        return {place: value for place, value in enumerate(values) if self._has_shadow(value)}

    def _enter(self, block: Block, arguments: dict[int, Value]) -> None:
        for argument in arguments.values():
            self.of[argument] = block.add_arg(self.form(argument))

    def _yield(self, block: Block, targets: dict[int, Value], first: int) -> None:
        """Let a block yield the shadows of what it yields for ``targets``."""
        terminator = block.terminator
        yielded = terminator.operands[first:]
        puts: list[tuple[Value, Value]] = []
        more = [self._handed(yielded[n], each, terminator, puts) for n, each in targets.items()]
        rewriter.set_operands(terminator, [*terminator.operands, *more])
        if puts:
            self.moved[block] = puts
            self._change(terminator.parent)

    def _inits(
        self, loop: Operation, given: Sequence[Value], carried: dict[int, Value]
    ) -> list[Value]:
        puts: list[tuple[Value, Value]] = []
        shadows = [self._handed(given[n], each, loop, puts) for n, each in carried.items()]
        if puts:
            self.moved[loop] = puts
            self._change(loop)
        return shadows

    def _handed(
        self, value: Value, target: Value, reader: Operation, puts: list[tuple[Value, Value]]
    ) -> Value:
        """The shadow of what ``reader`` hands on to ``target``, which has one."""
        if value in self.of:
            return self.of[value]
        builder = builder_before(reader)
        if self._activity.is_boxed(target):
            with builder.current():
                return self._held(value, puts, reader)
        if ops.is_undef(value):
            return builder.emit(ops.undef, [], {"type": value.type}).result
        if self._is_given_late(value):
            return self.of[value]
        writer = self._activity.writes_to(value)
        if writer is None and value not in self._activity.varied:  # nothing flows to it
            with builder.current():
                return self._fresh(value)
        raise refusal(self._activity.writes_to(value), CHANGES_OTHERS, shown_view(value))

    def _rebuilt(
        self, operation: Operation, operands: Sequence[Value], places: Iterable[int]
    ) -> Operation:
        """The operation again, with the shadows of its results behind them."""
        if len(operands) == len(operation.operands) and not places:
            return operation
        made = rebuild(operation, operands)
        for old, new in zip(operation.results, made.results, strict=False):
            self._activity.rename(old, new)
        first = len(operation.results)
        for number, place in enumerate(places):
            self.of[made.results[place]] = made.results[first + number]
        if operation in self.changing:
            self.changing.add(made)
        if operation in self.moved:
            self.moved[made] = self.moved.pop(operation)
        return made


def rebuild(operation: Operation, operands: Sequence[Value]) -> Operation:
    """An operation in the place of another, whose regions yield more than they did."""
    builder = builder_before(operation)
    regions = [Region(region.block) for region in operation.regions]
    made = builder.emit(operation.op, operands, operation.attrs, regions)
    for old, new in zip(operation.results, made.results, strict=False):
        rewriter.replace_all_uses(old, new)
    operation.regions = ()
    rewriter.erase(operation)
    return made
