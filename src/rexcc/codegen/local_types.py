"""Types that a function declares and its kernels name.

In: the closure's local types. Out: their text, in a namespace that the function's kernels stand in too. A template's
local types stand before each of its kernels, where the template's parameters have their meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library
from rexcc.clang.tree import Node
from rexcc.codegen.scopes import in_scopes, namespaces_of_kernel
from rexcc.codegen.slice import Piece, SliceWriter, outermost
from rexcc.codegen.templates import template_aliases
from rexcc.codegen.unit_order import Places
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.text.extents import is_runtime_array, is_runtime_pointer
from rexcc.program.unit import ParsedUnit


class LocalTypes:
    """The local types of one unit, by the function that declares them, and the namespaces of kernels."""

    def __init__(self, unit: ParsedUnit, places: Places, writer: SliceWriter) -> None:
        self.unit = unit
        self.places = places
        self.writer = writer
        self._of: dict[Place, list[Node]] = {}
        for node in writer.closure.local_types.values():
            if is_runtime_array(node.type) or is_runtime_pointer(node.type):
                continue  # its extents travel to the kernel
            owner = self._owner(node)
            self._of.setdefault((owner.file, owner.start), []).append(_as_written(node, owner))

    def pieces(self, kernels: Iterable[Kernel]) -> list[Piece]:
        """Return the local types of functions that are no templates, each once."""
        regions = {(f.file, f.start): k.region for k in kernels if (f := _function(k.region)) and not _is_template(k)}
        found: list[Piece] = []
        for place, region in regions.items():
            start = self.unit.files[place[0]].original(place[1])
            for piece in self._declared(place):
                key = (*self.places.key(place[0], start), piece.key[-1])
                found.append(Piece(key, in_scopes(self.scope(region), piece.text), piece.names, piece.uses))
        return found

    def of_template(self, kernel: Kernel) -> str:
        """Return the local types of a template, for one of its kernels."""
        owner = _function(kernel.region)
        pieces = self._declared((owner.file, owner.start)) if _is_template(kernel) else []
        aliases = template_aliases(kernel.region) if pieces else ()
        return "".join([*(f"{a}\n" for a in aliases), *(p.text for p in sorted(pieces, key=lambda p: p.key))])

    def scope(self, region: TargetRegion, stem: str = "") -> tuple[str, ...]:
        """Return the namespaces of a kernel: its function's, and one for the local types where there are any."""
        owner = _function(region)
        around = namespaces_of_kernel(owner.cursor)
        if (owner.file, owner.start) not in self._of:
            return around
        if region.owner.template is not None:
            return (*around, f"namespace rex_in_{stem}")
        file = self.unit.files[owner.file]
        line = file.scan.source.line_column(file.original(owner.start))[0]
        return (*around, f"namespace rex_in_{re.sub(r'[^A-Za-z0-9_]+', '_', owner.spelling)}_{line}")

    def _declared(self, place: Place) -> list[Piece]:
        return [p for n in outermost(self._of.get(place, [])) for p in self.writer.declaration(n)]

    def _owner(self, node: Node) -> Node:
        """Return the function that declares a type, as the program's text has it."""
        function = node.cursor.semantic_parent
        while (pattern := library.template_of(function)) is not None:
            function = pattern
        return self.unit.tree.node(function.get_definition() or function)


def _as_written(node: Node, owner: Node) -> Node:
    """Return a type's declaration in its function's text: that of an instantiation may lack its end."""
    same = (n for n in owner.walk() if n.kind == node.kind and (n.file, n.start) == (node.file, node.start))
    return next(same, node)


def _function(region: TargetRegion) -> Node:
    return region.owner.template or region.owner.node


def _is_template(kernel: Kernel) -> bool:
    return kernel.region.owner.template is not None
