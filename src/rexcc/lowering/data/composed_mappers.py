"""The functions of classes that have no mapper, but parts that do (OpenMP 5.2, 5.8.8).

In: a composed mapper. Out: where its function stands, which is behind those that it calls, how it is called, and its
text: for each element of the list item the parts through their mappers, and what lies between them as it is. It knows
the class by its size and the offsets of its members only, for it may stand before the class; base classes, whose
places the host compiler knows, are arguments of a template.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.analysis.composed_mappers import ComposedMapper, Mapper
from rexcc.analysis.mappers import order_in_unit
from rexcc.clang import spelling
from rexcc.frontend.declared_mappers import DeclaredMapper
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import error
from rexcc.source.own_names import related
from rexcc.source.records import dataclass


@dataclass(frozen=True, eq=False)
class Composed:
    """A composed mapper, the declared one that its function stands behind, and its name."""

    mapper: ComposedMapper
    home: DeclaredMapper
    name: str


def home_of(unit: ParsedUnit, mapper: ComposedMapper) -> DeclaredMapper:
    """Return the last of the declared mappers that a composed one uses."""
    home = max(mapper.declared, key=lambda m: (order_in_unit(unit, m.span), m.site.start))
    if home.block is not None and next(mapper.bases, None) is not None:
        message = f"'{spelling.spell(mapper.kind)}' has a base class with this mapper, which a function's own class "
        raise error("unsupported-item", message + "cannot use; declare the mapper outside of the function", home.span)
    return home


def call_text(name: str, mapper: ComposedMapper) -> str:
    """Return the function that a row names, with the classes that it cannot know where it stands."""
    found = [spelling.spell(kind) for pair in mapper.bases for kind in pair]
    return f"{name}<{', '.join(found)} >" if found else name


def composed_text(made: Composed, name_of: Callable[[Mapper], str], parameters: str) -> list[str]:
    """Return the lines of a function; ``name_of`` gives the names of those of the parts."""
    return _Text(made, name_of).lines(parameters)


class _Text:
    def __init__(self, made: Composed, name_of: Callable[[Mapper], str]) -> None:
        self.made = made
        self.mapper = made.mapper
        self.name_of = name_of
        self.pairs = 0
        self.starts: dict[int, str] = {}

    def lines(self, parameters: str) -> list[str]:
        count, size = sum(1 for _ in self.mapper.bases), int(self.mapper.kind.get_size())
        words = [f"class {related('class', str(i))}, class {related('base', str(i))}" for i in range(count)]
        head = [f"template <{', '.join(words)}>"] if words else []
        body = self._body()
        return [
            *head,
            f"REX_MAPPER {self.made.name}({parameters})",
            "{",
            "  struct rex_mapped __rex_map_item = rex_mapped_object(__rex_map_handle, __rex_map_base, __rex_map_begin,",
            f"      __rex_map_size, {size}, __rex_map_type, __rex_map_name);",
            "  char *__rex_map_element = (char *)__rex_map_begin;",
            f"  for (; __rex_map_item.count > 0; __rex_map_item.count--, __rex_map_element += {size}) {{",
            "    char *__rex_map_at = __rex_map_element;",
            *(f"    {line}" for line in body),
            f"    rex_map_between(&__rex_map_item, __rex_map_at, __rex_map_element + {size}, {self._what()});",
            "  }",
            "}",
        ]

    def _body(self) -> list[str]:
        calls = self._calls()
        lines: list[str] = []
        for position, part in enumerate(self.mapper.parts):
            if part.mapper is None:
                continue
            start = self.starts[position]
            following = self.starts.get(position + 1)
            lines += [
                f"rex_map_between(&__rex_map_item, __rex_map_at, {start}, {self._what()});",
                f"{calls[position]}(__rex_map_handle, __rex_map_element, {start}, {part.size},",
                f"    rex_mapped_type(&__rex_map_item, REX_MAP_TOFROM), {self._what(part.name)});",
                f"__rex_map_at = {start} + {part.size};",
            ]
            if following is not None:  # members may lie in a class's padding
                lines.append(f"if ({start} < {following} && {following} < __rex_map_at) __rex_map_at = {following};")
        return lines

    def _calls(self) -> dict[int, str]:
        """Return the functions of the parts; the classes of their templates are some of this one's."""
        found: dict[int, str] = {}
        for position, part in enumerate(self.mapper.parts):
            if part.offset is not None:
                self.starts[position] = f"__rex_map_element + {part.offset}"
            elif self.mapper.needs(position):
                kind, base = related("class", str(self.pairs)), related("base", str(self.pairs))
                self.starts[position] = f"(char *)({base} *)({kind} *)__rex_map_element"
                self.pairs += 1
            if part.mapper is None:
                continue
            name = self.name_of(part.mapper)
            if isinstance(part.mapper, ComposedMapper):
                name = self._with_classes(name, part.mapper)
            found[position] = name
        return found

    def _with_classes(self, name: str, inner: ComposedMapper) -> str:
        count = sum(1 for _ in inner.bases)
        words = [
            f"{related('class', str(i))}, {related('base', str(i))}" for i in range(self.pairs, self.pairs + count)
        ]
        self.pairs += count
        return f"{name}<{', '.join(words)}>" if words else name

    def _what(self, member: str = "") -> str:
        """Return what tells the runtime the name of a part, and the place of the mapper."""
        text, place = spelling.spell(self.mapper.kind), self.made.home.span
        text = (f"{text}::{member}" if member else text).replace('"', "'").replace(";", ",")
        return f'REX_MAP_NAME("{text}", {place.line}, {place.column})'
