"""Memory that large arrays leave behind, and what lives longer than it."""

from __future__ import annotations

import os
import subprocess
import sys

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
