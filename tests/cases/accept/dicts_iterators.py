"""Iterators of dicts and sets: asked for one key after the other, or made before they are used."""

from __future__ import annotations

import itertools

from tests.support.cases import case


class Cache:
    """Keeps what was used last."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.items = {}
        self.hits = 0

    def get(self, key, default=-1):
        if key not in self.items:
            return default
        self.hits += 1
        value = self.items.pop(key)
        self.items[key] = value
        return value

    def put(self, key, value):
        if key in self.items:
            self.items.pop(key)
        elif len(self.items) >= self.capacity:
            oldest = next(iter(self.items))
            del self.items[oldest]
        self.items[key] = value


# The oldest key of a dict; StopIteration where there is none.
@case((2, [1, 2, 1, 3, 2]), (1, [1, 1]), (3, []), (0, [1]), (2, [1.5, 2, 1.5]))
def least_recently_used(capacity, keys):
    cache = Cache(capacity)
    found = []
    for key in keys:
        found.append(cache.get(key))
        cache.put(key, key * 2)
    return found, cache.items, cache.hits


# ... in an object of the caller's.
@case((Cache(2), [1, 2, 1, 3, 2]), (Cache(1), [1, 1]))
def cache_of_the_caller(cache, keys):
    for key in keys:
        cache.put(key, key * 2)
    return cache.get(2)


# The first item, and then the others.
@case((3,), (1,), (0,))
def first_and_rest(n: int):
    squares = {i + 1: i * i for i in range(n)}
    pairs = iter(squares.items())
    first = next(pairs, None)
    return first, [key for key, _ in pairs], next(pairs, "none")


# Backwards.
@case((3,), (1,), (0,))
def last_and_rest(n: int):
    squares = {i + 1: i * i for i in range(n)}
    values = reversed(squares.values())
    last = next(values, None)
    total = 0
    for value in values:
        total = total * 10 + value
    return last, total, next(reversed(squares.items()), 0)


# Values change meanwhile; each is read when its turn comes.
@case((3,), (0,), (1,))
def values_change(n: int):
    items = {i: i * i for i in range(n)}
    pairs, found = iter(items.items()), []
    while True:
        try:
            key, value = next(pairs)
        except StopIteration:
            break
        found.append(key + value)
        items[key] = value + 0.5
        if key + 1 < n:
            items[key + 1] = -1
    return found, items


# A dict that has changed its size: RuntimeError, where the next item is asked for.
@case((3, 0), (3, 1), (3, 2), (1, 1), (0, 3))
def changed_between(n: int, k: int):
    items = {i + 1: i * i for i in range(n)}
    keys, backwards = iter(items), reversed(items)
    first = next(keys, None)
    if k == 1:
        items[77] = 1
    if k == 2:
        items.pop(1)
        items[1] = 2
    return first, next(keys, None), next(backwards, None), items


# What is made of a dict knows its size from the beginning.
@case((3,), (0,))
def made_before(n: int):
    items = {i: i for i in range(n)}
    made = enumerate(items.values())
    items[9] = 1
    return list(made)


# ... also a generator expression.
@case((3,), (0,))
def generator_made_before(n: int):
    items = {i: i for i in range(n)}
    made = (key for key in map(str, items))
    items[9] = 1
    return list(made)


# ... and where all keys are known.
@case((3,))
def made_before_of_known_keys(n: int):
    items = {1: n, 2: 3}
    pairs = zip(items, items.values(), strict=True)
    doubled = (key * 2 for key in items)
    found = list(doubled)
    items[9] = found[0]
    print(found)
    return list(pairs)


# ... of a set.
@case((3,))
def made_before_of_a_set(n: int):
    items = {1, 2}
    numbered = enumerate(items)
    items.add(3)
    return n, list(numbered)


# An argument is made before the function runs.
@case((3,), (0,))
def made_as_an_argument(n: int):
    items = {i: i for i in range(n)}

    def grow(pairs):
        items[9] = 1
        return list(pairs)

    return grow(enumerate(items))


# A dict that was changed, but has its size again, may be gone through from its beginning.
@case((3,), (1,))
def of_the_same_size(n: int):
    items = {i: i for i in range(n)}
    keys = (key for key in items)
    items.pop(0)
    items[9] = 1
    return list(keys)


# 'product' keeps its items from the beginning, 'chain' asks for each dict in its turn.
@case((3,), (0,))
def pools_and_chains(n: int):
    known, grown, items = [1, n], [i for i in range(n)], {1: n}
    pairs = itertools.product(known, grown, items)
    links = itertools.chain(known, items)
    known.append(7)
    grown.append(8)
    items[9] = 9
    return list(pairs), list(links)


# An iterator that a function takes further.
@case((3,), (5,))
def handed_on(n: int):
    texts = {i: str(i) for i in range(n)}

    def take(items, count):
        return [next(items, "-") for _ in range(count)]

    values = iter(texts.values())
    return take(values, 2), take(values, 2)


# Two dicts, one of which is chosen at run time.
@case((3, 1), (2, 0))
def of_the_chosen_dict(n: int, k: int):
    left, right = {i: i for i in range(n)}, {i: -i for i in range(5)}
    chosen = left if k else right
    keys = iter(chosen)
    for key in keys:
        if key == 1:
            break
    chosen[1] = 9
    return [*keys], left, right
