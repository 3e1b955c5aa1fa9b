"""Which types a part of a class template is given that nobody can tell.

In: a base or member of a template, whose type depends on the template's parameters, and the templates that it may be
made from. Out: whether one of them has objects of a type that the part is given by more than a name of a parameter or
of a class: clang tells neither what ``Alias<N>`` is for a number nor what ``Other<T>`` is made of, and such an object
may be one of any class. A type that is given and of which there is no object makes no difference, as where a
specialisation takes but numbers from it: ``Layout<Numbers<N...>, I>`` has objects of ``I`` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clang.cindex import Cursor, Type

from rexcc.clang.library import canonical_type, children
from rexcc.source.patterns import regex

ALIASES = ("TYPE_ALIAS_DECL", "TYPEDEF_DECL")
_PARTS = ("FIELD_DECL", "CXX_BASE_SPECIFIER")
_PARAMETERS = ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER")
_WORD = regex(r"\w+")
_UNKNOWN = ("UNEXPOSED", "DEPENDENT", "INVALID")


def with_alias(part: Cursor) -> tuple[Cursor, str]:
    """Return what names the type of a part, and that name: an alias of the class's is followed."""
    cursor, spelled = part, str(part.type.spelling)
    while True:
        below = list(cursor.get_children())
        alias = below[0].referenced if below and below[0].kind.name == "TYPE_REF" else None
        if alias is None or alias.kind.name not in ALIASES or not _names_alone(spelled, str(alias.spelling)):
            return cursor, spelled
        cursor, spelled = alias, str(alias.underlying_typedef_type.spelling)


def holds_unknown(part: Cursor, templates: Sequence[Cursor]) -> bool:
    """Whether what a part may be made from has objects of types that the part is given and that are not known."""
    places = list(_places(part))
    if any(_unknown(*place) for place in places[:-1]):  # an alias template may give them on in any place
        return any(True for template in templates for _ in _types_used(template))
    unknown, given = _unknown(*places[-1]), len(_arguments(places[-1][1]))
    return any(_holds(template, unknown, given) for template in templates)


def classes_given(part: Cursor) -> list[Type]:
    """Return the classes that name what a part is given, where they are no parameters: what it is made from may have
    objects of them."""
    names = (child.referenced for place, _ in _places(part) for child in place.walk_preorder() if _is_name(child))
    kinds = (canonical_type(each.type) for each in names if each is not None)
    return [kind for kind in kinds if kind.kind.name == "RECORD"]


def _is_name(cursor: Cursor) -> bool:
    return str(cursor.kind.name) == "TYPE_REF"


def _places(part: Cursor) -> Iterator[tuple[Cursor, str]]:
    """Yield what names the type of a part, with that name: itself, or the alias that it means, and then what an alias
    template stands for, as long as it is one."""
    place, spelled = with_alias(part)
    while True:
        yield place, spelled
        named = _template_named(place)
        is_alias = named is not None and named.kind.name == "TYPE_ALIAS_TEMPLATE_DECL"
        alias = next((c for c in children(named) if c.kind.name == "TYPE_ALIAS_DECL"), None) if is_alias else None
        if alias is None:
            return
        place, spelled = alias, str(alias.underlying_typedef_type.spelling)


def gives_unknown(part: Cursor) -> bool:
    """Whether a part is given any such type, of whatever template."""
    return bool(_unknown(*with_alias(part)))


def _unknown(place: Cursor, spelled: str) -> set[int]:
    """Return the places of the arguments that are not known: made from a template, or an alias for what is."""
    names = _dependent_aliases(place)
    given = enumerate(_arguments(spelled))
    return {i for i, text in given if "<" in text or not names.isdisjoint(_WORD.findall(text))}


def _template_named(place: Cursor) -> Cursor | None:
    named = (child.referenced for child in place.get_children() if child.kind.name == "TEMPLATE_REF")
    return next(named, None)


def _names_alone(spelled: str, alias: str) -> bool:
    words = [word for word in _WORD.findall(spelled) if word not in ("const", "volatile", "typename")]
    return bool(words) and words[-1] == alias and "<" not in spelled


def _dependent_aliases(place: Cursor) -> set[str]:
    """Return the names of the aliases that a type names and that depend on parameters."""
    named = (child.referenced for child in place.get_children() if child.kind.name == "TYPE_REF")
    aliases = (each for each in named if each is not None and each.kind.name in ALIASES)
    return {str(each.spelling) for each in aliases if canonical_type(each.type).kind.name in _UNKNOWN}


def _holds(template: Cursor, unknown: set[int], given: int) -> bool:
    """Whether a template has objects of types in some places of its arguments, of which so many are given."""
    used = set(_types_used(template))
    if not used:
        return False
    if template.kind.name == "CLASS_TEMPLATE":
        parameters = [child for child in children(template) if child.kind.name in _PARAMETERS]
        places = [i for i, each in enumerate(parameters) if str(each.spelling) in used]
        last = len(parameters) - 1
        return any(i in unknown or i >= given or (i == last and any(u > i for u in unknown)) for i in places)
    pattern = _arguments(str(template.displayname))
    places = [i for i, text in enumerate(pattern) if not used.isdisjoint(_WORD.findall(text))]
    known = {word for i in places if i not in unknown for word in _WORD.findall(pattern[i])}
    return not used <= known


def _types_used(template: Cursor) -> Iterator[str]:
    """Yield the parameters of a template whose types its parts are made of."""
    waiting, seen = [c for c in children(template) if c.kind.name in _PARTS], set[int]()
    while waiting:
        for child in waiting.pop().walk_preorder():
            named = child.referenced if child.kind.name in ("TYPE_REF", "TEMPLATE_REF") else None
            if named is None or int(named.hash) in seen:
                continue
            seen.add(int(named.hash))
            if named.kind.name in ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER"):
                yield str(named.spelling)
            elif named.kind.name in ALIASES:
                waiting.append(named)


def _arguments(spelled: str) -> list[str]:
    """Return the texts of the arguments of the template that a type's name ends with."""
    start = spelled.find("<")
    if start < 0:
        return []
    found, depth, text = [], 0, ""
    for character in spelled[start + 1 :]:
        if character in "<([{":
            depth += 1
        elif character in ">)]}":
            depth -= 1
        if depth < 0:
            break
        if character == "," and depth == 0:
            found.append(text.strip())
            text = ""
        else:
            text += character
    return [*found, text.strip()]
