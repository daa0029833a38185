"""The names of the package, each of which loads what it needs."""

from __future__ import annotations

import subprocess
import sys

import staticpy


def test_every_name_can_be_the_first() -> None:
    code = "from staticpy import {0}; import staticpy; assert staticpy.{0} is {0}"
    for name in ("checkpoint_policies", "nn", "check_source", "f64", "ones_like", "grad"):
        subprocess.run([sys.executable, "-c", code.format(name)], check=True)
    assert set(dir(staticpy)) >= set(staticpy.__all__)
