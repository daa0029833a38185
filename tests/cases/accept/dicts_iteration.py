"""Dicts that change while somebody goes through them, and views of their keys and values."""

from __future__ import annotations

from tests.support.cases import case


# A key is added in a round: RuntimeError before the next.
@case((5,), (1,), (0,))
def grows_in_its_loop(n: int):
    d = {"a": n, "b": 2}
    for k in d:
        d[k + "x"] = 1
    return d


# ... also after the last one.
@case((5,), (1,), (0,))
def shrinks_in_its_loop(n: int):
    d = {"a": n, "b": 2}
    for k in d:
        if k == "b":
            del d[k]
    return d


# New values of known keys are no change of size.
@case((5,), (1,), (0,))
def values_change_in_its_loop(n: int):
    d = {"a": n, "b": 2}
    for k, v in d.items():
        d[k] = v + 1
    return d


# A comprehension that takes out what it goes through.
@case((5,), (1,), (0,))
def popped_in_a_comprehension(n: int):
    d = {"a": n, "b": 2}
    t = [d.pop(k) for k in d]
    return t


# Keys that only the run knows.
@case((5,), (1,), (0,))
def deletes_run_time_keys(n: int):
    d = {i: i for i in range(n)}
    for k in d:
        del d[k]
    return d


# The error is caught, after what the rounds did.
@case((5,), (1,), (0,), (2,))
def growth_is_caught(n: int):
    d = {i: i for i in range(n)}
    try:
        for k, v in d.items():
            if k == 1:
                d[77] = k
    except RuntimeError as e:
        return str(e), d
    return d


# A loop that is left at once raises nothing.
@case((5,), (1,), (0,), (2,))
def leaves_after_the_change(n: int):
    d = {i: i for i in range(n)}
    for k, v in d.items():
        if k == 1:
            d[77] = k
            break
    for k in d:
        d[k] += 1
    else:
        d[100] = 1
    return d


# A generator expression.
@case((5,), (1,), (0,), (2,))
def popped_in_a_generator(n: int):
    d = {i: i for i in range(n)}
    return sum(d.pop(k) for k in d)


# Each round adds a key.
@case((5,), (0,))
def grows_by_run_time_keys(n: int):
    d = {i: i for i in range(n)}
    for k in d:
        d[k + 10] = 1
    return d


# Equality of dicts and of their views.
@case((5,), (0,))
def equality_and_views(n: int):
    d = {i: i for i in range(n)}
    e = {}
    for i in reversed(range(n)):
        e[i] = i
    return (
        d == e,
        d != e,
        list(d) == list(e),
        d == {},
        len(d | e),
        3 in d.values(),
        (3, 3) in d.items(),
        d.keys() == e.keys(),
    )
