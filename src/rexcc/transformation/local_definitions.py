"""Definitions of a function that a class in front of it has as its own: names of types, constants, enumerators.

In: what a lambda names of its function. Out: the statement that declares it, whether the class can have that again, and
its text there. Names in it that are found in the function's class alone have that class in front of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clang.cindex import AccessSpecifier, Cursor, Type

from rexcc.analysis.constant_values import is_repeatable
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.frontend.probe import ProbedFile
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.patterns import regex

_Edits = Iterable[tuple[int, int, str]]
_SPECIFIERS = regex(r"(?:(?:static|constexpr|const)\s+)+")
_PARAMETERS = (
    "TEMPLATE_TYPE_PARAMETER",
    "TEMPLATE_NON_TYPE_PARAMETER",
    "TEMPLATE_TEMPLATE_PARAMETER",
)
_ALIASES = ("TYPEDEF_DECL", "TYPE_ALIAS_DECL")
_OTHER_TEXT = regex(r"#|//")


class LocalDefinitions:
    """What a class in front of a function has of the function's definitions.

    ``aliases`` are names of types, ``constants`` statements that become static constants and enumerators of the class,
    ``statics`` those that the body of its method repeats, ``given_types`` names of types that are arguments of the
    class's template. ``keeps_meaning`` says whether a name means the same in front of the function, ``used``
    tells the variables of the function that the lambda names: the class has them, too.
    """

    def __init__(
        self,
        unit: ParsedUnit,
        declaration: Node,
        keeps_meaning: Callable[[Node], bool],
        used: Callable[[], Iterable[Variable]],
    ) -> None:
        self.unit = unit
        self.used = used
        self.declaration = declaration
        self.keeps_meaning = keeps_meaning
        self.aliases: list[Node] = []
        self.given_types: list[Node] = []
        self.statics: list[Node] = []
        self.constants: list[Node] = []

    @property
    def repeated(self) -> list[Node]:
        """What has its text again."""
        return [*self.aliases, *self.statics, *self.constants]

    def add_static(self, static: Cursor) -> bool:
        """Whether a body can define a static constant of the function again; if so, it will."""
        statement = _statement_of(self.declaration, static)
        if statement in self.statics:
            return True
        if statement is None or not all(is_repeatable(child.cursor) for child in statement.children):
            return False
        text = self.unit.user_text(statement)
        if not text.startswith("static") or _OTHER_TEXT.search(text) or not self._keep_meaning(statement, static):
            return False
        return self._add(self.statics, statement)

    def add_constant(self, declared: Cursor) -> bool:
        """Whether the class can have a constant or an enumeration of the function as its own; if so, it will."""
        statement = _statement_of(self.declaration, declared)
        if statement in self.constants:
            return True
        if statement is None or not self._can_be_member(statement) or not self._keep_meaning(statement, declared):
            return False
        return self._add(self.constants, statement)

    def add_alias(self, alias: Node) -> bool:
        """Whether a name of a type that the function declares can be one of the class's, too; if so, it will be. What
        asks a variable for its type has that type's name, or is an argument of the class's template."""
        if alias in self.aliases or alias in self.given_types:
            return True
        if self.unit.user_text(alias).partition(" ")[0] not in ("using", "typedef"):
            return False
        if self._keep_meaning(alias, alias.cursor) or _known_alias(alias) is not None:
            return self._add(self.aliases, alias)
        if not types.is_dependent(alias.cursor.type):
            return False
        return self._add(self.given_types, alias)

    def defines(self, variable: Cursor) -> bool:
        """Whether the class has a variable's definition."""
        return any(child.cursor == variable for statement in self.constants for child in statement.children)

    def members(self, edits: _Edits) -> list[str]:
        """Return what the class defines of the function's types and constants, in their order."""
        found = []
        for node in sorted([*self.aliases, *self.constants], key=lambda node: node.start):
            asks = node in self.aliases and any(_is_variable(n.referenced) for n in node.walk())
            known = _known_alias(node) if asks else None
            found.append(known or _rendered(self.unit, node, edits))
        return found

    def again(self, nodes: Iterable[Node], edits: _Edits = ()) -> list[str]:
        """Return statements as those of a function, in their order."""
        ordered = sorted(nodes, key=lambda node: node.start)
        return [f"{_rendered(self.unit, node, edits, member=False)};" for node in ordered]

    def _add(self, definitions: list[Node], definition: Node) -> bool:
        """Add a definition, unless blocks of the function give its names to others that the class has: it is one
        scope."""
        names = _names_of(definition)
        known = {name for other in (*self.repeated, *self.given_types) for name in _names_of(other)}
        known |= {v.name for v in self.used() if not definition.has_declaration(v.cursor)}
        if not known.isdisjoint(names):
            return False
        definitions.append(definition)
        return True

    def _keep_meaning(self, definition: Node, declared: Cursor) -> bool:
        """Whether what a definition names means the same in front of the function."""
        for node in definition.walk():
            target = node.referenced
            if target is None or target == declared or definition.has_declaration(target):
                continue
            if kind_of(target) not in _PARAMETERS and not self.keeps_meaning(node):
                return False
        return True

    def _can_be_member(self, statement: Node) -> bool:
        """Whether a class can have what a statement declares as its static constants: variables with ``constexpr`` or
        ``const`` in front, no arrays or references, or the enumerators of an enumeration without a name."""
        if all(child.kind == "ENUM_DECL" and "(" in str(child.cursor.type.spelling) for child in statement.children):
            return True
        text = self.unit.user_text(statement)
        specifiers = _SPECIFIERS.match(text)
        if specifiers is None or "const" not in specifiers[0] or _OTHER_TEXT.search(text):
            return False
        return all(child.kind == "VAR_DECL" and _has_value(child.cursor) for child in statement.children)


def _statement_of(declaration: Node, declared: Cursor) -> Node | None:
    """Return the statement of a function that declares something."""
    statements = (node for node in declaration.walk() if node.kind == "DECL_STMT")
    return next((s for s in statements if any(c.cursor == declared for c in s.children)), None)


def _names_of(definition: Node) -> set[str]:
    """Return the names that a statement, or the declaration of a name of a type, declares."""
    kinds = ("VAR_DECL", "ENUM_CONSTANT_DECL", *_ALIASES)
    return {str(node.spelling) for node in definition.walk() if node.kind in kinds}


def _is_variable(target: Cursor | None) -> bool:
    return target is not None and kind_of(target) in ("VAR_DECL", "PARM_DECL")


def _has_value(variable: Cursor) -> bool:
    kind = variable.type
    if types.is_reference(kind) or types.is_array(kind) or types.is_volatile(kind):
        return False
    return library.initialiser(variable) is not None


def _rendered(unit: ParsedUnit, node: Node, edits: _Edits, *, member: bool = True) -> str:
    """Return the text of a definition in one line, with those edits that stand in it, as a member or as it is."""
    file: ProbedFile = unit.files[node.file]
    begin, end = file.original(node.start), file.original(node.end)
    text, place = "", begin
    for start, stop, new in sorted(edits):
        if begin <= start and stop <= end:
            text += file.scan.source.text[place:start] + new
            place = stop
    text = " ".join((text + file.scan.source.text[place:end]).split("\n")).rstrip("; ")
    is_constant = any(child.kind == "VAR_DECL" for child in node.children) and node.kind == "DECL_STMT"
    return _SPECIFIERS.sub("static constexpr ", text, count=1) if member and is_constant else text


def _known_alias(alias: Node) -> str | None:
    """Return the definition of a name of a type that depends on no template, by the type's name everywhere, None where
    it has none."""
    kind = types.canonical(alias.cursor.type)
    parts = [types.canonical(part) for part in spelling.named_types(kind)]
    if types.is_dependent(kind) or not all(map(can_be_named, parts)):
        return None
    return f"using {alias.spelling} = {spelling.spell(kind)}"


def can_be_named(kind: Type) -> bool:
    """Whether a type has a name outside of functions that everybody may use."""
    if types.kind_name(kind) == "UNEXPOSED" or spelling.is_unnamed(kind) or spelling.has_given_name(kind):
        return False
    scope: Cursor | None = kind.get_declaration()
    while scope is not None and kind_of(scope) in (*RECORD_KINDS, "ENUM_DECL", "CLASS_TEMPLATE"):
        if scope.access_specifier in (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED):
            return False
        scope = scope.semantic_parent
    return scope is None or kind_of(scope) not in FUNCTION_KINDS
