"""``jit`` from the outside: what it takes, what it keeps, and when it compiles again."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import threading
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.runtime import JittedFunction

SCALE = 2.0


def affine(w: Any, x: Any, b: Any = 1.0) -> Any:
    """The documentation."""
    return w * x + b


jitted = staticpy.jit(affine)


@staticpy.jit
def scaled(x: Any) -> Any:
    return x * SCALE


class Model:
    def __init__(self, factor: float) -> None:
        self.factor = factor

    @staticpy.jit
    def forward(self, x: Any) -> Any:
        return x * self.factor

    @staticmethod
    @staticpy.jit
    def double(x: Any) -> Any:
        return x + x

    def plain(self, x: Any) -> Any:
        return x - self.factor


# --- what it is ----------------------------------------------------------------------------------


def test_metadata() -> None:
    assert jitted.__name__ == "affine"
    assert jitted.__doc__ == "The documentation."
    assert jitted.__module__ == __name__
    assert jitted.__wrapped__ is affine
    assert inspect.signature(jitted) == inspect.signature(affine)


def test_a_jitted_function_is_jitted_once() -> None:
    assert staticpy.jit(jitted) is jitted
    again = staticpy.jit(jitted, static_argnames="b")
    assert again is not jitted
    assert again.__wrapped__ is affine


def test_with_options() -> None:
    @staticpy.jit(static_argnames=("b",), backend="python_source")
    def f(x, b):  # type: ignore[no-untyped-def]
        return x + b

    assert isinstance(f, JittedFunction)
    assert f(1, 2) == 3


def test_pickle_and_copy_by_name() -> None:
    assert pickle.loads(pickle.dumps(scaled)) is scaled
    assert copy.deepcopy(scaled) is scaled


NOT_FUNCTIONS: list[tuple[Any, str, str]] = [
    (len, "len is", "len(x)"),
    (np.sin, "sin is", "sin(x)"),
    (Model, "Model is", "Model(x)"),
    (3, "an object of class int is", "g(x)"),
    (functools.partial(affine, 1), "an object of class partial is", "g(x)"),
    (functools.cache(lambda x: x), "an object of class _lru_cache_wrapper is", "g(x)"),
    (property(affine), "an object of class property is", "'@property' over '@staticpy.jit'"),
]


@pytest.mark.parametrize(("value", "name", "way"), NOT_FUNCTIONS)
def test_what_is_no_function(value: Any, name: str, way: str) -> None:
    with pytest.raises(staticpy.CompileError) as caught:
        staticpy.jit(value)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "SPY010"
    assert name in diagnostic.message
    assert way in diagnostic.help
    assert "staticpy.jit(value)" in str(caught.value)
    assert diagnostic.span.file == __file__


def test_unknown_options() -> None:
    with pytest.raises(ValueError, match="nothing"):
        staticpy.jit(affine, static_argnames="nothing")
    with pytest.raises(ValueError, match="no_backend"):
        staticpy.jit(affine, backend="no_backend")


async def coroutine(x):  # type: ignore[no-untyped-def]
    return x


def generator(x):  # type: ignore[no-untyped-def]
    yield x


@pytest.mark.parametrize("function", [coroutine, generator])
def test_kinds_of_function_that_are_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(staticpy.CompileError):
        staticpy.jit(function)(1)


# --- when it compiles ----------------------------------------------------------------------------


def test_sizes_do_not_compile_again() -> None:
    f = staticpy.jit(affine)
    for size in (3, 5, 0, 64):
        x = np.arange(size, dtype=np.float64)
        np.testing.assert_array_equal(f(x, x), affine(x, x))
    assert f.cache_size == 1


def test_broadcast_relations_do() -> None:
    f = staticpy.jit(affine)
    for w, x in [(3, 3), (4, 4), (1, 3), (1, 7), (3, 1)]:
        result = f(np.ones(w), np.ones(x))
        assert result.shape == (max(w, x),)
    assert f.cache_size == 3


def test_sizes_that_do_not_fit_raise_as_numpy() -> None:
    f = staticpy.jit(affine)
    f(np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="broadcast"):
        f(np.ones(3), np.ones(4))


BOXES = [1, 1.0, True, 1j, np.float32(1), np.int8(1), np.array(1.0), np.ones((2, 2)), np.ones(2)]


def test_boxes_and_dtypes_and_ranks_do() -> None:
    f = staticpy.jit(lambda x: x + x)
    for _ in range(2):
        for value in BOXES:
            result, expected = f(value), value + value
            assert type(result) is type(expected)
            np.testing.assert_array_equal(result, expected)
    assert f.cache_size == len(BOXES)


def test_globals_are_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scaled(3.0) == 6.0
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert scaled(3.0) == 15.0
    monkeypatch.setitem(globals(), "SCALE", np.ones(2))
    np.testing.assert_array_equal(scaled(3.0), [3.0, 3.0])


def test_closures_are_guarded() -> None:
    factor = 2

    @staticpy.jit
    def f(x):  # type: ignore[no-untyped-def]
        return x * factor

    assert f(3) == 6
    factor = 10
    assert f(3) == 30


def test_the_function_itself_is_guarded() -> None:
    def f(x, scale=2, *, shift=0):  # type: ignore[no-untyped-def]
        return x * scale + shift

    def other(x, scale=2, *, shift=0):  # type: ignore[no-untyped-def]
        return x - scale

    compiled = staticpy.jit(f)
    assert compiled(5) == 10
    f.__defaults__ = (3,)
    assert compiled(5) == 15
    f.__kwdefaults__ = {"shift": 1}
    assert compiled(5) == 16
    f.__defaults__ = (4, 3)
    assert compiled() == 13
    f.__code__ = other.__code__
    assert compiled(5) == compiled.lower(5).compile()(5) == 2


def test_static_arguments() -> None:
    @staticpy.jit(static_argnames="n")
    def power(x, n):  # type: ignore[no-untyped-def]
        for _ in range(n):
            x = x * x
        return x

    assert power(2, 1) == 4
    assert power(2, n=2) == 16
    assert power(3, 2) == 81
    assert power.cache_size == 2


def test_structures() -> None:
    @staticpy.jit
    def step(params, batch):  # type: ignore[no-untyped-def]
        x, y = batch
        error = x @ params["w"] - y
        return {"loss": (error * error).mean(), "out": [error]}

    params = {"w": np.ones(2)}
    for rows in (3, 4):
        result = step(params, (np.ones((rows, 2)), np.zeros(rows)))
        assert result["loss"] == 4.0
        assert result["out"][0].shape == (rows,)
    assert step.cache_size == 1


def test_cache_clear() -> None:
    f = staticpy.jit(affine)
    f(1, 2)
    f.cache_clear()
    assert f.cache_size == 0
    assert f(1, 2) == 3.0


def test_the_number_of_specialisations_is_bounded() -> None:
    @staticpy.jit(static_argnames="n")
    def add(x, n):  # type: ignore[no-untyped-def]
        return x + n

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [add(1, n) for n in range(64)] == list(range(1, 65))
    add(1, 0)  # now the most recently used
    with pytest.warns(staticpy.RecompilationWarning, match="add was compiled more than 64 times"):
        assert add(1, 64) == 65
    assert add.cache_size == 64
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert add(1, 0) == 1


def test_threads() -> None:
    f = staticpy.jit(affine)
    values: list[Any] = [1, 1.0, np.float32(1), np.ones(3), np.ones((2, 2)), np.int16(4)]
    failed: list[object] = []
    start = threading.Barrier(8)

    def work(seed: int) -> None:
        start.wait()
        for i in range(60):
            value = values[(i * seed + i) % len(values)]
            result, expected = f(value, value), affine(value, value)
            if type(result) is not type(expected) or not np.array_equal(result, expected):
                failed.append((value, result))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert f.cache_size == len(values)


# --- methods -------------------------------------------------------------------------------------


def test_methods() -> None:
    first, second = Model(2.0), Model(3.0)
    assert first.forward(5.0) == 10.0
    assert second.forward(5.0) == 15.0
    assert Model.forward(second, x=1.0) == 3.0
    first.factor = 7.0
    assert first.forward(5.0) == 35.0
    assert Model.double(4) == first.double(4) == 8


def test_bound_methods_are_jitted_and_bound() -> None:
    model = Model(2.0)
    run = staticpy.jit(model.plain)
    assert run(5.0) == 3.0
    assert run.__self__ is model
    assert model.forward == model.forward
    assert model.forward != Model(2.0).forward
    assert "2" in model.forward.lower(1.0).ir or "factor" in model.forward.lower(1.0).ir


def test_static_and_class_methods_the_other_way_round() -> None:
    class Other:
        @staticpy.jit
        @staticmethod
        def double(x):  # type: ignore[no-untyped-def]
            return x + x

    assert Other.double(2) == Other().double(2) == 4


# --- arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "kwargs"), [((), {}), ((1, 2, 3, 4), {}), ((1,), {"w": 2}), ((1, 2), {"z": 3})]
)
def test_wrong_arguments_raise_as_python(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as expected:
        affine(*args, **kwargs)
    fresh = staticpy.jit(affine)
    for f in (fresh, jitted):
        with pytest.raises(TypeError) as caught:
            f(*args, **kwargs)
        assert str(caught.value) == str(expected.value)


class Subclass(np.ndarray):
    pass


REFUSED: list[tuple[str, Any]] = [
    ("object dtype", np.array([1, None], object)),
    ("strings", np.array(["a"])),
    ("structured", np.zeros(2, [("a", "f8")])),
    ("datetime", np.array(["2020-01-01"], "M8[D]")),
    ("masked", np.ma.masked_array([1.0, 2.0], [True, False])),
    ("matrix subclass", np.ones(2).view(Subclass)),
    ("inside", (1, (np.array([None]),))),
]


@pytest.mark.parametrize(("name", "value"), REFUSED, ids=[name for name, _ in REFUSED])
def test_refused_arguments_are_named(name: str, value: Any) -> None:
    with pytest.raises(staticpy.CompileError) as caught:
        staticpy.jit(affine)(1.0, value)
    assert "x" in caught.value.diagnostics[0].message
    assert caught.value.diagnostics[0].span.line == affine.__code__.co_firstlineno


# --- errors --------------------------------------------------------------------------------------


@staticpy.jit
def two_problems(x):  # type: ignore[no-untyped-def]
    class Local:
        pass

    async def later() -> None: ...

    return x


def test_compile_error_has_every_reason_and_a_short_traceback() -> None:
    with pytest.raises(staticpy.CompileError) as caught:
        two_problems(1)
    assert len(caught.value.diagnostics) == 2
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [frame.name for frame in frames[1:]] == ["__call__"]
    assert "class Local" in str(caught.value)


def divide(x: Any, y: Any) -> Any:
    return x // y  # the line of the division


@staticpy.jit
def quotients(x, y):  # type: ignore[no-untyped-def]
    total = x + y
    return total + divide(x, y)  # the line of the call


@pytest.mark.parametrize("warm", [False, True])
def test_exceptions_keep_their_class_and_show_the_users_lines(warm: bool) -> None:
    if warm:
        quotients(1, 1)
    with pytest.raises(ZeroDivisionError, match=r"integer.*by zero") as caught:
        quotients(1, 0)
    frames = traceback.extract_tb(caught.value.__traceback__)
    shown = [(frame.filename, frame.name, frame.line) for frame in frames[2:]]
    assert shown == [
        (__file__, "quotients", "return total + divide(x, y)  # the line of the call"),
        (__file__, "divide", "return x // y  # the line of the division"),
    ]
    assert caught.value.__context__ is None


def test_a_failed_compilation_leaves_the_others() -> None:
    f = staticpy.jit(affine)
    assert f(1, 2) == 3.0
    with pytest.raises(staticpy.CompileError):
        f(1, "text")
    assert f.cache_size == 1
    assert f(1, 2) == 3.0


def test_no_source() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x): return x", namespace)
    with pytest.raises(staticpy.CompileError):
        staticpy.jit(namespace["f"])(1)


# --- stages --------------------------------------------------------------------------------------


def test_lower_and_compile() -> None:
    x = np.ones(3)
    lowered = jitted.lower(x, x, np.ones(3))
    assert "multiply" in lowered.ir
    before = lowered.ir
    compiled = lowered.compile()
    assert lowered.ir == before
    assert lowered.optimized_ir == compiled.ir
    assert lowered.compile() is compiled
    assert "w" in compiled.source
    assert compiled.memory_plan is not None
    np.testing.assert_array_equal(compiled(x, x, x), [2.0, 2.0, 2.0])
    with pytest.raises(TypeError, match="f64"):
        compiled(1, 2)
    with pytest.raises(TypeError, match="affine"):
        compiled()


def test_lower_reports() -> None:
    with pytest.raises(staticpy.CompileError):
        two_problems.lower(1)
    with pytest.raises(TypeError, match="missing"):
        jitted.lower()
