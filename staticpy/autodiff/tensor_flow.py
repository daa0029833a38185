"""What of a graph is a Tensor to the program that calls it, because it depends on one.

In: a graph, and the arguments that are what Tensors hold. Out: the results that depend on them, by
what would be recorded and by what plain Python makes Tensors of; and a graph that makes Tensors of
nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from staticpy import ops
from staticpy.autodiff.activity import Activity, writes, writes_to_holder, written
from staticpy.autodiff.expand import TRANSFORMS
from staticpy.ir import OBJECT, Module, Operation, Value, builder_before, rewriter, walk
from staticpy.ops import REGISTRY


class TensorFlow(NamedTuple):
    """What depends on some arguments of a graph, which are what Tensors hold.

    Attributes:
        recorded: the numbers of the results that derivatives flow to.
        changed: the numbers of those arguments whose memory is written to where that would have to
            be recorded.
        tensors: the numbers of the results that plain Python has as Tensors where nothing is
            recorded: an ndarray that Tensors are stored into stays one.
        written: the numbers of those arguments whose memory is written to.
        has_inner: whether Tensors that derivatives flow to are made in loops or branches.
    """

    recorded: tuple[int, ...]
    changed: tuple[int, ...]
    tensors: tuple[int, ...]
    written: tuple[int, ...]
    has_inner: bool


def recorded_writes(module: Module, numbers: Iterable[int]) -> tuple[int, ...]:
    """The numbers of those of the arguments ``numbers`` of ``module.main`` whose memory is written
    to where derivatives would see it: not in ``with no_grad()``.
    """
    main = module.main
    activity = _Lowered(main.block.operations[:-1], ())
    homes = {
        activity.home_of(value)
        for operation in activity.visible
        if writes(operation) and not writes_to_holder(operation)
        for value in written(operation)
    }
    return tuple(each for each in numbers if activity.home_of(main.args[each]) in homes)


def recorded_results(module: Module, numbers: Iterable[int]) -> tuple[int, ...]:
    """The numbers of the results that derivatives flow to from the arguments ``numbers`` of
    ``module.main``. Its calls are inlined, and it says how derivatives would see what it does. It
    notes of each Tensor that it makes whether they flow there.
    """
    main = module.main
    sources = [main.args[each] for each in numbers]
    varied = _Lowered(main.block.operations[:-1], sources).varied
    for operation in walk(main.block):
        if operation.op is ops.make_tensor:
            rewriter.set_attribute(operation, "flows", operation.operands[0] in varied)
    return tuple(number for number, each in enumerate(main.results) if each in varied)


class _Lowered(Activity):
    """What depends on the sources where transforms are yet to be expanded."""

    def _flows(self, operation: Operation) -> Iterator[tuple[Value, Value]]:
        if operation.op not in TRANSFORMS:
            yield from super()._flows(operation)
            return
        inner = [each for region in operation.regions for each in walk(region.block)]
        read = {operand for each in (operation, *inner) for operand in each.operands}
        yield from product(read, operation.results)


class _Made(Activity):
    """What is computed from the sources, but for arrays that they are only written into."""

    def _computed(self, operation: Operation) -> Iterator[tuple[Value, Value]]:
        if writes(operation) and not writes_to_holder(operation):
            return product(operation.operands[:1], operation.results)
        return super()._computed(operation)


Recorded = tuple[tuple[int, ...], tuple[int, ...]]
"""What ``recorded_results`` and ``recorded_writes`` give for a graph as it was lowered."""


def tensor_flow(module: Module, numbers: Iterable[int], recorded: Recorded) -> TensorFlow:
    """What depends on the arguments ``numbers`` of ``module.main``, whose transforms are expanded.
    What makes Tensors of what does not depend on them is removed.
    """
    main, numbers = module.main, list(numbers)
    operations = main.block.operations[:-1]
    sources: list[Value] = [main.args[each] for each in numbers]
    created = [each for each in walk(main.block) if each.op is ops.new_tensor]
    sources += [operation.result for operation in created]
    activity, made_of = Activity(operations, sources), _Made(operations, sources).varied
    tensors = [number for number, each in enumerate(main.results) if each in made_of]
    changed = [each for each in numbers if activity.writes_to(main.args[each]) is not None]
    made = [each for each in walk(main.block) if each.op is ops.make_tensor]
    for operation in made:
        if operation.operands[0] not in activity.varied:
            _leave_plain(operation)
    for operation in created:
        rewriter.replace(operation, operation.operands)
    inner = [each for each in made if each.block not in (None, main.block)]
    has_inner = any(each.attrs["flows"] and not each.attrs["shown"] for each in inner)
    return TensorFlow(*recorded, tuple(tensors), tuple(changed), has_inner)


def hand_out(module: Module) -> None:
    """Let the graph give besides its results all that it makes Tensors of in its own block: what
    becomes of derivatives by them, somebody may ask.
    """
    block = module.main.block
    makers = [each for each in block.operations if each.op is ops.make_tensor]
    made = [each.operands[0] for each in makers if not each.attrs["shown"]]
    if made:
        rewriter.set_operands(block.terminator, [*block.terminator.operands, *made])


def _leave_plain(operation: Operation) -> None:
    builder = builder_before(operation)
    cast = builder.emit(REGISTRY["object.cast"], operation.operands, {"type": OBJECT})
    rewriter.replace(operation, cast.results)
