"""List items that need another clause, must stand once or are declared (OpenMP 5.2, 5.7.2, 6.6, 7.8, 10.4 and 13.9).

In: a construct, or the unit. Out: errors at the item; for a name in ``declare target`` that nothing in the unit
declares.
"""

from __future__ import annotations

import re
from collections import Counter

from rexcc.analysis.declare_target_directives import device_directives, listed_items
from rexcc.analysis.rules.facts import in_target, named, shown
from rexcc.analysis.rules.items import is_declared_in, is_threadprivate
from rexcc.openmp.distribution import PRIVATIZING
from rexcc.openmp.model import ListItem
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.patterns import regex

_ONCE = (("aligned",), ("nontemporal",), ("to",), ("from",))


def check_repeated(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A variable is aligned, non-temporal, or moved one way once."""
    for names in _ONCE:
        first: dict[Variable, ListItem] = {}
        for clause, item, variable in named(construct, *names):
            before = first.setdefault(variable, item)
            if before is not item:
                note = Note("the first one is here", before.whole.span)
                message = f"{shown(item)} is there twice in '{clause.name}'"
                sink.error("omp-repeated-item", message, item.whole.span, note)


def check_allocated(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """``allocate`` is about the private copies that other clauses of the directive make."""
    private = {v for _, _, v in named(construct, *PRIVATIZING)}
    for _, item, variable in named(construct, "allocate"):
        if variable not in private:
            message = f"{shown(item)} is in 'allocate', and no clause here makes private copies of it to allocate"
            sink.error("omp-allocate-item", message, item.whole.span)


def check_copied(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """``copyprivate`` gives a value to the private variables of the other threads: there have to be some."""
    outer = next((c for c in construct.around() if "parallel" in c.directive.leaves), None)
    if outer is None or in_target(construct):
        return
    private = {v for c in construct.around() for _, _, v in named(c, *PRIVATIZING)}
    for _, item, variable in named(construct, "copyprivate"):
        own = variable in private or is_declared_in(unit, variable, outer)
        if not own and not is_threadprivate(unit, variable):
            message = f"{shown(item)} is shared by the threads; 'copyprivate' is for variables of which each has one"
            sink.error("omp-copyprivate", message, item.whole.span)


_NAME = regex(r"[A-Za-z_]\w*", re.ASCII)


def check_listed_names(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Report names that stand in lists of ``declare target`` and nowhere else."""
    items = [item for _, d in device_directives(unit) for _, item in listed_items(d)]
    listed = Counter(item.whole.text.strip() for item in items)
    for item in items:
        name = item.whole.text.strip()
        if _NAME.fullmatch(name) and not _is_written(unit, name, listed[name]) and not _is_declared(unit, name):
            message = f"'{name}' is not declared; a variable or function is declared before 'declare target' lists it"
            sink.error("omp-bad-list-item", message, item.whole.span)


def _is_written(unit: ParsedUnit, name: str, lists: int) -> bool:
    """Whether the user's text has the name elsewhere than in so many list items; nearly every declared name is."""
    word = re.compile(rf"\b{name}\b", re.ASCII)
    return sum(len(word.findall(file.scan.source.text)) for file in unit.files.values()) > lists


def _is_declared(unit: ParsedUnit, name: str) -> bool:
    """Whether a system header or a macro declares the name; slow, and hardly ever asked."""
    return any(str(cursor.spelling) == name for cursor in unit.tree.unit.cursor.walk_preorder())
