"""What runs of a function of a class template that code calls without naming it.

In: a function as a class has it; of a class made from a template, whose members libclang does not have, that is the
template's text. Out: the functions that clang has made of that text, whose calls are known, with the specialisations
that the user has written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from clang.cindex import Cursor

from rexcc.analysis.class_parts import TEMPLATES
from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass

_HOLDERS = RECORD_KINDS | TEMPLATES | {"NAMESPACE", "LINKAGE_SPEC"}


@dataclass(eq=False)
class FunctionsMade:
    """What is made of the functions of one unit's class templates."""

    unit: ParsedUnit

    def of_each(self, functions: Iterable[Cursor]) -> Iterator[Cursor]:
        """Yield what runs where code in which there are no constructs calls functions, each once."""
        seen = set[int]()
        for function in functions:
            if int(function.hash) not in seen:
                seen.add(int(function.hash))
                yield from self._of(function)

    def known_of(self, functions: Iterable[Cursor]) -> tuple[list[Cursor], bool]:
        """Return what is known to be made of functions that constructs call, and whether there may be more: of members
        of class templates that nothing else calls, whose text does not tell all calls."""
        found: list[Cursor] = []
        is_unmade = False
        for function in functions:
            pattern = library.pattern_of(function) or function
            made = [instance.cursor for instance in self.unit.instances.of(pattern)]
            is_unmade |= not made and kind_of(pattern.semantic_parent) in TEMPLATES and pattern.is_definition()
            found += (*made, *self.specialisations_of(pattern))
        return found, is_unmade

    def _of(self, function: Cursor) -> tuple[Cursor, ...]:
        """Return what runs of a function.

        Clang makes all functions that such code calls, and none but those run: what it has not made anything of is
        called by nobody. Besides constructs, whose objects OpenMP copies, that is not so of what may be made in another
        file alone, which is never the case for a function that its class defines (C++20, 13.9.2, paragraph 13), and of
        an instance without a body.
        """
        pattern = library.pattern_of(function) or function
        if not _is_defined_in_template(pattern):
            return (function,)
        made = [instance.cursor for instance in self.unit.instances.of(pattern)]
        if not all(cursor.is_definition() for cursor in made):
            return (function,)
        return (*made, *self.specialisations_of(pattern))

    def specialisations_of(self, pattern: Cursor) -> tuple[Cursor, ...]:
        """Return what the user has written himself in place of what clang would make of a function."""
        return tuple(self._specialisations.get(library.key_of(pattern), ()))

    @cached_property
    def _specialisations(self) -> dict[int, list[Cursor]]:
        """The user's own specialisations of functions, by the pattern's key."""
        found: dict[int, list[Cursor]] = {}
        for function in _functions(top for top in self.unit.declarations if top.file in self.unit.files):
            pattern = library.pattern_of(function.cursor)
            if pattern is not None:
                found.setdefault(library.key_of(pattern), []).append(function.cursor)
        return found


def _functions(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the functions that namespaces and classes declare."""
    for node in nodes:
        if node.kind in FUNCTION_KINDS:
            yield node
        elif node.kind in _HOLDERS:
            yield from _functions(node.children)


def _is_defined_in_template(function: Cursor) -> bool:
    """Whether a function is a template, or a member of a class template, that a class defines in its own text."""
    definition = function.get_definition()
    scope = definition.lexical_parent if definition is not None else None
    if scope is None or kind_of(scope) not in RECORD_KINDS | TEMPLATES or scope != definition.semantic_parent:
        return False
    return kind_of(scope) in TEMPLATES or kind_of(definition) == "FUNCTION_TEMPLATE"
