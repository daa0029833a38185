"""Arrays that a function makes, and can write to without a look at their flags.

In: a function of the graph. Out: the arrays that its own operations have made, of which no code but
NumPy's gets hold before the function returns: the language has nothing that makes an array
read-only, but what is called from here has. Of those in C order neighbours along the last axis lie
side by side, where there are any: NumPy's strides of an array without elements are 0.
"""

from __future__ import annotations

from dataclasses import replace

from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I64, Native, form_of
from staticpy.ir import Function, Operation, Value, walk
from staticpy.ops import call

_MAKING = {
    **dict.fromkeys(("zeros", "ones", "full", "eye", "arange"), "C"),
    **dict.fromkeys(("zeros_like", "ones_like", "full_like", "copy", "astype"), "K"),
}
"""The ops whose results are always new, and can be written to; in which order, if none is given."""

_SIZES = {"ones": 0, "full": 1}
"""From which operand on they have sizes, of those whose kernels are called."""


def new_arrays(function: Function) -> dict[Value, bool]:
    """Those of ``function``, and whether they are in C order."""
    operations = list(walk(function.block))
    if any(each.op is call for each in operations):
        return {}
    made = [each for each in operations if each.op.name in _MAKING]
    return {
        each.result: each.attrs.get("order", _MAKING[each.op.name]) == "C"
        for each in made
        if all(map(_keeps_flags, each.result.users))
    }


def of_known_sizes(cx: Context, operation: Operation, made: Native) -> Native:
    """What a kernel has made, of the sizes that were asked for: they are those that the rest of the
    function knows.
    """
    first = _SIZES.get(operation.op.name)
    if first is None or made.form.kind != "array":
        return made
    rest = [cx.get(each) for each in operation.operands[first:]]
    if any(each.form.kind != "int" for each in rest):
        return made
    given = iter(rest)
    shape = operation.attrs["shape"]
    sizes = [next(given).value if size is None else I64(size) for size in shape]
    return replace(made, parts=(*made.parts[:2], *sizes, *made.strides))


def _keeps_flags(user: Operation) -> bool:
    """Whether nothing but NumPy sees the operands of an operation, under no other name."""
    if user.op.name == "return":
        return True
    if user.regions or user.op.is_terminator:
        return False
    values = (*user.operands, *user.results)
    return all(form_of(value.type).kind != "object" for value in values)
