"""Linear algebra, Fourier transforms, random numbers, and Python's functions of numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from staticpy.ops import BUILTINS
from tests.support.comparisons.rows import Row

_PRODUCTS = """
np.dot(x, y)
np.dot(x, x.T)
np.dot(x, a)
np.vdot(x, x)
np.inner(x, x)
np.inner(x, y)
np.outer(x, y)
np.outer(x, x, out=np.zeros((2, 2), x.dtype))
np.matmul(x, x.T)
np.matmul(x, y)
np.matmul(s, b)
np.matmul(s, s, out=s)
np.vecdot(x, x)
np.tensordot(x, x, 1)
np.tensordot(s, s, axes=([0], [1]))
np.kron(x, x)
np.kron(s, b)
np.einsum('ij,j->i', s, b)
np.einsum('ij->ji', s)
np.einsum('ii', s)
np.einsum('ij,jk', s, s)
np.einsum('ij,j->i', s, b, out=b)
np.linalg.multi_dot([s, s, b], out=b)
s @ s
s @ b
b @ s
b @ b
x @ y
x @ x.T
s @ s.T
s @= s; s
s.dot(b)
x.dot(y)
b.dot(b)
s.T @ s
"""
_LINALG = """
np.linalg.solve(s, b)
np.linalg.solve(s, s)
np.linalg.inv(s)
np.linalg.det(s)
np.linalg.slogdet(s)
np.linalg.cholesky(s @ s.T)
np.linalg.cholesky(s)
np.linalg.qr(s)
np.linalg.qr(s, 'r')
np.linalg.svd(s)
np.linalg.svd(s, compute_uv=False)
np.linalg.svdvals(s)
np.linalg.eig(s)
np.linalg.eigh(s)
np.linalg.eigvals(s)
np.linalg.eigvalsh(s)
np.linalg.norm(x)
np.linalg.norm(x, axis=0)
np.linalg.norm(x, 1)
np.linalg.norm(s, 2)
np.linalg.norm(x, np.inf)
np.linalg.matrix_norm(s)
np.linalg.vector_norm(x)
np.linalg.matrix_power(s, 3)
np.linalg.matrix_power(s, -1)
np.linalg.matrix_rank(s)
np.linalg.matrix_transpose(s)
np.linalg.cond(s)
np.linalg.cond(s, 1)
np.linalg.pinv(s)
np.linalg.lstsq(s, b)
np.linalg.lstsq(s, b, rcond=None)
np.linalg.multi_dot([s, s, b])
np.linalg.tensorinv(s, ind=1)
np.linalg.tensorsolve(s, b)
np.linalg.tensordot(s, s)
np.linalg.trace(s)
np.linalg.diagonal(s)
np.linalg.outer(b, b)
np.linalg.cross(b, b)
np.linalg.matmul(s, s)
np.linalg.vecdot(b, b)
"""
_FFT = """
np.fft.F(x)
np.fft.F(x, 4)
np.fft.F(x, axis=0)
np.fft.F(x, norm='ortho')
np.fft.F(x, axis=0, out=np.zeros(x.shape, np.complex128))
np.fft.F(x, out=o)
"""
_FFT_MANY = """
np.fft.F(x)
np.fft.F(x, s=(3, 4))
np.fft.F(x, norm='forward')
"""
_FFT_MORE = """
np.fft.fftshift(x)
np.fft.fftshift(x, 0)
np.fft.ifftshift(x)
np.fft.fftfreq(5)
np.fft.fftfreq(4, 0.5)
np.fft.rfftfreq(5)
"""
_DRAWS = """
random() random(3) normal() normal(1.0,2.0) normal(size=3) normal(b) integers(5) integers(0,9,4)
integers(3,size=(2,2),dtype=np.int8) uniform() uniform(0,t+2,3) exponential() exponential(2.0,3)
poisson(3.0,4) poisson() gamma(2.0,1.0,3) beta(1.0,2.0) binomial(5,0.5,3) choice(5) choice(b)
choice(b,2,replace=False) permutation(5) permutation(b) permuted(b) standard_normal(3)
standard_normal() multivariate_normal([0.0,1.0],np.eye(2)) dirichlet([1.0,2.0]) chisquare(2.0)
f(2.0,3.0) geometric(0.5,3) gumbel() hypergeometric(5,5,3) laplace() logistic() lognormal()
logseries(0.5) multinomial(5,[0.5,0.5]) multivariate_hypergeometric([3,4],2)
negative_binomial(3,0.5) noncentral_chisquare(2.0,1.0) noncentral_f(2.0,3.0,1.0) pareto(2.0)
power(2.0) rayleigh() standard_cauchy() standard_exponential() standard_gamma(2.0) standard_t(3.0)
triangular(0.0,1.0,2.0) vonmises(0.0,1.0) wald(1.0,1.0) weibull(2.0) zipf(2.0)
rand() rand(2,3) randn(3) randint(5) randint(0,9,(2,2)) random_sample(3) random_integers(5)
"""
_WRITTEN = """
g.shuffle(b); b
g.shuffle(x); x
np.random.seed(3); np.random.shuffle(b); b
np.random.default_rng(3).normal(size=4)
np.random.RandomState(3).rand(4)
np.random.seed(k + 2); np.random.rand()
np.random.seed(3); np.random.sample(3)
np.random.seed(3); np.random.ranf(2)
"""
_ONE = ("c", "a", "x", "t", "k")
_TWO = ("c, d", "a, e", "k, t", "x, y")


def _ffts() -> Iterator[str]:
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        yield from _FFT.replace("F", name).split("\n")
    for name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"):
        yield from _FFT_MANY.replace("F", name).split("\n")


def _draws() -> Iterator[str]:
    for draw in _DRAWS.split():
        name = draw.partition("(")[0]
        text = draw.replace(",", ", ")
        if hasattr(np.random.Generator, name):
            yield f"g.{text}"
        if hasattr(np.random, name):
            yield f"np.random.seed(5); np.random.{text}"


_GIVEN = {
    "fsum": ("b.tolist()", "b"),
    "prod": ("b", "[a, 2]", "b, start=a"),
    "dist": ("b, b", "[a, 1.0], [2.0, e]"),
    "sumprod": ("b, b", "[a, 2], [3, 1]"),
    "fma": ("a, e, t",),
    "isclose": ("a, e", "a, e, rel_tol=0.5"),
    "hypot": ("a, e", "c, d", "a, e, t"),
    "gcd": ("a, e", "a", "c, d, k"),
    "lcm": ("a, e", "a", "c, d, k"),
    "log": ("a", "c", "a, e", "x"),
    "nextafter": ("a, e", "c, d"),
    "perm": ("a", "a, e", "c"),
    "factorial": ("k", "abs(a) % 20", "t"),
    "comb": ("abs(a) % 30, k", "k, k", "t, k"),
    "ldexp": ("t, k", "a, k", "c, k"),
    "pow": ("a, k", "t, e", "c, k", "2, k, 5", "c, d", "x, k"),
    "len": ("x", "b"),
    "min": ("a, e", "c, d", "b", "a, t"),
    "max": ("a, e", "c, d", "b", "a, t"),
    "sum": ("b", "[a, e]", "b, a"),
    "round": ("a", "a, k", "t, 1", "c", "c, 1", "x"),
    "chr": ("abs(k) + 65",),
    "ord": ("'a'",),
    "getitem": ("x, 0", "b, k"),
}
_BINARY = """
atan2 copysign fmod remainder rect add sub mul truediv floordiv mod matmul lshift rshift and_ or_
xor iadd isub imul itruediv ifloordiv imod ipow ilshift irshift iand ior ixor lt le gt ge eq ne
divmod
"""


def _numbers() -> Iterator[str]:
    for function in BUILTINS:
        name = str(function.__name__)
        module = {"_operator": "operator.", "builtins": ""}.get(
            function.__module__, f"{function.__module__}."
        )
        given = _GIVEN.get(name) if module != "operator." or name == "getitem" else None
        if given is None:
            given = _TWO if name in _BINARY.split() or name == "pow" else _ONE
        yield from (f"{module}{name}({each})" for each in given)


_METHODS = """
a.bit_length()
a.bit_count()
a.as_integer_ratio()
a.is_integer()
a.hex()
c.bit_count()
c.is_integer()
c.as_integer_ratio()
c.hex()
a.numerator
a.denominator
c.numerator
a.__index__()
a.__int__()
a.__float__()
a.__complex__()
a.__abs__()
a.__neg__()
a.__pos__()
a.__invert__()
a.__bool__()
a.__trunc__()
a.__floor__()
a.__ceil__()
c.__abs__()
c.__int__()
c.__bool__()
"""

ROWS = [
    Row(text, table)
    for table, texts in (
        ("products", _PRODUCTS.split("\n")),
        ("linear algebra", _LINALG.split("\n")),
        ("Fourier transforms", [*_ffts(), *_FFT_MORE.split("\n")]),
        ("random numbers", [*_draws(), *_WRITTEN.split("\n")]),
        ("numbers", [*dict.fromkeys(_numbers()), *_METHODS.split("\n")]),
    )
    for text in texts
    if text
]
"""Every row of this module."""
