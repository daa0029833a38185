"""Generators that run step by step, as they are asked for items.

In: the body of a generator. Out: blocks that each run up to the next ``yield``: the body from its
beginning, and from behind each of its yields. A yield is where such a block is left, as by
``return``; to go on behind one in the middle of a loop, the rest of that round runs once, and then
the loop, from its next round on.

    while n > 0:              Once:                    # after the yield
        yield n                   n -= 1
        n -= 1                else: while n > 0: …     # unless the round is left by ``break``

What a loop goes through is kept in a hidden variable of the frame, so that the next step finds it.
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from staticpy.frontend.liveness import Liveness, blocks_of
from staticpy.frontend.resolve import Names, iter_own


class Suspend(gast.Expr):  # type: ignore[misc]
    """``yield value``; without a value it yields what the loop around it goes through."""

    number: int


class Resumable(gast.For):  # type: ignore[misc]
    """A ``for`` whose iterator is kept in the hidden variable ``slot``.

    ``begins`` says whether it makes the iterator, or goes on with it. Without a target it is that
    of ``yield from``.
    """

    slot: str
    begins: bool


class Once(gast.For):  # type: ignore[misc]
    """The rest of a round of a loop; its ``else`` is the loop from the next round on."""


class CannotStep(Exception):
    """Raised where a ``yield`` stands in a ``try`` or a ``with``, or where its value is used."""


class AllLive(Liveness):
    """The liveness of a generator that runs step by step: the next step may read anything."""

    def __init__(self, names: Names) -> None:
        self._all = names

    def after(self, statement: Any) -> Names:
        return self._all

    def at_head(self, loop: Any) -> Names:
        return self._all


def steps_of(body: list[Any], *, has_first: bool = False) -> list[list[Any]]:
    """The blocks of a generator. With ``has_first`` the iterator of its outermost loop is made
    already, as that of a generator expression is.

    Raises:
        CannotStep: it can't be taken apart.
    """
    maker = _Steps()
    begin = maker.marked(body)
    if has_first:
        begin[0].begins = False
    return [begin, *(_rest(begin, number) for number in range(1, maker.count + 1))]


class _Steps:
    """Numbers the yields, and gives loops around them a hidden variable."""

    def __init__(self) -> None:
        self.count = 0
        self._slots = 0

    def marked(self, statements: list[Any]) -> list[Any]:
        return [self._statement(each) if _yields([each]) else each for each in statements]

    def _statement(self, node: Any) -> Any:
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Yield):
            if node.value.value is None or not _yields([node.value.value]):
                value = node.value.value or gast.Constant(value=None, kind=None)
                return self._suspend(node, gast.copy_location(value, node))
        elif isinstance(node, gast.Expr) and isinstance(node.value, gast.YieldFrom):
            if not _yields([node.value.value]):
                return self._loop(node, None, node.value.value, [self._suspend(node, None)], [])
        elif isinstance(node, gast.For) and not _yields([node.iter, node.target]):
            body = self.marked(node.body)
            return self._loop(node, node.target, node.iter, body, self.marked(node.orelse))
        elif isinstance(node, gast.If | gast.While) and not _yields([node.test]):
            made = copy.copy(node)
            made.body, made.orelse = self.marked(node.body), self.marked(node.orelse)
            return made
        raise CannotStep

    def _suspend(self, node: Any, value: Any) -> Suspend:
        self.count += 1
        made = gast.copy_location(Suspend(value=value), node)
        made.number = self.count
        return made  # type: ignore[no-any-return]

    def _loop(self, node: Any, target: Any, iter_: Any, body: Any, orelse: Any) -> Resumable:
        made = Resumable(target=target, iter=iter_, body=body, orelse=orelse, type_comment=None)
        self._slots += 1
        made.slot, made.begins = f"%loop{self._slots}", True
        return gast.copy_location(made, node)  # type: ignore[no-any-return]


def _rest(statements: list[Any], number: int) -> list[Any]:
    """What runs behind the yield of this number."""
    position = next(i for i, each in enumerate(statements) if _holds(each, number))
    node, rest = statements[position], statements[position + 1 :]
    if isinstance(node, Suspend):
        return rest
    in_body = any(_holds(each, number) for each in node.body)
    inner = _rest(node.body if in_body else node.orelse, number)
    if isinstance(node, gast.If) or not in_body:
        return [*inner, *rest]
    again = copy.copy(node)
    again.begins = False
    once = Once(target=None, iter=None, body=inner, orelse=[again], type_comment=None)
    return [gast.copy_location(once, node), *rest]


def _holds(node: Any, number: int) -> bool:
    if isinstance(node, Suspend):
        return node.number == number
    return any(_holds(each, number) for block in blocks_of(node) for each in block)


def _yields(nodes: list[Any]) -> bool:
    return any(isinstance(node, gast.Yield | gast.YieldFrom) for node in iter_own(nodes))


def body_of(expression: Any) -> list[Any]:
    """A generator expression as the body of a generator."""
    elt = expression.elt
    body = placed(gast.Expr(value=placed(gast.Yield(value=elt), elt)), elt)
    for level in reversed(expression.generators):
        for test in reversed(level.ifs):
            body = placed(gast.If(test=test, body=[body], orelse=[]), test)
        body = placed(_for(level.target, level.iter, [body]), level.iter)
    return [body]


PART = "%part"
"""The variable of a generator that flattens."""


def flattening(node: Any) -> list[Any]:
    """``for part in …: yield from part``, as the body of a generator that stands at ``node``."""

    def name(context: Any) -> Any:
        return placed(gast.Name(id=PART, ctx=context, annotation=None, type_comment=None), node)

    each = placed(gast.YieldFrom(value=name(gast.Load())), node)
    body, iter_ = [placed(gast.Expr(value=each), node)], placed(gast.Constant(None, None), node)
    return [placed(_for(name(gast.Store()), iter_, body), node)]


def placed(made: Any, node: Any) -> Any:
    """A new node at the place of another one."""
    return gast.copy_location(made, node)


def _for(target: Any, iter_: Any, body: list[Any]) -> Any:
    return gast.For(target=target, iter=iter_, body=body, orelse=[], type_comment=None)
