"""SPY639, SPY640: what is left half-way by an exception. SPY645: what outlives the call."""

from staticpy.diagnostics.spec import DiagnosticSpec

CHANGED_IN_TRY = DiagnosticSpec(
    code="SPY639",
    slug="changed-in-try",
    message="what {what} is after the exception depends on how far the 'try' has come",
    help="bind it again in the handler, or compute it in a name of its own and assign it after "
    "the 'try'",
    explanation="""\
An exception may come from any operation of a `try`. Numbers, text, arrays and tuples, lists, dicts
and objects of these are kept in memory, so that a handler finds what was written last. What is
known only while compiling (a function, a list of functions, a generator, a set) has no such place:
where the body of the `try` gives such a name another value, nobody knows in the handler which one
it has.
""",
    bad="""\
import staticpy


@staticpy.jit
def f(n):
    tags = {"whole"}
    try:
        tags = {"part"}
        n = 10 // n
    except ZeroDivisionError:
        n = 1
    return n, "part" in tags


f(2)
""",
    good="""\
import staticpy


@staticpy.jit
def f(n):
    tags = {"whole"}
    try:
        n = 10 // n
        tags = {"part"}
    except ZeroDivisionError:
        n = 1
    return n, len(tags)


f(2)
""",
)

YIELD_IN_TRY = DiagnosticSpec(
    code="SPY640",
    slug="yield-in-try",
    message="'{name}' yields inside of a 'try' or 'with', and what is done with the item may raise "
    "an exception or stop the generator there",
    help="yield after the 'try', or make a list of the items first: 'for item in list(…)'",
    explanation="""\
A generator is compiled where it is consumed: what is done with an item stands in the place of the
`yield`. An exception of the consumer's must not reach the handlers of the generator, and a
generator that is left in the middle runs its `finally` when it is destroyed, not when it is left.
Inside of a `try` or `with` a generator may yield where neither can happen.
""",
    bad="""\
import staticpy


def halves(n):
    try:
        yield n
        yield 10 // n
    except ZeroDivisionError:
        yield 0


@staticpy.jit
def f(n):
    total = 0
    for item in halves(n):
        total += 100 // item
    return total


f(2)
""",
    good="""\
import staticpy


def halves(n):
    try:
        yield n
        yield 10 // n
    except ZeroDivisionError:
        yield 0


@staticpy.jit
def f(n):
    total = 0
    for item in list(halves(n)):
        total += 100 // item
    return total


f(2)
""",
)

CACHE_IS_SEEN = DiagnosticSpec(
    code="SPY645",
    slug="cache-is-seen",
    message="the cache of '{name}' outlives the call, and {why}",
    help="cache a function that computes with ints and texts alone, or define it, with its "
    "'functools.cache', in the compiled function",
    explanation="""\
What `functools.lru_cache` has kept in one call it gives back in the next. A compiled function
begins each call with an empty cache, which nobody can tell where the cached function computes a
number or a text from ints and texts, without an effect and with nothing that may change. Elsewhere
it could be told: a text would be printed again, a changed global would be read again, `1.0` would
no longer get what was kept for `1`. A cache of a nested function lives as long as that function
does, and may keep anything.
""",
    bad="""\
import functools

import staticpy

RATE = 3


@functools.lru_cache(maxsize=None)
def cost(n):
    return n * RATE


@staticpy.jit
def f(n):
    return cost(n) + cost(n + 1)


f(2)
""",
    good="""\
import functools

import staticpy


@functools.lru_cache(maxsize=None)
def cost(n, rate):
    return n * rate


@staticpy.jit
def f(n):
    return cost(n, 3) + cost(n + 1, 3)


f(2)
""",
)
