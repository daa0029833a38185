"""`print`: the order of output, calls, changes and errors."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([1.0, 2.0])


class Noisy:
    def __init__(self, name):
        print("made", name)
        self.name = name

    def __add__(self, other):
        print("add", self.name, other.name)
        return Noisy(self.name + other.name)

    def __bool__(self):
        print("asked", self.name)
        return len(self.name) > 1

    def __repr__(self):
        return f"<{self.name}>"


# Operators print as they are evaluated.
@case((1.0,))
def operators_print(x: float):
    result = Noisy("a") + Noisy("b") + Noisy("c")
    print(result, x)
    return result.name


# `and`, `or`, `not` and `if` ask once.
@case((2,), (-2,))
def truth_prints(n: int):
    a, b = Noisy("a"), Noisy("bc")
    chosen = a or b
    if not chosen:
        print("never")
    return (a and b).name, chosen.name if n > 0 else "none"


# An argument that is changed between two prints.
@case((X,))
def change_between(x: f64["n"]):
    print(x)
    x[0] = -1.0
    print(x, x[0], sep=" / ")
    x = x + 1
    print(x)


# The arguments of one print are evaluated before it writes.
@case((3,))
def arguments_first(n: int):
    def shout(value):
        print("evaluating", value)
        return value * 2

    print(shout(n), shout(n + 1), sep="|", end="!\n")


# What was printed before an error stays, what follows is not printed.
@case((X, 1), (X, 5))
def until_an_error(x: f64["n"], i: int):
    print("before", i)
    value = x[i]
    print("after", value)
    return value


# Default arguments print where the function is defined.
@case((2,))
def defaults_print(n: int):
    def announce(value):
        print("default", value)
        return value

    def inner(a, b=announce(n)):  # noqa: B008
        print("body", a, b)
        return a + b

    print("calls")
    return inner(1), inner(1, 5)


# Conditions of a chain, as far as they are evaluated.
@case((1, 2, 3), (1, 0, 3), (3, 2, 1))
def chain_prints(a: int, b: int, c: int):
    def say(value):
        print("value", value)
        return value

    return say(a) < say(b) < say(c)


# Output of a loop with `continue`, `break` and `else`.
@case((5,), (2,), (0,))
def loop_prints(n: int):
    for i in range(n):
        if i == 1:
            continue
        if i == 3:
            print("break")
            break
        print(i, end=" ")
    else:
        print("else")
    print("end", n)


# `finally` and handlers in their order.
@case((1,), (0,))
def handlers_print(n: int):
    try:
        print("try")
        print(10 // n)
    except ZeroDivisionError as error:
        print("caught", error)
    else:
        print("else")
    finally:
        print("finally")
    return n


# Empty prints, and prints of nothing but separators.
@case((1,))
def empty_prints(n: int):
    print()
    print(end="")
    print("", "", sep="-")
    print(*[], sep="x")
    print(*range(3), n, sep="\n")


# Containers print their items by `repr`.
@case((1.5, "a'b"))
def containers_print(x, text):
    print([x, text, None, True], (x,), {"k": text, 2: [x]}, {text})
    print(text, [text], X[:1], [X.sum()])


# A list that is printed before and after it grows.
@case((2,), (0,))
def growing_list_prints(n: int):
    items = ["start"]
    print(items)
    for i in range(n):
        items.append(f"item {i}")
        print(len(items), items[-1])
    print(items)
    return items


# Prints of two functions that call each other.
@case((3,), (0,))
def ping_pong(n: int):
    def ping(k):
        print("ping", k)
        return pong(k - 1) if k > 0 else "ping"

    def pong(k):
        print("pong", k)
        return ping(k - 1) if k > 0 else "pong"

    return ping(n)


# Starred items of a number that is known at run time only.
@case((3,), (0,), (1,))
def starred_items_of_a_loop(n: int):
    squares = [i * i for i in range(n)]
    print(*squares)
    print("squares:", *squares, n / 2, sep=", ", end=";\n")
    print(*squares, *range(n), [n], sep="-" if n else None)
    print(*((i, None if i % 2 else 0.5 * i) for i in range(n)), sep="")
    print(*squares, *[squares.append(7)], sep=str(squares.append(4)))
# As many operands as the program running makes.
@case((3,), (0,), (1,))
def operands_of_any_number(n: int):
    squares = [i * i for i in range(n)]
    print(*squares)
    print("a", n, *squares, sep=",")
    print(*squares, sep="\n", end="!\n")
    print(*range(n), sep="")
    print(*(x / 2 for x in squares), sep=str(n))
    print(*[[i, "x"] for i in squares])
    print(*{i: 1 for i in squares})
    print(f"{n}:", *[f"{x:>3}" for x in squares])
    for row in [[j] * i for i in range(n) for j in range(2)]:
        print(*row)
    return squares


# ... of an array.
@case((np.arange(3.0),), (np.zeros(0),), (np.eye(2),))
def operands_of_an_array(x):
    print(*x)
    print("v:", *x, sep=";", end="")
    print(*enumerate(x))
    return len(x)
