"""Which operations that write elements can be members of a cluster, and what may follow them.

    m[...] = 0.9 * m + 0.1 * g       one walk: multiply multiply add store multiply subtract store
    p[...] = p - 0.1 * m

In: a sink, or what comes after one, and the open Cluster. Out: whether it joins. The last member
may write elements of the cluster to any array. Others can follow a sink if all that is read and
written of its array is, as far as can be seen here, the very elements that it writes (``places``):
then each element is read and written in the order of the program, whatever the order of elements.
"""

from __future__ import annotations

from collections.abc import Iterable

from staticpy.ir import (
    UNKNOWN,
    Dim,
    Operation,
    PythonType,
    TensorType,
    Value,
    dims_of,
    is_mutable_memory,
)
from staticpy.passes.cluster import Cluster
from staticpy.passes.loop_kinds import (
    is_accumulation,
    is_gather,
    is_reduction,
    is_sink,
    read_in_place,
    target_dims,
)
from staticpy.passes.places import place_of, target_of


def takes(sink: Operation, cluster: Cluster) -> bool:
    """Whether ``sink`` can be a member, and be it the last."""
    if is_one_more(sink, cluster):
        return True
    made = list(filter(cluster.makes, sink.operands))
    fits = _may_be_equal(cluster.domain, target_dims(sink))
    return bool(made) and fits and not cluster.sinks and _are_whole(made, sink, cluster)


def is_one_more(sink: Operation, cluster: Cluster | None) -> bool:
    """Whether others can follow ``sink`` as a member, or as the first one."""
    domain = target_dims(sink)
    if domain[-1:] in ((), (1,)):
        return False
    if cluster is None:
        cluster = Cluster(domain)
    if cluster.rows or cluster.accumulations or cluster.gathers:
        return False
    if not _is_of_domain(sink, cluster):
        return False
    if not _are_whole(filter(cluster.makes, sink.operands), sink, cluster):
        return False
    place = target_of(sink)
    read = [*cluster.places, *(place_of(value) for value in read_in_place(sink))]
    return all(map(place.is_apart_from, read)) and _has_one_dtype(sink, cluster)


def can_follow(operation: Operation, cluster: Cluster) -> bool:
    """Whether an operation that writes nothing may come after the sinks of its cluster."""
    if is_reduction(operation) or is_accumulation(operation) or is_gather(operation):
        return False
    if UNKNOWN in cluster.domain and not _has_to_do(operation, cluster):
        return False
    read = [value for value in operation.operands if not cluster.makes(value)]
    places = [place_of(value) for value in read if is_mutable_memory(value.type)]
    return all(target.is_apart_from(each) for target in cluster.targets for each in places)


def _is_of_domain(sink: Operation, cluster: Cluster) -> bool:
    """Whether a sink writes to all places of the domain. Where only the run knows the sizes, it is
    taken to do so if it has to do with what the members compute, read or write.
    """
    dims = target_dims(sink)
    if not cluster.operations or (dims == cluster.domain and UNKNOWN not in dims):
        return True
    if any(map(cluster.makes, sink.operands)):
        return _may_be_equal(dims, cluster.domain)
    return dims == cluster.domain and _has_to_do(sink, cluster)


def _has_to_do(operation: Operation, cluster: Cluster) -> bool:
    """Whether an operation reads or writes what the members compute, read or write."""
    if any(map(cluster.makes, operation.operands)):
        return True
    own = [place_of(value) for value in operation.operands if is_mutable_memory(value.type)]
    if is_sink(operation):
        own.append(target_of(operation))
    return any(one.is_same_as(other) for one in own for other in cluster.places)


def _are_whole(made: Iterable[Value], sink: Operation, cluster: Cluster) -> bool:
    """Whether a sink takes from the members an element at each place, and nothing else: what they
    make has no memory yet to be written to.
    """
    return not cluster.makes(sink.operands[0]) and all(
        value in read_in_place(sink)
        and dims_of(value.type) == cluster.domain
        and cluster.is_whole(value)
        for value in made
    )


def _has_one_dtype(sink: Operation, cluster: Cluster) -> bool:
    """Whether one of Python's numbers that is written has the dtype in which others write it."""
    value = sink.operands[1]
    others = [each for each in cluster.sinks if each.operands[1] is value]
    targets = [each.operands[0].type for each in (sink, *others)]
    dtypes = {type_.dtype for type_ in targets if isinstance(type_, TensorType)}
    return not isinstance(value.type, PythonType) or len(dtypes) == 1


def _may_be_equal(left: tuple[Dim, ...], right: tuple[Dim, ...]) -> bool:
    """Whether two shapes are of one rank, and no two sizes are known to differ."""
    if len(left) != len(right):
        return False
    pairs = zip(left, right, strict=True)
    return all(a == b or not (isinstance(a, int) and isinstance(b, int)) for a, b in pairs)
