"""Saving and loading: bit for bit, all or nothing, and no file is half written."""

from __future__ import annotations

import importlib.util
import os
import pickle
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from staticpy import Tensor, nn, optim

HAS_SAFETENSORS = importlib.util.find_spec("safetensors") is not None
FORMATS = [
    "npz",
    pytest.param(
        "safetensors",
        marks=pytest.mark.skipif(
            not HAS_SAFETENSORS, reason="safetensors is not installed (extra 'safetensors')"
        ),
    ),
]


def network(seed: int) -> nn.Cell:
    rng = np.random.default_rng(seed)
    return nn.SequentialCell(nn.Dense(3, 4, rng=rng), nn.BatchNorm1d(4), nn.Dense(4, 1, rng=rng))


def contents(cell: nn.Cell) -> dict[str, Any]:
    return {name: array.tolist() for name, array in cell.state_dict().items()}


@pytest.mark.parametrize("ending", FORMATS)
def test_round_trip(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"net.{ending}"
    net, other = network(0), network(1)
    nn.save(path, net)
    assert set(nn.load(path)) == set(net.parameters_dict())
    assert contents(net) != contents(other)
    nn.load(path, other)
    assert contents(net) == contents(other)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", FORMATS)
def test_all_kinds_of_arrays(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"arrays.{ending}"
    arrays = {
        "file": np.float32(3.0),
        "b": np.array([True, False]),
        "i": np.arange(6).reshape(2, 3).T,
        "e": np.zeros((0, 2), np.float16),
        "t": Tensor([1.0, 2.0]),
        "deep": {"x": np.array([np.nan, -0.0])},
    }
    nn.save(path, arrays)
    found = nn.load(path)
    assert set(found) == {"file", "b", "i", "e", "t", "deep.x"}
    for name, array in found.items():
        given = arrays["deep"]["x"] if name == "deep.x" else arrays[name]
        wanted = given.numpy() if isinstance(given, Tensor) else given
        assert (array.dtype, array.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_array_equal(array, wanted)


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox])
def test_run_continues_bit_for_bit(ending: str, bits: Any, tmp_path: Path) -> None:
    path = tmp_path / f"run.{ending}"
    x = np.random.default_rng(0).normal(size=(16, 3)).astype(np.float32)

    def run(seed: int) -> dict[str, Any]:
        net = network(seed).set_train()
        return {
            "net": net,
            "optimizer": optim.Adam(net, 0.01),
            "rng": np.random.Generator(bits(seed)),
        }

    def train(run: dict[str, Any]) -> None:
        data = nn.batches(x, batch_size=4, shuffle=True, rng=run["rng"])
        for _ in range(2):
            for part in data:
                (run["net"](part) ** 2).sum().backward()
                run["optimizer"].step()
                run["optimizer"].zero_grad()

    first, second = run(0), run(1)
    train(first)
    nn.save(path, first)
    nn.load(path, second)
    train(first)
    train(second)
    assert contents(first["net"]) == contents(second["net"])


@pytest.mark.parametrize("ending", FORMATS)
def test_damage_is_found_and_changes_nothing(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"net.{ending}"
    net = network(0)
    nn.save(path, net)
    whole = path.read_bytes()
    other = network(1)
    before, saved = contents(other), contents(net)
    rng = np.random.default_rng(0)
    broken = [whole[:size] for size in rng.integers(0, len(whole), 20)]
    for place in rng.integers(0, len(whole), 200):
        changed = bytearray(whole)
        changed[place] ^= 1 << int(rng.integers(8))
        broken.append(bytes(changed))
    for content in broken:
        path.write_bytes(content)
        try:
            nn.load(path, other)
        except ValueError:
            assert contents(other) == before
        else:  # a bit that says nothing of the arrays, as a date
            assert contents(other) == saved
            other.load_state_dict({key: np.array(a, np.float32) for key, a in before.items()})


def test_mismatch_is_found_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    net = network(0)
    good = net.state_dict()
    before = contents(net)
    changed = {name: array + 1 for name, array in good.items()}
    for wrong, message in (
        ({**changed, "more": np.ones(1)}, "'more' is not known"),
        ({name: array for name, array in changed.items() if name != "2.bias"}, "'2.bias' is miss"),
        ({**changed, "2.bias": np.ones(2, np.float32)}, r"'2.bias' is float32\[2\], not float32"),
        ({**changed, "2.bias": np.ones(1)}, r"'2.bias' is float64\[1\], not float32\[1\]"),
    ):
        nn.save(path, wrong)
        with pytest.raises(ValueError, match=message):
            nn.load(path, net)
        with pytest.raises(ValueError, match=message):
            net.load_state_dict(wrong)
        assert contents(net) == before


def test_all_of_several_or_none(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    net = network(0)
    nn.save(path, {"net": network(1), "optimizer": optim.SGD(net, 0.1, momentum=0.9)})
    before = contents(net)
    with pytest.raises(ValueError, match=r"'optimizer\.mean\.0\.weight' is missing"):
        nn.load(path, {"net": net, "optimizer": optim.Adam(net)})
    nn.save(path, {"net": network(1), "rng": np.random.default_rng(0)})
    with pytest.raises(ValueError, match="'rng' is no state of a MT19937"):
        nn.load(path, {"net": net, "rng": np.random.Generator(np.random.MT19937(0))})
    assert contents(net) == before


def test_no_pickle(tmp_path: Path) -> None:
    path = tmp_path / "evil.npz"
    with zipfile.ZipFile(path, "w") as archive, archive.open("x.npy", "w") as part:
        np.lib.format.write_array(part, np.array([print], object), allow_pickle=True)
    with pytest.raises(ValueError, match="damaged, or no such file"):
        nn.load(path)
    path.write_bytes(pickle.dumps({}))
    with pytest.raises(ValueError, match="damaged, or no such file"):
        nn.load(path)
    with pytest.raises(ValueError, match="'x' is of dtype object"):
        nn.save(path, {"x": np.array([print], object)})


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"end it in \.npz or \.safetensors"):
        nn.save(tmp_path / "net.pt", network(0))
    with pytest.raises(ValueError, match=r"end it in \.npz or \.safetensors"):
        nn.load(tmp_path / "net.ckpt")
    with pytest.raises(FileNotFoundError):
        nn.load(tmp_path / "none.npz")
    with pytest.raises(TypeError, match="not str"):
        nn.save(tmp_path / "x.npz", {"x": "text"})
    with pytest.raises(ValueError, match=r"two arrays are called 'a\.b'"):
        nn.save(tmp_path / "x.npz", {"a": {"b": np.ones(1)}, "a.b": np.ones(1)})
    assert list(tmp_path.iterdir()) == []


def test_without_safetensors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "safetensors", None)
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(ImportError, match=r"staticpy\[safetensors\]"):
        nn.save(tmp_path / "x.safetensors", {"x": np.ones(1)})


def test_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.npz"
    nn.save(path, {"x": np.ones(1)})

    def fail(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space"):
        nn.save(path, {"x": np.zeros(1)})
    assert nn.load(path)["x"].tolist() == [1.0]
    assert [each.name for each in tmp_path.iterdir()] == ["x.npz"]


def test_killed_while_it_saves(tmp_path: Path) -> None:
    """A process that is killed at any time leaves a file that is whole."""
    path = tmp_path / "x.npz"
    program = """
        import sys
        import numpy as np
        from staticpy import nn
        nn.save(sys.argv[1], {"x": np.full(100_000, 0.0)})
        print("ready", flush=True)
        for number in range(1, 10**6):
            nn.save(sys.argv[1], {"x": np.full(100_000, float(number))})
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), str(path)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        for _ in range(20):
            assert len(set(nn.load(path)["x"].tolist())) == 1
        process.kill()
    assert len(set(nn.load(path)["x"].tolist())) == 1
