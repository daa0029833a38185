"""Random statements that contain others.

In: an ``Expressions``. Out: the lines of a block. Every loop has a bound of its own, so that a
program always ends; it may well raise, and CPython decides what is right.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.support.fuzz import lines
from tests.support.fuzz.expressions import Expressions

MAX_DEPTH = 4
MAX_LOOPS = 2
SIMPLE: dict[str, Callable[[Expressions], list[str]]] = {
    "mutation": lines.mutation,
    "views": lines.view,
    "lists": lines.list_statement,
    "dicts": lines.dict_statement,
    "objects": lines.object_statement,
    "tuples": lines.tuple_statement,
    "comprehensions": lines.comprehension_statement,
    "print": lines.print_statement,
    "strings": lines.string_statement,
    "types": lines.type_statement,
}


class Statements:
    """Writes the body of a function, line by line."""

    def __init__(self, expressions: Expressions, budget: int, results: list[str]) -> None:
        self.e = expressions
        self.lines: list[str] = []
        self._budget = budget
        self._results = results
        self._names = 0
        self._depth = 0
        self._loops = 0
        self._in_loop = False
        self._hidden = 0
        """How many ``finally`` stand around: no ``return`` there."""

    def line(self, text: str) -> None:
        self.lines.append("    " * self._depth + text)

    def body(self, length: int) -> None:
        """A block one level deeper."""
        self._depth += 1
        for _ in range(length):
            self.statement()
        self._depth -= 1

    def _lines(self, texts: list[str]) -> None:
        for text in texts:
            self.line(text)

    def _fresh(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    def result(self) -> str:
        """What a ``return`` gives."""
        if self.e.has("types") and self.e.chance(0.2):
            return self.e.rng.choice([*self._results, "None", "option", "x", "k"])
        return self._results[0]

    # --- which one --------------------------------------------------------------------------------

    def statement(self) -> None:
        self._budget -= 1
        simple = [self._simple] * 5
        nested: list[Callable[[], None]] = []
        if self._depth <= MAX_DEPTH and self._budget > 0:
            nested = self._nested()
        if self._in_loop and self.e.has("exits"):
            simple.append(self._exit)
        if self.e.has("exceptions"):
            simple.append(lambda: self._lines(lines.raising(self.e)))
        self.e.rng.choice(simple + nested)()

    def _nested(self) -> list[Callable[[], None]]:
        found: list[Callable[[], None]] = []
        if self.e.has("branches"):
            found += [self._if, self._if]
        if self.e.has("loops") and self._loops < MAX_LOOPS:
            found += [self._while, self._for, self._for, self._for_items]
        if self.e.has("closures"):
            found += [self._closure, self._closure]
        if self.e.has("exceptions"):
            found += [self._try, self._try]
        if self.e.has("match"):
            found += [self._match, self._match]
        if self.e.has("generators"):
            found.append(self._for_generator)
        return found

    def _simple(self) -> None:
        makers = [make for feature, make in SIMPLE.items() if self.e.has(feature)]
        make = lines.assignment
        if makers and self.e.chance(0.6):
            make = self.e.rng.choice(makers)
        self._lines(make(self.e))

    def _exit(self) -> None:
        self.line(f"if {self.e.condition(1)}:")
        kind = self.e.pick("break continue return")
        result = f"return {self.result()}"
        if kind == "return" and self._hidden:
            kind = "break"
        self.line(f"    {result if kind == 'return' else kind}")

    # --- branches ---------------------------------------------------------------------------------

    def _if(self) -> None:
        self.line(f"if {self.e.condition(2)}:")
        self.body(self.e.rng.randint(1, 2))
        if self.e.chance(0.3):
            self.line(f"elif {self.e.condition(1)}:")
            self.body(1)
        if self.e.chance(0.1) and not self._hidden and self.e.has("exits"):
            self._depth += 1
            self.line(f"return {self.result()}")
            self._depth -= 1
        if self.e.chance(0.6):
            self.line("else:")
            self.body(self.e.rng.randint(1, 2))

    def _match(self) -> None:
        self.line(f"match {self.e.integer(1)} % 5:")
        self._depth += 1
        for pattern in self.e.rng.sample(["0", "1 | 2", "3", "n if n > 2"], 2):
            self.line(f"case {pattern}:")
            self.body(1)
        if self.e.chance(0.7):
            self.line(f"case {self.e.pick('_ other')}:")
            self.body(1)
        self._depth -= 1

    # --- loops ------------------------------------------------------------------------------------

    def _loop(self, length: int, first: str = "") -> None:
        """The body of a loop whose header is written, and perhaps its ``else``."""
        outside, self._in_loop = self._in_loop, True
        self._loops += 1
        if first:
            self.line(f"    {first}")
        self.body(length)
        self._loops -= 1
        self._in_loop = outside
        if self.e.chance(0.12):
            self.line("else:")
            self.body(1)

    def _while(self) -> None:
        counter, bound = self._fresh("fuel"), self.e.rng.randint(1, 4)
        self.line(f"{counter} = {bound}")
        if self.e.has("exits") and self.e.chance(0.2):
            self.line("while True:")
            self.line(f"    if {counter} <= 0 or {self.e.condition(1)}:")
            self.line("        break")
        else:
            self.line(f"while {counter} > 0 and ({self.e.condition(1)}):")
        self._loop(self.e.rng.randint(1, 3), f"{counter} -= 1")

    def _for(self) -> None:
        bounds = ["3", "{k} % 4", "{i} % 3, 5", "4, 0, -2", "{k} % 5", "len({x}[:4])"]
        text = self.e.rng.choice(bounds).format(
            k=self.e.name("int"), i=self.e.name("int"), x=self.e.name("array")
        )
        target = self.e.rng.choice(["k", "m", "t"])
        with self.e.local("int", *([target] if target == "t" else []), pure=False):
            self.line(f"for {target} in range({text}):")
            self._loop(self.e.rng.randint(1, 3))

    def _for_items(self) -> None:
        e = self.e
        x, y = e.name("array"), e.name("array")
        headers = [f"for f in {x}[:4]:", f"for t, f in enumerate({x}[:4]):"]
        headers += [
            f"for f, g in zip({x}[:4], {y}):",
            f"for t, f in enumerate(({e.number(0)}, 0.5)):",
        ]
        bodies = ["c = c * 0.5 + f"]
        if e.chance(0.3):
            headers = ["for t in (1, 2, i):", "for t in reversed(range(3)):", "for t in [i, j]:"]
            bodies = ["m = m + t"]
        elif e.has("lists") and e.chance(0.6):
            headers = [f"for t in {e.name('list')}[:4]:", f"for t in list({e.name('list')})[:4]:"]
            headers += [f"for t, u in zip({e.name('list')}[:4], {e.name('list')}):"]
            bodies = ["m = m + t"]
        elif e.has("dicts") and e.chance(0.6):
            headers = [f"for key, t in {e.name('dict')}.items():"]
            bodies = ["m = m + t", "b = t * 0.5"]
            self._lines([e.rng.choice(headers), f"    {e.rng.choice(bodies)}"])
            return
        elif e.has("views") and e.chance(0.6):
            headers = [f"for row in {e.name('matrix')}:"]
            bodies = ["c = c + row[0]", "row[0] = b", "row *= 2.0"]
        self.line(e.rng.choice(headers))
        self._loop(e.rng.randint(0, 2), e.rng.choice(bodies))

    def _for_generator(self) -> None:
        texts = [f"for t in numbers({self.e.name('int')} % 4):"]
        texts += [f"for t in pairs({self.e.name('array')}[:3]):"]
        header = self.e.rng.choice(texts)
        if self.e.chance(0.4) or self._loops >= MAX_LOOPS:
            self.line(f"m = sum(numbers({self.e.name('int')} % 4))")
            return
        self.line(header)
        first = "m = m + t" if "numbers" in header else "b = b + t"
        self._loop(self.e.rng.randint(0, 2), first)

    # --- functions and exceptions -----------------------------------------------------------------

    def _closure(self) -> None:
        e, name = self.e, self._fresh("inner")
        kind = e.rng.randrange(4)
        if kind == 0:
            self.line(f"def {name}(p, q={e.integer(0)}):")
            self.line(f"    return p {e.pick('+ - *')} {e.name('int')} + q")
        elif kind == 1:
            written = e.name("int")
            self.line(f"def {name}(p):")
            self._lines([f"    nonlocal {written}", f"    {written} += p", "    return p - 1"])
        elif kind == 2:
            self.line(f"{name} = lambda p: p {e.pick('+ - *')} {e.name('int')}")
        else:
            with e.local("int", "p"):
                self._lines([f"def {name}(p):", f"    if {e.condition(0)}:"])
                self._lines([f"        return {e.integer(1)}", f"    return {e.integer(1)}"])
        if e.chance(0.5):
            self._lines(lines.assignment(e))
        calls = [f"{name}({e.integer(1)})", f"{name}({name}({e.integer(0)}))", f"apply({name}, 2)"]
        self.line(f"{e.name('int')} = {e.rng.choice(calls)} % 97")

    def _try(self) -> None:
        e = self.e
        self.line("try:")
        self.body(e.rng.randint(1, 2))
        if e.chance(0.6):
            self.line(f"    {e.rng.choice(self._failing())}")
        handlers = ["IndexError", "(ValueError, ZeroDivisionError)", "Exception", "Failure"]
        handlers += ["ZeroDivisionError as error", "KeyError as error", "ArithmeticError"]
        for kind in e.rng.sample(handlers, e.rng.choice([1, 1, 2])):
            self.line(f"except {kind}:")
            self.body(1)
        if e.chance(0.2):
            self.line("else:")
            self.body(1)
        if e.chance(0.2):
            self._hidden += 1
            self.line("finally:")
            outside, self._in_loop = self._in_loop, False
            self.body(1)
            self._in_loop = outside
            self._hidden -= 1

    def _failing(self) -> list[str]:
        e = self.e
        texts = [f"{e.name('int')} = {e.integer(0)} // {e.integer(0)}", f"b = x[{e.integer(0)}]"]
        texts += [f"raise ValueError({e.integer(0)})", f"raise Failure({e.integer(0)})"]
        texts += [f"c = {e.name('array')}[0] + 1 / {e.name('int')}", "x = x + y", "m = int(b)"]
        return texts
