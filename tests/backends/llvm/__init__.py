"""The native backend."""

import pytest

pytest.importorskip("llvmlite", reason="the extra 'native' is not installed")
