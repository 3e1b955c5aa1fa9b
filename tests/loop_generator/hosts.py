"""Code of the host around regions: loops that launch again and again, what they change, update, and how they end."""

from __future__ import annotations

from dataclasses import replace

from loop_generator.kinds import Maker
from loop_generator.regions import make_region
from loop_generator.settings import Setting

_FOR, _DO, _WHILE, _ROW = "for", "do", "while", "row"


def make_sequence(s: Setting) -> list[str]:
    """Return a loop of the host, or some statements, between whose launches scalars change."""
    m = s.m
    if s.present and m.chance(0.08):
        return _threads(s)
    turn, count = m.name("t"), m.number(2, 4)
    state = [m.name("u") for _ in range(m.number(1, 3))]
    small, thing = m.name("e"), m.name("o")
    lines = [f"unsigned {x} = {m.number(0, 99)}u;" for x in state]
    lines += [f"unsigned {small}[2] = {{1u, 2u}};", f"struct cfg {thing} = {{3, 4, {{1u, 2u, 3u, 4u}}, 0.25}};"]
    scalars = [*s.scalars, *state, f"{small}[1]", f"{thing}.k"]
    inner = replace(s, scalars=scalars)
    shape = m.pick((_FOR, _FOR, _FOR, _FOR, _DO, _WHILE, _ROW, _ROW))
    steps = [_step(m, s, inner, state, small, thing, turn) for _ in range(m.number(2, 6))]
    if shape in (_FOR, _DO) and m.chance(0.25):
        jump = m.pick(("break", "continue"))
        steps.insert(m.number(1, len(steps)), [f"if ({state[0]} % 4u == {m.number(0, 3)}u) {jump};"])
    ends = [f'printf("{turn} %u %d\\n", {" + ".join(state)} + {small}[1], {thing}.k);']
    statements = [line for step in steps for line in step]
    loop = _loop(shape, turn, count, statements)
    if m.cpp and m.chance(0.15):
        thrown = [f"if ({state[-1]} % 3u == 1u) throw {turn};"]
        loop = ["try {", *_loop(shape, turn, count, [*statements, *thrown]), "} catch (unsigned) {", "}"]
    return ["{", *lines, *loop, *ends, "}"]


def _loop(shape: str, turn: str, count: int, statements: list[str]) -> list[str]:
    if shape == _ROW:
        return [f"const unsigned {turn} = 1u;", *statements]
    if shape == _FOR:
        return [f"for (unsigned {turn} = 0; {turn} < {count}u; {turn}++) {{", *statements, "}"]
    if shape == _DO:
        return [f"unsigned {turn} = 0u;", "do {", *statements, f"}} while (++{turn} < {count}u);"]
    return [f"unsigned {turn} = 0u;", f"while ({turn} < {count}u) {{", *statements, f"{turn}++;", "}"]


def _step(m: Maker, s: Setting, inner: Setting, state: list[str], small: str, thing: str, turn: str) -> list[str]:
    shape = m.number(0, 19)
    one = m.pick(state)
    if shape < 10:
        return make_region(inner, in_batch=m.chance(0.85))
    if shape < 13:
        divisor = f"{m.pick(s.divisors)} = (int)({one} % 90u) + 1;"
        return [m.pick((f"{one} = {one} * 3u + {turn};", f"{one} += {m.pick(state)} ^ {small}[{turn} % 2u];",
                        f"{small}[1] += {one} % 9u;", f"{thing}.k += (int)({one} % 7u);",
                        f"{small}[{turn} % 2u] = {one};", divisor))]  # fmt: skip
    if shape < 15:
        chosen = make_region(inner, in_batch=True)
        other = make_region(inner, in_batch=True)
        return [f"if ({one} % 3u != 1u) {{", *chosen, "}", *(["else {", *other, "}"] if m.chance(0.5) else [])]
    if shape < 16:
        return _global(m) if m.has_globals else _seen(m, inner, one)
    if shape < 18:
        return _seen(m, inner, one)
    if shape < 18 + s.present:
        return _device_pointer(m, inner) if m.chance(0.4) else _private_launch(m, inner)
    return _sum_on_device(m, inner, one)


def _global(m: Maker) -> list[str]:
    if m.chance(0.5):
        return [f"shared_count += {m.number(1, 5)};", "#pragma omp target update to(shared_count)"]
    return [f"shared_words[{m.number(0, 3)}] ^= {m.number(1, 50)}u;", "#pragma omp target update to(shared_words)"]


def _seen(m: Maker, s: Setting, one: str) -> list[str]:
    """Look at what kernels have made, or change it."""
    array = m.pick(s.arrays)
    name = array.names[0]
    at = m.number(0, array.size - 1)
    if s.present:
        section = m.pick((name.section, f"{name.text}[{at}:1]"))
        lines = [f"#pragma omp target update from({section})", f"{one} += {array.kind.read(f'{name.text}[{at}]')};"]
        if m.chance(0.5):
            value = array.kind.made_of(f"{one} + {m.number(0, 99)}u")
            lines += [f"{name.text}[{at}] = {value};", f"#pragma omp target update to({section})"]
        return lines
    return [f"{one} += {array.kind.read(f'{name.text}[{at}]')};"]


def _private_launch(m: Maker, s: Setting) -> list[str]:
    """A region in a function of its own, with all that it reads as arguments."""
    array = m.pick(s.arrays)
    function, kind = f"{m.prefix}_{m.name('launch')}", m.type_name(array.kind)
    size = array.size
    mapped = "" if s.present and m.chance(0.5) else f" map(tofrom: a[0:{size}])"
    body = array.kind.made_of(f"{array.kind.read('a[i]')} * 3u + k + (unsigned)i")
    m.before.append(
        f"static void {function}({kind} *a, unsigned k) {{\n"
        f"#pragma omp target teams distribute parallel for{mapped}\n"
        f"  for (int i = 0; i < {size}; i++) a[i] = {body};\n}}\n"
    )
    return [f"{function}({array.names[0].text}, {m.pick(s.scalars)});"]


def _sum_on_device(m: Maker, s: Setting, one: str) -> list[str]:
    """A sum that stays on the device over several launches."""
    array, total = m.pick(s.arrays), m.name("y")
    name = array.names[0]
    mapped = "" if s.present else f" map(to: {name.section})"
    read = array.kind.read(f"{name.text}[i]")
    launch = [f"#pragma omp target teams distribute parallel for reduction(+: {total}){mapped}",
              f"for (int i = 0; i < {array.size}; i++) {total} += {read} % 100u;"]  # fmt: skip
    return ["{", f"unsigned {total} = 5u;", f"#pragma omp target data map(tofrom: {total})", "{", *launch,
            f"#pragma omp target update from({total})", f"{one} += {total};", *launch, "}",
            f"{one} += {total};", "}"]  # fmt: skip


def _device_pointer(m: Maker, s: Setting) -> list[str]:
    """A region that gets the device's address of an array."""
    found = [(a, n) for a in s.arrays for n in a.names if (a.heap or n is not a.names[0]) and s.present]
    if not found:
        return []
    array, name = m.pick(found)
    kind = array.kind
    other = m.pick(s.arrays)
    seen = f" + {other.kind.read(f'{other.names[0].text}[i % 66]')}" if other is not array else ""
    value = kind.made_of(f"{kind.read(f'{name.text}[i]')} * 5u{seen} + {m.pick(s.scalars)}")
    return [f"#pragma omp target data use_device_ptr({name.text})",
            f"#pragma omp target teams distribute parallel for is_device_ptr({name.text})",
            f"for (int i = 0; i < {array.size - name.shift}; i++) {name.text}[i] = {value};"]  # fmt: skip


def _threads(s: Setting) -> list[str]:
    """Threads of the host that launch again and again, each over a third of an array."""
    m = s.m
    array = m.pick(s.arrays)
    kind, spelled, name = array.kind, m.type_name(array.kind), array.names[0].text
    part, third = m.name("w"), array.size // 3
    element = f"{part}[i]"
    once = f"{element} = {kind.made_of(f'{kind.read(element)} * 3u + (unsigned)(i + t * c)')};"
    again = f"{element} = {kind.made_of(f'{kind.read(element)} ^ (unsigned)t')};"
    launch = "#pragma omp target teams distribute parallel for"
    head = f"for (int i = 0; i < {third}; i++)"
    return ["#pragma omp parallel for num_threads(3)", "for (int c = 0; c < 3; c++) {",
            f"{spelled} *{part} = {name} + c * {third};", "for (int t = 0; t < 3; t++) {",
            launch, f"{head} {once}", launch, f"{head} {again}", "}", "}"]  # fmt: skip
