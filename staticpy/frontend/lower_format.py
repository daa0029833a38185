"""Lowering of f-strings and of ``str.format``: a value, its conversion and its format spec.

In: the node of an f-string, or a template and its arguments. Out: a compile-time str, or a Value of
type str. Each field is shown before the next one is evaluated, as CPython does it: what has been
collected is shown at once where what follows could change how it looks.
"""

from __future__ import annotations

import re
import string
import sys
from dataclasses import dataclass
from typing import Any, Final

from staticpy.diagnostics import catalog
from staticpy.frontend.classes import class_lookup, is_enum_member
from staticpy.frontend.inputs import Variant
from staticpy.frontend.lower_show import COMPOSED, Show
from staticpy.frontend.templates import (
    Hook,
    Template,
    has_no_specs,
    is_users,
    own_class,
    type_name,
)
from staticpy.frontend.values import BoundFunction
from staticpy.ir import OBJECT, STR, Value

LETTERS: Final = {"str": "s", "repr": "r", "ascii": "a"}
"""The conversion of a field that shows as this function does."""

_CONVERSIONS = {-1: "", ord("s"): "s", ord("r"): "r", ord("a"): "a"}
_WORDS = {letter: word for word, letter in LETTERS.items()}
_FIRST = re.compile(r"[^.\[]*")
_STEP = re.compile(r"\.([^.\[]+)|\[([^\]]+)\]")
_NESTING = 2
"""How deep ``str.format`` goes into the fields of format specs."""


class _BadTemplate(Exception):
    """Raised where ``str.format`` raises for any arguments."""


@dataclass(slots=True)
class _Arguments:
    """The arguments of ``str.format``, and how far the automatic numbering is."""

    args: list[Any]
    kwargs: dict[str, Any]
    next: int | None = None
    """The number of the next field without a name; -1 where the fields have numbers."""

    def find(self, key: int | str) -> Any:
        """The argument that a field begins with."""
        if key == "":
            if self.next == -1:
                raise _BadTemplate
            key = self.next or 0
            self.next = key + 1
        elif isinstance(key, int):
            if self.next not in (None, -1):
                raise _BadTemplate
            self.next = -1
        try:
            return self.args[key] if isinstance(key, int) else self.kwargs[key]
        except LookupError:
            raise _BadTemplate from None


class _Anything:
    """Stands for any argument, to hear what Python says of a template."""

    def __getattr__(self, name: str) -> _Anything:
        return self

    def __getitem__(self, key: object) -> _Anything:
        return self

    def __format__(self, spec: str) -> str:
        return ""


class Format(Show):
    """Shows values in the fields of a text."""

    def text_of(self, value: Any, conversion: str, node: Any) -> Any:
        """``str``, ``repr`` or ``ascii`` of a value: a str, or a Value of type str."""
        template = Template()
        self.add_field(template, value, LETTERS[conversion], "", node)
        return self.finish(template)

    # --- one field --------------------------------------------------------------------------------

    def add_field(
        self, template: Template, value: Any, conversion: str, spec: str | Template, node: Any
    ) -> None:
        """``{value!conversion:spec}``; a conversion of ``""`` is none."""
        if isinstance(value, Value):
            template.field(value if spec else self.shown(value), conversion, spec)
        elif isinstance(value, Variant):
            self._add_variant(template, value, conversion, spec, node)
        elif not conversion:
            self._add_formatted(template, value, spec, node)
        elif not self.is_composed(value, conversion, node):
            self.add_whole(template, value, conversion, spec, node)
        elif spec == "" and conversion != "a":
            self.compose(template, value, conversion, node)
        else:
            inner = Template(before=lambda: self.seal(template))
            self.compose(inner, value, conversion, node)
            shown = self._ascii(self.finish(inner), conversion)
            self.add_whole(template, shown, "", spec, node)

    def _add_variant(
        self, template: Template, value: Variant, conversion: str, spec: str | Template, node: Any
    ) -> None:
        """One of several objects: each may look in a way of its own."""

        def text(option: Any) -> Any:
            inner = Template()
            self.add_field(inner, option, conversion, spec, node)
            return self.finish(inner)

        if any(map(own_class, value.options)):
            self.seal(template)
        self.add_text(template, self.dispatch(value, text, node))

    def is_composed(self, value: Any, conversion: str, node: Any) -> bool:
        """Whether methods of the user's say how a compile-time object looks."""
        if self.hook(value, conversion) is not None:
            return True
        is_text_of_enum = conversion == "s" and is_enum_member(value)  # whatever its repr says
        return not is_text_of_enum and self.grade(value, node) == COMPOSED

    def _ascii(self, shown: Any, conversion: str) -> Any:
        """The ``ascii`` of what has this ``repr``."""
        if conversion != "a":
            return shown
        if isinstance(shown, str):
            return shown.encode("ascii", "backslashreplace").decode("ascii")
        found = self.emit("object.cast", [shown], type=OBJECT)
        names = [self.to_value(each) for each in ("ascii", "backslashreplace")]
        found = self.emit("object.call", [found, *names], method="encode", result=OBJECT)
        return self.emit("object.call", [found, names[0]], method="decode", result=STR)

    def _add_formatted(
        self, template: Template, value: Any, spec: str | Template, node: Any
    ) -> None:
        """``format(value, spec)``, by the class of a value that is no number."""
        class_ = own_class(value)
        raw: Any = None
        base: Any = None
        if class_ is not None:
            raw, base = class_lookup(class_, "__format__")
        if is_users(raw):
            self._guard_member(base, "__format__", raw)
            hook = Hook("__format__", BoundFunction(self.user_function(raw), value), base)
            given = self.finish(spec) if isinstance(spec, Template) else spec
            self.add_text(template, self.call_hook(template, hook, [given], node))
        elif getattr(raw, "__module__", None) == "enum":
            self.add_field(template, value, "s", spec, node)
        elif base is object or has_no_specs(value):
            self._add_unformatted(template, value, spec, node)
        else:
            self.add_whole(template, value, "", spec, node)

    def _add_unformatted(
        self, template: Template, value: Any, spec: str | Template, node: Any
    ) -> None:
        """A value of a class that has no format specs: any but the empty one is an error."""
        if isinstance(spec, Template):
            self.seal(template)
            self.add_text(template, self._shown_without_spec(value, spec, node))
        elif spec:
            self.seal(template)
            self._refuse_spec(value, node)
        elif self.is_composed(value, "s", node):
            self.compose(template, value, "s", node)
        else:
            self.add_whole(template, value, "", "", node)

    def _shown_without_spec(self, value: Any, spec: Template, node: Any) -> Any:
        """A value that knows no format spec, where the spec is known at run time."""
        is_empty = self.emit("str.eq", [self.finish(spec), self.to_value("")])
        return self.choose(
            is_empty,
            lambda: self.text_of(value, "str", node),
            lambda: self._refuse_spec(value, node),
            "this text",
        )

    def _refuse_spec(self, value: Any, node: Any) -> Any:
        message = f"unsupported format string passed to {type_name(value)}.__format__"
        return self.fails("TypeError", message, node)

    # --- f-strings --------------------------------------------------------------------------------

    def expr_JoinedStr(self, node: Any) -> Any:
        template = Template()
        self._join(template, node)
        return self.finish(template)

    def _join(self, template: Template, node: Any) -> None:
        for part in node.values:
            if type(part).__name__ == "Constant":
                template.text(part.value)
                continue
            if not self._is_quiet(part):
                self.seal(template)
            value, conversion = self.expression(part.value), _CONVERSIONS[part.conversion]
            is_first = sys.version_info >= (3, 13) and not self._is_quiet(part)
            if is_first and conversion and part.format_spec is not None:
                # Since 3.13 CPython converts before it evaluates the format.
                value, conversion = self.text_of(value, _WORDS[conversion], part.value), ""
            spec: str | Template = ""
            if part.format_spec is not None:
                inner = Template(before=lambda: self.seal(template))
                self._join(inner, part.format_spec)
                spec = inner.known()
            self.add_field(template, value, conversion, spec, part.value)

    def _is_quiet(self, part: Any) -> bool:
        """Whether nobody can tell when the expressions of a part are evaluated."""
        kind = type(part).__name__
        if kind == "FormattedValue":
            inner = part.format_spec.values if part.format_spec is not None else []
            return all(map(self._is_quiet, [part.value, *inner]))
        if kind == "Name":
            return not isinstance(self.env.get(f"%bound:{part.id}"), Value)
        return kind == "Constant"

    # --- str.format -------------------------------------------------------------------------------

    def format_text(self, template: str, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """``template.format(*args, **kwargs)``."""
        text = Template()
        try:
            self._format(text, template, _Arguments(args, kwargs), _NESTING, node)
        except _BadTemplate:
            self.seal(text)  # what stands before the error is shown
            return self._fails_to_format(template, args, kwargs, node)
        return self.finish(text)

    def _format(
        self, text: Template, template: str, arguments: _Arguments, depth: int, node: Any
    ) -> None:
        if not depth:
            raise _BadTemplate
        for literal, name, spec, conversion in _fields(template):
            text.text(literal)
            if name is None:
                continue
            value = self._field_value(text, name, arguments, node)
            if conversion not in (None, "s", "r", "a"):
                raise _BadTemplate
            inner = Template(before=lambda: self.seal(text))
            if "{" in spec:
                self._format(inner, spec, arguments, depth - 1, node)
            else:
                inner.text(spec)
            self.add_field(text, value, conversion or "", inner.known(), node)

    def _field_value(self, text: Template, name: str, arguments: _Arguments, node: Any) -> Any:
        """What ``{0.name[key]}`` shows."""
        first = _FIRST.match(name)
        assert first is not None
        value, end = arguments.find(_key(first[0])), first.end()
        while end < len(name):
            step = _STEP.match(name, end)
            if step is None:
                raise _BadTemplate
            end = step.end()
            self.seal(text)
            if step[1] is not None:
                value = self.attribute(value, step[1], node)
            else:
                value = self.get_item(value, _key(step[2]), node)
        return value

    def _fails_to_format(
        self, template: str, args: list[Any], kwargs: dict[str, Any], node: Any
    ) -> Any:
        """Raise what Python raises for a template that doesn't fit its arguments."""
        try:
            template.format(*(_Anything() for _ in args), **{key: _Anything() for key in kwargs})
        except (ValueError, LookupError) as error:
            return self.fails(type(error).__name__, error.args[0], node)
        return self.error(catalog.BAD_CALL, node, name="str.format()", detail="a bad template")


def _fields(template: str) -> Any:
    """The texts and fields of a template, read as far as it can be."""
    parsed = string.Formatter().parse(template)
    while True:
        try:
            literal, name, spec, conversion = next(parsed)  # type: ignore[call-overload]
        except StopIteration:
            return
        except ValueError:
            raise _BadTemplate from None
        yield literal, name, spec or "", conversion


def _key(text: str) -> int | str:
    """A name or number in a field."""
    return int(text) if text.isdecimal() else text
