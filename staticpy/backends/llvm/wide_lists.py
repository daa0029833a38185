"""Lists of numbers that are of several types later, made as such.

    %l = list.make %a {type = !list[float]}           %l = list.make %a {type = !list[f64|float]}
    list.append %l, %b                                list.append %l, %b
    %w = object.cast %l {type = !list[f64|float]}     list.setitem %l, %i, %c
    list.setitem %w, %i, %c

In: a module. Out: it, or a copy in which a list is of the wider type from the beginning, where
nothing reads its items before: so all that is done with it is done with one value, which can be
memory of its own (``number_lists``).
"""

from __future__ import annotations

from collections.abc import Iterator

from staticpy.backends.llvm.number_lists import item_form
from staticpy.ir import Function, Module, Operation, builder_before, copy_module, rewriter, walk
from staticpy.ops import REGISTRY

_FILLS = ("list.append", "list.setitem", "list.len")


def with_wide_lists(module: Module) -> Module:
    """``module``, or a copy of it in which lists of its entry have their last type at first."""
    if not any(_casts(module.main)):
        return module
    copy = copy_module(module)
    for cast in list(_casts(copy.main)):
        _widen(cast)
    return copy


def _casts(function: Function) -> Iterator[Operation]:
    return (each for each in walk(function.block) if _is_of_filled(each))


def _is_of_filled(cast: Operation) -> bool:
    """Whether an operation makes a list of numbers wider that was made for it."""
    if cast.name != "object.cast" or item_form(cast.result.type) is None:
        return False
    (narrow,) = cast.operands
    made = narrow.defining_op
    if made is None or item_form(narrow.type) is None:
        return False
    if made.name == "list.repeat":
        short = made.operands[0].defining_op
        is_made = short is not None and short.name == "list.make"
        is_made = is_made and len(made.operands[0].uses) == 1
    else:
        is_made = made.name == "list.make"
    others = [(user, place) for user, place in narrow.uses if user is not cast]
    return is_made and all(place == 0 and user.name in _FILLS for user, place in others)


def _widen(cast: Operation) -> None:
    narrow, attrs = cast.operands[0], {"type": cast.result.type}
    made = narrow.defining_op
    assert made is not None
    builder = builder_before(made)
    if made.name == "list.make":
        wide = builder.emit(REGISTRY["list.make"], made.operands, attrs)
        old = [made]
    else:
        short = made.operands[0].defining_op
        assert short is not None
        items = builder.emit(REGISTRY["list.make"], short.operands, attrs).result
        wide = builder.emit(REGISTRY["list.repeat"], [items, made.operands[1]])
        old = [made, short]
    rewriter.replace_all_uses(cast.result, wide.result)
    rewriter.erase(cast)
    rewriter.replace_all_uses(narrow, wide.result)
    for operation in old:
        rewriter.erase(operation)
