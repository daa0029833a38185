"""Arrays in files: ``.npz``, and ``.safetensors`` where that package is installed.

In: a path, and what is to be saved. Out: a file that is either the old one or the new one, whenever
the program is interrupted; or the arrays of a file that is whole. No pickle is written or read.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from staticpy.nn.state import Arrays, arrays_of, restore


def save(path: Any, source: Any) -> None:
    """Save all that is remembered to one file.

    The file is written beside its place and moved there when all of it is on the disk: whoever
    reads it finds the old file or the new one, also after a crash.

    Args:
        path: ends in ``.npz`` or ``.safetensors``.
        source: a Cell, an optimiser, an array, a ``np.random.Generator``, or a dict of these, as
            ``{"net": net, "optimizer": optimizer, "rng": rng}``.

    Raises:
        ValueError: the path ends in something else, or an array has a dtype that can't be saved.
        ImportError: safetensors is not installed.
        OSError: the file can't be written.
    """
    place = Path(path)
    write = _write_safetensors if _is_safetensors(place) else _write_npz
    arrays = arrays_of(source)
    for name, array in arrays.items():
        if array.dtype.kind not in "biufc":
            raise ValueError(f"{name!r} is of dtype {array.dtype}: numbers and bools can be saved")
    _replace(place, write(arrays))


def load(path: Any, target: Any = None) -> Arrays:
    """The arrays of a file that ``save`` wrote, by name.

    Args:
        path: ends in ``.npz`` or ``.safetensors``.
        target: what the arrays are copied to, of the same structure as what was saved, if it is
            given.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the path ends in something else; the file is damaged; or it does not fit
            ``target``: a name is missing or not known, or an array has another shape or dtype.
            Nothing has changed then.
        ImportError: safetensors is not installed.
    """
    place = Path(path)
    read = _read_safetensors if _is_safetensors(place) else _read_npz
    content = place.read_bytes()
    try:
        arrays = read(content)
    except ImportError:
        raise
    except Exception as error:  # zipfile, zlib, NumPy and safetensors have many
        raise ValueError(f"{place} is damaged, or no such file: {error}") from error
    if target is not None:
        restore(target, arrays, f"the target of {place}")
    return arrays


def _is_safetensors(path: Path) -> bool:
    """Whether it is the one format or the other.

    Raises:
        ValueError: it is neither.
    """
    if path.suffix not in (".npz", ".safetensors"):
        raise ValueError(f"{path} says no format: end it in .npz or .safetensors")
    return path.suffix == ".safetensors"


def _replace(path: Path, content: bytes) -> None:
    """Write a file as a whole."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    descriptor = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Let the new name be on the disk, where folders can be opened."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# --- npz ------------------------------------------------------------------------------------------


def _write_npz(arrays: Arrays) -> bytes:
    # as np.savez, which takes names as keywords and so can't save an array that is called "file"
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as part:
                np.lib.format.write_array(part, array, allow_pickle=False)
    return whole.getvalue()


def _read_npz(content: bytes) -> Arrays:
    found: Arrays = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            if not name.endswith(".npy"):
                raise ValueError(f"{name!r} is no array")
            part = io.BytesIO(archive.read(name))  # which checks the sum of the bytes
            found[name[: -len(".npy")]] = np.lib.format.read_array(part, allow_pickle=False)
    return found


# --- safetensors ----------------------------------------------------------------------------------


def _safetensors() -> ModuleType:
    try:
        import safetensors.numpy  # noqa: PLC0415
    except ImportError:
        raise ImportError(
            "safetensors is not installed: pip install 'staticpy[safetensors]', or take .npz"
        ) from None
    module: ModuleType = safetensors.numpy
    return module


def _digest(arrays: Arrays) -> str:
    """A sum of all names, types, shapes and bytes; the format itself has none."""
    total = hashlib.sha256()
    for name in sorted(arrays):
        array = arrays[name]
        total.update(f"{name}\0{array.dtype}\0{array.shape}\0".encode())
        total.update(array.tobytes())
    return total.hexdigest()


def _write_safetensors(arrays: Arrays) -> bytes:
    plain = {name: np.array(array, order="C") for name, array in arrays.items()}
    written: bytes = _safetensors().save(plain, metadata={"sha256": _digest(plain)})
    return written


def _read_safetensors(content: bytes) -> Arrays:
    arrays: Arrays = _safetensors().load(content)
    size = int.from_bytes(content[:8], "little")
    noted = json.loads(content[8 : 8 + size]).get("__metadata__", {})
    if "sha256" in noted and noted["sha256"] != _digest(arrays):
        raise ValueError("the bytes are not those that were saved")
    return arrays
