"""Programs that put what is differentiated into lists, dicts and objects from outside, in loops and
branches, sort them, and read them again, also by way of other names.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Record:
    """An object of the caller's."""

    def __init__(self) -> None:
        self.total = 1.0
        self.items = [1.0, 2.0]
        self.same = self.items
        self.by_name = {"a": 1.0, "b": 2.0}
        self.places = [np.array([1.0, 0.5])]
        self.where, self.speed = np.array([1.0, 2.0]), np.array([0.5, 0.25])

    def __repr__(self) -> str:
        return repr(vars(self))


NUMBERS: list[Any] = []
ALSO = NUMBERS
BY_NAME: dict[str, Any] = {}
PAIRS: list[Any] = []
STEPS: list[Any] = []
PAIRS_BY_NUMBER: dict[int, Any] = {}
ROWS: list[Any] = []
NOTES: list[Any] = []
RECORD = Record()
OTHER = Record()
BOTH = [RECORD, OTHER]


def restore() -> None:
    """Let all be as in the beginning."""
    NUMBERS[:] = [3.0, 1.0, 2.0]
    BY_NAME.clear()
    BY_NAME.update(a=1.0, b=2.0)
    PAIRS[:] = [(1.0, 1), (2.0, 3)]
    STEPS[:] = [(np.array([1.0, 2.0]), (0.5, "first"))]
    PAIRS_BY_NUMBER.clear()
    PAIRS_BY_NUMBER[0] = 1.5, np.ones(2)
    ROWS[:] = [[1.0, 2.0], [3.0]]
    NOTES[:] = [{"size": 2.0, "place": 1.0}]
    for record in BOTH:
        vars(record).clear()
        Record.__init__(record)


def state() -> str:
    """What all is."""
    return repr((NUMBERS, BY_NAME, BOTH, PAIRS, STEPS, PAIRS_BY_NUMBER, ROWS, NOTES))


def sorted_behind_append(x, n):
    NUMBERS.append(x * x)
    NUMBERS.sort()
    return NUMBERS[0] * x + NUMBERS[3]


def sorted_in_a_loop(x, n):
    for i in range(n):
        NUMBERS.append(x * i)
        NUMBERS.sort(reverse=True)
    return NUMBERS[0] * x + NUMBERS[1]


def sorted_by_a_key(x, n):
    NUMBERS[n % 3] = x * x
    NUMBERS.sort(key=lambda item: -item)
    return NUMBERS[0] * x + NUMBERS[2]


def filled(x, n):
    for _ in range(n):
        NUMBERS.append(NUMBERS[-1] * x)
    return NUMBERS[-1] + NUMBERS[0] * x


def filled_in_while(x, n):
    i = 0
    while i < n:
        NUMBERS[i % 3] = x * NUMBERS[i % 3]
        i += 1
    return NUMBERS[0] * NUMBERS[1] * NUMBERS[2]


def under_another_name(x, n):
    for i in range(n):
        ALSO.append(x * i)
        NUMBERS[0] = ALSO[-1] * x
    return NUMBERS[0] * ALSO[0]


def in_front(x, n):
    for _ in range(n):
        NUMBERS.insert(0, x * NUMBERS[0])
    return NUMBERS.pop(0) * NUMBERS[0]


def taken_and_put_back(x, n):
    for _ in range(n):
        if NUMBERS:
            NUMBERS.append(NUMBERS.pop() * x)
    return sum(NUMBERS) * x


def in_branches(x, n):
    if n > 1:
        NUMBERS.append(x * x)
    else:
        NUMBERS[0] = x
    NUMBERS.sort()
    return NUMBERS[0] * NUMBERS[-1] * x


def by_slices(x, n):
    NUMBERS[:] = [item * x for item in NUMBERS]
    NUMBERS.sort()
    for _ in range(n):
        NUMBERS[1:2] = [NUMBERS[0] * x, NUMBERS[1]]
    del NUMBERS[:1]
    return NUMBERS[0] * NUMBERS[1] * x


def removed(x, n):
    for i in range(n):
        NUMBERS.append(x * NUMBERS[i])
        NUMBERS.append(1.0)
        NUMBERS.remove(x * NUMBERS[i])
    return sum(NUMBERS) * NUMBERS[-1] * x + NUMBERS[0] * x


def extended_and_reversed(x, n):
    NUMBERS.extend([x, x * x])
    NUMBERS.reverse()
    for _ in range(n):
        NUMBERS.sort()
    return NUMBERS[0] * NUMBERS[3]


def ends_half_way(x, n):
    try:
        for i in range(n):
            NUMBERS[i] = NUMBERS[i] * x
        NUMBERS[n + 1] = 0.0
    except IndexError:
        NUMBERS[0] = NUMBERS[0] * x
    return NUMBERS[0] * NUMBERS[1]


def two_at_once(x, n):
    for i in range(n):
        NUMBERS.append(x * NUMBERS[i])
        RECORD.total = RECORD.total + NUMBERS[-1]
    NUMBERS.sort()
    return RECORD.total * NUMBERS[0]


def shown(x, n):
    for _ in range(n):
        NUMBERS.append(NUMBERS[0] * x)
    print(NUMBERS[:2])
    return np.array(NUMBERS).sum() * len(NUMBERS)


def in_an_object(x, n):
    for i in range(n):
        RECORD.items.append(x * i)
        RECORD.same[0] = x
    return RECORD.items[0] * RECORD.same[-1] * x


def in_an_attribute(x, n):
    for i in range(n):
        RECORD.total = RECORD.total * x + NUMBERS[i % 3]
    return RECORD.total


def in_a_dict(x, n):
    for _ in range(n):
        BY_NAME["a"] = BY_NAME["a"] * x + BY_NAME["b"]
        RECORD.by_name["a"] = RECORD.by_name["a"] * x
    return BY_NAME["a"] * RECORD.by_name["a"] * x


def in_arrays_of_an_object(x, n):
    for _ in range(n):
        RECORD.speed -= 0.1 * x * RECORD.where
        RECORD.where += RECORD.speed
        RECORD.total += 0.1 * x
    return (RECORD.where**2).sum() * RECORD.total


def in_new_arrays_of_an_object(x, n):
    for _ in range(n):
        RECORD.where = RECORD.where * x + RECORD.speed
        RECORD.where[0] *= x
    RECORD.same = [RECORD.total * x]
    return (RECORD.where**2).sum()


def under_the_name_of_an_array(x, n):
    seen = RECORD.where
    for _ in range(n):
        RECORD.where *= x
    RECORD.where = RECORD.speed
    RECORD.where += seen
    return (RECORD.speed * seen).sum()


def in_one_of_two_objects(x, n):
    for i in range(n + 1):
        BOTH[i % 2].where = BOTH[(i + 1) % 2].where * x
        BOTH[i % 2].total *= x
    return (RECORD.where * OTHER.where).sum() * BOTH[n % 2].total


def read_by_a_handler(x, n):
    try:
        RECORD.total = x * x
        RECORD.where = RECORD.speed * x
        NUMBERS[n] = RECORD.total * x
    except IndexError:
        return RECORD.total * x + (RECORD.where**2).sum()
    return NUMBERS[n] * x


def read_by_a_handler_in_a_loop(x, n):
    found = x
    for i in range(n + 1):
        try:
            OTHER.total = found * x
            if i > 0:
                RECORD.total = OTHER.total * x
            if OTHER.total > 4 or i == 0:
                raise ValueError
            OTHER.total *= 2
        except ValueError:
            found = found + OTHER.total * RECORD.total
    return found * RECORD.total * OTHER.total


def pairs_appended(x, n):
    for i in range(n):
        pair = x * i, i
        PAIRS.append(pair)
    return PAIRS[-1][0] * x + PAIRS[0][0]


def pairs_replaced(x, n):
    for i in range(n + 1):
        value, number = PAIRS[i % 2]
        PAIRS[(i + 1) % 2] = value * x, number + 1
    return PAIRS[0][0] * PAIRS[1][0] * PAIRS[0][1]


def all_pairs(x, n):
    for i in range(n):
        PAIRS.insert(0, (PAIRS[-1][0] * x, i))
        if i == 1:
            PAIRS.pop()
    total = 0.0
    for value, number in PAIRS:
        total = total + value * number * x
    return total


def pairs_that_are_shown(x, n):
    first = PAIRS[0]
    for i in range(n):
        PAIRS.append((x * x, i))
        PAIRS.append(first)
    print(PAIRS[0][1], len(PAIRS))
    return (PAIRS[-1][0] + PAIRS[-2][0]) * x


def steps_with_arrays(x, n):
    for _ in range(n):
        place, (size, _) = STEPS[-1]
        STEPS.append((place * x + size, (size * x, "next")))
    place, (size, _) = STEPS[n // 2]
    return (STEPS[-1][0] * place).sum() * size * x


def pairs_in_a_dict(x, n):
    for i in range(n):
        size, place = PAIRS_BY_NUMBER[i]
        PAIRS_BY_NUMBER[i + 1] = size * x, place * size
    size, place = PAIRS_BY_NUMBER[n]
    return place.sum() * size * x


def rows_appended(x, n):
    for i in range(n):
        ROWS.append([x * i, ROWS[0][1], ROWS[-1][-1] * x])
    return ROWS[-1][-1] * x + ROWS[0][0]


def rows_that_are_filled_before(x, n):
    for i in range(n):
        row = [x * item for item in ROWS[-1]]
        row.append(x * i)
        ROWS.append(row)
    total = 0.0
    for row in ROWS:
        total = total + sum(row) * x
    return total


def notes_appended(x, n):
    for _ in range(n):
        last = NOTES[-1]
        NOTES.append({"size": last["size"] * x, "place": last["place"] * x})
    return NOTES[-1]["size"] * NOTES[n // 2]["place"] ** 2


def places_that_are_counted(x, n):
    for _ in range(n):
        RECORD.places.append(RECORD.places[-1] * x)
        RECORD.total += 1.0
    return (RECORD.places[-1] ** 2).sum() * RECORD.total


def rows_that_grow_later(x, n):
    for i in range(n):
        row = [x]
        ROWS.append(row)
        row.append(x * i)
        OTHER.total = OTHER.total * x
    return ROWS[-1][-1] * OTHER.total


def lists_made_anew(x, n):
    for i in range(n):
        RECORD.items = [item * x + i for item in RECORD.items]
        RECORD.places = [place * x for place in RECORD.places]
        OTHER.items = [*OTHER.items, x * i]
    return RECORD.items[0] * RECORD.same[1] * OTHER.items[-1] * RECORD.places[0].sum() * x


def one_of_two_lists(x, n):
    items = RECORD.items
    if n > 1:
        items = [item * x for item in items]
    return items[0] * items[1] * x


PROGRAMS = [
    *(lists_made_anew, one_of_two_lists),
    *(places_that_are_counted, rows_that_grow_later),
    *(rows_appended, rows_that_are_filled_before, notes_appended),
    *(pairs_appended, pairs_replaced, all_pairs, pairs_that_are_shown),
    *(steps_with_arrays, pairs_in_a_dict),
    sorted_behind_append,
    sorted_in_a_loop,
    sorted_by_a_key,
    filled,
    filled_in_while,
    under_another_name,
    in_front,
    taken_and_put_back,
    in_branches,
    by_slices,
    removed,
    extended_and_reversed,
    ends_half_way,
    two_at_once,
    shown,
    in_an_object,
    in_an_attribute,
    in_a_dict,
    in_arrays_of_an_object,
    in_new_arrays_of_an_object,
    under_the_name_of_an_array,
    in_one_of_two_objects,
    read_by_a_handler,
    read_by_a_handler_in_a_loop,
]
