"""Functions, methods and attributes of arrays, text by text."""

from __future__ import annotations

from tests.support.comparisons.arrays import CONTENTS
from tests.support.comparisons.rows import Row

_LAYOUTS = """
x.copy('A')
x.copy('K')
np.copy(x, order='F')
np.copy([c, c], order='F')
np.array(x, order='F')
np.array(x, order='C')
np.array(x, order='A', ndmin=3)
np.array(x, dtype=np.float32, order='F')
np.array(x, copy=None, order='F')
np.array(x, copy=False, order='F')
np.array([[c, a], [a, c]], order='F')
np.asarray(x, order='F')
np.asarray(x, order='C')
np.asarray(x, order='A')
np.asarray(x, np.complex64, 'F')
np.asanyarray(x, order='C')
np.ascontiguousarray(x, np.float64)
np.asfortranarray(x, np.int32)
np.require(x, np.float64, ['F', 'W'])
x.astype(np.float32, order='F')
x.astype(x.dtype, 'C', copy=False)
x.astype(x.dtype, order='A', copy=False)
x.astype(np.float64, casting='safe')
x.astype(np.float32, casting='same_kind', subok=False)
np.zeros_like(x, order='F')
np.ones_like(x, shape=(2, 3))
np.zeros_like(x, np.int8, 'C', shape=(2,))
np.full_like(x, a, order='A', shape=x.shape[::-1])
np.zeros(x.shape, order='F')
np.ones((2, 3), x.dtype, order='F')
np.full(x.shape, c, order='F')
np.eye(3, 2, dtype=x.dtype, order='F')
x.strides
x.T.strides
x.copy('F').strides
x.copy('A').strides
(x + 1).strides
np.array(x, ndmin=3).strides
x.flags['C_CONTIGUOUS']
x.flags.f_contiguous
x.flags.writeable
x.flags.aligned
x.flags['FORC']
x.T.flags.carray
(x + 1).flags.fnc
x.view(np.uint8)
x.view(np.complex128)
x.view(bool)
x.view(np.ndarray)
x.view(type=np.ndarray)
z = x.view(np.int8); z[...] = 1; x
z = x.copy(); z.view(np.uint16)[0] = 1; z
c.view(np.int32)
c.view(x.dtype)
x.byteswap()
c.byteswap()
x.dtype.str
x.dtype.byteorder
x.dtype.isnative
"""
"""How arrays lie in memory."""

_PLACES = """
np.apply_along_axis(np.sum, 0, x)
np.apply_along_axis(lambda r: r[::-1], -1, x)
np.apply_along_axis(lambda r, n: r[:1] * n, 0, x, a)
np.piecewise(x, [x > a], [lambda v: v + v, a])
np.piecewise(x, [w, ~w], [1, c])
np.piecewise(x, [w], [c])
np.fromfunction(lambda i, j: i * j, (2, 3), dtype=x.dtype)
[v for _, v in np.ndenumerate(x)]
[i for i, _ in np.ndenumerate(x)]
[x[i] for i in np.ndindex(x.shape)]
"""
"""Functions that call a function or go through all places."""

_SHAPES = """
np.reshape(x, -1)
np.reshape(x, (-1, 1))
np.reshape(x, -1, order='F')
np.ravel(x)
np.ravel(x, order='F')
np.transpose(x)
np.transpose(x, (1, 0))
np.swapaxes(x, 0, -1)
np.moveaxis(x, 0, -1)
np.rollaxis(x, 1)
np.squeeze(x)
np.squeeze(x, axis=0)
np.expand_dims(x, 0)
np.expand_dims(x, (0, 2))
np.broadcast_to(x, (2, 3, 5))
np.broadcast_to(x, (4, 5))
np.broadcast_arrays(x, y)
np.atleast_1d(x)
np.atleast_2d(x)
np.atleast_3d(x)
np.flip(x)
np.flip(x, 0)
np.fliplr(x)
np.flipud(x)
np.rot90(x)
np.rot90(x, k)
np.roll(x, 1)
np.roll(x, k, axis=0)
np.roll(x, (1, 2), axis=(0, -1))
np.repeat(x, 2)
np.repeat(x, 3, axis=0)
np.repeat(x, [1, 0, 2, 1], axis=0)
np.tile(x, 2)
np.tile(x, (2, 1))
np.concatenate((x, x))
np.concatenate([x, y])
np.concatenate((x, y), axis=-1)
np.concatenate((x, y), axis=None)
np.concatenate((x, x), dtype=np.float64)
np.concat([x, y])
np.stack((x, x))
np.stack([x, y], axis=-1)
np.hstack((x, y))
np.vstack((x, y))
np.row_stack((x, y))
np.dstack((x, y))
np.column_stack((x, y))
np.block([x, y])
np.block([[x, x], [x, x]])
np.append(x, y)
np.append(x, x, axis=0)
np.split(x, [1, 3])
np.split(x, 2)
np.array_split(x, 3)
np.hsplit(x, [1])
np.vsplit(x, [1])
np.delete(x, 0)
np.delete(x, [0, 2], axis=0)
np.insert(x, 1, a)
np.insert(x, 0, 5, axis=0)
np.resize(x, (2, 3))
np.pad(x, 1)
np.pad(x, ((1, 2),), mode='edge')
np.pad(x, 2, mode='reflect')
np.pad(x, 1, constant_values=c)
np.pad(x, 1, mode='wrap')
np.pad(x, 1, mode='mean')
np.pad(x, 1, mode='linear_ramp')
np.pad(x, 1, mode='linear_ramp', end_values=((1, 2),))
np.pad(x, 2, mode='reflect', reflect_type='odd')
np.pad(x, 2, mode='maximum', stat_length=2)
np.hstack((x, y), dtype=np.float32, casting='unsafe')
np.vstack((x, y), dtype=np.complex128)
np.broadcast_arrays(x, y, 1)
z, _ = np.broadcast_arrays(x, y); (z + 1, z.sum())
np.lib.stride_tricks.sliding_window_view(x, 2, axis=0)
np.lib.stride_tricks.sliding_window_view(x, 1, axis=-1, writeable=True)
np.lib.stride_tricks.as_strided(x, (x.shape[0],), (x.strides[0],))
np.trim_zeros(x)
np.shape(x)
np.broadcast_shapes((2, 1), (1, 3))
np.from_dlpack(x)
x.__getitem__(0)
x.to_device('cpu')
x.device
x.__array_namespace__().sum(x)
np.size(x)
np.size(x, 0)
np.ndim(x)
np.matrix_transpose(x)
x.reshape(-1)
x.reshape(1, -1)
x.reshape((-1,), order='F')
x.ravel()
x.ravel('F')
x.flatten()
x.flatten('F')
x.transpose()
x.transpose(1, 0)
x.swapaxes(0, 1)
x.squeeze()
x.T
x.mT
x.shape
x.ndim
x.size
x.itemsize
x.nbytes
x.dtype
x.real
x.imag
x.repeat(2)
x.repeat(2, axis=0)
x.diagonal()
x.trace()
x.view()
x.view(np.int8)
x.view(x.dtype)
c.T
c.real
c.imag
c.shape
c.dtype
c.size
c.reshape(1)
c.ravel()
c.itemsize
c.nbytes
a.real
a.imag
x.shape = (-1,); x
x.real = 1; x
x.imag = 2; x
"""
_CREATE = """
np.zeros_like(x)
np.ones_like(x)
np.full_like(x, 3)
np.full_like(x, c)
np.full_like(x, t, dtype=np.float64)
np.zeros_like(x, dtype=np.int8)
np.empty_like(x).shape
np.empty(3).shape
np.zeros(x.shape)
np.ones(x.shape, x.dtype)
np.zeros((2, 3), dtype=np.float32)
np.full((2, 3), c)
np.full(3, a)
np.full(3, x)
np.full((2,), c, dtype=np.float64)
np.array(x)
np.array(c)
np.array(a)
np.array([a, a])
np.array([c, d])
np.array([a, e])
np.array([c, e])
np.array([[a, 1], [2, a]])
np.array([x, x])
np.array(x, dtype=np.float32)
np.array(x, copy=None)
np.array(x, ndmin=3)
np.array([1, 2, 3])
np.asarray(x)
np.asarray(x, dtype=np.float64)
np.asarray([a, c])
np.asarray(c)
np.asanyarray(x)
np.ascontiguousarray(x)
np.asfortranarray(x)
np.copy(x)
np.eye(3)
np.eye(3, 4, 1)
np.eye(2, dtype=np.int8)
np.identity(3)
np.tri(3)
np.tri(3, 4, k)
np.arange(5)
np.arange(1, 5, 2)
np.arange(k)
np.arange(a)
np.arange(c)
np.arange(0, 2, 0.5)
np.arange(t, 3.0)
np.arange(3, dtype=np.float32)
np.linspace(0, 1, 5)
np.linspace(t, 3, 4)
np.linspace(a, e, 3)
np.linspace(c, d, 4)
np.linspace(x, 2.0, 3)
np.linspace(0, 1, 5, endpoint=False)
np.linspace(0, 1, 5, retstep=True)
np.logspace(0, 1, 3)
np.logspace(0, t, 3)
np.geomspace(1, 8, 4)
np.diag(x)
np.diag(x, 1)
np.diagflat(x)
np.tril(x)
np.tril(x, k)
np.triu(x)
np.triu(x, -1)
np.vander(x)
np.vander(x, 3, increasing=True)
np.indices((2, 3))
np.meshgrid(x, x)
np.meshgrid(x, y, copy=False)
np.meshgrid(x, y, copy=False, sparse=True)
np.meshgrid(x, y, indexing='ij')
np.mgrid[0:3]
np.mgrid[0:3, 1:2:3j]
np.mgrid[a:e]
np.mgrid[c:d:2, :3]
np.ogrid[0:3, 0:2]
np.ogrid[:k, t:5.0]
np.ogrid[0:3,]
np.r_[1:4, 0, 4]
np.ix_([0, 1], [2, 0])
np.fromiter([a, a], np.float64)
np.hamming(5)
np.hanning(5)
np.bartlett(5)
np.blackman(5)
np.kaiser(5, 2.0)
np.diag_indices(3)
np.diag_indices_from(s)
np.tril_indices(3)
np.tril_indices_from(s)
np.triu_indices(3, 1)
np.triu_indices_from(s)
np.astype(x, np.float32)
x.astype(np.float64)
x.astype(np.int8)
x.astype(bool)
x.astype(float)
x.astype(np.complex64)
x.astype(np.uint16)
x.astype(x.dtype)
x.astype(np.float16, copy=False)
x.astype(np.float64, order='F')
x.copy()
x.copy('F')
c.astype(np.float32)
c.copy()
np.bool(x)
np.int8(a)
np.uint8(c)
np.int16(c)
np.int32(c)
np.int64(a)
np.int64(c)
np.uint16(c)
np.uint32(c)
np.uint64(c)
np.longlong(c)
np.ulonglong(c)
np.float16(c)
np.float32(c)
np.float64(c)
np.float64(a)
np.float32(x)
np.complex64(c)
np.complex128(a)
np.bool(a)
"""
_SELECT = """
np.where(w, x, x)
np.where(w, x, y)
np.where(w, x, 1)
np.where(w, t, x)
np.where(x)
np.where(x > 1, x, c)
np.where(x, a, e)
np.clip(x, 1, 3)
np.clip(x, a, None)
np.clip(x, c, d)
np.clip(x, x, y)
np.clip(x, 0, 2, out=o)
np.clip(c, 0, 1)
np.clip(a, 0, 1)
x.clip(1)
x.clip(c, max=d)
x.clip(0, 1)
np.round(x)
np.round(x, 1)
np.round(x, -1)
np.round(c, 2)
np.round(a)
np.around(x, 1)
x.round()
x.round(1)
c.round(1)
np.fix(x)
np.real(x)
np.imag(x)
np.real(c)
np.imag(a)
np.angle(x)
np.angle(x, deg=True)
np.angle(c)
np.conj(x)
x.conj()
x.conjugate()
c.conjugate()
a.conjugate()
np.real_if_close(x)
np.nan_to_num(x)
np.nan_to_num(x, copy=False)
z = np.nan_to_num(x, False, 1.5); (z, x)
np.nan_to_num(x, nan=1.0)
np.nan_to_num(x, posinf=9, neginf=-9)
np.sinc(x)
np.i0(x)
np.unwrap(x)
np.iscomplex(x)
np.isreal(x)
np.iscomplexobj(x)
np.isrealobj(x)
np.isneginf(x)
np.isposinf(x)
np.isposinf(x, out=o)
np.isneginf(x, np.zeros(x.shape, bool))
np.fix(x, out=o)
np.fix(x, p)
np.isscalar(c)
np.isscalar(x)
np.isclose(x, y)
np.isclose(x, x, equal_nan=True)
np.isclose(x, c)
np.allclose(x, y)
np.allclose(x, x)
np.array_equal(x, y)
np.array_equal(x, x, equal_nan=True)
np.array_equiv(x, y)
x.conj(o)
x.conjugate(p); p
x.compress([True, False], axis=0, out=o[:1]); o
np.zeros(x.shape, int).choose([x, y], out=o)
np.zeros(x.shape, int).choose(x, y)
np.zeros(x.shape, int).choose([x, y], o)
np.ones(x.shape, int).choose((x, y), mode='clip')
np.std(x, mean=1.5)
x.var(axis=0, mean=x.mean(axis=0, keepdims=True), ddof=1)
np.select([x > 2, x > 1], [x, y], 0)
np.select([w], [x])
np.choose(w.astype(int), [x, y])
np.extract(w, x)
np.compress([True, False, True], x, axis=0)
np.compress(w.ravel(), x)
np.compress([True, False], x, axis=0, out=o[:1])
np.choose([0, 1], [b[:2], b[1:]], out=b[1:])
np.take(x, i)
np.take(x, i, axis=0)
np.take(x, [0, 1], axis=-1)
np.take(x, [0, 9], mode='wrap')
np.take(x, k)
np.take(x, i, axis=0, mode='clip')
np.take_along_axis(x, np.argsort(x, axis=-1), axis=-1)
np.put_along_axis(x, np.argmax(x, axis=-1, keepdims=True), 1, axis=-1); x
x.take(i)
x.take([1, 0], axis=0)
x.compress([True, False], axis=0)
x.choose([0, 1, 2, 3])
np.diagonal(x)
np.diagonal(x, 1)
np.trace(x)
np.trace(x, 1)
np.trace(x, dtype=np.float64)
np.ptp(x)
np.diff(x)
np.diff(x, 2)
np.diff(x, axis=0)
np.diff(x, prepend=0)
np.diff(x, append=x, axis=0)
np.ediff1d(x)
np.gradient(x)
np.gradient(x, 2.0)
np.gradient(x, axis=0)
np.trapezoid(x)
np.trapezoid(x, dx=0.5, axis=0)
np.cross(x[..., :3], x[..., 1:4])
np.interp(x, [0.0, 1.0, 2.0], [3.0, 1.0, 2.0])
np.interp(t, np.sort(b), b)
np.convolve(x, y)
np.convolve(x, [1, 2], mode='same')
np.correlate(x, y)
np.correlate(x, x, 'full')
x.item()
x.item(0)
x.item(k)
c.item()
x.tolist()
c.tolist()
x.fill(1); x
x.fill(c); x
x.fill(e); x
np.copyto(x, y); x
np.copyto(x, 1, where=w); x
np.copyto(x, y, casting='unsafe'); x
np.put(x, [0, 1], [1, 0]); x
np.put(x, i, c); x
x.put([0, -1], a); x
np.place(x, w, [1, 2]); x
np.putmask(x, w, 1); x
np.putmask(x, w, x); x
np.fill_diagonal(x, 1); x
np.fill_diagonal(x, c); x
"""
_SEARCH = """
np.sort(x)
np.sort(x, axis=0)
np.sort(x, axis=None)
np.sort(x, kind='stable')
np.argsort(x)
np.argsort(x, axis=0)
np.argsort(x, kind='stable')
x.sort(); x
x.sort(axis=0); x
x.argsort()
np.partition(x, 1)
np.argpartition(x, 0)
x.partition(1); x
x.argpartition(0)
np.sort_complex(x)
np.lexsort((x, x))
np.searchsorted(np.sort(b), x)
np.searchsorted(np.sort(b), x, side='right')
np.searchsorted(b, c)
np.sort(b).searchsorted(d)
np.nonzero(x)
x.nonzero()
np.flatnonzero(x)
np.argwhere(x)
np.unique(x)
np.unique(x, return_counts=True)
np.unique(x, return_index=True, return_inverse=True)
np.unique(x, axis=0)
np.unique_all(x)
np.unique_counts(x)
np.unique_inverse(x)
np.unique_values(x)
np.union1d(x, y)
np.intersect1d(x, y)
np.setdiff1d(x, y)
np.setxor1d(x, y)
np.isin(x, y)
np.isin(x, [1, 2], invert=True)
np.digitize(x, [0.0, 1.0, 2.0])
np.digitize(x, [2, 1], right=True)
np.histogram(x)
np.histogram(x, bins=3)
np.histogram(x, [0, 1, 2])
np.histogram(x, bins=4, range=(0, 4), density=True)
np.histogram_bin_edges(x, 4)
np.histogram2d(x, x, 3)
np.histogramdd((b, b), 2)
np.corrcoef(x)
np.cov(x)
np.cov(x, ddof=0)
np.packbits(x)
np.packbits(w, axis=0)
np.unpackbits(x)
np.unpackbits(x, axis=0, count=3)
np.ravel_multi_index(([0, 1], [2, 0]), (3, 4))
np.unravel_index(i, (3, 4))
np.unravel_index(5, (3, 4))
np.shares_memory(x, x)
np.may_share_memory(x, y)
np.poly(x)
np.polyadd(x, [1, 2])
np.polysub(x, y)
np.polymul(x, y)
np.polydiv(x, [1, 2])
np.polyder(x)
np.polyint(x)
np.polyfit(b, b, 1)
np.polynomial.polynomial.polyfit(b, b, 1)
np.polynomial.polynomial.polyfit(b, x, deg=[0, 2], w=b)
np.polyval(x, 2)
np.polyval([1, 2, 3], x)
np.roots(b)
np.emath.logn(2, x)
"""
_BINS = """
np.bincount(abs(x))
np.bincount([0, 1, 1], b)
np.bincount([0, 2], minlength=5)
"""
_STATIC = """
np.can_cast(np.int8, x.dtype)
np.promote_types(x.dtype, y.dtype)
np.result_type(x, y)
np.min_scalar_type(c)
np.mintypecode([x.dtype.char, "f"])
np.result_type(x, 1.0)
np.result_type(c, e)
np.common_type(x, y)
np.lib.array_utils.normalize_axis_index(-1, x.ndim)
np.lib.array_utils.normalize_axis_tuple((0, -1), x.ndim)
np.issubdtype(x.dtype, np.floating)
np.isdtype(x.dtype, 'numeric')
np.iterable(x)
np.isfortran(x)
np.finfo(np.float32).eps
np.iinfo(np.int8).max
"""
_TEXTS = """
np.array2string(x)
np.array2string(x, precision=2)
np.array_repr(x)
np.array_str(x)
np.base_repr(5, 3)
np.binary_repr(a)
np.format_float_positional(c)
np.format_float_scientific(t, precision=3)
str(x)
repr(x)
str(c)
repr(c)
repr(a)
f'{x}'
f'{c:.3}'
f'{a!r}'
"""
_READS = """
x[0]
x[-1]
x[k]
x[1:]
x[:-1]
x[::2]
x[::-1]
x[..., 0]
x[..., None]
x[None]
x[()]
x[...]
x[0:2, 1]
x[1, 2]
x[:, 0]
x[:, ::-2]
x[i]
x[i, 0]
x[[0, 1]]
x[[0, 1], [1, 0]]
x[:, i]
x[w]
x[x > 1]
x[~w]
x[w, ...]
x[[]]
x[5:2]
x[k:]
x[99]
x[np.newaxis, ..., 0]
x[True]
x[c]
x.flat[0]
x.flat[k]
x.flat[1:3]
c[()]
c[...]
c[None]
list(x)
tuple(x)
[each for each in x]
sum(x)
min(x)
max(x)
sorted(x)
any(x)
all(x)
list(zip(x, x))
list(enumerate(x))
list(reversed(x))
a in x
"""
_STORES = """
x[0] = 1; x
x[0] = a; x
x[0] = e; x
x[-1] = c; x
x[0] = d; x
x[k] = 2; x
x[1:] = y; x
x[:] = y; x
x[...] = y; x
x[::2] = a; x
x[::-1] = x; x
x[1:] = x[:-1]; x
x[..., 0] = d; x
x[1, 2] = e; x
x[:, 0] = c; x
x[i] = 1; x
x[i] = d; x
x[[0, 0]] = a; x
x[w] = 0; x
x[w] = d; x
x[x > 1] = e; x
x[()] = 3; x
x[99] = 1; x
x[x == y] = 0; x
x.flat[0] = 1; x
x.flat[:] = a; x
x.T[0] = 1; x
x.reshape(-1)[0] = c; x
x[0], x[1] = x[1], x[0]; x
"""

ROWS = [
    Row(text, table, contents=CONTENTS[:1] if table == "bins" else CONTENTS)
    for table, texts in (
        ("shapes", _SHAPES),
        ("layouts", _LAYOUTS),
        ("places", _PLACES),
        ("creation", _CREATE),
        ("selection", _SELECT),
        ("searching", _SEARCH),
        ("bins", _BINS),  # as many as the largest int says
        ("types", _STATIC),
        ("texts", _TEXTS),
        ("reading", _READS),
        ("storing", _STORES),
    )
    for text in texts.split("\n")
    if text
]
ROWS += [Row(text, "shapes", (3,)) for text in ("np.dsplit(x, [1])", "np.dsplit(x, 2)")]
"""Every row of this module."""
