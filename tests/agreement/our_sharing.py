"""What our analysis says of the variables of each construct, in the words of clauses.

In: a parsed unit. Out: one :class:`Side` per construct; ``function`` is the directive's kind as clang's tree names it.
What is mapped or implicit on the ``target`` leaf is compared elsewhere, with what is passed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verdicts import COMBINED, CONSTANT, DEFAULTED, GLOBAL, INDEX, MEASURED, Side

from rexcc.analysis.attributes import Origin
from rexcc.analysis.data_sharing import Sharing, data_sharing
from rexcc.analysis.references import UsedVariable
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer, is_constexpr
from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit

_NAMES = {"taskloop": "TaskLoop", "loop": "GenericLoop"}


def sharing_of_unit(unit: ParsedUnit) -> Iterator[Side]:
    """Yield the constructs of a unit, outer before inner."""
    for function in unit.functions:
        for top in function.constructs if not function.unused else ():
            for construct in (top, *top.descendants()):
                yield _side(unit, construct)


def _side(unit: ParsedUnit, construct: Construct) -> Side:
    words: dict[str, set[str]] = {}
    notes: dict[str, str] = {}
    leaves = construct.directive.leaves
    for found in data_sharing(unit, construct):
        name = found.variable.name
        words.setdefault(name, set()).update(found.sharing.value.split(" and "))
        if found.variable.is_global:
            notes[name] = GLOBAL
        cursor = found.variable.cursor
        if types.is_constant(cursor.type) and (is_constexpr(cursor) or evaluate_integer(cursor) is not None):
            notes[name] = CONSTANT
        uses = found.variable.uses if isinstance(found.variable, UsedVariable) else ()
        if uses and all(names_type(unit, use) for use in uses):
            notes[name] = MEASURED
        if found.reason.origin is Origin.PREDETERMINED and found.sharing is not Sharing.THREADPRIVATE:
            notes[name] = INDEX
        elif found.sharing is not Sharing.SHARED and found.reason.section == "5.4.1" and "target" in leaves:
            notes[name] = DEFAULTED
        elif found.leaf == "taskloop" and "parallel" in leaves:
            notes[name] = COMBINED
    verdicts = {name: _verdict(found) for name, found in words.items()}
    kind = "".join(_NAMES.get(word, word.capitalize()) for word in re.split(r"[ _]", construct.directive.name))
    return Side(construct.span.line, kind, verdicts, notes)


def names_type(unit: ParsedUnit, use: Node) -> bool:
    """Whether a use only names a type: the operand of ``decltype`` or ``typeof``."""
    file = unit.files[use.file]
    before = file.scan.source.text[: file.original(use.start)]
    return re.search(r"(?:decltype|typeof(?:__)?)(?:\s*\()+\s*$", before) is not None


def _verdict(words: set[str]) -> str:
    """Return what the leaves together make of a variable; ``linear`` makes it first- and last-private outside."""
    if "in_reduction" in words:
        return "in_reduction"  # a reduction on the simd part
    return "linear" if "linear" in words else " and ".join(sorted(words - {"shared"})) or "shared"
