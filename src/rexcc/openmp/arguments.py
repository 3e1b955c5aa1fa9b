"""What stands in parentheses right after the name of a directive.

In: the group of tokens after ``critical``, ``declare target``, ``flush``, ``declare mapper`` … Out: its text, and its
list where it is one, checked as far as that goes without the base language.
"""

from __future__ import annotations

from rexcc.openmp.clauses import ClauseRow, Need, Shape
from rexcc.openmp.directives import Argument
from rexcc.openmp.items import read_list
from rexcc.openmp.lexer import Part, TokenStream
from rexcc.openmp.model import Expression, ListItem
from rexcc.openmp.names import NameMatch
from rexcc.openmp.site import Site
from rexcc.source.diagnostics import DiagnosticSink

Read = tuple["Expression | None", "tuple[ListItem, ...]"]


def read_argument(stream: TokenStream, match: NameMatch, sink: DiagnosticSink) -> Read:
    """Return the argument of a directive, as text and as a list; nothing where there is none or it is wrong."""
    construct = match.construct
    row = construct.row
    group = stream.group_at(match.after)
    site = Site(stream, sink, construct, ClauseRow(construct.name, Shape.LIST), match.after - 1, group)
    if group is None:
        if row.argument_need is Need.MUST:
            name = Part(0, match.after)
            site.error("omp-missing-argument", f"'{construct.name}' needs an argument: {row.argument.value}", name)
        return None, ()
    if row.argument is Argument.NONE:
        place = Part(group.first - 1, group.stop + 1)
        site.error("omp-unexpected-argument", f"'{construct.name}' takes no argument in parentheses", place)
        return None, ()
    if row.argument is Argument.LIST:
        items = read_list(site, group, row.items)
        return (stream.expression(group) if items else None), items
    if not group.size or not _fits(site, row.argument, group):
        if not group.size:
            site.error("omp-missing-argument", f"expected {row.argument.value}", Part(group.first, group.first + 1))
        return None, ()
    return stream.expression(group), ()


def _fits(site: Site, argument: Argument, group: Part) -> bool:
    """Whether an argument has its form; reports where it has not."""
    if argument is Argument.NAME:
        return _is_name(site, group)
    if argument is Argument.MAPPER:
        return _is_mapper(site, group)
    if argument is Argument.REDUCTION:
        return _is_reduction(site, group)
    return True


def _is_name(site: Site, group: Part) -> bool:
    if group.size == 1 and site.stream.is_word(group.first):
        return True
    site.error("omp-bad-argument", f"expected one name in '{site.name}'", group)
    return False


def _is_mapper(site: Site, group: Part) -> bool:
    """Whether a range is ``[id:] type variable``."""
    colons = site.stream.colons(group)
    declared = Part(colons[0] + 1 if colons else group.first, group.stop)
    named = not colons or (colons[0] == group.first + 1 and site.stream.is_word(group.first))
    if named and len(colons) < 2 and declared.size >= 2 and site.stream.is_word(declared.stop - 1):
        return True
    site.error("omp-bad-argument", f"expected '{Argument.MAPPER.value}'", group)
    return False


def _is_reduction(site: Site, group: Part) -> bool:
    """Whether a range is ``identifier: types`` with or without ``: combiner``."""
    cuts = site.stream.colons(group)
    if not 1 <= len(cuts) <= 2:
        code = "omp-unexpected-colon" if cuts else "omp-missing-colon"
        place = Part(cuts[2], cuts[2] + 1) if cuts else group
        site.error(code, f"expected '{Argument.REDUCTION.value}'", place)
        return False
    firsts, stops = [group.first, *(c + 1 for c in cuts)], [*cuts, group.stop]
    empty = [first for first, stop in zip(firsts, stops, strict=True) if first >= stop]
    for first in empty:
        site.error("omp-missing-argument", f"expected '{Argument.REDUCTION.value}'", Part(first, first + 1))
    return not empty
