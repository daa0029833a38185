"""What some results of a function need."""

from __future__ import annotations

import pytest

from staticpy.ir import parse_module, print_module, verify
from staticpy.ops import REGISTRY
from staticpy.passes import keep_results

SHOWN = """\
module @f {
func @f(%w: f64[n], %x: f64[n], %m: f64[n]) -> (f64[n], f64[n]) {
  %0 = multiply %w, %x : f64[n]
  print %0 {sep = " ", end = ""}
  %1 = iadd %m, %x : f64[n]
  return %0, %1
}
}
"""
WRITTEN = """\
module @f {
func @f(%w: f64[n], %x: f64[n], %m: f64[n]) -> (f64[n]) {
  %0 = iadd %w, %m : f64[n]
  %1 = multiply %w, %x : f64[n]
  %2 = iadd %w, %x : f64[n]
  return %1
}
}
"""


@pytest.mark.parametrize(
    ("before", "numbers", "needed", "after"),
    [
        (SHOWN, [0], {0, 1}, ["multiply"]),
        (SHOWN, [1], {1, 2}, ["iadd"]),
        (SHOWN, [1, 0], {0, 1, 2}, ["multiply", "iadd"]),
        (WRITTEN, [0], {0, 1, 2}, ["iadd", "multiply"]),
    ],
)
def test_what_stays(before: str, numbers: list[int], needed: set[int], after: list[str]) -> None:
    module = parse_module(before, REGISTRY)
    assert keep_results(module.main, numbers) == needed
    verify(module)
    assert [each.name for each in module.main.block.operations[:-1]] == after, print_module(module)
    assert len(module.main.results) == len(numbers)
