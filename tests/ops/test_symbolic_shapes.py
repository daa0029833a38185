"""Equal terms are equal sizes, whatever the sizes of the arguments are."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest

from staticpy import ops
from staticpy.frontend import build_module
from staticpy.ir import INT, UNKNOWN, Block, Builder, TensorType, Value, dims_of, walk
from staticpy.ops import REGISTRY, SymbolicShapes

F8 = np.dtype("float64")
ENDS = (None, -3, -2, -1, 0, 1, 2, 3)
SLICES = [(start, stop, step) for start in ENDS for stop in ENDS for step in (None, 1, 2, -1)]


@pytest.mark.parametrize("twice", [False, True])
def test_slices(twice: bool) -> None:
    block = Block()
    x = block.add_arg(TensorType(F8, ("n",)))
    builder, shapes = Builder(block), SymbolicShapes()

    def part(base: Value, spec: object) -> Value:
        return builder.emit(ops.index, [base], {"spec": (spec,)}).result

    sizes: dict[object, set[tuple[int, ...]]] = defaultdict(set)
    chains = itertools.product(SLICES[::3], SLICES[::5]) if twice else ((each,) for each in SLICES)
    for chain in chains:
        value, found = x, [np.zeros(n) for n in range(8)]
        for parts in chain:
            value = part(value, parts)
            found = [each[slice(*parts)] for each in found]
        sizes[shapes.of(value)].add(tuple(map(len, found)))
    assert all(len(each) == 1 for each in sizes.values())
    assert sizes[("less", "n", 2),] == {(0, 0, 0, 1, 2, 3, 4, 5)}


def test_a_stencil_stretches_nothing() -> None:
    text = "def f(u):\n    return u[1:-1, :-2] + 0.5 * u[2:, 2:] * u[:-2, 1:-1].T.T\n"
    module = build_module(text, TensorType(F8, ("n", "m")))
    shapes = SymbolicShapes()
    for operation in walk(module.main.block):
        if operation.name == "broadcast":
            wide = [each for each in operation.operands if dims_of(each.type)]
            assert len({shapes.of(each) for each in (*wide, *operation.results)}) == 1


def test_what_is_open_is_the_same_as_itself_only() -> None:
    block = Block()
    types = [TensorType(F8, (UNKNOWN,)), TensorType(F8, (UNKNOWN,)), TensorType(F8, (3,))]
    x, y, z = map(block.add_arg, types)
    builder, shapes = Builder(block), SymbolicShapes()
    made = builder.emit(ops.broadcast, [x, y], {}).results
    assert shapes.are_same(made[0], made[1])
    assert not shapes.are_same(made[0], x)
    assert not shapes.are_same(x, y)
    total = builder.emit(REGISTRY["add"], list(made), {}).result
    assert shapes.are_same(total, made[0])
    stretched = builder.emit(ops.broadcast, [x, z], {}).results[0]
    assert shapes.of(stretched) == (3,)


def test_sizes_that_are_given() -> None:
    text = """def f(x, n):
    a, b = np.zeros((n, 2)), np.ones(n)
    return a[:, 0] + b, np.zeros(n + 1)[1:] + b
"""
    module = build_module("import numpy as np\n" + text, TensorType(F8, ("m",)), INT)
    shapes = SymbolicShapes()
    broadcasts = [each for each in walk(module.main.block) if each.name == "broadcast"]
    same = [shapes.are_same(*each.operands) for each in broadcasts]
    assert same == [True, False]  # n + 1 - 1 is n for no n < 0


def test_a_size_that_numpy_finds_out_is_like_no_other() -> None:
    block = Block()
    x, y = (block.add_arg(TensorType(F8, (name,))) for name in "nm")
    number = block.add_arg(INT)
    builder, shapes = Builder(block), SymbolicShapes()
    for attrs, sizes in (({"shape": (-1, 2)}, ()), ({"shape": (None, 2)}, (number,))):
        pair = [builder.emit(REGISTRY["reshape"], [each, *sizes], attrs).result for each in (x, y)]
        assert not shapes.are_same(*pair)
