"""Early returns: lists and dicts that one path has written to, and another one returns."""

from __future__ import annotations

from tests.support.cases import case


# The list is returned by one path, and written to by the other, which returns something else.
@case((0,), (2,))
def list_written_on_the_early_path(n: int):
    log = []
    if n < 1:
        log.append("early")
        return "nothing"
    log.append(n)
    return log, n


# ... a dict; None on the other path.
@case((0,), (2,))
def dict_written_on_the_early_path(n: int):
    table = {}
    if n < 1:
        table["a"] = n
        return None
    return table, n


# ... written by a nested function.
@case((0,), (2,))
def list_written_by_a_call(n: int):
    log = []

    def noted(k):
        log.append(k)
        return k

    if n < 1:
        return noted(n)
    return noted(n) + 1, log


# What is bound on one path is the list that every name leads to, whatever it is given later.
@case((0,), (2,))
def list_bound_on_one_path(n: int):
    log = []
    found = None
    if n:
        log.append(1)
    else:
        found = log
    log.append(2.5)
    if found is not None:
        found.append("x")
    return found, log, found is log


# The caller's list.
@case((0, [1]), (2, []), (2, [2.5]))
def argument_written_on_both_paths(n, items):
    if n:
        items.append(n)
        return None
    items.append("t")
    return items, n
