"""``try``, ``errstate``, recursion and deep nesting in the source: golden texts, and runs compared
with the interpreter.
"""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import numpy as np
import pytest

from staticpy.backends import get_backend
from staticpy.ir import Module, parse_module, verify
from staticpy.ops import REGISTRY
from staticpy.passes import default_pipeline, optimize
from tests.backends.random_guards import GuardMaker
from tests.backends.test_random import compiled, observe
from tests.passes.random_graphs import arguments
from tests.support.graphs import identity_of
from tests.support.interpreter import run


def read(text: str) -> Module:
    module = parse_module(f"module @f {{ {text} }}", REGISTRY)
    verify(module)
    return module


DIVIDE = """
func @f(%a: int, %b: int) -> int {
  %r = try {handlers = (("ZeroDivisionError", "ValueError"),)} : int {
    %0 = py.floordiv %a, %b : int
    region_yield %0
  } (%e: object) {
    %1 = constant {value = -1} : int
    region_yield %1
  }
  return %r
}
"""
DIVIDE_SOURCE = """\
def f(a, b):
    try:
        return a // b
    except (ZeroDivisionError, ValueError):
        return -1
"""

# The handler reads what was before the body: `s` must not change before `u` is known.
CARRIED = """
func @f(%a: int, %b: int) -> (int, int) {
  %0 = constant {value = 0} : int
  %1 = constant {value = 1} : int
  %s, %u = for %0, %b, %1, %a, %a {breaks = false} : int, int (%i: int, %s: int, %u: int) {
    %2, %3 = try {handlers = (("ZeroDivisionError",),)} : int, int {
      %4 = constant {value = 3} : int
      %5 = py.add %s, %4 : int
      %6 = py.sub %i, %4 : int
      %7 = py.floordiv %5, %6 : int
      region_yield %5, %7
    } (%e: object) {
      region_yield %s, %u
    }
    region_yield %2, %3
  }
  return %s, %u
}
"""
CARRIED_SOURCE = """\
def f(a, b):
    s = a
    u = a
    for i in range(b):
        try:
            t = s + 3
            s, u = t, t // (i - 3)
        except ZeroDivisionError:
            pass
    return s, u
"""

OWN_CLASS = """
func @f(%a: int, %own: object, %b: int) -> (int, object) {
  %none = undef {type = !object} : object
  %r, %seen = try %own {handlers = ((0,), ("ArithmeticError",))} : int, object {
    %0 = py.floordiv %a, %b : int
    region_yield %0, %own
  } (%e: object) {
    region_yield %a, %e
  } (%e: object) {
    region_yield %b, %e
  }
  return %r, %seen
}
"""
OWN_CLASS_SOURCE = """\
def f(a, own, b):
    try:
        return a // b, own
    except own as e:
        return a, e
    except ArithmeticError as e:
        return b, e
"""

QUIET = """
func @f(%x: f64[n], %y: f64[n]) -> f64[n] {
  %loud = true_divide %x, %y : f64[n]
  %quiet = errstate {options = (("divide", "ignore"), ("invalid", "ignore"))} : f64[n] {
    %0 = true_divide %x, %y : f64[n]
    region_yield %0
  }
  %z = add %loud, %quiet : f64[n]
  return %z
}
"""
QUIET_SOURCE = """\
def f(x, y):
    z = x / y
    with np.errstate(divide='ignore', invalid='ignore'):
        quiet = x / y
    z += quiet
    return z
"""

# Nobody reads the quotient, but the program sees its warning.
CHECKED = """
func @f(%x: f64[n], %y: f64[n]) -> bool {
  %r = try {handlers = (("FloatingPointError",),)} : bool {
    errstate {options = (("all", "raise"),)} {
      %0 = true_divide %x, %y : f64[n]
      region_yield
    }
    %1 = constant {value = true} : bool
    region_yield %1
  } (%e: object) {
    %2 = constant {value = false} : bool
    region_yield %2
  }
  return %r
}
"""
CHECKED_SOURCE = """\
def f(x, y):
    try:
        with np.errstate(all='raise'):
            x / y
        return True
    except FloatingPointError:
        return False
"""

RECURSION = """
func @f(%n: int) -> int {
  %0 = constant {value = 1} : int
  %1 = py.le %n, %0 : bool
  %r = if %1 : int {
    region_yield %n
  } {
    %2 = py.sub %n, %0 : int
    %3 = call %2 {callee = "g", result_types = (!int,)} : int
    %4 = py.mul %n, %3 : int
    region_yield %4
  }
  return %r
}
func @g(%n: int) -> int {
  %r = call %n {callee = "f", result_types = (!int,)} : int
  return %r
}
"""
RECURSION_SOURCE = """\
def g(n):
    r = f(n)
    return r

def f(n):
    r = n if n <= 1 else n * g(n - 1)
    return r
"""

ONES, ZEROS = np.ones(2), np.zeros(2)
GOLDEN: dict[str, tuple[str, str, list[tuple[Any, ...]]]] = {
    "divide": (DIVIDE, DIVIDE_SOURCE, [(7, 2), (7, 0)]),
    "carried": (CARRIED, CARRIED_SOURCE, [(7, 2), (7, 0), (100, 10)]),
    "own class": (
        OWN_CLASS,
        OWN_CLASS_SOURCE,
        [(7, KeyError, 2), (7, KeyError, 0), (7, ZeroDivisionError, 0)],
    ),
    "quiet": (QUIET, QUIET_SOURCE, [(ONES, ONES)]),
    "checked": (CHECKED, CHECKED_SOURCE, [(ONES, ONES), (ONES, ZEROS)]),
    "recursion": (RECURSION, RECURSION_SOURCE, [(0,), (1,), (20,)]),
}


def outcome(function: Any, given: tuple[Any, ...]) -> Any:
    given = copy.deepcopy(given)
    try:
        results = function(*given)
    except Exception as error:
        return type(error), [identity_of(value) for value in given if isinstance(value, np.ndarray)]
    return repr(results), [identity_of(value) for value in given if isinstance(value, np.ndarray)]


@pytest.mark.parametrize("name", GOLDEN)
def test_source(name: str) -> None:
    text, source, calls = GOLDEN[name]
    module = read(text)
    expected = [outcome(lambda *given: tuple(run(module, *given)), call) for call in calls]
    optimized = read(text)
    optimize(optimized)
    for each in (module, optimized):
        function, found = compiled(each)
        assert found.strip() == source.strip()
        assert [outcome(function, call) for call in calls] == expected


def test_recursion_without_end_is_a_recursion_error() -> None:
    module = read("""
    func @f(%n: int) -> int {
      %r = call %n {callee = "f", result_types = (!int,)} : int
      return %r
    }""")
    optimize(module)
    executable = get_backend("python_source").compile(module)
    with pytest.raises(RecursionError):
        executable(1)


def test_the_context_is_what_was_handled() -> None:
    module = read("""
    func @f(%a: int) -> int {
      %0 = constant {value = 0} : int
      %r = try {handlers = (("ZeroDivisionError",),)} : int {
        %1 = py.floordiv %a, %0 : int
        region_yield %1
      } (%e: object) {
        raise %a {exception = "KeyError", args = ()}
        region_yield %a
      }
      return %r
    }""")
    executable = get_backend("python_source").compile(module)
    with pytest.raises(KeyError) as caught:
        executable(1)
    assert isinstance(caught.value.__context__, ZeroDivisionError)


def seen_by_caller(function: Any, given: list[Any]) -> tuple[Any, set[str]]:
    """``observe``, with a ValueError as one more outcome."""

    def arithmetic(*args: Any) -> Any:
        try:
            return function(*args)
        except ValueError as error:
            raise OverflowError from error  # no graph raises it

    return observe(arithmetic, given)


PIPELINES = {
    "as it is": lambda _: None,
    "optimized": lambda module: default_pipeline(verify_each=True).run(module),
}


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_guards(pipeline: str, first: int) -> None:
    for seed in range(first, first + 20):
        module = GuardMaker(seed).module()
        verify(module)
        given = [arguments(k) for k in range(3)]
        interpreted = partial(run, module)
        expected = [seen_by_caller(interpreted, each) for each in copy.deepcopy(given)]
        before = str(module)
        PIPELINES[pipeline](module)
        function, source = compiled(module)
        for (seen, warned), each in zip(expected, copy.deepcopy(given), strict=True):
            found, found_warnings = seen_by_caller(function, each)
            assert found == seen, f"seed {seed}\n{before}\n{source}"
            assert found_warnings <= warned, f"seed {seed}\n{before}\n{source}"


# --- deep nesting ---------------------------------------------------------------------------------


def nested(depth: int, begin: str, end: str) -> Module:
    """``depth`` operations inside of each other; ``begin`` reads the value ``%v{i}``."""
    lines = ["func @f(%v0: int) -> int {"]
    lines += [begin.format(i=i, j=i + 1) for i in range(depth)]
    lines.append(f"%w{depth} = py.neg %v{depth} : int")
    for i in reversed(range(depth)):
        lines += [f"region_yield %w{i + 1}", end.format(i=i)]
    return read("\n".join([*lines, "return %w0", "}"]))


IF = """
%k{i} = constant {{value = {i}}} : int
%c{i} = py.ne %v0, %k{i} : bool
%w{i} = if %c{i} : int {{
  %v{j} = py.add %v{i}, %k{i} : int"""
ELSE = "}} {{ region_yield %k{i} }}"
ELIF = """
%k{i} = constant {{value = {i}}} : int
%c{i} = py.eq %v0, %k{i} : bool
%w{i} = if %c{i} : int {{ region_yield %k{i} }} {{
  %v{j} = py.add %v{i}, %k{i} : int"""
FOR = """
%k{i} = constant {{value = 0}} : int
%o{i} = constant {{value = 1}} : int
%w{i} = for %k{i}, %o{i}, %o{i}, %v{i} {{breaks = false}} : int (%i{i}: int, %a{i}: int) {{
  %v{j} = py.sub %a{i}, %i{i} : int"""
TRY = """
%k{i} = constant {{value = {j}}} : int
%w{i} = try {{handlers = (("ZeroDivisionError",),)}} : int {{
  %d{i} = py.sub %v0, %k{i} : int
  %q{i} = py.floordiv %k{i}, %d{i} : int
  %v{j} = py.add %v{i}, %q{i} : int"""
HANDLER = "}} (%e{i}: object) {{ region_yield %k{i} }}"
DEEP = {
    "if": (IF, ELSE, (30, 150)),
    "elif": (ELIF, "}}", (150, 3000)),
    "for": (FOR, "}}", (15, 60)),
    "try": (TRY, HANDLER, (10, 60)),
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_nesting(kind: str) -> None:
    begin, end, depths = DEEP[kind]
    for depth in depths:
        module = nested(depth, begin, end)
        function, _ = compiled(module)
        optimize(module)
        optimized, _ = compiled(module)
        for value in (0, 1, 7, depth - 1, depth + 3):
            assert function(value) == optimized(value)
            if depth < 200:
                assert list(optimized(value)) == run(module, value)
