"""Programs in which one value has several names, for a time or on some paths."""

from __future__ import annotations

import numpy as np


def begins_as_one(x, n):
    guess = x
    for _ in range(n):
        guess = (guess + x / guess) / 2
    return guess


def maybe_no_round(x, n):
    y = x
    for _ in range(n):
        y = y * 0.5
    return y * y * y + np.sin(x) * x


def begins_as_one_in_while(x, n):
    guess = x
    while n > 0:
        guess = (guess + x / guess) / 2 + np.sin(guess) * x
        n -= 1
    return guess


def goes_on_as_one(x, n):
    p, r, s = x * 1.5, x * 0.5, 0.0
    for _ in range(n):
        s = s + np.sin(p) * r * p + r * p * p
        r = r - s * 0.1
        p = r
    return s * r * p + np.sin(p) * r


def is_overwritten_at_once(x, n):
    y, s = x * 2.0, x * 0.5
    if n > 1:
        for _ in range(n):
            s = s + 0.2  # begins as one with what is before the branch, and flows nowhere
            y = y * x
            s = y * y
    s = s + s * 0.2
    return s * x + y


def always_one(x, n):
    a = b = x
    s = 0.0
    for _ in range(n):
        s = s + a * np.sin(b) * b * a
        c = np.cos(s) * x
        a = c
        b = c
    return s + a * b * np.sin(a)


def registers(x, n):
    x1 = x2 = y1 = y2 = 0.0
    s = 0.0
    for i in range(n):
        v = x * (i + 1)
        y = 0.3 * v + x1 * 0.2 + x2 * np.sin(x2) + y1 * y1 * y2 * 0.1
        x2, x1 = x1, v
        y2, y1 = y1, v
        s = s + y * y
    return s


def stops_early(x, n):
    guess = x
    for i in range(10):
        new = (guess + x / guess) / 2
        if i == n:
            break
        guess = new
    return guess * x


def leaves_a_for(x, n):
    guess = x
    for i in range(4):
        if i >= n:
            break
        guess = (guess + x / guess) / 2
    return guess * np.sin(x)


def leaves_a_while(x, n):
    guess, i = x, 0
    while True:
        if i >= n:
            break
        guess = (guess + x / guess) / 2 + np.sin(guess) * x
        i += 1
    return guess


def is_done(x, n):
    guess, i, done = x, 0, False
    while i < 3 and not done:
        guess = (guess + x / guess) / 2 + guess * x
        done = i >= n
        i += 1
        if done:
            guess = guess * guess * x
    return guess * x


def returns_from_a_loop(x, n):
    guess = x
    for i in range(4):
        guess = (guess + x / guess) / 2
        if i == n:
            return guess * np.sin(guess) * x
    return guess * x


def leaves_an_inner_loop(x, n):
    guess, s = x, 0.0
    for i in range(n):
        for j in range(3):
            guess = (guess + x / guess) / 2
            if j == i:
                s = s + guess * x
                break
        s = s + guess * np.sin(x)
    return s * guess


def in_nested_ranges(x, n):
    guess = x
    for _ in range(n):
        for _ in range(3):
            guess = (guess + x / guess) / 2 + x * np.sin(guess)
    return guess


def in_an_empty_range(x, n):
    guess = x
    for _ in range(n):
        y = guess
        for _ in range(0):
            y = (y + x / y) / 2
        guess = (guess + y * x) / 3 + y * np.sin(guess)
    return guess


def in_nested_loops(x, n):
    g = x
    for _ in range(n):
        h = g
        for _ in range(n):
            h = (h + g / h + x / h) / 2
        g = (g + x / h) / 2 + h * x
    return g


def in_a_branch(x, n):
    y = x
    if n > 2:
        y = -x
    return y * y * y + x * np.sin(x)


def in_a_branch_in_a_loop(x, n):
    s = 0.0
    for i in range(n):
        y = x
        if i % 2:
            y = -x
        s = s + y * np.sin(y) * x
    return s


def read_in_a_loop(x, n):
    y = x
    if n > 1:
        y = np.sin(x)
    s = 0.0
    for _ in range(3):
        s = s + y * x * np.sin(y * x) + y
    return s * y


def handed_to_calls(x, n):
    def f(a, b, k):
        middle = (a + b) / 2
        if k == 0:
            return middle * middle * np.sin(a) * b
        return f(a, middle, k - 1) + f(middle, b, k - 1) * middle

    return f(x, x * 2, n)


def handed_on(x, n):
    def f(x, k):
        return x if k == 0 else x * np.sin(f(x, k - 1))

    return f(x, n)


PROGRAMS = [
    each for each in list(globals().values()) if getattr(each, "__module__", "") == __name__
]
