"""Loops whose iterations do something under one condition: a thread evaluates four conditions, then does what they say.

In: a loop over the grid, not tiled, whose body is one ``if``. Out: its form, or why it has none. Before and after::

    if (mask[i] == 0) { out[i] = …; }

    bool __rex_holds[REX_TILE];
    for (int __rex_part = 0; __rex_part < REX_TILE; __rex_part++) {
      const long long __rex_i = rex_part(__rex_first, __rex_part * _dev_thread_num, __rex_trips);
      int i = (int)__rex_i;
      __rex_holds[__rex_part] = mask[i] == 0;
    }
    for (int __rex_part = 0; __rex_part < REX_TILE; __rex_part++) {
      const long long __rex_i = __rex_first + __rex_part * _dev_thread_num;
      if (__rex_i >= __rex_trips) break;
      int i = (int)__rex_i;
      if (__rex_holds[__rex_part]) { out[i] = …; }
    }

So the loads of four conditions are under way together (docs/decisions/027-tiled-conditions.md). Nothing changes inside
an iteration, and iterations have no order among themselves (``tile_rules``), so nothing needs to be proved of memory,
and atomics may stand under the condition. Loops may not: where many conditions hold, a thread would do one iteration's
loop after another's, with nothing to gain.
"""

from __future__ import annotations

import re

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import (
    BREAK,
    ONE_BY_ONE,
    UNROLL,
    Assign,
    Block,
    Code,
    Declare,
    Do,
    If,
    UserSlot,
)
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import OWN
from rexcc.lowering.cleanups.syntax import is_plain_scalar
from rexcc.lowering.loops.loop_forms import LoweredLoop, Share, Text, constant, counting
from rexcc.lowering.loops.numbered_loops import iteration_count, positions_of
from rexcc.lowering.loops.slow_parts import MOST_IN_TURN, slow_part
from rexcc.lowering.loops.tile_forms import PARTS
from rexcc.lowering.loops.tile_rules import MOST_LOADS, heavy_part, leads_to_element, refused_by_form, statements_of
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.text.team import grid
from rexcc.program.variables import named_variable
from rexcc.source.own_names import own_name

HOLDS = "__rex_holds[__rex_part]"
"""What stands for the condition in the user's text."""

_MOST_ELEMENTS = 12
"""Elements named under the condition; it stands in the kernel four times."""


def tile_conditions(context: CleanupContext, numbered: bool, threads_meet: bool, text: Text) -> LoweredLoop | Reason:
    """Return the form of a loop, with the condition in the user's text edited, or why it has none."""
    region = context.kernel.region
    refused = refused_by_form(context, numbered, threads_meet, allowed=("atomic",))
    if refused or len(region.loops) != 1 or context.stored or context.jumps:
        return Reason(refused or "of what an iteration does at its end")
    statements = statements_of(context.scope)
    if len(statements) != 1 or statements[0].kind != "IF_STMT":
        return Reason("there is more in it than one condition and what depends on it")
    condition, *branches = statements[0].children
    reason = _refused(context, statements[0], condition, branches)
    return reason if reason is not None else _form(context, region.loops[0], condition, branches, text)


def _refused(context: CleanupContext, statement: Node, condition: Node, branches: list[Node]) -> Reason | None:
    if not _stands_here(context, statement, condition):
        return Reason("a macro hides this condition", statement)
    reason = heavy_part(context, condition)
    if reason is not None:
        return reason
    changed = _changed(context, condition)
    if changed is not None:
        return Reason("an iteration may change this for the thread's next one", changed)
    if not 0 < _elements(context, [condition]) <= MOST_LOADS:
        return Reason(f"its condition loads nothing, or more than {MOST_LOADS} elements", condition)
    for branch in branches:
        reason = _heavy_branch(context, branch)
        if reason is not None:
            return reason
    region = context.kernel.region
    slow = slow_part(region, [condition]) or slow_part(region, [condition, *branches], MOST_IN_TURN)
    if slow is not None:
        return slow
    if _elements(context, branches) > _MOST_ELEMENTS:
        return Reason(f"more than {_MOST_ELEMENTS} elements are named under its condition")
    return None


def _changed(context: CleanupContext, condition: Node) -> Node | None:
    """Return a part of a condition that a thread's iterations may pass on to each other, as a private variable can."""
    provenance, index = context.memory.provenance, context.kernel.region.loops[0].index
    for node in condition.walk():
        if leads_to_element(node):
            places = provenance.place(node)
            if places is None or OWN in places:
                return node
        variable = named_variable(node)
        if variable is None or types.is_array(node.type):
            continue
        if types.is_record(node.type) or not (variable == index or provenance.is_constant(variable)):
            return node
    return None


def _stands_here(context: CleanupContext, statement: Node, condition: Node) -> bool:
    """Whether the user's text has ``if (condition)``, with a number or pointer, and without comments."""
    body, kind = context.body, types.without_reference(condition.type)
    if statement.file != body.file.scan.source.path or condition.file != statement.file:
        return False
    start, end = body.start(condition), body.end(condition)
    opens = re.fullmatch(r"if\s*\(\s*", body.text[body.start(statement) : start])
    closes = re.match(r"\s*\)", body.text[end : body.start(statement.children[1])])
    plain = is_plain_scalar(kind) or types.is_pointer(kind)
    return bool(opens and closes and plain) and not re.search(r"//|/\*", body.text[start:end])


def _heavy_branch(context: CleanupContext, branch: Node) -> Reason | None:
    """Return what keeps a statement under the condition from standing in a kernel four times."""
    for node in branch.walk():
        if context.is_directive(node) or node.kind in ("IF_STMT", "COMPOUND_STMT"):
            continue
        reason = heavy_part(context, node, inside=True)
        if reason is not None:
            return reason
    return None


def _elements(context: CleanupContext, nodes: list[Node]) -> int:
    own = frozenset({OWN})
    found = [n for top in nodes for n in top.walk() if leads_to_element(n)]
    return sum(context.memory.provenance.place(n) != own for n in found)


def _form(
    context: CleanupContext, loop: CanonicalLoop, condition: Node, branches: list[Node], text: Text
) -> LoweredLoop:
    body = context.body
    asked = text(condition)
    share = Share.of(grid(context.kernel.region.unit.target.words))
    opening, offset = context.opening, f"__rex_part * {share.count}"
    early, late = context.locals_in(condition), context.locals_in(*branches)
    context.opening = [local for local in opening if local.name in late]
    opens = body.text.rindex("(", 0, body.start(condition))
    body.edits.rewrite(opens, body.text.index(")", body.end(condition)) + 1, f"({HOLDS})")
    position = own_name(loop.name)
    (index,) = positions_of((loop,), (loop,), position, text)
    used = bool(context.opening) or _names_index(loop, branches)  # a local begins as the element at the index
    told = Do("/* A thread takes a tile: it evaluates the conditions of REX_TILE iterations first. */")
    before = (told, *share.before, constant("__rex_trips", iteration_count(loop, text)), ONE_BY_ONE)
    conditions: Code = (
        constant(position, f"rex_part(__rex_first, {offset}, __rex_trips)"),
        index,
        *(local for local in opening if local.name in early),
        Assign(HOLDS, asked),
    )
    consequences: Code = (
        constant(position, f"__rex_first + {offset}"),
        If(f"{position} >= __rex_trips", (BREAK,)),
        *((index,) if used else ()),
        UserSlot(),
    )
    form: Code = (
        Declare("bool __rex_holds[REX_TILE]", "__rex_holds"),
        UNROLL,
        Block(PARTS, conditions),
        UNROLL,
        Block(PARTS, consequences),
    )
    stride = f"REX_TILE * {share.count}"
    header = counting("__rex_first", share.number, "__rex_trips", f"+= {stride}")
    return LoweredLoop(before, (header,), form)


def _names_index(loop: CanonicalLoop, branches: list[Node]) -> bool:
    return any(named_variable(n) == loop.index for branch in branches for n in branch.walk())
