"""Writes to several arrays in one walk, whatever their memory has to do with each other's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import staticpy

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")


def adam(p, m, v, g):
    m[...] = 0.9 * m + 0.1 * g
    v[...] = 0.999 * v + 0.001 * (g * g)
    p[...] = p - 0.01 * m / (np.sqrt(v) + 1e-8)
    return p, m, v


def in_place(p, m, v, g):
    m *= 0.5
    m += g
    v += m * m
    p -= m / (v + 1.0)
    return m


def swapped(p, m, v, g):
    t = p * 1.0
    p[...] = m
    m[...] = t
    v[...] = p - m + g
    return t


def masked(p, m, v, g):
    m[m < 0.5] = 0.0
    v[...] = m + g
    v[v > 1.0] = 1.0
    p += v
    return p


def slices(p, m, v, g):
    p[1:] = m[1:] * 2.0
    v[1:] = p[1:] + g[1:]
    m[1:] += v[1:] * p[1:]
    return v


def neighbours(p, m, v, g):
    p[1:] = m[1:] * 2.0
    v[1:] = p[:-1] + g[1:]
    m[:-1] = v[1:]
    return m


def given_out_too(p, m, v, g):
    t = p + g
    m[...] = t
    u = m * 2.0
    v[...] = u
    return t, u, m + v


def refused_at_the_end(p, m, v, g):
    m[...] = p + g
    u = m * 3.0
    v[...] = u
    p[1:] = v[:-1]
    m[:] = u - p
    return u


def numbers(p, m, v, g):
    p[...] = 1.5
    m[...] = 1.5
    v *= 2
    g += 1
    return p + m + v + g


def read_before_and_after(p, m, v, g):
    first = m[0]
    m[...] = m + g
    second = m[0]
    v[...] = m * first + second
    return first, second


def of_an_element(p, m, v, g):
    p -= g
    m += p[1]
    v *= m[1]
    return v


def in_a_loop(p, m, v, g):
    for n in range(3):
        m += g * n
        v += m
        p[...] = p + v
    return p


PROGRAMS = [
    adam, in_place, swapped, masked, slices, neighbours, given_out_too, refused_at_the_end,
    numbers, read_before_and_after, of_an_element, in_a_loop,
]  # fmt: skip


def arrays(memory, size):
    """Arrays in one memory, by how they share it, or don't."""
    apart = [memory[n * size : (n + 1) * size] for n in range(4)]
    yield "apart", apart
    for one, other in itertools.permutations(range(4), 2):
        same = list(apart)
        same[one] = same[other]
        yield f"{one} is {other}", same
    for one, other in itertools.permutations(range(4), 2):
        moved = list(apart)
        moved[one] = memory[other * size + 1 : (other + 1) * size + 1]
        yield f"{one} overlaps {other}", moved
    yield "all the same", [apart[0]] * 4
    yield "gaps", [each[: size // 2 * 2 : 2] for each in apart]
    yield "backwards", [each[::-1] for each in apart]
    yield "one backwards", [apart[0], apart[1][::-1], *apart[2:]]
    yield "interleaved", [memory[n : 4 * size : 4] for n in range(4)]
    yield (
        "twice the same element",
        [apart[0], apart[1], apart[2], np.broadcast_to(apart[3][:1], size)],
    )


def outcome(function, how, size, shape):
    """What comes of ``function``, and the memory then."""
    memory = np.linspace(0.1, 2.0, 5 * size)
    given = dict(arrays(memory, size))[how]
    given = [each if each.size != size else each.reshape(shape) for each in given]
    try:
        with np.errstate(all="ignore"):
            result = function(*given)
    except (ValueError, IndexError) as error:
        return type(error), None, memory
    results = result if isinstance(result, tuple) else (result,)
    return None, [np.array(each).tobytes() for each in results], memory


COMPILED = {program: staticpy.jit(program, backend="llvm") for program in PROGRAMS}
HOWS = [how for how, _ in arrays(np.empty(100), 20)]


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_the_order_of_the_program(program, how):
    compiled = COMPILED[program]
    for size, shape in ((12, (12,)), (60, (3, 20)), (35, (35,)), (1, (1,))):
        if size == 1 and program in (slices, neighbours, refused_at_the_end, of_an_element):
            continue
        expected, found = (outcome(f, how, size, shape) for f in (program, compiled))
        assert found[:2] == expected[:2]
        assert found[2].tobytes() == expected[2].tobytes()


def test_what_is_read_only_is_found_after_what_came_before():
    p, m, v, g = np.linspace(0.0, 1.0, 40).reshape(4, 10).copy()
    v.flags.writeable = False
    old = p.copy()
    with pytest.raises(ValueError, match="read-only"):
        staticpy.jit(adam, backend="llvm")(p, m, v, g)
    assert m[0] == 0.9 * old[0] * 0 + (0.9 * (10 / 39) + 0.1 * g[0])
    assert (p == old).all()


def test_what_is_too_large_for_the_target():
    def program(p, m):
        p[...] = 2.0 * m
        p[...] += p
        return p

    compiled = staticpy.jit(program, backend="llvm")
    for rows in (7, 1):
        p, m = np.ones((1, 5)), np.ones((rows, 5))
        if rows == 1:
            assert (compiled(p, m) == 4).all()
            continue
        for function in (program, compiled):
            with pytest.raises(ValueError, match="could not broadcast"):
                function(p, m)
    assert (p == 4).all()


def test_large_arrays_on_all_threads():
    given = np.random.default_rng(0).random((4, 300_007)).astype(np.float32)
    expected, found = given.copy(), given.copy()
    adam(*expected)
    staticpy.jit(adam, backend="llvm")(*found)
    assert (found == expected).all()


def kernels(program, *arguments):
    """The operations of each kernel that writes to arrays, as a word for each."""
    compiled = staticpy.jit(program, backend="llvm").lower(*arguments).compile()
    writing = [kernel.operations for kernel in compiled.kernels]
    return [sum(name in ("store", "imul", "iadd", "isub") for name in each) for each in writing]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (adam, [3]),
        (in_place, [4]),
        (masked, [4]),
        (slices, [4]),  # ``m[1:] += ...`` is two writes, of which the second has nothing to do
        (neighbours, [1, 2]),
        (refused_at_the_end, [2, 1, 1]),
        (read_before_and_after, [1, 1]),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_how_many_are_written_in_one_walk(program, expected):
    assert kernels(program, *np.ones((4, 9))) == expected
