"""The compilation of one function of the graph.

In: a Function of the graph. Out: an LLVM function that takes a table of references to the arguments
and returns a new reference to the result. Each operation is lowered by the rule of its op; where
there is none, or it has no form for these types, the kernel of the op is called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import Any

from staticpy.backends.base import unsupported
from staticpy.backends.llvm import blocked_products, ir, lock
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.clusters import lower_cluster
from staticpy.backends.llvm.common import IS_DUE
from staticpy.backends.llvm.context import NULL, Context, Rule
from staticpy.backends.llvm.deferred import leave_if_overflown
from staticpy.backends.llvm.depth import calls_left
from staticpy.backends.llvm.epilogues import Head
from staticpy.backends.llvm.forms import I8, I32, I64, POINTER, Form, Native, form_of
from staticpy.backends.llvm.kernels import Kernels, can_call
from staticpy.backends.llvm.loop_forms import has_form
from staticpy.backends.llvm.new_arrays import new_arrays, of_known_sizes
from staticpy.backends.llvm.outcomes import Outcome
from staticpy.backends.llvm.products import (
    PRODUCTS,
    has_product_form,
    products_by_one_matrix,
    shows_flags,
)
from staticpy.backends.llvm.signs import Signs
from staticpy.backends.llvm.status import FLAGS, KEEP_FLAGS, LEFT_OUT, OVERFLOWED, VISIBLE
from staticpy.backends.llvm.steady_operations import is_in_branch, steady_loop
from staticpy.backends.llvm.stretches import is_of_numbers
from staticpy.backends.timing import TimedKernel
from staticpy.ir import (
    Block,
    Function,
    Operation,
    Value,
    with_inner,
)
from staticpy.ops import call, for_, while_
from staticpy.passes import AliasAnalysis, Cluster, Kernel, fuse, heads, is_needed, kernel_of


class FunctionLowering(Context):
    """Emits one ``function`` of the graph by ``rules``.

    Attributes:
        visible_operations: those that others can see.
        calls: how many kernels are called, those made of the graph's loops included.
        loops: what was fused.
        fused: which values are in registers of these alone.
        rounds_module: the LLVM module of the rounds of loops that several threads may do.
        shares_loops: whether a loop may be for several threads from here on.
    """

    shares_loops = True

    def __init__(
        self,
        module: ir.Module,
        function: Function,
        kernels: Kernels,
        rules: Mapping[str, Rule],
        visible: Container[Operation],
        body: ir.Function | None = None,
    ) -> None:
        super().__init__(module, body if body is not None else main_body(module))
        self.function = function
        self.visible_operations, self.shows = visible, bool(visible)
        self.hints = kernels.host.hints
        self.new_arrays = new_arrays(function)
        self.kernels = kernels
        self._boxes: Boxes = kernels.boxes
        self.rules = rules
        self.loops: list[Kernel] = []
        self.fused: dict[Value, str] = {}
        self.rounds_module = ir.Module(f"{module.name}.rounds")
        self.calls = 0
        self._is_untouched = True
        self._lets_go = False
        self._calls_left: ir.Value | None = None
        self.begin()
        self.lower()

    def begin(self) -> None:
        """What the function does first."""

    def lower(self) -> None:
        """Emit all of it."""
        for number, argument in enumerate(self.function.args):
            self.set(argument, self.argument(number, form_of(argument.type)))
        self.block(self.function.block)
        self.finish(self.result(self.operands()))

    def argument(self, number: int, form: Form) -> Native:
        """What an argument is, which is a reference in the table of them."""
        reference = self.builder.load(self.at(self.body.args[1], 8 * number), typ=POINTER)
        return replace(self._boxes.unbox(self, form, reference), original=reference)

    def result(self, natives: Sequence[Native]) -> ir.Value:
        """What the function returns: a reference."""
        return self._boxes.result(self, natives)

    def note(self, builder: ir.IRBuilder, code: int) -> None:
        """Store it to the first argument, and whether anything is visible; with the lock."""
        status = self.body.args[0]
        if self.polls and code in (OVERFLOWED, LEFT_OUT):
            lock.take(builder, status)
        builder.store(I32(code), status)
        place = builder.gep(status, [I64(VISIBLE)], source_etype=I8)
        builder.store(builder.load(self._visible, typ=I32), place)

    def interrupted(self) -> ir.Value:
        """See Context."""
        self.polls = True
        return lock.poll(self.builder, self.body.args[0])

    @contextmanager
    def without_lock(self) -> Iterator[None]:
        """See Context."""
        if self._lets_go:
            yield
            return
        self._lets_go = self.polls = True
        with self.kernels.lock.let_go(self):
            yield
        self._lets_go = False

    def with_lock(self) -> AbstractContextManager[None]:
        """See Context."""
        return self.kernels.lock.held(self) if self._lets_go else nullcontext()

    def may_leave_out(self, loop: Operation) -> bool:
        """See Context."""
        is_outermost = loop.block is self.function.block
        return self.is_lean and (self.can_run_again or (is_outermost and self._is_untouched))

    def may_come_early(self) -> bool:
        """See Context. Where all can be done again, the twin sees that there was no round."""
        loop = None if self.can_run_again else steady_loop(self.operation)
        is_first = loop is not None and loop.block is self.function.block and self._is_untouched
        return loop is not None and not is_first

    @property
    def is_in_branch(self) -> bool:
        """See Context."""
        return is_in_branch(self.operation)

    def are_apart(self, written: Value, read: Value) -> bool:
        """See Context."""
        return written in self.new_arrays and read not in self._aliases.aliases(written)

    def is_not_negative(self, value: Value, operation: Operation) -> bool:
        """See Context."""
        return self.signs.is_not_negative(value, operation)

    @cached_property
    def signs(self) -> Signs:
        """What is known of ints."""
        return Signs(self.function)

    @cached_property
    def _aliases(self) -> AliasAnalysis:
        return AliasAnalysis(self.function)

    def calls_left(self) -> ir.Value:
        """What the interpreter allows beside this function, which takes the place of a frame."""
        if self._calls_left is None:
            self._calls_left = self.at_entry(calls_left)
        return self._calls_left

    def block(self, block: Block, *, until: Operation | None = None) -> Operation:
        """See Context."""
        clusters = fuse(block, has_form)
        products = self._heads(block, clusters)
        ends = last_uses(block, clusters, products)
        places: dict[Operation | None, list[Cluster]] = defaultdict(list)
        for cluster in clusters:
            places[cluster.before].append(cluster)
        members = {member for cluster in clusters for member in cluster.operations}
        members.update(products.values())
        for operation in block.operations:
            for cluster in places.get(operation, ()):
                self._before(cluster.operations)
                self._cluster(cluster, ends, products.get(cluster))
            if operation is until:
                break
            if operation is not block.terminator and operation not in members:
                self._before([operation])
                self._lower(operation)
                self.let_go(ends.get(operation, ()))
        self.operation = block.terminator
        return block.terminator

    def _heads(self, block: Block, clusters: Sequence[Cluster]) -> dict[Cluster, Operation]:
        """The products that are computed together with clusters. One whose flags nobody may see has
        none, unless all up to there can be run again: flags of the loops would go with its own.
        """
        found = heads(block, clusters, has_product_form)
        return {
            cluster: product
            for cluster, product in found.items()
            if shows_flags(product) or self._can_run_again_after(block, cluster)
        }

    def _can_run_again_after(self, block: Block, cluster: Cluster) -> bool:
        if not self.can_run_again or block is not self.function.block:
            return self.can_run_again
        before = takewhile(lambda each: each is not cluster.before, block.operations)
        return not any(each in self.visible_operations for each in with_inner(before))

    def _before(self, operations: Sequence[Operation]) -> None:
        """Where something visible is about to be done for the first time, and NumPy had to warn of
        what came before, let the twin do all of it.
        """
        if operations[0].block is not self.function.block:
            return
        self._is_untouched = self.can_run_again
        if not self.can_run_again:
            return
        inside = with_inner(operations)
        self.can_run_again = not any(each in self.visible_operations for each in inside)
        self.warns |= self.sets_flags and not self.can_run_again
        if not self.can_run_again and self.warns:
            self.around_kernel(KEEP_FLAGS)
            found = self.builder.load(self.at(self.body.args[0], FLAGS), typ=I32)
            self.exit_if(IS_DUE.call(self.builder, found), OVERFLOWED)

    def _cluster(
        self,
        cluster: Cluster,
        ends: Mapping[Operation, Sequence[Value]],
        product: Operation | None = None,
    ) -> None:
        self.calls += 1
        name = f"cluster.{len(self.loops)}"
        self.loops.append(kernel_of(cluster, name, product))
        inside = [value for each in cluster.operations for value in each.results]
        self.fused |= {value: name for value in inside if value not in cluster.outputs}
        if any(operation in self.visible_operations for operation in cluster.operations):
            self.mark_visible()
        measure = self.start()
        head = None
        if product is not None:
            self.operation = product
            head = Head(self, self._boxes, product)
        self.operation = cluster.operations[0]
        lower_cluster(self, cluster, name, self._boxes, head)
        kernel = self.loops[-1]
        self.stop(measure, TimedKernel("kernel", name, kernel.operations, kernel.spans))
        for operation in cluster.operations:
            if is_needed(operation, cluster):
                self._lower(operation)
        for operation in (*cluster.operations, *([] if product is None else [product])):
            self.let_go(value for value in ends.get(operation, ()) if self.has(value))

    def _lower(self, operation: Operation) -> None:
        self.operation, self.refusal = operation, None
        if operation in self.visible_operations:
            self.mark_visible()
        calls = self.calls
        results = self._by_rule(operation)
        self.operation = operation
        if results is None:
            if not can_call(operation):
                raise unsupported("llvm", f"the op {operation.op.name!r}", operation.span)
            self.calls += 1
            measure = self.start()
            results = [of_known_sizes(self, operation, each) for each in self.kernel()]
            self.stop(measure, _timed(operation))
        if operation.op in (for_, while_) and self.calls == calls and self.looks_ahead:
            self.has_number_loops = True
        for value, native in zip(operation.results, results, strict=True):
            self.set(value, native)

    def _by_rule(self, operation: Operation) -> Sequence[Native] | None:
        """The results of an operation that has a native form."""
        rule = self.rules.get(operation.op.name)
        if rule is None:
            return None
        is_loop = operation.op in (for_, while_)
        if not is_loop and operation.op is not call and operation.op.name not in _TIMED:
            return rule(self, operation, self.operands())
        measure = self.start()
        lets_go = is_loop and is_of_numbers(operation)
        packs = is_loop and blocked_products.is_own()
        keeping = self._keeping_packed(operation) if packs else nullcontext()
        with self.without_lock() if lets_go else nullcontext(), keeping:
            results = rule(self, operation, self.operands())
        if results is not None:
            self.stop(measure, _timed(operation), is_loop=is_loop)
        return results

    @contextmanager
    def _keeping_packed(self, loop: Operation) -> Iterator[None]:
        """Within, products of the loop keep what they have packed, if nobody writes to it."""
        found = [each for each in products_by_one_matrix(loop) if each not in self.packed]
        found = [each for each in found if not self._aliases.is_written(each.operands[1])]
        self.packed |= {each: self.new_slot() for each in found}
        yield
        for each in found:
            self.keep(NULL, self.packed.pop(each))

    def start(self) -> Any:
        """Something begins, of which the result is told to ``stop``."""

    def stop(self, begun: Any, kernel: TimedKernel, *, is_loop: bool = False) -> None:
        """It has ended: a kernel, or a loop, which is one if there is none in it but loops."""

    def kernel(self, *, is_rare: bool = False) -> Sequence[Native]:
        """Call the kernel of the current operation."""
        leave_if_overflown(self)
        if not is_rare:
            return self.kernels.call(self, self.operation)
        found = self.kernels.recover(self, self.operation)
        if found is None:
            with self.with_lock():
                found = self.kernels.call(self, self.operation)
        return found

    def kernel_into(self, outcome: Outcome) -> None:
        """Call the kernel of the current operation, of which ``outcome`` is the only result."""
        self.kernels.call_into(self, self.operation, outcome)

    def together(
        self, operations: Sequence[Operation], results: Sequence[Value], outcomes: Sequence[Outcome]
    ) -> None:
        """Do operations, of which ``results`` are read, as one Python function."""
        self.kernels.call_together(self, operations, results, outcomes)

    def refuse(self) -> None:
        """Call the kernel of the current operation, which raises."""
        leave_if_overflown(self)
        self.kernels.refuse(self, self.operation)

    def box(self, native: Native) -> ir.Value:
        """A new reference to a value as a Python object."""
        return self._boxes.box(self, native)


_TIMED = (*PRODUCTS, "argmax", "argmin", "cumsum", "cumprod", "ufunc.method")
"""What is native and takes as long as its arrays are."""


def _timed(operation: Operation) -> TimedKernel:
    """How an operation is called where it is timed."""
    name = str(operation.attrs["callee"]) if operation.op is call else operation.op.name
    return TimedKernel("kernel", name, (operation.op.name,), (operation.span,))


def main_body(module: ir.Module) -> ir.Function:
    """The function of a graph: takes where to store how it went, and a table of references to the
    arguments; returns a reference.
    """
    body = ir.Function(module, ir.FunctionType(POINTER, [POINTER, POINTER]), "body")
    body.linkage = "internal"
    body.attributes.add("noinline")
    return body


def last_uses(
    block: Block, clusters: Sequence[Cluster], products: Mapping[Cluster, Operation]
) -> dict[Operation, list[Value]]:
    """For each operation of a block, the results of others that nobody reads after it. The members
    of a cluster, and the product that is its head, read when it is computed, which can be long
    after where they stand.
    """
    ends: dict[Operation, list[Value]] = {}
    position = {operation: (at, len(clusters)) for at, operation in enumerate(block.operations)}
    for number, cluster in enumerate(clusters):
        assert cluster.before is not None
        at = (position[cluster.before][0], number)
        position |= dict.fromkeys(cluster.operations, at)
        if cluster in products:
            position[products[cluster]] = at
    for operation in block.operations:
        for value in operation.results:
            if form_of(value.type).is_scalar:
                continue
            users = [place for user in value.users if (place := _place(user, block)) is not None]
            last = max(users, key=position.__getitem__, default=operation)
            if last is not block.terminator:
                ends.setdefault(last, []).append(value)
    return ends


def _place(operation: Operation, block: Block) -> Operation | None:
    """The operation of ``block`` that ``operation`` is, or stands in."""
    current: Operation | None = operation
    while current is not None and current.block is not block:
        current = current.parent
    return current
