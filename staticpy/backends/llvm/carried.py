"""Values that change: what branches give, and what one round of a loop gives to the next.

In: a type. Out: variables for its parts, of which LLVM makes registers, and a slot for what holds
a reference.
"""

from __future__ import annotations

from staticpy.backends.llvm.context import Context
from staticpy.backends.llvm.forms import Form, Native, form_of, holds_reference
from staticpy.ir import Type


class Carried:
    """A value that changes: variables for its parts, and a slot for its reference."""

    def __init__(self, cx: Context, type_: Type) -> None:
        self._cx = cx
        self.type = type_
        self.form: Form = form_of(type_)
        self._variables = [cx.variable(part) for part in self.form.parts]
        self._slot = cx.new_slot() if holds_reference(self.form) else None

    def prepared(self, native: Native) -> Native:
        """``native`` in the form of the variables, with a reference of its own."""
        return self._cx.convert(native, self.type)

    def set(self, prepared: Native) -> None:
        """Store what ``prepared`` gave."""
        if self._slot is not None:
            self._cx.keep(prepared.value, self._slot)
        for part, variable in zip(prepared.parts, self._variables, strict=True):
            self._cx.builder.store(part, variable)

    def get(self) -> Native:
        """The value as it is now; its reference is kept by the slot until the variable changes."""
        builder = self._cx.builder
        pairs = zip(self.form.parts, self._variables, strict=True)
        parts = tuple(builder.load(place, typ=part) for part, place in pairs)
        return Native(self.form, parts, slot=self._slot)
