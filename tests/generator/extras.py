"""Less common constructs: ordered, scan, atomic reads and writes, lambdas."""

from __future__ import annotations

from generator.clauses import schedules
from generator.constructs import in_function
from generator.expressions import element, number, value
from generator.kinds import NUMBERS, UNSIGNED
from generator.loops import make_loop
from generator.maker import MOST_RUNS, Maker
from generator.places import WRITE, Item, Level, Place, Slot, Storage
from generator.reducing import combine
from generator.teams import may_fork, threads_place
from generator.threads import join, one_thread
from generator.tree import BARRIER, Directive, Node, block, fixed, line


def _iteration(m: Maker, place: Place) -> tuple[str, Place]:
    """Return the head of a worksharing loop at a threads' place, and the place of its iterations."""
    loop = make_loop(m, max(1, min(200, MOST_RUNS // (place.count * 2))))
    inner = one_thread(place)
    slot = Slot(loop.index, loop.extent, inner.slots[-1].covers, loop.dense)
    inner.slots, inner.count = (*place.slots, slot), place.count * max(1, loop.trips)
    inner.certain = place.certain and loop.trips > 0
    m.know(loop.variable, f"{loop.type} {{}}", inner)
    return loop.header(), inner


def ordered(m: Maker, place: Place) -> list[Node]:
    """A loop with a part whose order counts."""
    home = place.commons()
    if in_function(place, home):
        return []
    head, inner = _iteration(m, place)
    item = m.scalar(home, "5u", m.pick(UNSIGNED), "d")
    place.note(item, item.home, WRITE)
    inner.hidden |= {item}
    body = m.fill(inner, m.number(1, 2))
    last = fixed(f"{item.name} = {item.name} * 5u + {number(m, inner)};")
    directive = Directive("for ordered")
    schedules(m, directive, ["for"])
    directive.clauses[:] = [c for c in directive.clauses if "nonmonotonic" not in c.text]
    nodes = [*m.finish(inner, body), block("", [last], Directive("ordered"))]
    place.trackers[-1].records.clear()
    return [block(head, nodes, directive, rest=BARRIER)]


def _scanned(m: Maker, home: Place, inner: Place, item: Item) -> list[Node]:
    """Return the halves of a body that computes prefix sums into an array."""
    sums = fixed(f"{item.name} += {item.kind.made_of(number(m, inner))};")
    out = m.array(home, (inner.slots[-1].extent,), item.kind) if inner.slots[-1].extent > 1 else None
    taken: list[Node] = []
    if out is not None:
        taken = [fixed(f"{out.element([inner.slots[-1].index])} = {item.name};")]
        inner.note(out, inner.slots, WRITE)
        out.path = inner.slots
    return [sums, fixed("#pragma omp scan inclusive(" + item.name + ")"), Node("", taken)]


def scan(m: Maker, place: Place) -> list[Node]:
    """A loop of prefix sums among the threads of a team."""
    home = place.commons()
    if in_function(place, home) or place.count > 100 or m.chance(0.75):
        return []
    head, inner = _iteration(m, place)
    item = m.scalar(home, "3u", m.pick(UNSIGNED), "s")
    place.note(item, item.home, WRITE)
    inner.hidden |= {item}
    if not inner.fits(home.slots) or len(inner.slots) - len(home.slots) > 2:
        return []
    nodes = _scanned(m, home, inner, item)
    place.trackers[-1].records.clear()
    return [block(head, nodes, Directive("for").add(f"reduction(inscan, +: {item.name})"), rest=BARRIER)]


def parallel_scan(m: Maker, place: Place) -> list[Node]:
    """A parallel loop of prefix sums."""
    if not may_fork(place) or place.count > 100 or m.chance(0.75):
        return []
    item = m.scalar(place, "3u", m.pick(UNSIGNED), "s")
    head, inner = _iteration(m, threads_place(place))
    place.note(item, item.home, WRITE)
    inner.hidden |= {item}
    nodes = _scanned(m, place, inner, item)
    return [block(head, nodes, Directive("parallel for").add(f"reduction(inscan, +: {item.name})"))]


def write_same(m: Maker, place: Place) -> list[Node]:
    """An atomic write of the same value by all threads, and a barrier."""
    home = place.commons()
    if in_function(place, home) or home.level is Level.HOST:
        return []
    kind = m.pick(NUMBERS)
    made = value(m, place, kind)
    item = m.scalar(home, "9u", kind, "v")
    place.note(item, item.home, f"atomic write {item.name}")
    directive = Directive(m.pick(("atomic write", "atomic write release", "atomic write seq_cst")))
    nodes = [fixed(f"{item.name} = {made};", directive)]
    return [*nodes, join(place)] if m.chance(0.7) else nodes


def read_atomically(m: Maker, place: Place) -> list[Node]:
    """An atomic read."""
    found = [i for i in place.visible() if place.readable(i) and i.kind.family != "cell" and not i.constant]
    if not found or place.pure or place.strict or place.held:
        return []
    item, name = m.pick(found), m.name("t")
    text = element(m, place, item)
    source = text.removeprefix("(unsigned)").removeprefix("(int)")
    m.add(Item(name, item.kind, (), place.slots, Storage.LOCAL), place)
    directive = Directive(m.pick(("atomic read", "atomic read acquire", "atomic read relaxed")))
    return [fixed(f"{item.kind.name} {name};"), fixed(f"{name} = {source};", directive)]


def closure(m: Maker, place: Place) -> list[Node]:
    """A lambda that is called at once; C++ only."""
    if not m.cpp:
        return []
    name, item = m.name("fn"), Item(m.name("t"), m.pick(UNSIGNED), (), place.slots)
    made = number(m, place)
    body = f"auto {name} = [{m.pick('=&')}](unsigned v) {{ return v * {m.number(2, 9)}u + {made}; }};"
    m.add(item, place)
    return [line(body), line(f"{item.kind.name} {item.name} = {name}({m.number(0, 99)}u);")]


def same(m: Maker, place: Place) -> list[Node]:
    """All threads combine the same value, by an operator for which once is as good as often."""
    found = [r for r in place.reducers if r.operator in ("min", "max", "&", "|", "&&", "||") and not r.item.dims]
    return [line(combine(m, place, m.pick(found)))] if found else []
