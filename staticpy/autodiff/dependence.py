"""What of a region depends on the example: what ``vmap`` has to compute for each of them."""

from __future__ import annotations

from collections.abc import Iterable

from staticpy.autodiff.activity import writes
from staticpy.ir import Block, Operation, Value, is_mutable_memory, walk
from staticpy.ops import through_regions

_CONTROL = ("if", "while", "for")


class Dependence:
    """The values of a block, and of the regions in it, that may differ between examples.

    What is read of memory that the block writes to is among them, whatever is written.
    """

    def __init__(self, block: Block, sources: Iterable[Value]) -> None:
        self.dependent: set[Value] = set(sources)
        self._operations = list(walk(block))
        self._writes = any(map(writes, self._operations))
        before = -1
        while before != len(self.dependent):  # what loops carry takes a further time
            before = len(self.dependent)
            for operation in self._operations:
                self._through(operation)

    def _through(self, operation: Operation) -> None:
        if self._is_apart(operation):
            self.dependent.update(operation.results)
        if not operation.regions:
            return
        if operation.name in _CONTROL:
            for source, target in through_regions(operation):
                if source in self.dependent:
                    self.dependent.add(target)
        if operation.name not in _CONTROL or self._is_decided_by_example(operation):
            self.dependent.update(operation.results)
            for region in operation.regions:
                self.dependent.update(region.block.args)
                for inner in walk(region.block):
                    self.dependent.update(inner.results)

    def _is_apart(self, operation: Operation) -> bool:
        """Whether each example has results of its own of an operation without regions."""
        if operation.regions:
            return False
        if any(operand in self.dependent for operand in operation.operands) or writes(operation):
            return True
        return self._writes and any(is_mutable_memory(x.type) for x in operation.operands)

    def _is_decided_by_example(self, operation: Operation) -> bool:
        """Whether the example says which way control goes: then it is one for each of them."""
        if operation.name == "if":
            deciding = operation.operands[:1]
        elif operation.name == "for":
            deciding = operation.operands[:3]
            if operation.attrs["breaks"]:
                deciding = [*deciding, operation.regions[0].block.terminator.operands[0]]
        else:
            deciding = operation.regions[0].block.terminator.operands[:1]
        return any(value in self.dependent for value in deciding)


def undefined_in(block: Block) -> set[Value]:
    """The values of a block, and of the regions in it, that have no value on some paths."""
    operations = list(walk(block))
    found: set[Value] = {each.result for each in operations if each.name == "undef"}
    before = -1
    while before != len(found):
        before = len(found)
        for operation in operations:
            if operation.name in _CONTROL:
                pairs = through_regions(operation)
                found.update(target for source, target in pairs if source in found)
    return found
