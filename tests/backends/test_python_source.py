"""The backend as a whole: what it returns, names, tracebacks, buffers, calls, limits."""

from __future__ import annotations

import ast
import gc
import linecache
import traceback
from typing import Any

import numpy as np
import pytest

from staticpy.backends import (
    Executable,
    MemoryPlan,
    PythonSource,
    get_backend,
    register_backend,
    unsupported,
)
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import Module, parse_module
from staticpy.ops import REGISTRY
from staticpy.source import SourceSpan


def compile_text(text: str) -> Executable:
    return get_backend("python_source").compile(parse_module(text, REGISTRY))


def function(body: str, signature: str = "%x: int, %y: int) -> int") -> Executable:
    """The executable of a function with this body."""
    return compile_text(f"module @f {{\n func @f({signature} {{\n{body}\n }}\n}}")


# --- what comes out -------------------------------------------------------------------------------


def test_one_result_is_returned_bare() -> None:
    assert function("%0 = py.add %x, %y : int\nreturn %0")(1, 2) == 3


def test_several_results_are_a_tuple() -> None:
    pair = function("return %y, %x", "%x: int, %y: int) -> (int, int)")
    assert pair(1, 2) == (2, 1)
    assert function("return", "%x: int) -> ()")(1) == ()


def test_source_is_what_runs() -> None:
    executable = function("%z = py.mul %x, %y : int\nreturn %z")
    assert executable.source == "def f(x, y):\n    z = x * y\n    return z\n"
    namespace: dict[str, Any] = {"np": np}
    exec(executable.source, namespace)
    assert namespace["f"](6, 7) == executable(6, 7) == 42


def test_not_not_is_a_bool() -> None:
    executable = function(
        """
        %0 = truth %x : bool
        %1 = constant {value = true} : bool
        %2 = constant {value = false} : bool
        %3 = if %0 : bool { region_yield %2 } { region_yield %1 }
        %4 = if %3 : bool { region_yield %2 } { region_yield %1 }
        return %4
        """,
        "%x: int) -> bool",
    )
    assert executable.source == "def f(x):\n    return not not x\n"


def test_calls_of_functions_that_are_not_inlined() -> None:
    executable = compile_text(
        """
        module @main {
          func @main(%x: int) -> int {
            %a, %b = call %x {callee = "g.pair", result_types = (!int, !int)} : int, int
            %c = py.sub %a, %b : int
            return %c
          }
          func @g.pair(%x: int) -> (int, int) {
            %0 = py.mul %x, %x : int
            return %0, %x
          }
        }
        """
    )
    assert executable(5) == 20
    assert "a, b = pair(x)" in executable.source


def test_calls_recurse() -> None:
    executable = compile_text(
        """
        module @fact {
          func @fact(%n: int) -> int {
            %1 = constant {value = 1} : int
            %2 = py.le %n, %1 : bool
            %3 = if %2 : int {
              region_yield %1
            } {
              %4 = py.sub %n, %1 : int
              %5 = call %4 {callee = "fact", result_types = (!int,)} : int
              %6 = py.mul %n, %5 : int
              region_yield %6
            }
            return %3
          }
        }
        """
    )
    assert executable(20) == 2432902008176640000
    assert executable.source == ("def fact(n):\n    return 1 if n <= 1 else n * fact(n - 1)\n")


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["np", "sum", "lambda", "f", "_", "while", "None", "a.b", "range"])
def test_names_never_collide(name: str) -> None:
    module = parse_module(
        """module @f { func @f(%x: int, %y: int) -> (int, int, int) {
             %0 = py.mul %x, %y : int
             %1 = py.add %0, %x : int
             %2 = py.int %0 : int
             return %0, %1, %2
           } }""",
        REGISTRY,
    )
    for argument in module.main.args:
        argument.name = name
    for operation in module.main.block.operations[:-1]:
        operation.result.name = name
    executable = get_backend("python_source").compile(module)
    assert executable(3, 4) == (12, 15, 12)


def test_constants_have_one_global_each() -> None:
    executable = function(
        """
        %0 = constant {value = f32(0.1)} : f32
        %1 = constant {value = f32(0.1)} : f32
        return %0, %1, %0
        """,
        "%float32_0_1: int) -> (f32, f32, f32)",
    )
    assert executable(0) == (np.float32(0.1),) * 3
    assert executable.source.count("np.float32") == 1


@pytest.mark.parametrize(
    "value",
    [
        *(0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1e300, -2.5, 5e-324),
        *(0, -1, 2**70, -(2**300), 10**5000, True, False),
        *(0j, -0j, complex(0.0, -0.0), complex(-0.0, 2.0), 1 - 2j, complex("nan+infj"), -1e300j),
        *(np.float32(-0.0), np.float64("nan"), np.int8(-128), np.bool_(True), np.complex64(-2j)),
        *(np.uint64(2**64 - 1), np.float16(65504), -np.float64("nan")),
    ],
    ids=lambda value: f"{type(value).__name__}",
)
def test_constants_keep_every_bit(value: Any) -> None:
    executable = function("return %x", "%x: int) -> int")
    module = parse_module(
        "module @f { func @f() -> int { %0 = constant {value = 1} : int\n return %0 } }", REGISTRY
    )
    (constant, end) = module.main.block.operations
    constant.attrs["value"] = value
    executable = get_backend("python_source").compile(module)
    assert end.operands == [constant.result]
    for found in (executable(), eval_source(executable)):
        assert type(found) is type(value)
        assert bits(found) == bits(value)


def eval_source(executable: Executable) -> Any:
    """What the text alone gives, where it stands on its own."""
    namespace: dict[str, Any] = {
        "np": np,
        "constant": executable.function.__globals__.get("constant"),
    }
    exec(executable.source, namespace)
    return namespace["f"]()


def bits(value: Any) -> bytes:
    if isinstance(value, int) and not isinstance(value, bool):
        return hex(value).encode()
    return np.array(value).tobytes()


# --- errors and debugging -------------------------------------------------------------------------


def test_tracebacks_show_the_source() -> None:
    executable = function("%z = py.floordiv %x, %y : int\nreturn %z")
    with pytest.raises(ZeroDivisionError) as caught:
        executable(1, 0)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.line) == (executable.filename, "z = x // y")


def test_spans_know_the_user_s_lines() -> None:
    module = parse_module(
        """module @f { func @f(%x: int, %y: int) -> int {
             %a = py.floordiv %x, %y : int
             %0 = py.mod %a, %y : int
             %b = py.add %0, %x : int
             return %b
           } }""",
        REGISTRY,
    )
    call = SourceSpan("user.py", 30, 4, 30, 9, "caller")
    places = [SourceSpan("user.py", line, 0, line, 5, "f") for line in (3, 4, 7, 8)]
    places[0] = places[0].inlined(call)
    for operation, span in zip(module.main.block.operations, places, strict=True):
        operation.span = span
    executable = get_backend("python_source").compile(module)
    # The remainder stands on another line of the user's than the sum, and so it does here.
    assert executable.source.splitlines()[1:] == [
        "    a = x // y",
        "    t = a % y",
        "    b = t + x",
        "    return b",
    ]
    assert executable.spans == dict(zip((2, 3, 4, 5), places, strict=True))


def test_the_text_goes_with_the_function() -> None:
    executable = function("return %x", "%x: int) -> int")
    filename = executable.filename
    assert linecache.getline(filename, 1) == "def f(x):\n"
    linecache.checkcache()
    assert filename in linecache.cache
    del executable
    gc.collect()
    assert filename not in linecache.cache


def test_raise() -> None:
    executable = function(
        """
        %0 = constant {value = 0} : int
        %1 = py.lt %x, %0 : bool
        %r = if %1 : int {
          raise %x {exception = "ValueError", args = ("too small",)}
          %2 = undef {type = !int} : int
          region_yield %2
        } {
          region_yield %x
        }
        return %r
        """,
        "%x: int) -> int",
    )
    assert executable(4) == 4
    with pytest.raises(ValueError, match="too small") as caught:
        executable(-3)
    assert caught.value.args == ("too small", -3)


def test_control_flow_nested_deeper_than_python_reads() -> None:
    depth = 120
    opening = "".join(
        f"%c{i} = py.lt %x, %y : bool\n%r{i} = if %c{i} : int {{\n"
        f"%v{i} = py.floordiv %x, %y : int\n"
        for i in range(depth)
    )
    closing = "".join(
        f"%s{i} = py.floordiv %v{i}, %y : int\nregion_yield %s{i}\n}} {{\nregion_yield %y\n}}\n"
        f"%w{i} = py.mod %r{i}, %y : int\n"
        for i in reversed(range(depth))
    )
    deep = function(f"{opening}{closing}return %w0")
    assert deep(3, 2) == 2 % 2
    expected = 7
    for i in reversed(range(depth)):
        expected = (3 // 7 // 7 if i == depth - 1 else expected) % 7
    assert deep(3, 7) == expected


# --- registry -------------------------------------------------------------------------------------


class Echo:
    """A backend that prints nothing but a name."""

    name = "echo"

    def compile(self, module: Module) -> Executable:
        if module.entry != "f":
            raise unsupported(self.name, "a function that is not called f")
        return Executable(
            lambda: module.entry, module.entry, "<echo>", {}, MemoryPlan(module.entry)
        )


def test_a_backend_of_ones_own() -> None:
    register_backend(Echo())
    assert get_backend("echo").compile(Module("f"))() == "f"
    with pytest.raises(DiagnosticError) as caught:
        get_backend("echo").compile(Module("g"))
    assert caught.value.spec is catalog.UNSUPPORTED_BY_BACKEND
    assert isinstance(get_backend("python_source"), PythonSource)


def test_unknown_backend() -> None:
    with pytest.raises(ValueError, match="python_source"):
        get_backend("fortran")


# --- conversions ----------------------------------------------------------------------------------


def test_conversions_are_taken_back() -> None:
    executable = function(
        """
        %0 = constant {value = 2} : int
        %1 = from_python %0 {dtype = f64} : f64
        %2 = cast %x {dtype = f64} : f64[n]
        %3 = unbox %y : f64
        %4, %5 = broadcast %2, %3 : f64[n], f64[n]
        %6 = add %4, %5 : f64[n]
        %7, %8 = broadcast %6, %1 : f64[n], f64[n]
        %9 = power %7, %8 : f64[n]
        return %9
        """,
        "%x: i32[n], %y: f64[]) -> f64[n]",
    )
    assert executable.source == (
        "def f(x, y):\n    t = x + y\n    np.power(t, 2, out=t)\n    return t\n"
    )


def test_a_conversion_that_is_read_elsewhere_stays() -> None:
    executable = function(
        """
        %0 = cast %x {dtype = f64} : f64[n]
        %1 = add %0, %y : f64[n]
        %2 = sum %0 : f64
        return %1, %2
        """,
        "%x: f32[n], %y: f64[n]) -> (f64[n], f64)",
    )
    x, y = np.arange(3, dtype=np.float32), np.ones(3)
    assert executable(x, y)[1] == np.float64(3.0)
    assert executable.source.count("astype") == 1
    assert executable(x, y)[0].dtype == np.float64


def test_sizes_that_may_not_fit_are_still_checked() -> None:
    executable = function(
        """
        %0, %1 = broadcast %x, %y : f64[?], f64[?]
        %2 = add %0, %1 : f64[?]
        return %2
        """,
        "%x: f64[n], %y: f64[m]) -> f64[?]",
    )
    assert "broadcast" not in executable.source
    with pytest.raises(ValueError, match="broadcast"):
        executable(np.ones(3), np.ones(2))


def test_python_numbers_alone_keep_their_conversion() -> None:
    executable = function(
        """
        %0 = from_python %x {dtype = i64} : i64
        %1 = from_python %y {dtype = i64} : i64
        %2 = add %0, %1 : i64
        return %2
        """,
        "%x: int, %y: int) -> i64",
    )
    assert type(executable(1, 2)) is np.int64
    with pytest.raises(OverflowError):
        executable(2**64, 1)


def test_complex_and_float64_are_added_by_numpy() -> None:
    executable = function(
        """
        %0 = from_python %x {dtype = c128} : c128
        %1 = cast %y {dtype = c128} : c128
        %2 = add %0, %1 : c128
        return %2
        """,
        "%x: complex, %y: f64) -> c128",
    )
    assert type(executable(1j, np.float64(2.0))) is np.complex128


# --- aliasing -------------------------------------------------------------------------------------


def test_arguments_are_never_written_to() -> None:
    executable = function(
        """
        %0 = transpose %x {axes = (1, 0)} : f64[n, n]
        %1 = add %0, %x : f64[n, n]
        %2 = multiply %1, %x : f64[n, n]
        %3 = negative %x : f64[n, n]
        return %2, %3, %x
        """,
        "%x: f64[n, n]) -> (f64[n, n], f64[n, n], f64[n, n])",
    )
    x = np.arange(9.0).reshape(3, 3)
    before = x.copy()
    product, negative, same = executable(x)
    assert same is x
    assert np.array_equal(x, before)
    assert np.array_equal(product, (x.T + x) * x)
    assert not np.shares_memory(negative, product)


def test_every_call_returns_arrays_of_its_own() -> None:
    executable = function(
        "%0 = zeros {shape = (2,), dtype = f64} : f64[2]\nreturn %0, %0",
        "%x: int) -> (f64[2], f64[2])",
    )
    first, second = executable(0)
    assert first is second
    assert executable(0)[0] is not first


def test_emitted_text_reads_back() -> None:
    executable = function("%z = py.add %x, %y : int\nreturn %z")
    assert ast.unparse(ast.parse(executable.source)) + "\n" == executable.source
