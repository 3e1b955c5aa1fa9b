"""Names of types: tags have a name space of their own in C, and enumerations are integers.

In: declarations with tags. Out: enumerators as constants of an integer type, and the integer type in
the place of the enumeration's name; structures that are declared inside of others in front of them, where C sees them;
other names for tags that are also names of something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import takewhile

from clang.cindex import Type

from rexcc.clang import library, locations, spelling, types
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.c.memory import drop_qualifier, is_volatile_part
from rexcc.source.diagnostics import error
from rexcc.source.edits import Quote
from rexcc.source.patterns import regex

ATTRIBUTES = r"(?:\s*__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\))*"
_ATTRIBUTES = regex(rf"(?P<attributes>{ATTRIBUTES})")
_BEHIND = regex(rf"{_ATTRIBUTES.pattern}\s*;")
_ORDINARY = frozenset({"VAR_DECL", "PARM_DECL", "FUNCTION_DECL", "ENUM_CONSTANT_DECL", "TYPEDEF_DECL"})


def lower_types(edits: CEdits, top: Node) -> None:
    """Put the enumerators and the named structures that a declaration has inside at its start."""
    declaration = edits.body.start(top), edits.body.end(top)
    seen: set[int] = set()
    inner: list[Node] = []
    for node in top.walk():
        if node.kind not in RECORD_KINDS and node.kind != "ENUM_DECL":
            continue
        if node.start not in seen and node.cursor.is_definition():
            seen.add(node.start)
            inner.append(node)
    nested = [n for n in inner if n.kind != "ENUM_DECL" and _is_nested(n, inner)]
    for node in inner:
        if node.kind == "ENUM_DECL" and not _is_of_expression(node, top):
            _lower_enumeration(edits, node, declaration, node.start == top.start and top.kind == "ENUM_DECL")
    for node in reversed(nested):
        _move_out(edits, node, declaration)


def _is_of_expression(node: Node, top: Node) -> bool:
    """Whether an expression in a declaration defines a type, which goes to the start of the block."""
    return any(above.kind.endswith("_EXPR") for above in takewhile(lambda above: above is not top, node.ancestors()))


def _is_nested(node: Node, inner: list[Node]) -> bool:
    """Whether a structure with a tag is declared inside of another one."""
    around = any(n is not node and n.start <= node.start and node.end <= n.end and n.kind != "ENUM_DECL" for n in inner)
    return around and bool(node.spelling) and not node.cursor.is_anonymous() and "(" not in node.spelling


def _lower_enumeration(edits: CEdits, node: Node, declaration: tuple[int, int], is_all: bool) -> None:
    """Put the enumerators at the start of a declaration, which ``is_all`` the enumeration or uses it as a type."""
    body = edits.body
    if not edits.is_reachable(node):
        return
    made = constants(node)
    behind = _BEHIND.match(body.text, body.end(node))
    if is_all or (declaration[0] == body.start(node) and behind is not None):
        behind = behind or _ATTRIBUTES.match(body.text, body.end(node))
        assert behind is not None
        body.edits.rewrite(body.start(node), behind.end("attributes"), made)
    else:
        body.edits.before(*declaration, f"{made}; ")
        body.edits.rewrite(body.start(node), body.end(node), base_type(node))


def base_type(enumeration: Node) -> str:
    """Return the integer type that C stores an enumeration as."""
    return str(library.canonical_type(enumeration.cursor.enum_type).spelling)


def constants(enumeration: Node) -> str:
    """Return the enumerators of an enumeration as constants of their types, which in C may differ: each that an ``int``
    can hold is one, whatever the enumeration is stored as."""
    listed: dict[str, list[str]] = {}
    for constant in (c for c in enumeration.children if c.kind == "ENUM_CONSTANT_DECL"):
        kind, value = library.canonical_type(constant.type), int(constant.cursor.enum_value)
        if value < 0 and str(kind.spelling).startswith("unsigned"):
            value %= 1 << (8 * kind.get_size())
        listed.setdefault(str(kind.spelling), []).append(f"{constant.spelling} = {_number(value)}")
    return "; ".join(f"enum : {kind} {{ {', '.join(constants)} }}" for kind, constants in listed.items())


def _number(value: int) -> str:
    if value >= 1 << 63:
        return f"{value}u"
    return str(value) if value > -(1 << 31) else f"({value + 1} - 1)"


def _move_out(edits: CEdits, node: Node, declaration: tuple[int, int]) -> None:
    body = edits.body
    start, end = body.start(node), body.end(node)
    brace = body.text.find("{", start)
    if not edits.is_reachable(node, inside=True) or not start < brace < end:
        return
    head = body.text[start:brace].rstrip()
    body.edits.before(*declaration, (f"{head} ", Quote(brace, end), "; "))
    body.edits.rewrite(start, end, f"{head.split()[0]} {node.spelling}")


def lower_members(edits: CEdits, top: Node) -> None:
    """Drop the qualifiers of bits without a name and what makes members constant, which C++ wants to have values, and
    write out structures that are members without a name."""
    body = edits.body
    for node in top.walk():
        if node.kind == "FIELD_DECL" and _is_empty(node.type):
            message = f"the member '{node.spelling}' takes no bytes in C, and one or more in the C++ of device code"
            raise error("unsupported-type", f"{message}; leave it out", body.span(node))
        if node.kind == "FIELD_DECL" and not node.spelling and node.cursor.is_bitfield():
            for word in re.finditer(r"\b(?:const|volatile)\b", body.original(node)):
                start = body.start(node)
                body.edits.replace(start + word.start(), start + word.end(), "")
        elif node.kind == "FIELD_DECL" and is_volatile_part(node):
            drop_qualifier(edits, node)
        elif node.kind == "FIELD_DECL" and types.is_constant(node.type):
            _drop_const(edits, node)
        elif node.kind in ("STRUCT_DECL", "UNION_DECL") and node.cursor.is_definition():
            _write_out(edits, node)


def _is_empty(kind: Type) -> bool:
    """Whether a type is a structure without members, or an array of such, which C++ gives a size."""
    element = types.canonical(types.innermost(kind))
    return types.is_record(element) and element.get_size() == 0


def _drop_const(edits: CEdits, field: Node) -> None:
    """Let a constant member be a variable: C declares objects that have such members without a value."""
    body, start = edits.body, edits.body.start(field)
    parent = field.parent.children if field.parent is not None else ()
    together = [f for f in parent if f.kind == "FIELD_DECL" and f.start == field.start]
    end = body.file.original(locations.file_location(field.cursor.location, field.tree.names)[1])
    text = body.text[start:end]
    element = types.shape_of(field.type).element if types.is_array(field.type) else field.type
    if "}" in text or not edits.is_reachable(field, inside=True):
        return
    if types.is_pointer(element):
        first = text.rfind("*")
        start, text = start + first, text[first:] if first >= 0 else ""
    elif not all(types.is_constant(f.type) and not types.is_pointer(f.type) for f in together):
        return
    for word in re.finditer(r"\bconst\b", text):
        body.edits.replace(start + word.start(), start + word.end(), "")


def _write_out(edits: CEdits, record: Node) -> None:
    """Put the members of a structure in the place of its tag or name, which stands there alone (-fms-extensions)."""
    body = edits.body
    for member in library.canonical_type(record.type).get_fields():
        if member.spelling or member.is_bitfield():
            continue
        kind = library.canonical_type(member.type).get_declaration().get_definition()
        held, meant = record.tree.node(member), record.tree.node(kind) if kind is not None else None
        if meant is None or (held.start <= meant.start < held.end) or meant.file not in body.unit.files:
            continue
        if not record.start <= held.start < record.end or held.file != record.file:
            continue
        text = body.unit.user_text(meant)
        word = "union" if meant.kind == "UNION_DECL" else "struct"
        lines = re.sub(r"/\*[\s\S]*?\*/|//[^\n]*", " ", text[text.index("{") :])
        body.edits.rewrite(body.start(held), body.end(held), f"{word} {' '.join(lines.split())}")


class TypeNames:
    """What the types of a C unit are called in device text: ``enumerations`` by their tags and ``unnamed`` ones are
    integer types; ``hidden`` are the tags that are also names of something else."""

    def __init__(self, declared: Iterable[Node]) -> None:
        self.enumerations: dict[str, str] = {}
        self.unnamed: dict[str, str] = {}
        tags: set[str] = set()
        names: set[str] = set()
        for node in declared:
            if node.kind in ("STRUCT_DECL", "UNION_DECL"):
                tags.add(node.spelling)
            elif node.kind == "ENUM_DECL":
                self._add(node)
            elif node.kind in _ORDINARY and not _names_its_tag(node):
                names.add(node.spelling)
        self.hidden = {tag for tag in tags & names if tag.isidentifier()}

    def _add(self, node: Node) -> None:
        base = str(library.canonical_type(node.cursor.enum_type).spelling)
        place = spelling.unnamed_place(str(node.type.spelling))
        if place:
            self.unnamed[spelling.given_name(*place)] = base
        else:
            self.enumerations[node.spelling] = base


def _names_its_tag(node: Node) -> bool:
    """Whether a typedef gives a structure the name of its own tag."""
    if node.kind != "TYPEDEF_DECL":
        return False
    declaration = types.canonical(node.type).get_declaration()
    return declaration.spelling == node.spelling and types.is_record(node.type)


def every_declaration(tops: Iterable[Node], unit: Mapping[str, object]) -> Iterable[Node]:
    """Yield the declarations and labels below nodes in the user's files; a node that is given twice counts once."""
    for top in dict.fromkeys(tops):
        for node in top.walk():
            if (node.kind.endswith("_DECL") or node.kind == "LABEL_STMT") and node.file in unit:
                yield node
