r"""What a running program says: ``print``, and the exceptions that it makes and raises.

print %x, %s {sep = " ", end = "\n"}
%e = exception.make %s {name = "ValueError"} : object
raise_value %e, %cause {has_cause = true}
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from staticpy.ir import NONE, OBJECT, Type
from staticpy.ops.containers import WRITES, invalid, no_results
from staticpy.ops.opdef import Attrs, Effect, defop


def _print(*operands: Any, sep: str = " ", end: str = "\n") -> None:
    builtins.print(*operands, sep=sep, end=end)  # noqa: T201


def _print_samples(_: Any) -> Any:
    yield (), {}
    yield (1, 2.5, "text", None), {"sep": ", ", "end": ""}
    yield (np.arange(3), (1, 2)), {"sep": " ", "end": "\n"}


print_ = defop("print", infer=no_results, kernel=_print, effects=WRITES, samples=_print_samples)
"""``print(*operands, sep=sep, end=end)``, to ``sys.stdout`` as it is at that moment."""


def exception_class(name: str) -> type[BaseException]:
    """The builtin exception of this name. Raises DiagnosticError (INVALID_IR)."""
    found = getattr(builtins, name, None)
    if not isinstance(found, type) or not issubclass(found, BaseException):
        raise invalid(f"there is no exception {name}")
    return found


def _infer_make(*_: Type, name: str) -> Type:
    exception_class(name)
    return OBJECT


def _make(*args: Any, name: str) -> Any:
    return exception_class(name)(*args)


_CHECKED = (OSError, ImportError, SyntaxError, UnicodeError, BaseExceptionGroup)
"""Classes that refuse some arguments, or make an instance of another class."""


def _make_effects(_: Sequence[Type], attrs: Attrs) -> Effect:
    is_checked = issubclass(exception_class(attrs["name"]), _CHECKED)
    return Effect.RAISES if is_checked else Effect.NONE


def _make_samples(_: Any) -> Any:
    for name in ("ValueError", "KeyError", "OSError", "StopIteration", "UnicodeDecodeError"):
        yield (), {"name": name}
        yield ("text", 2), {"name": name}


make = defop(
    "exception.make", infer=_infer_make, kernel=_make, effects=_make_effects, samples=_make_samples
)
"""``ValueError(*args)``: a builtin exception, by name."""


def _infer_raise(exception: Type, *cause: Type, has_cause: bool = False) -> tuple[Type, ...]:
    if len(cause) != has_cause:
        raise invalid("has_cause says whether there is a second operand")
    for type_ in (exception, *cause):
        if type_ != OBJECT and not (type_ == NONE and type_ in cause):
            raise invalid(f"an exception is due, not {type_}")
    return ()


def _raise(exception: Any, *cause: Any, has_cause: bool = False) -> None:
    if has_cause:
        raise exception from cause[0]
    raise exception


def _raise_samples(_: Any) -> Any:
    yield (ValueError("text"),), {"has_cause": False}
    yield (KeyError,), {"has_cause": False}
    yield (ValueError("text"), TypeError()), {"has_cause": True}
    yield (ValueError("text"), None), {"has_cause": True}
    yield (slice(3),), {"has_cause": False}


raise_value = defop(
    "raise_value",
    infer=_infer_raise,
    kernel=_raise,
    effects=Effect.RAISES,
    samples=_raise_samples,
)
"""``raise exception`` or ``raise exception from cause``; each may be an instance or a class,
and the cause None."""


def _infer_reraise(*exceptions: Type) -> tuple[Type, ...]:
    for exception in exceptions:
        if exception != OBJECT:
            raise invalid(f"an exception is due, not {exception}")
    return ()


def _reraise(*exceptions: Any) -> None:
    if not exceptions:
        raise  # noqa: PLE0704 - of whoever runs this
    raise exceptions[0]


reraise = defop(
    "reraise",
    infer=_infer_reraise,
    kernel=_reraise,
    effects=Effect.RAISES,
    samples=lambda _: [((ValueError("text"),), {})],
)
"""``raise`` in the handler that caught the operand; without one, in none that is known here: of
what the caller is handling, or RuntimeError."""
