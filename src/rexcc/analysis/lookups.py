"""Objects that bounds are computed with, which a launch looks up on the device.

In: an expression of a combined construct's header, which reads members, elements or pointees. Out: a
:class:`HostBound` for each of them: the kernel has its name in the place of the text. Nothing where a name cannot stand
for the value, or the host cannot say where the object is; then the device evaluates the expression as it is written.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.references import collect
from rexcc.analysis.vector_elements import is_reference, vector_element
from rexcc.clang import library, types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import TRANSPARENT, Node, kind_of
from rexcc.clang.unevaluated import leaves_unevaluated
from rexcc.program.components import Part, components
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import variable_of
from rexcc.source.records import dataclass

LVALUES = frozenset({"MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"})
_CALLS = frozenset({"CALL_EXPR", "CXX_MEMBER_CALL_EXPR"})
_OF_VALUES = frozenset({"min", "max", "clamp", "abs", "labs", "llabs"})
"""Functions of the library that host and device have."""
_AROUND = TRANSPARENT | {
    "BINARY_OPERATOR", "UNARY_OPERATOR", "CONDITIONAL_OPERATOR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
    "CXX_FUNCTIONAL_CAST_EXPR", "CALL_EXPR",
}  # fmt: skip
"""What an object's value may be used in, for it to be known when it is evaluated."""
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
    conditions = [_conditions(unit, read, node) for read in group]
    guard: list[str] | None = [] if [] in conditions else conditions[0]
    if guard is None or (guard and again):
        return None
    return HostBound(first, name, kinds.pop(), stored, True, tuple(again), " && ".join(guard))


def other_calls(node: Node) -> Iterator[Node]:
    """Yield the calls in an expression whose results more than the values of their arguments decide, or may decide."""
    calls = (n for n in node.walk() if n.kind in _CALLS)
    return (call for call in calls if not _is_of_values(call))


def _is_of_values(call: Node) -> bool:
    """Whether a function computes its result from numbers alone: ``std::min`` and the like, or one of the user's."""
    callee = call.referenced
    if callee is None or kind_of(callee) != "FUNCTION_DECL":
        return False
    if not all(a is not None and types.is_scalar(types.without_reference(a.type)) for a in callee.get_arguments()):
        return False
    definition = callee.get_definition()
    if library.in_system_header(definition or callee):
        return str(callee.spelling) in _OF_VALUES
    if definition is None:
        return False
    body = call.tree.node(definition)
    has_body = any(child.kind == "COMPOUND_STMT" for child in body.children)
    others = any(n.kind in _CALLS or n.is_called_code or _is_kept(n) for n in body.walk())
    return has_body and not others and not collect([body]).variables and not _changes_arguments(callee)


def _is_kept(node: Node) -> bool:
    """Whether a declaration is of a variable that is there from call to call."""
    return node.kind == "VAR_DECL" and library.has_global_storage(node.cursor)


def _changes_arguments(callee: Cursor) -> bool:
    kinds = (a.type for a in callee.get_arguments() if a is not None)
    return any(types.is_reference(k) and not types.is_constant(types.without_reference(k)) for k in kinds)


def reads_behind_pointers(unit: ParsedUnit, node: Node) -> tuple[Node, ...] | None:
    """Return what an expression of a header reads behind named pointers, which the host may have to wait for first;
    None for an expression that reads anything else, or calls functions of more than numbers.

    A kernel may write what a pointer of the host points to, unless the device has a copy of it (``rex_batches.h``). The
    elements of a vector are such memory, and the vector is where a reference to it leads.
    """
    elements = {n: element for n in node.walk() if (element := vector_element(n)) is not None}
    if any(n not in elements for n in other_calls(node)) or any(types.is_volatile(n.type) for n in node.walk()):
        return None
    reads = tuple(parts_of(node))
    vectors = dict.fromkeys(vector for vector, _ in elements.values())
    roots = {found[0].node for read in reads if (found := components(read))}.union(vectors)
    names = (n for n in node.walk() if n.kind == "DECL_REF_EXPR" and n not in roots)
    if any(n.referenced is not None and types.is_reference(n.referenced.type) for n in names):
        return None  # the name of an object that may be anywhere
    asked = (*filter(is_reference, vectors), *elements)
    if any(True for element in elements for _ in _reads_within(element)) or not all(map(unit.is_whole, asked)):
        return None
    if any(_conditions(unit, element, node) != [] for element in elements):
        return None
    known = all(_is_behind_name(unit, read) and _conditions(unit, read, node) == [] for read in reads)
    return (*asked, *reads) if known else None


def _reads_within(element: Node) -> Iterator[Node]:
    """Yield what the subscript of a vector's element reads behind pointers, or in vectors."""
    of_vector = vector_element(element)
    if of_vector is not None:
        yield from (n for n in of_vector[1].walk() if _is_part(n) or vector_element(n) is not None)


def is_behind_pointer(read: Node) -> bool:
    """Whether a part may be anywhere: it is not of a variable that the expression names."""
    if vector_element(read) is not None:
        return True
    root = components(read)[:1]
    declared = root[0].declaration if root and root[0].part is Part.VARIABLE else None
    return declared is None or types.is_pointer(root[0].node.type) or types.is_reference(declared.type)


def _is_behind_name(unit: ParsedUnit, read: Node) -> bool:
    """Whether a part of a number's type is read by one pointer or array that has a name, ``this`` too."""
    found = components(read)
    if len(found) < 2 or not unit.is_whole(read) or is_bit_field(read) or not types.is_scalar(read.type):
        return False
    if types.is_volatile(read.type) or any(map(_is_part, _subscripts(read))):
        return False
    return not any(types.is_pointer(part.node.type) for part in found[1:])


def is_dereference(node: Node) -> bool:
    """Whether an expression is what a pointer points to, by a ``*``."""
    return node.kind == "UNARY_OPERATOR" and node.operator == "*"


def _is_part(node: Node) -> bool:
    """Whether an expression is a member, an element or what a pointer points to."""
    return node.kind in LVALUES or is_dereference(node)


def parts_of(node: Node) -> Iterator[Node]:
    """Yield the outermost members, elements and pointees that an expression evaluates, in source order."""
    if _is_part(node):
        yield node
        return
    for child in node.children:
        if not leaves_unevaluated(node, child):
            yield from parts_of(child)


def _surroundings(node: Node) -> Iterator[Node]:
    """Yield what is computed with an expression's outermost parts; one macro may be both this and the part."""
    if _is_part(node):
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
    if any(map(_is_part, _subscripts(read))):
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


def _subscripts(read: Node) -> Iterator[Node]:
    """Yield what the subscripts of an element are computed with."""
    for node in read.walk():
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(node.children) > 1:
            yield from node.children[1].walk()


def _conditions(unit: ParsedUnit, read: Node, node: Node) -> list[str] | None:
    """Return on which conditions of the host's a part of an expression is read; None where it cannot say."""
    found: list[str] = []
    below, above = read, read.parent
    while below is not node:
        if above is None or above.kind not in _AROUND or (above.kind in TRANSPARENT and len(above.children) > 1):
            return None
        first = above.children[0]
        if below is not first and (above.kind == "CONDITIONAL_OPERATOR" or above.operator in ("&&", "||")):
            if any(map(_is_part, first.walk())) or not unit.is_whole(first):
                return None
            is_else = above.operator == "||" if above.kind == "BINARY_OPERATOR" else below is above.children[-1]
            found.append(f"{'!' if is_else else ''}({unit.user_text(first)})")
        below, above = above, above.parent
    return found


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
