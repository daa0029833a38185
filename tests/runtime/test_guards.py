"""Guards as text: they hold for what they were made for, and nothing else."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.frontend import Argument, Guard, Path
from staticpy.ir import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    OBJECT,
    STR,
    ListType,
    ScalarType,
    TensorType,
    Type,
    union_of,
)
from staticpy.runtime.guards import (
    SizeChecks,
    distinct_fails,
    guard_fails,
    same_value,
    type_fails,
)

F64, F32, I64 = np.dtype("float64"), np.dtype("float32"), np.dtype("int64")
NAN = float("nan")
PATH = Path(Argument("x"))


class Pool:
    """The namespace of a condition."""

    def __init__(self) -> None:
        self.names: dict[str, object] = {}

    def __call__(self, hint: str, value: object) -> str:
        name = f"{hint}_{len(self.names)}" if hint.isidentifier() else f"object_{len(self.names)}"
        self.names[name] = value
        return name

    def holds(self, condition: str, **variables: object) -> bool:
        return bool(eval(condition, {"__builtins__": {}} | self.names, variables))


def guard_rejects(kind: str, expected: Any, value: Any) -> bool:
    pool = Pool()
    return pool.holds(guard_fails(Guard(PATH, kind, expected), "x", pool), x=value)


SENTINEL = object()
BUILTIN_METHOD = [].append


class Methods:
    def one(self) -> None: ...

    def two(self) -> None: ...


METHODS = Methods()

FITS: list[tuple[str, Any, Any]] = [
    ("is", SENTINEL, SENTINEL),
    ("is", METHODS.one, METHODS.one),
    ("is", BUILTIN_METHOD, BUILTIN_METHOD),
    ("equals", 3, 3),
    ("equals", 2**5000, 2**5000),
    ("equals", "a'b\n", "a'b\n"),
    ("equals", None, None),
    ("equals", ..., ...),
    ("equals", True, True),
    ("equals", 1.5, 1.5),
    ("equals", 0.0, 0.0),
    ("equals", -0.0, -0.0),
    ("equals", NAN, -NAN),
    ("equals", math.inf, math.inf),
    ("equals", 1 - 0j, 1 - 0j),
    ("equals", (1, ("a", 2.0)), (1, ("a", 2.0))),
    ("equals", np.dtype("f4"), np.dtype("f4")),
    ("type", int, 7),
    ("tuple", 2, (1, 2)),
    ("list", 0, []),
    ("dict", ("a", "b"), {"a": 1, "b": 2}),
    ("dict", (1, "b"), {1: 1, "b": 2}),
    ("set", frozenset(), set()),
    ("set", frozenset({1, "a", (2.0,)}), {(2.0,), 1, "a"}),
    ("size", 2, {"a": 1, "b": 2}),
    ("equals", frozenset({1, 2}), frozenset({2, 1})),
    ("equals", {1, "a"}, {"a", 1}),
    ("equals", range(0, 3, 2), range(0, 3, 2)),
    ("equals", slice(1, None), slice(1, None)),
    ("equals", np.arange(3), np.arange(3)),
    ("equals", [np.arange(3), {"a": NAN}], [np.arange(3), {"a": NAN}]),
]

DIFFERS: list[tuple[str, Any, Any]] = [
    ("is", SENTINEL, object()),
    ("is", METHODS.one, METHODS.two),
    ("is", METHODS.one, Methods().one),
    ("is", METHODS.one, Methods.one),
    ("equals", 3, 4),
    ("equals", 3, 3.0),
    ("equals", 1, True),
    ("equals", True, 1),
    ("equals", True, np.True_),
    ("equals", 1.5, np.float64(1.5)),
    ("equals", 0.0, -0.0),
    ("equals", -0.0, 0.0),
    ("equals", -0.0, 0),
    ("equals", NAN, 1.0),
    ("equals", 1.0, NAN),
    ("equals", complex(1, 0.0), complex(1, -0.0)),
    ("equals", "a", b"a"),
    ("equals", None, False),
    ("equals", 3, np.zeros(3)),
    ("equals", (1, 2), (1, 2.0)),
    ("equals", (1, 2), [1, 2]),
    ("equals", (0.0,), (-0.0,)),
    ("type", int, True),
    ("tuple", 2, (1, 2, 3)),
    ("tuple", 2, [1, 2]),
    ("list", 1, []),
    ("dict", ("a", "b"), {"b": 2, "a": 1}),
    ("dict", ("a",), {"a": 1, "b": 2}),
    ("dict", (1,), {True: 1}),
    ("dict", (), []),
    ("set", frozenset(), frozenset()),
    ("set", frozenset({1}), {True}),
    ("set", frozenset({0.0}), {-0.0}),
    ("set", frozenset({(1,)}), {(1.0,)}),
    ("set", frozenset({1}), {1, 2}),
    ("set", frozenset({1, 2}), {1, 3}),
    ("set", frozenset({1}), [1]),
    ("set", frozenset(), None),
    ("size", 1, {"a": 1, "b": 2}),
    ("equals", frozenset({1}), frozenset({True})),
    ("equals", frozenset({1}), {1}),
    ("equals", range(0, 3, 2), range(0, 4, 2)),
    ("equals", range(0), range(1, 1)),
    ("equals", slice(1, None), slice(True, None)),
    ("equals", np.arange(3), np.arange(3.0)),
    ("equals", np.arange(4), np.arange(4).reshape(2, 2)),
    ("equals", [np.array(0.0)], [np.array(-0.0)]),
]


@pytest.mark.parametrize(("kind", "expected", "value"), FITS)
def test_guard_holds(kind: str, expected: Any, value: Any) -> None:
    assert not guard_rejects(kind, expected, value)


@pytest.mark.parametrize(("kind", "expected", "value"), DIFFERS)
def test_guard_fails(kind: str, expected: Any, value: Any) -> None:
    assert guard_rejects(kind, expected, value)


def test_unknown_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="no such kind"):
        guard_fails(Guard(PATH, "no such kind", 1), "x", Pool())


class Masked(np.ndarray):
    pass


VALUES: list[tuple[str, Any]] = [
    ("bool", True),
    ("int", 1),
    ("float", 1.0),
    ("complex", 1j),
    ("f64", np.float64(1)),
    ("f32", np.float32(1)),
    ("i64", np.int64(1)),
    ("f64[]", np.array(1.0)),
    ("f64[n]", np.zeros(2)),
    ("f64[n, m]", np.zeros((2, 3))),
    ("f32[n]", np.zeros(2, np.float32)),
    ("swapped", np.zeros(2, np.dtype("f8").newbyteorder())),
    ("subclass", np.zeros(2).view(Masked)),
    ("object", np.zeros(2, object)),
    ("None", None),
    ("str", "text"),
    ("list[float]", [1.0, 2.0]),
    ("list[int|str]", [1, "a"]),
    ("list[f64]", [np.float64(1)]),
    ("list of lists", [[1.0]]),
]

TYPES: list[tuple[str, Type]] = [
    ("bool", BOOL),
    ("int", INT),
    ("float", FLOAT),
    ("complex", COMPLEX),
    ("f64", ScalarType(F64)),
    ("f32", ScalarType(F32)),
    ("i64", ScalarType(I64)),
    ("f64[]", TensorType(F64, ())),
    ("f64[n]", TensorType(F64, ("n",))),
    ("f64[n, m]", TensorType(F64, ("n", "m"))),
    ("f32[n]", TensorType(F32, ("n",))),
    ("None", NONE),
    ("str", STR),
    ("list[float]", ListType(FLOAT)),
    ("list[int|str]", ListType(union_of((INT, STR)))),
    ("list[f64]", ListType(ScalarType(F64))),
]


@pytest.mark.parametrize(("type_name", "type_"), TYPES)
@pytest.mark.parametrize(("value_name", "value"), VALUES)
def test_each_type_takes_its_own_values_alone(
    type_name: str, type_: Type, value_name: str, value: Any
) -> None:
    pool = Pool()
    assert pool.holds(type_fails(type_, "x", pool), x=value) == (type_name != value_name)


def test_any_object_is_an_object() -> None:
    assert type_fails(OBJECT, "x", Pool()) == ""


@pytest.mark.parametrize("count", [2, 3, 8, 9, 30])
def test_distinct_objects(count: int) -> None:
    pool = Pool()
    names = [f"x{i}" for i in range(count)]
    condition = distinct_fails(names, pool)
    objects: list[Any] = [[] for _ in names]
    assert not pool.holds(condition, **dict(zip(names, objects, strict=True)))
    for i in range(count):
        for j in range(i):
            alias = [*objects[:i], objects[j], *objects[i + 1 :]]
            assert pool.holds(condition, **dict(zip(names, alias, strict=True)))


def test_an_equal_dtype_need_not_be_the_same_object() -> None:
    dtype = np.dtype("f8", metadata={"unit": "m"})
    pool = Pool()
    assert dtype is not F64
    assert not pool.holds(type_fails(TensorType(F64, ("n",)), "x", pool), x=np.zeros(2, dtype))
    pool, longlong = Pool(), np.zeros(2, np.longlong)
    int64 = TensorType(np.dtype("l"), ("n",))
    assert pool.holds(type_fails(int64, "x", pool), x=longlong)
    assert not pool.holds(type_fails(int64, "x", pool), x=longlong.astype("l"))


SIZES: list[tuple[list[tuple[Any, ...]], list[tuple[int, ...]], bool]] = [
    ([("n",), ("m",)], [(2,), (3,)], True),
    ([("n",), ("n",)], [(2,), (2,)], True),
    ([("n",), ("n",)], [(2,), (3,)], False),
    ([("n", "n")], [(2, 3)], False),
    ([("n", "n")], [(3, 3)], True),
    ([("n", 3)], [(7, 3)], True),
    ([("n", 3)], [(7, 4)], False),
    ([("n", "m"), ("m", "k"), ("n", "k")], [(2, 3), (3, 4), (2, 4)], True),
    ([("n", "m"), ("m", "k"), ("n", "k")], [(2, 3), (3, 4), (2, 5)], False),
    ([("?",), ("?",)], [(2,), (3,)], True),
    ([(0,)], [(0,)], True),
    ([(0,)], [(1,)], False),
]


@pytest.mark.parametrize(("dims", "shapes", "fits"), SIZES)
def test_sizes(dims: list[tuple[Any, ...]], shapes: list[tuple[int, ...]], fits: bool) -> None:
    types = [TensorType(F64, each) for each in dims]
    checks = SizeChecks(types)
    variables = {f"s{i}": shape for i, shape in enumerate(shapes)}
    fails = False
    for i, type_ in enumerate(types):
        if checks.needed(type_) and (condition := checks.fails(type_, f"s{i}")):
            fails = fails or eval(condition, {}, variables)
    assert fails != fits


def test_sizes_that_stand_alone_are_not_read() -> None:
    types = [TensorType(F64, ("n", "m")), TensorType(F64, ("k",))]
    checks = SizeChecks(types)
    assert not any(map(checks.needed, types))


class Hostile:
    """Compares equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


def test_same_value_asks_the_type_first() -> None:
    assert not same_value(1, Hostile())
    assert not same_value((1,), (Hostile(),))
    assert same_value(slice(1, None), slice(1, None))
    assert not same_value(slice(1, None), slice(True, None))
    assert same_value({"a": 0.0}, {"a": 0.0})
    assert not same_value({"a": 0.0}, {"a": -0.0})
    assert same_value(np.float32(NAN), np.float32(NAN))
    assert not same_value(np.float32(0), np.float32(-0.0))


class Scaled(staticpy.nn.Cell):
    def construct(self, x):
        return x * self.scale


def test_an_attribute_of_a_class_of_staticpy(monkeypatch):
    """What the compiler consists of needs no guard; layers are read as a program's classes are."""
    monkeypatch.setattr(staticpy.nn.Cell, "scale", 2.0, raising=False)
    layer = Scaled()
    run = staticpy.jit(lambda x: layer(x) * staticpy.nn.Cell.scale)
    assert run(1.0) == 4.0
    monkeypatch.setattr(staticpy.nn.Cell, "scale", 3.0)
    assert run(1.0) == 9.0
