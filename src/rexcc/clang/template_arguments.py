"""Template arguments of functions and classes.

In: instances, as clang's cursors or printed names. Out: kinds and texts of their arguments. libclang tells types and
integers; all others it only prints, in the names of types and the heads of declarations.
"""

from __future__ import annotations

from typing import Any

from clang.cindex import Cursor, Type

from rexcc.clang.library import children, printed_head, template_argument_kind, template_of
from rexcc.source.patterns import regex


def template_argument(cursor: Cursor, index: int) -> tuple[str, str]:
    """Return kind and text of a template argument of a function or record.

    Kinds are ``type``, ``value``, ``address`` (of a function, an object or a member), ``template``, ``pack`` (its text
    has commas) and ``other``.
    """
    kind = template_argument_kind(cursor, index)
    if kind == 1:
        argument = cursor.get_template_argument_type(index).get_canonical()
        return "type", with_large_numbers(argument, str(argument.spelling))
    if kind == 4:
        return "value", _value_text(cursor, index)
    if kind in _PRINTED_ARGUMENTS:
        is_pack = kind == _PACK
        return _PRINTED_ARGUMENTS[kind], _printed_argument(cursor, index, is_pack)
    return "other", ""


_PACK = 8
_PRINTED_ARGUMENTS = {2: "address", 3: "value", 5: "template", _PACK: "pack"}
"""The kinds of template arguments of which libclang only prints the text."""


def _printed_argument(cursor: Cursor, index: int, is_pack: bool) -> str:
    """Return a template argument as clang prints it; a function's pack has brackets of its own."""
    if cursor.kind.name in ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION"):
        written = method_arguments(cursor)[index : index + 1]
        return ", ".join(w.removeprefix("<").removesuffix(">") if is_pack else w for w in written)
    written = arguments_of_type(str(cursor.type.get_canonical().spelling))
    return ", ".join(written[index:] if is_pack else written[index : index + 1])


def arguments_of_type(text: str) -> tuple[str, ...]:
    """Return the template arguments in a class's printed name, those of its outer classes left out."""
    start, at = 0, text.find("<")
    found: tuple[str, ...] = ()
    while at >= 0:
        start = at + 1
        found, end = _angle_list(text, start)
        at = text.find("<", end)
    return found


def full_name(kind: Type, printed: str) -> str:
    """Return the name of a class as clang prints it, with the arguments, too, that are default ones of its template,
    those of arguments included; any other type as it is printed."""
    record = kind.get_canonical().get_declaration()
    count, listed = record.get_num_template_arguments(), arguments_of_type(printed)
    if not printed.endswith(">") or count <= 0 or str(kind.get_canonical().spelling) != printed:
        return printed
    found = [template_argument(record, index) for index in range(count)]
    if len(listed) > count or any(name in ("pack", "other") for name, _ in found):
        return printed
    texts = [
        full_name(record.get_template_argument_type(index), text) if name == "type" else text or listed[index]
        for index, (name, text) in enumerate(found)
        if text or index < len(listed)
    ]
    written = ", ".join(listed)
    return f"{printed.removesuffix(f'<{written}>')}<{', '.join(texts)}>"


_LARGE_CHARACTER = regex(r"'\\x([89a-f][0-9a-f])'")


def with_large_numbers(kind: Type, printed: str) -> str:
    """Return a type's printed name with numbers where ``unsigned char`` arguments are above 127: clang prints them as
    characters, which are negative. Classes in a pack of types keep them."""
    if _LARGE_CHARACTER.search(printed) is None:
        return printed  # of types, too, that libclang's module does not know
    record = _class_named(kind)
    while _LARGE_CHARACTER.search(printed) is not None and record.kind.name in ("STRUCT_DECL", "CLASS_DECL"):
        name, listed = str(record.spelling), arguments_of_type(str(record.type.get_canonical().spelling))
        texts = (_with_large_number(record, index, text) for index, text in enumerate(listed))
        printed = printed.replace(f"{name}<{', '.join(listed)}>", f"{name}<{', '.join(texts)}>")
        record = record.semantic_parent
    return printed


def _with_large_number(record: Cursor, index: int, listed: str) -> str:
    """Return a printed argument of a class; those of a pack stand behind all others."""
    own = min(index, record.get_num_template_arguments() - 1)
    if own < 0:
        return listed
    if template_argument_kind(record, own) == 1:
        return with_large_numbers(record.get_template_argument_type(own), listed)
    character = _LARGE_CHARACTER.fullmatch(listed)
    is_large = character is not None and _is_unsigned_character(record, own)
    return str(int(character[1], 16)) if character is not None and is_large else listed


def _class_named(kind: Type) -> Cursor:
    """Return the class of a type, or of what it points to or has as elements."""
    current = kind.get_canonical()
    while current.kind.name in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE", "CONSTANTARRAY", "INCOMPLETEARRAY"):
        below = current.get_array_element_type() if current.kind.name.endswith("ARRAY") else current.get_pointee()
        current = below.get_canonical()
    return current.get_declaration()


_OWN_TYPE = regex(r"type-parameter-0-(\d+)")


def _is_unsigned_character(record: Cursor, index: int) -> bool:
    """Whether a template's parameter is an ``unsigned char``, or of the type that an argument before it is."""
    kind = _parameter_type(record, index)
    own = _OWN_TYPE.fullmatch(str(kind.spelling)) if kind is not None else None
    if own is not None:
        kind = record.get_template_argument_type(int(own[1])).get_canonical()
    return kind is not None and kind.kind.name == "UCHAR"


def split_arguments(text: str) -> tuple[str, ...]:
    """Return the parts of a list of template arguments."""
    return _angle_list(f"{text}>", 0)[0] if text else ()


_FIXED_TYPES = frozenset(
    {
        "INVALID", "BOOL", "ENUM", "CHAR_U", "UCHAR", "CHAR_S", "SCHAR", "CHAR16", "CHAR32", "WCHAR", "USHORT", "SHORT",
        "UINT", "INT", "ULONG", "LONG", "ULONGLONG", "LONGLONG", "UINT128", "INT128",
    }
)  # fmt: skip
"""Kinds of types of template parameters that say which type an argument has."""


def _value_text(cursor: Cursor, index: int) -> str:
    """Return an integer argument as the parameter's type wants it: ``true``, ``4294967295``, ``(Mode)2``; of a
    parameter whose type the argument tells (``auto``) with a type of its own, as clang prints it: ``11L``, ``'a'``."""
    value = cursor.get_template_argument_value(index)
    kind = _parameter_type(cursor, index)
    name = kind.kind.name if kind is not None else "INVALID"
    if name not in _FIXED_TYPES:
        return _printed_argument(cursor, index, is_pack=False) or str(value)
    if name == "BOOL":
        return "true" if value else "false"
    if name in ("UCHAR", "USHORT", "UINT", "ULONG", "ULONGLONG"):
        return str(cursor.get_template_argument_unsigned_value(index) % (1 << (8 * kind.get_size())))
    return f"({kind.spelling}){value}" if name == "ENUM" else str(value)


def _parameter_type(cursor: Cursor, index: int) -> Any:
    """Return the canonical type of a template's parameter, None where it is not a value or the template is unknown."""
    pattern = template_of(cursor)
    if pattern is not None and pattern.kind.name == "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION":
        pattern = template_of(pattern)  # whose parameters the arguments are for
    names = ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER")
    parameters = [c for c in children(pattern) if c.kind.name in names] if pattern is not None else []
    if index >= len(parameters) or parameters[index].kind.name != "TEMPLATE_NON_TYPE_PARAMETER":
        return None
    return parameters[index].type.get_canonical()


def method_arguments(cursor: Cursor) -> tuple[str, ...]:
    """Return the template arguments of an instance of a member template, which libclang only prints."""
    text = printed_head(cursor)
    head = f"{cursor.spelling}<"
    start = text.find(head)
    while start >= 0:
        found, end = _angle_list(text, start + len(head))
        if text.startswith("(", end):
            return found
        start = text.find(head, start + 1)
    return ()


_LITERAL = regex(r"'(?:[^'\\\n]|\\.)+'|\"(?:[^\"\\\n]|\\.)*\"")


def _angle_list(whole: str, start: int) -> tuple[tuple[str, ...], int]:
    """Return the parts of a list in angle brackets and where it ends, its closing bracket included. Inside of other
    brackets ``<`` and ``>`` may compare."""
    parts: list[str] = []
    depth, others, at = 0, 0, start
    text = _LITERAL.sub(lambda literal: "_" * len(literal[0]), whole)
    for at in range(start, len(text)):
        if depth == 0 and others == 0 and text[at] in ",>":
            parts.append(whole[start:at].strip())
            start = at + 1
            if text[at] == ">":
                break
        others += text[at] in "([{" or -(text[at] in ")]}")
        if others == 0:
            depth += text[at] == "<" or -(text[at] == ">")
    return tuple(parts), at + 1
