"""What a training run remembers, as arrays by name: copied out, checked, copied back.

In: Cells, optimisers, generators of random numbers and arrays, alone or in dicts. Out: a dict of
arrays; or these things as the arrays say, all of them or none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from staticpy.runtime import Tensor, no_grad

Arrays = dict[str, np.ndarray]


def copies(cell: Any) -> Arrays:
    """Copies of the contents of the Parameters of a Cell, by dotted name."""
    return {name: np.array(each.content) for name, each in cell.parameters_and_names()}


def load_into(places: Mapping[str, Tensor], given: Mapping[str, Any], what: str) -> None:
    """Write arrays to Tensors, in place.

    Args:
        places: the Tensors by name.
        given: an array for each.
        what: whose they are, for the message.

    Raises:
        ValueError: a name is missing or not known, or an array has another shape or dtype; nothing
            has changed then.
    """
    arrays = {name: _plain(array) for name, array in given.items()}
    require_match({name: _plain(each) for name, each in places.items()}, arrays, what)
    with no_grad():
        for name, place in places.items():
            place[...] = arrays[name]


def require_match(places: Mapping[str, Any], given: Mapping[str, Any], what: str) -> None:
    """Check that arrays can be copied to others.

    Raises:
        ValueError: as ``load_into``.
    """
    wrong = [f"{name!r} is missing" for name in places if name not in given]
    wrong += [f"{name!r} is not known" for name in given if name not in places]
    for name, place in places.items():
        array = given.get(name, place)
        if (array.shape, array.dtype) != (place.shape, place.dtype):
            kinds = f"{array.dtype}{list(array.shape)}, not {place.dtype}{list(place.shape)}"
            wrong.append(f"{name!r} is {kinds}")
    if wrong:
        raise ValueError(
            f"what is given does not fit {what}, and nothing was loaded: {'; '.join(wrong)}"
        )


def arrays_of(source: Any) -> Arrays:
    """Copies of all that is remembered, by name.

    Args:
        source: what has a ``state_dict``; an array, a Tensor, a generator of random numbers; or a
            dict of such, whose keys are put in front of the names.

    Raises:
        TypeError: it is something else.
        ValueError: two things have the same name.
    """
    found: Arrays = {}
    for prefix, item in _parts(source):
        for key, array in _arrays_of_part(item).items():
            name = _joined(prefix, key)
            if name in found:
                raise ValueError(f"two arrays are called {name!r}: take other keys")
            found[name] = array
    return found


def restore(target: Any, arrays: Arrays, what: str) -> None:
    """Let all in ``target`` be as it was when ``arrays_of`` gave the arrays.

    Raises:
        TypeError, ValueError: as ``arrays_of`` and ``load_into``; nothing has changed then.
    """
    expected = arrays_of(target)
    for name, item in _parts(target):
        if isinstance(item, np.random.Generator) and name in arrays:
            _require_state(item, arrays[name], name)
            expected[name] = arrays[name]
    require_match(expected, arrays, what)
    for prefix, item in _parts(target):
        keys = _arrays_of_part(item)
        _restore_part(item, {key: arrays[_joined(prefix, key)] for key in keys})


def _parts(source: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """What is in nested dicts, with the dotted keys."""
    if isinstance(source, Mapping):
        for key, item in source.items():
            yield from _parts(item, _joined(prefix, str(key)))
    else:
        yield prefix, source


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix and name else prefix or name


def _plain(item: Any) -> Any:
    return np.asarray(item.content if isinstance(item, Tensor) else item)


def _arrays_of_part(item: Any) -> Arrays:
    if hasattr(item, "state_dict"):
        return dict(item.state_dict())
    if isinstance(item, np.random.Generator):
        return {"": _state_as_array(item)}
    if isinstance(item, Tensor | np.ndarray | np.generic):
        return {"": np.array(_plain(item))}
    raise TypeError(
        f"what is saved is a Cell, an optimiser, an array, a generator or a dict of these, "
        f"not {type(item).__name__}"
    )


def _restore_part(item: Any, arrays: Arrays) -> None:
    if hasattr(item, "state_dict"):
        item.load_state_dict(arrays)
    elif isinstance(item, np.random.Generator):
        item.bit_generator.state = _state_of_array(arrays[""])
    elif isinstance(item, Tensor):
        with no_grad():
            item[...] = arrays[""]
    else:
        np.copyto(item, arrays[""])


# --- generators -----------------------------------------------------------------------------------


def _state_as_array(generator: np.random.Generator) -> np.ndarray:
    """The state of a generator as JSON, whose ints have no bounds: ``u8[n]``."""
    text = json.dumps(generator.bit_generator.state, default=lambda array: array.tolist())
    return np.frombuffer(text.encode(), np.uint8).copy()


def _state_of_array(array: np.ndarray) -> Any:
    return json.loads(array.tobytes())


def _require_state(generator: np.random.Generator, array: np.ndarray, name: str) -> None:
    """Check that an array is a state of this kind of generator.

    Raises:
        ValueError: it is not.
    """
    kind = type(generator.bit_generator)
    try:
        kind().state = _state_of_array(array)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            f"{name!r} is no state of a {kind.__name__}, and nothing was loaded: {error}"
        ) from None
