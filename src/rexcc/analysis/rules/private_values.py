"""Private variables that are read and never get a value.

In: how a function uses its variables. Out: warnings. ``private`` gives each thread, or task, a variable of its own that
has no value (OpenMP 5.2, 5.4.3), whatever the variable of that name around the construct has. Where the construct's
statement only reads it, each read is undefined; a pointer leads anywhere.
"""

from __future__ import annotations

from rexcc.analysis.references import is_written
from rexcc.analysis.rules.uses import FunctionUses, is_index, is_unclear
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note

_BESIDE = frozenset({"private", "map"})
"""Clauses that may name the variable as well: a map of what a pointer leads to gives a private one no value."""


def check_private_values(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of a scalar or a pointer that is private in a construct, and that its statement reads and never changes."""
    for construct in facts.constructs:
        for variable, entries in facts.named_by(construct).items():
            private = next((e for e in entries if e.clause.name == "private"), None)
            if private is None or not _BESIDE.issuperset(e.clause.name for e in entries):
                continue
            place = _read(facts, construct, variable)
            if place is not None:
                _warn(facts, private, variable, place, sink)


def _read(facts: FunctionUses, construct: Construct, variable: Variable) -> Node | None:
    """Return the first read of a variable in a construct in which nothing else happens to it."""
    if construct.body is None or types.is_reference(variable.type):
        return None
    if not types.is_scalar(variable.type) and not types.is_pointer(variable.type):
        return None
    uses = facts.inside(variable, construct.body)
    if is_index(construct, variable) or any(facts.names(variable, inner) for inner in construct.descendants()):
        return None
    if any(is_written(use) or is_unclear(use) or _is_discarded(use) for use in uses):
        return None
    return uses[0] if uses else None


def _is_discarded(use: Node) -> bool:
    """Whether a use only says that the variable is used, as ``(void)x`` does."""
    above = next((a for a in use.ancestors() if a.kind not in ("UNEXPOSED_EXPR", "PAREN_EXPR")), None)
    return above is not None and types.kind_name(types.canonical(above.type)) == "VOID"


def _warn(facts: FunctionUses, private: ResolvedItem, variable: Variable, place: Node, sink: DiagnosticSink) -> None:
    name = variable.name
    message = (
        f"'{name}' is private and has no value here: nothing in the construct gives it one; "
        f"firstprivate({name}) copies the value that it has in front of the construct"
    )
    note = Note("it is made private here", private.item.whole.span)
    sink.warning("omp-private-value", message, facts.unit.span(place), note)
