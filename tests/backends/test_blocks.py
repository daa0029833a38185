"""Chains of elementwise operations on large arrays: nobody can tell that they run in blocks."""

from __future__ import annotations

import linecache
import random
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import staticpy
from staticpy.backends.python_source import in_blocks as blocks
from tests.support.describing import compare, describe

Function = Callable[..., Any]
SIZES = (blocks.LARGE // 4, blocks.LARGE // 4 + 1, 200_003, 3)


def update(p, g, m, v, rate):
    m *= 0.9
    m += (1.0 - 0.9) * g
    v *= 0.99
    v += 0.01 * (g * g)
    p -= rate * (m / (np.sqrt(v) + 1e-8))


def two_results(p, g, m, v, rate):
    z = p * 2.0 + g
    w = z * z - rate * m
    return np.sqrt(np.abs(w)) / (1.0 + v), z, p > g


def named_again(p, g, m, v, rate):
    p = p * 0.5 + g
    p = p * p - m
    g = p
    g -= rate * v
    return p, g


def masks(p, g, m, v, rate):
    is_less = (p < g) == (m * rate <= v)
    total = np.maximum(p, -g) + np.minimum(m, v)
    return is_less, total / 2.0 - m * m


def in_a_loop(p, g, m, v, rate):
    for _ in range(3):
        step = rate * g - m * 0.1
        m = m + step * step
        p -= step / (1.0 + v)
    return p, m


def fails(p, g, m, v, rate):
    a = p / (v - v)
    m += a * 1e30 * 1e30
    g -= np.sqrt(-np.abs(m)) * rate
    return a - g


def names_of_the_source(p, g, m, v, rate):
    part, block = p * 2.0 + g, m - v
    in_blocks = part * part - rate * block
    part_1 = in_blocks / (1.0 + v)
    for _ in range(1):
        made = part_1 * part_1 - block
        made = made * 0.5 + part_1 / (1.0 + v)
    return part, in_blocks, part_1, made


PROGRAMS = (update, two_results, named_again, masks, in_a_loop, fails, names_of_the_source)


def arrays(size: int, dtype: type, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    made = [rng.normal(size=size).astype(dtype) for _ in range(4)]
    return [*made[:3], np.abs(made[3])]


def seen(function: Function, args: list[Any]) -> Any:
    """What a call gives, warns about or raises, and its arguments after it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        result = outcome(function, args)
    return result, args, [(each.category, str(each.message)) for each in caught]


def outcome(function: Function, args: list[Any]) -> Any:
    try:
        return function(*args)
    except (ArithmeticError, ValueError, Warning) as error:
        return type(error), error.args


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Whether each call of a function of blocks has done its work."""
    done: list[bool] = []
    original = blocks.InBlocks.__call__

    def call(self: blocks.InBlocks, *operands: Any) -> Any:
        made = original(self, *operands)
        done.append(made is not None)
        return made

    with monkeypatch.context() as patch:
        patch.setattr(blocks.InBlocks, "__call__", call)
        yield done


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_as_one_by_one(function: Function, dtype: type, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = staticpy.jit(function)
    for size in SIZES:
        expected = seen(function, [*arrays(size, dtype), 0.001])
        with counted(monkeypatch) as done:
            actual = seen(compiled, [*arrays(size, dtype), 0.001])
        assert all(done)
        assert bool(done) == (size * np.dtype(dtype).itemsize >= blocks.LARGE)
        assert list(compare(describe({"": expected}), describe({"": actual}))) == []


def overlapping(size: int) -> list[np.ndarray]:
    memory = np.linspace(0.5, 2.0, size + 1)
    return [memory[:-1], memory[1:], np.ones(size), np.ones(size)]


def twice(size: int) -> list[np.ndarray]:
    p, _, m, v = arrays(size, np.float64)
    return [p, p, m, v]


def with_gaps(size: int) -> list[np.ndarray]:
    p, g, m, v = arrays(2 * size, np.float64)
    return [p[::2], g[::2], m[:size], v[size:]]


def backwards(size: int) -> list[np.ndarray]:
    return [each[::-1] for each in arrays(size, np.float64)]


def one_for_all(size: int) -> list[np.ndarray]:
    p, g, m, v = arrays(size, np.float64)
    return [p, g[:1], m, v]


def read_only(size: int) -> list[np.ndarray]:
    made = arrays(size, np.float64)
    made[0].flags.writeable = False
    return made


def unequal(size: int) -> list[np.ndarray]:
    p, g, m, v = arrays(size, np.float64)
    return [p, g, m[1:], v]


def transposed(size: int) -> list[np.ndarray]:
    return [each[: size // 4 * 4].reshape(4, -1).T for each in arrays(size, np.float64)]


FORMS = (overlapping, twice, with_gaps, backwards, one_for_all, read_only, unequal, transposed)


@pytest.mark.parametrize("form", FORMS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_memory_of_every_form(function: Function, form: Callable[[int], list[np.ndarray]]) -> None:
    expected = seen(function, [*form(80_000), 0.001])
    actual = seen(staticpy.jit(function), [*form(80_000), 0.001])
    assert list(compare(describe({"": expected}), describe({"": actual}))) == []


@pytest.mark.parametrize("action", ["raise", "ignore", "warn"])
@pytest.mark.parametrize("rate", [0.5, 1e300, np.inf, np.nan])
def test_errors_of_floats(action: str, rate: float) -> None:
    """Where an operation raises, the next ones have done nothing."""
    for dtype in (np.float32, np.float64):
        results = []
        for function in (fails, staticpy.jit(fails)):
            with np.errstate(all=action):
                results.append(describe({"": seen(function, [*arrays(150_000, dtype), rate])}))
        assert list(compare(*results)) == []


def test_warnings_that_are_errors() -> None:
    results = []
    for function in (fails, staticpy.jit(fails)):
        args: list[Any] = [*arrays(150_000, np.float64), 0.5]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            results.append(describe({"": (outcome(function, args), args)}))
    assert list(compare(*results)) == []


def test_the_source_can_be_read() -> None:
    args = (*arrays(4, np.float32), 0.001)
    source = staticpy.jit(update).lower(*args).compile().source
    part, _, rest = source.partition("\n\n")
    assert part.splitlines()[0] == ("@in_blocks(arrays=4, written=3, made=(), spare=(np.float32,))")
    assert part.splitlines()[-1] == "    np.subtract(p, block, out=p)"
    assert "if m.nbytes >= 524288 else None" in rest


# --- random chains --------------------------------------------------------------------------------

_EXPRESSIONS = (
    "{} + {}",
    "{} - {}",
    "{} * {}",
    "{} / ({} + 1.5)",
    "0.5 * {} - {}",
    "np.sqrt(np.abs({})) + {}",
    "np.maximum({}, {})",
    "np.where({} > 0.0, {}, s)",
    "-{} * s + {}",
    "np.square({}) - s * {}",
)
_IN_PLACE = ("+=", "-=", "*=")


def random_program(seed: int) -> Function:
    """A function of three arrays and a number, of statements in any order."""
    rng = random.Random(seed)
    names = ["a", "b", "c"]
    lines = []
    for number in range(rng.randint(5, 14)):
        value = rng.choice(_EXPRESSIONS).format(rng.choice(names), rng.choice(names))
        if rng.random() < 0.35:
            lines.append(f"{rng.choice(names)} {rng.choice(_IN_PLACE)} 0.1 * ({value})")
            continue
        name = rng.choice([*names, f"t{number}"])
        lines.append(f"{name} = {value}")
        names = list(dict.fromkeys([*names, name]))
    results = rng.sample(names, rng.randint(1, min(3, len(names))))
    text = "\n    ".join(["def program(a, b, c, s):", *lines, f"return {', '.join(results)}\n"])
    return defined(text, f"<random chain {seed}>")


def defined(text: str, file: str) -> Function:
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, file, "exec"), namespace)
    program = namespace["program"]
    assert isinstance(program, types.FunctionType)
    return program


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_random_chains(first: int) -> None:
    for seed in range(first, first + 10):
        program = random_program(seed)
        compiled = staticpy.jit(program)
        for size in (4, 70_001):
            for is_twice in (False, True):
                results = []
                for function in (program, compiled):
                    a, b, c, _ = arrays(size, np.float64, seed)
                    results.append(
                        describe({"": seen(function, [a, a if is_twice else b, c, 0.3])})
                    )
                assert list(compare(*results)) == [], seed


def test_masks_alone() -> None:
    def weighted(a, b):
        share = a * 0.5 + b * 0.25
        return (share - 0.5) * share / 3.0

    results = []
    for function in (weighted, staticpy.jit(weighted)):
        a = np.arange(600_000) % 3 == 0
        results.append(describe({"": function(a, ~a)}))
    assert list(compare(*results)) == []


def test_long_chains_are_several() -> None:
    lines = "\n".join(["    y = y * 0.5 + x"] * 150)
    text = f"def program(x):\n    y = x\n{lines}\n    return y\n"
    program = defined(text, "<long chain>")
    x = np.linspace(0.0, 1.0, 70_000)
    compiled = staticpy.jit(program)
    np.testing.assert_array_equal(compiled(x), program(x))
    assert compiled.lower(x).compile().source.count("@in_blocks") == 3
