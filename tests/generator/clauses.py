"""Clauses about geometry and order: how many teams and threads, which iterations where."""

from __future__ import annotations

import re

from generator.loops import bound
from generator.maker import Maker
from generator.places import Place
from generator.tree import Clause, Directive, Node, joined

TEAMS = (1, 1, 2, 2, 3, 4, 5, 8)
LIMITS = (1, 7, 32, 33, 64, 100, 128)
THREADS = (1, 2, 2, 3, 3, 4, 5, 7, 8, 8, 16, 31, 32, 33, 64, 100)
SCHEDULES = ("static", "static", "dynamic", "guided", "auto", "runtime")
CHUNKED = ("static", "dynamic", "guided")


def geometry(m: Maker, place: Place, inner: Place, directive: Directive, leaves: list[str]) -> None:
    """Add the numbers of teams and threads that a construct asks for."""
    if "teams" in leaves:
        if m.chance(0.55):
            directive.add(f"num_teams({bound(m, m.pick(TEAMS))})", loose=True)
        if m.chance(0.4):
            directive.add(f"thread_limit({bound(m, m.pick(LIMITS))})", loose=True)
    if "parallel" in leaves:
        threads(m, inner, directive)
        if m.chance(0.05):
            directive.add(f"if(parallel: {bound(m, m.number(1, 9))} > {m.number(0, 9)})", loose=True)
        if m.chance(0.05):
            directive.add(f"proc_bind({m.pick(('spread', 'close'))})", loose=True)


def threads(m: Maker, inner: Place, directive: Directive) -> None:
    """Perhaps add ``num_threads`` to a construct whose body is ``inner``; the body may count on it or not."""
    if m.chance(0.55):
        count, known = m.pick(THREADS), m.chance(0.6)
        directive.add(f"num_threads({bound(m, count)})", loose=not known)
        inner.threads = count if known else None


def schedules(m: Maker, directive: Directive, leaves: list[str]) -> None:
    """Add the clauses that distribute iterations."""
    if "for" in leaves and m.chance(0.5):
        kind = m.pick(SCHEDULES)
        if kind in CHUNKED and m.chance(0.5):
            kind += f", {bound(m, m.pick((1, 1, 2, 3, 7, 16)))}"
        modifier = m.pick(("monotonic: ", "nonmonotonic: ")) if kind[0] in "dg" and m.chance(0.1) else ""
        directive.add(f"schedule({modifier}{kind})", loose=True)
    if "distribute" in leaves and m.chance(0.2):
        directive.add(m.pick(("dist_schedule(static)", f"dist_schedule(static, {m.pick((1, 2, 5, 32))})")), loose=True)
    if "simd" in leaves and m.chance(0.3):
        directive.add(m.pick(("simdlen(4)", "safelen(8)", "simdlen(8)")), loose=True)
    if "taskloop" in leaves and m.chance(0.6):
        directive.add(m.pick(("grainsize(3)", "num_tasks(4)", "untied", "grainsize(1)")), loose=True)


def default_none(m: Maker, node: Node, inner: Place, directive: Directive) -> None:
    """Add ``default(none)`` and the list that it wants, when no privatising clause stands in the way."""
    if any(re.search(r"private|linear|reduction", c.text) for c in directive.clauses):
        return
    outer = names_used(m, [node], inner)
    if outer:
        directive.clauses.append(Clause(f"default(none) shared({', '.join(outer)})"))


def names_used(m: Maker, nodes: list[Node], inner: Place) -> list[str]:
    """Return the variables in the text of statements that are declared outside of ``inner``."""
    found = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", joined(nodes)))
    return [name for name in found if name in m.declared and not _within(m.declared[name][1], inner)]


def _within(place: Place, outer: Place) -> bool:
    return any(p is outer for p in place.chain())
