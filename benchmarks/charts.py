"""Charts as SVG, both of whose axes are logarithmic: a power of n is a straight line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 460, 340
LEFT, RIGHT, TOP, BOTTOM = 70, 130, 40, 50
"""The space around the axes: the names of the lines stand on the right."""
COLOURS = ("#0072b2", "#d55e00", "#777777")
LETTERS = 'font-family="sans-serif" font-size="12"'


@dataclass(frozen=True, slots=True)
class Line:
    """Points that belong together; ``is_measured`` of them, or else a slope to compare with."""

    name: str
    points: Sequence[tuple[float, float]]
    is_measured: bool = True


@dataclass(frozen=True, slots=True)
class Chart:
    """Some lines over the same axes."""

    title: str
    across: str
    up: str
    lines: Sequence[Line]


def svg(charts: Sequence[Chart]) -> str:
    """A picture of charts, side by side."""
    width = WIDTH * len(charts)
    size = f'width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}"'
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    rows.append('<rect width="100%" height="100%" fill="#ffffff"/>')
    for number, chart in enumerate(charts):
        rows += [f'<g transform="translate({number * WIDTH} 0)">', *_drawn(chart), "</g>"]
    return "\n".join([*rows, "</svg>", ""])


def _drawn(chart: Chart) -> Iterator[str]:
    points = [point for line in chart.lines for point in line.points]
    across = _Axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    up = _Axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    yield _text((LEFT + WIDTH - RIGHT) / 2, 20, chart.title, "middle")
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, chart.across, "middle")
    yield _text(LEFT - 8, TOP - 10, chart.up, "end")
    for power in across.powers:
        x = across.place(10.0**power)
        yield _path([(x, TOP), (x, HEIGHT - BOTTOM)], "#e0e0e0")
        yield _text(x, HEIGHT - BOTTOM + 18, _number(power), "middle")
    for power in up.powers:
        y = up.place(10.0**power)
        yield _path([(LEFT, y), (WIDTH - RIGHT, y)], "#e0e0e0")
        yield _text(LEFT - 8, y + 4, _number(power), "end")
    ends: list[tuple[float, str, str]] = []
    for line, colour in zip(chart.lines, COLOURS, strict=False):
        places = [(across.place(x), up.place(y)) for x, y in line.points]
        ends.append((places[-1][1], line.name, colour))
        yield _path(places, colour, is_dashed=not line.is_measured)
        yield from (_dot(*place, colour) for place in places if line.is_measured)
    least = -math.inf
    for y, name, colour in sorted(ends):
        least = max(y + 4, least + 16)  # one below the other
        yield _text(WIDTH - RIGHT + 8, least, name, "start", colour)


class _Axis:
    """Numbers along an axis, from ``first`` to ``last`` in the picture; whole powers of ten."""

    def __init__(self, numbers: Sequence[float], first: float, last: float) -> None:
        low, high = (math.log10(number) for number in (min(numbers), max(numbers)))
        self._low, self._high = math.floor(low + 1e-9), math.ceil(high - 1e-9)
        self._first, self._last = first, last

    @property
    def powers(self) -> range:
        """The powers of ten that have a mark."""
        return range(self._low, self._high + 1)

    def place(self, number: float) -> float:
        """Where a number is."""
        share = (math.log10(number) - self._low) / (self._high - self._low)
        return self._first + share * (self._last - self._first)


def _path(points: Sequence[tuple[float, float]], colour: str, *, is_dashed: bool = False) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if is_dashed else ""
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"{dashes}/>'


def _dot(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#222222") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} {LETTERS} fill="{colour}">{escape(text)}</text>'


def _number(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"
