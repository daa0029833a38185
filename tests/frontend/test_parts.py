"""The parts of the lowerer are one class: none may hide a private method of another by accident."""

from __future__ import annotations

import inspect

from staticpy.frontend.lower_notes import Noting


def test_no_part_hides_a_private_method_of_another() -> None:
    owners: dict[str, type] = {}
    hidden: list[str] = []
    for part in reversed(Noting.__mro__[:-1]):
        text = inspect.getsource(part)
        for name in vars(part):
            if not name.startswith("_") or name.startswith("__") or not callable(vars(part)[name]):
                continue
            if name in owners and f"super().{name}(" not in text:
                hidden.append(f"{part.__name__}.{name} hides that of {owners[name].__name__}")
            owners[name] = part
    assert len(owners) > 100
    assert hidden == []
