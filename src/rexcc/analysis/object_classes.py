"""The classes of a unit whose objects the host may have made, and how classes derive from each other.

In: a parsed unit. Out: :class:`ObjectClass` for each; a class template's instantiations are those of which the unit
makes objects. Classes are compared by their texts: an instantiation's text is its template's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from clang.cindex import Cursor

from rexcc.analysis.device_constructs import all_constructs
from rexcc.clang import library, spelling, types
from rexcc.clang.dependent_bases import with_specialisations
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

TEMPLATES = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_SCOPES = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", "STRUCT_DECL", "CLASS_DECL"})
_OUTER = frozenset({"TRANSLATION_UNIT", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_CONSTRUCTOR = regex(r"_ZN(.*?)C[12](?=[EI])")


@dataclass(frozen=True, eq=False)
class ObjectClass:
    """A class that is not abstract; ``text`` is its definition or its template's, ``symbol`` the symbol of its table of
    virtual functions, empty where that is not known."""

    cursor: Cursor
    text: Cursor
    symbol: str

    @property
    def name(self) -> str:
        """The class as generated text names it."""
        return spelling.spell(types.canonical(self.cursor.type))


def key_of(record: Cursor) -> int:
    """Return what is equal for a class, all its declarations, and all instantiations of a template."""
    return int(text_of(record).canonical.hash)


def text_of(record: Cursor) -> Cursor:
    """Return the definition that the program's text has of a class: of an instantiation its template's."""
    pattern = library.template_of(record)
    while pattern is not None and not library.is_written(record, pattern):
        record, pattern = pattern, library.template_of(pattern)
    return record.get_definition() or record


def bases_of(text: Cursor) -> Iterator[tuple[Cursor, bool]]:
    """Yield the texts of a class's direct bases, and whether they are virtual ones; template parameters are none."""
    for child in text.get_children():
        if kind_of(child) != "CXX_BASE_SPECIFIER":
            continue
        declared = child.type.get_declaration()
        if kind_of(declared) not in RECORD_KINDS:
            declared = types.canonical(child.type).get_declaration()
        if kind_of(declared) in RECORD_KINDS:
            yield text_of(declared), library.is_virtual_base(child)


def ways_to_base(text: Cursor, base: int, passed: frozenset[int] = frozenset()) -> list[list[tuple[Cursor, bool]]]:
    """Return the ways from a class to a base of a key, the class itself too, each as bases passed on the way. Of a
    template that is a base of itself with other arguments (``R<N> : R<N - 1>``) the specialisations are what ends that.
    """
    if key_of(text) == base:
        return [[]]
    further = passed | {key_of(text)}
    return [
        [(above, virtual), *way]
        for named, virtual in bases_of(text)
        for above in ([named] if key_of(named) not in further else _ends_of(named, further))
        for way in ways_to_base(above, base, further)
    ]


def with_bases(text: Cursor) -> list[Cursor]:
    """Return the texts of a class and of its bases at any depth, each once."""
    found, waiting = {key_of(text): text}, [text]
    while waiting:
        for named, _ in bases_of(waiting.pop()):
            for above in [named] if key_of(named) not in found else _ends_of(named, found.keys()):
                found[key_of(above)] = above
                waiting.append(above)
    return list(found.values())


def _ends_of(template: Cursor, passed: Set[int]) -> list[Cursor]:
    """Return the specialisations of a template that are not passed on the way to it."""
    return [each for each in with_specialisations(template) if key_of(each) not in passed]


def is_alone(text: Cursor, way: Sequence[tuple[Cursor, bool]]) -> bool:
    """Whether each class on a way has the next one as its only base, so that both begin at the same place."""
    return all(len(list(bases_of(c))) == 1 for c in (text, *(above for above, _ in way[:-1]))) or not way


def object_classes(unit: ParsedUnit) -> tuple[ObjectClass, ...]:
    """Return the classes in the order of the unit: those of headers, of which other files may make objects, and those
    that code outside of target regions names."""
    return unit.kept(_found)


def _found(unit: ParsedUnit) -> tuple[ObjectClass, ...]:
    return tuple(_classes(unit))


def _classes(unit: ParsedUnit) -> Iterator[ObjectClass]:
    made = dict(_made(unit))
    named = set(_named(unit))
    for node in _definitions(unit.declarations):
        record = node.cursor
        usr = str(record.get_usr())
        if record.is_abstract_record() or (node.file == unit.main and usr not in made and key_of(record) not in named):
            continue
        symbol = _made_symbol(made[usr]) if usr in made else _plain_symbol(record)
        yield ObjectClass(record, text_of(record), symbol)
    for constructor in made.values():
        record = constructor.semantic_parent
        if text_of(record) != (record.get_definition() or record) and not record.is_abstract_record():
            yield ObjectClass(record, text_of(record), _made_symbol(constructor))


def _definitions(declarations: Sequence[Node]) -> Iterator[Node]:
    for node in declarations:
        is_record = node.kind in ("STRUCT_DECL", "CLASS_DECL")
        if is_record and node.cursor.is_definition() and not spelling.is_unnamed(node.type):
            yield node
        if node.kind in _SCOPES:
            yield from _definitions(node.children)


def _all_nodes(unit: ParsedUnit) -> Iterator[Node]:
    """Yield the nodes of the user's declarations and of instantiated functions, without those of target regions."""
    regions = {(c.node.file, c.node.start, c.node.end) for c in all_constructs(unit) if "target" in c.directive.leaves}
    waiting = [n for n in unit.declarations if not n.kind.startswith(("MACRO", "INCLUSION"))]
    waiting += [*unit.instances, *unit.instances.of_system]
    while waiting:
        node = waiting.pop()
        if (node.file, node.start, node.end) in regions:
            continue
        yield node
        waiting += reversed(node.children)


def _made(unit: ParsedUnit) -> Iterator[tuple[str, Cursor]]:
    """Yield the constructors that code of the host calls, with what identifies their class."""
    for node in _all_nodes(unit):
        target = node.referenced if node.kind == "CALL_EXPR" else None
        if target is None or kind_of(target) != "CONSTRUCTOR" or library.in_system_header(target):
            continue
        if not _is_own(node, key_of(target.semantic_parent)):
            yield str(target.semantic_parent.get_usr()), target


def _named(unit: ParsedUnit) -> Iterator[int]:
    """Yield the keys of the classes that are named elsewhere than in themselves, as bases, or in target regions."""
    for node in _all_nodes(unit):
        if node.kind != "TYPE_REF" or (node.parent is not None and node.parent.kind == "CXX_BASE_SPECIFIER"):
            continue
        target = node.referenced
        if target is None or kind_of(target) not in RECORD_KINDS or library.in_system_header(target):
            continue
        if not _is_own(node, key_of(target)):
            yield key_of(target)


def _is_own(node: Node, key: int) -> bool:
    """Whether a node stands in a class or in one of its functions."""
    for above in node.ancestors():
        record = above.cursor if above.kind in RECORD_KINDS else None
        if above.kind in FUNCTION_KINDS and kind_of(above.cursor.semantic_parent) in RECORD_KINDS:
            record = above.cursor.semantic_parent
        if record is not None and key_of(record) == key:
            return True
    return False


def _plain_symbol(record: Cursor) -> str:
    """Return the symbol of the table of a class that no template has to do with."""
    names = [_mangled(str(record.spelling))]
    parent = record.semantic_parent
    while kind_of(parent) not in _OUTER:
        if kind_of(parent) not in ("NAMESPACE", "STRUCT_DECL", "CLASS_DECL") or library.template_of(parent) is not None:
            return ""
        names.insert(0, _mangled(str(parent.spelling)))
        parent = parent.semantic_parent
    if library.template_of(record) is not None:
        return ""
    return f"_ZTVN{''.join(names)}E" if len(names) > 1 else f"_ZTV{names[0]}"


def _mangled(name: str) -> str:
    return f"{len(name)}{name}" if name else "12_GLOBAL__N_1"


def _made_symbol(constructor: Cursor) -> str:
    """Return the symbol of the table of a class with a constructor, from that one's own."""
    record = constructor.semantic_parent
    found = _CONSTRUCTOR.match(str(constructor.mangled_name))
    if library.template_of(record) is None or found is None:
        return _plain_symbol(record)
    is_nested = kind_of(record.semantic_parent) not in _OUTER
    return f"_ZTVN{found[1]}E" if is_nested else f"_ZTV{found[1]}"
