"""Objects that bounds are computed with, which a launch looks up on the device.

In: an expression of a combined construct's header, which reads members, elements or pointees. Out: a
:class:`HostBound` for each of them: the kernel has its name in the place of the text. Nothing where a name cannot stand
for the value, or the host cannot say where the object is; then the device evaluates the expression as it is written.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.evaluated_parts import conditions_of, is_part, parts_of, subscripts
from rexcc.clang import types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import TRANSPARENT, Node
from rexcc.program.components import Part, components
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import variable_of
from rexcc.source.records import dataclass

_TYPES = {
    "CHAR_U": "char", "CHAR_S": "char", "SCHAR": "signed char", "UCHAR": "unsigned char", "SHORT": "short",
    "USHORT": "unsigned short", "INT": "int", "UINT": "unsigned int", "LONG": "long", "ULONG": "unsigned long",
    "LONGLONG": "long long", "ULONGLONG": "unsigned long long", "BOOL": "int",
}  # fmt: skip
"""How the types of such values are written in all languages: the user's names may not be known where they are used."""


@dataclass(frozen=True, eq=False)
class HostBound:
    """An expression of a loop's header, and the variable of the type ``type`` that has its value everywhere.

    ``is_looked_up``: it is an object, of the type ``stored`` in memory, and where the device has it, its value there
    counts. ``again`` are the other nodes that a macro has made of its text. It is read only where the host's expression
    ``guard``, if there is one, is true.
    """

    node: Node
    name: str
    type: str
    stored: str = ""
    is_looked_up: bool = False
    again: tuple[Node, ...] = ()
    guard: str = ""


def looked_up(unit: ParsedUnit, construct: Construct, node: Node, name: str) -> list[HostBound] | None:
    """Return the objects that a bound is computed with; None if the device has to evaluate it as it is written."""
    above = {_place(n) for n in _surroundings(node)}
    groups: dict[tuple[str, int, int], list[Node]] = {}
    for read in parts_of(node):
        if _place(read) in above or not _is_named_by_text(unit, read) or not _has_known_address(construct, read):
            return None
        groups.setdefault(_place(read), []).append(read)
    found = []
    for number, group in enumerate(groups.values(), 1):
        own = f"{name}_{number}" if len(groups) > 1 else name
        bound = _bound(unit, node, own, group)
        if bound is None:
            return None
        found.append(bound)
    return found


def _bound(unit: ParsedUnit, node: Node, name: str, group: list[Node]) -> HostBound | None:
    """Return what has the value of an object's text, where several nodes may have been made of it."""
    first, *again = group
    stored = _stored_type(first)
    if stored is None:
        return None
    kinds = {_used_type(read, node) for read in group}
    if len(kinds) > 1 or any((o.kind, o.referenced) != (first.kind, first.referenced) for o in again):
        return None
    conditions = [conditions_of(unit, read, node) for read in group]
    guard: list[str] | None = [] if [] in conditions else conditions[0]
    if guard is None or (guard and again):
        return None
    return HostBound(first, name, kinds.pop(), stored, True, tuple(again), " && ".join(guard))


def _surroundings(node: Node) -> Iterator[Node]:
    """Yield what is computed with an expression's outermost parts; one macro may be both this and the part."""
    if is_part(node):
        return
    if node.kind not in TRANSPARENT:
        yield node
    for child in node.children:
        yield from _surroundings(child)


def _place(node: Node) -> tuple[str, int, int]:
    return node.file, node.start, node.end


def _is_named_by_text(unit: ParsedUnit, read: Node) -> bool:
    """Whether a part's own text names it, and can be put behind ``&``.

    A macro that begins or ends with an argument has a range with a half of its brackets. Where a bit-field is in an
    object of another class, a base or one without a name, is not computed.
    """
    if not unit.is_whole(read):
        return False
    if not is_bit_field(read):
        return True
    field, inner = read.referenced, [child for child in read.children if child.kind != "TYPE_REF"]
    if field is None or not inner or _is_nameless(inner[0].bare()):
        return False
    owner = field.semantic_parent.get_usr()
    return bool(class_of(inner[0].type) == owner == class_of(inner[0].bare().type))


def class_of(kind: Type) -> str:
    """Return clang's name of the class of an object or of what a pointer points to, empty for other types."""
    kind = types.canonical(types.without_reference(kind))
    kind = types.canonical(kind.get_pointee()) if types.is_pointer(kind) else kind
    return str(kind.get_declaration().get_usr()) if types.is_record(kind) else ""


def _is_nameless(inner: Node) -> bool:
    return inner.kind == "MEMBER_REF_EXPR" and not inner.spelling


def _has_known_address(construct: Construct, read: Node) -> bool:
    """Whether the host knows which object a part is: by pointers and subscripts whose values the kernel has as well."""
    if any(map(is_part, subscripts(read))):
        return False
    found = components(read)
    root = found[0].node if found and found[0].part is Part.VARIABLE else None
    used = [n for n in read.walk() if n.kind == "DECL_REF_EXPR" and n.referenced is not None]
    used = [n for n in used if n is not root or types.is_pointer(n.type)]
    return not any(is_mapped_itself(construct, n) for n in used)


def is_mapped_itself(construct: Construct, use: Node) -> bool:
    """Whether a construct's own clauses map a scalar or pointer itself: the device may have another value of it."""
    variable = variable_of(use.referenced)
    if variable is None:
        return False
    items = (item for item in construct.items("map") if len(item.components) == 1 and not item.item.sections)
    if any(item.variable == variable for item in items):
        return True
    if construct.environment.copies(variable):
        return False
    clause = construct.defaultmap("pointer" if types.is_pointer(use.type) else "scalar")
    return clause is not None and clause.maps


def _stored_type(read: Node) -> str | None:
    """Return how the type that a part has in memory is written, None for one that is no integer's."""
    kind = _integer(read.bare().type)
    return "bool" if types.kind_name(kind) == "BOOL" else _TYPES.get(types.kind_name(kind))


def _used_type(read: Node, node: Node) -> str:
    """Return the type that a part's value has first in an expression: bit-fields and values of enumerations
    are promoted otherwise than what they are stored as."""
    used, own = read, types.canonical(read.type)
    is_promoted = is_bit_field(read) or types.kind_name(own) == "ENUM"
    while is_promoted and used is not node and used.parent is not None and used.parent.kind == "UNEXPOSED_EXPR":
        used = used.parent
        kind = types.canonical(used.type)
        if types.kind_name(kind) in ("ENUM", "BOOL") or types.kind_name(kind) == types.kind_name(own):
            continue
        if types.kind_name(kind) in _TYPES:
            return _TYPES[types.kind_name(kind)]
        break
    return _TYPES[types.kind_name(_integer(read.type))]


def written_type(node: Node) -> str | None:
    """Return how an integer's type is written, None for a type of another kind."""
    return _TYPES.get(types.kind_name(_integer(node.bare().type)))


def _integer(kind: Type) -> Type:
    """Return a type that is no reference, for an enumeration the one that it is stored as."""
    kind = types.canonical(types.without_reference(kind))
    return types.canonical(kind.get_declaration().enum_type) if types.kind_name(kind) == "ENUM" else kind
