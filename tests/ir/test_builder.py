"""What a builder that shares constants gives again, and where."""

from contextlib import suppress

import numpy as np
import pytest

from staticpy import ops
from staticpy.ir import FLOAT, Block, Builder


@pytest.fixture
def builder():
    builder = Builder(Block([FLOAT], ["x"]), shares=True)
    with builder.current():
        yield builder


def test_a_constant_is_emitted_once(builder):
    assert ops.as_value(2.5) is ops.as_value(2.5)
    assert len(builder.block.operations) == 1


@pytest.mark.parametrize("other", [1.0, True, np.float64(1), np.int64(1)])
def test_equal_numbers_of_other_types_are_others(builder, other):
    assert ops.as_value(1) is not ops.as_value(other)


def test_zeros_by_their_sign(builder):
    assert ops.as_value(0.0) is not ops.as_value(-0.0)


def test_read_in_the_regions_of_what_follows(builder):
    outside = ops.as_value(2.5)
    with builder.region() as region, builder.region():
        assert ops.as_value(2.5) is outside
    assert not region.block.operations


def test_not_read_from_a_region_that_has_ended(builder):
    with builder.region():
        inside = ops.as_value(2.5)
    with builder.region():
        assert ops.as_value(2.5) is not inside
    assert ops.as_value(2.5) is not inside


def test_not_read_from_a_region_that_was_given_up(builder):
    with suppress(ValueError), builder.region():
        inside = ops.as_value(2.5)
        raise ValueError
    assert ops.as_value(2.5) is not inside


def test_read_again_after_a_region_that_had_its_own(builder):
    ops.as_value(1.5)
    taken = ops.as_value(2.5)
    del builder.block.operations[1:]
    with builder.region():
        assert ops.as_value(2.5) is not taken
    again = ops.as_value(2.5)
    assert builder.block.operations[1:] == [again.defining_op]
    assert ops.as_value(2.5) is again


def test_not_where_a_builder_stands_before_an_operation(builder):
    later = ops.as_value(2.5)
    builder.before(later.defining_op)
    assert ops.as_value(2.5) is not later


def test_not_read_in_the_block_of_another_function(builder):
    outside = ops.as_value(2.5)
    with builder.inside(Block()):
        assert ops.as_value(2.5) is not outside


def test_not_read_after_it_was_taken_out(builder):
    taken = ops.as_value(2.5)
    del builder.block.operations[:]
    assert ops.as_value(2.5) is not taken
    other = ops.as_value(1.5)
    del builder.block.operations[1:]
    ops.as_value(3.5)
    assert ops.as_value(1.5) is not other


def test_other_builders_emit_each(builder):
    with Builder(Block()).current():
        assert ops.as_value(2.5) is not ops.as_value(2.5)
