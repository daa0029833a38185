"""Products of matrices that are computed together with what is done to their elements.

    %1 = matmul %a, %w : f32[m, n]      head of      cluster over [m, n]
    %2 = add %1, %b                                    element   %2 = add %1, %b
    %3 = maximum %2, %zero                             element   %3 = maximum %2, %zero

In: a Block, its Clusters, and what is a product. Out: for some clusters the product that is their
head: it may be computed when they are, since nobody else reads it and nothing in between can be
told from it, and part by part, since each of its elements is read at its own place, unless the
run finds that one of its axes is stretched. No cluster that reduces other axes than the last, or
gathers elements, has one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from staticpy.ir import UNKNOWN, Block, Operation, dims_of
from staticpy.ops import Effect
from staticpy.passes.cluster import Cluster
from staticpy.passes.effects import effects_by_op


def heads(
    block: Block, clusters: Sequence[Cluster], is_product: Callable[[Operation], bool]
) -> dict[Cluster, Operation]:
    """The products, each by its cluster."""
    places = {operation: place for place, operation in enumerate(block.operations)}
    found: dict[Cluster, Operation] = {}
    for cluster in clusters:
        assert cluster.before is not None
        end = places[cluster.before]
        for value in cluster.inputs:
            made = value.defining_op
            if made is None or made not in places or not is_product(made):
                continue
            between = block.operations[places[made] + 1 : end]
            if _is_read_in_place(made, cluster) and all(
                each in cluster or _is_silent(each) for each in between
            ):
                found[cluster] = made
    return found


def _is_read_in_place(product: Operation, cluster: Cluster) -> bool:
    """Whether the elements of a product are those of the domain, as far as sizes are known, and
    read by members alone.
    """
    dims, members = dims_of(product.result.type), cluster.operations
    if len(dims) < 2 or len(dims) != len(cluster.domain):
        return False
    pairs = zip(dims, cluster.domain, strict=True)
    if not all(own == whole or UNKNOWN in (own, whole) for own, whole in pairs):
        return False
    if cluster.accumulations or cluster.gathers or (cluster.rows and cluster.row_axes > 1):
        return False
    if all(each.op.name == "store" for each in cluster.operations):
        return False  # copies
    return all(user in members for user in product.result.users)


def _is_silent(operation: Operation) -> bool:
    """Whether an operation can come before a product that stands before it."""
    effects = effects_by_op(operation)
    return not operation.regions and not effects & (Effect.WRITES | Effect.RAISES)
