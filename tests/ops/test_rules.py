"""Every op has a derivative rule, or says why not; and each rule is the derivative."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from staticpy.ops import REGISTRY
from staticpy.ops.rules import RULES
from tests.ops.rule_table import (
    FUNCTIONS,
    NEVER_SMOOTH,
    OPS,
    Entry,
    entries,
    samples_of,
    samples_of_function,
)
from tests.support.derivatives import NOTHING, REFUSED, checked

_WITHOUT_RULE = {
    "control flow, through which autodiff goes by itself": """
        vjp jvp vmap pullback.make pullback.call pushforward.call
        custom_forward no_gradient custom_vjp custom_jvp checkpoint recall
        constant undef if while for call raise region_yield return try errstate raise_value
        reraise exception.known exception.getattr exception.make outcome print numpy.of_none
    """,
    "containers, which hold cotangents as they hold numbers": """
        tuple.make tuple.items set.make slice.make
        list.make list.copy list.concat list.repeat list.getitem list.getslice list.setitem
        list.delitem list.delslice list.setslice list.append list.extend list.insert list.pop
        list.remove list.clear list.reverse list.sort list.from_array list.array list.heapify
        list.heappush list.heappop list.heapreplace list.heappushpop list.nlargest list.nsmallest
        list.insort_left list.insort_right list.sorted_by list.sum list.stack list.concatenate
        math.prod_of tape.take tape.keep
        dict.make dict.copy dict.getitem dict.get dict.keys dict.values dict.items dict.setitem
        dict.delitem dict.pop dict.popitem dict.update dict.clear dict.iterator dict.next
    """,
    "writes, whose cotangents are found in the shadow of what is written to": """
        store fill sort_in_place partition_in_place put copyto place putmask fill_diagonal
        put_along_axis set_array_attribute ufunc.at flat.setitem
        strided_like
        iadd isub imul itruediv ifloordiv imod ipow ilshift irshift iand ior ixor imatmul
    """,
    "objects, and calls of what is outside of the graph": """
        call_out object.same_or_equal object.compare object.call object.setattr object.set_slot
        object.delattr object.getattr object.holds object.cast object.new object.construct
        tensor.make
    """,
    "what is an array on some paths only has no shape that a product could be taken apart by": """
        any.matmul
    """,
    "what a backend makes of variances, gathers, rolls, sums and tables, behind derivatives": """
        var.mean var.quotient index.rows halo halo.window einsum.matmul output list.place list.rows
        list.vector
    """,
}
"""Ops that have no rule of their own, by the reason."""


def test_every_op_has_a_rule_or_a_reason() -> None:
    assert set(REGISTRY) - set(RULES) == set(" ".join(_WITHOUT_RULE.values()).split())
    for name, rule in RULES.items():
        assert (rule.vjp is None) == (rule.jvp is None) == bool(rule.reason), name


# --- the table ------------------------------------------------------------------------------------

_CALLS = ("numpy.call", "numpy.view")
_SELDOM = 2
"""How many samples of each op the quick part has in all dtypes and layouts."""


def _check(table: Iterator[Entry], *, is_whole: bool, is_never_smooth: bool = False) -> None:
    """Check each entry; an op must be smooth somewhere, if anything flows through it."""
    outcomes = []
    for entry in table:
        graphs = entry.is_plain and (is_whole or entry.is_first)
        try:
            op = REGISTRY[entry.name]
            outcomes.append(checked(op, entry.operands, entry.attrs, graphs=graphs))
        except Exception as error:
            error.add_note(str(entry))
            raise
    if any(each != NOTHING for each in outcomes) and not is_never_smooth:
        assert max(outcomes) > 0, "it is refused, or compared with nothing"


@pytest.mark.parametrize("name", [name for name in OPS if name not in _CALLS])
def test_op(name: str) -> None:
    _check(entries(name, samples_of(name), _SELDOM), is_whole=False)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name: str) -> None:
    table = entries("numpy.call", samples_of_function(name), _SELDOM)
    _check(table, is_whole=False, is_never_smooth=name in NEVER_SMOOTH)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in OPS if name not in _CALLS])
def test_op_whole(name: str) -> None:
    _check(entries(name, samples_of(name)), is_whole=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_whole(name: str) -> None:
    table = entries("numpy.call", samples_of_function(name))
    _check(table, is_whole=True, is_never_smooth=name in NEVER_SMOOTH)


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("cos", "exp"):
        monkeypatch.setitem(RULES, "sin", RULES[wrong])
        with pytest.raises(AssertionError):
            checked(REGISTRY["sin"], (np.array([0.5, -1.25]),), {})


def test_what_has_no_rule_is_refused_and_not_passed_over() -> None:
    x = np.ones(3)
    attrs = {"function": "i0", "results": ()}
    assert checked(REGISTRY["numpy.call"], (x,), attrs) == NOTHING
    power = {"function": "power.reduce", "axis": 0}
    assert checked(REGISTRY["call_reduce"], (x + 0.5,), power) == REFUSED
