"""Running a program and keeping everything that there is to see.

In: a function and the arguments of a call, which are copied. Out: an Outcome: for each of two calls
in a row with the same arguments a description of the result or the exception, of the arguments
afterwards and of the module's state, and the text that was printed. CPython with NumPy is the
judge: ``differences`` says what a route does otherwise.
"""

from __future__ import annotations

import contextlib
import dis
import inspect
import io
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from staticpy.diagnostics import CompileError
from tests.support.describing import Description, compare, describe, without_addresses
from tests.support.walking import copied
from tests.support.world import World

Program = Callable[..., Any]
ERROR = "error"


@dataclass(frozen=True)
class Call:
    """The arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class State:
    """What was seen after one call."""

    description: Description
    error: BaseException | None
    by_statement: bool
    """Whether a ``raise`` or an ``assert`` of the program raised the error."""


@dataclass(frozen=True)
class Outcome:
    """What was seen after each of the calls."""

    states: tuple[State, ...]
    refusal: CompileError | None = None
    """Why the program is not part of the language, where a call found that."""


def observe(function: Program, call: Call, world: World) -> Outcome:
    """Call ``function`` twice with a copy of the arguments, without run-time warnings."""
    args, kwargs = copied((call.args, call.kwargs))
    roots: dict[str, Any] = {"arguments": args, **({"keywords": kwargs} if kwargs else {})}
    namespace = inspect.unwrap(function).__globals__
    states: list[State] = []
    world.restore()
    for name in ("result", "second result"):
        error, stream = None, io.StringIO()
        roots.pop(ERROR, None)
        try:
            with _quiet(stream):
                roots[name] = function(*args, **kwargs)
        except CompileError as refusal:
            return Outcome(tuple(states), refusal)
        except Exception as raised:
            roots[ERROR] = error = raised
        description = describe(roots | world.roots()) | {
            "printed": (without_addresses(stream.getvalue()),)
        }
        states.append(State(description, error, _is_by_statement(error, namespace)))
    world.restore()
    return Outcome(tuple(states))


@contextlib.contextmanager
def _quiet(stream: io.StringIO) -> Iterator[None]:
    with warnings.catch_warnings(), contextlib.redirect_stdout(stream):
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def _is_by_statement(error: BaseException | None, namespace: dict[str, Any]) -> bool:
    innermost: TracebackType | None = error.__traceback__ if error else None
    while innermost is not None and innermost.tb_next is not None:
        innermost = innermost.tb_next
    if innermost is None or innermost.tb_frame.f_globals is not namespace:
        return False
    instruction = innermost.tb_frame.f_code.co_code[innermost.tb_lasti]
    return dis.opname[instruction] == "RAISE_VARARGS"


# --- comparing ------------------------------------------------------------------------------------


def compare_outcomes(expected: Outcome, actual: Outcome) -> Iterator[str]:
    """What differs between two outcomes, in words; of the first call that differs."""
    if actual.refusal is not None:
        yield f"refused: {actual.refusal}"
        return
    for number, (left, right) in enumerate(zip(expected.states, actual.states, strict=True)):
        found = list(compare(*_comparable(left, right)))
        if found:
            prefix = "" if number == 0 else "in the second call: "
            yield from (f"{prefix}{text}" for text in found)
            yield from _raised("CPython", left)
            yield from _raised("it", right)
            return


def _comparable(left: State, right: State) -> tuple[Description, Description]:
    """The descriptions; with the class alone of an error that no statement of the user raised."""
    if left.by_statement:
        return left.description, right.description
    return _with_class_of_error(left.description), _with_class_of_error(right.description)


def _with_class_of_error(description: Description) -> Description:
    if ERROR not in description:
        return description
    kept = {place: leaf for place, leaf in description.items() if not place.startswith(ERROR)}
    return {ERROR: description[ERROR][:1], **kept}


def _raised(who: str, state: State) -> Iterator[str]:
    if state.error is not None:
        yield f"{who} raised {type(state.error).__name__}: {state.error}"


def differences(
    function: Program, calls: Iterable[Call], routes: Mapping[str, Program]
) -> list[str]:
    """What the routes do otherwise than CPython, over all calls; empty if nothing.

    Args:
        function: the program, as CPython runs it.
        calls: the arguments it is tried on.
        routes: the same program in other ways, by name.
    """
    found: list[str] = []
    for position, call in enumerate(calls):
        world = World(function)
        expected = observe(function, call, world)
        for name, route in routes.items():
            actual = observe(route, call, world)
            texts = compare_outcomes(expected, actual)
            found += [f"{name}, call {position}: {text}" for text in texts]
    return found
