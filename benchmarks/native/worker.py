"""`python -m benchmarks.native.worker PEER WORKLOAD FILE`: one workload in one peer.

It writes what the first call gives to FILE (arrays, in order), says how long that call took, and
then answers as each worker does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.native.peers import PEERS, Peer
from benchmarks.native.workloads import BY_NAME, Call
from benchmarks.workers import serve


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same tuples, with something else in the place of arrays and NumPy's scalars."""
    if isinstance(tree, (tuple, list)):
        return tuple(mapped(function, part) for part in tree)
    return function(tree) if isinstance(tree, (np.ndarray, np.generic)) else tree


def leaves(tree: Any) -> list[np.ndarray]:
    """Copies of the arrays of a result, of any peer, in order."""
    if isinstance(tree, (tuple, list)):
        return [leaf for part in tree for leaf in leaves(part)]
    if tree is None:
        return []
    host = getattr(tree, "asnumpy", None) or getattr(tree, "detach", None)
    return [np.array(host() if host else tree)]


def prepare(peer: Peer, name: str, size: tuple[int, ...]) -> Call:
    """A call of a workload, which waits for its result."""
    workload = BY_NAME[name]
    args = mapped(peer.convert, workload.arguments(*size))
    run, wait = workload.driver(peer.functions[name], args), peer.wait
    return run if wait is None else lambda: wait(run())


def main() -> None:
    """One competitor, as a worker."""
    peer, name, file = sys.argv[1:]
    run = prepare(PEERS[peer].load(), name, BY_NAME[name].size)
    start = perf_counter()
    result = run()
    first = perf_counter() - start
    np.savez(file, *leaves(result))
    serve(run, first)


if __name__ == "__main__":
    main()
