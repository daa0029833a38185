"""Liveness, against examples and against a plain dataflow analysis over a control-flow graph."""

from __future__ import annotations

import random
import time
from typing import Any

import gast
import pytest

from staticpy.frontend.liveness import Liveness
from staticpy.frontend.resolve import resolve
from tests.frontend.helpers import tree_of


def live(text: str) -> dict[int, str]:
    """What is live after the statement of each line."""
    tree = tree_of(text)
    liveness = Liveness(resolve(tree))
    return {
        node.lineno: " ".join(sorted(liveness.after(node)))
        for node in gast.walk(tree)
        if isinstance(node, gast.stmt) and node is not tree and _is_own(tree, node)
    }


def _is_own(tree: Any, node: Any) -> bool:
    nested = [n for n in gast.walk(tree) if isinstance(n, gast.FunctionDef) and n is not tree]
    return not any(node in gast.walk(n) and node is not n for n in nested)


def heads(text: str) -> dict[int, str]:
    """What is live at the head of the loop of each line."""
    tree = tree_of(text)
    liveness = Liveness(resolve(tree))
    loops = [node for node in gast.walk(tree) if isinstance(node, gast.While | gast.For)]
    return {node.lineno: " ".join(sorted(liveness.at_head(node))) for node in loops}


STRAIGHT = """def f(a, b):
    c = a
    a = b
    d = 1
    c += a
    return c
"""


def test_straight_line() -> None:
    assert live(STRAIGHT) == {2: "b c", 3: "a c", 4: "a c", 5: "c", 6: ""}


BRANCH = """def f(a, b):
    if a:
        c = b
    else:
        return a
    d = c
    return d if b else b
"""


def test_branches() -> None:
    assert live(BRANCH) == {2: "b c", 3: "b c", 5: "", 6: "b d", 7: ""}


LOOP = """def f(n):
    x = y = 0
    while n < 3:
        t = x * 2
        x = t + n
        y = x
    return y
"""


def test_loop() -> None:
    assert live(LOOP) == {2: "n x y", 3: "y", 4: "n t y", 5: "n x y", 6: "n x y", 7: ""} | {
        4: "n t",
        5: "n x",
    }
    assert heads(LOOP) == {3: "n x y"}


EXITS = """def f(n, xs):
    y = z = w = 0
    for x in xs:
        if x:
            y = x
            break
        if n:
            z = x
            continue
        y = z = 1
        w = x
    return y, w
"""


def test_exits_are_live_after_the_statement_that_holds_them() -> None:
    found = live(EXITS)
    assert found[4] == "n w x y"  # y for the break, though the next statement kills it
    assert found[7] == "n w x y"
    assert found[5] == "w y"
    assert found[8] == "n w y"
    assert found[3] == "w y"
    assert heads(EXITS) == {3: "n w y"}


ENDLESS = """def f(x):
    y = 0
    while True:
        y = x
        if x:
            break
    return y
"""


def test_an_endless_loop_ends_by_break_only() -> None:
    assert live(ENDLESS)[2] == "x"
    assert live(ENDLESS)[4] == "x y"


CLOSURE = """def f(xs):
    a = b = c = 1
    d = a
    for x in xs:
        e = x
        g = lambda: b + x
        b = 2
        h = g()
    a = 3
    return h
"""


def test_captured_variables_live_on() -> None:
    found = live(CLOSURE)
    assert found[2] == "a b h xs"
    assert found[3] == "b h xs"
    assert found[5] == "b x"
    assert found[7] == "b g x"
    assert found[9] == "b h x"
    assert found[10] == "b x"
    assert heads(CLOSURE) == {4: "b h x"}


def test_a_nested_function_reads_where_it_is_defined() -> None:
    text = (
        "def f(a):\n    b = a\n    def g(c=b):\n        d = a + e\n        return d\n    return g\n"
    )
    assert live(text) == {2: "a b e", 3: "a g", 6: "a"}


def test_an_annotation_reads_nothing() -> None:
    assert live("def f(a):\n    x: b = a\n    return x\n") == {2: "x", 3: ""}


def test_a_lambda_has_no_statements() -> None:
    liveness = Liveness(resolve(tree_of("g = lambda x: x")))
    with pytest.raises(KeyError):
        liveness.after(None)


def test_deep_loops_take_linear_time() -> None:
    lines = ["def f(a, b):"]
    lines += ["    " * depth + "for i in a:" for depth in range(1, 20)]
    lines += ["    " * 20 + "b = b + i", "    return b"]
    start = time.perf_counter()
    assert set(heads("\n".join(lines)).values()) == {"a b"}
    assert time.perf_counter() - start < 5


# --- against a control-flow graph -----------------------------------------------------------------


class Graph:
    """The control-flow graph of a function: for each node what it reads, writes and leads to."""

    def __init__(self, tree: Any) -> None:
        self.nodes: list[tuple[set[str], set[str], list[int]]] = []
        self.start_of: dict[Any, int] = {}
        self.exits_of: dict[Any, list[int]] = {}
        self._end = self._node(set(), set(), [])
        self._block(tree.body, self._end, None, None)
        self.live = self._solve()

    def _node(self, reads: set[str], writes: set[str], successors: list[int]) -> int:
        self.nodes.append((reads, writes, successors))
        return len(self.nodes) - 1

    def _block(self, body: list[Any], next_: int, break_: int | None, continue_: int | None) -> int:
        for statement in reversed(body):
            ends = [] if _leaves(statement) else [next_]
            self.exits_of[statement] = [*ends, *self._jumps(statement, break_, continue_)]
            next_ = self._statement(statement, next_, break_, continue_)
            self.start_of[statement] = next_
        return next_

    def _jumps(self, node: Any, break_: int | None, continue_: int | None) -> list[int]:
        """The targets of the reachable jumps that leave ``node``."""
        targets = []
        pending = [node]
        while pending:
            item = pending.pop()
            if isinstance(item, gast.Break) and break_ is not None:
                targets.append(break_)
            elif isinstance(item, gast.Continue) and continue_ is not None:
                targets.append(continue_)
            elif isinstance(item, gast.If):
                pending += _reachable(item.body) + _reachable(item.orelse)
        return targets

    def _statement(self, node: Any, next_: int, break_: int | None, continue_: int | None) -> int:
        if isinstance(node, gast.If):
            then = self._block(node.body, next_, break_, continue_)
            orelse = self._block(node.orelse, next_, break_, continue_)
            return self._node(_names(node.test, gast.Load), set(), [then, orelse])
        if isinstance(node, gast.While):
            endless = isinstance(node.test, gast.Constant)
            head = self._node(_names(node.test, gast.Load), set(), [] if endless else [next_])
            self.nodes[head][2].append(self._block(node.body, head, next_, head))
            return head
        if isinstance(node, gast.For):
            head = self._node(set(), set(), [next_])
            body = self._block(node.body, head, next_, head)
            target = self._node(set(), _names(node.target, gast.Store), [body])
            self.nodes[head][2].append(target)
            self.start_of[node, "head"] = head
            return self._node(_names(node.iter, gast.Load), set(), [head])
        if isinstance(node, gast.Break):
            assert break_ is not None
            return self._node(set(), set(), [break_])
        if isinstance(node, gast.Continue):
            assert continue_ is not None
            return self._node(set(), set(), [continue_])
        ways = [] if isinstance(node, gast.Return) else [next_]
        return self._node(_names(node, gast.Load), _names(node, gast.Store), ways)

    def _solve(self) -> list[set[str]]:
        live: list[set[str]] = [set() for _ in self.nodes]
        changed = True
        while changed:
            changed = False
            for index, (reads, writes, successors) in enumerate(self.nodes):
                after = set().union(*(live[successor] for successor in successors))
                before = reads | (after - writes)
                changed |= before != live[index]
                live[index] = before
        return live


def _reachable(body: list[Any]) -> list[Any]:
    """The statements up to the first after which nothing runs."""
    for position, node in enumerate(body):
        if _leaves(node):
            return body[: position + 1]
    return body


def _leaves(node: Any) -> bool:
    if isinstance(node, gast.If):
        return any(map(_leaves, node.body)) and any(map(_leaves, node.orelse))
    if isinstance(node, gast.While) and isinstance(node.test, gast.Constant):
        return not any(map(_breaks, _reachable(node.body)))
    return isinstance(node, gast.Break | gast.Continue | gast.Return)


def _breaks(node: Any) -> bool:
    if isinstance(node, gast.If):
        return any(map(_breaks, _reachable(node.body) + _reachable(node.orelse)))
    return isinstance(node, gast.Break)


def _names(node: Any, context: type) -> set[str]:
    return {
        item.id
        for item in gast.walk(node)
        if isinstance(item, gast.Name) and isinstance(item.ctx, context)
    }


class Programs:
    """Makes random programs."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def program(self) -> str:
        return "\n".join(["def f(a, b):", *self._block(1, in_loop=False)]) + "\n"

    def _name(self) -> str:
        return self._random.choice("abcde")

    def _block(self, depth: int, *, in_loop: bool) -> list[str]:
        count = self._random.randint(1, 4)
        return [line for _ in range(count) for line in self._statement(depth, in_loop=in_loop)]

    def _statement(self, depth: int, *, in_loop: bool) -> list[str]:
        indent = "    " * depth
        kinds = ["assign"] * 4 + ["return"] + (["break", "continue"] * 2 if in_loop else [])
        kinds += ["if", "if", "while", "for", "endless"] if depth < 5 else []
        match self._random.choice(kinds):
            case "assign":
                return [f"{indent}{self._name()} = {self._name()} + {self._name()}"]
            case "return":
                return [f"{indent}return {self._name()}"]
            case "if":
                then = self._block(depth + 1, in_loop=in_loop)
                lines = [f"{indent}if {self._name()}:", *then]
                if self._random.random() < 0.5:
                    lines += [f"{indent}else:", *self._block(depth + 1, in_loop=in_loop)]
                return lines
            case "while":
                return [f"{indent}while {self._name()}:", *self._block(depth + 1, in_loop=True)]
            case "for":
                head = f"{indent}for {self._name()} in {self._name()}:"
                return [head, *self._block(depth + 1, in_loop=True)]
            case "endless":
                return [f"{indent}while True:", *self._block(depth + 1, in_loop=True)]
            case jump:
                return [indent + jump]


@pytest.mark.parametrize("seed", range(300))
def test_random_programs(seed: int) -> None:
    text = Programs(seed).program()
    tree = tree_of(text)
    graph, liveness = Graph(tree), Liveness(resolve(tree))
    for node, exits in graph.exits_of.items():
        if not _can_end(tree, node):
            continue
        expected = set().union(*(graph.live[item] for item in exits))
        assert set(liveness.after(node)) == expected, (text, node.lineno)
        if isinstance(node, gast.While | gast.For):
            head = graph.start_of.get((node, "head"), graph.start_of[node])
            assert set(liveness.at_head(node)) == graph.live[head] | expected, (text, node.lineno)


def _can_end(tree: Any, node: Any) -> bool:
    """Whether ``node`` can be reached: what is live in dead code doesn't matter."""
    pending = [tree.body]
    while pending:
        body = _reachable(pending.pop())
        if node in body:
            return True
        for item in body:
            pending.extend(getattr(item, field, None) or [] for field in ("body", "orelse"))
    return False
