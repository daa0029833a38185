"""`python -m tests.support.memcheck [ARGUMENT OF PYTEST …]`: tests of native code under valgrind.

Memcheck sees each read and write of memory, those of generated code included, and what nobody
frees. The tests run twice: first as they are, but for the processor that valgrind emulates (it
knows no AVX-512), which keeps the machine code; then under valgrind, which so needn't run LLVM.
Valgrind raises no flag of floating-point arithmetic, so that some tests of warnings fail under it:
what is judged is memory alone.

CPython, NumPy and LLVM have errors of their own, as memcheck counts. Told is what generated code
has made: it is among the functions between the place of the error and the interpreter's loop, or
memory is read, written or freed that isn't there.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree
from xml.sax.saxutils import escape

PROJECT = Path(__file__).parents[2]
TESTS = ("loops", "slices", "packing", "reductions", "products", "containers", "errors", "threads")
"""Of these files of native code's tests the tests run where nothing else is named."""

_MEMCHECK = (
    "--leak-check=full",
    "--show-leak-kinds=definite",
    "--partial-loads-ok=no",
    "--num-callers=40",
    "--error-limit=no",
    "--fair-sched=try",
    "--child-silent-after-fork=yes",
    "--vgdb=no",
    "--xml=yes",
)
_HOST, _REPORT = "MEMCHECK_HOST", "MEMCHECK_REPORT"
_ASK = """
import json
from llvmlite import binding
print(json.dumps([binding.get_host_cpu_name(), dict(binding.get_host_cpu_features())]))
"""
_INTERPRETER = re.compile(r"_PyEval_\w+")
_KNOWN = ("_dl_", "is_dst", "decompose_rpath", "__wmem", "tracemalloc_")
"""Functions of the C library that read words or vectors of which only a part is there; and what
CPython keeps of a stack while memory is traced.
"""


# --- within the tests -------------------------------------------------------------------------


def pytest_configure() -> None:
    """Let LLVM compile for the processor that valgrind emulates. Arrays take their memory from the
    C library each time: NumPy keeps what small ones leave, where memcheck can't tell old from new.
    """
    binding = import_module("llvmlite.binding")
    name, features = json.loads(os.environ[_HOST])
    binding.get_host_cpu_name = lambda: name
    binding.get_host_cpu_features = lambda: binding.targets.FeatureMap(features)
    capi = import_module("staticpy.backends.llvm.capi")
    recycling = import_module("staticpy.backends.llvm.recycling")
    set_handler = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)
    set_handler(capi.addresses()["PyDataMem_SetHandler"])(recycling.handler())


def pytest_runtest_logstart(nodeid: str) -> None:
    """Say between memcheck's errors which test comes."""
    _say("test", nodeid)


def pytest_sessionfinish() -> None:
    """Say where files lie in memory: valgrind doesn't know of all."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    _say("maps", "\n".join(line for line in lines if " r-xp " in line))
    _say("test", "the end")


def _say(tag: str, text: str) -> None:
    if _REPORT in os.environ:
        os.write(int(os.environ[_REPORT]), f"<{tag}>{escape(text)}</{tag}>\n".encode())


# --- what memcheck says -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frame:
    """A function on the stack; generated code is of no file."""

    function: str
    file: str

    @property
    def is_generated(self) -> bool:
        """Whether it is of no file."""
        return not self.file

    def __str__(self) -> str:
        return "generated code" if self.is_generated else f"{self.function} ({self.file})"


@dataclass(frozen=True, slots=True)
class Error:
    """What memcheck has found.

    Attributes:
        kind: memcheck's word for it.
        text: what it says.
        test: which one ran.
        stack: where it was, innermost first.
    """

    kind: str
    text: str
    test: str
    stack: tuple[Frame, ...]

    @property
    def is_ours(self) -> bool:
        """Whether generated code has made it, or may have."""
        if any(frame.function.startswith(_KNOWN) for frame in self.stack):
            return False
        return self.kind.startswith("Invalid") or any(each.is_generated for each in self._near())

    def _near(self) -> Iterator[Frame]:
        """What runs between the interpreter's loop and the place."""
        for frame in self.stack:
            if _INTERPRETER.match(frame.function):
                return
            yield frame

    def __str__(self) -> str:
        lines = [f"{self.kind} in {self.test}: {self.text}", *map(str, self.stack[:12])]
        return "\n    ".join(lines)


def errors_of(report: str) -> list[Error]:
    """What a report in XML tells."""
    root = ElementTree.fromstring(report)
    files = _Files(root.findtext("maps", ""))
    test, found = "no test", []
    for element in root:
        if element.tag == "test":
            test = element.text or ""
        elif element.tag == "error":
            texts = map(element.findtext, ("what", "xwhat/text", "auxwhat"))
            stack = tuple(map(files.frame, element.findall("stack[1]/frame")))
            kind = element.findtext("kind", "")
            found.append(Error(kind, "; ".join(filter(None, texts)), test, stack))
    return found


class _Files:
    """Which files lie where, by the lines of ``/proc/self/maps``."""

    def __init__(self, maps: str) -> None:
        lines = [line.split(maxsplit=5) for line in maps.splitlines()]
        spans = [(*line[0].split("-"), line[5]) for line in lines if len(line) == 6]
        self._spans = sorted((int(first, 16), int(end, 16), name) for first, end, name in spans)

    def frame(self, element: ElementTree.Element) -> Frame:
        """A frame, of the file that valgrind names, or else of the one that lies there."""
        place = int(element.findtext("ip", "0"), 16)
        number = bisect(self._spans, (place, sys.maxsize, "")) - 1
        lies = number >= 0 and place < self._spans[number][1]
        there = self._spans[number][2] if lies else ""
        return Frame(element.findtext("fn", "?"), element.findtext("obj") or there)


# --- the command ------------------------------------------------------------------------------


def check(valgrind: str, tests: Sequence[str]) -> list[Error]:
    """Run tests as they are and then under valgrind; what it has found."""
    with TemporaryDirectory() as folder:
        own = {"STATICPY_CACHE_DIR": folder, "PYTHONMALLOC": "malloc"}
        environment = {**os.environ, **own}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        emulator = [valgrind, "--tool=none", "-q", sys.executable, "-c", _ASK]
        asked = subprocess.run(emulator, env=environment, check=True, stdout=subprocess.PIPE)
        environment[_HOST] = asked.stdout.decode()
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.memcheck", *tests]
        subprocess.run(command, env=environment, cwd=PROJECT, check=True)
        report = Path(folder, "report.xml")
        with report.open("wb") as file:
            number, tells = file.fileno(), os.dup(file.fileno())
            subprocess.run(
                [valgrind, *_MEMCHECK, f"--xml-fd={number}", *command],
                env=environment | {_REPORT: str(tells)},
                cwd=PROJECT,
                check=False,
                pass_fds=[number, tells],
            )
            os.close(tells)
        return errors_of(report.read_text(encoding="utf-8"))


def main() -> int:
    """The command; 1 if generated code made an error."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.memcheck", description=__doc__)
    parser.add_argument("--all", action="store_true", help="tell of the errors of others, too")
    options, tests = parser.parse_known_args()
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        print("valgrind isn't installed here: nothing was checked")
        return 0
    found = check(valgrind, tests or [f"tests/backends/llvm/test_{name}.py" for name in TESTS])
    told = [error for error in found if options.all or error.is_ours]
    for error in told:
        print(f"{error}\n")
    ours = sum(error.is_ours for error in found)
    print(f"{ours} errors of generated code, {len(found) - ours} of others")
    return int(ours > 0)


if __name__ == "__main__":
    sys.exit(main())
