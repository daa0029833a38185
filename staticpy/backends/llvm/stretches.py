"""Stretches of a function in which other threads of Python may run: loops over numbers, and
functions of numbers that call each other.

In: what was emitted for one. Out: whether it may let go of the interpreter's lock, which is known
when all of it is there: where everything that it calls touches no Python object, or takes the lock
before. Elsewhere ``poll`` only gives others a turn, as the interpreter does with its own loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from staticpy.backends.llvm import ir, lock
from staticpy.backends.llvm.capi import MATH
from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I32, form_of
from staticpy.backends.llvm.recoveries import RECOVER
from staticpy.backends.llvm.refusals import REFUSE
from staticpy.backends.llvm.status import CLEAR_FLAGS, KEEP_FLAGS, LETS_GO, PIN_FLAGS
from staticpy.ir import Operation, walk

_HARMLESS = ("llvm.", CLEAR_FLAGS, KEEP_FLAGS, PIN_FLAGS, REFUSE, RECOVER, lock.POLL, lock.TAKE)
"""How the names of functions begin that need no lock, or see to it themselves."""


def is_of_numbers(loop: Operation) -> bool:
    """Whether a loop reads nothing but numbers and arrays: what is in a list may go meanwhile."""
    inside = [loop, *(each for region in loop.regions for each in walk(region.block))]
    values = {value for each in inside for value in (*each.operands, *each.results)}
    forms = (form_of(each.type) for each in values)
    return all(form.is_scalar or form.kind == "array" for form in forms)


class Lock:
    """What is known of the lock in the functions of a module."""

    def __init__(self) -> None:
        self._held: set[ir.Block] = set()
        self._stretches: list[_Stretch] = []

    @contextmanager
    def held(self, cx: Context) -> Iterator[None]:
        """What is emitted within has the lock."""
        lock.take(cx.builder, cx.body.args[0])
        self.is_held(cx.builder.block)
        first = len(cx.body.blocks)
        yield
        self._held.update(cx.body.blocks[first:])

    def is_held(self, block: ir.Block) -> None:
        """The lock is taken by what comes before a block."""
        self._held.add(block)

    @contextmanager
    def let_go(self, cx: Context) -> Iterator[None]:
        """What is emitted within is a stretch."""
        stretch = _Stretch(cx, len(self._stretches))
        self._stretches.append(stretch)
        yield
        stretch.end(cx)

    def decide(self) -> None:
        """Say which stretches let go of the lock, when all functions that they call are there."""
        for each in self._stretches:
            each.lets_go.initializer = ir.Constant(I32, int(self._may_lack(each.blocks)))

    def _may_lack(self, blocks: Iterable[ir.Block]) -> bool:
        """Whether nothing needs the lock that blocks call, and the functions that these call."""
        seen: set[ir.Function] = set()
        todo = list(blocks)
        while todo:
            block = todo.pop()
            for name in () if block in self._held else _called_in(block):
                function = block.function.module.globals.get(name)
                if name.startswith(_HARMLESS) or name in MATH or function in seen:
                    continue
                if not isinstance(function, ir.Function) or function.is_declaration:
                    return False
                seen.add(function)
                todo += function.blocks
        return True


def _called_in(block: ir.Block) -> Iterator[str]:
    """The names of what a block calls; an empty one for an address, which nothing is known of."""
    for each in block.instructions:
        _, is_call, text = f" {each}".partition(" call ") if isinstance(each, str) else ("", "", "")
        called = text.partition("(")[0]
        if is_call and " asm " not in called:
            yield called.partition('@"')[2].rstrip('"')


class _Stretch:
    """One of them.

    Attributes:
        lets_go: whether it lets go of the lock.
        blocks: all that it runs through, but for the first and what follows.
    """

    def __init__(self, cx: Context, number: int) -> None:
        self.lets_go = ir.GlobalVariable(cx.module, I32, f"lock.lets_go.{number}")
        self.lets_go.global_constant = True
        self.lets_go.linkage = "internal"
        cx.builder.store(cx.builder.load(self.lets_go, typ=I32), cx.at(cx.body.args[0], LETS_GO))
        self._first = len(cx.body.blocks)
        self.blocks: list[ir.Block] = []

    def end(self, cx: Context) -> None:
        self.blocks = cx.body.blocks[self._first :]
        cx.builder.branch(after := cx.new_block())
        cx.go_to(after)
        lock.take_if_gone(cx.builder, cx.body.args[0])
        cx.builder.store(I32(0), cx.at(cx.body.args[0], LETS_GO))
