"""Constants of device code of which no kernel can tell two copies apart.

In: constants, and all code in which they are named. Out: whether each is used only by its value: its address is in no
variable, in nothing that a function keeps, and in no number. An address that a function gets as an argument is followed
into it.

An image that is loaded twice has each constant twice, at two addresses, with the same value. Where no address leaves
the expression that reads it, a kernel of the one copy and a kernel of the other compute the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor, Type

from rexcc.analysis.addresses import address_is_kept, pointer_is_kept
from rexcc.clang import classes, library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, field


def stored(bodies: Iterable[Node]) -> list[Cursor]:
    """Return the variables with storage of their own for the whole program that functions declare inside."""
    inside = (n for body in bodies for n in body.walk() if n.kind == "VAR_DECL")
    return [n.cursor for n in inside if n.cursor.storage_class.name == "STATIC" or library.has_global_storage(n.cursor)]


@dataclass(eq=False)
class Constants:
    """Answers for the constants of a unit; ``code`` is all that may name one on a device."""

    unit: ParsedUnit
    code: list[Node]
    asked: set[tuple[int, int]] = field(default_factory=set)

    def all_indistinct(self, constants: Iterable[Cursor]) -> bool:
        """Whether all of them are constants, and used only by their values."""
        wanted = list(constants)
        keys = {int(c.canonical.hash) for c in wanted}
        return all(map(_is_constant, wanted)) and not any(self._is_kept(node, keys) for node in self.code)

    def _is_kept(self, top: Node, constants: set[int]) -> bool:
        for node in top.walk():
            target = node.referenced if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
            is_one = target is not None and int(target.canonical.hash) in constants
            if is_one and address_is_kept(node, self._keeps):
                return True
        return False

    def _keeps(self, call: Node, argument: Node) -> bool:
        """Whether a function may keep the address that a call gives it."""
        callee = call.referenced
        function = callee.get_definition() if callee is not None and kind_of(callee) == "FUNCTION_DECL" else None
        number = next((i for i, given in enumerate(call.children[1:]) if given is argument), None)
        if function is None or number is None or library.in_system_header(function):
            return True
        key = int(function.hash), number
        if key in self.asked:  # also by a function that calls itself
            return False
        self.asked.add(key)
        return self._is_kept_inside(self.unit.tree.node(function), number)

    def _is_kept_inside(self, function: Node, number: int) -> bool:
        parameters = [c for c in function.children if c.kind == "PARM_DECL"]
        if number >= len(parameters) or not any(c.kind == "COMPOUND_STMT" for c in function.children):
            return True
        parameter = parameters[number].cursor
        if types.is_reference(parameter.type) or not types.is_pointer(parameter.type):
            return True
        if any(n.kind == "LAMBDA_EXPR" for n in function.walk()):
            return True
        uses = (n for n in function.walk() if n.kind == "DECL_REF_EXPR" and n.referenced == parameter)
        return any(pointer_is_kept(use, self._keeps) for use in uses)


def _is_constant(variable: Cursor) -> bool:
    given = variable.type
    inner = types.innermost(given) if types.is_array(given) else given
    if types.is_reference(given) or types.is_volatile(inner) or classes.has_mutable_part(inner):
        return False
    return types.is_constant(given) and given.get_size() > 0 and not _has_reference(inner)


def _has_reference(kind: Type) -> bool:
    """Whether a part of an object is a reference: what that is bound to, also a temporary object, may change."""
    parts = (m.type for m in types.members_of(kind) if m.kind.name in ("FIELD_DECL", "CXX_BASE_SPECIFIER"))
    inner = (types.innermost(part) if types.is_array(part) else part for part in parts)
    return any(types.is_reference(part) or (types.is_record(part) and _has_reference(part)) for part in inner)
