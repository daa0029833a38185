"""Backends by their names."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

import staticpy
from staticpy.backends import base, default_backend, get_backend


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(
        ValueError, match=r"no backend 'fast'; there are: .*python_source"
    ) as caught:
        get_backend("fast")
    assert "pip" not in str(caught.value)


def test_what_to_install_is_said(monkeypatch):
    monkeypatch.setattr(base, "_BACKENDS", {"python_source": get_backend("python_source")})
    with pytest.raises(ValueError, match=r"pip install 'staticpy\[native\]'"):
        get_backend("llvm")


# --- the default ----------------------------------------------------------------------------------


def double(x):
    return x * 2


@pytest.fixture
def nothing_said(monkeypatch):
    monkeypatch.delenv("STATICPY_BACKEND", raising=False)


@pytest.mark.skipif(sys.platform != "linux", reason="native code is the default on Linux")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="native code is for x86-64")
def test_native_code_where_it_is_installed(nothing_said):
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    compiled = staticpy.jit(double)
    assert compiled.backend == default_backend() == "llvm"
    assert compiled(np.ones(3)).tolist() == [2.0, 2.0, 2.0]
    stages = compiled.lower(np.ones(3)).compile()
    assert "define" in stages.llvm_ir
    other = staticpy.jit(double, backend="python_source").lower(np.ones(3)).compile()
    assert stages.source == other.source == "def double(x):\n    return x * 2.0\n"


@pytest.mark.parametrize(("system", "machine"), [("win32", "AMD64"), ("linux", "aarch64")])
def test_python_source_elsewhere(nothing_said, monkeypatch, system, machine):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    assert default_backend() == "python_source"


def test_python_source_where_nothing_else_is_installed(nothing_said, monkeypatch):
    monkeypatch.setattr(base, "_BACKENDS", {"python_source": get_backend("python_source")})
    assert staticpy.jit(double).backend == "python_source"


def test_what_the_environment_names(monkeypatch):
    monkeypatch.setenv("STATICPY_BACKEND", "python_source")
    assert staticpy.jit(double).backend == "python_source"
    monkeypatch.setenv("STATICPY_BACKEND", "fast")
    with pytest.raises(ValueError, match=r"STATICPY_BACKEND: there is no backend 'fast'; there"):
        staticpy.jit(double)


def test_a_compiled_function_keeps_its_backend(nothing_said):
    compiled = staticpy.jit(double, backend="python_source")
    assert staticpy.jit(compiled) is compiled
    assert staticpy.jit(compiled, static_argnames="x").backend == "python_source"


@pytest.mark.parametrize("backend", ["python_source", "llvm"])
def test_a_decorator_loads_its_backend(backend):
    """So that a first call has only to compile; what is not needed stays out."""
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    text = "import sys, staticpy; staticpy.jit(); print('llvmlite' in sys.modules)"
    environment = {**os.environ, "STATICPY_BACKEND": backend}
    run = [sys.executable, "-c", text]
    found = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(backend == "llvm")
