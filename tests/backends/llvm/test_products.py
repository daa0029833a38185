"""Products of matrices: the shapes, layouts, exceptions and warnings of NumPy's, and its numbers.

Sums of small integers are exact in any order, so that these results have one value alone; of others
an error of ``gamma(n) |a| |b|`` is allowed, twice, as both sides may err (Higham, "Accuracy and
Stability of Numerical Algorithms", section 3.5).
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import staticpy
from tests.support.warned import with_warnings

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")

MATRICES = [
    ((3, 4), (4, 5)),
    ((4, 4), (4, 4)),
    ((33, 65), (65, 129)),
    ((1, 4), (4, 5)),
    ((4, 1), (1, 5)),
    ((4, 5), (5, 1)),
    ((1, 4), (4, 1)),
    ((3, 0), (0, 4)),
    ((0, 3), (3, 4)),
    ((3, 4), (5, 4)),
]
VECTORS = [
    ((7,), (7,)),
    ((1,), (1,)),
    ((0,), (0,)),
    ((7,), (7, 3)),
    ((3, 7), (7,)),
    ((1, 7), (7,)),
    ((7,), (8,)),
    ((1000,), (1000,)),
]
BATCHES = [
    ((2, 3, 4, 5), (3, 5, 6)),
    ((2, 1, 4, 5), (3, 5, 6)),
    ((4, 5), (7, 5, 2)),
    ((0, 4, 5), (5, 6)),
    ((2, 4, 5), (3, 5, 6)),
    ((2, 4, 5), (5,)),
    ((5,), (3, 5, 6)),
    ((2, 1, 5), (2, 5, 6)),
]


def product(a, b):
    return a @ b


def dot(a, b):
    return np.dot(a, b)


def inner(a, b):
    return np.inner(a, b)


def vdot(a, b):
    return np.vdot(a, b)


def as_it_is(array):
    return array


def turned(array):
    return (
        np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2) if array.ndim > 1 else array
    )


def with_gaps(array):
    return np.repeat(array, 2, axis=-1)[..., ::2]


def with_wide_rows(array):
    return np.concatenate([array, array], axis=-1)[..., : array.shape[-1]]


def backwards(array):
    return np.ascontiguousarray(array[..., ::-1])[..., ::-1]


def first_axes_swapped(array):
    return np.ascontiguousarray(array.swapaxes(0, 1)).swapaxes(0, 1) if array.ndim > 1 else array


LAYOUTS = [as_it_is, turned, with_gaps, with_wide_rows, backwards, first_axes_swapped]


def integers(shape, dtype):
    return np.random.default_rng(len(shape)).integers(-8, 9, shape).astype(dtype)


def outcome(function, *arguments):
    found, caught = with_warnings(function, *arguments, raises=ValueError)
    if isinstance(found, ValueError):
        return str(found)
    said = {str(each.message) for each in caught}
    strides = found.strides if isinstance(found, np.ndarray) else None
    return type(found), found.dtype, found.shape, strides, found.tobytes(), said


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("function", "pairs"),
    [
        (product, MATRICES + VECTORS + BATCHES),
        (dot, MATRICES + VECTORS),
        (inner, [(a, b[::-1]) for a, b in MATRICES] + VECTORS[:3]),
        (vdot, VECTORS[:3]),
    ],
)
def test_values_and_layouts(function, pairs, dtype):
    native = staticpy.jit(function, backend="llvm")
    for left, right in pairs:
        for turn_left in LAYOUTS:
            for turn_right in LAYOUTS:
                a, b = turn_left(integers(left, dtype)), turn_right(integers(right, dtype))
                assert outcome(native, a, b) == outcome(function, a, b), (left, right, a.strides)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_errors_of_sums(dtype):
    native = staticpy.jit(product, backend="llvm")
    rng = np.random.default_rng(0)
    for m, k, n in ((5, 300, 7), (64, 784, 512), (2, 5000, 2)):
        a, b = rng.normal(size=(m, k)).astype(dtype), rng.normal(size=(k, n)).astype(dtype)
        nu = k * np.finfo(dtype).eps / 2
        bound = nu / (1 - nu) * (abs(a).astype(float) @ abs(b))
        assert (abs(native(a, b) - product(a, b)) <= 2 * bound).all()


@pytest.mark.parametrize("function", [product, dot, inner, vdot])
def test_what_is_no_number_and_what_is_too_large(function):
    native = staticpy.jit(function, backend="llvm")
    a = np.array([[np.inf, 1.0], [np.nan, 0.0]])
    b = np.array([[0.0, 1.0], [1.0, -0.0]])
    large = np.full((3, 3), 1e308)
    pairs = [(a, b), (b, a), (large, large.copy()), (large[0], large[1])]
    for left, right in pairs[3:] if function is vdot else pairs:
        assert outcome(native, left, right) == outcome(function, left, right)


def test_product_with_itself():
    native = staticpy.jit(lambda x: (x @ x.T, x.T @ x, x @ x[:4].T), backend="llvm")
    x = np.random.default_rng(0).normal(size=(6, 5))
    for found, expected in zip(native(x), (x @ x.T, x.T @ x, x @ x[:4].T), strict=True):
        assert found.tobytes() == expected.tobytes()


def test_zero_of_the_product_of_vectors():
    native = staticpy.jit(product, backend="llvm")
    found = native(np.array([-0.0]), np.array([1.0]))
    assert not np.signbit(found)
    assert type(found) is np.float64


def test_products_in_loops_let_go_of_what_they_made():
    def powers(x, count):
        y = x
        for _ in range(count):
            y = y @ x
        return y

    native = staticpy.jit(powers, backend="llvm")
    x = np.random.default_rng(0).integers(-1, 2, (5, 5)).astype(float)
    before = sys.getrefcount(x)
    for count in (0, 1, 2, 9):
        assert native(x, count).tobytes() == powers(x, count).tobytes()
    assert sys.getrefcount(x) == before


def test_numpys_library_is_asked(monkeypatch):
    """So that the bits are its own, where a processor has no faster code; SciPy's is another."""
    blas = import_module("staticpy.backends.llvm.blas")
    blocked = import_module("staticpy.backends.llvm.blocked_products")
    monkeypatch.setattr(blocked, "is_own", lambda: False)
    if not np._core._multiarray_umath.__file__.endswith(".so"):
        pytest.skip("symbols of other libraries can't be seen here")
    if blas._numpys() is None:
        pytest.skip("this NumPy is linked with a library of other names")
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(31, 103)), rng.normal(size=(103, 47))  # too small for several threads
    assert staticpy.jit(product, backend="llvm")(a, b).tobytes() == (a @ b).tobytes()


WITH_SCIPY = """
import numpy as np, staticpy
from staticpy.backends.llvm import blas
blas._numpys = lambda: None
call = staticpy.jit(lambda a, b, x: (a @ b, a @ x, x @ x), backend="llvm")
rng = np.random.default_rng(0)
a, b, x = (rng.integers(-8, 9, dims).astype(np.float32) for dims in ((5, 7), (7, 3), (7,)))
for found, expected in zip(call(a, b, x), (a @ b, a @ x, x @ x)):
    assert found.tobytes() == expected.tobytes()
assert blas.integer_type().width == 32
"""


def test_with_the_library_of_scipy(tmp_path):
    pytest.importorskip("scipy")
    file = tmp_path / "with_scipy.py"
    file.write_text(WITH_SCIPY)
    subprocess.run([sys.executable, str(file)], check=True)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_small_matrices_in_stacks(dtype):
    """The bits of OpenBLAS, and its flags: some for infinities beside which it pads with zeros."""
    compiled = staticpy.jit(product, backend="llvm")
    generator = np.random.default_rng(0)
    for m, k, n in generator.integers(2, 10, (40, 3)):
        a = generator.standard_normal((3, m, k)).astype(dtype)
        b = generator.standard_normal((3, k, n)).astype(dtype)
        lying = a.transpose(0, 2, 1).copy().transpose(0, 2, 1)
        endless = np.where(a > 1, np.inf, a).astype(dtype)
        for left, right in ((a, b), (lying, b), (a, b[:1]), (a[::-1], b * 0), (endless, abs(b))):
            assert outcome(compiled, left, right) == outcome(product, left, right)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("outer", [(5,), (2, 3), (40,), (1,), (1, 4)])
@pytest.mark.parametrize("sizes", [(2, 3, 4), (9, 8, 33), (32, 64, 48), (64, 5, 7)])
def test_a_stack_times_one_matrix(sizes, outer, dtype):
    """Stacks that lie in memory in any way, and right matrices that are the same for all or not."""
    m, n, k = sizes
    rng = np.random.default_rng(3)
    x = rng.integers(-9, 9, (*outer, m, k)).astype(dtype)
    w = rng.integers(-9, 9, (k, n)).astype(dtype)
    wide = np.full((*outer, m, k + 2), 7, dtype)
    wide[..., :k] = x
    lefts = [
        x,
        np.repeat(x, 2, axis=0)[::2],
        x[::-1],
        wide[..., :k],
        np.ascontiguousarray(x.swapaxes(-1, -2)).swapaxes(-1, -2),
        np.broadcast_to(x[:1], x.shape),
        np.ascontiguousarray(x.swapaxes(0, -2)).swapaxes(0, -2),
    ]
    rights = [
        w,
        np.ascontiguousarray(w.T).T,
        w[None],
        np.broadcast_to(w, (*outer, k, n)),
        np.stack([w, w + 1] * outer[-1])[: outer[-1]],
    ]
    function = staticpy.jit(lambda a, b: a @ b, backend="llvm")
    after = staticpy.jit(lambda a, b: np.maximum(a @ b + 1, 0), backend="llvm")
    for left in lefts:
        for right in rights:
            np.testing.assert_array_equal(function(left, right), left @ right)
            np.testing.assert_array_equal(after(left, right), np.maximum(left @ right + 1, 0))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("size", [3, 30])
@pytest.mark.parametrize(
    ("outer", "other"),
    [((7, 1, 300), (5, 300)), ((4, 500), (4, 1)), ((1,), (9000,)), ((2, 3, 4, 5), (2, 3, 4, 5))],
)
def test_stacks_of_many_axes_in_parts(outer, other, size, threads):
    """Each part begins at any matrix of the stack; the numbers are whole, and so the sums exact."""
    rng = np.random.default_rng(5)
    a = rng.integers(-9, 9, (*outer, size, size)).astype(np.float32)
    b = rng.integers(-9, 9, (*other, size, size)).astype(np.float32)
    a, b = a[..., : size - 1, :], b[..., ::-1, :][..., : size - 1]
    before = staticpy.get_num_threads()
    staticpy.set_num_threads(threads)
    try:
        found = staticpy.jit(product, backend="llvm")(a, b)
    finally:
        staticpy.set_num_threads(before)
    np.testing.assert_array_equal(found, a @ b)


def test_what_multiplies_stacks_is_compiled_once():
    """Each function has a call of it."""
    for outer in ((), (2,), (2, 3)):
        x = np.ones((*outer, 4, 4))
        text = staticpy.jit(product, backend="llvm").lower(x, x).compile().llvm_ir
        assert "stacks.stack" in text
        assert "gemm" not in text
