"""Nothing is left behind: by calls, by compilations, by many threads that do both."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import staticpy

engine = pytest.importorskip("staticpy.backends.llvm.engine", reason="needs the extra 'native'")

NOISE = 100
"""So many blocks of memory more are no leak of 20,000 calls: they are the interpreter's own."""

ROUNDS = 3
"""What leaks does so each time; what threads do that other tests have left, doesn't."""


def arrays(x, n):
    y = np.tanh(x @ x) * 2.0 + n
    return y, y[1:], x.T, y.sum(axis=-1)


def containers(x, n):
    items = [i * 1.5 for i in range(n)]
    known = {i: i + n for i in range(n)}
    items.append(float(known[1]))
    return items, known, (n, x)


def kernels(x, n):
    z = np.sort(x, axis=0)
    w = np.cumsum(z[::2], axis=1)
    return w, np.linspace(0.0, 1.0, n)


def written(x, n):
    x[n] += 1.0
    x[1:] *= 0.5
    y = x[:, n]
    y[0] = 3.0
    return y


def large_ints(x, n):
    return n**30 + 1


def index_error(x, n):
    y = x * 2.0
    return y[n + 100]


def own_error(x, n):
    names = [n, n + 1]
    y = x @ x
    if n > 1:
        raise KeyError(names)
    return y


def warned(x, n):
    return x / (x - x)


PROGRAMS = [
    arrays,
    containers,
    kernels,
    written,
    large_ints,
    index_error,
    own_error,
    warned,
]


def call(function, count: int) -> None:
    x = np.linspace(0.0, 1.0, 16).reshape(4, 4)
    with np.errstate(all="ignore"):
        for _ in range(count):
            try:
                function(x, 3)
            except (IndexError, KeyError):
                continue
    assert sys.getrefcount(x) == 2


def grown(function, count: int) -> int:
    """How many blocks of memory there are more after so many calls."""
    gc.collect()
    before = sys.getallocatedblocks()
    call(function, count)
    gc.collect()
    return sys.getallocatedblocks() - before


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_calls_leave_nothing(program):
    function = staticpy.jit(program, backend="llvm")
    count = 100_000 if program in (arrays, containers, written) else 20_000
    call(function, 100)
    assert any(grown(function, count) <= NOISE for _ in range(ROUNDS))


def test_code_goes_with_its_function():
    def count():
        gc.collect()
        return sum(isinstance(each, engine.Code) for each in gc.get_objects())

    call(staticpy.jit(arrays, backend="llvm"), 2)  # what a process has once
    before = count()
    function = staticpy.jit(arrays, backend="llvm")
    for n in (1, 2, True, np.int8(3)):
        function(np.ones((3, 3)), n)
    assert count() == before + 3
    function.cache_clear()
    assert count() == before
    call(function, 3)
    del function
    assert count() == before


def test_what_a_process_has_once_is_made_once():
    """Threads that ask for it at the same time get the same: nobody's code goes while it runs."""
    ready = threading.Barrier(4)

    @engine.once
    def make():
        time.sleep(0.05)
        return object()

    def ask():
        ready.wait()
        found.append(make())

    found = []
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1


COMPILATIONS = """
import gc, json, sys
from pathlib import Path
import numpy as np, staticpy

def program(x, n):
    y = np.tanh(x) * 2 + n
    s = 0.0
    for i in range(n):
        s += x[i]
    return np.sort(y), s

def state():
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4, sys.getallocatedblocks(), len(gc.get_objects())

states = []
for number in range(401):
    function = staticpy.jit(program, backend="llvm")
    for n in (3, 4, 5):
        function(np.ones(8), n)
    del function
    if number % 100 == 0:
        states.append(state())
print(json.dumps(states))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory can't be measured here")
def test_compilations_leave_nothing(tmp_path):
    """Of 900 compilations less than 4 MB stay: 5 kB each, where a module of LLVM has 100."""
    program = tmp_path / "program.py"
    program.write_text(COMPILATIONS)
    ran = subprocess.run(
        [sys.executable, str(program)], stdout=subprocess.PIPE, timeout=500, check=True
    )
    _, (first_kb, first_blocks, first_objects), *_, (kb, blocks, objects) = json.loads(ran.stdout)
    assert kb - first_kb < 4096
    assert abs(blocks - first_blocks) < 200
    assert abs(objects - first_objects) < 20


THREADS = """
import faulthandler, gc, random, threading
import numpy as np, staticpy

faulthandler.enable()
faulthandler.dump_traceback_later(400, exit=True)

def shared(x, n):
    y = np.tanh(x) * n + x.sum()
    if n == 9:
        raise KeyError(n)
    return y

def own(factor):
    def scaled(x):
        s = 0.0
        for i in range(len(x)):
            s += x[i] * factor
        return np.sort(x) * factor, s
    return scaled

both = staticpy.jit(shared, backend="llvm")
wrong = []

def run(seed):
    rng = random.Random(seed)
    for _ in range(25):
        kind = rng.choice([np.float32, np.float64, np.int16, np.complex128])
        x = np.arange(rng.randrange(1, 40_000)).astype(kind)
        factor = rng.random()
        function = staticpy.jit(own(factor), backend="llvm")
        small = x[:50].real
        for _ in range(3):
            found, expected = function(small), own(factor)(small)
            if found[0].tobytes() != expected[0].tobytes() or found[1] != expected[1]:
                wrong.append((kind, factor))
        for n in (2, 2.5, 9):
            try:
                found = both(x, n)
                if found.dtype != shared(x[:1], n).dtype or len(found) != len(x):
                    wrong.append((kind, n))
            except KeyError:
                if n != 9:
                    wrong.append((kind, n))
        if rng.random() < 0.2:
            both.cache_clear()
        if rng.random() < 0.2:
            gc.collect()

threads = [threading.Thread(target=run, args=(seed,)) for seed in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(wrong)
"""


@pytest.mark.slow
def test_eight_threads_compile_and_call(tmp_path):
    """Each makes functions of its own, and calls one that others call, compile and forget."""
    program = tmp_path / "program.py"
    program.write_text(THREADS)
    ran = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=500, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "[]\n", "")
