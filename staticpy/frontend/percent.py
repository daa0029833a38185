"""Templates of the operator ``%``, and the f-strings that CPython makes of some of them.

In: the node of ``"%s %5r" % (a, b)``. Out: the node of ``f"{a!s} {b!r:>5}"``, where CPython, too,
compiles the one to the other: the fields are then shown one by one, each before the next one is
evaluated. A template with numbers, names or a width given as an argument stays an operator.
"""

from __future__ import annotations

import re
from typing import Any, Final

import gast

FIELD: Final = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d*)"
    r"(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<letter>.)",
    re.DOTALL,
)
"""One field of a template."""

_SIMPLE = re.compile(
    r"[^%]+|%%|%(?P<flags>[#0\- +]*)(?P<width>\d{0,3})"
    r"(?:\.(?P<precision>\d{0,3}))?(?P<letter>[sra])"
)


def as_f_string(node: Any) -> Any:
    """The f-string that CPython makes of an operator; None if it makes none."""
    template = node.left.value if isinstance(node.left, gast.Constant) else None
    if not isinstance(node.op, gast.Mod) or type(template) is not str:
        return None
    items = node.right.elts if isinstance(node.right, gast.Tuple) else []
    fields = list(_SIMPLE.finditer(template))
    number = sum(field["letter"] is not None for field in fields)
    is_read = sum(len(field[0]) for field in fields) == len(template)
    is_starred = any(isinstance(item, gast.Starred) for item in items)
    if not items or not is_read or number != len(items) or is_starred:
        return None
    rest = iter(items)
    values = [_part(field, rest) for field in fields]
    return gast.copy_location(gast.JoinedStr(values), node)


def _part(found: re.Match[str], rest: Any) -> Any:
    """A text or a field of the f-string."""
    if found["letter"] is None:
        return gast.Constant("%" if found[0] == "%%" else found[0], None)
    width, precision = found["width"], found["precision"]
    spec = ""
    if width and int(width):
        spec = width.lstrip("0") if "-" in found["flags"] else f">{width.lstrip('0')}"
    if precision is not None:
        spec += f".{int(precision or 0)}"
    shown = gast.JoinedStr([gast.Constant(spec, None)]) if spec else None
    return gast.FormattedValue(next(rest), ord(found["letter"]), shown)
