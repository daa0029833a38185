"""Native code takes calls with no Python between, and only those that it may take."""

from __future__ import annotations

import inspect
import pickle
import traceback
import types
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.backends import Options
from tests.support.direct import described, frames_of, outcome, warm

pytest.importorskip("llvmlite")

SCALE = 2.0


# --- what is taken --------------------------------------------------------------------------------


def scaled(x, n, factor=3.0):
    return x * SCALE + n * factor


def pair(x, n):
    return x + n, x - n


def filled(x, n):
    x[0] = n


def update(params, x):
    return {"w": params["w"] + x, "old": params, "rest": [params["b"][0] * 2.0]}


def keyword_only(x, *, n=2):
    return x * n


def variadic(x, *rest):
    return x + len(rest)


def first_and_last(*values):
    return values[0] * values[-1]


def with_any(x, *more, scale=2.0, **named):
    return x * scale + more[0] + len(named)


def _cubed(x, n):
    return x**3 * n


def slope(x, n):
    """What a transform itself reads needs no look at each call."""
    return staticpy.grad(_cubed)(x, n)


def marked(x, n):
    return x * getattr(_cubed, "factor", n)


PARAMS = {"w": np.ones(3), "b": (np.arange(3.0),)}
TAKEN = [
    (scaled, (np.arange(4.0), 2)),
    (scaled, (np.arange(4.0), 2, 0.5)),
    (scaled, (np.float32(2.0), 2)),
    (pair, (np.arange(4), 3)),
    (pair, (2.5, 3)),
    (filled, (np.arange(4.0), 3)),
    (keyword_only, (np.arange(3.0),)),
    (variadic, (np.arange(3.0),)),
    (variadic, (np.arange(3.0), 1.0, 2)),
    (first_and_last, (np.arange(3.0), 2)),
    (first_and_last, (1.5, 2, 3)),
    (with_any, (2.5, 3)),
    (slope, (2.5, 3)),
    (marked, (2.5, 3)),
]


@pytest.mark.parametrize(("function", "args"), TAKEN)
def test_no_frame_of_python_stands_between(function, args):
    compiled = warm(function, *args)
    assert frames_of(compiled, *args) == []
    expected, given = ([np.copy(a) if np.ndim(a) else a for a in args] for _ in range(2))
    assert outcome(compiled, *given) == outcome(function, *expected)
    assert described(given) == described(expected)


def test_containers_are_read_and_made():
    compiled = warm(update, PARAMS, np.ones(3))
    assert frames_of(compiled, PARAMS, np.ones(3)) == ["entry"]  # makes the dict
    other = {"w": np.zeros(3), "b": (np.ones(3),)}
    result = compiled(other, np.ones(3))
    assert described(result) == described(update(other, np.ones(3)))
    assert result["old"] is other
    assert result["rest"] is not compiled(other, np.ones(3))["rest"]


CONTAINERS = [
    {"b": (np.ones(3),), "w": np.zeros(3)},
    {"w": np.zeros(3), "b": (np.ones(3), np.ones(3))},
    {"w": np.zeros(3), "b": [np.ones(3)]},
    {"w": np.zeros(3)},
    {"w": np.zeros(3), "b": (np.ones(3),), "c": 1},
    {"".join(["w"]): np.zeros(3), "b": (np.ones(3, np.float32),)},
    {"w": 1.0, "b": (np.ones(3),)},
]


@pytest.mark.parametrize("params", CONTAINERS)
def test_other_containers_are_not_taken_for_these(params):
    compiled = warm(update, PARAMS, np.ones(3))
    assert outcome(compiled, params, np.ones(3)) == outcome(update, params, np.ones(3))


def test_methods():
    class Model:
        def __init__(self, w: np.ndarray) -> None:
            self.w = w

        @staticpy.jit(backend="llvm")
        def __call__(self, x):
            return x @ self.w + 1.0

    first, second = Model(np.eye(3)), Model(2 * np.eye(3))
    for _ in range(4):
        np.testing.assert_array_equal(first(np.ones(3)), np.full(3, 2.0))
        np.testing.assert_array_equal(second(np.ones(3)), np.full(3, 3.0))
    first.w = np.zeros((3, 3))
    np.testing.assert_array_equal(first(np.ones(3)), np.ones(3))
    bound = Model.__call__.__get__(second)
    assert "__call__" not in frames_of(bound, np.ones(3))
    del second.w
    with pytest.raises(AttributeError):
        bound(np.ones(3))


# --- what is not taken ----------------------------------------------------------------------------


class Number(int):
    def __mul__(self, other):
        return 100.0


class Real(float):
    pass


class Sub(np.ndarray):
    pass


def _misaligned() -> np.ndarray:
    return np.zeros(33, np.uint8)[1:].view(np.float64)


def _read_only() -> np.ndarray:
    x = np.arange(4.0)
    x.flags.writeable = False
    return x


SUBJECTS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "subclass": lambda: (np.arange(4.0).view(Sub), 2),
    "matrix": lambda: (np.arange(4.0).reshape(2, 2).view(np.matrix), 2),
    "masked": lambda: (np.ma.masked_array([1.0, 2.0], [True, False]), 2),
    "byte order": lambda: (np.arange(4.0).astype(">f8"), 2),
    "equal dtype": lambda: (np.arange(4.0).view(np.dtype("f8", metadata={"a": 1})), 2),
    "misaligned": lambda: (_misaligned(), 2),
    "read-only": lambda: (_read_only(), 2),
    "strided": lambda: (np.arange(8.0)[::-2], 2),
    "other rank": lambda: (np.ones((2, 2)), 2),
    "rank 0": lambda: (np.array(2.0), 2),
    "other dtype": lambda: (np.arange(4, dtype=np.float32), 2),
    "empty": lambda: (np.zeros(0), 2),
    "list": lambda: ([1.0, 2.0], 2),
    "bool": lambda: (np.arange(4.0), True),
    "int subclass": lambda: (np.arange(4.0), Number(2)),
    "float": lambda: (np.arange(4.0), 2.0),
    "float subclass": lambda: (np.arange(4.0), Real(2.0)),
    "numpy int": lambda: (np.arange(4.0), np.int64(2)),
    "numpy float": lambda: (np.arange(4.0), np.float64(2)),
    "large int": lambda: (np.arange(4.0), 2**70),
    "None": lambda: (np.arange(4.0), None),
    "str": lambda: (np.arange(4.0), "a"),
    "too few": lambda: (np.arange(4.0),),
    "too many": lambda: (np.arange(4.0), 1, 2.0, 3),
    "array": lambda: (np.arange(4.0), np.arange(4.0)),
}


@cache
def shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """One for all tests that come, whose specialisations it collects."""
    return warm(function, np.arange(4.0), 2)


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("function", [scaled, filled])
def test_other_arguments(function, name):
    compiled = shared(function)
    compiled(np.arange(4.0), 2)
    expected, given = SUBJECTS[name](), SUBJECTS[name]()
    found = outcome(compiled, *given)
    if isinstance(found[0], type) and issubclass(found[0], staticpy.CompileError):
        return  # said, not silent
    assert found == outcome(function, *expected)
    assert described(given) == described(expected)
    assert frames_of(compiled, np.arange(4.0), 2) == []


def test_keywords_and_defaults():
    compiled = warm(scaled, np.arange(4.0), 2)
    assert outcome(lambda: compiled(np.ones(2), n=3)) == outcome(lambda: scaled(np.ones(2), n=3))
    assert described(compiled(n=3, x=np.ones(2), factor=1)) == described(
        scaled(n=3, x=np.ones(2), factor=1)
    )
    with pytest.raises(TypeError, match="unexpected keyword"):
        compiled(np.ones(2), 2, other=1)
    with pytest.raises(TypeError, match="multiple values"):
        compiled(np.ones(2), x=1)


def test_a_tensor_is_not_taken_for_an_array():
    compiled = warm(scaled, np.arange(4.0), 2)
    assert isinstance(compiled(staticpy.Tensor(np.ones(4)), 2), staticpy.Tensor)


def test_arrays_that_overlap():
    def shift(a, b):
        a[1:] = b[:-1] * 2.0
        return b

    base = np.arange(6.0)
    compiled = warm(shift, np.zeros(4), np.ones(4))
    expected, given = base.copy(), base.copy()
    shift(expected[1:5], expected[0:4])
    compiled(given[1:5], given[0:4])
    np.testing.assert_array_equal(given, expected)
    shift(expected, expected)
    compiled(given, given)
    np.testing.assert_array_equal(given, expected)


def test_sizes_that_are_no_longer_equal():
    compiled = warm(lambda_add := _add, np.ones((3, 3)), np.ones(3))
    for shapes in [((2, 3), (3,)), ((3, 1), (3,)), ((2, 3), (2,)), ((4, 4), (4,))]:
        args = [np.ones(shape) for shape in shapes]
        assert outcome(compiled, *args) == outcome(lambda_add, *args)


def _add(x, y):
    return x + y


# --- what changes between calls -------------------------------------------------------------------


def test_a_global_that_changes(monkeypatch):
    compiled = warm(scaled, np.arange(4.0), 2)
    for value in (5.0, 7.0, np.float32(2), np.arange(4.0), -0.0, float("nan")):
        monkeypatch.setitem(globals(), "SCALE", value)
        for _ in range(3):
            assert outcome(compiled, np.ones(4), 1) == outcome(scaled, np.ones(4), 1)
    monkeypatch.delitem(globals(), "SCALE")
    with pytest.raises(staticpy.CompileError, match="'SCALE' is not defined"):
        compiled(np.ones(4), 1)


rates = types.ModuleType("rates")
rates.rate, rates.square = 0.5, lambda x: x * x


def at_a_rate(x):
    return rates.square(x) * rates.rate


class _Doubled(types.ModuleType):
    rate = property(lambda module: vars(module)["rate"] * 2.0)


def test_an_attribute_of_a_module_that_changes(monkeypatch):
    x = np.arange(3.0)
    compiled = warm(at_a_rate, x)
    assert frames_of(compiled, x) == []
    for name, value in (("rate", 2.0), ("rate", x), ("square", np.sqrt), ("__name__", "other")):
        monkeypatch.setattr(rates, name, value)
        for _ in range(3):
            assert outcome(compiled, x) == outcome(at_a_rate, x)


def test_a_module_that_changes(monkeypatch):
    x = np.arange(3.0)
    compiled = warm(at_a_rate, x)
    rates.__class__ = _Doubled
    assert outcome(compiled, x) == outcome(at_a_rate, x)
    rates.__class__ = types.ModuleType
    monkeypatch.setattr(rates, "__getattr__", lambda name: 3.0, raising=False)
    monkeypatch.delattr(rates, "rate")
    assert outcome(compiled, x) == outcome(at_a_rate, x)


def test_a_function_of_a_module_that_gets_other_code(monkeypatch):
    x = np.arange(3.0)
    compiled = warm(at_a_rate, x)
    monkeypatch.setattr(rates.square, "__code__", (lambda x: x + x).__code__)
    assert outcome(compiled, x) == outcome(at_a_rate, x)


def test_a_cell_that_changes():
    def make() -> Any:
        value = 1

        def change(new: Any) -> None:
            nonlocal value
            value = new

        def plus(x):
            return x + value

        return plus, change

    plus, change = make()
    compiled = warm(plus, np.ones(2))
    assert frames_of(compiled, np.ones(2)) == []
    for new in (2, 2.5, True, np.ones(2)):
        change(new)
        for _ in range(3):
            assert outcome(compiled, np.ones(2)) == outcome(plus, np.ones(2))


def test_a_function_that_is_given_other_code_or_defaults():
    def first(x, n=1):
        return x + n

    def second(x, n=1):
        return x - n

    compiled = warm(first, np.ones(2))
    first.__defaults__ = (10,)
    for _ in range(3):
        np.testing.assert_array_equal(compiled(np.ones(2)), np.full(2, 11.0))
    first.__code__ = second.__code__
    for _ in range(3):
        np.testing.assert_array_equal(compiled(np.ones(2)), np.full(2, -9.0))
    assert frames_of(compiled, np.ones(2)) == []


def test_disable_jit():
    compiled = warm(scaled, np.arange(4.0), 2)
    with staticpy.disable_jit():
        assert "scaled" in frames_of(compiled, np.ones(4), 2)
    assert frames_of(compiled, np.ones(4), 2) == []


def test_cache_clear_lets_go_of_the_code():
    compiled = warm(scaled, np.arange(4.0), 2)
    compiled.cache_clear()
    assert compiled.cache_size == 0
    assert described(compiled(np.ones(4), 2)) == described(scaled(np.ones(4), 2))
    assert compiled.cache_size == 1


def test_other_numbers_of_arguments():
    compiled = warm(first_and_last, 1.5, 2)
    for args in [(2.5, 3), (2.5, 3, 4), (2.5,), (np.ones(2), 3), (2.5, 3)] * 2:
        assert outcome(compiled, *args) == outcome(first_and_last, *args)
    assert outcome(warm(with_any, 2.5, 3), 2.5, 3, 4) == outcome(with_any, 2.5, 3, 4)
    named = warm(with_any, 2.5, 3)
    assert named(2.5, 3, scale=1.0, other=2) == with_any(2.5, 3, scale=1.0, other=2)
    assert named(2.5, 3) == with_any(2.5, 3)


def test_gradients():
    gradient = staticpy.grad(staticpy.jit(_squared, backend="llvm"))
    for _ in range(2):
        assert gradient(3.0, 2.0) == 12.0
    assert frames_of(gradient, 3.0, 2.0) == []
    assert gradient(3.0, scale=2.0) == 12.0


def _squared(x, scale):
    return x * x * scale


def test_specialisations_take_turns():
    compiled = warm(_add, np.ones(2), 1)
    calls = [(np.ones(2), 1), (1, 2), (1.5, 2), (np.ones((2, 2)), 3.0), (np.float32(1), 2)]
    for args in calls * 3:
        assert outcome(compiled, *args) == outcome(_add, *args)
    for args in calls * 3:
        assert frames_of(compiled, *args) == []


def test_a_function_that_gets_an_attribute(monkeypatch):
    compiled = warm(marked, 2.5, 3)
    assert compiled(2.5, 3) == 7.5
    monkeypatch.setattr(_cubed, "factor", 10.0, raising=False)
    assert compiled(2.5, 3) == 25.0


def test_a_builtin_that_is_hidden_by_a_global(monkeypatch):
    compiled = warm(variadic, np.ones(3))
    monkeypatch.setitem(globals(), "len", lambda x: 10)
    np.testing.assert_array_equal(compiled(np.ones(3)), np.full(3, 11.0))


# --- exceptions -----------------------------------------------------------------------------------


def element(x, i):
    return x[i] * 2.0


def test_an_exception_has_the_line_of_the_program():
    compiled = warm(element, np.arange(3.0), 0)
    with pytest.raises(IndexError) as caught:
        compiled(np.arange(3.0), 5)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [frame.name for frame in frames] == [
        "test_an_exception_has_the_line_of_the_program",
        "element",
    ]
    assert frames[-1].line == "return x[i] * 2.0"
    assert caught.value.__context__ is None


def test_an_exception_keeps_its_context():
    compiled = warm(element, np.arange(3.0), 0)

    def handle() -> None:
        try:
            raise KeyError("first")
        except KeyError:
            compiled(np.arange(3.0), 5)

    with pytest.raises(IndexError) as caught:
        handle()
    assert isinstance(caught.value.__context__, KeyError)


def test_warnings_are_those_of_numpy():
    def divided(x, y):
        return x / y

    compiled = warm(divided, np.ones(2), np.ones(2))
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        compiled(np.ones(2), np.zeros(2))
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        compiled(np.ones(2), np.zeros(2))


# --- what a function offers -----------------------------------------------------------------------


@staticpy.jit(backend="llvm")
def decorated(x, n=2):
    """Documented."""
    return x * n


def test_everything_else_stays():
    for _ in range(3):
        decorated(np.ones(2))
    assert frames_of(decorated, np.ones(2)) == []
    assert type(decorated) is type(staticpy.jit(scaled))
    assert str(inspect.signature(decorated)) == "(x, n=2)"
    assert inspect.getdoc(decorated) == "Documented."
    assert decorated.__wrapped__.__name__ == decorated.__name__ == "decorated"
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    assert callable(decorated)
    decorated.note = 3
    assert decorated.note == 3
    assert weakref.ref(decorated)() is decorated
    np.testing.assert_array_equal(type(decorated).__call__(decorated, np.ones(2)), [2.0, 2.0])
    np.testing.assert_array_equal(next(map(decorated, [np.ones(2)])), [2.0, 2.0])


def test_a_subclass_may_have_a_call_of_its_own():
    class Counting(type(decorated)):  # type: ignore[misc]
        calls = 0

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            Counting.calls += 1
            return super().__call__(*args, **kwargs)

    counting = Counting(scaled, (), Options("llvm"))
    for _ in range(5):
        counting(np.ones(3), 2)
    assert Counting.calls == 5
