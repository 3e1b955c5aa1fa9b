"""Whether code can tell which thread executes it, or how many do.

In: a piece of code. Out: whether other threads, or more of them, may execute it with nobody seeing a difference, as far
as the code itself and the functions tell that it reaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from clang.cindex import Cursor

from rexcc.analysis.function_facts import calls_unknown, function_facts
from rexcc.analysis.reachable_functions import is_library_function, lacks_definition
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit

_TELLING = ("omp_", "__atomic", "__sync", "atomic", "malloc", "calloc", "realloc", "aligned_alloc")


def can_tell_threads(
    unit: ParsedUnit, node: Node, allowed: frozenset[str] = frozenset(), in_functions: frozenset[str] = frozenset(),
    answered: frozenset[str] = frozenset(),
) -> bool:  # fmt: skip
    """Whether code may tell which thread, or of how many, executes it.

    It names a routine of OpenMP's or an atomic operation, allocates memory, which more threads have less of each, holds
    a construct that is none of the ``allowed`` directives, or calls a function with one that is not ``in_functions``,
    with volatile objects, or that is not known here. What a function of the user's does tells its text, not its name.
    The code itself may name what is ``answered``.
    """
    facts = function_facts(unit)
    called: list[Node] = []
    for definition in facts.reached(node):
        if lacks_definition(definition):
            return True
        called.append(unit.tree.node(definition))
    code = [node, *called]
    inside = {c.directive.name for c in facts.constructs_in(node)}
    of_called = {c.directive.name for one in called for c in facts.constructs_in(one)}
    if any(map(calls_unknown, code)) or not (inside <= allowed and of_called <= in_functions):
        return True
    if any(types.is_volatile(n.type) for one in called for n in one.walk()):
        return True
    if any(_allocates(n) or _is_atomic(n) for one in code for n in one.walk()):
        return True
    unnamed = (str(function.spelling) for one in code for function in facts.unnamed_calls(one))
    own = (name for name in _names_not_read(node) if name not in answered)
    return any(name.startswith(_TELLING) for name in chain(unnamed, own, *map(_names_not_read, called)))


def _names_not_read(code: Node) -> Iterator[str]:
    """Yield the names of variables and functions in a piece of code, without those of functions whose text is read."""
    for node in code.walk():
        if node.kind == "DECL_REF_EXPR" and not _is_read(node.referenced):
            yield node.spelling


def _is_read(function: Cursor | None) -> bool:
    """Whether the user has defined a function: then it is among those that code reaches. Names of the C library and of
    OpenMP mean what device code has by them, also where the user defines them for the host."""
    if function is None or kind_of(function) not in FUNCTION_KINDS or is_library_function(function):
        return False
    definition = function.get_definition()
    return definition is not None and not library.in_system_header(definition)


def _is_atomic(node: Node) -> bool:
    """Whether an expression may be an atomic operation of the compiler's own: one with operands that has no name."""
    return node.kind == "UNEXPOSED_EXPR" and len(node.children) > 1


def _allocates(node: Node) -> bool:
    """Whether an expression, or an array whose extent only the run knows, takes memory of the device's heap."""
    is_array = node.kind == "VAR_DECL" and types.is_array(node.type)
    return node.kind == "CXX_NEW_EXPR" or (is_array and types.is_variable_length(node.type))
