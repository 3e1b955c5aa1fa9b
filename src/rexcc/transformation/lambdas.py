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

The object has a member for each variable that the lambda captures by value, of the type that the call deduces, so the
body keeps its text. A constant that the lambda does not capture becomes a constant of the class. What a pointer points
to may be mapped: ``__rex_on_device`` makes the object that the device gets (OpenMP 5.2, 5.8.1: captured pointers are
attached). A lambda whose text would mean something else in front of its function stays, and is refused where a region
calls it: one that captures by reference, ``this``, arrays or packs, that changes what it captured, or that names local
types or static variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count

from clang.cindex import AccessSpecifier, Cursor, Type

from rexcc.analysis.captures import CaptureList, capture_list, initialiser
from rexcc.analysis.device_constructs import constructs_of, is_region
from rexcc.analysis.references import collect
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.frontend.probe import ProbedFile
from rexcc.program.constructs import ConstructFunction
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.program.variables import Variable
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.records import dataclass
from rexcc.transformation.local_classes import moved_classes
from rexcc.transformation.places import around, below_namespaces, place_before

_LAMBDA = re.compile(r"\[[^\[\]\n]*\]\s*[({]")
_CLASS = re.compile(r"^(?:[ \t]+|.*[{};]).*\b(?:struct|class)\s+\w+[^;(){}=\n]*\n?\s*\{", re.MULTILINE)
_MAY_STAND = re.compile(rf"{_LAMBDA.pattern}|{_CLASS.pattern}", re.MULTILINE)
"""A lambda, or a class that is no declaration at the beginning of a line."""
_OLD = re.compile(r"-std=(?:c|gnu)\+\+(?:98|03|0x|11)$")
_ROUNDS = 16
"""How deep lambdas in lambdas may be handed to such templates."""
_PARAMETERS = {"TEMPLATE_TYPE_PARAMETER": "class", "TEMPLATE_NON_TYPE_PARAMETER": ""}
_USINGS = frozenset({"USING_DIRECTIVE", "USING_DECLARATION", "NAMESPACE_ALIAS"})
_CALLED_LATE = "template <class rex_device = __INT64_TYPE__>\n", "(rex_device)device"
"""Template header and argument of calls of what only the host file declares."""
_AUTO = re.compile(r"\bauto\b")


def name_lambdas(files: UserFiles, language: str, arguments: tuple[str, ...]) -> UserFiles:
    """Return the files in which what templates with constructs are instantiated with can be named: lambdas are objects
    of classes, and classes of functions are outside of these."""
    for _ in range(_ROUNDS):
        if language != "c++" or not _may_have_any(files) or any(map(_OLD.match, arguments)):
            break
        unit = parse_unit(files, language, arguments, DiagnosticSink())
        lambdas = _movable(unit, files.lambda_classes) if unit is not None else []
        replacements = _replacements(lambdas) or (moved_classes(unit) if unit is not None else {})
        if not replacements:
            break
        files = rewritten(files, {path: rewrite(files.source(path), found) for path, found in replacements.items()})
        files = replace(files, lambda_classes=files.lambda_classes.union(named.name for named in lambdas))
    return files


def _may_have_any(files: UserFiles) -> bool:
    texts = [scan.source.text for scan in files.scans.values()]
    return any("template" in text for text in texts) and any(map(_MAY_STAND.search, texts))


def _movable(unit: ParsedUnit, taken: frozenset[str]) -> list[_Lambda]:
    """Return the outermost lambdas that can be named, each with a name that no other class has."""
    found: list[_Lambda] = []
    for declaration, expression in sorted(_lambdas(unit), key=lambda pair: (pair[1].file, pair[1].start)):
        others = (named.expression for named in found)
        if any(n.file == expression.file and n.start < expression.end and expression.start < n.end for n in others):
            continue  # its text moves with the lambda around it
        named = _Lambda(unit, declaration, expression)
        if named.can_move():
            named.name = _unused(named.name, taken.union(other.name for other in found))
            found.append(named)
    return found


def _unused(name: str, taken: frozenset[str]) -> str:
    """Return a name, or that with a number: lines and columns of several files, or of a macro's uses, may be equal."""
    numbered = (f"{name}_{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)


def _replacements(lambdas: list[_Lambda]) -> dict[str, list[Replacement]]:
    """Return the edits that name lambdas, by file."""
    found: dict[str, list[Replacement]] = {}
    for named in lambdas:
        found.setdefault(named.file.scan.source.path, []).extend(named.edits())
    return {path: _joined(edits) for path, edits in found.items()}


def _joined(edits: list[Replacement]) -> list[Replacement]:
    """Return edits of which no two insert at one place."""
    places: dict[tuple[int, int], list[str | tuple[int, int]]] = {}
    for edit in edits:
        places.setdefault((edit.start, edit.end), []).extend(edit.parts)
    return [Replacement(start, end, tuple(parts)) for (start, end), parts in places.items()]


def _lambdas(unit: ParsedUnit) -> Iterator[tuple[Node, Node]]:
    """Yield the lambdas that regions of templates get from outside, each with the declaration around it."""
    seen: set[tuple[str, int]] = set()
    for function in unit.functions:
        if function.template is None or function.unused:
            continue
        own = function.node
        for kind in _given(function):
            place = library.file_location(kind.get_declaration().location, unit.tree.names)
            inside = place[0] == own.file and own.start <= place[1] < own.end
            if place not in seen and place[0] in unit.files and not inside:
                seen.add(place)
                yield from _expression_at(unit, *place)


def _given(function: ConstructFunction) -> Iterator[Type]:
    """Yield the lambdas' types in those of the variables that an instantiation's regions name, and in its class."""
    bodies = [c.body for c in constructs_of(function) if is_region(c) and c.body is not None]
    for variable in collect(bodies).variables.values():
        yield from _closures_in(variable.cursor.type)
    scope = function.node.cursor.semantic_parent
    while scope is not None and kind_of(scope) in RECORD_KINDS:
        yield from _closures_in(scope.type)
        scope = scope.semantic_parent


def _closures_in(kind: Type) -> Iterator[Type]:
    bare = types.canonical(types.without_reference(kind))
    if "(lambda at" not in str(bare.spelling):
        return
    if kind_of(bare.get_declaration()) == "CLASS_DECL" and bare.get_num_template_arguments() <= 0:
        yield bare
    for index in range(max(0, bare.get_num_template_arguments())):
        given = bare.get_template_argument_type(index)
        if types.kind_name(given) != "INVALID":
            yield from _closures_in(given)


def _expression_at(unit: ParsedUnit, file: str, start: int) -> Iterator[tuple[Node, Node]]:
    for declaration in unit.declarations:
        for inner in below_namespaces(declaration):
            if inner.file == file and inner.start <= start < inner.end:
                found = (n for n in inner.walk() if n.kind == "LAMBDA_EXPR" and n.start == start)
                yield from ((inner, n) for n in list(found)[:1])
                return


@dataclass(frozen=True)
class _Parts:
    """Ranges of a lambda's text: parameters with their parentheses, what stands between them and the body, the body."""

    parameters: tuple[int, int]
    between: tuple[int, int]
    body: tuple[int, int]


class _Lambda:
    """A lambda expression on its way in front of the declaration that it stands in."""

    def __init__(self, unit: ParsedUnit, declaration: Node, expression: Node) -> None:
        self.unit = unit
        self.declaration = declaration
        self.expression = expression
        self.file: ProbedFile = unit.files[expression.file]
        self.text = self.file.scan.source.text
        self.start = self.file.original(expression.start)
        self.captures: CaptureList = capture_list(unit.user_text(expression))
        self.references = collect(self._moved())
        self.line, self.column = self.file.scan.source.line_column(self.start)
        self.name = f"rex_lambda_{self.file.scan.source.users_line(self.start)}_{self.column}"
        self.parts = self._parts()

    def _moved(self) -> list[Node]:
        """Return what of the lambda moves: without the values of its captures, which are evaluated where it stands."""
        is_plain = not any(map(initialiser, self.captures.items))
        return [self.expression] if is_plain else [c for c in self.expression.children if c.kind == "COMPOUND_STMT"]

    @property
    def outside(self) -> list[Variable]:
        """The local variables of the function that the lambda names, and those that its captures declare."""
        found = (v for v in self.references.variables.values() if not v.is_global)
        return [v for v in found if kind_of(v.cursor) != "PARM_DECL" or not self._holds(v.cursor)]

    @property
    def captured(self) -> list[Variable]:
        """The variables that the object holds."""
        return [v for v in self.outside if self._constant(v) is None]

    def can_move(self) -> bool:
        """Whether the lambda means the same in front of the function."""
        if self.text[self.start : self.start + 1] != "[" or self.parts is None or self.references.this_uses:
            return False
        if self.captures.default == "&" or not all(map(self._is_by_value, self.captures.items)):
            return False
        if any(item == "this" for item in self.captures.items) or not all(map(self._can_hold, self.captured)):
            return False
        if self._is_declared_elsewhere() or any(n.kind in _USINGS for n in self.declaration.walk()):
            return False
        return all(map(self._keeps_meaning, self._names())) and None not in [p for p, _ in self._template_parameters()]

    def _is_by_value(self, item: str) -> bool:
        """Whether a capture is a copy of a variable, or has a value that the object's maker can take as it is."""
        value = initialiser(item).strip()
        if not value:
            return re.fullmatch(r"\w+", item) is not None
        held = any(self.captures.value_of(v.name) == value for v in self.outside)
        return held and not item.startswith("&") and not value.startswith("{")

    def _can_hold(self, variable: Variable) -> bool:
        kind = types.without_reference(variable.cursor.type)
        if types.is_array(kind) or variable.decays or "..." in self.unit.user_text(self.expression):
            return False
        return not types.is_record(kind) or types.is_copied_as_bytes(kind)

    def _is_declared_elsewhere(self) -> bool:
        """Whether names are looked up in a class or namespace that the declaration does not stand in."""
        cursor = self.declaration.cursor
        return bool(cursor.semantic_parent != cursor.lexical_parent)

    def _names(self) -> Iterator[Node]:
        """Yield what names something in the lambda, captured variables and templates' parameters aside."""
        for node in self.expression.walk():
            target = node.referenced
            if node.kind == "OVERLOADED_DECL_REF" and target is None:
                yield node
            elif target is None or kind_of(target) in ("PARM_DECL", *_PARAMETERS):
                continue
            elif kind_of(target) != "VAR_DECL" or library.has_global_storage(target):
                yield node

    def _keeps_meaning(self, name: Node) -> bool:
        """Whether a name means the same in front of the declaration: it is no local one there, and in a class none that
        is found in the class or its bases."""
        target = name.referenced
        if target is None:
            return not self._is_in_class()
        if self._holds(target):
            return True
        place = library.file_location(target.location, self.unit.tree.names)
        if place[0] == self.expression.file and self.declaration.start <= place[1] < self.declaration.end:
            return False
        is_member = _scope(target) in RECORD_KINDS or _scope(target) == "ENUM_DECL"
        return name.kind == "MEMBER_REF_EXPR" or not is_member or not self._is_in_class()

    def _holds(self, declaration: Cursor) -> bool:
        """Whether a declaration stands in the lambda."""
        file, place = library.file_location(declaration.location, self.unit.tree.names)
        return file == self.expression.file and self.expression.start <= place < self.expression.end

    def _is_in_class(self) -> bool:
        return self.declaration.kind in RECORD_KINDS

    def _constant(self, variable: Variable) -> str | None:
        """Return the value of a constant that the lambda names without capturing it."""
        kind = variable.cursor.type
        if types.is_reference(kind) or not types.is_constant(kind) or variable.name in self.captures.items:
            return None
        if kind.is_volatile_qualified():
            return None  # is read from its memory
        node = self.unit.tree.node(variable.cursor)
        if types.kind_name(types.canonical(kind)) == "ENUM" or not types.is_scalar(kind) or not node.children:
            return None
        value = library.evaluate_integer(node.children[-1].cursor)
        return None if value is None else str(value)

    def _parts(self) -> _Parts | None:
        body = next((c for c in reversed(self.expression.children) if c.kind == "COMPOUND_STMT"), None)
        if body is None:
            return None
        begin, end = self.file.original(body.start), self.file.original(self.expression.end - 1) + 1
        at = self.start + self.captures.end
        between = self.text[at:begin]
        if "#" in between or "//" in between or "/*" in between or re.search(r"\bmutable\b", between) is not None:
            return None
        if self.text[begin : begin + 1] != "{" or self.text[end - 1 : end] != "}":
            return None
        opening = at + len(between) - len(between.lstrip())
        if self.text[opening] != "(":
            return _Parts((opening, opening), (opening, begin), (begin, end)) if opening == begin else None
        depth = 0
        for position in range(opening, begin):
            depth += {"(": 1, ")": -1}.get(self.text[position], 0)
            if depth == 0:
                return _Parts((opening, position + 1), (position + 1, begin), (begin, end))
        return None

    def _template_parameters(self) -> list[tuple[str | None, str]]:
        """Return the declarations and names of the templates' parameters around the lambda that it names."""
        found: dict[str, str | None] = {}
        for node in self.expression.walk():
            target = node.referenced
            if target is None or kind_of(target) not in (*_PARAMETERS, "TEMPLATE_TEMPLATE_PARAMETER"):
                continue
            if self.expression.start <= self.unit.tree.node(target).start < self.expression.end:
                continue
            kind = _PARAMETERS.get(kind_of(target))
            found[str(target.spelling)] = kind if kind is None or kind else str(target.type.spelling)
        return [(f"{kind} {name}" if kind is not None else None, name) for name, kind in found.items()]

    def edits(self) -> list[Replacement]:
        """Return the edits: the class in front of the declaration, an object in the lambda's place."""
        assert self.parts is not None
        outer, members = self._template_parameters(), self.captured
        explicit = f"<{', '.join(name for _, name in outer)}>" if outer else ""
        values = ", ".join(self.captures.value_of(v.name) or v.name for v in members)
        make = f"rex_make_{self.name.removeprefix('rex_')}"
        place = place_before(self.file, self.declaration)
        end = self.parts.body[1]
        return [
            Replacement(place, place, tuple(self._class(make))),
            Replacement(self.start, end, (f"{make}{explicit}({values})",)),
        ]

    def _class(self, make: str) -> Iterator[str | tuple[int, int]]:
        """Yield the text of the class and of what makes its objects, as this translation unit's own."""
        members, outer = self.captured, self._template_parameters()
        spelled = {v.name: self._spelled(v) for v in members}
        deduced = [f"rex_{v.name}" for v in members if spelled[v.name] is None]
        declarations = {name: known or f"rex_{name} {name}" for name, known in spelled.items()}
        declared = [str(d) for d, _ in outer] + [f"class {name}" for name in deduced]
        names = [name for _, name in outer] + deduced
        before, after = around(self.declaration)
        head = f"template <{', '.join(declared)}>\n" if declared else ""
        kind = f"{self.name}<{', '.join(names)}>" if declared else self.name
        yield f"{before}namespace {{\n{head}struct {self.name} {{\n"
        for variable in self.outside:
            value = self._constant(variable)
            if value is not None:
                kind_text = spelling.spell(types.canonical(variable.cursor.type)).removeprefix("const ")
                yield f"  static constexpr {kind_text} {variable.name} = {value};\n"
        yield "".join(f"  {declaration};\n" for declaration in declarations.values())
        yield from self._operator()
        yield "\n};\n"
        given = ", ".join(declarations.values())
        values = ", ".join(v.name for v in members)
        yield f"{head}{kind} {make}({given}) {{\n  return {{{values}}};\n}}\n"
        there_head, there_device = (head, "device") if declared else _CALLED_LATE
        there = ", ".join(f"__rex_mapped(object.{v.name}, {there_device})" for v in members)
        if members:
            yield f"{there_head}{kind} __rex_on_device(const {kind} &object, __INT64_TYPE__ device) {{\n"
            yield f"  return {{{there}}};\n}}\n"
        yield f"}} // namespace\n{after}"

    def _spelled(self, variable: Variable) -> str | None:
        """Return the declaration of a member whose type has a class or enumeration in it, so that names that depend
        on it are looked up where the lambda stands; None where the type is deduced: of numbers, or without a name."""
        kind = types.canonical(types.without_reference(variable.cursor.type))
        parts = [types.canonical(part) for part in spelling.named_types(kind)]
        if self._is_in_class() or not any(types.kind_name(part) in ("RECORD", "ENUM") for part in parts):
            return None
        return spelling.declare_bare(kind, variable.name) if all(map(_can_be_named, parts)) else None

    def _operator(self) -> Iterator[str | tuple[int, int]]:
        assert self.parts is not None
        parameters = self.text[slice(*self.parts.parameters)] or "()"
        between = self.text[slice(*self.parts.between)]
        specifiers, arrow, result = between.partition("->")
        generics = len(_AUTO.findall(parameters))
        numbers = iter(range(generics))
        parameters = _AUTO.sub(lambda _: f"rex_a{next(numbers)}", parameters)
        generic = f"template <{', '.join(f'class rex_a{n}' for n in range(generics))}> " if generics else ""
        words = specifiers.split()
        before = "constexpr " if "constexpr" in words else ""
        rest = " ".join(w for w in words if w != "constexpr")
        trailing = f" -> {result.strip()}" if arrow else ""
        yield f"  {generic}{before}auto operator(){parameters} const{' ' + rest if rest else ''}{trailing}\n"
        yield " " * (self.file.scan.source.line_column(self.parts.body[0])[1] - 1)  # for places in messages
        yield self.parts.body


def _can_be_named(kind: Type) -> bool:
    """Whether a type has a name outside of functions that everybody may use."""
    if types.kind_name(kind) == "UNEXPOSED" or spelling.is_unnamed(kind) or spelling.has_given_name(kind):
        return False
    scope: Cursor | None = kind.get_declaration()
    while scope is not None and kind_of(scope) in (*RECORD_KINDS, "ENUM_DECL", "CLASS_TEMPLATE"):
        if scope.access_specifier in (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED):
            return False
        scope = scope.semantic_parent
    return scope is None or kind_of(scope) not in FUNCTION_KINDS


def _scope(cursor: Cursor) -> str:
    parent = cursor.semantic_parent
    return kind_of(parent) if parent is not None else ""
