"""Names in the lists of ``declare target`` are declared (OpenMP 5.2, 7.8).

In: a parsed unit. Out: an error for a name that nothing in the unit declares.
"""

from __future__ import annotations

import re
from collections import Counter

from rexcc.analysis.declare_target import device_directives, listed_items
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


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
