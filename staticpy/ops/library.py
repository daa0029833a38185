"""Calls of NumPy's functions that have no op of their own: ``np.interp``, ``np.linalg.solve``, ….

    %y = numpy.call %x, %xp, %fp {function = "interp", results = (!f64[?],)}
    %v, %i = numpy.call %a {function = "linalg.eigh", results = (!f64[?], !f64[?, ?])}

One op serves them all: ``function`` is the dotted name under ``numpy``, the last operands are
passed by the names in ``keywords``, and all other attributes go to it as they are. Where it takes
tuples or lists of arrays, ``nesting`` says how the operands stand in them. ``results`` are
the types of what it returns, found by calling it on small samples; as some depend on the values
(the eigenvalues of a real matrix may be complex), each call compares what it got with them.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    COMPLEX,
    FLOAT,
    INT,
    NEVER,
    NONE,
    STR,
    UNKNOWN,
    ListType,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    accepts,
    attribute_key,
    map_tensors,
    members_of,
    type_of,
)
from staticpy.ops.opdef import Effect, defop
from staticpy.ops.store import numpy_function

_EFFECTS = Effect.RAISES | Effect.WARNS
_LENGTHS = (3, 1, 2, 4, 5)
"""The sizes of axes that are tried, until NumPy takes them."""
_MOST_TOLD_APART = 3
"""To how many operands different sizes are given, where none that are the same will do."""
_MOST_ASSIGNED = 256
"""In how many ways sizes that are known are given to axes of which they are not."""
_NESTED = ("histogramdd",)
"""Functions that return a first item, and a sequence of the others."""
_CONTENTS = ("rising", "zeros", "mixed", "shares")
"""What the arrays hold that are tried, until NumPy takes them."""
_NUMBERS: dict[Type, type] = {INT: int, FLOAT: float, COMPLEX: complex}
_DIGITS = (2, 7, 1, 8, 28, 18, 284, 59)
_PYTHON = {"bool": True, "float": 0.5, "complex": 1 + 0.5j}


# --- the op ---------------------------------------------------------------------------------------


def call_numpy(
    *operands: Any,
    function: str,
    keywords: tuple[str, ...] = (),
    nesting: Nesting = (),
    **attrs: Any,
) -> Any:
    """Call NumPy's ``function``; what it returns in an inner sequence stands beside the rest."""
    given, named = operands_of(operands, keywords, nesting)
    found = numpy_function(function)(*given, **named, **attrs)
    return (found[0], *found[1]) if function in _NESTED else found


Nesting = tuple[Any, ...]
"""How arguments are made of operands: for each None, where it is one, and else the name of its
class and the nesting of its items, as ``("list", (None, None))``; empty if each is one.
"""


def nesting_of(arguments: Sequence[Any]) -> Nesting:
    """How the arguments stand in tuples and lists."""
    return tuple(
        (type(each).__name__, nesting_of(each)) if isinstance(each, tuple | list) else None
        for each in arguments
    )


def unpacked(arguments: Sequence[Any]) -> Iterator[Any]:
    """What the arguments consist of, one after the other."""
    for each in arguments:
        if isinstance(each, tuple | list):
            yield from unpacked(each)
        else:
            yield each


def packed(operands: Iterator[Any], nesting: Nesting) -> tuple[Any, ...]:
    """The arguments that are made of the operands."""
    made = (next(operands) if each is None else _sequence(operands, *each) for each in nesting)
    return tuple(made)


def _sequence(operands: Iterator[Any], kind: str, nesting: Nesting) -> Any:
    items = packed(operands, nesting)
    return list(items) if kind == "list" else items


def operands_of(
    operands: tuple[Any, ...], keywords: tuple[str, ...], nesting: Nesting = ()
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The operands that are passed by their place, and those that are passed by name."""
    operands = packed(iter(operands), nesting) if nesting else operands
    if not keywords:
        return operands, {}
    count = len(operands) - len(keywords)
    return operands[:count], dict(zip(keywords, operands[count:], strict=True))


def items_of(result: Any) -> tuple[Any, ...]:
    """What a function returns, as one item for each result."""
    return tuple(result) if isinstance(result, tuple | list) else (result,)


def _call(*operands: Any, function: str, results: tuple[Type, ...], **attrs: Any) -> Any:
    found = call_numpy(*operands, function=function, **attrs)
    if type(found) is np.ndarray and len(results) == 1 and _fits(results[0], found):
        return found  # which most calls are, many of them of small arrays
    return checked(f"np.{function}()", items_of(found), results)


def checked(function: str, found: tuple[Any, ...], results: tuple[Type, ...]) -> Any:
    """What a function has returned, if it is of the types that were expected.

    Raises:
        DiagnosticError: it is not.
    """
    if len(found) == len(results) and all(map(_fits, results, found)):
        return found[0] if len(found) == 1 else found
    types = [type_of(item) for item in found]
    raise DiagnosticError(
        catalog.RESULT_OF_OTHER_TYPE,
        function=function,
        found=", ".join(map(str, types)),
        expected=", ".join(map(str, results)),
    )


def _fits(expected: Type, found: Any) -> bool:
    """Whether a result is of the expected box, dtype and rank; its sizes don't count."""
    if isinstance(expected, TensorType) and type(found) is np.ndarray:
        return found.dtype == expected.dtype and found.ndim == len(expected.dims)
    if isinstance(expected, ScalarType) and type(found) is expected.dtype.type:
        return True
    type_ = type_of(found)
    return type_ is not None and accepts(
        map_tensors(_any_size, expected), map_tensors(_any_size, type_)
    )


def _infer(*_: Type, results: tuple[Type, ...], **_attrs: Any) -> tuple[Type, ...]:
    return results


def _samples(_: np.random.Generator) -> Any:
    x = np.array([1.0, 2.0, 4.0])
    f8 = np.dtype("float64")
    row, table = TensorType(f8, (UNKNOWN,)), TensorType(f8, (UNKNOWN, UNKNOWN))
    yield (2.5, x, x), {"function": "interp", "results": (ScalarType(f8),)}
    yield (x, x), {"function": "append", "results": (row,)}
    yield (x, x), {"function": "average", "keywords": ("weights",), "results": (ScalarType(f8),)}
    yield (np.eye(2),), {"function": "linalg.eigh", "results": (row, table)}
    yield (np.eye(2),), {"function": "histogram", "bins": 2, "results": (row, row)}  # is of ints


numpy_call = defop("numpy.call", infer=_infer, kernel=_call, effects=_EFFECTS, samples=_samples)
"""``np.function(…)``, which makes new arrays."""


def _view_samples(_: np.random.Generator) -> Any:
    table = TensorType(np.dtype("float64"), (UNKNOWN, UNKNOWN))
    yield (np.eye(2),), {"function": "fliplr", "results": (table,)}


numpy_view = defop(
    "numpy.view",
    infer=_infer,
    kernel=_call,
    effects=_EFFECTS,
    view=True,
    samples=_view_samples,
)
"""``np.function(x, …)``, whose result may share memory with ``x``."""


def _share_samples(rng: np.random.Generator) -> Any:
    x = rng.random((2, 3))
    yield (x, x.T), {}


shared = defop(
    "numpy.shared",
    infer=lambda base, part: part,
    kernel=lambda base, part: part,
    view=True,
    samples=_share_samples,
)
"""Operand 1, which a function that makes new arrays otherwise may have made a view of operand 0."""


# --- what comes out -------------------------------------------------------------------------------


def sample_array(dtype: np.dtype, shape: Sequence[int], content: str) -> np.ndarray:
    """An array for a trial: an identity of matrices, and a rising row; zeros; or a regular mix."""
    if content == "zeros" or not shape:
        return np.full(shape, content != "zeros", dtype)
    if content == "shares":
        return np.full(shape, 1 / max(shape[-1], 1)).astype(dtype)
    if content == "mixed":
        return (np.random.default_rng(0).random(shape) * len(shape) * 3).astype(dtype)
    if len(shape) == 1:
        return np.arange(1, shape[0] + 1).astype(dtype)
    made: np.ndarray = np.broadcast_to(np.eye(shape[-2], shape[-1]), tuple(shape)).astype(dtype)
    return made


@dataclass(frozen=True)
class Known:
    """An operand that is known while compiling. Two are equal if their texts are."""

    text: str
    value: Any = field(compare=False)


@dataclass(frozen=True)
class Sequenced:
    """An operand that is a tuple or list of so many items, of which not all are known."""

    kind: type
    items: tuple[Any, ...]


Operand = Type | Known | Sequenced


def _sample(type_: Operand, length: int, content: str) -> Any:
    """A value of ``type_`` with axes of ``length`` where their size is not known."""
    if isinstance(type_, Known):
        return type_.value
    if isinstance(type_, Sequenced) and content == "mixed":
        return _mixed(type_, length, itertools.cycle(_DIGITS))
    if isinstance(type_, Sequenced):
        return type_.kind(_sample(item, length, content) for item in type_.items)
    if isinstance(type_, TensorType):
        shape = [size if isinstance(size, int) else length for size in type_.dims]
        return sample_array(type_.dtype, shape, content)
    if isinstance(type_, ScalarType):
        whole = length if type_.dtype.kind in "iu" else 1
        return type_.dtype.type(whole if content != "zeros" else 0)
    if isinstance(type_, TupleType):
        return tuple(_sample(item, length, content) for item in type_.items)
    if isinstance(type_, ListType):
        depth, leaf = _depth(type_)
        kinds = [_NUMBERS.get(member) for member in members_of(leaf)]
        if content in ("mixed", "shares") and kinds and None not in kinds:
            # Rows that are all the same make a matrix that has no inverse.
            dtype = np.result_type(*kinds)
            return sample_array(dtype, (length,) * depth, content).tolist()
        members = [m for m in members_of(type_.item) if m != NEVER]
        items = itertools.islice(itertools.cycle(members), max(length, len(members)))
        return [_sample(item, length, content) for item in items]
    if isinstance(type_, UnionType):
        return _sample(type_.members[0], length, content)
    if type_ in (NONE, STR) or not isinstance(type_, PythonType):
        raise TypeError(f"it takes no {type_}")
    if type_.kind == "int":
        return length if content != "zeros" else 0
    return _PYTHON[type_.kind]


def _mixed(type_: Operand, length: int, numbers: Iterator[int]) -> Any:
    """A sample of a sequence in which no two numbers need be the same."""
    if isinstance(type_, Sequenced):
        return type_.kind(_mixed(item, length, numbers) for item in type_.items)
    if isinstance(type_, PythonType) and type_ in _NUMBERS:
        return _NUMBERS[type_](next(numbers))
    if isinstance(type_, ScalarType) and type_.dtype.kind in "iufc":
        return type_.dtype.type(next(numbers))
    return _sample(type_, length, "mixed")


def _depth(type_: Type) -> tuple[int, Type]:
    """How many lists a type is deep, and what the innermost hold."""
    depth = 0
    while isinstance(type_, ListType):
        depth, type_ = depth + 1, type_.item
    return depth, type_


Call = Callable[..., Any]
"""Calls a function by its name on samples."""


def _trials(
    call: Call, types: Sequence[Operand], attrs: Mapping[str, Any]
) -> Iterator[Callable[[], Any]]:

    def trial(given: Sequence[Operand], lengths: Sequence[int], content: str) -> Any:
        pairs = zip(given, lengths, strict=True)
        return call(*(_sample(type_, length, content) for type_, length in pairs), **attrs)

    count = len(types)
    for given in (types, _aligned(types)):
        for content, length in itertools.product(_CONTENTS, _LENGTHS):
            yield partial(trial, given, [length] * count, content)
    if 1 < count <= _MOST_TOLD_APART:
        for lengths in itertools.product(_LENGTHS, repeat=count):
            yield partial(trial, types, lengths, _CONTENTS[0])
    for given, content in itertools.product(_with_known_sizes(types), _CONTENTS):
        yield partial(trial, given, [1] * count, content)


def _with_known_sizes(types: Sequence[Operand]) -> Iterator[list[Operand]]:
    """The types, with each size that is not known one of those that are."""
    nodes = list(_nodes(types))
    known = sorted({size for node in nodes for size in _sizes(node) if isinstance(size, int)})
    arrays = [node for node in nodes if isinstance(node, TensorType)]
    count = sum(not isinstance(dim, int) for array in arrays for dim in array.dims)
    if not 0 < len(known) ** count <= _MOST_ASSIGNED or not count:
        return
    for sizes in itertools.product(known, repeat=count):
        rest = iter(sizes)
        yield [_of_sizes(type_, rest) for type_ in types]


def _nodes(types: Sequence[Operand]) -> Iterator[Operand]:
    """The types, and those of what stands in tuples and lists."""
    for type_ in types:
        yield type_
        if isinstance(type_, Sequenced):
            yield from _nodes(type_.items)


def _sizes(type_: Operand) -> tuple[Any, ...]:
    """The sizes of an array, or of what is made one."""
    if isinstance(type_, Sequenced):
        rows = set(map(_sizes, type_.items))
        return (len(type_.items), *rows.pop()) if len(rows) == 1 else ()
    if isinstance(type_, Known) and isinstance(type_.value, tuple | list):
        return _sizes(Sequenced(list, tuple(Known("", each) for each in type_.value)))
    return type_.dims if isinstance(type_, TensorType) else ()


def _of_sizes(type_: Operand, rest: Iterator[int]) -> Operand:
    """A type with the next sizes for those that are not known."""
    if isinstance(type_, Sequenced):
        return Sequenced(type_.kind, tuple(_of_sizes(item, rest) for item in type_.items))
    if not isinstance(type_, TensorType):
        return type_
    return TensorType(
        type_.dtype, tuple(d if isinstance(d, int) else next(rest) for d in type_.dims)
    )


def _aligned(types: Sequence[Operand]) -> list[Operand]:
    """The types, with each size that is not known taken from an operand that knows it, counted from
    the last axis.
    """
    known: dict[int, int] = {}
    for type_ in types:
        dims = reversed(type_.dims) if isinstance(type_, TensorType) else ()
        known.update({at: size for at, size in enumerate(dims) if isinstance(size, int)})

    def align(type_: TensorType) -> TensorType:
        last = type_.rank - 1
        found = (
            size if isinstance(size, int) else known.get(last - at, size)
            for at, size in enumerate(type_.dims)
        )
        return TensorType(type_.dtype, tuple(found))

    return [align(type_) if isinstance(type_, TensorType) else type_ for type_ in types]


Outcome = tuple[type, tuple[Type, ...]]
"""The class of what a function returns, and the type of each item of it (or of itself)."""


@lru_cache(maxsize=2048)
def _outcome(
    call: Call, types: tuple[Operand, ...], attrs: tuple[tuple[str, Any], ...], _key: Hashable
) -> Outcome | str:
    """What the function returns, or what NumPy says to operands of these types.

    The key of the attributes keeps 1 and True apart, and int64 and longlong.
    """
    reason = ""
    for trial in _trials(call, types, dict(attrs)):
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                result = trial()
        except Exception as error:  # whatever NumPy says to the sample
            reason = reason or str(error)
            continue
        found = [type_of(item) for item in items_of(result)]
        if None in found:
            return "its result is no array and no number of staticpy's"
        return type(result), tuple(map_tensors(_any_size, t) for t in found if t is not None)
    return reason or "NumPy takes no operands of these types"


def _any_size(type_: TensorType) -> TensorType:
    return TensorType(type_.dtype, (UNKNOWN,) * type_.rank)


def outcome_of(
    types: Sequence[Operand], attrs: Mapping[str, Any], call: Call = call_numpy
) -> Outcome:
    """What NumPy returns for operands of these types, sizes unknown.

    Raises:
        DiagnosticError: NumPy refuses operands of these types.
    """
    given = tuple(sorted(attrs.items()))
    outcome = _outcome(call, tuple(types), given, attribute_key(given))
    if isinstance(outcome, str):
        name = f"np.{attrs['function']}()"
        raise DiagnosticError(catalog.INVALID_ARRAY_CALL, function=name, reason=outcome)
    return outcome
