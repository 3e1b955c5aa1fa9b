"""Device slice: the user's declarations that kernels need, as device code.

In: a closure. Out: text pieces with their place in the translation unit. Each piece is the user's bytes with qualifiers
of the target and the dialect's edits put in; ``#line`` leads compiler messages back to him. Functions, types and
variables have modules of their own (``functions``, ``types``, ``variables``).
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.codegen.places.macro_declarations import expand_hidden
from rexcc.codegen.places.scopes import empty_namespace
from rexcc.codegen.slice.edits import semicolon
from rexcc.codegen.slice.functions import first_prototype, function_piece, locks_of, prototype_piece
from rexcc.codegen.slice.group_variables import group_piece
from rexcc.codegen.slice.pieces import Piece, SliceContext
from rexcc.codegen.slice.types import alias_piece, record_piece
from rexcc.codegen.slice.variables import (
    device_variables,
    first_declaration,
    member_piece,
    pointer_piece,
    variable_piece,
)
from rexcc.lowering.generic.team_functions import TeamFunctions
from rexcc.lowering.text.qualified import qualify_members
from rexcc.program.variables import Variable
from rexcc.source.patterns import regex

_EXPLICIT = regex(r"(?:extern\s+)?template\b(?!\s*<)")
"""How an explicit instantiation begins."""


class SliceWriter(SliceContext):
    """Makes the pieces of a closure."""

    def pieces(self) -> list[Piece]:
        """Return all pieces in the order of the translation unit."""
        found: list[Piece | None] = [Piece((-1,), self._lock(name)) for name in sorted(locks_of(self))]
        for node in outermost(list(self.closure.declarations.values())):
            found += self.declaration(node)
        found += [prototype_piece(self, n) for key, n in self.closure.unevaluated.items() if self._is_missing(key, n)]
        forward = (n for n in self.closure.forward.values() if n.file in self.unit.files)
        found += [self._forward(n) for n in forward if not self._is_instantiation(n)]
        groups = [n for n in self.closure.variables.values() if Variable(n.cursor) in self.declared.groups]
        others = [n for n in self.closure.variables.values() if n not in groups]
        found += [variable_piece(self, n) for n in outermost(others)]
        found += [group_piece(self, n) for n in groups]
        found += [member_piece(self, n) for n in self.closure.members.values()]
        found += [first_declaration(self, n) for n in self.closure.variables.values()]
        found += [pointer_piece(self, v.cursor, v.linked) for v in device_variables(self) if v.linked is not None]
        found += [p for c in self.closure.namespaces.values() if (p := self._namespace(c)) is not None]
        return sorted((p for p in found if p is not None), key=lambda p: p.key)

    def declaration(self, node: Node, made: Node | None = None, in_full: bool = False) -> list[Piece]:
        """Return the pieces of a type, function or alias; ``made`` is an instantiation's form of a template's type,
        which is meant ``in_full`` where the text names what has no name there."""
        if node.file not in self.unit.files:
            return []
        expand_hidden(self.body(node), node)
        if node.kind in FUNCTION_KINDS and kind_of(node.cursor.lexical_parent) in FUNCTION_KINDS:
            return [prototype_piece(self, node)]
        if node.kind in FUNCTION_KINDS:
            first = first_prototype(self, node)
            pieces = [*([first] if first is not None else []), function_piece(self, node)]
            if (node.file, node.start) in self.options.together:
                pieces.append(function_piece(self, node, self.unit.kept(TeamFunctions).at((node.file, node.start))))
            return pieces
        if node.kind in RECORD_KINDS and self._is_instantiation(node):
            return []  # device code of a file has the instantiations that it needs
        if node.kind in RECORD_KINDS or node.kind == "ENUM_DECL":
            return [record_piece(self, node, made)]
        return [alias_piece(self, node, made, in_full)]

    def local_constant(self, statement: Node) -> Piece:
        """Return the piece of a function's statement that declares constants."""
        declared, body = statement.children[0], self.body(statement)
        expand_hidden(body, statement)
        qualify_members(body, statement)
        start, end = body.start(statement), body.end(statement)
        return self.piece(declared, start, semicolon(self.finished(body, start, end)))

    def _is_instantiation(self, record: Node) -> bool:
        """Whether a declaration is an explicit instantiation, also one by a macro."""
        if _EXPLICIT.match(self.unit.user_text(record)):
            return True
        return library.template_of(record.cursor) is not None and self.unit.instances.has_members_of(record.cursor)

    def _is_missing(self, key: int, function: Node) -> bool:
        return function.file in self.unit.files and key not in self.closure.declarations

    def _lock(self, name: str) -> str:
        """Return the lock of a ``critical`` construct, which is one for all units of an image.

        It is a function's, as an image has no variable of a function that no kernel calls. One that has a lock is not
        loaded twice (``rex_queue.h``).
        """
        device = self.unit.target.words.device
        head = f"static {device} unsigned &rex_critical_{name}()"
        if not self.options.mark:
            return f"{head} {{ static unsigned lock; return lock; }}\n"
        lock = f"rex_lock_{name}"
        return f'extern "C" {{ REX_MERGED {device} unsigned {lock}; }}\n{head} {{ return {lock}; }}\n'

    def _forward(self, node: Node) -> Piece:
        """Keep what declares a class, a template or a function that is defined later: declarations in between may name
        it, and may not be what makes a specialisation first (C++20, 13.9.4, paragraph 7)."""
        if node.kind in FUNCTION_KINDS:
            return prototype_piece(self, node)
        body = self.body(node)
        start, end = body.start(node), body.end(node)
        return self.piece(node, start, semicolon(self.finished(body, start, end)))

    def _namespace(self, space: Cursor) -> Piece | None:
        """Open a namespace of the user's that a using directive or alias names, should nothing else of it be there."""
        node = self.unit.tree.node(space)
        if node.file not in self.unit.files:
            return None
        key = self.places.key(node.file, self.unit.files[node.file].original(node.start))
        return Piece(key, empty_namespace(space))


def outermost(nodes: list[Node]) -> list[Node]:
    """Drop declarations that another one's text contains (``typedef struct {…} T;``, ``int a, b;``)."""
    ordered = sorted(nodes, key=lambda n: (n.file, n.start, -n.end))
    kept: list[Node] = []
    for node in ordered:
        if kept and kept[-1].file == node.file and node.end <= kept[-1].end:
            continue
        kept.append(node)
    return kept
