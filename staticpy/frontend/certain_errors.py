"""What always raises where it is reached: warnings of ``check``, which keep nothing from compiling.

In: while a function is lowered, each place that is compiled as a ``raise`` though the user wrote
none: an index beyond a list of known length, a variable that no path has bound, a division by the
number 0. Out: a warning for each that is left in the graph and that no handler around it catches.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from staticpy.diagnostics import Diagnostic, Label, catalog
from staticpy.frontend.caught_types import CaughtTypes
from staticpy.frontend.certain_sizes import calls_to, never_fit
from staticpy.frontend.lower_base import Compilation, Frame, Graph
from staticpy.frontend.values import UNBOUND, PathEnds, Ref, is_scalar
from staticpy.ir import Module, Operation, OpResult, PythonType, TensorType, Value, walk
from staticpy.source import SourceSpan

_DIVISIONS = ("/", "//", "%")
_MOST_KEYS = 6
_OF_IMPORTS = "ModuleNotFoundError"
"""What is installed where a file is checked, as in an environment of pre-commit's, says nothing of
where the program runs."""


@dataclass(frozen=True, slots=True)
class _Certain:
    """An operation that always raises, and what is to be said of it."""

    exception: str
    detail: str
    span: SourceSpan
    labels: tuple[Label, ...]


class CertainErrors(CaughtTypes):
    """Notes the operations that always raise."""

    def __init__(self, compilation: Compilation, graph: Graph, frame: Frame) -> None:
        super().__init__(compilation, graph, frame)
        self._certain: dict[Operation, _Certain] = {}
        self._alternatives = 0
        """How many values of one of several types are being taken apart: what raises for one of
        them need not for the others."""

    def fails(self, exception: str, message: Any, node: Any) -> Any:
        try:
            return super().fails(exception, message, node)
        except PathEnds:
            self._note_certain(exception, message, node)
            raise

    def fails_with(self, class_: type, message: str, node: Any) -> Any:
        try:
            return super().fails_with(class_, message, node)
        except PathEnds:
            self._note_certain(class_.__name__, message, node)
            raise

    def numeric(self, symbol: str, left: Any, right: Any, node: Any) -> Any:
        found = super().numeric(symbol, left, right, node)
        is_zero = symbol in _DIVISIONS and is_scalar(right) and right == 0
        is_python = is_scalar(left) or isinstance(getattr(left, "type", None), PythonType)
        if is_zero and is_python and isinstance(found, Value):
            self._note_certain("ZeroDivisionError", f"'{symbol}' by {right!r}", node)
        return found

    def dispatch(self, value: Any, run: Callable[[Any], Any], node: Any) -> Any:
        self._alternatives += 1
        try:
            return super().dispatch(value, run, node)
        finally:
            self._alternatives -= 1

    def _note_certain(self, exception: str, message: Any, node: Any) -> None:
        """Note the operation that was just emitted. In an unrolled loop only the first round is
        certain to be reached.
        """
        if self._alternatives or any(self.unrolled) or exception == _OF_IMPORTS:
            return
        text = message if isinstance(message, str) and exception != "KeyError" else repr(message)
        detail = exception if isinstance(message, Value) else f"{exception}: {text}"
        labels = tuple(self._causes(exception, node))
        certain = _Certain(exception, detail, self.full_span(node), labels)
        self._certain[self.builder.block.operations[-1]] = certain

    def _causes(self, exception: str, node: Any) -> Iterator[Label]:
        """Where that comes from which makes it certain."""
        base = node.value if isinstance(node, gast.Subscript | gast.Attribute) else node
        if not isinstance(base, gast.Name):
            return
        value = self.env.get(base.id, UNBOUND)
        if value is UNBOUND:
            bound = self._first_binding(base.id)
            if bound is not None and exception in ("UnboundLocalError", "NameError"):
                yield Label(bound, "bound here, on no path to the use")
            return
        span = value.span if isinstance(value, Ref) and value.span else self.span_of(base.id)
        if span is not None:
            yield Label(span, self._what_is_there(value))

    def _what_is_there(self, value: Any) -> str:
        content = self._known_content(value) if isinstance(value, Ref) else value
        if isinstance(content, dict) and isinstance(value, Ref) and self.class_of(value) is dict:
            keys = ", ".join(map(repr, list(content)[:_MOST_KEYS]))
            more = ", …" if len(content) > _MOST_KEYS else ""
            return f"its keys are {keys}{more}" if content else "it is empty"
        if isinstance(content, tuple | str):
            return f"{len(content)} item{'' if len(content) == 1 else 's'}"
        return f"{self._shown(value)} here"

    def _first_binding(self, name: str) -> SourceSpan | None:
        for node in gast.walk(self.frame.prepared.node):
            if isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store):
                return self.span(node)
        return None

    def certain_errors(self) -> Iterator[Diagnostic]:
        """A warning for each place in the module that raises for certain."""
        module = self.compilation.module
        for function in module.functions.values():
            for operation in walk(function.block):
                found = self._certain.get(operation)
                if found is not None and not is_caught(operation, found.exception, module):
                    args: dict[str, object] = {"detail": found.detail}
                    spec = catalog.ALWAYS_RAISES
                    yield Diagnostic(spec, found.span, args, found.labels)
        yield from self._sizes_that_never_fit(module)

    def _sizes_that_never_fit(self, module: Module) -> Iterator[Diagnostic]:
        """The same where sizes that are written in the text are the cause."""
        for operation, (exception, message) in never_fit(module, self.builder.facts):
            if not is_caught(operation, exception, module):
                args: dict[str, object] = {"detail": f"{exception}: {message}"}
                labels = tuple(self._origins(operation))
                yield Diagnostic(catalog.ALWAYS_RAISES, operation.span, args, labels)

    def _origins(self, operation: Operation) -> Iterator[Label]:
        """Where the arrays of an operation come from."""
        prepared = self.frame.prepared
        parameters = {each.name: prepared.unit.span(each.node) for each in prepared.parameters}
        own = self.compilation.module.main.block.args
        for value in operation.operands:
            origin = value.owner.span if isinstance(value, OpResult) else None
            if any(value is each for each in own):
                origin = parameters.get(value.name)
            if origin is not None and isinstance(value.type, TensorType):
                name = f"'{value.name}' is " if value.name else ""
                yield Label(origin, f"{name}{self._shown(value)}")


def is_caught(
    operation: Operation, exception: str, module: Module, around: tuple[Operation, ...] = ()
) -> bool:
    """Whether a handler catches what an operation raises: here, or around every call that leads
    here but those in ``around``.
    """
    inner, outer = operation, operation.parent
    while outer is not None:
        if outer.name == "try" and _holds(outer, inner) and _catches(outer, exception):
            return True
        inner, outer = outer, outer.parent
    callers = [call for call in calls_to(inner, module) if call not in around]
    around = (*around, operation)
    return bool(callers) and all(is_caught(each, exception, module, around) for each in callers)


def _holds(guard: Operation, inner: Operation) -> bool:
    """Whether ``inner`` stands in the body of a ``try``, not in a handler."""
    return guard.regions[0].block is inner.block


def _catches(guard: Operation, exception: str) -> bool:
    """Whether a handler of a ``try`` takes an exception, and doesn't raise it again."""
    class_ = getattr(builtins, exception, Exception)
    names = {each.__name__ for each in class_.__mro__}
    for caught, region in zip(guard.attrs["handlers"], guard.regions[1:], strict=True):
        raises_again = any(each.name == "reraise" for each in region.block.operations)
        may_catch = names.intersection(caught) or any(isinstance(each, int) for each in caught)
        if may_catch and not raises_again:
            return True
    return False
