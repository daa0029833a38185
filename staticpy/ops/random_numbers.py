"""Random numbers: ``rng.normal(size=n)`` of a generator, ``np.random.normal(size=n)`` of NumPy.

    %g = random.make %seed {function = "default_rng"} : object
    %x = random.draw %g, %n {function = "normal", keywords = ("size",), results = (!f64[?],)}
    %y = random.draw {function = "rand", is_global = true, results = (!float,)}

A generator is an object of the running program. Each draw writes to its state: none is dropped,
merged or moved, and the numbers are those that NumPy gives.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ir import OBJECT, TensorType, Type, Value
from staticpy.ops.arguments import not_an_array, target_array
from staticpy.ops.library import checked, items_of, operands_of, outcome_of
from staticpy.ops.library_functions import LibraryCall
from staticpy.ops.opdef import defop
from staticpy.ops.store import WRITES

GENERATORS: tuple[type, ...] = (np.random.Generator, np.random.RandomState)
"""The classes whose instances draw random numbers."""

_DRAWS = """
beta binomial bytes chisquare choice dirichlet exponential f gamma geometric gumbel hypergeometric
integers laplace logistic lognormal logseries multinomial multivariate_hypergeometric
multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal pareto permutation
permuted poisson power rand randint randn random random_integers random_sample rayleigh
standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular uniform
vonmises wald weibull zipf
"""
_WITHOUT_RESULT = ("shuffle", "seed")


# --- ops ------------------------------------------------------------------------------------------


def _source(operands: tuple[Any, ...], is_global: bool) -> tuple[Any, tuple[Any, ...]]:
    """What draws, and the arguments of the call."""
    return (np.random, operands) if is_global else (operands[0], operands[1:])


def _draw(
    *operands: Any,
    function: str,
    results: tuple[Type, ...],
    is_global: bool = False,
    keywords: tuple[str, ...] = (),
    **attrs: Any,
) -> Any:
    source, rest = _source(operands, is_global)
    given, named = operands_of(rest, keywords)
    found = items_of(getattr(source, function)(*given, **named, **attrs))
    return checked(f"np.random.{function}()", found, results) if results else ()


def _infer_draw(*_: Type, results: tuple[Type, ...], **_attrs: Any) -> tuple[Type, ...]:
    return results


def _draw_samples(_: np.random.Generator) -> Any:
    rng = np.random.default_rng(0)
    row = TensorType(np.dtype("float64"), ("?",))
    yield (rng, 3), {"function": "normal", "keywords": ("size",), "results": (row,)}
    yield (rng, 3), {"function": "random", "results": (row,)}
    yield (rng, np.arange(3.0)), {"function": "shuffle", "results": ()}
    yield (rng, np.ones(3)), {"function": "random", "keywords": ("out",), "results": ()}


draw = defop(
    "random.draw",
    infer=_infer_draw,
    kernel=_draw,
    effects=WRITES,
    samples=_draw_samples,
)
"""``generator.function(…)``; of NumPy's own generator where ``is_global``."""


def _infer_make(*_: Type, function: str, **_attrs: Any) -> Type:
    return OBJECT


make = defop(
    "random.make",
    infer=_infer_make,
    kernel=lambda *seed, function: getattr(np.random, function)(*seed),
    effects=WRITES,
    samples=lambda _: [((3,), {"function": "default_rng"}), ((3,), {"function": "RandomState"})],
)
"""``np.random.default_rng(seed)``: each call makes another one."""


# --- adapters -------------------------------------------------------------------------------------


def _on_trial(class_: type, *operands: Any, function: str, **attrs: Any) -> Any:
    """The call on a generator that nobody else draws from."""
    generator: Any = np.random.RandomState(0)
    if class_ is np.random.Generator:
        generator = np.random.default_rng(0)
    keywords = attrs.pop("keywords", ())
    given, named = operands_of(operands, keywords)
    return getattr(generator, function)(*given, **named, **attrs)


_TRIALS = {class_: partial(_on_trial, class_) for class_ in GENERATORS}


def _call(name: str, class_: type, first: list[Value], args: Any, kwargs: Any) -> Any:
    made = LibraryCall(name)
    made.take_all(args, kwargs)
    attrs: dict[str, Any] = {"function": name, **made.attributes}
    if made.out is not None:
        made.keywords.append("out")
        made.operands.append(target_array(made.out, f"np.random.{name}()"))
        made.emit_with(draw, first, results=())
        return made.out
    if name == "shuffle" and any(isinstance(each, tuple | list) for each in args):
        raise not_an_array("np.random.shuffle()", args[0])  # what is shuffled would be a copy
    if name in _WITHOUT_RESULT:
        made.emit_with(draw, first, is_global=not first, results=())
        return None
    _, results = outcome_of(made.known, attrs, _TRIALS[class_])
    if len(results) != 1:
        raise DiagnosticError(catalog.UNSUPPORTED_NUMPY_FUNCTION, name=name, way_out="")
    return made.emit_with(draw, first, is_global=not first, results=results)


def _method(name: str, class_: type) -> Callable[..., Any]:
    def call(generator: Value, *args: Any, **kwargs: Any) -> Any:
        return _call(name, class_, [generator], args, kwargs)

    call.__name__ = name
    return call


def _function(name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return _call(name, np.random.RandomState, [], args, kwargs)

    call.__name__ = name
    return call


METHODS: dict[tuple[type, str], Callable[..., Any]] = {
    (class_, name): _method(name, class_)
    for class_ in GENERATORS
    for name in (*_DRAWS.split(), *_WITHOUT_RESULT)
    if hasattr(class_, name) and name != "bytes"
}
"""The methods of generators by class and name; an adapter gets the generator first."""

ADAPTERS: dict[Any, Callable[..., Any]] = {
    getattr(np.random, name): _function(name)
    for name in (*_DRAWS.split(), *_WITHOUT_RESULT)
    if hasattr(np.random, name) and name != "bytes"
}
ADAPTERS |= {
    getattr(np.random, name): _function("random_sample")
    for name in ("ranf", "sample")
    if hasattr(np.random, name)
}
"""The functions of ``np.random``, which draw from NumPy's own generator."""


def make_generator(function: str, *seed: Any) -> Any:
    """Emit ``np.random.function(*seed)``."""
    made = LibraryCall(function)
    made.take_all(seed, {})
    return made.emit_with(make, [])


SOURCES: tuple[type, ...] = tuple(
    getattr(np.random, name)
    for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64", "SeedSequence")
)
"""The classes whose instances a generator may draw its bits from."""

MAKERS: dict[Any, type] = {
    np.random.default_rng: np.random.Generator,
    **{class_: class_ for class_ in (*GENERATORS, *SOURCES)},
}
"""What makes a generator, with its class."""
