"""Ranges of functions for which libclang gives none or too little.

In: the cursor of a function. Out: whether it is an abbreviated template, with parameters of ``auto`` (C++20), and its
range where no ``template`` stands in front, for which libclang gives none: as for other functions from the first
specifier to the end of the body, or to the last token before the semicolon. The end of a declaration that libclang ends
with its name, as of ``auto f(int x) -> decltype(x);``. The start of a member template that is defined outside of its
class template, or of a specialisation of it: libclang leaves out all but the last ``template``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clang.cindex import Cursor, SourceLocation, SourceRange, Token, TokenGroup, TokenKind

from rexcc.clang import library, locations, unit_files
from rexcc.source.patterns import regex

_ACCESS = frozenset({"public", "private", "protected"})
_BODIES = frozenset({"COMPOUND_STMT", "CXX_TRY_STMT"})
_TEMPLATES = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_HEADER = regex(rb"template\s*<[^;{}]*>(?:\s|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*\n)*")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def is_abbreviated(cursor: Cursor) -> bool:
    """Whether a parameter of a function is declared with ``auto``, in place of a template parameter with a name."""
    parameters = (c for c in library.children(cursor) if c.kind.name == "PARM_DECL")
    types = (c for parameter in parameters for c in library.children(parameter) if c.kind.name == "TYPE_REF")
    return any(re.search(r"\bauto$", str(found.spelling)) for found in types)


def range_of(cursor: Cursor, names: locations.FileNames) -> tuple[str, int, int]:
    """Return the file name and the byte offsets of an abbreviated template's start and end."""
    name, at = locations.file_location(cursor.location, names)
    if cursor.location.file is None:
        return name, at, at
    text = unit_files.contents(cursor)
    before = _tokens(cursor, 0, at)
    start = _first_specifier(before, text, at)
    below = library.children(cursor)
    if below and below[-1].kind.name in _BODIES:
        return name, start, locations.range_of(below[-1], names)[2]
    return name, start, _end_of_declaration(_tokens(cursor, at, len(text)), at)


def end_of(cursor: Cursor, found: tuple[str, int, int], names: locations.FileNames) -> int:
    """Return where a function's range ends, of which libclang has ``found``: never with the name."""
    name, at = locations.file_location(cursor.location, names)
    if name != found[0] or found[2] != at + len(str(cursor.spelling).encode()):
        return found[2]
    text = unit_files.contents(cursor)
    end = text.find(b";", at)
    while end >= 0 and (ends := _end_of_declaration(_tokens(cursor, at, end + 1), at)) > end:
        end = text.find(b";", end + 1)
    return ends if end >= 0 else found[2]


def start_of(cursor: Cursor, found: tuple[str, int, int]) -> int:
    """Return where the range of a template starts, a function's or a class's, of which libclang has ``found``: where it
    is defined outside of its classes, their templates' headers are in it, also the empty ones of specialisations."""
    start, scope = found[1], cursor.semantic_parent
    if library.key_of(cursor.lexical_parent) == library.key_of(scope):
        return start
    text = unit_files.file_contents(cursor._tu, found[0])
    while scope is not None and not scope.kind.is_translation_unit():
        has_header = scope.kind.name in _TEMPLATES or library.template_of(scope) is not None
        at = text.rfind(b"template", 0, start) if has_header else -1
        if at >= 0 and _HEADER.fullmatch(text, at, start):
            start = at
        scope = scope.semantic_parent
    return start


def _tokens(cursor: Cursor, start: int, end: int) -> list[Token]:
    unit, file = cursor._tu, cursor.location.file
    places = (SourceLocation.from_offset(unit, file, offset) for offset in (start, end))
    found = TokenGroup.get_tokens(unit, SourceRange.from_locations(*places))
    return [token for token in found if token.kind != TokenKind.COMMENT]


def _first_specifier(tokens: Sequence[Token], text: bytes, name: int) -> int:
    """Return where the declaration starts whose name follows the tokens."""
    start = name
    is_first = True
    last = ""
    for token in _without_directives(tokens, text):
        offset = int(token.extent.start.offset)
        if offset >= name:
            break
        spelling = str(token.spelling)
        ends = spelling in (";", "{", "}") or (spelling == ":" and last in _ACCESS)
        if is_first and not ends:
            start = offset
        is_first, last = ends, spelling
    return name if is_first else start


def _without_directives(tokens: Sequence[Token], text: bytes) -> Iterator[Token]:
    """Yield the tokens that are in no line of the preprocessor's."""
    end = 0
    for token in tokens:
        offset = int(token.extent.start.offset)
        if offset < end:
            continue
        if token.spelling == "#" and not text[text.rfind(b"\n", 0, offset) + 1 : offset].strip():
            end = _end_of_line(text, offset)
        else:
            yield token


def _end_of_line(text: bytes, offset: int) -> int:
    """Return where a line ends that may go on behind a backslash."""
    end = text.find(b"\n", offset)
    while end > 0 and text[:end].rstrip(b"\r").endswith(b"\\"):
        end = text.find(b"\n", end + 1)
    return end if end >= 0 else len(text)


def _end_of_declaration(tokens: Sequence[Token], name: int) -> int:
    depth, end = 0, name
    for token in tokens:
        if not depth and token.spelling == ";":
            break
        depth += (token.spelling in _OPENING) - (token.spelling in _CLOSING)
        end = int(token.extent.end.offset)
    return end
