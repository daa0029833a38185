"""Numbers and vectors of numbers alike: constants, copies, intrinsic functions.

In: an LLVM type, of a number or of a vector. Out: what does the same to each element.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from staticpy.backends.llvm import ir


def lanes(value: ir.Value) -> int:
    """How many numbers there are in a register."""
    return value.type.count if isinstance(value.type, ir.VectorType) else 1


def like(type_: ir.Type, value: ir.Value) -> ir.Type:
    """As many numbers of ``type_`` as there are in a register."""
    is_vector = isinstance(value.type, ir.VectorType)
    return ir.VectorType(type_, value.type.count) if is_vector else type_


def any_of(builder: ir.IRBuilder, truths: ir.Value) -> ir.Value:
    """Whether one of several is true: one bit, to branch on."""
    count = lanes(truths)
    if count == 1:
        return truths
    bits = ir.IntType(count)
    return builder.icmp_unsigned("!=", builder.bitcast(truths, bits), bits(0))


def have_bits(builder: ir.IRBuilder, words: ir.Value, mask: int) -> ir.Value:
    """Whether one of several words has one of the bits of a mask: one bit, to branch on."""
    type_ = words.type
    words = builder.and_(words, constant(type_, mask))
    if isinstance(type_, ir.VectorType):
        name, reduced = f"llvm.vector.reduce.or.{type_suffix(type_)}", type_.element
        reduce = builder.module.declared(name, ir.FunctionType(reduced, [type_]))
        words, type_ = builder.call(reduce, [words]), reduced
    return builder.icmp_unsigned("!=", words, type_(0))


def declare_intrinsic(module: ir.Module, name: str, type_: ir.Type, count: int) -> ir.Function:
    """An intrinsic function of ``count`` arguments of the type of its result."""
    full = f"{name}.{type_suffix(type_)}"
    known: ir.Function | None = module.globals.get(full)
    if known is not None:
        return known
    return ir.Function(module, ir.FunctionType(type_, [type_] * count), full)


def constrained(
    builder: ir.IRBuilder, name: str, type_: ir.Type, operands: Sequence[ir.Value], *how: str
) -> ir.Value:
    """An operation of which LLVM knows that the processor raises flags; the last of ``how`` says
    whether it may leave it out.
    """
    name = f"llvm.experimental.constrained.{name}.{type_suffix(operands[0].type)}"
    *words, flags = how
    texts = [ir.MetaDataString(builder.module, word) for word in (*words, f"fpexcept.{flags}")]
    types = [*(each.type for each in operands), *[ir.MetaDataType()] * len(texts)]
    function = builder.module.declared(name, ir.FunctionType(type_, types))
    return builder.call(function, [*operands, *texts])


def type_suffix(type_: ir.Type) -> str:
    """How the names of intrinsics call a type."""
    if isinstance(type_, ir.VectorType):
        return f"v{type_.count}{type_suffix(type_.element)}"
    if isinstance(type_, ir.IntType):
        return f"i{type_.width}"
    return "f32" if isinstance(type_, ir.FloatType) else "f64"


def constant(type_: ir.Type, number: float) -> ir.Constant:
    """``number`` in every element."""
    if isinstance(type_, ir.VectorType):
        element = type_.element
        return ir.Constant(type_, [ir.Constant(element, _literal(element, number))] * type_.count)
    return ir.Constant(type_, _literal(type_, number))


def _literal(type_: ir.Type, number: float) -> float:
    return float(number) if isinstance(type_, ir.FloatType | ir.DoubleType) else int(number)


def known_number(value: ir.Value | None) -> int | None:
    """The integer that is in every element, if it is known."""
    if not isinstance(value, ir.Constant):
        return None
    numbers = value.constant
    if isinstance(numbers, list):
        known = {each.constant for each in numbers}
        return known.pop() if len(known) == 1 else None
    return numbers if isinstance(numbers, int) else None


def splat(builder: ir.IRBuilder, value: ir.Value, count: int) -> ir.Value:
    """A vector of ``count`` times ``value``, which may be a vector; the value itself for one."""
    if count == 1:
        return value
    if isinstance(value.type, ir.VectorType):
        places = [ir.IntType(32)(n) for n in range(value.type.count)] * count
        mask = ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)
        return builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), mask)
    if isinstance(value, ir.Constant):
        return ir.Constant(ir.VectorType(value.type, count), [value] * count)
    vector = ir.VectorType(value.type, count)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), count), [ir.IntType(32)(0)] * count)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


def masked_load(module: ir.Module, vector: ir.VectorType) -> ir.Function:
    """What loads some elements of a vector: ``f(place, alignment, mask, the others)``."""
    types = [ir.PointerType(), ir.IntType(32), ir.VectorType(ir.IntType(1), vector.count), vector]
    name = f"llvm.masked.load.{type_suffix(vector)}.p0"
    return module.declared(name, ir.FunctionType(vector, types))


def load_each(builder: ir.IRBuilder, item: ir.Type, data: ir.Value, offsets: ir.Value) -> ir.Value:
    """The vector of what lies so many bytes from ``data`` each. Whether there is an instruction for
    it that is worth it, LLVM knows of each processor.
    """
    i64, count = ir.IntType(64), offsets.type.count
    first = splat(builder, builder.ptrtoint(data, i64), count)
    places = builder.inttoptr(builder.add(first, offsets), ir.VectorType(ir.PointerType(), count))
    vector, mask = (ir.VectorType(each, count) for each in (item, ir.IntType(1)))
    name = f"llvm.masked.gather.{type_suffix(vector)}.v{count}p0"
    type_ = ir.FunctionType(vector, [places.type, ir.IntType(32), mask, vector])
    arguments = [places, ir.IntType(32)(1), constant(mask, 1), ir.Constant(vector, ir.Undefined)]
    return builder.call(builder.module.declared(name, type_), arguments)


def masked_store(module: ir.Module, vector: ir.VectorType) -> ir.Function:
    """What stores some elements of a vector: ``f(vector, place, alignment, mask)``."""
    types = [vector, ir.PointerType(), ir.IntType(32), ir.VectorType(ir.IntType(1), vector.count)]
    name = f"llvm.masked.store.{type_suffix(vector)}.p0"
    return module.declared(name, ir.FunctionType(ir.VoidType(), types))


def up_to(builder: ir.IRBuilder, count: ir.Value, width: int) -> ir.Value:
    """The mask of the first ``count`` of so many elements."""
    item = ir.IntType(min(64, 512 // width))
    vector = ir.VectorType(item, width)
    places = ir.Constant(vector, [item(n) for n in range(width)])
    counts = splat(builder, builder.trunc(count, item), width)
    return builder.icmp_unsigned("<", places, counts)


def write_where(builder: ir.IRBuilder, mask: ir.Value, value: ir.Value, place: ir.Value) -> None:
    """Store the elements of which ``mask`` is true: a number, or those of a vector."""
    if isinstance(value.type, ir.VectorType):
        store = masked_store(builder.module, value.type)
        builder.call(store, [value, place, ir.IntType(32)(1), mask])
        return
    with builder.if_then(mask):
        builder.store(value, place, align=1)


def prefetch(builder: ir.IRBuilder, place: ir.Value, *, is_written: bool) -> None:
    """Have a line of memory brought to the nearest cache. It may lie anywhere."""
    i32 = ir.IntType(32)
    type_ = ir.FunctionType(ir.VoidType(), [ir.PointerType(), i32, i32, i32])
    function = builder.module.declared("llvm.prefetch.p0", type_)
    builder.call(function, [place, i32(is_written), i32(3), i32(1)])


def moved(builder: ir.IRBuilder, place: ir.Value, index: ir.Value, stride: ir.Value) -> ir.Value:
    """The address of an element, whose stride is in bytes."""
    return builder.gep(place, [builder.mul(index, stride)], source_etype=ir.IntType(8))


def field(
    builder: ir.IRBuilder, place: ir.Value, frame: ir.LiteralStructType, number: int
) -> ir.Value:
    """The address of a field of a struct."""
    return builder.gep(place, [ir.IntType(32)(0), ir.IntType(32)(number)], source_etype=frame)


def store_fields(
    builder: ir.IRBuilder,
    place: ir.Value,
    frame: ir.LiteralStructType,
    values: Iterable[ir.Value],
) -> None:
    """Let the fields of a struct be these, as many as there are."""
    for number, value in enumerate(values):
        builder.store(value, field(builder, place, frame, number))


def load_fields(
    builder: ir.IRBuilder, place: ir.Value, frame: ir.LiteralStructType
) -> list[ir.Value]:
    """What the fields of a struct are."""
    return [
        builder.load(field(builder, place, frame, number), typ=type_)
        for number, type_ in enumerate(frame.elements)
    ]


def ret_struct(builder: ir.IRBuilder, values: Iterable[ir.Value]) -> None:
    """Leave the function, which gives a struct, with one of these."""
    found: ir.Value = ir.Constant(builder.function.ftype.return_type, ir.Undefined)
    for number, value in enumerate(values):
        found = builder.insert_value(found, value, number)
    builder.ret(found)


def parted(builder: ir.IRBuilder, vector: ir.Value, count: int) -> list[ir.Value]:
    """The elements in turns, as cards are dealt to ``count`` players: vectors, or numbers."""
    if count == 1:
        return [vector]
    i32, total = ir.IntType(32), vector.type.count
    if count == total:
        return [builder.extract_element(vector, i32(n)) for n in range(total)]
    undefined = ir.Constant(vector.type, ir.Undefined)
    turns = [[i32(n) for n in range(start, total, count)] for start in range(count)]
    masks = [ir.Constant(ir.VectorType(i32, len(turn)), turn) for turn in turns]
    return [builder.shuffle_vector(vector, undefined, mask) for mask in masks]


def backwards(builder: ir.IRBuilder, vector: ir.Value) -> ir.Value:
    """The elements in reverse order."""
    i32, count = ir.IntType(32), vector.type.count
    places = [i32(n) for n in reversed(range(count))]
    mask = ir.Constant(ir.VectorType(i32, count), places)
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), mask)


def interleaved(builder: ir.IRBuilder, vectors: Sequence[ir.Value]) -> ir.Value:
    """What ``parted`` takes apart: the first element of each, then the second of each, ..."""
    i32, width, count = ir.IntType(32), vectors[0].type.count, len(vectors)
    joined = list(vectors)
    while len(joined) > 1:
        if len(joined) % 2:
            joined.append(ir.Constant(joined[0].type, ir.Undefined))
        places = [i32(n) for n in range(2 * joined[0].type.count)]
        mask = ir.Constant(ir.VectorType(i32, len(places)), places)
        pairs = zip(joined[::2], joined[1::2], strict=True)
        joined = [builder.shuffle_vector(*pair, mask) for pair in pairs]
    (whole,) = joined
    if count == 1:
        return whole
    order = [i32(n * width + place) for place in range(width) for n in range(count)]
    mask = ir.Constant(ir.VectorType(i32, len(order)), order)
    return builder.shuffle_vector(whole, ir.Constant(whole.type, ir.Undefined), mask)


def all_computed(builder: ir.IRBuilder, value: ir.Value, longest: int = 128) -> ir.Value:
    """The same floats, each of them computed, and nothing before that is done with them: the flags
    of the processor tell of all. AVX-512 leaves out those that a select doesn't take, and LLVM
    makes one sum of two. ``longest`` is the bits of a register for vectors.
    """
    type_ = value.type
    count = lanes(value)
    bits = count * (32 if "f32" in type_suffix(type_) else 64)
    if bits > longest:
        one, other = (all_computed(builder, half, longest) for half in halves(builder, value))
        places = ir.Constant(
            ir.VectorType(ir.IntType(32), count), [ir.IntType(32)(n) for n in range(count)]
        )
        return builder.shuffle_vector(one, other, places)
    is_pair = count == 2 and bits == 64  # for which there is no register
    given = builder.bitcast(value, ir.DoubleType()) if is_pair else value
    same = ir.FunctionType(given.type, [given.type])
    found = builder.asm(same, "", "=v,0" if longest == 512 else "=x,0", [given])
    return builder.bitcast(found, type_) if is_pair else found


def first(builder: ir.IRBuilder, vector: ir.Value, count: int) -> ir.Value:
    """The first ``count`` elements of a vector; of one, the number."""
    i32 = ir.IntType(32)
    if count == 1:
        return builder.extract_element(vector, i32(0))
    if count == vector.type.count:
        return vector
    places = ir.Constant(ir.VectorType(i32, count), [i32(n) for n in range(count)])
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), places)


def halves(builder: ir.IRBuilder, vector: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The first half of a vector and the second; of two elements, numbers."""
    count = vector.type.count // 2
    i32 = ir.IntType(32)
    if count == 1:
        first, second = (builder.extract_element(vector, i32(n)) for n in range(2))
        return first, second
    first, second = (
        builder.shuffle_vector(
            vector,
            ir.Constant(vector.type, ir.Undefined),
            ir.Constant(ir.VectorType(i32, count), [i32(n) for n in range(start, start + count)]),
        )
        for start in (0, count)
    )
    return first, second
