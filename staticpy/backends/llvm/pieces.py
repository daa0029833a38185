"""A module of functions in pieces, which are compiled at the same time.

In: a module. Out: the texts of modules that together are the same. What is always inlined, and the
tables of constants, each has for itself. Of functions that are equal but for their names one is
compiled, and the others are names of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.units import COSTS, LEAST_COST, Effort, Unit

_NAME = re.compile(r'@"([^"]+)"')


def shared_out(
    units: Iterable[Unit], modules: Iterable[tuple[ir.Module, Effort]], threads: int
) -> list[list[Unit]]:
    """What each thread compiles: whole units, and a share of the functions of ``modules``; the
    large ones first, each by the thread that has least to do until then.
    """
    lanes: list[list[Unit]] = [[] for _ in range(threads)]
    loads = [0] * threads
    for unit in sorted(units, key=lambda unit: -unit.cost):
        place = loads.index(min(loads))
        lanes[place].append(unit)
        loads[place] += unit.cost
    pieces = [(Pieces(module), effort) for module, effort in modules]
    sizes = [
        (size * COSTS[effort], number, name)
        for number, (each, effort) in enumerate(pieces)
        for name, size in each.sizes.items()
    ]
    shares: list[dict[int, list[str]]] = [defaultdict(list) for _ in lanes]
    for cost, number, name in sorted(sizes, key=lambda each: -each[0]):
        more = [0 if number in share else LEAST_COST for share in shares]
        # twice, as it is not worth while for little
        place = min(range(threads), key=lambda place: loads[place] + 2 * more[place])
        shares[place][number].append(name)
        loads[place] += cost + more[place]
    for lane, share in zip(lanes, shares, strict=True):
        for number, names in share.items():
            each, effort = pieces[number]
            lane.append(Unit(each.text(names), effort))
    return lanes


class Pieces:
    """The functions of a module.

    Attributes:
        sizes: those that are compiled, and of how many lines.
    """

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._symbols = module.globals
        self._texts = {name: str(symbol) for name, symbol in self._symbols.items()}
        self._equal: dict[str, list[ir.Function]] = defaultdict(list)
        self._sizes: dict[str, int] = {}
        self.sizes = {each.name: self._size(each.name) for each in self._compiled()}

    def _compiled(self) -> Iterator[ir.Function]:
        first: dict[str, str] = {}
        for name, symbol in self._symbols.items():
            if not _is_compiled(symbol):
                continue
            known = first.setdefault(self._texts[name].replace(symbol.text, ""), name)
            if known == name or symbol.linkage:
                yield symbol
            else:
                self._equal[known].append(symbol)

    def _size(self, name: str) -> int:
        """The lines of its text, and of what is inlined."""
        if name not in self._sizes:
            text = self._texts[name]
            called = [each for each in _NAME.findall(text) if each != name]
            inlined = [each for each in called if _is_inlined(self._symbols[each])]
            self._sizes[name] = text.count("\n") + sum(map(self._size, inlined))
        return self._sizes[name]

    def _is_called_elsewhere(self, name: str, names: Collection[str]) -> bool:
        """Whether there is one of its kind, or a function that isn't one of ``names`` calls it."""
        others = (text for each, text in self._texts.items() if each not in names)
        return bool(self._equal.get(name)) or any(f'@"{name}"' in text for text in others)

    def text(self, names: Collection[str]) -> str:
        """The text of a module of these functions; those of the others may call them."""
        lines, seen, todo = [], set(names), list(names)
        while todo:
            name = todo.pop()
            symbol = self._symbols[name]
            if name in names:
                text = self._texts[name]
                if self._is_called_elsewhere(name, names):
                    text = text.replace("define internal", "define hidden", 1)
                lines.append(text)
                kind = symbol.ftype
                lines += [
                    f"{each.text} = alias {kind}, {symbol.typed}"
                    for each in self._equal.get(name, ())
                ]
            elif _is_compiled(symbol):
                lines.append(symbol.declaration)
                continue
            else:
                lines.append(self._texts[name])
            found = [each for each in _NAME.findall(self._texts[name]) if each not in seen]
            todo += dict.fromkeys(found)
            seen.update(found)
        return "\n".join([self._module.head, *lines, self._module.foot])


def _is_inlined(symbol: Any) -> bool:
    return _is_defined(symbol) and "alwaysinline" in symbol.attributes


def _is_compiled(symbol: Any) -> bool:
    return _is_defined(symbol) and "alwaysinline" not in symbol.attributes


def _is_defined(symbol: Any) -> bool:
    return isinstance(symbol, ir.Function) and not symbol.is_declaration
