"""What a kernel reaches: the functions it calls, the declarations it must stand after, the classes it looks into.

In: kernels. Out: functions by place; sort keys; classes whose private members device code names outside of them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.constant_values import has_constant_value
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.host_variables import host_uses
from rexcc.analysis.members_begun import members_begun
from rexcc.analysis.reachable_functions import Place, called_bodies
from rexcc.clang import library, types
from rexcc.clang.tree import BODIES, FUNCTION_KINDS, NAME_KINDS, RECORD_KINDS, Node, Tree, kind_of, parent_kind
from rexcc.codegen.closure.argument_declarations import argument_declarations, templates_given
from rexcc.codegen.closure.host_methods import DROPPED, is_constructor
from rexcc.codegen.places.unit_order import Key, Places
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable

_WITH_CODE = DROPPED | {"VAR_DECL"}
"""Declarations of which devices may have no code (:func:`_is_dropped`)."""
_HEAD = frozenset(
    {"PARM_DECL", "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER"}
)
"""What stands in front of a constructor's initialisers."""


def called_functions(tree: Tree, kernels: Iterable[Kernel], also: Iterable[Cursor] = ()) -> frozenset[Place]:
    """Return the places of the user's functions that kernels call, directly or through others, or that are among
    ``also``; templates' patterns."""
    found: set[Place] = set()
    parts = (part for k in kernels for part in k.region.device_parts)
    for _ in called_bodies(tree, parts, found, also):
        pass
    return frozenset(found)


def device_nodes(top: Node, host: Container[Place]) -> Iterator[Node]:
    """Yield a node and everything below it in source order, without the bodies of methods that only the host runs, and
    without the initialisers of such constructors."""
    waiting = [top]
    while waiting:
        node = waiting.pop()
        yield node
        below: Iterable[Node] = node.children
        if node.kind in _WITH_CODE:
            below = [c for c in below if not _is_dropped(node, c, host)]
        waiting += reversed(tuple(below))


def _is_dropped(method: Node, child: Node, host: Container[Place]) -> bool:
    """Whether a node below another goes with a body that only the host executes; a parameter stays."""
    if method.kind == "VAR_DECL":
        return child.cursor.kind.is_expression() and is_made_by_host(method)
    if not is_constructor(method) or (method.file, method.start) not in host:
        return is_host_body(method, child, host)
    return child.kind not in _HEAD and not child.kind.endswith("_ATTR")


def is_host_body(method: Node, child: Node, host: Container[Place]) -> bool:
    """Whether a node below another is the body of a method that only the host executes."""
    return child.kind in BODIES and method.kind in DROPPED and (method.file, method.start) in host


def is_made_by_host(member: Node) -> bool:
    """Whether a node declares a static member in its class, and no other, whose first value is made when the program
    begins."""
    above = member.parent
    if member.kind != "VAR_DECL" or above is None or above.kind not in RECORD_KINDS:
        return False
    is_alone = sum(n.kind == "VAR_DECL" and n.start == member.start for n in above.children) == 1
    return is_alone and types.is_record(member.type) and not has_constant_value(member.cursor)


def undeclared_globals(
    tree: Tree, kernels: Iterable[Kernel], declared: DeclareTarget, also: Iterable[Cursor]
) -> Iterator[tuple[Cursor, Node]]:
    """Yield the host's variables that called functions use, each with a use: the device would see a stale copy.

    What a lambda in a region names belongs to the region.
    """
    regions = [kernel.region.body for kernel in kernels]
    parts = [part for kernel in kernels for part in kernel.region.device_parts]
    bodies = called_bodies(tree, parts, also=also)
    outside = [b for b in bodies if not any(b.is_inside(r) for r in regions)]
    yield from host_uses((*outside, *members_begun((*parts, *outside))), declared)


def reached_by_lambdas(kernels: Iterable[Kernel]) -> frozenset[Variable]:
    """Return the variables that lambdas from outside of regions reach through pointers of the image."""
    nodes = ((k.data.linked, n) for k in kernels for c in k.data.closures for n in c.definition.walk())
    named = ((linked, named_variable(n)) for linked, n in nodes if linked)
    return frozenset(variable for linked, variable in named if variable is not None and variable in linked)


def kernel_key(unit: ParsedUnit, places: Places, kernel: Kernel) -> Key:
    """Return where a kernel stands: at its function, an instantiation's kernel after all that it needs by name."""
    owner = kernel.region.owner.template or kernel.region.owner.node
    construct = kernel.region.construct
    site = construct.probe.site.start
    own = (*places.key(construct.file.scan.source.path, construct.file.original(owner.start)), site)
    if kernel.region.owner.template is None:
        return own
    needed = (_outermost(c) for c in _needed(kernel))
    nodes = (unit.tree.node(c) for c in needed if not library.in_system_header(c))
    keys = [(*places.key(n.file, unit.files[n.file].original(n.start)), site) for n in nodes if n.file in unit.files]
    return max([own, *keys])


def _nodes(kernel: Kernel) -> Iterator[Node]:
    """Yield the nodes of the code that the device executes."""
    return (node for part in kernel.region.device_parts for node in part.walk())


def _needed(kernel: Kernel) -> Iterator[Cursor]:
    """Yield the types and functions that an instantiation's kernel names."""
    for node in _nodes(kernel):
        target = node.referenced
        if target is not None and kind_of(target) in FUNCTION_KINDS:
            yield target.canonical
    owner = kernel.region.owner.node.cursor
    kinds = [a.variable.cursor.type for a in kernel.data.attributes]
    kinds += [owner.get_template_argument_type(i) for i in range(max(0, owner.get_num_template_arguments()))]
    if owner.semantic_parent is not None and kind_of(owner.semantic_parent) in RECORD_KINDS:
        kinds.append(owner.semantic_parent.type)
    for kind in kinds:
        yield from type_declarations(kernel.region.unit, kind)
    yield from argument_declarations(kernel.region)


def type_declarations(unit: ParsedUnit, kind: Type) -> Iterator[Cursor]:
    """Yield the classes, enumerations and templates in a type, behind pointers and as template arguments too."""
    current = types.without_reference(kind).get_canonical()
    while (below := types.element_of(current)) is not None or types.kind_name(current) == "POINTER":
        current = (below if below is not None else current.get_pointee()).get_canonical()
    declaration = current.get_declaration()
    if declaration is not None and not declaration.kind.is_invalid():
        yield declaration.get_definition() or declaration
        yield from templates_given(unit, declaration)
    for index in range(max(0, current.get_num_template_arguments())):
        argument = current.get_template_argument_type(index)
        if types.kind_name(argument) != "INVALID":
            yield from type_declarations(unit, argument)


def outermost_record(member: Cursor) -> Cursor:
    """Return the class around a member that is in no other one."""
    found = member.semantic_parent
    while kind_of(found.semantic_parent) in RECORD_KINDS:
        found = found.semantic_parent
    return found.get_definition() or found


def _outermost(cursor: Cursor) -> Cursor:
    """Return the declaration at namespace scope around a member; of an instantiation that of its pattern."""
    current = cursor
    while (parent := current.semantic_parent) is not None and kind_of(parent) in RECORD_KINDS:
        current = parent
    return library.as_written(current)


def opened_records(kernels: Iterable[Kernel], local: Iterable[Node]) -> frozenset[int]:
    """Return the classes of which kernels and types of functions name private or protected members, by the hash of
    their outermost class: such a type stands outside of the method that declares it."""
    inside = [n.referenced for node in local for n in node.walk()]
    hidden = [c for c in inside if c is not None and c.access_specifier.name in ("PRIVATE", "PROTECTED")]
    found = {int(_outermost(cursor).canonical.hash) for cursor in hidden}
    for kernel in kernels:
        cursors = [n.referenced for n in _nodes(kernel)]
        kinds = [attribute.variable.cursor.type for attribute in kernel.data.attributes]
        kinds += [kernel.this_type] if kernel.this_type is not None else []
        for kind in kinds:
            cursors += type_declarations(kernel.region.unit, kind)
        cursors += argument_declarations(kernel.region)
        for cursor in cursors:
            if cursor is not None and cursor.access_specifier.name in ("PRIVATE", "PROTECTED"):
                found.add(int(_outermost(cursor).canonical.hash))
        for record in _inherited(kernel):
            found.add(int(_outermost(record).canonical.hash))
    return frozenset(found)


def _inherited(kernel: Kernel) -> Iterator[Cursor]:
    """Yield the classes through which a kernel names members of their bases: bases and using declarations may be
    private."""
    for node in _nodes(kernel):
        member = node.referenced if node.kind == "MEMBER_REF_EXPR" else None
        if member is None or parent_kind(member) not in RECORD_KINDS:
            continue
        objects = [c.type for c in node.children if c.kind not in NAME_KINDS]
        kind = types.canonical(objects[0]) if objects else None
        if kind is not None and types.is_pointer(kind):
            kind = types.canonical(kind.get_pointee())
        named = kind.get_declaration() if kind is not None else kernel.region.owner.node.cursor.semantic_parent
        if named is not None and named != member.semantic_parent:
            yield from _with_bases(named)


def _with_bases(record: Cursor) -> Iterator[Cursor]:
    """Yield a class and all of its bases."""
    definition = record.get_definition() or record
    if kind_of(definition) not in RECORD_KINDS or library.in_system_header(definition):
        return
    yield definition
    for child in definition.get_children():
        if kind_of(child) == "CXX_BASE_SPECIFIER":
            yield from _with_bases(types.canonical(child.type).get_declaration())
