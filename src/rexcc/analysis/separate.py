"""Device functions that translation units have in common.

In: a unit with its ``declare target`` directives. Out: the functions defined here that device code of other units may
call, those that cannot be device code, and those that device code here calls and another unit defines (OpenMP 5.2, 7.8:
a function of ``declare target`` may be declared in one file and defined in another). What such a function does is
unknown here: it may do anything, ask for its team, and make the threads of its team wait.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from clang.cindex import Cursor, LinkageKind

from rexcc.analysis.copied_objects import copying_functions
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.declare_target_directives import functions_of
from rexcc.analysis.device_constructs import is_kernel
from rexcc.analysis.device_obstacles import Obstacle, obstacle
from rexcc.analysis.implied_functions import functions_of_object, implied_functions
from rexcc.analysis.indirect import indirect_functions
from rexcc.analysis.object_classes import TEMPLATES
from rexcc.analysis.reachable_functions import (
    DEFINED_KINDS,
    NAMING,
    SHARED_KINDS,
    Place,
    brings_table,
    called_bodies,
    is_elsewhere,
    lacks_definition,
)
from rexcc.analysis.regions import build_region
from rexcc.analysis.unnamed_calls import MAKING, calls_of_making
from rexcc.analysis.used_reductions import constructs_at, reductions_of
from rexcc.clang import library, types
from rexcc.clang.specialisations import is_declared_specialisation
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.frontend.declared_reductions import DeclaredReduction
from rexcc.frontend.instance_places import explicit_instances
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass, replace
from rexcc.target.model import Target


@dataclass(frozen=True, eq=False)
class Separate:
    """``exported`` are definitions of this unit that other units may call on the device, ``imported`` the functions of
    other units that its device code calls, each with a call of it. ``kept`` are definitions in ``declare target`` that
    cannot be device code, with the cause. ``indirect`` are those that device code of any unit may call by pointers.
    ``mark`` tells the unit from others, for what is its own in an image of several units; it is empty where there is
    none. ``refusal`` says why the unit cannot call others' functions, empty where it can; ``lacking`` are those that
    nobody can define for it and no name in the code shows. ``statics`` are the symbols of variables in functions that
    other files have, too."""

    exported: tuple[Cursor, ...] = ()
    imported: tuple[tuple[Cursor, Node], ...] = ()
    kept: tuple[tuple[Cursor, Obstacle], ...] = ()
    indirect: tuple[Cursor, ...] = ()
    lacking: tuple[tuple[Cursor, Node], ...] = ()
    mark: str = ""
    refusal: str = ""
    statics: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether the unit's device code has to be linked with that of others, or may have to be."""
        return bool(self.mark)


NOTHING_SEPARATE = Separate(
    refusal="device code of several files cannot be linked for all devices of this build (--target=host can)"
)


def separate_functions(
    unit: ParsedUnit, declared: DeclareTarget, standard: int, targets: Collection[Target], mark: str, alone: bool
) -> Separate:
    """Return the device functions that a unit shares with others; nothing where a target cannot link them.

    ``standard`` is that of C++ in which the unit was parsed, as ``17``; ``mark`` is the unit's;
    ``alone`` tells that there is no other unit.
    """
    if not all(target.capabilities.links_units for target in targets):
        return replace(NOTHING_SEPARATE, lacking=_unnamed(unit, declared))
    if alone:
        return Separate(
            lacking=_unnamed(unit, declared), refusal="no other file is linked that could define it for the device"
        )
    found = list(_exported(unit))
    kept: list[tuple[Cursor, Obstacle]] = []
    if obstacle(unit, found, declared, standard, targets) is not None:
        causes = [(function, obstacle(unit, [function], declared, standard, targets)) for function in found]
        kept = [(function, cause) for function, cause in causes if cause is not None]
        found = [function for function, cause in causes if cause is None]
    pointed = [f for f in indirect_functions(unit) if _is_code(unit, f, declared, standard, targets)]
    statics: dict[str, None] = {}
    needed = list(_imported(unit, declared, (*found, *pointed), statics))
    imported = tuple((function, node) for function, node in needed if not _is_instance(function))
    lacking = tuple((function, node) for function, node in needed if _is_instance(function))
    mark = mark if found or imported or pointed or statics else ""
    return Separate(tuple(found), imported, tuple(kept), tuple(pointed), lacking, mark, statics=tuple(statics))


def _unnamed(unit: ParsedUnit, declared: DeclareTarget) -> tuple[tuple[Cursor, Node], ...]:
    """Return the functions elsewhere that device code calls in ways that do not show."""
    found = _imported(unit, declared, (), {}) if unit.is_cplusplus else ()
    return tuple((function, node) for function, node in found if not is_elsewhere(function))


def _is_instance(function: Cursor) -> bool:
    """Whether a function is made of a template that has to be defined where it is called: files offer to others what
    explicit instantiations make, but for constructors and the like."""
    pattern = library.template_of(function)
    is_made = pattern is not None and pattern.location == function.location
    return is_made and kind_of(function) not in SHARED_KINDS and not is_declared_specialisation(function)


def _is_code(
    unit: ParsedUnit, function: Cursor, declared: DeclareTarget, standard: int, targets: Collection[Target]
) -> bool:
    """Whether a function that pointers may point to is defined here and can be device code."""
    if function.get_definition() is None or kind_of(function) not in SHARED_KINDS:
        return False
    return obstacle(unit, [function], declared, standard, targets) is None


def symbol(unit: ParsedUnit, function: Cursor) -> str:
    """Return the name that the device's linker knows a shared function by: a function of C has its own name there."""
    return str(function.mangled_name if unit.is_cplusplus else function.spelling)


def _exported(unit: ParsedUnit) -> Iterator[Cursor]:
    """Yield the functions of ``declare target`` with a definition here that is the program's only one, and those that
    explicit instantiations make of its templates."""
    declared = list(functions_of(unit, lambda directive: True))
    yield from _explicit(unit, {library.key_of(node.cursor) for node in declared})
    for node in declared:
        definition = node.cursor.get_definition()
        if definition is None or kind_of(definition) not in DEFINED_KINDS or library.in_system_header(definition):
            continue
        if kind_of(definition.semantic_parent) in TEMPLATES:
            continue  # each file makes what it calls
        if definition.linkage == LinkageKind.EXTERNAL and not library.is_inline_function(definition):
            yield definition


def _explicit(unit: ParsedUnit, declared: Collection[int]) -> Iterator[Cursor]:
    """Yield the functions with a name that explicit instantiations make of some templates; a function whose type is
    ``auto`` is defined where it is called, a virtual one is found through its object."""
    if not declared or not unit.is_cplusplus:
        return
    for node in explicit_instances(unit.instances, unit.declarations, unit.files):
        pattern = library.pattern_of(node.cursor)
        if pattern is None or kind_of(node.cursor) not in SHARED_KINDS or node.cursor.is_virtual_method():
            continue
        if node.cursor.linkage != LinkageKind.EXTERNAL:
            continue
        if library.key_of(pattern) in declared and "auto" not in str(pattern.result_type.spelling).split():
            yield node.cursor


def _regions(unit: ParsedUnit) -> Iterator[Construct]:
    """Yield the target regions that devices execute."""
    for function in unit.functions:
        yield from filter(is_kernel, function.walk())


def _parts(unit: ParsedUnit) -> Iterator[Node]:
    """Yield the code of the regions."""
    for function in unit.functions:
        for construct in function.walk():
            if not is_kernel(construct) or construct.body is None:
                continue
            try:
                yield from build_region(unit, function, construct).device_parts
            except CompileError:  # the lowering will report it
                yield construct.body


def _device_code(unit: ParsedUnit, exported: Iterable[Cursor]) -> Iterator[Node]:
    """Yield the code of regions and exported functions, of the functions here that they call, and of the reductions
    that these use."""
    parts = list(_parts(unit))
    yield from parts
    places: set[Place] = set()
    yield from called_bodies(unit.tree, parts, places, exported)
    within = (inner for region in _regions(unit) for inner in region.walk())
    known: dict[str, DeclaredReduction] = {}
    waiting: list[Construct] = [*within, *constructs_at(unit, frozenset(places))]
    while waiting:
        found = {r.probe.name: r for r in reductions_of(unit, waiting)}
        nodes = [node for name, r in found.items() if name not in known for node in r.nodes]
        known |= found
        yield from nodes
        further: set[Place] = set()
        yield from called_bodies(unit.tree, nodes, further)
        waiting = list(constructs_at(unit, frozenset(further - places)))
        places |= further


def _constructs(unit: ParsedUnit, exported: Iterable[Cursor]) -> Iterator[Construct]:
    """Yield the constructs of device code."""
    for region in _regions(unit):
        yield from region.walk()
    places: set[Place] = set()
    for _ in called_bodies(unit.tree, _parts(unit), places, exported):
        pass
    yield from constructs_at(unit, frozenset(places))


def _imported(
    unit: ParsedUnit, declared: DeclareTarget, exported: Iterable[Cursor], statics: dict[str, None]
) -> Iterator[tuple[Cursor, Node]]:
    """Yield the functions elsewhere that regions and exported functions need, directly or through functions here, each
    with its first call, or with what takes its address. Add the ``statics`` of those that other files have, too."""
    seen: set[int] = set()
    variables = dict(declared.variables)
    for body in _device_code(unit, exported):
        for node in body.walk():
            if node.kind == "VAR_DECL" and unit.is_cplusplus and _is_of_all_files(node):
                statics[str(node.cursor.mangled_name)] = None
            variable = named_variable(node)
            if variable is not None and variable.is_global and types.is_constant(variable.type):
                variables.setdefault(variable, variable.cursor.get_definition() or variable.cursor)
            for target in _needed(unit, node):
                if not is_unevaluated(node) and _is_new(target, seen):
                    yield target, node
    for function in filter(brings_table, exported):
        for target in filter(lacks_definition, functions_of_object(function.semantic_parent)):
            if _is_new(target, seen):
                yield target, unit.tree.node(function)
    for target, node in copying_functions(unit, _constructs(unit, exported)) if unit.is_cplusplus else ():
        if _is_new(target, seen):
            yield target, node
    for cursor in variables.values():  # what they point to
        for node in unit.tree.node(cursor).walk():
            target = node.referenced if node.kind == "DECL_REF_EXPR" else None
            is_named = target is not None and is_elsewhere(target) and not is_unevaluated(node)
            if target is not None and is_named and _is_new(target, seen):
                yield target, node


def _is_of_all_files(node: Node) -> bool:
    """Whether a local variable is static, may change, and is one for all files that define its function: an inline one,
    or one of a template."""
    if not library.has_global_storage(node.cursor) or types.is_constant(node.type):
        return False
    function = next((above.cursor for above in node.ancestors() if above.kind in FUNCTION_KINDS), None)
    if function is None or function.linkage != LinkageKind.EXTERNAL:
        return False
    return library.is_inline_function(function) or library.template_of(function) is not None


def _is_new(function: Cursor, seen: set[int]) -> bool:
    """Whether a function is not among those that were seen, where it is then; no user may define one of OpenMP's."""
    key = int(function.canonical.hash)
    if key in seen or str(function.spelling).startswith("omp_"):
        return False
    seen.add(key)
    return True


def _needed(unit: ParsedUnit, node: Node) -> Iterator[Cursor]:
    """Yield the functions elsewhere that an expression needs: an object what its class brings with it, and what its
    members begin with, too."""
    target = node.referenced if node.kind in NAMING else None
    if node.kind in MAKING or (node.kind == "CALL_EXPR" and target is not None and kind_of(target) == "CONSTRUCTOR"):
        yield from filter(is_elsewhere, calls_of_making(node, unit))
    if target is None:
        return
    if is_elsewhere(target) or (kind_of(target) not in SHARED_KINDS and lacks_definition(target)):
        yield target
    yield from filter(lacks_definition, implied_functions(target))
