"""What an iteration does: stores to elements of its own in every form, branches, inner loops, locals, calls."""

from __future__ import annotations

from loop_generator.arrays import Scope, Use
from loop_generator.kinds import KINDS, Kind


def body(scope: Scope, statements: int, atomics: str = "") -> list[str]:
    """Return the statements of an iteration; ``atomics`` is an array of eight unsigned counters, if there is one."""
    lines: list[str] = []
    known = scope.inside()
    for _ in range(statements):
        lines += _statement(known, atomics)
    return lines


def light_body(scope: Scope, statements: int) -> list[str]:
    """Return statements that loops in tiles may have: declarations and assignments."""
    known, lines = scope.inside(), []
    for _ in range(statements):
        lines += known.m.pick((_local, _store, _store, _choice))(known)
    return [*lines, *_store(known)]


def conditional_body(scope: Scope, atomics: str) -> list[str]:
    """Return one condition of what is in memory, with statements that depend on it."""
    m = scope.m
    reads = [scope.read(use) for use in scope.uses]
    period = m.number(2, 5)
    test = f"({m.pick(reads or ['1u'])} % {period}u {m.pick(('==', '!=', '<'))} {m.number(1, period - 1)}u)"
    if m.chance(0.3):
        test = f"({test} {m.pick(('&&', '||'))} {scope.condition()})"
    lines = [f"if {test} {{", *_under_condition(scope, atomics)]
    if m.chance(0.4):
        lines += ["} else {", *_under_condition(scope, atomics)]
    return [*lines, "}"]


def _under_condition(scope: Scope, atomics: str) -> list[str]:
    known, lines = scope.inside(), []
    for _ in range(known.m.number(1, 2)):
        lines += known.m.pick((_local, _store, _pointer, _choice))(known)
    return [*lines, *(_atomic(known, atomics) if atomics and known.m.chance(0.3) else _store(known))]


def _choice(scope: Scope) -> list[str]:
    """A variable of the iteration that gets its value under a condition."""
    m = scope.m
    kind, name = m.pick([k for k in KINDS if k.family != "truth"]), m.name("v")
    lines = [f"{m.type_name(kind)} {name} = {kind.made_of(scope.number(1))};"]
    lines += [f"if {scope.condition()} {{", change(scope, kind, name)]
    if m.chance(0.5):
        lines += [f"}} else if {scope.condition()} {{", change(scope, kind, name)]
    scope.scalars.append(f"(int)({name})" if kind.family == "real" else name)
    return [*lines, "}"]


def _statement(scope: Scope, atomics: str) -> list[str]:
    m = scope.m
    choices = [
        _local,
        _local,
        _store,
        _store,
        _store,
        _store,
        _pointer,
        _inner_loop,
        _inner_loop,
        _branch,
        _array,
        _call,
    ]
    if atomics and m.chance(0.15):
        return _atomic(scope, atomics)
    if scope.depth > 3:
        return _store(scope)
    if m.chance(0.04):
        return _skip(scope)
    return m.pick(choices)(scope)


def _local(scope: Scope) -> list[str]:
    m = scope.m
    kind, name = m.pick(KINDS), m.name("v")
    const = m.pick(("const ", ""))
    lines = [f"{const}{m.type_name(kind)} {name} = {kind.made_of(scope.number())};"]
    if not const and m.chance(0.4):
        lines.append(change(scope, kind, name))
    read = f"(int)({name})" if kind.family == "real" else name
    scope.scalars.append(read)
    return lines


def change(scope: Scope, kind: Kind, target: str) -> str:
    """Return an assignment to an element or a variable that every compiler must execute alike."""
    m = scope.m
    value = scope.number()
    if m.chance(0.45):
        return f"{target} = {kind.made_of(value)};"
    if kind.family == "real":
        half = f"{target} = {target} * 0.5f + {m.number(1, 9)};"
        return m.pick((f"{target} += (double)({value} % 64u) * 0.25;", half, f"{target} -= (float)({value} % 8u);",
                       f"{target}++;"))  # fmt: skip
    if kind.family == "unsigned":
        usual = f"{target} {m.pick(('+', '-', '*', '^', '|', '&'))}= {value};"
        return m.pick((usual, f"{target} <<= {m.number(1, 5)};", f"{target} %= {m.number(2, 99)}u;", f"++{target};",
                       f"{target} /= {value} % 9u + 1u;"))  # fmt: skip
    if kind.family == "small":
        return m.pick((f"{target} += (int)({value} % 99u);", f"{target} ^= {value};", f"{target}--;",
                       f"{target} *= {m.number(-3, 3)};", f"{target} >>= 1;"))  # fmt: skip
    if kind.family == "truth":
        return m.pick(
            (f"{target} |= {value} % 5u == 1u;", f"{target} &= {value} % 7u != 1u;", f"{target} = !{target};")
        )
    return m.pick((f"{target} ^= {value};", f"{target} &= {value};", f"{target} %= {m.number(2, 999)};",
                   f"{target} /= {m.number(2, 9)};", f"{target} >>= {m.number(1, 3)};"))  # fmt: skip


def _written(scope: Scope) -> Use | None:
    found = [u for u in scope.uses if u.slots is not None]
    return scope.m.pick(found) if found else None


def _store(scope: Scope) -> list[str]:
    use = _written(scope)
    if use is None or use.slots is None:
        return []
    return [change(scope, use.array.kind, use.element(scope.m, scope.m.pick(use.slots)))]


def _pointer(scope: Scope) -> list[str]:
    """An element through a local pointer, a reference or something volatile."""
    m, use = scope.m, _written(scope)
    if use is None or use.slots is None:
        return []
    kind, name = use.array.kind, m.name("q")
    element, spelled = use.element(m, m.pick(use.slots)), m.type_name(kind)
    if m.cpp and m.chance(0.4):
        return [f"{spelled} &{name} = {element};", change(scope, kind, name)]
    volatile = m.pick(("", "", "volatile "))
    return [f"{volatile}{spelled} *{name} = &{element};", change(scope, kind, f"*{name}")]


def _branch(scope: Scope) -> list[str]:
    m = scope.m
    lines = [f"if {scope.condition()} {{", *body(scope.inside(), m.number(1, 2))]
    if m.chance(0.4):
        lines += ["} else {", *body(scope.inside(), m.number(1, 2))]
    if m.chance(0.2):
        lines = [f"switch ({scope.number(1)} % 4u) {{", "case 0:", *_store(scope), "case 2: {",
                 *body(scope.inside(), 1), "} break;", "default: ;", *_store(scope)]  # fmt: skip
    return [*lines, "}"]


def _skip(scope: Scope) -> list[str]:
    return [f"if {scope.condition()} continue;"] if scope.depth == 1 else _store(scope)


def _inner_loop(scope: Scope) -> list[str]:
    m = scope.m
    index, count = m.name("k"), m.number(0, 6)
    inner = scope.inside(indices=(index,))
    head = m.pick((f"for (int {index} = 0; {index} < {count}; {index}++) {{",
                   f"for (unsigned {index} = {count}; {index}-- > 0;) {{"))  # fmt: skip
    stop = [f"if {inner.condition()} {m.pick(('break', 'continue'))};"] if m.chance(0.2) else []
    if m.chance(0.4):
        total, value = m.name("t"), inner.number()
        scope.scalars.append(total)
        return [f"unsigned {total} = {m.number(0, 9)}u;", head, *stop, f"{total} = {total} * 3u + {value};", "}"]
    return [head, *stop, *body(inner, m.number(1, 2)), "}"]


def _array(scope: Scope) -> list[str]:
    m = scope.m
    name, size, index = m.name("l"), m.number(2, 6), m.name("k")
    value = scope.inside(indices=(index,)).number()
    scope.scalars.append(f"{name}[{m.number(0, size - 1)}]")
    lines = [
        f"unsigned {name}[{size}];",
        f"for (int {index} = 0; {index} < {size}; {index}++) {name}[{index}] = {value};",
    ]
    if m.chance(0.3):
        lines.append(f"{name}[{scope.number(1)} % {size}u] += {scope.number(1)};")
    return lines


def _call(scope: Scope) -> list[str]:
    m = scope.m
    found = [u for u in scope.uses if u.slots is not None and u.array.kind.name in ("unsigned", "double")]
    if not found:
        return _store(scope)
    use = m.pick(found)
    name, slot = m.pick(use.names), m.pick(use.slots or [""])
    function = "put_unsigned" if use.array.kind.name == "unsigned" else "add_double"
    return [f"{function}({name.text}, {name.index(slot)}, {scope.number()});"]


def _atomic(scope: Scope, counters: str) -> list[str]:
    operator = "+" if scope.m.chance(0.7) else "^"
    counter = f"{counters}[{scope.number(1)} % 4u{'' if operator == '+' else ' + 4u'}]"
    return ["#pragma omp atomic", f"{counter} {operator}= {scope.number()};"]
