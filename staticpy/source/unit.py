"""A parsed file and the functions in it.

In: text. Out: a SourceFile, which yields a SourceUnit for each function definition. Nothing is
imported or run. The whole file is parsed, so that positions are the file's own, whatever the
indentation.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from types import CodeType, FunctionType
from typing import Any, TypeVar, get_args
from weakref import WeakKeyDictionary

from staticpy.source.span import SourceError, SourceSpan
from staticpy.source.stack import run_deep
from staticpy.source.text import normalize, read_text
from staticpy.source.walk import children

_TOKEN = re.compile(
    r"(?P<newline>\n)|(?P<space>[^\S\n]+|\\\n|#[^\n]*)"
    r"|\'\'\'(?:\\.|[^\\])*?\'\'\'|\"\"\"(?:\\.|[^\\])*?\"\"\""
    r"|'(?:\\.|[^\\'\n])*'|\"(?:\\.|[^\\\"\n])*\"|\w+|.",
    re.DOTALL,
)
_T = TypeVar("_T")
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FUNCTIONS = frozenset(get_args(FunctionNode))
_BLOCK_FIELDS = ("body", "handlers", "orelse", "finalbody", "cases")
_BLOCKS: dict[type, tuple[str, ...]] = {}


class SourceFile:
    """A file's name, text, lines and syntax tree."""

    def __init__(self, file: str, text: str, tree: ast.Module) -> None:
        self.file = file
        self.text = text
        self.lines = text.split("\n")
        self.tree = tree
        self.known: WeakKeyDictionary[FunctionType, tuple[CodeType, SourceUnit]] = (
            WeakKeyDictionary()
        )
        """The live functions that ``from_function`` has found here, with the code that they had:
        each is compiled more than once."""

    @cached_property
    def line_starts(self) -> list[int]:
        """Where in the text each line begins, and where one after the last would."""
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    @cached_property
    def units(self) -> list[SourceUnit]:
        """Every ``def`` and ``async def``, in the order of the text."""
        return [unit for unit in self.functions if not isinstance(unit.node, ast.Lambda)]

    @cached_property
    def functions(self) -> list[SourceUnit]:
        """Every function of the file, lambdas too, in the order of the text."""
        return list(_functions(self))

    @cached_property
    def holders(self) -> frozenset[SourceUnit]:
        """The functions in which a ``def`` stands."""
        found: set[SourceUnit] = set()
        for unit in self.units:
            outer = unit.parent
            while outer is not None and outer not in found:
                found.add(outer)
                outer = outer.parent
        return frozenset(found)

    def forget_functions(self) -> None:
        """Let go of the functions, which refer to the file."""
        for name in ("units", "functions", "holders"):
            self.__dict__.pop(name, None)

    @cached_property
    def evaluates_annotations(self) -> bool:
        """Whether a ``def`` evaluates its annotations, as it does before Python 3.14."""
        if sys.version_info >= (3, 14):
            return False
        futures = (node for node in self.tree.body if isinstance(node, ast.ImportFrom))
        return not any(
            alias.name == "annotations"
            for node in futures
            if node.module == "__future__"
            for alias in node.names
        )

    @cached_property
    def imports(self) -> list[ast.stmt]:
        """Every import that binds names of the module."""
        found: list[ast.stmt] = []
        pending: list[ast.AST] = [self.tree]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Import | ast.ImportFrom):
                if getattr(node, "module", None) != "__future__":
                    found.append(node)
            elif not isinstance(node, FunctionNode | ast.ClassDef | ast.expr):
                pending.extend(ast.iter_child_nodes(node))
        return found

    def __iter__(self) -> Iterator[SourceUnit]:
        return iter(self.units)

    def span(self, node: Any, function: str = "") -> SourceSpan:
        """Where a node is; ``function`` is the qualified name of what holds it."""
        end_line = node.end_lineno or node.lineno
        end_byte = node.col_offset if node.end_col_offset is None else node.end_col_offset
        start = self.column(node.lineno, node.col_offset)
        end = self.column(end_line, end_byte)
        return SourceSpan(self.file, node.lineno, start, end_line, end, function)

    def column(self, line: int, byte: int) -> int:
        """The column in characters of a column in UTF-8 bytes."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        if text.isascii():
            return byte
        return len(text.encode()[:byte].decode(errors="replace"))


@dataclass(frozen=True, slots=True, eq=False)
class SourceUnit:
    """One function of a file.

    ``node`` is its ``ast`` node, decorators included; ``statement`` is the statement of the module
    that holds it, and ``class_name`` the innermost class around it, by which Python mangles
    private names. ``parent`` is the function around it.
    """

    source: SourceFile
    qualname: str
    node: FunctionNode
    statement: ast.stmt
    class_name: str = ""
    parent: SourceUnit | None = None

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2]

    @property
    def file(self) -> str:
        """The name of the file."""
        return self.source.file

    @property
    def text(self) -> str:
        """The text of the whole file."""
        return self.source.text

    @property
    def lines(self) -> list[str]:
        """The lines of the whole file, without their ends."""
        return self.source.lines

    @property
    def decorators(self) -> list[ast.expr]:
        """The expressions of the decorators, the outermost first."""
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list

    @property
    def first_line(self) -> int:
        """The line that CPython calls the first of the function: that of its first decorator."""
        return self.decorators[0].lineno if self.decorators else self.node.lineno

    @property
    def own_text(self) -> str:
        """The text of the lines that it stands on, those of its decorators too."""
        starts = self.source.line_starts
        last = self.node.end_lineno or self.node.lineno
        return self.source.text[starts[self.first_line - 1] : starts[last]]

    @property
    def holds_definitions(self) -> bool:
        """Whether another ``def`` stands in it, or an ``async def``."""
        return self in self.source.holders

    def mentions(self, text: str) -> bool:
        """Whether one of its lines holds ``text``: what no line holds need not be looked for."""
        return text in self.own_text

    def span(self, node: Any) -> SourceSpan:
        """Where a node of this function is; a node without a position is where the function is.

        Args:
            node: a node of ``ast`` or ``gast``.
        """
        if getattr(node, "lineno", None) is None:
            node = self.node
        return self.source.span(node, self.qualname)


def from_file(path: str | os.PathLike[str]) -> SourceFile:
    """Read and parse a file.

    Raises:
        SourceError: it can't be read (see ``read_text``), or SYNTAX_ERROR or NESTING_TOO_DEEP.
    """
    return from_text(read_text(path), os.fspath(path))


def from_text(text: str, file: str = "<string>") -> SourceFile:
    """Parse the text of a module.

    Raises:
        SourceError: NUL_BYTES, BAD_ENCODING, SYNTAX_ERROR or NESTING_TOO_DEEP.
    """
    source = parse_text(text, file)
    with _located(source.text, file):  # finds a ``break`` outside of a loop and the like
        try:
            compile(source.tree, file, "exec", dont_inherit=True)
        except (RecursionError, MemoryError):  # from text, Python compiles what is nested deeper
            run_deep(
                lambda: compile(source.text, file, "exec", dont_inherit=True), raise_limit=False
            )
    return source


def refuse_newer(text: str, file: str, version: tuple[int, int]) -> None:
    """Refuse syntax that an earlier Python doesn't have, as far as CPython's parser knows of it.

    Raises:
        SourceError: SYNTAX_ERROR.
    """
    with _located(text, file):
        if_deep(lambda: ast.parse(text, file, feature_version=version))


def parse_text(text: str, file: str) -> SourceFile:
    """``from_text`` for what CPython has compiled already.

    Raises:
        SourceError: as ``from_text``.
    """
    text = normalize(text)
    if "\0" in text:
        raise SourceError("NUL_BYTES", _place(text, text.index("\0"), file), file=file)
    with _located(text, file):
        return SourceFile(file, text, if_deep(lambda: ast.parse(text, file)))


def if_deep(function: Callable[[], _T]) -> _T:
    """Call ``function``, once more with a deep stack where the stack of the caller is too short."""
    try:
        return function()
    except (RecursionError, MemoryError):
        return run_deep(function)


@contextmanager
def _located(text: str, file: str) -> Iterator[None]:
    """Turn what Python's parser and compiler raise into a SourceError; say nothing of warnings."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the import of the file gives them
            yield
    except SyntaxError as error:
        raise SourceError("SYNTAX_ERROR", _error_span(error, file), detail=error.msg) from None
    except UnicodeEncodeError as error:
        span = _place(text, error.start, file)
        raise SourceError("BAD_ENCODING", span, file=file, detail="a lone surrogate") from None
    except ValueError as error:  # an integer of more digits than Python reads
        span = SourceSpan(file, 1, 0, 1, 0)
        raise SourceError("SYNTAX_ERROR", span, detail=str(error)) from None
    except (RecursionError, MemoryError):
        raise SourceError("NESTING_TOO_DEEP", _deepest(text, file)) from None


def _error_span(error: SyntaxError, file: str) -> SourceSpan:
    line, col = error.lineno or 1, max((error.offset or 1) - 1, 0)
    end_line = error.end_lineno or line
    end_col = max((error.end_offset or 0) - 1, 0)
    if (end_line, end_col) <= (line, col):
        end_line, end_col = line, col + 1
    return SourceSpan(file, line, col, end_line, end_col)


def _deepest(text: str, file: str) -> SourceSpan:
    """The logical line, or the chain of ``elif``, that has the most parts."""
    best = where = count = start = brackets = elifs = first_elif = 0
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind == "newline" and brackets == 0:
            count = 0
        if kind in ("newline", "space"):
            continue
        start = match.start() if count == 0 else start
        count += 1
        brackets += (token in "([{") - (token in ")]}" and brackets > 0)
        if token == "elif":
            elifs += 1
            first_elif = match.start() if elifs == 1 else first_elif
        if count > best:
            best, where = count, start
    return _place(text, first_elif if elifs > best else where, file)


def _place(text: str, offset: int, file: str) -> SourceSpan:
    line, col = text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1)
    return SourceSpan(file, line, col, line, col + 1)


def _functions(source: SourceFile) -> Iterator[SourceUnit]:
    """Every function with its qualified name, and what is around it."""
    around: tuple[str, str, SourceUnit | None] = ("", "", None)
    line = 1
    for statement in source.tree.body:
        end = statement.end_lineno or line
        lines, line = source.lines[line - 1 : end], end  # from where the one before it ends
        parts = children if "lambda" in "\n".join(lines) else _inner_statements
        pending: list[Any] = [statement]
        while pending:
            node = pending.pop()
            if node.__class__ is tuple:  # the end of a function or class
                around = node
                continue
            class_ = node.__class__
            if class_ in _FUNCTIONS:
                pending.append(around)
                prefix, class_name, parent = around
                name = prefix + getattr(node, "name", "<lambda>")
                unit = SourceUnit(source, name, node, statement, class_name, parent)
                yield unit
                around = (f"{name}.<locals>.", class_name, unit)
            elif class_ is ast.ClassDef:
                pending.append(around)
                around = (f"{around[0]}{node.name}.", node.name, around[2])
            pending += parts(node)[::-1]


def _inner_statements(node: Any) -> list[Any]:
    """The statements in a statement: all there is to walk where no expression holds a function."""
    class_ = node.__class__
    fields = _BLOCKS.get(class_)
    if fields is None:
        fields = _BLOCKS[class_] = tuple(each for each in class_._fields if each in _BLOCK_FIELDS)
    return [inner for field in fields for inner in getattr(node, field)]
