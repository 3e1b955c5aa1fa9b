"""What a lambda in a method names of the method's class.

In: uses of ``this`` and of the class's members in the lambda's text. Out: edits that give each an object or a scope,
and where the class opens, for the declaration of a friend: the lambda's own class stands outside.
"""

from __future__ import annotations

import re

from clang.cindex import AccessSpecifier, Cursor

from rexcc.clang import classes, library, locations, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.frontend.probe import ProbedFile
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.transformation.lambda_members import COPY, THIS

_HIDDEN = (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED)
_CLASSES = (*RECORD_KINDS, "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION")
_OF_BASE = regex(r"[\w:<>, ]+::\s*(?:template\s+)?(?P<name>\w+)")


def class_around(declaration: Node, expression: Node) -> Cursor | None:
    """Return the class whose method an expression of a declaration stands in, or that has it in its own definition."""
    for above in expression.ancestors():
        parent = above.cursor.semantic_parent if above.kind in FUNCTION_KINDS else None
        if above.kind in _CLASSES:
            return above.cursor
        if parent is not None and kind_of(parent) in _CLASSES and not str(parent.spelling).startswith("(lambda"):
            return parent
        if above is declaration:
            break
    return None


def in_const_method(expression: Node) -> bool:
    """Whether ``this`` is a pointer to a constant object where an expression stands."""
    above = next((node for node in expression.ancestors() if node.kind in FUNCTION_KINDS), None)
    return above is not None and bool(above.cursor.is_const_method())


def has_mutable_members(expression: Node) -> bool:
    """Whether a constant object of the class that a method with an expression is one of may change. A template says so
    of its own members alone."""
    above = next((node for node in expression.ancestors() if node.kind in FUNCTION_KINDS), None)
    scope = above.cursor.semantic_parent if above is not None else None
    if scope is None:
        return False
    if types.is_record(scope.type):
        return classes.has_mutable_part(scope.type)
    return any(c.is_mutable_field() for c in library.children(scope) if kind_of(c) == "FIELD_DECL")


def _with_bases(scope: Cursor) -> set[str]:
    """Return the identities of a class and its bases."""
    found: set[str] = set()
    waiting = [scope]
    for each in waiting:
        found.add(str(each.get_usr()))
        definition = each.get_definition() or each
        bases = (c for c in library.children(definition) if kind_of(c) == "CXX_BASE_SPECIFIER")
        waiting += [base.type.get_declaration() for base in bases]
    return found


def _in_value(name: Node) -> bool:
    """Whether a type's name stands in front of that of a value, ``Kind::Few``."""
    return name.parent is not None and name.parent.kind == "DECL_REF_EXPR"


def _is_behind_own(name: Node) -> bool:
    """Whether a class is written in front of a name of a type, which gets its own scope."""
    beside = name.parent.children if name.parent is not None and name.kind == "TYPE_REF" else []
    return any(other.kind == "TYPE_REF" and other.start < name.start for other in beside)


class MemberUses:
    """The uses of members in a lambda of a method, with the edits for them.

    ``scope`` is the method's class, ``is_complete``: it ends in front of the declaration that the lambda stands in.
    ``names_class``: the text has the class as a parameter of a template, which no object tells.
    """

    def __init__(self, unit: ParsedUnit, file: ProbedFile, scope: Cursor | None, is_complete: bool) -> None:
        self.unit = unit
        self.file = file
        self.scope = scope
        self.is_complete = is_complete
        self.edits: list[tuple[int, int, str]] = []
        self.friends_of: dict[str, Node] = {}
        self.names_class = False
        self._places: set[int] = set()

    @property
    def is_friend(self) -> bool:
        """Whether a class has to make the lambda's class a friend."""
        return bool(self.friends_of)

    @property
    def spelled(self) -> str:
        """The class's name in front of the lambda's function, empty where it is not complete there or a template."""
        if self.scope is None or not self.is_complete or kind_of(self.scope) not in ("STRUCT_DECL", "CLASS_DECL"):
            return ""
        return spelling.spell(self.scope.type)

    @property
    def _has_name(self) -> bool:
        """Whether the class has a name, which others than a function's own code may write."""
        around, is_named = self.scope, self.scope is not None and str(self.scope.spelling).isidentifier()
        while around is not None and kind_of(around) not in FUNCTION_KINDS:
            around = around.semantic_parent
        return is_named and around is None

    def add_use(self, use: Node, held: str) -> bool:
        """Give a use of ``this`` the object that the lambda holds; return whether its text can have it."""
        start = self.file.original(use.start)
        text = self.file.scan.source.text
        if not self._note_members(use):
            return False
        if start in self._places:
            return True
        if use.kind == "CXX_THIS_EXPR" and re.compile(r"this\b").match(text, start):
            self._edit(start, start + len("this"), held if held == THIS else f"(&{COPY})")
            return True
        name = use.spelling or (use.parent.spelling if use.parent is not None else "")
        if not name and use.referenced is None and (member := _OF_BASE.match(text, start)) is not None:
            name = member["name"]  # of a base that depends on the parameters
        named = re.compile(rf"(?:[\w:<>, ]+::)?(?:\s*template\s+)?{re.escape(name)}(?!\w)")
        if not name or named.match(text, start) is None:
            return False
        is_template = use.kind == "OVERLOADED_DECL_REF" and text[start + len(name) :].lstrip().startswith("<")
        self._edit(start, start, f"{THIS}->" if held == THIS else f"{COPY}.")
        return not is_template

    def add_member(self, name: Node, target: Cursor, has_object: bool) -> bool:
        """Give a member that is found by its name alone its class; return whether its text can have it."""
        start = self.file.original(name.start)
        text = self.file.scan.source.text
        if not (has_object or self._has_name) or not self.note_access(target):
            return False
        if text[start - 2 : start] == "::":
            return _is_behind_own(name)
        if any(child.kind == "TYPE_REF" and child.start == name.start for child in name.bare().children):
            return True  # a class or enumeration is written in front of it, which gets its own
        if start in self._places or re.compile(rf"{re.escape(target.spelling)}\b").match(text, start) is None:
            return start in self._places
        owner = target.semantic_parent
        while owner is not None and kind_of(owner) == "ENUM_DECL":
            owner = owner.semantic_parent
        if owner is None or self.scope is None or owner.get_usr() not in _with_bases(self.scope):
            return False
        is_type = name.kind in ("TYPE_REF", "TEMPLATE_REF") and not _in_value(name)
        prefix = f"{self.spelled}::" if self.spelled else f"{'typename ' if is_type else ''}rex_self::"
        self._edit(start, start, prefix)
        self._note_class(has_object)
        return True

    def add_class(self, name: Node, has_object: bool) -> bool:
        """Let a name of the class mean it in front of its definition, too; return whether its text can."""
        start, word = self.file.original(name.start), str(name.referenced.spelling) if name.referenced else ""
        text, named = self.file.scan.source.text, re.compile(rf"{re.escape(word)}\b")
        if self.scope is None or not self._has_name:
            return False
        if not word or text[start - 2 : start] == "::" or named.match(text, start) is None:
            return False
        end = start + len(word)
        if kind_of(self.scope) not in ("STRUCT_DECL", "CLASS_DECL"):
            whole = self._with_own_arguments(end)
            if whole is None or name.parent is None or name.parent.kind != "MEMBER_REF_EXPR":
                return False
            end = whole
        if not self.spelled and start not in self._places:
            is_value = _in_value(name) or kind_of(self.scope) == "CLASS_TEMPLATE"
            leads = text[end:].lstrip().startswith("::") and not is_value
            is_said = text[:start].rstrip().endswith("typename")
            self._edit(start, end, "typename rex_self" if leads and not is_said else "rex_self")
            self._note_class(has_object)
        return True

    def is_own_name(self, name: Node, target: Cursor) -> bool:
        """Whether a name is the class's own; a template's is that of the instantiation in which it stands."""
        if self.scope is None:
            return False
        if name.kind == "TYPE_REF" and target == self.scope:
            return True
        is_template = kind_of(self.scope) == "CLASS_TEMPLATE" and name.kind in ("TYPE_REF", "TEMPLATE_REF")
        return is_template and str(target.get_usr()) == str(self.scope.get_usr())

    def _with_own_arguments(self, end: int) -> int | None:
        """Return where the name of a class template ends, with its own parameters as arguments if it has some; None
        where it has others, or is a partial specialisation's."""
        if self.scope is None or kind_of(self.scope) != "CLASS_TEMPLATE":
            return None
        text = self.file.scan.source.text
        given = re.compile(r"\s*<([\w\s,.]*)>").match(text, end)
        if given is None:
            return None if text[end:].lstrip().startswith("<") else end
        parameters = [str(c.spelling) for c in library.children(self.scope) if kind_of(c).startswith("TEMPLATE_")]
        return given.end() if [a.strip(" .") for a in given[1].split(",")] == parameters else None

    def _note_class(self, has_object: bool) -> None:
        self.names_class |= not has_object and not self.spelled

    def note_access(self, target: Cursor) -> bool:
        """Take down that a member is used; return whether the lambda's class can have access to it."""
        parent = target.semantic_parent
        if parent is not None and kind_of(parent) == "ENUM_DECL":  # an enumerator's is that of its enumeration
            target, parent = parent, parent.semantic_parent
        while parent is not None and kind_of(parent) in RECORD_KINDS and parent.is_anonymous():
            target, parent = parent, parent.semantic_parent  # members of an anonymous union are the class's
        if target.access_specifier not in _HIDDEN:
            return True
        owner = self.scope if target.access_specifier == AccessSpecifier.PROTECTED else target.semantic_parent
        around = self.scope
        while around is not None and owner is not None and around.get_usr() != owner.get_usr():
            around = around.semantic_parent  # a class in a class has access to both
        definition = self._definition_of(around)
        if definition is None:
            return False
        self.friends_of[definition.cursor.get_usr()] = definition
        return True

    def _note_members(self, use: Node) -> bool:
        """Take down the members around a use of ``this`` in ``this->a.b``."""
        node: Node | None = use
        while node is not None and node.kind in (
            "CXX_THIS_EXPR",
            "MEMBER_REF_EXPR",
            "UNEXPOSED_EXPR",
            "UNARY_OPERATOR",
        ):
            target = node.referenced
            if target is not None and node.kind == "MEMBER_REF_EXPR" and not self.note_access(target):
                return False
            node = node.parent
        return True

    def _edit(self, start: int, end: int, text: str) -> None:
        self._places.add(start)
        self.edits.append((start, end, text))

    def _definition_of(self, scope: Cursor | None) -> Node | None:
        """Return a class's definition, None where it is in no file of the user's."""
        definition = scope.get_definition() if scope is not None else None
        node = self.unit.tree.node(definition) if definition is not None else None
        return node if node is not None and node.file in self.unit.files else None

    def openings(self) -> list[tuple[str, int]]:
        """Return where the classes' members begin that make the lambda's class a friend, each with its file."""
        found = []
        for node in self.friends_of.values():
            file = self.unit.files[node.file]
            name = locations.file_location(node.cursor.location, self.unit.tree.names)[1]
            found.append((file.scan.source.path, file.scan.source.text.index("{", file.original(name)) + 1))
        return found
