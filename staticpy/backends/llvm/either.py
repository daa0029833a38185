"""Numbers of one type or another by the path that was taken: which one it is, and its register.

In: a number of one type. Out: the same as one of several types, and back. Where the registers
differ the bits of each are kept in 64.
"""

from __future__ import annotations

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.forms import F32, F64, I8, I32, I64, Form, Native


def wrapped(builder: ir.IRBuilder, native: Native, form: Form) -> Native:
    """A number as one of several, whose form is ``form``; one of more is known to be of these."""
    register = form.parts[1]
    if native.form.kind != "either":
        tag = I8(form.members.index(native.form))
        return Native(form, (tag, _encoded(builder, native.value, register)))
    old, payload = native.parts
    tag = I8(0)
    for number, member in enumerate(native.form.members):
        if member in form.members:
            is_it = builder.icmp_unsigned("==", old, I8(number))
            tag = builder.select(is_it, I8(form.members.index(member)), tag)
    moved = _encoded if register == I64 else _decoded
    return Native(form, (tag, moved(builder, payload, register)))


def unwrapped(builder: ir.IRBuilder, native: Native, member: Form) -> Native:
    """One of several as the number that it is."""
    return Native(member, (_decoded(builder, native.parts[1], member.parts[0]),))


def is_one(builder: ir.IRBuilder, native: Native, member: Form) -> ir.Value:
    """Whether one of several is a ``member``."""
    return builder.icmp_unsigned("==", native.value, I8(native.form.members.index(member)))


def _encoded(builder: ir.IRBuilder, value: ir.Value, register: ir.Type) -> ir.Value:
    if value.type == register:
        return value
    if value.type == F64:
        return builder.bitcast(value, I64)
    if value.type == F32:
        value = builder.bitcast(value, I32)
    return builder.zext(value, I64)


def _decoded(builder: ir.IRBuilder, payload: ir.Value, type_: ir.Type) -> ir.Value:
    if payload.type == type_:
        return payload
    if type_ == F64:
        return builder.bitcast(payload, F64)
    if type_ == F32:
        return builder.bitcast(builder.trunc(payload, I32), F32)
    return builder.trunc(payload, type_)
