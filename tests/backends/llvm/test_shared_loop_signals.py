"""Loops over numbers on several threads: signals, and other threads of Python, come meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

PROGRAM = """
import os, signal, sys, time
import numpy as np, staticpy
def long(rows, limit):
    counts = np.zeros((rows, 4), np.int64)
    for i in range(rows):
        for j in range(4):
            count, x = 0, 0.0
            while count < limit and x < 4.0:
                x = x * x * 0.5 + 0.1
                count += 1
            counts[i, j] = count
    return counts
staticpy.set_num_threads(3)
call = staticpy.jit(long, backend="llvm")
call(4000, 100)
"""

INTERRUPTED = (
    PROGRAM
    + """
print("ready", flush=True)
try:
    call(int(sys.argv[1]), 10**10)
except KeyboardInterrupt:
    print("interrupted")
"""
)

HANDLED = (
    PROGRAM
    + """
def handle(number, frame):
    staticpy.set_num_threads(2)
    call(4000, 100)
    child = os.fork()
    if not child:
        calls.append("child")
    else:
        calls.append(child)
calls = []
signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.05)
counts = call(1500, 20_000)
assert (counts == 20_000).all() and len(calls) == 1
if calls == ["child"]:
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(calls[0], 0)[1]) == 7
print("handled")
"""
)


UNLOCKED = (
    PROGRAM
    + """
import threading
call(4000, 100)
thread = threading.Thread(target=call, args=(100_000, 1000))
thread.start()
ticks = 0
while thread.is_alive():
    time.sleep(0.001)
    ticks += 1
print("others ran" if ticks > 50 else ticks)
"""
)


def test_other_threads_run_meanwhile(tmp_path):
    """The lock of the interpreter is let go of, and taken back only to look for signals."""
    file = tmp_path / "program.py"
    file.write_text(UNLOCKED)
    command = [sys.executable, str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.stdout, ended.stderr) == ("others ran\n", "")


@pytest.mark.parametrize("rows", [1, 2, 1000])
def test_a_signal_ends_a_loop(tmp_path, rows):
    """Also where the thread that gets it waits for the others."""
    file = tmp_path / "program.py"
    file.write_text(INTERRUPTED)
    command = [sys.executable, str(file), str(rows)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        begun = time.perf_counter()
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=30)[0] == "interrupted\n"
        finally:
            process.kill()
    assert time.perf_counter() - begun < 5.0  # the end of a process included, on a busy machine


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_handler_may_call_and_fork(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(HANDLED)
    command = [sys.executable, "-W", "ignore", str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "handled\n", "")
