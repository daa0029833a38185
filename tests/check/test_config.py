"""Where settings come from, and what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from staticpy.check import Settings, SettingsError, as_table, load
from staticpy.diagnostics import Severity

PYPROJECT = """\
[project]
name = "model"

[tool.staticpy.check]
select = ["SPY1", "branch-type-mismatch"]
scope = "reachable"
error-on-warning = true

[tool.staticpy.check.severity]
SPY8 = "info"

[tool.staticpy.check.per-file-ignores]
"tests/**" = ["SPY104"]
"""


def test_a_table_of_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    settings = load(tmp_path)
    assert settings.select == ("SPY1", "branch-type-mismatch")
    assert settings.scope == "reachable"
    assert settings.error_on_warning
    assert settings.severity == {"SPY8": Severity.INFO}
    assert settings.per_file_ignores == {"tests/**": ("SPY104",)}
    assert (settings.root, settings.file) == (tmp_path, tmp_path / "pyproject.toml")


def test_the_nearest_file_upwards_counts(tmp_path: Path) -> None:
    inner = tmp_path / "package" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "package" / "pyproject.toml").write_text("[tool.ruff]\nselect = ['E']\n")
    assert load(inner).scope == "reachable"  # one without a table for staticpy does not count
    (tmp_path / "package" / "staticpy.toml").write_text("[check]\nscope = 'all'\n")
    assert load(inner).scope == "all"
    assert load(inner).root == tmp_path / "package"


def test_a_file_of_its_own_counts_before_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "staticpy.toml").write_text("")
    assert load(tmp_path).scope == "decorated"


def test_isolated(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    assert load(tmp_path, is_isolated=True) == Settings(root=tmp_path)


def test_a_named_file(tmp_path: Path) -> None:
    strict = tmp_path / "strict.toml"
    strict.write_text("[check]\nerror-on-warning = true\n")
    assert load(tmp_path, str(strict)).error_on_warning
    with pytest.raises(SettingsError, match=r"absent\.toml: cannot be read: No such file"):
        load(tmp_path, str(tmp_path / "absent.toml"))
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(SettingsError, match="has no table"):
        load(tmp_path, str(tmp_path / "pyproject.toml"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = ['SPY1']", "there is no setting 'selct'; did you mean 'select'?"),
        ("line-length = 80", "there is no setting 'line-length'; there are: select, ignore"),
        ("select = 'SPY1'", "select: 'SPY1' is not a list of texts"),
        ("select = [1]", "select: 1 is not a text"),
        ("error-on-warning = 'yes'", "error-on-warning: 'yes' is not true or false"),
        ("scope = 'some'", "scope: 'some' is none of decorated, reachable, all"),
        ("severity = {SPY1 = 'fatal'}", "severity.SPY1: 'fatal' is none of error, warning, info"),
        ("per-file-ignores = ['a.py']", "per-file-ignores: ['a.py'] is not a table of lists"),
        ("select = [", "is not TOML"),
    ],
)
def test_wrong_settings(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.staticpy.check]\n{text}\n")
    with pytest.raises(SettingsError) as caught:
        load(tmp_path)
    assert message in str(caught.value)
    assert str(tmp_path / "pyproject.toml") in str(caught.value)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_settings_in_another_encoding(encoding: str, tmp_path: Path) -> None:
    text = "[project]\nname = 'caf\xe9'\n[tool.staticpy.check]\nselect = ['SPY1']\n"
    (tmp_path / "pyproject.toml").write_text(text, encoding=encoding)
    with pytest.raises(SettingsError, match="is not TOML: 'utf-8' codec"):
        load(tmp_path)


def test_a_key_beside_the_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.staticpy]\nselect = ['SPY1']\n")
    with pytest.raises(SettingsError, match="there is no setting 'select'"):
        load(tmp_path)


def test_every_setting_has_a_key() -> None:
    fields = {name.replace("_", "-") for name in Settings.__dataclass_fields__}
    assert set(as_table(Settings())) == fields - {"root", "file"}
