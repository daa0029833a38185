"""The kinds of diagnostic and their occurrences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from staticpy.diagnostics.text import shown_value
from staticpy.source import OWN_FILES, SourceSpan


class Severity(StrEnum):
    """How much a diagnostic matters. Only errors keep a function from being compiled."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class DiagnosticSpec:
    """One kind of diagnostic, defined once, in ``catalog``.

    ``message`` and ``help`` are templates (``"'{name}' is not defined"``): the message names the
    pattern, the help names the way out. ``explanation`` is the text of ``staticpy explain`` and of
    the reference page; ``bad`` is a program that gets this code, ``good`` the same program mended:
    running it raises a CompileError with this code. A program that ends in ``# $ staticpy …``
    prepares the files for that command, which reports the code.
    ``nodes`` are the grammar nodes whose rejection has this code. One in preview is a hint that is
    given only to who asks for such: what it finds may yet change.
    """

    code: str
    slug: str
    message: str
    help: str
    explanation: str
    bad: str
    good: str
    nodes: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR
    is_preview: bool = False


class _Shown(dict[str, object]):
    """The values of a template as text. A missing one leaves its mark: a report never fails."""

    def __getitem__(self, name: str) -> str:
        return shown_value(self.get(name, "…"))


@dataclass(frozen=True, slots=True)
class Label:
    """A secondary span with what is to be said of it: ``"float64 here"``."""

    span: SourceSpan
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """The text to write in the place of a span; an empty span is a place to insert at."""

    span: SourceSpan
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A way out as edits of the source, all of one file, which don't overlap.

    ``title`` says what they do: ``"write 'np.prod'"``. A safe fix keeps what the program does where
    it ran before; an unsafe one is a guess at what was meant, for a person to look at.
    """

    title: str
    edits: tuple[Edit, ...]
    is_safe: bool


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One occurrence of a kind of diagnostic.

    ``level`` is its severity where settings give it another than its kind's.
    """

    spec: DiagnosticSpec
    span: SourceSpan
    args: dict[str, object] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    fix: Fix | None = None
    level: Severity | None = None

    @property
    def code(self) -> str:
        """The code of its kind."""
        return self.spec.code

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.level or self.spec.severity

    @property
    def function(self) -> str:
        """The qualified name of the function that it stands in; empty for the module."""
        return self.span.function

    @property
    def chain(self) -> tuple[SourceSpan, ...]:
        """The calls that lead to it, the nearest first, the one in the compiled function last."""
        calls = []
        call = self.span.inlined_at
        while call is not None:
            calls.append(call)
            call = call.inlined_at
        return tuple(calls)

    @property
    def message(self) -> str:
        """The message in one line, with hidden characters of its values escaped."""
        return self.spec.message.format_map(_Shown(self.args))

    @property
    def help(self) -> str:
        """The way out, likewise."""
        return self.spec.help.format_map(_Shown(self.args))


def _key(diagnostic: Diagnostic) -> object:
    """Equal for two diagnostics of the same kind at the same place; ``args`` have no hash."""
    return diagnostic.code, diagnostic.span, diagnostic.labels


def _is_own(span: SourceSpan) -> bool:
    return span.file.startswith(OWN_FILES)


class Diagnostics:
    """The collector that is passed to each stage. Keeps what it is given in order.

    What is found in a function of this package, such as those of ``staticpy.xp``, stands where the
    user has called it, without what only who reads that function can use: labels in it, and edits.
    ``otherwise`` is the place of what no function of the user's has called.
    """

    def __init__(self, otherwise: SourceSpan | None = None) -> None:
        self._otherwise = otherwise
        self._items: list[Diagnostic] = []
        self._alike: dict[object, list[Diagnostic]] = {}
        """Those of one key, of which only the messages tell whether they say the same."""
        self._at: Counter[tuple[str, object]] = Counter()
        """How many there are of each code at each place."""

    def add(
        self,
        spec: DiagnosticSpec,
        span: SourceSpan,
        labels: tuple[Label, ...] = (),
        **args: object,
    ) -> None:
        """Keep a diagnostic; ``args`` are the values of the spec's templates."""
        self.append(Diagnostic(spec, span, args, labels))

    def append(self, diagnostic: Diagnostic) -> None:
        """Keep a diagnostic, unless the same one was kept already."""
        span = diagnostic.span.outside(OWN_FILES)
        if _is_own(span) and self._otherwise:
            span = self._otherwise
        labels = tuple(each for each in diagnostic.labels if not _is_own(each.span))
        if span != diagnostic.span or labels != diagnostic.labels:
            fix = diagnostic.fix if span == diagnostic.span else None
            diagnostic = replace(diagnostic, span=span, labels=labels, fix=fix)
        alike = self._alike.setdefault(_key(diagnostic), [])
        if all(diagnostic.message != each.message for each in alike):
            alike.append(diagnostic)
            self._items.append(diagnostic)
            self._at[diagnostic.spec.code, diagnostic.span.place] += 1

    def has(self, spec: DiagnosticSpec, span: SourceSpan) -> bool:
        """Whether there is one of a kind at a place, whichever call has led there."""
        return self._at[spec.code, span.place] > 0

    @property
    def has_errors(self) -> bool:
        """Whether there is an error among them."""
        return any(item.severity is Severity.ERROR for item in self._items)

    def mark(self) -> int:
        """A point to ``rollback`` to."""
        return len(self._items)

    def rollback(self, mark: int) -> list[Diagnostic]:
        """Forget what came after ``mark``, and return it."""
        dropped = self._items[mark:]
        del self._items[mark:]
        for item in dropped:
            self._alike[_key(item)].pop()
            self._at[item.spec.code, item.span.place] -= 1
        return dropped

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


class DiagnosticError(Exception):
    """Raised inside a stage to give up on one construct; the stage turns it into a Diagnostic.

    A rule that knows no source position (an op's type rule, say) leaves ``span`` out, and the stage
    adds the one it is working for.
    """

    def __init__(
        self,
        spec: DiagnosticSpec,
        span: SourceSpan | None = None,
        labels: tuple[Label, ...] = (),
        **args: object,
    ) -> None:
        super().__init__(f"{spec.code} {spec.slug}")
        self.spec = spec
        self.span = span
        self.labels = labels
        self.fix: Fix | None = None
        self.args_ = args

    def diagnostic(self, span: SourceSpan) -> Diagnostic:
        """The diagnostic, at its own span or else at ``span``."""
        return Diagnostic(self.spec, self.span or span, self.args_, self.labels, self.fix)


def with_label(diagnostic: Diagnostic, label: Label) -> Diagnostic:
    """The same diagnostic with one more secondary span."""
    return replace(diagnostic, labels=(*diagnostic.labels, label))
