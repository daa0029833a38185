"""Random statements that contain no others.

In: an ``Expressions``. Out: for each feature, the lines of one statement. A statement leaves every
name the kind that it had. A list grows by at most three items a time, so that loops bound it.
"""

from __future__ import annotations

from tests.support.fuzz.expressions import Expressions


def assignment(e: Expressions) -> list[str]:
    """A name gets a new value of its kind."""
    roll = e.rng.random()
    if roll < 0.4:
        return _int_assignment(e)
    if roll < 0.6:
        value = e.integer(1) if e.has("types") and e.chance(0.4) else e.number(2)
        return [f"{e.name('float')} {e.pick('= = = += *=')} {value}"]
    if roll < 0.72 and e.has("numbers"):
        return _number_assignment(e)
    return [f"{e.name('array')} = {e.array(2)}"]


def _int_assignment(e: Expressions) -> list[str]:
    target, other = e.name("int"), e.name("int")
    if e.chance(0.25):
        return [f"{target} {e.pick('+= -= //= %=')} {e.integer(1)}"]
    if e.chance(0.15):
        return [f"{target}, {other} = {e.integer(1)}, {e.integer(1)}"]
    return [f"{target} = {e.integer(2)}"]


def _number_assignment(e: Expressions) -> list[str]:
    return [
        e.rng.choice(
            [
                f"{e.name('complex')} = {e.complex_number(2)}",
                f"{e.name('bool')} = {e.condition(1)}",
                f"{e.name('integers')} = {e.integers(1)}",
                f"{e.name('float')} = {e.name('float')} if {e.name('bool')} else {e.integer(1)}",
            ]
        )
    ]


def mutation(e: Expressions) -> list[str]:
    """An array is written to."""
    if e.has("views") and e.chance(0.3):
        return [_matrix_write(e)]
    if e.has("numbers") and e.chance(0.2):
        return [_integers_write(e)]
    x, y, i, f = e.name("array"), e.name("array"), e.integer(1), e.number(1)
    texts = [f"{x}[{i} % 3] = {f}", f"{x}[0] = {f}", f"{x}[-1] {e.pick('+= -= *=')} {f}"]
    texts += [f"{x}[1:] = {f}", f"{x}[:2] += {f}", f"{x}[::-1] = {e.array(1)}", f"{x}[:] = {y}"]
    texts += [f"{x}[{x} > {f}] = {e.number(0)}", f"{x}[{y} > 0] *= 0.5", f"{x}[[0, -1]] = {f}"]
    texts += [f"{x} += {f}", f"{x} *= 0.5", f"{x} -= {y}", f"{x}[{i}:] *= {f}", f"{x}.fill({f})"]
    texts += [f"np.copyto({x}, {y})", f"np.add({x}, {y}, out={x})", f"{x}.sort()"]
    texts += [f"np.multiply({x}, {f}, out={y})", f"np.negative({x}, {y})"]
    texts += [f"{x}[0], {x}[-1] = {x}[-1], {x}[0]", f"{x}[0], {y}[0] = {y}[0], {x}[0]"]
    texts += [f"{x}[1:] = {x}[:-1]", f"{x}[:-1] += {x}[1:]", f"{x}[...] = {f}"]
    return [e.rng.choice(texts)]


def _matrix_write(e: Expressions) -> str:
    m, i, f = e.name("matrix"), e.integer(1), e.number(1)
    texts = [f"{m}[0, 1] = {f}", f"{m}[{i} % 2] = {f}", f"{m}[:, 0] += {f}", f"{m}[{m} > 0] = 0.0"]
    texts += [f"{m}[1] = {m}[0]", f"{m}.T[0] = {f}", f"{m}[-1, ::-1] *= {f}", f"{m} += 1.0"]
    texts += [f"{m}[0], {m}[1] = {m}[1], {m}[0]", f"{m}[{i} % 2][0] = {f}", f"{m}[1:] = {m}[:-1]"]
    return e.rng.choice(texts)


def _integers_write(e: Expressions) -> str:
    v, i = e.name("integers"), e.integer(1)
    texts = [f"{v}[0] = {i}", f"{v}[{i} % 2] += 1", f"{v}[{v} > 2] = 0", f"{v} += {i} % 7"]
    texts += [f"{v}[:1] = {i}", f"{v}[-1] -= {v}[0]", f"{v} //= 2"]
    return e.rng.choice(texts)


def view(e: Expressions) -> list[str]:
    """A name gets a view, often one that is written to afterwards."""
    x, i = e.name("array"), e.integer(0)
    if e.chance(0.5):
        texts = ["{x}[1:]", "{x}[::2]", "{x}[::-1]", "{x}", "{x}.reshape(-1)", "{x}.ravel()"]
        texts += ["{x}[{i}:]", "{x}[:{i}]", "{x}.reshape(1, -1)[0]", "{x}[None][0]", "{x}.T"]
    else:
        texts = [
            "{m}[0]",
            "{m}[:, 0]",
            "{m}.ravel()",
            "{m}.T[1]",
            "{m}.reshape(-1)",
            "{m}[{i} % 2]",
        ]
        texts += ["np.diagonal({m})", "{m}[-1, 1:]"]
    lines = [f"{e.name('array')} = {e.rng.choice(texts).format(x=x, m=e.name('matrix'), i=i)}"]
    if e.chance(0.3):
        matrix = e.rng.choice(["{m}.T", "{m}[::-1]", "{m}", "{m}[:, ::-1]", "{m}.copy()"])
        lines.append(f"{e.name('matrix')} = {matrix.format(m=e.name('matrix'))}")
    if e.has("mutation") and e.chance(0.7):
        lines += mutation(e)
    return lines


def list_statement(e: Expressions) -> list[str]:
    """A list is changed, or a name gets a list."""
    n, o, i, j = e.name("list"), e.name("list"), e.integer(1), e.integer(1)
    texts = [f"{n}.append({i})"] * 4 + [f"{n}[-1] += {i}", f"{n}[{i} % 3] = {j}", f"{n} = {o}"]
    texts += [f"{n}.extend([{i}, {j}])", f"{n}.insert({i} % 3, {j})", f"{n}.pop()", f"{n}.sort()"]
    texts += [f"del {n}[0]", f"{n}.reverse()", f"{n} += [{i}]", f"{n} = {n}[:4] + [{i}]"]
    texts += [f"{n} = [{i}] * ({j} % 4)", f"{n}.remove({i})", f"{n}[1:2] = [{i}, {j}]", f"{n} = []"]
    texts += [f"{n}.clear()", f"{n} = list(range({i} % 5))", f"{n} = [{i}, {j}, 1]", f"{n}.pop(0)"]
    texts += [f"{n} = {o}[::-1]", f"{n}.extend({o}[:2])", f"{n} = {o}.copy()", f"{n} = list({o})"]
    texts += [f"{n}.sort(reverse=True)", f"{n}[0], {n}[-1] = {n}[-1], {n}[0]", f"del {n}[1:]"]
    return [e.rng.choice(texts)]


def dict_statement(e: Expressions) -> list[str]:
    """A dict is changed, or a name gets a dict."""
    d, o, i, key = e.name("dict"), e.name("dict"), e.integer(1), e.rng.choice("nqr")
    texts = [f"{d}['{key}'] = {i}"] * 3 + [f"{d}['{key}'] += {i}", f"{d}.update({key}={i})"]
    texts += [f"{d}.setdefault('{key}', {i})", f"{d}.pop('{key}', 0)", f"{d} = {o}"]
    texts += [
        f"{d} = {{**{o}, '{key}': {i}}}",
        f"{d} = {o} | {{'{key}': {i}}}",
        f"del {d}['{key}']",
    ]
    texts += [f"{d} = {{'n': {i}, 'q': 2}}", f"{d} = {o}.copy()", f"{d} |= {{'{key}': {i}}}"]
    return [e.rng.choice(texts)]


def object_statement(e: Expressions) -> list[str]:
    """An object is changed, or a name gets an object."""
    o, other, i, f = e.name("object"), e.name("object"), e.integer(1), e.number(1)
    texts = [f"{o}.n = {i}", f"{o}.n += {i}", f"{o}.w = {f}", f"{o}.w *= {f}", f"{o}.add({i})"]
    texts += [f"{o}.add()", f"{o}.items.append({i})", f"{o} = Box({i}, {f})", f"{o} = {other}"]
    texts += [f"{o}.scale({f})", f"{o}.twice = {i}", f"{o}[{i} % 2] = {i}", f"{o} += {i}"]
    texts += [f"{o} = Box({i}, w={f})", f"{o} = {other} + {i}", f"{o} = Child({i}, {f})"]
    texts += [f"{o}.x[0] = {f}", f"{o}.x = {e.array(1)}", f"{o}.x += {f}"]
    return [e.rng.choice(texts)]


def tuple_statement(e: Expressions) -> list[str]:
    """A tuple is made or taken apart."""
    t, i, f = e.name("tuple"), e.integer(1), e.number(1)
    j, k = e.name("int"), e.name("int")
    texts = [f"{t} = ({i}, {f})", f"{j}, {e.name('float')} = {t}", f"{t} = {t}[0] + {i}, {f}"]
    texts += [f"{j}, {k} = {k}, {j}", f"{j}, *rest = {i}, {k}, 2", f"{k} = len((*{t}, {i}))"]
    texts += [
        f"{t} = Pair({i}, {f})",
        f"{t} = Pair(*{t})",
        f"{t} = Pair({i}, w={f})._replace(n={k})",
    ]
    texts += [f"({j}, {k}), {e.name('float')} = ({i}, {j}), {f}", f"{k} = ({t} + ({i},))[2]"]
    return [e.rng.choice(texts)]


def comprehension_statement(e: Expressions) -> list[str]:
    """A name gets what a comprehension gives."""
    over = e.rng.choice(["range({i} % 5)", "(1, {i}, 2)", "range(3)"]).format(i=e.integer(0))
    with e.local("int", "e"):
        item, condition = e.integer(1), e.condition(0)
    texts = [f"{e.name('array')} = np.array([{e.name('float')} * e for e in range(3)])"]
    texts += [f"{e.name('int')} = sum([{item} for e in {over} if {condition}])"]
    texts += [f"{e.name('float')} = sum(float(e) for e in {e.name('array')})"]
    if e.has("lists"):
        texts += [f"{e.name('list')} = [{item} for e in {over}]"] * 2
        texts += [f"{e.name('list')} = [{item} for e in {over} if {condition}]"] * 2
        texts += [f"{e.name('list')} = [{item} for e in {e.name('list')}[:5]]"]
        texts += [f"{e.name('list')} = [e * f for e in {over} for f in range(e % 3)][:5]"]
    if e.has("dicts"):
        d = e.name("dict")
        texts += [f"{d} = {{key: value + {e.integer(0)} for key, value in {d}.items()}}"] * 2
    return [e.rng.choice(texts)]


def print_statement(e: Expressions) -> list[str]:
    """Something is printed."""
    i, f, x = e.integer(1), e.number(1), e.name("array")
    texts = [
        f"print({i})",
        f"print({i}, {f})",
        f"print('x', {x})",
        f"print({i}, end=' ')",
        "print()",
    ]
    texts += [f"print({e.name('int')}, {e.name('float')}, sep='|')"]
    if e.has("strings"):
        texts += [f"print(f'{{{e.name('int')}}} {{{e.name('float')}:.3f}}')", "print(text)"]
    return [e.rng.choice(texts)]


def string_statement(e: Expressions) -> list[str]:
    """The name ``text`` gets a new text."""
    i, f = e.name("int"), e.name("float")
    texts = [f"text = f'{{{i}}}'", f"text = f'{{{i}:>4d}}|{{{f}:.2f}}'", f"text = str({i})"]
    texts += [f"text = f'{{{f}!r}}'", "text = 'a'", f"text = repr({f})", f"text += f'{{{i}}},'"]
    return [e.rng.choice(texts)]


def type_statement(e: Expressions) -> list[str]:
    """The name ``option`` gets None or an int; or it is read."""
    texts = [f"option = {e.integer(1)}", "option = None", f"option = {e.number(1)}"]
    texts += [f"{e.name('int')} = {e.integer(1)} if option is None else 3"]
    return [e.rng.choice(texts)]


def raising(e: Expressions) -> list[str]:
    """Something is checked, or raises."""
    condition, i = e.condition(1), e.integer(0)
    kind = e.pick("ValueError KeyError Failure IndexError")
    texts = [f"assert {condition}", f"assert {condition}, 'not so'"]
    if e.has("strings"):
        texts += [f"assert {condition}, f'got {{{e.name('int')}}}'"]
    message = e.rng.choice(("'no'", i))
    failing = [f"if {condition}:", f"    raise {kind}({message})"]
    return e.rng.choice([failing, [e.rng.choice(texts)]])
