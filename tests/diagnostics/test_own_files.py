"""A diagnostic points to the user's text alone, also where a function of this package fails."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy import xp
from staticpy.source import OWN_FILES


@staticpy.jit
def of_no_axis(x):
    return xp.argsort(x, axis=7)


@staticpy.jit
def of_a_text(x):
    return xp.clip(x, "a")


@staticpy.jit
def of_texts(x):
    return xp.broadcast_arrays(x, "a")


def through_another(x):
    return xp.sort(x, axis=3)


@staticpy.jit
def of_no_axis_further_down(x):
    return through_another(x)


@pytest.mark.parametrize("fun", [of_no_axis, of_a_text, of_texts, of_no_axis_further_down])
def test_no_label_is_in_this_package(fun) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(staticpy.CompileError) as caught:
        fun(np.ones(3))
    assert OWN_FILES not in str(caught.value)
    for item in caught.value.diagnostics:
        spans = [item.span, *item.chain, *(label.span for label in item.labels)]
        assert {span.file for span in spans} == {__file__}
