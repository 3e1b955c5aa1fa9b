"""Lambdas that templates with regions are instantiated with become classes with names.

In: the user's files. Out: the files with a class template in front of the declaration that a lambda stands in, and an
object of it in the lambda's place. Device code needs the name: the type of a lambda has none, so neither a kernel nor
its key could be written. Before and after::

    each(n, [=](int i) { p[i] = 2.0 * i; });

    namespace {
    template <class rex_p> struct rex_lambda_8_11 { rex_p p; auto operator()(int i) const { p[i] = 2.0 * i; } };
    template <class rex_p> rex_lambda_8_11<rex_p> rex_make_lambda_8_11(rex_p p) { return {p}; }
    }
    each(n, rex_make_lambda_8_11(p));

The object has a member for each variable that the lambda captures, of the type that the call deduces, so the body keeps
its text; one for ``this`` is named where the body uses it. A constant that the lambda does not capture becomes a
constant of the class. ``__rex_on_device`` makes the object that the device gets, which points and refers to what is
mapped. Where the body names what a class keeps to itself, the class makes the lambda's a friend. A
lambda whose text would mean something else in front of its function stays, and is refused where a region calls it: one
that names static variables that change. Types that it names move first, static constants are defined in its body again,
names of types and constants that only a template knows are the class's (``local_definitions``).
One without captures converts to a pointer to a function. A generic lambda that has regions becomes such a class, too;
its body begins with variables that refer to the members, for clauses to name. One that uses ``this`` or captures packs
keeps its place, and its body becomes a function template (``lambda_bodies``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count

from clang.cindex import SourceLocation, Type

from rexcc.analysis.captures import capture_list
from rexcc.analysis.closures import is_closure
from rexcc.analysis.device_constructs import region_bodies
from rexcc.analysis.lambda_values import lambda_of
from rexcc.analysis.references import collect
from rexcc.clang import library, locations, types
from rexcc.clang.scopes import scope_of
from rexcc.clang.standards import standard_in
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.program.constructs import ConstructFunction
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.needed_expansion import ExpansionNeeded
from rexcc.source.patterns import regex
from rexcc.source.records import replace
from rexcc.transformation import taken_along
from rexcc.transformation.generic_lambdas import GENERIC, closures_in, generic_lambdas
from rexcc.transformation.lambda_bodies import LambdaBody
from rexcc.transformation.lambda_class import LambdaClass
from rexcc.transformation.local_classes import moved_classes
from rexcc.transformation.macro_scopes import Places, uses_of_inner
from rexcc.transformation.movable_lambdas import MovableLambda
from rexcc.transformation.places import below_namespaces

_LAMBDA = regex(r"\[[^\[\]\n]*\]\s*[({<]")
_RETURNED = regex(r"\breturn\s*\[[^\[\]\n]*\]\s*[({<]")
_CLASS = regex(r"\b(?:struct|class)\b(?=\s+\w+[^;(){}=\n]*\n?\s*\{)")
_ENDING = frozenset("{};")
_CLOSURE = regex(r"\(lambda at (?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+)\)\{")
"""An object of a lambda's class, as clang prints it."""
_FIRST, _WITH_RESULTS = 11, 14
"""The standards that have lambdas, and functions that deduce their results."""
_ROUNDS = 16
"""How deep lambdas in lambdas may be handed to such templates."""


def name_lambdas(files: UserFiles, language: str, arguments: tuple[str, ...], expanded: Places) -> UserFiles:
    """Return the files in which what templates with constructs are instantiated with can be named: lambdas are objects
    of classes, and classes of functions are outside of these. ``expanded`` are uses of macros that had to be.

    Raises ExpansionNeeded for those of macros that only the function has.
    """
    standard = standard_in(arguments)
    is_old = standard < _WITH_RESULTS
    for turn in range(_ROUNDS):
        if language != "c++" or standard < _FIRST or not _may_have_any(files):
            break
        problems = DiagnosticSink()
        unit = parse_unit(files, language, arguments, problems)
        if turn == 0 and problems.has_errors:
            break  # what is wrong is found again by the parse to come
        is_old = standard < _WITH_RESULTS
        lambdas, bodies, others = (
            _movable(unit, files.lambda_classes, expanded, is_old) if unit is not None else ([], [], [])
        )
        named = chain.from_iterable(each.local_classes for each in others)
        replacements = _replacements(lambdas, bodies) or (
            moved_classes(unit, named, expanded) if unit is not None else {}
        )
        if not replacements:
            break
        files = rewritten(files, {path: rewrite(files.source(path), found) for path, found in replacements.items()})
        files = replace(files, lambda_classes=files.lambda_classes.union(named.name for named in lambdas))
    return files


def _may_have_any(files: UserFiles) -> bool:
    scans = files.scans.values()
    texts = [scan.source.text for scan in scans]
    if any(scan.pragmas and GENERIC.search(scan.source.text) for scan in scans):
        return True
    if any(scan.pragmas for scan in scans) and any(map(_RETURNED.search, texts)):
        return True
    if any("template" in text for text in texts):
        return any(_LAMBDA.search(text) or _has_inner_class(text) for text in texts)
    return any(scan.pragmas and _has_inner_class(scan.source.text) for scan in scans)


def _has_inner_class(text: str) -> bool:
    """Whether a class may be more than a declaration at the beginning of a line."""
    before = (text[text.rfind("\n", 0, found.start()) + 1 : found.start()] for found in _CLASS.finditer(text))
    return any(line.startswith((" ", "\t")) or not _ENDING.isdisjoint(line) for line in before)


def _movable(
    unit: ParsedUnit, taken: frozenset[str], expanded: Places, is_old: bool
) -> tuple[list[MovableLambda], list[LambdaBody], list[MovableLambda]]:
    """Return the outermost lambdas that can be named, each with a name that no other class has, those whose bodies can
    be function templates, and the others."""
    found: list[MovableLambda] = []
    bodies: list[LambdaBody] = []
    staying: list[MovableLambda] = []
    needed: set[tuple[str, int]] = set()
    every = {
        (node.file, node.start): (declaration, node) for declaration, node in chain(_lambdas(unit), _generic(unit))
    }
    for declaration, expression in sorted(every.values(), key=lambda pair: (pair[1].file, pair[1].start)):
        others = (named.expression for named in chain(found, (body.moved for body in bodies)))
        if any(n.file == expression.file and n.start < expression.end and expression.start < n.end for n in others):
            continue  # its text moves with the lambda around it
        named = MovableLambda(unit, declaration, expression, is_old=is_old)
        has_body = not is_old and named.has_whole_conditionals and named.holds_directives
        body = LambdaBody(named) if has_body and not named.can_move() else None
        moves = body.can_move() if body is not None else named.can_move()
        inner = uses_of_inner(unit, declaration, expression) if moves else None
        needed |= (inner or frozenset()) - expanded
        if inner is None or not inner.isdisjoint(expanded):
            staying.append(named)
        elif body is not None:
            bodies.append(body)
        else:
            named.name = _unused(named.name, taken.union(other.name for other in found))
            found.append(named)
    if needed:
        raise ExpansionNeeded(frozenset(needed))
    return found, bodies, staying


def _unused(name: str, taken: frozenset[str]) -> str:
    """Return a name, or that with a number: lines and columns of several files, or of a macro's uses, may be equal."""
    numbered = (f"{name}_{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)


def _replacements(lambdas: list[MovableLambda], bodies: list[LambdaBody]) -> dict[str, list[Replacement]]:
    """Return the edits that name lambdas and move bodies, by file."""
    found: dict[str, list[Replacement]] = {}
    for path, edit in chain(*(LambdaClass(named).edits() for named in lambdas), *(body.edits() for body in bodies)):
        found.setdefault(path, []).append(edit)
    return {path: _joined(edits) for path, edits in found.items()}


def _joined(edits: list[Replacement]) -> list[Replacement]:
    """Return edits of which no two insert at one place."""
    places: dict[tuple[int, int], list[str | tuple[int, int]]] = {}
    for edit in edits:
        parts = places.setdefault((edit.start, edit.end), [])
        if taken_along.MARK not in parts or edit.parts != (taken_along.MARK,):
            parts.extend(edit.parts)
    return [Replacement(start, end, tuple(parts)) for (start, end), parts in places.items()]


def _lambdas(unit: ParsedUnit) -> Iterator[tuple[Node, Node]]:
    """Yield the lambdas that regions of templates get from outside, those that other functions return, and those that
    objects of regions have in their types, each with the declaration around it."""
    seen: set[tuple[str, int]] = set()
    for function in unit.functions:
        if function.unused:
            continue
        for place in sorted(set(_held(unit, function)) - seen):
            found = _expression_at(unit, *place)
            kept = [(outer, node) for outer, node in found if _keeps_copies(unit, function, node)]
            if kept:  # another one may be given to the template
                seen.add(place)
                yield from kept
        own = function.node
        kinds = _given(function) if function.template is not None else _returned(unit, function)
        values = _values(unit, function) if function.template is not None else ()
        for location in (*(kind.get_declaration().location for kind in kinds), *values):
            place = locations.file_location(location, unit.tree.names)
            inside = place[0] == own.file and own.start <= place[1] < own.end
            if place not in seen and place[0] in unit.files and not inside:
                seen.add(place)
                found = _expression_at(unit, *place)
                if function.template is None:
                    found = (pair for pair in found if not _may_differ(unit, *pair))
                yield from found


def _may_differ(unit: ParsedUnit, declaration: Node, expression: Node) -> bool:
    """Whether files in which a lambda stays may have other objects of its type than its class makes."""
    moved = MovableLambda(unit, declaration, expression)
    return moved.parts is not None and moved.is_shared and moved.order is None


def _generic(unit: ParsedUnit) -> Iterator[tuple[Node, Node]]:
    for place in generic_lambdas(unit):
        yield from _expression_at(unit, *place)


def _given(function: ConstructFunction) -> Iterator[Type]:
    """Yield the lambdas' types in an instantiation's arguments, its class, and the variables that its regions name."""
    bodies = region_bodies(function.walk())
    for variable in collect(bodies).variables.values():
        yield from closures_in(variable.cursor.type)
    for index in range(max(0, function.node.cursor.get_num_template_arguments()) if bodies else 0):
        yield from closures_in(function.node.cursor.get_template_argument_type(index))
    scope = scope_of(function.node.cursor)
    while scope is not None and kind_of(scope) in RECORD_KINDS:
        yield from closures_in(scope.type)
        scope = scope.semantic_parent


def _held(unit: ParsedUnit, function: ConstructFunction) -> Iterator[tuple[str, int]]:
    """Yield the places of the lambdas with whose types classes of variables are made that regions name."""
    bodies = region_bodies(function.walk())
    for variable in collect(bodies).variables.values():
        for kind in closures_in(variable.cursor.type):
            place = locations.file_location(kind.get_declaration().location, unit.tree.names)
            inside = any(body.file == place[0] and body.start <= place[1] < body.end for body in bodies)
            is_itself = types.canonical(types.without_reference(variable.cursor.type)) == kind
            if not is_itself and not inside and place[0] in unit.files:
                yield place


def _keeps_copies(unit: ParsedUnit, function: ConstructFunction, expression: Node) -> bool:
    """Whether a lambda keeps no address of what its function has: inside of an object nothing makes it the device's."""
    captures = capture_list(unit.user_text(expression))
    may_keep_this = kind_of(function.node.cursor) == "CXX_METHOD" and captures.default == "="
    refers = captures.default == "&" or any(item.lstrip().startswith(("&", "this")) for item in captures.items)
    return not refers and not may_keep_this


def _returned(unit: ParsedUnit, function: ConstructFunction) -> Iterator[Type]:
    """Yield the types of the lambdas that regions call and that other functions have made, ``auto f = scaler(2);``."""
    for variable in collect(region_bodies(function.walk())).variables.values():
        node = unit.tree.node(variable.cursor)
        if node.kind == "VAR_DECL" and is_closure(variable) and lambda_of(node) is None:
            yield from closures_in(variable.cursor.type)


def _values(unit: ParsedUnit, function: ConstructFunction) -> Iterator[SourceLocation]:
    """Yield the places of the lambdas that are values among an instantiation's arguments, which clang only prints."""
    cursor = function.node.cursor
    scope = scope_of(cursor)
    texts = [library.printed_head(cursor), *([] if scope is None else [str(scope.type.spelling)])]
    for found in (match for text in texts for match in _CLOSURE.finditer(text)):
        file = unit.tree.unit.get_file(found["file"])
        yield SourceLocation.from_position(unit.tree.unit, file, int(found["line"]), int(found["column"]))


def _expression_at(unit: ParsedUnit, file: str, start: int) -> Iterator[tuple[Node, Node]]:
    for declaration in unit.declarations:
        for inner in below_namespaces(declaration):
            if inner.file == file and inner.start <= start < inner.end:
                found = (n for n in inner.walk() if n.kind == "LAMBDA_EXPR" and n.start == start)
                yield from ((inner, n) for n in list(found)[:1])
                return
