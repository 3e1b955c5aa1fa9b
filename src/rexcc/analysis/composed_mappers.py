"""Mappers of classes that have none, but whose members or base classes do (OpenMP 5.2, 5.8.8).

Mapping an object means to map each of its members as if it were listed, and so each member through the default mapper
of its class. In: a list item, or the class of a variable that is mapped implicitly, and its place. Out: the mapper
that is declared for it or, where none is, a :class:`ComposedMapper`: the parts of an object that have mappers. All
else of the object is mapped as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.mappers import find_mapper, mapped_type, mapper_modifier, mapper_name, mapper_of_item, record_of
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.frontend.declared_mappers import DeclaredMapper
from rexcc.openmp.declared import DEFAULT_MAPPER
from rexcc.openmp.model import ListItem, MapClause, MotionClause
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass
from rexcc.source.text import Span

_UNKNOWN_TYPES = frozenset({"DEPENDENT", "UNEXPOSED", "INVALID", "AUTO"})


@dataclass(frozen=True, eq=False)
class Part:
    """A member or base class with a mapper, or what follows one; ``mapper`` is None for what is mapped as it is.

    ``offset`` is where it begins in the object, None for a base class: only the host compiler knows.
    """

    name: str
    kind: Type
    size: int
    offset: int | None
    mapper: DeclaredMapper | ComposedMapper | None


@dataclass(frozen=True, eq=False)
class ComposedMapper:
    """How an object of a class is mapped of which parts have mappers; ``parts`` are all, in the order of memory."""

    kind: Type
    parts: tuple[Part, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """What is equal for two that map the same class in the same way."""
        return (str(self.kind.spelling), *(_key(p.mapper) for p in self.parts))

    @property
    def declared(self) -> Iterator[DeclaredMapper]:
        """The declared mappers that it uses, those of parts of parts too."""
        for part in self.parts:
            if isinstance(part.mapper, DeclaredMapper):
                yield part.mapper
            elif part.mapper is not None:
                yield from part.mapper.declared

    @property
    def bases(self) -> Iterator[tuple[Type, Type]]:
        """The pairs of classes, derived and base, that it takes to find its parts, in order; its parts' parts' too."""
        for position, part in enumerate(self.parts):
            if part.offset is None and self.needs(position):
                yield self.kind, part.kind
            if isinstance(part.mapper, ComposedMapper):
                yield from part.mapper.bases

    def needs(self, position: int) -> bool:
        """Whether it has to know where a part begins: the part has a mapper, or the one before it."""
        before = self.parts[position - 1].mapper if position else None
        return self.parts[position].mapper is not None or before is not None


Mapper = DeclaredMapper | ComposedMapper


def _key(mapper: Mapper | None) -> object:
    return mapper.key if isinstance(mapper, ComposedMapper) else id(mapper)


def any_mapper_of_item(unit: ParsedUnit, clause: MapClause | MotionClause, item: ListItem, base: Node) -> Mapper | None:
    """Return the mapper of a list item, declared or composed; None for one that is mapped as it is."""
    found = mapper_of_item(unit, clause, item, base)
    if found is not None or not unit.mappers:
        return found
    named = mapper_modifier(clause) is not None and mapper_name(clause) != DEFAULT_MAPPER
    kind = None if named else mapped_type(item, base)
    return composed_mapper(unit, kind, item.whole.span) if kind is not None else None


def any_default_mapper(unit: ParsedUnit, kind: Type, place: Span) -> Mapper | None:
    """Return the mapper of objects of a type, or arrays of them, that are mapped without being named."""
    record = record_of(kind) if unit.mappers else None
    if record is None:
        return None
    return find_mapper(unit, DEFAULT_MAPPER, record, place) or composed_mapper(unit, record, place)


def composed_mapper(unit: ParsedUnit, kind: Type, place: Span) -> ComposedMapper | None:
    """Return how objects of a class are mapped that has no mapper of its own, None where no part has one either.

    Raises CompileError for parts that cannot be found: virtual base classes, base classes that depend on a template.
    """
    record = types.canonical(kind)
    if not types.is_record(record) or record.get_size() <= 0:
        return None
    declaration = record.get_declaration()
    if kind_of(declaration) == "UNION_DECL" or library.in_system_header(declaration):
        return None
    parts = (*_bases(unit, record, place), *_members(unit, record, place))
    return ComposedMapper(record, parts) if any(p.mapper is not None for p in parts) else None


def _members(unit: ParsedUnit, record: Type, place: Span) -> Iterator[Part]:
    for member in record.get_fields():
        kind = types.canonical(member.type)
        offset, size = int(member.get_field_offsetof()), int(kind.get_size())
        mapper = None if types.is_reference(member.type) or size <= 0 else any_default_mapper(unit, kind, place)
        yield Part(str(member.spelling), kind, size, offset // 8, mapper)


def _bases(unit: ParsedUnit, record: Type, place: Span) -> tuple[Part, ...]:
    """Return the base classes in the order of memory: the first one with virtual functions comes first."""
    declaration = record.get_declaration()
    pattern = library.template_of(declaration)
    members = library.children(declaration) or (library.children(pattern) if pattern is not None else [])
    found: list[Part] = []
    for specifier in (m for m in members if kind_of(m) == "CXX_BASE_SPECIFIER"):
        kind = types.canonical(specifier.type)
        if types.kind_name(kind) in _UNKNOWN_TYPES or kind.get_size() < 0:
            message = f"a base class of '{spelling.spell(record)}' depends on a template, and whether it has a default "
            raise error("unsupported-template", message + "mapper is not known; declare a mapper of the class", place)
        mapper = any_default_mapper(unit, kind, place)
        if mapper is not None and library.is_virtual_base(specifier):
            message = (
                f"'{spelling.spell(kind)}', a virtual base class of '{spelling.spell(record)}', has a default mapper, "
            )
            raise error("unsupported-item", message + "which cannot be applied; declare a mapper of the class", place)
        found.append(Part(spelling.spell(kind), kind, int(kind.get_size()), None, mapper))
    first = next((p for p in found if _is_polymorphic(p.kind.get_declaration())), None)
    return tuple(sorted(found, key=lambda p: p is not first))


def _is_polymorphic(record: Cursor) -> bool:
    pattern = library.template_of(record)
    for child in library.children(record) or (library.children(pattern) if pattern is not None else []):
        if kind_of(child) == "CXX_BASE_SPECIFIER" and _is_polymorphic(child.type.get_declaration()):
            return True
        if kind_of(child) in ("CXX_METHOD", "DESTRUCTOR") and child.is_virtual_method():
            return True
    return False
