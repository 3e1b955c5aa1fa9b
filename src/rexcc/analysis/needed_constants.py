"""Constants of a function that a region needs as such: where the language asks for constants.

In: a variable of a region. Out: its initialiser as C++ writes it, where clang knows all values that it is made of::

    constexpr rule r{2, sizes[1]};    ->    {2, 4}

The kernel declares it again, for what it gets when it is launched is no constant.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.known_arrays import number_text
from rexcc.analysis.references import UsedVariable
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import kind_of
from rexcc.source.patterns import regex

_MOST = 1000
"""Values that a kernel's text may list."""


def needs_constant(text: str, name: str) -> bool:
    """Whether a name stands in a text where the language asks for constants: in arguments of templates, extents of
    arrays, labels of cases, and definitions of other constants."""
    return regex(rf"<[^<>;]*\b{name}\b[^<>;]*>").search(text) is not None or _is_needed(text, name)


def _places(name: str) -> tuple[str, ...]:
    word = rf"\b{name}\b"
    return (
        rf"[\w>]\s+\w+\s*(?:\[[^\]]*\]\s*)*\[[^\]]*{word}",
        rf"\bcase\b[^:;]*{word}",
        rf"\b(?:constexpr|static_assert|alignas)\b[^;]*{word}",
    )


def _is_needed(text: str, name: str) -> bool:
    """The same, where comparisons are no arguments of templates."""
    is_argument = regex(rf"(?:\w<|>\s*,)[^<>;]*\b{name}\b[^<>;]*>").search(text) is not None
    return is_argument or any(regex(place).search(text) for place in _places(name))


def needed_values(text: str, variable: UsedVariable) -> str:
    """Return the initialiser of a function's ``constexpr`` object or array that the text of a region needs as a
    constant, or ``""``."""
    cursor = variable.cursor
    kind = types.canonical(cursor.type)
    is_object = types.is_record(kind) or types.is_array(kind)
    if not is_object or not library.is_constexpr(cursor) or not _is_needed(text, variable.name):
        return ""
    first = library.initialiser(cursor.get_definition() or cursor)
    found = _listed(first, kind) if first is not None else None
    return found if found is not None and found.count(",") < _MOST else ""


def _listed(initial: Cursor, kind: Type) -> str | None:
    """Return a value, or a list of them, as C++ gives it to a variable of a type; None where it is not known."""
    kind = types.canonical(kind)
    if not _is_aggregate(kind):
        return scalar_text(initial, kind)
    if kind_of(initial) != "INIT_LIST_EXPR":
        return None
    values = deque(c for c in initial.get_children() if c.kind.is_expression())
    found = _taken(values, kind)
    return None if values else found


def _taken(values: deque[Cursor], kind: Type) -> str | None:
    """Take the values of an array or an object from those of a list, which may have left out its braces."""
    parts: list[str | None] = []
    for name, member in _members(kind):
        if not values:
            break  # others are zero, or what their class says
        designator, value = _designated(values[0])
        if designator and designator != name:
            continue
        is_elided = not designator and _is_aggregate(member) and kind_of(value) != "INIT_LIST_EXPR"
        if is_elided and _is_aggregate(types.canonical(value.type)):
            return None  # a copy of an object
        part = _taken(values, types.canonical(member)) if is_elided else _listed(value, member)
        if not is_elided:
            values.popleft()
        parts.append(f".{name} = {part}" if designator and part is not None else part)
    return None if None in parts else "{" + ", ".join(part for part in parts if part is not None) + "}"


def _is_aggregate(kind: Type) -> bool:
    kind = types.canonical(kind)
    return types.is_record(kind) or types.is_array(kind)


def _designated(value: Cursor) -> tuple[str, Cursor]:
    """Return the member that a value is for by its name, and the value."""
    below = list(value.get_children()) if kind_of(value) == "UNEXPOSED_EXPR" else []
    if len(below) == 2 and kind_of(below[0]) == "MEMBER_REF":
        return str(below[0].spelling), below[1]
    return "", value


def _members(kind: Type) -> Iterator[tuple[str, Type]]:
    """Yield the names and types of what a list gives values to: bases of the class have values of their own there, of
    which there are too many then."""
    kind = types.canonical(kind)
    if types.is_array(kind):
        element = types.element_of(kind)
        yield from ([("", element)] * kind.element_count if element is not None else ())
    else:
        yield from ((str(field.spelling), field.type) for field in kind.get_fields())


def scalar_text(initial: Cursor, kind: Type) -> str | None:
    """Return a number as C++ gives it to a variable of a scalar type; None where it is not known."""
    number = library.evaluate_integer(initial)
    if types.kind_name(kind) == "ENUM":
        return None if number is None else f"({spelling.spell_value(kind)}){number}"
    if types.kind_name(kind) == "BOOL":
        return None if number is None else ("true" if number else "false")
    return number_text(initial, kind)
