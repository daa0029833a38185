"""The printer: text that parses back to the same tree, with no parentheses that nobody needs."""

from __future__ import annotations

import ast

import pytest

from staticpy.backends.python_source.printer import print_tree
from staticpy.diagnostics import DiagnosticError, catalog

STATEMENTS = [
    "y = (w + x) * (w + 1)",
    "y = w + x + 1 - (a - b)",
    "y = a - (b - c) - d",
    "y = a ** b ** c",
    "y = (a ** b) ** c",
    "y = (-a) ** 2",
    "y = -a ** 2",
    "y = a ** -b",
    "y = -(a + b) * ~c",
    "y = not a",
    "y = (not a) + b",
    "y = not a == b",
    "y = a < b <= c",
    "y = (a < b) < c",
    "y = a < b and b < c or not d",
    "y = (a or b) and c",
    "y = a and (b and c)",
    "y = a if b else c if d else e",
    "y = (a if b else c) if d else e",
    "y = a if (b if c else d) else e",
    "y = (a if b else c) + d",
    "y = a | b ^ c & d << e",
    "y = (a | b) & c",
    "y = x @ w + b",
    "y = x[1:, None]",
    "y = x[::2, ..., -1]",
    "y = x[()]",
    "y = x[a,]",
    "y = x[(a, b), c]",
    "y = x[a + b:c if d else e:2]",
    "y = x[i].T.shape[0]",
    "y = (x + y).sum(axis=0, keepdims=True)",
    "y = (2).real",
    "y = (2.5).imag",
    "y = (-x)[0]",
    "y = f((a, b), [c, d], *[])",
    "a, b = b, a",
    "a, = x",
    "() = x",
    "y += a * b",
    "x[0] **= 2",
    "return a, b",
    "return ()",
    "return",
    "del a, b",
    "raise ValueError('a', \"b'c\", x)",
    "y = 'é\\ud800\\n'",
    "y = 1e999, -1e999, 2j, 1.5 + 2j, 0.1, 1e-320",
    "y = (a, (b,), ())",
    "y = True, None, ...",
]
BLOCKS = [
    "while True:\n    if a:\n        break\n    elif b:\n        continue\n    else:\n        pass",
    "for i in range(1, n, -1):\n    x = x + i",
    "for _ in range(n):\n    for j in range(i):\n        return j",
    "while a < b and not c:\n    a = a + 1",
    "if not (a and b):\n    if c:\n        x = 1\nelse:\n    x = 2",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_statement(text: str) -> None:
    tree = ast.parse(f"def f(a, b):\n    {text}\n")
    printed, parsed = print_tree(tree)
    assert ast.dump(parsed) == ast.dump(tree)
    assert printed.count("(") <= text.count("(") + 1 + text.count("-1e")


@pytest.mark.parametrize("text", BLOCKS)
def test_block(text: str) -> None:
    indented = "\n".join(f"    {line}" for line in text.splitlines())
    source = f"def f(a, b):\n{indented}\n"
    assert print_tree(ast.parse(source))[0] == source


def test_a_tree_that_text_cannot_say_is_refused() -> None:
    tree = ast.Module([ast.Expr(ast.Constant(-1))], [])
    with pytest.raises(DiagnosticError) as caught:
        print_tree(tree)
    assert caught.value.spec is catalog.INTERNAL_ERROR
