"""What a peer is, and which there are: each has a module of its own, loaded in its worker alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any


def _unchanged(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class Peer:
    """The workloads as one peer says them.

    Attributes:
        functions: by the names of the workloads; what the peer can't say is missing.
        convert: a NumPy array or scalar as what the functions take.
        wait: a result, when it has been computed; None where calls return with it.
    """

    functions: Mapping[str, Callable[..., Any]]
    convert: Callable[[Any], Any] = _unchanged
    wait: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a peer is found.

    Attributes:
        package: what must be installed.
        module: of this package, whose ``peer(variant)`` makes the Peer.
        variant: which of the module's.
        is_own: it is staticpy itself, or (``np.copyto``) no program but a bound on all of them.
        derives: it makes derivatives. Of who does not, those of a workload are written by hand.
    """

    package: str
    module: str
    variant: str = ""
    is_own: bool = False
    derives: bool = True

    def load(self) -> Peer:
        """Import the module."""
        made: Peer = import_module(f"benchmarks.native.{self.module}").peer(self.variant)
        return made


OWN = "llvm"
"""The peer that the goals are about."""

BOUND = "np.copyto"
"""It moves as many bytes, and computes nothing."""

PEERS = {
    OWN: Entry("llvmlite", "staticpy_programs", "llvm", is_own=True),
    "python_source": Entry("numpy", "staticpy_programs", "python_source", is_own=True),
    BOUND: Entry("numpy", "numpy_programs", "copy", is_own=True),
    "NumPy": Entry("numpy", "numpy_programs", derives=False),
    "Numba": Entry("numba", "numba_programs", derives=False),
    "Numba parallel": Entry("numba", "numba_programs", "parallel", derives=False),
    "JAX": Entry("jax", "jax_programs"),
    "PyTorch": Entry("torch", "torch_programs"),
    "torch.compile": Entry("torch", "torch_programs", "compiled"),
    "TensorFlow": Entry("tensorflow", "tensorflow_programs"),
    "MindSpore": Entry("mindspore", "mindspore_programs"),
}
