"""The verifier: what it accepts, and that each way to break a graph is found and named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    INT,
    Block,
    Function,
    Module,
    Operation,
    Region,
    parse_module,
    verify,
)
from staticpy.ops import REGISTRY

GOOD = """\
module @f {
  func @f(%n: int, %x: float, %c: bool, %a: f64[n], %b: f64[?]) -> (int, f64[?]) {
    %0 = constant {value = 0} : int
    %1 = constant {value = 1} : int
    %r = if %c : f64[?] {
      region_yield %a
    } {
      region_yield %b
    }
    %s = for %0, %n, %1, %0 {breaks = true} : int (%i: int, %v: int) {
      %t = py.add %v, %i : int
      region_yield %c, %t
    }
    %u, %w = while %s, %a : int, f64[?] (%k: int, %d: f64[?]) {
      %g = py.lt %k, %n : bool
      region_yield %g, %k, %d
    } (%l: int, %e: f64[?]) {
      %m = call %l {callee = "g", result_types = (!int,)} : int
      region_yield %m, %r
    }
    return %u, %w
  }
  func @g(%x: int) -> int {
    %0 = py.neg %x : int
    return %0
  }
}
"""


def refusal(module: Module) -> str:
    with pytest.raises(DiagnosticError) as caught:
        verify(module)
    assert caught.value.spec.code == "SPY901"
    return str(caught.value.args_["detail"])


def test_a_valid_module() -> None:
    verify(parse_module(GOOD, REGISTRY))


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ("module @f", "module @h", "there is no function @h to enter by"),
        ("py.lt %k, %n : bool", "py.lt %k, %n : int", "'py.lt' (giving %g): it gives (int)"),
        ("py.lt %k, %n", "py.lt %k, %a", "'py.lt' (giving %g): "),
        ("py.lt %k, %n", "py.lt %k", "'py.lt' (giving %g): its type rule fails: TypeError"),
        ("if %c", "if %n", "the branches of an if don't fit"),
        (": f64[?] {\n", ": f64[n] {\n", "don't fit at 0: f64[?] for f64[n]"),
        ("region_yield %a\n", "region_yield %a, %a\n", "the branches of an if don't fit"),
        ("region_yield %a\n", "region_yield %n\n", "don't fit at 0: int for f64[?]"),
        ("for %0, %n", "for %0, %x", "start, stop and step of a for must be ints"),
        ("(%i: int, %v: int)", "(%i: bool, %v: int)", "the index of a for must be an int"),
        ("breaks = true", "breaks = false", "must be as many, not 2 and 1"),
        ("breaks = true", "brakes = true", "its type rule fails"),
        ("region_yield %c, %t", "region_yield %i, %t", "must yield a bool first"),
        ("region_yield %c, %t", "region_yield %c, %x", "don't fit at 0: float for int"),
        ("region_yield %c, %t", "region_yield %c", "must be as many, not 0 and 1"),
        ("%1, %0 {breaks", "%1, %x {breaks", "the carried operands and the arguments"),
        ("region_yield %g, %k", "region_yield %k, %k", "the before region must yield a bool"),
        ("while %s, %a", "while %s", "the operands and the before region must be as many"),
        ("while %s, %a", "while %s, %x", "don't fit at 1: float for f64[?]"),
        ("region_yield %m, %r", "region_yield %m", "what the after region yields"),
        ("region_yield %m, %r\n    }", "return %m, %r\n    }", "return ends a function"),
        ("return %0\n", "region_yield %0\n", "region_yield ends a region"),
        ("    return %u, %w\n", "    return %u, %w\n    return %u, %w\n", "in the middle"),
        ("      region_yield %b\n", "", "a block doesn't end in a terminator"),
        ('callee = "g"', 'callee = "h"', "there is no function @h"),
        ("call %l", "call %l, %l", "@g takes (int), not (int, int)"),
        ("(!int,)} : int", "(!float,)} : float", "@g gives (int), not (float)"),
        (
            "%g, %k, %d\n    } (%l: int, ",
            "%g, %k, %d\n    } (%l: float, ",
            "@g takes (int), not (float)",
        ),
    ],
)
def test_broken_text(old: str, new: str, detail: str) -> None:
    assert old in GOOD
    assert detail in refusal(parse_module(GOOD.replace(old, new, 1), REGISTRY))


def test_calls_may_lead_back() -> None:
    calls = {"f": "g", "g": "h", "h": "g"}
    functions = "".join(
        f"""func @{name}(%x: int) -> int {{
          %y = call %x {{callee = "{callee}", result_types = (!int,)}} : int
          return %y
        }}"""
        for name, callee in calls.items()
    )
    module = parse_module(f"module @f {{ {functions} }}", REGISTRY)
    verify(module)
    assert module.functions["h"].result_types == (INT,)


def operation(module: Module, index: int) -> Operation:
    return module.main.block.operations[index]


def swap_order(module: Module) -> None:
    block = module.main.block
    block.operations[3], block.operations[4] = block.operations[4], block.operations[3]


def use_out_of_region(module: Module) -> None:
    inner = operation(module, 3).regions[0].block.operations[0].result
    end = operation(module, 5)
    del end.operands[0].uses[end, 0]
    end.operands[0] = inner
    inner.uses[end, 0] = None


def use_of_own_result(module: Module) -> None:
    loop = operation(module, 3)
    end = loop.regions[0].block.terminator
    del end.operands[1].uses[end, 1]
    end.operands[1] = loop.result
    loop.result.uses[end, 1] = None


def use_of_another_function(module: Module) -> None:
    end = module.functions["g"].block.terminator
    del end.operands[0].uses[end, 0]
    end.operands[0] = operation(module, 0).result
    end.operands[0].uses[end, 0] = None


def forget_use(module: Module) -> None:
    operation(module, 0).result.uses.clear()


def invent_use(module: Module) -> None:
    operation(module, 0).result.uses[operation(module, 5), 0] = None


def foreign_use(module: Module) -> None:
    stranger = Operation(REGISTRY["return"], [], [], {}, [])
    operation(module, 0).result.uses[stranger, 0] = None


def wrong_block(module: Module) -> None:
    operation(module, 0).block = Block()


def stand_twice(module: Module) -> None:
    module.main.block.operations.insert(1, operation(module, 0))


def wrong_parent(module: Module) -> None:
    operation(module, 2).regions[0].parent = operation(module, 3)


def wrong_index(module: Module) -> None:
    operation(module, 0).result.index = 1


def wrong_argument(module: Module) -> None:
    module.main.args[1].index = 0


def wrong_name(module: Module) -> None:
    module.functions["h"] = module.functions["g"]


def region_of_another(module: Module) -> None:
    module.main.body.parent = operation(module, 3)


def no_block_link(module: Module) -> None:
    operation(module, 2).regions[0].block.region = None


@pytest.mark.parametrize(
    ("break_", "detail"),
    [
        (swap_order, "in @f, 'while' (giving %u, %w): operand 0 (%s) is not defined before it"),
        (use_out_of_region, "in @f, 'return': operand 0 (%t) is not defined before it"),
        (use_of_own_result, "'region_yield': operand 1 (%s) is not defined before it"),
        (use_of_another_function, "in @f, 'return': it uses a value, but is not in"),
        (forget_use, "doesn't know that it is used here"),
        (invent_use, "noted as a user of what is not operand 0"),
        (foreign_use, "it uses a value, but is not in the function"),
        (wrong_block, "it doesn't know its block"),
        (stand_twice, "it stands in the graph twice"),
        (wrong_parent, "a region belongs to something else"),
        (no_block_link, "a region belongs to something else"),
        (wrong_index, "result 0 doesn't know its place"),
        (wrong_argument, "an argument of a block doesn't know its place"),
        (wrong_name, "the function @g is filed as @h"),
        (region_of_another, "the body of @f belongs to an operation"),
    ],
)
def test_broken_structure(break_: Callable[[Module], None], detail: str) -> None:
    module = parse_module(GOOD, REGISTRY)
    break_(module)
    assert detail in refusal(module)


def test_a_function_without_operations() -> None:
    module = Module("f")
    module.add(Function("f", Block([INT])))
    assert refusal(module) == "in @f: a block doesn't end in a terminator"
    assert "func @f(%0: int) -> () {" in str(module)


def test_the_error_is_at_the_operation() -> None:
    text = GOOD.replace("%k, %n : bool", '%k, %a : bool loc("a.py":3:4-3:6)')
    with pytest.raises(DiagnosticError) as caught:
        verify(parse_module(text, REGISTRY))
    assert caught.value.span is not None
    assert str(caught.value.span) == "a.py:3:5"


def test_a_region_is_owned_once() -> None:
    module = parse_module(GOOD, REGISTRY)
    first = operation(module, 2)
    first.regions = (first.regions[0], Region(first.regions[0].block, first))
    assert "a region belongs to something else" in refusal(module)
