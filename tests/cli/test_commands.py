"""``explain``, ``rule``, ``version``, ``show``."""

from __future__ import annotations

import json
import linecache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.backends.python_source.in_blocks import in_blocks
from staticpy.cli import main
from staticpy.diagnostics import DiagnosticSpec, catalog

MODEL = """\
import numpy as np
from numpy.typing import NDArray


def double(x: float) -> float:
    return x * 2


class Net:
    def run(self, x: int) -> int:
        return x + 1


def refused(x: float) -> float:
    class A: pass
    return 1.0


def plain(x):
    return x
"""

Output = pytest.CaptureFixture[str]


@pytest.mark.parametrize("spec", [pytest.param(spec, id=spec.code) for spec in catalog.ALL])
def test_explain(spec: DiagnosticSpec, capsys: Output) -> None:
    assert main(["explain", spec.code]) == 0
    by_code = capsys.readouterr().out
    assert main(["explain", spec.slug]) == 0
    assert capsys.readouterr().out == by_code
    assert by_code.startswith(f"{spec.code} {spec.slug} (")
    for text in (spec.message, spec.help, spec.explanation.strip()):
        assert text in by_code
    assert spec.bad.strip().splitlines()[-1] in by_code


def test_explain_suggests(capsys: Output) -> None:
    assert main(["explain", "branch-type-mismach"]) == 2
    assert "did you mean branch-type-mismatch" in capsys.readouterr().err
    assert main(["explain", "E501"]) == 2
    assert "there is no rule 'E501'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["explain", "rule"])
def test_the_beginning_of_a_code_lists_what_has_it(command: str, capsys: Output) -> None:
    assert main([command, "spy40"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [
        spec.code for spec in catalog.ALL if spec.code.startswith("SPY40")
    ]
    assert main(["rule", "SPY40", "--output-format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(lines)


def test_rule(capsys: Output) -> None:
    assert main(["rule"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(catalog.ALL)
    assert main(["rule", "SPY402"]) == 0
    one = capsys.readouterr().out
    assert one.startswith("SPY402")
    assert main(["rule", "--all"]) == 0
    assert one.strip() in capsys.readouterr().out
    assert main(["rule", "SPY402", "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["category"] == "control-flow"
    assert main(["rule", "--output-format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(catalog.ALL)
    assert main(["rule", "nothing"]) == 2


def test_version(capsys: Output) -> None:
    assert main(["version"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"staticpy {staticpy.__version__}\n")
    assert "\nnumpy 2" in out


def test_no_command(capsys: Output) -> None:
    with pytest.raises(SystemExit) as error:
        main([])
    assert error.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(MODEL)
    return "model.py"


STAGES = [("ast", "name='double'"), ("ir", "py.mul"), ("opt", "py.mul"), ("source", "x * 2")]


@pytest.mark.parametrize(("stage", "part"), STAGES)
def test_show(model: str, stage: str, part: str, capsys: Output) -> None:
    assert main(["show", f"{model}:double", "--stage", stage]) == 0
    assert part in capsys.readouterr().out


LOOPS = """\
import numpy as np
import staticpy


def loss(w: staticpy.f64["n"], x: staticpy.f64["n"]):
    error = np.abs(w * x)
    return error.sum()


def number(x: int):
    return x * 2
"""

NATIVE_STAGES = [
    ("kernels", "cluster.0 over [n]: multiply absolute sum", "(line 6, 7)"),
    ("llvm", "define ptr @entry", "<8 x double>"),
    ("asm", "entry:", "mulpd"),
]


@pytest.mark.parametrize(("stage", "part", "other"), NATIVE_STAGES)
def test_show_native_code(
    stage: str, part: str, other: str, tmp_path: Path, capsys: Output
) -> None:
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    path = tmp_path / "losses.py"
    path.write_text(LOOPS)
    assert main(["show", f"{path}:loss", "--stage", stage]) == 0
    shown = capsys.readouterr().out
    assert part in shown
    assert other in shown
    assert main(["show", f"{path}:loss", "--stage", stage, "--grad"]) == 0
    assert capsys.readouterr().out != shown


def test_show_kernels_of_what_has_none(tmp_path: Path, capsys: Output) -> None:
    pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
    path = tmp_path / "losses.py"
    path.write_text(LOOPS)
    assert main(["show", f"{path}:number", "--stage", "kernels"]) == 0
    assert capsys.readouterr().out == "there are no loops over arrays\n"


def test_show_without_the_native_backend(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    base = pytest.importorskip("staticpy.backends.base")
    monkeypatch.delitem(base._BACKENDS, "llvm", raising=False)
    assert main(["show", f"{model}:double", "--stage", "asm"]) == 2
    assert "pip install 'staticpy[native]'" in capsys.readouterr().err


@pytest.mark.parametrize("stage", ["opt", "source"])
def test_show_a_gradient(stage: str, tmp_path: Path, capsys: Output) -> None:
    text = "import staticpy\n\n\ndef f(x: float):\n    return staticpy.grad(lambda y: y * y)(x)\n"
    path = tmp_path / "slope.py"
    path.write_text(text)
    assert main(["show", f"{path}:f", "--stage", stage]) == 0
    shown = capsys.readouterr().out
    assert "vjp" not in shown
    assert "f(x" in shown or "@f(%x" in shown


GRADIENT = """\
import numpy as np
import staticpy


def loss(w: staticpy.f64["n"], x: staticpy.f64["n"], *, scale: float):
    return (np.tanh(w * x) * scale).sum()


def pair(p: tuple[float, float], y: float):
    return np.nextafter(y, 1.0) * p[0] * p[1]
"""


@pytest.fixture
def gradient(tmp_path: Path) -> str:
    path = tmp_path / "losses.py"
    path.write_text(GRADIENT)
    return str(path)


def test_show_the_gradient_of_a_function(gradient: str, capsys: Output) -> None:
    assert main(["show", f"{gradient}::loss", "--stage", "source", "--grad"]) == 0
    namespace: dict[str, Any] = {"np": np, "in_blocks": in_blocks}
    exec(capsys.readouterr().out, namespace)
    w, x = np.linspace(0.0, 1.0, 4), np.full(4, 0.5)
    found = namespace["gradient"](w, x, scale=3.0)
    np.testing.assert_allclose(found, 1.5 * (1 - np.tanh(w * x) ** 2))


def test_show_a_gradient_by_other_arguments(gradient: str, capsys: Output) -> None:
    argv = ["show", f"{gradient}:pair", "--grad"]
    assert main([*argv, "--stage", "source"]) == 0
    assert "gradient(p_0, p_1, y):" in capsys.readouterr().out
    assert main(argv) == 0
    assert " = vjp %p_0, %p_1, " in capsys.readouterr().out
    assert main([*argv, "--argnums", "0,1"]) == 0  # as lowered: nothing is pulled back yet
    assert " = vjp %p_0, %p_1, %y, " in capsys.readouterr().out
    assert main([*argv, "--argnums", "1", "--stage", "opt"]) == 1
    assert "SPY701" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argnums", "message"),
    [
        ("7", "there is no parameter 7 by position: 'pair' has 2"),
        ("-3", "there is no parameter -3 by position"),
        ("0,-2", "names one parameter twice"),
    ],
)
def test_show_no_gradient_by_parameters_that_there_are_not(
    gradient: str, argnums: str, message: str, capsys: Output
) -> None:
    assert main(["show", f"{gradient}:pair", "--grad", f"--argnums={argnums}"]) == 2
    assert message in capsys.readouterr().err


def test_show_argnums_without_a_gradient(gradient: str, capsys: Output) -> None:
    assert main(["show", f"{gradient}:pair", "--argnums", "0"]) == 2
    assert "'--argnums' needs '--grad'" in capsys.readouterr().err


def test_show_no_syntax_tree_of_a_gradient(gradient: str, capsys: Output) -> None:
    assert main(["show", f"{gradient}:loss", "--grad", "--stage", "ast"]) == 2
    assert "no syntax tree" in capsys.readouterr().err


def test_show_refuses(model: str, capsys: Output) -> None:
    assert main(["show", f"{model}:refused"]) == 1
    assert "15 |     class A: pass" in capsys.readouterr().out
    assert main(["show", f"{model}:plain"]) == 1
    assert "SPY610" in capsys.readouterr().out


def test_show_reads_the_file_that_is_there_now(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    stale = (26, None, ["another file\n"] * 20, model)  # a file of this name in another folder
    monkeypatch.setitem(linecache.cache, model, stale)
    assert main(["show", f"{model}:refused"]) == 1
    assert "15 |     class A: pass" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("model.py:missing", "there is no function 'missing'"),
        ("model.py:Net", "it has: double, Net.run, refused, plain"),
        ("model.py", "is not FILE:FUNCTION"),
        ("gone.py:f", "cannot read 'gone.py'"),
    ],
)
def test_show_bad_usage(model: str, target: str, message: str, capsys: Output) -> None:
    assert main(["show", target]) == 2
    assert message in capsys.readouterr().err


def test_show_by_something_that_is_no_number(model: str, capsys: Output) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["show", f"{model}:plain", "--grad", "--argnums", "x"])
    assert raised.value.code == 2
    assert "'x' is no number" in capsys.readouterr().err


def test_show_a_broken_file(model: str, capsys: Output) -> None:
    Path(model).write_text("def f(:\n")
    assert main(["show", f"{model}:f"]) == 1
    assert "SPY001" in capsys.readouterr().out
