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
constant of the class. What a pointer points to or a reference refers to may be mapped: ``__rex_on_device`` makes the
object that the device gets. Where the body names what a class keeps to itself, the class makes the lambda's a friend. A
lambda whose text would mean something else in front of its function stays, and is refused where a region calls it: one
that captures packs, that changes what it captured, or that names local types or static variables.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain, count

from clang.cindex import AccessSpecifier, Cursor, Type

from rexcc.analysis.captures import CaptureList, capture_list, initialiser
from rexcc.analysis.device_constructs import constructs_of, is_region
from rexcc.analysis.references import collect
from rexcc.clang import library, spelling, types
from rexcc.clang.parameter_packs import is_pack
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.frontend.probe import ProbedFile
from rexcc.program.constructs import ConstructFunction
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.program.variables import Variable
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.text import to_bytes
from rexcc.transformation.lambda_members import COPY, THIS, Member, captured, copy_of_object, made, pointer_to_object
from rexcc.transformation.lambda_text import LambdaText, lambda_text
from rexcc.transformation.local_classes import moved_classes
from rexcc.transformation.member_uses import MemberUses, class_around
from rexcc.transformation.places import around, below_namespaces, place_before
from rexcc.transformation.usings import usings_before

_LAMBDA = re.compile(r"\[[^\[\]\n]*\]\s*[({<]")
_CLASS = re.compile(r"^(?:[ \t]+|.*[{};]).*\b(?:struct|class)\s+\w+[^;(){}=\n]*\n?\s*\{", re.MULTILINE)
_MAY_STAND = re.compile(rf"{_LAMBDA.pattern}|{_CLASS.pattern}", re.MULTILINE)
"""A lambda, or a class that is no declaration at the beginning of a line."""
_OLD = re.compile(r"-std=(?:c|gnu)\+\+(?:98|03|0x|11)$")
_ROUNDS = 16
"""How deep lambdas in lambdas may be handed to such templates."""
_PARAMETERS = {"TEMPLATE_TYPE_PARAMETER": "class", "TEMPLATE_NON_TYPE_PARAMETER": ""}
_CLASSES = (*RECORD_KINDS, "CLASS_TEMPLATE")
_ALIASES = ("TYPEDEF_DECL", "TYPE_ALIAS_DECL")
_CALLED_LATE = "template <class rex_device = __INT64_TYPE__>\n", "(rex_device)device"
"""Template header and argument of calls of what only the host file declares."""
_LOOKED_UP = frozenset({"DECL_REF_EXPR", "TYPE_REF", "TEMPLATE_REF"})
"""What is a name in the text; of others a name is part."""
_QUALIFIERS = frozenset({"TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF"})


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
        for path, edit in named.edits():
            found.setdefault(path, []).append(edit)
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


class _Lambda:
    """A lambda expression on its way in front of the declaration that it stands in."""

    def __init__(self, unit: ParsedUnit, declaration: Node, expression: Node) -> None:
        self.unit = unit
        self.declaration = declaration
        self.expression = expression
        self.file: ProbedFile = unit.files[expression.file]
        self.source = self.file.scan.source
        self.start = self.file.original(expression.start)
        self.captures: CaptureList = capture_list(unit.user_text(expression))
        self.references = collect(self._moved())
        column = self.source.line_column(self.start)[1]
        self.name = f"rex_lambda_{self.source.users_line(self.start)}_{column}"
        self.parts = self._parts()
        self.scope = class_around(declaration, expression)
        self.aliases: list[Node] = []
        self.uses = MemberUses(unit, self.file, self.scope, declaration.kind not in RECORD_KINDS)
        self.usings = usings_before(expression, declaration)

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
        if self.source.text[self.start : self.start + 1] != "[" or self.parts is None:
            return False
        if not all(map(self._is_capture, self.captures.items)) or not all(map(self._can_hold, self.captured)):
            return False
        if sum(map(_has_effects, self.captures.items)) > 1:
            return False  # arguments are evaluated in any order, captures in theirs
        if self.usings is None:
            return False
        if not all(map(self._keeps_meaning, self._names())) or None in [p for p, _ in self._template_parameters()]:
            return False
        held = COPY if self.captures.copies_this else THIS
        return all(self.uses.add_use(use, held) for use in self.this_uses) and not (self.usings and self.uses.is_friend)

    @property
    def this_uses(self) -> list[Node]:
        """The uses of the object of the method in the body."""
        assert self.parts is not None
        return [use for use in self.references.this_uses if self.file.original(use.start) >= self.parts.body[0]]

    def _is_capture(self, item: str) -> bool:
        """Whether a capture is that of a variable or object, or has a value that the object's maker can take."""
        if not initialiser(item):
            return re.fullmatch(r"&?\s*\w+|\*\s*this", item) is not None
        return bool(_value_of(item)) and any(v.name == _declared_by(item) for v in self.outside)

    def _is_by_reference(self, variable: Variable) -> bool:
        own = next((i for i in self.captures.items if _value_of(i) and _declared_by(i) == variable.name), None)
        return own.startswith("&") if own is not None else self.captures.by_reference(variable.name)

    def _given(self, variable: Variable) -> str:
        """Return the value that the object is made with."""
        values = (_value_of(i) for i in self.captures.items if _declared_by(i) == variable.name)
        return next(filter(None, values), variable.name)

    def _can_hold(self, variable: Variable) -> bool:
        kind = types.without_reference(variable.cursor.type)
        by_reference = self._is_by_reference(variable)
        if variable.decays or types.has_runtime_extent(kind) or is_pack(variable.cursor):
            return False
        if (by_reference or types.is_reference(variable.cursor.type)) and self._asks_for_type(variable.name):
            return False
        element = kind
        while (below := types.element_of(types.canonical(element))) is not None:
            element = below
        return by_reference or not types.is_record(element) or types.is_copied_as_bytes(element)

    def _asks_for_type(self, name: str) -> bool:
        """Whether the text asks for the type of a variable, which the member has not."""
        text = self.unit.user_text(self.expression)
        return re.search(rf"\b(?:decltype|(?:__)?typeof(?:__)?)\s*\(\s*{re.escape(name)}\s*\)", text) is not None

    @cached_property
    def _spaces(self) -> list[Cursor]:
        """The namespaces in which names are looked up, but not in front of the declaration, and their classes."""
        found: list[Cursor] = []
        scope, place = self.declaration.cursor.semantic_parent, self.declaration.cursor.lexical_parent
        while scope is not None and scope.canonical != place.canonical:
            found.append(scope.canonical)
            scope = scope.semantic_parent
        return found

    def _names(self) -> Iterator[Node]:
        """Yield what names something in the lambda, captured variables and templates' parameters aside."""
        for node in chain.from_iterable(top.walk() for top in self._moved()):
            target = node.referenced
            if node.kind == "OVERLOADED_DECL_REF" and target is None:
                yield node
            elif target is None or kind_of(target) in ("PARM_DECL", *_PARAMETERS):
                continue
            elif kind_of(target) not in ("VAR_DECL", "UNEXPOSED_DECL") or library.has_global_storage(target):
                yield node

    def _keeps_meaning(self, name: Node) -> bool:
        """Whether a name means the same in front of the declaration: it is no local one there, and one of a class that
        is around the declaration can be written with its scope."""
        target = name.referenced
        if target is None:
            return self.scope is None and not self._spaces
        if kind_of(target) == "NAMESPACE_ALIAS":
            return True
        if self._holds(target) or _is_reached_by_object(name, target):
            return self.uses.note_access(target)
        place = library.file_location(target.location, self.unit.tree.names)
        is_near = place[0] == self.expression.file and self.declaration.start <= place[1] < self.declaration.end
        if is_near and kind_of(target) in _ALIASES and _scope(target) not in _CLASSES:
            return self._brings_along(self.unit.tree.node(target))
        is_member = _scope(target) in RECORD_KINDS or _scope(target) == "ENUM_DECL"
        if is_member and self.scope is not None:
            return self.uses.add_member(name, target, bool(self.this_uses))
        return not is_near and self._is_found(name, target)

    def _is_found(self, name: Node, target: Cursor) -> bool:
        """Whether a name of a namespace around the declaration is found in front of it, too."""
        scope = target.semantic_parent
        if scope is not None and kind_of(scope) == "ENUM_DECL":
            scope = scope.semantic_parent
        if scope is None or scope.canonical not in self._spaces:
            return True
        return name.kind not in _LOOKED_UP or any(c.kind in _QUALIFIERS for c in name.children)

    def _brings_along(self, alias: Node) -> bool:
        """Whether a name of a type that the function declares can be one of the class's, too; if so, it will be."""
        if alias not in self.aliases:
            if self.unit.user_text(alias).partition(" ")[0] not in ("using", "typedef"):
                return False
            inside = [n for n in alias.walk() if n.referenced is not None and n.referenced != alias.cursor]
            if not all(kind_of(n.referenced) in _PARAMETERS or self._keeps_meaning(n) for n in inside if n.referenced):
                return False
            self.aliases.append(alias)
        return True

    def _holds(self, declaration: Cursor) -> bool:
        """Whether a declaration stands in the lambda."""
        file, place = library.file_location(declaration.location, self.unit.tree.names)
        return file == self.expression.file and self.expression.start <= place < self.expression.end

    def _constant(self, variable: Variable) -> str | None:
        """Return the value of a constant that the lambda names without capturing it."""
        kind = variable.cursor.type
        if types.is_reference(kind) or not types.is_constant(kind) or variable.name in self.captures.items:
            return None
        if kind.is_volatile_qualified() or f"&{variable.name}" in self.captures.items:
            return None  # is read from its memory
        node = self.unit.tree.node(variable.cursor)
        if types.kind_name(types.canonical(kind)) == "ENUM" or not types.is_scalar(kind) or not node.children:
            return None
        value = library.evaluate_integer(node.children[-1].cursor)
        return None if value is None else str(value)

    def _parts(self) -> LambdaText | None:
        body = next((c for c in reversed(self.expression.children) if c.kind == "COMPOUND_STMT"), None)
        if body is None:
            return None
        begin, end = self.file.original(body.start), self.file.original(self.expression.end - 1) + 1
        return lambda_text(self.source.text, self.start + self.captures.end, begin, end)

    def _template_parameters(self) -> list[tuple[str | None, str]]:
        """Return the declarations and names of the templates' parameters around the lambda that it names."""
        found: dict[str, str | None] = {}
        for node in chain.from_iterable(top.walk() for top in (self.expression, *self.aliases)):
            target = node.referenced
            if target is None or kind_of(target) not in (*_PARAMETERS, "TEMPLATE_TEMPLATE_PARAMETER"):
                continue
            if self.expression.start <= self.unit.tree.node(target).start < self.expression.end:
                continue
            kind = _PARAMETERS.get(kind_of(target))
            found[str(target.spelling)] = kind if kind is None or kind else str(target.type.spelling)
        return [(f"{kind} {name}" if kind is not None else None, name) for name, kind in found.items()]

    def members(self) -> list[Member]:
        """Return the members of the object, arrays last."""
        found = [
            captured(
                variable.name,
                types.without_reference(variable.cursor.type),
                self._given(variable),
                named=self._has_named_type(variable),
                by_reference=self._is_by_reference(variable),
            )
            for variable in self.captured
        ]
        if self.this_uses:
            object_member = copy_of_object if self.captures.copies_this else pointer_to_object
            found.insert(0, object_member(self.uses.spelled))
        return sorted(found, key=lambda member: member.is_array)

    def edits(self) -> list[tuple[str, Replacement]]:
        """Return the edits, each with its file: the class in front of the declaration, an object in the lambda's place,
        and the declaration of a friend."""
        assert self.parts is not None
        if self.uses.is_friend:  # a name of all files' for a class of all files'
            self.name = f"{self.name}_{hashlib.sha256(to_bytes(self.source.path)).hexdigest()[:8]}"
        outer, members = self._template_parameters(), self.members()
        explicit = f"<{', '.join(name for _, name in outer)}>" if outer else ""
        values = ", ".join(member.value for member in members)
        make = f"rex_make_{self.name.removeprefix('rex_')}"
        called = f"{self._space}::{make}" if self.usings else make
        place, path = place_before(self.file, self.declaration), self.source.path
        found = [
            (path, Replacement(place, place, tuple(self._class(make, members)))),
            (path, Replacement(self.start, self.parts.body[1], (f"{called}{explicit}({values})",))),
        ]
        for place_path, opening in self.uses.openings():
            found.append((place_path, Replacement(opening, opening, (f" {self._friend(members)} ",))))
        return found

    def _friend(self, members: list[Member]) -> str:
        """Return the declaration of the class as a friend."""
        kinds = [str(declaration).removesuffix(f" {name}") for declaration, name in self._template_parameters()]
        kinds += ["class" for member in members if member.deduced]
        head = f"template <{', '.join(kinds)}> " if kinds else ""
        return f"{head}friend struct {self.name};"

    @property
    def _space(self) -> str:
        """The namespace that has the function's using directives."""
        return f"{self.name}_in_scope"

    def _declared(self, members: list[Member]) -> list[str]:
        """Return the declarations of the class's template parameters."""
        outer = [str(declaration) for declaration, _ in self._template_parameters()]
        return [*outer, *(f"class {member.deduced}" for member in members if member.deduced)]

    def _head(self, members: list[Member]) -> str:
        declared = self._declared(members)
        return f"template <{', '.join(declared)}>" if declared else ""

    def _class(self, make: str, members: list[Member]) -> Iterator[str | tuple[int, int]]:
        """Yield the text of the class and of what makes its objects, as this translation unit's own."""
        names = [name for _, name in self._template_parameters()] + [m.deduced for m in members if m.deduced]
        before, after = around(self.declaration)
        head = f"{self._head(members)}\n".lstrip()
        kind = f"{self.name}<{', '.join(names)}>" if names else self.name
        inline = "inline " if self.uses.is_friend and not names else ""
        opened = f"namespace {self._space} {{ {' '.join(self.usings)}\n" if self.usings else ""
        yield before if self.uses.is_friend else f"{before}namespace {{\n{opened}"
        yield f"{head}struct {self.name} {{\n"
        yield "".join(f"  {self.unit.user_text(alias)};\n" for alias in self.aliases)
        for variable in self.outside:
            value = self._constant(variable)
            if value is not None:
                kind_text = spelling.spell(types.canonical(variable.cursor.type)).removeprefix("const ")
                yield f"  static constexpr {kind_text} {variable.name} = {value};\n"
        yield "".join(f"  {member.declaration};\n" for member in members)
        yield from self._operator()
        yield "\n};\n"
        given = ", ".join(member.parameter for member in members)
        lines = made(kind, members, [member.name for member in members], "")
        constant = "constexpr " if not members else ""
        yield f"{head}{constant}{inline}{kind} {make}({given}) {{\n{_lines(lines)}}}\n"
        there_head, there_device = (head, "device") if names else _CALLED_LATE
        values = [member.there(there_device) for member in members]
        if members:
            lines = made(kind, members, values, "object.")
            yield f"{there_head}{kind} __rex_on_device(const {kind} &object, __INT64_TYPE__ device) {{\n"
            yield f"{_lines(lines)}}}\n"
        yield after if self.uses.is_friend else f"{'} ' if opened else ''}}} // namespace\n{after}"

    def _has_named_type(self, variable: Variable) -> bool:
        """Whether a member's type has a class or enumeration in it, so that names that depend on it are looked up where
        the lambda stands; it is deduced where it is of numbers, or has no name there."""
        kind = types.canonical(types.without_reference(variable.cursor.type))
        parts = [types.canonical(part) for part in spelling.named_types(kind)]
        if self.declaration.kind in RECORD_KINDS or not any(types.kind_name(p) in ("RECORD", "ENUM") for p in parts):
            return False
        return all(map(_can_be_named, parts))

    def _operator(self) -> Iterator[str | tuple[int, int]]:
        assert self.parts is not None
        begin, end = self.parts.body
        yield f"  {self.parts.operator()}\n"
        yield " " * (self.source.line_column(begin)[1] - 1)  # for places in messages
        for start, stop, text in sorted(self.uses.edits):
            yield (begin, start)
            yield text
            begin = stop
        yield (begin, end)


def _lines(lines: list[str]) -> str:
    return "".join(f"  {line}\n" for line in lines)


def _declared_by(item: str) -> str:
    """Return the name that an init-capture declares."""
    return re.split(r"[=({]", item.removeprefix("&"), maxsplit=1)[0].strip()


def _value_of(item: str) -> str:
    """Return the expression that an init-capture gets its value from, empty where it is a list."""
    value = initialiser(item).strip()
    if re.match(r"&?\s*\w+\s*=", item):
        return "" if value.startswith("{") else value
    return "" if "," in value else value[1:-1].strip()


def _has_effects(item: str) -> bool:
    """Whether what a capture computes may do something else, too."""
    return re.search(r"\(|\+\+|--|[^=!<>]=(?!=)", initialiser(item)) is not None


def _is_reached_by_object(name: Node, target: Cursor) -> bool:
    """Whether a member is found in the class of an object, not in what is around the name."""
    if kind_of(target) == "CONSTRUCTOR":
        return name.kind == "CALL_EXPR"  # of an object that is copied; a class's name is a node of its own
    if kind_of(target) not in ("FIELD_DECL", "CXX_METHOD", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE"):
        return False
    is_member = _scope(target) in RECORD_KINDS
    return is_member and not (kind_of(target) == "CXX_METHOD" and target.is_static_method() and not name.children)


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
