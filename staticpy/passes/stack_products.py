"""Products of a loop's steps that don't depend on its state, in one stack before the loop.

Before:
    %n = dim %x {axis = 0} : int
    %s = for %0, %n, %1, %h {breaks = false} : f32[b, k] (%t: int, %a: f32[b, k]) {
      %i = index %x, %t {spec = ("value",)} : f32[b, m]
      %p = matmul %i, %w : f32[b, k]
      ...
After:
    %q = matmul %x, %w : f32[t, b, k]
    %n = dim %x {axis = 0} : int
    %s = for %0, %n, %1, %h {breaks = false} : f32[b, k] (%t: int, %a: f32[b, k]) {
      %p = index %q, %t {spec = ("value",)} : f32[b, k]
      ...

Each product of the stack is the one of its step, bit for bit, and a stack is computed on several
threads where a step is too small for that. It is done for loops over all of ``%x`` that run to
their end, where the shapes are known to fit and nobody can tell the product from another of equal
content. What is warned of may come sooner, and before an exception: who runs this must be able to
do all again as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from staticpy.ir import (
    UNKNOWN,
    BlockArgument,
    Builder,
    Function,
    Module,
    Operation,
    Value,
    builder_before,
    copy_module,
    dims_of,
    rewriter,
    walk,
)
from staticpy.ops import REGISTRY, Effect, call, constant_value, for_, is_inexact
from staticpy.passes.aliasing import AliasAnalysis, possibly_undefined, written_operands
from staticpy.passes.effects import Surroundings, own_effects

_MATMUL, _DOT, _INDEX, _DIM = (REGISTRY[name] for name in ("matmul", "dot", "index", "dim"))


@dataclass(frozen=True)
class _Product:
    """A product in a loop, the operation that takes one of its operands from a stack, and which
    operand that is.
    """

    operation: Operation
    item: Operation
    place: int

    @property
    def read(self) -> list[Value]:
        """The operands of the product of the whole stack."""
        operands = list(self.operation.operands)
        operands[self.place] = self.item.operands[0]
        return operands


def with_stacked_products(module: Module) -> Module:
    """``module``, or a copy of it in which products of its entry are in stacks, if any can be."""
    if not any(True for _ in _candidates(module.main)):
        return module
    copy = copy_module(module)
    analysis, around = AliasAnalysis(copy.main), Surroundings()
    undefined = possibly_undefined(copy.main)
    found = [
        (loop, product)
        for loop, product in _candidates(copy.main)
        if Effect.RAISES not in around.effects(product.operation)
        and undefined.isdisjoint(product.read)
        and _is_same(loop, product, analysis)
    ]
    for loop, product in found:
        _stack(loop, product)
    return copy if found else module


def _candidates(function: Function) -> Iterator[tuple[Operation, _Product]]:
    for loop in walk(function.block):
        if loop.op is for_ and not loop.attrs["breaks"]:
            for operation in loop.regions[0].block.operations:
                product = _product(loop, operation)
                if product is not None:
                    yield loop, product


def _product(loop: Operation, operation: Operation) -> _Product | None:
    """One of an item of a stack of matrices and of a matrix that is there before the loop."""
    if operation.op not in (_MATMUL, _DOT):
        return None
    ranks = [len(dims_of(value.type)) for value in operation.operands]
    if ranks != [2, 2] or not is_inexact(operation.result.type):
        return None
    for place, value in enumerate(operation.operands):
        item, other = value.defining_op, operation.operands[1 - place]
        if item is None or item.op is not _INDEX or item.attrs["spec"] != ("value",):
            continue
        stack, number = item.operands
        is_of_step = number is loop.regions[0].block.args[0]
        if is_of_step and all(_is_before(each, loop) for each in (stack, other)):
            return _Product(operation, item, place) if _runs_over(loop, stack) else None
    return None


def _is_before(value: Value, loop: Operation) -> bool:
    """Whether a value that the body reads is there when the loop begins."""
    block = loop.regions[0].block
    if isinstance(value, BlockArgument):
        return value.block is not block
    return value.defining_op is not None and value.defining_op.block is not block


def _runs_over(loop: Operation, stack: Value) -> bool:
    """Whether the steps are those of a stack, from the first to the last."""
    start, stop, step = loop.operands[:3]
    counted = stop.defining_op
    if (constant_value(start), constant_value(step)) != (0, 1) or counted is None:
        return False
    if counted.op is not _DIM:
        return False
    whole, axis = counted.operands[0], counted.attrs["axis"]
    size = dims_of(whole.type)[axis]
    is_same_size = size == dims_of(stack.type)[0] and size != UNKNOWN
    return is_same_size or (whole is stack and axis == 0)


def _is_same(loop: Operation, product: _Product, analysis: AliasAnalysis) -> bool:
    """Whether the loop changes neither operand, and nothing depends on whose memory it is."""
    if not analysis.is_private(product.operation.result):
        return False
    read = {alias for each in product.read for alias in analysis.aliases(each)}
    inside = [each for each in walk(loop.regions[0].block) if Effect.WRITES in own_effects(each)]
    if any(each.op is call for each in inside):
        return False
    return read.isdisjoint(value for each in inside for value in written_operands(each))


def _stack(loop: Operation, product: _Product) -> None:
    operation, item = product.operation, product.item
    products = _before(loop, operation).emit(_MATMUL, product.read).result
    operands = [products, item.operands[1]]
    taken = _before(operation, item).emit(_INDEX, operands, item.attrs).result
    rewriter.replace(operation, [taken])
    if not item.result.uses:
        rewriter.erase(item)


def _before(place: Operation, origin: Operation) -> Builder:
    """What emits before ``place`` for the line of ``origin``."""
    builder = builder_before(place)
    builder.span = origin.span
    return builder
