"""A calculator over bytes: a tokenizer as generator, Dijkstra's shunting yard, error codes.

Source: Dijkstra, "Algol 60 translation", Mathematisch Centrum MR 35/61, 1961.
"""

from enum import IntEnum

import numpy as np


class Kind(IntEnum):
    NUMBER = 0
    OPERATOR = 1
    OPEN = 2
    CLOSE = 3


def precedence(op):
    match chr(op):
        case "+" | "-":
            return 1
        case "*" | "/" | "%":
            return 2
        case "^":
            return 3
    return 0


def tokens(data):
    i = 0
    while i < len(data):
        c = int(data[i])
        if c == 32:
            i += 1
        elif 48 <= c < 58:
            value = 0
            while i < len(data) and 48 <= data[i] < 58:
                value = 10 * value + int(data[i]) - 48
                i += 1
            yield Kind.NUMBER, value
        elif c == 40 or c == 41:
            yield (Kind.OPEN if c == 40 else Kind.CLOSE), c
            i += 1
        else:
            yield Kind.OPERATOR, c
            i += 1


def apply(op, values):
    b = values.pop()
    a = values.pop()
    if op == ord("+"):
        values.append(a + b)
    elif op == ord("-"):
        values.append(a - b)
    elif op == ord("*"):
        values.append(a * b)
    elif op == ord("/"):
        values.append(a // b)
    elif op == ord("%"):
        values.append(a % b)
    else:
        raise SyntaxError("unknown operator")


def evaluate(data):
    values, operators = [], []
    for kind, value in tokens(data):
        if kind is Kind.NUMBER:
            values.append(value)
        elif kind is Kind.OPEN:
            operators.append(value)
        elif kind == Kind.CLOSE:
            while operators[-1] != 40:
                apply(operators.pop(), values)
            operators.pop()
        else:
            while operators and precedence(operators[-1]) >= precedence(value):
                apply(operators.pop(), values)
            operators.append(value)
    while operators:
        apply(operators.pop(), values)
    (result,) = values
    return result


def program(lines):
    results = []
    for line in lines:
        try:
            results.append(evaluate(line))
        except ZeroDivisionError:
            results.append(-1)
        except (IndexError, ValueError):
            results.append(-2)
        except SyntaxError:
            results.append(-3)
    return results


def arguments(size):
    texts = [
        "1 + 2 * 3",
        "(4 + 5) * 67 - 8 % 3",
        "7 / (3 - 3)",
        "1 +",
        "(2",
        "2 & 3",
        "1 2",
        "9 * 9 * 9",
    ]
    lines = [texts[k % len(texts)].encode() for k in range(2 * size)]
    return ([np.frombuffer(line, dtype=np.uint8) for line in lines],)
