"""The way back through a whole graph, as a graph of its own.

Before:
    func @f(%x: f64[n], %y: f64[n]) -> (f64[n]) {
      %0 = multiply %x, %y : f64[n]
      return %0
    }
After, by ``%x``:
    func @f(%x: f64[n], %y: f64[n], %seed: f64[n]) -> (f64[n]) {
      %0, %1 = vjp %x, %seed {outputs = 1} (%x.1: f64[n]) {
        %2 = multiply %x.1, %y : f64[n]
        region_yield %2
      }
      return %1
    }

And what of a graph is a Tensor to the program that calls it, because derivatives flow through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from staticpy import ops
from staticpy.autodiff.activity import Activity, writes, writes_to_holder, written
from staticpy.autodiff.moves import SETTERS
from staticpy.autodiff.pullbacks import require_no_trace
from staticpy.ir import (
    OBJECT,
    Block,
    Builder,
    Function,
    Module,
    Operation,
    Region,
    TensorType,
    Value,
    copy_body,
    is_mutable_memory,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY
from staticpy.source import SourceSpan

TRANSFORMS = frozenset({"vjp", "jvp", "vmap", "pullback.make"})
"""The ops that transforms are lowered to, whose regions are run and differentiated."""


def way_back(module: Module, by: Sequence[int], outputs: Sequence[int]) -> Module:
    """A module whose entry takes the arguments of ``module.main`` and a cotangent for each of the
    results ``outputs``, and gives those of the arguments ``by``. ``module`` stays as it is.
    """
    made = copied(module)
    main, block, primals = made.main, Block(), Block()
    values: dict[Value, Value] = {}
    for number, argument in enumerate(main.args):
        outer = block.add_arg(argument.type, argument.name)
        inner = primals.add_arg(argument.type, argument.name) if number in by else outer
        values[argument] = inner
    builder = Builder(primals)
    results = copy_body(main.block, builder, values, _same)
    builder.emit(ops.region_yield, [results[number] for number in outputs])
    _drop_objects(primals)
    _drop_unrecorded(primals)
    require_no_trace(primals, filter(_is_object, (values[each] for each in main.args)))
    given = [block.args[number] for number in by]
    given += [block.add_arg(results[number].type, "seed") for number in outputs]
    builder = Builder(block)
    builder.span = main.span
    attrs = {"outputs": len(outputs)}
    differentiated = builder.emit(ops.vjp, given, attrs, [Region(primals)])
    builder.emit(ops.return_, differentiated.results[len(outputs) :])
    made.add(Function(main.name, block, main.span))
    return made


def copied(module: Module) -> Module:
    """A copy that may be changed."""
    made = Module(module.entry)
    for function in module.functions.values():
        names = [argument.name for argument in function.args]
        block = Block(function.arg_types, names)
        values: dict[Value, Value] = dict(zip(function.args, block.args, strict=True))
        builder = Builder(block)
        results = copy_body(function.block, builder, values, _same)
        builder.emit(ops.return_, results)
        made.add(Function(function.name, block, function.span))
    return made


def _drop_objects(block: Block) -> None:
    """Remove the making of objects that the graph only fills: they were results."""
    for operation in reversed(block.operations):
        if operation.name == "object.new":
            made = operation.result
            readers = list(made.users)
            if all(each.name in SETTERS and made not in each.operands[1:] for each in readers):
                rewriter.erase_all([*readers, operation])


def _drop_unrecorded(block: Block) -> None:
    """Remove what is done in ``with no_grad()`` for its effects alone: it was done."""
    for operation in list(walk(block)):
        is_unread = not any(result.uses for result in operation.results)
        if operation.op is ops.no_gradient and is_unread:
            rewriter.erase(operation)


def _is_object(value: Value) -> bool:
    """Whether an argument is an object, which is not copied for the way back. A generator of random
    numbers is, and draws the same once more.
    """
    is_generator = bool(value.uses) and all(each.name == "random.draw" for each in value.users)
    is_object = is_mutable_memory(value.type) and not isinstance(value.type, TensorType)
    return is_object and not is_generator


def _same(span: SourceSpan) -> SourceSpan:
    return span


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
        if operation.name not in TRANSFORMS:
            yield from super()._flows(operation)
            return
        inner = [each for region in operation.regions for each in walk(region.block)]
        read = {operand for each in (operation, *inner) for operand in each.operands}
        yield from product(read, operation.results)


class _Made(Activity):
    """What is computed from the sources, but for arrays that they are only written into."""

    def reached(self, operation: Operation) -> Sequence[Value]:
        if writes(operation) and not writes_to_holder(operation):
            return [] if operation.operands[0] not in self.varied else operation.results
        return super().reached(operation)


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
    assert operation.block is not None
    builder = Builder(operation.block)
    builder.before(operation)
    cast = builder.emit(REGISTRY["object.cast"], operation.operands, {"type": OBJECT})
    rewriter.replace(operation, cast.results)
