"""Loops on several threads: the same bits, flags and memory, whoever calls, forks or stops them."""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import staticpy
from staticpy.backends import threads

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

TASKS = Path("/proc/self/task")
"""Where Linux has a folder for each thread."""


@pytest.fixture(autouse=True)
def the_same_number_afterwards(monkeypatch):
    monkeypatch.setattr(import_module("staticpy.backends.llvm.parts"), "WORK", 1 << 15)
    before = staticpy.get_num_threads()
    yield
    staticpy.set_num_threads(before)


def curve(x, y):
    return np.tanh(x) * y + 1.5, x > y


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def row_statistics(x):
    m = x.mean(axis=-1, keepdims=True)
    return m, ((x - m) ** 2).mean(axis=-1)


def stretched(x, y):
    return x[:, :1] * y + x[0]


def update(x, y):
    x[1:-1] += 0.25 * y[1:-1]
    x *= 1.5
    return x


def details(results):
    results = results if isinstance(results, tuple) else (results,)
    return [(each.dtype, each.shape, each.strides, each.tobytes()) for each in results]


def products(a, b):
    return a @ b


def whole(*dims, seed=0, dtype=np.float32):
    """Small integers, whose sums are exact in any order."""
    return np.random.default_rng(seed).integers(-8, 9, dims).astype(dtype)


def normal(*dims, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(dims).astype(dtype)


def calls():
    """Functions, and makers of their arguments, of more elements than one thread is given."""
    wide, high = (3, 50_001), (50_001, 3)
    yield curve, lambda: (normal(100_003), normal(100_003, seed=1))
    yield curve, lambda: (normal(*wide), normal(*wide, seed=1))
    yield curve, lambda: (normal(*high), normal(*high, seed=1)[:, ::-1])
    yield curve, lambda: (normal(7, 40, 600)[:, ::2], normal(7, 20, 600, seed=1))
    yield softmax, lambda: (normal(301, 257),)
    yield softmax, lambda: (normal(2, 70_001, dtype=np.float64),)
    yield softmax, lambda: (normal(70_001),)
    yield row_statistics, lambda: (normal(5, 70, 300),)
    yield row_statistics, lambda: (normal(300, 301)[:, ::2],)
    yield stretched, lambda: (normal(400, 300), normal(300, seed=1))
    yield update, lambda: (normal(300, 400), normal(300, 400, seed=1))
    yield products, lambda: (whole(70, 301), whole(301, 517, seed=1))
    yield products, lambda: (whole(517, 301), whole(71, 301, seed=1).T)
    yield products, lambda: (whole(301, 65).T, whole(301, 513, seed=1)[:, :500])
    yield products, lambda: (whole(9, 5, 60, 40), whole(5, 70, 40, seed=1).swapaxes(1, 2))
    yield products, lambda: (whole(3, 1, 160, 70), whole(2, 70, 131, seed=1))
    yield products, lambda: (whole(1, 260, 170, dtype=np.float64), whole(170, 33, dtype=np.float64))
    yield update, lambda: (normal(100_003), normal(100_003, seed=1))


@pytest.mark.parametrize(("function", "make"), list(calls()))
def test_bits_do_not_depend_on_the_number(function, make):
    native = staticpy.jit(function, backend="llvm")
    found = []
    for number in (1, 2, 3, 8):
        staticpy.set_num_threads(number)
        found.append(details(native(*make())))
    assert all(each == found[0] for each in found)
    expected = function(*make())
    for (dtype, shape, strides, data), wanted in zip(
        found[0], expected if isinstance(expected, tuple) else (expected,), strict=True
    ):
        assert (dtype, shape, strides) == (wanted.dtype, wanted.shape, wanted.strides)
        near = np.frombuffer(data, dtype).reshape(shape)
        np.testing.assert_allclose(near, wanted, rtol=1e-5, atol=1e-6)


def test_bits_of_products_do_not_depend_on_the_number():
    """Of sizes that are no multiples of anything: of parts of another size a BLAS would compute
    one product in four with other bits.
    """
    native = staticpy.jit(lambda a, b: a @ b, backend="llvm")
    rng = np.random.default_rng(0)
    wrong = set()
    for work, _ in itertools.product((1 << 21, 1 << 23), range(25)):
        n, k = (int(each) for each in rng.integers(20, 200, 2))
        m = work // n // k + int(rng.integers(40))
        shape = m, n, k
        if rng.integers(2):
            m, n = n, m
        for dtype, a_order, b_order in itertools.product((np.float32, np.float64), "CF", "CF"):
            a = np.asarray(whole(m, k, dtype=dtype) / 7, order=a_order)
            b = np.asarray(whole(k, n, seed=1, dtype=dtype) / 7, order=b_order)
            found = set()
            for number in (1, 2, 3, 5):
                staticpy.set_num_threads(number)
                found.add(native(a, b).tobytes())
            if len(found) > 1:
                wrong.add((*shape, dtype, a_order, b_order))
    assert not wrong


def test_the_blas_has_its_threads_back():
    blas = import_module("staticpy.backends.llvm.blas")
    if blas.number_of_threads() is None:
        pytest.skip("the BLAS of this NumPy doesn't say how many threads it has")
    get = ctypes.CFUNCTYPE(ctypes.c_int)(blas.number_of_threads()[0])
    set_ = ctypes.CFUNCTYPE(None, ctypes.c_int)(blas.number_of_threads()[1])
    staticpy.set_num_threads(3)
    native = staticpy.jit(products, backend="llvm")
    before = get()
    for number in (2, 1):
        set_(number)
        native(whole(200, 200), whole(200, 200, seed=1))
        assert get() == number
    set_(before)


@pytest.mark.parametrize("place", [0, 60_000, 199_999])
def test_warnings_of_all_threads_are_seen(place):
    def quotient(x, y):
        return x / y

    staticpy.set_num_threads(3)
    x, y = np.ones(200_000), np.ones(200_000)
    y[place] = 0.0
    native = staticpy.jit(quotient, backend="llvm")
    for _ in range(20):
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            native(x, y)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        native(x, y)
    y[place] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        native(x, y)


def test_several_threads_of_python_call_at_once():
    staticpy.set_num_threads(3)
    native = staticpy.jit(curve, backend="llvm")
    arguments = [(normal(60_000, seed=seed), normal(60_000, seed=seed + 9)) for seed in range(4)]
    expected = [details(native(*each)) for each in arguments]
    wrong: set[int] = set()

    def run(number):
        if any(details(native(*arguments[number])) != expected[number] for _ in range(30)):
            wrong.add(number)

    runners = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for runner in runners:
        runner.start()
    for number in (1, 2, 4, 3, 1, 2):
        staticpy.set_num_threads(number)
    for runner in runners:
        runner.join()
    assert not wrong


@pytest.mark.slow
def test_many_callers_of_many_sizes():
    """Eight threads of Python compile and call, while the number of threads changes."""
    wrong: list[object] = []

    def run(seed):
        rng = np.random.default_rng(seed)
        product, normal_curve = (staticpy.jit(f, backend="llvm") for f in (products, softmax))
        for _ in range(150):
            b, m, k, n = (int(each) for each in rng.integers(1, (9, 140, 140, 140)))
            pair = whole(b, m, k, seed=seed), whole(k, n, seed=seed + 1)
            if product(*pair).tobytes() != (pair[0] @ pair[1]).tobytes():
                wrong.append((b, m, k, n))
            x = normal(m, 7 * n, seed=seed)
            if not np.allclose(normal_curve(x), softmax(x), rtol=1e-4, atol=1e-7):
                wrong.append((m, n))

    runners = [threading.Thread(target=run, args=(seed,)) for seed in range(8)]
    for runner in runners:
        runner.start()
    while any(runner.is_alive() for runner in runners):
        for number in (2, 1, 5, 3):
            staticpy.set_num_threads(number)
            time.sleep(0.02)
    for runner in runners:
        runner.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_has_threads_of_its_own():
    staticpy.set_num_threads(3)
    native = staticpy.jit(softmax, backend="llvm")
    x = normal(300, 300)
    expected = details(native(x))
    for _ in range(5):
        child = os.fork()
        if not child:
            good = all(details(native(x)) == expected for _ in range(3))
            os._exit(0 if good and _threads_of_this_process() >= 2 else 1)
        assert os.waitpid(child, 0)[1] == 0
    assert details(native(x)) == expected


def _threads_of_this_process() -> int:
    return len(list(TASKS.iterdir())) if TASKS.is_dir() else 2


def _processor_of(thread):
    return int((TASKS / thread / "stat").read_text().rpartition(")")[2].split()[36])


@pytest.mark.skipif(
    not TASKS.is_dir() or len(os.sched_getaffinity(0)) < 2, reason="needs two processors of Linux"
)
def test_a_worker_leaves_the_processor_of_the_caller():
    """Else it would wait there until the caller does, when others are busy on all processors."""
    everywhere = os.sched_getaffinity(0)
    x = normal(2000, 300)
    native = staticpy.jit(softmax, backend="llvm")
    staticpy.set_num_threads(1)
    expected = details(native(x))  # compiled by this thread, so that none of that is still ending
    before = {each.name for each in TASKS.iterdir()}
    staticpy.set_num_threads(2)
    native(x)
    (worker,) = {each.name for each in TASKS.iterdir()} - before
    try:
        os.sched_setaffinity(0, {min(everywhere)})
        for _ in range(5):
            os.sched_setaffinity(int(worker), {min(everywhere)})
            os.sched_setaffinity(int(worker), everywhere)  # it stays where it is
            assert details(native(x)) == expected
            deadline = time.monotonic() + 20
            while _processor_of(worker) == min(everywhere) and time.monotonic() < deadline:
                native(x)
            assert _processor_of(worker) != min(everywhere)
            assert os.sched_getaffinity(int(worker)) == everywhere
        os.sched_setaffinity(int(worker), {min(everywhere)})  # there is no other one for it
        assert details(native(x)) == expected
        assert os.sched_getaffinity(int(worker)) == {min(everywhere)}
    finally:
        os.sched_setaffinity(0, everywhere)


@pytest.mark.skipif(not TASKS.is_dir(), reason="threads can't be counted here")
def test_one_thread_means_no_pool():
    x = normal(300, 300)
    native = staticpy.jit(softmax, backend="llvm")
    staticpy.set_num_threads(1)
    native(x)
    alone = _threads_of_this_process()
    staticpy.set_num_threads(4)
    native(x)
    assert _threads_of_this_process() == alone + 3
    staticpy.set_num_threads(1)
    assert _threads_of_this_process() == alone


def run_program(tmp_path, text, **environment):
    file = tmp_path / "program.py"
    file.write_text(text)
    return subprocess.run(
        [sys.executable, str(file)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


ENDING = """
import numpy as np, staticpy
call = staticpy.jit(lambda x: np.exp(x) + 1, backend="llvm")
for _ in range(3):
    call(np.ones(100_000))
print(staticpy.get_num_threads())
"""


@pytest.mark.parametrize("number", ["1", "3"])
def test_the_environment_and_the_end_of_a_process(tmp_path, number):
    ended = run_program(tmp_path, ENDING, STATICPY_NUM_THREADS=number)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"{number}\n", "")


INTERRUPTED = """
import numpy as np, staticpy, sys
def long(x, count):
    for _ in range(count):
        x = np.exp(np.tanh(x))
    return x
call = staticpy.jit(long, backend="llvm")
x = np.ones(100_000)
call(x, 2)
print("ready", flush=True)
try:
    call(x, 10**9)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_signal_ends_a_loop_of_loops(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(INTERRUPTED)
    environment = {**os.environ, "STATICPY_NUM_THREADS": "3"}
    with subprocess.Popen(
        [sys.executable, str(file)], env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=30)[0] == "interrupted\n"
        finally:
            process.kill()


@pytest.mark.parametrize("number", [0, -1, threads.MOST + 1])
def test_numbers_that_are_none(number):
    with pytest.raises(ValueError, match="threads"):
        staticpy.set_num_threads(number)
