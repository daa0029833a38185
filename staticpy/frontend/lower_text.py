"""Lowering of text: ``template % x``, ``str``, ``repr``, ``format`` and ``print``.

In: what is shown. Out: a compile-time str, or a Value of type str; ``print`` gives None, and writes
when the running program comes to it.
"""

from __future__ import annotations

import enum
import sys
from dataclasses import dataclass, field
from typing import Any

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.classes import is_object
from staticpy.frontend.inputs import Object, Path, Variant
from staticpy.frontend.lower_show import STATIC
from staticpy.frontend.lower_string import Strings
from staticpy.frontend.percent import FIELD, as_f_string
from staticpy.frontend.templates import Template, own_class, type_name
from staticpy.frontend.values import DictRef, ListRef, ObjectRef
from staticpy.ir import OBJECT, STR, ObjectType, Type, UnionType, Value

_NUMBER_METHODS = ("__index__", "__int__", "__float__", "__complex__")
_SHOWN_ERRORS = (TypeError, ValueError, LookupError, OverflowError)


@dataclass(slots=True)
class _Printer:
    """What a ``print`` has yet to write."""

    lowerer: Text
    sep: Any
    end: Any
    pending: list[Value] = field(default_factory=list)

    @property
    def _is_known(self) -> bool:
        return isinstance(self.sep, str) and isinstance(self.end, str)

    def add(self, value: Any, *, is_last: bool) -> None:
        """Add an operand and, where they are run-time values, what stands behind it."""
        shown = self.lowerer.shown(value) if isinstance(value, Value) else None
        self.pending.append(shown or self.lowerer.to_value(value))
        if not self._is_known:
            self.pending.append(self.lowerer.to_value(self.end if is_last else self.sep))

    def flush(self) -> None:
        """Write what is there, with the separator that follows."""
        if self.pending:
            self.write(self.sep)

    def finish(self, *, is_empty: bool) -> None:
        """Write the rest."""
        if is_empty and not self._is_known:
            self.pending.append(self.lowerer.to_value(self.end))
        self.write(self.end)

    def write(self, end: Any) -> None:
        """Write what is there, and ``end``."""
        attrs = {"sep": self.sep, "end": end} if self._is_known else {"sep": "", "end": ""}
        self.lowerer.builder.emit(ops.print_, list(self.pending), attrs)
        self.pending.clear()


@dataclass(frozen=True, slots=True)
class _Spread:
    """``*items`` of a run-time number in the arguments of ``print``: a list of their texts."""

    texts: ListRef


class Text(Strings):
    """Lowers the calls and the operator that make text."""

    # --- the operator % ---------------------------------------------------------------------------

    def expr_BinOp(self, node: Any) -> Any:
        """CPython makes an f-string of ``"%s %r" % (a, b)``, whose fields are shown one by one."""
        found = as_f_string(node)
        return super().expr_BinOp(node) if found is None else self.expr_JoinedStr(found)

    def binary(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        if symbol == "%" and self.text(left) is not None:
            return self.percent_format(left, right, node)
        return super().binary(symbol, left, right, node)

    def percent_format(self, template: Any, right: Any, node: Any) -> Any:
        """``template % right``."""
        if any(self._is_programmed(item, node) for item in self._percent_items(right)):
            return self._percent_by_field(template, right, node)
        if isinstance(template, str) and self.grade(right, node) == STATIC:
            try:
                return template % self.plain(right)
            except _SHOWN_ERRORS:
                pass  # the running program raises it, at its place
        return self.emit("str.percent", [self.to_value(template), self.snapshot(right)])

    def _percent_items(self, right: Any) -> list[Any]:
        if isinstance(right, DictRef):
            content = self.content(right)
            return [] if isinstance(content, Value) else [*content.values()]
        return list(right) if isinstance(right, tuple) else [right]

    def _is_programmed(self, value: Any, node: Any) -> bool:
        """Whether methods of the user's may say how a value looks, or what number it is."""
        if isinstance(value, Value):
            return is_object(value)
        if isinstance(value, Variant):
            return any(self._is_programmed(option, node) for option in value.options)
        return is_object(value) or self.is_composed(value, "s", node)

    def _percent_by_field(self, template: Any, right: Any, node: Any) -> Any:
        """Show the fields one by one, because methods of the user's show some of them."""
        if not isinstance(template, str):
            self.refuse_operands("%", template, right, node)
        text, end = Template(), 0
        rest = list(right) if isinstance(right, tuple) else [right]
        for found in FIELD.finditer(template):
            text.text(template[end : found.start()])
            end = found.end()
            if found["letter"] == "%":
                text.text("%")
            elif found["key"] is not None:
                if not isinstance(right, DictRef):
                    self._fails_in(text, "TypeError", "format requires a mapping", node)
                self.seal(text)
                value = self.dict_item(right, found["key"], node)
                self._add_percent(text, found, [value], node)
            else:
                count = 1 + [found["width"], found["precision"]].count("*")
                if len(rest) < count:
                    self._fails_in(
                        text, "TypeError", "not enough arguments for format string", node
                    )
                taken, rest = rest[:count], rest[count:]
                self._add_percent(text, found, taken, node)
        if "%" in template[end:]:
            self._fails_in(text, "ValueError", "incomplete format", node)
        text.text(template[end:])
        if rest and not isinstance(right, DictRef):
            message = "not all arguments converted during string formatting"
            self._fails_in(text, "TypeError", message, node)
        return self.finish(text)

    def _fails_in(self, text: Template, exception: str, message: str, node: Any) -> None:
        """Raise where a field doesn't fit, after what stands before it has been shown."""
        self.seal(text)
        self.fails(exception, message, node)

    def _add_percent(self, text: Template, found: Any, taken: list[Any], node: Any) -> None:
        """A field of a ``%`` template; ``taken`` are its width, its precision and its value."""
        *sizes, value = taken
        letter = found["letter"]
        if letter not in "sra":
            value = self._as_number(text, value, letter, node)
        elif self._is_programmed(value, node):
            inner = Template(before=lambda: self.seal(text))
            self.add_field(inner, value, letter, "", node)
            value, letter = self.finish(inner), "s"
        precision = "" if found["precision"] is None else f".{found['precision']}"
        one = f"%{found['flags']}{found['width']}{precision}{letter}"
        if one == "%s" and self.text(value) is not None:
            self.add_text(text, value)
        else:
            self.add_text(text, self.percent_format(one, (*sizes, value), node))

    def _as_number(self, text: Template, value: Any, letter: str, node: Any) -> Any:
        """A value that ``%d`` or one of its kin shows."""
        if not self._is_programmed(value, node):
            return value
        if isinstance(value, enum.Enum) and isinstance(value, int | float):
            return value._value_
        class_ = own_class(value)
        if isinstance(value, Variant):
            self.refuse_operands(f"%{letter}", value, value, node)
        if class_ is not None and any(hasattr(class_, name) for name in _NUMBER_METHODS):
            self.refuse_operands(f"%{letter}", value, value, node)
        message = f"%{letter} format: a real number is required, not {type_name(value)}"
        self._fails_in(text, "TypeError", message, node)
        return None

    # --- calls ------------------------------------------------------------------------------------

    def str_call(self, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """``str(object="", encoding=…, errors=…)``."""
        names = ("object", "encoding", "errors")
        given = {**kwargs, **dict(zip(names, args, strict=False))}
        if len(args) > len(names) or len(given) < len(args) + len(kwargs) or set(given) - {*names}:
            self.error(catalog.BAD_CALL, node, name="str()", detail="it takes other arguments")
        if set(given) == {"object"}:
            return self.text_of(given["object"], "str", node)
        if not isinstance(given.get("object", b""), bytes):
            kind = type_name(given["object"])
            if isinstance(given["object"], Value | ObjectRef):  # which may give its bytes
                self.error(catalog.UNSUPPORTED_CALL, node, name="str")
            message = f"decoding to str: need a bytes-like object, {kind} found"
            self.fails("TypeError", message, node)
        self.static(tuple(given.values()), node, "an argument of str()")
        try:
            return str(**given)
        except (TypeError, ValueError, LookupError) as error:
            return self.error(catalog.BAD_CALL, node, name="str()", detail=str(error))

    def repr_call(self, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """``repr(object)``."""
        if len(args) != 1 or kwargs:
            self.error(catalog.BAD_CALL, node, name="repr()", detail="it takes one argument")
        return self.text_of(args[0], "repr", node)

    def ascii_call(self, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """``ascii(object)``."""
        if len(args) != 1 or kwargs:
            self.error(catalog.BAD_CALL, node, name="ascii()", detail="it takes one argument")
        return self.text_of(args[0], "ascii", node)

    def format_call(self, args: list[Any], kwargs: dict[str, Any], node: Any) -> Any:
        """``format(value, spec="")``."""
        if len(args) not in (1, 2) or kwargs:
            self.error(catalog.BAD_CALL, node, name="format()", detail="it takes two arguments")
        spec = Template()
        if len(args) == 2:
            if self.text(args[1]) is None:
                kind = type_name(args[1])
                self.fails("TypeError", f"format() argument 2 must be str, not {kind}", node)
            self.add_text(spec, args[1])
        template = Template()
        self.add_field(template, args[0], "", spec.known(), node)
        return self.finish(template)

    # --- print ------------------------------------------------------------------------------------

    def print_call(self, args: list[Any], kwargs: dict[str, Any], node: Any) -> None:
        r"""``print(*args, sep=" ", end="\n", file=None, flush=False)``."""
        unknown = set(kwargs) - {"sep", "end", "file", "flush"}
        if unknown:
            detail = f"it has no argument '{min(unknown)}'"
            self.error(catalog.BAD_CALL, node, name="print()", detail=detail)
        self._require_stdout(kwargs.get("file"), node)
        if any(isinstance(arg, _Spread) for arg in args):
            args = [self._printed_as_one(args, kwargs.get("sep"), node)]
            kwargs = {**kwargs, "sep": None}
        sep = self._separator(kwargs.get("sep"), "sep", " ", node)
        end = self._separator(kwargs.get("end"), "end", "\n", node)
        printer = _Printer(self, sep, end)
        for position, value in enumerate(args):
            shown = self._printed(value, printer, node)
            printer.add(shown, is_last=position == len(args) - 1)
        printer.finish(is_empty=not args)
        self._flush(self.truth(kwargs.get("flush", False), node))

    def spread(self, items: ListRef, node: Any) -> _Spread:
        """``*items`` of a run-time number as arguments of ``print``; Python alone shows them."""
        if not _is_shown_by_python(self.list_type(self.content(items)).item):
            self.refuse_starred(node)
        return _Spread(self.collect(self.call_function(map, [str, items], {}, node), node))

    def _printed_as_one(self, args: list[Any], sep: Any, node: Any) -> Any:
        """The arguments of ``print`` as one text."""
        texts = self.new_list(())
        for arg in args:
            if isinstance(arg, _Spread):
                self.call_method_of(texts, "extend", [arg.texts], node)
                continue
            if self._is_programmed(arg, node):  # that may print itself, between the others
                self.refuse_starred(node)
            self.call_method_of(texts, "append", [self.text_of(arg, "str", node)], node)
        return self.join_text(self._separator(sep, "sep", " ", node), [texts], node)

    def collect(self, iterable: Any, node: Any) -> ListRef:
        raise AssertionError("defined by Iteration")

    def _printed(self, value: Any, printer: _Printer, node: Any) -> Any:
        """An operand of ``print``: the text, or a Value that looks like it."""
        template = Template(before=printer.flush)
        self.add_field(template, value, "s", "", node)
        if template.parts == [("s", "")]:
            return template.operands[0]
        return self.finish(template)

    def _separator(self, value: Any, name: str, default: str, node: Any) -> Any:
        """The text between the operands, or after them: a str, or a Value of type str."""
        if value is None:
            return default
        if type(value) is str or (isinstance(value, Value) and value.type == STR):
            return value
        if isinstance(value, str):  # its class says what it shows
            self.error(catalog.UNSUPPORTED_FUNCTION_ARGUMENT, node, argument=name, function="print")
        if isinstance(value, Variant) or isinstance(getattr(value, "type", None), UnionType):
            again = lambda each: self._separator(each, name, default, node)  # noqa: E731
            return self.dispatch(value, again, node)
        if isinstance(value, Value) and value.type == OBJECT:
            self.error(catalog.NEEDS_COMPILE_TIME, node, what=f"the class of '{name}'")
        message = f"{name} must be None or a string, not {type_name(value)}"
        return self.fails("TypeError", message, node)

    def _require_stdout(self, file: Any, node: Any) -> None:
        """What is written goes to ``sys.stdout`` as it is at that moment, as without ``file``."""
        stdout = Path(Object(sys, "sys")).attr("stdout")
        if file is not None and not (isinstance(file, ObjectRef) and file.path == stdout):
            self.error(
                catalog.UNSUPPORTED_FUNCTION_ARGUMENT, node, argument="file", function="print"
            )

    def _flush(self, condition: Any) -> None:
        if isinstance(condition, Value):
            self.branch(condition, lambda: self._flush(True), lambda: None, None)
        elif condition:
            system = self.static_object(sys, "sys")
            stdout = self.emit("object.getattr", [system], name="stdout", type=OBJECT)
            self.builder.emit(ops.REGISTRY["object.call"], [stdout], {"method": "flush"})


def _is_shown_by_python(type_: Type) -> bool:
    """Whether the text of a value is Python's alone: no method of the program's makes it."""
    parts = ops.parts_of_type(type_)
    return not any(isinstance(part, ObjectType) or part == OBJECT for part in parts)
