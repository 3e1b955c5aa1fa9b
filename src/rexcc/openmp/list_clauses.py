"""Readers of clauses with a list: data-sharing, ``map``, motion, ``reduction``, ``depend``, ``linear``, ``allocate`` …

In: a :class:`Site`. Out: the clause, or None after reporting why there is none. What stands before the colon is
matched against the words of the clause's row, so a misspelt word is an error and never a list item.
"""

from __future__ import annotations

from rexcc.openmp.clauses import ALTERNATIVE_OPERATORS, REDUCTION_OPERATORS, Items
from rexcc.openmp.expressions import NO_NAMES, read_text
from rexcc.openmp.items import read_item, read_list
from rexcc.openmp.lexer import Part, TokenStream
from rexcc.openmp.model import (
    Clause,
    DependClause,
    Expression,
    ListClause,
    ListItem,
    MapClause,
    Modifier,
    MotionClause,
    ReductionClause,
)
from rexcc.openmp.modifiers import blank_separated, is_misspelt, is_modifier, read_modifiers
from rexcc.openmp.site import Site
from rexcc.openmp.text_clauses import lacks_colon
from rexcc.openmp.value_clauses import split_modifiers

_LINEAR_KINDS = ("val", "ref", "uval")
_LISTLESS = ("source",)


def read_list_clause(site: Site) -> Clause | None:
    """Read ``private(list)``, ``lastprivate(conditional: list)``."""
    if site.row.colon and lacks_colon(site):
        return None
    modifiers, rest = split_modifiers(site)
    items = read_list(site, rest, site.row.items) if modifiers is not None else ()
    return ListClause(site.name, site.span, items, modifiers or ()) if items else None


def read_motion(site: Site) -> Clause | None:
    """Read ``to([modifiers:] list)``."""
    modifiers, rest = split_modifiers(site)
    items = read_list(site, rest, site.row.items) if modifiers is not None else ()
    return MotionClause(site.name, site.span, items, modifiers or ()) if items else None


def read_map(site: Site) -> Clause | None:
    """Read ``map([[modifiers,] type:] list)``; the commas between the modifiers may be missing."""
    before, rest = _split_at_colon(site)
    modifiers: tuple[Modifier, ...] = ()
    map_type: str | None = None
    if before is not None:
        pieces = blank_separated(site.stream, before)
        map_type, others = _take_keyword(site, pieces)
        modifiers = _map_modifiers(site, others, map_type)
        if len(modifiers) < len(others):
            return None
    items = read_list(site, rest, site.row.items)
    if not items:
        return None
    return MapClause(site.name, site.span, map_type or "tofrom", items, modifiers, map_type is None)


def _map_modifiers(site: Site, pieces: list[Part], map_type: str | None) -> tuple[Modifier, ...]:
    """Return the modifiers; the last word is taken for a misspelt type when there is no type."""
    suspect = pieces[-1] if pieces and map_type is None else None
    if suspect is None or not suspect.size or is_modifier(site, suspect):
        return read_modifiers(site, pieces)
    if is_misspelt(site, suspect):
        return ()
    site.unknown("omp-unknown-map-type", "map type", suspect, site.words_known())
    return read_modifiers(site, pieces[:-1])


def _split_at_colon(site: Site) -> tuple[Part | None, Part]:
    """Return what is before the first colon, None without one, and what is after it."""
    colons = site.stream.colons(site.inside)
    if not colons:
        return None, site.inside
    return Part(site.inside.first, colons[0]), Part(colons[0] + 1, site.inside.stop)


def _take_keyword(site: Site, pieces: list[Part]) -> tuple[str | None, list[Part]]:
    """Take the one keyword of the clause, such as the map type, out of the pieces before the colon."""
    found = [p for p in pieces if p.size == 1 and site.stream.text(p.first) in site.row.keywords]
    if not found:
        return None, pieces
    rest = [p for p in pieces if p != found[0]]
    return site.stream.text(found[0].first), rest


def read_depend(site: Site) -> Clause | None:
    """Read ``depend([iterator(…),] type: list)``, ``depend(source)``, ``doacross(sink: i-1)``."""
    before, rest = _split_at_colon(site)
    if before is None:
        return _read_listless(site)
    kind, others = _take_keyword(site, site.stream.split(before))
    if kind is None:
        suspect = others.pop()
        place = suspect if suspect.size else Part(before.stop, before.stop + 1)
        site.unknown("omp-unknown-depend-type", "dependence type", place, site.words_known())
        read_modifiers(site, others)
        return None
    modifiers = read_modifiers(site, others)
    if len(modifiers) < len(others):
        return None
    if kind in _LISTLESS and not rest.size:
        return DependClause(site.name, site.span, kind, (), modifiers)
    items = read_list(site, rest, Items.EXPRESSION if kind in ("source", "sink") else site.row.items)
    if kind == "sink" and not all(_is_iteration(site, piece) for piece in site.stream.split(rest)):
        return None
    return DependClause(site.name, site.span, kind, items, modifiers) if items else None


def _is_iteration(site: Site, part: Part) -> bool:
    """Whether an item of ``sink`` is a variable with or without ``+ d`` or ``- d``; reports it otherwise."""
    stream = site.stream
    if stream.is_word(part.first) and (part.size == 1 or (part.size > 2 and stream.text(part.first + 1) in ("+", "-"))):
        return True
    if part.size:
        site.error("omp-bad-list-item", f"expected a variable with or without a distance in '{site.name}'", part)
    return False


def _read_listless(site: Site) -> Clause | None:
    first = site.stream.text(site.inside.first)
    if site.inside.size == 1 and first in _LISTLESS and first in site.row.keywords and site.name == "depend":
        return DependClause(site.name, site.span, first, ())
    is_known = first in site.words_known()
    after = f" after '{first}'" if is_known else ": expected 'type: list'"
    place = Part(site.inside.first, site.inside.first + 1)
    fixes = site.stream.colon_behind(place.first) if is_known else ()
    site.error("omp-missing-colon", f"missing ':' in clause '{site.name}'{after}", place, fixes=fixes)
    return None


def read_reduction(site: Site) -> Clause | None:
    """Read ``reduction([modifier,] identifier: list)``."""
    before, rest = _split_at_colon(site)
    if before is None:
        place = site.inside if site.inside.size else Part(site.inside.first, site.inside.first + 1)
        site.error("omp-missing-colon", f"clause '{site.name}' needs 'operator: list'", place)
        return None
    pieces = site.stream.split(before)
    operator = _reduction_operator(site, pieces[-1])
    modifiers = read_modifiers(site, pieces[:-1])
    items = read_list(site, rest, site.row.items)
    if operator is None or len(modifiers) < len(pieces) - 1 or not items:
        return None
    return ReductionClause(site.name, site.span, operator, items, modifiers)


def _reduction_operator(site: Site, part: Part) -> str | None:
    """Return an operator, ``min``, ``max``, or the identifier of a declared reduction."""
    words = site.stream.words(part)
    text = "".join(words)
    if text in REDUCTION_OPERATORS:
        return text
    if is_reduction_identifier(site.stream, part):
        return ALTERNATIVE_OPERATORS.get(text, text)
    place = part if part.size else Part(part.first, part.first + 1)
    found = f"'{text}' is no reduction operator" if text else "a reduction operator is missing"
    message = f"{found}; known: {' '.join(REDUCTION_OPERATORS)} or the name of a declared one"
    site.error("omp-unknown-reduction-operator", message, place)
    return None


def is_reduction_identifier(stream: TokenStream, part: Part) -> bool:
    """Whether a range is an operator, ``f``, ``ns::f``, ``ns::f<T>`` or ``operator+``."""
    words = stream.words(part)
    if words[:1] == ["operator"] or "".join(words) in REDUCTION_OPERATORS:
        return "".join(words).removeprefix("operator") in REDUCTION_OPERATORS
    if not words or not (stream.is_word(part.first) or words[0] == "::"):
        return False
    after_name = False
    for index in range(part.first, part.stop):
        is_name, text = stream.is_word(index), stream.text(index)
        is_twice = text == "::" and index > part.first and stream.text(index - 1) == "::"
        if text in NO_NAMES or is_twice or (is_name and after_name) or not (is_name or text in ("::", "<", ">")):
            return False
        after_name = is_name
    return words[-1] != "::"


def read_linear(site: Site) -> Clause | None:
    """Read ``linear(list[: step])``, ``linear(list: val, step(e))`` and the older ``linear(val(list)[: step])``."""
    before, after = _split_at_colon(site)
    listed = before if before is not None else after
    kinds, listed = _older_linear(site, listed)
    items = read_list(site, listed, site.row.items)
    if before is None:
        return ListClause(site.name, site.span, items, kinds) if items else None
    after_list = _linear_step(site, after)
    if after_list is None or not items:
        return None
    modifiers, step = after_list
    return ListClause(site.name, site.span, items, kinds + modifiers, step)


def _older_linear(site: Site, part: Part) -> tuple[tuple[Modifier, ...], Part]:
    group = site.stream.group_at(part.first + 1)
    if group is None or group.stop + 1 != part.stop or site.stream.text(part.first) not in _LINEAR_KINDS:
        return (), part
    word = Part(part.first, part.first + 1)
    return (Modifier(site.stream.text(part.first), None, site.stream.span(word)),), group


def _linear_step(site: Site, part: Part) -> tuple[tuple[Modifier, ...], Expression | None] | None:
    """Return the modifiers after the colon and the step, or None after an error."""
    pieces = site.stream.split(part)
    is_variable = part.size == 1 and site.stream.text(part.first) == "step"  # the modifier of that name has parentheses
    if is_variable or (len(pieces) == 1 and not is_modifier(site, part)):
        step = _expression_after(site, part)
        return ((), step) if step else None
    modifiers = read_modifiers(site, pieces)
    if len(modifiers) < len(pieces):
        return None
    step = next((m.argument for m in modifiers if m.name == "step"), None)
    return tuple(m for m in modifiers if m.name != "step"), step


def _expression_after(site: Site, part: Part) -> Expression | None:
    """Return the one expression in a range; None after reporting a colon or a misspelt modifier."""
    colons = site.stream.colons(part)
    if colons:
        place = Part(colons[0], colons[0] + 1)
        site.error("omp-unexpected-colon", f"unexpected ':' in clause '{site.name}'", place)
        return None
    return None if part.size and is_misspelt(site, part) else read_text(site, part)


def read_induction(site: Site) -> Clause | None:
    """Read ``induction(step(e), +: list)``: the operator, or the identifier of a declared one, is the last modifier."""
    before, rest = _split_at_colon(site)
    if before is None:
        lacks_colon(site)
        return None
    pieces = site.stream.split(before)
    named = [piece for piece in pieces if not is_modifier(site, piece)]
    modifiers = read_modifiers(site, [piece for piece in pieces if piece not in named])
    items = read_list(site, rest, site.row.items)
    step = next((m.argument for m in modifiers if m.name == "step"), None)
    if len(named) != 1 or step is None or len(modifiers) < len(pieces) - 1:
        if len(modifiers) == len(pieces) - len(named):
            message = f"'{site.name}' needs an operator and a step, as in 'induction(step(2), *: x)'"
            site.error("omp-missing-argument", message, before)
        return None
    operator = _induction_operator(site, named[0])
    if operator is None or not items:
        return None
    kept = tuple(m for m in modifiers if m.name != "step")
    return ListClause(site.name, site.span, items, (*kept, operator), step)


def _induction_operator(site: Site, part: Part) -> Modifier | None:
    text = "".join(site.stream.words(part))
    if text in ("+", "*") or is_reduction_identifier(site.stream, part):
        return Modifier(text, None, site.stream.span(part))
    site.error("omp-unknown-reduction-operator", f"'{text}' is no operator of 'induction'", part)
    return None


def read_aligned(site: Site) -> Clause | None:
    """Read ``aligned(list[: alignment])``."""
    before, after = _split_at_colon(site)
    items = read_list(site, before if before is not None else after, site.row.items)
    if before is None:
        return ListClause(site.name, site.span, items) if items else None
    alignment = _expression_after(site, after)
    return ListClause(site.name, site.span, items, (), alignment) if items and alignment else None


def read_allocate(site: Site) -> Clause | None:
    """Read ``allocate([allocator:] list)`` and ``allocate(allocator(a), align(e): list)``; both give the same."""
    before, rest = _split_at_colon(site)
    modifiers: tuple[Modifier, ...] | None = ()
    if before is not None:
        modifiers = _allocators(site, before)
    items = read_list(site, rest, site.row.items)
    if modifiers is None or not items:
        return None
    return ListClause(site.name, site.span, items, modifiers)


def _allocators(site: Site, part: Part) -> tuple[Modifier, ...] | None:
    pieces = site.stream.split(part)
    if len(pieces) == 1 and not is_modifier(site, part):
        allocator = _expression_after(site, part)
        return (Modifier("allocator", allocator, allocator.span),) if allocator else None
    modifiers = read_modifiers(site, pieces)
    return modifiers if len(modifiers) == len(pieces) else None


def read_allocators(site: Site) -> Clause | None:
    """Read ``uses_allocators(a, b(traits))`` and ``uses_allocators(memspace(m), traits(t): a)``."""
    modifiers, rest = split_modifiers(site)
    if modifiers is None:
        return None
    if not rest.size:
        read_list(site, rest, site.row.items)
        return None
    items = [_allocator(site, piece) for piece in site.stream.split(rest)]
    found = tuple(item for item in items if item)
    return ListClause(site.name, site.span, found, modifiers) if len(found) == len(items) else None


def _allocator(site: Site, part: Part) -> ListItem | None:
    """Return an allocator; its traits in parentheses belong to the whole item and not to its base."""
    group = site.stream.group_at(part.first + 1)
    if group is None or group.stop + 1 != part.stop or not group.size:
        return read_item(site, part, site.row.items)
    if read_item(site, group, Items.VARIABLE) is None:
        return None
    base = site.stream.expression(Part(part.first, part.first + 1))
    return ListItem(site.stream.expression(part), base)
