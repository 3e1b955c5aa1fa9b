"""Tiles: each thread takes several iterations side by side, all values first, then all stores.

In: a loop that :mod:`.tile_rules` lets through. Out: its form (:mod:`.tile_forms`), and edits of the stores in its
body. Before::

    y[i] = a * x[i];
    z[i] += b;

after, in the code that evaluates part ``__rex_part`` of a tile::

    __rex_place_y[__rex_part] = &y[i];
    __rex_value_y[__rex_part] = a * x[i];
    __rex_place_z[__rex_part] = &z[i];
    __rex_value_z[__rex_part] = *__rex_place_z[__rex_part] + b;

A value has the type of what is assigned to, so conversions are those of the assignment.
"""

from __future__ import annotations

import re

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end
from rexcc.kernel.ir import Assign, Assigned, Stmt
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import parts
from rexcc.lowering.cleanups.syntax import is_exact, value_type
from rexcc.lowering.loops.loop_forms import WIDE, LoweredLoop, Share, Text
from rexcc.lowering.loops.nest_order import NestOrder
from rexcc.lowering.loops.strips import strips
from rexcc.lowering.loops.tile_counts import TileCounts
from rexcc.lowering.loops.tile_forms import PART, TileStore, rows, strides
from rexcc.lowering.loops.tile_rules import TileRules, tile_rules
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_expression, resumed
from rexcc.lowering.text.team import grid
from rexcc.source.edits import OUTERMOST
from rexcc.source.records import dataclass

TILE = 4
"""Iterations that a thread of a GPU takes side by side."""

NEST_REGISTERS = 64
"""Registers that a thread with a tile of a nest may have, so that all loads of the tile can be under way: a
multiprocessor has room for as many such threads as the launch wants at least (rule 5 of ``rex_geometry.h``)."""


_LEADING = frozenset({"MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR"})
_OPERANDS = frozenset({"DECL_REF_EXPR", "INTEGER_LITERAL", "FLOATING_LITERAL", "ARRAY_SUBSCRIPT_EXPR"})
"""Values that stand behind an operator without parentheses."""


@dataclass(frozen=True)
class _Written:
    """An assignment as it stands in the user's text."""

    target: Node
    operator: str
    value: Node


@dataclass(frozen=True)
class Light:
    """A loop that is tiled: its stores as they stand in the user's text, and the loop of :class:`TileRules`."""

    stores: tuple[_Written, ...]
    overlap: CanonicalLoop | None = None


def light_loop(context: CleanupContext, numbered: bool, threads_meet: bool) -> Light | Reason:
    """Return a loop that is tiled, or why it is not."""
    rules = tile_rules(context, numbered, threads_meet)
    if not isinstance(rules, TileRules):
        return rules
    written = [_written(context, store) for store in rules.stores]
    hidden = next((s for s, w in zip(rules.stores, written, strict=True) if w is None), None)
    if hidden is not None:
        return Reason("a macro or parentheses hide this assignment", hidden)
    return Light(tuple(w for w in written if w is not None), rules.overlap)


def tile(context: CleanupContext, light: Light, order: NestOrder, counts: TileCounts, text: Text) -> LoweredLoop:
    """Return the tiled form of a loop, with its stores edited; ``counts`` says what the host counts for it."""
    stores = [_edited(context, written) for written in light.stores]
    closing: list[Stmt] = []
    for element in context.stored:
        store = TileStore(context.name(element.array), element.type)
        stores.append(store)
        closing += [Assign(f"{store.place}{PART}", f"&{element.place}"), Assign(f"{store.value}{PART}", element.local)]
    loops, words = order.loops, context.kernel.region.unit.target.words
    share = Share.of(grid(words)) if counts.number == WIDE else Share.of_grid(words, counts.number)
    if order.in_strips:
        return strips(loops, stores, tuple(closing), counts, text, share)
    if len(loops) > 1:
        return rows(loops, stores, tuple(closing), counts, text, share)
    return strides(loops[0], stores, tuple(closing), text, share)


def _written(context: CleanupContext, statement: Node) -> _Written | None:
    """Return an assignment's parts, None where they are not in the user's text."""
    body, top = context.body, statement.bare()
    target, value = top.children
    if not stands_here(body, target.bare()) or value.file != target.file:
        return None
    if body.start(statement) != body.start(target) or body.text[statement_end(body.file, statement) - 1] != ";":
        return None
    if body.text[body.end(target) : body.start(value)].strip() != top.operator:
        return None
    return _Written(target, top.operator, value)


def stands_here(body: DeviceBody, target: Node) -> bool:
    """Whether no part of a place's outline comes from a macro; members of the object count by their name alone."""
    inner = parts(target)
    if target.kind == "ARRAY_SUBSCRIPT_EXPR" and inner[0].bare().kind in _LEADING:
        index = body.text[body.end(inner[0]) : body.end(target)].strip()
        return index[:1] == "[" and index[-1:] == "]" and stands_here(body, inner[0].bare())
    if target.kind == "MEMBER_REF_EXPR" and (not inner or inner[0].kind == "CXX_THIS_EXPR"):
        return body.original(target).removeprefix("this->") == target.spelling
    if target.kind == "CALL_EXPR":
        return bool(inner) and is_exact(body, inner[0]) and body.original(target)[-1:] in (")", "]")
    return is_exact(body, target)


def _edited(context: CleanupContext, written: _Written) -> TileStore:
    """Make an assignment to memory one to the tile's place and value."""
    body, target, value = context.body, written.target, written.value
    names = re.findall(r"[^\W\d]\w*", body.original(target))
    store = TileStore(context.name(names[0] if names else "it"), value_type(target.type, body.unit.is_cplusplus))
    (start, behind), (first, end) = ((body.start(n), body.end(n)) for n in (target, value))
    place_expression(body, start, behind, Assigned(f"{store.place}{PART}", USER, "&"), OUTERMOST)
    between = body.text[behind:first].replace(written.operator, "").lstrip(" \t")
    body.edits.replace(behind, first, ";" + (between if "\n" in between else resumed(body, first)))
    before, after = "", ""
    if written.operator != "=":
        opening, after = ("", "") if value.bare().kind in _OPERANDS else ("(", ")")
        before = f"*{store.place}{PART} {written.operator[:-1]} {opening}"
    place_expression(body, first, end, Assigned(f"{store.value}{PART}", USER, before, after), OUTERMOST)
    return store
