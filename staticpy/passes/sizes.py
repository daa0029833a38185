"""Sizes are read from the arguments that have them.

Before:
    func @f(%x: f64[n]) -> f64 {
      %y = multiply %x, %x : f64[n]
      %0 = dim %y {axis = 0} : int
After:
    func @f(%x: f64[n]) -> f64 {
      %y = multiply %x, %x : f64[n]
      %1 = dim %x {axis = 0} : int

An array of which somebody asks the size has to be there when he does, while loops over elements
could have all of it in registers. No pass of the pipeline: it is for backends that make loops.
"""

from __future__ import annotations

from staticpy.ir import (
    UNKNOWN,
    Dim,
    Function,
    Module,
    TensorType,
    Value,
    builder_before,
    dims_of,
    rewriter,
    walk,
)
from staticpy.ops import dim


def sizes_of_arguments(module: Module) -> None:
    """Read each size of ``module`` that an argument of the same function has from there."""
    for function in module.functions.values():
        _read_from(_sizes(function), function)


def _sizes(function: Function) -> dict[Dim, tuple[Value, int]]:
    """The arguments, and axes, that sizes without a number can be read from."""
    found: dict[Dim, tuple[Value, int]] = {}
    for argument in function.args:
        dims = argument.type.dims if isinstance(argument.type, TensorType) else ()
        for axis, size in enumerate(dims):
            if size != UNKNOWN:
                found.setdefault(size, (argument, axis))
    return found


def _read_from(sizes: dict[Dim, tuple[Value, int]], function: Function) -> None:
    arguments = set(function.args)
    for operation in list(walk(function.block)):
        if operation.op is not dim or operation.operands[0] in arguments:
            continue
        size = dims_of(operation.operands[0].type)[operation.attrs["axis"]]
        if size not in sizes:
            continue
        argument, axis = sizes[size]
        builder = builder_before(operation)
        read = builder.emit(dim, [argument], {"axis": axis})
        rewriter.replace(operation, [read.result])
