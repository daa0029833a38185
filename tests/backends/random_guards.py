"""Random modules with ``try``, ``errstate`` and ``raise``, nested as other control flow is."""

from __future__ import annotations

from collections.abc import Sequence

from staticpy.ir import INT, OBJECT, Value
from staticpy.ops import errstate, if_, raise_, region_yield, try_
from tests.passes.random_graphs import BOOL, CARRIED, GraphMaker

_CAUGHT = ("ZeroDivisionError", "FloatingPointError", "ArithmeticError", "ValueError", "Exception")
_VALUES = ("ignore", "warn", "raise", "raise", "call")
_NAMES = ("divide", "over", "under", "invalid")


class GuardMaker(GraphMaker):
    """A GraphMaker of which most branches are a ``try`` or an ``errstate``."""

    def _if(self, values: list[Value], depth: int) -> Sequence[Value]:
        choices = [super()._if, self._try, self._try, self._errstate]
        return self._random.choice(choices)(values, depth)

    def _fill(self, values: list[Value], depth: int) -> None:
        super()._fill(values, depth)
        if depth and self._random.random() < 0.3:
            self._raise(values)
            values += self._operation(values)

    def _raise(self, values: list[Value]) -> None:
        """``if c: raise``, or ``raise`` alone, after which nothing runs."""
        name = self._random.choice(_CAUGHT[:-1])
        attrs = {"exception": name, "args": ()}
        operands = [self._pick(values, INT)] if self._random.random() < 0.5 else []
        if self._random.random() < 0.2:
            self._builder.emit(raise_, operands, attrs)
            return
        condition, regions = self._pick(values, BOOL), []
        for raises in (True, False):
            with self._builder.region() as region:
                if raises:
                    self._builder.emit(raise_, operands, attrs)
                self._builder.emit(region_yield, [])
            regions.append(region)
        self._builder.emit(if_, [condition], {}, regions)

    def _try(self, values: list[Value], depth: int) -> Sequence[Value]:
        types = [t for t in CARRIED if self._random.random() < 0.6]
        handlers = tuple(
            tuple(self._random.sample(_CAUGHT, self._random.randrange(1, 3)))
            for _ in range(self._random.randrange(1, 3))
        )
        regions = []
        for number in range(1 + len(handlers)):
            with self._builder.region([OBJECT] if number else []) as region:
                inner = list(values)
                self._fill(inner, depth)
                self._yield(inner, types)
            regions.append(region)
        return self._builder.emit(try_, [], {"handlers": handlers}, regions).results

    def _errstate(self, values: list[Value], depth: int) -> Sequence[Value]:
        types = [t for t in CARRIED if self._random.random() < 0.6]
        names = ("all",) if self._random.random() < 0.6 else self._random.sample(_NAMES, 2)
        options = tuple((name, self._random.choice(_VALUES)) for name in names)
        with self._builder.region() as region:
            inner = list(values)
            self._fill(inner, depth)
            self._yield(inner, types)
        return self._builder.emit(errstate, [], {"options": options}, [region]).results
