"""Files behind a digest, written whole or not at all: what the caches of staticpy are made of.

In: a path and bytes. Out: the same bytes in another run, or None where the file is damaged, was
written by halves, or isn't there.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

DIGEST = 16
"""The bytes of a digest."""
_PIECE = 1 << 16


@cache
def _hashes() -> Any:
    # Loaded here: it brings OpenSSL with it, and most runs have nothing to look up.
    return import_module("hashlib")


def new_digest(content: bytes = b"") -> Any:
    """What digests are computed by, after ``content``."""
    return _hashes().blake2b(content, digest_size=DIGEST)


def digest(content: bytes) -> bytes:
    """The digest of ``content``."""
    return bytes(new_digest(content).digest())


def read_up_to(descriptor: int, size: int, largest: int) -> bytes:
    """What an open file holds, up to ``largest`` bytes; ``size`` is what it should be. A buffered
    stream would make room for all that it may be.
    """
    parts = [os.read(descriptor, min(size + 1, largest))]
    left = largest - len(parts[0])
    while parts[-1]:
        parts.append(os.read(descriptor, min(_PIECE, left)))
        left -= len(parts[-1])
    return b"".join(parts)


def read_stored(path: str | os.PathLike[str], largest: int) -> bytes | None:
    """What ``write_stored`` wrote, up to ``largest`` bytes."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        stored = read_up_to(descriptor, os.fstat(descriptor).st_size, DIGEST + largest)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    content = stored[DIGEST:]
    return content if digest(content) == stored[:DIGEST] else None


def write_stored(path: Path, content: bytes) -> None:
    """Write ``content`` behind its digest.

    Raises:
        OSError: the file can't be written.
    """
    write_whole(path, digest(content) + content)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all, for its owner alone.

    Raises:
        OSError: it can't be written.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(beside, flags, 0o600), "wb") as stream:
            stream.write(content)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
