"""Clause modifiers: what stands before the colon of an argument.

In: the tokens of ``always, mapper(m)``, ``iterator(i=0:n)``, ``monotonic`` … Out: :class:`Modifier` values, checked
against the row of the clause; a word that is no modifier of it is reported, never taken for something else.
"""

from __future__ import annotations

import functools
import importlib

from rexcc.openmp.clauses import ModifierRow, Need
from rexcc.openmp.expressions import read_text
from rexcc.openmp.lexer import Part, TokenStream
from rexcc.openmp.model import Expression, Modifier
from rexcc.openmp.site import Site
from rexcc.openmp.tables import CONSTRUCTS, find_construct


def modifier_row(site: Site, part: Part) -> ModifierRow | None:
    """Return the modifier that a range names, if it looks like one: a word, or a word and parentheses."""
    stream = site.stream
    group = stream.group_at(part.first + 1)
    length = group.stop + 1 - part.first if group else 1
    if part.size != length or not stream.is_word(part.first):
        return None
    name = stream.text(part.first)
    return next((row for row in site.row.modifiers if row.name == name), None)


def make_modifier(site: Site, part: Part, row: ModifierRow) -> Modifier | None:
    """Return the modifier of a row, or None after reporting a missing or superfluous argument."""
    group = site.stream.group_at(part.first + 1) if part.size > 1 else None
    if row.argument is Need.MUST and (group is None or not group.size):
        site.error("omp-missing-argument", f"modifier '{row.name}' needs an argument", part)
        return None
    if row.argument is Need.NEVER and group is not None:
        place = Part(group.first - 1, group.stop + 1)
        site.error("omp-unexpected-argument", f"modifier '{row.name}' takes no argument", place)
        return None
    if group is None:
        return Modifier(row.name, None, site.stream.span(part))
    argument = _read_argument(site, group, row.name)
    return Modifier(row.name, argument, site.stream.span(part)) if argument else None


def _read_argument(site: Site, group: Part, name: str) -> Expression | None:
    if name == "iterator":
        return _read_iterator(site, group)
    if name == "mapper" and site.stream.words(group) == ["default"]:  # a word of the language, no expression
        return site.stream.expression(group)
    return read_text(site, group)


def _read_iterator(site: Site, group: Part) -> Expression | None:
    """Return ``[type] name = begin:end[:step], …`` as text, or None after reporting the first piece that is not so."""
    for piece in site.stream.split(group):
        equals = next((i for i in site.stream.top_level(piece) if site.stream.text(i) == "="), None)
        colons = site.stream.colons(Part(equals + 1, piece.stop)) if equals is not None else []
        if equals is not None and 1 <= len(colons) <= 2 and _is_declared(site, Part(piece.first, equals)):
            firsts, stops = [equals + 1, *(colon + 1 for colon in colons)], [*colons, piece.stop]
            if all(read_text(site, Part(*ends)) for ends in zip(firsts, stops, strict=True)):
                continue
            return None
        place = piece if piece.size else Part(piece.first, piece.first + 1)
        site.error("omp-bad-iterator", "expected 'name = begin:end[:step]' in 'iterator'", place)
        return None
    return site.stream.expression(group)


def _is_declared(site: Site, part: Part) -> bool:
    """Whether a range ends with a name, which may have a type in front."""
    return part.size > 0 and site.stream.is_word(part.stop - 1)


def read_modifiers(site: Site, pieces: list[Part]) -> tuple[Modifier, ...]:
    """Return the modifiers of a clause, one for each piece; what is wrong is reported."""
    found: list[Modifier] = []
    for piece in pieces:
        modifier = _read_modifier(site, piece)
        if modifier and any(m.name == modifier.name for m in found):
            report_repeated(site, piece, modifier.name)
        elif modifier:
            found.append(modifier)
    return tuple(found)


def report_repeated(site: Site, part: Part, name: str) -> None:
    """Report a modifier that is there twice."""
    site.error("omp-repeated-modifier", f"'{name}' is there twice in clause '{site.name}'", part)


def _read_modifier(site: Site, part: Part) -> Modifier | None:
    if not part.size:
        site.error("omp-empty-item", f"expected a modifier of '{site.name}'", Part(part.first, part.first + 1))
        return None
    row = modifier_row(site, part)
    if row:
        return make_modifier(site, part, row)
    if construct_name(site, part):
        return Modifier(construct_name(site, part), None, site.stream.span(part))
    if site.row.modifiers:
        site.unknown("omp-unknown-modifier", "modifier", part, (m.name for m in site.row.modifiers))
        return None
    text = site.stream.expression(part).text
    site.error("omp-unknown-modifier", f"clause '{site.name}' takes no modifier, found '{text}'", part)
    return None


def applicable_constructs(site: Site) -> tuple[str, ...]:
    """Return the constituents of the directive that take the clause: what its directive-name modifier may name."""
    return _constituents_that_take(site.construct.name, site.name)


@functools.cache
def _constituents_that_take(directive: str, clause: str) -> tuple[str, ...]:
    names = (name for name in CONSTRUCTS[directive].constituents if name in CONSTRUCTS)
    return tuple(name for name in names if clause in CONSTRUCTS[name].clauses)


def construct_name(site: Site, part: Part) -> str:
    """Return the constituent that takes the clause and that a range names, or nothing."""
    named = find_construct(site.stream.words(part))
    return named.name if named and named.name in applicable_constructs(site) else ""


def is_modifier(site: Site, part: Part) -> bool:
    """Whether a range is a modifier of the clause."""
    return modifier_row(site, part) is not None or construct_name(site, part) != ""


def read_construct_name(site: Site, part: Part) -> Modifier | None:
    """Return the directive-name modifier of ``if(target data: e)``, or None after reporting a wrong one."""
    fitting = construct_name(site, part)
    if fitting:
        return Modifier(fitting, None, site.stream.span(part))
    named = find_construct(site.stream.words(part))
    if named:
        message = f"'{named.name}' is no part of '{site.construct.name}' that takes '{site.name}'"
        site.error("omp-wrong-construct", message, part)
        return None
    place = part if part.size else Part(part.first, part.first + 1)
    site.unknown("omp-unknown-modifier", "directive-name modifier", place, applicable_constructs(site))
    return None


def is_misspelt(site: Site, part: Part) -> bool:
    """Whether a range looks like a modifier with an argument whose name is misspelt; reports it then."""
    stream = site.stream
    group = stream.group_at(part.first + 1)
    if group is None or group.stop + 1 != part.stop or not stream.is_word(part.first):
        return False
    names = [row.name for row in site.row.modifiers if row.argument is Need.MUST]
    if not importlib.import_module("difflib").get_close_matches(stream.text(part.first), names, n=1, cutoff=0.8):
        return False
    site.unknown("omp-unknown-modifier", "modifier", Part(part.first, part.first + 1), names)
    return True


def blank_separated(stream: TokenStream, part: Part) -> list[Part]:
    """Return the pieces of a modifier list whose commas may be missing: ``always, mapper(m) to``."""
    pieces = []
    for piece in stream.split(part):
        starts = [i for i in stream.top_level(piece) if stream.is_word(i)]
        firsts = [piece.first, *(i for i in starts if i > piece.first)]
        pieces += [Part(first, stop) for first, stop in zip(firsts, [*firsts[1:], piece.stop], strict=True)]
    return pieces
