"""The memory plan: what is written into a dead buffer, and what must not be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.ir import Function, Value, parse_module
from staticpy.ops import REGISTRY
from staticpy.passes import MemoryPlan, plan_memory


def function(body: str, signature: str) -> Function:
    return parse_module(f"module @f {{\n func @f({signature} {{\n{body}\n }}\n}}", REGISTRY).main


def reuses(body: str, signature: str = "%x: f64[n], %b: f64[n]) -> f64[n]") -> set[tuple[str, str]]:
    """The reuses of a function by name: (the value, the value whose buffer it takes)."""
    plan = plan_memory(function(body, signature))
    return {(reuse.value.name, reuse.buffer.name) for reuse in plan.reuses.values()}


LINE = """
%t = multiply %w, %x : f64[n, k]
%0, %c = broadcast %t, %b : f64[n, k], f64[n, k]
%y = add %0, %c : f64[n, k]
return %y
"""
LINE_SIGNATURE = "%w: f64[n, k], %x: f64[n, k], %b: f64[k]) -> f64[n, k]"


def test_a_dead_operand_is_written_to() -> None:
    assert reuses(LINE, LINE_SIGNATURE) == {("y", "t")}


def test_a_conversion_in_a_loop_reads_the_array_itself() -> None:
    body = """
%a = sqrt %x : f64[n]
%c = cast %a {dtype = c128} : c128[n]
%p = true_divide %y, %c : c128[n]
%h = exp %a : f64[n]
%q = true_divide %z, %c : c128[n]
return %p, %h, %q
"""
    signature = "%x: f64[n], %y: c128[n], %z: c128[n]) -> (c128[n], f64[n], c128[n])"
    assert reuses(body, signature) == set()
    early = body.replace("%q = true_divide %z, %c", "%q = true_divide %z, %y")
    assert reuses(early, signature) == {("h", "a")}


def test_plan_counts_bytes() -> None:
    plan = plan_memory(function(LINE, LINE_SIGNATURE))
    sizes = {"n": 100, "k": 7}
    assert (str(plan.saved), str(plan.total)) == ("8*k*n", "16*k*n")
    assert (plan.saved_bytes(sizes), plan.total_bytes(sizes)) == (5600, 11200)
    with pytest.raises(KeyError):
        plan.saved_bytes({"n": 1})


def test_plan_prints_a_table() -> None:
    assert str(plan_memory(function(LINE, LINE_SIGNATURE))).splitlines() == [
        "memory plan of f",
        "value  type       bytes  buffer",
        "t      f64[n, k]  8*k*n  new",
        "y      f64[n, k]  8*k*n  that of t",
        "1 of 2 arrays use a buffer again: 8*k*n of 16*k*n bytes saved",
    ]


def test_bytes_add_up() -> None:
    plan = plan_memory(
        function(
            """
            %a = zeros {shape = (3, 4), dtype = f32} : f32[3, 4]
            %c = add %x, %x : i16[n]
            %d = cast %x {dtype = f64} : f64[n]
            %e = sum %d : f64
            return %a, %c
            """,
            "%x: i16[n]) -> (f32[3, 4], i16[n])",
        )
    )
    assert str(plan.total) == "10*n + 48"
    assert plan.total_bytes({"n": 10}) == 148
    assert str(plan.saved) == "0"
    assert str(MemoryPlan("empty").total) == "0"


CHAIN = {("y", "t"), ("z", "y")}


@pytest.mark.parametrize(
    ("what", "body", "expected"),
    [
        (
            "a chain",
            "%t = multiply %x, %b : f64[n]\n%y = exp %t : f64[n]\n%z = tanh %y : f64[n]\nreturn %z",
            CHAIN,
        ),
        (
            "a later reader",
            "%t = exp %x : f64[n]\n%y = add %t, %b : f64[n]\n%z = add %y, %t : f64[n]\nreturn %z",
            {("z", "y")},
        ),
        ("an argument", "%y = add %x, %b : f64[n]\nreturn %y", set()),
        (
            "what is returned",
            "%t = exp %x : f64[n]\n%y = add %t, %b : f64[n]\nreturn %t",
            set(),
        ),
        (
            "both operands",
            "%t = exp %x : f64[n]\n%y = add %t, %t : f64[n]\nreturn %y",
            {("y", "t")},
        ),
        (
            "the right operand",
            "%t = exp %x : f64[n]\n%y = subtract %x, %t : f64[n]\nreturn %y",
            {("y", "t")},
        ),
        (
            "a live view",
            "%t = exp %x : f64[n]\n%v = transpose %t {axes = (0,)} : f64[n]\n"
            "%y = add %t, %b : f64[n]\n%z = add %v, %b : f64[n]\nreturn %z",
            set(),
        ),
        (
            "a view of an argument",
            "%t = transpose %x {axes = (0,)} : f64[n]\n%y = add %t, %b : f64[n]\nreturn %y",
            set(),
        ),
        (
            "a stretched number",
            "%0 = constant {value = f64(2.0)} : f64\n%s, %t = broadcast %x, %0 : f64[n], f64[n]\n"
            "%y = exp %t : f64[n]\nreturn %y",
            set(),
        ),
        (
            "another dtype",
            "%t = greater %x, %b : b1[n]\n%u = exp %x : f64[n]\n"
            "%y = less %u, %b : b1[n]\nreturn %x",
            set(),
        ),
    ],
    ids=lambda item: item.replace(" ", "-") if isinstance(item, str) and "%" not in item else "",
)
def test_what_may_be_written_to(what: str, body: str, expected: set[tuple[str, str]]) -> None:
    assert reuses(body) == expected, what


def test_unknown_sizes_are_left_alone() -> None:
    body = "%t = exp %x : f64[?]\n%y = tanh %t : f64[?]\nreturn %y"
    assert reuses(body, "%x: f64[?]) -> f64[?]") == set()


def test_numbers_have_no_buffer() -> None:
    body = "%t = exp %x : f64\n%y = tanh %t : f64\nreturn %y"
    assert reuses(body, "%x: f64) -> f64") == set()


def test_what_a_loop_carries_is_not_ours() -> None:
    """The carried array may be an argument, a fresh one of the same iteration is not."""
    body = """
    %0 = constant {value = 0} : int
    %1 = constant {value = 1} : int
    %r = for %0, %k, %1, %x {breaks = false} : f64[n] (%i: int, %w: f64[n]) {
      %g = multiply %w, %b : f64[n]
      %v = subtract %w, %g : f64[n]
      region_yield %v
    }
    %y = exp %r : f64[n]
    return %y
    """
    signature = "%x: f64[n], %b: f64[n], %k: int) -> f64[n]"
    assert reuses(body, signature) == {("v", "g")}


def test_an_array_from_outside_of_a_loop_is_read_again() -> None:
    body = """
    %0 = constant {value = 0} : int
    %1 = constant {value = 1} : int
    %t = exp %x : f64[n]
    %r = for %0, %k, %1, %x {breaks = false} : f64[n] (%i: int, %w: f64[n]) {
      %v = add %t, %b : f64[n]
      region_yield %v
    }
    return %r
    """
    assert reuses(body, "%x: f64[n], %b: f64[n], %k: int) -> f64[n]") == set()


def test_an_array_that_a_branch_hands_on_is_not_ours() -> None:
    body = """
    %t = exp %x : f64[n]
    %r = if %c : f64[n] {
      region_yield %t
    } {
      region_yield %b
    }
    %y = add %t, %b : f64[n]
    %z = add %y, %r : f64[n]
    return %z
    """
    assert reuses(body, "%x: f64[n], %b: f64[n], %c: bool) -> f64[n]") == {("z", "y")}


# --- memory order ---------------------------------------------------------------------------------

ORDER = "%w: f64[n, k], %x: f64[n, k], %b: f64[n, k]) -> (f64[n, k], f64)"


def shows(middle: str, last: str) -> set[tuple[str, str]]:
    """The reuses where the sum tells the memory order of ``%y``."""
    return reuses(f"{middle}\n%s = sum %y : f64\nreturn {last}, %s", ORDER)


def test_an_order_that_shows_must_be_that_of_a_fresh_array() -> None:
    # Where %w and %x are column by column and %b is not, NumPy's own sum is row by row.
    middle = "%t = multiply %w, %x : f64[n, k]\n%y = add %t, %b : f64[n, k]"
    assert shows(middle, "%x") == set()


def test_an_order_that_is_returned_must_be_that_of_a_fresh_array() -> None:
    body = "%t = multiply %w, %x : f64[n, k]\n%y = add %t, %b : f64[n, k]\nreturn %y"
    assert reuses(body, "%w: f64[n, k], %x: f64[n, k], %b: f64[n, k]) -> f64[n, k]") == set()


def _by_columns_and_by_rows(x: Any) -> Any:
    y = x.T + 1
    return y * np.ones(y.shape)


def _by_rows_turned(x: Any) -> Any:
    y = np.exp(x) * 2
    return (y.T + 1).T + y * np.ones(y.shape)


@pytest.mark.parametrize("program", [_by_columns_and_by_rows, _by_rows_turned])
@pytest.mark.parametrize("shape", [(3, 4), (1, 4), (3, 1), (0, 3)])
def test_what_is_returned_has_the_order_of_numpy(
    program: Callable[..., Any], shape: tuple[int, int]
) -> None:
    x = np.arange(float(np.prod(shape))).reshape(shape)
    arrays = [x, np.asfortranarray(x), np.repeat(np.repeat(x, 2, 0), 2, 1)[::2, ::2], x[::-1]]
    for array in arrays:
        expected, found = program(array), staticpy.jit(program)(array)
        np.testing.assert_array_equal(found, expected)
        assert (found.strides, str(found.flags)) == (expected.strides, str(expected.flags))


@pytest.mark.parametrize(
    "middle",
    [
        "%t = multiply %w, %x : f64[n, k]\n%y = add %t, %w : f64[n, k]",
        "%t = multiply %w, %x : f64[n, k]\n%y = tanh %t : f64[n, k]",
        "%0 = matmul %w, %x : f64[n, k]\n%t = exp %0 : f64[n, k]\n%y = add %t, %b : f64[n, k]",
    ],
)
def test_an_order_that_is_sure_is_no_obstacle(middle: str) -> None:
    signature = ORDER.replace("n", "k") if "matmul" in middle else ORDER
    body = f"{middle}\n%s = sum %y : f64\nreturn %x, %s"
    if "matmul" in middle:
        body = body.replace("f64[n, k]", "f64[k, k]")
        signature = "%w: f64[k, k], %x: f64[k, k], %b: f64[k, k]) -> (f64[k, k], f64)"
    assert ("y", "t") in reuses(body, signature)


def test_every_reuse_is_of_an_operand() -> None:
    plan = plan_memory(function(LINE, LINE_SIGNATURE))
    (reuse,) = plan.reuses.values()
    operands: list[Value] = reuse.value.owner.operands
    assert operands[reuse.position].type == reuse.buffer.type == reuse.value.type
    assert reuse.buffer in plan.buffers


# NumPy rounds a row of one complex number otherwise where it writes over an operand.
@pytest.mark.parametrize("body", ["multiply %t, %b", "square %t"])
@pytest.mark.parametrize(("dtype", "is_reused"), [("c128", False), ("c64", False), ("f64", True)])
def test_complex_products_get_an_array_of_their_own(
    body: str, dtype: str, *, is_reused: bool
) -> None:
    text = f"%t = add %x, %b : {dtype}[n]\n%y = {body} : {dtype}[n]\nreturn %y"
    signature = f"%x: {dtype}[n], %b: {dtype}[n]) -> {dtype}[n]"
    assert (("y", "t") in reuses(text, signature)) is is_reused
