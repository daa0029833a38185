"""Passes over large and deep graphs: no recursion, and work in proportion to the size."""

from __future__ import annotations

import numpy as np

from staticpy.ir import (
    BOOL,
    FLOAT,
    INT,
    Block,
    Builder,
    Function,
    ListType,
    Module,
    Operation,
    Region,
    TensorType,
    Value,
    parse_module,
    print_module,
    union_of,
    verify,
    walk,
)
from staticpy.ops import REGISTRY, call, constant, for_, if_, region_yield, return_
from staticpy.passes import default_pipeline, optimize, plan_memory


def module_of(block: Block) -> Module:
    module = Module("f")
    module.add(Function("f", block))
    return module


def size(module: Module) -> int:
    return sum(1 for function in module.functions.values() for _ in walk(function.block))


def test_ten_thousand_operations() -> None:
    block = Block([FLOAT, INT], ["x", "n"])
    builder = Builder(block)
    value: Value = block.args[0]
    for i in range(2500):
        known = builder.emit(constant, (), {"value": float(i)}).result
        once = builder.emit(REGISTRY["py.mul"], [value, known]).result
        again = builder.emit(REGISTRY["py.mul"], [value, known]).result
        value = builder.emit(REGISTRY["py.add"], [once, again]).result
    builder.emit(return_, [value])
    module = module_of(block)
    verify(module)
    default_pipeline(verify_each=True).run(module)
    assert size(module) == 7501
    assert parse_module(print_module(module), REGISTRY) == module


def test_a_list_that_holds_thousands_of_arrays() -> None:
    vector = TensorType(np.dtype("float64"), ("n",))
    block = Block([vector, union_of((INT, FLOAT))], ["x", "k"])
    builder = Builder(block)
    value, number = block.args
    held = builder.emit(REGISTRY["list.make"], (), {"type": ListType(vector)}).result
    zero = builder.emit(constant, (), {"value": 0}).result
    for _ in range(2000):
        value = builder.emit(REGISTRY["add"], [value, block.args[0]]).result
        builder.emit(REGISTRY["list.append"], [held, value])
        for _ in range(2):
            found = builder.emit(REGISTRY["list.getitem"], [held, zero]).result
            value = builder.emit(REGISTRY["add"], [found, value]).result
        number = builder.emit(REGISTRY["any.add"], [number, block.args[1]]).result
    builder.emit(return_, [value, number])
    module = module_of(block)
    verify(module)
    optimize(module)
    verify(module)
    # The element is read once after each write.
    assert size(module) == 2 + 2000 * 6 + 1
    assert plan_memory(module.main).buffers


def test_a_thousand_calls_and_loops() -> None:
    helper = Block([FLOAT], ["x"])
    builder = Builder(helper)
    builder.emit(return_, [builder.emit(REGISTRY["py.mul"], [helper.args[0]] * 2).result])
    block = Block([FLOAT, INT], ["x", "n"])
    builder = Builder(block)
    value: Value = block.args[0]
    start, one = (builder.emit(constant, (), {"value": i}).result for i in (0, 1))
    for _ in range(1000):
        with builder.region([INT, FLOAT, FLOAT]) as region:
            _, carried, dead = region.block.args
            attrs = {"callee": "g", "result_types": (FLOAT,)}
            called = builder.emit(call, [block.args[0]], attrs).result
            total = builder.emit(REGISTRY["py.add"], [carried, called]).result
            builder.emit(region_yield, [total, dead])
        operands = [start, block.args[1], one, value, value]
        value = builder.emit(for_, operands, {"breaks": False}, [region]).results[0]
    builder.emit(return_, [value])
    module = module_of(block)
    module.add(Function("g", helper))
    verify(module)
    default_pipeline(verify_each=True).run(module)
    # Each body keeps its sum and its yield; the square is computed once, before all loops.
    assert size(module) == 2 + 1 + 1000 * 3 + 1


def nested(depth: int, kind: str) -> Module:
    """Control flow ``depth`` levels deep, with an invariant operation in the innermost block."""
    block = Block([FLOAT, INT, BOOL], ["x", "n", "c"])
    x, n, condition = block.args
    outer = Builder(block)
    start, one = (outer.emit(constant, (), {"value": i}).result for i in (0, 1))
    blocks = [block, *(Block([INT, FLOAT] if kind == "for" else []) for _ in range(depth))]
    builder = Builder(blocks[-1])
    value = builder.emit(REGISTRY["py.mul"], [x, x]).result
    for outside, inside in zip(blocks[-2::-1], blocks[:0:-1], strict=True):
        builder.emit(region_yield, [value])
        builder = Builder(outside)
        if kind == "for":
            initial = outside.args[1] if len(outside.args) == 2 else x
            operands = [start, n, one, initial]
            value = _emit(builder, for_, operands, {"breaks": False}, [Region(inside)])
        else:
            other = Block()
            negative = Builder(other).emit(REGISTRY["py.neg"], [x]).result
            Builder(other).emit(region_yield, [negative])
            value = _emit(builder, if_, [condition], {}, [Region(inside), Region(other)])
    builder.emit(return_, [value])
    return module_of(block)


def _emit(builder: Builder, *args: object) -> Value:
    operation: Operation = builder.emit(*args)  # type: ignore[arg-type]
    return operation.result


def test_deep_loops() -> None:
    module = nested(1500, "for")
    verify(module)
    optimize(module)
    verify(module)
    assert [op.name for op in module.main.block.operations[:3]] == [
        "constant",
        "constant",
        "py.mul",
    ]


def test_deep_branches() -> None:
    module = nested(1500, "if")
    verify(module)
    optimize(module)
    verify(module)
    assert size(module) == 1500 * 4 + 2
