"""Target regions: a construct of each shape, and what it did with the host's variables."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.clauses import geometry
from generator.clauses import threads as ask_threads
from generator.constructs import Construct, loop_construct
from generator.expressions import value
from generator.kinds import NUMBERS
from generator.maker import Maker
from generator.places import Item, Level, Place, Slot, Tracker
from generator.reducing import choose, clauses, reduced
from generator.teams import threads_place
from generator.threads import parallel_clauses
from generator.tree import Directive, Node, block, fixed

# Directives of a loop, ``|`` where the construct may come apart into nested directives.
COMBINED = (
    "target|teams|distribute parallel for",
    "target|teams|distribute parallel for",
    "target|teams|distribute parallel for simd",
    "target|teams|distribute",
    "target|teams|distribute simd",
    "target|parallel|for",
    "target|parallel|for simd",
    "target|simd",
    "target|teams|loop",
    "target|parallel|loop",
)


@dataclass
class Region:
    """A target region: the statements before it, its own, its ``target`` directive, and its accesses."""

    before: list[Node]
    node: Node
    directive: Directive
    tracker: Tracker
    repeats: int = 1
    copied: set[str] = field(default_factory=set)

    def uses(self, item: Item) -> bool:
        """Tell whether the region accesses an item that it does not copy."""
        return item in self.tracker.records

    def copies(self, item: Item) -> bool:
        """Tell whether a construct of the region takes a copy of an item."""
        return item.name in self.copied

    def imports(self, item: Item) -> bool:
        """Tell whether the target construct itself takes a copy of an item."""
        return item.name in _copied(self.directive)


def region(m: Maker) -> Region:
    """Return a region of any shape."""
    repeats = 2 if m.chance(0.08) else 1
    tracker = Tracker(None)
    place = Place(Level.HOST, (), (tracker,), None, m.host.items, heads=m.host.heads, count=repeats)
    made = m.weighted((35, _combined), (25, _target), (25, _teams), (12, _parallel))(m, place)
    found = Region(made.before, made.node, _outermost(made.node), tracker, repeats)
    found.copied = {n for node in made.node.walk() for d in node.directives for n in _copied(d)}
    for item in m.host.items:
        item.path = ()
    return found


def _outermost(node: Node) -> Directive:
    return next(n.directives[0] for n in node.walk() if n.directives)


def _copied(directive: Directive) -> set[str]:
    names: set[str] = set()
    for clause in directive.clauses:
        if clause.text.startswith("firstprivate("):
            names |= {n.strip() for n in clause.text[13:-1].split(",")}
    return names


def _combined(m: Maker, place: Place) -> Construct:
    parts = m.pick(COMBINED).split("|")
    together = m.number(1, len(parts)) if m.chance(0.3) else len(parts)
    outer, name = parts[:-together], " ".join(parts[len(parts) - together :])
    if not outer:
        return loop_construct(m, place, name)
    if outer == ["target", "parallel"]:
        return _parallel(m, place, name)
    if outer == ["target", "teams"]:
        return _teams(m, place, name)
    if m.chance(0.6) and name == "parallel for":
        inner = _target_place(place)
        made = loop_construct(m, inner, name)
        return Construct([], block("", [*inner.heads, *made.before, made.node], Directive("target")), made.directive)
    made = loop_construct(m, place, name)
    return Construct(made.before, block("", [made.node], Directive("target")), made.directive)


def _target_place(place: Place) -> Place:
    return place.inside(level=Level.TEAM)


def _target(m: Maker, place: Place) -> Construct:
    inner, directive = _target_place(place), Directive("target")
    before = _private(m, inner, directive)
    node = block("", m.body(inner, m.number(2, 6)), directive)
    return Construct(before, node, directive)


def _private(m: Maker, inner: Place, directive: Directive) -> list[Node]:
    if m.chance(0.12):
        kind, name = m.pick(NUMBERS), m.name("p")
        m.know(name, f"{kind.name} {{}}", inner)
        directive.add(f"private({name})")
        inner.heads.append(fixed(f"{name} = {value(m, inner, kind)};"))
        inner.items.append(Item(name, kind, (), inner.slots))
        return [fixed(f"{kind.name} {name};")]
    if inner.count == 1 and m.chance(0.12):  # plain execution of a repeated region would keep the value
        item = m.scalar(m.host, f"{m.number(0, 999)}u", None, "f")
        m.host.items.remove(item)
        inner.items.append(Item(item.name, item.kind, (), inner.slots))
        directive.add(f"firstprivate({item.name})")
    return []


def _teams(m: Maker, place: Place, loop: str = "") -> Construct:
    apart = m.chance(0.3)
    directive = Directive("teams" if apart else "target teams")
    reducers = choose(m, place, place)
    reduced(place, reducers)
    directive.clauses += clauses(m, reducers)
    slot = Slot()
    inner = place.inside(
        level=Level.TEAM,
        slots=(slot,),
        trackers=(*place.trackers, Tracker(slot)),
        league=True,
        strict=True,
        reducers=tuple(reducers),
    )
    inner.hidden = frozenset(r.item for r in reducers)
    geometry(m, place, inner, directive, ["teams"])
    before = _private(m, inner, directive) if not apart and not loop else []
    if loop:
        made = loop_construct(m, inner, loop)
        node = block("", [*inner.heads, *made.before, made.node], directive)
    else:
        node = block("", m.body(inner, m.number(2, 6)), directive)
    if apart:
        node = block("", [node], Directive("target"))
    return Construct(before, node, directive)


def _parallel(m: Maker, place: Place, loop: str = "") -> Construct:
    directive = Directive("target parallel")
    inner = threads_place(place)
    before = parallel_clauses(m, place, inner, directive)
    ask_threads(m, inner, directive)
    if loop:
        made = loop_construct(m, inner, loop)
        node = block("", [*inner.heads, *made.before, made.node], directive)
    else:
        node = block("", m.body(inner, m.number(2, 6)), directive)
    return Construct(before, node, directive)
