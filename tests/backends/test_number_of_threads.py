"""How many threads native loops run on: what can be said, and what is said of the rest."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import staticpy


@pytest.mark.parametrize("number", [0, -1, 65])
def test_a_number_out_of_range(number: int) -> None:
    before = staticpy.get_num_threads()
    with pytest.raises(ValueError, match="from 1 to 64"):
        staticpy.set_num_threads(number)
    assert staticpy.get_num_threads() == before


@pytest.mark.parametrize("number", [1.5, "2", None])
def test_what_is_no_int(number: object) -> None:
    before = staticpy.get_num_threads()
    with pytest.raises(TypeError):
        staticpy.set_num_threads(number)  # type: ignore[arg-type]
    assert staticpy.get_num_threads() == before


@pytest.mark.parametrize(
    ("said", "expected"), [("3", "3"), ("1000", "64"), ("abc", "abc"), ("0", "'0'"), ("1.5", "1.5")]
)
def test_what_the_environment_says(said: str, expected: str) -> None:
    code = "import staticpy; staticpy.jit; print(staticpy.get_num_threads())"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "STATICPY_NUM_THREADS": said},
        capture_output=True,
        text=True,
        check=False,
    )
    is_number = said.isdecimal() and said != "0"
    assert ended.returncode == (0 if is_number else 1)
    if is_number:
        assert ended.stdout == f"{expected}\n"
    else:
        assert ended.stderr.splitlines()[-1].startswith("ValueError: STATICPY_NUM_THREADS")
        assert expected in ended.stderr
