"""Lowering of the patterns of ``match``: whether a value matches, and what is captured.

In: the node of a pattern and a subject. Out: a bool, or a Value of type bool. What a pattern asks
of structure that is known (how long a tuple is, which keys a dict has, of which class an object is)
is decided while compiling; what it asks of a run-time value becomes tests, done in order up to the
first one that fails.

What a pattern captures waits in hidden variables: CPython, too, binds the names when the whole
pattern has matched.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import class_lookup
from staticpy.frontend.inputs import RunTimeTuple, Variant
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_with import With
from staticpy.frontend.values import DictRef, ListRef, ObjectRef, PathEnds, RangeIterable, is_scalar
from staticpy.ir import (
    BOOL,
    NEVER,
    NONE,
    OBJECT,
    STR,
    DictType,
    ListType,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
)

_IS_SEQUENCE, _IS_MAPPING, _MATCHES_SELF = 1 << 5, 1 << 6, 1 << 22
"""What CPython notes in the flags of a class for its ``match``."""

Test = Callable[[], Any]
"""Lowers a condition: a bool, or a Value of type bool."""


class Patterns(With):
    """Lowers patterns."""

    # --- conditions in order ----------------------------------------------------------------------

    def all_of(self, tests: Sequence[Test], start: int = 0) -> Any:
        """Whether all conditions hold, each tested only where those before it do."""
        for position in range(start, len(tests)):
            condition = tests[position]()
            if not isinstance(condition, Value):
                if condition:
                    continue
                return False
            if position + 1 == len(tests):
                return condition
            return self._both(condition, partial(self.all_of, tests, position + 1))
        return True

    def _both(self, condition: Value, more: Test) -> Any:
        found: list[Any] = []

        def rest() -> Any:
            found.append(more())
            return found[-1]

        made = self.choose(condition, rest, lambda: False, "this pattern")
        if found and found[-1] is True:
            return condition
        self._imply(made, True, [condition, *found])
        return made

    def any_of(self, tests: Sequence[Test], start: int = 0) -> Any:
        """Whether one of the conditions holds, each tested only where none before it does."""
        for position in range(start, len(tests)):
            condition = tests[position]()
            if not isinstance(condition, Value):
                if not condition:
                    continue
                return True
            if position + 1 == len(tests):
                return condition
            return self._one_of(condition, partial(self.any_of, tests, position + 1))
        return False

    def _one_of(self, condition: Value, more: Test) -> Any:
        found: list[Any] = []

        def rest() -> Any:
            found.append(more())
            return found[-1]

        made = self.choose(condition, lambda: True, rest, "this pattern")
        if found and found[-1] is False:
            return condition
        self._imply(made, False, [condition, *found])
        return made

    def _imply(self, made: Any, truth: bool, parts: list[Any]) -> None:
        """Where ``made`` is ``truth``, all of ``parts`` are."""
        if not isinstance(made, Value) or made in parts:
            return
        implied = self.compilation.implied
        implied[made, truth] = tuple((part, truth) for part in parts if isinstance(part, Value))

    def by_member(
        self, value: Value, run: Callable[[Any], Any], can_match: Callable[[Type], bool]
    ) -> Any:
        """Whether ``run`` holds of a value of one of several types, with the one that it has."""
        assert isinstance(value.type, UnionType)

        def member(type_: Type) -> Any:
            is_it = partial(self.is_type, value, type_)
            return self.all_of([is_it, lambda: run(self.narrow(value, type_))])

        return self.any_of([partial(member, t) for t in value.type.members if can_match(t)])

    # --- patterns ---------------------------------------------------------------------------------

    def matches(self, pattern: Any, subject: Any) -> Any:
        """Whether ``subject`` matches: a bool, or a Value of type bool."""
        kind = type(pattern).__name__.removeprefix("Match").lower()
        if isinstance(subject, Variant) and kind not in ("as", "or"):
            return self.dispatch(subject, partial(self.matches, pattern), pattern)
        with self.at(pattern):
            return getattr(self, f"match_{kind}")(pattern, subject)

    def capture(self, name: str | None, value: Any) -> None:
        """Keep what a pattern captures, until all of it has matched."""
        if name is not None:
            self.env[hidden_name(name)] = value

    def match_as(self, pattern: Any, subject: Any) -> Any:
        matches = True
        if pattern.pattern is not None:
            matches = self.matches(pattern.pattern, subject)
        if matches is not False:
            self.capture(pattern.name, subject)
        return matches

    def match_or(self, pattern: Any, subject: Any) -> Any:
        return self.any_of([partial(self.matches, each, subject) for each in pattern.patterns])

    def match_singleton(self, pattern: Any, subject: Any) -> Any:
        """``case None``, ``True`` or ``False``: the very object."""
        single = pattern.value
        if not isinstance(subject, Value):
            return subject is single
        wanted = NONE if single is None else BOOL
        if subject.type == OBJECT:
            return self.emit("object.is", [subject, self.to_value(single)])
        if isinstance(subject.type, UnionType):
            if single is None:
                return self.is_type(subject, NONE)
            run = partial(self.match_singleton, pattern)
            return self.by_member(subject, run, lambda type_: type_ in (wanted, OBJECT))
        if subject.type != wanted or single is None:
            return subject.type == wanted
        return ops.compare("==", subject, single)

    def match_value(self, pattern: Any, subject: Any) -> Any:
        return self._equals(subject, self.expression(pattern.value), pattern)

    def _equals(self, subject: Any, expected: Any, node: Any) -> Any:
        """``subject == expected``, as a condition."""
        subject, expected = _text_of_member(subject), _text_of_member(expected)
        type_ = subject.type if isinstance(subject, Value) else None
        if isinstance(type_, UnionType) and not all(map(_is_number, type_.members)):
            run = partial(self._equals, expected=expected, node=node)
            return self.by_member(subject, run, partial(_can_equal, expected))
        if type_ is not None and not _can_equal(expected, type_):
            return False
        return self.truth(self.compare_values("==", subject, expected, node), node)

    # --- sequences --------------------------------------------------------------------------------

    def match_sequence(self, pattern: Any, subject: Any) -> Any:
        if np.ndarray.__flags__ & _IS_SEQUENCE and _may_be_array(subject):  # since NumPy 2.5
            what = "whether an array is a sequence of this length"
            self.error(catalog.NEEDS_COMPILE_TIME, pattern, what=what)
        if isinstance(subject, Value) and isinstance(subject.type, UnionType):
            run = partial(self.match_sequence, pattern)
            return self.by_member(subject, run, _may_be(TupleType, ListType))
        subject = self.open(subject)
        is_object = isinstance(subject, ObjectRef) and subject.class_.__flags__ & _IS_SEQUENCE
        if is_object or isinstance(subject, Value | RangeIterable | RunTimeTuple):
            return self._no_structure(subject, "a sequence", pattern)
        items = self.content(subject) if isinstance(subject, ListRef) else subject
        if isinstance(items, Value):
            return self._match_run_time_list(pattern.patterns, subject, pattern)
        if not isinstance(items, tuple | range):
            return False
        return self._match_items(pattern.patterns, items)

    def _match_items(self, patterns: list[Any], items: Any) -> Any:
        """A sequence of known length."""
        star = _star_of(patterns)
        count = len(patterns) - (star is not None)
        if len(items) < count or (star is None and len(items) > count):
            return False
        tests: list[Test] = []
        for position, pattern in enumerate(patterns):
            after = len(items) - (len(patterns) - position)
            if position == star:
                held = items[position : after + 1] if pattern.name is not None else ()
                tests.append(partial(self._match_star, pattern, held))
            else:
                at = position if star is None or position < star else after
                tests.append(partial(self.matches, pattern, items[at]))
        return self.all_of(tests)

    def _match_star(self, pattern: Any, items: Any) -> bool:
        if pattern.name is not None:
            self.capture(pattern.name, self.new_list(items))
        return True

    def _match_run_time_list(self, patterns: list[Any], subject: ListRef, node: Any) -> Any:
        """A list whose length is known at run time: its items are read where it is long enough."""
        star = _star_of(patterns)
        count = len(patterns) - (star is not None)
        if count and self.list_type(self.content(subject)).item == NEVER:
            return False

        def has_length() -> Any:
            length = self.length(subject, node)
            return ops.compare("==" if star is None else ">=", length, count)

        def have_items() -> Any:
            tests: list[Test] = []
            for position, pattern in enumerate(patterns):
                if _is_wildcard(pattern):
                    continue
                after = position - len(patterns)
                if position == star:
                    held = self.get_item(subject, slice(position, after + 1 or None), node)
                    self.capture(pattern.name, held)
                    continue
                at = position if star is None or position < star else after
                tests.append(partial(self.matches, pattern, self.list_item(subject, at, node)))
            return self.all_of(tests)

        is_any = star is not None and not count
        return self.all_of([have_items] if is_any else [has_length, have_items])

    def _no_structure(self, subject: Any, kind: str, node: Any) -> Any:
        """A subject that may or may not have the structure that a pattern asks for."""
        if isinstance(subject, Value) and subject.type != OBJECT:
            return False
        return self.error(catalog.NEEDS_COMPILE_TIME, node, what=f"whether this object is {kind}")

    # --- mappings ---------------------------------------------------------------------------------

    def match_mapping(self, pattern: Any, subject: Any) -> Any:
        if isinstance(subject, Value) and isinstance(subject.type, UnionType):
            run = partial(self.match_mapping, pattern)
            return self.by_member(subject, run, _may_be(DictType))
        subject = self.open(subject)
        is_object = isinstance(subject, ObjectRef) and subject.class_.__flags__ & _IS_MAPPING
        if is_object or isinstance(subject, Value):
            return self._no_structure(subject, "a mapping", pattern)
        if not isinstance(subject, DictRef):
            return False
        keys = [self.expression(key) for key in pattern.keys]
        for position, key in enumerate(keys):
            if not isinstance(key, Value) and key in keys[:position]:
                message = f"mapping pattern checks duplicate key ({key!r})"
                self.fails("ValueError", message, pattern)
        tests: list[Test] = [partial(self.contains, subject, key, pattern) for key in keys]
        return self.all_of([*tests, partial(self._match_held, pattern, subject, keys)])

    def _match_held(self, pattern: Any, subject: DictRef, keys: list[Any]) -> Any:
        """The values of a dict that has the keys."""
        held = [self.dict_item(subject, key, pattern) for key in keys]
        tests = [partial(self.matches, *pair) for pair in zip(pattern.patterns, held, strict=True)]
        if pattern.rest is not None:
            tests.append(partial(self._match_rest, pattern.rest, subject, keys, pattern))
        return self.all_of(tests)

    def _match_rest(self, name: str, subject: DictRef, keys: list[Any], node: Any) -> bool:
        """What else a dict holds, as a new one."""
        content = self.content(subject)
        rest = self.new_dict(
            self.emit("dict.copy", [content]) if isinstance(content, Value) else content
        )
        for key in keys:
            self.delete_item(rest, key, node)
        self.capture(name, rest)
        return True

    # --- classes ----------------------------------------------------------------------------------

    def match_class(self, pattern: Any, subject: Any) -> Any:
        class_ = self.expression(pattern.cls)
        if not isinstance(class_, type):
            self.fails("TypeError", "called match pattern must be a class", pattern)
        with self.hidden("subject") as (cell,):
            self.env[cell] = subject  # the test narrows it
            return self.all_of(
                [
                    lambda: self.call_isinstance(pattern, subject, class_),
                    lambda: self._match_attributes(pattern, class_, self.env[cell]),
                ]
            )

    def _match_attributes(self, pattern: Any, class_: type, subject: Any) -> Any:
        """The patterns in the parentheses; all attributes are read before the first is tested."""
        patterns = list(pattern.patterns)
        is_self = len(patterns) == 1 and _matches_self(class_)
        names = [] if is_self else [*self._positional(class_, patterns, pattern)]
        names += pattern.kwd_attrs
        for position, name in enumerate(names):
            if name in names[:position]:
                shown = f"{class_.__name__}() got multiple sub-patterns for attribute {name!r}"
                self.fails("TypeError", shown, pattern)
        values = [subject] if is_self else []
        for name in names:
            if not self.call_hasattr(pattern, subject, name):
                return False
            values.append(self._read(subject, name, pattern))
        pairs = zip([*patterns, *pattern.kwd_patterns], values, strict=True)
        return self.all_of([partial(self.matches, *pair) for pair in pairs])

    def _read(self, subject: Any, name: str, node: Any) -> Any:
        try:
            return self.attribute(subject, name, node)
        except PathEnds:  # if that is an AttributeError, the pattern does not match
            shown = kind_of(subject)
            return self.error(catalog.UNSUPPORTED_ATTRIBUTE, node, name=name, type=shown)

    def _positional(self, class_: Any, patterns: list[Any], node: Any) -> Sequence[str]:
        """The names of the attributes that positional patterns stand for."""
        if not patterns:
            return ()
        names = getattr(class_, "__match_args__", ())
        if not isinstance(names, tuple):
            message = f"{class_.__name__}.__match_args__ must be a tuple"
            self.fails("TypeError", message, node)
        allowed = 1 if _matches_self(class_) else len(names)
        if len(patterns) > allowed:
            plural = "" if allowed == 1 else "s"
            shown = f"{class_.__name__}() accepts {allowed} positional sub-pattern{plural}"
            self.fails("TypeError", f"{shown} ({len(patterns)} given)", node)
        return names[: len(patterns)]


def hidden_name(name: str) -> str:
    """The hidden variable for what a pattern captures as ``name``."""
    return f"%%{name}"


def _star_of(patterns: list[Any]) -> int | None:
    """The position of the starred pattern."""
    kinds = [type(pattern).__name__ for pattern in patterns]
    return kinds.index("MatchStar") if "MatchStar" in kinds else None


def _is_wildcard(pattern: Any) -> bool:
    return getattr(pattern, "name", "") is None and getattr(pattern, "pattern", None) is None


def _matches_self(class_: type) -> bool:
    """Whether one positional pattern stands for the subject itself."""
    return not hasattr(class_, "__match_args__") and bool(class_.__flags__ & _MATCHES_SELF)


def _text_of_member(value: Any) -> Any:
    """The text that a member of an Enum of texts is, unless its class says when it is equal."""
    if isinstance(value, str) and isinstance(value, enum.Enum):
        base = class_lookup(type(value), "__eq__")[1]
        return str.__str__(value) if base is str else value
    return value


def _is_number(type_: Type) -> bool:
    is_boxed = isinstance(type_, ScalarType | TensorType)
    return is_boxed or (isinstance(type_, PythonType) and type_ not in (STR, NONE))


def _may_be(*kinds: type) -> Callable[[Type], bool]:
    return lambda type_: isinstance(type_, kinds) or type_ == OBJECT


def _can_equal(expected: Any, type_: Type) -> bool:
    """Whether a value of ``type_`` can be equal to ``expected``."""
    if isinstance(type_, UnionType):
        return any(_can_equal(expected, member) for member in type_.members)
    if isinstance(type_, TensorType) or type_ == OBJECT or isinstance(expected, Value):
        return True
    if type(expected) is str:
        return type_ == STR
    if isinstance(expected, ObjectRef):
        return True
    if is_scalar(expected):
        return _is_number(type_)
    return (expected is None and type_ == NONE) or type_ not in (STR, NONE)


def _may_be_array(subject: Any) -> bool:
    """Whether a subject is an array, or one of several types with an array among them."""
    type_ = subject.type if isinstance(subject, Value) else None
    members = type_.members if isinstance(type_, UnionType) else (type_,)
    return any(isinstance(member, TensorType) for member in members)
