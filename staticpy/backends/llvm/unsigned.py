"""Python's ints from 0 to 2**64 - 1, as 64 bits without a sign: hashes and random numbers.

    x = seed                             %x = object.cast %seed : unsigned int
    for _ in range(n):                   for ...:
        x ^= (x << 13) & (2**64 - 1)         %1 = py.and %0, 18446744073709551615 : unsigned int
        x ^= x >> 7                          %2 = py.xor %x, %1 : unsigned int
        total += x & 255                     %3 = py.and %2, 255 : int

In: a module. Out: it, or a copy in which an int that is cut to 64 bits, by a mask or ``% 2**64``,
is of a type of its own, and so are what bits are combined of it and what control flow hands on of
it. An int that becomes one, and one that an operation reads as an int with a sign, is a cast: it
leaves the function where that doesn't hold the number (OVERFLOWED). Where that could be after
something that others see, so that the call can't be done again, nothing is changed: a known number
of all of 64 bits leaves the function at its begin. The values of the program are the same ints; so
the kernels of all operations take them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from staticpy.backends.llvm.forms import UNSIGNED
from staticpy.backends.llvm.low_bits import has_low_bits_read
from staticpy.backends.llvm.signs import Signs
from staticpy.backends.llvm.visible import visible_operations
from staticpy.ir import (
    BOOL,
    FLOAT,
    INT,
    Block,
    Function,
    Module,
    Operation,
    ScalarType,
    TensorType,
    Type,
    Value,
    builder_before,
    copy_module,
    rewriter,
    with_inner,
)
from staticpy.ops import (
    REGISTRY,
    constant,
    constant_value,
    for_,
    if_,
    is_undef,
    return_,
    undef,
    while_,
)
from staticpy.passes import Slot, slots_of

_SIZE = 1 << 64
_CAST = REGISTRY["object.cast"]
_UINT64 = ScalarType(np.dtype(np.uint64))
_COMPARISONS = ("py.lt", "py.le", "py.gt", "py.ge", "py.eq", "py.ne")
_COMPARING = (*_COMPARISONS, "py.truediv")
"""What takes two such ints as they are, but for known ones."""
_BITS = ("py.and", "py.or", "py.xor")
_ARITHMETIC = ("py.add", "py.sub", "py.mul", "py.truediv")
_WRAPPING = (*_BITS, *_ARITHMETIC[:3], "py.neg", "py.invert", "py.lshift")
_TAKING = ("py.float", "py.bool", "py.not", "truth", "tuple.make")
"""What takes such ints whatever comes of it."""


def with_unsigned_ints(module: Module) -> Module:
    """``module``, or a copy of it in which ints of its entry that are cut to 64 bits have a type of
    their own.
    """
    if not any(map(_is_cut, _operations(module.main.block))):
        return module
    copy = copy_module(module)
    _Unsigned(copy.main).rewrite()
    return module if _may_fail_late(copy) else copy


def _may_fail_late(module: Module) -> bool:
    """Whether a cast may not hold the number when something has been done that others see."""
    visible = visible_operations(module)
    if not visible:
        return False
    signs = Signs(module.main)
    is_seen = False
    for operation in module.main.block.operations:
        inside = list(with_inner([operation]))
        is_seen = is_seen or any(each in visible for each in inside)
        if is_seen and any(_may_fail(each, signs) for each in inside):
            return True
    return False


def _may_fail(operation: Operation, signs: Signs) -> bool:
    if operation.op is not _CAST or operation.result.type not in (INT, UNSIGNED):
        return False
    (value,) = operation.operands
    return value.type == UNSIGNED or not signs.is_not_negative(value, operation)


def _operations(block: Block) -> Iterator[Operation]:
    """Those that native code does: what is in a ``try`` is left to the host."""
    for operation in block.operations:
        yield operation
        if operation.op in (if_, for_, while_):
            for region in operation.regions:
                yield from _operations(region.block)


def _is_cut(operation: Operation) -> bool:
    """Whether a result is from 0 to a number of 64 bits, whatever the operands are."""
    if operation.op.name == "py.int":
        return operation.operands[0].type == _UINT64
    if operation.op.name not in ("py.and", "py.mod") or operation.result.type != INT:
        return False
    if any(each.type not in (INT, BOOL) for each in operation.operands):
        return False
    if operation.op.name == "py.mod":
        return constant_value(operation.operands[1]) == _SIZE
    return any(_is_large(each) for each in operation.operands)


def _is_large(value: Value) -> bool:
    """Whether a value is a known int that needs all of 64 bits."""
    number = constant_value(value)
    return isinstance(number, int) and _SIZE // 2 <= number < _SIZE


class _Unsigned:
    """The ints of a function that are to have no sign."""

    def __init__(self, function: Function) -> None:
        self._every = list(_operations(function.block))
        self._slots: dict[tuple[Operation, int], list[Slot]] = defaultdict(list)
        self._of_member: dict[Value, Slot] = {}
        for operation in self._every:
            for slot in slots_of(operation) if operation.op in (if_, for_, while_) else ():
                for source in slot.sources:
                    self._slots[source.operation, source.position].append(slot)
                self._of_member |= dict.fromkeys(slot.members, slot)
        self._found: list[Value] = []

    def rewrite(self) -> None:
        """Give them their type, and cast what comes and goes."""
        self._find()
        for operation in self._every:
            if operation.op.name in _COMPARING or _reads_low_bits(operation):
                _shorten(operation)
        for value in self._found:
            self._cast_sources(value)
        for user, place in [use for value in self._found for use in value.uses]:
            if _is_of_same(user, place):
                _convert(user, place)
            elif not self._takes(user, place):
                rewriter.set_operand(user, place, _cast(user.operands[place], INT, user))

    def _find(self) -> None:
        for place, operation in enumerate(self._every):
            if _is_cut(operation):
                self._every[place] = _masked(operation)
                self._add(self._every[place].result)
        for operation in self._every:
            if _is_combined(operation) and any(map(_is_large, operation.operands)):
                self._add(operation.result)
        for value in self._found:  # which grows
            for use in value.uses:
                for made in self._made_of(*use):
                    self._add(made)

    def _add(self, value: Value) -> None:
        if value.type == INT:
            value.type = UNSIGNED
            self._found.append(value)

    def _made_of(self, user: Operation, place: int) -> Iterator[Value]:
        """What has no sign if an operand hasn't."""
        for slot in self._slots.get((user, place), ()):
            if _is_fit(slot):
                yield from slot.members
        if user.op.name == "py.rshift" and place == 0 and _may_be_zero(user.operands[1]):
            yield user.result
        if _is_combined(user):
            others = (constant_value(each) for each in user.operands)
            is_short = any(isinstance(each, int) and 0 <= each < _SIZE // 2 for each in others)
            if user.op.name != "py.and" or not is_short:
                yield user.result

    def _cast_sources(self, value: Value) -> None:
        """Let all that such an int comes from be one."""
        slot, made = self._of_member.get(value), value.defining_op
        if slot is not None:
            for source in slot.sources:
                _cast_operand(source.operation, source.position)
        elif made is not None and made.op.name in ("py.or", "py.xor"):
            for place in range(len(made.operands)):
                _cast_operand(made, place)

    def _takes(self, user: Operation, place: int) -> bool:
        """Whether an operation reads an int without a sign as it is."""
        if any(each.members[0].type == UNSIGNED for each in self._slots.get((user, place), ())):
            return True
        name = user.op.name
        if name in _TAKING or user.op is return_ or (name in _BITS and _has_no_sign(user)):
            return True
        if name == "py.and" or _reads_low_bits(user):
            return True
        if name in _ARITHMETIC and user.result.type == FLOAT:
            _divide_by_float(user)
            return True
        if name in _COMPARISONS:
            return _is_of_ints(user)
        if name not in ("py.rshift", "py.floordiv", "py.mod") or place != 0:
            return False
        other = user.operands[1]
        number = constant_value(other)
        least = 2 if name == "py.floordiv" else 1
        return other.type == INT and (not isinstance(number, int) or least <= number < _SIZE // 2)


def _has_no_sign(operation: Operation) -> bool:
    return operation.result.type == UNSIGNED


def _reads_low_bits(operation: Operation) -> bool:
    name = operation.op.name
    return name in _WRAPPING and (operation.result.type == UNSIGNED or has_low_bits_read(operation))


def _is_of_ints(operation: Operation) -> bool:
    return all(each.type in (INT, BOOL, UNSIGNED) for each in operation.operands)


def _is_combined(operation: Operation) -> bool:
    """Whether a result has the bits of ints, which may be all without a sign, and is read whole."""
    name = operation.op.name
    is_of_bits = name == "py.and" or (name in _BITS and _may_have_no_sign(operation.operands))
    return is_of_bits and _is_of_ints(operation) and not has_low_bits_read(operation)


def _may_have_no_sign(values: Iterable[Value]) -> bool:
    known = (constant_value(each) for each in values)
    return all(0 <= number < _SIZE for number in known if isinstance(number, int))


def _may_be_zero(distance: Value) -> bool:
    return distance.type == INT and constant_value(distance) is None


def _is_fit(slot: Slot) -> bool:
    """Whether control flow hands on nothing but ints, of which none is known to be below 0."""
    is_of_ints = all(each.type in (INT, UNSIGNED) for each in slot.members)
    return is_of_ints and _may_have_no_sign(source.value for source in slot.sources)


def _masked(cut: Operation) -> Operation:
    """A cut; a remainder as what a mask leaves."""
    if cut.op.name != "py.mod":
        return cut
    value, divisor = cut.operands
    mask = _known(_SIZE - 1, cut)
    made = builder_before(cut).emit(REGISTRY["py.and"], [value, mask])
    rewriter.replace(cut, [made.result])
    _drop(divisor)
    return made


def _shorten(operation: Operation) -> None:
    """Let known operands that 64 bits with a sign don't hold be the low bits of them, which for a
    comparison must be all that they have.
    """
    for place, operand in enumerate(operation.operands):
        number = constant_value(operand)
        if not isinstance(number, int) or -_SIZE <= 2 * number < _SIZE or operand.type != INT:
            continue
        if operation.op.name in _WRAPPING or 0 <= number < _SIZE:
            _set_operand(operation, place, _constant(number % _SIZE, operation))


def _is_of_same(user: Operation, place: int) -> bool:
    """Whether an operation writes an int to an array whose elements have no sign."""
    array = user.operands[0].type
    is_array = isinstance(array, TensorType) and array.dtype == _UINT64.dtype
    return user.op.name == "store" and place == 1 and is_array


def _convert(user: Operation, place: int) -> None:
    """Let what is written be a number of NumPy's: of an int without a sign it is the same."""
    made = builder_before(user).emit(
        REGISTRY["from_python"], [user.operands[place]], {"dtype": _UINT64.dtype}
    )
    rewriter.set_operand(user, place, made.result)


def _divide_by_float(operation: Operation) -> None:
    """A quotient by a power of two is exact but for the rounding of what is divided."""
    number = constant_value(operation.operands[1])
    if operation.op.name != "py.truediv" or not isinstance(number, int):
        return
    if 0 < number < 1 << 1000 and number & (number - 1) == 0:
        _set_operand(operation, 1, _known(float(number), operation))


def _known(number: float, before: Operation) -> Value:
    return builder_before(before).emit(constant, [], {"value": number}).result


def _constant(number: int, before: Operation) -> Value:
    made = _known(number, before)
    made.type = UNSIGNED
    return made


def _cast_operand(operation: Operation, place: int) -> None:
    value = operation.operands[place]
    if value.type == UNSIGNED:
        return
    number = constant_value(value)
    if is_undef(value):
        value = builder_before(operation).emit(undef, [], {"type": UNSIGNED}).result
    elif isinstance(number, int) and number >= 0:
        value = _constant(int(number), operation)
    else:
        value = _cast(value, UNSIGNED, operation)
    _set_operand(operation, place, value)


def _set_operand(operation: Operation, place: int, value: Value) -> None:
    """Replace an operand, of which nothing is left if it is a known number, maybe too large, that
    nobody reads any more.
    """
    old = operation.operands[place]
    rewriter.set_operand(operation, place, value)
    _drop(old)


def _drop(value: Value) -> None:
    """Let go of a known number that nobody reads."""
    made = value.defining_op
    if made is not None and made.op is constant and not value.uses:
        rewriter.erase(made)


def _cast(value: Value, type_: Type, before: Operation) -> Value:
    return builder_before(before).emit(_CAST, [value], {"type": type_}).result
