"""Arrays that a function makes, and can write to without a look at their flags.

In: a function of the graph. Out: the arrays that its own operations have made, of which no code but
NumPy's gets hold before the function returns: the language has nothing that makes an array
read-only, but what is called from here has. Of those in C order neighbours along the last axis lie
side by side, where there are any: NumPy's strides of an array without elements are 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import I64, Native, form_of
from staticpy.ir import BlockArgument, Function, Operation, Value, walk
from staticpy.ops import call, for_, if_, region_yield, return_, through_regions, undef, while_
from staticpy.passes import reach

_MAKING = {
    **dict.fromkeys(("zeros", "ones", "full", "eye", "arange"), "C"),
    **dict.fromkeys(("zeros_like", "ones_like", "full_like", "copy", "astype"), "K"),
}
"""The ops whose results are always new, and can be written to; in which order, if none is given."""

_CONTROL = (if_, for_, while_)
"""The ops whose values are others under another name."""

_SIZES = {"ones": 0, "full": 1}
"""From which operand on they have sizes, of those whose kernels are called."""


def new_arrays(function: Function) -> dict[Value, bool]:
    """Those of ``function``, and whether they are in C order."""
    operations = list(walk(function.block))
    if any(each.op is call for each in operations):
        return {}
    flows = _flows(operations)
    found: dict[Value, bool] = {}
    seen: set[Value] = set()
    for operation in operations:
        if operation.op.name in _MAKING and operation.result not in seen:
            names = reach(operation.results, flows)
            seen |= names
            if all(map(_is_new, names)):
                found.update(dict.fromkeys(names, all(map(_is_in_c_order, names))))
    return found


def _flows(operations: Iterable[Operation]) -> dict[Value, list[Value]]:
    """The values that loops and branches make one another, both ways."""
    flows: dict[Value, list[Value]] = defaultdict(list)
    for operation in operations:
        if operation.op in _CONTROL:
            for source, target in through_regions(operation):
                flows[source].append(target)
                flows[target].append(source)
    return flows


def _is_new(value: Value) -> bool:
    """Whether an array is made by one of the ops above, or is another name of what ``_flows`` joins
    with it, and nothing but NumPy gets hold of it.
    """
    if form_of(value.type).kind != "array":
        return False
    made = _giving(value)
    is_known = made is not None and (made.op in (undef, *_CONTROL) or made.op.name in _MAKING)
    return is_known and all(map(_keeps_flags, value.users))


def _giving(value: Value) -> Operation | None:
    """The operation that a value is a result of, or an argument of whose regions."""
    return value.block.parent if isinstance(value, BlockArgument) else value.defining_op


def _is_in_c_order(value: Value) -> bool:
    made = value.defining_op
    if made is None or made.op.name not in _MAKING:
        return True  # as what flows into it
    return bool(made.attrs.get("order", _MAKING[made.op.name]) == "C")


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
    if user.op is return_ or user.op in _CONTROL:
        return True
    if user.op is region_yield:
        return user.parent is not None and user.parent.op in _CONTROL
    if user.regions:
        return False
    values = (*user.operands, *user.results)
    return all(form_of(value.type).kind != "object" for value in values)
