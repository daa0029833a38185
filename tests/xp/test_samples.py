"""Every function of the standard means the same called, compiled, and written in plain NumPy."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.cli import main
from tests.support.describing import compare, describe
from tests.xp.samples import NAMES, REFERENCES, SAMPLES, arguments, dtypes_of
from tests.xp.test_standard import is_own

HEADER = "import staticpy\nfrom staticpy import b1, c64, f32, f64, i64, xp\n"
CHECKED = "x: {0}[2, 3], y: {0}[2, 3], v: {0}[3], w: {0}[3], m: {0}[3, 3], i: i64[3], k: i64[2, 3]"
LATER = {"from_dlpack": "2.1"}
"""Since when a function can be compiled: before, NumPy did not tell its parameters."""


def _name(function: str, number: int) -> str:
    return f"{function.replace('.', '_')}_{number}"


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """A file with a function for each sample."""
    lines = [
        f"def {_name(function, number)}({', '.join(NAMES)}): return {text}"
        for function, (_, texts) in SAMPLES.items()
        for number, text in enumerate(texts)
    ]
    path = tmp_path_factory.mktemp("xp") / "samples_of_xp.py"
    path.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("samples_of_xp", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _seen(function: Callable[..., Any], dtype: str) -> dict[str, tuple[Any, ...]]:
    """What there is to see of a call: what it gives or raises, and its arguments."""
    given = arguments(dtype)
    try:
        found = function(**given)
    except staticpy.CompileError:
        raise
    except Exception as error:
        found = type(error)
    return describe({"result": found, "arguments": given})


@pytest.mark.parametrize("function", SAMPLES)
def test_compiled(function: str, samples: ModuleType) -> None:
    if np.lib.NumpyVersion(np.__version__) < f"{LATER.get(function, '2.0')}.0":
        pytest.skip("a later NumPy compiles it")
    kinds, texts = SAMPLES[function]
    for number, text in enumerate(texts):
        plain = getattr(samples, _name(function, number))
        jitted = staticpy.jit(plain)
        for dtype in dtypes_of(kinds):
            assert list(compare(_seen(plain, dtype), _seen(jitted, dtype))) == [], (text, dtype)


OWN = [(name, text) for name in SAMPLES if is_own(name) for text in SAMPLES[name][1]]


@pytest.mark.parametrize(("function", "text"), OWN)
def test_as_written_in_numpy(function: str, text: str) -> None:
    reference = REFERENCES[text]
    for dtype in dtypes_of(SAMPLES[function][0]):
        names = {"xp": staticpy.xp, "np": np, **arguments(dtype)}
        if isinstance(reference, type):
            with pytest.raises(reference):
                eval(text, names)
        else:
            _assert_same(eval(text, names), eval(reference, names))


def _assert_same(found: Any, expected: Any) -> None:
    """Equal, and of the same type and dtype."""
    if isinstance(expected, tuple | list):
        assert len(found) == len(expected)
        for left, right in zip(found, expected, strict=True):
            _assert_same(left, right)
    else:
        assert type(found) is type(expected)
        assert getattr(found, "dtype", None) == getattr(expected, "dtype", None)
        np.testing.assert_array_equal(found, expected)


def test_every_reference_is_used() -> None:
    assert set(REFERENCES) == {text for _, text in OWN}


def test_numpys_own_are_most() -> None:
    assert sum(not is_own(name) for name in SAMPLES) > 0.8 * len(SAMPLES)


def test_what_is_written_here_is_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["check", "--scope", "all", str(Path(staticpy.xp.__file__).parent)])
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize("dtype", ["f64", "f32", "c64", "i64"])
def test_check_is_clean(dtype: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kind = dtype[0]
    lines = [HEADER]
    for function, (kinds, texts) in SAMPLES.items():
        for number, text in enumerate(texts if kind in kinds and function not in LATER else ()):
            parameters = f"{CHECKED.format(dtype)}, b: b1[2, 3]"
            lines.append(f"@staticpy.jit\ndef {_name(function, number)}({parameters}):")
            lines.append(f"    return {text}\n")
    path = tmp_path / "program.py"
    path.write_text("\n".join(lines), encoding="utf-8")
    code = main(["check", "-v", str(path)])
    assert (capsys.readouterr().out, code) == ("No errors in 1 file.\n", 0)
