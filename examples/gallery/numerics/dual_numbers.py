"""Derivatives by dual numbers, and Newton's method on top of them.

Source: Griewank and Walther, "Evaluating Derivatives", chapter 3.
"""

import math


class Dual:
    __slots__ = ("eps", "re")

    def __init__(self, re, eps=0.0):
        self.re = re
        self.eps = eps

    @staticmethod
    def lift(x):
        return x if isinstance(x, Dual) else Dual(x)

    def __add__(self, other):
        other = Dual.lift(other)
        return Dual(self.re + other.re, self.eps + other.eps)

    __radd__ = __add__

    def __neg__(self):
        return Dual(-self.re, -self.eps)

    def __sub__(self, other):
        return self + -Dual.lift(other)

    def __rsub__(self, other):
        return Dual.lift(other) - self

    def __mul__(self, other):
        other = Dual.lift(other)
        return Dual(self.re * other.re, self.re * other.eps + self.eps * other.re)

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = Dual.lift(other)
        return Dual(
            self.re / other.re, (self.eps * other.re - self.re * other.eps) / (other.re * other.re)
        )

    def __pow__(self, n):
        return Dual(self.re**n, n * self.re ** (n - 1) * self.eps)

    def __repr__(self):
        return f"{self.re:.4f} + {self.eps:.4f}e"


def sin(x):
    if isinstance(x, Dual):
        return Dual(math.sin(x.re), math.cos(x.re) * x.eps)
    return math.sin(x)


def f(x):
    return x**3 - 2 * x + sin(x) / (1 + x * x) - 0.5


def newton(f, x, tol=1e-12):
    history = [x]
    for _ in range(50):
        y = f(Dual(x, 1.0))
        if abs(y.re) < tol:
            break
        x -= y.re / y.eps
        history.append(x)
    return x, history


def program(starts):
    roots = []
    shown = []
    for start in starts:
        root, history = newton(f, start)
        if not any(abs(root - r) < 1e-8 for r in roots):
            roots.append(root)
        shown.append(repr(f(Dual(start, 1.0))) + f" ({len(history)} steps)")
    return sorted(roots), shown, f(1.25)


def arguments(size):
    return ([-2.0 + 4.0 * k / size for k in range(size + 1)],)
