"""``try`` in what is differentiated: run once to see how it ends, then as branches.

Before:                                        After:
    %y = try {handlers = (("ValueError",),)} {     %n, %e = try {handlers = (("ValueError",),)} {
      %a = math.log %x                               %a = math.log %x
      region_yield %a                                region_yield 0, undef
    } (%e: object) {                               } (%e: object) {
      region_yield %x                                region_yield 1, %e
    }                                              }
                                                   %0 = py.eq %n, 0
                                                   %y = if %0 { ... } { region_yield %x }

So no handler sees what derivatives raise. The body runs twice, less what nobody reads of the first
time; so it must not be seen that it does. A body that changes what is around it is taken apart into
steps, each of which is tried and then done (``steps``). A handler that always raises, as that of a
``finally`` does, gives nothing: such a ``try`` stays, and derivatives go through its body.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from staticpy import ops
from staticpy.autodiff.activity import Activity, writes, written
from staticpy.autodiff.calls import DerivedFunctions
from staticpy.autodiff.carried import carry_attributes
from staticpy.autodiff.prepare import find_places
from staticpy.autodiff.refusals import refusal
from staticpy.autodiff.rotation import rotate
from staticpy.autodiff.scopes import always_raises
from staticpy.autodiff.steps import Steps, changes_around
from staticpy.ir import (
    Block,
    Builder,
    Operation,
    Region,
    Value,
    builder_before,
    copy_body,
    rewriter,
    walk,
    with_inner,
)


def open_tries(block: Block, sources: Iterable[Value], functions: DerivedFunctions) -> None:
    """Replace each ``try`` that derivatives by ``sources`` flow out of, those inside of others
    first.

    Raises:
        DiagnosticError: NO_DERIVATIVE, its body changes what is around it, and may end half way
            through that.
    """
    given, trials = list(sources), set[Operation]()
    find_places(block, given)
    if not any(each.op is ops.try_ for each in walk(block)):
        return
    _drop_unread_boxes(block)
    carry_attributes(block, given, functions)
    while True:
        activity = Activity(block.operations[:-1], given)
        found = [each for each in activity.visible if _is_due(each, activity)]
        found = [each for each in found if trials.isdisjoint(_around(each))]
        if not found:
            return
        trials.update(Opening(functions).open(found[-1]))


def _around(operation: Operation) -> Iterator[Operation]:
    current: Operation | None = operation
    while current is not None:
        yield current
        current = current.parent


def _is_due(operation: Operation, activity: Activity) -> bool:
    if operation.op is not ops.try_ or always_raises(operation):
        return False
    changing = filter(writes, with_inner([operation]))
    changed = (value for inner in changing for value in written(inner))
    return any(value in activity.varied for value in (*operation.results, *changed))


# --- boxes ----------------------------------------------------------------------------------------


def _drop_unread_boxes(block: Block) -> None:
    """Drop lists that are written to, for a handler that might read them, and read by nobody."""
    for made in [each for each in walk(block) if each.name == "list.make"]:
        users = list(made.result.users)
        reads = [each for each in users if each.name == "list.getitem"]
        others = [each for each in users if each not in reads]
        is_read = any(each.result.uses for each in reads)
        if reads + others and not is_read and all(map(_is_put, others)):
            if any(each.operands[2] is made.result for each in others):
                continue
            for each in (*reads, *others, made):
                rewriter.erase(each)


def _is_put(operation: Operation) -> bool:
    return operation.name == "list.setitem"


# --- the two runs ---------------------------------------------------------------------------------


class Opening:
    """Opens a ``try``, those inside of it, and what it calls; ``functions`` makes functions."""

    def __init__(self, functions: DerivedFunctions) -> None:
        self._functions = functions
        self._making: set[str] = set()

    def open(self, operation: Operation) -> list[Operation]:
        """Replace a ``try``; what has become of the attempts to do what it does."""
        trials = self._make_ready(operation.regions[0].block)
        builder = builder_before(operation)
        with builder.current():
            steps = Steps(operation, self._attempt)
            first, *handlers = (region.block for region in operation.regions)
            found = steps.trial_of_one()
            if found is None:
                found = steps.run()
                with builder.region() as region:
                    builder.emit(ops.region_yield, found[1 + len(handlers) :])
                first = region.block
            number, *errors = found[: 1 + len(handlers)]
            for block, error in zip(handlers, errors, strict=True):
                rewriter.replace_all_uses(block.args[0], error)
                rewriter.remove_args(block, {0})
            made = _branches(number, 0, [first, *handlers], builder)
        operation.regions = ()
        rewriter.replace(operation, made.results)
        return trials + steps.trials

    def _make_ready(self, body: Block) -> list[Operation]:
        """Let what changes something in a body be branches, and loops that test flags; the trials
        that come of that.
        """
        trials: list[Operation] = []
        for inner in reversed([each for each in walk(body) if each.op is ops.while_]):
            test = inner.regions[0].block
            is_flag = all(each in test.args for each in test.terminator.operands)
            if changes_around(inner) and not (is_flag and len(test.operations) == 1):
                builder = builder_before(inner)
                rotate(builder, inner)
        while found := [each for each in walk(body) if _is_changing_try(each)]:
            trials += self.open(found[-1])
        return trials

    def _attempt(self, call: Operation, around: Operation) -> str:
        """The name of the function that does what ``call`` does in the ``try`` around it."""
        callee = call.attrs["callee"]
        caught = tuple(region.block.args[0].type for region in around.regions[1:])
        key = ("attempt", callee, around.attrs["handlers"], caught)
        if known := self._functions.name_of(key):
            return known
        if callee in self._making:
            raise refusal(call, ", in more than one 'try' of a function that calls itself")
        function = self._functions.begin(call, "attempt", key)
        self._making.add(function.name)
        builder = Builder(function.block)
        with builder.current(), builder.at(call.span):
            made = _guarded(function.block, around, builder)
            self._make_ready(made.regions[0].block)
            builder.before(made)
            found = Steps(made, self._attempt).run()
            rewriter.erase(made)
            builder.index = None
            builder.emit(ops.return_, found)
        rewriter.refresh_uses(function)
        self._making.discard(function.name)
        return function.name


def _guarded(block: Block, around: Operation, builder: Builder) -> Operation:
    """Put all that a function does into a ``try`` like the one around, whose operands it gets."""
    own = list(block.operations)
    classes = [block.add_arg(each.type) for each in around.operands]
    with builder.region() as body:
        returned = copy_body(block, builder, {}, lambda span: span)
        builder.emit(ops.region_yield, returned)
    regions = [body]
    for region in around.regions[1:]:
        with builder.region([region.block.args[0].type]) as handler:
            missing = [ops.emit(ops.undef, type=each.type) for each in returned]
            builder.emit(ops.region_yield, missing)
        regions.append(handler)
    rewriter.erase_all(own)
    builder.index = None
    return builder.emit(ops.try_, classes, around.attrs, regions)


def _is_changing_try(operation: Operation) -> bool:
    return operation.op is ops.try_ and changes_around(operation)


def _branches(number: Value, first: int, blocks: Sequence[Block], builder: Builder) -> Operation:
    """One of the blocks from ``first`` on, by its number."""
    is_first = ops.as_value(ops.compare("==", number, ops.as_value(first)))
    if first == len(blocks) - 2:
        orelse = Region(blocks[-1])
    else:
        with builder.region() as orelse:
            inner = _branches(number, first + 1, blocks, builder)
            builder.emit(ops.region_yield, inner.results)
    return builder.emit(ops.if_, [is_first], {}, [Region(blocks[first]), orelse])
