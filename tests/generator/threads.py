"""What all threads of a team execute together: worksharing, barriers, loops over thread numbers, branches."""

from __future__ import annotations

from generator.clauses import names_used
from generator.constructs import after, in_function, loop_construct, uncovered
from generator.expressions import condition, value
from generator.kinds import KINDS
from generator.loops import bound
from generator.maker import DEEPEST, MOST_RUNS, Maker
from generator.places import WRITE, Item, Level, Place, Slot
from generator.reducing import choose, clauses, reduced
from generator.statements import publish
from generator.tree import BARRIER, Clause, Directive, Node, barrier, block, fixed, line

LOOPS = ("for", "for", "for", "for", "for simd", "loop", "loop bind(parallel)")


def one_thread(place: Place, index: str = "0", extent: int = 1, **changes: object) -> Place:
    """Return a place in which one thread executes what others do not."""
    slot = Slot(index, extent, tuple(uncovered(place.slots)[-1:]))
    return place.inside(level=Level.ONE, slots=(*place.slots, slot), count=place.count * extent, **changes)


def join(place: Place) -> Node:
    """Return a barrier of the place's team."""
    place.trackers[-1].records.clear()
    return barrier()


def workshare(m: Maker, place: Place) -> list[Node]:
    """A worksharing loop."""
    name = m.pick(LOOPS)
    if name == "loop" and any(p.function for p in place.chain()):
        name = "loop bind(parallel)"
    return after(place, loop_construct(m, place, name))


def wait(m: Maker, place: Place) -> list[Node]:
    """A barrier."""
    return [join(place)]


def numbered(m: Maker, place: Place) -> list[Node]:
    """A loop over the iterations of the thread's number, as CUDA programs write it."""
    most = max(1, min(300, MOST_RUNS // (place.count * 2)))
    extent, variable = m.number(1, most), m.name("i")
    inner = one_thread(place, variable, extent)
    first, stride = "omp_get_thread_num()", "omp_get_num_threads()"
    open_slots = uncovered(place.slots)
    if len(open_slots) == 2 and m.chance(0.5):
        inner.slots = (*place.slots, Slot(variable, extent, tuple(open_slots)))
        first, stride = f"omp_get_team_num() * {stride} + {first}", f"omp_get_num_teams() * {stride}"
    m.know(variable, "int {}", inner)
    limit = bound(m, extent)
    body = m.body(inner, m.number(1, 3))
    if m.chance(0.6):
        return [block(f"for (int {variable} = {first}; {variable} < {limit}; {variable} += {stride})", body)]
    own, step = m.name("tid"), m.name("nth")
    head = fixed(f"const int {own} = {first}, {step} = {stride};")
    return [head, block(f"for (int {variable} = {own}; {variable} < {limit}; {variable} += {step})", body)]


def rounds(m: Maker, place: Place) -> list[Node]:
    """Rounds in which each thread has at most one index, with a barrier in each round."""
    if place.depth >= DEEPEST:
        return []
    extent = m.number(1, max(1, min(60, MOST_RUNS // (place.count * 2))))
    start, variable, limit = m.name("base"), m.name("i"), bound(m, extent)
    before = place.trackers[-1].saved()
    inner = one_thread(place, variable, extent)
    m.know(variable, "int {}", inner)
    nodes = [
        fixed(f"int {variable} = {start} + omp_get_thread_num();"),
        block(f"if ({variable} < {limit})", m.body(inner, m.number(1, 3))),
        join(place),
    ]
    place.trackers[-1].also(before)
    step = f"{start} += omp_get_num_threads()"
    return [block(f"for (int {start} = 0; {start} < {limit}; {step})", nodes, rest=BARRIER)]


def repeat(m: Maker, place: Place) -> list[Node]:
    """A loop that all threads execute."""
    if place.depth >= DEEPEST or place.count > MOST_RUNS // 8:
        return []
    counter, trips = m.name("k"), m.number(1, 4)
    inner = place.inside(count=place.count * trips)
    if m.chance(0.5):
        inner.slots = (*place.slots, Slot(counter, trips, dense=False))
        m.know(counter, "int {}", inner)
    before = place.trackers[-1].saved()
    body = m.body(inner, m.number(1, 3))
    if place.trackers[-1].records:
        body.append(join(place))
    place.trackers[-1].also(before)
    return [block(f"for (int {counter} = 0; {counter} < {bound(m, trips)}; {counter}++)", body, rest=BARRIER)]


def decide(m: Maker, place: Place) -> list[Node]:
    """A branch that all threads take, or none."""
    if place.depth >= DEEPEST:
        return []
    text = condition(m, place)
    before = place.trackers[-1].saved()
    nodes = []
    for head in (f"if ({text})", "else"):
        inner = place.inside(certain=False)
        after_other = place.trackers[-1].saved()
        place.trackers[-1].records = {item: list(a) for item, a in before.items()}
        nodes.append(block(head, m.body(inner, m.number(1, 2)), rest=BARRIER))
        place.trackers[-1].also(after_other)
        if m.chance(0.6):
            break
    place.trackers[-1].also(before)
    return nodes


def local(m: Maker, place: Place) -> list[Node]:
    """A variable that each thread has for itself, the same for all."""
    old = [i for i in place.items if not i.dims and i.home == place.slots and not i.constant]
    if old and m.chance(0.4):
        item = m.pick(old)
        text = f"{item.name} = {value(m, place, item.kind)};"
        return [line(text)] if item.kind.family != "cell" else []
    kind = m.pick(KINDS)
    made = value(m, place, kind)
    item = m.add(Item(m.name("t"), kind, (), place.slots), place)
    return [line(f"{kind.name} {item.name} = {made};")]


def sections(m: Maker, place: Place) -> list[Node]:
    """Sections, each executed by one thread."""
    home, directive = place.commons(), Directive("sections")
    reducers = [] if in_function(place, home) else choose(m, place, home, most=2, arrays=False)
    reduced(place, reducers)
    directive.clauses += clauses(m, reducers)
    body = []
    for _ in range(m.number(1, 4)):
        inner = one_thread(place)
        inner.hidden |= {r.item for r in reducers}
        inner.reducers = (*reducers, *place.reducers)
        body.append(block("", m.body(inner, m.number(1, 2)), Directive("section")))
    if m.chance(0.2) and body[0].directives:
        body[0].directives.clear()
    return _ended(m, place, block("", body, directive), directive)


def _ended(m: Maker, place: Place, node: Node, directive: Directive) -> list[Node]:
    if m.chance(0.2):
        directive.add("nowait", loose=True)
        return [node]
    place.trackers[-1].records.clear()
    node.rest = BARRIER
    return [node]


def single(m: Maker, place: Place) -> list[Node]:
    """A block that one thread executes, perhaps for a value that all threads get."""
    inner, directive = one_thread(place), Directive("single")
    nodes = m.fill(inner, m.number(1, 3))
    if m.chance(0.65):
        return _ended(m, place, block("", m.finish(inner, nodes), directive), directive)
    kind = m.pick(KINDS)
    item = Item(m.name("t"), kind, (), place.slots)
    body = [*m.finish(inner, nodes), fixed(f"{item.name} = {value(m, inner, kind)};")]
    directive.add(f"copyprivate({item.name})")
    m.add(item, place)
    place.trackers[-1].records.clear()
    return [fixed(f"{kind.name} {item.name};"), Node("", body, [directive], rest=BARRIER)]


def masked(m: Maker, place: Place) -> list[Node]:
    """A block for the first thread."""
    inner = one_thread(place)
    body = m.body(inner, m.number(1, 3))
    names = ("masked", "master", "masked filter(0)")
    node = block("if (omp_get_thread_num() == 0)", body) if m.chance(0.4) else block("", body, Directive(m.pick(names)))
    return [node, join(place)] if m.chance(0.6) else [node]


def show(m: Maker, place: Place) -> list[Node]:
    """Carry the threads' own variables out, by one of them."""
    inner, league = one_thread(place), len(uncovered(place.slots)) > 1
    inner.slots = (*place.slots, Slot("0", 1, tuple(uncovered(place.slots))))
    nodes = publish(m, inner, place.items)
    if not nodes:
        return []
    if league or m.chance(0.5):
        return [block(f"if (omp_get_thread_num() == 0{' && omp_get_team_num() == 0' if league else ''})", nodes)]
    return [block("", nodes, Directive("masked"))]


def tree(m: Maker, place: Place) -> list[Node]:
    """A sum over a shared array with an element for each thread, halved in each step."""
    home = place.commons()
    if place.threads is None or place.threads > 128:
        return []
    extent = m.number(1, 60)
    kind = m.pick([k for k in KINDS if k.family in ("unsigned", "real")])
    parts = m.array(home, (place.threads,), kind, "sh")
    parts.unordered, parts.printed = True, False
    inner = one_thread(place, "i", extent)
    own, all_of, first = m.name("tid"), m.name("nth"), one_thread(place)
    made = value(m, inner, kind)
    place.note(parts, parts.home, WRITE)
    out = m.target(first, kind)
    mine = parts.element([own])
    nodes = [
        fixed(f"int {own} = omp_get_thread_num(), {all_of} = omp_get_num_threads();"),
        fixed(f"{mine} = 0;"),
        fixed(f"for (int i = {own}; i < {extent}; i += {all_of}) {mine} += {made};"),
        join(place),
    ]
    nodes += _halving(m, parts, own, all_of) if m.chance(0.5) else _doubling(parts, own, all_of)
    if out is not None and first.writable(out):
        first.wrote(out)
        result = fixed(f"{first.own(out)} = {parts.element(['0'])};")
        nodes.append(block(f"if ({own} == 0)", m.finish(first, [result])))
    nodes.append(join(place))
    parts.path = parts.home
    return [Node("", nodes, rest=BARRIER)]


def _halving(m: Maker, parts: Item, own: str, all_of: str) -> list[Node]:
    width, half = m.name("w"), m.name("w")
    body = [
        fixed(f"int {half} = ({width} + 1) / 2;"),
        fixed(f"if ({own} + {half} < {width}) {parts.element([own])} += {parts.element([f'{own} + {half}'])};"),
        barrier(),
        fixed(f"{width} = {half};"),
    ]
    return [fixed(f"int {width} = {all_of};"), Node(f"while ({width} > 1)", body, loose=False)]


def _doubling(parts: Item, own: str, all_of: str) -> list[Node]:
    test = f"if ({own} % (2 * w) == 0 && {own} + w < {all_of})"
    body = [fixed(f"{test} {parts.element([own])} += {parts.element([f'{own} + w'])};"), barrier()]
    return [Node(f"for (int w = 1; w < {all_of}; w *= 2)", body, loose=False)]


def parallel_clauses(m: Maker, place: Place, inner: Place, directive: Directive) -> list[Node]:
    """Add reductions and data sharing to a ``parallel`` whose body is ``inner``; return what stands before it."""
    reducers = choose(m, place, place) if not place.pure else []
    reduced(place, reducers)
    passed = [r for r in place.reducers if r not in reducers and m.chance(0.8)]
    inner.reducers = (*reducers, *passed)
    inner.hidden = place.hidden | {r.item for r in (*place.reducers, *reducers)}
    directive.clauses += clauses(m, list(inner.reducers))
    once = place.level is not Level.HOST or place.count == 1  # else plain execution would keep the value
    if once and m.chance(0.25):
        item = m.scalar(place, f"{m.number(0, 999)}u", None, "f")
        place.items.remove(item)
        inner.items.append(Item(item.name, item.kind, (), inner.slots))
        directive.add(f"firstprivate({item.name})")
    if m.chance(0.15):
        kind, name = m.pick(KINDS), m.name("p")
        m.know(name, f"{kind.name} {{}}", place)
        directive.add(f"private({name})")
        inner.heads.append(fixed(f"{name} = {value(m, inner, kind)};"))
        inner.items.append(Item(name, kind, (), inner.slots))
        return [fixed(f"{kind.name} {name};")]
    return []


def defaults(m: Maker, node: Node, inner: Place, directive: Directive) -> None:
    """Perhaps say what is shared."""
    if m.chance(0.15) and not directive.clauses:
        used = names_used(m, [node], inner)
        if used:
            directive.clauses.append(Clause(f"default(none) shared({', '.join(used)})"))
    elif m.chance(0.1):
        directive.add("default(shared)", loose=True)
