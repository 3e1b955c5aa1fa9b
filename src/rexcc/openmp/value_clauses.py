"""Readers of clauses whose argument is no list: flags, keywords, expressions, schedules, ``defaultmap``.

In: a :class:`Site`. Out: the clause, or None after reporting why there is none.
"""

from __future__ import annotations

import itertools

from rexcc.openmp.expressions import has_argument, read_text
from rexcc.openmp.lexer import Kind, Part
from rexcc.openmp.model import (
    Clause,
    DefaultmapClause,
    Expression,
    ExpressionClause,
    FlagClause,
    KeywordClause,
    Modifier,
    ScheduleClause,
)
from rexcc.openmp.modifiers import applicable_constructs, read_construct_name, read_modifiers
from rexcc.openmp.site import Site

_NO_CHUNK = frozenset(["auto", "runtime"])


def read_flag(site: Site) -> Clause | None:
    """Read ``nowait``."""
    return FlagClause(site.name, site.span)


def read_keyword(site: Site) -> Clause | None:
    """Read ``default(none)``, ``order(reproducible: concurrent)``."""
    modifiers, rest = split_modifiers(site)
    if modifiers is None:
        return None
    keyword = _keyword(site, rest, "omp-unknown-keyword", "argument")
    return KeywordClause(site.name, site.span, keyword, modifiers) if keyword else None


def read_expression(site: Site) -> Clause | None:
    """Read ``num_threads(e)``, ``device(ancestor: e)``, ``if(target: e)``, ``sizes(a, b)``."""
    modifiers, rest = split_modifiers(site)
    if modifiers is None or not has_argument(site, rest):
        return None
    expressions = _expressions(site, rest)
    return ExpressionClause(site.name, site.span, expressions, modifiers) if expressions else None


def read_bounds(site: Site) -> Clause | None:
    """Read ``num_teams([lower:]upper)``."""
    colons = site.stream.colons(site.inside)
    if not has_argument(site, site.inside) or _too_many_colons(site, colons):
        return None
    pieces = [site.inside]
    if colons:
        pieces = [Part(site.inside.first, colons[0]), Part(colons[0] + 1, site.inside.stop)]
    found = [expression for piece in pieces for expression in _expressions(site, piece)]
    return ExpressionClause(site.name, site.span, tuple(found)) if len(found) == len(pieces) else None


def read_schedule(site: Site) -> Clause | None:
    """Read ``schedule([modifiers:] kind[, chunk])``."""
    modifiers, rest = split_modifiers(site)
    if modifiers is None:
        return None
    pieces = site.stream.split(rest)
    kind = _keyword(site, pieces[0], "omp-unknown-schedule-kind", "schedule kind")
    if not kind or _has_extra(site, pieces, 1 if kind in _NO_CHUNK else 2):
        return None
    if len(pieces) < 2:
        return ScheduleClause(site.name, site.span, kind, None, modifiers)
    chunk = read_text(site, pieces[1])
    return ScheduleClause(site.name, site.span, kind, chunk, modifiers) if chunk else None


def read_defaultmap(site: Site) -> Clause | None:
    """Read ``defaultmap(behaviour[: category])``."""
    colons = site.stream.colons(site.inside)
    if _too_many_colons(site, colons):
        return None
    stop = colons[0] if colons else site.inside.stop
    behaviour = _keyword(site, Part(site.inside.first, stop), "omp-unknown-keyword", "behaviour")
    if not behaviour or not colons:
        return DefaultmapClause(site.name, site.span, behaviour, "all") if behaviour else None
    after = Part(colons[0] + 1, site.inside.stop)
    category = _keyword(site, after, "omp-unknown-keyword", "variable category", site.row.categories)
    return DefaultmapClause(site.name, site.span, behaviour, category) if category else None


def split_modifiers(site: Site) -> tuple[tuple[Modifier, ...] | None, Part]:
    """Return the modifiers before the colon, None when there was an error, and the rest of the argument."""
    colons = site.stream.colons(site.inside)
    if _too_many_colons(site, colons) or (not colons and _lacks_colon(site)):
        return None, site.inside
    if not colons:
        return (), site.inside
    before, rest = Part(site.inside.first, colons[0]), Part(colons[0] + 1, site.inside.stop)
    if site.row.names_construct:
        named = read_construct_name(site, before)
        return (named,) if named else None, rest
    pieces = site.stream.split(before)
    modifiers = read_modifiers(site, pieces)
    return (modifiers if len(modifiers) == len(pieces) else None), rest


def _too_many_colons(site: Site, colons: list[int]) -> bool:
    if len(colons) < 2:
        return False
    place = Part(colons[1], colons[1] + 1)
    site.error("omp-unexpected-colon", f"unexpected ':' in clause '{site.name}'", place)
    return True


def _lacks_colon(site: Site) -> bool:
    """Report a modifier that is followed by an operand without a colon between them."""
    stream, first = site.stream, site.inside.first
    if site.inside.size < 2 or not stream.is_word(first):
        return False
    names = [m.name for m in site.row.modifiers]
    if site.row.names_construct:
        names = list(applicable_constructs(site))
    for name in sorted(names, key=len, reverse=True):
        words = name.split()
        after = first + len(words)
        if after >= site.inside.stop or stream.words(Part(first, after)) != words:
            continue
        if stream.kind(after) is Kind.PUNCTUATION:
            continue
        message = f"missing ':' after '{name}' in clause '{site.name}'"
        site.error("omp-missing-colon", message, Part(first, after), fixes=stream.colon_behind(after - 1))
        return True
    return False


def _has_extra(site: Site, pieces: list[Part], most: int) -> bool:
    if len(pieces) <= most:
        return False
    place = pieces[most] if pieces[most].size else Part(pieces[most].first - 1, pieces[most].first)
    limit = "one argument" if most == 1 else f"{most} arguments"
    site.error("omp-extra-argument", f"clause '{site.name}' takes {limit} here", place)
    return True


def _keyword(site: Site, part: Part, code: str, what: str, known: tuple[str, ...] = ()) -> str | None:
    """Return the one keyword in a range, or None after reporting what is there instead."""
    words = known or site.row.keywords
    if not has_argument(site, part):
        return None
    if site.stream.text(part.first) not in words:
        site.unknown(code, what, site.stream.split(part)[0], words)
        return None
    if part.size > 1:
        site.error("omp-extra-argument", f"expected only '{site.stream.text(part.first)}'",
                   Part(part.first + 1, part.stop))  # fmt: skip
        return None
    return site.stream.text(part.first)


def _expressions(site: Site, part: Part) -> tuple[Expression, ...]:
    """Return the expressions of a range, none after reporting too few, too many or an empty one."""
    least, most = site.row.count
    pieces = site.stream.split(part)
    if most == 1 and _is_template_argument(site, pieces):
        pieces = [part]
    if most and _has_extra(site, pieces, most):
        return ()
    if len(pieces) < least:
        site.error("omp-missing-argument", f"clause '{site.name}' needs {least} arguments", part)
        return ()
    found = tuple(expression for expression in (read_text(site, piece) for piece in pieces) if expression)
    return found if len(found) == len(pieces) else ()


def _is_template_argument(site: Site, pieces: list[Part]) -> bool:
    """Whether the commas between pieces stand between ``<`` and ``>`` of ``f<a, b>(c)``."""
    opened = ["<" in site.stream.words(piece) for piece in pieces[:-1]]
    last = site.stream.words(pieces[-1])
    closed = any(a == ">" and b in ("(", "::", "{") for a, b in itertools.pairwise(last))
    return len(pieces) > 1 and opened[0] and closed
