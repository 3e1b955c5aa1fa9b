"""Where text for namespace scope is put in front of a declaration, and what has to stand around it there.

In: a declaration and its file. Out: an offset in the user's text in front of everything that belongs to the
declaration: its template headers, its attributes, and directives about the function that follows them. In a linkage
specification templates need one of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.clang.tree import Node
from rexcc.frontend.probe import ProbedFile
from rexcc.resolution.delimited import name_of
from rexcc.source.lexical import BLANK, LITERAL
from rexcc.source.patterns import regex

_HEADERS = frozenset({"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER"})
_ABOUT_NEXT = frozenset({"declare simd", "declare variant"})
"""Directives that say something about the function that follows them."""
_BLANK = regex(BLANK)


def below_namespaces(declaration: Node) -> Iterator[Node]:
    """Yield a declaration, or those in it if it is a namespace."""
    if declaration.kind in ("NAMESPACE", "LINKAGE_SPEC"):
        for child in declaration.children:
            yield from below_namespaces(child)
    else:
        yield declaration


def place_before(file: ProbedFile, declaration: Node) -> int:
    """Return where text goes that shall stand in front of a declaration."""
    first = min([declaration.start, *(c.start for c in declaration.children if c.kind in _HEADERS)])
    if declaration.parent is not None and declaration.parent.kind == "LINKAGE_SPEC" and not _is_braced(declaration):
        first = declaration.parent.start
    place, text = file.original(first), file.scan.source.text
    while (start := _attached(file, text, place)) is not None:
        place = start
    return place


def around(declaration: Node) -> tuple[str, str]:
    """Return what templates have to have around them in front of a declaration."""
    for above in declaration.ancestors():
        if above.kind == "LINKAGE_SPEC" and (above is not declaration.parent or _is_braced(declaration)):
            return 'extern "C++" {\n', '} // extern "C++"\n'
    return "", ""


def _is_braced(declaration: Node) -> bool:
    """Whether the linkage specification around a declaration has braces, which end behind all that is in it."""
    return declaration.parent is not None and declaration.parent.end > declaration.end


def _attached(file: ProbedFile, text: str, place: int) -> int | None:
    """Return where the attributes or the directive in front of a place begin, if they belong to what is there."""
    for site in file.scan.pragmas:
        if site.end <= place and _BLANK.fullmatch(text, site.end, place) is not None and name_of(site) in _ABOUT_NEXT:
            return site.start
    start = text.rfind("[[", 0, place)
    while start >= 0 and text.rfind("\n\n", start, place) < 0:
        end = _closed(text, start, place)
        if end is not None:
            return start if _BLANK.fullmatch(text, end, place) is not None else None
        start = text.rfind("[[", 0, start)
    return None


def _closed(text: str, start: int, limit: int) -> int | None:
    """Return where the bracket at a place is closed."""
    depth = 0
    for token in re.compile(rf"{LITERAL}|[\[\]]").finditer(text, start, limit):
        depth += {"[": 1, "]": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return None
