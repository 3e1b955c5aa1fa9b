"""The extents of arrays that only the run knows, as the user wrote them.

In: a declaration or a cast whose type is a variable-length array or a pointer to one. Out: :class:`Extents`: the
element type and the text of each extent. What a typedef says of them, it said where it stood: constants keep that.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.clang import locations, spelling, types
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.diagnostics import error
from rexcc.source.edits import Content, Quote
from rexcc.source.own_names import related
from rexcc.source.records import dataclass
from rexcc.source.text import Span


@dataclass(frozen=True)
class Extents:
    """``element`` is the type of what the run-time dimensions consist of, ``texts`` the extents, outermost first."""

    element: Type
    texts: tuple[Content, ...]

    @property
    def spelled(self) -> str:
        """The element's type as template argument."""
        return spelling.spell(self.element)

    @property
    def dimensions(self) -> int:
        """How many of the dimensions are the run's."""
        return len(self.texts)

    @property
    def arguments(self) -> str:
        """The arguments for a template of arrays: the element's type, the dimensions where there are several."""
        return self.spelled if self.dimensions == 1 else f"{self.spelled}, {self.dimensions}"


def is_runtime_array(kind: Type) -> bool:
    """Whether a type is an array with an extent of the run; a template's parameter is none."""
    found = types.canonical(kind)
    while types.element_of(found) is not None:
        if types.kind_name(found) == "VARIABLEARRAY":
            return True
        found = found.get_array_element_type().get_canonical()
    return False


def is_runtime_pointer(kind: Type) -> bool:
    """Whether a type is a pointer to arrays with an extent of the run."""
    found = types.canonical(kind)
    return types.kind_name(found) == "POINTER" and is_runtime_array(found.get_pointee())


def element_of(kind: Type) -> tuple[Type, int]:
    """Return the element type of an array, and the number of dimensions that are counted at run time.

    Of ``int a[n][4]`` the elements are rows of constant length; where an inner extent is the run's, all dimensions are.
    """
    found = types.without_reference(kind)
    if is_runtime_pointer(found) or types.has_runtime_extent(found):
        shape = types.shape_of(found)
        return shape.element, shape.dimensions
    element = types.element_of(found)
    assert element is not None
    return element, 1


def name_end(body: DeviceBody, declaration: Node) -> int:
    """Return where the name of a declaration ends."""
    _, offset = locations.file_location(declaration.cursor.location, declaration.tree.names)
    return body.file.original(offset) + len(declaration.spelling)


def declared_extents(body: DeviceBody, declaration: Node, kind: Type) -> Extents:
    """Return the extents of a declared array, or of the rows that a declared pointer points to."""
    return extents_at(body, name_end(body, declaration), kind)


def extents_at(body: DeviceBody, offset: int, kind: Type) -> Extents:
    """Return the extents of a type whose brackets stand at an offset, behind a name or ``(*)``."""
    element, dimensions = element_of(kind)
    levels = _levels(kind)
    texts = [_text(body, level, offset, position) for position, level in enumerate(levels)][:dimensions]
    return Extents(element, tuple(texts))


def bracket_end(text: str, offset: int) -> int:
    """Return where the bracket that opens at an offset has been closed."""
    depth = 0
    for position in range(offset, len(text)):
        depth += (text[position] in "([{") - (text[position] in ")]}")
        if depth == 0:
            return position + 1
    return len(text)


@dataclass(frozen=True)
class _Level:
    """One dimension: its extent where it is constant, else the bracket that has it, or the typedef and its own."""

    constant: int | None
    typedef: str
    position: int


def _levels(kind: Type) -> list[_Level]:
    """Return the dimensions of a type; a pointer's own step is none."""
    found: list[_Level] = []
    current = types.without_reference(kind)
    typedef, position = "", 0
    while True:
        name = types.kind_name(current)
        if name in ("ELABORATED", "TYPEDEF"):
            declaration = current.get_declaration()
            if declaration.kind.name == "TYPEDEF_DECL":
                typedef, position = str(declaration.spelling), 0
                current = declaration.underlying_typedef_type
            else:
                return found
        elif name == "POINTER" and not found and is_runtime_array(current.get_pointee()):
            current = current.get_pointee()
        elif name == "UNEXPOSED" or types.element_of(current) is None:
            inner = current.get_canonical()
            if types.kind_name(inner) == name or types.element_of(inner) is None:
                return found
            current = inner
        else:
            counted = current.element_count if types.kind_name(current) == "CONSTANTARRAY" else None
            found.append(_Level(counted, typedef, position))
            position += 1
            current = current.get_array_element_type() if name.endswith("ARRAY") else types.element_of(current)


def _text(body: DeviceBody, level: _Level, offset: int, position: int) -> Content:
    if level.constant is not None:
        return (str(level.constant),)
    if level.typedef:
        return (typedef_extent(level.typedef, level.position),)
    written_there = list(_brackets(body.text, offset))
    if position >= len(written_there):
        place = Span(body.file.scan.source, offset, offset)
        raise error("unsupported-type", "the extent of this array, which the run knows, is not written here", place)
    start, end = written_there[position]
    written = body.text[start:end].strip()
    return (written,) if written.isdigit() else (Quote(start, end),)


def typedef_extent(name: str, position: int) -> str:
    """Return the constant that has an extent of a typedef."""
    return related("typedef", f"{name}_{position}")


def _brackets(text: str, offset: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges inside the brackets that follow a declarator's name."""
    at = offset
    while at < len(text):
        if text[at] == "[":
            end = bracket_end(text, at)
            inner = at + 1 + len(text[at + 1 : end - 1]) - len(text[at + 1 : end - 1].lstrip())
            yield inner, inner + len(text[at + 1 : end - 1].strip())
            at = end
        elif text[at].isspace() or text[at] == ")":
            at += 1
        else:
            return


def end_with_macro(body: DeviceBody, node: Node) -> int:
    """Return where a declaration ends, with the use of the macro whose argument its last token is (``= REAL(2.5)``)."""
    uses = body.unit.use_places.get(node.file, ())
    around = next((use.end for use in uses if use.start < node.end < use.end), None)
    return body.end(node) if around is None else body.file.original(around)
