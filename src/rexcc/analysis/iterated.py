"""List items with iterators: what there is once for each round of loops (OpenMP 5.2, 3.2.6).

In: a ``map``, ``to`` or ``from`` clause. Out: its items by the loops that they need. An index that runs over neighbours
becomes the section of them: one item in place of many, and one piece of memory on the device, as the pointer that leads
there needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Iterator as Yields
from typing import TypeVar

from rexcc.openmp.iterators import Iterator, clause_iterators
from rexcc.openmp.model import Expression, ListItem, MapClause, MotionClause, Section
from rexcc.source.records import replace
from rexcc.source.text import Span

ClauseT = TypeVar("ClauseT", bound=MapClause | MotionClause)
Loops = tuple[Iterator, ...]


def by_loops(clause: ClauseT) -> Yields[tuple[ClauseT, Loops]]:
    """Yield a clause in parts that have the same loops around all of their items; most clauses have none."""
    iterators = clause_iterators(clause)
    if not iterators:
        yield clause, ()
        return
    modifiers = tuple(m for m in clause.modifiers if m.name != "iterator")
    groups: dict[Loops, list[ListItem]] = {}
    for item in clause.items:
        contiguous, loops = _without_neighbours(item, iterators)
        groups.setdefault(loops, []).append(contiguous)
    for loops, items in groups.items():
        yield replace(clause, items=tuple(items), modifiers=modifiers), loops


def without_loops(clauses: Iterable[ClauseT]) -> list[ClauseT]:
    """Return the parts of clauses whose items are there once."""
    return [part for clause in clauses for part, loops in by_loops(clause) if not loops]


def _without_neighbours(item: ListItem, iterators: Loops) -> tuple[ListItem, Loops]:
    """Return an item with the section that its last index runs over, and the iterators that it needs besides."""
    used = _used(item, iterators)
    last = item.sections[-1] if item.sections else None
    if last is None or not last.is_index or last.lower is None:
        return item, used
    index = next((i for i in used if i.name == last.lower.text.strip()), None)
    before = replace(item, sections=item.sections[:-1])
    others = [bound.text for other in used if other is not index for bound in other.bounds]
    texts = [before.base.text, *_section_texts(before), *others]
    if index is None or index.step or any(_names(index.name, text) for text in texts):
        return item, used
    section = Section(index.begin, _length(index, item.whole.span), None, is_index=False)
    return replace(item, sections=(*before.sections, section)), tuple(i for i in used if i is not index)


def _length(iterator: Iterator, place: Span) -> Expression:
    if iterator.begin.text.strip() == "0":
        return iterator.end
    return Expression(f"({iterator.end.text}) - ({iterator.begin.text})", place)


def _used(item: ListItem, iterators: Loops) -> Loops:
    """Return the iterators that an item depends on, also by the bounds of others; all others change nothing."""
    texts = [item.base.text, *_section_texts(item)]
    found: list[Iterator] = []
    for iterator in reversed(iterators):
        if any(_names(iterator.name, text) for text in texts):
            found.insert(0, iterator)
            texts += [bound.text for bound in iterator.bounds]
    return tuple(found)


def _section_texts(item: ListItem) -> list[str]:
    return [e.text for s in item.sections for e in (s.lower, s.length, s.stride) if e is not None]


def _names(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w.])(?<!->){re.escape(word)}(?!\w)", text) is not None
