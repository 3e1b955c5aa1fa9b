"""Declared mappers as functions that LLVM's runtime calls (OpenMP 5.2, 5.8.8; LLVM ``omptarget.h``).

In: the mappers of a unit and the constructs with items that have them. Out: the name of each mapper that is used, which
the items' rows carry, and its function in C: for each element of the list item a row for each part that the directive
names, made like those of any construct. What all mappers have in common is in ``rex_kmp.h``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.composed_mappers import ComposedMapper, Mapper, any_default_mapper, any_mapper_of_item
from rexcc.analysis.declared_scopes import path_of
from rexcc.analysis.device_constructs import is_region
from rexcc.analysis.mappers import mapped_clauses, mapper_construct
from rexcc.analysis.references import collect
from rexcc.clang import spelling
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.frontend.declared_mappers import DeclaredMapper
from rexcc.lowering.data.composed_mappers import Composed, call_text, composed_text, home_of
from rexcc.lowering.data.data_constructs import map_rows
from rexcc.lowering.maps.iterated import nested, row_loops
from rexcc.lowering.maps.map_arrays import name_text, size_text
from rexcc.lowering.maps.map_facts import MapFacts, Mapped
from rexcc.lowering.maps.pointed import pointed
from rexcc.lowering.model.launch import MapRow
from rexcc.lowering.model.map_types import expression
from rexcc.openmp.declared import DEFAULT_MAPPER
from rexcc.openmp.model import ListItem
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass
from rexcc.source.text import Span

_PARAMETERS = (
    "void *__rex_map_handle, void *__rex_map_base, void *__rex_map_begin,\n"
    "    __INT64_TYPE__ __rex_map_size, __INT64_TYPE__ __rex_map_type, void *__rex_map_name"
)


_CLASS_WORDS = frozenset({"struct", "class", "union", "const", "typename", "enum"})


@dataclass(frozen=True)
class MapperFunction:
    """A mapper's function: its text, and the mapper whose directive it replaces."""

    mapper: DeclaredMapper
    text: str


class Mappers:
    """Gives the mappers of a unit their names, when they are first used, and makes their functions."""

    def __init__(self, unit: ParsedUnit) -> None:
        self.unit = unit
        self.names: dict[int, str] = {}
        self.used: list[DeclaredMapper] = []
        self.composed: dict[tuple[object, ...], Composed] = {}
        self.names_of_items: dict[tuple[str, int, str], str] = {}
        self.of_constructs: dict[Construct, dict[Mapped, str]] = {}

    def name_all(self, construct: Construct) -> None:
        """Note the names of the mappers of all that a construct maps; raises CompileError for one that cannot be
        applied."""
        self.name_listed(construct)
        self.name_implicit(construct)

    def name_listed(self, construct: Construct) -> None:
        """Note the names of the mappers of a construct's list items."""
        for clause in mapped_clauses(construct) if self.unit.mappers else ():
            for item, node in ((listed.item, listed.node) for listed in construct.items_of(clause)):
                found = any_mapper_of_item(self.unit, clause, item, node) if node is not None else None
                if not is_region(construct):
                    self._agree(construct, item, found)
                if found is not None:
                    self._note(construct, item.whole, found)

    def name_implicit(self, construct: Construct) -> None:
        """Note the names of the mappers of the variables, and of the object, that a region maps without a clause."""
        if not self.unit.mappers or construct.body is None or not is_region(construct):
            return
        found = collect([construct.body])
        kinds: dict[Mapped, Type] = {variable: variable.type for variable in found.variables}
        around = construct.function.cursor.semantic_parent
        if found.this_uses and around is not None and kind_of(around) in RECORD_KINDS:
            kinds[None] = around.type
        for mapped, kind in kinds.items():
            mapper = any_default_mapper(self.unit, kind, construct.span)
            if mapper is not None:
                self._note(construct, mapped, mapper)

    def _note(self, construct: Construct, mapped: Mapped, mapper: Mapper) -> None:
        self.of_constructs.setdefault(construct, {})[mapped] = self.name(mapper)

    def _agree(self, construct: Construct, item: ListItem, mapper: Mapper | None) -> None:
        """Raise CompileError where instantiations of a template, which have one text, move data differently."""
        name = self.name(mapper) if mapper is not None else ""
        place = item.whole.span
        if self.names_of_items.setdefault((place.source.path, place.start, construct.directive.name), name) != name:
            shown = item.whole.text.strip()
            message = f"instantiations of this template map '{shown}' by different mappers, which cannot be lowered yet"
            raise error("unsupported-template", message, place)

    def name(self, mapper: Mapper) -> str:
        """Return how a mapper's function is called where the mapper is used."""
        name = self._path(mapper)
        return call_text(name, mapper) if isinstance(mapper, ComposedMapper) else name

    def _path(self, mapper: Mapper) -> str:
        """Return the name of a mapper's function with its scopes, without arguments that it may have as a template."""
        if isinstance(mapper, ComposedMapper):
            return self._path_of_composed(mapper)
        if id(mapper) not in self.names:
            self.used.append(mapper)
            self.names[id(mapper)] = self._new_name(mapper)
        name = self.names[id(mapper)]
        return "::".join([*self._scopes(mapper, name), name])

    def _path_of_composed(self, mapper: ComposedMapper) -> str:
        """Return the same of the function of a class without a mapper of its own; it stands behind its parts'."""
        if mapper.key not in self.composed:
            for part in (p.mapper for p in mapper.parts if p.mapper is not None):
                self.name(part)
            home = home_of(self.unit, mapper)
            words = [w for w in re.findall(r"\w+", spelling.spell(mapper.kind)) if w not in _CLASS_WORDS]
            name = self._free_name(["rex_mapper", *(words or ["object"])])
            self.composed[mapper.key] = Composed(mapper, home, name)
        made = self.composed[mapper.key]
        return "::".join([*self._scopes(made.home, made.name), made.name])

    def _scopes(self, mapper: DeclaredMapper, name: str) -> list[str]:
        local = self._class(mapper, name)
        return [local] if local else list(path_of(mapper.scope)) if self.unit.is_cplusplus else []

    def _new_name(self, mapper: DeclaredMapper) -> str:
        words = ["rex_mapper", *(w for w in re.findall(r"\w+", mapper.parts.kind.text) if w not in _CLASS_WORDS)]
        if mapper.parts.identifier != DEFAULT_MAPPER:
            words.append(mapper.parts.identifier)
        return self._free_name(words)

    def _free_name(self, words: list[str]) -> str:
        taken = {*self.names.values(), *(c.name for c in self.composed.values())}
        name, count = "_".join(words), 1
        while name in taken:
            count += 1
            name = f"{'_'.join(words)}_{count}"
        return name

    def _class(self, mapper: DeclaredMapper, name: str) -> str:
        """Return the name of the local class around a mapper's function, which may not stand in a block by itself."""
        local = mapper.block is not None and self.unit.is_cplusplus
        return name.replace("rex_mapper", "rex_mappers", 1) if local else ""

    def used_ones(self) -> Iterator[DeclaredMapper]:
        """Yield the mappers that are used; making a mapper's function may be the first use of another one."""
        yield from self.used

    def function(self, mapper: DeclaredMapper) -> MapperFunction:
        """Return the function of a mapper; raises CompileError for list items that cannot be lowered."""
        return MapperFunction(mapper, self._text(mapper))

    def with_composed(self, made: MapperFunction) -> MapperFunction:
        """Return a mapper's function with those that come behind it, of classes that have parts of its class."""
        behind = [c for c in self.composed.values() if c.home is made.mapper]
        texts = [self._in_scope(c.home, c.name, composed_text(c, self._path, _PARAMETERS)) for c in behind]
        return MapperFunction(made.mapper, "\n".join([made.text, *texts]))

    def _text(self, mapper: DeclaredMapper) -> str:
        if mapper.is_dependent:
            message = (
                "a mapper in a class template cannot be lowered yet; declare it outside, for each class that it maps"
            )
            raise error("unsupported-template", message, mapper.span)
        bodies = [self._body(mapper, index) for index in range(len(mapper.nodes))]
        if any(other != bodies[0] for other in bodies):
            message = (
                "instantiations of the template around this mapper need different rows, which cannot be lowered yet"
            )
            raise error("unsupported-template", message, mapper.span)
        name = self.names[id(mapper)]
        return self._in_scope(mapper, name, [f"REX_MAPPER {name}({_PARAMETERS})", "{", *bodies[0], "}"])

    def _in_scope(self, mapper: DeclaredMapper, name: str, lines: list[str]) -> str:
        """Return a function as it may stand where a mapper's directive does."""
        local = self._class(mapper, name)
        lines = ["REX_NO_WARNINGS", *lines, "REX_WARNINGS"]
        if local:
            return "\n".join([f"struct {local} {{", *lines, "};"])
        access = mapper.pattern.cursor.access_specifier.name.lower()
        if kind_of(mapper.scope) in RECORD_KINDS and access in ("private", "protected"):
            return "\n".join(["public:", *lines, f"{access}:"])
        return "\n".join(lines)

    def _body(self, mapper: DeclaredMapper, index: int) -> list[str]:
        construct = mapper_construct(mapper, index)
        if not self.unit.is_cplusplus:
            construct = pointed(construct, Variable(mapper.variables[index].cursor))
        self.name_listed(construct)
        kind, variable = mapper.parts.kind.text.strip(), mapper.parts.variable.text.strip()
        pointer, cast = ("__rex_map_element", f"({kind} *)") if self.unit.is_cplusplus else (variable, "")
        lines = [
            "  struct rex_mapped __rex_map_item = rex_mapped_item(__rex_map_handle, __rex_map_base, __rex_map_begin,",
            f"      __rex_map_size, sizeof({kind}), __rex_map_type, __rex_map_name);",
            f"  {kind} *{pointer} = {cast}__rex_map_begin;",
            f"  for (; __rex_map_item.count > 0; __rex_map_item.count--, {pointer}++) {{",
        ]
        if self.unit.is_cplusplus:
            lines.append(f"    {kind} &{variable} = *{pointer};")
        return [*lines, *(f"    {line}" for line in self._parts(construct, mapper.span)), "  }"]

    def _parts(self, construct: Construct, place: Span) -> list[str]:
        """Return the statements that hand over the parts of one element."""
        facts = MapFacts({}, frozenset(), self.of_constructs)
        lines = [line for row in map_rows(construct, facts) for line in _part(row, place)]
        for loop in row_loops(facts, construct):
            first = (
                ["__rex_map_item.first = __tgt_mapper_num_components(__rex_map_handle);"] if loop.has_members else []
            )
            parts = [line for row in loop.rows for line in _part(row, place)]
            lines += nested(loop.headers, [*first, *parts])
        return lines


def _part(row: MapRow, place: Span) -> list[str]:
    """Return the call that hands over a row: to the runtime, or to the mapper of the part."""
    storage = f"{row.base.untyped}, {(row.begin or row.base).untyped}, {size_text(row.size)},"
    flags, name = expression(row.flags), name_text(row, place)
    if row.mapper:
        return [
            f"{row.mapper}(__rex_map_handle, {storage}",
            f"    rex_mapped_type(&__rex_map_item, {flags}), {name});",
        ]
    function = "rex_map_way" if row.is_path_pointer else "rex_map_part"
    return [f"{function}(&__rex_map_item, {storage}", f"    {flags}, {name});"]
