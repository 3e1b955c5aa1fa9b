"""Classes of functions that templates with regions are instantiated with, or that regions of other functions have
variables of, move out of their functions.

In: a parsed unit. Out: edits: the class in a namespace of its own in front of the declaration that it stands in, and a
using declaration in its place. Device code and the keys of kernels need a name that means the class everywhere. Before
and after::

    void f() { struct Add { int operator()(int x) const { return x + 1; } }; each(n, Add()); }

    namespace { namespace rex_local_1_12 { struct Add { int operator()(int x) const { return x + 1; } }; } }
    void f() { using rex_local_1_12::Add; each(n, Add()); }

Types that lambdas for such templates name move, too, so that the lambdas can; an enumeration takes its constants along.
Classes whose methods have target constructs move from all functions. Those that depend on a template's arguments become
templates, of which the function has an alias; types of the function that they name move before them.
A class stays, and is refused where an instantiation has it as an argument, if it names what only the function has
(`movable_classes.py`), or if it has no name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.device_constructs import is_region
from rexcc.analysis.references import References, collect
from rexcc.clang import locations, types
from rexcc.clang.spelling import LOCAL_SPACE
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.program.constructs import ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.resolution.rewriting import Replacement
from rexcc.source.needed_expansion import ExpansionNeeded
from rexcc.transformation.macro_scopes import Places, uses_of_inner
from rexcc.transformation.movable_classes import AROUND, MovableClass
from rexcc.transformation.places import around, below_namespaces, place_before
from rexcc.transformation.usings import usings_before

_MOVED = (*RECORD_KINDS, "ENUM_DECL")


def moved_classes(unit: ParsedUnit, wanted: Iterable[Cursor], expanded: Places) -> dict[str, list[Replacement]]:
    """Return the edits for the local classes that can be moved, by file: arguments of templates, and ``wanted``.

    Raises ExpansionNeeded for uses of macros that only the function has, ``expanded`` had to be already.
    """
    found: dict[str, list[Replacement]] = {}
    needed: set[tuple[str, int]] = set()
    for moved in _movable(unit, wanted):
        inner = uses_of_inner(unit, moved.declaration, moved.record)
        needed |= inner - expanded
        if inner.isdisjoint(expanded):
            path = unit.files[moved.record.file].scan.source.path
            found.setdefault(path, []).extend(_edits(moved))
    if needed:
        raise ExpansionNeeded(frozenset(needed))
    return found


def _movable(unit: ParsedUnit, wanted: Iterable[Cursor]) -> Iterator[MovableClass]:
    """Yield the classes that can be moved; what one that cannot names of the function moves before it."""
    seen: set[tuple[str, int]] = set()
    waiting = [*_arguments(unit), *wanted]
    for record in waiting:
        place = locations.file_location(record.location, unit.tree.names)
        if place in seen or place[0] not in unit.files:
            continue
        seen.add(place)
        for declaration, node in _at(unit, *place):
            moved = MovableClass(unit, declaration, node)
            if _has_directives(unit, node):
                continue
            if moved.can_move():
                yield moved
                break
            waiting += _named_types(node)
    for declaration, node in _with_regions(unit):
        moved = MovableClass(unit, declaration, node)
        if moved.can_move():
            yield moved


def _named_types(record: Node) -> Iterator[Cursor]:
    """Yield the types of functions that a class names, its own ones aside."""
    kinds = (n.referenced.type for n in record.walk() if n.kind == "TYPE_REF" and n.referenced is not None)
    for named in (each for kind in kinds for each in local_types(kind)):
        if not record.start <= locations.file_location(named.location, record.tree.names)[1] < record.end:
            yield named


def _with_regions(unit: ParsedUnit) -> Iterator[tuple[Node, Node]]:
    """Yield the classes of functions with target constructs in their methods, each with the declaration around it."""
    for declaration in (inner for top in unit.declarations for inner in below_namespaces(top)):
        if declaration.file in unit.files and declaration.kind in AROUND:
            records = (n for n in declaration.walk() if n.kind in RECORD_KINDS and n.cursor.is_definition())
            yield from ((declaration, n) for n in records if n.spelling and _has_directives(unit, n, "target"))


def _arguments(unit: ParsedUnit) -> Iterator[Cursor]:
    """Yield the types of functions that templates with regions are instantiated with, and those of variables of
    regions that other functions declare."""
    for function in unit.functions:
        regions = [c for c in function.walk() if is_region(c) and c.body is not None]
        if function.unused or not regions:
            continue
        if function.template is not None:
            yield from local_arguments(function)
        yield from types_of_others(function.node, collect(c.body for c in regions if c.body is not None))


def types_of_others(function: Node, references: References) -> Iterator[Cursor]:
    """Yield the types that other functions declare, of variables of a function: what ``auto`` functions return."""
    for variable in references.variables.values():
        for record in local_types(variable.cursor.type):
            if not function.has_declaration(record):
                yield record


def local_arguments(function: ConstructFunction) -> Iterator[Cursor]:
    """Yield the types of functions among the arguments of an instantiation and of its classes."""
    scope: Cursor | None = function.node.cursor
    while scope is not None and (scope is function.node.cursor or kind_of(scope) in RECORD_KINDS):
        for index in range(max(0, scope.get_num_template_arguments())):
            yield from local_types(scope.get_template_argument_type(index))
        if kind_of(scope) in RECORD_KINDS:
            yield from local_types(scope.type)
        scope = scope.semantic_parent
    for parameter in (c for c in function.node.children if c.kind == "PARM_DECL"):
        yield from local_types(parameter.type)


def local_types(kind: Type) -> Iterator[Cursor]:
    """Yield the classes and enumerations with names that functions declare in a type."""
    if types.kind_name(kind) == "INVALID":
        return
    bare = types.canonical(types.without_reference(kind))
    while types.kind_name(bare) == "POINTER":
        bare = types.canonical(bare.get_pointee())
    record = bare.get_declaration()
    if kind_of(record) in (*RECORD_KINDS, "ENUM_DECL") and _has_name(record):
        outer = record
        while kind_of(outer.semantic_parent) in RECORD_KINDS:
            outer = outer.semantic_parent
        if kind_of(outer.semantic_parent) in FUNCTION_KINDS:
            yield outer.get_definition() or outer
    for index in range(max(0, bare.get_num_template_arguments())):
        yield from local_types(bare.get_template_argument_type(index))


def _has_name(record: Cursor) -> bool:
    """Whether a type has a name, or does not need it: unnamed enumerations are constants."""
    return bool(record.spelling) and ("(" not in str(record.type.spelling) or kind_of(record) == "ENUM_DECL")


def _at(unit: ParsedUnit, file: str, offset: int) -> Iterator[tuple[Node, Node]]:
    """Yield the class whose name stands at a place, with the declaration at namespace scope around it."""
    for top in unit.declarations:
        for declaration in below_namespaces(top):
            if declaration.file == file and declaration.start <= offset < declaration.end:
                same = [n for n in declaration.walk() if n.kind in _MOVED and n.start <= offset < n.end]
                yield from ((declaration, n) for n in same if n.start == max(m.start for m in same))
                return


def _has_directives(unit: ParsedUnit, record: Node, word: str = "") -> bool:
    file = unit.files[record.file]
    sites = file.scan.pragmas_in(file.original(record.start), file.original(record.end))
    return any(word in site.text.text for site in sites)


def _edits(moved: MovableClass) -> Iterator[Replacement]:
    """Yield the edits: the class in a namespace in front of the declaration, its name in its place."""
    unit, declaration, record = moved.unit, moved.declaration, moved.record
    file, source = unit.files[record.file], unit.files[record.file].scan.source
    start, end = file.original(record.start), file.original(record.end)
    column = source.line_column(start)[1]
    space = f"{LOCAL_SPACE}{source.users_line(start)}_{column}"
    place, (before, after) = place_before(file, declaration), around(declaration)
    usings = "".join(f" {using}" for using in usings_before(record, declaration) or ())
    parameters = moved.parameters
    template = f"\ntemplate <{', '.join(str(declared) for declared, _ in parameters)}>" if parameters else ""
    head = f"{before}namespace {{ namespace {space} {{{usings}{template}\n{' ' * (column - 1)}"
    opening, members = start + moved.members[0], moved.members[1]
    yield Replacement(place, place, (head, (start, opening), members, (opening, end), f";\n}} }}\n{after}"))
    behind = source.text[end : file.original(record.parent.end) if record.parent else end].strip()
    declared = "" if behind in ("", ";") else f"; {record.spelling}"
    names = "; ".join(f"using {space}::{name}" for name in _names(record))
    if parameters:
        name, given = record.spelling, ", ".join(_argument(*parameter) for parameter in parameters)
        names = f"using {name} = {space}::{name}<{given}>"
    yield Replacement(start, end, (f"{names}{declared}",))


def _argument(declared: str | None, name: str) -> str:
    return f"{name}..." if "..." in str(declared) else name


def _names(record: Node) -> list[str]:
    """Return the names that a class or enumeration declares where it stands."""
    own = [] if record.kind == "ENUM_DECL" and record.cursor.is_anonymous() else [record.spelling]
    is_open = record.kind == "ENUM_DECL" and not record.cursor.is_scoped_enum()
    return [*own, *(c.spelling for c in record.children if is_open and c.kind == "ENUM_CONSTANT_DECL")]
