"""Readers of clauses whose argument stays text: directive names, operations, initializers, and what nothing reads yet.

In: a :class:`Site`. Out: the clause, or None after reporting why there is none.
"""

from __future__ import annotations

from rexcc.openmp.expressions import has_argument, read_text
from rexcc.openmp.lexer import Part, TokenStream
from rexcc.openmp.model import Clause, OtherClause
from rexcc.openmp.site import Site
from rexcc.openmp.tables import CONSTRUCTS, find_construct


def read_other(site: Site) -> Clause | None:
    """Keep an argument as text, after checking that it is there."""
    return _kept(site) if has_argument(site, site.inside) else None


def lacks_colon(site: Site) -> bool:
    """Report an argument without a colon."""
    if site.stream.colons(site.inside):
        return False
    place = site.inside if site.inside.size else Part(site.inside.first, site.inside.first + 1)
    site.error("omp-missing-colon", f"missing ':' in clause '{site.name}'", place)
    return True


def read_directives(site: Site) -> Clause | None:
    """Read ``contains(parallel, target teams)``."""
    for piece in site.stream.split(site.inside):
        if not has_argument(site, piece):
            return None
        if find_construct(site.stream.words(piece)) is None:
            site.unknown("omp-unknown-keyword", "directive", piece, CONSTRUCTS)
            return None
    return _kept(site)


def read_operations(site: Site) -> Clause | None:
    """Read ``append_args(interop(target, targetsync))``."""
    for piece in site.stream.split(site.inside):
        if not has_argument(site, piece):
            return None
        name, group = Part(piece.first, piece.first + 1), site.stream.group_at(piece.first + 1)
        if site.stream.text(piece.first) not in site.row.keywords:
            site.unknown("omp-unknown-keyword", "operation", name, site.row.keywords)
            return None
        if group is None or not group.size or group.stop + 1 != piece.stop:
            site.error("omp-missing-argument", f"'{site.stream.text(piece.first)}' needs an argument", name)
            return None
    return _kept(site)


def read_attribute(site: Site) -> Clause | None:
    """Read ``ompx_attribute(__attribute__((…)))``, with ``[[…]]`` as well."""
    if not has_argument(site, site.inside):
        return None
    if not _are_attributes(site.stream, site.inside):
        site.error("omp-bad-argument", "expected '__attribute__((…))' or '[[…]]'", site.inside)
        return None
    return _kept(site)


def _are_attributes(stream: TokenStream, part: Part) -> bool:
    """Whether a range is ``__attribute__((a, b(c)))`` or ``[[a, b::c(d)]]``."""
    opening = part.first + (stream.text(part.first) == "__attribute__")
    closing = stream.partner[opening]
    brackets = stream.words(Part(opening, opening + 2))
    is_bare = opening == part.first
    if brackets != (["[", "["] if is_bare else ["(", "("]) or closing != part.stop - 1:
        return False
    if stream.partner[opening + 1] != closing - 1:
        return False
    return all(_is_attribute(stream, piece) for piece in stream.split(Part(opening + 2, closing - 1)))


def _is_attribute(stream: TokenStream, part: Part) -> bool:
    """Whether a range is nothing, ``a``, ``a(b)``, ``a::b`` or ``a::b(c)``."""
    if not part.size:
        return True
    after = part.first + (3 if stream.text(part.first + 1) == "::" else 1)
    group = stream.group_at(after)
    is_whole = (group.stop + 1 if group else after) == part.stop
    return is_whole and stream.is_word(part.first) and stream.is_word(after - 1)


def read_initializer(site: Site) -> Clause | None:
    """Read ``initializer(omp_priv = e)``, ``initializer(omp_priv{e})``, ``initializer(f(&omp_priv))``."""
    if not has_argument(site, site.inside):
        return None
    words = site.stream.words(site.inside)
    if words[0] == "omp_priv" and words[1:2] in (["="], ["{"], ["("]):
        whole = words[1] != "=" or read_text(site, Part(site.inside.first + 2, site.inside.stop)) is not None
        return _kept(site) if whole else None
    if words[-1] != ")":
        site.error("omp-bad-argument", "expected 'omp_priv = value' or a call of a function", site.inside)
        return None
    return _kept(site) if read_text(site, site.inside) else None


def _kept(site: Site) -> Clause:
    return OtherClause(site.name, site.span, site.stream.expression(site.inside))
