"""Every kind of diagnostic, one constant each: ``catalog.BRANCH_TYPE_MISMATCH``.

One module or two for a hundred codes, in code order, nothing but definitions. To add one, write it
in its module: the constant is the slug in capitals, and everything else (the compiler's errors,
``check``, ``explain``, the reference pages, the tests) reads that definition.
"""

from __future__ import annotations

from staticpy.diagnostics.catalog.aliases import *  # noqa: F403
from staticpy.diagnostics.catalog.arrays import *  # noqa: F403
from staticpy.diagnostics.catalog.control_flow import *  # noqa: F403
from staticpy.diagnostics.catalog.derivatives import *  # noqa: F403
from staticpy.diagnostics.catalog.exceptions import *  # noqa: F403
from staticpy.diagnostics.catalog.expressions import *  # noqa: F403
from staticpy.diagnostics.catalog.files import *  # noqa: F403
from staticpy.diagnostics.catalog.internal import *  # noqa: F403
from staticpy.diagnostics.catalog.names import *  # noqa: F403
from staticpy.diagnostics.catalog.performance import *  # noqa: F403
from staticpy.diagnostics.catalog.sizes import *  # noqa: F403
from staticpy.diagnostics.catalog.statements import *  # noqa: F403
from staticpy.diagnostics.catalog.structure import *  # noqa: F403
from staticpy.diagnostics.catalog.suppressions import *  # noqa: F403
from staticpy.diagnostics.catalog.tensors import *  # noqa: F403
from staticpy.diagnostics.catalog.types import *  # noqa: F403
from staticpy.diagnostics.spec import DiagnosticSpec

ALL: tuple[DiagnosticSpec, ...] = tuple(
    sorted(
        (value for value in list(globals().values()) if isinstance(value, DiagnosticSpec)),
        key=lambda spec: spec.code,
    )
)
"""Every kind, in code order."""

_BY_CODE = {spec.code: spec for spec in ALL}
_BY_SLUG = {spec.slug: spec for spec in ALL}


def by_code(code: str) -> DiagnosticSpec:
    """The kind with this code (``"SPY402"``). Raises KeyError."""
    return _BY_CODE[code]


def find(name: str) -> DiagnosticSpec | None:
    """The kind with this code or slug, in any case; None if there is none."""
    return _BY_CODE.get(name.upper()) or _BY_SLUG.get(name.lower())
