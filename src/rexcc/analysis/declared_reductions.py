"""Which declared reduction an identifier means (OpenMP 5.2, 5.5.11).

In: an identifier of a ``reduction`` clause, the type of a list item, and the clause's place. Out: the
:class:`DeclaredReduction` that is visible there for this type: that of the innermost block, then of the class, of the
namespaces around, of those that using directives name, and at last of the type's own namespace.
"""

from __future__ import annotations

import re

from clang.cindex import Type

from rexcc.analysis.declared_scopes import nearest, qualified
from rexcc.clang import types
from rexcc.frontend.declared_reductions import DeclaredReduction
from rexcc.openmp.declared import plain_identifier
from rexcc.program.unit import ParsedUnit
from rexcc.source.text import Span


def find_declared(unit: ParsedUnit, identifier: str, kind: Type, place: Span) -> DeclaredReduction | None:
    """Return the declared reduction that an identifier means for a type at a place, None where there is none."""
    wanted = types.canonical(kind)
    known = [r for r in unit.reductions if any(k == wanted for k in r.kinds)]
    scope, _, name = plain_identifier(identifier).rpartition("::")
    named = [r for r in known if r.parts.identifier == name]
    if not named:
        return None
    if "::" in identifier:
        return qualified(unit, named, re.sub(r"<.*>", "", scope), place)
    return nearest(unit, named, wanted, place)


def declared_types(unit: ParsedUnit, identifier: str) -> list[str]:
    """Return the types, as written, for which reductions of a name are declared anywhere in the unit."""
    name = plain_identifier(identifier).rpartition("::")[2]
    return list(dict.fromkeys(r.written_type.text.strip() for r in unit.reductions if r.parts.identifier == name))
