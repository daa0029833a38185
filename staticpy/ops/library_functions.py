"""NumPy's functions that have no op of their own, as adapters over ``numpy.call``.

In: arguments as NumPy takes them, known while compiling or not. Out: what NumPy returns, a tuple
where it returns one. An array for the result (``out=``) is what is returned. What a function may
write to otherwise, or call (a function of the user's), is not handed to it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import TensorType, Type, Value, current_builder, dims_of
from staticpy.ops import complex_domain
from staticpy.ops.apply import emit
from staticpy.ops.arguments import (
    adapter,
    describe,
    needs_static,
    refuse_parameters,
    static_axis_tuple,
    static_dtype,
)
from staticpy.ops.calls import into
from staticpy.ops.containers import slice_make
from staticpy.ops.library import (
    Known,
    Operand,
    Sequenced,
    nesting_of,
    numpy_call,
    numpy_view,
    outcome_of,
    shared,
    unpacked,
)
from staticpy.ops.opdef import OpDef
from staticpy.ops.signatures import signature_of
from staticpy.ops.store_functions import as_item
from staticpy.ops.subscripts import sums_nothing, with_subscripts

_CALLS = """
append average bartlett bincount blackman broadcast_shapes choose column_stack compress convolve
corrcoef correlate cov cross cumulative_prod cumulative_sum delete diag_indices diag_indices_from
diagflat digitize
dstack ediff1d einsum extract fix geomspace gradient hamming hanning histogram histogram2d
histogram_bin_edges i0 indices insert interp intersect1d iscomplex isin isneginf isposinf isreal
ix_ kaiser kron lexsort logspace nanargmax nanargmin nancumprod nancumsum nanmedian
nanpercentile nanquantile nanstd nanvar packbits percentile poly polyadd polyder polydiv polyfit
polyint polymul polysub polyval quantile ravel_multi_index resize roots select setdiff1d setxor1d
sinc sort_complex tensordot trapezoid tri tril_indices tril_indices_from triu_indices
triu_indices_from union1d unique_all unique_counts unique_inverse unique_values unpackbits
unravel_index unwrap vander row_stack block
array2string array_repr array_str base_repr binary_repr format_float_positional
format_float_scientific isfortran
linalg.cholesky linalg.cond linalg.cross linalg.det linalg.eig linalg.eigh linalg.eigvals
linalg.eigvalsh linalg.inv linalg.lstsq linalg.matmul linalg.matrix_norm linalg.matrix_power
linalg.matrix_rank linalg.multi_dot linalg.norm linalg.outer linalg.pinv linalg.qr linalg.slogdet
linalg.solve linalg.svd linalg.svdvals linalg.tensordot linalg.tensorinv linalg.tensorsolve
linalg.trace linalg.vecdot linalg.vector_norm
fft.fft fft.fft2 fft.fftfreq fft.fftn fft.fftshift fft.hfft fft.ifft fft.ifft2 fft.ifftn
fft.ifftshift fft.ihfft fft.irfft fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftfreq fft.rfftn
"""
"""Functions whose results share no memory with their arguments."""

_POLYNOMIALS = {
    "polynomial": "poly",
    "chebyshev": "cheb",
    "legendre": "leg",
    "hermite": "herm",
    "hermite_e": "herme",
    "laguerre": "lag",
}
"""The modules of ``numpy.polynomial``, each with the prefix of its functions."""
_OF_POLYNOMIALS = """
add sub mul mulx div pow der int val val2d val3d grid2d grid3d valfromroots vander vander2d vander3d
fit roots fromroots companion line trim gauss weight pts1 pts2
"""
"""What the names of these functions end with; none of the modules has all."""

_VIEWS = """
fliplr flipud from_dlpack rot90 matrix_transpose real_if_close trim_zeros
linalg.diagonal linalg.matrix_transpose
lib.stride_tricks.as_strided lib.stride_tricks.sliding_window_view
"""
"""Functions whose result may share memory with their first argument."""

_MAY_BE_COMPLEX = (
    "linalg.eig", "linalg.eigvals", "roots", "poly", "real_if_close",
    *(f"polynomial.{module}.{prefix}roots" for module, prefix in _POLYNOMIALS.items()),
)  # fmt: skip
"""Functions for which it depends on the numbers whether those that they give are complex."""
_PRODUCTS = ("vecdot", "matvec", "vecmat")
"""Ufuncs of products, of which not every version of NumPy tells the parameters."""
_UNTOUCHED = {"overwrite_input": False, "copy": True}
"""Arguments by which a function writes to memory, each with the value by which it does not."""
_NO_LIST_OF_AXES = ("linalg.norm", "linalg.vector_norm", "cumulative_sum", "cumulative_prod")
"""Functions that take their axes as a tuple, and not as a list."""
_NEVER_WRITES = ("from_dlpack",)
"""Functions whose ``copy`` says whether the result shares memory, and not whether they write."""
_ITSELF = {"linalg.matrix_power": ("n", 1), "polyder": ("m", 0), "polyint": ("m", 0)}
"""Functions that return their first argument itself where the second one is this number."""
_OF_EINSUM = ("dtype", "order", "casting")
"""What ``np.einsum`` takes by name beyond its own parameters."""
_IGNORES_OUT = ("fft.hfft",)
"""NumPy 2.4 does not write to the array that it is given here."""


# --- arguments ------------------------------------------------------------------------------------


def _is_static(argument: Any) -> bool:
    """Whether an attribute can hold it; numbers with a point are operands, for their exact bits."""
    if isinstance(argument, tuple | list):
        return all(map(_is_static, argument))
    return argument is None or argument is ... or type(argument) in (bool, int, str, np.dtype)


def _attribute(argument: Any) -> Any:
    if isinstance(argument, tuple | list):
        return tuple(map(_attribute, argument))
    return argument


def _holds_value(argument: Any) -> bool:
    if isinstance(argument, tuple | list):
        return any(map(_holds_value, argument))
    return isinstance(argument, Value)


class LibraryCall:
    """A call in the making: its operands, the names of the last ones, and its attributes."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.operands: list[Any] = []
        """Values, and tuples and lists of them."""
        self.known: list[Operand] = []
        """What is known of each operand."""
        self.keywords: list[str] = []
        self.attrs: dict[str, Any] = {}
        self.out: Any = None
        """The array that the result is written to, and that is returned."""
        self.is_named = False
        """Whether what follows must be passed by name."""

    def take(self, parameter: inspect.Parameter, argument: Any) -> None:
        """Pass one argument on."""
        name = parameter.name
        if parameter.kind is parameter.VAR_POSITIONAL:
            given = with_subscripts(argument) if self.function == "einsum" else argument
            for item in given:
                self._operand(item)
        elif parameter.kind is parameter.VAR_KEYWORD:
            self._take_option(argument)
        elif name == "out" and (argument is None or self.function not in _IGNORES_OUT):
            self.out = argument
            self.is_named = True
        elif name == "out" or self._may_write(name, argument):
            raise self._refuse(name)
        elif name == "axis" and self.function in _NO_LIST_OF_AXES and isinstance(argument, list):
            static_axis_tuple(argument, 0, f"np.{self.function}()")
        elif name == "dtype":
            is_default = argument is None and parameter.default in (None, parameter.empty)
            self.attrs |= {} if is_default else {"dtype": self._dtype(argument)}
            self.is_named = True
        elif _is_static(argument) and not self._is_leading(parameter, argument):
            self.attrs[name] = _attribute(argument)
            self.is_named = True
        else:
            self._add(parameter, argument)

    def _take_option(self, given: Mapping[str, Any]) -> None:
        """The arguments that ``np.einsum`` hands on."""
        for name, argument in given.items():
            if self.function != "einsum" or name not in _OF_EINSUM:
                raise self._refuse(name)
            known = self._dtype(argument) if name == "dtype" else argument
            if isinstance(known, Value):
                raise needs_static("np.einsum()", name)
            self.attrs[name] = known

    def _may_write(self, name: str, argument: Any) -> bool:
        if self.function in _NEVER_WRITES:
            return False
        return name in _UNTOUCHED and argument is not _UNTOUCHED[name]

    def take_all(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Pass on the arguments of a function whose parameters are not known."""
        for number, argument in enumerate(args):
            kind = inspect.Parameter.POSITIONAL_ONLY
            self.take(inspect.Parameter(f"x{number}", kind), argument)
        for name, argument in kwargs.items():
            self.take(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY), argument)

    def _is_leading(self, parameter: inspect.Parameter, argument: Any) -> bool:
        """Whether an argument is passed by its place, or is a nested list as it stands."""
        if parameter.kind is parameter.POSITIONAL_ONLY or self.function == "block":
            return True
        is_data = isinstance(argument, tuple | list) or type(argument) in (bool, int)
        return is_data and parameter.kind is not parameter.KEYWORD_ONLY and not self.is_named

    def _add(self, parameter: inspect.Parameter, argument: Any) -> None:
        self._operand(argument)
        if parameter.kind is parameter.KEYWORD_ONLY or self.is_named:
            self.keywords.append(parameter.name)
            self.is_named = True

    def _operand(self, argument: Any) -> None:
        try:
            value = _leaves(argument)
        except DiagnosticError as error:
            args = error.diagnostic(current_builder().span).args
            shown, name = args.get("type", describe(argument)), f"np.{self.function}()"
            raise DiagnosticError(catalog.NOT_AN_ARRAY, function=name, type=shown) from None
        self.operands.append(value)
        self.known.append(_known_of(argument))

    def _dtype(self, argument: Any) -> Any:
        return static_dtype(argument, f"np.{self.function}()")

    def _refuse(self, name: str) -> DiagnosticError:
        return DiagnosticError(
            catalog.UNSUPPORTED_FUNCTION_ARGUMENT, function=self.function, argument=name
        )

    def _stays_real(self) -> bool:
        """Whether a function only drops imaginary parts, of which there are none."""
        first = getattr(self.operands[0], "type", None) if self.operands else None  # else: numbers
        is_real = not isinstance(first, TensorType) or first.dtype.kind != "c"
        return self.function in ("real_if_close", "poly") and is_real

    def _may_be_its_operand(self) -> bool:
        """Whether the call may return its first operand itself."""
        name, number = _ITSELF.get(self.function, ("", 0))
        given = self.attrs.get(name) if len(self.known) < 2 else self.known[1]
        value = given.value if isinstance(given, Known) else given
        return bool(name) and value is not None and (type(value) is not int or value == number)

    def _seen(self) -> Any:
        """The operand of which the result may be a view, or which it may be itself."""
        if self.function == "einsum" and self._is_view():
            return self.operands[1]
        return self.operands[0] if self._may_be_its_operand() else None

    def _is_view(self) -> bool:
        """Whether ``np.einsum`` may return a view of its one array."""
        text = self.known[0]
        if len(self.known) != 2 or not isinstance(text, Known):
            return len(self.known) == 2
        return not isinstance(text.value, str) or sums_nothing(text.value)

    def emit(self, op: OpDef) -> Any:
        """Emit the call: what it returns."""
        if self.out is not None:
            given = map(as_item, self.operands)
            return into(self.out, self.function, *given, **self.attributes)
        if self.function in complex_domain.FUNCTIONS:
            names = tuple(self.keywords)
            found = complex_domain.result_type(self.function, self.known, names)
            return self.emit_with(op, [], results=(found,))
        class_, results = outcome_of(self.known, {"function": self.function, **self.attributes})
        if self.function == "indices" and class_ is np.ndarray:
            results = tuple(map(_one_row_an_axis, results))
        if self.function in _MAY_BE_COMPLEX and not self._stays_real():
            results = tuple(map(complex_domain.or_complex, results))
        found = self.emit_with(op, [], results=results)
        base = self._seen()
        if isinstance(base, Value):
            found = emit(shared, base, found)
        if not issubclass(class_, tuple | list):
            return found
        items = (found,) if len(results) == 1 else found
        named: Any = class_
        return list(items) if class_ is list else tuple.__new__(named, items)

    @property
    def attributes(self) -> dict[str, Any]:
        """What is passed on as it is, and the names of the last operands."""
        names = {"keywords": tuple(self.keywords)} if self.keywords else {}
        return {**self.attrs, **names}

    def emit_with(self, op: OpDef, first: Sequence[Value], **more: Any) -> Any:
        """Emit ``op`` for the call, with operands that stand before all others."""
        attrs = {name: value for name, value in more.items() if value is not False}
        known = {"function": self.function, **self.attributes, **attrs}
        if op is not numpy_call or not any(isinstance(x, tuple | list) for x in self.operands):
            return emit(op, *first, *map(as_item, self.operands), **known)
        nesting = nesting_of(self.operands)
        return emit(op, *first, *unpacked(self.operands), nesting=nesting, **known)


def _leaves(argument: Any) -> Any:
    """An argument as a Value. A tuple or list of values that are computed keeps its form, so that
    they are operands, each with a derivative of its own.
    """
    if isinstance(argument, slice):
        return _as_slice(argument)
    if isinstance(argument, tuple | list) and _holds_value(argument):
        return (list if isinstance(argument, list) else tuple)(map(_leaves, argument))
    return as_item(argument)


_ANY_SLICE = Known("slice", slice(0, 1))
"""What is tried for a slice: which one it is makes no difference to types."""


def _known_of(argument: Any) -> Operand:
    """What is known of an operand while compiling."""
    if isinstance(argument, slice):
        return _ANY_SLICE
    if not _holds_value(argument):
        return Known(repr(argument), argument)
    if isinstance(argument, tuple | list):
        kind = list if isinstance(argument, list) else tuple
        return Sequenced(kind, tuple(map(_known_of, argument)))
    return current_builder().facts.resolve_type(argument.type)


def _as_slice(argument: slice) -> Value:
    parts = (argument.start, argument.stop, argument.step)
    return emit(slice_make, *map(as_item, parts))  # type: ignore[no-any-return]


def _one_row_an_axis(type_: Type) -> Type:
    """The type of the indices of a grid, as far as its axes tell."""
    assert isinstance(type_, TensorType)
    return TensorType(type_.dtype, (type_.rank - 1, *type_.dims[1:]))


# --- adapters -------------------------------------------------------------------------------------


def find_function(dotted: str) -> Any:
    """The function of NumPy with this name; None where this version of NumPy has none."""
    found: Any = np
    for part in dotted.split("."):
        found = getattr(found, part, None)
    return found


def _library_call(
    dotted: str, function: Callable[..., Any], op: OpDef
) -> Callable[..., Any] | None:
    signature = signature_of(function)
    if signature is None:
        return None

    def call(*args: Any, **kwargs: Any) -> Any:
        made = LibraryCall(dotted)
        bound = signature.bind(*args, **kwargs).arguments
        for name, parameter in signature.parameters.items():
            if name in bound:
                made.take(parameter, bound[name])
            else:
                made.is_named = True  # what follows has lost its place
        return made.emit(op)

    call.__name__ = dotted
    call.__dict__["__signature__"] = signature
    refused = (*_UNTOUCHED, *(["out"] if dotted in _IGNORES_OUT else []))
    refuse_parameters(call, tuple(name for name in signature.parameters if name in refused))
    return call


def library_call(dotted: str, *args: Any, **kwargs: Any) -> Any:
    """A call of NumPy's function ``dotted``, which returns new arrays."""
    call = _library_call(dotted, find_function(dotted), numpy_call)
    assert call is not None
    return call(*args, **kwargs)


def _is_run_time_number(argument: Any) -> bool:
    if isinstance(argument, tuple | list):
        return any(map(_is_run_time_number, argument))
    return isinstance(argument, Value) and not isinstance(argument.type, TensorType)


def with_run_time_numbers(dotted: str, normal: Callable[..., Any]) -> Callable[..., Any]:
    """The adapter ``normal``, which for numbers that must be known while compiling, and are not,
    calls NumPy's function ``dotted`` itself, where it returns a single array or number.
    """
    function = find_function(dotted)
    call_it = None if function is None else _library_call(dotted, function, numpy_view)

    @functools.wraps(normal)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return normal(*args, **kwargs)
        except DiagnosticError as error:
            more = {name: value for name, value in kwargs.items() if name != "keepdims"}
            has_number = any(map(_is_run_time_number, (*args[1:], *more.values())))
            if call_it is None or error.spec is not catalog.NEEDS_COMPILE_TIME or not has_number:
                raise
            found = _called(call_it, args, kwargs)
            if not isinstance(found, Value):
                raise
            return found

    return call


def _called(call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """What a call gives; None where it is refused, or the method has other parameters than the
    function.
    """
    try:
        return call(*args, **kwargs)
    except (DiagnosticError, TypeError):
        return None


def _product(ufunc: str) -> Callable[..., Any]:
    options = "axes=..., axis=..., keepdims=..., casting=..., order=..., dtype=None"

    @adapter(ufunc, f"x1, x2, /, out=None, *, {options}, subok=True")
    def call(
        x1: Any,
        x2: Any,
        /,
        out: Any = None,
        *,
        axis: Any = ...,
        keepdims: Any = ...,
        casting: Any = ...,
        order: Any = ...,
        dtype: Any = None,
    ) -> Any:
        made = LibraryCall(ufunc)
        options = {
            "axis": axis, "keepdims": keepdims, "casting": casting, "order": order, "dtype": dtype,
        }  # fmt: skip
        made.take_all((x1, x2), {k: v for k, v in options.items() if v is not ...})
        made.out = out[0] if isinstance(out, tuple) and out else out
        return made.emit(numpy_call)

    return call


@adapter("histogramdd")
def _histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Any = None,  # noqa: A002
    density: Any = None,
    weights: Any = None,
) -> Any:
    """``np.histogramdd``, of as many axes as are known while compiling."""
    function = "np.histogramdd()"
    axes: Any = None
    if isinstance(sample, tuple | list):
        sample, axes = tuple(sample), len(sample)
    elif isinstance(sample, Value) and len(dims_of(sample.type)) == 2:
        axes = current_builder().facts.resolve(dims_of(sample.type)[1])
    for each in (bins, range):
        axes = len(each) if isinstance(each, tuple | list) and not isinstance(axes, int) else axes
    if not isinstance(axes, int):
        raise needs_static(function, "the number of axes of 'sample'")
    call = _library_call("histogramdd", np.histogramdd, numpy_call)
    assert call is not None
    found = call(sample, bins=bins, range=range, density=density, weights=weights)
    return found[0], list(found[1:])


def _adapters() -> dict[Any, Callable[..., Any]]:
    """The adapter of each function that this version of NumPy has, by the function itself."""
    found: dict[Any, Callable[..., Any]] = {}
    polynomials = (
        f"polynomial.{module}.{prefix}{name}"
        for module, prefix in _POLYNOMIALS.items()
        for name in _OF_POLYNOMIALS.split()
    )
    calls = (*_CALLS.split(), *complex_domain.FUNCTIONS, *polynomials)
    for names, op in ((calls, numpy_call), (_VIEWS.split(), numpy_view)):
        for dotted in names:
            function = find_function(dotted)
            call = None if function is None else _library_call(dotted, function, op)
            if call is not None:
                found[function] = call
    products = {find_function(name): _product(name) for name in _PRODUCTS if hasattr(np, name)}
    return found | products | {np.histogramdd: _histogramdd}


ADAPTERS: dict[Any, Callable[..., Any]] = _adapters()
"""The functions, by NumPy's own."""
