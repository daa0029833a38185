"""Several ``np.roll`` of one array, which loops over elements read, as parts of one copy of it.

Before:
    %1 = roll %u, 1 {axis = 0} : f64[n, m]
    %2 = roll %u, -1 {axis = 0} : f64[n, m]
    %3 = add %1, %2 : f64[n, m]
After:
    %4 = halo %u {before = (1, 0), after = (1, 0)} : f64[?, m]
    %1 = halo.window %4, %u {start = (0, 0)} : f64[n, m]
    %2 = halo.window %4, %u {start = (2, 0)} : f64[n, m]
    %3 = add %1, %2 : f64[n, m]

In: a module. Out: it, or a copy. Now one array is made where there were two, and the loops read
parts of it, which are views. Rolls of rolls are rolls along several axes. Shifts must be known, and
small; between the first roll and the last nothing may be written, and no roll may itself be reduced
along several axes. No pass of the pipeline: it is for backends that make loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from staticpy.ir import (
    Block,
    Module,
    Operation,
    Value,
    builder_before,
    copy_module,
    dims_of,
    rewriter,
    walk,
)
from staticpy.ops import (
    Effect,
    broadcast,
    constant_value,
    halo_op,
    operation_effects,
    roll_op,
    window_op,
)
from staticpy.passes.loop_kinds import is_elementwise, reduced_axes

_LARGEST = 16
"""A margin of more elements than these may be much of an array."""

Shifts = tuple[int, ...]
"""By how much, along each axis."""


@dataclass(slots=True, eq=False)
class _Group:
    """Rolls of one array in one block, in order."""

    array: Value
    shifts: dict[Operation, Shifts] = field(default_factory=dict)

    def read(self) -> dict[Operation, Shifts]:
        """Those that are read by others than rolls."""
        return {roll: each for roll, each in self.shifts.items() if _is_read(roll, self)}

    @property
    def is_one(self) -> bool:
        """Whether two or more of them are read, and by nothing but loops."""
        return len(set(self.read().values())) > 1 and all(
            user in self.shifts or _makes_loops(user)
            for roll in self.shifts
            for user in roll.result.users
        )


def with_halos(module: Module) -> Module:
    """``module``, or a copy of it if there is something to do."""
    if not any(each.op is roll_op for each in walk(module.main.block)) or not any(_groups(module)):
        return module
    copy = copy_module(module)
    for group in list(_groups(copy)):
        _replace(group)
    return copy


def _groups(module: Module) -> Iterator[_Group]:
    blocks = [module.main.block]
    blocks += [region.block for each in walk(module.main.block) for region in each.regions]
    for block in blocks:
        yield from (group for group in _groups_of(block) if group.is_one)


def _groups_of(block: Block) -> Iterator[_Group]:
    """The rolls of each array between which nothing is written."""
    groups: dict[Value, _Group] = {}
    origins: dict[Value, tuple[Value, Shifts]] = {}
    for operation in block.operations:
        shifts = _shifts_of(operation)
        if shifts is not None:
            array = operation.operands[0]
            array, before = origins.get(array, (array, (0,) * len(shifts)))
            total = tuple(map(sum, zip(before, shifts, strict=True)))
            if max(map(abs, total)) <= _LARGEST:
                origins[operation.result] = array, total
                groups.setdefault(array, _Group(array)).shifts[operation] = total
        elif Effect.WRITES in operation_effects(operation):
            yield from groups.values()
            groups, origins = {}, {}
    yield from groups.values()


def _shifts_of(operation: Operation) -> Shifts | None:
    """By how much a roll moves elements along each axis, if that is known."""
    if operation.op is not roll_op:
        return None
    array, *given = operation.operands
    rank, numbers = len(dims_of(array.type)), [constant_value(each) for each in given]
    axes = operation.attrs.get("axis", 0 if rank == 1 else None)
    if axes is None or any(type(each) is not int for each in numbers):
        return None
    axes = axes if isinstance(axes, tuple) else (axes,)
    if len(numbers) == 1:  # one shift along all of them
        numbers *= len(axes)
    if len(axes) == 1:  # several along one of them
        axes *= len(numbers)
    shifts = [0] * rank
    for axis, number in zip(axes, numbers, strict=True):
        shifts[axis] += number
    return tuple(shifts)


def _makes_loops(user: Operation) -> bool:
    """Whether a loop over elements reads what an operation is given, in an order that doesn't go by
    how it lies: several axes that lie one after the other are summed as one.
    """
    return user.op is broadcast or is_elementwise(user) or len(reduced_axes(user)) == 1


def _is_read(roll: Operation, group: _Group) -> bool:
    return any(user not in group.shifts for user in roll.result.users)


def _replace(group: _Group) -> None:
    read = group.read()
    along = list(zip(*read.values(), strict=True))
    before = tuple(max(0, *each) for each in along)
    after = tuple(max(0, *(-shift for shift in each)) for each in along)
    builder = builder_before(next(iter(group.shifts)))
    halo = builder.emit(halo_op, [group.array], {"before": before, "after": after}).result
    windows = {}
    for shifts in dict.fromkeys(read.values()):
        start = tuple(margin - shift for margin, shift in zip(before, shifts, strict=True))
        windows[shifts] = builder.emit(window_op, [halo, group.array], {"start": start}).result
    for roll in reversed(group.shifts):
        if roll in read:
            rewriter.replace(roll, [windows[read[roll]]])
        else:
            rewriter.erase(roll)
