"""Backends by their names."""

from __future__ import annotations

import pytest

from staticpy.backends import base, get_backend


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
