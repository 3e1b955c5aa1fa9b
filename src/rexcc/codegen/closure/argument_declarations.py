"""The declarations that a template's arguments name, for the lines of a kernel that spell these.

In: a region of an instantiation. Out: the classes, enumerations and templates in the arguments of the parameters that
the template's text names, the system's too, and the classes of objects that are arguments. Of packs and of template
arguments clang gives only the text, whose names are looked up; the system's are those of the function's types.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, spelling, types
from rexcc.clang.scopes import namespaces_around
from rexcc.clang.template_arguments import template_argument
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, kind_of
from rexcc.codegen.closure.tables import file_scope
from rexcc.codegen.places.templates import used_arguments
from rexcc.lowering.model.names import template_arguments
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex

_NAMED = RECORD_KINDS | {"ENUM_DECL", "TYPE_ALIAS_TEMPLATE_DECL"}
_OBJECT = regex(r"([A-Za-z_]\w*(?:::\w+)*)(?:<[^{}]*>)?\{")
_NAME = regex(r"[A-Za-z_]\w*(?:::\w+)*")


def argument_declarations(region: TargetRegion) -> Iterator[Cursor]:
    """Yield the declarations that the arguments of a region's template name."""
    if region.owner.template is None:
        return
    for argument in used_arguments(region):
        if argument.kind in ("type", "pack", "template"):
            names = _NAME.findall(argument.text)
            for name in names:
                yield from _declared(region.unit, name)
            yield from _of_system(region, {name.rpartition("::")[2] for name in names})
        elif argument.kind == "value" and types.kind_name(types.canonical(argument.parameter.type)) == "ENUM":
            yield types.canonical(argument.parameter.type).get_declaration()
        elif argument.kind == "value":  # ``auto``: its type is that of the argument
            for name in _NAME.findall(argument.text):
                yield from _declared(region.unit, name)
    for _, text in template_arguments(region.owner.node.cursor):
        yield from classes_of_objects(region.unit, text)


def templates_given(unit: ParsedUnit, record: Cursor) -> Iterator[Cursor]:
    """Yield the user's templates that are arguments of a class, which its type does not tell."""
    arguments = (template_argument(record, i) for i in range(max(0, record.get_num_template_arguments())))
    for kind, text in arguments:
        if kind == "template":
            yield from _declared(unit, text)


def classes_of_objects(unit: ParsedUnit, text: str) -> Iterator[Cursor]:
    """Yield the classes of objects that are template arguments, which clang only prints: ``Shape{3, 4}``."""
    for found in _OBJECT.finditer(text) if "{" in text else ():
        yield from _declared(unit, found[1])


def _of_system(region: TargetRegion, names: set[str]) -> Iterator[Cursor]:
    """Yield the system's classes of these names in the arguments of a region's template, and in its function's type."""
    owner: Cursor | None = region.owner.node.cursor
    kinds = [*owner.type.argument_types()] if owner is not None else []
    while owner is not None and kind_of(owner) in RECORD_KINDS | FUNCTION_KINDS:
        kinds += [owner.get_template_argument_type(i) for i in range(max(0, owner.get_num_template_arguments()))]
        owner = owner.semantic_parent
    for part in (part for kind in kinds for part in spelling.named_types(types.canonical(kind))):
        declaration = part.get_declaration()
        if declaration.spelling in names and library.in_system_header(declaration):
            yield declaration


def _declared(unit: ParsedUnit, name: str) -> tuple[Cursor, ...]:
    """Return what a qualified name means: the declaration at namespace scope that it is, or is inside of."""
    known = unit.kept(_by_name)
    while name and name not in known:
        name = name.rpartition("::")[0]
    return known.get(name, ())


def _by_name(unit: ParsedUnit) -> dict[str, tuple[Cursor, ...]]:
    """Return the user's types, and templates of types, at namespace scope by their qualified names, enumerations by
    their enumerators' too."""
    found: dict[str, tuple[Cursor, ...]] = {}
    for node in file_scope(unit.declarations):
        if node.kind in _NAMED and (node.spelling or node.kind == "ENUM_DECL"):
            enumerators = [c.spelling for c in node.children if c.kind == "ENUM_CONSTANT_DECL"]
            for full in {_qualified(node.cursor, True), _qualified(node.cursor, False)}:
                space = full[: len(full) - len(node.spelling)]
                for name in (full, *(f"{space}{value}" for value in enumerators)):
                    found[name] = (*found.get(name, ()), node.cursor)
    return found


def _qualified(cursor: Cursor, with_inline: bool) -> str:
    names = [str(cursor.spelling)]
    for space in namespaces_around(cursor):
        if space.spelling and (with_inline or not library.is_inline_namespace(space)):
            names.append(str(space.spelling))
    return "::".join(reversed(names))
