"""The rules of ops on texts, containers and objects that give no inexact numbers of theirs: texts,
counts, places, and whether something is so. Nothing flows through them.
"""

from __future__ import annotations

from staticpy.ops import dicts, list_functions, lists, objects, string_methods, strings  # noqa: F401 - whose ops these are
from staticpy.ops.rules.base import flat

flat(
    *("str.call", "str.repeat", "str.getitem", "str.getslice", "str.contains", "str.items"),
    *("str.format", "str.str", "str.repr", "str.concat", "str.percent", "str.eq", "str.len"),
    *("str.int", "str.float", "str.complex"),
)
flat("list.len", "list.contains", "list.index", "list.count", "list.eq")
flat("list.bisect_left", "list.bisect_right", "dict.len", "dict.contains")
flat(
    "strided_places",
    "exception.identity",
    "object.is",
    "object.truth",
    "object.isinstance",
    "object.is_of",
)
