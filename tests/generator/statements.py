"""Plain statements of sequential code: assignments, locals, branches, loops, calls."""

from __future__ import annotations

from dataclasses import replace

from generator.expressions import condition, number, value
from generator.kinds import KINDS, Kind
from generator.loops import make_loop
from generator.maker import DEEPEST, MOST_RUNS, Maker
from generator.places import READ, Item, Level, Place, Slot, extents
from generator.reducing import combine
from generator.tree import Node, block, fixed, line

CHANGE = """\
static void {name}({kind} *p, unsigned by) {{
  if (by % {n}u) *p = {made};
}}
"""


def assign(m: Maker, place: Place) -> list[Node]:
    """Assign to an element that only this execution touches."""
    item = m.target(place)
    if item is None:
        return []
    part, kind = m.pick((("", ""), (".a", "int"), (".c[0]", "short"))) if item.kind.family == "cell" else ("", "")
    made = f"({kind})({number(m, place, 2)} % 999u)" if kind else value(m, place, item.kind, 3)
    if not place.writable(item):
        return []
    own, operator = place.own(item) + part, "="
    if item.kind.family in ("unsigned", "small") and m.chance(0.4):
        operator = m.pick(("+=", "-=", "*=", "^=", "|=", "&="))
    elif item.kind.family != "cell" and m.chance(0.2) and place.count <= 3000:
        operator = "+="
    if operator != "=" or "." in own:
        place.note(item, place.slots, READ)
    place.wrote(item)
    return [line(f"{own} {operator} {made};")]


def call(m: Maker, place: Place) -> list[Node]:
    """Let a function change an element through a pointer."""
    item = m.target(place)
    if item is None:
        return []
    by = number(m, place)
    if not place.writable(item):
        return []
    own = place.own(item)
    place.note(item, place.slots, READ)
    place.wrote(item)
    return [line(f"{_changer(m, item.kind)}(&{own}, {by});")]


def _changer(m: Maker, kind: Kind) -> str:
    name = f"{m.prefix}_{m.name('g')}"
    m.helpers.append(CHANGE.format(name=name, kind=kind.name, n=m.number(2, 5), made=kind.made_of("by * 3u")))
    return name


def local(m: Maker, place: Place) -> list[Node]:
    """Declare a local variable or a small array, and let later statements use it."""
    if m.chance(0.25) and place.level is not Level.HOST:
        m.array(place, (m.pick((2, 3, 4, 8)),), stem="l")
        return []
    kind = m.pick(KINDS)
    made = value(m, place, kind)
    item = Item(m.name("t"), kind, (), place.slots)
    m.add(item, place)
    return [line(f"{kind.name} {item.name} = {made};")]


def branch(m: Maker, place: Place) -> list[Node]:
    """Branch; both ways stand where the branch stands."""
    if place.depth >= DEEPEST:
        return []
    text = condition(m, place)
    inner = place.inside(certain=False)
    nodes = [block(f"if ({text})", m.body(inner, m.number(1, 3)))]
    if m.chance(0.4):
        other = place.inside(certain=False)
        nodes.append(block("else", m.body(other, m.number(1, 2))))
    return nodes


def switch(m: Maker, place: Place) -> list[Node]:
    """Switch over a few cases."""
    if place.depth >= DEEPEST - 1:
        return []
    cases: list[Node] = []
    text = number(m, place)
    for label in ("case 0:", "case 1:", "default:"):
        inner = place.inside(certain=False)
        body = m.body(inner, 1)
        cases += [fixed(label), block("", body), fixed("break;")]
    return [block(f"switch ({text} % 3u)", cases)]


def loop(m: Maker, place: Place) -> list[Node]:
    """Loop; now and then each iteration writes elements of its own."""
    if place.depth >= DEEPEST or place.count > MOST_RUNS // 4:
        return []
    if m.chance(0.4):
        return _named_loop(m, place)
    counter, trips = m.name("k"), m.number(1, 5)
    skips = m.chance(0.25)
    inner = place.inside(count=place.count * trips, slots=place.slots, certain=place.certain and not skips)
    body = m.fill(inner, m.number(1, 3))
    if skips:
        body.insert(0, line(f"if (({number(m, place, 1)} + (unsigned){counter}) % 3u == 0u) continue;"))
    if m.chance(0.2):
        head = fixed(f"int {counter} = 0;")
        return [head, block(f"while ({counter}++ < {trips})", m.finish(inner, body))]
    return [block(f"for (int {counter} = 0; {counter} < {trips}; {counter}++)", m.finish(inner, body))]


def _named_loop(m: Maker, place: Place) -> list[Node]:
    shape = make_loop(m, 12, "k")
    count, certain = place.count * max(1, shape.trips), place.certain and shape.trips > 0
    inner = place.inside(slots=(*place.slots, replace(shape.slot(), dense=False)), count=count, certain=certain)
    m.know(shape.variable, f"{shape.type} {{}}", inner)
    return [block(shape.header(), m.body(inner, m.number(1, 2)))]


def reduce(m: Maker, place: Place) -> list[Node]:
    """Combine a value into one of the place's reduction variables."""
    found = [r for r in place.reducers if place.fits(r.item.home)]
    return [line(combine(m, place, m.pick(found)))] if found else []


def publish(m: Maker, place: Place, items: list[Item] | None = None) -> list[Node]:
    """Carry variables, the place's own unless others are given, to where the host can see them."""
    if place.level is Level.HOST or place.pure:
        return []
    if not place.fits(()):
        return _by_first_team(m, place) if place.league else []
    nodes: list[Node] = []
    chosen = place.items if items is None else items
    for item in [i for i in chosen if place.readable(i) and not i.constant and m.chance(0.6)][:3]:
        slots = place.slots if not item.dims else (*place.slots, Slot("q", item.size, dense=False))
        inner, dims = place.inside(slots=slots), extents(slots)
        if not m.holds(m.host, inner):
            continue
        out = m.array(m.host, dims, item.kind) if dims else m.scalar(m.host, "5u", item.kind, "v")
        place.note(item, place.kept(item), READ)
        source = item.name if not item.dims else f"(({item.kind.name} *){item.name})[q]"
        text = f"{inner.own(out)} = {source};"
        inner.wrote(out)
        nodes.append(line(f"for (int q = 0; q < {item.size}; q++) {text}" if item.dims else text))
    return nodes


def _by_first_team(m: Maker, place: Place) -> list[Node]:
    anonymous = tuple(s for s in place.slots if not s.index)[-1:]
    inner = place.inside(slots=(*place.slots, Slot("0", 1, anonymous)), league=False)
    nodes = publish(m, inner, place.items)
    return [block("if (omp_get_team_num() == 0)", nodes)] if nodes else []
