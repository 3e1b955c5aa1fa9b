"""List items and array sections.

In: the tokens of a list. Out: :class:`ListItem` values. The base language is not parsed: an item only has to look like
a variable or an lvalue, which is enough to tell a list item from a misspelt modifier or a missing comma or colon.
"""

from __future__ import annotations

from rexcc.openmp.clauses import Items
from rexcc.openmp.expressions import NO_NAMES, read_text
from rexcc.openmp.lexer import Kind, Part, TokenStream
from rexcc.openmp.model import Expression, ListItem, Section
from rexcc.openmp.site import Site
from rexcc.openmp.template_arguments import ANGLES, split_items, template_arguments

_PREFIX = frozenset("*&")
_NEVER_LAST = frozenset([".", "->", "::", "*", "&"])
_IN_LOCATOR = frozenset([".", "->", "::", "*", "&", "(", "[", "<", ">"])


def read_list(site: Site, part: Part, kind: Items) -> tuple[ListItem, ...]:
    """Return the items of a comma-separated list; what is wrong with it is reported."""
    if not part.size:
        site.error("omp-empty-list", f"the list of '{site.name}' is empty", Part(part.first, part.first + 1))
        return ()
    items = [read_item(site, piece, kind) for piece in split_items(site.stream, part)]
    return tuple(item for item in items if item)


def read_item(site: Site, part: Part, kind: Items) -> ListItem | None:
    """Return one list item, or None after reporting why it is none."""
    if not part.size:
        comma = part.first if site.stream.text(part.first) == "," else part.first - 1
        place = Part(part.first, part.first + 1)
        fixes = site.stream.removal(comma) if site.stream.text(comma) == "," else ()
        site.error("omp-empty-item", "expected a list item", place, fixes=fixes)
        return None
    if kind is Items.EXPRESSION:
        whole = None if _has_colon(site, part) else read_text(site, part)
        return ListItem(whole, whole) if whole else None
    if part.size == 1 and site.stream.is_word(part.first):  # most items are one name
        if site.stream.text(part.first) in NO_NAMES or (
            kind is Items.VARIABLE and site.stream.text(part.first) == "this"
        ):
            _report_foreign(site, part, part.first)
            return None
        name = site.stream.expression(part)
        return ListItem(name, name)
    shape = _shape(site.stream, part) if kind is not Items.VARIABLE else []
    if shape:
        return _read_shaped(site, part, shape)
    base, brackets = _trailing_brackets(site.stream, part)
    if _is_malformed(site, part, base):
        return None
    if kind is Items.VARIABLE and not _is_variable(site.stream, part):
        text = site.stream.expression(part).text
        site.error("omp-bad-list-item", f"'{text}' is not a variable, which '{site.name}' needs", part)
        return None
    sections = [_read_section(site, bracket) for bracket in brackets]
    found = tuple(section for section in sections if section)
    if len(found) < len(sections):
        return None
    return ListItem(site.stream.expression(part), site.stream.expression(base), found)


def _is_variable(stream: TokenStream, part: Part) -> bool:
    """Whether a range is ``x``, ``ns::x``, ``S<int>::x``, ``::x`` or ``this->x``."""
    arguments = template_arguments(stream, part)
    words = [w for i, w in enumerate(stream.words(part), part.first) if i not in arguments]
    if words[0] == "::":
        words = words[1:]
    if len(words) == 3 and words[:2] == ["this", "->"]:
        words = words[2:]
    names, separators = words[::2], words[1::2]
    return len(words) % 2 == 1 and all(map(_is_name, names)) and all(s == "::" for s in separators)


def _is_name(text: str) -> bool:
    return text[0].isalpha() or text[0] in "_$" or text[0] >= "\x80"


def _trailing_brackets(stream: TokenStream, part: Part) -> tuple[Part, list[Part]]:
    """Return an item without its trailing brackets, and those; a cast or ``*`` in front binds weaker than brackets."""
    brackets: list[Part] = []
    stop = part.stop
    if stream.text(part.first) in _PREFIX or _starts_with_cast(stream, part) or _is_conditional(stream, part):
        return part, brackets
    while stop - 1 > part.first and stream.text(stop - 1) == "]" and stream.partner[stop - 1] > part.first:
        brackets.insert(0, Part(stream.partner[stop - 1] + 1, stop - 1))
        stop = brackets[0].first - 1
    return Part(part.first, stop), brackets


def _shape(stream: TokenStream, part: Part) -> list[Part]:
    """Return the insides of the brackets of a shape-operator in front of an item: ``([n][m])p``."""
    group = stream.group_at(part.first)
    if group is None or not group.size or stream.text(group.first) != "[" or group.stop + 1 >= part.stop:
        return []
    found: list[Part] = []
    index = group.first
    while index < group.stop and stream.text(index) == "[":
        found.append(Part(index + 1, stream.partner[index]))
        index = stream.partner[index] + 1
    return found if index == group.stop else []


def _read_shaped(site: Site, part: Part, shape: list[Part]) -> ListItem | None:
    """Return a pointer with a shape as the section that it stands for: all elements (OpenMP 5.2, 3.2.4)."""
    extents = [read_text(site, extent) for extent in shape]
    pointer = read_item(site, Part(shape[-1].stop + 2, part.stop), Items.LOCATOR)
    if pointer is None or any(extent is None for extent in extents):
        return None
    if pointer.sections:
        site.error("omp-bad-section", "a pointer with a shape takes no brackets in a list", part)
        return None
    texts = [extent.text.strip() for extent in extents if extent is not None]
    count = texts[0] if len(texts) == 1 else " * ".join(f"({text})" for text in texts)
    length = Expression(count, site.stream.span(Part(shape[0].first, shape[-1].stop)))
    section = Section(None, length, None, is_index=False)
    return ListItem(site.stream.expression(part), pointer.base, (section,))


def _starts_with_cast(stream: TokenStream, part: Part) -> bool:
    group = stream.group_at(part.first)
    return group is not None and group.stop + 1 < part.stop and stream.is_word(group.stop + 1)


def _is_conditional(stream: TokenStream, part: Part) -> bool:
    """Whether an item is ``c ? a : b``, an lvalue in C++."""
    return stream.has("?", part)


def _is_malformed(site: Site, part: Part, base: Part) -> bool:
    """Report the first token of an item that cannot stand in an lvalue."""
    stream = site.stream
    after_operand = False
    is_conditional = _is_conditional(stream, base)
    lopsided = _lopsided(stream, base)
    if lopsided is not None:
        _report_foreign(site, part, lopsided)
        return True
    arguments = template_arguments(stream, base)
    for index in (i for i in stream.top_level(base) if i not in arguments):
        text = stream.text(index)
        is_operand = stream.kind(index) in (Kind.WORD, Kind.NUMBER, Kind.LITERAL)
        if is_operand and after_operand:
            _report_adjacent(site, part, index)
            return True
        if not is_conditional and _is_foreign(stream, index, part.first, after_operand):
            _report_foreign(site, part, index)
            return True
        if text == "(" and after_operand and _is_fortrans(site, part, index):
            return True
        if text == "[" and not _is_index(site, Part(index + 1, stream.partner[index])):
            return True
        if index == base.stop - 1 and text in _NEVER_LAST:
            _report_foreign(site, part, index)
            return True
        is_cast = text == "(" and index == base.first
        after_operand = (is_operand or text in ("(", "[")) and not is_cast
    return False


def _is_fortrans(site: Site, part: Part, index: int) -> bool:
    """Whether an item has its section in parentheses; reports it."""
    inside = Part(index + 1, site.stream.partner[index])
    if not site.stream.colons(inside):
        return False
    name, section = (site.stream.expression(p).text.strip() for p in (Part(part.first, index), inside))
    message = f"'{name}({section})' is a section of Fortran; in C and C++ it is '{name}[{section}]'"
    site.error("omp-bad-section", message, Part(index, inside.stop + 1))
    return True


def _lopsided(stream: TokenStream, part: Part) -> int | None:
    """Return the index of a ``?`` without its colon, or of a ``<`` or ``>`` without the other."""
    words = stream.words(part)
    if "?" in words and ":" not in words:
        return part.first + words.index("?")
    angles = [i for i in stream.top_level(part) if stream.text(i) in ANGLES]
    is_lopsided = sum(ANGLES[stream.text(i)] for i in angles) != 0 and "?" not in words
    return angles[0] if is_lopsided else None


def _is_index(site: Site, part: Part) -> bool:
    """Whether the inside of a bracket that is not at the end of an item is an index; reports it otherwise."""
    bracket = Part(part.first - 1, part.stop + 1)
    if not part.size:
        site.error("omp-bad-section", "nothing between the brackets", bracket)
        return False
    if _section_cuts(site.stream, part):
        site.error("omp-bad-section", "an array section must be the last part of a list item", bracket)
        return False
    return read_text(site, part) is not None


def _is_foreign(stream: TokenStream, index: int, first: int, after_operand: bool) -> bool:
    """Whether a token cannot stand at this place of an lvalue."""
    kind, text = stream.kind(index), stream.text(index)
    if kind in (Kind.NUMBER, Kind.LITERAL):
        return stream.text(index - 1) != "<" or index == first
    if kind is Kind.WORD:
        return text in NO_NAMES
    is_behind = index > first and (after_operand or stream.text(index - 1) in (")", "]"))
    if text in (".", "->", "[", "<", ">"):
        return not is_behind
    if text == "::" and index > first and stream.text(index - 1) == "::":
        return True
    is_member = index > first and stream.text(index - 1) in (".", "->")
    return text not in _IN_LOCATOR or (after_operand and text in _PREFIX) or (is_member and text != "::")


def _has_colon(site: Site, part: Part) -> bool:
    """Whether a colon stands in an item; reports it."""
    colons = site.stream.colons(part)
    if colons:
        place = Part(colons[0], colons[0] + 1)
        site.error("omp-unexpected-colon", f"unexpected ':' in the list of '{site.name}'", place)
    return bool(colons)


def _report_foreign(site: Site, part: Part, index: int) -> None:
    if site.stream.text(index) == ":" and _has_colon(site, part):
        return
    text = site.stream.expression(part).text
    site.error("omp-bad-list-item", f"'{text}' is not an lvalue, which '{site.name}' needs", Part(index, index + 1))


def _report_adjacent(site: Site, part: Part, index: int) -> None:
    """Report two operands side by side: a missing colon after a known word, else a missing comma."""
    before = site.stream.text(part.first)
    if before in site.words_known():
        place = Part(part.first, part.first + 1)
        site.error(
            "omp-missing-colon",
            f"missing ':' after '{before}' in clause '{site.name}'",
            place,
            fixes=site.stream.colon_behind(part.first),
        )
        return
    message = f"expected ',' before '{site.stream.text(index)}' in the list of '{site.name}'"
    site.error("omp-bad-list-item", message, Part(index, index + 1))


def _section_cuts(stream: TokenStream, part: Part) -> list[int]:
    """Return the colons of a bracket; one that is written ``::`` and is no scope operator is there twice."""
    if "::" not in stream.words(part):
        return stream.colons(part)
    scopes = [i for i in stream.top_level(part) if stream.text(i) == "::" and not _is_scope(stream, i, part)]
    return sorted([*stream.colons(part), *scopes, *scopes])


def _is_scope(stream: TokenStream, index: int, part: Part) -> bool:
    """Whether ``::`` qualifies a name rather than leaving out the length of a section."""
    if index == part.first or not stream.is_word(index + 1):
        return False
    return stream.kind(index - 1) is not Kind.NUMBER and stream.text(index - 1) not in (")", "]")


def _read_section(site: Site, part: Part) -> Section | None:
    """Return the section or index inside a pair of brackets."""
    cuts = _section_cuts(site.stream, part)
    if not part.size or len(cuts) > 2:
        message = "too many colons in an array section" if cuts else "nothing between the brackets"
        site.error("omp-bad-section", message, Part(part.first - 1, part.stop + 1))
        return None
    firsts = [part.first, *(cut + 1 for cut in cuts)]
    stops = [*cuts, part.stop]
    pieces = [Part(first, stop) for first, stop in zip(firsts, stops, strict=True)]
    found = [read_text(site, piece) if piece.size > 0 else None for piece in pieces]
    if any(piece.size > 0 and text is None for piece, text in zip(pieces, found, strict=True)):
        return None
    lower, length, stride = [*found, None, None][:3]
    return Section(lower, length, stride, is_index=not cuts)
