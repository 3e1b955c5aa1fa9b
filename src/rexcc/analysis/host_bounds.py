"""Bounds and steps of a combined construct's loops that the host evaluates.

In: a target construct that is itself the worksharing construct, with its loops. Out: the expressions of their headers
that read more than plain variables. The host evaluates them once, before the launch, and the kernel gets the values: on
the device an object may be present in part only, and functions of the host, such as ``size()`` of a container, do not
exist. How often such an expression is evaluated is unspecified (OpenMP 5.2, 4.4.1), so the host version may do it
again. What asks for the teams, threads or device around it is evaluated where they are.

The region's own data environment decides what a bound reads (5.2, 5.8): where the device has an object, that is the
device's value, which a region may have changed. An object that may be there is looked up at the launch
(:attr:`HostBound.is_looked_up`), and the host's value counts only where it is not.

What only the device can read stays there: memory behind ``is_device_ptr`` and objects of ``has_device_addr``. So do
bounds that depend on the region's own variables, and headers that stand in the code between collapsed loops. Where a
name cannot stand for a read (:mod:`.lookups`), and for functions of objects, the device evaluates the bound, as in a
loop that is nested in the region, if the unit maps the whole object; else the host does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.evaluated_parts import LVALUES, other_calls, parts_of
from rexcc.analysis.lookups import HostBound, class_of, is_mapped_itself, looked_up, written_type
from rexcc.analysis.loops import CanonicalLoop, Step
from rexcc.analysis.nests import inner_headers
from rexcc.analysis.presence import is_provably_absent
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.references import collect
from rexcc.analysis.requirements import UNIFIED_SHARED_MEMORY, requirements
from rexcc.analysis.team_routines import TEAM_ROUTINES
from rexcc.clang import library, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.program.components import Component, Part, components
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.environment import Sharing
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable, variable_of
from rexcc.source.edits import EditList
from rexcc.source.own_names import related
from rexcc.source.records import replace

_READING = LVALUES | {"CALL_EXPR", "CXX_THIS_EXPR", "CXX_MEMBER_CALL_EXPR"}
_ON_DEVICE = ("is_device_ptr", "has_device_addr")


def reads_objects(node: Node) -> bool:
    """Whether an expression has a value that more than plain variables decide."""
    return any(n.kind in _READING or n.is_dereference for n in node.walk())


def host_bounds(
    unit: ParsedUnit, owner: ConstructFunction, construct: Construct, loops: tuple[CanonicalLoop, ...]
) -> tuple[tuple[CanonicalLoop, ...], tuple[HostBound, ...]]:
    """Return the loops of a combined construct, and what the host evaluates of their headers.

    A step that it evaluates has the variable's name in the loop's ``step``, with the sign that it had.
    """
    later = inner_headers(loops)
    bounds = _Bounds(unit, owner, construct)
    found: list[HostBound] = []
    kept: list[CanonicalLoop] = []
    for loop in loops:
        here = [] if loop in later else list(bounds.of(loop))
        found += here
        grouped = loop.grouped.difference(b.node for b in here)
        kept.append(replace(loop, step=_step(unit, loop, here), grouped=grouped))
    return tuple(kept), tuple(found)


class _Bounds:
    """What the host evaluates of the headers of one construct's loops."""

    def __init__(self, unit: ParsedUnit, owner: ConstructFunction, construct: Construct) -> None:
        self.unit = unit
        self.owner = owner
        self.construct = construct
        self.on_device = device_variables([construct])
        self.is_shared = bool(requirements(unit) & UNIFIED_SHARED_MEMORY)

    def of(self, loop: CanonicalLoop) -> Iterator[HostBound]:
        """Yield the expressions of one loop's header."""
        if not loop.is_integer:
            return
        for what, node in (("lower", loop.lower), ("bound", loop.bound), ("step", loop.step_node)):
            if node is None or not reads_objects(node) or evaluate_integer(node.cursor) is not None:
                continue
            written = written_type(node)
            if written is not None and self._is_of_host(node):
                yield from self._bound(node, related(f"{what}_of", loop.name), written)

    def _is_of_host(self, node: Node) -> bool:
        """Whether all variables that an expression names are the host's, and exist in front of the directive."""
        body = self.construct.body
        assert body is not None
        for variable in collect([node]).variables.values():
            place = node.tree.node(variable.cursor)
            inside = place.is_inside(body)
            if inside or variable in self.on_device:
                return False
        return True

    def _bound(self, node: Node, name: str, written: str) -> Iterator[HostBound]:
        """Yield a bound unless the device has to evaluate it as it is written."""
        calls = list(other_calls(node))
        if calls and _asks_where_it_is(node):
            return
        if calls:
            if not (all(map(_is_simple, calls)) and any(_is_whole_there(self.unit, n) for n in node.walk())):
                yield HostBound(node, name, written)  # other functions run where they exist, on the host's objects
            return
        reads = list(parts_of(node))
        if not any(map(self._may_be_present, reads)) and not self._names_mapped(node):
            yield HostBound(node, name, written)
        elif (found := looked_up(self.unit, self.construct, node, name)) is not None:
            yield from found
        elif not all(self._is_mapped_whole(read) for read in reads):
            yield HostBound(node, name, written)  # the device might read beyond what it has

    def _is_mapped_whole(self, read: Node) -> bool:
        """Whether the unit maps the object that is read from as a whole: the device can evaluate the read."""
        whole, in_part = self.unit.kept(_mapped_classes)
        found = components(read)
        around = self.owner.node.cursor.semantic_parent
        if found and found[0].part is Part.THIS and around is not None:
            return str(around.get_usr()) in whole - in_part
        if any(_is_whole_there(self.unit, n) for n in read.walk()):
            return True
        roots = [named_variable(n) for n in read.walk() if n.kind == "DECL_REF_EXPR" and n.referenced is not None]
        return bool(roots) and self.unit.kept(_mapped_variables).issuperset(roots)

    def _names_mapped(self, node: Node) -> bool:
        """Whether an expression names scalars of which the device may have other values than the host."""
        names = (n for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.referenced is not None)
        variables = [n for n in names if n.referenced is not None and kind_of(n.referenced) in VARIABLE_KINDS]
        scalars = [n for n in variables if types.is_scalar(n.type) and not types.is_constant(n.type)]
        declared = any(directive.name.startswith(_DECLARING) for _, directive in self.unit.declaratives)
        return not self.is_shared and any(
            is_mapped_itself(self.construct, n)
            or (declared and n.referenced is not None and library.has_global_storage(n.referenced))
            for n in scalars
        )

    def _may_be_present(self, read: Node) -> bool:
        """Whether the device may have another value of a member or element than the host."""
        if self.is_shared or _is_constant_member(read):
            return False
        root = _object_of(read)
        variable = variable_of(root.referenced) if root is not None else None
        if variable is None:
            return True  # something behind a pointer
        is_constant = types.is_constant(variable.type) and not types.is_reference(variable.type)
        if (is_constant and not _has_mutable(read)) or self._is_copy_of_hosts(variable):
            return False
        return not is_provably_absent(self.unit, self.owner, (self.construct,), variable)

    def _is_copy_of_hosts(self, variable: Variable) -> bool:
        """Whether the region's variable is a copy of the host's, by a clause or by ``defaultmap``."""
        if any(entry.sharing in _FROM_HOST for entry in self.construct.environment.copies(variable)):
            return True
        if any(item.variable == variable for item in self.construct.items("map")):
            return False
        clause = self.construct.defaultmap("aggregate")
        return clause is not None and clause.behavior == "firstprivate"


_DECLARING = ("declare target", "begin declare target")
_OF_PLACE = TEAM_ROUTINES | {"omp_get_num_teams", "omp_get_team_num", "omp_get_device_num", "omp_is_initial_device"}
"""Routines that answer in the region otherwise than in front of it."""


def _asks_where_it_is(node: Node) -> bool:
    """Whether an expression, or a function of this unit that it calls, asks for the teams, threads or device around."""
    asked = (n.spelling for body in (node, *called_bodies(node.tree, [node])) for n in body.walk())
    return not _OF_PLACE.isdisjoint(asked)


def _is_simple(call: Node) -> bool:
    """Whether a function of the user's can run on every device: it calls no other."""
    definition = call.referenced.get_definition() if call.referenced is not None else None
    if definition is None or library.in_system_header(definition) or definition.is_virtual_method():
        return False
    body = call.tree.node(definition)
    has_body = any(child.kind == "COMPOUND_STMT" for child in body.children)
    return has_body and not any(n.kind in ("CALL_EXPR", "LAMBDA_EXPR") for n in body.walk())


def _is_whole_there(unit: ParsedUnit, node: Node) -> bool:
    """Whether the unit maps objects of the class that an expression has, or is a member of, as a whole, and none in
    part."""
    whole, in_part = unit.kept(_mapped_classes)
    owner = node.referenced.semantic_parent if node.kind == "MEMBER_REF_EXPR" and node.referenced is not None else None
    owners = {class_of(node.type), str(owner.get_usr()) if owner is not None else ""}
    return not owners.isdisjoint(whole - in_part)


def is_mapped_as_a_whole(unit: ParsedUnit, record: Cursor) -> bool:
    """Whether list items of the unit are objects of a class."""
    return str(record.get_usr()) in unit.kept(_mapped_classes)[0]


def _mapped_classes(unit: ParsedUnit) -> tuple[frozenset[str], frozenset[str]]:
    """Return the classes, by clang's names, whose objects list items are, and those of which they are parts."""
    whole: set[str] = set()
    in_part: set[str] = set()
    for item in (i for c in all_constructs(unit) for i in c.items("map")):
        *around, last = [class_of(component.node.type) for component in item.components] or [""]
        whole.add(last)
        in_part.update(around)
    return frozenset(whole - {""}), frozenset(in_part)


def _mapped_variables(unit: ParsedUnit) -> frozenset[Variable]:
    """Return the variables that list items name as a whole, or whose elements they name."""
    items = (i for c in all_constructs(unit) for i in c.items("map"))
    return frozenset(item.variable for item in items if item.variable is not None and len(item.components) == 1)


_FROM_HOST = frozenset({Sharing.PRIVATE, Sharing.FIRSTPRIVATE, Sharing.FIRST_AND_LAST})


def _object_of(read: Node) -> Node | None:
    """Return the name of the variable that a member or element is a part of, None where a pointer is between."""
    found = components(read)
    if not found or found[0].part is not Part.VARIABLE:
        return None
    return None if any(map(_is_pointer, found[:-1])) else found[0].node


def _is_pointer(component: Component) -> bool:
    declared = component.declaration
    decays = declared is not None and kind_of(declared) == "PARM_DECL" and types.is_array(declared.type)
    return types.is_pointer(component.node.type) or (decays and declared is not None)


def _has_mutable(read: Node) -> bool:
    """Whether a part of a constant object may change all the same."""
    fields = (part.declaration for part in components(read) if part.part is Part.MEMBER)
    return any(field is not None and field.is_mutable_field() for field in fields)


def _is_constant_member(read: Node) -> bool:
    field = read.referenced if read.kind == "MEMBER_REF_EXPR" else None
    return field is not None and types.is_constant(field.type)


def device_variables(constructs: Iterable[Construct]) -> frozenset[Variable]:
    """Return the variables of which a clause says that the device has them, or what they point to."""
    items = (item for construct in constructs for item in construct.items(*_ON_DEVICE))
    return frozenset(item.variable for item in items if item.variable is not None)


def _step(unit: ParsedUnit, loop: CanonicalLoop, bounds: list[HostBound]) -> Step:
    """Return a loop's step, with the sign that it has, by the names of what the host evaluates."""
    node = loop.step_node
    span = unit.span(node) if node is not None else None
    if node is None or span is None:
        return loop.step
    within = frozenset(node.walk())
    inside, names = [b for b in bounds if b.node in within], EditList()
    for bound in inside:
        if bound.node is node:
            return replace(loop.step, written=bound.name, is_grouped=False)
        place = unit.span(bound.node)
        assert place is not None
        names.replace(place.start, place.end, bound.name)
    return replace(loop.step, written=names.apply(span.source.text, span.start, span.end)) if inside else loop.step


def parts_without(top: Node, left_out: frozenset[Node]) -> Iterator[Node]:
    """Yield a tree's largest parts that contain none of some nodes."""
    if top in left_out:
        return
    if not any(n in left_out for n in top.walk()):
        yield top
        return
    for child in top.children:
        yield from parts_without(child, left_out)
