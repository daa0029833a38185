"""Native code under valgrind, where that is installed: it reads and writes what is its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

PROGRAM = """
import ctypes
import numpy as np
import staticpy
from staticpy.backends.llvm import ir
from staticpy.backends.llvm.engine import compile_modules
from staticpy.backends.llvm.units import Effort

staticpy.set_num_threads(2)
rng = np.random.default_rng(0)
x, m, i = rng.normal(size=37), rng.normal(size=(13, 17)), rng.integers(0, 13, 29)


def smoothed(x):
    y = x.copy()
    for _ in range(5):
        y[1:-1] = (y[:-2] + y[1:-1] + y[2:]) / 3
    y[y < 0] = 0
    return np.tanh(y[::-1] * 1.5) + x[::2].sum()


def rows(m, i):
    e = np.exp(m[i] - m[i].max(axis=-1, keepdims=True))
    return np.maximum((e / e.sum(axis=-1, keepdims=True)) @ m.T[:, :11] + 1, 0)


def longest(i):
    n = len(i)
    t = np.zeros((n + 1, n + 1), np.int64)
    for a in range(1, n + 1):
        for b in range(1, n + 1):
            t[a, b] = t[a - 1, b - 1] + 1 if i[a - 1] == i[n - b] else max(t[a - 1, b], t[a, b - 1])
    return t[n, n]


def distances(m):
    out = np.zeros((len(m), len(m)))
    for a in range(len(m)):
        for b in range(len(m)):
            total = 0.0
            for k in range(m.shape[1]):
                total += abs(m[a, k] - m[b, k])
            out[a, b] = total
    return out


def listed(n):
    numbers, found = [1.0], {}
    for a in range(n):
        numbers.append(numbers[-1] * 0.5 + a)
        found[a % 5] = found.get(a % 5, 0.0) + numbers[a]
    return sum(numbers) + found[3]


def too_far(x, k):
    total = 0.0
    for a in range(len(x) + k):
        total += x[a]
    return total


CALLS = [(smoothed, (x,)), (rows, (m, i)), (longest, (i,)), (distances, (m,)), (listed, (40,))]
for function, args in CALLS:
    native = staticpy.jit(function, backend="llvm")
    for _ in range(2):
        np.testing.assert_allclose(native(*args), function(*args), rtol=1e-12)
try:
    staticpy.jit(too_far, backend="llvm")(x, 1)
except IndexError:
    print("done", flush=True)

module = ir.Module("beyond")
function = ir.Function(module, ir.FunctionType(ir.IntType(64), [ir.PointerType()]), "beyond")
builder = ir.IRBuilder(function.append_basic_block())
place = builder.gep(function.args[0], [ir.IntType(64)(2)], source_etype=ir.IntType(64))
builder.ret(builder.load(place, typ=ir.IntType(64)))
code = compile_modules([(module, Effort.ONCE)], ["beyond"])
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(code.address("beyond"))(libc.malloc(16))
"""
"""The last read is beyond the end of what it is of, to see that valgrind sees such things."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_what_native_code_reads_and_writes_is_its_own(tmp_path: Path) -> None:
    """Code without a name is LLVM's; other reports are of CPython, and of the loader."""
    file, log = tmp_path / "program.py", tmp_path / "log"
    file.write_text(PROGRAM)
    options = ["--smc-check=all-non-file", "--error-limit=no", f"--log-file={log}"]
    ended = subprocess.run(
        ["valgrind", *options, sys.executable, "-W", "ignore", str(file)],
        env={**os.environ, "PYTHONMALLOC": "malloc"},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    text = log.read_text()
    if "Unrecognised instruction" in text or "unhandled instruction" in text:
        pytest.skip("valgrind doesn't know all instructions of this processor")
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr
    reports = re.split(r"==\d+== \n", text)
    native = [each for each in reports if re.search(r"(at|by) 0x[0-9A-F]+: \?\?\?", each)]
    assert [re.search(r"== (Invalid \w+ of size \d+)", each)[1] for each in native] == [
        "Invalid read of size 8"
    ]
