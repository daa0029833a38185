"""SPY639, SPY640: what can't be followed where an exception leaves a piece of the program."""

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
