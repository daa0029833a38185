"""The ways in which a graph may change: what they leave behind is valid."""

from __future__ import annotations

import pytest

from staticpy.ir import Builder, Module, Operation, copy_body, parse_module, rewriter, verify
from staticpy.ops import REGISTRY

TEXT = """\
module @f {
  func @f(%x: int, %c: bool) -> (int, int) {
    %a = py.neg %x : int
    %b = py.neg %a : int
    %d = py.neg %b : int
    %r, %s = if %c : int, int {
      %t = py.add %b, %x : int
      region_yield %t, %a
    } {
      region_yield %x, %x
    }
    return %r, %d
  }
}
"""


@pytest.fixture
def module() -> Module:
    return parse_module(TEXT, REGISTRY)


def operations(module: Module) -> list[Operation]:
    return module.main.block.operations


def names(module: Module) -> str:
    return " ".join(operation.name for operation in operations(module))


def test_erase_all(module: Module) -> None:
    a, b, d, choice, end = operations(module)
    for user in (b, choice.regions[0].block.terminator):
        rewriter.set_operand(user, user.operands.index(a.result), module.main.args[0])
    rewriter.replace_all_uses(d.result, module.main.args[0])
    rewriter.replace_all_uses(choice.results[0], module.main.args[0])
    rewriter.erase_all([a, b, d, choice])
    assert operations(module) == [end]
    assert a.block is None
    assert list(module.main.args[0].users) == [end]
    verify(module)


def test_erase_all_refuses_what_is_read(module: Module) -> None:
    with pytest.raises(ValueError, match=r"py\.neg is still in use"):
        rewriter.erase_all(operations(module)[:2])


def test_erase_refuses_what_is_read(module: Module) -> None:
    with pytest.raises(ValueError, match="still in use"):
        rewriter.erase(operations(module)[0])


def test_move_all_before(module: Module) -> None:
    choice = operations(module)[3]
    inner = choice.regions[0].block.operations[:1]
    rewriter.move_all_before(inner, choice)
    rewriter.move_all_before([], choice)
    verify(module)
    assert names(module) == "py.neg py.neg py.neg py.add if return"
    assert inner[0].block is module.main.block
    rewriter.move_all_before(operations(module)[2:3], operations(module)[4])
    verify(module)
    assert [op.operands[0].name for op in operations(module)[:4]] == ["x", "a", "b", "b"]


def test_inline_region(module: Module) -> None:
    choice = operations(module)[3]
    yielded = rewriter.inline_region(choice.regions[0], [], choice)
    assert [value.name for value in yielded] == ["t", "a"]
    rewriter.replace(choice, yielded)
    verify(module)
    assert names(module) == "py.neg py.neg py.neg py.add return"


def test_remove_results(module: Module) -> None:
    choice = operations(module)[3]
    with pytest.raises(ValueError, match="still in use"):
        rewriter.remove_results(choice, [0])
    for region in choice.regions:
        end = region.block.terminator
        rewriter.set_operands(end, end.operands[:1])
    rewriter.remove_results(choice, [1])
    verify(module)
    assert [result.name for result in choice.results] == ["r"]


def test_remove_args(module: Module) -> None:
    block = module.main.block
    block.add_arg(block.args[0].type)
    unused = block.add_arg(block.args[0].type)
    rewriter.remove_args(block, [2])
    assert block.args[2] is unused
    verify(module)
    with pytest.raises(ValueError, match="a block argument is still in use"):
        rewriter.remove_args(block, [0])


def test_copy_body(module: Module) -> None:
    block = module.main.block
    end = block.terminator
    builder = Builder(block)
    builder.before(end)
    values = {block.args[0]: operations(module)[0].result}
    copied = copy_body(block, builder, dict(values), lambda span: span)
    rewriter.set_operands(end, copied)
    verify(module)
    assert names(module) == "py.neg py.neg py.neg if py.neg py.neg py.neg if return"
    copy = operations(module)[7]
    assert copy.regions[0].block.operations[0].operands[0] is operations(module)[5].result
    assert copy.results[0].name == "r"
