"""Whole programs: blocks that compute and print on their own, and translation units of several programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator import extras, orphans, statements, tasks, teams, threads, updates
from generator.data import group
from generator.kinds import PRELUDE, Kind, helpers
from generator.loops import bound
from generator.maker import Maker
from generator.places import Item, Level, Storage
from generator.regions import region
from generator.tree import Node, fixed, joined, line

PLAIN = (
    (9, statements.assign),
    (2, statements.call),
    (3, statements.local),
    (2, statements.branch),
    (1, statements.switch),
    (3, statements.loop),
    (6, statements.reduce),
    (1, updates.append),
    (1, extras.read_atomically),
    (1, extras.closure),
)
EMITTERS = {
    Level.TEAM: [
        *PLAIN,
        (1, updates.atomic),
        (1, updates.critical),
        (8, teams.parallel),
        (6, teams.parallel_loop),
        (1, teams.parallel_sections),
        (9, teams.distributed),
        (5, teams.by_team),
        (2, teams.first_team),
        (1, teams.simd),
        (1, extras.parallel_scan),
        (2, orphans.orphan),
    ],
    Level.ONE: [
        *PLAIN,
        (4, updates.atomic),
        (2, updates.critical),
        (1, updates.append),
        (1, teams.parallel),
        (1, teams.parallel_loop),
        (1, teams.simd),
        (1, tasks.tasks),
        (1, tasks.one_task),
        (1, tasks.taskloop),
        (1, orphans.orphan),
    ],
    Level.THREADS: [
        (9, threads.workshare),
        (2, threads.wait),
        (5, threads.numbered),
        (2, threads.rounds),
        (2, threads.repeat),
        (2, threads.decide),
        (3, threads.local),
        (1, threads.sections),
        (3, threads.single),
        (2, threads.masked),
        (2, threads.tree),
        (1, extras.same),
        (1, extras.ordered),
        (1, extras.scan),
        (1, extras.write_same),
        (2, orphans.orphan),
    ],
}
CLOSERS = {Level.TEAM: statements.publish, Level.ONE: statements.publish, Level.THREADS: threads.show}


@dataclass
class Block:
    """A function that computes in regions and prints, with the functions and variables that only it uses."""

    name: str
    helpers: list[str]
    functions: list[list[Node]]
    body: list[Node]
    kinds: set[Kind]

    def text(self) -> str:
        """Return the block as text."""
        functions = [joined(nodes, "") for nodes in self.functions]
        return "\n".join([*self.helpers, *functions, f"static void {self.name}(void) {{\n{joined(self.body)}}}\n"])


def make_block(seed: str, name: str, language: str) -> Block:
    """Return the block that a seed stands for."""
    m = Maker(seed, name, language)
    m.emitters.update(EMITTERS)
    m.closers.update(CLOSERS)
    if language == "c":
        m.variable = lambda size: bound(m, size)
    body: list[Node] = []
    for _ in range(m.weighted((6, 1), (3, 2), (1, 3))):
        regions = []
        for _ in range(m.weighted((5, 1), (3, 2), (1, 3))):
            m.budget = m.pick((4, 8, 12, 18, 25))
            regions.append(region(m))
        body += group(m, regions)
    shown = [item for item in m.host.items if item.printed]
    body = [fixed(f'puts("{name}");'), *m.host.heads, *body, *[line(_show(i)) for i in shown]]
    body += [fixed(f"free({i.name});") for i in m.host.items if i.storage is Storage.HEAP]
    return Block(name, m.helpers, m.functions, body, {i.kind for i in m.host.items})


def _show(item: Item) -> str:
    first = f"&{item.name}" if not item.dims else item.name
    if item.nested:
        first = f"({item.kind.name} *){item.name}"
    if item.offset:
        first += f" + {item.offset}"
    how = "count" if item.unordered else "show"
    return f'{how}_{item.kind.word}("{item.name}", {first}, {item.size});'


def make_program(seed: int, number: int, language: str) -> list[Block]:
    """Return the blocks of the program of this number in the series that a seed stands for."""
    return [make_block(f"{seed}:{name}", name, language) for name in (f"p{number}a", f"p{number}b")]


def unit_parts(blocks: Sequence[Block]) -> list[str]:
    """Return the parts of a translation unit that executes blocks in order: their texts, one before and one after."""
    kinds = {kind for block in blocks for kind in block.kinds}
    calls = "".join(f"  {block.name}();\n  fflush(stdout);\n" for block in blocks)
    main = f"int main(void) {{\n{calls}  return 0;\n}}\n"
    return [f"{PRELUDE}\n{helpers(kinds)}", *[block.text() for block in blocks], main]


def unit_text(blocks: Sequence[Block]) -> str:
    """Return a translation unit that executes blocks in order."""
    return "\n".join(unit_parts(blocks))
