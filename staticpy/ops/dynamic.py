"""Operators on values whose type depends on the path that was taken (``UnionType``).

Python finds the operator by the operand's class when the program runs, and so does the kernel here,
which is Python's operator itself. The type rule asks it about every combination of members; the
result is in the union of the answers. A combination for which Python raises contributes nothing:
the kernel raises at run time.

    %c = any.is %x {type = !None} : bool          # whether %x, of type f64[n]|None, is None
    %y = any.narrow %x {type = !f64[n]} : f64[n]  # %x itself, where it is known to be the array
"""

from __future__ import annotations

import builtins
import itertools
import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import (
    BOOL,
    FLOAT,
    NONE,
    OBJECT,
    PYTHON_TYPES,
    STR,
    DictType,
    ListType,
    ObjectType,
    PythonType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    Value,
    dims_of,
    members_of,
    type_of,
    union_of,
)
from staticpy.ops.linalg import matmul_dims
from staticpy.ops.opdef import Attrs, Effect, OpDef, Samples, defop
from staticpy.ops.power import power_types, python_power_types, small
from staticpy.ops.probe import probe_if_defined
from staticpy.ops.promote import broadcast_dims
from staticpy.ops.reduce import sized

_CONTAINERS = (TupleType, ListType, DictType)
_NUMPY = (ScalarType, TensorType)


def is_dynamic(operand: Any) -> bool:
    """Whether ``operand`` is a Value that is not simply a number or an array."""
    if not isinstance(operand, Value):
        return False
    type_ = operand.type
    return not isinstance(type_, _NUMPY) and type_ not in PYTHON_TYPES.values()


def _unsupported(symbol: str, types: Sequence[Type]) -> DiagnosticError:
    described = " and ".join(map(str, types))
    return DiagnosticError(catalog.UNSUPPORTED_OPERANDS, symbol=symbol, types=described)


# --- the type of one combination of members -------------------------------------------------------


def _results(symbol: str, kernel: Callable[..., Any], types: tuple[Type, ...]) -> tuple[Type, ...]:
    """What the operator gives for operands of these types; nothing where it raises.

    Raises:
        DiagnosticError: it depends on more than the types.
    """
    if any(isinstance(type_, ObjectType) for type_ in types):
        raise _unsupported(symbol, types)
    if symbol == "%" and types[0] == STR:
        return (STR,)
    if any(isinstance(type_, _CONTAINERS) for type_ in types):
        return _container_results(symbol, kernel, types)
    if symbol == "**":
        return _power_results(*types)
    found = probe_if_defined(f"operator '{symbol}'", kernel, tuple(map(small, types)))
    shapes = [dims_of(type_) for type_ in types]
    dims = matmul_dims(*shapes) if symbol == "@" and found else broadcast_dims(*shapes)
    return tuple(sized(type_, dims) for type_ in found)


def _power_results(base: Type, exponent: Type) -> tuple[Type, ...]:
    if NONE in (base, exponent) or STR in (base, exponent):
        return ()
    if isinstance(base, PythonType) and isinstance(exponent, PythonType):
        return (union_of(python_power_types(base, exponent)),)
    dims = broadcast_dims(dims_of(base), dims_of(exponent))
    if dims_of(exponent):
        found = probe_if_defined("**", operator.pow, (small(base), small(exponent)))
    else:
        found = power_types(small(base), exponent)
    return (union_of(sized(type_, dims) for type_ in found),) if found else ()


def _container_results(
    symbol: str, kernel: Callable[..., Any], types: tuple[Type, ...]
) -> tuple[Type, ...]:
    """Operators on tuples, lists and dicts. NumPy would make arrays of them."""
    if len(types) != 2 or any(isinstance(type_, _NUMPY) for type_ in types):
        raise _unsupported(symbol, types)
    left, right = types
    if symbol in ("==", "!="):
        return (BOOL,)
    if symbol in ("<", "<=", ">", ">="):
        is_ordered = type(left) is type(right) and not isinstance(left, DictType)
        return (BOOL,) if is_ordered else ()
    if symbol == "*":
        return _repeated(*types) or _repeated(right, left)
    return _joined(symbol, left, right)


def _repeated(sequence: Type, count: Type) -> tuple[Type, ...]:
    if not isinstance(sequence, TupleType | ListType) or count not in members_of(_INDEX):
        return ()
    if isinstance(sequence, TupleType):
        raise _unsupported("*", (sequence, count))
    return (sequence,)


_INDEX = union_of((PYTHON_TYPES[int], BOOL))


def _joined(symbol: str, left: Type, right: Type) -> tuple[Type, ...]:
    """``+`` of two sequences and ``|`` of two dicts."""
    if isinstance(left, TupleType) and isinstance(right, TupleType) and symbol == "+":
        return (TupleType((*left.items, *right.items)),)
    if isinstance(left, ListType) and isinstance(right, ListType) and symbol == "+":
        return (ListType(union_of((left.item, right.item))),)
    if isinstance(left, DictType) and isinstance(right, DictType) and symbol == "|":
        keys, values = union_of((left.key, right.key)), union_of((left.value, right.value))
        return (DictType(keys, values),)
    return ()


def operator_types(
    symbol: str, kernel: Callable[..., Any], operands: Sequence[Type], results: int = 1
) -> tuple[Type, ...]:
    """The types of the results of an operator on operands of any types.

    NEVER where Python raises for every combination of members.

    Raises:
        DiagnosticError: for some of them the types of the results depend on more than the types.
    """
    found: list[list[Type]] = [[] for _ in range(results)]
    for combination in itertools.product(*map(members_of, operands)):
        types = _results(symbol, kernel, combination)
        for kinds, type_ in zip(found, types, strict=False):
            kinds.append(type_)
    return tuple(map(union_of, found))


# --- the operators --------------------------------------------------------------------------------

_SAMPLES: tuple[tuple[Any, ...], ...] = (
    (7, 2.5),
    (np.float64(7), 2),
    (2.5, np.array([1.0, 2.0, 3.0])),
    (np.int8(3), np.int8(2)),
    (np.array([[1, 2], [3, 4]]), np.array([5, 6])),
    ("a", "b"),
    ((1, 2), (3.0,)),
    (None, 1),
    (False, True),
)


def _samples(kernel: Callable[..., Any], count: int) -> Samples:
    def samples(_: np.random.Generator) -> Iterator[Any]:
        for operands in _SAMPLES:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # ``~False``, from Python 3.12 on
                    kernel(*operands[:count])
            except (TypeError, ValueError):
                continue
            yield operands[:count], {}

    return samples


def _effects(symbol: str) -> Callable[[Sequence[Type], Attrs], Effect]:
    """Equality of anything but arrays, containers and objects never raises."""

    def effects(operands: Sequence[Type], _: Attrs) -> Effect:
        members = itertools.chain.from_iterable(map(members_of, operands))
        is_simple = all(isinstance(member, PythonType) for member in members)
        sure = is_simple and symbol in ("==", "!=")
        return Effect.NONE if sure else Effect.RAISES | Effect.WARNS

    return effects


def _define(name: str, symbol: str, kernel: Callable[..., Any], count: int = 2) -> OpDef:
    def infer(*operands: Type) -> Type:
        return operator_types(symbol, kernel, operands)[0]

    return defop(
        f"any.{name}",
        infer=infer,
        kernel=kernel,
        effects=_effects(symbol),
        symbol="" if symbol == "abs" else symbol,
        samples=_samples(kernel, count),
    )


BINARY: dict[str, OpDef] = {
    "+": _define("add", "+", operator.add),
    "-": _define("sub", "-", operator.sub),
    "*": _define("mul", "*", operator.mul),
    "/": _define("truediv", "/", operator.truediv),
    "//": _define("floordiv", "//", operator.floordiv),
    "%": _define("mod", "%", operator.mod),
    "**": _define("pow", "**", operator.pow),
    "@": _define("matmul", "@", operator.matmul),
    "<<": _define("lshift", "<<", operator.lshift),
    ">>": _define("rshift", ">>", operator.rshift),
    "&": _define("and", "&", operator.and_),
    "|": _define("or", "|", operator.or_),
    "^": _define("xor", "^", operator.xor),
}
"""The operators by symbol."""

COMPARE: dict[str, OpDef] = {
    "<": _define("lt", "<", operator.lt),
    "<=": _define("le", "<=", operator.le),
    ">": _define("gt", ">", operator.gt),
    ">=": _define("ge", ">=", operator.ge),
    "==": _define("eq", "==", operator.eq),
    "!=": _define("ne", "!=", operator.ne),
}
"""The comparisons by symbol."""

UNARY: dict[str, OpDef] = {
    "-": _define("neg", "-", operator.neg, 1),
    "+": _define("pos", "+", operator.pos, 1),
    "~": _define("invert", "~", operator.invert, 1),
    "abs": _define("abs", "abs", abs, 1),
}
"""The unary operators by symbol, and ``abs``."""


def _infer_divmod(*operands: Type) -> tuple[Type, Type]:
    quotient, remainder = operator_types("divmod", divmod, operands, results=2)
    return quotient, remainder


divmod_ = defop(
    "any.divmod",
    infer=_infer_divmod,
    kernel=divmod,
    effects=Effect.RAISES | Effect.WARNS,
    samples=_samples(divmod, 2),
)
"""``divmod(a, b)``, with two results."""


# --- which member it is ---------------------------------------------------------------------------


def is_member(value: Any, *, type: Type) -> bool:  # noqa: A002
    """Whether ``value`` is of ``type``: its box, its dtype and rank, its length if a tuple."""
    class_ = builtins.type(value)
    if isinstance(type, TensorType):
        return class_ is np.ndarray and value.dtype == type.dtype and value.ndim == type.rank
    if isinstance(type, TupleType):
        return class_ is tuple and len(value) == len(type.items)
    if isinstance(type, ListType | DictType):
        return class_ is (list if isinstance(type, ListType) else dict)
    if type == OBJECT:
        return class_ not in (list, dict, tuple, np.ndarray) and type_of(value) is None
    return type_of(value) == type


def _infer_is(operand: Type, *, type: Type) -> Type:  # noqa: A002
    if isinstance(operand, UnionType) and not _can_tell(operand.members, type):
        raise _unsupported("is", operand.members)
    return BOOL


def _can_tell(members: Sequence[Type], type_: Type) -> bool:
    """Whether Python can tell ``type_`` from the other members at run time."""
    if not isinstance(type_, _CONTAINERS) and type_ != OBJECT:
        return True
    if isinstance(type_, TupleType):
        return OBJECT not in members
    same = [member for member in members if builtins.type(member) is builtins.type(type_)]
    mixes = OBJECT in members and any(isinstance(member, _CONTAINERS) for member in members)
    return len(same) <= 1 and not mixes


def _is_samples(_: np.random.Generator) -> Iterator[Any]:
    values = (None, 3, 2.5, "a", np.float64(2), np.ones(3), np.ones((2, 2)), (1, 2.5))
    for value in values:
        yield (value,), {"type": NONE}
        yield (value,), {"type": TensorType(np.dtype("float64"), ("?",))}
        yield (value,), {"type": TupleType((BOOL, BOOL))}


is_ = defop("any.is", infer=_infer_is, kernel=is_member, samples=_is_samples)
"""``any.is {type = !None}``: whether a value of a union is of that member; sizes don't count."""


def _infer_narrow(_: Type, *, type: Type) -> Type:  # noqa: A002
    return type


def _narrow_samples(_: np.random.Generator) -> Iterator[Any]:
    yield (None,), {"type": NONE}
    yield (np.ones(3),), {"type": TensorType(np.dtype("float64"), ("?",))}


narrow = defop(
    "any.narrow",
    infer=_infer_narrow,
    kernel=lambda value, *, type: value,  # noqa: A006
    view=True,
    samples=_narrow_samples,
)
"""``any.narrow {type = !f64[n]}``: the same object, typed as the member that it was found to be.
It never leaves the region that ``any.is`` guards."""


def _infer_inexact(_: Type, *, type: Type, of: str = "", otherwise: str = "") -> Type:  # noqa: A002
    del of, otherwise
    return type


def _inexact(value: Any, *, type: Type, of: str = "", otherwise: str = "") -> Any:  # noqa: A002
    if any(is_member(value, type=each) for each in members_of(type)):
        return value
    if otherwise:
        raise TypeError(otherwise)
    found = str(type_of(value))
    if of == "example":
        what = f"the function returns {found} for an example, and may return {type} for others"
        raise DiagnosticError(catalog.NOT_VECTORIZED, what=what)
    if of == "primal":
        raise TypeError(no_tangent_of(found))
    if of:
        number = f"a number of type {found}"
        raise DiagnosticError(catalog.GRADIENT_OF_ARGUMENT, number=of, type=number)
    raise DiagnosticError(catalog.GRADIENT_OF_RESULT, what=found)


def no_tangent_of(kind: str) -> str:
    """What to say where something without a tangent is given one."""
    return f"a primal that is {kind} has no tangent: give None for it"


def _inexact_samples(_: np.random.Generator) -> Iterator[Any]:
    yield (2.5,), {"type": FLOAT}
    yield (np.float64(2.5),), {"type": ScalarType(np.dtype("float64"))}


inexact = defop(
    "any.inexact",
    infer=_infer_inexact,
    kernel=_inexact,
    effects=Effect.RAISES,
    samples=_inexact_samples,
)
"""``any.inexact {type = !f64}``: what is differentiated, if it is of one of these types; a sum that
begins with 0 is an int where nothing is added to it. ``of`` says what it is, if it is not a result:
an ``"example"`` of ``vmap``, a ``"primal"``, or the position or name of an argument, as text.
``otherwise`` is the text of a TypeError to raise instead.
"""


def _real_as(value: Any, like: Any) -> Any:
    found = value if np.iscomplexobj(like) else value.real
    return found.astype(like.dtype, copy=False)


def _real_as_samples(rng: np.random.Generator) -> Iterator[Any]:
    x = rng.random(3)
    yield (x + 1j, x), {}
    yield (x + 1j, x - 1j), {}


real_as = defop(
    "any.real_as",
    infer=lambda _, like: like,
    kernel=_real_as,
    view=True,
    samples=_real_as_samples,
)
"""``%z`` in the dtype of ``%like``, which is complex on some paths: else its real part."""
