"""Tensors in the place of arrays, and what results with Tensors in them have otherwise.

In: the arguments of a call, or two results. Out: arguments with Tensors in them; differences, one
line each: classes, whether they require grad, and every bit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from staticpy import Tensor


def with_tensors(tree: Any, requires_grad: bool) -> Any:
    """The same tree with Tensors for real and complex arrays."""
    if type(tree) is np.ndarray and tree.dtype.kind in "fc":
        return Tensor(tree, requires_grad=requires_grad)
    if type(tree) in (tuple, list):
        return type(tree)(with_tensors(item, requires_grad) for item in tree)
    if type(tree) is dict:
        return {key: with_tensors(item, requires_grad) for key, item in tree.items()}
    return tree


def compared(
    found: Any, expected: Any, place: str = "", *, may_keep: bool = False
) -> Iterator[str]:
    """The differences of two trees; objects of other classes are not gone into. With ``may_keep`` a
    Tensor may be found where a plain number or array is expected.
    """

    def parts(pairs: Iterable[tuple[Any, Any]]) -> Iterator[str]:
        for number, (one, other) in enumerate(pairs):
            yield from compared(one, other, f"{place}[{number}]", may_keep=may_keep)

    if may_keep and isinstance(found, Tensor) and not isinstance(expected, Tensor):
        found = found.content
    if type(found) is not type(expected):
        yield f"{place}: {type(found).__name__}, not {type(expected).__name__}"
    elif isinstance(found, Tensor):
        if found.requires_grad != expected.requires_grad:
            yield f"{place}: requires_grad is {found.requires_grad}"
        yield from compared(found.content, expected.content, f"{place}.content")
    elif isinstance(found, tuple | list):
        if len(found) != len(expected):
            yield f"{place}: {len(found)} items, not {len(expected)}"
        yield from parts(zip(found, expected, strict=False))
    elif isinstance(found, dict):
        yield from parts([(list(found.items()), list(expected.items()))])
    elif dataclasses.is_dataclass(found):
        yield from parts([(vars(found), vars(expected))])
    elif not _same(found, expected):
        yield f"{place}: {found!r}, not {expected!r}"


def _same(found: Any, expected: Any) -> bool:
    if isinstance(found, np.ndarray | np.generic):
        is_inexact = found.dtype.kind in "fc"
        same_type = found.dtype == expected.dtype and found.shape == expected.shape
        return same_type and (
            found.dtype.hasobject or np.array_equal(found, expected, equal_nan=is_inexact)
        )
    if isinstance(found, int | float | complex | str | bytes | None):
        return bool(found == expected) or found != found
    return True
