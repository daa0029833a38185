"""Handlers of signals that raise while a function is compiled."""

from __future__ import annotations

import functools
import signal

import numpy as np
import pytest

import staticpy
from staticpy.backends import get_backend, register_backend


class _Interrupted:
    """A backend during whose work a signal comes."""

    name = "interrupted"
    comes = True

    def compile(self, module):
        if self.comes:
            signal.raise_signal(signal.SIGINT)
        return get_backend("python_source").compile(module)


BACKEND = _Interrupted()
register_backend(BACKEND)


def sine(x):
    return np.sin(x)


def _raise():
    raise TimeoutError("too late")


def function(number, frame):
    _raise()


def later(note, number, frame):
    _raise()


class Handler:
    def method(self, number, frame):
        _raise()

    def __call__(self, number, frame):
        _raise()


@pytest.mark.parametrize(
    "handler", [function, Handler().method, Handler(), functools.partial(later, "a note")]
)
def test_what_a_handler_raises_comes_as_it_is(handler, monkeypatch):
    compiled = staticpy.jit(sine, backend="interrupted")
    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(TimeoutError, match="too late"):
            compiled(np.ones(3))
    finally:
        signal.signal(signal.SIGINT, before)
    monkeypatch.setattr(BACKEND, "comes", False)
    assert compiled(np.zeros(3)).tolist() == [0.0] * 3


def test_what_a_stage_raises_is_an_error_of_it(monkeypatch):
    compiled = staticpy.jit(sine, backend="interrupted")
    monkeypatch.setattr(BACKEND, "compile", lambda module: _raise())
    with pytest.raises(staticpy.CompileError, match="SPY902"):
        compiled(np.ones(3))
