"""What stands in parentheses right after the name of a directive.

In: the group of tokens after ``critical``, ``declare target``, ``flush``, ``declare mapper`` … Out: its text, and its
list where it is one, checked as far as that goes without the base language.
"""

from __future__ import annotations

from itertools import pairwise

from rexcc.openmp.clauses import ClauseRow, Need, Shape
from rexcc.openmp.declared import split_types
from rexcc.openmp.directives import Argument
from rexcc.openmp.expressions import read_text
from rexcc.openmp.items import read_list
from rexcc.openmp.lexer import Kind, Part, TokenStream
from rexcc.openmp.list_clauses import is_reduction_identifier
from rexcc.openmp.model import Expression, ListItem
from rexcc.openmp.names import NameMatch
from rexcc.openmp.site import Site
from rexcc.source.diagnostics import DiagnosticSink

_BRACKETS = frozenset(["(", "["])
_IN_TYPE = frozenset(["::", "*", "&", "&&", "<", ">", ">>", "(", "["])
_TYPE_WORDS = frozenset(["unsigned", "signed", "long", "short", "int", "char", "float", "double", "_Complex", "_Bool",
                         "bool", "auto", "__restrict", "__int128"])  # fmt: skip
_QUALIFIERS = frozenset(["const", "volatile"])
_NO_TYPE = frozenset(["struct", "union", "enum", "class", "typename", "const", "volatile", "static", "extern",
                      "typedef", "for", "if", "while", "return", "do", "else", "switch", "case"])  # fmt: skip
_TAGS = frozenset(["struct", "union", "enum"])
_NAMES_OF_C = frozenset(["class", "typename"])
"""Words of the above that are names in C."""

Read = tuple["Expression | None", "tuple[ListItem, ...]"]


def read_argument(stream: TokenStream, match: NameMatch, sink: DiagnosticSink) -> Read:
    """Return the argument of a directive, as text and as a list; nothing where there is none or it is wrong."""
    construct = match.construct
    row = construct.row
    group = stream.group_at(match.after)
    if group is None and row.argument_need is not Need.MUST:
        return None, ()
    site = Site(stream, sink, construct, ClauseRow(construct.name, Shape.LIST), match.after - 1, group)
    if group is None:
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
    kind = Part(declared.first, declared.stop - 1)
    if named and len(colons) < 2 and site.stream.is_word(declared.stop - 1) and _is_type(site.stream, kind):
        return _BRACKETS.isdisjoint(site.stream.words(kind)) or _report_type(site, kind)
    site.error("omp-bad-argument", f"expected '{Argument.MAPPER.value}'", group)
    return False


def _report_type(site: Site, part: Part) -> bool:
    place = part if part.size else Part(part.first, part.first + 1)
    site.error("omp-bad-argument", f"expected a type in '{site.name}'", place)
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
    return not empty and _are_parts(site, [Part(*ends) for ends in zip(firsts, stops, strict=True)])


def _are_parts(site: Site, parts: list[Part]) -> bool:
    """Whether identifier, types and combiner look like that."""
    if not is_reduction_identifier(site.stream, parts[0]):
        site.error("omp-bad-argument", "expected a reduction identifier", parts[0])
        return False
    kinds = list(split_types(site.stream, parts[1]))
    for kind in kinds or [parts[1]]:
        if not _is_type(site.stream, kind):
            return _report_type(site, kind)
    return len(parts) < 3 or read_text(site, parts[2]) is not None


def _is_type(stream: TokenStream, part: Part) -> bool:
    """Whether a range looks like a type: words, at least one of them a name, and what goes with them."""
    words = stream.words(part)
    opened = 0
    for index in stream.top_level(part):
        text = stream.text(index)
        opened += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
        is_inside = opened > 0 and stream.kind(index) in (Kind.NUMBER, Kind.PUNCTUATION)
        if opened < 0 or not (stream.is_word(index) or text in _IN_TYPE or is_inside):
            return False
        if index > part.first and not opened and not _may_follow(stream.text(index - 1), text):
            return False
    is_whole = bool(words) and words[-1] != "::"
    tagged = any(a in _TAGS and b in _NAMES_OF_C for a, b in pairwise(words))
    return is_whole and opened == 0 and (tagged or any(_is_type_name(word) for word in words))


def _may_follow(before: str, word: str) -> bool:
    """Whether two tokens may stand side by side in a type: two names, or ``::`` and no name, may not."""
    if before == "::":
        return _is_type_name(word)
    names = [_is_type_name(w) and w not in _TYPE_WORDS for w in (before, word)]
    return not all(names) and not (names[0] and word in _NO_TYPE - _QUALIFIERS)


def _is_type_name(word: str) -> bool:
    return (word[0].isalpha() or word[0] in "_$" or word[0] >= "\x80") and word not in _NO_TYPE
