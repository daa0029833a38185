"""Comparisons of floats for loops of which LLVM is to make vectors, where a NaN raises no flag.

LLVM makes vectors of its own comparison, for which a NaN is an invalid operation, and none of the
one that knows of flags. So this emits the former, with a mark that says nothing else of a
comparison, and has the latter in its place when LLVM has made its vectors:

    %3 = fcmp arcp olt <8 x double> %1, %2
    %3 = call <8 x i1> @llvm.experimental.constrained.fcmp.v8f64(<8 x double> %1, ...)

If one should lose its mark it may raise a flag: what this is emitted in must be possible once more.
"""

from __future__ import annotations

import re
from math import inf, isnan

from staticpy.backends.llvm import ir

_INVERSE = {"<": ">=", ">": "<="}
_MARK = "arcp"
_VALUE = r"(?:[^,<\n]|<[^>\n]*>)+"
_COMPARISON = re.compile(
    rf"fcmp {_MARK} (?P<predicate>[ou](?:lt|le|gt|ge|eq|ne)) "
    rf"(?P<type>(?:<(?P<count>\d+) x )?(?P<element>double|float)>?) "
    rf"(?P<left>{_VALUE}), (?P<right>{_VALUE})(?P<rest>$|, !.*$)",
    re.MULTILINE,
)
_NAME = "llvm.experimental.constrained.fcmp"
_BITS = {"double": 64, "float": 32}


def compared(builder: ir.IRBuilder, symbol: str, x: ir.Value, y: ir.Value) -> ir.Value:
    """``x < y``, or one of its kind, by its symbol or by what LLVM calls it."""
    return builder.fcmp_ordered(symbol, x, y, flag=_MARK)


def has_marks(text: str) -> bool:
    """Whether a module has comparisons with the mark."""
    return f"fcmp {_MARK} " in text


def quieted(text: str) -> str:
    """The text of a module in which comparisons with the mark know of flags."""
    declared: dict[str, str] = {}

    def quiet(found: re.Match[str]) -> str:
        type_, count, predicate = found["type"], found["count"], found["predicate"]
        name = f"{_NAME}.{f'v{count}' if count else ''}f{_BITS[found['element']]}"
        holds = f"<{count} x i1>" if count else "i1"
        declared[name] = f"declare {holds} @{name}({type_}, {type_}, metadata, metadata)\n"
        how = f'metadata !"{predicate}", metadata !"fpexcept.maytrap"'
        operands = f"{type_} {found['left']}, {type_} {found['right']}"
        return f"call {holds} @{name}({operands}, {how}){found['rest']}"

    changed = _COMPARISON.sub(quiet, text)
    new = (line for name, line in declared.items() if f"@{name}(" not in text)
    return "\n".join((changed, *new))


def is_infinity(value: ir.Value) -> bool:
    """Whether LLVM makes ``x >= inf`` of ``x == inf``."""
    return isinstance(value, ir.Constant) and value.constant in (inf, -inf)


def extremum_beside_known(
    builder: ir.IRBuilder, symbol: str, x: ir.Value, y: ir.Value, *, numbers_win: bool
) -> ir.Value | None:
    """``maximum``, ``fmin`` and their kind, where one is known to be no NaN: of both comparisons,
    which are false where the other is, the one that gives what is wanted then.
    """
    known = [isinstance(each, ir.Constant) and not isnan(each.constant) for each in (x, y)]
    if not any(known):
        return None
    if known[numbers_win]:
        return builder.select(compared(builder, symbol, x, y), x, y)
    return builder.select(compared(builder, _INVERSE[symbol], x, y), y, x)
