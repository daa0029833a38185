"""Ops whose result types are NumPy's own answer, but for the sizes.

In: a kernel and a rule for the sizes of its result. Out: an op. What NumPy does to dtype, box and
rank is asked of the kernel itself (``probe``), and so needs no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from staticpy.ir import UNKNOWN, Dim, TensorType, Type, dims_of
from staticpy.ops.opdef import Attrs, Effect, OpDef, Samples, defop
from staticpy.ops.probe import probe

Dims = tuple[Dim, ...]
DimRule = Callable[[Sequence[Type], Attrs], Dims | None]
"""The sizes of each result for operands of these types; None where nothing is known of them."""


def probed_op(  # noqa: PLR0913
    name: str,
    kernel: Callable[..., Any],
    dims: DimRule,
    samples: Samples,
    *,
    effects: Any = Effect.NONE,
    view: bool = False,
    numpy: str = "",
) -> OpDef:
    """Define an op with a ``kernel(*operands, **attrs)`` that NumPy decides the types of."""

    def infer(*operands: Type, **attrs: Any) -> tuple[Type, ...]:
        found = probe(f"np.{name}()", kernel, operands, attrs)
        known = dims(operands, attrs)
        return tuple(_with_dims(type_, known) for type_ in found)

    return defop(
        name,
        infer=infer,
        kernel=kernel,
        effects=effects,
        view=view,
        numpy=numpy,
        samples=samples,
    )


def _with_dims(type_: Type, dims: Dims | None) -> Type:
    if not isinstance(type_, TensorType):
        return type_
    known = (UNKNOWN,) * type_.rank if dims is None else dims
    assert len(known) == type_.rank
    return TensorType(type_.dtype, known)


def unknown_dims(_operands: Sequence[Type], _attrs: Attrs) -> None:
    """Sizes that depend on the elements."""


def same_dims(operands: Sequence[Type], _attrs: Attrs) -> Dims:
    """The sizes of the first operand."""
    return dims_of(operands[0])


def times(size: Dim, count: int) -> Dim:
    """``size * count``, where it is known."""
    if count == 1:
        return size
    return size * count if isinstance(size, int) else UNKNOWN


def plus(size: Dim, count: int) -> Dim:
    """``size + count``, and at least 0, where it is known."""
    if count == 0:
        return size
    return max(size + count, 0) if isinstance(size, int) else UNKNOWN
