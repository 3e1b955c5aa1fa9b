"""Updates of variables that many threads change at a time: atomic, critical, lists that grow by an atomic counter."""

from __future__ import annotations

from generator.expressions import number, value
from generator.kinds import INT, NUMBERS, Kind
from generator.maker import Maker
from generator.places import Item, Level, Place, Reducer
from generator.reducing import INITIAL, KINDS_OF, combine
from generator.tree import Directive, Node, block, fixed, line

GROUPS = {"+": "sum", "-": "sum"}


def may_update(place: Place) -> bool:
    """Tell whether atomic and critical constructs may stand at a place."""
    return not place.pure and not place.strict and not place.held and place.level in (Level.ONE, Level.TEAM)


def atomic(m: Maker, place: Place) -> list[Node]:
    """Update an element of a shared variable atomically."""
    if not may_update(place):
        return []
    operator = m.pick(("+", "+", "+", "-", "*", "&", "|", "^", "min", "max"))
    item = _shared(m, place, operator, f"atomic {GROUPS.get(operator, operator)}", KINDS_OF[operator])
    if item is None:
        return []
    name = item.name if not item.dims else item.element([f"{number(m, place, 1)} % {d}u" for d in item.dims])
    made = Reducer(Item(name, item.kind), operator)
    if operator in ("min", "max"):
        return _compared(m, place, made)
    directive = Directive(m.pick(("atomic", "atomic", "atomic update")))
    if m.chance(0.3):
        directive.add(m.pick(("relaxed", "seq_cst", "release")), loose=True)
    if operator in ("+", "-") and m.chance(0.3):
        sign = operator * 2
        return [line(m.pick((f"{name}{sign};", f"{sign}{name};")), directive)]
    return [line(_update(m, place, made), directive)]


def _update(m: Maker, place: Place, into: Reducer) -> str:
    name, kind, operator = into.item.name, into.item.kind, into.operator
    made = f"({kind.made_of(number(m, place))})"
    if kind.family in ("signed", "real") and operator in ("*",):
        made = f"({number(m, place, 1)} % 3u == 1u ? -1 : 1)"
    if operator == "-":
        return f"{name} -= {made};"
    return m.pick(
        (f"{name} {operator}= {made};", f"{name} = {name} {operator} {made};", f"{name} = {made} {operator} {name};")
    )


def _compared(m: Maker, place: Place, into: Reducer) -> list[Node]:
    name, kind = into.item.name, into.item.kind
    sign, chosen = ("<" if into.operator == "max" else ">"), m.name("r")
    made = fixed(f"{kind.name} {chosen} = {value(m, place, kind)};")
    text = m.pick(
        (
            f"if ({name} {sign} {chosen}) {{ {name} = {chosen}; }}",
            f"{name} = {name} {sign} {chosen} ? {chosen} : {name};",
        )
    )
    return [block("", [made, fixed(text, Directive("atomic compare"))])]


def _shared(m: Maker, place: Place, operator: str, mode: str, kinds: tuple[Kind, ...]) -> Item | None:
    old = [i for i in place.visible() if i.kind in kinds and _updatable(place, i, mode)]
    if old and m.chance(0.6):
        item = m.pick(old)
    else:
        homes = [p for p in place.chain() if p.slots == place.slots[: len(p.slots)] and place.fits(p.slots)]
        homes = [p for p in homes if p.level in (Level.HOST, Level.TEAM)]
        if not homes:
            return None
        home = homes[-1] if m.chance(0.6) else m.pick(homes)
        kind, size = m.pick(kinds), m.pick((1, 1, 2, 3, 5, 8, 16))
        if size == 1 and not _in_function(place, home):
            item = m.scalar(home, INITIAL.get(operator, f"{m.number(0, 50)}u"), kind, "c")
        else:
            item = m.array(home, (max(2, size),), kind, "h")
    item.path = item.home
    place.note(item, item.home, mode)
    return item


def _updatable(place: Place, item: Item, mode: str) -> bool:
    if item.constant or item.unordered or not place.fits(item.home) or (not item.dims and place.foreign(item)):
        return False
    return place.allows(item, item.home, mode)


def _in_function(place: Place, home: Place) -> bool:
    return any(p.function for p in place.chain() if p.depth > home.depth)


def critical(m: Maker, place: Place) -> list[Node]:
    """Update shared variables in a critical section."""
    if not may_update(place):
        return []
    name = m.pick(("", "one", "two"))
    directive = Directive(f"critical ({m.prefix}_{name})" if name else "critical")
    body: list[Node] = []
    inner = place.inside(held=True)
    for _ in range(m.number(1, 3)):
        operator = m.pick(("+", "+", "*", "^", "|", "&", "min", "max"))
        item = _shared(m, place, operator, f"critical {name} {GROUPS.get(operator, operator)}", KINDS_OF[operator])
        if item is not None and len(item.dims) < 2:
            body.append(line(combine(m, inner, Reducer(item, operator))))
    best = _best(m, inner, f"critical {name} best") if m.chance(0.3) else []
    return [block("", body + best, directive)] if body or best else []


def _best(m: Maker, place: Place, mode: str) -> list[Node]:
    slots = [s for s in place.slots if s.extent > 1]
    if _in_function(place, m.host) or not slots:
        return []
    if not place.fits(()):
        return []
    mode = f"{mode} {m.name('best')}"
    most, where = m.scalar(m.host, "0u", INT, "b"), m.scalar(m.host, "699u", INT, "w")
    for item in (most, where):
        place.note(item, (), mode)
    found, at = m.name("r"), m.name("r")
    index = " + ".join(f"(int)({s.index}) * {m.number(1, 9) if len(slots) > 1 else 1}" for s in slots)
    test = f"{found} > {most.name} || ({found} == {most.name} && {at} > {where.name})"
    return [
        fixed(f"int {found} = (int)({number(m, place)} % 50u), {at} = {index};"),
        block(f"if ({test})", [fixed(f"{most.name} = {found};"), fixed(f"{where.name} = {at};")]),
    ]


def append(m: Maker, place: Place) -> list[Node]:
    """Append to a list whose length an atomic counter holds; the order of its elements is not certain."""
    if (
        not may_update(place)
        or place.count > 2000
        or place.count < 2
        or _in_function(place, m.host)
        or not place.fits(())
    ):
        return []
    kind = m.pick(NUMBERS)
    made = value(m, place, kind)
    count = m.scalar(m.host, "700u", INT, "c")
    items = m.array(m.host, (place.count,), kind, "u")
    items.unordered = count.constant = True
    place.note(count, (), "append")
    place.note(items, (), "append")
    at = m.name("at")
    capture = Directive(m.pick(("atomic capture", "atomic capture", "atomic capture seq_cst")))
    forms = (
        [fixed(f"{at} = {count.name}++;", capture)],
        [block("", [fixed(f"{at} = {count.name};"), fixed(f"{count.name} += 1;")], capture)],
        [fixed(f"{at} = {count.name} += 1;", capture), fixed(f"{at}--;")],
        [block("", [fixed(f"{count.name}++;"), fixed(f"{at} = {count.name};")], capture), fixed(f"{at} -= 1;")],
    )
    taken = m.pick(forms)
    for node in taken:
        node.loose = False
        for inner in node.body or []:
            inner.loose = False
    return [block("", [fixed(f"int {at};"), *taken, fixed(f"{items.element([at])} = {made};")])]
