"""What a cluster costs, for people to read.

In: a Cluster. Out: a Kernel: which operations were fused, where they stand in the source, and
for each element of the domain how many bytes move and how many operations on floats are done.
"""

from __future__ import annotations

from dataclasses import dataclass

from staticpy.ir import Dim, Operation, TensorType, Value
from staticpy.passes.cluster import Cluster
from staticpy.passes.loop_kinds import is_gather, is_reduction, stretches
from staticpy.passes.places import is_there
from staticpy.source import SourceSpan


@dataclass(frozen=True, slots=True)
class Kernel:
    """Loops that do several operations in one pass over memory.

    Attributes:
        name: of the function in the native code.
        domain: the sizes of the loops: numbers and symbols.
        operations: the names of the ops, in order; a write to an array that is there comes last.
        spans: where they stand, in order, each once.
        bytes_read: for each element of the domain; what is read once for a row doesn't count.
        bytes_written: for each element of the domain.
        flops: operations on floats for each element; a function such as ``exp`` counts as one.
    """

    name: str
    domain: tuple[Dim, ...]
    operations: tuple[str, ...]
    spans: tuple[SourceSpan, ...]
    bytes_read: int
    bytes_written: int
    flops: int

    def __str__(self) -> str:
        over = ", ".join(map(str, self.domain))
        names = " ".join(self.operations)
        return (
            f"{self.name} over [{over}]: {names}; of each element {self.bytes_read} bytes read, "
            f"{self.bytes_written} written, {self.flops} flops"
        )


def kernel_of(cluster: Cluster, name: str, product: Operation | None = None) -> Kernel:
    """The description of ``cluster``, whose function is called ``name``, and of the product that is
    its head, of which no flops are counted.
    """
    head = [] if product is None else [product]
    members = [each for each in cluster.operations if not stretches(each)]
    wholes = [each for each in members if each not in cluster.rows or is_reduction(each)]
    written = [value for value in cluster.outputs if cluster.is_whole(value)]
    read = [*cluster.inputs, *(each.operands[0] for each in cluster.gathers)]
    sinks = [sink for sink in cluster.sinks if not is_there(sink)]
    written += dict.fromkeys(cluster.written(sink.operands[0]) for sink in sinks)
    in_place = [each for each in sinks if each.op.name != "store"]  # ``x += y`` reads x
    targets = dict.fromkeys(cluster.written(sink.operands[0]) for sink in in_place)
    read += [each for each in targets if each not in read]
    return Kernel(
        name=name,
        domain=cluster.domain,
        operations=tuple(each.op.name for each in (*head, *members)),
        spans=tuple(dict.fromkeys(each.span for each in (*head, *members))),
        bytes_read=sum(_bytes(cluster, value) for value in read),
        bytes_written=sum(_bytes(cluster, value) for value in written),
        flops=sum(any(map(_is_float, each.operands)) for each in wholes if not is_gather(each)),
    )


def _bytes(cluster: Cluster, value: Value) -> int:
    """The bytes of an array that has an element for each one of the row."""
    if not isinstance(value.type, TensorType) or cluster.is_constant_along_row(value):
        return 0
    return value.type.dtype.itemsize


def _is_float(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.dtype.kind in "fc"
