"""Writes to Tensors in place, of which all Tensors that share the memory know.

In: ``t[key] = item`` and ``t += item``. Out: the memory as NumPy leaves it, and a new record for
each Tensor that shows it. There, a write is a choice between old elements and new ones:

    t[1:] = v        t = concatenate([ravel(t), ravel(v)])[0, 3, 4]

What was recorded before still means the old elements: the version of the memory says that they are
gone, and the way back is refused if it reads them.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from staticpy import ops
from staticpy.autodiff.tensors.memory import Memory, owner_of
from staticpy.autodiff.tensors.tape import OPEN_WATCHES, is_grad_enabled, is_recording
from staticpy.autodiff.tensors.users_line import refused, users_line
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.ops import FUNCTIONS, Traced

_BY_PARTS = "a Tensor, by .real, .imag or .view() or beside these,"


def store(tensor: Any, key: Any, item: Any) -> None:
    """``tensor[key] = item``.

    Raises:
        RuntimeError: a leaf that requires grad shares this memory.
        TypeError: a number is no array; the memory belongs to the program; the derivative of the
            write isn't known.
    """
    _store(tensor, key, item, lambda array: array)


def store_flat(tensor: Any, key: Any, item: Any) -> None:
    """``tensor.flat[key] = item``, which begins again with the items where there are too few.

    Raises:
        RuntimeError, TypeError: as ``store``.
    """
    np.empty_like(tensor.content).flat[key] = content_of(item)  # which raises what NumPy raises
    if np.size(content_of(item)):  # of no items nothing is written
        places = np.arange(np.size(tensor.content))[key]
        given = np.resize(item, places.shape) if places.ndim else item
        _store(tensor, key, given, lambda array: array.flat)


def _store(tensor: Any, key: Any, item: Any, items: Callable[[np.ndarray], Any]) -> None:
    """Store under ``key`` of the ``items`` of an array."""
    memory, is_recorded = writable(tensor, [item])
    if memory is None:
        raise TypeError(f"a {type(tensor.content).__name__} is no array, and has no items to set")

    def change(array: np.ndarray, value: Any) -> None:
        items(array)[key] = value

    def record(after: np.ndarray) -> None:
        part = np.asarray(items(offsets(tensor.content))[key])
        write(tensor, memory, part, item, after)

    change_memory(tensor, [item], change, record if is_recorded else None, reads=False)


def change_memory(
    tensor: Any,
    items: Sequence[Any],
    change: Callable[..., object],
    record: Callable[[np.ndarray], None] | None,
    *,
    reads: bool,
) -> None:
    """Change the memory of a Tensor by items, and ``record`` that, given what the Tensor then
    holds. What NumPy raises when it has written the numbers is raised when that is recorded.
    """
    content, given = tensor.content, list(map(content_of, items))
    if record is None:
        try:
            change(content, *given)
        finally:
            tensor.memory.write()
        return
    after, raised = content.copy(), None
    try:
        change(after, *given)
    except Exception:
        raised, is_written = _found_out(change, [content, *given], reads=reads)
        if raised is None or not is_written:
            raise
    with warnings.catch_warnings(), np.errstate(all="ignore"):  # which have been seen
        warnings.simplefilter("ignore")
        record(after)
    tensor.memory.write()
    if raised is not None:
        raise raised


def _found_out(
    change: Callable[..., object], operands: list[Any], *, reads: bool
) -> tuple[Exception | None, bool]:
    try:
        return ops.find_out(change, operands, reads=reads)
    except DiagnosticError as error:  # which becomes the error of the outermost function
        error.span = error.span or users_line()
        raise


def augment(tensor: Any, name: str, plain: Callable[[Any, Any], Any], item: Any) -> None:
    """``tensor += item`` and its like, ``plain`` being the operator without the ``=``.

    Raises:
        RuntimeError, TypeError: as ``store``.
    """
    memory, is_recorded = writable(tensor, [item])
    assert memory is not None

    def record(after: np.ndarray) -> None:
        made = plain(before(tensor, memory), before(item, memory))
        write(tensor, memory, offsets(tensor.content), made, after)

    in_place = getattr(operator, f"i{name}")
    change_memory(tensor, [item], in_place, record if is_recorded else None, reads=True)


def require_writable(tensor: Any) -> None:
    """Refuse that compiled code writes to the memory of a Tensor, which is not recorded.

    Raises:
        RuntimeError: a leaf that requires grad shares this memory.
        TensorError: derivatives flow through it.
    """
    _, is_recorded = writable(tensor, [])
    if is_recorded:
        raise refused(catalog.CHANGED_ON_TAPE, what="a Tensor that derivatives flow through")


def before(item: Any, memory: Memory) -> Any:
    """What the record of an operation in place reads: a copy of what is about to change."""
    return np.copy(item) if isinstance(item, Traced) and item.memory is memory else item


def content_of(item: Any) -> Any:
    """The number or array that a Tensor holds; what is none, itself."""
    return item.content if isinstance(item, Traced) else item


def writable(tensor: Any, items: Sequence[Any]) -> tuple[Memory | None, bool]:
    """The memory of a Tensor that may be written to here, and whether derivatives flow through the
    items, or through what they are written to.
    """
    memory: Memory | None = tensor.memory
    if memory is None:
        return None, False
    alive = memory.alive()
    is_hidden = is_recording() and not is_grad_enabled()
    if memory.is_given or (is_hidden and any(each.tape is not None for each in alive)):
        raise refused(catalog.CHANGED_ON_TAPE, what="an argument, or what Tensors go into,")
    if not is_grad_enabled():
        return memory, False
    if any(each.tape is None and _flows(each) for each in alive):
        raise RuntimeError(
            "a leaf Tensor that requires grad is changed in place: do so inside of "
            "staticpy.no_grad(), or to a copy"
        )
    written = [item for item in items if isinstance(item, Traced)]
    return memory, any(map(_flows, (*alive, *written)))


def _flows(tensor: Any) -> bool:
    is_watched = any(id(tensor) in watch.watched for watch in OPEN_WATCHES.get())
    return tensor.requires_grad or is_watched


def write(tensor: Any, memory: Memory, part: np.ndarray, item: Any, after: np.ndarray) -> None:
    """Let ``item`` stand at the offsets ``part`` of the memory; ``tensor`` then holds ``after``."""
    shown = offsets(tensor.content)
    if np.unique(shown).size < shown.size:
        raise TypeError("a write to a Tensor that shows an element more than once: copy it first")
    flat = spread(item, part, tensor.content.dtype)
    chosen = np.full(memory.array.size, -1)
    chosen[part] = np.arange(part.size).reshape(part.shape)
    rows = [(each, _changed(each, chosen, flat)) for each in memory.alive()]
    np.copyto(tensor.content, after)
    for each, made in rows:
        if isinstance(made, Traced) and made.tape is not None:
            each.tape, each.value = made.tape, made.value
            each.tape.renew(made.value, each.content, memory)


def spread(item: Any, part: np.ndarray, dtype: Any) -> Any:
    """The item, stretched as NumPy does, of the dtype that it gets, as one row."""
    if not isinstance(item, Traced):
        item = np.asarray(item)
    elif not isinstance(content_of(item), np.ndarray | np.generic):  # a number of Python's
        item = item.apply(FUNCTIONS[np.asarray], item)
    if item.dtype.kind == "c" and dtype.kind != "c":
        raise TypeError("a complex Tensor is written to a real one: write its real part")
    extra = np.ndim(content_of(item)) - part.ndim
    if extra > 0:  # axes of size 1 in front
        item = np.reshape(item, np.shape(content_of(item))[extra:])
    if item.dtype != dtype:
        item = item.astype(dtype)
    return np.ravel(np.broadcast_to(item, part.shape))


def _changed(tensor: Any, chosen: np.ndarray, flat: Any) -> Any:
    """What a Tensor of the memory is after the write, of which ``chosen`` says the item for each
    offset, -1 where the old element stays.
    """
    size = tensor.content.size
    numbers = chosen[offsets(tensor.content)]
    own = np.arange(size).reshape(numbers.shape)
    picked = np.where(numbers < 0, own, size + numbers)
    return np.concatenate([np.ravel(tensor), flat])[picked]


def offsets(array: np.ndarray) -> np.ndarray:
    """The offset of each element in the memory that a view shows, counted in elements.

    Raises:
        TensorError: SPY711, the elements of the view are no elements of the memory.
    """
    owner = owner_of(array)
    size = array.itemsize
    start = array.ctypes.data - owner.ctypes.data
    steps = (start, *array.strides)
    if array.dtype != owner.dtype or any(step % size for step in steps):
        raise refused(catalog.CHANGED_ON_TAPE, what=_BY_PARTS)
    found = np.full(array.shape, start // size)
    for axis, (length, stride) in enumerate(zip(array.shape, array.strides, strict=True)):
        shape = [1] * array.ndim
        shape[axis] = length
        found += (np.arange(length) * (stride // size)).reshape(shape)
    return found
