"""The compile-time objects of the frontend that Python itself has no object for.

While a function is lowered, each of its values is either an ``ir.Value`` (run-time) or a plain
Python object (compile-time). Tuples are real ones that may hold Values. What can change, a list, a
dict, a set or an object, is a Ref: an identity, whose content is a cell of the state (``memory``).
What a running program would hold in a function object, a bound method or an iterator is held in
the classes below.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from staticpy.frontend.inputs import Path, Structure
from staticpy.frontend.scope import Scope
from staticpy.frontend.state import ABSENT, next_serial
from staticpy.ir import NONE, PYTHON_TYPES, STR, TupleType, Type, Value
from staticpy.source import SourceSpan, SourceUnit


class Marker:
    """A compile-time value that stands for the lack of one."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<{self._name}>"


UNBOUND: Final = ABSENT
"""A variable that has no value on a path."""
DEAD: Final = Marker("dead")
"""A variable that nobody reads on a path, because the path has left the function."""
PENDING: Final = Marker("pending")
"""A variable that a loop binds, whose type is not found yet."""
POISON: Final = Marker("poison")
"""What a statement with an error would have computed; reading it is not an error of its own."""


class Poisoned(Exception):
    """Raised where a value is needed that an earlier error has spoiled."""


class Pending(Poisoned):
    """Raised where a variable is read whose type an enclosing loop has yet to find."""


class PendingCall(Pending):
    """Raised where a function calls itself of which nothing is known yet: in this round of its
    lowering, nobody gets past that.
    """


class PathEnds(Exception):
    """Raised where the program raises on every path: what follows is not lowered."""


class NoVerdict(Exception):
    """Raised where something is met of which nothing is known, so that nothing can be said."""

    def __init__(self, name: str, span: SourceSpan) -> None:
        super().__init__(name)
        self.name = name
        self.span = span


@dataclass(eq=False, slots=True)
class UserFunction:
    """A function of the user's that is not nested in the one being lowered.

    ``function`` is the live object, which holds the default values; None where only the text is
    known (``check``).
    """

    unit: SourceUnit
    scope: Scope
    function: types.FunctionType | None = None


@dataclass(eq=False, slots=True)
class Closure:
    """A nested function or lambda: its node and the frame around it, read when it is called."""

    node: Any
    frame: Any
    defaults: dict[str, Any] = field(default_factory=dict)
    wrapped: Any = None
    """The function that this one is dressed up as, by ``functools.wraps``."""
    is_several: bool = False
    """Whether it stands for functions of several rounds: only ``is`` could tell them apart."""

    def merges_with(self, other: Closure) -> bool:
        """Whether one text in one frame has made both, with nothing of its own."""
        is_one = self.node is other.node and self.frame is other.frame
        if not is_one or self.defaults or other.defaults or self.wrapped is not other.wrapped:
            return False
        self.is_several = other.is_several = True
        return True


@dataclass(frozen=True, slots=True)
class BoundFunction:
    """A method of a user's object: a function with its first argument."""

    function: UserFunction
    self_value: Any


@dataclass(frozen=True, slots=True)
class ArrayMethod:
    """A method of a number or an array, such as ``x.sum``: the ops' adapter and the value."""

    name: str
    adapter: Callable[..., Any]
    value: Any


@dataclass(eq=False, slots=True)
class FlatIterator:
    """``x.flat`` of an array: it can be indexed, and gone through once."""

    array: Value
    is_consumed: bool = False


# --- what can change ------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Ref:
    """The identity of something mutable. Its content is in the heap of the compilation.

    ``path`` and ``live`` are set where it came from outside, which is before anything else
    (``serial`` is 0); ``span`` is where the program made it.
    """

    span: SourceSpan | None = None
    path: Path | None = None
    live: Any = None
    serial: int = field(default_factory=next_serial)
    name: str = ""

    @property
    def place(self) -> tuple[type, SourceSpan | None]:
        """Where the program makes such an object: its key in ``Compilation.made``."""
        return type(self), self.span


class ListRef(Ref):
    """A list. Content: a tuple of the items, or a Value of a ListType."""

    __slots__ = ()


class DictRef(Ref):
    """A dict. Content: a dict by compile-time key, or a Value of a DictType."""

    __slots__ = ()


@dataclass(eq=False, slots=True)
class AttributesRef(DictRef):
    """The dict of an object, ``vars(owner)``. Content: that of the object."""

    owner: Any = None


class SetRef(Ref):
    """A set of compile-time values. Content: a frozenset."""

    __slots__ = ()


@dataclass(eq=False, slots=True)
class ObjectRef(Ref):
    """An object of a class of the user's. Content: its attributes, by name.

    Of an object from outside, only those that were written; the others are captured when read.
    """

    class_: Any = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """What paths have left in a cell that no value can stand for; an error where it is read."""

    spec: Any
    labels: tuple[Any, ...]
    args: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class DictView:
    """``d.keys()``, ``d.values()`` or ``d.items()``: what the dict holds when that is read."""

    ref: DictRef
    kind: str


# --- functions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ContainerMethod:
    """A method of a list, dict, set, tuple or str: its name and the receiver."""

    receiver: Any
    name: str


@dataclass(frozen=True, slots=True)
class UnionMethod:
    """A method of a Value of one of several types, each of which has one of this name."""

    value: Value
    name: str


@dataclass(frozen=True, slots=True)
class Partial:
    """``functools.partial(function, *args, **kwargs)``."""

    function: Any
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Getter:
    """``operator.itemgetter``, ``attrgetter`` or ``methodcaller`` with its arguments."""

    kind: str
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class SuperProxy:
    """``super()`` in a method of ``class_``, for the instance or class ``receiver``."""

    class_: Any
    receiver: Any


@dataclass(frozen=True, slots=True)
class UfuncMethod:
    """A method of a ufunc, such as ``np.add.reduce``."""

    ufunc: Any
    name: str


# --- iterables ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RangeIterable(Structure):
    """``range(start, stop, step)``, each a static int or a Value; ``stop`` is None if endless."""

    start: Any
    stop: Any
    step: Any

    def parts(self) -> tuple[Any, ...] | None:
        return None if self.stop is None else (self.start, self.stop, self.step)


@dataclass(frozen=True, slots=True)
class EnumerateIterable:
    """``enumerate(iterable, start)``."""

    iterable: Any
    start: Any


@dataclass(frozen=True, slots=True)
class ZipIterable:
    """``zip(*iterables)``."""

    iterables: tuple[Any, ...]
    strict: bool = False


@dataclass(frozen=True, slots=True)
class MapIterable:
    """``map(function, *iterables)``, and what else of ``class_`` can be written as one."""

    function: Any
    iterable: Any
    is_starred: bool
    class_: type = map


@dataclass(frozen=True, slots=True)
class FilterIterable:
    """``filter(function, iterable)``, and its kin of itertools: ``kind`` says which."""

    function: Any
    iterable: Any
    kind: str = "filter"


@dataclass(frozen=True, slots=True)
class ReversedIterable:
    """``reversed(sequence)``."""

    iterable: Any


@dataclass(frozen=True, slots=True)
class ChainIterable:
    """``itertools.chain(*iterables)``."""

    iterables: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class SliceIterable:
    """``itertools.islice(iterable, start, stop, step)``."""

    iterable: Any
    start: Any
    stop: Any
    step: Any


@dataclass(frozen=True, slots=True)
class AccumulateIterable:
    """``itertools.accumulate(iterable, function, initial=initial)``."""

    iterable: Any
    function: Any
    initial: Any


@dataclass(frozen=True, slots=True)
class PairwiseIterable:
    """``itertools.pairwise(iterable)``."""

    iterable: Any


@dataclass(frozen=True, slots=True)
class ProductIterable:
    """``itertools.product(*iterables)``."""

    iterables: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ZipLongestIterable:
    """``itertools.zip_longest(*iterables, fillvalue=fill)``."""

    iterables: tuple[Any, ...]
    fill: Any


@dataclass(frozen=True, slots=True)
class FlattenIterable:
    """``itertools.chain.from_iterable(iterable)``."""

    iterable: Any


@dataclass(frozen=True, slots=True)
class CycleIterable:
    """``itertools.cycle(iterable)``."""

    iterable: Any


@dataclass(frozen=True, slots=True)
class GroupIterable:
    """``itertools.groupby(iterable, function)``."""

    iterable: Any
    function: Any


@dataclass(frozen=True, slots=True)
class KnownIterable:
    """What makes items that are all known, such as ``itertools.combinations``."""

    items: tuple[Any, ...]
    class_: type


@dataclass(eq=False, slots=True)
class Generator(Ref):
    """A generator expression or a call of a generator function, which runs where it is consumed.

    ``start(consume)`` lowers it. Content: False, and then ``running`` and ``done``, or ``left``
    where it may have been left in the middle. ``steps()`` makes it an iterator instead; None where
    it can't be one.
    """

    class_: type | None = types.GeneratorType
    """What Python has in its place; None where that is not known."""
    start: Callable[[Any], None] | None = None
    run_around: Callable[[Any], None] | None = None
    """As ``start``, with what is done with an item inside of the ``try`` that the ``yield`` is
    in: it raises there."""
    steps: Callable[[], IteratorRef] | None = None
    returning: str = ""
    """The name of the function, if it returns a value, which ends with it."""


@dataclass(eq=False, slots=True)
class IteratorRef(Ref):
    """What is asked for one item after the other (``iterators``). It has no content.

    ``kind`` says how, and ``source`` what it goes through; ``cells`` are its state, and ``class_``
    and ``returning`` are what a Generator has as its own.
    """

    kind: str = ""
    source: Any = None
    cells: Any = None
    class_: type | None = None
    returning: str = ""


PUSHED = (MapIterable, FilterIterable, ChainIterable, SliceIterable, AccumulateIterable)
LAZY = (
    RangeIterable,
    EnumerateIterable,
    ZipIterable,
    *PUSHED,
    ReversedIterable,
    PairwiseIterable,
    ProductIterable,
    ZipLongestIterable,
    FlattenIterable,
    CycleIterable,
    GroupIterable,
    KnownIterable,
    Generator,
    IteratorRef,
)
"""Every compile-time iterable that is no container."""


def is_scalar(value: Any) -> bool:
    """Whether ``value`` is a compile-time Python number, which a constant of the graph can hold."""
    return type(value) in PYTHON_TYPES


def is_liftable(value: Any) -> bool:
    """Whether ``value`` is a number or a Value: an operand of the ops."""
    return isinstance(value, Value) or is_scalar(value)


def leaf_type(value: Any) -> Type:
    """The type that a liftable value has in the graph."""
    return value.type if isinstance(value, Value) else PYTHON_TYPES[type(value)]


def constant_type(value: Any) -> Type | None:
    """The type of a Value, a number, None, a str or a tuple of these; None for anything else."""
    if isinstance(value, Value) or is_scalar(value):
        return leaf_type(value)
    if value is None:
        return NONE
    if type(value) is str:
        return STR
    if type(value) is tuple:
        items = [constant_type(item) for item in value]
        return None if None in items else TupleType(tuple(item for item in items if item))
    return None


def same_static(left: Any, right: Any) -> bool:
    """Whether two compile-time leaves are the same value: type, value and sign of zero."""
    if left is right:
        return True
    if type(left) is not type(right) or isinstance(left, Value | Ref):
        return False
    if is_scalar(left) or isinstance(left, str | bytes):
        return repr(left) == repr(right)
    if isinstance(left, Closure):
        return left.merges_with(right)
    kinds = BoundFunction | Partial | Getter | ContainerMethod | SuperProxy | type | range
    return bool(left == right) if isinstance(left, kinds) else False


_PLAIN_OBJECTS = (type, enum.Enum, types.BuiltinFunctionType, np.ufunc, np.dtype, bytes, range)


def is_plain_object(item: Any) -> bool:
    """Whether a compile-time object is the very object that a running program has, too."""
    return isinstance(item, _PLAIN_OBJECTS)
