"""Rows of list items with iterators, as text (OpenMP 5.2, 3.2.6 and 5.8.3).

In: a construct. Out: :class:`RowLoop`: the headers of the loops and the rows of one round, and the lines that count all
rows and fill the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.analysis.iterated import by_loops
from rexcc.lowering.maps.items import Item, group_by_root, item_rows, make_item, moving
from rexcc.lowering.maps.linked import attached, item_addresses
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.maps.strided import has_gaps
from rexcc.lowering.model.launch import MapRow, RowLoop
from rexcc.lowering.model.map_types import Flags, MapFlag, MemberOf, clause_flags, map_order, motion_flags
from rexcc.openmp.model import MapClause, MotionClause
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.source.diagnostics import error
from rexcc.source.records import replace


def row_loops(facts: MapFacts, *constructs: Construct) -> list[RowLoop]:
    """Return the rows of the list items that need loops; raises CompileError for items that cannot be lowered."""
    return [loop for construct in constructs for loop in _loops(construct, facts)]


def _loops(construct: Construct, facts: MapFacts) -> list[RowLoop]:
    found: list[RowLoop] = []
    for clause in construct.directive.clauses:
        if not isinstance(clause, MapClause | MotionClause):
            continue
        name = construct.directive.name
        flags = clause_flags(clause, name) if isinstance(clause, MapClause) else motion_flags(clause)
        for part, loops in by_loops(clause):
            if loops:
                items = [_item(part, listed, flags, facts) for listed in construct.items_of(part)]
                rows: list[MapRow] = []
                for group in group_by_root(items):
                    rows += item_rows(group, len(rows), is_resident=group[0].variable in facts.residents)
                addresses = item_addresses(items, facts.links)
                rows = [attached(row, addresses) for row in rows]
                if construct.directive.name == "target update":
                    rows = [moving(row) for row in rows]
                found.append(RowLoop(tuple(i.header for i in loops), tuple(rows)))
    return found


def _item(clause: MapClause | MotionClause, listed: ResolvedItem, flags: Flags, facts: MapFacts) -> Item:
    item = listed.item
    if isinstance(clause, MotionClause) and has_gaps(listed):
        message = f"'{item.whole.text}' has gaps, which cannot be lowered in a clause with iterators yet"
        raise error("unsupported-item", message, item.whole.span)
    return make_item(item, flags, listed.construct, facts, order=map_order(clause))


def freeing_lines(loops: Sequence[RowLoop], indent: str) -> list[str]:
    """Return the statement that gives back the memory of the arrays, if it is not the block's own."""
    return [f"{indent}rex_free_rows(&__rex_map_rows);"] if loops else []


def lines_at_end(rows: Sequence[MapRow], loops: Sequence[RowLoop]) -> list[str]:
    """Return the statement between begin and end of a region that makes the arrays fit its end."""
    is_expected = any(MapFlag.PRESENT in row.flags for row in every_row(rows, loops))
    return ["rex_expect_nothing(&__rex_map_rows);"] if loops and is_expected else []


def every_row(rows: Sequence[MapRow], loops: Sequence[RowLoop]) -> tuple[MapRow, ...]:
    """Return all rows of a construct for reports, those of loops as they are in the first round."""
    found = list(rows)
    for loop in loops:
        first, rounds = len(found), " ".join(loop.headers)
        for row in loop.rows if loop.headers else ():
            shifted = tuple(MemberOf(first + f.row) if isinstance(f, MemberOf) else f for f in row.flags)
            found.append(replace(row, flags=shifted, reason=f"{row.reason}, in each round of '{rounds}'"))
        found += loop.rows if not loop.headers else ()
    return tuple(found)


def counting_lines(loops: Sequence[RowLoop]) -> list[str]:
    """Return the statements that add the rows of all rounds to ``__arg_num``."""
    return [line for loop in loops for line in nested(loop.headers, [f"__arg_num += {len(loop.rows)};"])]


def nested(headers: Sequence[str], lines: list[str]) -> list[str]:
    """Return statements in loops."""
    if not headers:
        return lines
    inner = "  " * len(headers)
    brace = " {" if len(lines) > 1 else ""
    opened = [f"{'  ' * depth}{header}" for depth, header in enumerate(headers)]
    closed = [f"{'  ' * (len(headers) - 1)}}}"] if brace else []
    return [*opened[:-1], f"{opened[-1]}{brace}", *(f"{inner}{line}" for line in lines), *closed]
