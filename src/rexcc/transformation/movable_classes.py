"""A class or enumeration of a function that may move in front of the declaration it stands in.

In: its node. Out: whether its text means the same there, the parameters of templates that it names, and what of the
function it takes along: names of types, and constants whose values are known, which become its members.
"""

from __future__ import annotations

import re
from functools import cached_property

from clang.cindex import AccessSpecifier, Cursor

from rexcc.clang import library, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.lexical import COMMENT
from rexcc.source.patterns import regex
from rexcc.transformation.member_uses import class_around
from rexcc.transformation.name_lookup import is_found, is_looked_up, scope_of_name, scopes_left
from rexcc.transformation.usings import usings_before

_CLASSES = (*RECORD_KINDS, "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION")
AROUND = (*FUNCTION_KINDS, "FUNCTION_TEMPLATE", *_CLASSES, "VAR_DECL")
"""Declarations of namespaces in front of which a class can stand."""
_ALIASES = ("TYPEDEF_DECL", "TYPE_ALIAS_DECL")
_PARAMETERS = frozenset({"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER"})
_HIDDEN = (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED)
_OPENING = regex(rf"(?:{COMMENT}|[^{{/]|/(?![/*]))*\{{")


class MovableClass:
    """A class on its way in front of the declaration that it stands in."""

    def __init__(self, unit: ParsedUnit, declaration: Node, record: Node) -> None:
        self.unit = unit
        self.declaration = declaration
        self.record = record
        self._taken: dict[str, str] = {}  # texts of the members that it takes along, by name
        self._parameters: dict[str, Cursor] = {}

    def can_move(self) -> bool:
        """Whether the class means the same in front of the declaration, and the text has it in a statement of its
        own."""
        statement = self.record.parent
        if self.declaration.kind not in AROUND or statement is None or statement.kind != "DECL_STMT":
            return False
        if statement.start != self.record.start or usings_before(self.record, self.declaration) is None:
            return False
        if not all(map(self._keeps_meaning, self.record.walk())):
            return False
        if self._taken and self.record.kind == "ENUM_DECL":
            return False
        return not self._parameters or self._can_be_template()

    def _can_be_template(self) -> bool:
        """Whether the class can be a template of which the function has an alias: its name stands nowhere behind the
        word ``struct``, nor as a scope, whose types would need a word in front."""
        if self.record.kind == "ENUM_DECL" or any(p[0] is None for p in self.parameters):
            return False
        if sum("..." in str(declared) for declared, _ in self.parameters) > 1:
            return False
        around = (n for n in self.record.ancestors() if n.kind in (*FUNCTION_KINDS, "FUNCTION_TEMPLATE"))
        name = re.escape(self.record.spelling)
        text = self.unit.user_text(next(around, self.declaration))
        declared = len(re.findall(rf"\b(?:struct|class|union)\s+{name}\b", text))
        return declared == 1 and re.search(rf"\b{name}\s*::", text) is None

    @property
    def parameters(self) -> list[tuple[str | None, str]]:
        """The declarations and names of the templates' parameters around the class that it names, a pack last; None
        for what has no declaration here."""
        nodes = ((self.unit.tree.node(target), target) for target in self._parameters.values())
        found = [(*self._declared(node, target), node.start) for node, target in nodes]
        ordered = sorted(found, key=lambda each: ("..." in str(each[0]), each[2]))
        return [(declared, name) for declared, name, _ in ordered]

    def _declared(self, node: Node, target: Cursor) -> tuple[str | None, str]:
        name = str(target.spelling)
        if kind_of(target) == "TEMPLATE_TEMPLATE_PARAMETER" or not name:
            return None, name
        is_type = kind_of(target) == "TEMPLATE_TYPE_PARAMETER"
        kind = "class" if is_type else str(target.type.spelling).removesuffix("...")
        if any(sign in kind for sign in "()["):
            return None, name  # the name of a function or array stands within its type
        dots = "..." if "..." in self.unit.user_text(node).partition("=")[0] else ""
        return f"{kind}{dots} {name}", name

    @property
    def members(self) -> tuple[int, str]:
        """Where the class's members begin in the tree's text, and the declarations that are put there."""
        bases = [c.end for c in self.record.children if c.kind == "CXX_BASE_SPECIFIER"]
        text = self.unit.user_text(self.record)
        start = max([0, *(end - self.record.start for end in bases)])
        opening = _OPENING.match(text, start) if self._taken else None
        return (opening.end() if opening is not None else 0), "".join(f" {each};" for each in self._taken.values())

    def _keeps_meaning(self, name: Node) -> bool:
        target = name.referenced
        if target is None:
            return True
        if kind_of(target) in _PARAMETERS:
            return self._note_parameter(target)
        if self.record.has_declaration(target):
            return True
        if self.declaration.has_declaration(target) and (parent := target.semantic_parent) is not None:
            is_other = kind_of(parent) in _CLASSES or (kind_of(parent) == "ENUM_DECL" and not parent.is_anonymous())
            return not is_other and self._takes_along(name, target)
        return self._is_found(name, target) and self._has_access(target)

    def _note_parameter(self, target: Cursor) -> bool:
        if self.record.has_declaration(target):
            return True
        if str(target.spelling) not in self._parameters:
            self._parameters[str(target.spelling)] = target
            inside = (n.referenced for n in self.unit.tree.node(target).walk())
            return all(self._note_parameter(n) for n in inside if n is not None and kind_of(n) in _PARAMETERS)
        return True

    def _takes_along(self, name: Node, target: Cursor) -> bool:
        """Whether what the function declares can be a member of the class, too; if so, it will be."""
        if any(above.kind == "CXX_BASE_SPECIFIER" for above in (name, *name.ancestors()) if above is not self.record):
            return False
        text = self._alias(target) if kind_of(target) in _ALIASES else self._constant(target)
        if text is not None:
            self._taken[str(target.spelling)] = text
        return text is not None

    def _alias(self, target: Cursor) -> str | None:
        alias = self.unit.tree.node(target)
        text = self.unit.user_text(alias)
        if str(target.spelling) in self._taken:
            return self._taken[str(target.spelling)]
        if not text.startswith(("using ", "typedef ")) or re.search(r"#|//", text):
            return None
        inside = (n for n in alias.walk() if n.referenced is not None and n.referenced != target)
        return " ".join(text.split()) if all(map(self._keeps_meaning, inside)) else None

    def _constant(self, target: Cursor) -> str | None:
        """Return the definition of a constant of the function's, whose value is a number that is known."""
        kind = target.type
        if kind_of(target) == "ENUM_CONSTANT_DECL":
            values = [c.enum_value for c in library.children(target.semantic_parent) if c.kind == target.kind]
            is_int = types.kind_name(target.semantic_parent.enum_type) in ("INT", "UINT") and max(values) < 1 << 31
            return f"enum {{ {target.spelling} = {target.enum_value} }}" if is_int else None
        if kind_of(target) != "VAR_DECL" or not types.is_scalar(kind) or types.is_volatile(kind):
            return None
        node = self.unit.tree.node(target)
        value = (
            library.evaluate_integer(node.children[-1].cursor) if node.children and types.is_constant(kind) else None
        )
        if value is None or types.kind_name(types.canonical(kind)) == "ENUM":
            return None
        written = spelling.spell(types.canonical(kind)).removeprefix("const ")
        return f"static constexpr {written} {target.spelling} = {value}"

    def _is_found(self, name: Node, target: Cursor) -> bool:
        """Whether a name is not one that only the class or the namespaces around the function make known."""
        scope = scope_of_name(target)
        if scope is not None and kind_of(scope) in _CLASSES and is_looked_up(name):
            return class_around(self.declaration, self.record) is None
        return is_found(name, target, self._scopes_left)

    @cached_property
    def _scopes_left(self) -> list[Cursor]:
        return scopes_left(self.declaration)

    def _has_access(self, target: Cursor) -> bool:
        """Whether a member is one of all, not one that the method around the class may use."""
        return target.access_specifier not in _HIDDEN or class_around(self.declaration, self.record) is None
