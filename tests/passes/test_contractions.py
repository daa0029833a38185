"""``einsum`` and ``tensordot`` as products, for backends that have them."""

from __future__ import annotations

import numpy as np
import pytest

import staticpy
from staticpy.ir import verify, walk
from staticpy.passes import with_contractions_as_products


def einsum(text, **more):
    return lambda x, y: np.einsum(text, x, y, **more)


def operations(function, *shapes, dtype="float32"):
    """What is done in the place of the call, if anything is."""
    arrays = [np.ones(shape, dtype) for shape in shapes]
    module = staticpy.jit(function).lower(*arrays).module
    made = with_contractions_as_products(module)
    verify(made)
    found = [each for each in walk(made.main.block) if each.op.name not in ("constant", "return")]
    assert (made is module) == any(each.op.name == "numpy.call" for each in found)
    return found


def names(function, *shapes, dtype="float32"):
    return [each.op.name for each in operations(function, *shapes, dtype=dtype)]


@pytest.mark.parametrize(
    ("text", "left", "right", "transposes"),
    [
        ("ij,jk->ik", (3, 4), (4, 5), 0),
        ("ij,jk", (3, 4), (4, 5), 0),
        ("ij,kj->ik", (3, 4), (5, 4), 1),
        ("ji,kj->ik", (4, 3), (5, 4), 2),
        ("ij,jk->ki", (3, 4), (4, 5), 2),
        ("bhid,bhjd->bhij", (2, 3, 4, 5), (2, 3, 6, 5), 1),
        ("bqhd,bkhd->bhqk", (2, 4, 3, 5), (2, 6, 3, 5), 2),
        ("bij,jk->bik", (2, 3, 4), (4, 5), 0),
        ("ij,bjk->bik", (3, 4), (2, 4, 5), 0),
        ("...ij,...jk->...ik", (2, 3, 4), (2, 4, 5), 0),
        ("...ij,jk", (2, 3, 4), (4, 5), 0),
    ],
)
def test_products(text, left, right, transposes):
    found = operations(einsum(text), left, right)
    assert [each.op.name for each in found] == ["transpose"] * transposes + ["einsum.matmul"]
    assert not found[-1].attrs
    assert names(einsum(text, optimize=False), left, right)[-1] == "einsum.matmul"


def test_a_result_in_another_order():
    (found,) = operations(einsum("bhij,bhjk->bihk"), (2, 3, 4, 5), (2, 3, 5, 6))
    assert found.attrs == {"axes": (0, 2, 1, 3)}


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("ij,ij->ij", (3, 4), (3, 4)),
        ("ij,ij->i", (3, 4), (3, 4)),
        ("ij,j->i", (3, 4), (4,)),
        ("ij,kl->ik", (3, 4), (5, 6)),
        ("ij,jk->", (3, 4), (4, 5)),
        ("ij,jk->ijk", (3, 4), (4, 5)),
        ("ii,ij->ij", (3, 3), (3, 4)),
        ("ijk,jkl->il", (3, 4, 5), (4, 5, 6)),
        ("abij,ajk->abik", (2, 3, 4, 5), (2, 5, 6)),
    ],
)
def test_what_else_einsum_does_stays_a_call(text, left, right):
    assert names(einsum(text), left, right) == ["numpy.call"]


def test_other_arguments_and_dtypes_stay_a_call():
    shapes = (3, 4), (4, 5)
    for more in ({"optimize": True}, {"order": "F"}, {"dtype": np.float64}):
        assert names(einsum("ij,jk->ik", **more), *shapes) == ["numpy.call"]
    for dtype in ("int64", "complex64", "float16"):
        assert names(einsum("ij,jk->ik"), *shapes, dtype=dtype) == ["numpy.call"]


def test_tensordot_of_matrices():
    def negative(x, y):
        return np.tensordot(x, y, axes=(-1, -2))

    def lists(x, y):
        return np.tensordot(x, y, axes=([1], [0]))

    def number(x, y):
        return np.tensordot(x, y, 1)

    for each in (negative, lists, number):
        assert names(each, (3, 4), (4, 5)) == ["dot"]
    turned = names(lambda x, y: np.tensordot(x, y, (0, 1)), (4, 3), (5, 4))
    assert turned == ["transpose", "transpose", "dot"]


def test_other_sums_of_tensordot_stay_a_call():
    assert names(lambda x, y: np.tensordot(x, y, 2), (3, 4), (3, 4)) == ["numpy.call"]
    assert names(lambda x, y: np.tensordot(x, y, 1), (2, 3, 4), (4, 5)) == ["numpy.call"]
    assert names(lambda x, y: np.tensordot(x, y, 1), (3, 4), (4,)) == ["numpy.call"]
