"""The text form of a graph: what it looks like, that it reads back, and where a mistake is."""

from __future__ import annotations

import pytest

from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    BOOL,
    INT,
    Block,
    Builder,
    Function,
    Module,
    Region,
    parse_module,
    print_module,
    verify,
)
from staticpy.ops import REGISTRY, constant, if_, region_yield, return_
from staticpy.source import SourceSpan

TEXT = """\
module @f {
  func @f(%x: f64[n, k], %y: f64[k], %n: int, %n.1: bool) -> (f64[n, k], int) {
    %0, %1 = broadcast %x, %y : f64[n, k], f64[n, k]
    %y.1 = add %0, %1 : f64[n, k]
    %2 = constant {value = 0} : int
    %s, %3 = while %2, %y.1 : int, f64[n, k] (%i: int, %a: f64[n, k]) {
      %c = py.lt %i, %n : bool
      region_yield %c, %i, %a
    } (%j: int, %b: f64[n, k]) {
      %4 = if %n.1 : int {
        region_yield %j
      } {
        region_yield %2
      }
      region_yield %4, %b
    }
    return %3, %s
  } loc("f.py":1:0-9:9 fn "f")
  func @"g.<locals>.h"() -> () {
    raise {exception = "ValueError", args = ("x",)} loc("f.py":2:4-2:9 fn "h" at "f.py":1:0-1:3)
    return
  }
}
"""


def test_text_reads_back_to_the_same_text() -> None:
    module = parse_module(TEXT, REGISTRY)
    verify(module)
    assert print_module(module, locations=True) == TEXT
    assert str(module) == print_module(module)
    assert "loc(" not in str(module)
    assert parse_module(str(module), REGISTRY) == module


def test_spans_are_read() -> None:
    module = parse_module(TEXT, REGISTRY)
    call = SourceSpan("f.py", 1, 0, 1, 3)
    raised = module.functions["g.<locals>.h"].block.operations[0]
    assert raised.span == SourceSpan("f.py", 2, 4, 2, 9, "h", call)
    assert module.main.span == SourceSpan("f.py", 1, 0, 9, 9, "f")


def test_an_operation_and_a_function_print_as_in_their_module() -> None:
    module = parse_module(TEXT, REGISTRY)
    assert str(module.main.block.operations[1]) == "%y.1 = add %0, %1 : f64[n, k]"
    inner = module.main.block.operations[3].regions[1].block.operations[0]
    assert str(inner).splitlines()[0] == "%4 = if %n.1 : int {"
    assert str(module.main) in "\n".join(line[2:] for line in str(module).splitlines())


def names_of(*hints: str) -> list[str]:
    block = Block([INT] * len(hints), hints)
    Builder(block).emit(return_)
    module = Module("f")
    module.add(Function("f", block))
    text = print_module(module)
    again = parse_module(text, REGISTRY)
    assert print_module(again) == text
    return text.splitlines()[1].split("(")[1].split(")")[0].replace(": int", "").split(", ")


@pytest.mark.parametrize(
    ("hints", "names"),
    [
        (["x", "x", "", "y", "", "x"], ["%x", "%x.1", "%0", "%y", "%1", "%x.2"]),
        (["x.1", "x", "x.7", "1"], ["%x", "%x.1", "%x.2", "%0"]),
        (["größe", "self.w", "p['w']", "a b"], ["%größe", "%self.w", "%p_w_", "%a_b"]),
        (["...", ".x.", "%", "x\n"], ["%0", "%x", "%_", "%x_"]),
    ],
)
def test_names(hints: list[str], names: list[str]) -> None:
    assert names_of(*hints) == names


def test_equality_ignores_names_and_spans_alone() -> None:
    module = parse_module(TEXT, REGISTRY)
    other = parse_module(TEXT.replace("%y.1", "%z").replace("f.py", "g.py"), REGISTRY)
    assert module == other
    for old, new in [
        ("value = 0", "value = false"),
        ("f64[k]", "f64[?]"),
        ("add", "subtract"),
        ("return %3", "return %y.1"),
        ("module @f", 'module @"g.<locals>.h"'),
        ("region_yield %2", "region_yield %j"),
        ('("x",)', '("y",)'),
    ]:
        assert parse_module(TEXT.replace(old, new), REGISTRY) != module, old
    assert module != "module"


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "detail"),
    [
        ("module", "modul", 1, 1, "expected 'module'"),
        ("add %0", "ad %0", 4, 12, "there is no op 'ad'"),
        ("add %0", "add %9", 4, 16, "%9 is not defined here"),
        ("return %3", "return %a", 17, 12, "%a is not defined here"),
        ("(%i: int", "(%y: int", 6, 47, "%y is defined twice"),
        ("%0, %1 =", "%0, %0 =", 3, 9, "%0 is defined twice"),
        ("add %0, %1 : f64[n, k]", "add %0, %1", 5, 5, "1 results, but 0 types"),
        ("f64[k]", "f65[k]", 2, 30, "there is no type 'f65'"),
        ("-> (f64[n, k], int)", "-> (int, int)", 2, 59, "returns other types than it declares"),
        ("value = 0", "value = 0, value = 1", 5, 31, "the attribute 'value' comes twice"),
        ("value = 0", "value = $", 5, 28, "unexpected '$'"),
        ('@"g.<locals>.h"', "@f", 19, 8, "the function @f is defined twice"),
        (' fn "f")', " fn f)", 18, 27, "expected a string"),
    ],
)
def test_a_mistake_is_located(old: str, new: str, line: int, column: int, detail: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_module(TEXT.replace(old, new, 1), REGISTRY, file="x.ir")
    span = caught.value.span
    assert span is not None
    message = caught.value.diagnostic(span).message
    assert (span.file, span.line, span.col + 1) == ("x.ir", line, column), message
    assert detail in message
    assert f"line {line}, column {column}" in message


def test_every_prefix_of_a_text_is_a_syntax_error() -> None:
    for end in range(0, len(TEXT) - 2, 7):
        with pytest.raises(DiagnosticError) as caught:
            parse_module(TEXT[:end], REGISTRY)
        assert caught.value.spec.code == "SPY904"


def deep_module(depth: int) -> Module:
    block = Block([BOOL], ["c"])
    condition = block.args[0]
    blocks = [block, *(Block() for _ in range(depth))]
    builder = Builder(blocks[-1])
    value = builder.emit(constant, (), {"value": 1}).result
    for i in range(depth, 0, -1):
        builder.emit(region_yield, [value])
        then = Builder(Block())
        other = then.emit(constant, (), {"value": 2}).result
        then.emit(region_yield, [other])
        builder = Builder(blocks[i - 1])
        regions = [Region(blocks[i]), Region(then.block)]
        value = builder.emit(if_, [condition], {}, regions).result
    builder.emit(return_, [value])
    module = Module("f")
    module.add(Function("f", block))
    return module


def test_depth_has_no_limit() -> None:
    module = deep_module(1500)
    verify(module)
    text = print_module(module)
    again = parse_module(text, REGISTRY)
    verify(again)
    assert again == module
    assert print_module(again) == text
