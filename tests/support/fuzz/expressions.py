"""Random expressions.

In: the names that can be read, by kind. Out: the text of an expression of a kind: ``int``,
``float``, ``bool``, ``array`` (float64, one dimension), ``matrix``, ``integers`` (an int64 array).
No expression makes a number or an array grow faster than by a constant a time. A kind is what a
value is meant to be: where paths meet, a ``float`` may well be an int or a NumPy scalar.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator, Sequence

Make = Callable[[int], str]


class Expressions:
    """Writes expressions over ``names``."""

    def __init__(self, rng: random.Random, features: frozenset[str]) -> None:
        self.rng = rng
        self.features = features
        self.names: dict[str, list[str]] = {}
        self.functions: list[str] = []
        """Calls that give an int, with braces for ints."""
        self._pure = 0

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def has(self, *features: str) -> bool:
        return all(feature in self.features for feature in features)

    def pick(self, choices: str) -> str:
        return self.rng.choice(choices.split())

    def name(self, kind: str) -> str:
        return self.rng.choice(self.names[kind])

    @contextlib.contextmanager
    def local(self, kind: str, *names: str, pure: bool = True) -> Iterator[None]:
        """Names that can be read for a while; if ``pure``, no expression binds or changes one."""
        before = self.names[kind]
        self.names[kind] = [*before, *names, *names]
        self._pure += pure
        try:
            yield
        finally:
            self.names[kind] = before
            self._pure -= pure

    def _one_of(self, makers: Sequence[tuple[float, Make]], depth: int) -> str:
        (chosen,) = self.rng.choices(
            [make for _, make in makers], weights=[weight for weight, _ in makers]
        )
        return chosen(depth - 1)

    # --- ints -------------------------------------------------------------------------------------

    def integer(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.3):
            return self._int_leaf()
        makers: list[tuple[float, Make]] = [
            (5, self._int_operator),
            (1, lambda d: f"({self.integer(d)} if {self.condition(d)} else {self.integer(d)})"),
            (0.7, lambda d: f"({self.integer(d)} {self.pick('and or')} {self.integer(d)})"),
            (1.5, self._int_of_builtin),
        ]
        if self.functions:
            makers.append((2.5, self._call))
        if self.has("walrus") and not self._pure:
            makers.append((1.5, lambda d: f"({self.name('int')} := {self.integer(d)})"))
        for feature, make in (
            ("lists", self._int_of_list),
            ("dicts", self._int_of_dict),
            ("objects", self._int_of_object),
            ("tuples", self._int_of_tuple),
            ("comprehensions", self._int_of_generator),
            ("numbers", self._int_of_number),
            ("strings", lambda _: f"len({self.name('str')})"),
        ):
            if self.has(feature):
                makers.append((1.5, make))
        return self._one_of(makers, depth)

    def _int_leaf(self) -> str:
        return self.rng.choice([self.name("int"), self.name("int"), str(self.rng.randint(-4, 9))])

    def _int_operator(self, depth: int) -> str:
        op = self.pick("+ - + - // % * & >>")
        left, right = self.integer(depth), self.integer(depth)
        if op == "*":  # a product is kept small: a loop would square it
            return f"({left} * {right} % 97)"
        return f"({left} >> {right} % 5)" if op == ">>" else f"({left} {op} {right})"

    def _int_of_builtin(self, depth: int) -> str:
        texts = [
            "len({x})",
            "{x}.shape[0]",
            "abs({i})",
            "-{i}",
            "min({i}, {j})",
            "max({i}, {j}, 0)",
        ]
        texts += ["{x}.size", "int({i} > {j})", "divmod({i}, 5)[1]", "pow({i}, 2, 13)"]
        return self.rng.choice(texts).format(
            x=self.name("array"), i=self.integer(depth), j=self.integer(depth)
        )

    def _call(self, depth: int) -> str:
        call = self.rng.choice(self.functions)
        return call.format(*(self.integer(depth) for _ in range(call.count("{}"))))

    def _int_of_list(self, depth: int) -> str:
        texts = ["len({n})", "{n}[{i} % 3]", "{n}[-1]", "sum({n})", "{n}.count({i})"]
        texts += ["({i} in {n})", "max({n})", "len({n}[1:])", "(sorted({n})[0])", "len({n} + [1])"]
        if not self._pure:
            texts += ["{n}.pop()", "{n}.index({i})"]
        return self.rng.choice(texts).format(n=self.name("list"), i=self.integer(depth))

    def _int_of_dict(self, depth: int) -> str:
        texts = ["{d}['n']", "{d}.get('q', {i})", "len({d})", "{d}['q']", "sum({d}.values())"]
        texts += ["('q' in {d})"]
        if not self._pure:
            texts += ["{d}.pop('q', {i})", "{d}.setdefault('q', {i})"]
        return self.rng.choice(texts).format(d=self.name("dict"), i=self.integer(depth))

    def _int_of_object(self, depth: int) -> str:
        texts = ["{o}.n", "{o}.peek({i})", "{o}.twice", "len({o}.items)", "{o}(3)", "{o}[{i}]"]
        if not self._pure:
            texts += ["{o}.add({i})", "{o}.add()"]
        return self.rng.choice(texts).format(o=self.name("object"), i=self.integer(depth))

    def _int_of_tuple(self, depth: int) -> str:
        texts = ["{t}[0]", "len({t})", "{t}[-2]", "({i}, {j})[{t}[0] > 2]", "max({t}[0], {i})"]
        texts += ["({t} > ({i}, 0.5))"]
        return self.rng.choice(texts).format(
            t=self.name("tuple"), i=self.integer(depth), j=self.integer(depth)
        )

    def _int_of_generator(self, depth: int) -> str:
        with self.local("int", "e"):
            item, condition = self.integer(depth), self.condition(0)
        over = self.rng.choice(["range({i} % 5)", "(1, {i}, 3)", "range(3)"]).format(
            i=self.integer(0)
        )
        texts = ["sum({item} for e in {over})", "len([{item} for e in {over} if {condition}])"]
        texts += ["any({condition} for e in {over})", "max([{item} for e in {over}], default=0)"]
        texts += ["sum([{item} for e in {over} if {condition}], 1)"]
        return self.rng.choice(texts).format(item=item, over=over, condition=condition)

    def _int_of_number(self, depth: int) -> str:
        texts = [
            "int({f})",
            "int({v}[{i} % 2])",
            "int({v}.sum())",
            "round({f})",
            "(5 if {g} else 2)",
        ]
        texts += ["({g} + {i})", "int({v}.argmax())", "np.count_nonzero({v})", "int({i} / 2)"]
        return self.rng.choice(texts).format(
            f=self.number(depth),
            v=self.name("integers"),
            i=self.integer(depth),
            g=self.name("bool"),
        )

    # --- floats and other numbers -----------------------------------------------------------------

    def number(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.35):
            return self.rng.choice([self.name("float"), self.name("float"), "1.5", "-0.25", "2.0"])
        makers: list[tuple[float, Make]] = [
            (4, lambda d: f"({self.number(d)} {self.pick('+ - * /')} {self.number(d)})"),
            (1.5, lambda d: f"({self.number(d)} {self.pick('* + -')} {self.integer(d)})"),
            (2.5, self._float_of_array),
            (0.7, lambda d: f"({self.number(d)} if {self.condition(d)} else {self.number(d)})"),
        ]
        for feature, make in (
            ("numbers", self._float_of_number),
            ("objects", lambda _: f"{self.name('object')}.w"),
            ("tuples", lambda _: f"{self.name('tuple')}[1]"),
        ):
            if self.has(feature):
                makers.append((1.5, make))
        return self._one_of(makers, depth)

    def _float_of_array(self, depth: int) -> str:
        texts = ["{x}.sum()", "np.mean({x})", "({x} @ {x})", "{x}[{i} % 3]", "float({x}[-1])"]
        texts += ["np.max({x})", "{x}.min()", "np.dot({x}, {x})"]
        return self.rng.choice(texts).format(x=self.array(depth), i=self.integer(0))

    def _float_of_number(self, depth: int) -> str:
        texts = ["{w}.real", "abs({w})", "float({i})", "np.float64({f})", "np.sqrt({f})"]
        texts += ["math.sqrt(abs({f}))", "np.float32({f})", "round({f}, 1)", "({v}[0] * {f})"]
        texts += [
            "({i} ** 0.5)",
            "({f} // 1.5)",
            "({f} % 2.0)",
            "({v}[0] / {i})",
            "math.floor({f})",
        ]
        return self.rng.choice(texts).format(
            w=self.complex_number(depth),
            i=self.integer(depth),
            f=self.number(depth),
            v=self.name("integers"),
        )

    def complex_number(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.4):
            return self.name("complex")
        texts = ["({w} * {z})", "({w} + {f})", "{w}.conjugate()", "({w} - {i})", "complex({f}, 1)"]
        return self.rng.choice(texts).format(
            w=self.complex_number(depth - 1),
            z=self.complex_number(depth - 1),
            f=self.number(depth - 1),
            i=self.integer(depth - 1),
        )

    # --- arrays -----------------------------------------------------------------------------------

    def array(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.3):
            return self.name("array")
        makers: list[tuple[float, Make]] = [(4, self._array_operator), (4, self._array_of_array)]
        if self.has("views"):
            makers.append((2, self._array_of_matrix))
        if self.has("numbers"):
            makers.append((1, lambda _: f"({self.name('integers')} * 0.5)"))
        if self.has("lists"):
            makers.append((1, lambda _: f"np.array([float(e) for e in {self.name('list')}][:5])"))
        return self._one_of(makers, depth)

    def _array_operator(self, depth: int) -> str:
        other = self.rng.choice([self.array, self.number, self.integer])(depth)
        return f"({self.array(depth)} {self.pick('+ - *')} {other})"

    def _array_of_array(self, depth: int) -> str:
        texts = ["np.tanh({x})", "np.maximum({x}, 0.0)", "{x}[::-1]", "np.where({x} > 0, {x}, {f})"]
        texts += ["{x}.copy()", "{x}[1:]", "{x}[{i}:]", "np.clip({x}, -1.0, 1.0)", "abs({x})"]
        texts += ["np.concatenate([{x}, {n}])[:5]", "{x}.reshape(1, -1)[0]", "np.zeros_like({x})"]
        texts += [
            "np.stack(({x}, {x})).sum(axis=0)",
            "{x}[{x} > 0.25]",
            "{x}[:2]",
            "np.cumsum({x})",
        ]
        texts += ["{x}.astype(np.float64)", "np.sort({x})", "{x}[[0, -1]]", "np.zeros({i} % 4)"]
        texts += ["-{x}"]
        return self.rng.choice(texts).format(
            x=self.array(depth), n=self.name("array"), i=self.integer(0), f=self.number(0)
        )

    def _array_of_matrix(self, depth: int) -> str:
        texts = ["{m}[{i} % 2]", "{m}.sum(axis=0)", "{m}.T[0]", "{m}.ravel()[:5]", "{m}[:, 0]"]
        texts += ["({m} @ {m}.T)[0]", "{m}[-1, ::-1]", "np.diagonal({m})", "{m}.reshape(-1)[1:4]"]
        return self.rng.choice(texts).format(m=self.name("matrix"), i=self.integer(depth))

    def integers(self, depth: int) -> str:
        texts = ["({v} + {i} % 9)", "{v}[::-1]", "np.arange({i} % 4)", "{v}.copy()", "({v} * 2)"]
        texts += ["({v} % 5)", "({v} // {i})", "np.where({v} > 0, {v}, 1)", "({x} > 0).astype(int)"]
        return self.rng.choice(texts).format(
            v=self.name("integers"), i=self.integer(depth), x=self.array(0)
        )

    # --- conditions -------------------------------------------------------------------------------

    def condition(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.45):
            return f"{self.integer(0)} {self.pick('< <= > >= == !=')} {self.integer(0)}"
        makers: list[tuple[float, Make]] = [
            (2, lambda d: f"{self.condition(d)} {self.pick('and or')} {self.condition(d)}"),
            (1, lambda d: f"not ({self.condition(d)})"),
            (1.5, lambda d: f"{self.number(d)} > {self.number(0)}"),
            (1.5, self._condition_of_array),
        ]
        if self.has("walrus") and not self._pure:
            makers.append((1.5, lambda d: f"({self.name('int')} := {self.integer(d)}) > 1"))
        if self.has("lists"):
            makers.append((1, lambda d: f"{self.integer(d)} in {self.name('list')}"))
        if self.has("dicts"):
            makers.append((1, lambda _: f"'q' in {self.name('dict')}"))
        if self.has("types"):
            makers.append((1, lambda _: f"option {self.rng.choice(('is', 'is not'))} None"))
        return self._one_of(makers, depth)

    def _condition_of_array(self, depth: int) -> str:
        texts = ["{x}.sum() > 0", "{i}", "({x} > 0.5).any()", "-3 < {i} < {j}", "{x}[0] < {f}"]
        texts += ["len({x}) > 2", "not {i}", "np.all({x} == {x})"]
        return self.rng.choice(texts).format(
            x=self.array(depth), i=self.name("int"), j=self.name("int"), f=self.number(0)
        )
