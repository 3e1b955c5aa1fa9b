"""Results that never leave the device, and values that never reach it: legal, and almost surely not meant.

In: how a function uses its variables. Out: warnings. A scalar that no clause names is first-private in a target region
(OpenMP 5.2, 5.8.1): what the region assigns stays there. ``map(to: …)`` brings nothing back either, and
``map(from: …)`` starts without a value.
"""

from __future__ import annotations

from rexcc.analysis.addresses import address_leaves
from rexcc.analysis.group_variables import GroupVariables
from rexcc.analysis.references import is_written
from rexcc.analysis.rules.uses import (
    FunctionUses,
    element,
    is_assigned_only,
    is_conditional,
    is_index,
    is_unclear,
)
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.openmp.model import KeywordClause, MapClause
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, FixIt, Note
from rexcc.source.text import Span

_PRIVATE = frozenset({"private", "firstprivate", "linear", "induction", "uses_allocators"})
_RETURNING = frozenset({"reduction", "lastprivate"})


def regions(facts: FunctionUses) -> list[Construct]:
    """Return the target regions of a function."""
    return [c for c in facts.constructs if c.directive.leaves[0] == "target" and c.body is not None]


def is_in_region(facts: FunctionUses, use: Node) -> bool:
    """Whether a use stands in a target region."""
    return any(r.body is not None and r.body.start <= use.start < r.body.end for r in regions(facts))


def check_lost_results(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of a scalar that a region assigns for itself alone and the host reads afterwards."""
    for region in regions(facts):
        if region.directive.has("defaultmap") or region.body is None or _has_private_default(region):
            continue
        for variable in facts.used_in(region.body):
            uses, place = facts.of(variable), _lost(facts, region, variable)
            after = next((u for u in uses if u.start >= region.body.end), None) if place is not None else None
            if (
                place is None
                or after is None
                or is_unclear(after)
                or is_assigned_only(after)
                or is_in_region(facts, after)
            ):
                continue
            name = variable.name
            message = (
                f"'{name}' is assigned in the region for the region alone: no clause names it, so it is firstprivate "
                f"and the value never comes back; map(tofrom : {name}) brings it back"
            )
            notes = (Note("it is read here on the host", facts.unit.span(after)), Note("the region", region.span))
            fixes = (FixIt(_behind(region.span), f" map(tofrom : {name})"),)
            sink.warning("omp-lost-result", message, facts.unit.span(place), *notes, fixes=fixes)


def _behind(place: Span) -> Span:
    return place.source.span(place.end, place.end)


def _has_private_default(region: Construct) -> bool:
    clauses = region.directive.of_type(KeywordClause)
    return any(c.name == "default" and c.keyword in ("private", "firstprivate") for c in clauses)


def _lost(facts: FunctionUses, region: Construct, variable: Variable) -> Node | None:
    """Return the first place where a region assigns a scalar that is implicitly first-private in it."""
    if region.body is None or not types.is_scalar(variable.type) or types.is_reference(variable.type):
        return None
    inner = facts.inside(variable, region.body)
    if not inner or len(inner) == len(facts.of(variable)) or facts.names(variable, region):
        return None
    if is_index(region, variable) or _is_declared_for_devices(facts, variable) or any(is_unclear(u) for u in inner):
        return None
    for construct in region.descendants():
        names = [entry.clause.name for entry in facts.names(variable, construct)]
        if not _PRIVATE.isdisjoint(names):
            return None
        if not _RETURNING.isdisjoint(names) and construct.body is not None:
            return next(iter(facts.inside(variable, construct.body)), None)
    return next((u for u in inner if is_written(u)), None)


def _is_declared_for_devices(facts: FunctionUses, variable: Variable) -> bool:
    """Whether a variable may live on the device; only globals can."""
    if facts.unit.kept(GroupVariables).of(variable) is not None:
        return True
    declared = any("declare target" in d.name for _, d in facts.unit.declaratives)
    return declared and variable.is_global


def check_reduced_maps(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of a reduction whose result stays on the device because its variable is mapped there only."""
    for region in regions(facts):
        for variable, own in facts.named_by(region).items():
            to = next((e for e in own if _maps(e, "to", "alloc")), None)
            if to is None or any(_maps(e, "from", "tofrom") for e in own):
                continue
            named = (e for c in region.walk() for e in facts.names(variable, c))
            reduced = next((e for e in named if e.clause.name == "reduction"), None)
            if reduced is None or _is_elsewhere(facts, variable, region):
                continue
            if variable in facts.uses and _is_declared_for_devices(facts, variable):
                continue
            name = to.item.whole.text.strip()
            assert isinstance(to.clause, MapClause)
            kind = to.clause.map_type
            message = f"'{name}' is reduced and mapped '{kind}': the result never comes back; map it 'tofrom'"
            note = Note("it is reduced here", reduced.item.whole.span)
            sink.warning("omp-reduction-map", message, to.item.whole.span, note)


def _maps(entry: ResolvedItem, *kinds: str) -> bool:
    return isinstance(entry.clause, MapClause) and entry.clause.map_type in kinds


def _is_elsewhere(facts: FunctionUses, variable: Variable, region: Construct) -> bool:
    """Whether other constructs of the function map or move a variable, so that it may be on the device already."""
    inside = {id(c) for c in region.walk()}
    return any(id(e.construct) not in inside for e in facts.moved[variable])


def check_from_reads(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of a variable that a region reads first although its map brings no value."""
    for region in regions(facts):
        for variable, named in facts.named_by(region).items():
            own = [e for e in named if isinstance(e.clause, MapClause)]
            if len(own) != 1 or region.body is None or _is_elsewhere(facts, variable, region):
                continue
            (entry,) = own
            assert isinstance(entry.clause, MapClause)
            if entry.clause.map_type != "from" or _names_more(facts, variable, region) or not _is_simple(entry):
                continue
            if variable not in facts.uses or variable.is_global or _may_be_present(facts, entry.clause):
                continue
            place = _first_read(facts, region.body, variable)
            if place is not None:
                name = entry.item.base.text.strip()
                message = f"'{name}' is read here before it has a value: it is mapped 'from' only; map it 'tofrom'"
                note = Note("mapped here", entry.item.whole.span)
                sink.warning("omp-from-read", message, facts.unit.span(place), note)


_FOR_PRESENT = frozenset({"always", "present"})


def _may_be_present(facts: FunctionUses, clause: MapClause) -> bool:
    """Whether a map is written for what is on the device already, or the function puts storage there by a routine."""
    if any(m.name in _FOR_PRESENT for m in clause.modifiers):
        return True
    calls = (n for n in facts.function.node.walk() if n.kind == "CALL_EXPR")
    return any(call.spelling == "omp_target_associate_ptr" for call in calls)


def _names_more(facts: FunctionUses, variable: Variable, region: Construct) -> bool:
    named = (e for c in region.walk() for e in facts.names(variable, c))
    return any(not isinstance(e.clause, MapClause) for e in named)


def _is_simple(entry: ResolvedItem) -> bool:
    """Whether an item is a variable, alone or with one pair of brackets."""
    return entry.item.base.text.strip().isidentifier() and len(entry.item.sections) <= 1


def _first_read(facts: FunctionUses, body: Node, variable: Variable) -> Node | None:
    """Return the first use of a variable in a region where this certainly reads it before anything was assigned."""
    uses = facts.inside(variable, body)
    if not uses or any(is_unclear(u) or _is_lost_from_sight(u) for u in uses):
        return None
    first = uses[0]
    if is_assigned_only(element(first)):
        first = next((u for u in uses[1:] if _is_on_the_right(u, element(first))), first)
        if first is uses[0]:
            return None
    if is_conditional(first, body):
        return None
    loops = [a for a in first.ancestors() if a.kind in LOOP_KINDS and body.start <= a.start]
    for other in uses:
        in_same_loop = any(loop.start <= other.start < loop.end for loop in loops)
        own = element(other).parent is not None and _is_on_the_right(first, element(other))
        if other is not first and in_same_loop and is_assigned_only(element(other)) and not own:
            return None
    return first


def _is_on_the_right(use: Node, target: Node) -> bool:
    """Whether a use stands in the value that is assigned to a target, in an element of the same text."""
    parent = target.in_parentheses().parent
    if parent is None or len(parent.children) != 2:
        return False
    value = parent.children[1]
    inside = value.start <= use.start < value.end
    return inside and _text(element(use)) == _text(target)


def _text(node: Node) -> str:
    tokens = (t.spelling for t in node.cursor.get_tokens())
    return " ".join(tokens)


def _is_lost_from_sight(use: Node) -> bool:
    """Whether an array or pointer itself is used, not an element: passed on, compared, assigned; or an element's
    address, which whoever gets it may write through."""
    is_whole = element(use) is use.in_parentheses() and not types.is_scalar(use.type)
    return is_whole or address_leaves(element(use))
