"""Memory that large arrays leave behind, and what lives longer than it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

OUTLIVES = """
import numpy as np, staticpy

@staticpy.jit(backend="llvm")
def doubled(x):
    return x * 2

class Node:
    pass

node = Node()
node.me = node
node.data = doubled(np.ones(100_000))
"""


def test_arrays_may_outlive_all_modules(tmp_path):
    """What is in a cycle goes last when the interpreter ends, and its memory is given back as ever.
    The debug allocator overwrites what is freed, and so shows what is read of that.
    """
    program = tmp_path / "program.py"
    program.write_text(OUTLIVES)
    ran = subprocess.run(
        [sys.executable, str(program)],
        env={**os.environ, "PYTHONMALLOC": "debug"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


HUGE = """
import numpy as np, staticpy

@staticpy.jit(backend="llvm")
def doubled(x):
    return x * 2

y = doubled(np.ones(2_000_000))
middle = y.ctypes.data + y.nbytes // 2
inside = False
for line in open("/proc/self/smaps"):
    name = line.split()[0]
    if "-" in name:
        first, last = (int(number, 16) for number in name.split("-"))
        inside = first <= middle < last
    elif inside and name == "VmFlags:":
        print("hg" in line.split())
"""


@pytest.mark.skipif(
    not Path("/sys/kernel/mm/transparent_hugepage/enabled").exists(),
    reason="the system has no huge pages",
)
@pytest.mark.parametrize(("variable", "is_asked"), [("1", "True"), ("0", "False")])
def test_large_arrays_ask_for_huge_pages_where_those_of_numpy_do(tmp_path, variable, is_asked):
    program = tmp_path / "program.py"
    program.write_text(HUGE)
    ran = subprocess.run(
        [sys.executable, str(program)],
        env={**os.environ, "NUMPY_MADVISE_HUGEPAGE": variable},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (ran.stdout.split(), ran.stderr) == ([is_asked], "")
