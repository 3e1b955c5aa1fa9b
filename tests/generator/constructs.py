"""Loop constructs of all kinds, combined or not: their slots, loops, bodies and clauses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generator.attributes import Attributes
from generator.clauses import default_none, geometry, schedules
from generator.expressions import number
from generator.loops import Loop, make_loop
from generator.maker import MOST_RUNS, Maker
from generator.places import READ, Level, Path, Place, Reducer, Slot, Tracker
from generator.reducing import choose, clauses, reduced
from generator.tree import BARRIER, Clause, Directive, Node, block, fixed, line


@dataclass
class Construct:
    """A construct: what stands before it, its statement, its (innermost) directive."""

    before: list[Node]
    node: Node
    directive: Directive


def uncovered(path: Path) -> list[Slot]:
    """Return the anonymous slots of a path that nothing covers."""
    covered = {c for slot in path for c in slot.covers}
    return [s for s in path if not s.index and s not in covered]


def in_function(place: Place, home: Place) -> bool:
    """Tell whether a function's border stands between a place and one around it."""
    return any(p.function for p in place.chain() if p.depth > home.depth)


def loop_construct(m: Maker, place: Place, name: str) -> Construct:
    """Return a loop construct; ``name`` is its directive."""
    leaves = name.split("(")[0].replace(" bind", "").split()
    new = _new_slots(leaves)
    open_slots = uncovered(place.slots)
    covers = [*new]
    if (
        not {"teams", "parallel"} & set(leaves)
        and {"distribute", "for", "loop"} & set(leaves)
        and "thread)" not in name
    ) or ("distribute" in leaves and "teams" not in leaves):
        covers += open_slots[-1:]
    nest, between = _with_code_between(m, _nest(m, place, leaves))
    inner = _body_place(place, leaves, new, tuple(covers), nest)
    for loop in nest:
        m.know(loop.variable, f"{loop.type} {{}}", inner)
        if loop.variable in between:
            m.know(loop.index, f"const {loop.type} {{}}", inner)
    return _finished(m, place, inner, nest, Directive(name), leaves, between)


def _new_slots(leaves: list[str]) -> Path:
    kinds = ("teams", "parallel", "simd", "loop", "taskloop")
    return tuple(Slot() for kind in kinds if kind in leaves)


def _nest(m: Maker, place: Place, leaves: list[str]) -> list[Loop]:
    most = max(1, min(1000, MOST_RUNS // (place.count * 2)))
    depth = m.weighted((10, 1), (3, 2), (1, 3))
    each = most if depth == 1 else max(1, int(most ** (1 / depth)))
    return [make_loop(m, each, "ijl"[at]) for at in range(depth)]


def _with_code_between(m: Maker, nest: list[Loop]) -> tuple[list[Loop], dict[str, Node]]:
    """Keep the index of some loops in a variable that stands before the loop inside; return these by loop variable."""
    between: dict[str, Node] = {}
    for at, loop in enumerate(nest[:-1]):
        if m.chance(0.25):
            name = m.name("b")
            between[loop.variable] = fixed(f"const {loop.type} {name} = {loop.index};")
            nest[at] = replace(loop, index=name)
    return nest, between


def _body_place(place: Place, leaves: list[str], new: Path, covers: Path, nest: list[Loop]) -> Place:
    trips = 1
    for loop in nest:
        trips *= loop.trips
    slots = (*place.slots, *new, *(loop.slot(*(covers if loop is nest[-1] else ())) for loop in nest))
    pure = place.pure or "simd" in leaves or "loop" in leaves
    one = pure or "for" in leaves or "taskloop" in leaves
    return place.inside(
        level=Level.ONE if one else Level.TEAM,
        slots=slots,
        trackers=(*place.trackers, *(Tracker(slot) for slot in new)),
        count=place.count * max(1, trips),
        certain=place.certain and trips > 0,
        pure=pure,
        league=False,
        strict=False,
        nesting=place.nesting + ("parallel" in leaves),
        threads=None if "parallel" in leaves else place.threads,
    )


def _finished(
    m: Maker, place: Place, inner: Place, nest: list[Loop], directive: Directive, leaves: list[str],
    between: dict[str, Node],
) -> Construct:  # fmt: skip
    own = bool({"parallel", "teams", "taskloop"} & set(leaves)) or leaves == ["simd"] or "thread)" in directive.name
    home = place if own else place.commons()
    reachable = not in_function(place, home)
    league = place.league and bool({"distribute", "loop"} & set(leaves))
    reducers = _reducers(m, place, home, leaves) if reachable and not league else []
    kept = place.reducers if not any(not s.index for s in inner.slots[len(place.slots) :]) else ()
    passed = _passed(m, place, leaves) if not kept else []
    reduced(place, reducers)
    inner.hidden = place.hidden | {r.item for r in (*place.reducers, *reducers)}
    inner.reducers = (*reducers, *passed, *kept)
    continues = inner.count > 1 and m.chance(0.12)
    attributes = Attributes(m, place, home, inner, nest, leaves)
    attributes.choose(reachable and not league, certain=not continues and all(loop.trips for loop in nest))
    geometry(m, place, inner, directive, leaves)
    joined = _schedule(m, place, directive, leaves, nest)
    directive.clauses += [*clauses(m, [*reducers, *passed]), *attributes.clauses]
    outside = [loop for loop in nest if m.chance(0.2)]
    if len(nest) > 1:
        directive.clauses.append(Clause(f"collapse({len(nest)})", not outside))
    body = _body(m, inner, attributes, continues)
    if "taskloop" in leaves:
        share_written(inner, directive)
    node = _nested(nest, outside, body, between)
    node.directives.append(directive)
    node.rest = BARRIER if joined else ""
    if "parallel" in leaves and place.level is not Level.HOST and m.chance(0.1):
        default_none(m, node, inner, directive)
    declared = [fixed(f"{loop.type} {loop.variable};") for loop in outside]
    return Construct([*attributes.before, *declared], node, directive)


def _reducers(m: Maker, place: Place, home: Place, leaves: list[str]) -> list[Reducer]:
    return choose(m, place, home, arrays="simd" not in leaves and "loop" not in leaves and "taskloop" not in leaves)


def _passed(m: Maker, place: Place, leaves: list[str]) -> list[Reducer]:
    if "parallel" in leaves or leaves in (["simd"], ["distribute", "simd"]):
        return [r for r in place.reducers if m.chance(0.8) and (not r.item.dims or "simd" not in leaves)]
    return []


def _schedule(m: Maker, place: Place, directive: Directive, leaves: list[str], nest: list[Loop]) -> bool:
    """Add the clauses about the order of iterations; tell whether a barrier of the place's team follows."""
    schedules(m, directive, leaves)
    if {"teams", "parallel", "taskloop", "distribute"} & set(leaves) or leaves == ["simd"]:
        return False
    if place.level is not Level.THREADS:
        return False
    if "for" in leaves and m.chance(0.25):
        directive.add("nowait", loose=True)
        return False
    return True


def _body(m: Maker, inner: Place, attributes: Attributes, continues: bool) -> list[Node]:
    first = list(attributes.first)
    if continues:
        first.append(line(f"if ({number(m, inner, 1)} % 5u == {m.number(0, 4)}u) continue;"))
        inner.certain = False
    nodes = m.fill(inner, m.number(1, 4))
    closing = attributes.last()
    body = m.finish(inner, nodes)
    return [*inner.heads, *first, *body[len(inner.heads) :], *closing]


def _nested(nest: list[Loop], outside: list[Loop], body: list[Node], between: dict[str, Node]) -> Node:
    for loop in reversed(nest):
        if loop.variable in between:
            body = [between[loop.variable], *body]
        body = [block(loop.header(loop not in outside), body)]
    return body[0]


def share_written(inner: Place, directive: Directive) -> None:
    """Share what a task writes: a task copies what the thread that makes it has for itself."""
    for item, accesses in inner.trackers[-1].records.items():
        if item.home and not inner.foreign(item) and any(a.mode != READ for a in accesses):
            if item.home != inner.slots[: len(item.home)] or item in inner.items or len(item.home) == len(inner.slots):
                continue
            directive.add(f"shared({item.name})")


def joins(place: Place, node: Node) -> None:
    """Forget the accesses before a construct that ends with a barrier."""
    if node.rest:
        place.trackers[-1].records.clear()


def after(place: Place, made: Construct) -> list[Node]:
    """Return a construct's statements for the place where it stands."""
    joins(place, made.node)
    return [*made.before, made.node]
