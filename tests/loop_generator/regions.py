"""Target regions of one loop or several collapsed ones, with their clauses."""

from __future__ import annotations

from collections.abc import Sequence

from loop_generator.arrays import Scope, Use
from loop_generator.bodies import body, conditional_body, light_body
from loop_generator.kinds import KINDS, Maker
from loop_generator.loops import Loop, make_loop
from loop_generator.reductions import reduction
from loop_generator.settings import Region, Setting

_DIRECT = "target teams distribute parallel for"
_DIRECTIVES = (*(_DIRECT,) * 8, f"{_DIRECT} simd", "target teams loop", "target parallel for",
               "target teams distribute")  # fmt: skip


def make_region(s: Setting, in_batch: bool = False) -> list[str]:
    """Return the lines of a region with the declarations it needs, in a block of their own."""
    m, region = s.m, Region(s)
    directive = m.pick(_DIRECTIVES)
    loops, most = _loops(m, s)
    for loop in loops:
        region.before += loop.before
    triangle = _triangle(m, loops)
    slot, extent = _slot(loops)
    if extent > most:
        return []
    region.extent = extent
    uses = _uses(m, s, slot, extent)
    scope = Scope(m, uses, [f"({x.slot})" for x in loops], list(s.scalars), divisors=s.divisors)
    if len(loops) > 1:
        region.clauses.append(f"collapse({len(loops)})")
    _geometry(m, region, directive)
    _map(m, region, uses)
    extra = _privates(m, region, scope)
    atomics = s.counters if "simd" not in directive else ""
    reducing = reduction(m, region, scope) if m.chance(0.25) and not in_batch else []
    if m.chance(0.5) and not reducing:
        conditional = m.chance(0.35)
        statements = conditional_body(scope, atomics) if conditional else light_body(scope, m.number(0, 3))
    else:
        statements = body(scope, m.number(1, 4), atomics)
    if m.chance(0.15):
        extra += _records(m, region, scope, slot, extent)
    statements = [*extra, *statements, *reducing]
    if len(loops) == 1 and m.chance(0.06) and not directive.endswith(("simd", "loop")):
        statements = _lastly(m, region, statements, scope, loops[0])
    if directive == _DIRECT and m.chance(0.04) and not any(x.startswith("#pragma") for x in statements):
        region.clauses.append("order(concurrent)")
    if not in_batch and m.chance(0.08):
        region.clauses.append("nowait")
        region.after.insert(0, "#pragma omp taskwait")
    m.random.shuffle(region.clauses)
    headers = [*_transformation(m, directive, len(loops), region.clauses, triangle), *(x.header for x in loops)]
    headers[-1] += " {"
    lines = [*region.before, _pragma(m, directive, region.clauses), *headers, *statements, "}", *region.after]
    return ["{", *lines, "}"] if region.before or region.after or m.chance(0.3) else lines


def _pragma(m: Maker, directive: str, clauses: Sequence[str]) -> str:
    return " ".join(("#pragma omp", directive, *clauses))


def _loops(m: Maker, s: Setting) -> tuple[list[Loop], int]:
    most = min(a.size for a in s.arrays) // 2
    depth = m.pick((1, 1, 1, 1, 1, 1, 1, 2, 2, 3))
    sides = {1: most, 2: m.pick((7, 16, 20)), 3: 7}
    return [make_loop(m, sides[depth] if depth < 2 or n else max(1, most // sides[depth] ** (depth - 1)))
            for n in range(depth)], most  # fmt: skip


def _triangle(m: Maker, loops: list[Loop]) -> bool:
    """Let the bounds of a second loop depend on the first."""
    if len(loops) != 2 or not m.chance(0.3):
        return False
    first, second = m.name("i"), m.name("i")
    count, room = m.number(0, 16), 18
    header, slot = m.pick(((f"for (int {second} = 0; {second} <= {first}; {second}++)", second),
                           (f"for (int {second} = {first}; {second} < {room}; {second} += 3)", second),
                           (f"for (int {second} = {first} + 1; {second} > 0; {second}--)", second)))  # fmt: skip
    loops[:] = [Loop(first, "int", f"for (int {first} = 0; {first} < {count}; {first}++)", first, 16),
                Loop(second, "int", header, slot, room)]  # fmt: skip
    return True


def _transformation(m: Maker, directive: str, depth: int, clauses: Sequence[str], triangle: bool) -> list[str]:
    """Return a directive that changes the loops behind it."""
    if not m.chance(0.07) or directive != _DIRECT or depth > 2 or triangle or any("lastp" in c for c in clauses):
        return []
    if depth == 1:
        return [f"#pragma omp {m.pick(('reverse', f'tile sizes({m.number(1, 9)})'))}"]
    return [f"#pragma omp {m.pick(('interchange', f'tile sizes({m.number(1, 9)}, {m.number(2, 5)})'))}"]


def _slot(loops: list[Loop]) -> tuple[str, int]:
    if len(loops) == 1:
        return loops[0].slot, loops[0].extent
    text, extent = f"(long)({loops[0].slot})", loops[0].extent
    for loop in loops[1:]:
        text, extent = f"({text}) * {loop.extent} + (long)({loop.slot})", extent * loop.extent
    return text, extent


def _uses(m: Maker, s: Setting, slot: str, extent: int) -> list[Use]:
    found: list[Use] = []
    chosen = m.random.sample(s.arrays, m.number(1, min(4, len(s.arrays))))
    for at, array in enumerate(chosen):
        several = s.present and m.chance(0.5)
        names = list(array.names) if several else [m.pick(array.names) if s.present else array.names[0]]
        written = at == 0 or m.chance(0.5)
        if not written:
            found.append(Use(array, 0, array.size, names))
            continue
        half = array.size // 2
        shape = m.number(0, 9)
        if shape < 2 and len(array.names) > 1 and extent <= half:  # its halves, apart
            upper = next((n for n in array.names if n.shift == half), None)
            if upper is not None:
                found += [Use(array, 0, half, [array.names[0]], [slot]), Use(array, half, array.size, [upper])]
                continue
        if shape < 4 and extent * 2 <= array.size:
            found.append(Use(array, 0, array.size, names, [f"2 * ({slot})", f"2 * ({slot}) + 1"]))
        elif shape < 5:
            prime = next((p for p in (524287, 99991, 19997, 1009, 499, 251, 97, 31, 11) if p <= array.size), 0)
            if prime >= extent:
                found.append(Use(array, 0, array.size, names, [f"(unsigned)({slot}) * {m.number(2, 9)}u % {prime}u"]))
        else:
            found.append(Use(array, 0, array.size, names, [slot]))
    return found


def _map(m: Maker, region: Region, uses: list[Use]) -> None:
    """List pointers that are not present; of what is present sometimes as well, each storage once."""
    seen: set[tuple[int, int]] = set()
    for use in uses:
        array = use.array
        key = (id(array), use.low)
        if key in seen:
            continue
        seen.add(key)
        name = use.names[0]
        if region.setting.present:
            beyond = name.shift > use.low  # a listed section is all that its name leads to
            if beyond or len(use.names) > 1 or m.chance(0.7) or any(u is not use and u.array is array for u in uses):
                continue
        elif not array.heap and m.chance(0.5) and use.low == 0 and use.high == array.size:
            continue
        kind = "tofrom" if use.slots is not None else m.pick(("to", "to", "tofrom"))
        section = f"{name.text}[0:{use.high - use.low}]" if use.high - use.low != array.size else name.section
        region.clauses.append(f"map({kind}: {section})")


def _geometry(m: Maker, region: Region, directive: str) -> None:
    clauses = region.clauses
    if "teams" in directive and m.chance(0.15):
        clauses.append(f"num_teams({_value(m, region, m.pick((1, 1, 2, 3, 7)))})")
    if "parallel" in directive or "loop" in directive:
        if m.chance(0.15) and "teams" in directive:
            clauses.append(f"thread_limit({_value(m, region, m.pick((1, 7, 32, 40, 64, 100, 128, 256, 1024)))})")
        elif m.chance(0.1) and "loop" not in directive:
            clauses.append(f"num_threads({_value(m, region, m.pick((1, 5, 32, 33, 64, 128, 512)))})")
        if m.chance(0.1) and "loop" not in directive:
            how = m.pick(("static", "static, 1", "static, 3", "dynamic", "dynamic, 2", "guided"))
            clauses.append(f"schedule({how})")
    if "distribute" in directive and m.chance(0.07):
        clauses.append(m.pick(("dist_schedule(static)", "dist_schedule(static, 4)", "dist_schedule(static, 64)")))
    if not region.setting.present and m.chance(0.06):
        clauses.append(f"if(target: {_value(m, region, m.number(0, 1))})")


def _value(m: Maker, region: Region, value: int) -> str:
    if m.chance(0.6):
        return str(value)
    name = m.name("g")
    region.before.append(f"int {name} = {value};")
    return name


def _privates(m: Maker, region: Region, scope: Scope) -> list[str]:
    lines: list[str] = []
    if m.chance(0.12):
        kind, name = m.pick(KINDS), m.name("p")
        region.before.append(f"{m.type_name(kind)} {name} = 0;")
        region.clauses.append(f"{m.pick(('private', 'firstprivate'))}({name})")
        lines.append(f"{name} = {kind.made_of(scope.number())};")
        scope.scalars.append(f"(int)({name})" if kind.family == "real" else name)
    if m.chance(0.12):
        name = m.name("f")
        region.before += [f"unsigned {name}[3] = {{{m.number(0, 9)}u, {m.number(0, 99)}u, 4u}};"]
        how = m.pick(("firstprivate", "map(to:", ""))
        if how:
            region.clauses.append(f"firstprivate({name})" if how == "firstprivate" else f"map(to: {name})")
        scope.scalars.append(f"{name}[{m.number(0, 2)}]")
    if m.chance(0.2):
        name = m.name("c")
        region.before.append(f"struct cfg {name} = {{{m.number(1, 9)}, {m.number(0, 9)}, {{1u, 2u, 3u, 4u}}, 0.5}};")
        how = m.pick(("", "", f"firstprivate({name})", f"map(to: {name})"))
        if how:
            region.clauses.append(how)
        scope.scalars += [f"{name}.n", f"{name}.table[{m.number(0, 3)}]"]
    return lines


def _records(m: Maker, region: Region, scope: Scope, slot: str, extent: int) -> list[str]:
    s = region.setting
    if not s.records or extent > 300:
        return []
    if not s.present:
        region.clauses.append(f"map(tofrom: {s.records}[0:300])")
    pointer = m.name("r")
    place = f"{s.records}[{slot}]"
    lines = [f"struct rec *{pointer} = &{place};"]
    scope.scalars += [f"{pointer}->a", f"{pointer}->c[1]", f"{pointer}->bits", f"{place}.more"]
    for _ in range(m.number(1, 3)):
        target = m.pick((f"{pointer}->", f"{place}."))
        values = [scope.number() for _ in range(5)]
        lines.append(m.pick((f"{target}a = (int)({values[0]} % 5000u);", f"{target}b += (double)({values[1]} % 9u);",
                             f"{target}c[{m.number(0, 2)}] = (short){values[2]};", f"{target}bits = {values[3]};",
                             f"{target}more += {values[4]};")))  # fmt: skip
    if m.chance(0.5):
        index, total = m.name("k"), m.name("t")
        inner = scope.inside(total, indices=(index,))
        lines += [f"unsigned {total} = 1u;", f"for (int {index} = 0; {index} < {pointer}->a % 5; {index}++) {{",
                  f"{total} += (unsigned){pointer}->c[{index} % 3] * (unsigned){pointer}->c[2] + {inner.number()};",
                  *([f"{pointer}->c[{index} % 3] ^= 5;"] if m.chance(0.3) else []), "}"]  # fmt: skip
        scope.scalars.append(total)
    return lines


def _lastly(m: Maker, region: Region, lines: list[str], scope: Scope, loop: Loop) -> list[str]:
    """Keep the last value of a variable. Without iterations it has none, so that one is made for sure."""
    if loop.extent < 2 or any("continue" in x for x in lines):
        return lines
    name = m.name("z")
    region.before.append(f"unsigned {name} = 77u;")
    region.clauses.append(f"lastprivate({name})")
    region.after.append(f'printf("{name} %u\\n", {name});')
    return [*lines, f"{name} = {scope.number()};"]
