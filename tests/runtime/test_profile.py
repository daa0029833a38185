"""How long compiled functions take: what is counted, and that the parts fit into the whole."""

from __future__ import annotations

import gc
import json
import threading
import weakref
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import staticpy
from staticpy.runtime.profiling import KernelTime
from staticpy.source import SourceSpan

NATIVE = pytest.param(
    "llvm",
    marks=pytest.mark.skipif(find_spec("llvmlite") is None, reason="needs the extra 'native'"),
)


@pytest.fixture(params=["python_source", NATIVE])
def backend(request) -> str:
    return request.param


def program(x, w, n):
    y = np.tanh(x @ w) * 2
    for _ in range(n):
        y = np.cumsum(y * 0.5, axis=0)
    s = 0.0
    for i in range(n):
        for j in range(3):
            s += x[0, i] * j
    return y, s


X = np.linspace(-1.0, 1.0, 400).reshape(20, 20)


def line(text: str) -> int:
    """The line of this file that ends so."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, each in enumerate(lines, 1) if each.strip() == text)


def kernels_by_line(measured) -> dict[int, int]:
    """How often the kernels of each line have run, together."""
    (function,) = measured.functions
    counts: dict[int, int] = {}
    for kernel in function.kernels:
        for number in {span.line for span in kernel.spans}:
            counts[number] = counts.get(number, 0) + kernel.calls
    return counts


def test_calls_are_counted(backend):
    function = staticpy.jit(program, backend=backend)
    expected = function(X, X, 4)
    with staticpy.profile() as measured:
        for _ in range(3):
            found = function(X, X, 4)
    assert found[0].tobytes() == expected[0].tobytes()
    assert found[1] == expected[1]
    (of_program,) = measured.functions
    assert (of_program.name, of_program.calls) == ("program", 3)
    counts = kernels_by_line(measured)
    each_round = {"llvm": 2, "python_source": 1}[backend]
    assert counts[line("y = np.cumsum(y * 0.5, axis=0)")] == 3 * 4 * each_round
    assert counts[line("y = np.tanh(x @ w) * 2")] > 0


@pytest.mark.skipif(find_spec("llvmlite") is None, reason="needs the extra 'native'")
def test_kernels_of_native_code():
    function = staticpy.jit(program, backend="llvm")
    with staticpy.profile() as measured:
        function(X, X, 4)
    (of_program,) = measured.functions
    found = {(each.name, each.operations, each.calls) for each in of_program.kernels}
    assert found == {
        ("cluster.0", ("matmul", "tanh", "multiply"), 1),
        ("cluster.1", ("multiply",), 4),
        ("cumsum", ("cumsum",), 4),
        ("for", ("for",), 1),  # the outer of two
    }


def test_the_parts_fit_into_the_whole(backend):
    function = staticpy.jit(program, backend=backend)
    with staticpy.profile() as measured:
        function(X, X, 10)
    (of_program,) = measured.functions
    assert all(each.seconds >= 0 for each in of_program.kernels)
    assert 0 < sum(each.seconds for each in of_program.kernels) <= of_program.seconds
    assert of_program.rest == pytest.approx(
        of_program.seconds - sum(each.seconds for each in of_program.kernels)
    )


def test_the_table(backend):
    function = staticpy.jit(program, backend=backend)
    with staticpy.profile() as measured:
        assert str(measured) == "no compiled function was called"
        function(X, X, 2)
    head, first, *rest, last = str(measured).splitlines()
    assert head.split() == ["line", "calls", "ms", "µs", "a", "call", "share"]
    assert (first.split()[:2], first.split()[-1]) == (["program", "1"], "100.0%")
    assert last.split()[0] == "between"
    assert any(f"test_profile.py:{line('y = np.tanh(x @ w) * 2')} " in row for row in rest)


def test_the_trace(backend, tmp_path):
    function = staticpy.jit(program, backend=backend)
    with staticpy.profile() as measured:
        function(X, X, 3)
        function(X, X, 3)
    path = tmp_path / "trace.json"
    path.write_text("what was there before")
    measured.save_trace(path)
    assert [each.name for each in tmp_path.iterdir()] == ["trace.json"]
    events = json.loads(path.read_text())["traceEvents"]
    calls = [each for each in events if each["cat"] == "function"]
    kernels = [each for each in events if each["cat"] != "function"]
    (of_program,) = measured.functions
    assert [each["name"] for each in calls] == ["program"] * 2
    assert len(kernels) == sum(each.calls for each in of_program.kernels)
    for each in events:
        assert each["ph"] == "X"
        assert each["dur"] >= 0
        assert each["args"]["lines"]
    ends = [(each["ts"], each["ts"] + each["dur"]) for each in calls]
    assert all(
        any(start <= each["ts"] <= each["ts"] + each["dur"] <= end + 1e-3 for start, end in ends)
        for each in kernels
    )


def test_more_kernels_than_the_trace_holds(backend, tmp_path):
    def many(n):
        x = np.zeros(3)
        for _ in range(n):
            x = np.cumsum(x)
        return x

    function = staticpy.jit(many, backend=backend)
    with staticpy.profile() as measured:
        function(40_000)
    (of_many,) = measured.functions
    assert max(each.calls for each in of_many.kernels) == 40_000
    measured.save_trace(tmp_path / "trace.json")
    assert 10_000 < len(json.loads((tmp_path / "trace.json").read_text())["traceEvents"]) < 40_000


def test_nothing_is_timed_outside(backend):
    function = staticpy.jit(program, backend=backend)
    function(X, X, 2)
    before = function.cache_size
    with staticpy.profile() as measured:
        pass
    function(X, X, 2)
    with staticpy.profile(), staticpy.disable_jit():
        function(X, X, 2)
    assert measured.functions == ()
    assert function.cache_size == before


def test_what_is_called_by_all_threads(backend, tmp_path):
    function = staticpy.jit(program, backend=backend)
    barrier = threading.Barrier(4)

    def run():
        barrier.wait()
        for _ in range(25):
            function(X, X, 2)

    with staticpy.profile() as measured:
        runners = [threading.Thread(target=run) for _ in range(4)]
        for runner in runners:
            runner.start()
        for runner in runners:
            runner.join()
    assert sum(each.calls for each in measured.functions) == 100
    measured.save_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert {each["tid"] for each in events} == {0, 1, 2, 3}


def test_one_at_a_time():
    with staticpy.profile() as measured:
        with pytest.raises(RuntimeError, match="a profile is open already"), measured:
            pass
        with pytest.raises(RuntimeError, match="a profile is open already"), staticpy.profile():
            pass
        refused = []

        def open_one():
            try:
                with staticpy.profile():
                    pass
            except RuntimeError as error:
                refused.append(error)

        other = threading.Thread(target=open_one)
        other.start()
        other.join()
        assert len(refused) == 1
    with staticpy.profile():
        pass


def test_exceptions_are_those_of_the_program(backend):
    def checked(x, i):
        y = x * 2
        if i > 3:
            raise KeyError(i)
        return y[i]

    function = staticpy.jit(checked, backend=backend)
    with staticpy.profile() as measured:
        assert function(np.arange(4.0), 3) == 6.0
        with pytest.raises(KeyError) as raised:
            function(np.arange(4.0), 4)
        with pytest.raises(IndexError):
            function(np.arange(4.0), -9)
    assert raised.traceback[-1].lineno + 1 == line("raise KeyError(i)")
    (of_checked,) = measured.functions
    assert of_checked.calls == 3


def test_derivatives_methods_and_tensors(backend):
    class Model:
        def __init__(self):
            self.scale = 2.0

        @staticpy.jit(backend=backend)
        def run(self, x):
            return (x * x * self.scale).sum()

    model = Model()
    tensor = staticpy.Tensor(X, requires_grad=True)
    with staticpy.profile() as measured:
        model.run(X)
        assert np.array_equal(staticpy.grad(model.run)(X), 4 * X)
        model.run(tensor).backward()
    assert np.array_equal(tensor.grad, 4 * X)
    names = [each.name for each in measured.functions]
    assert len(names) == 4
    assert all(each.calls == 1 and each.kernels for each in measured.functions)


def chosen(w, x):
    return float(np.tanh(x @ w).sum()) if x[0, 0] > 0 else 0.0


def summed(w, xs):
    made = [np.tanh(x @ w) for x in xs]
    y = w * 0
    y[0] = made[0][0]
    return sum(each.sum() for each in made) + (y * w)[0].sum()


def halved(w, n):
    return w.sum() if n <= 0 else halved(w * 0.5, n - 1) + w[0, 0]


@pytest.mark.parametrize(
    ("function", "args"), [(chosen, (X,)), (summed, ([X, X],)), (halved, (3,))]
)
def test_all_of_a_derivative_has_a_line(backend, function, args):
    with staticpy.profile() as measured:
        staticpy.jit(staticpy.grad(function), backend=backend)(X, *args)
    for kernel in (each for timed in measured.functions for each in timed.kernels):
        assert 0 not in {span.line for span in kernel.spans}, kernel


def test_lines_of_several_files():
    spans = [SourceSpan(file, line, 0, line, 1) for file, line in (("a.py", 3), ("b.py", 2))]
    own = SourceSpan(staticpy.__file__, 7, 0, 7, 1)
    assert KernelTime("k", (), (*spans, own, *spans), 1, 0.1).place == "a.py:3 b.py:2"
    assert KernelTime("k", (), (own,), 1, 0.1).place == "__init__.py:7"


def test_what_was_compiled_for_it_goes(backend):
    function = staticpy.jit(program, backend=backend)
    with staticpy.profile() as measured:
        function(X, X, 2)
        (timed,) = map(weakref.ref, measured._timed.values())
    gc.collect()
    assert timed() is None
    assert measured.functions
