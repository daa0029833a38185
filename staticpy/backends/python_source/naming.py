"""The variable of each value.

In: the statements of a function and its interference graph. Out: a Python name for every value
that needs a variable. Values that one copy joins, or of which one is written into the other's
buffer, share a variable where they don't interfere; names are the user's, numbered only where two
variables of one name are alive at once. No name is a keyword, a builtin, ``np`` or a global of
the source.
"""

from __future__ import annotations

import builtins
import itertools
import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from staticpy.backends.python_source.interference import Interference, Values
from staticpy.backends.python_source.nesting import Nesting, written_target
from staticpy.backends.python_source.statements import (
    Copy,
    For,
    Line,
    Statement,
    Try,
    all_statements,
)
from staticpy.ir import UNKNOWN, BlockArgument, Value, dims_of
from staticpy.ops import for_, try_
from staticpy.passes import MemoryPlan

_RESERVED = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | {"np", "_"}
_TRIED = 32
"""How many variables of one name are tried: where all are taken, a new one is cheap to find."""
_NO_IDENTIFIER = re.compile(r"\W")


@lru_cache(maxsize=4096)
def identifier(hint: str) -> str:
    """``hint`` as a Python identifier that is neither a keyword nor a builtin; "" for no hint."""
    name = unicodedata.normalize("NFKC", _NO_IDENTIFIER.sub("_", hint))
    if not name.strip("_"):
        return ""
    if not name.isidentifier():
        name = f"_{name}"
    return f"{name}_" if name in _RESERVED else name


@dataclass(eq=False, slots=True)
class _Group:
    """Values that share a variable, as a list and as a set, and what is alive where one of them is
    assigned.
    """

    members: list[Value]
    bits: Values
    alive: Values

    def interferes(self, other: _Group) -> bool:
        """Whether a value of one group interferes with one of the other."""
        return bool(self.alive & other.bits or other.alive & self.bits)

    def add(self, other: _Group) -> None:
        """Let the values of ``other`` share the variable."""
        self.members += other.members
        self.bits |= other.bits
        self.alive |= other.alive


class Naming:
    """Gives names to the values of one function."""

    def __init__(
        self,
        statements: list[Statement],
        interference: Interference,
        nesting: Nesting,
        plan: MemoryPlan,
        taken: Iterable[str],
    ) -> None:
        self._interference = interference
        self._args = dict.fromkeys(interference.args)
        self._nesting = nesting
        self._leader: dict[Value, Value] = {}
        self._groups: dict[Value, _Group] = {}
        self._hints: dict[Value, set[str]] = {}
        """The names that the user has given to the members of a group."""
        self._with_parameter = set(self._args)
        """The leaders of the groups that have a parameter in them."""
        self._taken = frozenset(taken)
        self._names: dict[Value, str] = {}
        self._holders: dict[str, _Group] = {}
        every = list(all_statements(statements))
        self._share(every, plan)
        self._name(_defined(every))

    def __contains__(self, value: Value) -> bool:
        """Whether a variable holds ``value``."""
        return self._find(value) in self._names

    def __getitem__(self, value: Value) -> str:
        """The name of the variable that holds ``value``."""
        return self._names[self._find(value)]

    def get(self, value: Value, default: str) -> str:
        """The name of the variable that holds ``value``, or ``default``."""
        return self._names.get(self._find(value), default)

    def is_taken(self, name: str) -> bool:
        """Whether a variable has this name."""
        return name in self._holders

    def holders(self, value: Value) -> Values:
        """The values of all variables that have the name of ``value``."""
        return self._holders[self[value]].bits

    # --- sharing ----------------------------------------------------------------------------------

    def _find(self, value: Value) -> Value:
        while value in self._leader:
            value = self._leader[value]
        return value

    def _group(self, leader: Value) -> _Group:
        if leader not in self._groups:
            bit, alive = self._interference.bit(leader), self._interference.alive(leader)
            self._groups[leader] = _Group([leader], bit, alive)
        return self._groups[leader]

    def _share(self, statements: list[Statement], plan: MemoryPlan) -> None:
        nested = self._nesting.nested
        pairs: list[tuple[Value, Value]] = []
        copies: list[tuple[Value, Value]] = []
        for statement in statements:
            if isinstance(statement, Line):
                operation = statement.operation
                reuses = (plan.reuses.get(result) for result in operation.results)
                pairs += [(reuse.value, reuse.buffer) for reuse in reuses if reuse]
                if written_target(operation) is not None:
                    pairs.append((operation.results[0], operation.operands[0]))
            elif isinstance(statement, Copy):
                copies += [
                    (target, source)
                    for target, source in statement.pairs
                    if isinstance(source, Value) and source not in nested
                ]
        known = self._interference
        pairs += sorted(copies, key=_preference)
        for one, two in pairs:
            if one in known and two in known:
                self._join(one, two)

    def _join(self, one: Value, two: Value) -> None:
        """Let two values share a variable, if their groups don't interfere and no parameter would
        lose its name.
        """
        first, second = self._find(one), self._find(two)
        if first is second:
            return
        group, other = self._group(first), self._group(second)
        if len(group.members) < len(other.members):
            first, second, group, other = second, first, other, group
        hints = self._hints_of(first) | self._hints_of(second)
        has_parameter = first in self._with_parameter or second in self._with_parameter
        if group.interferes(other) or (has_parameter and len(hints) > 1):
            return  # a parameter is not joined with a variable of another name
        self._leader[second] = first
        self._hints[first] = hints
        group.add(other)
        if has_parameter:
            self._with_parameter.add(first)

    def _hints_of(self, leader: Value) -> set[str]:
        known = self._hints.get(leader)
        return known or ({identifier(leader.name)} if leader.name else set())

    # --- names ------------------------------------------------------------------------------------

    def _name(self, defined: Iterable[Value]) -> None:
        numbers: dict[str, Iterator[int]] = {}
        values = [*self._args, *(value for value in defined if value in self._interference)]
        for leader in dict.fromkeys(map(self._find, values)):
            group = self._group(leader)
            hint = self._hint(group.members)
            fresh = numbers.setdefault(hint, itertools.count(_TRIED))
            free = (
                name
                for name in _numbered(hint, fresh)
                if name not in self._taken
                and not (name in self._holders and group.interferes(self._holders[name]))
            )
            name = next(free)
            self._holders.setdefault(name, _Group([], 0, 0)).add(group)
            self._names[leader] = name

    def _hint(self, group: list[Value]) -> str:
        """The user's name for a variable: that of a parameter first, else the most frequent one."""
        named = [identifier(value.name) for value in group if value in self._args]
        named = [name for name in named if name]
        hints = named or [name for name in (identifier(value.name) for value in group) if name]
        if len(hints) == 1:
            return hints[0]
        if hints:
            return Counter(hints).most_common(1)[0][0]
        return _default_name(group[0])


def _defined(statements: list[Statement]) -> Iterator[Value]:
    """The values that statements assign, in order."""
    for statement in statements:
        match statement:
            case Line():
                yield from statement.operation.results
            case Copy():
                yield from (target for target, _ in statement.pairs)
            case For():
                yield from statement.targets
            case Try():
                yield from (each.error for each in statement.handlers if each.error is not None)


def _default_name(value: Value) -> str:
    """A size is called what its type calls it, an index ``i``, an exception ``error``, anything
    else ``t``.
    """
    operation = value.defining_op
    if isinstance(value, BlockArgument) and is_index(value):
        return "i"
    if isinstance(value, BlockArgument) and _is_error(value):
        return "error"
    if operation is None or operation.name != "dim":
        return "t"
    dim = dims_of(operation.operands[0].type)[operation.attrs["axis"]]
    return (isinstance(dim, str) and dim != UNKNOWN and identifier(dim)) or "t"


def is_index(argument: BlockArgument) -> bool:
    """Whether a block argument counts the iterations of a ``for``."""
    parent = argument.block.parent
    return parent is not None and parent.op is for_ and argument.index == 0


def _is_error(argument: BlockArgument) -> bool:
    """Whether a block argument is the exception that a handler gets."""
    parent = argument.block.parent
    return parent is not None and parent.op is try_


def _numbered(name: str, fresh: Iterator[int]) -> Iterator[str]:
    """``name``, its forms with the first few numbers, then those with ``fresh`` ones."""
    yield name
    for number in itertools.chain(range(1, _TRIED), fresh):
        yield f"{name}_{number}"


def _preference(pair: tuple[Value, Value]) -> int:
    """Copies within one name come first, those between two names last."""
    target, source = pair
    if target.name and target.name == source.name:
        return 0
    return 2 if target.name and source.name else 1
