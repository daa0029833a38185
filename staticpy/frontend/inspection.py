"""The builtins that ask what an object is, and those that make numbers and texts of it."""

from __future__ import annotations

import collections.abc
import enum
import operator
import types
import typing
from typing import Any, ClassVar

import numpy as np

from staticpy import ops
from staticpy.diagnostics import catalog
from staticpy.frontend.attribute_functions import AttributeFunctions
from staticpy.frontend.classes import (
    class_lookup,
    instance_class,
    is_instance,
    is_object,
    is_plain_class,
    is_tensor_class,
    may_hold_text,
    shown_name,
)
from staticpy.frontend.inputs import Variant
from staticpy.frontend.kinds import is_run_time, kind_of
from staticpy.frontend.python_classes import class_of_type, class_of_value
from staticpy.frontend.state import ABSENT
from staticpy.frontend.templates import type_name
from staticpy.frontend.values import (
    ObjectRef,
    is_liftable,
)
from staticpy.ir import (
    OBJECT,
    STR,
    PythonType,
    Type,
    UnionType,
    Value,
    join,
    members_of,
)
from staticpy.source import OWN_FILES

_MISSING: Any = object()
_SEQUENCES = (list, tuple, str, bytes)


class Inspection(AttributeFunctions):
    """Calls of ``isinstance``, ``type``, ``int``, ``str`` and their kin."""

    def class_of(self, value: Any) -> type | None:
        """The class of a value; None where that is not known."""
        return class_of_value(value)

    # --- classes ----------------------------------------------------------------------------------

    def call_isinstance(self, node: Any, value: Any, classes: Any) -> Any:
        if isinstance(value, Variant):
            return self.dispatch(
                value, lambda each: self.call_isinstance(node, each, classes), node
            )
        if isinstance(classes, Variant):
            run = lambda each: self.call_isinstance(node, value, each)  # noqa: E731
            return self.dispatch(classes, run, node)
        wanted = self._classes(classes, node)
        if isinstance(value, Value) and isinstance(value.type, UnionType):
            return self._is_member(value, wanted, node)
        class_ = self.class_of(value)
        if class_ is None:
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the class of this object")
        is_one = issubclass(class_, wanted)  # type: ignore[arg-type]
        if is_one or any(map(is_tensor_class, wanted)):
            self._require_plain(value, node)
        return is_one

    def _require_plain(self, value: Any, node: Any) -> None:
        """Refuse to tell the class of what may be a Tensor to the program."""
        type_ = value.type if isinstance(value, Value) else None
        is_inexact = not isinstance(type_, PythonType | None) and ops.is_inexact(type_)
        is_own = self.builder.span.file.startswith(OWN_FILES)
        if is_inexact and self.compilation.inputs.expects_tensors and not is_own:
            self.error(catalog.CLASS_OF_TENSOR, node)

    def _classes(self, classes: Any, node: Any) -> tuple[Any, ...]:
        if isinstance(classes, tuple):
            if not all(isinstance(item, tuple | type | types.UnionType) for item in classes):
                self.error(catalog.NEEDS_COMPILE_TIME, node, what="the classes to compare with")
            return tuple(each for item in classes for each in self._classes(item, node))
        if isinstance(classes, types.UnionType):
            return tuple(typing.get_args(classes))
        if isinstance(classes, Variant):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the classes to compare with")
        if not isinstance(classes, type):
            self.refuse_unless_certain(classes, node)
            message = "isinstance() arg 2 must be a type, a tuple of types, or a union"
            self.fails("TypeError", message, node)
        return (classes,)

    def _is_member(self, value: Value, wanted: tuple[Any, ...], node: Any) -> Any:
        """A test of a value of one of several types, which the paths after it remember."""
        assert isinstance(value.type, UnionType)
        matching: list[Type] = []
        others: list[Type] = []
        for member in value.type.members:
            class_ = class_of_type(member)
            if class_ is None:
                self.error(catalog.NEEDS_COMPILE_TIME, node, what="the class of this object")
                continue
            (matching if issubclass(class_, wanted) else others).append(member)
        if not matching or not others:
            return not others
        found: Any = False
        for member in matching:
            found = self.either(found, self.is_type(value, member))
        self.compilation.tests[found] = value, _joined(matching), _joined(others)
        return found

    def call_issubclass(self, node: Any, class_: Any, classes: Any) -> Any:
        if not isinstance(class_, type):
            self.refuse_unless_certain(class_, node)
            return self.fails("TypeError", "issubclass() arg 1 must be a class", node)
        return issubclass(class_, self._classes(classes, node))

    def call_type(self, node: Any, value: Any) -> Any:
        if _is_one_of_several(value):
            return self.dispatch(value, lambda each: self.call_type(node, each), node)
        class_ = self.class_of(value)
        if class_ is None:
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the class of this object")
        self._require_plain(value, node)
        return class_

    def call_callable(self, node: Any, value: Any) -> Any:
        if isinstance(value, Variant):
            return self.dispatch(value, lambda each: self.call_callable(node, each), node)
        if is_object(value):
            return class_lookup(instance_class(value), "__call__")[0] is not ABSENT
        if isinstance(value, Value) and OBJECT in members_of(value.type):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="whether this object is callable")
        return self.is_callable(value) or callable(value)

    def call_np_iterable(self, node: Any, y: Any) -> Any:
        """``np.iterable``: a member of an IntFlag is a number that can be gone through."""
        if isinstance(y, enum.Enum):
            if self.special(y, "__iter__") is not None:
                return self.refuse_call(np.iterable, node)
            return isinstance(y, collections.abc.Iterable)
        return self.call_adapter(ops.FUNCTIONS[np.iterable], [y], {}, "iterable", node)

    # --- numbers out of other things --------------------------------------------------------------

    def call_int(self, node: Any, x: Any = 0, base: Any = _MISSING) -> Any:
        given = {} if base is _MISSING else {"base": self.index_value(base, node, "int")}
        return self._number(int, x, given, node)

    def call_float(self, node: Any, x: Any = 0.0) -> Any:
        return self._number(float, x, {}, node)

    def call_complex(self, node: Any, real: Any = 0, imag: Any = _MISSING) -> Any:
        given = {} if imag is _MISSING else {"imag": imag}
        if imag is None:
            message = "complex() second argument must be a number, not 'NoneType'"
            return self.fails("TypeError", message, node)
        return self._number(complex, real, given, node)

    def call_bool(self, node: Any, x: Any = False) -> Any:
        return self.truth(x, node)

    def _number(self, class_: Any, value: Any, given: dict[str, Any], node: Any) -> Any:
        if isinstance(value, Variant) or self._may_be_text(value):
            return self.dispatch(value, lambda each: self._number(class_, each, given, node), node)
        if isinstance(value, bytes) and is_run_time(given):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the base of int()")
        if isinstance(value, bytes) or (isinstance(value, str) and not is_run_time(given)):
            try:
                return class_(value, **given)
            except (TypeError, ValueError) as error:
                return self.fails(type(error).__name__, str(error), node)
        text = None if "imag" in given else self.text(value)
        if text is not None:
            return self.emit(f"str.{class_.__name__}", [text, *map(self.to_value, given.values())])
        if isinstance(value, ObjectRef) and may_hold_text(value.class_):
            return self.refuse_call(class_, node)
        if "base" in given and not is_instance(value):
            return self._refuse_base(given["base"], node)
        if given and is_instance(value):  # a base is for texts, and complex() adds its parts
            return self.refuse_call(class_, node)
        found = self._special_of_builtin(class_, [value], given, node)
        if found is not NotImplemented:
            return found
        value = int(value) if isinstance(value, int) and not is_liftable(value) else value
        if not is_liftable(value):
            return self.fails("TypeError", _no_number(class_, type_name(value)), node)
        return self.call_adapter(ops.BUILTINS[class_], [value], given, class_.__name__, node)

    def _refuse_base(self, base: Any, node: Any) -> Any:
        """``int(x, base)`` of what is no text: Python looks at the base first."""
        if isinstance(base, Value):
            return self.refuse_call(int, node)
        if base != 0 and not 2 <= base <= 36:
            message = "int() base must be >= 2 and <= 36, or 0"
            return self.fails("ValueError", message, node)
        return self.fails("TypeError", "int() can't convert non-string with explicit base", node)

    def _may_be_text(self, value: Any) -> bool:
        type_ = value.type if isinstance(value, Value) else None
        return isinstance(type_, UnionType) and STR in type_.members

    # --- operators as functions -------------------------------------------------------------------

    def call_getitem(self, node: Any, a: Any, b: Any, /) -> Any:
        return self.get_item(a, b, node)

    def call_setitem(self, node: Any, a: Any, b: Any, c: Any, /) -> None:
        self.set_item(a, b, c, node)

    def call_delitem(self, node: Any, a: Any, b: Any, /) -> None:
        self.delete_item(a, b, node)

    def call_contains(self, node: Any, a: Any, b: Any, /) -> Any:
        return self.contains(a, b, node)

    def call_concat(self, node: Any, a: Any, b: Any, /) -> Any:
        """``operator.concat``: an addition of two sequences of one kind."""
        if _is_one_of_several(a):
            return self.dispatch(a, lambda each: self.call_concat(node, each, b), node)
        if _is_one_of_several(b):
            return self.dispatch(b, lambda each: self.call_concat(node, a, each), node)
        classes = self.class_of(a), self.class_of(b)
        if None in classes or bytes in classes or is_instance(a) or is_instance(b):
            self.error(catalog.UNSUPPORTED_CALL, node, name="operator.concat")
        kind = next((each for each in _SEQUENCES if issubclass(classes[0], each)), None)  # type: ignore[arg-type]
        if kind is None or not issubclass(classes[1], kind):  # type: ignore[arg-type]
            message = f"'{kind_of(a)}' object can't be concatenated"
            return self.fails("TypeError", message, node)
        return self.binary("+", a, b, node)

    def call_is(self, node: Any, a: Any, b: Any, /) -> Any:
        return self.identical(a, b, node)

    def call_is_not(self, node: Any, a: Any, b: Any, /) -> Any:
        return self.negate(self.identical(a, b, node))

    def call_not(self, node: Any, a: Any, /) -> Any:
        return self.negate(self.truth(a, node))

    def call_operator_truth(self, node: Any, a: Any, /) -> Any:
        return self.truth(a, node)

    # --- text -------------------------------------------------------------------------------------

    def call_print(self, node: Any, *args: Any, **kwargs: Any) -> None:
        self.print_call(list(args), kwargs, node)

    def call_str(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        return self.str_call(list(args), kwargs, node)

    def call_repr(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        return self.repr_call(list(args), kwargs, node)

    def call_ascii(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        return self.ascii_call(list(args), kwargs, node)

    def call_format(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        return self.format_call(list(args), kwargs, node)

    def call_ord(self, node: Any, text: Any) -> Any:
        return self._evaluated(ord, text, node)

    def call_chr(self, node: Any, number: Any) -> Any:
        return self._evaluated(chr, self._as_index(number, node), node)

    def call_hash(self, node: Any, value: Any) -> Any:
        if type(value) not in (int, bool):
            self.error(catalog.NEEDS_COMPILE_TIME, node, what="the hash of this value")
        return hash(value)

    def call_bin(self, node: Any, number: Any) -> Any:
        return self._evaluated(bin, self._as_index(number, node), node)

    def call_hex(self, node: Any, number: Any) -> Any:
        return self._evaluated(hex, self._as_index(number, node), node)

    def call_oct(self, node: Any, number: Any) -> Any:
        return self._evaluated(oct, self._as_index(number, node), node)

    def _as_index(self, number: Any, node: Any) -> Any:
        """What ``__index__`` of an object gives; anything else is what it is."""
        found = self.call_special(number, "__index__", [], node) if is_object(number) else number
        return number if found is NotImplemented else found

    def _evaluated(self, function: Any, value: Any, node: Any) -> Any:
        """A function between a number and its text, of a compile-time value or a Value."""
        if _is_one_of_several(value):
            return self.dispatch(value, lambda each: self._evaluated(function, each, node), node)
        class_ = instance_class(value) if is_object(value) else self.class_of(value)
        if class_ is None or (is_object(value) and not is_plain_class(class_)):
            self.error(catalog.UNSUPPORTED_CALL, node, name=function.__name__)
        assert class_ is not None
        shown = shown_name(class_)
        if function is ord and not issubclass(class_, str | bytes):
            message = f"ord() expected string of length 1, but {shown} found"
            return self.fails("TypeError", message, node)
        if function is not ord and not hasattr(class_, "__index__"):
            message = f"'{shown}' object cannot be interpreted as an integer"
            return self.fails("TypeError", message, node)
        if isinstance(value, Value):
            return self.call_adapter(ops.BUILTINS[function], [value], {}, function.__name__, node)
        try:
            return function(value)
        except (TypeError, ValueError, OverflowError) as error:
            return self.fails(type(error).__name__, str(error), node)

    BUILTINS: ClassVar[dict[Any, str]] = {
        **AttributeFunctions.BUILTINS,
        isinstance: "call_isinstance",
        issubclass: "call_issubclass",
        type: "call_type",
        callable: "call_callable",
        np.iterable: "call_np_iterable",
        int: "call_int",
        float: "call_float",
        complex: "call_complex",
        bool: "call_bool",
        print: "call_print",
        str: "call_str",
        repr: "call_repr",
        ascii: "call_ascii",
        format: "call_format",
        ord: "call_ord",
        chr: "call_chr",
        bin: "call_bin",
        hex: "call_hex",
        oct: "call_oct",
        hash: "call_hash",
        operator.getitem: "call_getitem",
        operator.setitem: "call_setitem",
        operator.delitem: "call_delitem",
        operator.contains: "call_contains",
        operator.concat: "call_concat",
        operator.is_: "call_is",
        operator.is_not: "call_is_not",
        operator.not_: "call_not",
        operator.truth: "call_operator_truth",
    }


def _is_one_of_several(value: Any) -> bool:
    is_union = isinstance(value, Value) and isinstance(value.type, UnionType)
    return is_union or isinstance(value, Variant)


def _joined(members: list[Type]) -> Type:
    found = members[0]
    for member in members[1:]:
        found = join(found, member)
    return found


def _no_number(class_: type, name: str) -> str:
    """What Python says of an object of a class of this name that it can make no number of."""
    try:
        class_(type(name, (), {})())
    except TypeError as error:
        return str(error)
    raise AssertionError(f"an object without attributes is no {class_.__name__}")
