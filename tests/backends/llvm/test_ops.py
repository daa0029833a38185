"""Every op, on its own samples: what native code computes is what the kernel computes."""

from __future__ import annotations

import pytest

from tests.backends.test_ops import SAMPLED, check_samples

pytest.importorskip("llvmlite", reason="the backend llvm needs llvmlite")
pytestmark = pytest.mark.usefixtures("numpys_functions")


@pytest.mark.parametrize("symbolic", [False, True])
@pytest.mark.parametrize("name", SAMPLED)
def test_same_as_the_kernel(name: str, symbolic: bool) -> None:
    check_samples(name, "llvm", symbolic=symbolic)
