"""Functions that contain constructs: statements moved into a function whose parameters are the variables they use."""

from __future__ import annotations

import re

from generator.clauses import names_used
from generator.maker import DEEPEST, Maker
from generator.places import Place
from generator.tree import Node, block, line


def orphan(m: Maker, place: Place) -> list[Node]:
    """Call a function that does, at its place, what this place might."""
    if place.depth >= DEEPEST - 1 or place.held or len(m.functions) > 12:
        return []
    frozen = frozenset(i for i in place.visible() if i.dims or place.readable(i))
    inner = place.inside(function=True, frozen=frozen, reducers=())
    inner.hidden = place.hidden | {r.item for r in place.reducers}
    body = m.body(inner, m.number(1, 3))
    if not body:
        return []
    names = names_used(m, body, inner)
    name = f"{m.prefix}_{m.name('o')}"
    parameters = [_parameter(m, name_) for name_ in names]
    head = f"static void {name}({', '.join(parameters) or ('' if m.cpp else 'void')})"
    m.functions.append([block(head, body)])
    return [line(f"{name}({', '.join(names)});")]


def _parameter(m: Maker, name: str) -> str:
    declaration = m.declared[name][0]
    if m.cpp and not re.search(r"[*\[]|^const\b", declaration) and m.chance(0.4):
        return "const " + declaration.format("&" + name)
    return declaration.format(name)
