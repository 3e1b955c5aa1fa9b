"""Data-sharing clauses of a loop construct: private, firstprivate, lastprivate, linear."""

from __future__ import annotations

from generator.expressions import value
from generator.kinds import INT, NUMBERS
from generator.loops import Loop
from generator.maker import Maker
from generator.places import READ, WRITE, Item, Level, Place, Storage
from generator.tree import Clause, Node, fixed


class Attributes:
    """The clauses of one construct, and what they need before it and in its body.

    ``home`` is the place from which on the construct's threads share variables.
    """

    def __init__(self, m: Maker, place: Place, home: Place, inner: Place, nest: list[Loop], leaves: list[str]) -> None:
        self.m = m
        self.place, self.home, self.inner = place, home, inner
        self.nest, self.leaves = nest, leaves
        self.before: list[Node] = []
        self.first: list[Node] = []
        self.clauses: list[Clause] = []
        self._lasting: list[Item] = []
        self._stepping: list[tuple[Item, int]] = []

    def choose(self, reachable: bool, certain: bool) -> None:
        """Choose clauses; ``reachable``: shared variables are; ``certain``: each iteration reaches its end."""
        m, leaves = self.m, self.leaves
        if m.chance(0.15):
            self.private()
        if not reachable:
            return
        if m.chance(0.15) and leaves != ["simd"] and "loop" not in leaves:
            self.firstprivate()
        if certain and m.chance(0.15) and "loop" not in leaves:
            self.lastprivate()
        sole = len(self.nest) == 1 and not {"distribute", "loop", "taskloop", "teams"} & set(leaves)
        if certain and sole and m.chance(0.15):
            self.linear()

    def private(self) -> None:
        """A scratch variable, assigned before it is used."""
        m = self.m
        kind, name = m.pick(NUMBERS), m.name("p")
        self.before.append(fixed(f"{kind.name} {name} = {kind.made_of('5u')};"))
        m.know(name, f"{kind.name} {{}}", self.place)
        self.first.append(fixed(f"{name} = {value(m, self.inner, kind)};"))
        self.inner.items.append(Item(name, kind, (), self.inner.slots))
        self.clauses.append(Clause(f"private({name})"))

    def firstprivate(self) -> None:
        """A variable of the surroundings, only read."""
        m, place = self.m, self.place
        shared = self.home.visible()
        found = [i for i in place.visible() if i in shared and i not in self.inner.hidden]
        found = [i for i in found if place.readable(i) and _copied(i) and not i.constant]
        # A parameter is a pointer; a copy reads all elements, whoever writes them.
        found = [i for i in found if not i.dims or (not place.foreign(i) and place.allows(i, i.home, READ))]
        if not found:
            found = [m.scalar(self.home, f"{m.number(0, 999)}u", None, "f")]
        item = m.pick(found)
        self.inner.hidden |= {item}
        copy = Item(item.name, item.kind, item.dims, self.inner.slots, Storage.LOCAL, item.nested, constant=True)
        if place.level is not Level.HOST:
            place.note(item, item.home if item.dims else place.kept(item), READ)
        self.inner.items.append(copy)
        self.clauses.append(Clause(f"firstprivate({item.name})"))

    def lastprivate(self) -> None:
        """A variable that the last iteration sets."""
        m = self.m
        for _ in range(m.number(1, 2)):
            item = m.scalar(self.home, "9u", None, "z")
            self.place.note(item, item.home, WRITE)
            self.inner.hidden |= {item}
            self._lasting.append(item)
        self.clauses.append(Clause(f"lastprivate({', '.join(i.name for i in self._lasting)})"))

    def linear(self) -> None:
        """A variable that grows by the same step in each iteration."""
        m, step = self.m, self.m.pick((1, 2, 3, -1))
        item = m.scalar(self.home, f"{m.number(0, 999)}u", INT, "y")
        self.place.note(item, item.home, WRITE)
        self.inner.hidden |= {item}
        self.inner.items.append(Item(item.name, INT, (), self.inner.slots, constant=True))
        self._stepping.append((item, step))
        clause = f"linear({item.name}:{step})" if step != 1 or m.chance(0.5) else f"linear({item.name})"
        self.clauses.append(Clause(clause))

    def last(self) -> list[Node]:
        """Return what stands at the end of the body."""
        last = [fixed(f"{i.name} = {value(self.m, self.inner, i.kind)};") for i in self._lasting]
        return [*last, *(fixed(f"{i.name} += {step};") for i, step in self._stepping)]


def _copied(item: Item) -> bool:
    if item.dims:
        return item.size <= 32 and item.storage is not Storage.HEAP and not item.offset
    return True
