"""Objects that the host program reads between launches and that may be anywhere.

In: an expression in a host statement. Out: whether it is a number or pointer that is read behind a pointer, or an
element of a vector of the library, and all else that is evaluated for it; None for anything else. The runtime is asked
where it is read (``rex_host_reads``): memory that no GPU has access to, or of which the device has a copy, is not what
a queued kernel writes, so nobody can see that it is read before the kernel ends; for any other the host waits.

Nothing is asked for in loops that launch nothing: they may read many elements for each kernel.
"""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import Type

from rexcc.analysis.batches.plain_objects import is_plain
from rexcc.analysis.batches.quiet_runs import HostRead
from rexcc.analysis.vector_elements import is_reference, vector_element
from rexcc.clang import library, types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import FUNCTION_KINDS, LOOP_KINDS, VARIABLE_KINDS, Node, kind_of
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
        if not is_read(node) or not may_be_repeated(node) or not self._is_beside_launch(node):
            return None
        found = self._vector_element(node) if node.kind == "CALL_EXPR" else self._behind_pointer(node)
        if found is None or any(self._place(one) is None for one in found[0]):
            return None
        places = (self._place(one) for one in found[0])
        return AskedFor(tuple(place for place in places if place is not None), found[1])

    def _behind_pointer(self, node: Node) -> tuple[tuple[Node, ...], tuple[Node, ...]] | None:
        """Return an element, pointee or member that a pointer leads to, and what that and the subscripts are."""
        if not any(map(_is_variable, node.walk())):  # it may be a constant, which a call is not
            return None
        values: list[Node] = []
        part = node
        while True:
            inner = [child for child in part.children if not child.kind.endswith("_REF")]
            is_element = part.kind == "ARRAY_SUBSCRIPT_EXPR" and len(inner) == 2
            is_member = part.kind == "MEMBER_REF_EXPR" and len(inner) == 1 and _is_field(part)
            is_pointee = part.is_dereference
            if not (is_element or is_member or is_pointee) or is_bit_field(part) or (is_member and _is_packed(part)):
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
    if not (types.is_scalar(node.type) or types.is_pointer(node.type)) or not is_plain(node.type):
        return False
    used = node.in_parentheses().parent
    # clang's conversion to a value has no qualifiers; what binds an object to a reference adds them
    return used is not None and used.kind == "UNEXPOSED_EXPR" and not types.is_constant(used.type)


def may_be_repeated(node: Node) -> bool:
    """Whether an expression may be the operand of ``__typeof__`` without being evaluated there, as one whose type has
    an extent known at run time is, or refused, as a lambda is in C++."""
    if types.is_variable_length(node.type) or _leads_to_runtime_extent(node.type):
        return False
    return not any(each.kind in ("LAMBDA_EXPR", "StmtExpr") for each in node.walk())


def _leads_to_runtime_extent(kind: Type) -> bool:
    """Whether a pointer, behind any number of others, leads to an array whose extent is known at run time."""
    while types.is_pointer(kind):
        kind = types.pointee_of(kind)
    return types.is_variable_length(kind)


def _is_variable(node: Node) -> bool:
    """Whether an expression that needs this one is no constant: it names ``this``, a parameter, or a variable that is
    neither ``constexpr``, nor a constant number or reference to a constant, which may be one without the word."""
    if node.kind == "MEMBER_REF_EXPR" and all(child.kind.endswith("_REF") for child in node.children):
        return _is_field(node)  # of this
    if node.kind == "CXX_THIS_EXPR":
        return True
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) not in VARIABLE_KINDS:
        return False
    if kind_of(target) == "PARM_DECL":
        return True
    given = types.without_reference(target.type)
    may_be_constant = types.is_reference(target.type) or types.is_scalar(given)
    return not library.is_constexpr(target) and not (may_be_constant and types.is_constant(given))


def _is_packed(node: Node) -> bool:
    """Whether a member may lie where objects of its type cannot."""
    record = node.children[0].bare().type if node.referenced is None else node.referenced.semantic_parent.type
    return bool(record.get_align() < node.type.get_align())


def _is_field(node: Node) -> bool:
    return node.referenced is not None and kind_of(node.referenced) == "FIELD_DECL" and bool(node.spelling)
