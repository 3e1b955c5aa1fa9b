"""The program's variables that device code cannot use as they are.

In: variables, and the code that names them. Out: which belong to the host, and how functions of the device may reach
each of them all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.constant_values import changes_in_part, is_repeatable
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.initial_addresses import begins_with_hosts_address
from rexcc.analysis.linked_variables import Way, is_copied, is_lone
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass

UNDECLARED = "undeclared-device-variable"
STATIC_MEMBER = "unsupported-static-member"
INITIALISER = "unsupported-initialiser"
ADDRESS = "undeclared-device-address"


@dataclass(frozen=True)
class Reach:
    """How functions of the device reach a variable of the host: by a pointer that is attached in a ``way``, by a
    definition of their own where there is neither, or not at all: then ``code`` is that of the error and ``what`` says
    what the variable is."""

    way: Way | None = None
    code: str = ""
    what: str = ""


def is_host_variable(variable: Cursor) -> bool:
    """Whether a variable is one of the program's that lives outside of functions and of which device code has no
    definition: it changes, or its value is not known here."""
    scope = variable.semantic_parent
    is_local = scope is None or kind_of(scope) in FUNCTION_KINDS
    user = not library.in_system_header(variable)
    return user and not is_local and library.has_global_storage(variable) and not is_repeatable(variable)


def reach_of(variable: Cursor, unified: bool, in_lambda: bool = False) -> Reach:
    """Return how functions reach a variable of the host; in unified shared memory (``unified``) the device has it too.

    A constant whose value only the host knows is copied once, unless that is an address of the host's. ``in_lambda``:
    a lambda from outside of the region names the variable, and has no pointers.
    """
    if is_repeatable(variable) and not unified:
        return Reach(code=ADDRESS, what="a constant that holds the address of a variable of the host")
    if types.is_constant(variable.type) and not changes_in_part(variable) and not unified and not in_lambda:
        return _reach_of_constant(variable)
    if not is_lone(variable):
        return Reach(code=STATIC_MEMBER, what="a static member of a class template")
    return Reach(Way.FOUND) if unified and not in_lambda else Reach(code=UNDECLARED, what="a variable of the host")


def _reach_of_constant(variable: Cursor) -> Reach:
    if not is_lone(variable):
        return Reach()  # each instantiation's: the image of the CPU device computes it
    if types.is_reference(variable.type) or variable.type.get_size() <= 0 or not is_copied(variable.type):
        return Reach(code=INITIALISER, what="a constant of the host")
    return Reach(Way.COPIED)


def host_uses(bodies: Iterable[Node], declared: DeclareTarget) -> Iterator[tuple[Cursor, Node]]:
    """Yield the host's variables that functions, or expressions that members of classes begin with, name, each with its
    first use."""
    seen: set[Variable] = set()
    for top, node in ((body, n) for body in bodies for n in body.walk()):
        if top.cursor.kind.is_expression() and is_unevaluated(node):
            continue
        target = node.referenced if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
        if target is None or kind_of(target) != "VAR_DECL" or Variable(target) in seen:
            continue
        seen.add(Variable(target))
        if declared.has_variable(Variable(target)):
            continue
        if is_host_variable(target) or _begins_with_address(target, declared):
            yield target, node


def _begins_with_address(variable: Cursor, declared: DeclareTarget) -> bool:
    """Whether device code cannot have the definition of a constant: it holds the address of a variable of the host."""
    has_definition = library.has_global_storage(variable) and types.is_constant(variable.type)
    return has_definition and begins_with_hosts_address(variable, declared.in_image)


def library_use(bodies: Iterable[Node]) -> Node | None:
    """Return a use of a variable of the system's libraries, which only the host has."""
    for node in (n for body in bodies for n in body.walk() if n.kind == "DECL_REF_EXPR"):
        target = node.referenced
        if target is None or kind_of(target) != "VAR_DECL" or not library.in_system_header(target):
            continue
        if library.has_global_storage(target) and not types.is_constant(target.type):
            return node
    return None
