"""Reverse mode of twins: what flows to a value is added at once to what the value stands for.

Of a loop that begins with ``guess = x``, in the round back:
    %1, %2 = if %is_first {
      %3 = add %gx, %0
      region_yield %3, %gguess
    } {
      %4 = add %gguess, %0
      region_yield %gx, %4
    }
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import Activity
from staticpy.autodiff.back import Back
from staticpy.autodiff.cotangents import as_cotangent
from staticpy.autodiff.memory import MemoryReverse
from staticpy.autodiff.reverse import NOTHING, Around
from staticpy.autodiff.shadows import Shadows
from staticpy.autodiff.twins import Twins
from staticpy.ir import Block, Builder, Region, Value
from staticpy.ops import Traced


class TwinReverse(MemoryReverse):
    """Reverse mode of one block, with values that may stand for others."""

    def __init__(
        self, activity: Activity, shadows: Shadows, builder: Builder, home: Block, around: Around
    ) -> None:
        super().__init__(activity, shadows, builder, home, around)
        if around is NOTHING:
            self.twins = Twins(activity, home)

    def add(self, value: Value, item: Any) -> None:
        """Add to the cotangent of a value, or of what it stands for."""
        twin = self.twins.of(value)
        if twin is None:
            super().add(value, item)
            return
        item = as_cotangent(item, value.type)
        if self.twins.stands_aside(value):
            self.add(twin.sides[0], item)
            return
        sides = [Back(self, Block()) for _ in range(2)]
        for side, source in zip(sides, twin.sides, strict=True):
            with side.builder.current(), side.builder.at(self.builder.span):
                reverse = side.reverse
                assert isinstance(reverse, TwinReverse)
                reverse.add_known(value, source, item)
        flowing = self.end_sides(sides)
        self.go_on(self.twins.condition(value), sides, flowing)

    def add_known(self, value: Value, source: Value | None, item: Any) -> None:
        """Add to the cotangent of what a value is known to stand for."""
        if source is None:
            super().add(value, item)
        else:
            self.add(source, item)

    def not_added(self, values: Sequence[Value], given: Sequence[Any], side: int) -> list[Any]:
        """The cotangents of values where they stand for themselves; None for the others."""
        twins = map(self.twins.of, values)
        pairs = zip(twins, given, strict=True)
        return [None if twin and twin.sides[side] else item for twin, item in pairs]

    def end_sides(self, sides: Sequence[Back]) -> list[Value]:
        """End two sides with the cotangents of values from around them, which are given."""
        flowing = list(dict.fromkeys(value for side in sides for value in side.outer))
        for side in sides:
            side.end_with_outer(flowing)
        return flowing

    def go_on(self, condition: Value, sides: Sequence[Back], flowing: Sequence[Value]) -> None:
        """Go on with what one of two sides gives."""
        regions = [Region(side.block) for side in sides]
        made = self.builder.emit(ops.if_, [condition], {}, regions)
        for value, result in zip(flowing, made.results, strict=True):
            self.put(value, Traced(result))
