r"""Reading source files.

In: a path, which may name anything at all. Out: the text that CPython would compile, its line ends
made ``\n``, or a SourceError. Nothing that a file says can run code: encodings are taken from a
fixed list.
"""

from __future__ import annotations

import codecs
import encodings.aliases
import os
import re
import stat
from itertools import islice

from staticpy.source.span import SourceError, SourceSpan
from staticpy.source.storage import read_up_to

MAX_BYTES = 10_000_000
"""The size above which a file is not read."""

MAX_WORDS = 300_000
"""How many words and signs a file may have: CPython's tree of so many takes some 150 MB."""

_LIMIT = f"{MAX_BYTES // 1_000_000} MB"

_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_WORD = re.compile(r"\w+|[^\s\w]")
_BLANK = re.compile(rb"^[ \t\f]*(?:#|\r?$)", re.ASCII)
_TEXT_CODEC = re.compile(
    r"utf_8(_sig)?|ascii|latin_1|iso8859_\d+|cp\d+|koi8_[rtu]|mac_\w+|gb\w+|big5\w*|shift_jis\w*"
    r"|euc_\w+|iso2022_\w+|hz|johab|kz1048|ptcp154|tis_620"
)


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a source file.

    Raises:
        SourceError: UNREADABLE_FILE, FILE_TOO_LARGE, BAD_ENCODING or NUL_BYTES.
    """
    file = os.fspath(path)
    return decode(read_bytes(file), file)


def read_bytes(file: str) -> bytes:
    """The bytes of a source file. Nothing but a regular file is read, and nothing is waited for.

    Raises:
        SourceError: UNREADABLE_FILE or FILE_TOO_LARGE.
    """
    top = SourceSpan(file, 1, 0, 1, 0)
    try:
        descriptor = os.open(file, _READING)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError("UNREADABLE_FILE", top, file=file, reason=reason) from None
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise SourceError("UNREADABLE_FILE", top, file=file, reason="not a regular file")
        data = read_up_to(descriptor, state.st_size, MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError("UNREADABLE_FILE", top, file=file, reason=reason) from None
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise SourceError("FILE_TOO_LARGE", top, file=file, limit=_LIMIT)
    return data


def decode(data: bytes, file: str) -> str:
    """The text of ``data``, by its byte order mark or its coding comment (PEP 263), else as UTF-8.

    Raises:
        SourceError: BAD_ENCODING, NUL_BYTES, or FILE_TOO_LARGE for more than MAX_WORDS.
    """
    data, codec, name = _encoding_of(data, file)
    try:
        return _of_few_words(normalize(data.decode(codec)), file)
    except UnicodeDecodeError as error:
        span = _line_of(data, error.start, file)
        detail = f"byte 0x{data[error.start]:02x} is not {name}"
        raise SourceError("BAD_ENCODING", span, file=file, detail=detail) from None
    except UnicodeError:
        top = SourceSpan(file, 1, 0, 1, 0)
        detail = f"the text is not {name}"
        raise SourceError("BAD_ENCODING", top, file=file, detail=detail) from None


def _of_few_words(text: str, file: str) -> str:
    if len(text) > MAX_WORDS and next(islice(_WORD.finditer(text), MAX_WORDS, None), None):
        top = SourceSpan(file, 1, 0, 1, 0)
        limit = f"{MAX_WORDS:,} words and signs"
        raise SourceError("FILE_TOO_LARGE", top, file=file, limit=limit)
    return text


def encoding_of(data: bytes, file: str) -> str:
    """The codec that ``decode`` reads ``data`` with, to write text back as it was.

    Raises:
        SourceError: BAD_ENCODING or NUL_BYTES.
    """
    _, codec, _ = _encoding_of(data, file)
    if data.startswith(codecs.BOM_UTF8):
        return "utf_8_sig"
    return codec.removesuffix("_sig")


def _encoding_of(data: bytes, file: str) -> tuple[bytes, str, str]:
    """The data without a byte order mark, its codec, and what the file calls that."""
    has_mark = data.startswith(codecs.BOM_UTF8)
    data = data.removeprefix(codecs.BOM_UTF8)
    if 0 in data:
        raise SourceError("NUL_BYTES", _line_of(data, data.index(0), file), file=file)
    line, name = _declared_encoding(data)
    codec = _codec_of(name)
    top = SourceSpan(file, line, 0, line, 0)
    if codec is None:
        detail = f"'{name}' is not an encoding of source text"
        raise SourceError("BAD_ENCODING", top, file=file, detail=detail)
    if has_mark and codec not in ("utf_8", "utf_8_sig"):
        detail = f"the file starts with a UTF-8 mark but declares '{name}'"
        raise SourceError("BAD_ENCODING", top, file=file, detail=detail)
    return data, codec, name


def normalize(text: str) -> str:
    r"""``text`` without a byte order mark and with ``\n`` at the end of each line."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _declared_encoding(data: bytes) -> tuple[int, str]:
    for number, line in enumerate(data[:4096].split(b"\n")[:2], start=1):
        if match := _COOKIE.match(line):
            return number, match[1].decode("ascii")
        if not _BLANK.match(line):
            break
    return 1, "utf-8"


def _codec_of(name: str) -> str | None:
    normal = re.sub(r"[-_.]+", "_", name.lower())
    canonical = encodings.aliases.aliases.get(normal, normal)
    return canonical if _TEXT_CODEC.fullmatch(canonical) and _exists(canonical) else None


def _exists(codec: str) -> bool:
    try:
        codecs.lookup(codec)
    except LookupError:
        return False
    return True


def _line_of(data: bytes, offset: int, file: str) -> SourceSpan:
    start = data.rfind(b"\n", 0, offset) + 1
    line = data.count(b"\n", 0, offset) + 1
    col = len(data[start:offset].decode("utf-8", errors="replace"))
    return SourceSpan(file, line, col, line, col + 1)
