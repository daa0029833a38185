"""What a function is lowered with that only lowering finds out.

In: what an attempt to lower it has found. Out: what the next attempt begins with. What is known
only grows, so that they come to an end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from staticpy.diagnostics import Diagnostic, Diagnostics, catalog
from staticpy.frontend.inputs import InputSet, Path
from staticpy.frontend.instances import Instances
from staticpy.frontend.lower_base import OF_TENSORS, Compilation, MeetsTensor, NeedsSteps
from staticpy.frontend.widths import LowerAgain, Widths
from staticpy.ir import PYTHON_TYPES
from staticpy.source import SourceSpan


@dataclass(slots=True)
class Attempts:
    """What the attempts have found so far.

    ``run_time`` are numbers of attributes and globals that the program writes: they are read at
    each call. ``takes_lists_apart``: it has errors where long lists are not known item by item.
    ``pairs_in_memory``: it has errors where one of two lists or dicts is known item by item.
    ``in_steps`` are generators that are not consumed in one go. ``widths`` are the types of lists
    and dicts in memory, ``instances`` the classes whose objects are in memory. ``derivatives`` is
    how many may be taken of the whole function: of calls with Tensors, when somebody goes back.
    """

    run_time: set[Path]
    takes_lists_apart: bool = False
    pairs_in_memory: bool = False
    in_steps: frozenset[SourceSpan] = frozenset()
    widths: Widths = field(default_factory=Widths)
    instances: Instances = field(default_factory=Instances)
    derivatives: int = 0
    _first_errors: list[Diagnostic] = field(default_factory=list)
    """What is said if dicts and objects in memory don't help either."""

    def inputs(self) -> InputSet:
        """The inputs of the next attempt, none yet."""
        inputs = InputSet()
        inputs.run_time = set(self.run_time)
        inputs.expects_tensors = self.derivatives > 0
        inputs.takes_lists_apart = self.takes_lists_apart
        return inputs

    def broken_off(self, reason: LowerAgain) -> None:
        """Learn from an attempt that did not come to its end."""
        if isinstance(reason, NeedsSteps):
            self.in_steps |= {reason.span}
        elif isinstance(reason, MeetsTensor):
            self.derivatives = OF_TENSORS
        else:
            self.instances.attributes.clear()

    def need_another(self, compilation: Compilation, mark: int) -> bool:
        """Learn from an attempt that came to its end; ``mark`` is where its diagnostics begin."""
        diagnostics, instances = compilation.diagnostics, self.instances
        if instances.may_go_on():
            return True
        changing = _written_numbers(compilation)
        has_news = not changing <= self.run_time
        self.run_time |= changing
        if not diagnostics.has_errors:
            return has_news
        if compilation.inputs.could_take_lists_apart:
            self.takes_lists_apart = True
            return True
        errors = list(diagnostics)[mark:]
        if not self.pairs_in_memory and any(e.spec is catalog.ALIAS_UNDECIDED for e in errors):
            self.pairs_in_memory, self._first_errors = True, errors
            return True
        if not any(map(_stays, errors)) and instances.move_to_memory():
            self._first_errors = self._first_errors or errors
            return True
        if self._first_errors:
            self._report_first(diagnostics, mark)
            return False
        return has_news

    def _report_first(self, diagnostics: Diagnostics, mark: int) -> None:
        diagnostics.rollback(mark)
        for error in self._first_errors:
            diagnostics.append(error)


def _stays(error: Diagnostic) -> bool:
    """Whether an error is one of syntax, names or files: it is there whatever is in memory."""
    return error.spec.code < "SPY400"


def _written_numbers(compilation: Compilation) -> set[Path]:
    """Where the program writes a number that it has taken for part of the compiled code."""
    written = {ref.path for ref in compilation.written} | set(compilation.inputs.written)
    found = set()
    for guard in compilation.inputs.guards.values():
        if guard.kind == "equals" and type(guard.expected) in PYTHON_TYPES:
            around = Path(guard.path.root, guard.path.steps[:-1])
            if guard.path in written:
                found.add(guard.path)
            elif around in written and guard.path.steps[-1][0] == "item":
                found.add(around)
    return found
