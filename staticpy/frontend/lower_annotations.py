"""What annotations do when a function runs, and whether they are true.

Those of a nested function are evaluated where it is defined, those of variables never are; of
``a.b: int`` without a value, Python evaluates ``a``. Most annotations name types, which has no
effect that anybody sees once the names exist; what calls or computes is lowered as an expression.

Python checks no annotation. Where a value is found that certainly is not what its annotation says,
one of the two is a mistake, and the program is refused. The sizes that a signature names are facts
of the compilation: a call in which they differ is compiled anew, and then refused.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import gast

from staticpy.diagnostics import DiagnosticError, DiagnosticSpec, Label, catalog
from staticpy.frontend.annotations import ArrayAnnotation, tuple_items
from staticpy.frontend.axes import Axes, read_axes
from staticpy.frontend.conformance import Conformance, live_items
from staticpy.frontend.inputs import UNKNOWN_VALUE, Variant
from staticpy.frontend.kinds import kind_of
from staticpy.frontend.lower_base import Compilation, Frame, Graph
from staticpy.frontend.lower_steps import SteppingStatements
from staticpy.frontend.named_sizes import Mismatch, NamedSizes
from staticpy.frontend.parse import Parameter
from staticpy.frontend.state import ABSENT
from staticpy.frontend.static_scope import StaticModule
from staticpy.frontend.values import (
    UNBOUND,
    DictRef,
    ListRef,
    NoVerdict,
    Poisoned,
    Ref,
    SetRef,
)
from staticpy.ir import Dim, TensorType, Type, Value
from staticpy.source import SourceFile, SourceSpan

_TYPING = ("typing", "typing_extensions", "types")
"""Where the classes of ``Optional``, ``TypeVar`` and ``list[int]`` are from."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """An annotation, what it is about (a sentence's beginning, and short), and where that is."""

    annotation: Any
    what: str
    name: str
    place: SourceSpan | None


Compare = Callable[[_Claim, Any, NamedSizes], None]
"""Compares what an annotation says with what was found."""


class Annotations(SteppingStatements):
    """Lowers what annotations do."""

    def __init__(self, compilation: Compilation, graph: Graph, frame: Frame) -> None:
        super().__init__(compilation, graph, frame)
        self._sizes: dict[Frame, NamedSizes] = {}
        """For each frame the sizes that its signature names, and where that was first."""
        self._readings: dict[Frame, Conformance] = {}

    # --- what they say ----------------------------------------------------------------------------

    def run(self, node: Any) -> Any:
        prepared = self.frame.prepared
        mark = self.compilation.diagnostics.mark()
        if any(parameter.annotation is not None for parameter in prepared.parameters):
            sizes = self._sizes[self.frame] = self._no_sizes()
            for compare in (self._check, self._relate_sizes):
                for parameter in prepared.parameters:
                    if parameter.annotation is not None:
                        self._check_parameter(parameter, sizes, compare)
        if len(self.compilation.diagnostics) > mark:
            raise Poisoned
        return super().run(node)

    def _no_sizes(self) -> NamedSizes:
        return NamedSizes(self.builder.facts, self.compilation.inputs)

    def _check_parameter(self, parameter: Parameter, sizes: NamedSizes, compare: Compare) -> None:
        value = self.env.get(parameter.name, UNBOUND)
        values = [value]
        if parameter.kind == "var_positional":
            values = list(value)
        elif parameter.kind == "var_keyword":
            values = list((self._known_content(value) or {}).values())
        elif value is None and getattr(parameter.default, "value", UNBOUND) is None:
            return
        call = self.frame.chain or self.graph.chain
        named = f"'{parameter.name}'"
        claim = _Claim(parameter.annotation, f"the parameter {named}", named, call)
        for each in values:
            compare(claim, each, sizes)

    def stmt_Return(self, node: Any) -> None:
        super().stmt_Return(node)
        prepared = self.frame.prepared
        annotation = getattr(prepared.node, "returns", None)
        if annotation is not None and not prepared.is_generator:
            subject = f"what '{prepared.node.name}' returns"
            claim = _Claim(annotation, subject, subject, self.span(node))
            self._check_with_sizes(claim, self.env["%result"])

    def stmt_AnnAssign(self, node: Any) -> None:
        target = node.target
        if node.value is not None:
            value = self.expression(node.value)
            subject = f"'{self._text(target)}'"
            claim = _Claim(node.annotation, subject, subject, self.span(node.value))
            self._check_with_sizes(claim, value)
            self.assign(target, value)
        elif not isinstance(target, gast.Name):
            self.expression(target.value)
            if isinstance(target, gast.Subscript):
                self.expression(target.slice)

    def _check_with_sizes(self, claim: _Claim, value: Any) -> None:
        """Compare what is found in the body with what the signature says of sizes."""
        sizes = self._sizes.get(self.frame) or self._no_sizes()
        sizes = sizes.copy()
        self._check(claim, value, sizes)
        self._relate_sizes(claim, value, sizes)

    def _check(self, claim: _Claim, value: Any, sizes: NamedSizes) -> None:
        """Report a value that is certainly not what its annotation says.

        Args:
            claim: the annotation, and what it is about.
            value: what was found.
            sizes: the sizes that are named so far, to which those of ``value`` are added.
        """
        conformance = self._conformance()
        if conformance.admits(claim.annotation, value):
            self._note_sizes(claim, value, sizes)
            return
        found = self._shown(value)
        args = {"annotation": self._text(claim.annotation), "found": found}
        self._refuse(catalog.ANNOTATION_MISMATCH, claim, f"{found} here", what=claim.what, **args)

    def _note_sizes(self, claim: _Claim, value: Any, sizes: NamedSizes) -> None:
        """Take the sizes that an annotation names for facts; report those that differ."""
        for axes, dims in self._arrays(claim.annotation, value):
            for mismatch in sizes.note(axes, dims, claim.name):
                self._refuse_size(claim, mismatch)

    def _relate_sizes(self, claim: _Claim, value: Any, sizes: NamedSizes) -> None:
        """The same for those that are computed of others."""
        for axes, dims in self._arrays(claim.annotation, value):
            for mismatch in sizes.relate(axes, dims):
                self._refuse_size(claim, mismatch)

    def _arrays(self, annotation: Any, value: Any) -> Iterator[tuple[Axes, tuple[Dim, ...]]]:
        """The axes that an annotation, or one inside that of a tuple, says, and an array has."""
        origin = self._conformance().origin
        inner = tuple_items(annotation, origin)
        if inner is not None and isinstance(value, tuple):
            for each, item in zip(inner, value, strict=False):
                yield from self._arrays(each, item)
        axes, found = read_axes(annotation, origin), getattr(value, "type", None)
        if axes is not None and isinstance(found, TensorType) and axes.fits(found.rank):
            yield axes, found.dims

    def _refuse_size(self, claim: _Claim, mismatch: Mismatch) -> None:
        args = {"size": mismatch.size, "first": mismatch.first, "other": mismatch.other}
        args["second"] = mismatch.second
        spec = catalog.ANNOTATED_SIZE_MISMATCH
        self._refuse(spec, claim, f"{mismatch.second} here", what=claim.name, **args)

    def _refuse(self, spec: DiagnosticSpec, claim: _Claim, text: str, **args: Any) -> None:
        """Report, and go on: what follows may have errors of its own."""
        labels = () if claim.place is None else (Label(claim.place, text),)
        self.report(DiagnosticError(spec, None, labels, **args), claim.annotation)

    def _conformance(self) -> Conformance:
        """The annotations as this frame reads them."""
        frame = self.frame
        if frame not in self._readings:
            unit = frame.prepared.unit
            scope = _module_of(unit.source).scope_of(unit)
            hidden = set(self._local_names())
            self._readings[frame] = Conformance(
                lambda path: None if path.partition(".")[0] in hidden else scope.origin(path),
                lambda name: None if name in hidden else scope.alias(name),
                lambda name: None if name in hidden else self._live_class(name),
                self.class_of,
                self._known_content,
            )
        return self._readings[frame]

    def _local_names(self) -> Iterator[str]:
        """The variables of this function and of those around it that are being compiled."""
        frame: Frame | None = self.frame
        while frame is not None:
            yield from frame.prepared.assigned
            frame = frame.parent

    def _live_class(self, name: str) -> type | None:
        try:
            found = self.frame.scope.lookup(name)
        except KeyError:
            return None
        return found if isinstance(found, type) else None

    def _known_content(self, ref: Ref) -> Any:
        """What a list, dict or set holds, without reading anything from outside for it."""
        content = self.heap.get(ref, ABSENT)
        return live_items(ref.live) if content is ABSENT else content

    def _shown(self, value: Any) -> str:
        """The type of a value, in words for a message."""
        if isinstance(value, Type):
            return str(self.builder.facts.resolve_type(value))
        if isinstance(value, Value):
            return self._shown(value.type)
        if isinstance(value, tuple):
            items = ", ".join(map(self._shown, value))
            return f"({items},)" if len(value) == 1 else f"({items})"
        if isinstance(value, Variant):
            return " or ".join(dict.fromkeys(map(self._shown, value.options)))
        if isinstance(value, ListRef | DictRef | SetRef):
            return self._shown_content(value)
        class_ = self.class_of(value)
        return "None" if value is None or class_ is None else class_.__name__

    def _shown_content(self, ref: Ref) -> str:
        content, kind = self._known_content(ref), kind_of(ref)
        if isinstance(content, Value):
            return self._shown(content)
        if isinstance(content, dict):
            return f"dict[{self._shown_types(content)}, {self._shown_types(content.values())}]"
        items = self._shown_types(content or ())
        return f"{kind}[{items}]"

    def _shown_types(self, items: Iterable[Any]) -> str:
        return " | ".join(dict.fromkeys(map(self._shown, items))) or "never"

    def _text(self, node: Any) -> str:
        unit = self.frame.prepared.unit
        span = unit.span(node)
        text = unit.lines[span.line - 1][span.col : span.end_col]
        return text if span.line == span.end_line else f"{text.rstrip()} …"

    # --- what they do -----------------------------------------------------------------------------

    def closure(self, node: Any) -> Any:
        made = super().closure(node)
        for annotation in getattr(node, "evaluated", ()):
            self._evaluate(annotation)
        return made

    def _evaluate(self, node: Any) -> Any:
        """What an annotation refers to: for ``list[int]`` that is ``list``."""
        if isinstance(node, gast.Constant):
            return node.value
        if isinstance(node, gast.Tuple | gast.List):
            return [self._evaluate(each) for each in node.elts]
        if isinstance(node, gast.Name):
            return self._name(node)
        if isinstance(node, gast.Attribute):
            return self._attribute(self._evaluate(node.value), node)
        if isinstance(node, gast.Subscript):
            return self._subscript(self._evaluate(node.value), node)
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.BitOr):
            return self._alternative(node)
        return self.expression(node)

    def _name(self, node: Any) -> Any:
        try:
            found = self.expression(node)
        except NoVerdict:  # ``check``: it exists, and what it is does not matter
            return UNKNOWN_VALUE
        live = found.live if isinstance(found, Ref) else None
        is_type = isinstance(live, ArrayAnnotation) or type(live).__module__ in _TYPING
        return live if is_type else found

    def _attribute(self, base: Any, node: Any) -> Any:
        if base is UNKNOWN_VALUE:
            return base
        is_namespace = isinstance(base, types.ModuleType) or type(base).__module__ in _TYPING
        if is_namespace and hasattr(base, node.attr):
            return getattr(base, node.attr)
        return self.expression(node)

    def _subscript(self, base: Any, node: Any) -> Any:
        if isinstance(base, Value | Ref | tuple | str):
            return self.expression(node)
        self._evaluate(node.slice)
        takes_items = hasattr(base, "__class_getitem__") or hasattr(type(base), "__getitem__")
        if base is not UNKNOWN_VALUE and not takes_items:
            name = getattr(base, "__name__", type(base).__name__)
            self.fails("TypeError", f"type '{name}' is not subscriptable", node)
        return base

    def _alternative(self, node: Any) -> Any:
        """``int | None``."""
        sides = [self._evaluate(node.left), self._evaluate(node.right)]
        if any(isinstance(side, Value | Ref) for side in sides):
            return self.expression(node)
        texts = [side for side in sides if isinstance(side, str)]
        if texts and not any(type(side).__module__ in _TYPING for side in sides):
            names = [type(side).__name__ for side in sides]
            message = f"unsupported operand type(s) for |: '{names[0]}' and '{names[1]}'"
            self.fails("TypeError", message, node)
        return UNKNOWN_VALUE


@lru_cache(maxsize=16)
def _module_of(source: SourceFile) -> StaticModule:
    return StaticModule(source)
