"""From a live function to its source.

In: a Python function. Out: the SourceUnit whose compiled code is the function's own code, or a
SourceError. The text comes through ``linecache``, which also knows notebooks, the REPL and
doctests. What the text says is compiled and compared with what runs, so that no other version of
the file is ever taken for the function.
"""

from __future__ import annotations
import __future__

import ast
import copy
import linecache
import types
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from staticpy.source.span import SourceError, SourceSpan
from staticpy.source.unit import SourceFile, SourceUnit, if_deep, parse_text
from staticpy.source.walk import descendants

_CACHE: dict[str, SourceFile] = {}
_MAX_CACHED = 256
_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag
_COMPARED = (
    "co_name",
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
    "co_varnames",
    "co_freevars",
    "co_cellvars",
    "co_names",
    "co_code",
)


def from_function(function: Any) -> SourceUnit:
    """The source of a Python function, method or lambda.

    A function that ``functools.wraps`` another is itself: the wrapper is what runs.

    Raises:
        SourceError: NOT_A_PYTHON_FUNCTION, NO_SOURCE, SOURCE_CHANGED, AMBIGUOUS_LAMBDA, or what
            ``from_text`` raises.
    """
    if isinstance(function, types.MethodType):
        function = function.__func__
    if not isinstance(function, types.FunctionType):
        raise SourceError("NOT_A_PYTHON_FUNCTION", None, **names_of_other(function))
    code = function.__code__
    line = code.co_firstlineno
    where = SourceSpan(code.co_filename, line, 0, line, 0, function.__qualname__)
    source = _source_file(function, where)
    found = source.known.get(function)
    if found is None or found[0] is not code:
        found = source.known[function] = (code, _find(function, source, where))
    unit = found[1]
    return unit if unit.qualname == where.function else replace(unit, qualname=where.function)


def names_of_other(value: object) -> dict[str, Any]:
    """What a message calls something that is no Python function, and a call of it."""
    own = getattr(value, "__qualname__", getattr(value, "__name__", None))
    is_named = isinstance(own, str) and own.rpartition(".")[2].isidentifier()
    if is_named and callable(value):  # a property has the name of its getter, from Python 3.13 on
        return {"name": own, "call": own}
    return {"name": f"an object of class {type(value).__qualname__}", "call": "g"}


def _find(function: types.FunctionType, source: SourceFile, where: SourceSpan) -> SourceUnit:
    """The function of ``source`` that ``function`` was compiled from."""
    code = function.__code__
    fields = {"name": function.__qualname__, "file": code.co_filename}
    candidates = [unit for unit in source.functions if _could_be(unit, code)]
    if len(candidates) > 1 and code.co_name == "<lambda>":
        candidates = _by_position(candidates, code)
        if len({ast.dump(unit.node) for unit in candidates}) > 1:
            raise SourceError("AMBIGUOUS_LAMBDA", where, **fields)
        candidates = candidates[:1]  # those that are left have the same text
    if len(candidates) != 1 or not _is_compiled_from(code, candidates[0]):
        raise SourceError("SOURCE_CHANGED", where, **fields)
    (unit,) = candidates
    return replace(unit, qualname=function.__qualname__)


def _source_file(function: types.FunctionType, where: SourceSpan) -> SourceFile:
    """The parsed file that holds ``function``, parsed once for each content."""
    file = function.__code__.co_filename
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file, function.__globals__))
    if not text:
        raise SourceError("NO_SOURCE", where, name=function.__qualname__)
    cached = _CACHE.get(file)
    if cached is not None and cached.text == text:
        return cached
    source = parse_text(text, file)
    if len(_CACHE) >= _MAX_CACHED:
        _CACHE.pop(next(iter(_CACHE)))
    _CACHE[file] = source
    return source


def _could_be(unit: SourceUnit, code: types.CodeType) -> bool:
    name = getattr(unit.node, "name", "<lambda>")
    return name == code.co_name and unit.first_line == code.co_firstlineno


def _by_position(candidates: list[SourceUnit], code: types.CodeType) -> list[SourceUnit]:
    """The innermost lambda whose body holds every instruction of ``code``."""
    spans = [
        (line, col, end_line, end_col)
        for line, end_line, col, end_col in code.co_positions()
        if line and end_line and col is not None and end_col  # RESUME and the like have no text
    ]
    if not spans:  # ``-X no_debug_ranges``; a lambda that returns a constant, in CPython 3.12
        return [unit for unit in candidates if _could_make(unit, code)]
    start = min(span[:2] for span in spans)
    end = max(span[2:] for span in spans)
    holding = []
    for unit in candidates:
        body: Any = getattr(unit.node, "body")  # noqa: B009
        first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
        if first <= start and end <= last:
            holding.append((first, unit))
    return [max(holding, key=lambda item: item[0])[1]] if holding else []


def _could_make(unit: SourceUnit, code: types.CodeType) -> bool:
    """Whether a lambda may have been compiled to ``code``, as far as it can be known by itself."""
    if code.co_freevars or not isinstance(unit.node, ast.Lambda):
        return True
    arguments = copy.copy(unit.node.args)
    arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
    alone = ast.copy_location(ast.Lambda(arguments, unit.node.body), unit.node)
    compiled = compile(ast.Expression(alone), unit.file, "eval", dont_inherit=True)
    inner = (item for item in compiled.co_consts if isinstance(item, types.CodeType))
    return any(_is_same(code, item) for item in inner)


def _is_compiled_from(code: types.CodeType, unit: SourceUnit) -> bool:
    """Whether compiling the text of ``unit`` gives ``code``."""
    # CPython compiles `np.f(x)` in another way where the module imports `np`.
    module = ast.Module([*unit.source.imports, unit.statement], [])
    flags = code.co_flags & _FUTURES
    try:
        compiled = if_deep(lambda: compile(module, unit.file, "exec", flags, dont_inherit=True))
    except (SyntaxError, ValueError):
        return False
    except (RecursionError, MemoryError):
        raise SourceError("NESTING_TOO_DEEP", unit.span(unit.node)) from None
    found = [
        each
        for each in _codes(compiled)
        if each.co_name == code.co_name and each.co_firstlineno == code.co_firstlineno
    ]
    if any(_is_same(code, each) for each in found):
        return True
    asserts = any(isinstance(node, ast.Assert) for node in descendants(unit.node))
    return asserts and any(_is_similar(code, each) for each in found)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """``code`` and every code object in it."""
    pending = [code]
    while pending:
        code = pending.pop()
        yield code
        pending.extend(item for item in code.co_consts if isinstance(item, types.CodeType))


def _is_same(code: types.CodeType, other: types.CodeType) -> bool:
    """Whether two code objects do the same; where they stand in the file doesn't matter."""
    if any(getattr(code, name) != getattr(other, name) for name in _COMPARED):
        return False
    if len(code.co_consts) != len(other.co_consts):
        return False
    return all(map(_is_same_constant, code.co_consts, other.co_consts))


def _is_same_constant(value: object, other: object) -> bool:
    if isinstance(value, types.CodeType) and isinstance(other, types.CodeType):
        return _is_same(value, other)
    return _constant_key(value) == _constant_key(other)


def _constant_key(value: object) -> object:
    """Equal for constants that no program can tell apart: 1 is not True, and 0.0 is not -0.0."""
    if isinstance(value, tuple):
        return tuple(_constant_key(item) for item in value)
    if isinstance(value, frozenset):
        return frozenset(_constant_key(item) for item in value)
    if isinstance(value, int | str | bytes):
        return type(value), value
    return type(value), repr(value)


def _is_similar(code: types.CodeType, other: types.CodeType) -> bool:
    """Whether ``code`` does what ``other`` does and perhaps more.

    pytest rewrites the asserts of a test module, so code with asserts can't be compared exactly.
    """
    arguments = code.co_argcount + code.co_kwonlyargcount
    if code.co_varnames[:arguments] != other.co_varnames[:arguments]:
        return False
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    if not names.issuperset({*other.co_names, *other.co_varnames, *other.co_freevars}):
        return False
    return _plain_constants(code.co_consts) >= _plain_constants(other.co_consts)


def _plain_constants(constants: Iterable[object]) -> set[object]:
    plain = (value for value in constants if not isinstance(value, types.CodeType))
    return {_constant_key(value) for value in plain}
