"""Arrays for variables that have no value yet where a checkpoint reads them from around it.

Before, in what is differentiated:        After:
    %u = undef : f64[n]                       %0 = dim %x {axis = 0} : int
                                              %u = zeros %0 {shape = (None,)} : f64[n]
    for %1, %2, %3, %u { |%i, %y|             for %1, %2, %3, %u { |%i, %y|
      %s = checkpoint { ... %y ... }            %s = checkpoint { ... %y ... }

The program reads none of their elements. But what runs again gets a copy of all that it reads, and
has cotangents of that form. A size that nobody knows is 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from staticpy import ops
from staticpy.autodiff.activity import is_differentiable
from staticpy.autodiff.scopes import free_values, is_in, size_by_argument, sources_of
from staticpy.ir import (
    UNKNOWN,
    Block,
    Builder,
    Dim,
    Operation,
    TensorType,
    Value,
    builder_before,
    rewriter,
    walk,
)


def settle_undefined(block: Block) -> None:
    """Replace each ``undef`` that may be an array which a checkpoint in ``block`` reads."""
    for each in sources_of(_read_by_checkpoints(block)):
        if ops.is_undef(each) and is_in(each, block):
            assert each.defining_op is not None
            _settle(each, each.defining_op)


def _read_by_checkpoints(block: Block) -> Iterator[Value]:
    for operation in walk(block):
        if operation.op is ops.checkpoint:
            for value in free_values(operation.regions[0].block):
                if isinstance(value.type, TensorType) and is_differentiable(value.type):
                    yield value


def _settle(value: Value, undefined: Operation) -> None:
    assert isinstance(value.type, TensorType)
    builder = builder_before(undefined)
    found = [_size(builder, dim, value) for dim in value.type.dims]
    sizes = [each for each in found if isinstance(each, Value)]
    shape = tuple(None if isinstance(each, Value) else each for each in found)
    attrs = {"shape": shape, "dtype": value.type.dtype, "result_type": value.type}
    rewriter.replace(undefined, builder.emit(ops.zeros, sizes, attrs).results)


def _size(builder: Builder, dim: Dim, value: Value) -> Value | int:
    source = None if dim == UNKNOWN else size_by_argument(dim, value)
    if source is None:
        return dim if isinstance(dim, int) else 0
    argument, axis = source
    return builder.emit(ops.dim, [argument], {"axis": axis}).result
