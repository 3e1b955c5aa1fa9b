"""A lambda expression that may move in front of the declaration it stands in.

In: the expression. Out: what it captures and names, and whether its text means the same there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import chain

from clang.cindex import Cursor

from rexcc.analysis.captures import CaptureList, capture_list, declared_name, initialiser
from rexcc.analysis.copies_made import can_be_held
from rexcc.analysis.needed_constants import needs_constant
from rexcc.analysis.references import collect
from rexcc.clang import library, locations, spelling, types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of, parent_kind
from rexcc.frontend.probe import ProbedFile
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.patterns import regex
from rexcc.transformation.lambda_captures import (
    constant_value,
    has_effects,
    is_by_reference,
    is_captured_pack,
    value_of,
)
from rexcc.transformation.lambda_members import COPY, THIS
from rexcc.transformation.lambda_text import LambdaText, lambda_text
from rexcc.transformation.local_classes import local_types
from rexcc.transformation.local_definitions import LocalDefinitions, can_be_named
from rexcc.transformation.member_uses import MemberUses, class_around
from rexcc.transformation.name_lookup import are_functions_found, is_found, scopes_left
from rexcc.transformation.shared_lambdas import may_be_shared, order
from rexcc.transformation.usings import usings_before

_PARAMETERS = {"TEMPLATE_TYPE_PARAMETER": "class", "TEMPLATE_NON_TYPE_PARAMETER": ""}
_CLASSES = (*RECORD_KINDS, "CLASS_TEMPLATE")
_ALIASES = ("TYPEDEF_DECL", "TYPE_ALIAS_DECL")
_CONDITIONAL = regex(r"(?m)^[ \t]*(?:#|%:)[ \t]*(?P<word>if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b")


class MovableLambda:
    """A lambda expression on its way in front of the declaration that it stands in."""

    def __init__(self, unit: ParsedUnit, declaration: Node, expression: Node, *, is_old: bool = False) -> None:
        """``is_old``: in C++11, where functions do not deduce their results."""
        self.unit = unit
        self.is_old = is_old
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
        self.own = LocalDefinitions(unit, declaration, self._keeps_meaning, lambda: self.outside)
        self.uses = MemberUses(unit, self.file, self.scope, declaration.kind not in RECORD_KINDS)
        self.usings = usings_before(expression, declaration)

    def _moved(self) -> list[Node]:
        """Return what of the lambda moves: without the values of its captures, which are evaluated where it stands."""
        if not any(map(initialiser, self.captures.items)):
            return [self.expression]
        behind = self.start + self.captures.end
        return [c for c in self.expression.children if self.file.original(c.start) >= behind]

    @cached_property
    def has_whole_conditionals(self) -> bool:
        """Whether conditionals of the preprocessor that stand in its text begin and end there."""
        text, depth = self.source.text[self.start : self.file.original(self.expression.end)], 0
        for match in _CONDITIONAL.finditer(text):
            word = match["word"]
            if depth == 0 and not word.startswith("if"):
                return False
            depth += {"endif": -1}.get(word, 1 if word.startswith("if") else 0)
        return depth == 0

    @property
    def outside(self) -> list[Variable]:
        """The local variables of the function that the lambda names, and those that its captures declare."""
        found = (v for v in self.references.variables.values() if not v.is_global)
        return [v for v in found if kind_of(v.cursor) != "PARM_DECL" or not self._holds(v.cursor)]

    @property
    def captured(self) -> list[Variable]:
        """The variables that the object holds."""
        return [v for v in self.outside if not self.is_constant(v)]

    def can_move(self) -> bool:
        """Whether the lambda means the same in front of the function."""
        if self.source.text[self.start : self.start + 1] != "[" or self.parts is None:
            return False
        if not self.has_whole_conditionals:
            return False
        if not all(map(self._is_capture, self.captures.items)) or not all(map(self._can_hold, self.captured)):
            return False
        has_result = self.result is not None or self.returned is not None
        if self.is_old and (not has_result or any(map(is_captured_pack, self.captured))):
            return False
        if self.usings is None or (self.holds_directives and self.references.this_uses):
            return False  # what a region maps of '*this' is not what it maps of what a pointer points to
        if not all(map(self._keeps_meaning, self.names())) or None in [p for p, _ in self.template_parameters()]:
            return False
        held = COPY if self.captures.copies_this else THIS
        return all(self.uses.add_use(use, held) for use in self.this_uses) and not (self.usings and self.uses.is_friend)

    @cached_property
    def result(self) -> str | None:
        """The type of what a call returns, as it is written; None where it has no name in front of the declaration, or
        only a template knows it."""
        if self.parts is not None and self.parts.result:
            return self.parts.result.removeprefix("->").strip()
        if not any(n.kind == "RETURN_STMT" and n.children for n in self.expression.walk()):
            return "void"
        members = library.children(types.canonical(self.expression.cursor.type).get_declaration())
        kind = next((types.canonical(m.result_type) for m in members if m.spelling == "operator()"), None)
        if kind is None or types.is_dependent(kind) or not all(map(can_be_named, [kind, *spelling.named_types(kind)])):
            return None
        return spelling.spell(kind)

    @cached_property
    def returned(self) -> Node | None:
        """What the lambda returns, if that is all it does and it may be written in front of its body, too."""
        body = next((child for child in self.expression.children if child.kind == "COMPOUND_STMT"), None)
        if body is None or len(body.children) != 1 or body.children[0].kind != "RETURN_STMT":
            return None
        value = next(iter(body.children[0].children), None)
        has_lambda = value is None or any(node.kind == "LAMBDA_EXPR" for node in value.walk())
        span = self.unit.span(value) if value is not None else None
        if has_lambda or span is None or span.source is not self.source or re.search(r"//|/\*|#|\\\n", span.text):
            return None
        return value

    @cached_property
    def is_shared(self) -> bool:
        """Whether files in which the lambda stays may have objects of its type, too."""
        return may_be_shared(self.unit, self.expression, *self.source.line_column(self.start))

    @property
    def order(self) -> list[str] | None:
        """The names of what the lambda captures, in the order of its members, where that is known."""
        return order(self.expression, self.captures, self.captured, bool(self.this_uses))

    @property
    def has_order(self) -> bool:
        """Whether a capture may see what another one's value does, or has a value that nothing uses: captures are made
        in their order, arguments in any."""
        used = {variable.name for variable in self.outside}
        unused = any(initialiser(item) and declared_name(item) not in used for item in self.captures.items)
        return unused or (len(self.captures.items) > 1 and any(map(has_effects, self.captures.items)))

    @property
    def this_uses(self) -> list[Node]:
        """The uses of the object of the method in the body."""
        assert self.parts is not None
        found = [*self.references.this_uses, *filter(self._is_implied, self._overloaded)]
        if not self._may_capture_this:  # what a base that depends on parameters has is static, then
            found = [use for use in found if not _is_open(use)]
        return [use for use in found if self.file.original(use.start) >= self.parts.body[0]]

    @property
    def _may_capture_this(self) -> bool:
        items = (item.replace(" ", "") for item in self.captures.items)
        return bool(self.captures.default) or any(item in ("this", "*this") for item in items)

    @cached_property
    def _overloaded(self) -> list[Node]:
        """The names of overloaded methods in a template, where arguments tell later which one is meant."""
        found = [node for top in self._moved() for node in top.walk() if node.kind == "OVERLOADED_DECL_REF"]
        return [node for node in found if node.parent is not None and node.parent.kind == "MEMBER_REF_EXPR"]

    def _is_implied(self, method: Node) -> bool:
        """Whether a method is called without an object, so that of the lambda's function."""
        return method.parent is not None and all(child.kind.endswith("_REF") for child in method.parent.children)

    def _are_methods(self, name: Node) -> bool:
        """Whether all that a name may mean are methods of an object, to which the lambda's class can have access."""
        found = library.overloads(name.cursor) if name in self._overloaded else ()
        of_object = any(not method.is_static_method() for method in found)  # which the lambda has captured then
        has_object = of_object or not self._is_implied(name) or bool(self.references.this_uses)
        return bool(found) and has_object and all(map(self.uses.note_access, found))

    @property
    def local_classes(self) -> Iterator[Cursor]:
        """The classes of the function that the lambda names or holds objects of."""
        kinds = [variable.cursor.type for variable in self.captured]
        for node in self.expression.walk():
            if node.referenced is not None and kind_of(node.referenced) == "ENUM_CONSTANT_DECL":
                kinds.append(node.referenced.semantic_parent.type)
            elif node.kind in ("TYPE_REF", "VAR_DECL"):
                kinds.append(node.cursor.type)
        for record in chain.from_iterable(map(local_types, kinds)):
            if not self._holds(record):
                yield record

    def _is_capture(self, item: str) -> bool:
        """Whether a capture is that of a variable or object, or has a value that the object's maker can take."""
        if not initialiser(item):
            return re.fullmatch(r"&?\s*\w+(\s*\.\.\.)?|\*\s*this", item) is not None
        return bool(value_of(item))

    def is_copied_around(self, variable: Variable) -> bool:
        """Whether the lambda sees a constant copy of a variable, which a lambda around it has captured."""
        for above in self.expression.ancestors():
            if above is self.declaration or self._is_declared_in(variable, above):
                return False
            if above.kind == "LAMBDA_EXPR":
                body = next((c.start for c in above.children if c.kind == "COMPOUND_STMT"), above.end)
                head = self.source.text[self.file.original(above.start) : self.file.original(body)]
                if not capture_list(head).by_reference(variable.name):
                    return re.search(r"\)[^\]]*\bmutable\b", head) is None
        return False

    def _is_declared_in(self, variable: Variable, above: Node) -> bool:
        return above.kind == "LAMBDA_EXPR" and above.has_declaration(variable.cursor)

    def _can_hold(self, variable: Variable) -> bool:
        kind = types.without_reference(variable.cursor.type)
        by_reference = is_by_reference(self.captures, variable)
        if variable.decays or types.has_runtime_extent(kind):
            return False
        if is_captured_pack(variable) and not self._can_hold_pack(variable):
            return False
        if (by_reference or types.is_reference(variable.cursor.type)) and self.asks_for_type(variable.name):
            return False
        return by_reference or can_be_held(self.unit, kind)

    def _can_hold_pack(self, variable: Variable) -> bool:
        """Whether the object can hold the elements of a pack: its body is a lambda inside of the call operator then,
        in which the types of variables of regions would not be known."""
        return not self.holds_directives and not self.asks_for_type(variable.name)

    @cached_property
    def holds_directives(self) -> bool:
        """Whether directives stand in the lambda, whose clauses name variables, not members."""
        end = self.file.original(self.expression.end)
        return any(self.start <= site.start < end for site in self.file.scan.pragmas)

    def asks_for_type(self, name: str) -> bool:
        """Whether the text asks for the type of a variable, which the member has not."""
        text = self.unit.user_text(self.expression)
        return re.search(rf"\b(?:decltype|(?:__)?typeof(?:__)?)\s*\(\s*{re.escape(name)}\s*\)", text) is not None

    @cached_property
    def _scopes_left(self) -> list[Cursor]:
        return scopes_left(self.declaration)

    @property
    def has_own_spaces(self) -> bool:
        """Whether names are looked up in namespaces that are not around the place in front of the declaration."""
        return bool(self._scopes_left)

    def names(self) -> Iterator[Node]:
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
            is_same = (self.scope is None and not self._scopes_left) or are_functions_found(name, self._scopes_left)
            return is_same or self._are_methods(name) or self._are_static_methods(name)
        if kind_of(target) == "NAMESPACE_ALIAS":
            return True
        if self._holds(target) or _is_reached_by_object(name, target):
            return self.uses.note_access(target)
        place = locations.file_location(target.location, self.unit.tree.names)
        is_near = place[0] == self.expression.file and self.declaration.start <= place[1] < self.declaration.end
        if is_near and (known := self._takes_along(target)) is not None:
            return known
        is_member = parent_kind(target) in RECORD_KINDS or parent_kind(target) == "ENUM_DECL"
        is_class = self.scope is not None and self.uses.is_own_name(name, target)
        if self.scope is not None and (is_member or is_class):
            if self.holds_directives and not self.this_uses:
                return False  # the body becomes a method of the class
            has_object = bool(self.this_uses)
            return self.uses.add_class(name, has_object) if is_class else self.uses.add_member(name, target, has_object)
        return not is_near and is_found(name, target, self._scopes_left)

    def _takes_along(self, target: Cursor) -> bool | None:
        """Whether the class can have its own of what the declaration or its function declares; None for what it need
        not have."""
        kind, in_class = kind_of(target), parent_kind(target) in _CLASSES
        if kind in _ALIASES and not in_class:
            return self.own.add_alias(self.unit.tree.node(target))
        if kind == "VAR_DECL" and not in_class:
            may_be_static = self.parts is not None and not self.parts.is_constexpr
            return (may_be_static and self.own.add_static(target)) or self.own.add_constant(target)
        if kind == "ENUM_CONSTANT_DECL" and self.own.add_constant(target.semantic_parent):
            return True
        return None

    def _are_static_methods(self, name: Node) -> bool:
        """Whether all that a name may mean are static methods, and the text can have their class."""
        found, behind = library.overloads(name.cursor), self.file.original(name.end)
        if not found or self.source.text[behind:].lstrip().startswith("<"):
            return False
        if any(parent_kind(method) not in _CLASSES for method in found):
            return False
        if self.holds_directives and not self.this_uses:
            return False
        return all(self.uses.add_member(name, method, bool(self.this_uses)) for method in found)

    def _holds(self, declaration: Cursor) -> bool:
        """Whether a declaration stands in the lambda."""
        return self.expression.has_declaration(declaration)

    def is_constant(self, variable: Variable) -> bool:
        """Whether the class has a variable as a constant: its value is known, or what a template makes of it is and the
        language asks for a constant there."""
        if self.constant(variable) is not None or self.own.defines(variable.cursor):
            return True
        if f"&{variable.name}" in self.captures.items or variable.name in self.captures.items:
            return False
        kind = variable.cursor.type
        if not (types.is_dependent(kind) or types.is_scalar(kind) or types.kind_name(types.canonical(kind)) == "AUTO"):
            return False
        text = self.unit.user_text(self.expression)
        return needs_constant(text, variable.name) and self.own.add_constant(variable.cursor)

    def constant(self, variable: Variable) -> str | None:
        """Return the value of a constant that the lambda names without capturing it."""
        return constant_value(self.unit, self.captures, variable)

    def _parts(self) -> LambdaText | None:
        body = next((c for c in reversed(self.expression.children) if c.kind == "COMPOUND_STMT"), None)
        if body is None:
            return None
        begin, end = self.file.original(body.start), self.file.original(self.expression.end - 1) + 1
        return lambda_text(self.source.text, self.start + self.captures.end, begin, end)

    def template_parameters(self) -> list[tuple[str | None, str]]:
        """Return the declarations and names of the templates' parameters around the lambda that it names."""
        found: dict[str, str | None] = {alias.spelling: "class" for alias in self.own.given_types}
        for node in chain.from_iterable(top.walk() for top in (self.expression, *self.own.repeated)):
            target = node.referenced
            if target is None or kind_of(target) not in (*_PARAMETERS, "TEMPLATE_TEMPLATE_PARAMETER"):
                continue
            if self.expression.start <= self.unit.tree.node(target).start < self.expression.end:
                continue
            kind = _PARAMETERS.get(kind_of(target))
            kind = kind if kind is None or kind else str(target.type.spelling).removesuffix("...")
            is_pack_here = "..." in self.unit.user_text(self.unit.tree.node(target)).partition("=")[0]
            found[str(target.spelling)] = f"{kind}..." if kind is not None and is_pack_here else kind
        several = sum(kind is not None and kind.endswith("...") for kind in found.values()) > 1
        return [(f"{kind} {name}" if kind is not None and not several else None, name) for name, kind in found.items()]


def _is_open(use: Node) -> bool:
    """Whether a name with a class in front of it may be a method's or a static member's, as parameters decide."""
    if use.kind == "OVERLOADED_DECL_REF":
        return use.parent is not None and use.parent.start < use.start
    return use.kind == "MEMBER_REF_EXPR" and use.referenced is None


def _is_reached_by_object(name: Node, target: Cursor) -> bool:
    """Whether a member is found in the class of an object, not in what is around the name."""
    if kind_of(target) == "CONSTRUCTOR":
        return name.kind == "CALL_EXPR"  # of an object that is copied; a class's name is a node of its own
    if kind_of(target) not in ("FIELD_DECL", "CXX_METHOD", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE"):
        return False
    is_member = parent_kind(target) in RECORD_KINDS
    return is_member and not (kind_of(target) == "CXX_METHOD" and target.is_static_method() and not name.children)
