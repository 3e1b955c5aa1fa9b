"""Blocks: functions with some arrays, regions and sequences; and translation units of several of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loop_generator.arrays import Array, Name
from loop_generator.hosts import make_sequence
from loop_generator.kinds import KINDS, Maker, helpers
from loop_generator.regions import make_region
from loop_generator.settings import Setting
from random_programs.series import BATCH

_RECORDS = 300
_SIZES = (600, 600, 1024, 1500, 3000, 66)
_LARGE = (20001, 100003, 700001)
"""For more iterations than a GPU has threads side by side, and for copies that the runtime carries itself."""


@dataclass(frozen=True)
class Block:
    """A function: ``head`` and ``tail`` stay, ``chunks`` are statements of which any may be left out."""

    name: str
    has_globals: bool
    before: tuple[str, ...]
    head: tuple[str, ...]
    chunks: tuple[tuple[str, ...], ...]
    tail: tuple[str, ...]

    @property
    def text(self) -> str:
        """The function, with those that it calls."""
        lines = [line for chunk in self.chunks for line in chunk]
        depth, out = 1, []
        for line in (*self.head, *lines, *self.tail):
            closing = line.startswith("}")
            depth -= closing
            out.append(line if line.startswith("#pragma") else "  " * max(depth, 1) + line)
            depth += line.endswith("{")
        return "\n".join((*self.before, f"static void {self.name}(void) {{", *out, "}", ""))


def make_block(seed: int, number: int, language: str) -> Block:
    """Return the block of this number in the series that a seed stands for."""
    name = f"p{number}"
    has_globals = number // BATCH % 2 == 0
    m = Maker(f"{seed}:{name}", name, language, has_globals)
    present = m.chance(0.6)
    head = [f'puts("{name}");']
    tail: list[str] = []
    sizes = _LARGE if m.chance(0.12) else _SIZES
    arrays = [_array(m, m.pick(sizes), present, head, tail) for _ in range(m.number(3, 5))]
    records = m.name("recs")
    head += [f"struct rec *{records} = (struct rec *)malloc({_RECORDS} * sizeof(struct rec));",
             f"fill_rec({records}, {_RECORDS}, {m.number(0, 999)}u);"]  # fmt: skip
    tail = [f'show_rec("{records}", {records}, {_RECORDS});', *tail, f"free({records});"]
    counters = m.name("hist")
    head.append(f"unsigned {counters}[8] = {{0}};")
    tail.insert(0, f'show_unsigned("{counters}", {counters}, 8);')
    sections = [f"{a.names[0].text}[0:{a.size}]" for a in arrays] + [f"{records}[0:{_RECORDS}]", counters]
    divisors = (m.name("by"), m.name("by"))
    head += [f"int {name} = {m.pick((1, 2, 7, 33, 64, 1000, -1, -3, -50))};" for name in divisors]
    if present:
        around = m.number(0, 2)
        if around:
            head += [f"#pragma omp target data map(tofrom: {', '.join(sections)})", "{"]
            tail.insert(0, "}")
        else:
            head.append(f"#pragma omp target enter data map(to: {', '.join(sections)})")
            tail.insert(0, f"#pragma omp target exit data map(from: {', '.join(sections)})")
    setting = Setting(m, arrays, present, [], records, counters, divisors)
    chunks = [tuple(_chunk(setting)) for _ in range(m.number(4, 9))]
    return Block(name, has_globals, tuple(m.before), tuple(head), tuple(c for c in chunks if c), tuple(tail))


def _chunk(s: Setting) -> list[str]:
    return make_sequence(s) if s.m.chance(0.3) else make_region(s)


def _array(m: Maker, size: int, present: bool, head: list[str], tail: list[str]) -> Array:
    kind = m.pick(KINDS)
    spelled = m.type_name(kind)
    name = m.name("a")
    heap = m.chance(0.6)
    if heap:
        head.append(f"{spelled} *{name} = ({spelled} *)malloc({size} * sizeof({spelled}));")
        tail.append(f"free({name});")
    else:
        storage = "static " if size > max(_SIZES) else m.pick(("", "static "))
        head.append(f"{storage}{spelled} {name}[{size}];")
    head.append(f"fill_{kind.word}({name}, {size}, {m.number(0, 9999)}u);")
    tail.insert(0, f'show_{kind.word}("{name}", {name}, {size});')
    names = [Name(name, 0, f"{name}[0:{size}]")]
    shifts = [0, size // 2, m.number(1, 9)] if present else [size // 2]
    for shift in shifts:
        if m.chance(0.6):
            other = m.name("b")
            head.append(f"{spelled} *{other} = {name}{f' + {shift}' if shift else ''};")
            names.append(Name(other, shift, f"{other}[0:{size - shift}]"))
    return Array(kind, size, names, heap)


def unit_parts(blocks: Sequence[Block]) -> list[str]:
    """Return a unit's text in parts: those of the blocks, one before and one after."""
    calls = [f"  {b.name}();" for b in blocks]
    main = "\n".join(["int main(void) {", "  setvbuf(stdout, 0, _IOLBF, BUFSIZ);", *calls, "  return 0;", "}", ""])
    return [helpers(any(b.has_globals for b in blocks)), *(b.text for b in blocks), main]
