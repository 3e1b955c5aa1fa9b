"""Objects that the host program reads between launches and that may be anywhere.

In: an expression in a host statement. Out: whether it is a number or pointer that is read behind a pointer, or an
element of a vector of the library, and all else that is evaluated for it; None for anything else. The runtime is asked
where it is read (``rex_host_reads``): memory that no GPU has access to, or of which the device has a copy, is not what
a queued kernel writes, so nobody can see that it is read before the kernel ends; for any other the host waits.

Nothing is asked for in loops that launch nothing: they may read many elements for each kernel.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.analysis.plain_objects import is_plain
from rexcc.analysis.quiet_runs import HostRead
from rexcc.analysis.vector_elements import is_reference, vector_element
from rexcc.clang import types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import FUNCTION_KINDS, LOOP_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass


@dataclass(frozen=True, eq=False)
class AskedFor:
    """The ``reads`` of an expression, and the ``values`` that are evaluated for them."""

    reads: tuple[HostRead, ...]
    values: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class HostReads:
    """Knows the expressions of a unit; ``launches`` tells whether a statement launches anything."""

    unit: ParsedUnit
    launches: Callable[[Node], bool]

    def asked_for(self, node: Node) -> AskedFor | None:
        """Return what the host asks for to read an object, None for one that it cannot ask for."""
        if not is_read(node) or not self._is_beside_launch(node):
            return None
        found = self._vector_element(node) if node.kind == "CALL_EXPR" else self._behind_pointer(node)
        if found is None or any(self._place(one) is None for one in found[0]):
            return None
        places = (self._place(one) for one in found[0])
        return AskedFor(tuple(place for place in places if place is not None), found[1])

    def _behind_pointer(self, node: Node) -> tuple[tuple[Node, ...], tuple[Node, ...]] | None:
        """Return an element, pointee or member that a pointer leads to, and what that and the subscripts are."""
        values: list[Node] = []
        part = node
        while True:
            inner = [child for child in part.children if not child.kind.endswith("_REF")]
            is_element = part.kind == "ARRAY_SUBSCRIPT_EXPR" and len(inner) == 2
            is_member = part.kind == "MEMBER_REF_EXPR" and len(inner) == 1 and _is_field(part)
            is_pointee = part.kind == "UNARY_OPERATOR" and part.operator == "*"
            if not (is_element or is_member or is_pointee) or is_bit_field(part):
                return None
            values += inner[1:]
            part = inner[0].bare()
            if types.is_array(part.type) or types.is_record(part.type):
                continue
            return ((node,), (inner[0], *values)) if types.is_pointer(inner[0].type) else None

    def _vector_element(self, node: Node) -> tuple[tuple[Node, ...], tuple[Node, ...]] | None:
        """Return an element of a vector that has a name, and the vector itself where that is another's."""
        found = vector_element(node)
        if found is None:
            return None
        vector, subscript = found
        return ((node, vector) if is_reference(vector) else (node,)), (subscript,)

    def _is_beside_launch(self, node: Node) -> bool:
        """Whether each time that an expression is evaluated something is launched beside it, or may be."""
        for above in node.ancestors():
            if above.kind in LOOP_KINDS:
                return self.launches(above)
            if above.kind in FUNCTION_KINDS or above.kind == "LAMBDA_EXPR":
                return above.kind in FUNCTION_KINDS
        return False

    def _place(self, node: Node) -> HostRead | None:
        """Return where an expression stands in the user's text, on one line, in no macro and with none at its ends."""
        text = self.unit.user_text(node)
        is_written = int(node.cursor.extent.start.offset) == node.start and node.file in self.unit.files
        if not is_written or "\n" in text or not self.unit.is_whole(node):
            return None
        file = self.unit.files[node.file]
        uses = (u for u in self.unit.use_places.get(node.file, ()) if u.start < node.end and node.start < u.end)
        if any(use.start <= node.start or node.end <= use.end for use in uses):
            return None
        if file.scan.source.text[file.original(node.start) : file.original(node.end)] != text:
            return None
        return HostRead(node.file, node.start, node.end)


def is_read(node: Node) -> bool:
    """Whether an expression is an object of a number's or pointer's type of which only the value is used."""
    if not is_plain(node.type) or not (types.is_scalar(node.type) or types.is_pointer(node.type)):
        return False
    used = node.parent
    while used is not None and used.kind == "PAREN_EXPR":
        used = used.parent
    # clang's conversion to a value has no qualifiers; what binds an object to a reference adds them
    return used is not None and used.kind == "UNEXPOSED_EXPR" and not types.is_constant(used.type)


def _is_field(node: Node) -> bool:
    return node.referenced is not None and kind_of(node.referenced) == "FIELD_DECL" and bool(node.spelling)
