"""Types that a function declares and its kernels name.

In: the closure's local types. Out: the text of those that stand outside of regions, in a namespace that the function's
kernels stand in too. A template's local types stand before each of its kernels, where the template's parameters have
their meaning. Where blocks of one function give types of their own the same name, each such block has a namespace
inside of the function's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from clang.cindex import Cursor

from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, spelling, types
from rexcc.clang.scopes import uses_enumeration
from rexcc.clang.tree import Node
from rexcc.codegen.places.member_usings import lines, member_types
from rexcc.codegen.places.scopes import USINGS, in_scopes, local_usings, namespaces_of_kernel, using_text
from rexcc.codegen.places.templates import template_aliases, undeclarable
from rexcc.codegen.places.unit_order import Places
from rexcc.codegen.places.written_names import Usings
from rexcc.codegen.slice.local_constants import has_constant_values, is_written_so, named_variables
from rexcc.codegen.slice.pieces import Piece
from rexcc.codegen.slice.types import ALIASES, names_local
from rexcc.codegen.slice.writer import SliceWriter, outermost
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.text.extents import is_runtime_array, is_runtime_pointer
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import error
from rexcc.source.records import replace


class LocalTypes:
    """The local types of one unit, by the function that declares them, and the namespaces of kernels."""

    def __init__(
        self, unit: ParsedUnit, places: Places, writer: SliceWriter, kernels: Iterable[Kernel], usings: Usings
    ) -> None:
        self.unit = unit
        self.places = places
        self.writer = writer
        self._needed = usings.needs
        self._of: dict[Place, list[Node]] = {}
        carried = [part for k in kernels for part in (k.region.body, *(c.definition for c in k.data.closures))]
        for node in writer.closure.local_types.values():
            if any(node.is_inside(part) for part in carried):
                continue  # it stands in the kernel
            if is_runtime_array(node.type) or is_runtime_pointer(node.type):
                continue  # its extents travel to the kernel
            owner = self._owner(node)
            self._of.setdefault((owner.file, owner.start), []).append(_as_written(node, owner))
        self._usings = self._all_usings(kernels)
        self._blocks = {
            function: self._distinguished([*self._with_constants(found), *self._usings[function]])
            for function, found in self._of.items()
        }

    def pieces(self, kernels: Iterable[Kernel]) -> list[Piece]:
        """Return the local types of functions that are no templates, each once."""
        regions = {(f.file, f.start): k.region for k in kernels if (f := _function(k.region)) and not _is_template(k)}
        found: list[Piece] = []
        for place, region in regions.items():
            start = self.unit.files[place[0]].original(place[1])
            scope = self._scope_of_function(region)
            local = outermost(self._of.get(place, []))
            if local and (members := lines(member_types(region))):
                key = (*self.places.key(place[0], start), 0)
                found.append(Piece(key, in_scopes(scope, "".join(f"{line}\n" for line in members))))
            pieces = [(node, piece) for node in local for piece in self.writer.declaration(node)]
            constants, others = self._variables(_function(region), local, {})
            pieces += [(using, self._using(using)) for using in self._usings.get(place, ())]
            pieces += [(node, self._declaration(node, node)) for node in others]
            for node, piece in [*pieces, *((node, self.writer.local_constant(node)) for node in constants)]:
                scoped = (*scope, *self._blocks_around(place, node))
                key = (*self.places.key(place[0], start), piece.key[-1])
                found.append(Piece(key, in_scopes(scoped, piece.text), piece.names, piece.uses))
        return found

    def of_template(self, kernel: Kernel) -> str:
        """Return the local types of a template, for one of its kernels."""
        if not _is_template(kernel):
            return ""
        owner = _function(kernel.region)
        place = (owner.file, owner.start)
        around = self._blocks_around(place, kernel.region.construct.node)
        made = _declared(kernel.region.owner.node)
        known = [n for n in self._of.get(place, []) if (n.kind, n.start) in made]
        seen = [n for n in known if not {*self._blocks_around(place, n)} - {*around}]
        if self._distinguished(seen):
            message = "a type of a template's block that hides another type of that function cannot be lowered yet"
            raise error("unsupported-capture", message, kernel.region.construct.span)
        if not seen:
            return ""
        full = [n for n in seen if n.kind in ALIASES and undeclarable(kernel.region, [n])]
        named = undeclarable(kernel.region, [n for n in seen if n not in full])
        if named:
            message = f"a type of this function names '{min(named)}', a pack or template, which cannot be lowered yet"
            raise error("unsupported-template", message, kernel.region.construct.span)
        pieces = [p for n in outermost(seen) for p in self.writer.declaration(n, made[n.kind, n.start], n in full)]
        constants, others = self._variables(owner, seen, made)
        pieces += [self._constant_of(kernel.region, s, made) for s in constants]
        pieces += [self._declaration(n, made.get((n.kind, n.start), n)) for n in others]
        pieces += [self._using(u) for u in self._usings[place] if not {*self._blocks_around(place, u)} - {*around}]
        aliases = (*template_aliases(kernel.region), *lines(member_types(kernel.region))) if pieces else ()
        return "".join([*(f"{a}\n" for a in aliases), *(p.text for p in sorted(pieces, key=lambda p: p.key))])

    def _all_usings(self, kernels: Iterable[Kernel]) -> dict[Place, list[Node]]:
        """Return, for each function with local types, what brings names into the blocks of these."""
        found: dict[Place, dict[Place, Node]] = {place: {} for place in self._of}
        for region in (k.region for k in kernels):
            owner = _function(region)
            place = (owner.file, owner.start)
            for using in local_usings(region) if place in found else ():
                if self._is_for(using, self._of[place]):
                    found[place][using.file, using.start] = using
        return {place: list(usings.values()) for place, usings in found.items()}

    def _is_for(self, using: Node, declared: list[Node]) -> bool:
        """Whether the text of types may name what a using declaration, a using directive or an alias brings."""
        if not using_text(self.unit.user_text(using)):
            return False
        block = next((a for a in using.ancestors() if a.kind == "COMPOUND_STMT"), None)
        behind = [n for n in declared if block is None or (using.start < n.start and n.is_inside(block))]
        if using.kind == "USING_DIRECTIVE" or uses_enumeration(using):
            return bool(behind) and (using.kind == "USING_DIRECTIVE" or self._needed(using))
        named = any(re.search(rf"\b{re.escape(using.spelling)}\b", self.unit.user_text(n)) for n in behind)
        return named and (using.kind == "NAMESPACE_ALIAS" or self._needed(using))

    def _using(self, using: Node) -> Piece:
        """Return the piece of what brings names into a block."""
        key = self.places.key(using.file, self.unit.files[using.file].original(using.start))
        return Piece(key, using_text(self.unit.user_text(using)) + "\n")

    def _constant_of(self, region: TargetRegion, statement: Node, made: dict[tuple[str, int], Node]) -> Piece:
        """Return constants of a template: by their values in the instantiation where no line can declare what they are
        made of."""
        piece, named = self.writer.local_constant(statement), undeclarable(region, [statement])
        if not named:
            return piece
        declared = [made.get((child.kind, child.start), child) for child in statement.children]
        values = [library.evaluate_integer(n.children[-1].cursor) if n.children else None for n in declared]
        if None in values or not all(types.is_scalar(n.type) for n in declared):
            message = (
                f"a constant of this function names '{min(named)}', a pack or template, which cannot be lowered yet"
            )
            raise error("unsupported-template", message, region.construct.span)
        kinds = [types.canonical(n.type) for n in declared]
        lines = (
            f"constexpr {spelling.declare_bare(kind, n.spelling)} = ({spelling.spell_bare(kind)}){value};\n"
            for n, kind, value in zip(declared, kinds, values, strict=True)
        )
        return replace(piece, text="".join(lines), uses=())

    def _with_constants(self, declared: list[Node]) -> list[Node]:
        """Return types, and the constants that they name."""
        statements, _ = self._named(declared, self._owner(declared[0]), self._is_written_so)
        return [*declared, *(constant for statement in statements for constant in statement.children)]

    def _variables(
        self, owner: Node, declared: list[Node], made: dict[tuple[str, int], Node]
    ) -> tuple[list[Node], list[Node]]:
        """Return the statements with the constants of a function that types name, and the other variables that these
        name; ``made`` is what an instantiation has in place of a template's declarations."""

        def is_constant(statement: Node) -> bool:
            known = [made.get((child.kind, child.start), child) for child in statement.children]
            return self._is_written_so(statement) and has_constant_values(self.unit.user_text(statement), known)

        return self._named(declared, owner, is_constant)

    def _named(
        self, declared: list[Node], owner: Node, is_constant: Callable[[Node], bool]
    ) -> tuple[list[Node], list[Node]]:
        if not self.unit.is_cplusplus:
            return [], []
        constants, others = named_variables(owner, declared, is_constant)
        written = [n for n in declared if n.kind not in ALIASES or not names_local(n)]
        return constants, named_variables(owner, written, is_constant)[1] if others else []

    def _is_written_so(self, statement: Node) -> bool:
        return is_written_so(self.unit.user_text(statement))

    def _declaration(self, variable: Node, made: Node) -> Piece:
        """Return the declaration of a variable that types ask for its type."""
        body = self.writer.body(variable)
        kind = library.canonical_type(made.type)
        return self.writer.piece(variable, body.start(variable), f"extern {spelling.declare(kind, variable.spelling)};")

    def scope(self, region: TargetRegion, stem: str = "") -> tuple[str, ...]:
        """Return the namespaces of a kernel: its function's, and those for the local types where there are any."""
        owner = _function(region)
        found = self._scope_of_function(region, stem)
        if region.owner.template is not None:
            return found
        return (*found, *self._blocks_around((owner.file, owner.start), region.construct.node))

    def _scope_of_function(self, region: TargetRegion, stem: str = "") -> tuple[str, ...]:
        owner = _function(region)
        around = namespaces_of_kernel(owner.cursor)
        if (owner.file, owner.start) not in self._of:
            return around
        if region.owner.template is not None:
            return (*around, f"namespace rex_in_{stem}")
        mark = f"_{self.writer.options.mark}" if self.writer.options.mark else ""
        file = self.unit.files[owner.file]
        line = file.scan.source.line_column(file.original(owner.start))[0]
        return (*around, f"namespace rex_in_{re.sub(r'[^A-Za-z0-9_]+', '_', owner.spelling)}_{line}{mark}")

    def _blocks_around(self, function: Place, node: Node) -> tuple[str, ...]:
        """Return the namespaces for the blocks around a node of a function, outer ones first."""
        blocks = self._blocks.get(function, [])
        places = ((above.file, above.start) for above in node.ancestors() if above.kind == "COMPOUND_STMT")
        return tuple(f"namespace rex_in_block_{blocks.index(p) + 1}" for p in places if p in blocks)[::-1]

    def _distinguished(self, declared: list[Node]) -> list[Place]:
        """Return the blocks of a function that give a name another meaning than another of its blocks does."""
        found: dict[str, dict[Place, str]] = {}
        for node in declared:
            block = next((a for a in node.ancestors() if a.kind == "COMPOUND_STMT"), None)
            if block is None:
                continue
            is_using = node.kind in USINGS or uses_enumeration(node)
            meaning = using_text(self.unit.user_text(node)) if is_using else f"{node.start}"
            enumerators = (child.spelling for child in node.children if child.kind == "ENUM_CONSTANT_DECL")
            names = ("",) if node.kind == "USING_DIRECTIVE" else filter(None, (node.spelling, *enumerators))
            for name in names:
                found.setdefault(name, {})[block.file, block.start] = meaning
        different = (blocks for blocks in found.values() if len(set(blocks.values())) > 1)
        return sorted({block for blocks in different for block in blocks})

    def _owner(self, node: Node) -> Node:
        """Return the function that declares a type, as the program's text has it; no lambda inside of one."""
        function = _pattern(node.cursor.semantic_parent)
        while (closure := function.semantic_parent) is not None and closure.spelling.startswith("(lambda"):
            function = _pattern(closure.semantic_parent)
        return self.unit.tree.node(function.get_definition() or function)


def _declared(function: Node) -> dict[tuple[str, int], Node]:
    """Return what an instantiation declares, by kind and place: not what stands in a statement that it discards."""
    statements = (s for s in function.walk() if s.kind == "DECL_STMT")
    parameters = (n for n in function.children if n.kind == "PARM_DECL")
    return {(n.kind, n.start): n for n in (*(n for s in statements for n in s.children), *parameters)}


def _pattern(function: Cursor) -> Cursor:
    while (pattern := library.template_of(function)) is not None:
        function = pattern
    return function


def _as_written(node: Node, owner: Node) -> Node:
    """Return a type's declaration in its function's text: that of an instantiation may lack its end."""
    same = (n for n in owner.walk() if n.kind == node.kind and (n.file, n.start) == (node.file, node.start))
    return next(same, node)


def _function(region: TargetRegion) -> Node:
    return region.owner.template or region.owner.node


def _is_template(kernel: Kernel) -> bool:
    return kernel.region.owner.template is not None
