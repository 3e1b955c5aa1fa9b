"""Types that device code takes from variables: ``decltype(x)``, ``decltype((x))`` and ``typeof(x)``.

In: a region with its attributes. Out: edits: the type that the user gave the variable. The kernel's variable of that
name may have another one: it is a reference to what is mapped, a pointer, or constant where nobody writes it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from re import Pattern

from clang.cindex import Cursor, Type

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_ASKS = regex(r"\b(?P<word>decltype|(?:__)?typeof(?:__)?)\s*\(\s*$")
_WORDS = frozenset({"decltype", "typeof", "__typeof", "__typeof__"})
_END = regex(r"\s*\)")
_MADE_OF = regex(r"\s*[({]")
_ONE_WORD = regex(r"[\w:]+")
_ASKS_FOR_OBJECT = regex(r"\b(?P<word>decltype)\s*\(\s*\(\s*$")
_END_OF_OBJECT = regex(r"\s*\)\s*\)")
_OWN = frozenset({Kind.DEVICE_GLOBAL, Kind.CLOSURE})


def write_types(body: DeviceBody, data: RegionData) -> None:
    """Write the types of variables where code asks for them by the variables' names."""
    for attribute in (a for a in data.attributes if a.kind not in _OWN):
        kind = attribute.variable.cursor.type
        if types.has_runtime_extent(kind) or spelling.is_unnamed(kind):
            continue
        for use in attribute.variable.uses if attribute.variable.is_named else ():
            _write(body, use, kind)


def _write(body: DeviceBody, use: Node, kind: Type) -> None:
    asked = asked_type(body, use)
    if asked is not None:
        declared = kind if asked.word == "decltype" else types.without_reference(kind)
        name = type_name(declared)
        body.edits.rewrite(asked.start, asked.end, _converting(name) if _converts(body, asked) else name)
        return
    asked = _found(body, use, _ASKS_FOR_OBJECT, _END_OF_OBJECT)
    if asked is None:
        _expand_question(body, use)
    elif not any(above.kind == "LAMBDA_EXPR" for above in use.ancestors()):
        body.edits.rewrite(asked.start, asked.end, f"{type_name(types.without_reference(kind))} &")


def _converts(body: DeviceBody, asked: AskedType) -> bool:
    """Whether a value of the type is made of what follows, ``decltype(n){0}``."""
    return body.unit.is_cplusplus and _MADE_OF.match(body.text, asked.end) is not None


def _converting(name: str) -> str:
    """Return a type's name as one word of the grammar, which alone may stand there (ISO C++, [expr.type.conv])."""
    return name if _ONE_WORD.fullmatch(name) else f"rex_type<{name}>"


def _expand_question(body: DeviceBody, use: Node) -> None:
    """Ask for the expansion of a macro that a name stands in, where the macro asks for a type."""
    places = body.unit.use_places.get(use.file, ())
    index = bisect_right(places, use.start, key=lambda place: place.start)
    for macro in places[max(index - 1, 0) : index]:
        if use.start < macro.end and not _WORDS.isdisjoint(_words(macro.definition)):
            body.expand(body.file.original(macro.start))


def _words(definition: Cursor) -> Iterator[str]:
    return (str(token.spelling) for token in definition.get_tokens())


@dataclass(frozen=True)
class AskedType:
    """Where a type stands that is asked for by a variable's name, with the operator."""

    start: int
    end: int
    word: str


def asked_type(body: DeviceBody, use: Node) -> AskedType | None:
    """Return the type that a variable's name asks for, None where its value or object is meant."""
    return _found(body, use, _ASKS, _END)


def _found(body: DeviceBody, use: Node, opening: Pattern[str], closed: Pattern[str]) -> AskedType | None:
    start, end = body.start(use), body.end(use)
    asks, closing = opening.search(body.text, max(start - 80, 0), start), closed.match(body.text, end)
    if use.file != body.file.scan.source.path or asks is None or closing is None:
        return None
    return AskedType(asks.start(), closing.end(), asks["word"])


def type_name(kind: Type) -> str:
    """Return a type as a name that can stand in front of what it is the type of."""
    current = kind
    while types.kind_name(current) in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
        current = current.get_pointee()
    has_name = types.kind_name(current) in ("TYPEDEF", "ELABORATED")
    goes_around = not has_name and (types.is_array(current) or types.is_function(current))  # int (*name)[4]
    return f"__typeof__({spelling.spell(kind)})" if goes_around else spelling.spell(kind)
